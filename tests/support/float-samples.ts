/**
 * Operands for float tests: every edge that a format has, and seeded random bits that favour close exponents, long
 * carries and halfway cases, where rounding goes wrong.
 */
import type { Format } from './exact-float.ts';

/** A small seeded generator (xorshift32): tests must repeat. */
export class SampleSource {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 1;
  }

  u32(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return x >>> 0;
  }

  below(limit: number): number {
    return this.u32() % limit;
  }

  bits(count: number): bigint {
    let value = 0n;
    for (let i = 0; i < count; i += 32) value = (value << 32n) | BigInt(this.u32());
    return BigInt.asUintN(count, value);
  }
}

/** ±0, ±1 and neighbours, halves, denormals, largest, infinities, quiet and signalling NaN, exponent edges. */
export function edges(f: Format): bigint[] {
  const m = BigInt(f.mantissaBits);
  const bias = (1n << BigInt(f.exponentBits - 1)) - 1n;
  const top = (1n << BigInt(f.exponentBits)) - 1n;
  const at = (exponent: bigint, mantissa: bigint) => (exponent << m) | mantissa;
  const full = (1n << m) - 1n;
  const positive = [
    0n,
    1n,
    2n,
    full >> 1n,
    full - 1n,
    full,
    at(1n, 0n),
    at(1n, 1n),
    at(2n, 0n),
    at(bias - m - 2n > 0n ? bias - m - 2n : 1n, 5n),
    at(bias - m - 1n > 0n ? bias - m - 1n : 1n, 0n),
    at(bias - m > 0n ? bias - m : 1n, 0n),
    at(bias - 1n, full),
    at(bias - 1n, 0n),
    at(bias - 2n, full),
    at(bias, 0n),
    at(bias, 1n),
    at(bias, full),
    at(bias, 1n << (m - 1n)),
    at(bias + 1n, 0n),
    at(bias + 1n, 1n << (m - 2n)),
    at(bias + 3n, 0x123n & full),
    at(bias + m, 1n),
    at(bias + m - 1n, 1n),
    at(top - 2n, full),
    at(top - 1n, 0n),
    at(top - 1n, full),
    at(top, 0n),
    at(top, 1n << (m - 1n)),
    at(top, full),
    at(top, 1n),
    at(top, (1n << (m - 1n)) - 1n),
  ];
  const sign = 1n << BigInt(f.bits - 1);
  return [...positive, ...positive.map((x) => x | sign)];
}

/** Random bits: a third uniform, a third near `around`'s exponent, a third with sparse or full mantissas. */
export function sample(f: Format, source: SampleSource, around?: bigint): bigint {
  const kind = source.below(3);
  const m = BigInt(f.mantissaBits);
  if (kind === 0) return source.bits(f.bits);
  const top = 1 << f.exponentBits;
  let exponent =
    around === undefined
      ? source.below(top)
      : Number((around >> m) & BigInt(top - 1)) + source.below(2 * f.mantissaBits + 8) - f.mantissaBits - 4;
  exponent = Math.min(Math.max(exponent, 0), top - 2);
  let mantissa = source.bits(f.mantissaBits);
  if (kind === 2) {
    const keep = BigInt(source.below(f.mantissaBits + 1));
    mantissa = (mantissa >> keep) << keep;
    if (source.below(2)) mantissa = BigInt.asUintN(f.mantissaBits, mantissa + (1n << keep) - 1n);
  }
  return (BigInt(source.below(2)) << BigInt(f.bits - 1)) | (BigInt(exponent) << m) | mantissa;
}
