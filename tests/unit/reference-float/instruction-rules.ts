/**
 * What each float instruction must compute, on exact rationals: the expectations of instructions.test.ts.
 *
 * Written from docs/float-arithmetic.md and the ISA manuals, with tests/support/exact-float.ts; nothing of src/ is used.
 * A rule gets the operand bits of one lane and the modes of the formats, and gives result bits, or `undefined` where it
 * only checks a bound (approximate instructions).
 */
import * as exact from '../../support/exact-float.ts';

const { F16, F32, F64 } = exact;

export interface Modes {
  readonly f32: exact.Mode;
  /** f16 and f64. */
  readonly wide: exact.Mode;
  readonly ieee: boolean;
  readonly gfx7: boolean;
}

export function modesOf(mode: number, gfx7: boolean): Modes {
  const field = (round: number, denormals: number): exact.Mode => ({
    round: exact.ROUND_MODES[(mode >> round) & 3]!,
    flushIn: ((mode >> denormals) & 1) === 0,
    flushOut: ((mode >> denormals) & 2) === 0,
  });
  return { f32: field(0, 4), wide: field(2, 6), ieee: ((mode >> 9) & 1) !== 0, gfx7 };
}

/** Operands a, b, c of the format named by the instruction; `i` is a small integer, `d` the old destination. */
export interface Operands {
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
  readonly i: number;
}

export type Rule = (o: Operands, m: Modes) => bigint;

const negate = (f: exact.Format, x: bigint) => x ^ exact.signBit(f);
const flushAll = (m: exact.Mode): exact.Mode => ({ ...m, flushIn: true, flushOut: true });
const keepAll = (m: exact.Mode): exact.Mode => ({ ...m, flushIn: false, flushOut: false });
const source = (f: exact.Format, x: bigint, m: exact.Mode) => (m.flushIn ? exact.flush(f, x) : x);
const result = (f: exact.Format, x: bigint, m: exact.Mode) => (m.flushOut ? exact.flush(f, x) : x);
const big = exact.integer(1n << 3000n);

function number(f: exact.Format, x: bigint): exact.Rational {
  if (exact.isInfinite(f, x)) return exact.isNegative(f, x) ? exact.minus(big) : big;
  return exact.exactValue(f, x);
}

/** Minimum (or maximum) of two. */
export function extreme(f: exact.Format, x: bigint, y: bigint, m: exact.Mode, ieee: boolean, smaller: boolean): bigint {
  const a = source(f, x, m);
  const b = source(f, y, m);
  const signals = (z: bigint) => exact.isNan(f, z) && (z & exact.quietBit(f)) === 0n;
  if (ieee && signals(a)) return exact.quiet(f, a);
  if (ieee && signals(b)) return exact.quiet(f, b);
  if (exact.isNan(f, a)) return result(f, b, m);
  if (exact.isNan(f, b)) return result(f, a, m);
  const side = exact.compare(number(f, a), number(f, b));
  const aFirst = side !== 0 ? side < 0 : exact.isNegative(f, a);
  return result(f, aFirst === smaller ? a : b, m);
}

function median(f: exact.Format, o: Operands, m: exact.Mode, ieee: boolean): bigint {
  const [a, b, c] = [o.a, o.b, o.c].map((x) => source(f, x, m)) as [bigint, bigint, bigint];
  if ([a, b, c].some((x) => exact.isNan(f, x))) return extreme(f, extreme(f, a, b, m, ieee, true), c, m, ieee, true);
  const largest = extreme(f, extreme(f, a, b, keepAll(m), ieee, false), c, keepAll(m), ieee, false);
  const same = (x: bigint) => exact.compare(number(f, x), number(f, largest)) === 0;
  if (same(a)) return extreme(f, b, c, m, ieee, false);
  return extreme(f, a, same(b) ? c : b, m, ieee, false);
}

function integral(f: exact.Format, x0: bigint, m: exact.Mode, round: exact.RoundMode): bigint {
  const x = source(f, x0, m);
  if (exact.isNan(f, x)) return exact.quiet(f, x);
  if (exact.isInfinite(f, x)) return x;
  const value = exact.toInteger(exact.exactValue(f, x), round);
  return value === 0n ? x & exact.signBit(f) : exact.roundValue(f, exact.integer(value), 'nearest');
}

