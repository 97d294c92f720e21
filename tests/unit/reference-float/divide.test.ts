/**
 * The division steps as compilers use them: LLVM's expansions of f32 and f64 division (div_scale, rcp, fma iterations,
 * div_fmas, div_fixup) must give the correctly rounded quotient of every pair, which only the right scales do. Then
 * v_trig_preop against published digits of 2/π, and the cube instructions against the face table.
 */
import { describe, expect, it } from 'vitest';
import { fmaF32, mulF32 } from '../../../src/main/reference/float/arithmetic-f32.ts';
import { fmaF64, mulF64 } from '../../../src/main/reference/float/arithmetic-f64.ts';
import { cubeFace, cubeMajor, cubeS, cubeT } from '../../../src/main/reference/float/cube.ts';
import {
  divFixupF16,
  divFixupF32,
  divFixupF64,
  divFmasF32,
  divFmasF64,
  divScaleF32,
  divScaleF64,
  divScaleFlag,
} from '../../../src/main/reference/float/divide.ts';
import { reciprocal, rootF32, rootF64 } from '../../../src/main/reference/float/reciprocal.ts';
import { trigPreop } from '../../../src/main/reference/float/trig-preop.ts';
import * as exact from '../../support/exact-float.ts';
import { edges, SampleSource, sample } from '../../support/float-samples.ts';
import { Differences, high, IEEE_CASE, low, result64 } from './support.ts';

const { F32, F64 } = exact;
const { control } = IEEE_CASE;
const hex = (x: bigint) => x.toString(16);

/** IEEE quotient with the NaN choices of div_fixup: numerator first. */
function quotient(f: exact.Format, a: bigint, b: bigint): bigint {
  const sign = (a ^ b) & exact.signBit(f);
  if (exact.isNan(f, a)) return exact.quiet(f, a);
  if (exact.isNan(f, b)) return exact.quiet(f, b);
  const [ai, bi, az, bz] = [exact.isInfinite(f, a), exact.isInfinite(f, b), exact.isZero(f, a), exact.isZero(f, b)];
  if ((ai && bi) || (az && bz)) return exact.defaultNan(f);
  if (ai || bz) return sign | exact.infinity(f);
  if (bi || az) return sign;
  return exact.divide(f, a, b);
}

/** The sequence of LLVM's AMDGPU target for an IEEE f32 division, f32 denormals kept. */
function divideF32(n: number, d: number): number {
  const scaledD = divScaleF32(d, d, n, control);
  const scaledN = divScaleF32(n, d, n, control);
  const flag = divScaleFlag.value;
  const minusD = (scaledD ^ 0x80000000) >>> 0;
  const estimate = rootF32(scaledD, reciprocal);
  const error = fmaF32(minusD, estimate, 0x3f800000, control);
  const inverse = fmaF32(error, estimate, estimate, control);
  const first = mulF32(scaledN, inverse, control);
  const rest = fmaF32(minusD, first, scaledN, control);
  const second = fmaF32(rest, inverse, first, control);
  const last = fmaF32(minusD, second, scaledN, control);
  return divFixupF32(divFmasF32(last, inverse, second, flag, control), d, n, control);
}

function divideF64(n: bigint, d: bigint): bigint {
  const fma = (a: bigint, b: bigint, c: bigint) => {
    fmaF64(low(a), high(a), low(b), high(b), low(c), high(c), control);
    return result64();
  };
  const one = 0x3ff0000000000000n;
  divScaleF64(low(d), high(d), low(d), high(d), low(n), high(n), control);
  const scaledD = result64();
  const minusD = scaledD ^ (1n << 63n);
  rootF64(low(scaledD), high(scaledD), reciprocal, control);
  let inverse = result64();
  inverse = fma(inverse, fma(minusD, inverse, one), inverse);
  const error = fma(minusD, inverse, one);
  divScaleF64(low(n), high(n), low(d), high(d), low(n), high(n), control);
  const scaledN = result64();
  const flag = divScaleFlag.value;
  inverse = fma(inverse, error, inverse);
  mulF64(low(scaledN), high(scaledN), low(inverse), high(inverse), control);
  const first = result64();
  const rest = fma(minusD, first, scaledN);
  divFmasF64(low(rest), high(rest), low(inverse), high(inverse), low(first), high(first), flag, control);
  const q = result64();
  divFixupF64(low(q), high(q), low(d), high(d), low(n), high(n), control);
  return result64();
}

