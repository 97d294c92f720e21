/**
 * Our tables, decoder, printer and encoder against llvm-mc: the comparisons behind check-tables.ts, report.ts and the
 * conformance tests. Every difference is either explained by one of `EXPLANATIONS` or a problem.
 */
import { TARGETS, type Target } from '../../src/main/base/dispatch.ts';
import { opcodeTables } from '../../src/main/isa/decode/tables.ts';
import {
  decodeInstruction,
  decodeLoosely,
  encodeInstruction,
  FLAG,
  FORMATS,
  type Format,
  formatOn,
  ILLEGAL,
  Instruction,
  illegalReason,
  isGfx7,
  KIND,
  MNEMONICS,
  OPERAND,
  opcodeOn,
  printInstruction,
  ROWS,
  shapeOf,
} from '../../src/main/isa/index.ts';
import { assembleEach, disassembleBlocks, disassembleEach } from './llvm-mc.ts';
import { type Sample, samples } from './samples.ts';

export const EXPLANATIONS = {
  vopcDpp: 'VOPC with DPP: the manual and compilers have it, LLVM lacks it on gfx10',
  unusedField: 'SDWA dst_unused = 3 is reserved in the manual; llvm-mc reads it as UNUSED_PAD',
  execMask: 'EXEC as a lane mask of v_cndmask or a carry: the hardware takes it, llvm-mc notes it as invalid',
  zero: 'llvm-mc names the zero word v_illegal; here it is an illegal item',
  rejected: 'llvm-mc has no syntax for it, or does not take this operand in text',
  normalised: 'llvm-mc drops bits that have no meaning: its bytes print the same',
} as const;
export type Explanation = keyof typeof EXPLANATIONS;

export interface Difference {
  readonly words: string;
  readonly llvm: string;
  readonly ours: string;
  readonly explanation?: Explanation;
}

export function wordsText(words: ArrayLike<number>): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(' ');
}

const scratch = new Instruction();

/** Our text of the first instruction, misplaced operands noted; illegal words give `illegal` and the reason. */
export function ourText(target: Target, words: Uint32Array, waveSize: 32 | 64): { text: string; size: number } {
  const size = decodeLoosely(target, words, 0, scratch);
  if (size <= 0) return { text: `illegal: ${illegalReason(size)}`, size };
  return { text: printInstruction(scratch, { target, waveSize }), size };
}

function isVopcDpp(): boolean {
  return scratch.format === 'VOPC' && (scratch.encoding === 'dpp16' || scratch.encoding === 'dpp8');
}

export function isExecMask({ op, src2 }: Instruction): boolean {
  return shapeOf(op).src2.kind === KIND.MASK && src2 >= OPERAND.EXEC_LO && src2 <= OPERAND.EXEC_HI;
}

/** llvm-mc's notes of operands that do not belong where they stand. */
const NOTES = /\/\*Invalid [^*]*\*\//g;

/** Why two readings differ, when it is one of the known reasons. `size` is what decode returned. */
function explain(llvm: string, ours: string, size: number): Explanation | undefined {
  const illegalHere = size <= 0;
  if (!illegalHere && llvm === 'illegal') return isVopcDpp() ? 'vopcDpp' : undefined;
  if (!illegalHere) return isExecMask(scratch) && llvm.replace(NOTES, '') === ours ? 'execMask' : undefined;
  if (llvm === 'v_illegal') return 'zero';
  if (size === ILLEGAL.SELECT && llvm.includes('dst_unused:UNUSED_PAD')) return 'unusedField';
  return undefined;
}

function isIllegalText(text: string): boolean {
  return text.startsWith('illegal');
}

/** Undefined when both agree. */
function compare(llvm: string, target: Target, words: Uint32Array, waveSize: 32 | 64): Difference | undefined {
  const { text, size } = ourText(target, words, waveSize);
  if (text === llvm || (llvm === 'illegal' && isIllegalText(text))) return undefined;
  const explanation = explain(llvm, text, size);
  const difference = { words: wordsText(words), llvm, ours: text };
  return explanation ? { ...difference, explanation } : difference;
}

