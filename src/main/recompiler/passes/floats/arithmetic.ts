/**
 * Add, multiply, fused multiply-add, conversions, ldexp, fract: rounded once, NaNs as documented.
 *
 * Three ways, by what the device offers: its own operation with the NaN put right; one exact operation in the next
 * wider format; or integers. docs/float-arithmetic.md has the rules.
 */
import type { ValueId } from '../../ir/types.ts';
import { F64, FloatCode } from './float-code.ts';
import { addExact, type Exact, normalise, roundAndPack, shiftRightSticky, unpack } from './rounding.ts';
import { quietNan, toIntegral } from './simple-operations.ts';

/** What the device's float operations are good for. */
export interface FloatSupport {
  /** add, mul, div, sqrt of f32 exact to nearest even, denormals kept. */
  readonly exactF32: boolean;
  readonly exactF64: boolean;
  readonly fusedF32: boolean;
  readonly fusedF64: boolean;
}

/** The device's result, or the documented NaN where that is one. */
export function withNan(c: FloatCode, result: ValueId, operands: readonly ValueId[]): ValueId {
  return c.select(c.isNan(result), c.nanOf(operands), result);
}

/** a + b in integers. */
export function addSoft(c: FloatCode, a: ValueId, b: ValueId, round: number): ValueId {
  const finite = roundAndPack(c, addExact(c, unpack(c, a), unpack(c, b), round), round);
  const aInfinite = c.isInfinite(a);
  const bInfinite = c.isInfinite(b);
  const infinite = c.select(aInfinite, a, c.select(bInfinite, b, finite));
  const opposite = c.both(c.both(aInfinite, bInfinite), c.notEqual(c.xor(a, b), c.word(0n)));
  const invalid = c.either(opposite, c.either(c.isNan(a), c.isNan(b)));
  return c.select(invalid, c.nanOf([a, b]), infinite);
}

/** The exact product: at most 48 bits for f32, 22 for f16. Not for f64. */
function productExact(c: FloatCode, a: ValueId, b: ValueId): Exact {
  const x = unpack(c, a);
  const y = unpack(c, b);
  const low = (v: ValueId): ValueId => c.b.emit1('lo.64', v);
  return {
    sign: c.differ(x.sign, y.sign),
    magnitude: c.b.emit2('umulwide.u64', low(x.magnitude), low(y.magnitude)),
    exponent: c.plus(x.exponent, y.exponent),
  };
}

/** The 106-bit product of two f64, cut to 62 bits with a sticky bit: enough for one rounding, not for cancellation. */
function productF64(c: FloatCode, a: ValueId, b: ValueId): Exact & { readonly low: ValueId } {
  const x = normalise(c, unpack(c, a), 52);
  const y = normalise(c, unpack(c, b), 52);
  const { high, low } = multiply128(c, x.magnitude, y.magnitude);
  return {
    sign: c.differ(x.sign, y.sign),
    magnitude: high,
    low,
    exponent: c.plus(x.exponent, y.exponent),
  };
}

/** Full product of two 64-bit integers as two halves. */
function multiply128(c: FloatCode, a: ValueId, b: ValueId): { high: ValueId; low: ValueId } {
  const e = c.b;
  const [al, ah, bl, bh] = [e.emit1('lo.64', a), e.emit1('hi.64', a), e.emit1('lo.64', b), e.emit1('hi.64', b)];
  const wide = (v: ValueId): ValueId => e.emit2('pack.64', v, e.u32(0));
  const ll = e.emit2('umulwide.u64', al, bl);
  const lh = e.emit2('umulwide.u64', al, bh);
  const hl = e.emit2('umulwide.u64', ah, bl);
  const hh = e.emit2('umulwide.u64', ah, bh);
  // No sum of these overflows: (2^32 − 1)² + 2 (2^32 − 1) < 2^64.
  const middle = e.emit2('iadd.u64', e.emit2('iadd.u64', lh, wide(e.emit1('hi.64', ll))), wide(e.emit1('lo.64', hl)));
  const carry = e.emit2('iadd.u64', wide(e.emit1('hi.64', middle)), wide(e.emit1('hi.64', hl)));
  return {
    high: e.emit2('iadd.u64', hh, carry),
    low: e.emit2('pack.64', e.emit1('lo.64', ll), e.emit1('lo.64', middle)),
  };
}

