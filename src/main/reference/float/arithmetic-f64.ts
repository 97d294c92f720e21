/**
 * f64 arithmetic on pairs of words: the same operations and rules as arithmetic-f32.ts. Results are left in OUT64.
 *
 * Nearest even uses the host's double operations, which are IEEE 754's own. The fused multiply-add builds the exact sum
 * from error-free transformations (product after T. Dekker, sum after D. Knuth, last step rounded to odd after S. Boldo
 * and G. Melquiond) where no part can overflow or underflow, and exact integers elsewhere and in directed rounding.
 */
import { giveExactFma } from './exact-f64.ts';
import { type FloatControl, ROUND } from './float-control.ts';
import { sumToOdd, zeroSumIsNegative } from './rounding.ts';
import { F64, giveWords, OUT64, toNumber, WORDS } from './scratch.ts';

export const NAN_HIGH = 0xfff80000;
export const INFINITY_HIGH = 0x7ff00000;

export function isNanF64(low: number, high: number): boolean {
  const magnitude = high & 0x7fffffff;
  return magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0);
}

export function isSignalingF64(low: number, high: number): boolean {
  return isNanF64(low, high) && (high & 0x00080000) === 0;
}

export function isDenormalOrZeroF64(high: number): boolean {
  return (high & 0x7ff00000) === 0;
}

function isFinite64(high: number): boolean {
  return (high & 0x7ff00000) !== 0x7ff00000;
}

/** Leaves the first NaN of up to three operands, quiet; the default NaN when there is none. */
export function giveNan(aLow: number, aHigh: number, bLow = 0, bHigh = 0, cLow = 0, cHigh = 0): void {
  if (isNanF64(aLow, aHigh)) giveWords(aLow, aHigh | 0x00080000);
  else if (isNanF64(bLow, bHigh)) giveWords(bLow, bHigh | 0x00080000);
  else if (isNanF64(cLow, cHigh)) giveWords(cLow, cHigh | 0x00080000);
  else giveWords(0, NAN_HIGH);
}

/** Applies the control's output flush to OUT64. */
export function flushResult(control: FloatControl): void {
  if (control.flushOut && (OUT64[1]! & 0x7ff00000) === 0) giveWords(0, OUT64[1]! & 0x80000000);
}

const ZERO_HIGH = 0x80000000;

export function addF64(aLow: number, aHigh: number, bLow: number, bHigh: number, control: FloatControl): void {
  if (control.flushIn) {
    if (isDenormalOrZeroF64(aHigh)) {
      aLow = 0;
      aHigh &= ZERO_HIGH;
    }
    if (isDenormalOrZeroF64(bHigh)) {
      bLow = 0;
      bHigh &= ZERO_HIGH;
    }
  }
  const x = toNumber(aLow, aHigh);
  const y = toNumber(bLow, bHigh);
  const sum = x + y;
  if (Number.isNaN(sum)) {
    giveNan(aLow, aHigh, bLow, bHigh);
    return;
  }
  if (sum === 0) {
    giveWords(0, zeroSumIsNegative(x, y, control.round) ? 0x80000000 : 0);
    return;
  }
  if (control.round === ROUND.NEAREST || !isFinite64(aHigh) || !isFinite64(bHigh)) {
    F64[0] = sum;
    giveWords(WORDS[0]!, WORDS[1]!);
  } else giveExactFma(aLow, aHigh, 0, 0x3ff00000, bLow, bHigh, control.round);
  flushResult(control);
}

export function mulF64(aLow: number, aHigh: number, bLow: number, bHigh: number, control: FloatControl): void {
  if (control.flushIn) {
    if (isDenormalOrZeroF64(aHigh)) {
      aLow = 0;
      aHigh &= ZERO_HIGH;
    }
    if (isDenormalOrZeroF64(bHigh)) {
      bLow = 0;
      bHigh &= ZERO_HIGH;
    }
  }
  const x = toNumber(aLow, aHigh);
  const y = toNumber(bLow, bHigh);
  const product = x * y;
  if (Number.isNaN(product)) {
    giveNan(aLow, aHigh, bLow, bHigh);
    return;
  }
  if (control.round === ROUND.NEAREST || x === 0 || y === 0 || !isFinite64(aHigh) || !isFinite64(bHigh)) {
    F64[0] = product;
    giveWords(WORDS[0]!, WORDS[1]!);
  } else giveExactFma(aLow, aHigh, bLow, bHigh, 0, 0, control.round);
  flushResult(control);
}

