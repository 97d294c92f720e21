/**
 * What the machine cannot do natively, against exact rationals: f16 arithmetic in every mode, minimum and maximum,
 * conversions between floats and integers, division sequences. A model case costs tens of microseconds.
 */
import * as half from '../../../src/main/reference/float/arithmetic-f16.ts';
import * as single from '../../../src/main/reference/float/arithmetic-f32.ts';
import * as double from '../../../src/main/reference/float/arithmetic-f64.ts';
import * as convert from '../../../src/main/reference/float/convert.ts';
import { floatControl } from '../../../src/main/reference/float/float-control.ts';
import { OUT64 } from '../../../src/main/reference/float/scratch.ts';
import * as exact from '../../../tests/support/exact-float.ts';
import { SampleSource, sample } from '../../../tests/support/float-samples.ts';
import type { Report } from './report.ts';

const { F16, F32, F64 } = exact;

const CASES = exact.ROUND_MODES.flatMap((round, r) =>
  [0, 1, 2, 3].map((denormals) => ({
    mode: { round, flushIn: (denormals & 1) === 0, flushOut: (denormals & 2) === 0 },
    control: floatControl(r, denormals),
  })),
);

const low = (x: bigint) => Number(x & 0xffffffffn);
const high = (x: bigint) => Number(x >> 32n);
const out64 = () => (BigInt(OUT64[1]!) << 32n) | BigInt(OUT64[0]!);

type Run = (
  source: SampleSource,
  which: (typeof CASES)[number],
) => readonly [actual: bigint, expected: bigint, text: string];

const hex = (...x: bigint[]) => x.map((y) => y.toString(16)).join(' ');

function minimum(f: exact.Format, a: bigint, b: bigint): bigint {
  if (exact.isNan(f, a)) return b;
  if (exact.isNan(f, b)) return a;
  const order = (x: bigint) => (exact.isNegative(f, x) ? -exact.magnitudeOf(f, x) - 1n : exact.magnitudeOf(f, x));
  return order(a) < order(b) ? a : b;
}

function saturate(value: bigint, min: bigint, max: bigint): bigint {
  return value < min ? min : value > max ? max : value;
}

function truncated(f: exact.Format, x: bigint, min: bigint, max: bigint): bigint {
  if (exact.isNan(f, x)) return 0n;
  if (exact.isInfinite(f, x)) return exact.isNegative(f, x) ? min : max;
  return saturate(exact.toInteger(exact.exactValue(f, x), 'zero'), min, max);
}

const RUNS: Record<string, Run> = {
  'add f16': (source, { mode, control }) => {
    const a = sample(F16, source);
    const b = sample(F16, source, a);
    return [BigInt(half.addF16(Number(a), Number(b), control)), exact.add(F16, a, b, mode), hex(a, b)];
  },
  'mul f16': (source, { mode, control }) => {
    const a = sample(F16, source);
    const b = sample(F16, source);
    return [BigInt(half.mulF16(Number(a), Number(b), control)), exact.mul(F16, a, b, mode), hex(a, b)];
  },
  'fma f16': (source, { mode, control }) => {
    const a = sample(F16, source);
    const b = sample(F16, source);
    const c = sample(F16, source, exact.mul(F16, a, b, { round: 'zero', flushIn: false, flushOut: false }));
    const actual = half.fmaF16(Number(a), Number(b), Number(c), control);
    return [BigInt(actual), exact.fma(F16, a, b, c, mode), hex(a, b, c)];
  },
  'min f16': (source) => {
    const [a, b] = [sample(F16, source), sample(F16, source)];
    return [BigInt(half.minF16(Number(a), Number(b), floatControl(0, 3), false)), minimum(F16, a, b), hex(a, b)];
  },
  'min f32': (source) => {
    const [a, b] = [sample(F32, source), sample(F32, source)];
    return [BigInt(single.minF32(Number(a), Number(b), floatControl(0, 3), false)), minimum(F32, a, b), hex(a, b)];
  },
  'min f64': (source) => {
    const [a, b] = [sample(F64, source), sample(F64, source)];
    double.minF64(low(a), high(a), low(b), high(b), floatControl(0, 3), false);
    return [out64(), minimum(F64, a, b), hex(a, b)];
  },
  'f32 to f16': (source, { mode, control }) => {
    const x = sample(F32, source, source.below(2) ? BigInt(112 + source.below(32)) << 23n : undefined);
    const from = mode.flushIn ? exact.flush(F32, x) : x;
    const expected = exact.convert(F32, F16, from, mode.round);
    const actual = convert.f32ToF16(Number(x), control, control);
    return [BigInt(actual), mode.flushOut ? exact.flush(F16, expected) : expected, hex(x)];
  },
  'f32 to i32': (source) => {
    const x = sample(F32, source, source.below(2) ? BigInt(127 + source.below(34)) << 23n : undefined);
    const expected = BigInt.asUintN(32, truncated(F32, x, -(1n << 31n), (1n << 31n) - 1n));
    return [BigInt(convert.f32ToI32(Number(x))), expected, hex(x)];
  },
  'f32 to u32': (source) => {
    const x = sample(F32, source, source.below(2) ? BigInt(127 + source.below(34)) << 23n : undefined);
    return [BigInt(convert.f32ToU32(Number(x))), truncated(F32, x, 0n, (1n << 32n) - 1n), hex(x)];
  },
  'f64 to i32': (source) => {
    const x = sample(F64, source, source.below(2) ? BigInt(1023 + source.below(34)) << 52n : undefined);
    const expected = BigInt.asUintN(32, truncated(F64, x, -(1n << 31n), (1n << 31n) - 1n));
    return [BigInt(convert.f64ToI32(low(x), high(x))), expected, hex(x)];
  },
  'u32 to f32': (source, { mode, control }) => {
    const x = BigInt(source.u32() >>> source.below(9));
    const expected = x === 0n ? 0n : exact.roundValue(F32, exact.integer(x), mode.round);
    return [BigInt(convert.integerToF32(Number(x), control)), expected, hex(x)];
  },
  'f32 to unorm16': (source) => {
    const x = sample(F32, source, BigInt(110 + source.below(18)) << 23n) & 0x7fffffffn;
    let expected = 0n;
    if (exact.isInfinite(F32, x)) expected = 65535n;
    else if (!exact.isNan(F32, x)) {
      const scaled = exact.times(exact.exactValue(F32, x), exact.integer(65535));
      expected = saturate(exact.toInteger(scaled, 'nearest'), 0n, 65535n);
    }
    return [BigInt(convert.f32ToUnorm16(Number(x))), expected, hex(x)];
  },
};

export function runExactModel(report: Report, cases: number, seed: number): void {
  for (const [name, run] of Object.entries(RUNS)) {
    const started = performance.now();
    const source = new SampleSource(seed * 104729 + name.length);
    let differences = 0;
    let detail = '';
    for (let i = 0; i < cases; i++) {
      const which = CASES[i & 15]!;
      const [actual, expected, text] = run(source, which);
      if (actual === expected || differences++ > 0) continue;
      detail = `first: ${text} ${JSON.stringify(which.mode)} → ${hex(actual)}, exact ${hex(expected)}`;
    }
    report.line(`${name} (exact model)`, cases, differences, started, detail);
  }
}
