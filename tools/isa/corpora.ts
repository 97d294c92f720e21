/**
 * Recorded encodings with their text: our own compact corpora, the reference data beside the repository where it is, and
 * the random sources of the round-trip test.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Target } from '../../src/main/base/dispatch.ts';
import type { CorpusLine } from './judge.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const SHARED_ISA = join(ROOT, '../shared/data/isa');

/** Columns of words and text in the reference data. */
const SHARED_CORPORA = {
  gfx1013: { file: 'decode_corpus_gfx1013.tsv.gz', words: 3, text: 4 },
  gfx700: { file: 'assemble_corpus_gfx700.tsv.gz', words: 2, text: 3 },
} as const;

function parseWords(text: string): Uint32Array {
  return Uint32Array.from(text.split(' '), (word) => Number.parseInt(word, 16));
}

function readLines(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString('latin1').trim().split('\n');
}

/** tests/conformance/decode-corpus, made by make-decode-corpus.ts. */
export function ownCorpus(target: Target): CorpusLine[] {
  return readLines(join(ROOT, 'tests/conformance/decode-corpus', `${target}.tsv.gz`)).map((line) => {
    const [words, text] = line.split('\t') as [string, string];
    return { words: parseWords(words), text };
  });
}

/** The reference corpus of a target, or undefined where it is not there. */
export function sharedCorpus(target: 'gfx1013' | 'gfx700'): CorpusLine[] | undefined {
  const { file, words, text } = SHARED_CORPORA[target];
  const path = join(SHARED_ISA, file);
  if (!existsSync(path)) return undefined;
  return readLines(path).map((line) => {
    const columns = line.split('\t');
    return { words: parseWords(columns[words]!), text: columns[text]! };
  });
}

/** `format opcode mnemonic` of every row of the reference opcode lists, or undefined where they are not there. */
export function sharedOpcodes(target: Target): { format: string; opcode: number; mnemonic: string }[] | undefined {
  const path = join(SHARED_ISA, `opcodes_${target}.tsv`);
  if (!existsSync(path)) return undefined;
  const [, ...lines] = readFileSync(path, 'latin1').trim().split('\n');
  return lines.map((line) => {
    const [format, opcode, , mnemonic] = line.split('\t') as [string, string, string, string];
    return { format, opcode: Number(opcode), mnemonic: mnemonic.replace(/_(e32|e64|sdwa|dpp|dpp8)$/, '') };
  });
}
