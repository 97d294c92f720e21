/**
 * v_exp, v_log, v_sin, v_cos: one deterministic algorithm each, in 32-bit unsigned integers only.
 *
 * Why integers: they give the same bits on every device, whatever its float rounding, denormals or fused operations, so
 * the recompiler's deterministic mode emits the same steps. Fixed-point values are written Qn: the real value times 2^n.
 * Polynomials are evaluated by Horner's scheme with the high half of a 32 × 32 bit product. Steps, formats and error
 * bounds: docs/float-arithmetic.md#approximate-instructions; coefficients: tools/float/fit-approximations.ts.
 *
 * All take and give f32 bits, flush denormal operands and results, and ignore MODE's round mode.
 */
import { isNanF32, NAN_F32, quietF32 } from './arithmetic-f32.ts';

/** 2^f = 1 + f · (c0 + c1 f + …): c0 in Q31, the others Q32. */
const EXP2 = [0x58b90bfc, 0x3d7f7c01, 0x0e35843c, 0x027656e6, 0x00575c45, 0x000a2454, 0x0000f206, 0x00001e45] as const;
/** log2(1 + t) / t = c0 − v (c1 − v (c2 − …)): c0 in Q31, the others Q32. */
const LOG2 = [
  0xda827926, 0xcdef6aff, 0x85653832, 0x626008b5, 0x4dcd9153, 0x4012908b, 0x3570c936, 0x2b22c1ff, 0x1f5b0475,
  0x12b78772, 0x083be5aa, 0x024dd648, 0x004d6ba3,
] as const;
/** sin(2πr) / r = 2π − z (c0 − z (c1 − …)), z = (8r)²: Q32. */
const SIN = [0xa55de731, 0x0519af0b, 0x00132ce2, 0x00002997] as const;
/** cos(2πr) = 1 − z (c0 − z (c1 − …)): Q32. */
const COS = [0x4ef4f326, 0x040f07a8, 0x00155cb9, 0x00003b6d] as const;
/** 2π in Q29. */
const TWO_PI = 0xc90fdaa2;

/** High 32 bits of the product of two u32. */
function multiplyHigh(a: number, b: number): number {
  const low = (a & 0xffff) * b;
  return Math.floor(((a >>> 16) * b + Math.floor(low / 65536)) / 65536);
}

/** c[first] − z (c[first + 1] − z (…)), all Q32 and positive. */
function alternating(coefficients: readonly number[], first: number, z: number): number {
  let sum = coefficients[coefficients.length - 1]!;
  for (let k = coefficients.length - 2; k >= first; k--) sum = coefficients[k]! - multiplyHigh(sum, z);
  return sum;
}

/**
 * sign · (high · 2^32 + low) · 2^scale as an f32, rounded to nearest (ties away from zero), denormals flushed.
 * The integer is not zero and, where it has fewer than 25 bits, exact.
 */
function fromFixed(sign: number, high: number, low: number, scale: number): number {
  const zeros = high !== 0 ? Math.clz32(high) : 32 + Math.clz32(low);
  // Highest set bit to bit 31 of `top`; the bits that matter to rounding are all in it.
  let top: number;
  if (zeros >= 32) top = low << (zeros - 32);
  else if (zeros === 0) top = high;
  else top = (high << zeros) | (low >>> (32 - zeros));
  const exponent = 63 - zeros + scale + 127;
  if (exponent <= 0) return sign >>> 0;
  return (sign | (((exponent << 23) + ((top >>> 8) & 0x7fffff) + ((top >>> 7) & 1)) & 0x7fffffff)) >>> 0;
}

/** 2^x. */
export function exp2F32(bits: number): number {
  const exponent = ((bits >>> 23) & 0xff) - 127;
  if (exponent === 128) {
    if (isNanF32(bits)) return quietF32(bits);
    return bits >>> 31 ? 0 : 0x7f800000;
  }
  const negative = bits >>> 31 !== 0;
  // |x| ≥ 128, and the part of −128…−126 whose result would be denormal.
  if (exponent >= 7) return negative ? 0 : 0x7f800000;
  // |x| as integer and Q32 fraction; bits below 2^−32 are dropped. Denormals come out as 0.
  const mantissa = (bits & 0x7fffff) | 0x800000;
  let whole = exponent >= 0 ? mantissa >>> (23 - exponent) : 0;
  let fraction = 0;
  if (exponent >= -9) fraction = (mantissa << (exponent + 9)) >>> 0;
  else if (exponent >= -33) fraction = mantissa >>> (-9 - exponent);
  if (negative) {
    whole = -whole - (fraction === 0 ? 0 : 1);
    fraction = -fraction >>> 0;
  }
  if (whole < -126) return 0;
  let sum: number = EXP2[7];
  for (let k = 6; k >= 1; k--) sum = EXP2[k]! + multiplyHigh(sum, fraction);
  sum = EXP2[0] + (multiplyHigh(sum, fraction) >>> 1);
  const power = (0x80000000 + multiplyHigh(fraction, sum)) >>> 0;
  return ((whole + 127) << 23) + ((power >>> 8) & 0x7fffff) + ((power >>> 7) & 1);
}

