/**
 * Lane loops that integer vector handlers are made of: a function of one lane becomes a handler.
 *
 * Results are stored modulo 2^32. `exact` functions give the mathematical result, which fits a double; the clamp bit
 * then saturates instead of wrapping. Float modifiers do not apply to integer operands.
 */
import type { Handler } from './handler.ts';
import {
  beginResult,
  beginResult16,
  endResult16,
  endResult32,
  lanesOf,
  sourceB16,
  sourceB32,
  writeMask,
} from './operands.ts';
import type { Wave } from './wave.ts';

export type Lane1 = (a: number) => number;
export type Lane2 = (a: number, b: number) => number;
export type Lane3 = (a: number, b: number, c: number) => number;

export interface Range {
  readonly min: number;
  readonly max: number;
}

export const U32: Range = { min: 0, max: 0xffffffff };
export const I32: Range = { min: -0x80000000, max: 0x7fffffff };
export const U16: Range = { min: 0, max: 0xffff };
export const I16: Range = { min: -0x8000, max: 0x7fff };

export function saturate(value: number, range: Range): number {
  return Math.min(Math.max(value, range.min), range.max);
}

export function unary(f: Lane1): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(a[lane]!);
    }
    endResult32(wave, inst, out, lanes);
  };
}

export function binary(f: Lane2): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const b = sourceB32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(a[lane]!, b[lane]!);
    }
    endResult32(wave, inst, out, lanes);
  };
}

export function ternary(f: Lane3): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const b = sourceB32(wave, inst, 1);
    const c = sourceB32(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(a[lane]!, b[lane]!, c[lane]!);
    }
    endResult32(wave, inst, out, lanes);
  };
}

/** Two operands, exact result, clamp saturates to `range`. */
export function binaryExact(f: Lane2, range: Range): Handler {
  const wraps = binary(f);
  const clamps = binary((a, b) => saturate(f(a, b), range));
  return (wave, inst) => (inst.clamp ? clamps : wraps)(wave, inst);
}

export function ternaryExact(f: Lane3, range: Range): Handler {
  const wraps = ternary(f);
  const clamps = ternary((a, b, c) => saturate(f(a, b, c), range));
  return (wave, inst) => (inst.clamp ? clamps : wraps)(wave, inst);
}

/** 16-bit operands (zero-extended) and result. */
export function binary16(f: Lane2): Handler {
  return (wave, inst) => {
    const a = sourceB16(wave, inst, 0);
    const b = sourceB16(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(a[lane]!, b[lane]!);
    }
    endResult16(wave, inst, lanes);
  };
}

export function ternary16(f: Lane3): Handler {
  return (wave, inst) => {
    const a = sourceB16(wave, inst, 0);
    const b = sourceB16(wave, inst, 1);
    const c = sourceB16(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(a[lane]!, b[lane]!, c[lane]!);
    }
    endResult16(wave, inst, lanes);
  };
}

export function binary16Exact(f: Lane2, range: Range): Handler {
  const wraps = binary16(f);
  const clamps = binary16((a, b) => saturate(f(a, b), range));
  return (wave, inst) => (inst.clamp ? clamps : wraps)(wave, inst);
}

export function ternary16Exact(f: Lane3, range: Range): Handler {
  const wraps = ternary16(f);
  const clamps = ternary16((a, b, c) => saturate(f(a, b, c), range));
  return (wave, inst) => (inst.clamp ? clamps : wraps)(wave, inst);
}

/** Collects one bit per lane and writes the mask; lanes that are not listed get 0. */
export const maskBits = { low: 0, high: 0 };

export function clearMaskBits(): void {
  maskBits.low = 0;
  maskBits.high = 0;
}

export function setMaskBit(lane: number): void {
  if (lane < 32) maskBits.low |= 1 << lane;
  else maskBits.high |= 1 << (lane - 32);
}

export function writeMaskBits(wave: Wave, code: number): void {
  writeMask(wave, code, maskBits.low, maskBits.high);
}

/** The bit of `lane` in a mask of two halves. */
export function maskBit(low: number, high: number, lane: number): number {
  return (lane < 32 ? low >>> lane : high >>> (lane - 32)) & 1;
}

export function signed24(value: number): number {
  return (value << 8) >> 8;
}

export function signed16(value: number): number {
  return (value << 16) >> 16;
}
