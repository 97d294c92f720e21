/**
 * An independent model of IEEE 754 for tests: floats as exact rationals of BigInt, rounded by comparing with the two
 * neighbouring representable values. Slow, and written from the standard's definitions; shares nothing with src/.
 *
 * A float is given as its bits (bigint) in a `Format`. Results are bits. Quiet NaN rules, denormal flushing and the
 * default NaN follow docs/float-arithmetic.md, the one place where hardware's choices are written down.
 */

export interface Format {
  readonly name: 'f16' | 'f32' | 'f64';
  readonly bits: number;
  readonly mantissaBits: number;
  readonly exponentBits: number;
}

export const F16: Format = { name: 'f16', bits: 16, mantissaBits: 10, exponentBits: 5 };
export const F32: Format = { name: 'f32', bits: 32, mantissaBits: 23, exponentBits: 8 };
export const F64: Format = { name: 'f64', bits: 64, mantissaBits: 52, exponentBits: 11 };

export type RoundMode = 'nearest' | 'up' | 'down' | 'zero';
/** In the order of the MODE register's encoding. */
export const ROUND_MODES: readonly RoundMode[] = ['nearest', 'up', 'down', 'zero'];

export interface Mode {
  readonly round: RoundMode;
  readonly flushIn: boolean;
  readonly flushOut: boolean;
}

/** numerator / denominator, denominator > 0. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

const one = 1n;

export function signBit(f: Format): bigint {
  return one << BigInt(f.bits - 1);
}

export function infinity(f: Format): bigint {
  return ((one << BigInt(f.exponentBits)) - one) << BigInt(f.mantissaBits);
}

export function quietBit(f: Format): bigint {
  return one << BigInt(f.mantissaBits - 1);
}

export function defaultNan(f: Format): bigint {
  return signBit(f) | infinity(f) | quietBit(f);
}

export function magnitudeOf(f: Format, bits: bigint): bigint {
  return bits & (signBit(f) - one);
}

export function isNegative(f: Format, bits: bigint): boolean {
  return (bits & signBit(f)) !== 0n;
}

export function isNan(f: Format, bits: bigint): boolean {
  return magnitudeOf(f, bits) > infinity(f);
}

export function isInfinite(f: Format, bits: bigint): boolean {
  return magnitudeOf(f, bits) === infinity(f);
}

export function isZero(f: Format, bits: bigint): boolean {
  return magnitudeOf(f, bits) === 0n;
}

export function isDenormal(f: Format, bits: bigint): boolean {
  const m = magnitudeOf(f, bits);
  return m !== 0n && m < one << BigInt(f.mantissaBits);
}

export function quiet(f: Format, bits: bigint): bigint {
  return bits | quietBit(f);
}

export function flush(f: Format, bits: bigint): bigint {
  return isDenormal(f, bits) ? bits & signBit(f) : bits;
}

/** 2^k as a rational, k of any sign. */
function power(k: number): Rational {
  return k >= 0 ? { n: one << BigInt(k), d: one } : { n: one, d: one << BigInt(-k) };
}

export function times(a: Rational, b: Rational): Rational {
  return { n: a.n * b.n, d: a.d * b.d };
}

