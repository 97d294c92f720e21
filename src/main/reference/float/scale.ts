/**
 * ldexp and frexp: multiplication by a power of two with one rounding, and the split into significand and exponent.
 *
 * frexp: x = significand · 2^exponent, |significand| in [½, 1). Zero: exponent 0. Infinity and NaN: exponent 0, the
 * significand is the operand (docs/isa-errata.md#frexp-special). Denormal operands are normalised unless they are flushed.
 */
import { flushF16, isNanF16, numberOfF16, quietF16 } from './arithmetic-f16.ts';
import { flushF32, isNanF32, quietF32 } from './arithmetic-f32.ts';
import { flushResult, giveNan, isDenormalOrZeroF64, isNanF64 } from './arithmetic-f64.ts';
import { giveRounded } from './exact-f64.ts';
import type { FloatControl } from './float-control.ts';
import { roundToF16, roundToF32 } from './rounding.ts';
import { F32, F64, giveNumber, giveWords, toNumber, U32, WORDS } from './scratch.ts';

/** 2^k for −1022 ≤ k ≤ 1023. */
function powerOfTwo(k: number): number {
  WORDS[0] = 0;
  WORDS[1] = (k + 1023) << 20;
  return F64[0]!;
}

function limit(value: number, bound: number): number {
  return Math.max(-bound, Math.min(bound, value));
}

/** f32 bits · 2^exponent, exponent a signed 32-bit integer. */
export function ldexpF32(bits: number, exponent: number, control: FloatControl): number {
  if (isNanF32(bits)) return quietF32(bits);
  U32[0] = control.flushIn ? flushF32(bits) : bits;
  // 2^±300 leaves every finite f32 past overflow or underflow, and the product exact in a double.
  const value = F32[0]! * powerOfTwo(limit(exponent | 0, 300));
  if (!Number.isFinite(value)) return U32[0]!;
  const result = roundToF32(value, control.round);
  return control.flushOut ? flushF32(result) : result;
}

/** f16 bits · 2^exponent, exponent a signed 16-bit integer. */
export function ldexpF16(bits: number, exponent: number, control: FloatControl): number {
  if (isNanF16(bits)) return quietF16(bits);
  const value = numberOfF16(control.flushIn ? flushF16(bits) : bits) * powerOfTwo(limit(exponent, 100));
  const result = roundToF16(value, control);
  return control.flushOut ? flushF16(result) : result;
}

/** f64 · 2^exponent into OUT64. */
export function ldexpF64(low: number, high: number, exponent: number, control: FloatControl): void {
  if (isNanF64(low, high)) {
    giveNan(low, high);
    return;
  }
  if (control.flushIn && isDenormalOrZeroF64(high)) {
    low = 0;
    high &= 0x80000000;
  }
  const biased = (high >>> 20) & 0x7ff;
  const scaled = biased + limit(exponent | 0, 5000);
  if (biased === 0x7ff || (biased === 0 && low === 0 && (high & 0xfffff) === 0)) giveWords(low, high);
  else if (biased !== 0 && scaled > 0 && scaled < 0x7ff) giveWords(low, (high & 0x800fffff) | (scaled << 20));
  else giveScaledExactly(low, high, limit(exponent | 0, 5000), control.round);
  flushResult(control);
}

function giveScaledExactly(low: number, high: number, exponent: number, round: number): void {
  const biased = (high >>> 20) & 0x7ff;
  const top = (high & 0xfffff) | (biased === 0 ? 0 : 0x100000);
  const magnitude = (BigInt(top) << 32n) | BigInt(low >>> 0);
  giveRounded(high >>> 31 ? -magnitude : magnitude, Math.max(biased, 1) - 1075 + exponent, round);
}

/** Position of the highest set bit of a nonzero 32-bit word. */
function highestBit(word: number): number {
  return 31 - Math.clz32(word);
}

export function frexpExponentF32(bits: number, control: FloatControl): number {
  const field = (bits >>> 23) & 0xff;
  if (field === 0xff) return 0;
  if (field !== 0) return field - 126;
  const mantissa = bits & 0x7fffff;
  return mantissa === 0 || control.flushIn ? 0 : highestBit(mantissa) - 148;
}

export function frexpSignificandF32(bits: number, control: FloatControl): number {
  const field = (bits >>> 23) & 0xff;
  if (field === 0xff) return isNanF32(bits) ? quietF32(bits) : bits >>> 0;
  const sign = bits & 0x80000000;
  let mantissa = bits & 0x7fffff;
  if (field === 0) {
    if (mantissa === 0 || control.flushIn) return sign >>> 0;
    mantissa = (mantissa << (23 - highestBit(mantissa))) & 0x7fffff;
  }
  return (sign | 0x3f000000 | mantissa) >>> 0;
}

export function frexpExponentF16(bits: number, control: FloatControl): number {
  const field = (bits >>> 10) & 31;
  if (field === 31) return 0;
  if (field !== 0) return field - 14;
  const mantissa = bits & 0x3ff;
  return mantissa === 0 || control.flushIn ? 0 : highestBit(mantissa) - 23;
}

export function frexpSignificandF16(bits: number, control: FloatControl): number {
  const field = (bits >>> 10) & 31;
  if (field === 31) return isNanF16(bits) ? quietF16(bits) : bits;
  const sign = bits & 0x8000;
  let mantissa = bits & 0x3ff;
  if (field === 0) {
    if (mantissa === 0 || control.flushIn) return sign;
    mantissa = (mantissa << (10 - highestBit(mantissa))) & 0x3ff;
  }
  return sign | 0x3800 | mantissa;
}

export function frexpExponentF64(low: number, high: number, control: FloatControl): number {
  const field = (high >>> 20) & 0x7ff;
  if (field === 0x7ff) return 0;
  if (field !== 0) return field - 1022;
  const top = high & 0xfffff;
  if ((top === 0 && low === 0) || control.flushIn) return 0;
  return (top !== 0 ? highestBit(top) + 32 : highestBit(low)) - 1073;
}

export function frexpSignificandF64(low: number, high: number, control: FloatControl): void {
  const field = (high >>> 20) & 0x7ff;
  const sign = high & 0x80000000;
  if (field === 0x7ff) {
    if (isNanF64(low, high)) giveNan(low, high);
    else giveWords(low, high);
  } else if (field !== 0) giveWords(low, sign | 0x3fe00000 | (high & 0xfffff));
  else if (((high & 0xfffff) === 0 && low === 0) || control.flushIn) giveWords(0, sign);
  else {
    // A denormal times 2^−exponent, in two exact steps.
    const exponent = frexpExponentF64(low, high, control);
    giveNumber(toNumber(low, high) * powerOfTwo(600) * powerOfTwo(-exponent - 600));
  }
}
