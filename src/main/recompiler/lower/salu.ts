/**
 * Scalar ALU: SOP1, SOP2, SOPK rows that compute a register. Compares, EXEC and hardware registers have files of their own.
 *
 * 64-bit operations act on whole masks where the operand is one (VCC, EXEC, or a pair that was one before): ballots
 * stay recognisable. SCC is a value of its own, never a register with bits.
 * Source: RDNA 1 and 2 ISA manuals, chapter "Scalar ALU operations"; Sea Islands manual, section 5.
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { Entry, Lower, Lowering } from './lowering.ts';

type Write = (l: Lowering, value: ValueId) => void;

const write32: Write = (l, value) => l.writeScalar(l.i.dst, value);
const write64: Write = (l, value) => l.writeScalar64(l.i.dst, value);

/** d = op(s0), SCC = d ≠ 0. */
const unary32Scc =
  (op: OpName): Lower =>
  (l) => {
    const result = l.b.emit1(op, l.scalar32(0));
    write32(l, result);
    l.setSccIfNotZero(result);
  };
const unary64Scc =
  (op: OpName): Lower =>
  (l) => {
    const result = l.b.emit1(op, l.scalar64(0));
    write64(l, result);
    l.setSccIfNotZero(result);
  };
const unary32 =
  (op: OpName): Lower =>
  (l) =>
    write32(l, l.b.emit1(op, l.scalar32(0)));
/** 64-bit source, 32-bit result. */
const count64 =
  (op: OpName): Lower =>
  (l) =>
    write32(l, l.b.emit1(op, l.scalar64(0)));

/** d = op(s0, s1), SCC = d ≠ 0. `negate`: of the second source or of the result. */
const bitwise32 =
  (op: OpName, negate?: 'source' | 'result'): Lower =>
  (l) => {
    const a = l.scalar32(0);
    const b = l.scalar32(1);
    let result = l.b.emit2(op, a, negate === 'source' ? l.b.emit1('not.u32', b) : b);
    if (negate === 'result') result = l.b.emit1('not.u32', result);
    write32(l, result);
    l.setSccIfNotZero(result);
  };

function combine64(l: Lowering, op: OpName, a: ValueId, b: ValueId, negate?: 'source' | 'result'): ValueId {
  const result = l.b.emit2(op, a, negate === 'source' ? l.b.emit1('not.u64', b) : b);
  return negate === 'result' ? l.b.emit1('not.u64', result) : result;
}

function combine32(l: Lowering, op: OpName, a: ValueId, b: ValueId, negate?: 'source' | 'result'): ValueId {
  const result = l.b.emit2(op, a, negate === 'source' ? l.b.emit1('not.u32', b) : b);
  return negate === 'result' ? l.b.emit1('not.u32', result) : result;
}

const bitwise64 =
  (op: OpName, negate?: 'source' | 'result'): Lower =>
  (l) => {
    const result = combine64(l, op, l.scalar64(0), l.scalar64(1), negate);
    write64(l, result);
    l.setSccIfNotZero(result);
  };

const shift32 =
  (op: OpName): Lower =>
  (l) => {
    const result = l.b.emit2(op, l.scalar32(0), l.scalar32(1));
    write32(l, result);
    l.setSccIfNotZero(result);
  };
const shift64 =
  (op: OpName): Lower =>
  (l) => {
    const result = l.b.emit2(op, l.scalar64(0, op === 'sar.i64' ? 'i64' : 'b64'), l.scalar32(1));
    write64(l, result);
    l.setSccIfNotZero(result);
  };

/** SCC = the first operand is the result: min with <, max with >. */
const minMax =
  (op: OpName, less: OpName, max: boolean): Lower =>
  (l) => {
    const a = l.scalar32(0);
    const b = l.scalar32(1);
    write32(l, l.b.emit2(op, a, b));
    l.scc = max ? l.b.emit2(less, b, a) : l.b.emit2(less, a, b);
  };

/** Carry of a + b (+ c): the sum is below an operand. */
export function addWithCarry(l: Lowering, a: ValueId, b: ValueId, carryIn?: ValueId): { sum: ValueId; carry: ValueId } {
  const first = l.b.emit2('iadd.u32', a, b);
  const carry = l.b.emit2('icmp.ult.u32', first, a);
  if (carryIn === undefined) return { sum: first, carry };
  const one = l.b.emit3('select.32', carryIn, l.b.u32(1), l.b.u32(0));
  const sum = l.b.emit2('iadd.u32', first, one);
  return { sum, carry: l.b.emit2('or.1', carry, l.b.emit2('icmp.ult.u32', sum, first)) };
}

