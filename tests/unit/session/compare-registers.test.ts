/** Two runs side by side: what is equal, what differs and where, what only one side has. */
import { describe, expect, it } from 'vitest';
import type { WaveRegisters } from '../../../src/main/driver/engine.ts';
import { OPERAND } from '../../../src/main/isa/operands.ts';
import { compareRegisters } from '../../../src/main/session/compare-registers.ts';

const V1 = OPERAND.VGPR0 + 1;

function wave(x: number, number: number, s4: number, v1: readonly number[]): WaveRegisters {
  return {
    workgroup: [x, 0, 0],
    wave: number,
    waveSize: 32,
    values: new Map([
      [4, Uint32Array.of(s4)],
      [V1, Uint32Array.from(v1)],
    ]),
  };
}

const ZEROS = new Array<number>(32).fill(0);

describe('registers of two runs', () => {
  it('are equal whatever order their waves come in', () => {
    const [a, b] = [wave(0, 0, 5, ZEROS), wave(1, 0, 6, ZEROS)];
    expect(compareRegisters([a, b], [b, a])).toEqual({
      waves: 2,
      values: 66,
      differing: 0,
      differences: [],
      missing: [],
    });
  });

  it('differ by register and lane', () => {
    const changed = ZEROS.with(17, 0xffffffff).with(31, 3);
    const { differing, differences } = compareRegisters([wave(2, 1, 5, ZEROS)], [wave(2, 1, 7, changed)]);
    expect(differing).toBe(3);
    const place = { workgroup: [2, 0, 0], wave: 1 };
    expect(differences).toEqual([
      { ...place, register: 4, lane: -1, left: 5, right: 7 },
      { ...place, register: V1, lane: 17, left: 0, right: 0xffffffff },
      { ...place, register: V1, lane: 31, left: 0, right: 3 },
    ]);
  });

  it('tells waves that one side lacks', () => {
    const [a, b, c] = [wave(0, 0, 5, ZEROS), wave(1, 0, 6, ZEROS), wave(1, 1, 6, ZEROS)];
    expect(compareRegisters([a, b], [a, c]).missing).toEqual([
      { workgroup: [1, 0, 0], wave: 0, from: 'right' },
      { workgroup: [1, 0, 0], wave: 1, from: 'left' },
    ]);
  });

  it('counts all differences and names the first ones', () => {
    const ones = new Array<number>(32).fill(1);
    const left = Array.from({ length: 20 }, (_, i) => wave(i, 0, 0, ZEROS));
    const right = Array.from({ length: 20 }, (_, i) => wave(i, 0, 0, ones));
    const { differing, differences } = compareRegisters(left, right);
    expect([differing, differences.length]).toEqual([640, 256]);
  });
});
