/**
 * Runs the engine's float functions on bigint bits, so that one test body serves f16, f32 and f64, and compares them with
 * the exact model of tests/support/exact-float.ts.
 */
import * as half from '../../../src/main/reference/float/arithmetic-f16.ts';
import * as single from '../../../src/main/reference/float/arithmetic-f32.ts';
import * as double from '../../../src/main/reference/float/arithmetic-f64.ts';
import { type FloatControl, floatControl } from '../../../src/main/reference/float/float-control.ts';
import { OUT64 } from '../../../src/main/reference/float/scratch.ts';
import { F16, F32, F64, type Format, type Mode, ROUND_MODES } from '../../support/exact-float.ts';

export interface Case {
  readonly mode: Mode;
  readonly control: FloatControl;
}

/** All 16 combinations of round and denormal modes. */
export const CASES: readonly Case[] = ROUND_MODES.flatMap((round, r) =>
  [0, 1, 2, 3].map((denormals) => ({
    mode: { round, flushIn: (denormals & 1) === 0, flushOut: (denormals & 2) === 0 },
    control: floatControl(r, denormals),
  })),
);

export const IEEE_CASE = CASES[3]!;

export function low(x: bigint): number {
  return Number(x & 0xffffffffn);
}

export function high(x: bigint): number {
  return Number(x >> 32n);
}

export function result64(): bigint {
  return (BigInt(OUT64[1]!) << 32n) | BigInt(OUT64[0]!);
}

export interface Engine {
  readonly format: Format;
  add(a: bigint, b: bigint, control: FloatControl): bigint;
  mul(a: bigint, b: bigint, control: FloatControl): bigint;
  fma(a: bigint, b: bigint, c: bigint, control: FloatControl): bigint;
  min(a: bigint, b: bigint, control: FloatControl, ieee: boolean): bigint;
  max(a: bigint, b: bigint, control: FloatControl, ieee: boolean): bigint;
}

export const ENGINES: readonly Engine[] = [
  {
    format: F16,
    add: (a, b, m) => BigInt(half.addF16(Number(a), Number(b), m)),
    mul: (a, b, m) => BigInt(half.mulF16(Number(a), Number(b), m)),
    fma: (a, b, c, m) => BigInt(half.fmaF16(Number(a), Number(b), Number(c), m)),
    min: (a, b, m, ieee) => BigInt(half.minF16(Number(a), Number(b), m, ieee)),
    max: (a, b, m, ieee) => BigInt(half.maxF16(Number(a), Number(b), m, ieee)),
  },
  {
    format: F32,
    add: (a, b, m) => BigInt(single.addF32(Number(a), Number(b), m)),
    mul: (a, b, m) => BigInt(single.mulF32(Number(a), Number(b), m)),
    fma: (a, b, c, m) => BigInt(single.fmaF32(Number(a), Number(b), Number(c), m)),
    min: (a, b, m, ieee) => BigInt(single.minF32(Number(a), Number(b), m, ieee)),
    max: (a, b, m, ieee) => BigInt(single.maxF32(Number(a), Number(b), m, ieee)),
  },
  {
    format: F64,
    add: (a, b, m) => {
      double.addF64(low(a), high(a), low(b), high(b), m);
      return result64();
    },
    mul: (a, b, m) => {
      double.mulF64(low(a), high(a), low(b), high(b), m);
      return result64();
    },
    fma: (a, b, c, m) => {
      double.fmaF64(low(a), high(a), low(b), high(b), low(c), high(c), m);
      return result64();
    },
    min: (a, b, m, ieee) => {
      double.minF64(low(a), high(a), low(b), high(b), m, ieee);
      return result64();
    },
    max: (a, b, m, ieee) => {
      double.maxF64(low(a), high(a), low(b), high(b), m, ieee);
      return result64();
    },
  },
];

/** Collects differences, so that a failing run shows the first few and their number instead of one. */
export class Differences {
  count = 0;
  readonly shown: string[] = [];

  check(actual: bigint, expected: bigint, describe: () => string): void {
    if (actual === expected) return;
    this.count++;
    if (this.shown.length < 5)
      this.shown.push(`${describe()}: got ${actual.toString(16)}, exact ${expected.toString(16)}`);
  }
}
