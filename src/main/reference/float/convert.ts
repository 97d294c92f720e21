/**
 * Conversions between f16, f32, f64 and integers.
 *
 * Float to float: the source's control flushes denormal operands, the result's control rounds and flushes results. NaNs
 * stay NaNs of the same sign, made quiet, with the payload's top bits. Float to integer: truncates or rounds as told,
 * saturates, NaN gives 0; `floorToI32` and `halfUpToI32` follow the hardware in giving a NaN the limit of its sign
 * (docs/isa-errata.md#cvt-flr-nan). Source: RDNA 1 and 2 ISA manuals, V_CVT_*.
 */
import { INFINITY_F16, isNanF16, numberOfF16 } from './arithmetic-f16.ts';
import { flushF32, isNanF32 } from './arithmetic-f32.ts';
import { isDenormalOrZeroF64, isNanF64 } from './arithmetic-f64.ts';
import type { FloatControl } from './float-control.ts';
import { roundHalfEven, roundToF16, roundToF32, roundToInteger } from './rounding.ts';
import { F32, F64, giveNumber, giveWords, toNumber, U32, WORDS } from './scratch.ts';

/** The number of f32 bits, denormals flushed as the control says. NaN for every NaN. */
function numberOfF32(bits: number, control: FloatControl): number {
  U32[0] = control.flushIn ? flushF32(bits) : bits;
  return F32[0]!;
}

export function f32ToF16(bits: number, from: FloatControl, to: FloatControl): number {
  if (isNanF32(bits)) return ((bits >>> 16) & 0x8000) | 0x7e00 | ((bits >>> 13) & 0x3ff);
  const half = roundToF16(numberOfF32(bits, from), to);
  return to.flushOut && (half & 0x7c00) === 0 ? half & 0x8000 : half;
}

export function f16ToF32(bits: number, from: FloatControl): number {
  const sign = ((bits & 0x8000) << 16) >>> 0;
  if ((bits & 0x7c00) === INFINITY_F16) {
    const mantissa = bits & 0x3ff;
    return (sign | 0x7f800000 | (mantissa === 0 ? 0 : 0x00400000 | (mantissa << 13))) >>> 0;
  }
  if (from.flushIn && (bits & 0x7c00) === 0) return sign;
  // Every f16 number is a normal f32 number or zero.
  F32[0] = numberOfF16(bits);
  return U32[0]!;
}

export function f64ToF32(low: number, high: number, from: FloatControl, to: FloatControl): number {
  if (isNanF64(low, high)) {
    return ((high & 0x80000000) | 0x7fc00000 | ((high & 0xfffff) << 3) | (low >>> 29)) >>> 0;
  }
  const value = from.flushIn && isDenormalOrZeroF64(high) ? toNumber(0, high & 0x80000000) : toNumber(low, high);
  const bits = Number.isFinite(value) ? roundToF32(value, to.round) : ((high & 0x80000000) | 0x7f800000) >>> 0;
  return to.flushOut ? flushF32(bits) : bits;
}

/** Leaves the f64 of f32 bits in OUT64. */
export function f32ToF64(bits: number, from: FloatControl): void {
  if (isNanF32(bits)) giveWords(bits << 29, (bits & 0x80000000) | 0x7ff80000 | ((bits & 0x7fffff) >>> 3));
  else giveNumber(numberOfF32(bits, from));
}

/** An integer of up to 32 bits, as a number, to f32. */
export function integerToF32(value: number, to: FloatControl): number {
  return roundToF32(value, to.round);
}

/** An integer of up to 16 bits, as a number, to f16. */
export function integerToF16(value: number, to: FloatControl): number {
  return roundToF16(value, to);
}

/** Truncates a number to a signed 32-bit integer, as u32 bits. */
export function truncateToI32(value: number): number {
  if (value >= 2147483647) return 0x7fffffff;
  if (value <= -2147483648) return 0x80000000;
  // NaN | 0 is 0.
  return (value | 0) >>> 0;
}

export function truncateToU32(value: number): number {
  if (!(value > 0)) return 0;
  return value >= 4294967295 ? 0xffffffff : value >>> 0;
}

export function f32ToI32(bits: number): number {
  U32[0] = bits;
  return truncateToI32(F32[0]!);
}

export function f32ToU32(bits: number): number {
  U32[0] = bits;
  return truncateToU32(F32[0]!);
}

/** floor(x). */
export function floorToI32(bits: number): number {
  if (isNanF32(bits)) return bits >>> 31 ? 0x80000000 : 0x7fffffff;
  U32[0] = bits;
  return truncateToI32(Math.floor(F32[0]!));
}

/** floor(x + ½), the sum exact. */
export function halfUpToI32(bits: number): number {
  if (isNanF32(bits)) return bits >>> 31 ? 0x80000000 : 0x7fffffff;
  U32[0] = bits;
  const value = F32[0]!;
  // From 2^24 on every f32 is an integer; below, x + ½ is exact in a double.
  return truncateToI32(Math.abs(value) < 16777216 ? Math.floor(value + 0.5) : value);
}

export function f64ToI32(low: number, high: number): number {
  return truncateToI32(toNumber(low, high));
}

export function f64ToU32(low: number, high: number): number {
  return truncateToU32(toNumber(low, high));
}

/** Truncates to a signed 16-bit integer (16 bits, zero-extended). */
export function f16ToI16(bits: number): number {
  if (isNanF16(bits)) return 0;
  return Math.max(-32768, Math.min(32767, Math.trunc(numberOfF16(bits)))) & 0xffff;
}

export function f16ToU16(bits: number): number {
  if (isNanF16(bits)) return 0;
  return Math.max(0, Math.min(65535, Math.trunc(numberOfF16(bits))));
}

/** A number in −1…1 to a signed normalised 16-bit integer: nearest even of x · 32767. */
export function numberToSnorm16(value: number): number {
  if (Number.isNaN(value)) return 0;
  return roundHalfEven(Math.max(-1, Math.min(1, value)) * 32767) & 0xffff;
}

/** A number in 0…1 to an unsigned normalised 16-bit integer: nearest even of x · 65535. */
export function numberToUnorm16(value: number): number {
  if (Number.isNaN(value)) return 0;
  return roundHalfEven(Math.max(0, Math.min(1, value)) * 65535);
}

export function f32ToSnorm16(bits: number): number {
  U32[0] = bits;
  return numberToSnorm16(F32[0]!);
}

export function f32ToUnorm16(bits: number): number {
  U32[0] = bits;
  return numberToUnorm16(F32[0]!);
}

/** Rounds as MODE's f32 field says and saturates to a byte. */
export function f32ToU8(bits: number, control: FloatControl): number {
  if (isNanF32(bits)) return 0;
  const value = roundToInteger(numberOfF32(bits, control), control.round);
  return Math.max(0, Math.min(255, value));
}

/** An integer of up to 32 bits, which a double holds exactly, to f64 in OUT64. */
export function integerToF64(value: number): void {
  F64[0] = value;
  giveWords(WORDS[0]!, WORDS[1]!);
}
