/**
 * The assembler against llvm-mc 19: text → bytes must be equal, and what llvm-mc refuses must be refused.
 *
 * First from stored results (assemble-corpus/, made by tools/isa/make-assemble-corpus.ts), then live on larger random
 * samples where llvm-mc-19 is installed, then on the reference data beside the repository where it is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import { type AssembleResult, assemble } from '../../src/main/isa/assemble/index.ts';
import { assembleLines, Random } from '../../tools/isa/assemble-lines.ts';
import { assembleEach, llvmMcAvailable } from '../../tools/isa/llvm-mc.ts';
import { haveShared, ROOT, SHARED } from '../support/tools.ts';

const TARGETS: readonly (readonly [Target, WaveSize])[] = [
  ['gfx1013', 32],
  ['gfx1030', 32],
  ['gfx700', 64],
];

/** Hex words per line of a text with one instruction a line; `refused` where there was an error. */
function wordsPerLine(lines: readonly string[], target: Target, waveSize: WaveSize): string[] {
  const words: string[] = new Array(lines.length).fill('refused');
  // In pieces: the assembler stops reading after a thousand errors.
  for (let from = 0; from < lines.length; from += 900) {
    const piece = lines.slice(from, from + 900);
    const result = assemble(piece.join('\n'), { target, waveSize });
    for (const line of result.lines) words[from + line.line - 1] = hexAt(result, line.address / 4, line.sizeDwords);
  }
  return words;
}

function hexAt(result: AssembleResult, index: number, count: number): string {
  return Array.from(result.words.subarray(index, index + count), hex).join(' ');
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}

/** Differences as readable lines, the first few. */
function differences(lines: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (ours[i] !== theirs[i]) found.push(`${lines[i]}: ${ours[i]}, llvm-mc ${theirs[i]}`);
  }
  return found;
}

describe('assembling what llvm-mc assembled (stored)', () => {
  it.each(TARGETS)('%s', (target, waveSize) => {
    const entries = readFileSync(join(ROOT, 'tests/conformance/assemble-corpus', `${target}.tsv`), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split('\t') as [string, string]);
    const lines = entries.map(([, text]) => text);
    const ours = wordsPerLine(lines, target, waveSize);
    const wrong = differences(
      lines,
      ours,
      entries.map(([words]) => words),
    ).filter((line) => !isKnown(line));
    console.log(`${target}: ${lines.length} stored lines, ${lines.length - wrong.length} agree`);
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});

/** Where we differ on purpose, by patterns on the text. */
const KNOWN: readonly RegExp[] = [
  // Images that cannot be: mipmaps of multisampled arrays. llvm-mc refuses most counts of addresses, we refuse all.
  /^image_\w+_mip.*2D_MSAA_ARRAY/,
  // The literal of a double written as an integer is its upper half; neg and abs are bits beside it. llvm-mc refuses them
  // though its disassembler prints them.
  /_f64.*(neg\(|abs\(|\|)(0x[0-9a-f]+|-?\d+)[)|]/,
  // llvm-mc gives the second source, an integer, a sext that the encoding reads as neg.
  /^v_cvt_pkaccum_u8_f32.*sext/,
];

function isKnown(text: string): boolean {
  return KNOWN.some((pattern) => pattern.test(text));
}

describe.skipIf(!llvmMcAvailable())('assembling random lines as llvm-mc does (live)', () => {
  it.each([...TARGETS, ['gfx1013', 64], ['gfx1030', 64]] as const)('%s wave%i', (target, waveSize) => {
    const random = new Random(0xc0de + waveSize);
    const lines: string[] = [];
    for (let round = 0; round < 4; round++)
      lines.push(...assembleLines(target, waveSize, random).map((line) => line.text));
    const theirs = assembleEach(target, lines, { waveSize }).map((words) =>
      words ? Array.from(words, hex).join(' ') : 'refused',
    );
    const ours = wordsPerLine(lines, target, waveSize);
    const wrong = differences(lines, ours, theirs).filter((line) => !isKnown(line));
    const accepted = theirs.filter((words) => words !== 'refused').length;
    console.log(
      `${target} wave${waveSize}: ${lines.length} lines, llvm-mc accepts ${accepted}, ${wrong.length} unexplained differences`,
    );
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});

const OPCODES = 'data/isa/opcodes_gfx1013.tsv';

describe.skipIf(!haveShared(OPCODES))('assembling the reference data', () => {
  it.each(TARGETS)('every opcode of %s', (target, waveSize) => {
    const rows = readFileSync(join(SHARED, `data/isa/opcodes_${target}.tsv`), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    const lines: string[] = [];
    const expected: string[] = [];
    const unequal: string[] = [];
    for (const row of rows) {
      const fields = row.split('\t');
      lines.push(fields[5]!);
      expected.push(fields[4]!);
      // The rows say themselves whether llvm-mc gives back the same words.
      if (fields[8] !== undefined && fields[8] !== 'exact') unequal.push(fields[5]!);
    }
    const theirs = llvmMcAvailable()
      ? assembleEach(target, lines, { waveSize }).map((words) => (words ? Array.from(words, hex).join(' ') : 'refused'))
      : expected;
    const ours = wordsPerLine(lines, target, waveSize);
    const wrong = differences(lines, ours, theirs).filter(
      (line) => llvmMcAvailable() || !unequal.some((text) => line.startsWith(text)),
    );
    console.log(`${target}: ${lines.length} opcodes, ${lines.length - wrong.length} agree`);
    expect(wrong.slice(0, 20)).toEqual([]);
  });

  it('the gfx700 corpus', () => {
    const entries = readGzip('data/isa/assemble_corpus_gfx700.tsv.gz');
    const lines = entries.map((fields) => fields[3]!);
    const ours = wordsPerLine(lines, 'gfx700', 64);
    const wrong = differences(
      lines,
      ours,
      entries.map((fields) => fields[2]!),
    );
    console.log(`gfx700: ${lines.length} lines of the corpus, ${lines.length - wrong.length} bytes equal`);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(lines.length).toBe(8144);
  });

  it('the gfx1013 decode corpus, where its encodings are canonical', () => {
    const entries = readGzip('data/isa/decode_corpus_gfx1013.tsv.gz');
    const lines = entries.map((fields) => fields[4]!);
    const words = entries.map((fields) => fields[3]!);
    const ours = wordsPerLine(lines, 'gfx1013', 32);
    const theirs = llvmMcAvailable()
      ? assembleEach('gfx1013', lines).map((result) => (result ? Array.from(result, hex).join(' ') : 'refused'))
      : words;
    const canonical = theirs.map((text, i) => text === words[i]);
    const wrong = differences(lines, ours, theirs).filter((line) => !isKnown(line));
    console.log(
      `gfx1013: ${lines.length} texts of the corpus; llvm-mc gives the same words for ${canonical.filter(Boolean).length}, ` +
        `other words for ${theirs.filter((text, i) => text !== 'refused' && !canonical[i]).length}, ` +
        `refuses ${theirs.filter((text) => text === 'refused').length}; we differ from it on ${wrong.length}`,
    );
    if (llvmMcAvailable()) expect(wrong.slice(0, 20)).toEqual([]);
    else expect(ours.filter((text, i) => text === words[i]).length).toBeGreaterThan(lines.length * 0.85);
  });
});

function readGzip(path: string): string[][] {
  const file = join(SHARED, path);
  if (!existsSync(file)) return [];
  return gunzipSync(readFileSync(file))
    .toString('latin1')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
}
