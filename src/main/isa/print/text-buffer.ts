/**
 * Text as bytes: every piece of a listing comes from a pool of interned pieces and is copied into one growing buffer.
 *
 * Why: a listing of a million instructions is forty megabytes; joining strings piece by piece costs several times what
 * copying does. Pieces are copied four characters at a time, the first eight without asking for the length; what is copied
 * too much, the next piece overwrites. All text is ASCII. A `Piece` is a place in the pool in 25 bits:
 * `first unit << 8 | length`, a unit being eight characters.
 */
import { assert } from '../../base/assert.ts';

export type Piece = number;

const LONGEST_PIECE = 255;
/** Room for all names and operands of all targets (tests/unit/isa/print.test.ts). */
const POOL_UNITS = 1 << 17;

const poolBytes = new Uint8Array(8 * POOL_UNITS);
const pool = new Uint32Array(poolBytes.buffer);
let poolLength = 0;
const ASCII = new TextEncoder();
const interned = new Map<string, Piece>();

/** The piece of a text; equal texts share one. */
export function piece(text: string): Piece {
  const known = interned.get(text);
  if (known !== undefined) return known;
  assert(text.length <= LONGEST_PIECE, `a piece of text is too long: ${text}`);
  const units = Math.max((text.length + 7) >> 3, 1);
  assert(poolLength + units <= POOL_UNITS, 'too many different pieces of text');
  const result = (poolLength << 8) | text.length;
  ASCII.encodeInto(text, poolBytes.subarray(8 * poolLength));
  poolLength += units;
  interned.set(text, result);
  return result;
}

/** Room that must be left after the text: one instruction, and what copies write too much. */
const SLACK = 1024;
const COMMA_BLANK = 0x202c;
const BLANKS = 0x20202020;
const ZERO = 48;
const LETTER_A_MINUS_TEN = 87;
const LAST_ASCII = 126;
const QUESTION_MARK = 63;

function hexDigit(value: number): number {
  return value < 10 ? ZERO + value : LETTER_A_MINUS_TEN + value;
}

/** The two digits of a byte, as they stand in memory. */
const HEX_BYTES = Uint16Array.from({ length: 256 }, (_, byte) => hexDigit(byte >> 4) | (hexDigit(byte & 15) << 8));

/** A growing run of ASCII. Before writing one instruction call `reserve`; single writes do not check the room. */
export class TextBuffer {
  bytes: Uint8Array;
  length = 0;
  private view: DataView;

  constructor(capacity = 1 << 12) {
    this.bytes = new Uint8Array(capacity + SLACK);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for at least one instruction more (none is longer than 1000 characters). */
  reserve(): void {
    if (this.length + SLACK > this.bytes.length) this.grow();
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2 + SLACK);
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  put(what: Piece): void {
    const { view } = this;
    const length = what & 255;
    const from = (what >>> 8) << 1;
    const to = this.length;
    view.setUint32(to, pool[from]!, true);
    view.setUint32(to + 4, pool[from + 1]!, true);
    for (let i = 8; i < length; i += 4) view.setUint32(to + i, pool[from + (i >> 2)]!, true);
    this.length = to + length;
  }

  /**
   * Whole lines that stand in `source` from unit `start` on, eight characters at a time. They travel as float64: text is
   * never a NaN, so the bits stay as they are.
   */
  putUnits(source: Float64Array, start: number, length: number): void {
    const { view } = this;
    const to = this.length;
    for (let i = 0; i < length; i += 8) view.setFloat64(to + i, source[start + (i >> 3)]!, true);
    this.length = to + length;
  }

  /** The inverse, four characters at a time: `length` characters from `from` on into `target` from word `start` on. */
  copyWords(from: number, length: number, target: Uint32Array, start: number): void {
    const { view } = this;
    for (let i = 0; i < length; i += 4) target[start + (i >> 2)] = view.getUint32(from + i, true);
  }

  comma(): void {
    this.view.setUint16(this.length, COMMA_BLANK, true);
    this.length += 2;
  }

  character(code: number): void {
    this.bytes[this.length++] = code;
  }

  /** Any text, for the rare pieces that are not worth interning; what is not ASCII becomes a question mark. */
  text(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      this.bytes[this.length++] = code <= LAST_ASCII ? code : QUESTION_MARK;
    }
  }

  /** An integer of at most 31 bits and its sign. */
  decimal(value: number): void {
    let rest = value;
    if (rest < 0) {
      this.bytes[this.length++] = 45;
      rest = -rest;
    }
    let digits = 1;
    for (let limit = 10; limit <= rest; limit *= 10) digits++;
    for (let i = this.length + digits - 1; i >= this.length; i--) {
      const tenth = (rest / 10) | 0;
      this.bytes[i] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    this.length += digits;
  }

  /** `0x…` of an unsigned 32-bit value. */
  hex(value: number): void {
    this.bytes[this.length++] = ZERO;
    this.bytes[this.length++] = 120;
    let shift = value === 0 ? 0 : (31 - Math.clz32(value)) & ~3;
    for (; shift >= 0; shift -= 4) {
      this.bytes[this.length++] = hexDigit((value >>> shift) & 15);
    }
  }

  /** The low bits of a value as hexadecimal digits, an even number of them, without prefix. */
  hexDigits(value: number, digits: number): void {
    const { view } = this;
    let to = this.length;
    for (let shift = 4 * digits - 8; shift >= 0; shift -= 8, to += 2) {
      view.setUint16(to, HEX_BYTES[(value >>> shift) & 255]!, true);
    }
    this.length = to;
  }

  /** Blanks up to a length; nothing when it is reached. */
  padTo(length: number): void {
    const { view } = this;
    for (let to = this.length; to < length; to += 4) view.setUint32(to, BLANKS, true);
    if (length > this.length) this.length = length;
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
