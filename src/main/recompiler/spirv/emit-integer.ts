/**
 * Integers, booleans and 64-bit values: one row per IR operation, applied to each component.
 */
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { Emitter } from './emitter.ts';
import { GlslStd450, Op } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

/** Emits one component; `o(i)` is the id of operand i. */
export type EmitComponent = (e: Emitter, o: (index: number) => Id, v: ValueId) => Id;

const binary32 =
  (opcode: number): EmitComponent =>
  (e, o) =>
    e.op(opcode, e.u32, o(0), o(1));
const binary64 =
  (opcode: number): EmitComponent =>
  (e, o) =>
    e.op(opcode, e.u64, o(0), o(1));
const compare =
  (opcode: number): EmitComponent =>
  (e, o) =>
    e.op(opcode, e.bool, o(0), o(1));
/** Shift amounts are modulo the width in the IR and undefined beyond it in SPIR-V. */
const shift32 =
  (opcode: number): EmitComponent =>
  (e, o) =>
    e.op(opcode, e.u32, o(0), e.and(o(1), e.constant32(31)));
const shift64 =
  (opcode: number): EmitComponent =>
  (e, o) =>
    e.op(opcode, e.u64, o(0), e.and(o(1), e.constant32(63)));
const ext2 =
  (instruction: number): EmitComponent =>
  (e, o) =>
    e.ext(instruction, e.u32, o(0), o(1));

function multiplyHigh(e: Emitter, opcode: number, a: Id, b: Id): Id {
  const pair = e.m.type(Op.TypeStruct, e.u32, e.u32);
  return e.op(Op.CompositeExtract, e.u32, e.op(opcode, pair, a, b), 1);
}

function bitfield(e: Emitter, signed: boolean, value: Id, offset: Id, width: Id): Id {
  const by = e.and(offset, e.constant32(31));
  const count = e.and(width, e.constant32(31));
  const shiftRight = signed ? Op.ShiftRightArithmetic : Op.ShiftRightLogical;
  // SPIR-V leaves offset + width > 32 undefined: shift out instead. Width 0 gives 0.
  const shifted = e.op(shiftRight, e.u32, value, by);
  const unused = e.op(Op.ISub, e.u32, e.constant32(32), count);
  const zero = e.equal(count, e.constant32(0));
  const safe = e.select(e.u32, zero, e.constant32(31), unused);
  const top = e.shl(shifted, safe);
  const result = e.op(shiftRight, e.u32, top, safe);
  return e.select(e.u32, zero, e.constant32(0), result);
}

/** Leading zeros, −1 for 0. */
function countLeadingZeros(e: Emitter, value: Id): Id {
  const top = e.ext(GlslStd450.FindUMsb, e.u32, value);
  const zero = e.equal(value, e.constant32(0));
  return e.select(e.u32, zero, e.constant32(-1), e.op(Op.ISub, e.u32, e.constant32(31), top));
}

function perm(e: Emitter, high: Id, low: Id, selector: Id): Id {
  let result = e.constant32(0);
  const wide = e.pack(low, high);
  for (let byte = 0; byte < 4; byte++) {
    const select = e.and(e.shr(selector, e.constant32(8 * byte)), e.constant32(0xff));
    const index = e.and(select, e.constant32(7));
    const plain = e.and(
      e.low(e.op(Op.ShiftRightLogical, e.u64, wide, e.shl(index, e.constant32(3)))),
      e.constant32(0xff),
    );
    // 8…11: sign of the halves (bytes 1, 3, 5, 7); 12: 0x00; above: 0xff.
    const signByte = e.add(e.shl(e.and(select, e.constant32(3)), e.constant32(1)), e.constant32(1));
    const signBit = e.add(e.shl(signByte, e.constant32(3)), e.constant32(7));
    const sign = e.and(e.low(e.op(Op.ShiftRightLogical, e.u64, wide, signBit)), e.constant32(1));
    const signs = e.op(Op.IMul, e.u32, sign, e.constant32(0xff));
    const above = e.select(e.u32, e.equal(select, e.constant32(12)), e.constant32(0), e.constant32(0xff));
    const special = e.select(e.u32, e.op(Op.ULessThan, e.bool, select, e.constant32(12)), signs, above);
    const value = e.select(e.u32, e.op(Op.ULessThan, e.bool, select, e.constant32(8)), plain, special);
    result = e.or(result, e.shl(value, e.constant32(8 * byte)));
  }
  return result;
}

/** Sign-magnitude trick: leading bits equal to the sign are leading zeros of value ^ sign. */
function countLeadingSigns(e: Emitter, value: Id): Id {
  const sign = e.op(Op.ShiftRightArithmetic, e.u32, value, e.constant32(31));
  return countLeadingZeros(e, e.op(Op.BitwiseXor, e.u32, value, sign));
}

function clz64(e: Emitter, value: Id): Id {
  const high = e.high(value);
  const low = e.low(value);
  const below = countLeadingZeros(e, low);
  const belowOrNone = e.select(e.u32, e.equal(low, e.constant32(0)), e.constant32(-1), e.add(below, e.constant32(32)));
  return e.select(e.u32, e.equal(high, e.constant32(0)), belowOrNone, countLeadingZeros(e, high));
}

