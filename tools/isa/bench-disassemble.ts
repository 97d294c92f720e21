/**
 * The process that bench.ts times for decoding and printing: words on stdin → listing on stdout; with a file as second
 * argument, rates without process start.
 */
import { readFileSync, writeSync } from 'node:fs';
import type { Target } from '../../src/main/base/dispatch.ts';
import {
  decodeInstruction,
  Instruction,
  isGfx7,
  Lister,
  type PrintOptions,
  TextBuffer,
  writeInstruction,
} from '../../src/main/isa/index.ts';

const FLUSH = 1 << 20;
const TAB = 9;
const NEWLINE = 10;

function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function readWords(path: string | number): Uint32Array {
  const bytes = readFileSync(path);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function disassemble(target: Target, words: Uint32Array): void {
  const lister = new Lister(target, isGfx7(target) ? 64 : 32);
  const buffer = new TextBuffer(FLUSH * 2);
  for (let index = 0; index < words.length; ) {
    buffer.character(TAB);
    const size = lister.append(buffer, words, index);
    if (size <= 0) throw new Error(`an illegal word at ${index}`);
    buffer.character(NEWLINE);
    index += size;
    if (buffer.length >= FLUSH) {
      writeAll(buffer.bytes.subarray(0, buffer.length));
      buffer.clear();
    }
  }
  writeAll(buffer.bytes.subarray(0, buffer.length));
}

/** Instructions per second of a pass over the words, in millions. */
function rate(words: Uint32Array, step: (index: number) => number): string {
  let count = 0;
  const started = process.hrtime.bigint();
  for (let index = 0; index < words.length; count++) index += step(index);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return (count / seconds / 1e6).toFixed(2);
}

function measure(target: Target, words: Uint32Array): void {
  const options: PrintOptions = { target, waveSize: isGfx7(target) ? 64 : 32 };
  const inst = new Instruction();
  const buffer = new TextBuffer(FLUSH * 2);
  const lister = new Lister(target, options.waveSize);
  const decode = (index: number) => decodeInstruction(target, words, index, inst);
  const print = (index: number) => {
    const size = decode(index);
    writeInstruction(buffer, inst, options);
    if (buffer.length >= FLUSH) buffer.clear();
    return size;
  };
  const list = (index: number) => {
    if (buffer.length >= FLUSH) buffer.clear();
    return lister.append(buffer, words, index);
  };
  for (const step of [decode, print, list]) rate(words, step);
  console.log(
    `warm, in process, million instructions/s: decode ${rate(words, decode)}, decode and print ${rate(words, print)}, ` +
      `list ${rate(words, list)}`,
  );
}

const [, , target, file] = process.argv as [string, string, Target, string | undefined];
if (file === undefined) disassemble(target, readWords(0));
else measure(target, readWords(file));