export function plus(a: Rational, b: Rational): Rational {
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export function over(a: Rational, b: Rational): Rational {
  return b.n < 0n ? { n: -a.n * b.d, d: a.d * -b.n } : { n: a.n * b.d, d: a.d * b.n };
}

export function minus(a: Rational): Rational {
  return { n: -a.n, d: a.d };
}

export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function integer(n: bigint | number): Rational {
  return { n: BigInt(n), d: one };
}

/** The exact value of a finite float. */
export function exactValue(f: Format, bits: bigint): Rational {
  const m = magnitudeOf(f, bits);
  const fraction = m & ((one << BigInt(f.mantissaBits)) - one);
  const field = Number(m >> BigInt(f.mantissaBits));
  const bias = 2 ** (f.exponentBits - 1) - 1;
  const significand = field === 0 ? fraction : fraction + (one << BigInt(f.mantissaBits));
  const scale = (field === 0 ? 1 : field) - bias - f.mantissaBits;
  const value = times(integer(significand), power(scale));
  return isNegative(f, bits) ? minus(value) : value;
}

/** Largest magnitude (as bits) that is not above |v|, by binary search over the ordered bit patterns. */
function floorMagnitude(f: Format, v: Rational): bigint {
  let low = 0n;
  let high = infinity(f);
  while (high - low > one) {
    const middle = (low + high) / 2n;
    if (compare(exactValue(f, middle), v) <= 0) low = middle;
    else high = middle;
  }
  return low;
}

/** Rounds a nonzero exact value; the result is a finite float or infinity. `saturate`: largest finite for overflow. */
export function roundValue(f: Format, v: Rational, round: RoundMode, saturate = false): bigint {
  const negative = v.n < 0n;
  const absolute = negative ? minus(v) : v;
  const sign = negative ? signBit(f) : 0n;
  const below = floorMagnitude(f, absolute);
  const largest = infinity(f) - one;
  const exact = compare(exactValue(f, below), absolute) === 0;
  let m = below;
  if (!exact) {
    const above = below + one;
    if (round === 'up') m = negative ? below : above;
    else if (round === 'down') m = negative ? above : below;
    else if (round === 'nearest') {
      // Above the largest finite float comes 2^(emax + 1), which stands for infinity.
      const aboveValue = above === infinity(f) ? power(2 ** (f.exponentBits - 1)) : exactValue(f, above);
      const toBelow = plus(absolute, minus(exactValue(f, below)));
      const toAbove = plus(aboveValue, minus(absolute));
      const side = compare(toBelow, toAbove);
      m = side < 0 ? below : side > 0 ? above : (below & one) === 0n ? below : above;
    }
  }
  if (m > largest && saturate) m = largest;
  return sign | m;
}

function firstNan(f: Format, operands: readonly bigint[]): bigint {
  for (const x of operands) if (isNan(f, x)) return quiet(f, x);
  return defaultNan(f);
}

function finish(f: Format, bits: bigint, mode: Mode): bigint {
  return mode.flushOut ? flush(f, bits) : bits;
}

/** a · b + c with one rounding. */
export function fma(f: Format, a0: bigint, b0: bigint, c0: bigint, mode: Mode, saturate = false): bigint {
  const [a, b, c] = [a0, b0, c0].map((x) => (mode.flushIn ? flush(f, x) : x)) as [bigint, bigint, bigint];
  if (isNan(f, a) || isNan(f, b) || isNan(f, c)) return firstNan(f, [a, b, c]);
  const productSign = isNegative(f, a) !== isNegative(f, b);
  if (isInfinite(f, a) || isInfinite(f, b)) {
    if (isZero(f, a) || isZero(f, b)) return defaultNan(f);
    if (isInfinite(f, c) && isNegative(f, c) !== productSign) return defaultNan(f);
    return infinity(f) | (productSign ? signBit(f) : 0n);
  }
  if (isInfinite(f, c)) return c;
  const sum = plus(times(exactValue(f, a), exactValue(f, b)), exactValue(f, c));
  if (sum.n !== 0n) return finish(f, roundValue(f, sum, mode.round, saturate), mode);
  const productIsZero = isZero(f, a) || isZero(f, b);
  if (productIsZero && productSign === isNegative(f, c)) return productSign ? signBit(f) : 0n;
  return mode.round === 'down' ? signBit(f) : 0n;
}

export function add(f: Format, a0: bigint, b0: bigint, mode: Mode, saturate = false): bigint {
  const [a, b] = [a0, b0].map((x) => (mode.flushIn ? flush(f, x) : x)) as [bigint, bigint];
  if (isNan(f, a) || isNan(f, b)) return firstNan(f, [a, b]);
  if (isInfinite(f, a)) return isInfinite(f, b) && a !== b ? defaultNan(f) : a;
  if (isInfinite(f, b)) return b;
  const sum = plus(exactValue(f, a), exactValue(f, b));
  if (sum.n !== 0n) return finish(f, roundValue(f, sum, mode.round, saturate), mode);
  if (isZero(f, a) && a === b) return a;
  return mode.round === 'down' ? signBit(f) : 0n;
}

export function mul(f: Format, a0: bigint, b0: bigint, mode: Mode, saturate = false): bigint {
  const [a, b] = [a0, b0].map((x) => (mode.flushIn ? flush(f, x) : x)) as [bigint, bigint];
  if (isNan(f, a) || isNan(f, b)) return firstNan(f, [a, b]);
  const sign = isNegative(f, a) !== isNegative(f, b) ? signBit(f) : 0n;
  if (isInfinite(f, a) || isInfinite(f, b)) {
    return isZero(f, a) || isZero(f, b) ? defaultNan(f) : sign | infinity(f);
  }
  if (isZero(f, a) || isZero(f, b)) return sign;
  return finish(f, roundValue(f, times(exactValue(f, a), exactValue(f, b)), mode.round, saturate), mode);
}

/** a / b for finite nonzero operands. */
export function divide(f: Format, a: bigint, b: bigint, round: RoundMode = 'nearest'): bigint {
  return roundValue(f, over(exactValue(f, a), exactValue(f, b)), round);
}

function integerSquareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let x = one << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const y = (x + n / x) >> one;
    if (y >= x) return x;
    x = y;
  }
}

