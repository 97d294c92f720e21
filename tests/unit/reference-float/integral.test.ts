/**
 * Integral rounding, fract, ldexp, frexp, compare and class of f16, f32, f64 against exact rationals.
 */
import { describe, expect, it } from 'vitest';
import * as compare from '../../../src/main/reference/float/compare.ts';
import type { FloatControl } from '../../../src/main/reference/float/float-control.ts';
import * as integral from '../../../src/main/reference/float/integral.ts';
import * as scale from '../../../src/main/reference/float/scale.ts';
import * as exact from '../../support/exact-float.ts';
import { edges, SampleSource, sample } from '../../support/float-samples.ts';
import { CASES, Differences, high, low, result64 } from './support.ts';

const hex = (x: bigint) => x.toString(16);

interface Functions {
  readonly format: exact.Format;
  integral(x: bigint, rounder: integral.Rounder, control: FloatControl): bigint;
  fract(x: bigint, control: FloatControl): bigint;
  ldexp(x: bigint, n: number, control: FloatControl): bigint;
  exponent(x: bigint, control: FloatControl): number;
  significand(x: bigint, control: FloatControl): bigint;
  relation(a: bigint, b: bigint, control: FloatControl): number;
  classify(x: bigint): number;
}

const ALL: readonly Functions[] = [
  {
    format: exact.F16,
    integral: (x, r, m) => BigInt(integral.integralF16(Number(x), r, m)),
    fract: (x, m) => BigInt(integral.fractF16(Number(x), m)),
    ldexp: (x, n, m) => BigInt(scale.ldexpF16(Number(x), n, m)),
    exponent: (x, m) => scale.frexpExponentF16(Number(x), m),
    significand: (x, m) => BigInt(scale.frexpSignificandF16(Number(x), m)),
    relation: (a, b, m) => compare.relationF16(Number(a), Number(b), m),
    classify: (x) => compare.classifyF16(Number(x)),
  },
  {
    format: exact.F32,
    integral: (x, r, m) => BigInt(integral.integralF32(Number(x), r, m)),
    fract: (x, m) => BigInt(integral.fractF32(Number(x), m)),
    ldexp: (x, n, m) => BigInt(scale.ldexpF32(Number(x), n, m)),
    exponent: (x, m) => scale.frexpExponentF32(Number(x), m),
    significand: (x, m) => BigInt(scale.frexpSignificandF32(Number(x), m)),
    relation: (a, b, m) => compare.relationF32(Number(a), Number(b), m),
    classify: (x) => compare.classifyF32(Number(x)),
  },
  {
    format: exact.F64,
    integral: (x, r, m) => {
      integral.integralF64(low(x), high(x), r, m);
      return result64();
    },
    fract: (x, m) => {
      integral.fractF64(low(x), high(x), m);
      return result64();
    },
    ldexp: (x, n, m) => {
      scale.ldexpF64(low(x), high(x), n, m);
      return result64();
    },
    exponent: (x, m) => scale.frexpExponentF64(low(x), high(x), m),
    significand: (x, m) => {
      scale.frexpSignificandF64(low(x), high(x), m);
      return result64();
    },
    relation: (a, b, m) => compare.relationF64(low(a), high(a), low(b), high(b), m),
    classify: (x) => compare.classifyF64(low(x), high(x)),
  },
];

const ROUNDERS: readonly [exact.RoundMode, integral.Rounder][] = [
  ['zero', Math.trunc],
  ['down', Math.floor],
  ['up', Math.ceil],
  ['nearest', integral.rndne],
];

/** Numbers with fractions: where rounding to an integer has something to do. */
function fractional(f: exact.Format, source: SampleSource, count: number): bigint[] {
  const bias = (1 << (f.exponentBits - 1)) - 1;
  return Array.from({ length: count }, () => {
    const exponent = BigInt(bias - 3 + source.below(f.mantissaBits + 5));
    const sign = BigInt(source.below(2)) << BigInt(f.bits - 1);
    const keep = BigInt(source.below(f.mantissaBits + 1));
    return sign | (exponent << BigInt(f.mantissaBits)) | ((source.bits(f.mantissaBits) >> keep) << keep);
  });
}

