/**
 * Integer and boolean operations on constants, bit-exact: what constant folding computes.
 *
 * Values are raw 32-bit patterns; 64-bit ones a pair of halves. Floats are not folded here except sign-bit operations:
 * whoever folds a float must know rounding, flushing and NaN rules (docs/float-arithmetic.md).
 */
import { OP, type Op } from './ops.ts';

/** A constant: `low` and, for 64-bit values, `high`; booleans are 0 and 1 in `low`. */
export interface Bits {
  low: number;
  high: number;
}

function big(value: Bits): bigint {
  return (BigInt(value.high >>> 0) << 32n) | BigInt(value.low >>> 0);
}

function signedBig(value: Bits): bigint {
  return BigInt.asIntN(64, big(value));
}

function fromBig(value: bigint): Bits {
  return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)) };
}

function word(value: number): Bits {
  return { low: value | 0, high: 0 };
}

function truth(value: boolean): Bits {
  return { low: value ? 1 : 0, high: 0 };
}

export function multiplyHighUnsigned(a: number, b: number): number {
  return Number((BigInt(a >>> 0) * BigInt(b >>> 0)) >> 32n) | 0;
}

export function multiplyHighSigned(a: number, b: number): number {
  return Number((BigInt(a | 0) * BigInt(b | 0)) >> 32n) | 0;
}

