/**
 * Persistent register state against a plain map that copies everything.
 */
import { describe, expect, it } from 'vitest';
import { BEFORE_FIRST_PACKET, GpuState } from '../../../src/main/pm4/gpu-state.ts';
import { seededRandom } from './seeded-random.ts';

describe('GpuState', () => {
  it('tells never written from zero', () => {
    const builder = GpuState.EMPTY.edit();
    builder.write(0x2e0c, 0, 5);
    const state = builder.snapshot();
    expect(state.get(0x2e0c)).toBe(0);
    expect(state.writer(0x2e0c)).toBe(5);
    expect(state.get(0x2e0d)).toBeUndefined();
    expect(state.read(0x2e0d)).toBe(0);
    expect(state.writer(0x2e0d)).toBeUndefined();
  });

  it('keeps what was set before the first packet apart from never written', () => {
    const builder = GpuState.EMPTY.edit();
    builder.write(0x10, 7, BEFORE_FIRST_PACKET);
    const state = builder.snapshot();
    expect([state.get(0x10), state.writer(0x10)]).toEqual([7, 0]);
  });

  it('snapshots do not change, and an unchanged builder gives the same one', () => {
    const builder = GpuState.EMPTY.edit();
    builder.write(1, 10, 1);
    const first = builder.snapshot();
    expect(builder.snapshot()).toBe(first);
    builder.write(1, 11, 2);
    builder.write(2, 12, 3);
    const second = builder.snapshot();
    expect([first.get(1), first.get(2)]).toEqual([10, undefined]);
    expect([second.get(1), second.get(2)]).toEqual([11, 12]);
    const other = first.edit();
    other.write(1, 99, 4);
    expect(first.get(1)).toBe(10);
    expect(other.snapshot().get(1)).toBe(99);
  });

  it('says what changed and what was written again', () => {
    const builder = GpuState.EMPTY.edit();
    builder.write(0x2e0c, 1, 1);
    builder.write(0x2e0d, 2, 1);
    const before = builder.snapshot();
    builder.write(0xffff, 4, 2);
    builder.write(0x2e0d, 2, 3);
    builder.write(0x2e0c, 5, 3);
    expect(before.changesTo(builder.snapshot())).toEqual([
      { index: 0x2e0c, before: 1, after: 5, writer: 3, kind: 'changed' },
      { index: 0x2e0d, before: 2, after: 2, writer: 3, kind: 'redundant' },
      { index: 0xffff, before: undefined, after: 4, writer: 2, kind: 'changed' },
    ]);
    expect(before.changesTo(before)).toEqual([]);
  });

  it('agrees with a map over 300 snapshots of random writes', () => {
    const random = seededRandom(1);
    const builder = GpuState.EMPTY.edit();
    const map = new Map<number, readonly [value: number, writer: number]>();
    const kept: { state: GpuState; copy: Map<number, readonly [number, number]> }[] = [];
    for (let sequence = 1; sequence <= 300; sequence++) {
      for (let n = random.below(8); n >= 0; n--) {
        const index = random.below(4) === 0 ? random.below(0x10000) : 0x2e00 + random.below(0x50);
        const value = random.word();
        builder.write(index, value, sequence);
        map.set(index, [value, sequence]);
      }
      kept.push({ state: builder.snapshot(), copy: new Map(map) });
    }
    for (const { state, copy } of kept) {
      const written = [...state.written()].map((w) => [w.index, [w.value, w.writer]]);
      expect(written).toEqual([...copy].sort((a, b) => a[0] - b[0]));
    }
    for (let i = 0; i < 100; i++) {
      const a = kept[random.below(300)]!;
      const b = kept[random.below(300)]!;
      const expected = [...new Set([...a.copy.keys(), ...b.copy.keys()])]
        .sort((x, y) => x - y)
        .filter((k) => a.copy.get(k)?.[1] !== b.copy.get(k)?.[1]);
      expect(a.state.changesTo(b.state).map((c) => c.index)).toEqual(expected);
    }
  });
});
