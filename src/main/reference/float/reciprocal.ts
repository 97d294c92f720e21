/**
 * v_rcp, v_rsq, v_sqrt: correctly rounded to nearest even, so that any exact method gives the same bits
 * (docs/float-arithmetic.md#reciprocals-and-roots gives one in integers).
 *
 * f32: denormal operands count as zero and denormal results are flushed, whatever MODE says, as in the hardware. f16 and
 * f64 follow MODE's denormal bits. rsq of f64 is two correctly rounded steps, 1 / (√x), within 1 ulp. MODE's round mode
 * does not matter. f32: one double operation, then Math.fround; innocuous for 1/x and √x (Figueroa, 53 ≥ 2 · 24 + 2),
 * and for 1/√x checked for all 2^24 operands of two binades by tools/soak/float.ts.
 */
import { flushF16, isNanF16, NAN_F16, numberOfF16, quietF16 } from './arithmetic-f16.ts';
import { flushF32, isNanF32, NAN_F32, quietF32 } from './arithmetic-f32.ts';
import { flushResult, giveNan, isDenormalOrZeroF64, isNanF64, NAN_HIGH } from './arithmetic-f64.ts';
import { type FloatControl, floatControl } from './float-control.ts';
import { roundToF16 } from './rounding.ts';
import { F32, giveNumber, giveWords, toNumber, U32 } from './scratch.ts';

/** One of these three on numbers that are no NaN; a result that is NaN means an invalid operand. */
export type RootFunction = (value: number) => number;

export const reciprocal: RootFunction = (value) => 1 / value;
export const squareRoot: RootFunction = Math.sqrt;
/** −0 gives −∞, as its square root is −0. */
export const reciprocalRoot: RootFunction = (value) => 1 / Math.sqrt(value);

export function rootF32(bits: number, f: RootFunction): number {
  if (isNanF32(bits)) return quietF32(bits);
  U32[0] = flushF32(bits);
  const result = f(F32[0]!);
  if (Number.isNaN(result)) return NAN_F32;
  F32[0] = result;
  return flushF32(U32[0]!);
}

const NEAREST = [floatControl(0, 3), floatControl(0, 3, true)] as const;

/** Via a double, whose rounding to f16 is innocuous (53 ≥ 2 · 11 + 2; 1/√x: all operands are tested). */
export function rootF16(bits: number, f: RootFunction, control: FloatControl): number {
  if (isNanF16(bits)) return quietF16(bits);
  const result = f(numberOfF16(control.flushIn ? flushF16(bits) : bits));
  if (Number.isNaN(result)) return NAN_F16;
  const half = roundToF16(result, NEAREST[control.saturate ? 1 : 0]);
  return control.flushOut ? flushF16(half) : half;
}

/** An f32 function on an f16 operand, rounded to nearest f16. `f` sees every f16 as an exact f32. */
export function viaF32(bits: number, f: (bits: number) => number, control: FloatControl): number {
  if (isNanF16(bits)) return quietF16(bits);
  F32[0] = numberOfF16(control.flushIn ? flushF16(bits) : bits);
  const result = f(U32[0]!);
  if (isNanF32(result)) return NAN_F16;
  U32[0] = result;
  const half = roundToF16(F32[0]!, NEAREST[control.saturate ? 1 : 0]);
  return control.flushOut ? flushF16(half) : half;
}

export function rootF64(low: number, high: number, f: RootFunction, control: FloatControl): void {
  if (isNanF64(low, high)) {
    giveNan(low, high);
    return;
  }
  const value = control.flushIn && isDenormalOrZeroF64(high) ? toNumber(0, high & 0x80000000) : toNumber(low, high);
  const result = f(value);
  if (Number.isNaN(result)) giveWords(0, NAN_HIGH);
  else {
    giveNumber(result);
    flushResult(control);
  }
}
