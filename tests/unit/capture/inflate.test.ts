/** Our inflate against zlib's deflate, and the CRC against its published check value. */
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../../src/main/capture/format/crc32.ts';
import { inflateRaw } from '../../../src/main/capture/format/inflate.ts';

/** Numerical Recipes' LCG: seeded, so that a failure repeats. */
function randomBytes(size: number, seed: number, alphabet = 256): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: size }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % alphabet;
  });
}

describe('inflate', () => {
  const strategies = [zlib.constants.Z_DEFAULT_STRATEGY, zlib.constants.Z_HUFFMAN_ONLY, zlib.constants.Z_FIXED];
  const inputs: [string, Uint8Array][] = [
    ['nothing', new Uint8Array(0)],
    ['one byte', Uint8Array.of(7)],
    ['zeros', new Uint8Array(1_000_000)],
    ['noise', randomBytes(300_000, 1)],
    ['few symbols', randomBytes(200_000, 2, 3)],
    ['text', new TextEncoder().encode('a capture of a capture of a frame '.repeat(5000))],
  ];
  for (const [name, bytes] of inputs) {
    it(name, () => {
      for (const level of [0, 1, 9]) {
        for (const strategy of strategies) {
          const packed = new Uint8Array(zlib.deflateRawSync(bytes, { level, strategy }));
          expect(Buffer.compare(inflateRaw(packed, bytes.length)!, bytes)).toBe(0);
          expect(inflateRaw(packed, bytes.length + 1)).toBeUndefined();
          if (bytes.length > 0) expect(inflateRaw(packed, bytes.length - 1)).toBeUndefined();
        }
      }
    });
  }

  it('refuses every cut stream', () => {
    const bytes = randomBytes(3000, 3, 20);
    const packed = new Uint8Array(zlib.deflateRawSync(bytes));
    for (let size = 0; size < packed.length; size++) expect(inflateRaw(packed.subarray(0, size), 3000)).toBeUndefined();
  });

  it('agrees with zlib on 3000 streams with flipped bits', () => {
    const bytes = randomBytes(600, 4, 12);
    const packed = new Uint8Array(zlib.deflateRawSync(bytes));
    const flips = randomBytes(3000 * 3, 5);
    let accepted = 0;
    for (let i = 0; i < 3000; i++) {
      const broken = packed.slice();
      broken[(flips[3 * i]! * 256 + flips[3 * i + 1]!) % packed.length]! ^= 1 << (flips[3 * i + 2]! & 7);
      let expected: Buffer | undefined;
      try {
        // Bytes behind the end of the stream are ours to ignore, zlib's too.
        expected = zlib.inflateRawSync(broken, { maxOutputLength: 10_000 });
      } catch {}
      const ours = inflateRaw(broken, 600);
      if (expected?.length === 600) {
        accepted++;
        expect(Buffer.compare(ours!, expected)).toBe(0);
      } else expect(ours).toBeUndefined();
    }
    expect(accepted).toBeGreaterThan(50);
  });
});

describe('crc32', () => {
  it('gives the check value', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });
});