export function popCount(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function bitReverse(value: number): number {
  let v = value;
  v = ((v >>> 1) & 0x55555555) | ((v & 0x55555555) << 1);
  v = ((v >>> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >>> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  v = ((v >>> 8) & 0x00ff00ff) | ((v & 0x00ff00ff) << 8);
  return (v >>> 16) | (v << 16);
}

function findLowest(value: number): number {
  return value === 0 ? -1 : 31 - Math.clz32(value & -value);
}

/** Leading bits equal to the sign bit, −1 when all 32 are. */
function leadingSigns(value: number): number {
  const flipped = value < 0 ? ~value : value;
  return flipped === 0 ? -1 : Math.clz32(flipped);
}

export function extractUnsigned(value: number, offset: number, width: number): number {
  const bits = width & 31;
  return bits === 0 ? 0 : (value >>> (offset & 31)) & ((1 << bits) - 1);
}

export function extractSigned(value: number, offset: number, width: number): number {
  const bits = width & 31;
  if (bits === 0) return 0;
  const shifted = value >> (offset & 31);
  return (shifted << (32 - bits)) >> (32 - bits);
}

/** v_perm_b32: selector byte 0…3 low, 4…7 high, 8…11 sign of a byte pair's upper byte, 12 zero, above 0xff. */
export function permuteBytes(high: number, low: number, selector: number): number {
  let result = 0;
  for (let i = 0; i < 4; i++) {
    const s = (selector >>> (8 * i)) & 0xff;
    let byte: number;
    if (s <= 3) byte = (low >>> (8 * s)) & 0xff;
    else if (s <= 7) byte = (high >>> (8 * (s - 4))) & 0xff;
    else if (s === 8) byte = (low >> 15) & 1 ? 0xff : 0;
    else if (s === 9) byte = low >>> 31 ? 0xff : 0;
    else if (s === 10) byte = (high >> 15) & 1 ? 0xff : 0;
    else if (s === 11) byte = high >>> 31 ? 0xff : 0;
    else byte = s === 12 ? 0 : 0xff;
    result |= byte << (8 * i);
  }
  return result;
}

/** The result, or undefined when this operation is not folded. */
export function evaluateInteger(op: Op, a: Bits, b: Bits, c: Bits): Bits | undefined {
  const x = a.low;
  const y = b.low;
  const z = c.low;
  switch (op) {
    case OP['iadd.u32']:
      return word(x + y);
    case OP['isub.u32']:
      return word(x - y);
    case OP['imul.u32']:
      return word(Math.imul(x, y));
    case OP['umulhi.u32']:
      return word(multiplyHighUnsigned(x, y));
    case OP['smulhi.i32']:
      return word(multiplyHighSigned(x, y));
    case OP['udiv.u32']:
      return y === 0 ? undefined : word(Math.floor((x >>> 0) / (y >>> 0)));
    case OP['umod.u32']:
      return y === 0 ? undefined : word((x >>> 0) % (y >>> 0));
    case OP['and.u32']:
      return word(x & y);
    case OP['or.u32']:
      return word(x | y);
    case OP['xor.u32']:
      return word(x ^ y);
    case OP['not.u32']:
      return word(~x);
    case OP['shl.u32']:
      return word(x << (y & 31));
    case OP['shr.u32']:
      return word(x >>> (y & 31));
    case OP['sar.i32']:
      return word(x >> (y & 31));
    case OP['ubfe.u32']:
      return word(extractUnsigned(x, y, z));
    case OP['sbfe.i32']:
      return word(extractSigned(x, y, z));
    case OP['bitselect.u32']:
      return word((x & y) | (~x & z));
    case OP['funnel.u32']:
      return word((z & 31) === 0 ? y : (y >>> (z & 31)) | (x << (32 - (z & 31))));
    case OP['perm.u32']:
      return word(permuteBytes(x, y, z));
    case OP['bitreverse.u32']:
      return word(bitReverse(x));
    case OP['popcount.u32']:
      return word(popCount(x));
    case OP['findlsb.u32']:
      return word(findLowest(x));
    case OP['clz.u32']:
      return word(x === 0 ? -1 : Math.clz32(x));
    case OP['cls.i32']:
      return word(leadingSigns(x));
    case OP['umin.u32']:
      return word(Math.min(x >>> 0, y >>> 0));
    case OP['umax.u32']:
      return word(Math.max(x >>> 0, y >>> 0));
    case OP['smin.i32']:
      return word(Math.min(x, y));
    case OP['smax.i32']:
      return word(Math.max(x, y));
    case OP['icmp.eq.u32']:
      return truth(x === y);
    case OP['icmp.ne.u32']:
      return truth(x !== y);
    case OP['icmp.ult.u32']:
      return truth(x >>> 0 < y >>> 0);
    case OP['icmp.ule.u32']:
      return truth(x >>> 0 <= y >>> 0);
    case OP['icmp.slt.i32']:
      return truth(x < y);
    case OP['icmp.sle.i32']:
      return truth(x <= y);
    case OP['and.1']:
      return truth((x & y) !== 0);
    case OP['or.1']:
      return truth((x | y) !== 0);
    case OP['xor.1']:
      return truth(x !== y);
    case OP['not.1']:
      return truth(x === 0);
    case OP['select.1']:
    case OP['select.32']:
    case OP['select.64']:
      return x !== 0 ? b : c;
    case OP['fneg.f32']:
      return word(x ^ 0x80000000);
    case OP['fabs.f32']:
      return word(x & 0x7fffffff);
    case OP['fneg.f16']:
      return word((x ^ 0x8000) & 0xffff);
    case OP['fabs.f16']:
      return word(x & 0x7fff);
  }
  return evaluateWide(op, a, b);
}

function evaluateWide(op: Op, a: Bits, b: Bits): Bits | undefined {
  switch (op) {
    case OP['pack.64']:
      return { low: a.low, high: b.low };
    case OP['lo.64']:
      return word(a.low);
    case OP['hi.64']:
      return word(a.high);
    case OP['iadd.u64']:
      return fromBig(big(a) + big(b));
    case OP['isub.u64']:
      return fromBig(big(a) - big(b));
    case OP['imul.u64']:
      return fromBig(big(a) * big(b));
    case OP['umulwide.u64']:
      return fromBig(BigInt(a.low >>> 0) * BigInt(b.low >>> 0));
    case OP['smulwide.i64']:
      return fromBig(BigInt(a.low | 0) * BigInt(b.low | 0));
    case OP['and.u64']:
      return { low: a.low & b.low, high: a.high & b.high };
    case OP['or.u64']:
      return { low: a.low | b.low, high: a.high | b.high };
    case OP['xor.u64']:
      return { low: a.low ^ b.low, high: a.high ^ b.high };
    case OP['not.u64']:
      return { low: ~a.low, high: ~a.high };
    case OP['shl.u64']:
      return fromBig(big(a) << BigInt(b.low & 63));
    case OP['shr.u64']:
      return fromBig(big(a) >> BigInt(b.low & 63));
    case OP['sar.i64']:
      return fromBig(signedBig(a) >> BigInt(b.low & 63));
    case OP['popcount.u64']:
      return word(popCount(a.low) + popCount(a.high));
    case OP['findlsb.u64']:
      return word(a.low !== 0 ? findLowest(a.low) : a.high !== 0 ? 32 + findLowest(a.high) : -1);
    case OP['clz.u64']:
      return word(a.high !== 0 ? Math.clz32(a.high) : a.low !== 0 ? 32 + Math.clz32(a.low) : -1);
    case OP['cls.i64']: {
      const flipped = a.high < 0 ? { low: ~a.low, high: ~a.high } : a;
      return evaluateWide(OP['clz.u64'], flipped, b);
    }
    case OP['icmp.eq.u64']:
      return truth(a.low === b.low && a.high === b.high);
    case OP['icmp.ne.u64']:
      return truth(a.low !== b.low || a.high !== b.high);
    case OP['icmp.ult.u64']:
      return truth(big(a) < big(b));
    case OP['icmp.ule.u64']:
      return truth(big(a) <= big(b));
    case OP['icmp.slt.i64']:
      return truth(signedBig(a) < signedBig(b));
    case OP['icmp.sle.i64']:
      return truth(signedBig(a) <= signedBig(b));
    case OP['fneg.f64']:
      return { low: a.low, high: a.high ^ 0x80000000 };
    case OP['fabs.f64']:
      return { low: a.low, high: a.high & 0x7fffffff };
    default:
      return undefined;
  }
}
