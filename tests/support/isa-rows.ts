/**
 * One encoding of every instruction row, as LLVM gives it (../shared/data/isa), and values that registers are filled with:
 * for tests that run every row.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Target } from '../../src/main/base/dispatch.ts';
import { decodeInstruction } from '../../src/main/isa/decode.ts';
import { Instruction } from '../../src/main/isa/instruction.ts';
import { OPERAND } from '../../src/main/isa/operands.ts';
import { type Mnemonic, TABLES } from '../../src/main/isa/tables/index.ts';
import { LOWERINGS } from '../../src/main/recompiler/lower/index.ts';
import type { RandomSource } from './random-source.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/data/isa', import.meta.url));
export const haveRows: boolean = existsSync(FOLDER);
if (!haveRows) console.log(`skipped: ${FOLDER} is not there`);

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

export interface Encoded {
  readonly text: string;
  readonly words: readonly number[];
}

/** Encodings of a file with one on each line. */
export function encodedRows(name: string): Encoded[] {
  const raw = readFileSync(`${FOLDER}/${name}`);
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

/** Whether a register belongs to the trap handler. */
export const isTrapRegister = (code: number): boolean => code >= 108 && code < 124;

/** An ALU or lane instruction that has a lowering: its results depend on registers only. */
export function isComparable(target: Target, encoded: Encoded): boolean {
  const inst = new Instruction();
  const size = decodeInstruction(target, Uint32Array.from([...encoded.words, 0, 0]), 0, inst);
  if (size <= 0) return false;
  const row = TABLES[inst.mnemonic as Mnemonic];
  if (!CLASSES.has(row.class) || typeof LOWERINGS[inst.mnemonic as Mnemonic] !== 'function') return false;
  // Hardware registers change the mode or depend on the machine; LDS as an operand needs one.
  if (/reg|_mode/.test(inst.mnemonic)) return false;
  // By a noisy M0 they would write VCC, M0 or EXEC, which ends a compiled wave (tests/conformance/device-relative.test.ts).
  if (/^s_movrel(d|sd)_/.test(inst.mnemonic)) return false;
  const codes = [inst.src0, inst.src1, inst.src2, inst.dst, inst.sdst];
  return !codes.some((c) => c === OPERAND.LDS_DIRECT || c === OPERAND.POPS_EXITING_WAVE_ID || isTrapRegister(c));
}

const SPECIAL = [
  0, 0x80000000, 1, 0xffffffff, 0x7fffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001,
  0x00400000, 0x80000001, 0x7c003c00, 0x00017c01, 0x4f000000, 0x3ff00000, 0x7ff00000, 31, 32, 63, 64,
];

/** A register's value: edges of integers and floats, small numbers, floats near 1, anything. */
export function noise(random: RandomSource): number {
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
