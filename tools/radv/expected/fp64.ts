/**
 * f64 arithmetic. FLOAT_MODE 0xC0: f64 denormals kept, f32 denormals flushed, nearest even.
 *
 * Both compilers expand x / y and sqrt(x) the same way: an f32 reciprocal (root) of the mantissa, v_rcp_f32 or v_rsq_f32,
 * refined by fused steps. The manual promises that start to 1 ulp, all later steps are exact by definition. So the
 * expansion is evaluated for every start that the manual allows: where all agree the word is exact, elsewhere the
 * expected word is the correctly rounded value and the exception's bound is the farthest that was found.
 */
import type { ExpectationException } from '../../../src/main/capture/format/model.ts';
import { fma as exactFma, F64 } from '../../../tests/support/exact-float.ts';
import { bitsOfF32, bitsOfF64, f32OfBits, f64OfBits, orderOfF64 } from './double-bits.ts';
import type { KernelScript } from './expected-buffers.ts';

/** Doubles per invocation in the output. */
const RESULTS = 8;

export const fp64: KernelScript = ({ before }) => {
  const a = new Float64Array(before[0]![0]!.slice().buffer);
  const b = new Float64Array(before[0]![1]!.slice().buffer);
  const exceptions: ExpectationException[] = [];
  const put = (index: number, candidates: readonly number[], rounded: number, reason: string): void => {
    if (candidates.every((c) => Object.is(c, candidates[0]))) {
      b[index] = candidates[0]!;
      return;
    }
    b[index] = rounded;
    const far = candidates.map((c) => Number(orderOfF64(c) - orderOfF64(rounded))).map(Math.abs);
    exceptions.push({ firstWord: 2 * index, words: 2, type: 'f64', bound: Math.max(...far), reason });
  };
  for (let i = 0; i < a.length / 2; i++) {
    const [x, y] = [a[2 * i]!, a[2 * i + 1]!];
    const q = RESULTS * i;
    b[q] = x + y;
    b[q + 1] = x * y;
    b[q + 2] = fma(x, y, x);
    put(q + 3, quotients(x, y), x / y, 'fp64: x / y by refined v_rcp_f32 (1 ulp)');
    put(q + 4, squareRoots(Math.abs(x)), Math.sqrt(Math.abs(x)), 'fp64: sqrt by refined v_rsq_f32 (1 ulp)');
    b[q + 5] = Math.floor(x);
    b[q + 6] = flushedF32(x);
    // int(y) converted back became v_trunc_f64.
    b[q + 7] = Math.min(x, y) + Math.trunc(y);
  }
  return { '0.1': { words: new Uint32Array(b.buffer), source: 'f64 instructions by definition', exceptions } };
};

function fma(x: number, y: number, z: number): number {
  const mode = { round: 'nearest', flushIn: false, flushOut: false } as const;
  return f64OfBits(exactFma(F64, bitsOfF64(x), bitsOfF64(y), bitsOfF64(z), mode));
}

/** v_cvt_f32_f64, as a number. */
function flushedF32(x: number): number {
  const single = Math.fround(x);
  return Math.abs(single) < 2 ** -126 ? Math.sign(single) * 0 : single;
}

/** x = significand · 2^exponent, 1 ≤ |significand| < 2. The samples hold normal numbers only. */
function split(x: number): { readonly significand: number; readonly exponent: number } {
  const field = Number((bitsOfF64(x) >> 52n) & 0x7ffn);
  if (field === 0 || field === 0x7ff) throw new Error(`${x} is no normal number: this script does not model it`);
  return { significand: x / 2 ** (field - 1023), exponent: field - 1023 };
}

/** All f32 within one unit of the exact value. */
function within1Ulp(exact: number): number[] {
  const middle = bitsOfF32(Math.fround(exact));
  return [middle - 1, middle, middle + 1].map(f32OfBits);
}

/** r0 ≈ 1/y; twice r = r − r·(r·y − 1); x·r. */
function quotients(x: number, y: number): number[] {
  const { significand, exponent } = split(y);
  return within1Ulp(1 / Math.fround(significand)).map((start) => {
    let r = start * 2 ** -exponent;
    for (let step = 0; step < 2; step++) r = fma(-r, fma(r, y, -1), r);
    return x * r;
  });
}

/** Goldschmidt: h ≈ 1/(2√x), g ≈ √x, both refined once, then g + h·(x − g²). */
function squareRoots(x: number): number[] {
  const { significand, exponent } = split(x);
  const argument = Math.fround(significand * 2 ** (exponent & 1));
  return within1Ulp(1 / Math.sqrt(argument)).map((start) => {
    const r = start * 2 ** -(exponent >> 1);
    const h = 0.5 * r;
    const g = x * r;
    const d = fma(-h, g, 0.5);
    const h1 = fma(h, d, h);
    const g1 = fma(g, d, g);
    return fma(h1, fma(-g1, g1, x), g1);
  });
}
