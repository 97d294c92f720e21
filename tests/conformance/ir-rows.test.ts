/**
 * Every ALU and lane instruction of three targets, lowered and optimised, against the reference, register by register.
 *
 * The encodings are LLVM's (../shared/data/isa): one of each row of gfx1013, gfx1030 and gfx700, and a sample of a corpus
 * with every operand form and modifier. A dozen of them run one after the other on a wave with noise in all registers,
 * under random EXEC and MODE; then every scalar and vector register must be the same in every lane. Programs whose
 * instructions are refused (REC002) are counted, not compared.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { ComputeDispatch, Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../src/main/base/guest-memory.ts';
import { decodeInstruction } from '../../src/main/isa/decode.ts';
import { Instruction } from '../../src/main/isa/instruction.ts';
import { OPERAND } from '../../src/main/isa/operands.ts';
import { type Mnemonic, TABLES } from '../../src/main/isa/tables/index.ts';
import { linkProgram } from '../../src/main/program/link-program.ts';
import { LOWERINGS } from '../../src/main/recompiler/lower/index.ts';
import { lowerProgram } from '../../src/main/recompiler/lower/program.ts';
import { runPipeline } from '../../src/main/recompiler/pipeline.ts';
import { runDispatch, type Wave } from '../../src/main/reference/index.ts';
import { interpretDispatch } from '../support/ir-interpreter.ts';
import { RandomSource } from '../support/random-source.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/data/isa', import.meta.url));
const haveData = existsSync(FOLDER);
if (!haveData) console.log(`skipped: ${FOLDER} is not there`);

const CODE = 0x1_0000_0000 as GuestAddress;
const CLASSES: ReadonlySet<string> = new Set([
  'salu',
  'salu-compare',
  'valu-int',
  'valu-float',
  'valu-compare',
  'valu-convert',
  'valu-approximate',
  'valu-packed',
  'cross-lane',
]);
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

interface Encoded {
  readonly text: string;
  readonly words: readonly number[];
}

interface Counts {
  compared: number;
  refused: number;
}

const counts = new Map<string, Counts>();

function rows(name: string): Encoded[] {
  const path = `${FOLDER}/${name}`;
  const raw = readFileSync(path);
  const lines = (name.endsWith('.gz') ? gunzipSync(raw) : raw).toString('utf8').split('\n');
  const out: Encoded[] = [];
  for (const line of lines) {
    const columns = line.split('\t');
    const encoding = columns.find((c) => /^[0-9a-f]{8}( [0-9a-f]{8})*$/.test(c));
    if (encoding === undefined) continue;
    out.push({
      text: columns[columns.indexOf(encoding) + 1]!,
      words: encoding.split(' ').map((w) => Number.parseInt(w, 16)),
    });
  }
  return out;
}

/** Decoded, of a class that is compared, with a lowering of its own. */
function isWanted(target: Target, encoded: Encoded): boolean {
  const inst = new Instruction();
  const size = decodeInstruction(target, Uint32Array.from([...encoded.words, 0, 0]), 0, inst);
  if (size <= 0) return false;
  const row = TABLES[inst.mnemonic as Mnemonic];
  if (!CLASSES.has(row.class) || typeof LOWERINGS[inst.mnemonic as Mnemonic] !== 'function') return false;
  // Hardware registers change the mode or depend on the machine; LDS as an operand needs one.
  if (/reg|_mode/.test(inst.mnemonic)) return false;
  const codes = [inst.src0, inst.src1, inst.src2, inst.dst, inst.sdst];
  return !codes.some((c) => c === OPERAND.LDS_DIRECT || c === OPERAND.POPS_EXITING_WAVE_ID || (c >= 108 && c < 124));
}

const SPECIAL = [
  0, 0x80000000, 1, 0xffffffff, 0x7fffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001,
  0x00400000, 0x80000001, 0x7c003c00, 0x00017c01, 0x4f000000, 0x3ff00000, 0x7ff00000, 31, 32, 63, 64,
];

function noise(random: RandomSource): number {
  switch (random.below(4)) {
    case 0:
      return SPECIAL[random.below(SPECIAL.length)]!;
    case 1:
      return random.below(256);
    case 2:
      // A float near 1, or a half in each half.
      return (random.below(2) * 0x80000000 + 0x3f000000 + random.below(0x1800000)) >>> 0;
    default:
      return random.bits();
  }
}

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
  const isTrap = (code: number): boolean => code >= 108 && code < 124;

  const program = linkProgram({ target, waveSize, entry: CODE, memory, userSgprs: dispatch.userSgprs });
  const codes = [...COMPARED_SCALARS, ...Array.from({ length: 256 }, (_, n) => OPERAND.VGPR0 + n)];
  const lowered = lowerProgram(program, dispatch, {
    apertures: { sharedHigh: 0x10000, privateHigh: 0x20000 },
    zeroRegisters: true,
    scratchBytesPerWave: 0,
    given: {
      scalars: new Set([...Array(128).keys()].filter((c) => !isTrap(c) && c !== OPERAND.NULL)),
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
      for (let code = 0; code < 128; code++) if (!isTrap(code)) wave.sgprs[code] = scalars[code]!;
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
  const wanted = encodings.filter((e) => isWanted(target, e));
  const wrong: string[] = [];
  for (let i = 0; i < wanted.length; i += perProgram) {
    const message = runProgram(target, waveSize, wanted.slice(i, i + perProgram), seed + i);
    if (message) wrong.push(message);
  }
  if (process.env.SHOW_ALL) for (const message of wrong) console.log(message);
  expect(wrong.slice(0, 5)).toEqual([]);
}

describe.skipIf(!haveData)('rows as IR', () => {
  it.each([
    ['gfx1013', 32, 1],
    ['gfx1013', 64, 2],
    ['gfx1030', 64, 3],
    ['gfx700', 64, 4],
  ] as const)('every row of %s, wave%i', (target, waveSize, seed) => {
    runAll(target, waveSize, rows(`opcodes_${target}.tsv`), seed * 100_000);
  });

  it('a sample of the operand forms of gfx1013', () => {
    const all = rows('decode_corpus_gfx1013.tsv.gz').filter((e) => isWanted('gfx1013', e));
    const sample = all.filter((_, i) => i % 6 === 0);
    runAll('gfx1013', 64, sample, 900_000);
  });

  it('a sample of the operand forms of gfx700', () => {
    const all = rows('assemble_corpus_gfx700.tsv.gz').filter((e) => isWanted('gfx700', e));
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
