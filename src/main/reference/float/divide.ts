/**
 * The three steps around a Newton division: div_scale, div_fmas, div_fixup, for f32, f64 (and fixup for f16).
 *
 * A division a/b is compiled as: scale both operands where the quotient or an intermediate would leave the normal range
 * (flag in VCC), iterate with fma, undo the scale in the last fma, and put special cases right at the end. The manual's
 * pseudocode has two scales wrong: docs/isa-errata.md#div-scale-huge-denominator and #div-fmas-scale.
 * Exponents below are biased exponent fields, as in the manual.
 */
import { isNanF16, quietF16 } from './arithmetic-f16.ts';
import { flushF32, isNanF32, NAN_F32, quietF32, scaledFmaF32 } from './arithmetic-f32.ts';
import { fmaF64, giveNan, isDenormalOrZeroF64, isNanF64, NAN_HIGH } from './arithmetic-f64.ts';
import { type FloatControl, ROUND } from './float-control.ts';
import { ldexpF32, ldexpF64 } from './scale.ts';
import { F32, giveWords, toNumber, U32 } from './scratch.ts';

/** Set by `divScaleF32` and `divScaleF64`: whether div_fmas has to undo a scale. */
export const divScaleFlag = { value: false };

/** True when the finite, nonzero value of (mantissa, exponent) a/b lies below 2^limit. */
function quotientBelow(a: number, b: number, limit: number): boolean {
  return Math.abs(a / b) < limit;
}

const SMALLEST_NORMAL = 2 ** -126;

/** `value` is the denominator or the numerator, whichever of them this instruction scales. */
export function divScaleF32(value: number, denominator: number, numerator: number, control: FloatControl): number {
  if (control.flushIn) {
    value = flushF32(value);
    denominator = flushF32(denominator);
    numerator = flushF32(numerator);
  }
  divScaleFlag.value = false;
  if ((denominator & 0x7fffffff) === 0 || (numerator & 0x7fffffff) === 0) return NAN_F32;
  const isDenominator = value >>> 0 === denominator >>> 0;
  const isNumerator = value >>> 0 === numerator >>> 0;
  const denominatorExponent = (denominator >>> 23) & 0xff;
  const numeratorExponent = (numerator >>> 23) & 0xff;
  // The quotient of two f32 is normal in a double, so one comparison decides exactly.
  U32[0] = denominator;
  U32[1] = numerator;
  const d = F32[0]!;
  const n = F32[1]!;
  const reciprocalIsDenormal = denominatorExponent !== 255 && quotientBelow(1, d, SMALLEST_NORMAL);
  const quotientIsDenormal =
    denominatorExponent !== 255 && numeratorExponent !== 255 && quotientBelow(n, d, SMALLEST_NORMAL);
  if (numeratorExponent - denominatorExponent >= 96) {
    divScaleFlag.value = true;
    return isDenominator ? ldexpF32(value, 64, control) : value >>> 0;
  }
  if (denominatorExponent === 0) return ldexpF32(value, 64, control);
  if (reciprocalIsDenormal && quotientIsDenormal) {
    divScaleFlag.value = true;
    return isDenominator ? ldexpF32(value, -64, control) : value >>> 0;
  }
  if (reciprocalIsDenormal) return ldexpF32(value, -64, control);
  if (quotientIsDenormal) {
    divScaleFlag.value = true;
    return isNumerator ? ldexpF32(value, 64, control) : value >>> 0;
  }
  if (numeratorExponent <= 23) return ldexpF32(value, 64, control);
  return value >>> 0;
}

const UP_F32 = 2 ** 64;
const DOWN_F32 = 2 ** -64;

/** a · b + c, times 2^64 (|c| ≥ 2) or 2^−64 where the flag of div_scale is set; one rounding. */
export function divFmasF32(a: number, b: number, c: number, flag: boolean, control: FloatControl): number {
  const factor = flag ? (((c >>> 23) & 0xff) > 127 ? UP_F32 : DOWN_F32) : 1;
  return scaledFmaF32(a, b, c, factor, control);
}

/** A tiny quotient: what rounding makes of a value between zero and the smallest denormal. */
function underflowF32(negative: boolean, control: FloatControl): number {
  const away = (control.round === ROUND.UP && !negative) || (control.round === ROUND.DOWN && negative);
  return ((negative ? 0x80000000 : 0) | (away && !control.flushOut ? 1 : 0)) >>> 0;
}

export function divFixupF32(quotient: number, denominator: number, numerator: number, control: FloatControl): number {
  if (control.flushIn) {
    denominator = flushF32(denominator);
    numerator = flushF32(numerator);
  }
  const negative = (denominator ^ numerator) < 0;
  const sign = negative ? 0x80000000 : 0;
  const d = denominator & 0x7fffffff;
  const n = numerator & 0x7fffffff;
  if (isNanF32(numerator)) return quietF32(numerator);
  if (isNanF32(denominator)) return quietF32(denominator);
  if ((d === 0 && n === 0) || (d === 0x7f800000 && n === 0x7f800000)) return NAN_F32;
  if (d === 0 || n === 0x7f800000) return (sign | 0x7f800000) >>> 0;
  if (d === 0x7f800000 || n === 0) return sign >>> 0;
  if ((n >>> 23) - (d >>> 23) < -150) return underflowF32(negative, control);
  // The iteration on an overflowing quotient ends in ∞ − ∞.
  if (isNanF32(quotient)) return (sign | 0x7f800000) >>> 0;
  return (sign | (quotient & 0x7fffffff)) >>> 0;
}

