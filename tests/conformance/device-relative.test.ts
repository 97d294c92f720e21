/**
 * Moves between registers whose numbers come from M0: random programs on the reference and on the device, all registers
 * compared, and what happens to numbers beyond the registers that a program has.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { DispatchEngine, InitialRegisters, WaveRegisters } from '../../src/main/driver/engine.ts';
import { ReferenceEngine } from '../../src/main/driver/reference-engine.ts';
import { OPERAND } from '../../src/main/isa/operands.ts';
import { CODE, DATA, deviceReady, prepare, runOn, TestDevice } from '../support/device.ts';
import { RandomSource } from '../support/random-source.ts';

/** Vector registers v4…v15 and scalars s8…s23 take part; s4 holds 3 and s5 65536 · 2 + 1, unknown to code generation. */
const VECTORS = 12;
const SCALARS = 16;
const PROGRAMS = 4;

function randomProgram(random: RandomSource, gfx10: boolean): string {
  const v = (): string => `v${4 + random.below(8)}`;
  const s = (): string => `s${8 + random.below(12)}`;
  const pair = (): string => {
    const first = 8 + 2 * random.below(5);
    return `s[${first}:${first + 1}]`;
  };
  const vectors = [`v_movrels_b32 ${v()}, ${v()}`, `v_movreld_b32 ${v()}, ${v()}`, `v_movrelsd_b32 ${v()}, ${v()}`];
  const scalars = [
    `s_movrels_b32 ${s()}, ${s()}`,
    `s_movreld_b32 ${s()}, ${s()}`,
    `s_movrels_b64 ${pair()}, ${pair()}`,
    `s_movreld_b64 ${pair()}, ${pair()}`,
  ];
  const lines = [`s_add_u32 m0, s4, ${random.below(2)}`, `s_mov_b32 exec_lo, 0x${random.bits().toString(16)}`];
  for (let i = 0; i < 5; i++) {
    lines.push(vectors[random.below(vectors.length)]!, scalars[random.below(scalars.length)]!);
    lines.push(`v_add_f32 ${v()}, ${s()}, ${v()}`);
  }
  if (gfx10) lines.push('s_mov_b32 m0, s5', `v_movrelsd_2_b32 ${v()}, ${v()}`, `v_swaprel_b32 ${v()}, ${v()}`);
  return [...lines, gfx10 ? `s_movrelsd_2_b32 ${s()}, ${s()}` : '', 's_endpgm'].join('\n');
}

function registers(random: RandomSource, waveSize: WaveSize): InitialRegisters {
  const scalars = new Map<number, number>([
    [4, 3],
    [5, 0x20001],
  ]);
  for (let i = 0; i < SCALARS; i++) scalars.set(8 + i, random.bits());
  const vgprs = new Map<number, Uint32Array>();
  for (let i = 0; i < VECTORS; i++)
    vgprs.set(
      4 + i,
      Uint32Array.from({ length: waveSize }, () => random.bits()),
    );
  return { scalars, vgprs };
}

/** Final registers, as text. */
async function finalRegisters(
  engine: DispatchEngine,
  prepared: ReturnType<typeof prepare>,
  initial: InitialRegisters,
): Promise<string[]> {
  const waves: WaveRegisters[] = [];
  const watched = [
    ...Array.from({ length: SCALARS }, (_, i) => 8 + i),
    OPERAND.M0,
    ...Array.from({ length: VECTORS }, (_, i) => OPERAND.VGPR0 + 4 + i),
  ];
  const { dispatch, program, memory } = prepared;
  const run = await engine.run({
    dispatch,
    program,
    memory: memory.fork(),
    initial,
    watch: { registers: watched, onWaveEnd: (wave) => waves.push(wave) },
  });
  const lines = waves.flatMap((wave) => watched.map((code) => `${code}: ${[...wave.values.get(code)!].join(' ')}`));
  return [run.status, ...run.diagnostics.map((d) => d.message), ...lines];
}

describe.skipIf(!deviceReady)('moves relative to M0', () => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(16);
  });
  afterAll(() => device?.close());

  it.each([
    ['gfx1013', 32],
    ['gfx1030', 64],
    ['gfx700', 64],
  ] as [Target, WaveSize][])('%s wave%i: random programs leave what the reference leaves', async (target, waveSize) => {
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const random = new RandomSource(seed);
      const code = randomProgram(random, target !== 'gfx700');
      const prepared = prepare({ target, waveSize, code });
      const initial = registers(random, waveSize);
      const expected = await finalRegisters(new ReferenceEngine(), prepared, initial);
      expect(expected[0]).toBe('completed');
      expect(expected).toHaveLength(1 + SCALARS + 1 + VECTORS);
      expect(await finalRegisters(device.engine, prepared, initial), `seed ${seed}\n${code}`).toEqual(expected);
    }
  });

  /** v_movrels of v1 + M0, stored; M0 = s4. */
  const readAt = (number: number, rsrc1: number) =>
    prepare({
      target: 'gfx1013',
      waveSize: 32,
      code: `
        s_mov_b32 m0, s4
        v_mov_b32 v1, 7
        v_movrels_b32 v2, v1
        v_lshlrev_b32 v3, 2, v0
        global_store_dword v3, v2, s[0:1]
        s_endpgm`,
      userData: [DATA % 2 ** 32, Math.floor(DATA / 2 ** 32), 0, 0, number - 1],
      data: [{ address: DATA, sizeBytes: 4096 }],
      dispatch: { rsrc1 },
    });

  it('a number beyond the registers that the wave has ends it, with the number', async () => {
    // Granules of 8 registers: 1 is 16 of them, so v15 exists and v16 does not.
    expect((await runOn(device.engine, readAt(15, 1))).run.status).toBe('completed');
    const { run } = await runOn(device.engine, readAt(16, 1));
    expect(run.status).toBe('faulted');
    expect(run.faults).toMatchObject([
      { reason: 'register-range', lane: -1, detail: 'register number 16', instructionAddress: CODE + 8 },
    ]);
    // Another allocation is other code.
    expect((await runOn(device.engine, readAt(16, 2))).run.status).toBe('completed');
  });

  it('a write to VCC, M0 or EXEC by number ends the wave', async () => {
    const writeAt = (number: number) =>
      prepare({
        target: 'gfx1013',
        waveSize: 32,
        code: `
          s_mov_b32 m0, s4
          s_mov_b32 s5, 99
          s_movreld_b32 s2, s5
          v_lshlrev_b32 v3, 2, v0
          v_mov_b32 v4, s2
          global_store_dword v3, v4, s[0:1]
          s_endpgm`,
        userData: [DATA % 2 ** 32, Math.floor(DATA / 2 ** 32), 5, 0, number - 2],
        data: [{ address: DATA, sizeBytes: 4096 }],
      });
    expect((await runOn(device.engine, writeAt(105))).run.status).toBe('completed');
    for (const number of [106, 124, 126]) {
      const { run } = await runOn(device.engine, writeAt(number));
      expect(run.faults).toMatchObject([{ reason: 'register-range', detail: `register number ${number}` }]);
    }
  });
});