/** Infinities and NaNs of a · b + c around the finite result. */
function withSpecialProducts(c: FloatCode, operands: readonly [ValueId, ValueId, ValueId?], finite: ValueId): ValueId {
  const [a, b, addend] = operands;
  const sign = c.and(c.xor(a, b), c.word(c.signBit));
  const aInfinite = c.isInfinite(a);
  const bInfinite = c.isInfinite(b);
  const productInfinite = c.either(aInfinite, bInfinite);
  const infinity = c.or(sign, c.word(c.infinity));
  let invalid = c.either(c.both(aInfinite, c.isZero(b)), c.both(bInfinite, c.isZero(a)));
  invalid = c.either(invalid, c.either(c.isNan(a), c.isNan(b)));
  let result = c.select(productInfinite, infinity, finite);
  if (addend !== undefined) {
    const addendInfinite = c.isInfinite(addend);
    const opposite = c.notEqual(c.and(c.xor(addend, infinity), c.word(c.signBit)), c.word(0n));
    invalid = c.either(invalid, c.both(c.both(productInfinite, addendInfinite), opposite));
    invalid = c.either(invalid, c.isNan(addend));
    result = c.select(c.both(addendInfinite, c.no(productInfinite)), addend, result);
  }
  return c.select(invalid, c.nanOf(addend === undefined ? [a, b] : [a, b, addend]), result);
}

export function multiplySoft(c: FloatCode, a: ValueId, b: ValueId, round: number): ValueId {
  let product: Exact;
  if (c.f.wide) {
    const p = productF64(c, a, b);
    // Bits 105…64 and 63…0: the upper half gets 20 more bits, the rest is sticky.
    const e = c.b;
    const top = e.emit2('or.u64', e.emit2('shl.u64', p.magnitude, e.u32(20)), e.emit2('shr.u64', p.low, e.u32(44)));
    const rest = e.emit2('icmp.ne.u64', e.emit2('shl.u64', p.low, e.u32(20)), e.u64(0, 0));
    const sticky = e.select(rest, e.u64(1, 0), e.u64(0, 0));
    product = { sign: p.sign, magnitude: e.emit2('or.u64', top, sticky), exponent: c.plus(p.exponent, c.int(44)) };
  } else product = productExact(c, a, b);
  return withSpecialProducts(c, [a, b], roundAndPack(c, product, round));
}

/** (a · b + addend) · 2^scale in integers, one rounding. f16 and f32. */
export function fusedSoft(
  c: FloatCode,
  a: ValueId,
  b: ValueId,
  addend: ValueId,
  scale: ValueId,
  round: number,
): ValueId {
  const sum = addExact(c, productExact(c, a, b), unpack(c, addend), round);
  const scaled = { ...sum, exponent: c.plus(sum.exponent, scale) };
  return withSpecialProducts(c, [a, b, addend], roundAndPack(c, scaled, round));
}

/**
 * The same for f64: product and addend as 128-bit integers with the leading one at bit 125, the smaller shifted down
 * with a sticky bit. Lost bits cannot meet cancellation: then the shift is at most 1, and 19 low bits are free.
 */
