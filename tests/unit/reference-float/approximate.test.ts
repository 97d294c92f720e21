/**
 * The approximate instructions: special operands exactly, everything else within the bounds of docs/float-arithmetic.md
 * of values computed by big-integer series; reciprocals and roots correctly rounded; the integer methods of that page
 * give the same bits as the engine's.
 */
import { describe, expect, it } from 'vitest';
import { cosF32, exp2F32, log2F32, sinF32 } from '../../../src/main/reference/float/approximate.ts';
import {
  reciprocal,
  reciprocalRoot,
  rootF16,
  rootF32,
  rootF64,
  squareRoot,
  viaF32,
} from '../../../src/main/reference/float/reciprocal.ts';
import * as exact from '../../support/exact-float.ts';
import { cosTurns, exp2, log2, sinTurns } from '../../support/exact-functions.ts';
import { edges, SampleSource, sample } from '../../support/float-samples.ts';
import { CASES, Differences, high, IEEE_CASE, low, result64 } from './support.ts';

const { F16, F32, F64 } = exact;
const hex = (x: bigint | number) => x.toString(16);
const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;
const bits64Of = (value: number) => new BigUint64Array(Float64Array.of(value).buffer)[0]!;

const NAN = 0xffc00000;
const QUIET = 0x7fc12345;
const SIGNALLING = 0xffa00001;

describe('special operands', () => {
  const infinity = 0x7f800000;
  const minusInfinity = 0xff800000;
  it.each([
    ['exp2(+0)', exp2F32, 0, 0x3f800000],
    ['exp2(-0)', exp2F32, 0x80000000, 0x3f800000],
    ['exp2(denormal)', exp2F32, 0x007fffff, 0x3f800000],
    ['exp2(+inf)', exp2F32, infinity, infinity],
    ['exp2(-inf)', exp2F32, minusInfinity, 0],
    ['exp2(128)', exp2F32, bitsOf(128), infinity],
    ['exp2(below 128)', exp2F32, bitsOf(128) - 1, 0x7f7fffa7],
    ['exp2(-126)', exp2F32, bitsOf(-126), 0x00800000],
    ['exp2(below -126)', exp2F32, bitsOf(-126) + 1, 0],
    ['exp2(-200)', exp2F32, bitsOf(-200), 0],
    ['exp2(quiet NaN)', exp2F32, QUIET, QUIET],
    ['exp2(signalling NaN)', exp2F32, SIGNALLING, SIGNALLING | 0x00400000],
    ['log2(+0)', log2F32, 0, minusInfinity],
    ['log2(-0)', log2F32, 0x80000000, minusInfinity],
    ['log2(denormal)', log2F32, 0x00400000, minusInfinity],
    ['log2(-denormal)', log2F32, 0x80400000, minusInfinity],
    ['log2(-1)', log2F32, bitsOf(-1), NAN],
    ['log2(-inf)', log2F32, minusInfinity, NAN],
    ['log2(+inf)', log2F32, infinity, infinity],
    ['log2(1)', log2F32, bitsOf(1), 0],
    ['log2(quiet NaN)', log2F32, QUIET, QUIET],
    ['sin(+0)', sinF32, 0, 0],
    ['sin(-0)', sinF32, 0x80000000, 0x80000000],
    ['sin(-denormal)', sinF32, 0x80000001, 0x80000000],
    ['sin(+inf)', sinF32, infinity, NAN],
    ['sin(quiet NaN)', sinF32, QUIET, QUIET],
    ['sin(1/4)', sinF32, bitsOf(0.25), bitsOf(1)],
    ['sin(1/2)', sinF32, bitsOf(0.5), 0],
    ['sin(-1/2)', sinF32, bitsOf(-0.5), 0x80000000],
    ['sin(3/4)', sinF32, bitsOf(0.75), bitsOf(-1)],
    ['sin(-1/4)', sinF32, bitsOf(-0.25), bitsOf(-1)],
    ['sin(3)', sinF32, bitsOf(3), 0],
    ['sin(2^30)', sinF32, bitsOf(2 ** 30), 0],
    ['cos(+0)', cosF32, 0, bitsOf(1)],
    ['cos(-denormal)', cosF32, 0x80000001, bitsOf(1)],
    ['cos(1/4)', cosF32, bitsOf(0.25), 0],
    ['cos(-3/4)', cosF32, bitsOf(-0.75), 0],
    ['cos(1/2)', cosF32, bitsOf(0.5), bitsOf(-1)],
    ['cos(-inf)', cosF32, minusInfinity, NAN],
    ['cos(2^30)', cosF32, bitsOf(2 ** 30), bitsOf(1)],
  ] as const)('%s', (_name, f, operand, expected) => {
    expect(hex(f(operand))).toBe(hex(expected >>> 0));
  });

  it('gives reciprocals and roots of zeros, infinities and negatives', () => {
    const table: [number, number, number, number][] = [
      // operand, rcp, sqrt, rsq
      [0, infinity, 0, infinity],
      [0x80000000, minusInfinity, 0x80000000, minusInfinity],
      [0x00000001, infinity, 0, infinity],
      [0x80400000, minusInfinity, 0x80000000, minusInfinity],
      [infinity, 0, infinity, 0],
      [minusInfinity, 0x80000000, NAN, NAN],
      [bitsOf(-4), bitsOf(-0.25), NAN, NAN],
      [bitsOf(4), bitsOf(0.25), bitsOf(2), bitsOf(0.5)],
      // 1 / 2^127 is denormal: flushed.
      [0x7f000000, 0, 0x5f3504f3, 0x1fb504f3],
      [SIGNALLING, SIGNALLING | 0x00400000, SIGNALLING | 0x00400000, SIGNALLING | 0x00400000],
    ];
    for (const [operand, rcp, sqrt, rsq] of table)
      expect([reciprocal, squareRoot, reciprocalRoot].map((f) => hex(rootF32(operand, f)))).toEqual(
        [rcp, sqrt, rsq].map((x) => hex(x >>> 0)),
      );
  });
});