for (const functions of ALL) {
  const f = functions.format;
  describe(`${f.name} integral values and scales`, () => {
    const source = new SampleSource(21);
    const all = [...edges(f), ...fractional(f, source, 300), ...Array.from({ length: 200 }, () => sample(f, source))];

    it('rounds to integers, keeping the sign of zero', () => {
      const wrong = new Differences();
      for (const { mode, control } of CASES.slice(0, 4))
        for (const [round, rounder] of ROUNDERS)
          for (const x0 of all) {
            const x = mode.flushIn ? exact.flush(f, x0) : x0;
            let expected = x;
            if (exact.isNan(f, x)) expected = exact.quiet(f, x);
            else if (!exact.isInfinite(f, x)) {
              const value = exact.toInteger(exact.exactValue(f, x), round);
              expected = value === 0n ? x & exact.signBit(f) : exact.roundValue(f, exact.integer(value), 'nearest');
            }
            wrong.check(functions.integral(x0, rounder, control), expected, () => `${round} ${hex(x0)}`);
          }
      expect(wrong.shown).toEqual([]);
    });

    it('takes fract below 1', () => {
      const wrong = new Differences();
      const one = exact.roundValue(f, exact.integer(1), 'nearest');
      for (const { mode, control } of CASES)
        for (const x0 of all) {
          const x = mode.flushIn ? exact.flush(f, x0) : x0;
          let expected: bigint;
          if (exact.isNan(f, x)) expected = exact.quiet(f, x);
          else if (exact.isInfinite(f, x)) expected = exact.defaultNan(f);
          else {
            const value = exact.exactValue(f, x);
            const rest = exact.plus(value, exact.minus(exact.integer(exact.toInteger(value, 'down'))));
            if (rest.n === 0n) expected = mode.round === 'down' ? exact.signBit(f) : 0n;
            else {
              expected = exact.roundValue(f, rest, mode.round);
              if (expected >= one) expected = one - 1n;
              if (mode.flushOut) expected = exact.flush(f, expected);
            }
          }
          wrong.check(functions.fract(x0, control), expected, () => `${hex(x0)} ${JSON.stringify(mode)}`);
        }
      expect(wrong.shown).toEqual([]);
    });

    it('multiplies by powers of two with one rounding', () => {
      const wrong = new Differences();
      const range = 1 << f.exponentBits;
      const steps = [
        0,
        1,
        -1,
        5,
        -f.mantissaBits,
        range / 2,
        -range / 2,
        range - 3,
        -range,
        2 * range,
        -2 * range,
        32767,
        -32768,
      ];
      for (const { mode, control } of f.name === 'f64' ? CASES.filter((_, i) => i % 3 === 0) : CASES)
        for (const x0 of all.slice(0, 140))
          for (const n of steps) {
            const x = mode.flushIn ? exact.flush(f, x0) : x0;
            let expected = x;
            if (exact.isNan(f, x)) expected = exact.quiet(f, x);
            else if (!exact.isInfinite(f, x) && !exact.isZero(f, x)) {
              const power = n >= 0 ? { n: 1n << BigInt(n), d: 1n } : { n: 1n, d: 1n << BigInt(-n) };
              expected = exact.roundValue(f, exact.times(exact.exactValue(f, x), power), mode.round);
              if (mode.flushOut) expected = exact.flush(f, expected);
            }
            wrong.check(functions.ldexp(x0, n, control), expected, () => `${hex(x0)} ${n} ${JSON.stringify(mode)}`);
          }
      expect(wrong.shown).toEqual([]);
    });

    it('splits into significand and exponent', () => {
      for (const { mode, control } of CASES.slice(0, 4))
        for (const x0 of all) {
          const x = mode.flushIn ? exact.flush(f, x0) : x0;
          const significand = functions.significand(x0, control);
          const exponent = functions.exponent(x0, control);
          if (exact.isNan(f, x)) expect([significand, exponent]).toEqual([exact.quiet(f, x), 0]);
          else if (exact.isInfinite(f, x) || exact.isZero(f, x)) expect([significand, exponent]).toEqual([x, 0]);
          else {
            const s = exact.exactValue(f, significand);
            const magnitude = s.n < 0n ? exact.minus(s) : s;
            expect(exact.compare(magnitude, { n: 1n, d: 2n })).toBeGreaterThanOrEqual(0);
            expect(exact.compare(magnitude, exact.integer(1))).toBe(-1);
            const power = exponent >= 0 ? { n: 1n << BigInt(exponent), d: 1n } : { n: 1n, d: 1n << BigInt(-exponent) };
            expect(exact.compare(exact.times(s, power), exact.exactValue(f, x))).toBe(0);
          }
        }
    });

    it('compares and classifies', () => {
      const wrong = new Differences();
      const big = exact.integer(1n << 3000n);
      const value = (x: bigint) =>
        exact.isInfinite(f, x) ? (exact.isNegative(f, x) ? exact.minus(big) : big) : exact.exactValue(f, x);
      for (const { mode, control } of [CASES[0]!, CASES[3]!])
        for (const a0 of edges(f))
          for (const b0 of edges(f)) {
            const a = mode.flushIn ? exact.flush(f, a0) : a0;
            const b = mode.flushIn ? exact.flush(f, b0) : b0;
            const unordered = exact.isNan(f, a) || exact.isNan(f, b);
            const expected = unordered ? 8 : [1, 2, 4][exact.compare(value(a), value(b)) + 1]!;
            wrong.check(BigInt(functions.relation(a0, b0, control)), BigInt(expected), () => `${hex(a0)} ${hex(b0)}`);
          }
      for (const x of all) {
        const negative = exact.isNegative(f, x);
        let bit: number;
        if (exact.isNan(f, x)) bit = (x & exact.quietBit(f)) !== 0n ? 1 : 0;
        else if (exact.isInfinite(f, x)) bit = negative ? 2 : 9;
        else if (exact.isZero(f, x)) bit = negative ? 5 : 6;
        else if (exact.isDenormal(f, x)) bit = negative ? 4 : 7;
        else bit = negative ? 3 : 8;
        wrong.check(BigInt(functions.classify(x)), 1n << BigInt(bit), () => `class ${hex(x)}`);
      }
      expect(wrong.shown).toEqual([]);
    });
  });
}