/** log2(x). ±0 and denormals: −∞; negative: the default NaN. */
export function log2F32(bits: number): number {
  if (isNanF32(bits)) return quietF32(bits);
  if ((bits & 0x7f800000) === 0) return 0xff800000;
  if (bits >>> 31) return NAN_F32;
  if (bits >>> 0 === 0x7f800000) return 0x7f800000;
  let exponent = (bits >>> 23) - 127;
  const mantissa = (bits & 0x7fffff) | 0x800000;
  // t in Q24: x = 2^exponent (1 + t), √½ ≤ 1 + t < √2.
  let t: number;
  if (mantissa >= 0xb504f4) {
    exponent += 1;
    t = mantissa - 0x1000000;
  } else t = 2 * (mantissa - 0x800000);
  if (t === 0 && exponent === 0) return 0;
  const v = (t + 4913932) * 362;
  const factor = LOG2[0] - (multiplyHigh(alternating(LOG2, 1, v), v) >>> 1);
  // exponent + t · factor in Q55, as a signed 64-bit integer in two words.
  const magnitude = Math.abs(t);
  let low = Math.imul(magnitude, factor) >>> 0;
  let high = multiplyHigh(factor, magnitude);
  if (t < 0) {
    low = -low >>> 0;
    high = ~high + (low === 0 ? 1 : 0);
  }
  high = (high + (exponent << 23)) | 0;
  let sign = 0;
  if (high < 0) {
    sign = 0x80000000;
    low = -low >>> 0;
    high = ~high + (low === 0 ? 1 : 0);
  }
  return fromFixed(sign, high >>> 0, low, -55);
}

/** Quarter turns to add: 0 gives sin(2πx), 1 gives cos(2πx). `sign` is that of the result for x ≥ 0. */
function sineOfTurns(bits: number, quarters: number, sign: number): number {
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const mantissa = (bits & 0x7fffff) | 0x800000;
  // Fraction of |x| in Q32; exact from 1/8 on, where it selects the quarter.
  let fraction = 0;
  if (exponent >= -9) fraction = exponent < 23 ? (mantissa << (exponent + 9)) >>> 0 : 0;
  else if (exponent >= -33) fraction = mantissa >>> (-9 - exponent);
  const nearest = exponent < -3 ? 0 : ((fraction + 0x20000000) >>> 30) & 3;
  const quarter = (nearest + quarters) & 3;
  // Distance from the nearest quarter turn, at most 1/8.
  const rest = (fraction - (nearest << 30)) | 0;
  const restMagnitude = Math.abs(rest);
  const square = multiplyHigh((restMagnitude << 2) >>> 0, (restMagnitude << 2) >>> 0);
  const z = ((square - (square >>> 30)) << 2) >>> 0;
  if (quarter & 1) {
    const cosine = 0x80000000 - (multiplyHigh(alternating(COS, 0, z), z) >>> 1);
    return fromFixed(quarter === 3 ? sign ^ 0x80000000 : sign, 0, cosine, -31);
  }
  const factor = TWO_PI - (multiplyHigh(alternating(SIN, 0, z), z) >>> 3);
  const isDirect = exponent < -3;
  const multiplier = isDirect ? mantissa : restMagnitude;
  const restSign = rest < 0 && !isDirect ? 0x80000000 : 0;
  if (multiplier === 0) return sign >>> 0;
  const low = Math.imul(multiplier, factor) >>> 0;
  const high = multiplyHigh(factor, multiplier);
  const flips = quarter === 2 ? 0x80000000 : 0;
  return fromFixed(sign ^ restSign ^ flips, high, low, (isDirect ? exponent - 23 : -32) - 29);
}

/** sin(2πx). ±0 and denormals: ±0; zero at every half turn, with the sign of x. Infinity: the default NaN. */
export function sinF32(bits: number): number {
  if ((bits & 0x7f800000) === 0x7f800000) return isNanF32(bits) ? quietF32(bits) : NAN_F32;
  const sign = bits & 0x80000000;
  if ((bits & 0x7f800000) === 0) return sign >>> 0;
  return sineOfTurns(bits, 0, sign);
}

/** cos(2πx). +0 at odd quarter turns. Infinity: the default NaN. */
export function cosF32(bits: number): number {
  if ((bits & 0x7f800000) === 0x7f800000) return isNanF32(bits) ? quietF32(bits) : NAN_F32;
  if ((bits & 0x7f800000) === 0) return 0x3f800000;
  return sineOfTurns(bits, 1, 0);
}
