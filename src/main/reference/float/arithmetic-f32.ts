/**
 * f32 arithmetic on raw bits: add, multiply, fused and unfused multiply-add, minimum, maximum, median.
 *
 * In and out: u32 bits. Every operation flushes denormal operands and results as its control says, propagates the first
 * NaN operand (src0, src1, src2) made quiet, and gives `NAN_F32` where IEEE 754 calls an operation invalid.
 * Exactness: add, mul in nearest even go through one double operation and Math.fround, which rounds as one step since
 * 53 ≥ 2 · 24 + 2 (S. Figueroa, "When is double rounding innocuous?", 1995); everything else through rounding.ts.
 * Source: docs/float-arithmetic.md.
 */
import { type FloatControl, IEEE_DEFAULT, ROUND } from './float-control.ts';
import { roundToF32, sumToOdd, zeroSumIsNegative } from './rounding.ts';
import { F32, U32 } from './scratch.ts';

/** The NaN that an invalid operation gives. docs/isa-errata.md#default-nan */
export const NAN_F32 = 0xffc00000;
export const INFINITY_F32 = 0x7f800000;
export const MAX_F32 = 0x7f7fffff;

export function isNanF32(bits: number): boolean {
  return (bits & 0x7fffffff) > 0x7f800000;
}

export function isSignalingF32(bits: number): boolean {
  return (bits & 0x7fc00000) === 0x7f800000 && (bits & 0x003fffff) !== 0;
}

export function quietF32(bits: number): number {
  return (bits | 0x00400000) >>> 0;
}

/** A denormal becomes the zero of its sign. */
export function flushF32(bits: number): number {
  return (bits & 0x7f800000) === 0 ? (bits & 0x80000000) >>> 0 : bits;
}

function nanOf(a: number, b: number): number {
  return isNanF32(a) ? quietF32(a) : isNanF32(b) ? quietF32(b) : NAN_F32;
}

export function addF32(a: number, b: number, control: FloatControl): number {
  if (control.flushIn) {
    a = flushF32(a);
    b = flushF32(b);
  }
  U32[0] = a;
  U32[1] = b;
  const x = F32[0]!;
  const y = F32[1]!;
  let bits: number;
  if (control.round === ROUND.NEAREST) {
    F32[2] = x + y;
    bits = U32[2]!;
  } else {
    const sum = x + y;
    if (sum === 0) bits = zeroSumIsNegative(x, y, control.round) ? 0x80000000 : 0;
    else if (Number.isFinite(sum)) bits = roundToF32(sumToOdd(x, y), control.round);
    else {
      F32[2] = sum;
      bits = U32[2]!;
    }
  }
  if ((bits & 0x7fffffff) > 0x7f800000) return nanOf(a, b);
  return control.flushOut ? flushF32(bits) : bits;
}

/** a − b as a + (−b): a NaN in b keeps its payload with the sign changed. */
export function subF32(a: number, b: number, control: FloatControl): number {
  return addF32(a, (b ^ 0x80000000) >>> 0, control);
}

export function mulF32(a: number, b: number, control: FloatControl): number {
  if (control.flushIn) {
    a = flushF32(a);
    b = flushF32(b);
  }
  U32[0] = a;
  U32[1] = b;
  const product = F32[0]! * F32[1]!;
  let bits: number;
  if (control.round === ROUND.NEAREST || !Number.isFinite(product)) {
    F32[2] = product;
    bits = U32[2]!;
  } else bits = roundToF32(product, control.round);
  if ((bits & 0x7fffffff) > 0x7f800000) return nanOf(a, b);
  return control.flushOut ? flushF32(bits) : bits;
}

/** a · b + c with one rounding. The product of two f32 is exact in a double. */
export function fmaF32(a: number, b: number, c: number, control: FloatControl): number {
  return scaledFmaF32(a, b, c, 1, control);
}

/** (a · b + c) · factor with one rounding; factor is a power of two in 2^±200. */
export function scaledFmaF32(a: number, b: number, c: number, factor: number, control: FloatControl): number {
  if (control.flushIn) {
    a = flushF32(a);
    b = flushF32(b);
    c = flushF32(c);
  }
  U32[0] = a;
  U32[1] = b;
  U32[2] = c;
  const product = F32[0]! * F32[1]!;
  const z = F32[2]!;
  const sum = product + z;
  if (Number.isNaN(sum)) {
    return isNanF32(a) ? quietF32(a) : nanOf(b, c);
  }
  let bits: number;
  if (sum === 0) bits = zeroSumIsNegative(product, z, control.round) ? 0x80000000 : 0;
  else if (Number.isFinite(sum)) bits = roundToF32(sumToOdd(product, z) * factor, control.round);
  else bits = sum > 0 ? INFINITY_F32 : 0xff800000;
  return control.flushOut ? flushF32(bits) : bits;
}

