/**
 * 2^x, log2 x, sin 2πx, cos 2πx of exact rationals to about 2^−200, by power series in big integers: the yardstick for the
 * approximate instructions. Shares nothing with src/.
 */
import { over, type Rational } from './exact-float.ts';

const BITS = 260n;
const ONE = 1n << BITS;

function fixed(v: Rational): bigint {
  return (v.n << BITS) / v.d;
}

function rational(v: bigint): Rational {
  return { n: v, d: ONE };
}

function multiply(a: bigint, b: bigint): bigint {
  return (a * b) >> BITS;
}

/** Σ of terms until they vanish: next(term, k) gives the term after the k-th. */
function series(first: bigint, next: (term: bigint, k: bigint) => bigint): bigint {
  let sum = 0n;
  let term = first;
  for (let k = 1n; term !== 0n && k < 2000n; k++) {
    sum += term;
    term = next(term, k);
  }
  return sum;
}

/** artanh(1/n) · 2^BITS. */
function inverseHyperbolic(n: bigint): bigint {
  let sum = 0n;
  let power = ONE / n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k;
    power /= n * n;
  }
  return sum;
}

function inverseTangent(n: bigint): bigint {
  let sum = 0n;
  let power = ONE / n;
  for (let k = 0n; power !== 0n; k++) {
    sum += (k % 2n === 0n ? power : -power) / (2n * k + 1n);
    power /= n * n;
  }
  return sum;
}

const LN2 = 2n * inverseHyperbolic(3n);
/** Størmer's formula. */
const PI = 4n * (6n * inverseTangent(8n) + 2n * inverseTangent(57n) + inverseTangent(239n));

export const pi: Rational = rational(PI);

function floorDivide(v: Rational): bigint {
  const q = v.n / v.d;
  return v.n < 0n && q * v.d !== v.n ? q - 1n : q;
}

export function exp2(x: Rational): Rational {
  const whole = floorDivide(x);
  const y = multiply(fixed({ n: x.n - whole * x.d, d: x.d }), LN2);
  const value = rational(series(ONE, (term, k) => multiply(term, y) / k));
  return whole >= 0n ? { n: value.n << whole, d: value.d } : { n: value.n, d: value.d << -whole };
}

export function log2(x: Rational): Rational {
  // x = 2^e · m, m near 1; ln m = 2 artanh((m − 1)/(m + 1)), with extra bits so that a tiny result stays precise.
  let e = BigInt(x.n.toString(2).length - x.d.toString(2).length);
  let m: Rational = e >= 0n ? { n: x.n, d: x.d << e } : { n: x.n << -e, d: x.d };
  if (m.n * 4n > m.d * 5n) {
    e += 1n;
    m = { n: m.n, d: m.d * 2n };
  }
  const z = over({ n: m.n - m.d, d: 1n }, { n: m.n + m.d, d: 1n });
  const zFixed = fixed(z);
  const square = multiply(zFixed, zFixed);
  let sum = 0n;
  let power = zFixed;
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = multiply(power, square);
  }
  return { n: 2n * sum + e * LN2, d: LN2 };
}

/** sin(2π(x + quarters/4)). */
function sine(x: Rational, quarters: bigint): Rational {
  // To r = x mod 1 in −1/2…1/2, exactly.
  const y: Rational = { n: 4n * x.n + quarters * x.d, d: 4n * x.d };
  const whole = floorDivide({ n: 2n * y.n + y.d, d: 2n * y.d });
  const r: Rational = { n: y.n - whole * y.d, d: y.d };
  const a = (2n * PI * r.n) / r.d;
  const square = multiply(a, a);
  return rational(series(a, (term, k) => -multiply(term, square) / (2n * k * (2n * k + 1n))));
}

export function sinTurns(x: Rational): Rational {
  return sine(x, 0n);
}

export function cosTurns(x: Rational): Rational {
  return sine(x, 1n);
}