/** gfx10: the first instruction of each word sequence; words on which llvm-mc crashes are left out. */
export function judgeWords(target: Target, sequences: readonly Uint32Array[], waveSize: 32 | 64): Difference[] {
  const texts = disassembleEach(target, sequences, { waveSize });
  return sequences.flatMap((words, i) => {
    const difference = texts[i] === 'crash' ? undefined : compare(texts[i]!, target, words, waveSize);
    return difference ? [difference] : [];
  });
}

export interface FamilyCount {
  /** Rows of the tables on this target. */
  rows: number;
  /** Rows of which at least one sample was judged. */
  exercised: number;
  /** Rows all of whose samples agree or differ for a known reason. */
  agreed: number;
  samples: number;
}

export interface SampleJudgement {
  readonly target: Target;
  readonly families: ReadonlyMap<Format, FamilyCount>;
  readonly differences: readonly Difference[];
}

function countRows(target: Target): Map<Format, FamilyCount> {
  const families = new Map<Format, FamilyCount>();
  for (const format of FORMATS) {
    const rows = ROWS.filter((row) => opcodeOn(row, target) !== undefined && formatOn(row, target) === format).length;
    if (rows) families.set(format, { rows, exercised: 0, agreed: 0, samples: 0 });
  }
  return families;
}

/** One difference (or none) per sample, in order. gfx10: both decode; gfx7: llvm-mc assembles our text. */
function judgeEach(target: Target, list: readonly Sample[], waveSize: 32 | 64): (Difference | undefined)[] {
  if (!isGfx7(target)) {
    const texts = disassembleEach(
      target,
      list.map((sample) => sample.words),
      { waveSize },
    );
    return list.map((sample, i) => compare(texts[i]!, target, sample.words, waveSize));
  }
  const texts = list.map((sample) => ourText(target, sample.words, 64).text);
  const assembled = assembleEach(target, texts);
  return list.map((sample, i) => {
    const theirs = assembled[i];
    const ours = texts[i]!;
    if (isIllegalText(ours)) return undefined;
    const difference = { words: wordsText(sample.words), llvm: theirs ? wordsText(theirs) : 'rejected', ours };
    if (!theirs) return { ...difference, explanation: 'rejected' };
    if (difference.llvm === difference.words) return undefined;
    if (ourText(target, theirs, 64).text === ours) return { ...difference, explanation: 'normalised' };
    return difference;
  });
}

/** Every sample of every row of a target, judged by llvm-mc. */
export function judgeSamples(target: Target, waveSize: 32 | 64 = 32): SampleJudgement {
  const list = samples(target).filter((sample) => !isGfx7(target) || decodable(target, sample));
  const verdicts = judgeEach(target, list, waveSize);
  const families = countRows(target);
  const judged = new Set<number>();
  const wrong = new Set<number>();
  list.forEach((sample, i) => {
    const verdict = verdicts[i];
    families.get(formatOn(ROWS[sample.op]!, target))!.samples++;
    if (verdict && !verdict.explanation) wrong.add(sample.op);
    // What llvm-mc does not take proves nothing about the row.
    if (verdict?.explanation !== 'rejected' && verdict?.explanation !== 'vopcDpp') judged.add(sample.op);
  });
  for (const op of judged) {
    const count = families.get(formatOn(ROWS[op]!, target))!;
    count.exercised++;
    if (!wrong.has(op)) count.agreed++;
  }
  return { target, families, differences: verdicts.filter((verdict) => verdict !== undefined) };
}

function decodable(target: Target, sample: Sample): boolean {
  return decodeInstruction(target, sample.words, 0, scratch) > 0;
}

/** Fillings of the operand fields under which each opcode number is tried. */
const FILLINGS: readonly (readonly [first: number, second: number])[] = [
  [0x00000000, 0x00000000],
  [0x00000102, 0x04020106],
  [0x00020402, 0x00000501],
  [0x00000000, 0x057d0001],
  [0x00008000, 0x057d0401],
  [0x00014000, 0x007d0401],
  [0x00000f00, 0x00020401],
  [0x00000f08, 0x00620401],
  [0x00009f00, 0x00020401],
  [0x00012000, 0x80010001],
  [0x00002000, 0x80010203],
  [0x00020000, 0x00000201],
  [0x00020010, 0x0a000001],
  [0x0000006a, 0x00020301],
  [0x00000005, 0x04120701],
];

