/**
 * Text as bytes: every piece of a listing comes from a pool of interned pieces and is copied into one growing buffer.
 *
 * Why: a listing of a million instructions is forty megabytes; joining strings piece by piece costs several times what
 * copying words does (four characters at a time; what is copied too much, the next piece overwrites). All text is ASCII. A `Piece` is a place in the pool, `first word << 8 | length`.
 */
import { assert } from '../../base/assert.ts';

export type Piece = number;

const LONGEST_PIECE = 255;

/** Four characters a word, little-endian; a piece starts at a word of its own. */
let pool = new Uint32Array(1 << 14);
let poolLength = 0;
const interned = new Map<string, Piece>();

/** The piece of a text; equal texts share one. */
export function piece(text: string): Piece {
  const known = interned.get(text);
  if (known !== undefined) return known;
  assert(text.length <= LONGEST_PIECE, `a piece of text is too long: ${text}`);
  const words = (text.length + 3) >> 2;
  if (poolLength + words > pool.length) {
    const larger = new Uint32Array(pool.length * 2);
    larger.set(pool);
    pool = larger;
  }
  const result = ((poolLength << 8) | text.length) >>> 0;
  for (let i = 0; i < text.length; i++) pool[poolLength + (i >> 2)]! |= text.charCodeAt(i) << ((i & 3) * 8);
  poolLength += words;
  interned.set(text, result);
  return result;
}

const SLACK = 1024;
const COMMA_BLANK = 0x202c;
const ZERO = 48;
const LETTER_A_MINUS_TEN = 87;

/** A growing run of ASCII. Before writing one instruction call `reserve`; single writes do not check the room. */
export class TextBuffer {
  bytes: Uint8Array;
  length = 0;
  private view: DataView;

  constructor(capacity = 1 << 12) {
    this.bytes = new Uint8Array(capacity + SLACK);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for at least one instruction more (none is longer than 1024 characters). */
  reserve(): void {
    if (this.length + SLACK <= this.bytes.length) return;
    const larger = new Uint8Array(this.bytes.length * 2 + SLACK);
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  put(what: Piece): void {
    this.putWords(pool, what >>> 8, what & 255);
  }

  /** `length` characters that stand four to a word in `source` from word `start` on. */
  putWords(source: Uint32Array, start: number, length: number): void {
    const { view } = this;
    const to = this.length;
    for (let i = 0; i < length; i += 4) view.setUint32(to + i, source[start++]!, true);
    this.length = to + length;
  }

  /** The inverse: characters from `from` on, `count` words of them, into `target` from word `start` on. */
  copyWords(from: number, count: number, target: Uint32Array, start: number): void {
    for (let i = 0; i < count; i++) target[start + i] = this.view.getUint32(from + 4 * i, true);
  }

  comma(): void {
    this.view.setUint16(this.length, COMMA_BLANK, true);
    this.length += 2;
  }

  character(code: number): void {
    this.bytes[this.length++] = code;
  }

  /** Any ASCII text; for the rare pieces that are not worth interning. */
  text(text: string): void {
    for (let i = 0; i < text.length; i++) this.bytes[this.length++] = text.charCodeAt(i);
  }

  decimal(value: number): void {
    if (value < 0) {
      this.bytes[this.length++] = 45;
      value = -value;
    }
    let scale = 1;
    while (scale * 10 <= value) scale *= 10;
    for (; scale >= 1; scale = Math.floor(scale / 10)) {
      this.bytes[this.length++] = ZERO + (Math.floor(value / scale) % 10);
      if (scale === 1) return;
    }
  }

  /** `0x…` of an unsigned 32-bit value. */
  hex(value: number): void {
    this.bytes[this.length++] = ZERO;
    this.bytes[this.length++] = 120;
    let shift = value === 0 ? 0 : (31 - Math.clz32(value)) & ~3;
    for (; shift >= 0; shift -= 4) {
      const digit = (value >>> shift) & 15;
      this.bytes[this.length++] = digit < 10 ? ZERO + digit : LETTER_A_MINUS_TEN + digit;
    }
  }

  /** What was written, as a string. */
  toString(): string {
    const { bytes, length } = this;
    if (length > CHARACTERS) {
      let result = '';
      for (let at = 0; at < length; at += CHARACTERS) {
        result += String.fromCharCode.apply(null, Array.from(bytes.subarray(at, Math.min(at + CHARACTERS, length))));
      }
      return result;
    }
    // A plain array: `apply` on a typed array is slower than the whole rest of printing.
    for (let i = 0; i < length; i++) characters[i] = bytes[i]!;
    characters.length = length;
    return String.fromCharCode.apply(null, characters);
  }

  clear(): void {
    this.length = 0;
  }
}

const CHARACTERS = 1024;
const characters: number[] = [];
