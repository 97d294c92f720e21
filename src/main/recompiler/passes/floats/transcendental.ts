/**
 * exp2, log2, sin and cos of f32 in 32-bit integers: docs/float-arithmetic.md#approximate-instructions, step by step.
 *
 * Qn: real value · 2^n. `hi` is the upper half of a product. Both engines compute the same bits from the same steps.
 */
import type { ValueId } from '../../ir/types.ts';
import type { FloatCode } from './float-code.ts';

const EXP2 = [0x58b90bfc, 0x3d7f7c01, 0x0e35843c, 0x027656e6, 0x00575c45, 0x000a2454, 0x0000f206, 0x00001e45] as const;
const LOG2 = [
  0xda827926, 0xcdef6aff, 0x85653832, 0x626008b5, 0x4dcd9153, 0x4012908b, 0x3570c936, 0x2b22c1ff, 0x1f5b0475,
  0x12b78772, 0x083be5aa, 0x024dd648, 0x004d6ba3,
] as const;
const SIN = [0xa55de731, 0x0519af0b, 0x00132ce2, 0x00002997] as const;
const COS = [0x4ef4f326, 0x040f07a8, 0x00155cb9, 0x00003b6d] as const;
const TWO_PI_Q29 = 0xc90fdaa2;

/** Unsigned 32-bit steps on one value. */
class Steps {
  readonly c: FloatCode;
  readonly E: ValueId;
  readonly M: ValueId;

  constructor(c: FloatCode, x: ValueId) {
    this.c = c;
    this.E = c.minus(c.exponent(x), c.int(127));
    this.M = this.or(this.and(x, c.int(0x7fffff)), c.int(0x800000));
  }

  and(a: ValueId, b: ValueId): ValueId {
    return this.c.b.emit2('and.u32', a, b);
  }
  or(a: ValueId, b: ValueId): ValueId {
    return this.c.b.emit2('or.u32', a, b);
  }
  hi(a: ValueId, b: ValueId): ValueId {
    return this.c.b.emit2('umulhi.u32', a, b);
  }
  shl(a: ValueId, n: ValueId): ValueId {
    return this.c.b.emit2('shl.u32', a, n);
  }
  shr(a: ValueId, n: ValueId): ValueId {
    return this.c.b.emit2('shr.u32', a, n);
  }
  int(n: number): ValueId {
    return this.c.b.u32(n);
  }
  negate(a: ValueId): ValueId {
    return this.c.minus(this.int(0), a);
  }

  /** Fraction of |x| in Q32; bits below are dropped. */
  fraction(): ValueId {
    const { c, E, M } = this;
    const up = this.shl(M, c.plus(E, c.int(9)));
    const down = this.shr(M, c.minus(c.int(-9), E));
    const low = c.select(c.lessThan(E, c.int(-33)), c.int(0), down);
    return c.select(c.lessThan(E, c.int(-9)), low, up);
  }

  /** k[first] − z (k[first + 1] − z (…)). */
  alternating(coefficients: readonly number[], first: number, z: ValueId): ValueId {
    let sum = this.int(coefficients[coefficients.length - 1]!);
    for (let k = coefficients.length - 2; k >= first; k--) {
      sum = this.c.minus(this.int(coefficients[k]!), this.hi(sum, z));
    }
    return sum;
  }

  /** ±(high:low) · 2^scale to nearest (ties away), denormals flushed. */
  pack(sign: ValueId, high: ValueId, low: ValueId, scale: ValueId): ValueId {
    const { c } = this;
    const { b } = c;
    const pair = b.emit2('pack.64', low, high);
    const zeros = b.emit1('clz.u64', pair);
    const top = b.emit1('hi.64', b.emit2('shl.u64', pair, zeros));
    const exponent = c.plus(c.minus(scale, zeros), c.int(63 + 127));
    const bits = this.mantissa(this.shl(exponent, c.int(23)), top);
    const positive = this.and(bits, c.int(0x7fffffff));
    return this.or(sign, c.select(c.atMost(exponent, c.int(0)), c.int(0), positive));
  }

  /** Exponent field plus the rounded mantissa of a Q31 number in [1, 2). */
  mantissa(field: ValueId, q31: ValueId): ValueId {
    const { c } = this;
    const kept = this.and(this.shr(q31, c.int(8)), c.int(0x7fffff));
    const half = this.and(this.shr(q31, c.int(7)), c.int(1));
    return c.plus(c.plus(field, kept), half);
  }
}

export function exp2(c: FloatCode, x: ValueId): ValueId {
  const s = new Steps(c, x);
  const negative = c.isNegative(x);
  const whole = c.select(c.lessThan(s.E, c.int(0)), c.int(0), s.shr(s.M, c.limit(c.minus(c.int(23), s.E), 0, 31)));
  const fraction = s.fraction();
  const borrow = c.b.select(c.is(fraction, 0), c.int(0), c.int(1));
  const W = c.select(negative, c.minus(s.negate(whole), borrow), whole);
  const F = c.select(negative, s.negate(fraction), fraction);
  let A = c.int(EXP2[7]);
  for (let k = 6; k >= 1; k--) A = c.plus(c.int(EXP2[k]!), s.hi(A, F));
  A = c.plus(c.int(EXP2[0]), s.shr(s.hi(A, F), c.int(1)));
  const P = c.plus(c.int(0x80000000), s.hi(F, A));
  const bits = s.mantissa(s.shl(c.plus(W, c.int(127)), c.int(23)), P);
  const inRange = c.select(c.lessThan(W, c.int(-126)), c.int(0), bits);
  const far = c.select(negative, c.int(0), c.word(c.infinity));
  const result = c.select(c.lessThan(s.E, c.int(7)), inRange, far);
  return c.select(c.isNan(x), c.quiet(x), result);
}

