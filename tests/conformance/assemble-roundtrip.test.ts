/**
 * Words → decode → print → assemble → the same words, for every encoding that an assembler produces (all words here come
 * from llvm-mc assembling text). Encodings that no assembler produces are counted: their text means the same instruction,
 * so assembling it and printing again must give the same text.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import { assemble, decodeInstruction, Instruction, printInstruction } from '../../src/main/isa/index.ts';
import { haveShared, ROOT, SHARED } from '../support/tools.ts';

interface Counts {
  /** The same words came back. */
  same: number;
  /** Other words, which print the same. */
  equivalent: number;
  /** Text that the assembler refuses (encodings with fields that no text can mean). */
  refused: number;
  /** Refused, or other words that print otherwise. */
  readonly wrong: string[];
}

/** Texts that llvm-mc's disassembler prints and its assembler refuses; ours follow both. */
const KNOWN: readonly RegExp[] = [
  // Inline floats in 16-bit integer operands print as their bits, which SDWA cannot hold.
  /_[iu]16_sdwa.* 0x[0-9a-f]{4},/,
  // Image atomics with tfe print as many data registers as without.
  /image_atomic_.* tfe/,
];

function isKnown(text: string): boolean {
  return KNOWN.some((pattern) => pattern.test(text));
}

function parseWords(text: string): Uint32Array {
  return Uint32Array.from(text.split(' '), (word) => Number.parseInt(word, 16));
}

function hex(words: ArrayLike<number>): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(' ');
}

function roundTrip(target: Target, waveSize: WaveSize, encodings: readonly Uint32Array[]): Counts {
  const counts: Counts = { same: 0, equivalent: 0, refused: 0, wrong: [] };
  const instruction = new Instruction();
  const print = (words: Uint32Array): string | undefined =>
    decodeInstruction(target, words, 0, instruction) > 0
      ? printInstruction(instruction, { target, waveSize })
      : undefined;
  for (let from = 0; from < encodings.length; from += 900) {
    const piece = encodings.slice(from, from + 900);
    const texts = piece.map((words) => print(words) ?? '; illegal');
    const result = assemble(texts.join('\n'), { target, waveSize });
    const lines = new Map(result.lines.map((line) => [line.line, line]));
    piece.forEach((words, i) => {
      const line = lines.get(i + 1);
      if (!line) {
        counts.refused++;
        counts.wrong.push(`${hex(words)} ${texts[i]}: refused`);
        return;
      }
      const ours = result.words.slice(line.address / 4, line.address / 4 + line.sizeDwords);
      if (hex(ours) === hex(words)) counts.same++;
      else {
        const again = print(ours);
        if (again === texts[i]) counts.equivalent++;
        else counts.wrong.push(`${hex(words)} ${texts[i]}: assembles to ${hex(ours)}, printed ${again}`);
      }
    });
  }
  return counts;
}

describe('print → assemble gives the same words', () => {
  it.each([
    ['gfx1013', 32],
    ['gfx1030', 32],
    ['gfx700', 64],
  ] as const)('%s, stored corpus', (target, waveSize) => {
    const encodings = readFileSync(join(ROOT, 'tests/conformance/assemble-corpus', `${target}.tsv`), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#') && !line.startsWith('refused'))
      .map((line) => parseWords(line.split('\t')[0]!));
    const counts = roundTrip(target, waveSize, encodings);
    console.log(`${target}: ${encodings.length} encodings, ${counts.same} equal, ${counts.equivalent} equivalent`);
    expect(counts.wrong.filter((text) => !isKnown(text)).slice(0, 20)).toEqual([]);
    // v_nop_e64 and v_nop_sdwa print without their suffix, inline floats of 16-bit integers as their bits.
    expect(counts.equivalent).toBeLessThan(encodings.length / 100);
  });
});

/** Column of a reference file as encodings. */
function reference(path: string, column: number, header: boolean): Uint32Array[] {
  const file = join(SHARED, path);
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').trim().split('\n');
  return (header ? lines.slice(1) : lines).map((line) => parseWords(line.split('\t')[column]!));
}

describe.skipIf(!haveShared('data/isa'))('print → assemble on the reference data', () => {
  it.each([
    ['gfx1013', 32],
    ['gfx1030', 32],
    ['gfx700', 64],
  ] as const)('every opcode of %s', (target, waveSize) => {
    const counts = roundTrip(target, waveSize, reference(`data/isa/opcodes_${target}.tsv`, 4, true));
    // Encodings in this list that are not canonical come back as their canonical ones.
    console.log(`${target}: ${counts.same} equal, ${counts.equivalent} equivalent, ${counts.refused} refused`);
    expect(counts.wrong).toEqual([]);
  });

  it('the gfx700 corpus', () => {
    const counts = roundTrip('gfx700', 64, reference('data/isa/assemble_corpus_gfx700.tsv.gz', 2, false));
    console.log(`gfx700: ${counts.same} of 8144 equal`);
    expect(counts.wrong.filter((text) => !isKnown(text)).slice(0, 20)).toEqual([]);
    expect(counts.same).toBeGreaterThanOrEqual(8076);
  });

  it('the gfx1013 decode corpus', () => {
    const counts = roundTrip('gfx1013', 32, reference('data/isa/decode_corpus_gfx1013.tsv.gz', 3, false));
    console.log(
      `gfx1013: ${counts.same} equal, ${counts.equivalent} not canonical (other words, same text), ` +
        `${counts.refused} whose text means no encoding`,
    );
    expect(counts.same).toBeGreaterThanOrEqual(55_466);
    // Everything else prints as it did.
    expect(counts.wrong.length).toBe(counts.refused);
  });
});
