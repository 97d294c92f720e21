/**
 * Short cuts for tests that run a few instructions: bits of numbers, and lane 0 of the results.
 */
import { expect } from 'vitest';
import * as exact from '../../support/exact-float.ts';
import { run, type Snippet } from '../reference/run-snippet.ts';

export const bits = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;
export const bits64 = (value: number) => new BigUint64Array(Float64Array.of(value).buffer)[0]!;
export const half = (value: number) => Number(exact.convert(exact.F64, exact.F16, bits64(value), 'nearest'));
export const pair = (low: number, high: number) => (half(low) | (half(high) << 16)) >>> 0;
export const hex = (x: number) => x.toString(16).padStart(8, '0');

/** MODE with all denormals kept, nearest even. */
export const MODE_KEEP = 0xf0;

/** Runs lines that write v10, v11, …; gives lane 0 of each as hexadecimal. */
export function results(text: string, v: Snippet['v'], more: Partial<Snippet> = {}): string[] {
  const outcome = run({ mode: MODE_KEEP, ...more, text, ...(v ? { v } : {}) });
  expect(outcome.result.status).toBe('completed');
  const count = text.trim().split('\n').length;
  return Array.from({ length: count }, (_, i) => hex(outcome.v(10 + i)[0]!));
}
