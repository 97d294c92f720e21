/**
 * f32 arithmetic as the listings show it. FLOAT_MODE 0xC0: f32 denormals flushed in sources and results, f16 denormals
 * kept, nearest even.
 *
 * fma(x, y, x): v_mad_f32 (product rounded) before gfx10.3, v_fma_f32 (fused) from there on. x / y: v_rcp_f32 and
 * v_mul_f32. sin: times 0.15915494 in f32, on gfx7 the fraction of that, then v_sin_f32 (turns).
 * The manual promises rcp, sqrt, rsq, exp and log to 1 ulp: these words hold the correctly rounded value of the exact
 * function with an exception. Zero by flushing and infinity by overflow are exact. The exact functions are power series in
 * big integers.
 */
import type { ExpectationException } from '../../../src/main/capture/format/model.ts';
import {
  add,
  compare,
  convert,
  divide,
  exactValue,
  F16,
  F32,
  flush,
  fma,
  integer,
  isDenormal,
  isInfinite,
  isNegative,
  isZero,
  type Mode,
  magnitudeOf,
  mul,
  over,
  plus,
  type Rational,
  roundValue,
  signBit,
  squareRoot,
  times,
  toInteger,
} from '../../../tests/support/exact-float.ts';
import { exp2, log2, sinTurns } from '../../../tests/support/exact-functions.ts';
import type { KernelScript } from './expected-buffers.ts';
import type { RadvSample } from './sample.ts';

const MODE: Mode = { round: 'nearest', flushIn: true, flushOut: true };
const ONE = 0x3f800000n;
/** f32 nearest to 1 / 2π. */
const INVERSE_TURN = 0x3e22f983n;
const WORDS = 12;

interface Word {
  readonly bits: bigint;
  /** Absent: exact. */
  readonly bound?: number;
  readonly reason?: string;
}

const exact = (bits: bigint | number): Word => ({ bits: BigInt(bits) });

export const fp32Math: KernelScript = (sample) => {
  const a = sample.before[0]![0]!;
  const b = sample.before[0]![1]!.slice();
  const exceptions: ExpectationException[] = [];
  for (let i = 0; i < a.length / 2; i++) {
    results(BigInt(a[2 * i]!), BigInt(a[2 * i + 1]!), sample).forEach(({ bits, bound, reason }, k) => {
      const firstWord = WORDS * i + k;
      b[firstWord] = Number(bits);
      if (bound !== undefined)
        exceptions.push({ firstWord, words: 1, type: 'f32', bound, reason: `fp32_math: ${reason}` });
    });
  }
  return { '0.1': { words: b, source: 'f32 instructions by definition', exceptions } };
};

/** x and y are normal numbers in the samples; NaN, infinities and zeros are not modelled. */
function results(x: bigint, y: bigint, { family }: RadvSample): Word[] {
  for (const v of [x, y])
    if (isZero(F32, v) || isDenormal(F32, v) || magnitudeOf(F32, v) >= 0x7f800000n)
      throw new Error(`0x${v.toString(16)} is no normal number: this script does not model it`);
  const fused = family === 'navi21';
  const turns = mul(F32, x, INVERSE_TURN, MODE);
  return [
    exact(fused ? fma(F32, x, y, x, MODE) : add(F32, mul(F32, x, y, MODE), x, MODE)),
    quotient(x, y),
    { bits: squareRoot(F32, exactValue(F32, magnitudeOf(F32, x))), bound: 1, reason: 'v_sqrt_f32 (1 ulp)' },
    approximate(
      sinTurns(exactValue(F32, family === 'bonaire' ? fract(turns) : turns)),
      'v_sin_f32, no error stated (1 ulp)',
    ),
    approximate(exp2(exactValue(F32, y)), 'v_exp_f32 (1 ulp)'),
    approximate(log2(exactValue(F32, magnitudeOf(F32, x))), 'v_log_f32 (1 ulp)'),
    {
      bits: squareRoot(F32, over(integer(1), exactValue(F32, magnitudeOf(F32, y)))),
      bound: 1,
      reason: 'v_rsq_f32 (1 ulp)',
    },
    exact(fract(x)),
    exact(isNegative(F32, x) ? 0 : x < ONE ? x : ONE),
    exact(round(times(exactValue(F32, x), integer(8)))),
    exact(half(x) | (half(y) << 16n)),
    exact(round(integer(highestBit(x) + bitCount(y)))),
  ];
}

function round(v: Rational): bigint {
  return v.n === 0n ? 0n : flush(F32, roundValue(F32, v, 'nearest'));
}

/** Zero (flushed) and infinity follow from the rule of the instruction, not from its accuracy: exact. */
function approximate(v: Rational, reason: string): Word {
  const bits = round(v);
  return isZero(F32, bits) || isInfinite(F32, bits) ? exact(bits) : { bits, bound: 1, reason };
}

/** The product with each reciprocal that the manual allows; the bound is the farthest from the exact quotient. */
function quotient(x: bigint, y: bigint): Word {
  const bits = flush(F32, divide(F32, x, y));
  const reciprocal = divide(F32, ONE, y);
  const products = [-1n, 0n, 1n].map((step) => mul(F32, x, reciprocal + step, MODE));
  const far = products.map((p) => Math.abs(Number(p - bits)));
  return { bits, bound: Math.max(...far), reason: 'x / y as x · v_rcp_f32(y) (1 ulp)' };
}

/** v_fract_f32: x − floor(x), below 1. */
function fract(x: bigint): bigint {
  const value = exactValue(F32, x);
  const rest = plus(value, integer(-toInteger(value, 'down')));
  const bits = round(rest);
  return compare(exactValue(F32, bits), integer(1)) >= 0 ? ONE - 1n : bits;
}

/** v_cvt_pkrtz_f16_f32, one half. */
function half(x: bigint): bigint {
  return convert(F32, F16, x, 'zero', true) & ((signBit(F16) << 1n) - 1n);
}

/** findMSB of a nonzero number. */
function highestBit(x: bigint): bigint {
  return BigInt(x.toString(2).length - 1);
}

function bitCount(x: bigint): bigint {
  return BigInt([...x.toString(2)].filter((digit) => digit === '1').length);
}