function fract(f: exact.Format, x0: bigint, m: exact.Mode): bigint {
  const x = source(f, x0, m);
  if (exact.isNan(f, x)) return exact.quiet(f, x);
  if (exact.isInfinite(f, x)) return exact.defaultNan(f);
  const value = exact.exactValue(f, x);
  const rest = exact.plus(value, exact.minus(exact.integer(exact.toInteger(value, 'down'))));
  if (rest.n === 0n) return m.round === 'down' ? exact.signBit(f) : 0n;
  const one = exact.roundValue(f, exact.integer(1), 'nearest');
  const rounded = exact.roundValue(f, rest, m.round);
  return rounded >= one ? one - 1n : result(f, rounded, m);
}

function ldexp(f: exact.Format, x0: bigint, n: number, m: exact.Mode): bigint {
  const x = source(f, x0, m);
  if (exact.isNan(f, x)) return exact.quiet(f, x);
  if (exact.isInfinite(f, x) || exact.isZero(f, x)) return x;
  const power = n >= 0 ? { n: 1n << BigInt(n), d: 1n } : { n: 1n, d: 1n << BigInt(-n) };
  return result(f, exact.roundValue(f, exact.times(exact.exactValue(f, x), power), m.round), m);
}

/** The exponent of frexp, by search. */
function frexpExponent(f: exact.Format, x0: bigint, m: exact.Mode): number {
  const x = source(f, x0, m);
  if (exact.isNan(f, x) || exact.isInfinite(f, x) || exact.isZero(f, x)) return 0;
  const value = exact.exactValue(f, exact.magnitudeOf(f, x));
  let e = value.n.toString(2).length - value.d.toString(2).length + 2;
  const power = (k: number) => (k >= 0 ? { n: 1n << BigInt(k), d: 1n } : { n: 1n, d: 1n << BigInt(-k) });
  while (exact.compare(value, power(e - 1)) < 0) e--;
  return e;
}

function frexpSignificand(f: exact.Format, x0: bigint, m: exact.Mode): bigint {
  const x = source(f, x0, m);
  if (exact.isNan(f, x)) return exact.quiet(f, x);
  return ldexp(f, x, -frexpExponent(f, x, keepAll(m)), keepAll({ ...m, round: 'nearest' }));
}

function isZeroFactor(x: bigint, m: exact.Mode): boolean {
  return exact.isZero(F32, source(F32, x, m));
}

function canonical(x: bigint, m: exact.Mode): bigint {
  if (exact.isNan(F32, x)) return exact.quiet(F32, x);
  return m.flushIn || m.flushOut ? exact.flush(F32, x) : x;
}

function mad(a: bigint, b: bigint, c: bigint, m: exact.Mode): bigint {
  return exact.add(F32, exact.mul(F32, a, b, m), c, m);
}

function greater(f: exact.Format, a: bigint, b: bigint): boolean {
  return !exact.isNan(f, a) && !exact.isNan(f, b) && exact.compare(number(f, a), number(f, b)) > 0;
}