/** a · b + c with the product rounded first: v_mad_f32 and v_mac_f32, which also flush whatever MODE says. */
export function madF32(a: number, b: number, c: number, control: FloatControl): number {
  // A NaN of the product comes before one of c, as it does in fmaF32.
  return addF32(mulF32(a, b, control), c, control);
}

/** Product by DX9's rule: a zero operand gives +0, whatever the other one is. */
export function mulLegacyF32(a: number, b: number, control: FloatControl): number {
  return isZeroOperand(a, control) || isZeroOperand(b, control) ? 0 : mulF32(a, b, control);
}

/** Unfused multiply-add by DX9's rule: a zero factor gives c. */
export function madLegacyF32(a: number, b: number, c: number, control: FloatControl): number {
  if (isZeroOperand(a, control) || isZeroOperand(b, control)) return canonicalF32(c, control);
  return madF32(a, b, c, control);
}

/** Fused multiply-add by DX9's rule: a zero factor gives c. */
export function fmaLegacyF32(a: number, b: number, c: number, control: FloatControl): number {
  if (isZeroOperand(a, control) || isZeroOperand(b, control)) return canonicalF32(c, control);
  return fmaF32(a, b, c, control);
}

/** The lighting product: −largest where the exponent or the condition says "no specular light". */
export function mullitF32(a: number, b: number, c: number, control: FloatControl): number {
  const noLight = isNanF32(b) || b >>> 0 === 0xff7fffff || b >>> 0 === 0xff800000;
  U32[0] = control.flushIn ? flushF32(c) : c;
  if (noLight || !(F32[0]! > 0)) return 0xff7fffff;
  return mulLegacyF32(a, b, control);
}

function isZeroOperand(bits: number, control: FloatControl): boolean {
  return control.flushIn ? (bits & 0x7f800000) === 0 : (bits & 0x7fffffff) === 0;
}

/** A value as an arithmetic instruction would pass it through: NaN quiet, denormals as the control says. */
export function canonicalF32(bits: number, control: FloatControl): number {
  if (isNanF32(bits)) return quietF32(bits);
  return control.flushIn || control.flushOut ? flushF32(bits) : bits;
}

/** Orders numbers as signed integers, −0 below +0. */
function orderF32(bits: number): number {
  const signed = bits | 0;
  return signed ^ ((signed >> 31) & 0x7fffffff);
}

/**
 * The smaller operand; −0 is smaller than +0. One NaN: the other operand. With `ieee` a signalling NaN wins, made quiet;
 * without it, it counts as any NaN, and of two NaNs the second comes out unchanged.
 */
export function minF32(a: number, b: number, control: FloatControl, ieee: boolean): number {
  return select(a, b, control, ieee, true);
}

export function maxF32(a: number, b: number, control: FloatControl, ieee: boolean): number {
  return select(a, b, control, ieee, false);
}

function select(a: number, b: number, control: FloatControl, ieee: boolean, smaller: boolean): number {
  if (control.flushIn) {
    a = flushF32(a);
    b = flushF32(b);
  }
  if (isNanF32(a) || isNanF32(b)) {
    if (ieee && isSignalingF32(a)) return quietF32(a);
    if (ieee && isSignalingF32(b)) return quietF32(b);
    a = isNanF32(a) ? b : a;
  } else if (orderF32(a) < orderF32(b) !== smaller) a = b;
  return (control.flushOut ? flushF32(a) : a) >>> 0;
}

export function min3F32(a: number, b: number, c: number, control: FloatControl, ieee: boolean): number {
  return minF32(minF32(a, b, control, ieee), c, control, ieee);
}

export function max3F32(a: number, b: number, c: number, control: FloatControl, ieee: boolean): number {
  return maxF32(maxF32(a, b, control, ieee), c, control, ieee);
}

/** The middle operand, by the manual's rule: drop the (first) largest, take the larger of the others. NaN: min3. */
export function med3F32(a: number, b: number, c: number, control: FloatControl, ieee: boolean): number {
  if (isNanF32(a) || isNanF32(b) || isNanF32(c)) return min3F32(a, b, c, control, ieee);
  if (control.flushIn) {
    a = flushF32(a);
    b = flushF32(b);
    c = flushF32(c);
  }
  U32[0] = max3F32(a, b, c, IEEE_DEFAULT, ieee);
  U32[1] = a;
  U32[2] = b;
  const largest = F32[0]!;
  if (largest === F32[1]) return maxF32(b, c, control, ieee);
  return maxF32(a, largest === F32[2] ? c : b, control, ieee);
}

/** Minimum of gfx7's DX9 rule: the second operand unless the first is smaller; a NaN never compares smaller. */
export function minLegacyF32(a: number, b: number): number {
  U32[0] = a;
  U32[1] = b;
  return (F32[0]! < F32[1]! ? a : b) >>> 0;
}

export function maxLegacyF32(a: number, b: number): number {
  U32[0] = a;
  U32[1] = b;
  return (F32[0]! >= F32[1]! ? a : b) >>> 0;
}
