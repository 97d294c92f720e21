/**
 * f16 arithmetic on raw bits (low 16 bits; the rest of a source must be 0): the same operations and rules as
 * arithmetic-f32.ts.
 *
 * Sums and products of two f16 are exact in a double (40 and 22 bits), a fused multiply-add is rounded to odd first; one
 * rounding to f16 follows. FP16_OVFL is part of the control. Source: docs/float-arithmetic.md.
 */
import { type FloatControl, IEEE_DEFAULT } from './float-control.ts';
import { roundToF16, sumToOdd, zeroSumIsNegative } from './rounding.ts';

export const NAN_F16 = 0xfe00;
export const INFINITY_F16 = 0x7c00;

export function isNanF16(bits: number): boolean {
  return (bits & 0x7fff) > 0x7c00;
}

export function isSignalingF16(bits: number): boolean {
  return (bits & 0x7e00) === 0x7c00 && (bits & 0x01ff) !== 0;
}

export function quietF16(bits: number): number {
  return bits | 0x0200;
}

export function flushF16(bits: number): number {
  return (bits & 0x7c00) === 0 ? bits & 0x8000 : bits;
}

const POWERS = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (Math.max(exponent, 1) - 25));

/** The number that f16 bits stand for; NaN for every NaN. */
export function numberOfF16(bits: number): number {
  const exponent = (bits >>> 10) & 31;
  const mantissa = bits & 0x3ff;
  const negative = (bits & 0x8000) !== 0;
  if (exponent === 31) return mantissa !== 0 ? Number.NaN : negative ? -Infinity : Infinity;
  const magnitude = (exponent === 0 ? mantissa : mantissa | 0x400) * POWERS[exponent]!;
  return negative ? -magnitude : magnitude;
}

function nanOf(a: number, b: number): number {
  return isNanF16(a) ? quietF16(a) : isNanF16(b) ? quietF16(b) : NAN_F16;
}

function finish(bits: number, control: FloatControl): number {
  return control.flushOut ? flushF16(bits) : bits;
}

export function addF16(a: number, b: number, control: FloatControl): number {
  if (control.flushIn) {
    a = flushF16(a);
    b = flushF16(b);
  }
  const x = numberOfF16(a);
  const y = numberOfF16(b);
  const sum = x + y;
  if (Number.isNaN(sum)) return nanOf(a, b);
  if (sum === 0) return zeroSumIsNegative(x, y, control.round) ? 0x8000 : 0;
  return finish(roundToF16(sum, control), control);
}

export function subF16(a: number, b: number, control: FloatControl): number {
  return addF16(a, b ^ 0x8000, control);
}

export function mulF16(a: number, b: number, control: FloatControl): number {
  if (control.flushIn) {
    a = flushF16(a);
    b = flushF16(b);
  }
  const product = numberOfF16(a) * numberOfF16(b);
  if (Number.isNaN(product)) return nanOf(a, b);
  if (product === 0) return (a ^ b) & 0x8000;
  return finish(roundToF16(product, control), control);
}

export function fmaF16(a: number, b: number, c: number, control: FloatControl): number {
  if (control.flushIn) {
    a = flushF16(a);
    b = flushF16(b);
    c = flushF16(c);
  }
  const product = numberOfF16(a) * numberOfF16(b);
  const z = numberOfF16(c);
  const sum = product + z;
  if (Number.isNaN(sum)) return isNanF16(a) ? quietF16(a) : nanOf(b, c);
  if (sum === 0) return zeroSumIsNegative(product, z, control.round) ? 0x8000 : 0;
  if (!Number.isFinite(sum)) return sum > 0 ? INFINITY_F16 : 0xfc00;
  return finish(roundToF16(sumToOdd(product, z), control), control);
}

function orderF16(bits: number): number {
  return bits & 0x8000 ? ~(bits & 0x7fff) : bits & 0x7fff;
}

export function minF16(a: number, b: number, control: FloatControl, ieee: boolean): number {
  return select(a, b, control, ieee, true);
}

export function maxF16(a: number, b: number, control: FloatControl, ieee: boolean): number {
  return select(a, b, control, ieee, false);
}

function select(a: number, b: number, control: FloatControl, ieee: boolean, smaller: boolean): number {
  if (control.flushIn) {
    a = flushF16(a);
    b = flushF16(b);
  }
  if (isNanF16(a) || isNanF16(b)) {
    if (ieee && isSignalingF16(a)) return quietF16(a);
    if (ieee && isSignalingF16(b)) return quietF16(b);
    a = isNanF16(a) ? b : a;
  } else if (orderF16(a) < orderF16(b) !== smaller) a = b;
  return finish(a, control);
}

export function min3F16(a: number, b: number, c: number, control: FloatControl, ieee: boolean): number {
  return minF16(minF16(a, b, control, ieee), c, control, ieee);
}

export function max3F16(a: number, b: number, c: number, control: FloatControl, ieee: boolean): number {
  return maxF16(maxF16(a, b, control, ieee), c, control, ieee);
}

export function med3F16(a: number, b: number, c: number, control: FloatControl, ieee: boolean): number {
  if (isNanF16(a) || isNanF16(b) || isNanF16(c)) return min3F16(a, b, c, control, ieee);
  if (control.flushIn) {
    a = flushF16(a);
    b = flushF16(b);
    c = flushF16(c);
  }
  const largest = numberOfF16(max3F16(a, b, c, IEEE_DEFAULT, ieee));
  if (largest === numberOfF16(a)) return maxF16(b, c, control, ieee);
  return maxF16(a, largest === numberOfF16(b) ? c : b, control, ieee);
}
