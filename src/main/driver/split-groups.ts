/**
 * A dispatch of more groups than a device takes at once, in parts that it takes.
 *
 * Why not vkCmdDispatchBase: base plus count must stay within the same limit. So a part's first group goes to the module
 * as push constants (recompiler/spirv/abi.ts). Parts cover the dispatch exactly, in the order in which groups are numbered
 * along each axis.
 */
import type { Vec3 } from '../base/dispatch.ts';

export interface GroupPart {
  /** Counted from the dispatch's first group. */
  readonly start: Vec3;
  readonly groups: Vec3;
}

function stretches(count: number, limit: number): readonly { readonly start: number; readonly count: number }[] {
  if (count === 0) return [{ start: 0, count: 0 }];
  return Array.from({ length: Math.ceil(count / limit) }, (_, i) => ({
    start: i * limit,
    count: Math.min(limit, count - i * limit),
  }));
}

export function partCount(groups: Vec3, limits: Vec3): number {
  return groups.reduce((product, count, axis) => product * Math.max(1, Math.ceil(count / limits[axis]!)), 1);
}

export function splitGroups(groups: Vec3, limits: Vec3): readonly GroupPart[] {
  const [x, y, z] = groups.map((count, axis) => stretches(count, limits[axis]!));
  return z!.flatMap((c) =>
    y!.flatMap((b) =>
      x!.map((a) => ({ start: [a.start, b.start, c.start] as const, groups: [a.count, b.count, c.count] as const })),
    ),
  );
}
