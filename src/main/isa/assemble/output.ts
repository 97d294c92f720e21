/**
 * The bytes that are being assembled, and the places that wait for labels.
 */
import type { GuestAddress } from '../../base/guest-address.ts';
import type { Expression } from './expressions.ts';

/** Text that asks for more is refused (`.fill 1000000000`). */
export const MAX_BYTES = 1 << 26;

/** A field that is filled at the end of the text, when all labels are known. */
export interface Fixup {
  readonly kind: 'branch' | 'literal' | 'data';
  /** Byte offset of the field, and of the statement's first byte. */
  readonly offset: number;
  readonly sizeBytes: 1 | 2 | 4 | 8;
  readonly expression: Expression;
  /** Where to report: line, column, length. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly name: string;
}

export class Output {
  readonly base: GuestAddress;
  private bytes = new Uint8Array(4096);
  private view = new DataView(this.bytes.buffer);
  length = 0;
  readonly fixups: Fixup[] = [];

  constructor(base: GuestAddress) {
    this.base = base;
  }

  /** Address of the next byte; not wrapped at 2^48, so that differences stay right. */
  get address(): number {
    return this.base + this.length;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  appendWords(words: ArrayLike<number>, from: number, count: number): void {
    this.reserve(count * 4);
    for (let i = 0; i < count; i++) this.view.setUint32(this.length + i * 4, words[from + i]!, true);
    this.length += count * 4;
  }

  /** The lowest `sizeBytes` bytes of a 64-bit value. */
  appendInteger(value: bigint, sizeBytes: number): void {
    this.reserve(sizeBytes);
    this.writeInteger(this.length, value, sizeBytes);
    this.length += sizeBytes;
  }

  appendByte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value & 0xff;
  }

  appendRepeated(value: number, count: number): void {
    this.reserve(count);
    this.bytes.fill(value & 0xff, this.length, this.length + count);
    this.length += count;
  }

  writeInteger(offset: number, value: bigint, sizeBytes: number): void {
    let rest = BigInt.asUintN(64, value);
    for (let i = 0; i < sizeBytes; i++) {
      this.bytes[offset + i] = Number(rest & 0xffn);
      rest >>= 8n;
    }
  }

  writeU16(offset: number, value: number): void {
    this.view.setUint16(offset, value & 0xffff, true);
  }

  writeU32(offset: number, value: number): void {
    this.view.setUint32(offset, value >>> 0, true);
  }

  readU32(offset: number): number {
    return this.view.getUint32(offset, true);
  }

  toBytes(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  /** Whole dwords; a last partial one is filled with zeros. */
  toWords(): Uint32Array {
    const count = Math.ceil(this.length / 4);
    const words = new Uint32Array(count);
    const whole = this.length >> 2;
    for (let i = 0; i < whole; i++) words[i] = this.view.getUint32(i * 4, true);
    for (let at = whole * 4; at < this.length; at++) words[whole]! |= this.bytes[at]! << (8 * (at & 3));
    return words;
  }
}