/** Borrow of a − b (− c). */
export function subtractWithBorrow(
  l: Lowering,
  a: ValueId,
  b: ValueId,
  borrowIn?: ValueId,
): { difference: ValueId; borrow: ValueId } {
  const first = l.b.emit2('isub.u32', a, b);
  const borrow = l.b.emit2('icmp.ult.u32', a, b);
  if (borrowIn === undefined) return { difference: first, borrow };
  const one = l.b.emit3('select.32', borrowIn, l.b.u32(1), l.b.u32(0));
  const difference = l.b.emit2('isub.u32', first, one);
  return { difference, borrow: l.b.emit2('or.1', borrow, l.b.emit2('icmp.ult.u32', first, one)) };
}

function signedOverflow(l: Lowering, a: ValueId, b: ValueId, result: ValueId, subtract: boolean): ValueId {
  const left = l.b.emit2('xor.u32', a, subtract ? b : result);
  const right = l.b.emit2('xor.u32', subtract ? a : b, result);
  return l.b.emit2('icmp.slt.i32', l.b.emit2('and.u32', left, right), l.b.u32(0));
}

const shiftAdd =
  (amount: number): Lower =>
  (l) => {
    const a = l.scalar32(0);
    const b = l.scalar32(1);
    const shifted = l.b.emit2('shl.u32', a, l.b.u32(amount));
    const { sum, carry } = addWithCarry(l, shifted, b);
    // SCC is bit 32 of the 33-and-more-bit sum: what the shift pushed out counts too.
    const lost = l.b.emit2('shr.u32', a, l.b.u32(32 - amount));
    write32(l, sum);
    l.scc = l.b.emit2('or.1', carry, l.b.emit2('icmp.ne.u32', lost, l.b.u32(0)));
  };

const bfe32 =
  (op: 'ubfe.u32' | 'sbfe.i32'): Lower =>
  (l) => {
    const control = l.scalar32(1);
    const value = l.scalar32(0);
    const width = l.b.emit3('ubfe.u32', control, l.b.u32(16), l.b.u32(7));
    const inRange = l.b.emit3(op, value, control, width);
    // Widths of 32 and more take everything above the offset.
    const shifted = l.b.emit2(op === 'ubfe.u32' ? 'shr.u32' : 'sar.i32', value, control);
    const result = l.b.select(l.b.emit2('icmp.ult.u32', width, l.b.u32(32)), inRange, shifted);
    write32(l, result);
    l.setSccIfNotZero(result);
  };

const bfe64 =
  (signed: boolean): Lower =>
  (l) => {
    const b = l.b;
    const value = l.scalar64(0, signed ? 'i64' : 'b64');
    const control = l.scalar32(1);
    const offset = b.emit2('and.u32', control, b.u32(63));
    const width = b.emit3('ubfe.u32', control, b.u32(16), b.u32(7));
    // Shift up so that the field's top bit is bit 63, then down again.
    const above = b.emit2('isub.u32', b.u32(64), width);
    let result: ValueId;
    if (signed) {
      const down = b.emit2('sar.i64', value, offset);
      result = b.emit2('sar.i64', b.emit2('shl.u64', down, above), above);
    } else {
      const down = b.emit2('shr.u64', value, offset);
      result = b.emit2('shr.u64', b.emit2('shl.u64', down, above), above);
    }
    result = b.select(b.emit2('icmp.eq.u32', width, b.u32(0)), b.u64(0, 0), result);
    const wide = b.emit2(signed ? 'sar.i64' : 'shr.u64', value, offset);
    result = b.select(b.emit2('icmp.ult.u32', width, b.u32(64)), result, wide);
    write64(l, result);
    l.setSccIfNotZero(result);
  };

const bitSet =
  (width: 32 | 64, one: boolean): Lower =>
  (l) => {
    const b = l.b;
    const index = l.scalar32(0);
    if (width === 32) {
      const bit = b.emit2('shl.u32', b.u32(1), index);
      const old = l.readScalar(l.i.dst);
      write32(l, one ? b.emit2('or.u32', old, bit) : b.emit2('and.u32', old, b.emit1('not.u32', bit)));
    } else {
      const bit = b.emit2('shl.u64', b.u64(1, 0), index);
      const old = l.readScalar64(l.i.dst);
      write64(l, one ? b.emit2('or.u64', old, bit) : b.emit2('and.u64', old, b.emit1('not.u64', bit)));
    }
  };

