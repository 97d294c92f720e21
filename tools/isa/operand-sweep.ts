/**
 * Every operand field of every kind of instruction of gfx10, with every value of the field, through llvm-mc: which codes
 * are an operand there, which are read with a note that they are invalid, and which make the words illegal.
 *
 * Rows whose operands are of the same kinds have the same rules, so one row stands for them all.
 */
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import { type Encoding, type Format, formatOn, ROWS, shapeOf } from '../../src/main/isa/index.ts';
import { type Difference, judgeWords } from './judge.ts';
import { type Sample, samples } from './samples.ts';

/** Where a field stands: dword, lowest bit, width; `scalarBit` of SDWA says that the source is no VGPR. */
interface Field {
  readonly dword: number;
  readonly shift: number;
  readonly bits: number;
  readonly scalarBit?: readonly [dword: number, bit: number];
}

const field = (dword: number, shift: number, bits: number): Field => ({ dword, shift, bits });

const SDWA_SRC0: Field = { ...field(1, 0, 8), scalarBit: [1, 23] };
const SDWA_SRC1: Field = { ...field(0, 9, 8), scalarBit: [1, 31] };
const SDWA_SDST: Field = { ...field(1, 8, 7), scalarBit: [1, 15] };

function fieldsOf(format: Format, encoding: Encoding): readonly Field[] {
  switch (format) {
    case 'SOP1':
      return [field(0, 0, 8), field(0, 16, 7)];
    case 'SOP2':
      return [field(0, 0, 8), field(0, 8, 8), field(0, 16, 7)];
    case 'SOPC':
      return [field(0, 0, 8), field(0, 8, 8)];
    case 'SOPK':
      return [field(0, 16, 7)];
    case 'SMEM':
      return [field(0, 0, 6), field(0, 6, 7), field(1, 25, 7)];
    case 'MUBUF':
    case 'MTBUF':
      return [field(1, 16, 5), field(1, 24, 8)];
    case 'MIMG':
      return [field(1, 16, 5), field(1, 21, 5)];
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return [field(1, 16, 7)];
    default:
      return vectorFields(format, encoding);
  }
}

function vectorFields(format: Format, encoding: Encoding): readonly Field[] {
  switch (encoding) {
    case 'e32':
      return [field(0, 0, 9)];
    case 'e64':
      return [field(1, 0, 9), field(1, 9, 9), field(1, 18, 9), field(0, 8, 7), field(0, 0, 8)];
    case 'sdwa':
      return format === 'VOPC' ? [SDWA_SRC0, SDWA_SRC1, SDWA_SDST] : [SDWA_SRC0, SDWA_SRC1];
    default:
      return [];
  }
}

/** What decides about operand codes: the kinds, and the few other traits of a row that do. */
function rules(target: Target, sample: Sample): string {
  const row = ROWS[sample.op]!;
  const { noE64 } = shapeOf(sample.op);
  const traits = [row.dst, row.src, row.class, row.memory, row.relative, row.opSel, row.imm, noE64];
  return JSON.stringify([formatOn(row, target), sample.encoding, traits]);
}

const LITERAL = 0x12345678;
/** VGPRs between the first and the last few are alike. */
const FIRST_ALIKE = 260;
const LAST_ALIKE = 508;

function* variants(sample: Sample, { dword, shift, bits, scalarBit }: Field): Generator<Uint32Array> {
  const mask = ((1 << bits) - 1) << shift;
  for (let value = 0; value < 1 << bits; value++) {
    if (value >= FIRST_ALIKE && value <= LAST_ALIKE) continue;
    const words = new Uint32Array(6);
    words.set(sample.words);
    words[sample.words.length] = LITERAL;
    words[dword] = (words[dword]! & ~mask) | (value << shift);
    if (scalarBit) words[scalarBit[0]]! |= 1 << scalarBit[1];
    yield words;
  }
}

/** All differences between llvm-mc's reading and ours, and how many words were compared. */
export function sweepOperands(target: Target, waveSize: WaveSize): { words: number; differences: Difference[] } {
  const seen = new Set<string>();
  const sequences: Uint32Array[] = [];
  for (const sample of samples(target)) {
    const key = rules(target, sample);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const place of fieldsOf(formatOn(ROWS[sample.op]!, target), sample.encoding)) {
      for (const words of variants(sample, place)) sequences.push(words);
    }
  }
  return { words: sequences.length, differences: judgeWords(target, sequences, waveSize) };
}
