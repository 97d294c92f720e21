/**
 * Conversions against exact rationals: edge operands and seeded random ones in every round and denormal mode.
 */
import { describe, expect, it } from 'vitest';
import * as convert from '../../../src/main/reference/float/convert.ts';
import { floatControl } from '../../../src/main/reference/float/float-control.ts';
import * as exact from '../../support/exact-float.ts';
import { edges, SampleSource, sample } from '../../support/float-samples.ts';
import { CASES, Differences, high, IEEE_CASE, low, result64 } from './support.ts';

const { F16, F32, F64 } = exact;
const hex = (x: bigint) => x.toString(16);

function operands(f: exact.Format, count: number, seed: number): bigint[] {
  const source = new SampleSource(seed);
  return [...edges(f), ...Array.from({ length: count }, () => sample(f, source))];
}

/** Around f32 and f16 limits: where narrowing overflows, turns denormal, or ties. */
function narrowing(from: exact.Format, to: exact.Format): bigint[] {
  const shift = BigInt(from.mantissaBits - to.mantissaBits);
  const half = 1n << (shift - 1n);
  const widened = edges(to)
    .filter((x) => !exact.isNan(to, x))
    .map((x) => exact.convert(to, from, x, 'nearest'));
  return widened.flatMap((x) => [x, x + half, x + half - 1n, x + half + 1n, x - half > 0n ? x - half : x]);
}

function expectedFloat(from: exact.Format, to: exact.Format, x: bigint, mode: exact.Mode, saturate = false): bigint {
  const source = mode.flushIn ? exact.flush(from, x) : x;
  const result = exact.convert(from, to, source, mode.round, saturate);
  return mode.flushOut ? exact.flush(to, result) : result;
}

/** Truncated, saturated integer of a float. */
function expectedInteger(f: exact.Format, x: bigint, round: exact.RoundMode, min: bigint, max: bigint): bigint {
  if (exact.isNan(f, x)) return 0n;
  if (exact.isInfinite(f, x)) return exact.isNegative(f, x) ? min : max;
  const value = exact.toInteger(exact.exactValue(f, x), round);
  return value < min ? min : value > max ? max : value;
}

const I32 = [-(1n << 31n), (1n << 31n) - 1n] as const;
const U32 = [0n, (1n << 32n) - 1n] as const;
const u32 = (x: bigint) => BigInt.asUintN(32, x);

describe('float to float', () => {
  it('narrows f32 to f16', () => {
    const wrong = new Differences();
    for (const { mode, control } of CASES)
      for (const x of [...operands(F32, 1000, 1), ...narrowing(F32, F16)])
        wrong.check(
          BigInt(convert.f32ToF16(Number(x), control, control)),
          expectedFloat(F32, F16, x, mode),
          () => `${hex(x)} ${JSON.stringify(mode)}`,
        );
    expect(wrong.shown).toEqual([]);
  });

  it('saturates f16 with FP16_OVFL, but not infinities', () => {
    const control = floatControl(0, 3, true);
    const to = (x: bigint) => convert.f32ToF16(Number(x), IEEE_CASE.control, control);
    expect(to(0x7f7fffffn)).toBe(0x7bff);
    expect(to(0xff7fffffn)).toBe(0xfbff);
    expect(to(0x477ff000n)).toBe(0x7bff);
    expect(to(0x7f800000n)).toBe(0x7c00);
    const wrong = new Differences();
    for (const x of operands(F32, 200, 2))
      wrong.check(BigInt(to(x)), expectedFloat(F32, F16, x, IEEE_CASE.mode, true), () => hex(x));
    expect(wrong.shown).toEqual([]);
  });

  it('widens every f16', () => {
    const wrong = new Differences();
    for (let x = 0n; x < 65536n; x++)
      for (const { mode, control } of [CASES[0]!, CASES[3]!])
        wrong.check(BigInt(convert.f16ToF32(Number(x), control)), expectedFloat(F16, F32, x, mode), () => hex(x));
    expect(wrong.shown).toEqual([]);
  });

  it('narrows f64 to f32', () => {
    const wrong = new Differences();
    for (const { mode, control } of CASES)
      for (const x of [...operands(F64, 300, 3), ...narrowing(F64, F32)])
        wrong.check(
          BigInt(convert.f64ToF32(low(x), high(x), control, control)),
          expectedFloat(F64, F32, x, mode),
          () => `${hex(x)} ${JSON.stringify(mode)}`,
        );
    expect(wrong.shown).toEqual([]);
  });

  it('widens f32 to f64', () => {
    const wrong = new Differences();
    for (const { mode, control } of CASES.slice(0, 4))
      for (const x of operands(F32, 500, 4)) {
        convert.f32ToF64(Number(x), control);
        wrong.check(result64(), expectedFloat(F32, F64, x, mode), () => hex(x));
      }
    expect(wrong.shown).toEqual([]);
  });
});