/** First words of all opcode numbers of all families of gfx10, operand fields zero. */
export function opcodeSpace(): number[] {
  const words: number[] = [];
  const walk = (count: number, word: (opcode: number) => number) => {
    for (let opcode = 0; opcode < count; opcode++) words.push(word(opcode) >>> 0);
  };
  walk(256, (op) => 0xbe800000 | (op << 8));
  walk(128, (op) => 0x80000000 | (op << 23));
  walk(128, (op) => 0xbf000000 | (op << 16));
  walk(128, (op) => 0xbf800000 | (op << 16));
  walk(256, (op) => 0xf4000000 | (op << 18));
  walk(256, (op) => 0x7e000000 | (op << 9));
  walk(62, (op) => op << 25);
  walk(256, (op) => 0x7c000000 | (op << 17));
  walk(1024, (op) => 0xd4000000 | (op << 16));
  walk(128, (op) => 0xcc000000 | (op << 16));
  walk(4, (op) => 0xc8000000 | (op << 16));
  walk(256, (op) => 0xd8000000 | (op << 18));
  walk(256, (op) => 0xe0000000 | ((op & 127) << 18) | ((op >> 7) << 25));
  walk(8, (op) => 0xe8000000 | (op << 16));
  walk(256, (op) => 0xf0000000 | ((op & 127) << 18) | (op >> 7));
  walk(128, (op) => 0xdc000000 | (op << 18));
  walk(1, () => 0xf8000000);
  return words;
}

/** The whole opcode space of gfx10 through llvm-mc: rows that we lack, or have and LLVM lacks, show as differences. */
export function walkOpcodes(target: Target): { walked: number; differences: Difference[] } {
  const sequences: Uint32Array[] = [];
  for (const word of opcodeSpace()) {
    for (const [first, second] of FILLINGS)
      sequences.push(Uint32Array.of((word | first) >>> 0, second, 0x08070605, 0, 0));
  }
  const texts = disassembleEach(target, sequences);
  const differences: Difference[] = [];
  sequences.forEach((words, i) => {
    const difference = compare(texts[i]!, target, words, 32);
    if (difference && !difference.explanation && texts[i] !== 'crash') differences.push(difference);
  });
  return { walked: sequences.length, differences };
}

/** A seeded stream of 32-bit words (splitmix-like). */
export function randomWords(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return (z ^ (z >>> 14)) >>> 0;
  };
}

export interface RandomJudgement {
  words: number;
  items: number;
  illegal: number;
  /** Read by both with a note that an operand is invalid. */
  misplaced: number;
  /** Words of blocks on which llvm-mc crashed. */
  skippedWords: number;
  /** One reads an instruction where the other does not. */
  legality: Difference[];
  /** Both read an instruction, with different text. */
  text: Difference[];
}

const BLOCK = 24;

/** Random words as code: legality and text of every item, in blocks so that one difference does not shift the rest. */
export function judgeRandom(target: Target, count: number, seed: number, waveSize: 32 | 64 = 32): RandomJudgement {
  const next = randomWords(seed);
  const result: RandomJudgement = {
    words: count,
    items: 0,
    illegal: 0,
    misplaced: 0,
    skippedWords: 0,
    legality: [],
    text: [],
  };
  const blocks = Array.from({ length: Math.ceil(count / BLOCK) }, () => Uint32Array.from({ length: BLOCK }, next));
  const verdicts = disassembleBlocks(target, blocks, { waveSize });
  blocks.forEach((block, i) => {
    const verdict = verdicts[i]!;
    if (verdict.crashed) result.skippedWords += BLOCK;
    else judgeBlock(target, block, verdict.texts, new Set(verdict.illegalAt), waveSize, result);
  });
  return result;
}

