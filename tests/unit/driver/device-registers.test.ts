/** The tap buffer from the launcher's side: sizes, and records as waves. Layout: src/main/recompiler/spirv/abi.ts. */
import { describe, expect, it } from 'vitest';
import type { ComputeDispatch, Vec3 } from '../../../src/main/base/dispatch.ts';
import { GuestMemory } from '../../../src/main/base/guest-memory.ts';
import { placeOfWave, registerBatch, tellWaves, wavesOfDispatch } from '../../../src/main/driver/device-registers.ts';
import type { EngineRequest, InitialRegisters, WaveRegisters } from '../../../src/main/driver/engine.ts';
import { OPERAND } from '../../../src/main/isa/operands.ts';
import { prepare } from '../../support/device.ts';

const V = OPERAND.VGPR0;

function request(
  dispatch: Partial<ComputeDispatch>,
  registers: readonly number[],
  initial?: InitialRegisters,
): EngineRequest & { readonly told: WaveRegisters[] } {
  const prepared = prepare({ target: 'gfx1013', waveSize: dispatch.waveSize ?? 32, code: 's_endpgm', dispatch });
  const told: WaveRegisters[] = [];
  return {
    ...prepared,
    memory: new GuestMemory(),
    ...(initial ? { initial } : {}),
    watch: { registers, onWaveEnd: (wave) => told.push(wave) },
    told,
  };
}

const size = (threads: Vec3, groups: Vec3): Partial<ComputeDispatch> => ({ threads, groups, partialThreads: threads });

describe('registers on a device', () => {
  it('need no buffer when none are given or wanted', () => {
    const { dispatch, program, memory } = request(size([32, 1, 1], [1, 1, 1]), []);
    expect(registerBatch({ dispatch, program, memory })).toMatchObject({ buffers: [], capacity: 0 });
  });

  it('keep as many waves as fit 64 MiB', () => {
    const all = Array.from({ length: 256 }, (_, i) => V + i);
    const { capacity, download } = registerBatch(request({ ...size([64, 1, 1], [5000, 1, 1]), waveSize: 64 }, all));
    // A record has 1 + 256 · 64 = 16385 words; 2^26 / 65540 = 1023.9…
    expect(capacity).toBe(1023);
    expect(download).toEqual({ buffer: 'taps', offset: 0, sizeBytes: 1023 * 65540 });
    expect(registerBatch(request(size([96, 1, 1], [2, 3, 1]), [4])).capacity).toBe(18);
  });

  it('spread given VGPRs over the threads of a group', () => {
    const initial = { scalars: new Map(), vgprs: new Map([[1, Uint32Array.of(7, 8, 9)]]) };
    const { buffers, bindings } = registerBatch(request(size([48, 1, 1], [1, 1, 1]), [], initial));
    // Two waves of 32: rows of 64 words, v1's behind v0's.
    const words = new Uint32Array(buffers[1]!.uploads![0]!.bytes.slice().buffer);
    expect([...words]).toEqual([
      ...new Array(64).fill(0),
      ...Array.from({ length: 64 }, (_, thread) => 7 + (thread % 3)),
    ]);
    expect([...bindings]).toEqual([
      [2, 'taps'],
      [3, 'vgprs'],
    ]);
  });

  it('are told of waves whose record is written, with the group from its number', () => {
    // Groups of 40 threads (2 waves) in 2 × 2, the last column 8 threads wide: one wave each. Group ids start at (10, 20).
    const one = request(
      { threads: [40, 1, 1], groups: [2, 2, 1], partialThreads: [8, 1, 1], groupStart: [10, 20, 0] },
      [6, V],
    );
    const record = 1 + 1 + 32;
    const words = new Uint32Array(8 * record);
    for (let number = 0; number < 8; number++) {
      const at = number * record;
      words[at] = number === 5 ? 0 : 1;
      words[at + 1] = 100 + number;
      for (let lane = 0; lane < 32; lane++) words[at + 2 + lane] = 1000 * number + lane;
    }
    // 2 × 2 waves in the first column, 2 × 1 in the last.
    expect(wavesOfDispatch(one.dispatch)).toBe(6);
    expect(placeOfWave(one.dispatch, 3)).toBeUndefined();
    tellWaves(one, 8, words);
    expect(one.told.map((w) => [w.workgroup.join(), w.wave, w.values.get(6)![0], w.values.get(V)![31]])).toEqual([
      ['10,20,0', 0, 100, 31],
      ['10,20,0', 1, 101, 1031],
      ['11,20,0', 0, 102, 2031],
      ['10,21,0', 0, 104, 4031],
      ['11,21,0', 0, 106, 6031],
    ]);
  });
});
