/**
 * Words and fields of one float format while its operations are written out in integers.
 *
 * f16 lives in the low half of a 32-bit word, f32 in a word, f64 in a 64-bit word. Everything that treats the three
 * alike is written once on this vocabulary: `and`, `add`, `less` work on the format's word, fields come out as 32-bit.
 */
import type { Builder } from '../../ir/builder.ts';
import type { OpName } from '../../ir/ops.ts';
import type { ValueId } from '../../ir/types.ts';

export interface FloatFormat {
  readonly name: 'f16' | 'f32' | 'f64';
  readonly wide: boolean;
  readonly mantissaBits: number;
  readonly exponentBits: number;
  readonly bias: number;
}

export const F16: FloatFormat = { name: 'f16', wide: false, mantissaBits: 10, exponentBits: 5, bias: 15 };
export const F32: FloatFormat = { name: 'f32', wide: false, mantissaBits: 23, exponentBits: 8, bias: 127 };
export const F64: FloatFormat = { name: 'f64', wide: true, mantissaBits: 52, exponentBits: 11, bias: 1023 };

export class FloatCode {
  readonly b: Builder;
  readonly f: FloatFormat;

  constructor(b: Builder, f: FloatFormat) {
    this.b = b;
    this.f = f;
  }

  // ── constants, as bits of the format ───────────────────────────────────────────────────────────────────────────────

  word(bits: bigint): ValueId {
    const low = Number(BigInt.asIntN(32, bits));
    return this.f.wide ? this.b.u64(low, Number(BigInt.asIntN(32, bits >> 32n))) : this.b.u32(low);
  }

  private get mantissaShift(): bigint {
    return BigInt(this.f.mantissaBits);
  }

  get signBit(): bigint {
    return 1n << BigInt(this.f.mantissaBits + this.f.exponentBits);
  }

  /** All exponent bits: +∞. */
  get infinity(): bigint {
    return ((1n << BigInt(this.f.exponentBits)) - 1n) << this.mantissaShift;
  }

  get quietBit(): bigint {
    return 1n << (this.mantissaShift - 1n);
  }

  get mantissaMask(): bigint {
    return (1n << this.mantissaShift) - 1n;
  }

  /** What an invalid operation gives. */
  get defaultNan(): bigint {
    return this.signBit | this.infinity | this.quietBit;
  }

  /** 2^exponent, a normal number. */
  powerOfTwo(exponent: number): bigint {
    return BigInt(exponent + this.f.bias) << this.mantissaShift;
  }

  /** Largest biased exponent: infinities and NaNs. */
  get specialExponent(): number {
    return (1 << this.f.exponentBits) - 1;
  }

  // ── operations on the format's word ────────────────────────────────────────────────────────────────────────────────

  private pick(narrow: OpName, wide: OpName): OpName {
    return this.f.wide ? wide : narrow;
  }