/** Every group of four bits becomes all ones when one of them is set. */
const wholeQuad =
  (width: 32 | 64): Lower =>
  (l) => {
    const spread = (value: ValueId): ValueId => {
      const b = l.b;
      let any = b.emit2('or.u32', value, b.emit2('shr.u32', value, b.u32(1)));
      any = b.emit2('or.u32', any, b.emit2('shr.u32', any, b.u32(2)));
      return b.emit2('imul.u32', b.emit2('and.u32', any, b.u32(0x11111111)), b.u32(15));
    };
    const b = l.b;
    if (width === 32) {
      const result = spread(l.scalar32(0));
      write32(l, result);
      l.setSccIfNotZero(result);
      return;
    }
    const value = l.scalar64(0);
    const result = b.emit2('pack.64', spread(b.emit1('lo.64', value)), spread(b.emit1('hi.64', value)));
    write64(l, result);
    l.setSccIfNotZero(result);
  };

/** Bit i of the result: any bit of group i of four. */
const quadMask =
  (width: 32 | 64): Lower =>
  (l) => {
    const e = l.b;
    const gather = (value: ValueId): ValueId => {
      let any = e.emit2('or.u32', value, e.emit2('shr.u32', value, e.u32(1)));
      any = e.emit2('and.u32', e.emit2('or.u32', any, e.emit2('shr.u32', any, e.u32(2))), e.u32(0x11111111));
      // Bits 0, 4, 8 … to 0, 1, 2 …
      const fold = (v: ValueId, shift: number, mask: number): ValueId =>
        e.emit2('and.u32', e.emit2('or.u32', v, e.emit2('shr.u32', v, e.u32(shift))), e.u32(mask));
      return fold(fold(fold(any, 3, 0x03030303), 6, 0x000f000f), 12, 0xff);
    };
    if (width === 32) {
      const result = gather(l.scalar32(0));
      write32(l, result);
      l.setSccIfNotZero(result);
      return;
    }
    const value = l.scalar64(0);
    const high = e.emit2('shl.u32', gather(e.emit1('hi.64', value)), e.u32(8));
    const low = e.emit2('or.u32', gather(e.emit1('lo.64', value)), high);
    write64(l, e.emit2('pack.64', low, e.u32(0)));
    l.setSccIfNotZero(low);
  };

/** Every bit of s0 twice. */
const replicateBits: Lower = (l) => {
  const e = l.b;
  const spread = (half: ValueId): ValueId => {
    let v = half;
    for (const [shift, mask] of [
      [8, 0x00ff00ff],
      [4, 0x0f0f0f0f],
      [2, 0x33333333],
      [1, 0x55555555],
    ] as const) {
      v = e.emit2('and.u32', e.emit2('or.u32', v, e.emit2('shl.u32', v, e.u32(shift))), e.u32(mask));
    }
    return e.emit2('or.u32', v, e.emit2('shl.u32', v, e.u32(1)));
  };
  const value = l.scalar32(0);
  const low = spread(e.emit2('and.u32', value, e.u32(0xffff)));
  write64(l, e.emit2('pack.64', low, spread(e.emit2('shr.u32', value, e.u32(16)))));
};

const countZeros =
  (width: 32 | 64): Lower =>
  (l) => {
    const ones = width === 32 ? l.b.emit1('popcount.u32', l.scalar32(0)) : l.b.emit1('popcount.u64', l.scalar64(0));
    const result = l.b.emit2('isub.u32', l.b.u32(width), ones);
    write32(l, result);
    l.setSccIfNotZero(result);
  };

const countOnes =
  (width: 32 | 64): Lower =>
  (l) => {
    const result = width === 32 ? l.b.emit1('popcount.u32', l.scalar32(0)) : l.b.emit1('popcount.u64', l.scalar64(0));
    write32(l, result);
    l.setSccIfNotZero(result);
  };

