/**
 * Every ALU and lane instruction of three targets, lowered and optimised, against the reference, register by register.
 *
 * The encodings are LLVM's (../shared/data/isa): one of each row of gfx1013, gfx1030 and gfx700, and a sample of a corpus
 * with every operand form and modifier. A dozen of them run one after the other on a wave with noise in all registers,
 * under random EXEC and MODE; then every scalar and vector register must be the same in every lane. Programs whose
 * instructions are refused (REC002) are counted, not compared.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { ComputeDispatch, Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../src/main/base/guest-memory.ts';
import { OPERAND } from '../../src/main/isa/operands.ts';
import { linkProgram } from '../../src/main/program/link-program.ts';
import { lowerProgram } from '../../src/main/recompiler/lower/program.ts';
import { runPipeline } from '../../src/main/recompiler/pipeline.ts';
import { runDispatch, type Wave } from '../../src/main/reference/index.ts';
import { interpretDispatch } from '../support/ir-interpreter.ts';
import { type Encoded, encodedRows, haveRows, isComparable, isTrapRegister, noise } from '../support/isa-rows.ts';
import { RandomSource } from '../support/random-source.ts';

const CODE = 0x1_0000_0000 as GuestAddress;
/** Registers of the trap handler and what lies behind them, which no program owns. */
const COMPARED_SCALARS = [
  ...Array(106).keys(),
  OPERAND.VCC_LO,
  OPERAND.VCC_HI,
  OPERAND.M0,
  OPERAND.EXEC_LO,
  OPERAND.EXEC_HI,
];
/** PER_PROGRAM=1 SHOW_ALL=1 names each row that is wrong. */
const PER_PROGRAM = Number(process.env.PER_PROGRAM ?? 12);

interface Counts {
  compared: number;
  refused: number;
}

const counts = new Map<string, Counts>();

function makeDispatch(target: Target, waveSize: WaveSize, random: RandomSource): ComputeDispatch {
  return {
    target,
    waveSize,
    programAddress: CODE,
    threads: [waveSize, 1, 1],
    groupStart: [0, 0, 0],
    groups: [1, 1, 1],
    partialThreads: [waveSize, 1, 1],
    userSgprs: new Uint32Array(0),
    tgidEnable: [false, false, false],
    tgSizeEnable: false,
    localIdCount: 1,
    ldsBytes: 0,
    scratchEnable: false,
    scratchBytesPerWave: 0,
    float: {
      floatMode: random.below(3) === 0 ? random.below(256) : 0xc0,
      dx10Clamp: random.below(2) === 0,
      ieee: random.below(2) === 0,
      fp16Overflow: false,
    },
    rsrc1: 0,
    rsrc2: 0,
    rsrc3: 0,
  };
}