export function log2(c: FloatCode, x: ValueId): ValueId {
  const s = new Steps(c, x);
  const high = c.no(c.b.emit2('icmp.ult.u32', s.M, c.int(0xb504f4)));
  const e = c.select(high, c.plus(s.E, c.int(1)), s.E);
  const above = c.minus(s.M, c.int(0x1000000));
  const t = c.select(high, above, s.shl(c.minus(s.M, c.int(0x800000)), c.int(1)));
  const V = c.b.emit2('imul.u32', c.plus(t, c.int(4913932)), c.int(362));
  const A = s.alternating(LOG2, 1, V);
  const Q = c.minus(c.int(LOG2[0]), s.shr(s.hi(A, V), c.int(1)));
  // R = (e << 55) + t · Q; t is signed.
  const { b } = c;
  const tNegative = c.lessThan(t, c.int(0));
  const product = b.emit2('umulwide.u64', c.select(tNegative, s.negate(t), t), Q);
  const zero = b.u64(0, 0);
  const signedProduct = b.select(tNegative, b.emit2('isub.u64', zero, product), product);
  const shifted = b.emit2('pack.64', c.int(0), s.shl(e, c.int(23)));
  const R = b.emit2('iadd.u64', shifted, signedProduct);
  const negative = b.emit2('icmp.slt.i64', R, zero);
  const magnitude = b.select(negative, b.emit2('isub.u64', zero, R), R);
  const sign = b.select(negative, c.int(0x80000000), c.int(0));
  const packed = s.pack(sign, b.emit1('hi.64', magnitude), b.emit1('lo.64', magnitude), c.int(-55));
  const isOne = c.both(c.is(t, 0), c.is(e, 0));
  let result = c.select(isOne, c.int(0), packed);
  result = c.select(c.equal(x, c.word(c.infinity)), x, result);
  result = c.select(c.isNegative(x), c.word(c.defaultNan), result);
  result = c.select(c.is(c.exponent(x), 0), c.int(0xff800000), result);
  return c.select(c.isNan(x), c.quiet(x), result);
}

/** Argument in turns. `quarters`: 0 sin, 1 cos. */
export function sine(c: FloatCode, x: ValueId, quarters: 0 | 1): ValueId {
  const s = new Steps(c, x);
  const { b } = c;
  const { E } = s;
  const F = c.select(c.lessThan(E, c.int(23)), s.fraction(), c.int(0));
  const isDirect = c.lessThan(E, c.int(-3));
  const nearest = s.and(s.shr(c.plus(F, c.int(0x20000000)), c.int(30)), c.int(3));
  const n = c.select(isDirect, c.int(0), nearest);
  const q = s.and(c.plus(n, c.int(quarters)), c.int(3));
  const r = c.minus(F, s.shl(n, c.int(30)));
  const rNegative = c.lessThan(r, c.int(0));
  const magnitude = c.select(rNegative, s.negate(r), r);
  const Y = s.shl(magnitude, c.int(2));
  const square = s.hi(Y, Y);
  const z = s.shl(c.minus(square, s.shr(square, c.int(30))), c.int(2));
  const sign0 = quarters === 0 ? c.sign(x) : c.int(0);
  const flips = c.no(b.emit2('icmp.ult.u32', q, c.int(2)));
  const g = c.xor(sign0, c.select(flips, c.int(0x80000000), c.int(0)));

  const cosine = c.minus(c.int(0x80000000), s.shr(s.hi(s.alternating(COS, 0, z), z), c.int(1)));
  const odd = s.pack(g, c.int(0), cosine, c.int(-31));

  const S = c.minus(c.int(TWO_PI_Q29), s.shr(s.hi(s.alternating(SIN, 0, z), z), c.int(3)));
  const factor = c.select(isDirect, s.M, magnitude);
  const product = b.emit2('umulwide.u64', factor, S);
  const restFlips = c.both(rNegative, c.no(isDirect));
  const evenSign = c.xor(g, c.select(restFlips, c.int(0x80000000), c.int(0)));
  const scale = c.select(isDirect, c.minus(E, c.int(52)), c.int(-61));
  const packed = s.pack(evenSign, b.emit1('hi.64', product), b.emit1('lo.64', product), scale);
  const even = c.select(c.is(factor, 0), sign0, packed);

  let result = c.select(c.is(s.and(q, c.int(1)), 0), even, odd);
  result = c.select(c.is(c.exponent(x), 0), quarters === 0 ? sign0 : c.int(0x3f800000), result);
  return c.select(c.is(c.exponent(x), c.specialExponent), c.nanOf([x]), result);
}
