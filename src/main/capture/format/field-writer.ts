/** Grows a little-endian byte string; the counterpart of `FieldReader`. Values are the caller's to check. */
import { assert } from '../../base/assert.ts';

const UTF8 = new TextEncoder();

export function encodeText(text: string): Uint8Array {
  return UTF8.encode(text);
}

export class FieldWriter {
  private bytes = new Uint8Array(64);
  private view = new DataView(this.bytes.buffer);
  private used = 0;

  /** Room for `count` bytes; `bytes` and `view` may be new ones afterwards. */
  private grow(count: number): number {
    const at = this.used;
    this.used += count;
    if (this.used > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.used, this.bytes.length * 2));
      grown.set(this.bytes.subarray(0, at));
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    return at;
  }

  u16(value: number): this {
    const at = this.grow(2);
    this.view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.grow(4);
    this.view.setUint32(at, value, true);
    return this;
  }

  u64(value: number): this {
    assert(Number.isSafeInteger(value) && value >= 0, 'a 64-bit field takes a non-negative safe integer');
    return this.u32(value % 2 ** 32).u32(Math.floor(value / 2 ** 32));
  }

  raw(bytes: Uint8Array): this {
    const at = this.grow(bytes.length);
    this.bytes.set(bytes, at);
    return this;
  }

  /** Zeros up to the next multiple of `alignment`. */
  align(alignment: number): this {
    this.grow((alignment - (this.used % alignment)) % alignment);
    return this;
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.used);
  }
}
