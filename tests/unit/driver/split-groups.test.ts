/** Parts of a dispatch: every group in exactly one of them, none larger than the device takes. */
import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../../src/main/base/dispatch.ts';
import { partCount, splitGroups } from '../../../src/main/driver/split-groups.ts';

describe('groups in parts', () => {
  it('one part when all fit, also without a group', () => {
    expect(splitGroups([4, 3, 2], [4, 3, 2])).toEqual([{ start: [0, 0, 0], groups: [4, 3, 2] }]);
    expect(splitGroups([0, 3, 2], [4, 3, 2])).toEqual([{ start: [0, 0, 0], groups: [0, 3, 2] }]);
  });

  it('the rest is a smaller part', () => {
    expect(splitGroups([65_537, 1, 1], [65_535, 65_535, 65_535])).toEqual([
      { start: [0, 0, 0], groups: [65_535, 1, 1] },
      { start: [65_535, 0, 0], groups: [2, 1, 1] },
    ]);
  });

  it.each([
    [
      [7, 5, 3],
      [3, 2, 2],
    ],
    [
      [1, 1, 9],
      [4, 4, 1],
    ],
    [
      [6, 6, 1],
      [3, 2, 1],
    ],
  ] as [Vec3, Vec3][])('%j by %j: each group once', (groups, limits) => {
    const seen = new Map<string, number>();
    const parts = splitGroups(groups, limits);
    for (const { start, groups: size } of parts) {
      expect(size.every((count, axis) => count > 0 && count <= limits[axis]!)).toBe(true);
      for (let z = 0; z < size[2]; z++)
        for (let y = 0; y < size[1]; y++)
          for (let x = 0; x < size[0]; x++) {
            const group = [start[0] + x, start[1] + y, start[2] + z].join();
            seen.set(group, (seen.get(group) ?? 0) + 1);
          }
    }
    expect(parts).toHaveLength(partCount(groups, limits));
    expect(seen.size).toBe(groups[0] * groups[1] * groups[2]);
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
  });
});
