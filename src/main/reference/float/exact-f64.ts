/**
 * f64 multiply-add on exact integers, for the cases that arithmetic-f64.ts cannot take with doubles: directed rounding,
 * results near or below the smallest normal number, and near overflow.
 *
 * A finite double is m · 2^e with an integer m; products and sums are exact in BigInt; `giveRounded` rounds once.
 * Slow and allocating on purpose: it is met rarely, and is easy to check by eye.
 */
import { ROUND } from './float-control.ts';
import { giveWords } from './scratch.ts';

/** Integer significand of a finite double, with its sign. */
function significand(low: number, high: number): bigint {
  const exponent = (high >>> 20) & 0x7ff;
  const top = BigInt((high & 0xfffff) | (exponent === 0 ? 0 : 0x100000));
  const magnitude = (top << 32n) | BigInt(low >>> 0);
  return high >>> 31 ? -magnitude : magnitude;
}

function exponentOf(high: number): number {
  return Math.max((high >>> 20) & 0x7ff, 1) - 1075;
}

/**
 * (a · b + c) · 2^scale, correctly rounded into OUT64, for finite operands. An exactly zero result is −0 when rounding
 * down, else +0: callers deal with sums of zeros.
 */
export function giveExactFma(
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
  round: number,
  scale = 0,
): void {
  const product = significand(aLow, aHigh) * significand(bLow, bHigh);
  const productExponent = exponentOf(aHigh) + exponentOf(bHigh);
  const addend = significand(cLow, cHigh);
  const addendExponent = exponentOf(cHigh);
  const exponent = Math.min(productExponent, addendExponent);
  const sum = (product << BigInt(productExponent - exponent)) + (addend << BigInt(addendExponent - exponent));
  if (sum === 0n) giveWords(0, round === ROUND.DOWN ? 0x80000000 : 0);
  else giveRounded(sum, exponent + scale, round);
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

/** value · 2^exponent, value ≠ 0, rounded to a double into OUT64. */
export function giveRounded(value: bigint, exponent: number, round: number): void {
  const negative = value < 0n;
  const magnitude = negative ? -value : value;
  // Weight of the last bit that the format can hold.
  const lastBit = Math.max(exponent + bitLength(magnitude) - 53, -1074);
  const drop = lastBit - exponent;
  let kept: bigint;
  if (drop <= 0) kept = magnitude << BigInt(-drop);
  else {
    kept = magnitude >> BigInt(drop);
    const rest = magnitude - (kept << BigInt(drop));
    const half = 1n << BigInt(drop - 1);
    const away =
      round === ROUND.NEAREST
        ? rest > half || (rest === half && (kept & 1n) === 1n)
        : rest > 0n && round !== ROUND.TO_ZERO && (round === ROUND.UP) !== negative;
    if (away) kept += 1n;
  }
  // Biased exponent 1 for lastBit −1074; the implicit bit of `kept` adds one to it, and so does a carry out of it.
  let bits = (BigInt(lastBit + 1074) << 52n) + kept;
  if (bits >= 0x7ff0000000000000n) {
    const finite = round === ROUND.TO_ZERO || (round !== ROUND.NEAREST && (round === ROUND.UP) === negative);
    bits = finite ? 0x7fefffffffffffffn : 0x7ff0000000000000n;
  }
  giveWords(Number(bits & 0xffffffffn), (Number(bits >> 32n) | (negative ? 0x80000000 : 0)) >>> 0);
}
