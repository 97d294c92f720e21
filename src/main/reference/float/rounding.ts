/**
 * Rounding of exact values to f32 and f16 in the four round modes, with one rounding only.
 *
 * The exact value of a sum, product or fused multiply-add of f32 or f16 operands is carried as a double that was rounded
 * *to odd*: if the double is not exact, its last bit is set, so that it lies strictly between the values that matter to a
 * later rounding. 53 bits ≥ 24 + 2 makes that later rounding the right one in every mode, denormal results included
 * (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
 */
import { type FloatControl, ROUND } from './float-control.ts';
import { F32, F64, U32, WORDS } from './scratch.ts';

/** The sum of two finite doubles, rounded to odd. Exact zeros come back as +0 or, when both are −0, −0. */
export function sumToOdd(a: number, b: number): number {
  const sum = a + b;
  const bPart = sum - a;
  const error = a - (sum - bPart) + (b - bPart);
  return error === 0 ? sum : oddNeighbour(sum, error);
}

/**
 * `value` is the nearest double of value + error, error ≠ 0: the neighbour with an odd last bit on that side.
 * Used with finite, nonzero `value` only.
 */
export function oddNeighbour(value: number, error: number): number {
  F64[0] = value;
  const low = WORDS[0]!;
  if (low & 1) return value;
  if (error > 0 === value > 0) WORDS[0] = low + 1;
  else {
    if (low === 0) WORDS[1] = WORDS[1]! - 1;
    WORDS[0] = low - 1;
  }
  return F64[0]!;
}

/** Sign of a sum that is exactly zero: −0 when rounding down, unless both operands are +0. */
export function zeroSumIsNegative(a: number, b: number, round: number): boolean {
  if (round !== ROUND.DOWN) return a === 0 && b === 0 && 1 / a < 0 && 1 / b < 0;
  return !(a === 0 && b === 0 && 1 / a > 0 && 1 / b > 0);
}

/** f32 bits of a double that is no NaN; no flushing. */
export function roundToF32(value: number, round: number): number {
  F32[0] = value;
  const bits = U32[0]!;
  if (round === ROUND.NEAREST) return bits;
  const nearest = F32[0]!;
  if (nearest === value) return bits;
  const negative = bits >>> 31 !== 0;
  // One step away from zero or towards it, where the nearest value lies on the wrong side.
  const magnitudeIsSmall = negative ? nearest > value : nearest < value;
  const wantsLarge = round === ROUND.UP ? !negative : round === ROUND.DOWN ? negative : false;
  if (magnitudeIsSmall === wantsLarge) return magnitudeIsSmall ? bits + 1 : bits - 1;
  return bits;
}

/** f16 bits of a double that is no NaN; no flushing. */
export function roundToF16(value: number, control: FloatControl): number {
  F64[0] = value;
  const high = WORDS[1]!;
  const sign = (high >>> 16) & 0x8000;
  const exponent = ((high >>> 20) & 0x7ff) - 1023;
  if (exponent === 1024) return sign | 0x7c00;
  if (value === 0) return sign;
  const mantissa = (high & 0xfffff) | 0x100000;
  // Kept bits: 11 of 21, fewer below 2^−14. Shifts past the mantissa leave only "something nonzero below half".
  const shift = exponent >= -14 ? 10 : Math.min(10 + (-14 - exponent), 22);
  const kept = mantissa >>> shift;
  const rest = mantissa & ((1 << shift) - 1);
  const sticky = WORDS[0] !== 0;
  const half = 1 << (shift - 1);
  const { round } = control;
  let up: boolean;
  if (round === ROUND.NEAREST) up = rest > half || (rest === half && (sticky || (kept & 1) !== 0));
  else if (round === ROUND.TO_ZERO || (rest === 0 && !sticky)) up = false;
  else up = (round === ROUND.UP) === (sign === 0);
  const bits = (exponent >= -14 ? ((exponent + 15) << 10) + (kept - 0x400) : kept) + (up ? 1 : 0);
  if (bits < 0x7c00) return sign | bits;
  const finite =
    control.saturate || round === ROUND.TO_ZERO || (round !== ROUND.NEAREST && (round === ROUND.UP) === (sign !== 0));
  return sign | (finite ? 0x7bff : 0x7c00);
}

/** A double to the nearest integer, ties to even; keeps the sign of zero results. */
export function roundHalfEven(value: number): number {
  if (!(Math.abs(value) < 4503599627370496)) return value;
  const magic = value < 0 || Object.is(value, -0) ? -4503599627370496 : 4503599627370496;
  const rounded = value + magic - magic;
  return rounded === 0 && magic < 0 ? -0 : rounded;
}

/** A double to an integer by round mode. */
export function roundToInteger(value: number, round: number): number {
  switch (round) {
    case ROUND.UP:
      return Math.ceil(value);
    case ROUND.DOWN:
      return Math.floor(value);
    case ROUND.TO_ZERO:
      return Math.trunc(value);
    default:
      return roundHalfEven(value);
  }
}
