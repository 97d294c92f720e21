/**
 * Runs Debian's `llvm-mc-19` in child processes: the independent judge of encodings and of text.
 *
 * Disassembly: llvm-mc reads one long run of bytes (line ends do not separate instructions), prints legal instructions in
 * order on stdout and the places of illegal ones on stderr. Each block of words is therefore followed by filler words
 * (s_incperflevel 0x4321) that absorb whatever a last, cut instruction still wants, and by an end mark (s_incperflevel 0x4322).
 * It crashes on some words (SDWA with reserved selects); a crashed batch is halved until the block is known.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';

const BINARY = ['/usr/bin/llvm-mc-19', '/usr/lib/llvm-19/bin/llvm-mc'].find((path) => existsSync(path));
const FILLER = 0xbf944321;
const END = 0xbf944322;
const FILLER_TEXT = 's_incperflevel 0x4321';
const END_TEXT = 's_incperflevel 0x4322';
const FILLERS = 5;
const BATCH_DWORDS = 400_000;
const RISKY_BATCH = 8;
const LIMIT_BYTES = 1 << 30;

export function llvmMcAvailable(): boolean {
  return BINARY !== undefined;
}

/** The program itself, for benchmarks. */
export function llvmMcPath(): string | undefined {
  return BINARY;
}

function run(args: readonly string[], input: string): { stdout: string; stderr: string; crashed: boolean } {
  if (BINARY === undefined) throw new Error('llvm-mc-19 is not installed');
  const child = spawnSync(BINARY, ['--arch=amdgcn', ...args], { input, maxBuffer: LIMIT_BYTES, encoding: 'latin1' });
  if (child.error) throw child.error;
  return { stdout: child.stdout, stderr: child.stderr, crashed: child.signal !== null || (child.status ?? 0) > 1 };
}

/** What llvm-mc says about one block of dwords. */
export interface BlockDisassembly {
  /** Legal instructions in order. */
  readonly texts: readonly string[];
  /** Byte offsets within the block at which no instruction was found (each skips 4 bytes). */
  readonly illegalAt: readonly number[];
  readonly crashed: boolean;
}

export interface DisassembleOptions {
  readonly waveSize?: WaveSize;
  readonly onCrash?: (block: ArrayLike<number>) => void;
}

const HEX_BYTE = Array.from({ length: 256 }, (_, byte) => `0x${byte.toString(16).padStart(2, '0')}`);

/** One dword a line: llvm-mc repeats the whole line in every warning. */
function wordText(word: number): string {
  const byte = (shift: number) => HEX_BYTE[(word >>> shift) & 255]!;
  return `${byte(0)} ${byte(8)} ${byte(16)} ${byte(24)}\n`;
}

const TAIL = `${wordText(FILLER).repeat(FILLERS)}${wordText(END)}`;

function modeArguments(target: Target, waveSize: WaveSize): string[] {
  const args = [`--mcpu=${target}`];
  if (target !== 'gfx700') args.push(`--mattr=${waveSize === 64 ? '+wavefrontsize64' : '+wavefrontsize32'}`);
  return args;
}

/** SDWA words with a reserved select: llvm-mc crashes on some of them. */
function mayCrash(block: ArrayLike<number>): boolean {
  for (let i = 0; i + 1 < block.length; i++) {
    const word = block[i]!;
    const next = block[i + 1]!;
    const isSdwa = word >>> 31 === 0 && (word & 0x1ff) === 0xf9;
    if (isSdwa && (((next >>> 16) & 7) === 7 || ((next >>> 24) & 7) === 7 || ((next >>> 8) & 7) === 7)) return true;
  }
  return false;
}

/**
 * One result per block, in order. gfx10 only: LLVM has no gfx7 decoder. Blocks that may crash llvm-mc go in small batches
 * of their own, because a crash costs the whole batch.
 */