/** (a · b + c) · 2^scale with one rounding. */
export function fmaF64(
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
  control: FloatControl,
  scale = 0,
): void {
  if (control.flushIn) {
    if (isDenormalOrZeroF64(aHigh)) {
      aLow = 0;
      aHigh &= ZERO_HIGH;
    }
    if (isDenormalOrZeroF64(bHigh)) {
      bLow = 0;
      bHigh &= ZERO_HIGH;
    }
    if (isDenormalOrZeroF64(cHigh)) {
      cLow = 0;
      cHigh &= ZERO_HIGH;
    }
  }
  const x = toNumber(aLow, aHigh);
  const y = toNumber(bLow, bHigh);
  const z = toNumber(cLow, cHigh);
  if (
    !(isFinite64(aHigh) && isFinite64(bHigh) && isFinite64(cHigh)) ||
    ((x === 0 || y === 0) && (scale === 0 || z === 0))
  ) {
    giveSpecialFma(aLow, aHigh, bLow, bHigh, cLow, cHigh, x * y, z, control.round);
  } else if (scale === 0 && control.round === ROUND.NEAREST && isMiddle(aHigh, bHigh, cHigh)) {
    F64[0] = middleFma(x, y, z);
    giveWords(WORDS[0]!, WORDS[1]!);
  } else giveExactFma(aLow, aHigh, bLow, bHigh, cLow, cHigh, control.round, scale);
  flushResult(control);
}

/** A product that is exactly zero, infinite or NaN, or an addend that is not finite. */
function giveSpecialFma(
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
  product: number,
  z: number,
  round: number,
): void {
  // Finite factors whose product overflows count as finite beside an infinite addend.
  const factorsAreFinite = isFinite64(aHigh) && isFinite64(bHigh);
  const sum = factorsAreFinite && !isFinite64(cHigh) ? z : product + z;
  if (Number.isNaN(sum)) giveNan(aLow, aHigh, bLow, bHigh, cLow, cHigh);
  else if (sum === 0) giveWords(0, zeroSumIsNegative(product, z, round) ? 0x80000000 : 0);
  else {
    F64[0] = sum;
    giveWords(WORDS[0]!, WORDS[1]!);
  }
}

/** Exponents that keep every part of `middleFma` a normal number: |a|, |b| in 2^±400, |c| in 2^−900…2^900 or zero. */
function isMiddle(aHigh: number, bHigh: number, cHigh: number): boolean {
  const a = (aHigh >>> 20) & 0x7ff;
  const b = (bHigh >>> 20) & 0x7ff;
  const c = (cHigh >>> 20) & 0x7ff;
  return a > 623 && a < 1423 && b > 623 && b < 1423 && ((c > 123 && c < 1923) || (cHigh & 0x7fffffff) === 0);
}

const SPLITTER = 134217729;

function middleFma(x: number, y: number, z: number): number {
  const product = x * y;
  // The product's rounding error, exactly.
  const xScaled = SPLITTER * x;
  const xTop = xScaled - (xScaled - x);
  const xRest = x - xTop;
  const yScaled = SPLITTER * y;
  const yTop = yScaled - (yScaled - y);
  const yRest = y - yTop;
  const productError = xRest * yRest - (product - xTop * yTop - xRest * yTop - xTop * yRest);
  // z + productError, exactly, as high + low.
  const high = z + productError;
  const part = high - z;
  const low = z - (high - part) + (productError - part);
  // product + high, exactly, as top + rest.
  const top = product + high;
  const part2 = top - product;
  const rest = product - (top - part2) + (high - part2);
  return top + sumToOdd(rest, low);
}

/** Orders (high, low) pairs of numbers, −0 below +0. */
function isLess(aLow: number, aHigh: number, bLow: number, bHigh: number): boolean {
  const a = aHigh >>> 31;
  if (a !== bHigh >>> 31) return a === 1;
  const high = (aHigh & 0x7fffffff) - (bHigh & 0x7fffffff);
  const difference = high !== 0 ? high : (aLow >>> 0) - (bLow >>> 0);
  return a === 1 ? difference > 0 : difference < 0;
}

export function minF64(aLow: number, aHigh: number, bLow: number, bHigh: number, control: FloatControl, ieee: boolean) {
  giveSelected(aLow, aHigh, bLow, bHigh, control, ieee, true);
}

export function maxF64(aLow: number, aHigh: number, bLow: number, bHigh: number, control: FloatControl, ieee: boolean) {
  giveSelected(aLow, aHigh, bLow, bHigh, control, ieee, false);
}

function giveSelected(
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  control: FloatControl,
  ieee: boolean,
  smaller: boolean,
): void {
  if (control.flushIn) {
    if (isDenormalOrZeroF64(aHigh)) {
      aLow = 0;
      aHigh &= ZERO_HIGH;
    }
    if (isDenormalOrZeroF64(bHigh)) {
      bLow = 0;
      bHigh &= ZERO_HIGH;
    }
  }
  const aIsNan = isNanF64(aLow, aHigh);
  const bIsNan = isNanF64(bLow, bHigh);
  if (ieee && aIsNan && isSignalingF64(aLow, aHigh)) giveWords(aLow, aHigh | 0x00080000);
  else if (ieee && bIsNan && isSignalingF64(bLow, bHigh)) giveWords(bLow, bHigh | 0x00080000);
  else if (aIsNan || (!bIsNan && isLess(aLow, aHigh, bLow, bHigh) !== smaller)) giveWords(bLow, bHigh);
  else giveWords(aLow, aHigh);
  flushResult(control);
}