export function fusedSoftF64(
  c: FloatCode,
  a: ValueId,
  b: ValueId,
  addend: ValueId,
  scale: ValueId,
  round: number,
): ValueId {
  const e = c.b;
  const p = productF64(c, a, b);
  const z = normalise(c, unpack(c, addend), 61);
  const zero = e.u64(0, 0);
  // Leading one at bit 104 or 105 of the product: to bit 125 of the pair.
  const short = e.emit2('icmp.eq.u64', e.emit2('shr.u64', p.magnitude, e.u32(41)), zero);
  const shift = e.select(short, e.u32(21), e.u32(20));
  const back = c.minus(e.u32(64), shift);
  const productHigh = e.emit2('or.u64', e.emit2('shl.u64', p.magnitude, shift), e.emit2('shr.u64', p.low, back));
  const productLow = e.emit2('shl.u64', p.low, shift);
  const productIsZero = e.emit2('icmp.eq.u64', e.emit2('or.u64', productHigh, productLow), zero);
  const addendIsZero = e.emit2('icmp.eq.u64', z.magnitude, zero);
  // Exponents of bit 0 of the high halves.
  const ownProduct = c.plus(c.minus(p.exponent, shift), c.int(64));
  const productExponent = e.select(productIsZero, z.exponent, ownProduct);
  const addendExponent = e.select(addendIsZero, productExponent, z.exponent);
  const exponent = e.emit2('smax.i32', productExponent, addendExponent);
  const x = shiftRight128(c, productHigh, productLow, c.minus(exponent, productExponent));
  const y = shiftRight128(c, z.magnitude, zero, c.minus(exponent, addendExponent));
  const disagree = c.differ(p.sign, z.sign);
  // x ± y, then the magnitude.
  const yHigh = e.select(disagree, e.emit1('not.u64', y.high), y.high);
  const yLow = e.select(disagree, e.emit1('not.u64', y.low), y.low);
  const one = e.select(disagree, e.u64(1, 0), zero);
  const sum = add128(c, add128(c, x, { high: yHigh, low: yLow }), { high: zero, low: one });
  const negative = e.emit2('icmp.slt.i64', sum.high, zero);
  const inverted = add128(
    c,
    { high: e.emit1('not.u64', sum.high), low: e.emit1('not.u64', sum.low) },
    { high: zero, low: e.u64(1, 0) },
  );
  const high = e.select(negative, inverted.high, sum.high);
  const low = e.select(negative, inverted.low, sum.low);
  // Move up so that the high half holds everything that rounding looks at.
  const isSmall = e.emit2('icmp.eq.u64', high, zero);
  const zeros = e.select(isSmall, e.u32(0), c.minus(e.emit1('clz.u64', high), c.int(1)));
  const raised = e.emit2('or.u64', e.emit2('shl.u64', high, zeros), shiftedOut(c, low, zeros));
  const left = e.emit2('shl.u64', low, zeros);
  const sticky = e.select(e.emit2('icmp.ne.u64', left, zero), e.u64(1, 0), zero);
  const big = e.emit2('or.u64', raised, sticky);
  const smallHalf = e.emit2('or.u64', e.emit2('shr.u64', low, e.u32(1)), e.emit2('and.u64', low, e.u64(1, 0)));
  const magnitude = e.select(isSmall, smallHalf, big);
  const bigExponent = c.minus(exponent, zeros);
  const lowExponent = c.minus(exponent, c.int(63));
  const isNothing = e.emit2('icmp.eq.u64', magnitude, zero);
  const zeroSign = e.select(disagree, e.bool(round === 2), p.sign);
  const value: Exact = {
    sign: e.select(isNothing, zeroSign, c.differ(p.sign, negative)),
    magnitude,
    exponent: c.plus(e.select(isSmall, lowExponent, bigExponent), scale),
  };
  return withSpecialProducts(c, [a, b, addend], roundAndPack(c, value, round));
}

interface Wide {
  readonly high: ValueId;
  readonly low: ValueId;
}

function add128(c: FloatCode, a: Wide, b: Wide): Wide {
  const e = c.b;
  const low = e.emit2('iadd.u64', a.low, b.low);
  const carry = e.select(e.emit2('icmp.ult.u64', low, a.low), e.u64(1, 0), e.u64(0, 0));
  return { high: e.emit2('iadd.u64', e.emit2('iadd.u64', a.high, b.high), carry), low };
}

/** The top `amount` bits of a word, at the bottom; amount 0…63. */
function shiftedOut(c: FloatCode, word: ValueId, amount: ValueId): ValueId {
  const e = c.b;
  const half = e.emit2('shr.u64', word, e.u32(1));
  return e.emit2('shr.u64', half, c.minus(e.u32(63), amount));
}

/** Right shift by any amount ≥ 0 with a sticky bit. */
function shiftRight128(c: FloatCode, high: ValueId, low: ValueId, amount: ValueId): Wide {
  const e = c.b;
  const zero = e.u64(0, 0);
  const isLong = e.emit2('icmp.ult.u32', e.u32(63), amount);
  // First by 64 where the amount asks for it: what falls out is sticky.
  const dropped = e.select(e.emit2('icmp.ne.u64', low, zero), e.u64(1, 0), zero);
  const h = e.select(isLong, zero, high);
  const l = e.select(isLong, e.emit2('or.u64', high, dropped), low);
  const rest = e.select(isLong, c.minus(amount, e.u32(64)), amount);
  const isAll = e.emit2('icmp.ult.u32', e.u32(63), rest);
  const small = e.emit2('umin.u32', rest, e.u32(63));
  const up = c.minus(e.u32(63), small);
  const carried = e.emit2('shl.u64', e.emit2('shl.u64', h, e.u32(1)), up);
  const kept = e.emit2('or.u64', shiftRightSticky(c, l, small), carried);
  const any = e.select(e.emit2('icmp.ne.u64', l, zero), e.u64(1, 0), zero);
  return {
    high: e.select(isAll, zero, e.emit2('shr.u64', h, small)),
    low: e.select(isAll, any, kept),
  };
}