function judgeBlock(
  target: Target,
  block: Uint32Array,
  texts: readonly string[],
  illegalAt: ReadonlySet<number>,
  waveSize: 32 | 64,
  result: RandomJudgement,
): void {
  // llvm-mc sees filler words behind the block.
  const padded = new Uint32Array(BLOCK + 5).fill(0xbf944321);
  padded.set(block);
  let text = 0;
  for (let at = 0; at < BLOCK; ) {
    const llvm = illegalAt.has(at * 4) ? 'illegal' : (texts[text++] ?? 'nothing');
    const words = padded.subarray(at, at + 6);
    const difference = compare(llvm, target, words, waveSize);
    const size = decodeLoosely(target, words, 0, scratch);
    result.items++;
    if (size <= 0) result.illegal++;
    else if (scratch.flags & FLAG.MISPLACED) result.misplaced++;
    if (difference) {
      const legality = size <= 0 !== (llvm === 'illegal');
      (legality ? result.legality : result.text).push(difference);
      if (legality) return;
    }
    at += Math.max(size, 1);
  }
}

export interface CorpusLine {
  readonly words: Uint32Array;
  readonly text: string;
}

export interface CorpusJudgement {
  readonly lines: number;
  readonly equal: number;
  readonly differences: readonly Difference[];
}

/** Recorded words and text against ours. */
export function judgeCorpus(target: Target, lines: readonly CorpusLine[], waveSize: 32 | 64): CorpusJudgement {
  const differences: Difference[] = [];
  let equal = 0;
  for (const { words, text } of lines) {
    const difference = compare(text, target, words, waveSize);
    const size = decodeLoosely(target, words, 0, scratch);
    if (difference) differences.push(difference);
    else if (size > 0 && size !== words.length) {
      differences.push({ words: wordsText(words), llvm: text, ours: `${text} in ${size} dwords` });
    } else equal++;
  }
  return { lines: lines.length, equal, differences };
}

export interface RoundTrip {
  instructions: number;
  /** encode(decode(words)) = words. */
  canonical: number;
  /** Other words, which decode to the same instruction. */
  normalised: number;
  readonly problems: string[];
}

function fieldsOf(inst: Instruction): string {
  return JSON.stringify({ ...inst, sizeDwords: 0, index: 0 });
}

/** decode(encode(decode(words))) = decode(words) for everything legal. */
export function roundTrip(target: Target, sequences: Iterable<Uint32Array>): RoundTrip {
  const result: RoundTrip = { instructions: 0, canonical: 0, normalised: 0, problems: [] };
  const again = new Instruction();
  const out = new Uint32Array(8);
  for (const words of sequences) {
    const size = decodeInstruction(target, words, 0, scratch);
    if (size <= 0) continue;
    result.instructions++;
    const encoded = encodeInstruction(target, scratch, out);
    if (encoded <= 0) {
      result.problems.push(`${wordsText(words)}: ${illegalReason(encoded)}`);
      continue;
    }
    const back = out.slice(0, encoded);
    if (encoded === size && back.every((word, i) => word === words[i])) {
      result.canonical++;
      continue;
    }
    result.normalised++;
    const sizeAgain = decodeInstruction(target, back, 0, again);
    if (sizeAgain !== encoded || fieldsOf(scratch) !== fieldsOf(again)) {
      result.problems.push(`${wordsText(words)} → ${wordsText(back)} is another instruction`);
    }
  }
  return result;
}

/** Rows whose promised forms contradict the opcode tables: two rows under one number, a number past its field. */
export function tableConflicts(): string[] {
  const problems: string[] = [];
  for (const target of TARGETS) {
    const tables = opcodeTables(target);
    const seen = new Map<string, string>();
    ROWS.forEach((row, op) => {
      const opcode = opcodeOn(row, target);
      if (opcode === undefined || row.format === 'EXP') return;
      const format = tables.formats[op]!;
      const family = format === 'VOP3B' ? 'VOP3' : format;
      const key = `${family} ${opcode}`;
      const other = seen.get(key);
      if (other !== undefined) problems.push(`${target}: ${MNEMONICS[op]} and ${other} are both ${key}`);
      seen.set(key, MNEMONICS[op]!);
    });
  }
  return problems;
}