/** Square root of a positive rational, nearest even: exact integers decide each comparison. */
export function squareRoot(f: Format, v: Rational): bigint {
  // root(n/d) scaled by 2^k with far more bits than any format, plus a sticky bit when inexact.
  const shift = 2200n;
  const scaled = (v.n << (2n * shift)) / v.d;
  const root = integerSquareRoot(scaled);
  const exact = root * root === scaled && (scaled * v.d) >> (2n * shift) === v.n;
  return roundValue(f, { n: root * 2n + (exact ? 0n : one), d: one << (shift + one) }, 'nearest');
}

/** Converts between formats as arithmetic does: NaN payloads keep their top bits. */
export function convert(from: Format, to: Format, x: bigint, round: RoundMode, saturate = false): bigint {
  const sign = isNegative(from, x) ? signBit(to) : 0n;
  if (isNan(from, x)) {
    const payload = magnitudeOf(from, x) & ((one << BigInt(from.mantissaBits)) - one);
    const shift = BigInt(to.mantissaBits - from.mantissaBits);
    return sign | infinity(to) | quietBit(to) | (shift >= 0n ? payload << shift : payload >> -shift);
  }
  if (isInfinite(from, x)) return sign | infinity(to);
  if (isZero(from, x)) return sign;
  return roundValue(to, exactValue(from, x), round, saturate);
}

/** Integer part by round mode, as an exact integer. */
export function toInteger(v: Rational, round: RoundMode): bigint {
  const floor = v.n >= 0n || v.n % v.d === 0n ? v.n / v.d : v.n / v.d - one;
  const rest = plus(v, minus(integer(floor)));
  if (rest.n === 0n) return floor;
  switch (round) {
    case 'down':
      return floor;
    case 'up':
      return floor + one;
    case 'zero':
      return v.n < 0n ? floor + one : floor;
    case 'nearest': {
      const side = compare(rest, { n: one, d: 2n });
      return side < 0 ? floor : side > 0 ? floor + one : floor % 2n === 0n ? floor : floor + one;
    }
  }
}

/** Distance of a result from the exact value, in units of the result format's last place at the exact value. */
export function errorInUlps(f: Format, result: bigint, exact: Rational): number {
  const absolute = exact.n < 0n ? minus(exact) : exact;
  const below = floorMagnitude(f, absolute);
  const step = plus(exactValue(f, below + one), minus(exactValue(f, below)));
  const difference = plus(exactValue(f, result), minus(exact));
  const ratio = over(difference, step);
  const magnitude = ratio.n < 0n ? -ratio.n : ratio.n;
  return Number((magnitude * 1000000n) / ratio.d) / 1000000;
}