/**
 * f32 a · b + addend through doubles: the product is exact, the sum is rounded to odd by the error term, and one
 * rounding to f32 follows (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
 */
export function fusedViaF64(
  c: FloatCode,
  a: ValueId,
  b: ValueId,
  addend: ValueId,
  scale: ValueId,
  round: number,
): ValueId {
  const e = c.b;
  const d = new FloatCode(e, F64);
  const x = e.emit2('fmul.f64', e.emit1('cvt.f64.f32', a), e.emit1('cvt.f64.f32', b), NATIVE);
  const z = e.emit1('cvt.f64.f32', addend);
  const sum = e.emit2('fadd.f64', x, z, NATIVE);
  // TwoSum: error = (x − (sum − t)) + (z − t), t = sum − x.
  const minus = (p: ValueId, q: ValueId): ValueId => e.emit2('fadd.f64', p, e.emit1('fneg.f64', q), NATIVE);
  const t = minus(sum, x);
  const error = e.emit2('fadd.f64', minus(x, minus(sum, t)), minus(z, t), NATIVE);
  const finiteSum = d.no(d.is(d.exponent(sum), d.specialExponent));
  const inexact = d.both(finiteSum, d.no(d.isZero(error)));
  const even = d.equal(d.and(sum, d.word(1n)), d.word(0n));
  // The neighbour on the error's side of an even sum is odd.
  const outwards = d.equal(d.sign(error), d.sign(sum));
  const neighbour = d.select(outwards, d.add(sum, d.word(1n)), d.sub(sum, d.word(1n)));
  const odd = d.select(d.both(inexact, even), neighbour, sum);
  const finite = roundF64ToF32(c, d, odd, scale, round, [x, z]);
  return withNanOf(c, d, finite, sum, [a, b, addend]);
}

/** Marks operations that the device may compute by itself: NaN results do not matter. */
export const NATIVE = 1 << 2;

function withNanOf(c: FloatCode, d: FloatCode, result: ValueId, sum: ValueId, operands: readonly ValueId[]): ValueId {
  return c.select(d.isNan(sum), c.nanOf(operands), result);
}

/** A double (rounded to odd) to f32; a zero that is the sum of `terms` gets the sign of the rounding mode. */
function roundF64ToF32(
  c: FloatCode,
  d: FloatCode,
  value: ValueId,
  scale: ValueId,
  round: number,
  terms: readonly [ValueId, ValueId],
): ValueId {
  const e = c.b;
  const exact = unpack(d, value);
  const shifted = { ...exact, exponent: c.plus(exact.exponent, scale) };
  const rounded = roundAndPack(c, shifted, round);
  const sign = e.select(exact.sign, c.word(c.signBit), c.word(0n));
  const infinite = c.or(sign, c.word(c.infinity));
  const result = c.select(d.isInfinite(value), infinite, rounded);
  if (round !== 2) return result;
  // Rounding down, x − x is −0; doubles were added to nearest.
  const disagree = d.notEqual(d.and(d.xor(terms[0], terms[1]), d.word(d.signBit)), d.word(0n));
  return c.select(c.both(d.isZero(value), disagree), c.word(c.signBit), result);
}

// ── conversions ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** f32 or f64 to a narrower format. NaNs keep sign and top payload bits, quiet. */
export function narrowFloat(from: FloatCode, to: FloatCode, x: ValueId, round: number): ValueId {
  const e = to.b;
  const finite = roundAndPack(to, unpack(from, x), round);
  const sign = e.select(from.isNegative(x), to.word(to.signBit), to.word(0n));
  const infinite = to.or(sign, to.word(to.infinity));
  const drop = e.u32(from.f.mantissaBits - to.f.mantissaBits);
  const payload = to.narrow(from.widen(from.shr(from.and(x, from.word(from.mantissaMask)), drop)));
  const nan = to.or(to.or(infinite, to.word(to.quietBit)), payload);
  return to.select(from.isNan(x), nan, to.select(from.isInfinite(x), infinite, finite));
}

