/**
 * Exact values to floats with one rounding, and floats to exact values.
 *
 * A value is sign, 64-bit magnitude and exponent: (−1)^sign · magnitude · 2^exponent, magnitude < 2^63, where bit 0 may
 * stand for "and something below". The result's rounding point lies above bit 1 then, so the sticky bit decides ties.
 */
import type { ValueId } from '../../ir/types.ts';
import type { FloatCode } from './float-code.ts';

export const ROUND_NEAREST = 0;
export const ROUND_UP = 1;
export const ROUND_DOWN = 2;
export const ROUND_TO_ZERO = 3;

export interface Exact {
  /** Condition: negative. */
  readonly sign: ValueId;
  /** 64 bits. */
  readonly magnitude: ValueId;
  /** 32 bits, signed. */
  readonly exponent: ValueId;
}

/** A finite number of the format; its magnitude has at most mantissa + 1 bits. */
export function unpack(c: FloatCode, x: ValueId): Exact {
  const { b } = c;
  const field = c.exponent(x);
  const isNormal = b.emit2('icmp.ne.u32', field, c.int(0));
  const mantissa = c.and(x, c.word(c.mantissaMask));
  const hidden = c.or(mantissa, c.word(c.mantissaMask + 1n));
  const magnitude = c.widen(c.select(isNormal, hidden, mantissa));
  const exponent = c.minus(b.emit2('umax.u32', field, c.int(1)), c.int(c.f.bias + c.f.mantissaBits));
  return { sign: c.isNegative(x), magnitude, exponent };
}

/** Highest set bit moved to `bit` (which must not be below it); a zero stays zero. */
export function normalise(c: FloatCode, value: Exact, bit: number): Exact {
  const { b } = c;
  const zeros = b.emit1('clz.u64', value.magnitude);
  const isZero = b.emit2('icmp.eq.u64', value.magnitude, b.u64(0, 0));
  const shift = b.select(isZero, c.int(0), c.minus(zeros, c.int(63 - bit)));
  return {
    sign: value.sign,
    magnitude: b.emit2('shl.u64', value.magnitude, shift),
    exponent: c.minus(value.exponent, shift),
  };
}

/** magnitude >> amount with everything lost gathered in bit 0; any amount ≥ 0. */
export function shiftRightSticky(c: FloatCode, magnitude: ValueId, amount: ValueId): ValueId {
  const { b } = c;
  const small = b.emit2('umin.u32', amount, c.int(63));
  const shifted = b.emit2('shr.u64', magnitude, small);
  const back = b.emit2('shl.u64', shifted, small);
  const lost = b.emit2('icmp.ne.u64', back, magnitude);
  const sticky = b.select(lost, b.u64(1, 0), b.u64(0, 0));
  const result = b.emit2('or.u64', shifted, sticky);
  // Past 63 only the sticky bit is left.
  const any = b.select(b.emit2('icmp.ne.u64', magnitude, b.u64(0, 0)), b.u64(1, 0), b.u64(0, 0));
  return b.select(b.emit2('icmp.ult.u32', c.int(63), amount), any, result);
}

/** Rounds to the format. A zero magnitude gives a zero of the value's sign. */
export function roundAndPack(c: FloatCode, value: Exact, round: number): ValueId {
  const { b, f } = c;
  const zeros = b.emit1('clz.u64', value.magnitude);
  const isZero = b.emit2('icmp.eq.u64', value.magnitude, b.u64(0, 0));
  // Top bit to bit 62, so that one more bit can be shifted out below.
  const toTop = c.minus(zeros, c.int(1));
  const top = b.emit2('shl.u64', value.magnitude, toTop);
  const biased = c.plus(c.minus(value.exponent, toTop), c.int(62 + f.bias));
  const denormal = b.emit2('smax.i32', c.minus(c.int(1), biased), c.int(0));
  const shift = c.plus(denormal, c.int(62 - f.mantissaBits));
  // A shift past 62 leaves less than half of the smallest denormal.
  const kept = b.emit2('umin.u32', shift, c.int(63));
  const magnitude = b.select(b.emit2('icmp.ult.u32', c.int(63), shift), b.u64(1, 0), top);
  const whole = b.emit2('shr.u64', magnitude, kept);
  const rest = b.emit2('isub.u64', magnitude, b.emit2('shl.u64', whole, kept));
  const rounded = b.emit2('iadd.u64', whole, roundingStep(c, value.sign, whole, rest, kept, round));
  // The hidden bit adds 1 to the exponent; so does a carry out of the mantissa.
  const field = c.minus(b.emit2('smax.i32', biased, c.int(1)), c.int(1));
  const limited = b.emit2('smin.i32', field, c.int(c.specialExponent));
  const exponent = c.shl(c.f.wide ? b.emit2('pack.64', limited, b.u32(0)) : limited, c.int(f.mantissaBits));
  const bits = c.add(exponent, c.narrow(rounded));
  const overflows = c.no(c.below(bits, c.word(c.infinity)));
  const unsigned = c.select(overflows, overflowValue(c, value.sign, round), bits);
  const sign = c.select(value.sign, c.word(c.signBit), c.word(0n));
  return c.select(isZero, sign, c.or(unsigned, sign));
}

