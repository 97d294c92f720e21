/**
 * The instructions that bench.ts times, as streams of words: code of shaders, samples of every form, and the same forms
 * with other operands each time, so that nothing repeats.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../../src/main/base/dispatch.ts';
import { decodeInstruction, Instruction } from '../../src/main/isa/index.ts';
import { isExecMask } from './judge.ts';
import { samples } from './samples.ts';

const REFERENCE = join(dirname(fileURLToPath(import.meta.url)), '../../../shared/data/radv');
/** Strides through the samples, so that neighbours are of different families. */
const STRIDE = 7919;
const SEED = 0x2545f491;
const TRIES = 8;

const scratch = new Instruction();

/** The instructions of machine code files, in order; illegal words are left out. */
export function fileInstructions(target: Target, files: readonly string[]): Uint32Array[] {
  return files.flatMap((path) => {
    const bytes = readFileSync(path);
    const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
    const found: Uint32Array[] = [];
    for (let index = 0; index < words.length; ) {
      const size = decodeInstruction(target, words, index, scratch);
      if (size > 0) found.push(words.slice(index, index + size));
      index += Math.max(size, 1);
    }
    return found;
  });
}

/** RADV's shaders in the reference data beside the repository, for gfx1013's sisters. */
export function referenceFiles(): string[] {
  if (!existsSync(REFERENCE)) return [];
  return readdirSync(REFERENCE)
    .filter((variant) => variant.startsWith('navi1'))
    .flatMap((variant) => readdirSync(join(REFERENCE, variant)).map((name) => join(REFERENCE, variant, name)))
    .filter((path) => /\/\w+\.bin$/.test(path));
}

/** Samples of every row and form that both sides read alike, neighbours of different families. */
export function sampleInstructions(target: Target): Uint32Array[] {
  const list = samples(target).filter(({ words, encoding }) => {
    if (decodeInstruction(target, words, 0, scratch) !== words.length) return false;
    const isDpp = encoding === 'dpp16' || encoding === 'dpp8';
    return !(isDpp && scratch.format === 'VOPC');
  });
  return list.map((_, i) => list[(i * STRIDE) % list.length]!.words);
}

function isOfForm(target: Target, words: Uint32Array, op: number, encoding: string): boolean {
  const size = decodeInstruction(target, words, 0, scratch);
  return size === words.length && scratch.op === op && scratch.encoding === encoding && !isExecMask(scratch);
}

/** The bits of an instruction that may change alone without making it another one: operands and modifiers. */
function freeBits(target: Target, words: Uint32Array): Uint32Array {
  decodeInstruction(target, words, 0, scratch);
  const { op, encoding } = scratch;
  const changed = words.slice();
  return words.map((word, i) => {
    let free = 0;
    for (let bit = 0; bit < 32; bit++) {
      changed[i] = word ^ (1 << bit);
      if (isOfForm(target, changed, op, encoding)) free |= 1 << bit;
    }
    changed[i] = word;
    return free >>> 0;
  });
}

function randomWords(): () => number {
  let state = SEED;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** `count` instructions of all forms in turn, no two alike as far as their operands allow (a few dozen have none). */
export function distinctInstructions(target: Target, count: number): Uint32Array[] {
  const forms = sampleInstructions(target).map((words) => {
    decodeInstruction(target, words, 0, scratch);
    return { words, op: scratch.op, encoding: scratch.encoding, free: freeBits(target, words) };
  });
  const random = randomWords();
  const seen = new Set<string>();
  const instructions: Uint32Array[] = [];
  for (let i = 0; instructions.length < count; i++) {
    const { words, op, encoding, free } = forms[i % forms.length]!;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const changed = words.map((word, k) => word ^ (free[k]! & random()));
      if (seen.has(changed.join()) || !isOfForm(target, changed, op, encoding)) continue;
      seen.add(changed.join());
      instructions.push(changed);
      break;
    }
  }
  return instructions;
}

/** The instructions again and again until there are `count`. */
export function instructionStream(instructions: readonly Uint32Array[], count: number): Uint32Array {
  const chosen = Array.from({ length: count }, (_, i) => instructions[i % instructions.length]!);
  const stream = new Uint32Array(chosen.reduce((total, words) => total + words.length, 0));
  let at = 0;
  for (const words of chosen) {
    stream.set(words, at);
    at += words.length;
  }
  return stream;
}
