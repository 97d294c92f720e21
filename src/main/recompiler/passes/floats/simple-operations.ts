/**
 * Float operations that are exact or only choose: flushing, quieting, minimum, maximum, clamp, output modifiers, class
 * tests, rounding to integral values, frexp. In integers, the same for the three formats.
 */
import type { ValueId } from '../../ir/types.ts';
import type { FloatCode } from './float-code.ts';

export function quietNan(c: FloatCode, x: ValueId): ValueId {
  return c.select(c.isNan(x), c.quiet(x), x);
}

/** −0 < +0. A NaN gives the other operand, two NaNs the second; with `ieee` a signalling NaN wins, made quiet. */
export function minMax(c: FloatCode, a: ValueId, b: ValueId, max: boolean, ieee: boolean): ValueId {
  const less = c.signedBelow(c.order(a), c.order(b));
  const chosen = max ? c.select(less, b, a) : c.select(less, a, b);
  const result = c.select(c.isNan(a), b, c.select(c.isNan(b), a, chosen));
  if (!ieee) return result;
  return c.select(c.isSignaling(a), c.quiet(a), c.select(c.isSignaling(b), c.quiet(b), result));
}

/** To [0, 1]; a NaN gives 0 with `dx10`, otherwise itself. */
export function saturate(c: FloatCode, x: ValueId, dx10: boolean): ValueId {
  const one = c.word(c.powerOfTwo(0));
  const upper = c.select(c.below(one, x), one, x);
  const limited = c.select(c.isNegative(x), c.word(0n), upper);
  return c.select(c.isNan(x), dx10 ? c.word(0n) : x, limited);
}

/** ×2, ×4, ÷2 by `scale` 1, 2, 3; zero and denormal results become +0, overflow gives infinity. */
export function outputModifier(c: FloatCode, x: ValueId, scale: number): ValueId {
  const step = [0, 1, 2, -1][scale]!;
  const field = c.exponent(x);
  const scaled = c.plus(field, c.int(step));
  const moved = c.add(x, c.word(BigInt(step) << BigInt(c.f.mantissaBits)));
  const vanishes = c.either(c.is(field, 0), c.atMost(scaled, c.int(0)));
  const overflows = c.no(c.lessThan(scaled, c.int(c.specialExponent)));
  const infinite = c.or(c.sign(x), c.word(c.infinity));
  const result = c.select(vanishes, c.word(0n), c.select(overflows, infinite, moved));
  return c.select(c.is(field, c.specialExponent), x, result);
}

/** Whether the value's class is in the mask: bits as v_cmp_class has them. */
export function classTest(c: FloatCode, x: ValueId, mask: ValueId): ValueId {
  const { b } = c;
  const negative = c.isNegative(x);
  const field = c.exponent(x);
  const hasMantissa = c.notEqual(c.and(x, c.word(c.mantissaMask)), c.word(0n));
  const signed = (minus: number, plus: number): ValueId => b.select(negative, c.int(minus), c.int(plus));
  const quiet = c.notEqual(c.and(x, c.word(c.quietBit)), c.word(0n));
  const nan = b.select(quiet, c.int(2), c.int(1));
  const special = b.select(hasMantissa, nan, signed(4, 512));
  const tiny = b.select(hasMantissa, signed(16, 128), signed(32, 64));
  const finite = b.select(c.is(field, 0), tiny, signed(8, 256));
  const one = b.select(c.is(field, c.specialExponent), special, finite);
  return b.emit2('icmp.ne.u32', b.emit2('and.u32', one, mask), c.int(0));
}

export type Integral = 'floor' | 'ceil' | 'trunc' | 'rndne';

/** To an integral value, exactly; zero results keep the sign, NaNs become quiet. */
export function toIntegral(c: FloatCode, x: ValueId, kind: Integral): ValueId {
  const { f } = c;
  const e = c.minus(c.exponent(x), c.int(f.bias));
  const sign = c.sign(x);
  // 0 ≤ e < mantissa bits: the fraction is the low part of the mantissa.
  const shift = c.limit(e, 0, f.mantissaBits);
  const fractionMask = c.shr(c.word(c.mantissaMask), shift);
  const keep = c.not(fractionMask);
  const negative = c.isNegative(x);
  let inside: ValueId;
  let below: ValueId;
  const one = c.or(sign, c.word(c.powerOfTwo(0)));
  const nonzero = c.no(c.isZero(x));
  switch (kind) {
    case 'trunc':
      inside = c.and(x, keep);
      below = sign;
      break;
    case 'rndne': {
      // Half less one, and one more where the integer part is odd: ties go to even. At e = 0 the hidden bit is odd.
      const unit = c.minus(c.int(f.mantissaBits), shift);
      const odd = c.and(c.shr(x, unit), c.word(1n));
      const oddOrHidden = c.select(c.is(e, 0), c.word(1n), odd);
      const half = c.shr(fractionMask, c.int(1));
      inside = c.and(c.add(c.add(x, half), oddOrHidden), keep);
      const aboveHalf = c.both(c.is(e, -1), c.notEqual(c.and(x, c.word(c.mantissaMask)), c.word(0n)));
      below = c.select(aboveHalf, one, sign);
      break;
    }
    case 'floor':
    case 'ceil': {
      const away = kind === 'floor' ? negative : c.no(negative);
      inside = c.and(c.select(away, c.add(x, fractionMask), x), keep);
      below = c.select(c.both(away, nonzero), one, sign);
      break;
    }
  }
  const result = c.select(c.lessThan(e, c.int(0)), below, inside);
  const isIntegral = c.no(c.lessThan(e, c.int(f.mantissaBits)));
  return c.select(isIntegral, quietNan(c, x), result);
}

/** The significand in [½, 1); zero and infinity unchanged, NaN quiet. */
export function frexpSignificand(c: FloatCode, x: ValueId): ValueId {
  const { magnitude } = normalMantissa(c, x);
  const half = c.word(c.powerOfTwo(-1));
  const result = c.or(c.or(c.sign(x), half), c.and(magnitude, c.word(c.mantissaMask)));
  const special = c.either(c.is(c.exponent(x), c.specialExponent), c.isZero(x));
  return c.select(special, quietNan(c, x), result);
}

/** e with x = s · 2^e; 0 for zero, infinity and NaN. 32 bits. */
export function frexpExponent(c: FloatCode, x: ValueId): ValueId {
  const { exponent } = normalMantissa(c, x);
  const special = c.either(c.is(c.exponent(x), c.specialExponent), c.isZero(x));
  return c.b.select(special, c.int(0), c.minus(exponent, c.int(c.f.bias - 1)));
}

/** Mantissa with its leading one at the hidden bit, and the biased exponent that belongs to it (may be ≤ 0). */
export function normalMantissa(c: FloatCode, x: ValueId): { magnitude: ValueId; exponent: ValueId } {
  const { b, f } = c;
  const field = c.exponent(x);
  const mantissa = c.and(x, c.word(c.mantissaMask));
  const isDenormal = c.is(field, 0);
  const zeros = b.emit1(f.wide ? 'clz.u64' : 'clz.u32', mantissa);
  const shift = c.minus(zeros, c.int((f.wide ? 64 : 32) - 1 - f.mantissaBits));
  const magnitude = c.select(isDenormal, c.shl(mantissa, shift), c.or(mantissa, c.word(c.mantissaMask + 1n)));
  return { magnitude, exponent: b.select(isDenormal, c.minus(c.int(1), shift), field) };
}