function runProgram(target: Target, waveSize: WaveSize, pack: readonly Encoded[], seed: number): string {
  const random = new RandomSource(seed);
  const memory = new GuestMemory();
  const words = Uint32Array.from([...pack.flatMap((e) => e.words), 0xbf810000]);
  memory.map(CODE, words.byteLength, READ | EXECUTE);
  memory.pokeBytes(CODE, new Uint8Array(words.buffer));
  const dispatch = makeDispatch(target, waveSize, random);
  const scalars = Uint32Array.from({ length: 128 }, () => noise(random));
  scalars[OPERAND.NULL] = 0;
  // EXEC: mostly noise, sometimes all or few lanes.
  const exec = random.below(4);
  for (const code of [OPERAND.EXEC_LO, OPERAND.EXEC_HI]) {
    scalars[code] =
      exec === 0 ? 0xffffffff : exec === 1 ? random.bits() & random.bits() & random.bits() : random.bits();
  }
  const vgprs = Uint32Array.from({ length: 256 * waveSize }, () => noise(random));

  const program = linkProgram({ target, waveSize, entry: CODE, memory, userSgprs: dispatch.userSgprs });
  const codes = [...COMPARED_SCALARS, ...Array.from({ length: 256 }, (_, n) => OPERAND.VGPR0 + n)];
  const lowered = lowerProgram(program, dispatch, {
    apertures: { sharedHigh: 0x10000, privateHigh: 0x20000 },
    zeroRegisters: true,
    scratchBytesPerWave: 0,
    given: {
      scalars: new Set([...Array(128).keys()].filter((c) => !isTrapRegister(c) && c !== OPERAND.NULL)),
      vgprs: new Set(Array(256).keys()),
    },
    taps: codes,
  });
  const count = counts.get(target) ?? { compared: 0, refused: 0 };
  counts.set(target, count);
  if (!lowered.runnable) {
    count.refused += pack.length;
    return '';
  }
  runPipeline(lowered.fn, { deterministic: true, verify: true });
  const taps = new Map<number, Uint32Array>();
  interpretDispatch(lowered.fn, { ...dispatch, userSgprs: scalars }, memory, 20_000_000, {
    initialVgpr: (register, lane) => vgprs[register * waveSize + lane]!,
    onTap: (slot, lane, value) => {
      let lanes = taps.get(slot);
      if (!lanes) taps.set(slot, (lanes = new Uint32Array(waveSize)));
      lanes[lane] = value;
    },
  });

  let final: Wave | undefined;
  const result = runDispatch(dispatch, memory, {
    instructionLimit: 10_000,
    onWaveStart: (wave) => {
      for (let code = 0; code < 128; code++) if (!isTrapRegister(code)) wave.sgprs[code] = scalars[code]!;
      wave.vgprs.set(vgprs);
    },
    onWaveEnd: (wave) => {
      final = wave;
    },
  });
  const listing = pack.map((e) => e.text).join('; ');
  if (result.status !== 'completed') return `${listing}: the reference says ${result.status}`;
  const wrong: string[] = [];
  codes.forEach((code, slot) => {
    const lanes = taps.get(slot)!;
    for (let lane = 0; lane < waveSize; lane++) {
      const isVector = code >= OPERAND.VGPR0;
      if (!isVector && lane > 0) break;
      const expected = isVector ? final!.vgprs[(code - OPERAND.VGPR0) * waveSize + lane]! : final!.sgprs[code]!;
      if (lanes[lane] === expected) continue;
      const name = isVector ? `v${code - OPERAND.VGPR0} lane ${lane}` : `s${code}`;
      wrong.push(`${name}: ${lanes[lane]!.toString(16)}, reference ${expected.toString(16)}`);
    }
  });
  count.compared += pack.length;
  if (wrong.length === 0) return '';
  return `mode ${dispatch.float.floatMode.toString(16)}: ${listing}\n${wrong.slice(0, 4).join('\n')}`;
}

function runAll(
  target: Target,
  waveSize: WaveSize,
  encodings: readonly Encoded[],
  seed: number,
  perProgram = PER_PROGRAM,
): void {
  const wanted = encodings.filter((e) => isComparable(target, e));
  const wrong: string[] = [];
  for (let i = 0; i < wanted.length; i += perProgram) {
    const message = runProgram(target, waveSize, wanted.slice(i, i + perProgram), seed + i);
    if (message) wrong.push(message);
  }
  if (process.env.SHOW_ALL) for (const message of wrong) console.log(message);
  expect(wrong.slice(0, 5)).toEqual([]);
}

describe.skipIf(!haveRows)('rows as IR', () => {
  it.each([
    ['gfx1013', 32, 1],
    ['gfx1013', 64, 2],
    ['gfx1030', 64, 3],
    ['gfx700', 64, 4],
  ] as const)('every row of %s, wave%i', (target, waveSize, seed) => {
    runAll(target, waveSize, encodedRows(`opcodes_${target}.tsv`), seed * 100_000);
  });

  it('a sample of the operand forms of gfx1013', () => {
    const all = encodedRows('decode_corpus_gfx1013.tsv.gz').filter((e) => isComparable('gfx1013', e));
    const sample = all.filter((_, i) => i % 6 === 0);
    runAll('gfx1013', 64, sample, 900_000);
  });

  it('a sample of the operand forms of gfx700', () => {
    const all = encodedRows('assemble_corpus_gfx700.tsv.gz').filter((e) => isComparable('gfx700', e));
    runAll(
      'gfx700',
      64,
      all.filter((_, i) => i % 4 === 0),
      950_000,
    );
  });

  afterAll(() => {
    for (const [target, { compared, refused }] of counts) {
      console.log(`rows as IR, ${target}: ${compared} instructions compared, ${refused} beside a refused one`);
    }
  });
});