export function disassembleBlocks(
  target: Target,
  blocks: readonly ArrayLike<number>[],
  options: DisassembleOptions = {},
): BlockDisassembly[] {
  const results: BlockDisassembly[] = new Array(blocks.length);
  const risky: number[] = [];
  let batch: number[] = [];
  let batchDwords = 0;
  const flush = () => {
    const done = disassembleBatch(
      target,
      batch.map((index) => blocks[index]!),
      options,
    );
    batch.forEach((index, i) => {
      results[index] = done[i]!;
    });
    batch = [];
    batchDwords = 0;
  };
  blocks.forEach((block, index) => {
    if (mayCrash(block)) {
      risky.push(index);
      return;
    }
    batch.push(index);
    batchDwords += block.length + FILLERS + 1;
    if (batchDwords >= BATCH_DWORDS) flush();
  });
  if (batch.length) flush();
  for (let i = 0; i < risky.length; i += RISKY_BATCH) {
    batch = risky.slice(i, i + RISKY_BATCH);
    flush();
  }
  return results;
}

function disassembleBatch(
  target: Target,
  blocks: readonly ArrayLike<number>[],
  options: DisassembleOptions,
): BlockDisassembly[] {
  if (blocks.length === 0) return [];
  const lines = blocks.map((block) => {
    let line = '';
    for (let i = 0; i < block.length; i++) line += wordText(block[i]!);
    return line + TAIL;
  });
  const child = run([...modeArguments(target, options.waveSize ?? 32), '--disassemble'], lines.join(''));
  if (child.crashed) {
    if (blocks.length === 1) {
      options.onCrash?.(blocks[0]!);
      return [{ texts: [], illegalAt: [], crashed: true }];
    }
    const middle = blocks.length >> 1;
    return [
      ...disassembleBatch(target, blocks.slice(0, middle), options),
      ...disassembleBatch(target, blocks.slice(middle), options),
    ];
  }
  const illegal = blocks.map((): number[] => []);
  const lineToBlock: number[] = [];
  const firstLine = blocks.map((block, index) => {
    const first = lineToBlock.length;
    for (let i = 0; i < block.length + FILLERS + 1; i++) lineToBlock.push(index);
    return first;
  });
  for (const match of child.stderr.matchAll(/^<stdin>:(\d+):1: warning: invalid/gm)) {
    const line = Number(match[1]) - 1;
    const block = lineToBlock[line]!;
    illegal[block]!.push(4 * (line - firstLine[block]!));
  }
  const results: BlockDisassembly[] = [];
  let texts: string[] = [];
  for (const raw of child.stdout.split('\n')) {
    const text = raw.trim().replaceAll('\t', ' ');
    if (text === END_TEXT) {
      results.push({ texts, illegalAt: illegal[results.length]!, crashed: false });
      texts = [];
    } else if (text !== '' && text !== '.text' && text !== FILLER_TEXT) texts.push(text);
  }
  if (results.length !== blocks.length) throw new Error(`llvm-mc gave ${results.length} blocks for ${blocks.length}`);
  return results;
}

/** The first instruction of each word sequence: its text, `illegal`, or `crash`. */
export function disassembleEach(
  target: Target,
  sequences: readonly ArrayLike<number>[],
  options: DisassembleOptions = {},
): string[] {
  return disassembleBlocks(target, sequences, options).map((block) => {
    if (block.crashed) return 'crash';
    if (block.illegalAt.includes(0)) return 'illegal';
    return block.texts[0] ?? 'nothing';
  });
}

/** Bytes of each line of text as dwords, or undefined where llvm-mc reports an error. Lines are independent. */
export function assembleEach(
  target: Target,
  lines: readonly string[],
  options: DisassembleOptions = {},
): (Uint32Array | undefined)[] {
  const input = lines.map((line) => `${line}\ns_incperflevel 0x4322\n`).join('');
  const child = run([...modeArguments(target, options.waveSize ?? 32), '--show-encoding'], input);
  const results: (Uint32Array | undefined)[] = [];
  let current: Uint32Array | undefined;
  for (const line of child.stdout.split('\n')) {
    const match = /encoding: \[([0-9a-fx,]+)\]/.exec(line);
    if (!match) continue;
    const bytes = match[1]!.split(',').map((byte) => Number.parseInt(byte, 16));
    const words = new Uint32Array(bytes.length / 4);
    for (let i = 0; i < bytes.length; i++) words[i >> 2]! |= bytes[i]! << ((i & 3) * 8);
    if (words.length === 1 && words[0] === END) {
      results.push(current);
      current = undefined;
    } else current = words;
  }
  if (results.length !== lines.length)
    throw new Error(`llvm-mc gave ${results.length} results for ${lines.length} lines`);
  return results;
}