describe('division steps', () => {
  it('divide every pair of f32 edges and 6,000 random pairs correctly', () => {
    const wrong = new Differences();
    const source = new SampleSource(41);
    const all = edges(F32);
    const pairs: [bigint, bigint][] = all.flatMap((a) => all.map((b): [bigint, bigint] => [a, b]));
    for (let i = 0; i < 6000; i++) {
      const a = sample(F32, source);
      pairs.push([a, sample(F32, source, i % 2 ? a : undefined)]);
    }
    for (const [a, b] of pairs)
      wrong.check(BigInt(divideF32(Number(a), Number(b))), quotient(F32, a, b), () => `${hex(a)} / ${hex(b)}`);
    expect(wrong.shown).toEqual([]);
  });

  it('divide every pair of f64 edges and 2,000 random pairs correctly', () => {
    const wrong = new Differences();
    const source = new SampleSource(42);
    const all = edges(F64);
    const pairs: [bigint, bigint][] = all.flatMap((a) => all.map((b): [bigint, bigint] => [a, b]));
    for (let i = 0; i < 2000; i++) {
      const a = sample(F64, source);
      pairs.push([a, sample(F64, source, i % 2 ? a : undefined)]);
    }
    for (const [a, b] of pairs) wrong.check(divideF64(a, b), quotient(F64, a, b), () => `${hex(a)} / ${hex(b)}`);
    expect(wrong.shown).toEqual([]);
  });

  it('fixes f16 special cases', () => {
    const f = (q: number, d: number, n: number) => divFixupF16(q, d, n, control);
    expect(f(0x3c00, 0, 0)).toBe(0xfe00);
    expect(f(0x3c00, 0x7c00, 0xfc00)).toBe(0xfe00);
    expect(f(0x3c00, 0x8000, 0x3c00)).toBe(0xfc00);
    expect(f(0x3c00, 0x3c00, 0xfc00)).toBe(0xfc00);
    expect(f(0x3c00, 0xfc00, 0x3c00)).toBe(0x8000);
    expect(f(0x3c00, 0x3c00, 0x7d00)).toBe(0x7f00);
    expect(f(0xbc00, 0x4000, 0x4000)).toBe(0x3c00);
    expect(f(0x3c00, 0xc000, 0x4000)).toBe(0xbc00);
  });
});

describe('trig_preop', () => {
  // 2/π after the point, 24 bits each: the table published with fdlibm's k_rem_pio2.c (Sun Microsystems, 1993).
  const WORDS = [
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb, 0xc561b7,
    0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c,
    0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11,
    0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7,
  ];
  const digits = WORDS.reduce((sum, word) => (sum << 24n) | BigInt(word), 0n);
  const total = WORDS.length * 24;

  it('gives the pieces of 2/π at their places', () => {
    for (const [exponent, segment] of [
      [1023, 0],
      [1023, 1],
      [1023, 2],
      [1077, 3],
      [1078, 0],
      [1100, 1],
      [1400, 2],
      [1967, 0],
      [1968, 0],
      [1968, 2],
    ] as const) {
      const shift = 53 * segment + Math.max(exponent - 1077, 0);
      const piece = (digits >> BigInt(total - 53 - shift)) & ((1n << 53n) - 1n);
      const place = -53 - shift + (exponent >= 1968 ? 128 : 0);
      trigPreop(exponent, segment);
      const value = exact.exactValue(F64, result64());
      expect(exact.compare(value, { n: piece, d: 1n << BigInt(-place) })).toBe(0);
    }
  });

  it('is zero past the last bit', () => {
    trigPreop(1023, 31);
    expect(result64()).toBe(0n);
  });
});

describe('cube maps', () => {
  const bits = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;
  const number = (x: number) => new Float32Array(Uint32Array.of(x).buffer)[0]!;
  it.each([
    // x, y, z, face, sc, tc, 2·ma
    [3, 1, 2, 0, -2, -1, 6],
    [-3, 1, 2, 1, 2, -1, -6],
    [1, 3, 2, 2, 1, 2, 6],
    [1, -3, 2, 3, 1, -2, -6],
    [1, 2, 3, 4, 1, -2, 6],
    [1, 2, -3, 5, -1, -2, -6],
    [2, 2, 2, 4, 2, -2, 4],
    [2, -2, 1, 3, 2, -1, -4],
  ])('(%d, %d, %d) is on face %d', (x, y, z, face, sc, tc, ma) => {
    const run = (f: typeof cubeFace) => number(f(bits(x), bits(y), bits(z), control));
    expect([run(cubeFace), run(cubeS), run(cubeT), run(cubeMajor)]).toEqual([face, sc, tc, ma]);
  });
});
