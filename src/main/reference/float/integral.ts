/**
 * Rounding to integral floats (trunc, floor, ceil, rndne) and fract, for f16, f32, f64.
 *
 * The integral functions are exact; the sign of zero results is the operand's. fract(x) = x − floor(x), rounded as MODE
 * says, and never 1: a result that rounds to 1 becomes the largest value below 1 (docs/isa-errata.md#fract).
 * Infinities: the integral functions return them, fract gives the default NaN.
 */
import { flushF16, isNanF16, NAN_F16, numberOfF16, quietF16 } from './arithmetic-f16.ts';
import { flushF32, isNanF32, NAN_F32, quietF32 } from './arithmetic-f32.ts';
import { addF64, flushResult, giveNan, isDenormalOrZeroF64, isNanF64, NAN_HIGH } from './arithmetic-f64.ts';
import { type FloatControl, ROUND } from './float-control.ts';
import { roundHalfEven, roundToF16, roundToF32, sumToOdd } from './rounding.ts';
import { F32, giveNumber, giveWords, OUT64, toNumber, U32 } from './scratch.ts';

export type Rounder = (value: number) => number;

/** One of Math.trunc, Math.floor, Math.ceil, `roundHalfEven`: they all keep the sign of zero. */
export const rndne: Rounder = roundHalfEven;

export function integralF32(bits: number, rounder: Rounder, control: FloatControl): number {
  if (isNanF32(bits)) return quietF32(bits);
  U32[0] = control.flushIn ? flushF32(bits) : bits;
  F32[0] = rounder(F32[0]!);
  return U32[0]!;
}

export function integralF16(bits: number, rounder: Rounder, control: FloatControl): number {
  if (isNanF16(bits)) return quietF16(bits);
  return roundToF16(rounder(numberOfF16(control.flushIn ? flushF16(bits) : bits)), control);
}

export function integralF64(low: number, high: number, rounder: Rounder, control: FloatControl): void {
  if (isNanF64(low, high)) giveNan(low, high);
  else if (control.flushIn && isDenormalOrZeroF64(high)) giveWords(0, high & 0x80000000);
  else giveNumber(rounder(toNumber(low, high)));
}

/** x − floor(x) for x = floor(x) is an exact zero: −0 when rounding down, as for any sum. */
function zeroDifference(control: FloatControl): number {
  return control.round === ROUND.DOWN ? -0 : 0;
}

export function fractF32(bits: number, control: FloatControl): number {
  if (isNanF32(bits)) return quietF32(bits);
  U32[0] = control.flushIn ? flushF32(bits) : bits;
  const value = F32[0]!;
  const floor = Math.floor(value);
  if (value === floor) {
    if (!Number.isFinite(value)) return NAN_F32;
    F32[0] = zeroDifference(control);
    return U32[0]!;
  }
  const result = roundToF32(sumToOdd(value, -floor), control.round);
  if (result >= 0x3f800000) return 0x3f7fffff;
  return control.flushOut ? flushF32(result) : result;
}

export function fractF16(bits: number, control: FloatControl): number {
  if (isNanF16(bits)) return quietF16(bits);
  const value = numberOfF16(control.flushIn ? flushF16(bits) : bits);
  const floor = Math.floor(value);
  if (value === floor) return Number.isFinite(value) ? roundToF16(zeroDifference(control), control) : NAN_F16;
  const result = roundToF16(sumToOdd(value, -floor), control);
  if (result >= 0x3c00) return 0x3bff;
  return control.flushOut ? flushF16(result) : result;
}

export function fractF64(low: number, high: number, control: FloatControl): void {
  if (isNanF64(low, high)) {
    giveNan(low, high);
    return;
  }
  if (control.flushIn && isDenormalOrZeroF64(high)) {
    low = 0;
    high &= 0x80000000;
  }
  const value = toNumber(low, high);
  if (!Number.isFinite(value)) {
    giveWords(0, NAN_HIGH);
    return;
  }
  giveNumber(Math.floor(value));
  addF64(low, high, OUT64[0]!, OUT64[1]! ^ 0x80000000, control);
  if (OUT64[1]! >= 0x3ff00000 && OUT64[1]! < 0x80000000) giveWords(0xffffffff, 0x3fefffff);
  flushResult(control);
}
