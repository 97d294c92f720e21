/**
 * Division steps and roots: div_scale, div_fixup, reciprocal, square root and its reciprocal.
 *
 * Reciprocals and roots are correctly rounded, so any exact method gives the same bits: the device's division where it
 * is exact, or one double operation rounded once (innocuous: 53 ≥ 2 · 24 + 2).
 */
import type { ValueId } from '../../ir/types.ts';
import { NATIVE } from './arithmetic.ts';
import { F64, FloatCode } from './float-code.ts';
import { normalMantissa } from './simple-operations.ts';

/** Constants of div_scale and div_fixup per format. */
const STEPS = {
  f32: { far: 96, scale: 64, smallest: -126, tiny: 23, underflow: -150 },
  f64: { far: 768, scale: 128, smallest: -1022, tiny: 53, underflow: -1075 },
} as const;

/** |n / d| < 2^smallest, exactly: by exponents, and by mantissas when they decide. */
function quotientIsDenormal(c: FloatCode, n: ValueId, d: ValueId, smallest: number): ValueId {
  const x = normalMantissa(c, n);
  const y = normalMantissa(c, d);
  const difference = c.minus(x.exponent, y.exponent);
  const below = c.lessThan(difference, c.int(smallest));
  const smaller = c.below(x.magnitude, y.magnitude);
  return c.either(below, c.both(c.is(difference, smallest), smaller));
}

export interface ScaledOperand {
  readonly value: ValueId;
  readonly flag: ValueId;
}

/** The documented table of div_scale; `scale(x, n)` is x · 2^n. */
export function divScale(
  c: FloatCode,
  value: ValueId,
  denominator: ValueId,
  numerator: ValueId,
  scaleBy: (x: ValueId, n: number) => ValueId,
): ScaledOperand {
  const k = STEPS[c.f.name === 'f64' ? 'f64' : 'f32'];
  const { b } = c;
  const no = b.bool(false);
  const yes = b.bool(true);
  const isDenominator = c.equal(value, denominator);
  const isNumerator = c.equal(value, numerator);
  const ed = c.exponent(denominator);
  const en = c.exponent(numerator);
  const dFinite = c.no(c.is(ed, c.specialExponent));
  const nFinite = c.no(c.is(en, c.specialExponent));
  const one = c.word(c.powerOfTwo(0));
  const reciprocalTiny = c.both(dFinite, quotientIsDenormal(c, one, denominator, k.smallest));
  const quotientTiny = c.both(c.both(dFinite, nFinite), quotientIsDenormal(c, numerator, denominator, k.smallest));
  const up = scaleBy(value, k.scale);
  const down = scaleBy(value, -k.scale);
  // From the last row of the table to the first.
  let result = c.select(c.atMost(en, c.int(k.tiny)), up, value);
  let flag = no;
  const row = (condition: ValueId, then: ValueId, sets: ValueId): void => {
    result = c.select(condition, then, result);
    flag = b.select(condition, sets, flag);
  };
  row(quotientTiny, c.select(isNumerator, up, value), yes);
  row(reciprocalTiny, down, no);
  row(c.both(reciprocalTiny, quotientTiny), c.select(isDenominator, down, value), yes);
  row(c.is(ed, 0), up, no);
  row(c.no(c.lessThan(c.minus(en, ed), c.int(k.far))), c.select(isDenominator, up, value), yes);
  row(c.either(c.isZero(denominator), c.isZero(numerator)), c.word(c.defaultNan), no);
  return { value: result, flag };
}

/** Special cases of quotient ≈ numerator / denominator put right. */
export function divFixup(
  c: FloatCode,
  quotient: ValueId,
  denominator: ValueId,
  numerator: ValueId,
  round: number,
  flush: boolean,
): ValueId {
  const signBits = c.sign(c.xor(denominator, numerator));
  const infinity = c.or(signBits, c.word(c.infinity));
  const dZero = c.isZero(denominator);
  const nZero = c.isZero(numerator);
  const dInfinite = c.isInfinite(denominator);
  const nInfinite = c.isInfinite(numerator);
  // The iteration on an overflowing quotient ends in ∞ − ∞.
  let result = c.select(c.isNan(quotient), infinity, c.or(signBits, c.magnitude(quotient)));
  if (c.f.name !== 'f16') {
    const k = STEPS[c.f.name === 'f64' ? 'f64' : 'f32'];
    const difference = c.minus(c.exponent(numerator), c.exponent(denominator));
    const negative = c.notEqual(signBits, c.word(0n));
    // What rounding makes of a tiny value: the smallest denormal on the side it rounds to.
    const away = round === 1 ? c.no(negative) : round === 2 ? negative : c.b.bool(false);
    const tiny = flush ? signBits : c.or(signBits, c.select(away, c.word(1n), c.word(0n)));
    result = c.select(c.lessThan(difference, c.int(k.underflow)), tiny, result);
  }
  result = c.select(c.either(dInfinite, nZero), signBits, result);
  result = c.select(c.either(dZero, nInfinite), infinity, result);
  const invalid = c.either(c.both(dZero, nZero), c.both(dInfinite, nInfinite));
  result = c.select(invalid, c.word(c.defaultNan), result);
  return c.select(c.isNan(numerator), c.quiet(numerator), c.select(c.isNan(denominator), c.quiet(denominator), result));
}

export type Root = 'frcp' | 'fsqrt' | 'frsq';

/** With the device's exact division and square root of the format. */
export function rootNative(c: FloatCode, x: ValueId, kind: Root): ValueId {
  const { b } = c;
  const one = c.word(c.powerOfTwo(0));
  const root = (v: ValueId): ValueId => b.emit1(`fsqrt.${nameOf(c)}`, v, NATIVE);
  const over = (v: ValueId): ValueId => b.emit2(`fdiv.${nameOf(c)}`, one, v, NATIVE);
  const result = kind === 'fsqrt' ? root(x) : kind === 'frcp' ? over(x) : over(root(x));
  return c.select(c.isNan(result), c.nanOf([x]), result);
}

function nameOf(c: FloatCode): 'f32' | 'f64' {
  return c.f.name === 'f64' ? 'f64' : 'f32';
}

/** f32 through doubles: `toF32` rounds once, in integers. */
export function rootViaF64(
  c: FloatCode,
  x: ValueId,
  kind: Root,
  toF32: (d: FloatCode, v: ValueId) => ValueId,
): ValueId {
  const { b } = c;
  const d = new FloatCode(b, F64);
  const wide = b.emit1('cvt.f64.f32', x);
  const one = d.word(d.powerOfTwo(0));
  const root = (v: ValueId): ValueId => b.emit1('fsqrt.f64', v, NATIVE);
  const over = (v: ValueId): ValueId => b.emit2('fdiv.f64', one, v, NATIVE);
  const result = kind === 'fsqrt' ? root(wide) : kind === 'frcp' ? over(wide) : over(root(wide));
  return c.select(d.isNan(result), c.nanOf([x]), toF32(d, result));
}