/** 1 where the discarded part rounds the magnitude up. */
function roundingStep(
  c: FloatCode,
  sign: ValueId,
  whole: ValueId,
  rest: ValueId,
  shift: ValueId,
  round: number,
): ValueId {
  const { b } = c;
  const one = b.u64(1, 0);
  const zero = b.u64(0, 0);
  const inexact = b.emit2('icmp.ne.u64', rest, zero);
  switch (round) {
    case ROUND_UP:
      return b.select(c.both(inexact, c.no(sign)), one, zero);
    case ROUND_DOWN:
      return b.select(c.both(inexact, sign), one, zero);
    case ROUND_TO_ZERO:
      return zero;
    default: {
      const half = b.emit2('shl.u64', one, c.minus(shift, c.int(1)));
      const above = b.emit2('icmp.ult.u64', half, rest);
      const tie = b.emit2('icmp.eq.u64', rest, half);
      const odd = b.emit2('icmp.ne.u64', b.emit2('and.u64', whole, one), zero);
      return b.select(c.either(above, c.both(tie, odd)), one, zero);
    }
  }
}

/** Magnitude of a result beyond the largest finite number. */
function overflowValue(c: FloatCode, sign: ValueId, round: number): ValueId {
  const infinity = c.word(c.infinity);
  const largest = c.word(c.infinity - 1n);
  switch (round) {
    case ROUND_UP:
      return c.select(sign, largest, infinity);
    case ROUND_DOWN:
      return c.select(sign, infinity, largest);
    case ROUND_TO_ZERO:
      return largest;
    default:
      return infinity;
  }
}

/**
 * a + b, exact enough to round: both normalised to bit 61, the smaller shifted down with a sticky bit. `sign` of a zero
 * sum: that of the terms if they agree, otherwise − only when rounding down.
 */
export function addExact(c: FloatCode, left: Exact, right: Exact, round: number): Exact {
  const { b } = c;
  const x = normalise(c, left, 61);
  const y = normalise(c, right, 61);
  const isZero = (v: Exact): ValueId => b.emit2('icmp.eq.u64', v.magnitude, b.u64(0, 0));
  // A zero has no exponent of its own: it takes the other's.
  const xe = b.select(isZero(x), y.exponent, x.exponent);
  const ye = b.select(isZero(y), x.exponent, y.exponent);
  const exponent = b.emit2('smax.i32', xe, ye);
  const signed = (v: Exact, e: ValueId): ValueId => {
    const shifted = shiftRightSticky(c, v.magnitude, c.minus(exponent, e));
    return b.select(v.sign, b.emit2('isub.u64', b.u64(0, 0), shifted), shifted);
  };
  const sum = b.emit2('iadd.u64', signed(x, xe), signed(y, ye));
  const negative = b.emit2('icmp.slt.i64', sum, b.u64(0, 0));
  const magnitude = b.select(negative, b.emit2('isub.u64', b.u64(0, 0), sum), sum);
  const disagree = c.differ(left.sign, right.sign);
  const zeroSign = b.select(disagree, b.bool(round === ROUND_DOWN), left.sign);
  const none = b.emit2('icmp.eq.u64', magnitude, b.u64(0, 0));
  return { sign: b.select(none, zeroSign, negative), magnitude, exponent };
}