/** Normal operands whose results are normal numbers too. */
function normals(seed: number, count: number, lowest: number, highest: number, negative: boolean): bigint[] {
  const source = new SampleSource(seed);
  return Array.from({ length: count }, () => {
    const exponent = lowest + source.below(highest - lowest + 1);
    const sign = negative && source.below(2) ? 0x80000000n : 0n;
    return sign | (BigInt(exponent + 127) << 23n) | source.bits(23);
  });
}

describe('accuracy', () => {
  const functions: [string, (x: number) => number, (x: exact.Rational) => exact.Rational, bigint[]][] = [
    ['exp2', exp2F32, exp2, normals(31, 1500, -26, 6, true)],
    ['log2', log2F32, log2, [...normals(32, 1000, -126, 127, false), ...normals(33, 1000, -2, 0, false)]],
    ['sin', sinF32, sinTurns, normals(34, 1500, -60, 22, true)],
    ['cos', cosF32, cosTurns, normals(35, 1500, -20, 22, true)],
  ];
  it.each(functions)('%s is within 0.53 ulp', (_name, f, exactly, operands) => {
    let worst = 0;
    const bad: string[] = [];
    for (const x of operands) {
      const value = exactly(exact.exactValue(F32, x));
      const result = BigInt(f(Number(x)));
      const magnitude = value.n < 0n ? -value.n : value.n;
      // Results below 2^−126 are flushed; at exact zeros (half turns) the series leaves a remainder near 2^−250.
      if (magnitude << 126n < value.d) {
        if (!exact.isZero(F32, result)) bad.push(`${hex(x)} → ${hex(result)}, not zero`);
        continue;
      }
      const error = exact.errorInUlps(F32, result, value);
      worst = Math.max(worst, error);
      if (!(error <= 0.53)) bad.push(`${hex(x)} → ${hex(result)}: ${error} ulp`);
    }
    expect(bad.slice(0, 5)).toEqual([]);
    expect(worst).toBeGreaterThan(0.4);
  });

  it('is exact for integer powers and powers of two', () => {
    for (let n = -126; n < 128; n++) {
      const power = ((n + 127) << 23) >>> 0;
      expect(exp2F32(bitsOf(n))).toBe(power);
      expect(log2F32(power)).toBe(bitsOf(n));
    }
  });

  it('rounds reciprocals and roots of f32 correctly', () => {
    const wrong = new Differences();
    const one = exact.exactValue(F32, 0x3f800000n);
    for (const x of [...normals(36, 1500, -126, 126, false), 0x3f7fffffn, 0x3f800001n, 0x3fffffffn, 0x00800000n]) {
      const value = exact.exactValue(F32, x);
      const at = Number(x);
      const rcp = exact.flush(F32, exact.roundValue(F32, exact.over(one, value), 'nearest'));
      wrong.check(BigInt(rootF32(at, reciprocal)), rcp, () => `rcp ${hex(x)}`);
      wrong.check(BigInt(rootF32(at, squareRoot)), exact.squareRoot(F32, value), () => `sqrt ${hex(x)}`);
      const rsq = exact.squareRoot(F32, exact.over(one, value));
      wrong.check(BigInt(rootF32(at, reciprocalRoot)), rsq, () => `rsq ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });

  it('rounds reciprocals and roots of every f16 correctly', () => {
    const wrong = new Differences();
    const control = IEEE_CASE.control;
    const one = exact.integer(1);
    for (let x = 1n; x < 0x7c00n; x++) {
      const value = exact.exactValue(F16, x);
      const rcp = exact.roundValue(F16, exact.over(one, value), 'nearest');
      wrong.check(BigInt(rootF16(Number(x), reciprocal, control)), rcp, () => `rcp ${hex(x)}`);
      if (x % 7n !== 0n) continue;
      const sqrt = exact.squareRoot(F16, value);
      wrong.check(BigInt(rootF16(Number(x), squareRoot, control)), sqrt, () => `sqrt ${hex(x)}`);
      const rsq = exact.squareRoot(F16, exact.over(one, value));
      wrong.check(BigInt(rootF16(Number(x), reciprocalRoot, control)), rsq, () => `rsq ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });

  it('gives the same f16 reciprocals and roots by way of f32', () => {
    const wrong = new Differences();
    for (const f of [reciprocal, squareRoot, reciprocalRoot])
      for (let x = 0; x < 65536; x++)
        for (const { control } of [CASES[0]!, IEEE_CASE])
          wrong.check(
            BigInt(viaF32(x, (y) => rootF32(y, f), control)),
            BigInt(rootF16(x, f, control)),
            () => `${f.name} ${hex(x)}`,
          );
    expect(wrong.shown).toEqual([]);
  });

  it('keeps f16 powers, logarithms and sines within 0.55 ulp', () => {
    const control = IEEE_CASE.control;
    const bad: string[] = [];
    const check = (name: string, x: bigint, f: (x: number) => number, value: exact.Rational) => {
      const result = BigInt(viaF32(Number(x), f, control));
      if (exact.isInfinite(F16, result)) {
        if (exact.compare(value, exact.integer(65519)) < 0) bad.push(`${name} ${hex(x)} overflows`);
        return;
      }
      const error = exact.errorInUlps(F16, result, value);
      if (!(error <= 0.55)) bad.push(`${name} ${hex(x)} → ${hex(result)}: ${error}`);
    };
    for (let x = 1n; x < 0x7c00n; x += 29n) {
      const value = exact.exactValue(F16, x);
      if (exact.compare(value, exact.integer(20)) < 0) {
        check('exp', x, exp2F32, exp2(value));
        check('exp', x | 0x8000n, exp2F32, exp2(exact.minus(value)));
      }
      if (x !== 0x3c00n) check('log', x, log2F32, log2(value));
      if (
        exact.compare(value, exact.integer(256)) < 0 &&
        exact.toInteger(exact.times(value, exact.integer(4)), 'down') * value.d !== 4n * value.n
      ) {
        check('sin', x, sinF32, sinTurns(value));
        check('cos', x, cosF32, cosTurns(value));
      }
    }
    expect(bad.slice(0, 5)).toEqual([]);
  });

  it('rounds f64 reciprocals and square roots correctly, reciprocal roots within 1 ulp', () => {
    const wrong = new Differences();
    const one = exact.integer(1);
    const source = new SampleSource(37);
    const samples = [...edges(F64), ...Array.from({ length: 300 }, () => sample(F64, source))];
    for (const x of samples.map((y) => y & ~exact.signBit(F64))) {
      if (exact.isNan(F64, x) || exact.isInfinite(F64, x) || exact.isZero(F64, x)) continue;
      const value = exact.exactValue(F64, x);
      const run = (f: (x: number) => number) => {
        rootF64(low(x), high(x), f, IEEE_CASE.control);
        return result64();
      };
      wrong.check(run(reciprocal), exact.roundValue(F64, exact.over(one, value), 'nearest'), () => `rcp ${hex(x)}`);
      wrong.check(run(squareRoot), exact.squareRoot(F64, value), () => `sqrt ${hex(x)}`);
      const distance = run(reciprocalRoot) - exact.squareRoot(F64, exact.over(one, value));
      if (distance < -1n || distance > 1n) wrong.check(distance, 0n, () => `rsq ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });

  it('flushes f64 and f16 denormals by MODE', () => {
    const { control } = CASES[0]!;
    rootF64(1, 0, reciprocal, control);
    expect(result64()).toBe(0x7ff0000000000000n);
    rootF64(0, 0x7fe80000, reciprocal, control);
    expect(result64()).toBe(0n);
    rootF64(0, 0x7fe80000, reciprocal, IEEE_CASE.control);
    expect(result64()).toBe(bits64Of(1 / (1.5 * 2 ** 1023)));
    expect(rootF16(1, squareRoot, control)).toBe(0);
    expect(viaF32(1, log2F32, control)).toBe(0xfc00);
    expect(viaF32(1, log2F32, IEEE_CASE.control)).toBe(0xce00);
  });
});

describe('integer methods of docs/float-arithmetic.md', () => {
  /** floor of the square root by digits. */
  function digits(x: bigint): bigint {
    let q = 0n;
    for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((q + bit) * (q + bit) <= x) q += bit;
    return q;
  }
  function assemble(q: bigint, exponent: number): number {
    // q · 2^(exponent − 23) with a 24-bit q, or 2^24.
    return Number((BigInt(exponent + 127) << 23n) + (q - 0x800000n));
  }

  it('agrees with the engine', () => {
    const wrong = new Differences();
    for (const x of [...normals(38, 3000, -124, 124, false), 0x3f800000n, 0x40000000n, 0x3f800001n, 0x3fffffffn]) {
      const m = (x & 0x7fffffn) | 0x800000n;
      const e = Number(x >> 23n) - 127;
      let q = (1n << 47n) / m;
      const rest = (1n << 47n) - q * m;
      if (m !== 0x800000n && 2n * rest >= m) q += 1n;
      const rcp = m === 0x800000n ? assemble(0x800000n, -e) : assemble(q, -e - 1);
      wrong.check(BigInt(rootF32(Number(x), reciprocal)), BigInt(rcp), () => `rcp ${hex(x)}`);

      const odd = (e & 1) !== 0;
      const radicand = m << (odd ? 24n : 23n);
      let root = digits(radicand);
      if (radicand - root * root > root) root += 1n;
      const sqrt = assemble(root, Math.floor(e / 2));
      wrong.check(BigInt(rootF32(Number(x), squareRoot)), BigInt(sqrt), () => `sqrt ${hex(x)}`);

      const d = odd ? 2n * m : m;
      const h = Math.floor(e / 2);
      let r = digits((1n << 71n) / d);
      if ((2n * r + 1n) ** 2n * d <= 1n << 73n) r += 1n;
      const rsq = assemble(r, -h - 1);
      wrong.check(BigInt(rootF32(Number(x), reciprocalRoot)), BigInt(rsq), () => `rsq ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });
});
