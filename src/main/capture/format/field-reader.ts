/**
 * A cursor over one note's bytes. Reading past the end does not throw: it sets `problem` once and yields zeros, so
 * that a decoder reads all fields and then asks whether they were there. Counts must be checked with `room` before
 * anything is allocated from them.
 */
import { ADDRESS_LIMIT, type GuestAddress } from '../../base/guest-address.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** 48-bit form of a 64-bit file address, or undefined when bits 63:48 are neither zero nor the sign extension. */
export function addressFromFile(low: number, high: number): GuestAddress | undefined {
  const top = high >>> 16;
  if (top !== 0 && !(top === 0xffff && (high & 0x8000) !== 0)) return undefined;
  return ((high & 0xffff) * 2 ** 32 + low) as GuestAddress;
}

export class FieldReader {
  /** The first thing that was wrong. */
  problem: string | undefined;
  private at = 0;
  private readonly view: DataView;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  reject(problem: string): void {
    this.problem ??= problem;
  }

  /** Whether `count` items of `size` bytes follow; rejects when not. */
  room(count: number, size: number, what: string): boolean {
    if (count * size <= this.remaining) return true;
    this.reject(`${what}: ${count * size} bytes announced, ${this.remaining} left`);
    return false;
  }

  u32(): number {
    if (!this.room(1, 4, 'field')) return 0;
    const value = this.view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  u16(): number {
    if (!this.room(1, 2, 'field')) return 0;
    const value = this.view.getUint16(this.at, true);
    this.at += 2;
    return value;
  }

  /** As a number: exact below 2^53, and far beyond every file size above it. */
  u64(): number {
    const low = this.u32();
    return this.u32() * 2 ** 32 + low;
  }

  /** An address and the size of what lies there; rejects what does not fit in 48 bits. */
  address(what: string): GuestAddress {
    const low = this.u32();
    const high = this.u32();
    const address = addressFromFile(low, high);
    if (address === undefined) this.reject(`${what} 0x${(high * 2 ** 32 + low).toString(16)} is not a 48-bit address`);
    return address ?? (0 as GuestAddress);
  }

  range(address: GuestAddress, size: number, what: string): void {
    if (address + size > ADDRESS_LIMIT)
      this.reject(`${what} of ${size} bytes at 0x${address.toString(16)} passes 2^48`);
  }

  /** One of `names` by its index. */
  choice<T extends string>(names: readonly T[], value: number, what: string): T {
    const name = names[value];
    if (name === undefined) this.reject(`${what} ${value} is unknown`);
    return name ?? names[0]!;
  }

  /** UTF-8 text of `size` bytes, padded to 4. */
  text(size: number, what: string): string {
    if (!this.room(size, 1, what)) return '';
    const bytes = this.bytes.subarray(this.at, this.at + size);
    this.at = Math.min(this.at + Math.ceil(size / 4) * 4, this.bytes.length);
    try {
      return UTF8.decode(bytes);
    } catch {
      this.reject(`${what} is not UTF-8`);
      return '';
    }
  }
}