export const SALU = {
  s_mov_b32: (l) => write32(l, l.scalar32(0)),
  s_mov_b64: (l) => write64(l, l.scalar64(0)),
  s_movk_i32: (l) => write32(l, l.b.u32(l.i.imm)),
  s_cmov_b32: (l) => write32(l, l.b.select(l.scc, l.scalar32(0), l.readScalar(l.i.dst))),
  s_cmov_b64: (l) => write64(l, l.b.select(l.scc, l.scalar64(0), l.readScalar64(l.i.dst))),
  s_cmovk_i32: (l) => write32(l, l.b.select(l.scc, l.b.u32(l.i.imm), l.readScalar(l.i.dst))),
  s_not_b32: unary32Scc('not.u32'),
  s_not_b64: unary64Scc('not.u64'),
  s_wqm_b32: wholeQuad(32),
  s_wqm_b64: wholeQuad(64),
  s_brev_b32: unary32('bitreverse.u32'),
  s_brev_b64: (l) => {
    const value = l.scalar64(0);
    const low = l.b.emit1('bitreverse.u32', l.b.emit1('hi.64', value));
    write64(l, l.b.emit2('pack.64', low, l.b.emit1('bitreverse.u32', l.b.emit1('lo.64', value))));
  },
  s_bcnt0_i32_b32: countZeros(32),
  s_bcnt0_i32_b64: countZeros(64),
  s_bcnt1_i32_b32: countOnes(32),
  s_bcnt1_i32_b64: countOnes(64),
  s_ff0_i32_b32: (l) => write32(l, l.b.emit1('findlsb.u32', l.b.emit1('not.u32', l.scalar32(0)))),
  s_ff0_i32_b64: (l) => write32(l, l.b.emit1('findlsb.u64', l.b.emit1('not.u64', l.scalar64(0)))),
  s_ff1_i32_b32: unary32('findlsb.u32'),
  s_ff1_i32_b64: count64('findlsb.u64'),
  s_flbit_i32_b32: unary32('clz.u32'),
  s_flbit_i32_b64: count64('clz.u64'),
  s_flbit_i32: unary32('cls.i32'),
  s_flbit_i32_i64: (l) => write32(l, l.b.emit1('cls.i64', l.scalar64(0, 'i64'))),
  s_sext_i32_i8: (l) => write32(l, l.b.emit3('sbfe.i32', l.scalar32(0), l.b.u32(0), l.b.u32(8))),
  s_sext_i32_i16: (l) => write32(l, l.b.emit3('sbfe.i32', l.scalar32(0), l.b.u32(0), l.b.u32(16))),
  s_bitset0_b32: bitSet(32, false),
  s_bitset0_b64: bitSet(64, false),
  s_bitset1_b32: bitSet(32, true),
  s_bitset1_b64: bitSet(64, true),
  s_quadmask_b32: quadMask(32),
  s_quadmask_b64: quadMask(64),
  s_abs_i32: (l) => {
    const value = l.scalar32(0);
    const result = l.b.emit2('smax.i32', value, l.b.emit2('isub.u32', l.b.u32(0), value));
    write32(l, result);
    l.setSccIfNotZero(result);
  },
  s_bitreplicate_b64_b32: replicateBits,

  s_add_u32: (l) => {
    const { sum, carry } = addWithCarry(l, l.scalar32(0), l.scalar32(1));
    write32(l, sum);
    l.scc = carry;
  },
  s_addc_u32: (l) => {
    const { sum, carry } = addWithCarry(l, l.scalar32(0), l.scalar32(1), l.scc);
    write32(l, sum);
    l.scc = carry;
  },
  s_sub_u32: (l) => {
    const { difference, borrow } = subtractWithBorrow(l, l.scalar32(0), l.scalar32(1));
    write32(l, difference);
    l.scc = borrow;
  },
  s_subb_u32: (l) => {
    const { difference, borrow } = subtractWithBorrow(l, l.scalar32(0), l.scalar32(1), l.scc);
    write32(l, difference);
    l.scc = borrow;
  },
  s_add_i32: (l) => {
    const a = l.scalar32(0);
    const b = l.scalar32(1);
    const result = l.b.emit2('iadd.u32', a, b);
    write32(l, result);
    l.scc = signedOverflow(l, a, b, result, false);
  },
  s_sub_i32: (l) => {
    const a = l.scalar32(0);
    const b = l.scalar32(1);
    const result = l.b.emit2('isub.u32', a, b);
    write32(l, result);
    l.scc = signedOverflow(l, a, b, result, true);
  },
  s_addk_i32: (l) => {
    const a = l.readScalar(l.i.dst);
    const b = l.b.u32(l.i.imm);
    const result = l.b.emit2('iadd.u32', a, b);
    write32(l, result);
    l.scc = signedOverflow(l, a, b, result, false);
  },
  s_mulk_i32: (l) => write32(l, l.b.emit2('imul.u32', l.readScalar(l.i.dst), l.b.u32(l.i.imm))),
  s_absdiff_i32: (l) => {
    const difference = l.b.emit2('isub.u32', l.scalar32(0), l.scalar32(1));
    const result = l.b.emit2('smax.i32', difference, l.b.emit2('isub.u32', l.b.u32(0), difference));
    write32(l, result);
    l.setSccIfNotZero(result);
  },
  s_min_i32: minMax('smin.i32', 'icmp.slt.i32', false),
  s_min_u32: minMax('umin.u32', 'icmp.ult.u32', false),
  s_max_i32: minMax('smax.i32', 'icmp.slt.i32', true),
  s_max_u32: minMax('umax.u32', 'icmp.ult.u32', true),
  s_cselect_b32: (l) => write32(l, l.b.select(l.scc, l.scalar32(0), l.scalar32(1))),
  s_cselect_b64: (l) => write64(l, l.b.select(l.scc, l.scalar64(0), l.scalar64(1))),
  s_and_b32: bitwise32('and.u32'),
  s_and_b64: bitwise64('and.u64'),
  s_or_b32: bitwise32('or.u32'),
  s_or_b64: bitwise64('or.u64'),
  s_xor_b32: bitwise32('xor.u32'),
  s_xor_b64: bitwise64('xor.u64'),
  s_andn2_b32: bitwise32('and.u32', 'source'),
  s_andn2_b64: bitwise64('and.u64', 'source'),
  s_orn2_b32: bitwise32('or.u32', 'source'),
  s_orn2_b64: bitwise64('or.u64', 'source'),
  s_nand_b32: bitwise32('and.u32', 'result'),
  s_nand_b64: bitwise64('and.u64', 'result'),
  s_nor_b32: bitwise32('or.u32', 'result'),
  s_nor_b64: bitwise64('or.u64', 'result'),
  s_xnor_b32: bitwise32('xor.u32', 'result'),
  s_xnor_b64: bitwise64('xor.u64', 'result'),
  s_lshl_b32: shift32('shl.u32'),
  s_lshl_b64: shift64('shl.u64'),
  s_lshr_b32: shift32('shr.u32'),
  s_lshr_b64: shift64('shr.u64'),
  s_ashr_i32: shift32('sar.i32'),
  s_ashr_i64: shift64('sar.i64'),
  /** ((1 << s0[4:0]) − 1) << s1[4:0]. */
  s_bfm_b32: (l) => {
    const ones = l.b.emit2('isub.u32', l.b.emit2('shl.u32', l.b.u32(1), l.scalar32(0)), l.b.u32(1));
    write32(l, l.b.emit2('shl.u32', ones, l.scalar32(1)));
  },
  s_bfm_b64: (l) => {
    const ones = l.b.emit2('isub.u64', l.b.emit2('shl.u64', l.b.u64(1, 0), l.scalar32(0)), l.b.u64(1, 0));
    write64(l, l.b.emit2('shl.u64', ones, l.scalar32(1)));
  },
  s_mul_i32: (l) => write32(l, l.b.emit2('imul.u32', l.scalar32(0), l.scalar32(1))),
  s_bfe_u32: bfe32('ubfe.u32'),
  s_bfe_i32: bfe32('sbfe.i32'),
  s_bfe_u64: bfe64(false),
  s_bfe_i64: bfe64(true),
  s_lshl1_add_u32: shiftAdd(1),
  s_lshl2_add_u32: shiftAdd(2),
  s_lshl3_add_u32: shiftAdd(3),
  s_lshl4_add_u32: shiftAdd(4),
  s_pack_ll_b32_b16: (l) => {
    const low = l.b.emit2('and.u32', l.scalar32(0), l.b.u32(0xffff));
    write32(l, l.b.emit2('or.u32', low, l.b.emit2('shl.u32', l.scalar32(1), l.b.u32(16))));
  },
  s_pack_lh_b32_b16: (l) => write32(l, combine32(l, 'or.u32', lowHalf(l, 0), highInPlace(l, 1))),
  s_pack_hh_b32_b16: (l) => {
    const low = l.b.emit2('shr.u32', l.scalar32(0), l.b.u32(16));
    write32(l, l.b.emit2('or.u32', low, highInPlace(l, 1)));
  },
  s_mul_hi_u32: (l) => write32(l, l.b.emit2('umulhi.u32', l.scalar32(0), l.scalar32(1))),
  s_mul_hi_i32: (l) => write32(l, l.b.emit2('smulhi.i32', l.scalar32(0), l.scalar32(1))),
} satisfies Partial<Record<Mnemonic, Entry>>;

function lowHalf(l: Lowering, slot: number): ValueId {
  return l.b.emit2('and.u32', l.scalar32(slot), l.b.u32(0xffff));
}

function highInPlace(l: Lowering, slot: number): ValueId {
  return l.b.emit2('and.u32', l.scalar32(slot), l.b.u32(0xffff0000));
}