export const INTEGER_OPS: Partial<Record<OpName, EmitComponent>> = {
  'iadd.u32': binary32(Op.IAdd),
  'isub.u32': binary32(Op.ISub),
  'imul.u32': binary32(Op.IMul),
  'umulhi.u32': (e, o) => multiplyHigh(e, Op.UMulExtended, o(0), o(1)),
  'smulhi.i32': (e, o) => multiplyHigh(e, Op.SMulExtended, o(0), o(1)),
  'udiv.u32': binary32(Op.UDiv),
  'umod.u32': binary32(Op.UMod),
  'and.u32': binary32(Op.BitwiseAnd),
  'or.u32': binary32(Op.BitwiseOr),
  'xor.u32': binary32(Op.BitwiseXor),
  'not.u32': (e, o) => e.op(Op.Not, e.u32, o(0)),
  'shl.u32': shift32(Op.ShiftLeftLogical),
  'shr.u32': shift32(Op.ShiftRightLogical),
  'sar.i32': shift32(Op.ShiftRightArithmetic),
  'ubfe.u32': (e, o) => bitfield(e, false, o(0), o(1), o(2)),
  'sbfe.i32': (e, o) => bitfield(e, true, o(0), o(1), o(2)),
  'bitselect.u32': (e, o) => {
    const difference = e.op(Op.BitwiseXor, e.u32, o(1), o(2));
    return e.op(Op.BitwiseXor, e.u32, e.and(difference, o(0)), o(2));
  },
  'funnel.u32': (e, o) => e.low(e.op(Op.ShiftRightLogical, e.u64, e.pack(o(1), o(0)), e.and(o(2), e.constant32(31)))),
  'perm.u32': (e, o) => perm(e, o(0), o(1), o(2)),
  'bitreverse.u32': (e, o) => e.op(Op.BitReverse, e.u32, o(0)),
  'popcount.u32': (e, o) => e.op(Op.BitCount, e.u32, o(0)),
  'findlsb.u32': (e, o) => e.findLsb(o(0)),
  'clz.u32': (e, o) => countLeadingZeros(e, o(0)),
  'cls.i32': (e, o) => countLeadingSigns(e, o(0)),
  'umin.u32': ext2(GlslStd450.UMin),
  'umax.u32': ext2(GlslStd450.UMax),
  'smin.i32': ext2(GlslStd450.SMin),
  'smax.i32': ext2(GlslStd450.SMax),
  'icmp.eq.u32': compare(Op.IEqual),
  'icmp.ne.u32': compare(Op.INotEqual),
  'icmp.ult.u32': compare(Op.ULessThan),
  'icmp.ule.u32': compare(Op.ULessThanEqual),
  'icmp.slt.i32': compare(Op.SLessThan),
  'icmp.sle.i32': compare(Op.SLessThanEqual),

  'pack.64': (e, o) => e.pack(o(0), o(1)),
  'lo.64': (e, o) => e.low(o(0)),
  'hi.64': (e, o) => e.high(o(0)),
  'iadd.u64': binary64(Op.IAdd),
  'isub.u64': binary64(Op.ISub),
  'imul.u64': binary64(Op.IMul),
  'umulwide.u64': (e, o) => e.op(Op.IMul, e.u64, e.op(Op.UConvert, e.u64, o(0)), e.op(Op.UConvert, e.u64, o(1))),
  'smulwide.i64': (e, o) => {
    // SConvert needs no signed types.
    const wide = (x: Id): Id => e.op(Op.SConvert, e.u64, x);
    return e.op(Op.IMul, e.u64, wide(o(0)), wide(o(1)));
  },
  'and.u64': binary64(Op.BitwiseAnd),
  'or.u64': binary64(Op.BitwiseOr),
  'xor.u64': binary64(Op.BitwiseXor),
  'not.u64': (e, o) => e.op(Op.Not, e.u64, o(0)),
  'shl.u64': shift64(Op.ShiftLeftLogical),
  'shr.u64': shift64(Op.ShiftRightLogical),
  'sar.i64': shift64(Op.ShiftRightArithmetic),
  'popcount.u64': (e, o) => e.add(e.op(Op.BitCount, e.u32, e.low(o(0))), e.op(Op.BitCount, e.u32, e.high(o(0)))),
  'findlsb.u64': (e, o) => {
    const low = e.low(o(0));
    const high = e.high(o(0));
    const upper = e.select(
      e.u32,
      e.equal(high, e.constant32(0)),
      e.constant32(-1),
      e.add(e.findLsb(high), e.constant32(32)),
    );
    return e.select(e.u32, e.equal(low, e.constant32(0)), upper, e.findLsb(low));
  },
  'clz.u64': (e, o) => clz64(e, o(0)),
  'cls.i64': (e, o) =>
    clz64(e, e.op(Op.BitwiseXor, e.u64, o(0), e.op(Op.ShiftRightArithmetic, e.u64, o(0), e.constant32(63)))),
  'icmp.eq.u64': compare(Op.IEqual),
  'icmp.ne.u64': compare(Op.INotEqual),
  'icmp.ult.u64': compare(Op.ULessThan),
  'icmp.ule.u64': compare(Op.ULessThanEqual),
  'icmp.slt.i64': compare(Op.SLessThan),
  'icmp.sle.i64': compare(Op.SLessThanEqual),

  'and.1': (e, o) => e.op(Op.LogicalAnd, e.bool, o(0), o(1)),
  'or.1': (e, o) => e.op(Op.LogicalOr, e.bool, o(0), o(1)),
  'xor.1': (e, o) => e.op(Op.LogicalNotEqual, e.bool, o(0), o(1)),
  'not.1': (e, o) => e.op(Op.LogicalNot, e.bool, o(0)),
  'select.1': (e, o) => e.select(e.bool, o(0), o(1), o(2)),
  'select.32': (e, o) => e.select(e.u32, o(0), o(1), o(2)),
  'select.64': (e, o) => e.select(e.u64, o(0), o(1), o(2)),
};