describe('float to integer', () => {
  const functions32: [string, (x: number) => number, exact.RoundMode, readonly [bigint, bigint]][] = [
    ['f32ToI32', convert.f32ToI32, 'zero', I32],
    ['f32ToU32', convert.f32ToU32, 'zero', U32],
  ];
  it.each(functions32)('%s truncates and saturates', (_name, f, round, [min, max]) => {
    const wrong = new Differences();
    for (const x of operands(F32, 2000, 5))
      wrong.check(BigInt(f(Number(x))), u32(expectedInteger(F32, x, round, min, max)), () => hex(x));
    expect(wrong.shown).toEqual([]);
  });

  it('takes floor and floor(x + 1/2), NaN to the limit of its sign', () => {
    const wrong = new Differences();
    const half: exact.Rational = { n: 1n, d: 2n };
    for (const x of operands(F32, 2000, 6)) {
      const nan = exact.isNan(F32, x) ? (exact.isNegative(F32, x) ? 0x80000000n : 0x7fffffffn) : undefined;
      const rounded = () => {
        if (exact.isInfinite(F32, x)) return expectedInteger(F32, x, 'down', ...I32);
        const value = exact.toInteger(exact.plus(exact.exactValue(F32, x), half), 'down');
        return value < I32[0] ? I32[0] : value > I32[1] ? I32[1] : value;
      };
      const floor = nan ?? u32(expectedInteger(F32, x, 'down', ...I32));
      wrong.check(BigInt(convert.floorToI32(Number(x))), floor, () => `floor ${hex(x)}`);
      wrong.check(BigInt(convert.halfUpToI32(Number(x))), nan ?? u32(rounded()), () => `rpi ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });

  it('truncates f64', () => {
    const wrong = new Differences();
    for (const x of operands(F64, 1000, 7)) {
      const i = u32(expectedInteger(F64, x, 'zero', ...I32));
      wrong.check(BigInt(convert.f64ToI32(low(x), high(x))), i, () => `i32 ${hex(x)}`);
      const u = expectedInteger(F64, x, 'zero', ...U32);
      wrong.check(BigInt(convert.f64ToU32(low(x), high(x))), u, () => `u32 ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });

  it('truncates and normalises every f16', () => {
    const wrong = new Differences();
    for (let x = 0n; x < 65536n; x++) {
      const i = BigInt.asUintN(16, expectedInteger(F16, x, 'zero', -32768n, 32767n));
      wrong.check(BigInt(convert.f16ToI16(Number(x))), i, () => `i16 ${hex(x)}`);
      const u = expectedInteger(F16, x, 'zero', 0n, 65535n);
      wrong.check(BigInt(convert.f16ToU16(Number(x))), u, () => `u16 ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });

  it('normalises f32 to 16 bits', () => {
    const wrong = new Differences();
    const source = new SampleSource(8);
    const inRange = Array.from({ length: 2000 }, () => BigInt(0x30000000 + source.below(0x0f900000)));
    for (const x of [...operands(F32, 500, 9), ...inRange, ...inRange.map((y) => y | 0x80000000n)]) {
      const scaled = (scale: bigint, min: bigint) => {
        if (exact.isNan(F32, x)) return 0n;
        if (exact.isInfinite(F32, x)) return exact.isNegative(F32, x) ? min : scale;
        const value = exact.times(exact.exactValue(F32, x), exact.integer(scale));
        const rounded = exact.toInteger(value, 'nearest');
        return rounded < min ? min : rounded > scale ? scale : rounded;
      };
      const s = BigInt.asUintN(16, scaled(32767n, -32767n));
      wrong.check(BigInt(convert.f32ToSnorm16(Number(x))), s, () => `snorm ${hex(x)}`);
      wrong.check(BigInt(convert.f32ToUnorm16(Number(x))), scaled(65535n, 0n), () => `unorm ${hex(x)}`);
    }
    expect(wrong.shown).toEqual([]);
  });

  it('converts to bytes in every round mode', () => {
    const wrong = new Differences();
    const source = new SampleSource(10);
    const near = Array.from({ length: 500 }, () => BigInt(0x3e800000 + source.below(0x06000000)));
    for (const { mode, control } of CASES)
      for (const x of [...operands(F32, 100, 11), ...near]) {
        const value = mode.flushIn ? exact.flush(F32, x) : x;
        wrong.check(
          BigInt(convert.f32ToU8(Number(x), control)),
          expectedInteger(F32, value, mode.round, 0n, 255n),
          () => `${hex(x)} ${mode.round}`,
        );
      }
    expect(wrong.shown).toEqual([]);
  });
});

describe('integer to float', () => {
  it('rounds 32 bits to f32 in every mode', () => {
    const wrong = new Differences();
    const source = new SampleSource(12);
    const values = [
      0, 1, -1, 16777217, 16777219, 33554435, 0x7fffffff, -0x80000000, 0xffffffff, 0x80000080, 0x800000c0,
    ];
    for (let i = 0; i < 1000; i++) values.push(source.u32() >>> source.below(9), source.u32() | 0);
    for (const { mode, control } of CASES)
      for (const value of values) {
        const expected = value === 0 ? 0n : exact.roundValue(F32, exact.integer(value), mode.round);
        wrong.check(BigInt(convert.integerToF32(value, control)), expected, () => `${value} ${mode.round}`);
      }
    expect(wrong.shown).toEqual([]);
  });

  it('rounds every 16-bit integer to f16', () => {
    const wrong = new Differences();
    for (const { mode, control } of [CASES[3]!, CASES[7]!, CASES[11]!, CASES[15]!])
      for (let value = -32768; value < 65536; value++) {
        const expected = value === 0 ? 0n : exact.roundValue(F16, exact.integer(value), mode.round);
        wrong.check(BigInt(convert.integerToF16(value, control)), expected, () => `${value} ${mode.round}`);
      }
    expect(wrong.shown).toEqual([]);
  });
});