/** Rules of one format under its name suffix; `pick` chooses the mode. */
function arithmetic(f: exact.Format, pick: (m: Modes) => exact.Mode): Record<string, Rule> {
  const minmax = (m: Modes): exact.Mode => (m.gfx7 ? keepAll(pick(m)) : pick(m));
  return {
    add: (o, m) => exact.add(f, o.a, o.b, pick(m)),
    sub: (o, m) => exact.add(f, o.a, negate(f, o.b), pick(m)),
    subrev: (o, m) => exact.add(f, o.b, negate(f, o.a), pick(m)),
    mul: (o, m) => exact.mul(f, o.a, o.b, pick(m)),
    fma: (o, m) => exact.fma(f, o.a, o.b, o.c, pick(m)),
    min: (o, m) => extreme(f, o.a, o.b, minmax(m), m.ieee, true),
    max: (o, m) => extreme(f, o.a, o.b, minmax(m), m.ieee, false),
    min3: (o, m) => extreme(f, extreme(f, o.a, o.b, minmax(m), m.ieee, true), o.c, minmax(m), m.ieee, true),
    max3: (o, m) => extreme(f, extreme(f, o.a, o.b, minmax(m), m.ieee, false), o.c, minmax(m), m.ieee, false),
    med3: (o, m) => median(f, o, minmax(m), m.ieee),
    trunc: (o, m) => integral(f, o.a, pick(m), 'zero'),
    floor: (o, m) => integral(f, o.a, pick(m), 'down'),
    ceil: (o, m) => integral(f, o.a, pick(m), 'up'),
    rndne: (o, m) => integral(f, o.a, pick(m), 'nearest'),
    fract: (o, m) => fract(f, o.a, pick(m)),
    ldexp: (o, m) => ldexp(f, o.a, o.i, pick(m)),
    frexpExponent: (o, m) => BigInt(frexpExponent(f, o.a, pick(m))),
    frexpSignificand: (o, m) => frexpSignificand(f, o.a, pick(m)),
  };
}

const single = arithmetic(F32, (m) => m.f32);
const half = arithmetic(F16, (m) => m.wide);
const double = arithmetic(F64, (m) => m.wide);

function toInteger(f: exact.Format, x: bigint, min: bigint, max: bigint, round: exact.RoundMode = 'zero'): bigint {
  if (exact.isNan(f, x)) return 0n;
  const value = exact.isInfinite(f, x)
    ? exact.isNegative(f, x)
      ? min
      : max
    : exact.toInteger(exact.exactValue(f, x), round);
  return value < min ? min : value > max ? max : value;
}

function narrow(from: exact.Format, to: exact.Format, x: bigint, fromMode: exact.Mode, toMode: exact.Mode): bigint {
  return result(to, exact.convert(from, to, source(from, x, fromMode), toMode.round), toMode);
}

const u16 = (x: bigint) => BigInt.asUintN(16, x);
const u32 = (x: bigint) => BigInt.asUintN(32, x);

function fromInteger(f: exact.Format, value: bigint, round: exact.RoundMode): bigint {
  return value === 0n ? 0n : exact.roundValue(f, exact.integer(value), round);
}

function normalise(f: exact.Format, x: bigint, scale: bigint, min: bigint): bigint {
  if (exact.isNan(f, x)) return 0n;
  if (exact.isInfinite(f, x)) return u16(exact.isNegative(f, x) ? min : scale);
  const value = exact.toInteger(exact.times(exact.exactValue(f, x), exact.integer(scale)), 'nearest');
  return u16(value < min ? min : value > scale ? scale : value);
}

const I32 = [-(1n << 31n), (1n << 31n) - 1n] as const;
const U32 = [0n, (1n << 32n) - 1n] as const;

function atLimit(x: bigint): bigint | undefined {
  return exact.isNan(F32, x) ? (exact.isNegative(F32, x) ? 0x80000000n : 0x7fffffffn) : undefined;
}