export function divFixupF16(quotient: number, denominator: number, numerator: number, control: FloatControl): number {
  const flushed = (bits: number) => (control.flushIn && (bits & 0x7c00) === 0 ? 0 : bits & 0x7fff);
  const sign = (denominator ^ numerator) & 0x8000;
  const d = flushed(denominator);
  const n = flushed(numerator);
  if (isNanF16(numerator)) return quietF16(numerator);
  if (isNanF16(denominator)) return quietF16(denominator);
  if ((d === 0 && n === 0) || (d === 0x7c00 && n === 0x7c00)) return 0xfe00;
  if (d === 0 || n === 0x7c00) return sign | 0x7c00;
  if (d === 0x7c00 || n === 0) return sign;
  if (isNanF16(quotient)) return sign | 0x7c00;
  return sign | (quotient & 0x7fff);
}

const SMALLEST_NORMAL_F64 = 2 ** -1022;

/** Whether |n/d| < 2^−1022, exactly: the double quotient may round up to it. */
function quotientIsDenormalF64(n: number, d: number, nExponent: number, dExponent: number): boolean {
  if (nExponent === 0x7ff || dExponent === 0x7ff) return false;
  const quotient = Math.abs(n / d);
  if (quotient !== SMALLEST_NORMAL_F64) return quotient < SMALLEST_NORMAL_F64;
  // n and d have normal exponents far apart here; scaled, the division shows on which side of 2^−1022 the quotient is.
  return Math.abs((n * 2 ** 600) / (d * 2 ** -400)) < 2 ** -22;
}

export function divScaleF64(
  valueLow: number,
  valueHigh: number,
  dLow: number,
  dHigh: number,
  nLow: number,
  nHigh: number,
  control: FloatControl,
): void {
  divScaleFlag.value = false;
  if (control.flushIn) {
    if (isDenormalOrZeroF64(valueHigh)) [valueLow, valueHigh] = [0, valueHigh & 0x80000000];
    if (isDenormalOrZeroF64(dHigh)) [dLow, dHigh] = [0, dHigh & 0x80000000];
    if (isDenormalOrZeroF64(nHigh)) [nLow, nHigh] = [0, nHigh & 0x80000000];
  }
  const d = toNumber(dLow, dHigh);
  const n = toNumber(nLow, nHigh);
  if (d === 0 || n === 0) {
    giveWords(0, NAN_HIGH);
    return;
  }
  const dExponent = (dHigh >>> 20) & 0x7ff;
  const nExponent = (nHigh >>> 20) & 0x7ff;
  const isDenominator = valueLow >>> 0 === dLow >>> 0 && valueHigh >>> 0 === dHigh >>> 0;
  const isNumerator = valueLow >>> 0 === nLow >>> 0 && valueHigh >>> 0 === nHigh >>> 0;
  const reciprocalIsDenormal = dExponent !== 0x7ff && quotientIsDenormalF64(1, d, 1023, dExponent);
  const quotientIsDenormal = quotientIsDenormalF64(n, d, nExponent, dExponent);
  let scale = 0;
  if (nExponent - dExponent >= 768) {
    divScaleFlag.value = true;
    scale = isDenominator ? 128 : 0;
  } else if (dExponent === 0) scale = 128;
  else if (reciprocalIsDenormal && quotientIsDenormal) {
    divScaleFlag.value = true;
    scale = isDenominator ? -128 : 0;
  } else if (reciprocalIsDenormal) scale = -128;
  else if (quotientIsDenormal) {
    divScaleFlag.value = true;
    scale = isNumerator ? 128 : 0;
  } else if (nExponent <= 53) scale = 128;
  if (scale === 0) giveWords(valueLow, valueHigh);
  else ldexpF64(valueLow, valueHigh, scale, control);
}

export function divFmasF64(
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
  flag: boolean,
  control: FloatControl,
): void {
  const scale = flag ? (((cHigh >>> 20) & 0x7ff) > 1023 ? 128 : -128) : 0;
  fmaF64(aLow, aHigh, bLow, bHigh, cLow, cHigh, control, scale);
}

export function divFixupF64(
  qLow: number,
  qHigh: number,
  dLow: number,
  dHigh: number,
  nLow: number,
  nHigh: number,
  control: FloatControl,
): void {
  const negative = (dHigh ^ nHigh) < 0;
  const sign = negative ? 0x80000000 : 0;
  if (isNanF64(nLow, nHigh) || isNanF64(dLow, dHigh)) {
    giveNan(nLow, nHigh, dLow, dHigh);
    return;
  }
  const dExponent = (dHigh >>> 20) & 0x7ff;
  const nExponent = (nHigh >>> 20) & 0x7ff;
  const dIsZero = dExponent === 0 && (control.flushIn || ((dHigh & 0xfffff) === 0 && dLow === 0));
  const nIsZero = nExponent === 0 && (control.flushIn || ((nHigh & 0xfffff) === 0 && nLow === 0));
  const dIsInfinite = dExponent === 0x7ff;
  const nIsInfinite = nExponent === 0x7ff;
  if ((dIsZero && nIsZero) || (dIsInfinite && nIsInfinite)) giveWords(0, NAN_HIGH);
  else if (dIsZero || nIsInfinite) giveWords(0, sign | 0x7ff00000);
  else if (dIsInfinite || nIsZero) giveWords(0, sign);
  else if (nExponent - dExponent < -1075) {
    const away = (control.round === ROUND.UP && !negative) || (control.round === ROUND.DOWN && negative);
    giveWords(away && !control.flushOut ? 1 : 0, sign);
  } else if (isNanF64(qLow, qHigh)) giveWords(0, sign | 0x7ff00000);
  else giveWords(qLow, sign | (qHigh & 0x7fffffff));
}
