/**
 * Disassembly of RADV's binaries against the listings that Mesa printed beside them (LLVM's printer, with encodings):
 * text, dwords and place of every row.
 *
 * Mesa's own spellings are undone by radv-listing.ts and named once below; nothing else may differ. One file per variant
 * goes through `bin/lanescope disasm`, the rest through the function behind it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { listWords } from '../../src/main/session/listing.ts';
import { haveShared, ROOT, SHARED } from '../support/tools.ts';
import { type ListedRow, readListing, rowOf, SPELLING } from './radv-listing.ts';

const RADV = join(SHARED, 'data/radv');
const have = haveShared('data/radv');
const built = existsSync(join(ROOT, 'out', 'engine', 'cli.js'));
if (!built) console.warn('skipped in part: the command line is not built (npm test builds it)');

const variants = have ? readdirSync(RADV).filter((name) => /^navi\d+-aco-w(32|64)$/.test(name)) : [];
const targetOf = (variant: string): Target => (variant.startsWith('navi21') ? 'gfx1030' : 'gfx1013');
const waveOf = (variant: string): WaveSize => (variant.endsWith('w32') ? 32 : 64);
const kernelsOf = (variant: string): string[] =>
  readdirSync(join(RADV, variant))
    .filter((name) => /^\w+\.bin$/.test(name))
    .map((name) => name.slice(0, -4));
const listingOf = (variant: string, kernel: string) =>
  readListing(readFileSync(join(RADV, variant, `${kernel}.isa.txt`), 'utf8'));

let total = 0;
let supported = 0;
const spellings = new Set<string>();
const mnemonics = new Set<string>();

/** Rows that are told to be illegal or unknown count as not supported; every other row has to be equal. */
function compare(
  ours: readonly (ListedRow & { illegal: boolean })[],
  listed: readonly ListedRow[],
  counted: boolean,
): void {
  const wrong: unknown[] = [];
  expect(ours.map((row) => row.words.join(' '))).toEqual(listed.map((row) => row.words.join(' ')));
  ours.forEach(({ illegal, ...row }, i) => {
    if (counted) total++;
    if (illegal) return;
    if (counted) supported++;
    mnemonics.add(row.text.split(' ')[0]!);
    const theirs = listed[i]!;
    if (row.text !== theirs.text || row.offset !== theirs.offset || row.target !== theirs.target)
      wrong.push({ ours: row, theirs });
  });
  expect(wrong.slice(0, 5)).toEqual([]);
}

describe.skipIf(!have)('disassembly of RADV binaries', () => {
  it('finds the samples', () => {
    expect(variants.length).toBeGreaterThanOrEqual(6);
    for (const variant of variants) expect(kernelsOf(variant).length).toBe(12);
  });

  for (const variant of variants) {
    it(`equals Mesa's listing: ${variant}`, () => {
      for (const kernel of kernelsOf(variant)) {
        const bytes = readFileSync(join(RADV, variant, `${kernel}.bin`));
        const words = new Uint32Array(new Uint8Array(bytes).buffer);
        const listing = listingOf(variant, kernel);
        for (const spelling of listing.spellings) spellings.add(spelling);
        const lines = listWords(words, 0 as GuestAddress, targetOf(variant), waveOf(variant));
        const ours = lines.map((line) => ({
          ...rowOf(line.address, line.words.map(hex), line.text),
          illegal: line.illegal !== undefined,
        }));
        compare(ours, listing.rows, true);
      }
    });

    it.skipIf(!built)(`through the command line: ${variant}`, () => {
      const kernel = 'divergent_loop';
      const file = join(RADV, variant, `${kernel}.bin`);
      const args = ['disasm', file, '--target', targetOf(variant), '--wave', String(waveOf(variant)), '--json'];
      const output = execFileSync(process.execPath, [join(ROOT, 'bin', 'lanescope'), ...args], { encoding: 'utf8' });
      const { sections } = JSON.parse(output) as {
        sections: { lines: { address: string; words: string[]; text: string; illegal?: string }[] }[];
      };
      const ours = sections[0]!.lines.map((line) => ({
        ...rowOf(Number(line.address), line.words, line.text),
        illegal: line.illegal !== undefined,
      }));
      compare(ours, listingOf(variant, kernel).rows, false);
    });
  }

  it('supports every row, and needs no other spellings', () => {
    expect(total).toBeGreaterThan(10_000);
    expect(supported).toBe(total);
    expect([...spellings].sort()).toEqual([SPELLING.label, SPELLING.repeated].sort());
  });

  afterAll(() => {
    console.log(`RADV listings: ${supported} of ${total} rows supported and equal, ${mnemonics.size} mnemonics`);
    console.log(`Mesa's spellings: ${[...spellings].join('; ')}`);
  });
});

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