/** f16 → f32 and f32 → f64: exact; denormals become normal numbers. */
export function widenFloat(from: FloatCode, to: FloatCode, x: ValueId): ValueId {
  const e = to.b;
  const up = e.u32(to.f.mantissaBits - from.f.mantissaBits);
  const wide = (v: ValueId): ValueId => to.narrow(from.widen(v));
  const sign = e.select(from.isNegative(x), to.word(to.signBit), to.word(0n));
  const mantissa = to.shl(wide(from.and(x, from.word(from.mantissaMask))), up);
  const field = from.exponent(x);
  const exponentWord = (v: ValueId): ValueId =>
    to.shl(to.f.wide ? e.emit2('pack.64', v, e.u32(0)) : v, e.u32(to.f.mantissaBits));
  const rebias = to.f.bias - from.f.bias;
  const normal = to.or(exponentWord(from.plus(field, from.int(rebias))), mantissa);
  // Denormal: the leading one moves to the hidden bit, which adds 1 to the exponent.
  const zeros = e.emit1(to.f.wide ? 'clz.u64' : 'clz.u32', mantissa);
  const shift = from.minus(zeros, from.int((to.f.wide ? 64 : 32) - 1 - to.f.mantissaBits));
  const small = to.add(exponentWord(from.minus(from.int(rebias), shift)), to.shl(mantissa, shift));
  const tiny = to.select(to.equal(mantissa, to.word(0n)), to.word(0n), small);
  const special = to.or(to.word(to.infinity), mantissa);
  const quiet = to.select(to.equal(mantissa, to.word(0n)), special, to.quiet(special));
  const isSpecial = from.is(field, from.specialExponent);
  const magnitude = to.select(isSpecial, quiet, to.select(from.is(field, 0), tiny, normal));
  return to.or(sign, magnitude);
}

/** An integer of up to 32 bits. */
export function integerToFloat(c: FloatCode, x: ValueId, signed: boolean, round: number): ValueId {
  const e = c.b;
  const negative = signed ? e.emit2('icmp.slt.i32', x, e.u32(0)) : e.bool(false);
  const magnitude = e.select(negative, e.emit2('isub.u32', e.u32(0), x), x);
  const exact = { sign: negative, magnitude: e.emit2('pack.64', magnitude, e.u32(0)), exponent: e.u32(0) };
  return roundAndPack(c, exact, round);
}

/** f16 to a 16-bit integer: truncated, saturated, NaN gives 0. */
export function halfToInteger(e16: FloatCode, x: ValueId, signed: boolean): ValueId {
  const e = e16.b;
  const field = e16.exponent(x);
  const { magnitude, exponent } = unpack(e16, x);
  const word = e.emit1('lo.64', magnitude);
  const left = e.emit2('shl.u32', word, e16.limit(exponent, 0, 31));
  const right = e.emit2('shr.u32', word, e16.limit(e16.minus(e16.int(0), exponent), 0, 31));
  const whole = e.select(e16.lessThan(exponent, e16.int(0)), right, left);
  const integer = e.select(e16.is(field, 31), e.u32(0x10000), whole);
  const negative = e16.isNegative(x);
  let result: ValueId;
  if (signed) {
    const limited = e.emit2('umin.u32', integer, e.select(negative, e.u32(0x8000), e.u32(0x7fff)));
    result = e.emit2('and.u32', e.select(negative, e.emit2('isub.u32', e.u32(0), limited), limited), e.u32(0xffff));
  } else result = e.select(negative, e.u32(0), e.emit2('umin.u32', integer, e.u32(0xffff)));
  return e.select(e16.isNan(x), e.u32(0), result);
}

// ── ldexp, fract ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** x · 2^n, one rounding. */
export function scaleByPower(c: FloatCode, x: ValueId, n: ValueId, round: number): ValueId {
  const exact = unpack(c, x);
  const power = c.limit(n, -5000, 5000);
  const finite = roundAndPack(c, { ...exact, exponent: c.plus(exact.exponent, power) }, round);
  return c.select(c.is(c.exponent(x), c.specialExponent), quietNan(c, x), finite);
}

/** x − floor(x), one rounding, below 1. */
export function fraction(
  c: FloatCode,
  x: ValueId,
  round: number,
  subtract: (a: ValueId, b: ValueId) => ValueId,
): ValueId {
  const floor = toIntegral(c, x, 'floor');
  const difference = subtract(x, c.xor(floor, c.word(c.signBit)));
  const one = c.word(c.powerOfTwo(0));
  const limited = c.select(c.below(difference, one), difference, c.word(c.powerOfTwo(0) - 1n));
  const zero = round === 2 ? c.word(c.signBit) : c.word(0n);
  const result = c.select(c.equal(x, floor), zero, limited);
  const special = c.is(c.exponent(x), c.specialExponent);
  return c.select(special, c.nanOf([x]), result);
}
