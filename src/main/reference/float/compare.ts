/**
 * Comparison and classification of f16, f32, f64.
 *
 * `relation*` gives one bit: 1 less, 2 equal, 4 greater, 8 unordered. The low four bits of a float compare's opcode are
 * the set of relations for which it is true (lt 1, eq 2, le 3, gt 4, … o 7, u 8, … tru 15), so one AND decides them all.
 * Denormal operands are flushed as the control says; zeros of either sign are equal. Classification never flushes.
 */
import { flushF16, numberOfF16 } from './arithmetic-f16.ts';
import { flushF32, isNanF32, isSignalingF32 } from './arithmetic-f32.ts';
import { isDenormalOrZeroF64, isSignalingF64 } from './arithmetic-f64.ts';
import type { FloatControl } from './float-control.ts';
import { F32, F64, toNumber, U32, WORDS } from './scratch.ts';

function relation(x: number, y: number): number {
  return x < y ? 1 : x === y ? 2 : x > y ? 4 : 8;
}

export function relationF32(a: number, b: number, control: FloatControl): number {
  U32[0] = control.flushIn ? flushF32(a) : a;
  U32[1] = control.flushIn ? flushF32(b) : b;
  return relation(F32[0]!, F32[1]!);
}

export function relationF16(a: number, b: number, control: FloatControl): number {
  if (control.flushIn) return relation(numberOfF16(flushF16(a)), numberOfF16(flushF16(b)));
  return relation(numberOfF16(a), numberOfF16(b));
}

export function relationF64(aLow: number, aHigh: number, bLow: number, bHigh: number, control: FloatControl): number {
  const x = control.flushIn && isDenormalOrZeroF64(aHigh) ? 0 : toNumber(aLow, aHigh);
  WORDS[2] = bLow;
  WORDS[3] = bHigh;
  const y = control.flushIn && isDenormalOrZeroF64(bHigh) ? 0 : F64[1]!;
  return relation(x, y);
}

/** Bits of the class mask of v_cmp_class. */
export const CLASS = {
  SIGNALING_NAN: 1,
  QUIET_NAN: 2,
  MINUS_INFINITY: 4,
  MINUS_NORMAL: 8,
  MINUS_DENORMAL: 16,
  MINUS_ZERO: 32,
  PLUS_ZERO: 64,
  PLUS_DENORMAL: 128,
  PLUS_NORMAL: 256,
  PLUS_INFINITY: 512,
} as const;

function classOf(negative: boolean, isInfinite: boolean, isNormal: boolean, isZero: boolean): number {
  if (isInfinite) return negative ? CLASS.MINUS_INFINITY : CLASS.PLUS_INFINITY;
  if (isNormal) return negative ? CLASS.MINUS_NORMAL : CLASS.PLUS_NORMAL;
  if (isZero) return negative ? CLASS.MINUS_ZERO : CLASS.PLUS_ZERO;
  return negative ? CLASS.MINUS_DENORMAL : CLASS.PLUS_DENORMAL;
}

export function classifyF32(bits: number): number {
  if (isNanF32(bits)) return isSignalingF32(bits) ? CLASS.SIGNALING_NAN : CLASS.QUIET_NAN;
  const magnitude = bits & 0x7fffffff;
  return classOf(bits >>> 31 !== 0, magnitude === 0x7f800000, magnitude >= 0x00800000, magnitude === 0);
}

export function classifyF16(bits: number): number {
  const magnitude = bits & 0x7fff;
  if (magnitude > 0x7c00) return bits & 0x200 ? CLASS.QUIET_NAN : CLASS.SIGNALING_NAN;
  return classOf((bits & 0x8000) !== 0, magnitude === 0x7c00, magnitude >= 0x0400, magnitude === 0);
}

export function classifyF64(low: number, high: number): number {
  const magnitude = high & 0x7fffffff;
  if (magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0))
    return isSignalingF64(low, high) ? CLASS.SIGNALING_NAN : CLASS.QUIET_NAN;
  return classOf(high >>> 31 !== 0, magnitude === 0x7ff00000, magnitude >= 0x00100000, magnitude === 0 && low === 0);
}