  and(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('and.u32', 'and.u64'), a, b);
  }
  or(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('or.u32', 'or.u64'), a, b);
  }
  xor(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('xor.u32', 'xor.u64'), a, b);
  }
  not(a: ValueId): ValueId {
    return this.b.emit1(this.pick('not.u32', 'not.u64'), a);
  }
  add(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('iadd.u32', 'iadd.u64'), a, b);
  }
  sub(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('isub.u32', 'isub.u64'), a, b);
  }
  shl(a: ValueId, amount: ValueId): ValueId {
    return this.b.emit2(this.pick('shl.u32', 'shl.u64'), a, amount);
  }
  shr(a: ValueId, amount: ValueId): ValueId {
    return this.b.emit2(this.pick('shr.u32', 'shr.u64'), a, amount);
  }
  equal(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('icmp.eq.u32', 'icmp.eq.u64'), a, b);
  }
  notEqual(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('icmp.ne.u32', 'icmp.ne.u64'), a, b);
  }
  below(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('icmp.ult.u32', 'icmp.ult.u64'), a, b);
  }
  signedBelow(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2(this.pick('icmp.slt.i32', 'icmp.slt.i64'), a, b);
  }
  select(condition: ValueId, yes: ValueId, no: ValueId): ValueId {
    return this.b.select(condition, yes, no);
  }

  // ── conditions ─────────────────────────────────────────────────────────────────────────────────────────────────────

  both(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2('and.1', a, b);
  }
  either(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2('or.1', a, b);
  }
  differ(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2('xor.1', a, b);
  }
  no(a: ValueId): ValueId {
    return this.b.emit1('not.1', a);
  }

  // ── 32-bit integers ────────────────────────────────────────────────────────────────────────────────────────────────

  int(value: number): ValueId {
    return this.b.u32(value);
  }
  plus(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2('iadd.u32', a, b);
  }
  minus(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2('isub.u32', a, b);
  }
  /** Signed. */
  lessThan(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2('icmp.slt.i32', a, b);
  }
  atMost(a: ValueId, b: ValueId): ValueId {
    return this.b.emit2('icmp.sle.i32', a, b);
  }
  is(a: ValueId, value: number): ValueId {
    return this.b.emit2('icmp.eq.u32', a, this.b.u32(value));
  }
  /** low ≤ value ≤ high, signed. */
  limit(value: ValueId, low: number, high: number): ValueId {
    return this.b.emit2('smin.i32', this.b.emit2('smax.i32', value, this.b.u32(low)), this.b.u32(high));
  }

  // ── fields ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Biased exponent as a 32-bit number. */
  exponent(x: ValueId): ValueId {
    const { mantissaBits, exponentBits, wide } = this.f;
    const word = wide ? this.b.emit1('hi.64', x) : x;
    return this.b.emit3('ubfe.u32', word, this.int(wide ? mantissaBits - 32 : mantissaBits), this.int(exponentBits));
  }

  magnitude(x: ValueId): ValueId {
    return this.and(x, this.word(this.signBit - 1n));
  }

  sign(x: ValueId): ValueId {
    return this.and(x, this.word(this.signBit));
  }

  isNegative(x: ValueId): ValueId {
    if (this.f.name === 'f16') return this.notEqual(this.sign(x), this.word(0n));
    return this.signedBelow(x, this.word(0n));
  }

  isNan(x: ValueId): ValueId {
    return this.below(this.word(this.infinity), this.magnitude(x));
  }

  isSignaling(x: ValueId): ValueId {
    return this.both(this.isNan(x), this.equal(this.and(x, this.word(this.quietBit)), this.word(0n)));
  }

  isInfinite(x: ValueId): ValueId {
    return this.equal(this.magnitude(x), this.word(this.infinity));
  }

  isZero(x: ValueId): ValueId {
    return this.equal(this.magnitude(x), this.word(0n));
  }

  quiet(x: ValueId): ValueId {
    return this.or(x, this.word(this.quietBit));
  }

  /** Denormals become zeros of their sign. */
  flush(x: ValueId): ValueId {
    const normal = this.notEqual(this.and(x, this.word(this.infinity)), this.word(0n));
    return this.select(normal, x, this.sign(x));
  }

  /** The first NaN among the operands, quiet; the default NaN when none is. */
  nanOf(operands: readonly ValueId[]): ValueId {
    let result = this.word(this.defaultNan);
    for (let i = operands.length - 1; i >= 0; i--) {
      const x = operands[i]!;
      result = this.select(this.isNan(x), this.quiet(x), result);
    }
    return result;
  }

  /** Order of numbers as signed integers of the word: −0 below +0. */
  order(x: ValueId): ValueId {
    if (this.f.name === 'f16') {
      const magnitude = this.magnitude(x);
      return this.select(this.isNegative(x), this.not(magnitude), magnitude);
    }
    const flipped = this.xor(x, this.word(this.signBit - 1n));
    return this.select(this.isNegative(x), flipped, x);
  }

  // ── 64-bit integers beside the format's word ───────────────────────────────────────────────────────────────────────

  /** The word as a 64-bit unsigned integer. */
  widen(x: ValueId): ValueId {
    return this.f.wide ? x : this.b.emit2('pack.64', x, this.b.u32(0));
  }

  /** Low part of a 64-bit integer as the format's word. */
  narrow(x: ValueId): ValueId {
    return this.f.wide ? x : this.b.emit1('lo.64', x);
  }
}
