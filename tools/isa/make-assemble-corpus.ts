/**
 * Writes tests/conformance/assemble-corpus/<target>.tsv: text and the words that llvm-mc gives for it, or `refused`.
 *
 *   npx tsx tools/isa/make-assemble-corpus.ts [--check]
 *
 * Every mnemonic in every encoding once (gfx1030: only what gfx1013 lacks, and a tenth of the rest, since most encodings
 * are the same), and some lines that llvm-mc refuses. Seeded: the same tables and the same llvm-mc give the same files.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import { isGfx7, mnemonicNumber, opcodeOn, ROWS } from '../../src/main/isa/tables/index.ts';
import { assembleLines, type Line, Random } from './assemble-lines.ts';
import { assembleEach } from './llvm-mc.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'tests', 'conformance', 'assemble-corpus');
const SEED = 0x1a5e;
/** Rounds of random lines before giving up on a form; what llvm-mc never accepts is listed at the end of the run. */
const ROUNDS = 60;
const REFUSED = 150;

interface Entry {
  readonly line: Line;
  readonly words: Uint32Array;
}

function collect(target: Target, waveSize: WaveSize): { text: string; missing: string[] } {
  const random = new Random(SEED);
  const found = new Map<string, Entry | undefined>();
  const refused: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = assembleLines(target, waveSize, random).filter((line) => {
      const key = `${line.mnemonic} ${line.form}`;
      if (!found.has(key)) found.set(key, undefined);
      return isWanted(line, target) && !found.get(key);
    });
    if (wanted.length === 0) break;
    const results = assembleEach(
      target,
      wanted.map((line) => line.text),
      { waveSize },
    );
    wanted.forEach((line, i) => {
      const words = results[i];
      if (words) found.set(`${line.mnemonic} ${line.form}`, { line, words });
      else if (refused.length < REFUSED && random.chance(30)) refused.push(line.text);
    });
  }
  const lines = [
    `# ${target} wave${waveSize}: llvm-mc 19's words for each text. Made by tools/isa/make-assemble-corpus.ts.`,
  ];
  const missing: string[] = [];
  for (const [key, entry] of found) {
    if (entry) lines.push(`${hex(entry.words)}\t${entry.line.text}`);
    else if (isWanted({ mnemonic: key.split(' ')[0]!, form: '', text: '' }, target)) missing.push(key);
  }
  for (const text of refused) lines.push(`refused\t${text}`);
  return { text: `${lines.join('\n')}\n`, missing };
}

function isWanted(line: Line, target: Target): boolean {
  if (target !== 'gfx1030') return true;
  const op = mnemonicNumber(line.mnemonic)!;
  return opcodeOn(ROWS[op]!, 'gfx1013') === undefined || op % 10 === 0;
}

function hex(words: Uint32Array): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(' ');
}

const check = process.argv.includes('--check');
mkdirSync(FOLDER, { recursive: true });
for (const target of ['gfx1013', 'gfx1030', 'gfx700'] as const) {
  const { text, missing } = collect(target, isGfx7(target) ? 64 : 32);
  const path = join(FOLDER, `${target}.tsv`);
  if (check) {
    if (readFileSync(path, 'utf8') === text) continue;
    console.error(`${path} is not what this tool makes`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(`${target}: ${text.split('\n').length - 2} lines; never accepted: ${missing.join(', ') || 'none'}`);
  }
}