/** By mnemonic; operands a, b, c are of the format in `operands`. */
export const RULES: Readonly<Record<string, Rule>> = {
  v_add_f32: single.add!,
  v_sub_f32: single.sub!,
  v_subrev_f32: single.subrev!,
  v_mul_f32: single.mul!,
  v_fma_f32: single.fma!,
  v_min_f32: single.min!,
  v_max_f32: single.max!,
  v_min3_f32: single.min3!,
  v_max3_f32: single.max3!,
  v_med3_f32: single.med3!,
  v_trunc_f32: single.trunc!,
  v_floor_f32: single.floor!,
  v_ceil_f32: single.ceil!,
  v_rndne_f32: single.rndne!,
  v_fract_f32: single.fract!,
  v_ldexp_f32: single.ldexp!,
  v_frexp_exp_i32_f32: (o, m) => u32(single.frexpExponent!(o, m)),
  v_frexp_mant_f32: single.frexpSignificand!,
  v_mad_f32: (o, m) => mad(o.a, o.b, o.c, flushAll(m.f32)),
  v_mul_legacy_f32: (o, m) =>
    isZeroFactor(o.a, m.f32) || isZeroFactor(o.b, m.f32) ? 0n : exact.mul(F32, o.a, o.b, m.f32),
  v_mad_legacy_f32: (o, m) =>
    isZeroFactor(o.a, flushAll(m.f32)) || isZeroFactor(o.b, flushAll(m.f32))
      ? canonical(o.c, flushAll(m.f32))
      : mad(o.a, o.b, o.c, flushAll(m.f32)),
  v_fma_legacy_f32: (o, m) =>
    isZeroFactor(o.a, m.f32) || isZeroFactor(o.b, m.f32) ? canonical(o.c, m.f32) : exact.fma(F32, o.a, o.b, o.c, m.f32),
  v_mullit_f32: (o, m) => {
    const largest = exact.infinity(F32) - 1n;
    const c = source(F32, o.c, m.f32);
    const noLight =
      exact.isNan(F32, o.b) || o.b === 0xff800000n || o.b === negate(F32, largest) || !greater(F32, c, 0n);
    if (noLight) return negate(F32, largest);
    return isZeroFactor(o.a, m.f32) || isZeroFactor(o.b, m.f32) ? 0n : exact.mul(F32, o.a, o.b, m.f32);
  },
  v_min_legacy_f32: (o) => (greater(F32, o.b, o.a) ? o.a : o.b),
  v_max_legacy_f32: (o) => (!exact.isNan(F32, o.a) && !exact.isNan(F32, o.b) && !greater(F32, o.b, o.a) ? o.a : o.b),

  v_add_f16: half.add!,
  v_sub_f16: half.sub!,
  v_subrev_f16: half.subrev!,
  v_mul_f16: half.mul!,
  v_fma_f16: half.fma!,
  v_min_f16: half.min!,
  v_max_f16: half.max!,
  v_min3_f16: half.min3!,
  v_max3_f16: half.max3!,
  v_med3_f16: half.med3!,
  v_trunc_f16: half.trunc!,
  v_floor_f16: half.floor!,
  v_ceil_f16: half.ceil!,
  v_rndne_f16: half.rndne!,
  v_fract_f16: half.fract!,
  v_ldexp_f16: half.ldexp!,
  v_frexp_exp_i16_f16: (o, m) => u16(half.frexpExponent!(o, m)),
  v_frexp_mant_f16: half.frexpSignificand!,

  v_add_f64: double.add!,
  v_mul_f64: double.mul!,
  v_fma_f64: double.fma!,
  v_min_f64: double.min!,
  v_max_f64: double.max!,
  v_trunc_f64: double.trunc!,
  v_floor_f64: double.floor!,
  v_ceil_f64: double.ceil!,
  v_rndne_f64: double.rndne!,
  v_fract_f64: double.fract!,
  v_ldexp_f64: double.ldexp!,
  v_frexp_exp_i32_f64: (o, m) => u32(double.frexpExponent!(o, m)),
  v_frexp_mant_f64: double.frexpSignificand!,

  v_cvt_i32_f32: (o) => u32(toInteger(F32, o.a, ...I32)),
  v_cvt_u32_f32: (o) => toInteger(F32, o.a, ...U32),
  v_cvt_flr_i32_f32: (o) => atLimit(o.a) ?? u32(toInteger(F32, o.a, ...I32, 'down')),
  v_cvt_rpi_i32_f32: (o) => {
    if (exact.isNan(F32, o.a) || exact.isInfinite(F32, o.a)) return atLimit(o.a) ?? u32(toInteger(F32, o.a, ...I32));
    const value = exact.toInteger(exact.plus(exact.exactValue(F32, o.a), { n: 1n, d: 2n }), 'down');
    return u32(value < I32[0] ? I32[0] : value > I32[1] ? I32[1] : value);
  },
  v_cvt_f16_f32: (o, m) => narrow(F32, F16, o.a, m.f32, m.wide),
  v_cvt_f64_f32: (o, m) => exact.convert(F32, F64, source(F32, o.a, m.f32), 'nearest'),
  v_cvt_pkrtz_f16_f32: (o, m) => {
    const to = { ...m.wide, round: 'zero' } as const;
    return narrow(F32, F16, o.a, m.f32, to) | (narrow(F32, F16, o.b, m.f32, to) << 16n);
  },
  v_cvt_pknorm_i16_f32: (o) => normalise(F32, o.a, 32767n, -32767n) | (normalise(F32, o.b, 32767n, -32767n) << 16n),
  v_cvt_pknorm_u16_f32: (o) => normalise(F32, o.a, 65535n, 0n) | (normalise(F32, o.b, 65535n, 0n) << 16n),
  v_cvt_i32_f64: (o) => u32(toInteger(F64, o.a, ...I32)),
  v_cvt_u32_f64: (o) => toInteger(F64, o.a, ...U32),
  v_cvt_f32_f64: (o, m) => narrow(F64, F32, o.a, m.wide, m.f32),
  v_cvt_f32_f16: (o, m) => exact.convert(F16, F32, source(F16, o.a, m.wide), 'nearest'),
  v_cvt_i16_f16: (o) => u16(toInteger(F16, o.a, -32768n, 32767n)),
  v_cvt_u16_f16: (o) => toInteger(F16, o.a, 0n, 65535n),
  v_cvt_norm_i16_f16: (o) => normalise(F16, o.a, 32767n, -32767n),
  v_cvt_norm_u16_f16: (o) => normalise(F16, o.a, 65535n, 0n),
  v_cvt_pknorm_i16_f16: (o) => normalise(F16, o.a, 32767n, -32767n) | (normalise(F16, o.b, 32767n, -32767n) << 16n),
  v_cvt_pknorm_u16_f16: (o) => normalise(F16, o.a, 65535n, 0n) | (normalise(F16, o.b, 65535n, 0n) << 16n),
  v_pack_b32_f16: (o, m) => {
    const part = (x: bigint) => (m.wide.flushIn || m.wide.flushOut ? exact.flush(F16, x) : x);
    return part(o.a) | (part(o.b) << 16n);
  },

  // Integer operands: `a` and `b` are 32 raw bits.
  v_cvt_f32_i32: (o, m) => fromInteger(F32, BigInt.asIntN(32, o.a), m.f32.round),
  v_cvt_f32_u32: (o, m) => fromInteger(F32, o.a, m.f32.round),
  v_cvt_f64_i32: (o) => fromInteger(F64, BigInt.asIntN(32, o.a), 'nearest'),
  v_cvt_f64_u32: (o) => fromInteger(F64, o.a, 'nearest'),
  v_cvt_f32_ubyte0: (o) => fromInteger(F32, o.a & 255n, 'nearest'),
  v_cvt_f32_ubyte1: (o) => fromInteger(F32, (o.a >> 8n) & 255n, 'nearest'),
  v_cvt_f32_ubyte2: (o) => fromInteger(F32, (o.a >> 16n) & 255n, 'nearest'),
  v_cvt_f32_ubyte3: (o) => fromInteger(F32, o.a >> 24n, 'nearest'),
  v_cvt_off_f32_i4: (o) => {
    const value = BigInt.asIntN(4, o.a);
    return value === 0n ? 0n : exact.roundValue(F32, { n: value, d: 16n }, 'nearest');
  },
  v_cvt_f16_u16: (o, m) => fromInteger(F16, u16(o.a), m.wide.round),
  v_cvt_f16_i16: (o, m) => fromInteger(F16, BigInt.asIntN(16, o.a), m.wide.round),
  v_cvt_pk_u16_u32: (o) => {
    const part = (x: bigint) => (x > 65535n ? 65535n : x);
    return part(o.a) | (part(o.b) << 16n);
  },
  v_cvt_pk_i16_i32: (o) => {
    const part = (x: bigint) => {
      const s = BigInt.asIntN(32, x);
      return u16(s < -32768n ? -32768n : s > 32767n ? 32767n : s);
    };
    return part(o.a) | (part(o.b) << 16n);
  },
  v_sat_pk_u8_i16: (o) => {
    const part = (x: bigint) => {
      const s = BigInt.asIntN(16, x);
      return s < 0n ? 0n : s > 255n ? 255n : s;
    };
    return part(o.a) | (part(o.a >> 16n) << 8n);
  },
};
