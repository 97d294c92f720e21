/**
 * v_trig_preop_f64: 53-bit pieces of 2/π, for reducing large arguments of sine and cosine.
 *
 * 2/π = 0.b1200 b1199 … b0; the piece starts 53 · segment bits after the point, further right by what a large operand's
 * exponent has beyond 1077, and keeps its place value; operands from 2^945 on get it scaled by 2^128. The result is exact.
 * Source: RDNA ISA manuals, "V_TRIG_PREOP_F64".
 */
import { giveRounded } from './exact-f64.ts';
import { ROUND } from './float-control.ts';
import { giveWords } from './scratch.ts';

const FRACTION_BITS = 1201;

/** arctan(1/n) · 2^bits, truncated term by term. */
function inverseTangent(n: bigint, bits: bigint): bigint {
  let power = (1n << bits) / n;
  let sum = 0n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += k % 4n === 1n ? power / k : -(power / k);
    power /= n * n;
  }
  return sum;
}

/** 2/π · 2^1201, truncated: π by J. Machin's formula, with 100 bits to spare. */
function computeTwoOverPi(): bigint {
  const bits = BigInt(FRACTION_BITS + 100);
  const pi = 4n * (4n * inverseTangent(5n, bits) - inverseTangent(239n, bits));
  return ((2n << bits) << BigInt(FRACTION_BITS)) / pi;
}

let twoOverPi: bigint | undefined;

/** `exponent`: biased exponent field of the operand. Leaves the piece in OUT64. */
export function trigPreop(exponent: number, segment: number): void {
  twoOverPi ??= computeTwoOverPi();
  const shift = (segment & 31) * 53 + Math.max(exponent - 1077, 0);
  const piece = BigInt.asUintN(FRACTION_BITS, twoOverPi << BigInt(shift)) >> BigInt(FRACTION_BITS - 53);
  if (piece === 0n) giveWords(0, 0);
  else giveRounded(piece, -53 - shift + (exponent >= 1968 ? 128 : 0), ROUND.TO_ZERO);
}
