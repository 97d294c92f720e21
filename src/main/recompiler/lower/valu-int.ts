/**
 * Integer and bit operations of the vector ALU, 16 to 64 bits wide.
 *
 * `rev` forms swap their first two sources. 16-bit results keep the other half of the register (vector-operands.ts).
 * Source: RDNA 1 and 2 ISA manuals, "VOP1/VOP2/VOP3 instructions"; Sea Islands manual, chapter 12.
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { type Entry, type Lower, type Lowering, unsupported } from './lowering.ts';
import { addWithCarry, subtractWithBorrow } from './salu.ts';
import { source64, sourceB16, sourceB32, sourceI16, writeB16, writeB32, writeLaneMask } from './vector-operands.ts';

/** The first two sources, swapped for `rev` forms. */
function pair(l: Lowering, rev: boolean): [ValueId, ValueId] {
  const a = sourceB32(l, 0);
  const b = sourceB32(l, 1);
  return rev ? [b, a] : [a, b];
}

const unary =
  (op: OpName): Lower =>
  (l) =>
    writeB32(l, l.b.emit1(op, sourceB32(l, 0)));

const binary =
  (op: OpName, rev = false): Lower =>
  (l) => {
    const [a, b] = pair(l, rev);
    writeB32(l, l.b.emit2(op, a, b));
  };

/** (s0 first s1) then s2, both 32-bit. */
const chained =
  (first: OpName, second: OpName): Lower =>
  (l) => {
    const inner = l.b.emit2(first, sourceB32(l, 0), sourceB32(l, 1));
    writeB32(l, l.b.emit2(second, inner, sourceB32(l, 2)));
  };

/** Add and subtract without carry out; `clamp` saturates. */
const sum =
  (subtract: boolean, rev: boolean, signed: boolean): Lower =>
  (l) => {
    const [a, b] = pair(l, rev);
    const result = l.b.emit2(subtract ? 'isub.u32' : 'iadd.u32', a, b);
    writeB32(l, l.i.clamp ? saturate(l, a, b, result, subtract, signed) : result);
  };

function saturate(l: Lowering, a: ValueId, b: ValueId, result: ValueId, subtract: boolean, signed: boolean): ValueId {
  const e = l.b;
  if (!signed) {
    if (subtract) return e.select(e.emit2('icmp.ult.u32', a, b), e.u32(0), result);
    return e.select(e.emit2('icmp.ult.u32', result, a), e.u32(-1), result);
  }
  // Overflow: the operands' signs (of a and ±b) agree and the result's differs; the limit has a's sign.
  const other = subtract ? e.emit1('not.u32', b) : b;
  const same = e.emit1('not.u32', e.emit2('xor.u32', a, other));
  const flips = e.emit2('and.u32', same, e.emit2('xor.u32', a, result));
  const limit = e.emit2('xor.u32', e.emit2('sar.i32', a, e.u32(31)), e.u32(0x7fffffff));
  return e.select(e.emit2('icmp.slt.i32', flips, e.u32(0)), limit, result);
}

/** Add and subtract with carry out (sdst) and, for `carryIn`, carry in (src2). */
const carrySum =
  (subtract: boolean, rev: boolean, carryIn: boolean): Lower =>
  (l) => {
    const [a, b] = pair(l, rev);
    const carry = carryIn ? l.readMask(l.i.src2) : undefined;
    if (subtract) {
      const { difference, borrow } = subtractWithBorrow(l, a, b, carry);
      const result = l.i.clamp ? l.b.select(borrow, l.b.u32(0), difference) : difference;
      writeLaneMask(l, l.i.sdst, borrow);
      writeB32(l, result);
    } else {
      const { sum: total, carry: out } = addWithCarry(l, a, b, carry);
      const result = l.i.clamp ? l.b.select(out, l.b.u32(-1), total) : total;
      writeLaneMask(l, l.i.sdst, out);
      writeB32(l, result);
    }
  };

function low24(l: Lowering, slot: number, signed: boolean): ValueId {
  const value = sourceB32(l, slot);
  return signed
    ? l.b.emit3('sbfe.i32', value, l.b.u32(0), l.b.u32(24))
    : l.b.emit2('and.u32', value, l.b.u32(0xffffff));
}

const multiply24 =
  (signed: boolean, part: 'low' | 'high'): Lower =>
  (l) => {
    const a = low24(l, 0, signed);
    const b = low24(l, 1, signed);
    const op: OpName = part === 'low' ? 'imul.u32' : signed ? 'smulhi.i32' : 'umulhi.u32';
    writeB32(l, l.b.emit2(op, a, b));
  };

const multiplyAdd24 =
  (signed: boolean): Lower =>
  (l) => {
    const product = l.b.emit2('imul.u32', low24(l, 0, signed), low24(l, 1, signed));
    writeB32(l, l.b.emit2('iadd.u32', product, sourceB32(l, 2)));
  };

const shift64 =
  (op: OpName, rev: boolean): Lower =>
  (l) => {
    const value = source64(l, rev ? 1 : 0, op === 'sar.i64' ? 'i64' : 'b64');
    const amount = sourceB32(l, rev ? 0 : 1);
    l.writeVector64(l.i.dst, l.b.emit2(op, value, amount));
  };

const minMax3 =
  (op: OpName): Lower =>
  (l) =>
    writeB32(l, l.b.emit2(op, l.b.emit2(op, sourceB32(l, 0), sourceB32(l, 1)), sourceB32(l, 2)));

/** max(min(a, b), min(max(a, b), c)). */
function median(l: Lowering, min: OpName, max: OpName, a: ValueId, b: ValueId, c: ValueId): ValueId {
  const low = l.b.emit2(min, a, b);
  const high = l.b.emit2(max, a, b);
  return l.b.emit2(max, low, l.b.emit2(min, high, c));
}

const median3 =
  (min: OpName, max: OpName): Lower =>
  (l) =>
    writeB32(l, median(l, min, max, sourceB32(l, 0), sourceB32(l, 1), sourceB32(l, 2)));

type Source16 = (l: Lowering, slot: number) => ValueId;

const binary16 =
  (op: OpName, source: Source16, rev = false): Lower =>
  (l) => {
    const a = source(l, rev ? 1 : 0);
    const b = source(l, rev ? 0 : 1);
    writeB16(l, l.b.emit2(op, a, b));
  };

/** Shift amounts of 16-bit operations are four bits wide. */
const shift16 =
  (op: OpName, source: Source16): Lower =>
  (l) => {
    const amount = l.b.emit2('and.u32', sourceB16(l, 0), l.b.u32(15));
    writeB16(l, l.b.emit2(op, source(l, 1), amount));
  };

const multiplyAdd16 =
  (source: Source16): Lower =>
  (l) => {
    const product = l.b.emit2('imul.u32', source(l, 0), source(l, 1));
    writeB16(l, l.b.emit2('iadd.u32', product, source(l, 2)));
  };

/** 16 × 16 + 32. */
const multiplyAddWide16 =
  (source: Source16): Lower =>
  (l) => {
    const product = l.b.emit2('imul.u32', source(l, 0), source(l, 1));
    writeB32(l, l.b.emit2('iadd.u32', product, sourceB32(l, 2)));
  };

const minMax316 =
  (op: OpName, source: Source16): Lower =>
  (l) =>
    writeB16(l, l.b.emit2(op, l.b.emit2(op, source(l, 0), source(l, 1)), source(l, 2)));

const median316 =
  (min: OpName, max: OpName, source: Source16): Lower =>
  (l) =>
    writeB16(l, median(l, min, max, source(l, 0), source(l, 1), source(l, 2)));

/** 32 × 32 + 64, carry out of the addition. */
const multiplyAdd64 =
  (op: 'umulwide.u64' | 'smulwide.i64'): Lower =>
  (l) => {
    const e = l.b;
    const product = e.emit2(op, sourceB32(l, 0), sourceB32(l, 1));
    const addend = source64(l, 2, op === 'umulwide.u64' ? 'b64' : 'i64');
    const total = e.emit2('iadd.u64', product, addend);
    const carry = e.emit2('icmp.ult.u64', total, addend);
    if (op === 'umulwide.u64') writeLaneMask(l, l.i.sdst, carry);
    else {
      // Signed: bit 64 of the sum of sign-extended operands.
      const sign = (v: ValueId): ValueId => e.emit2('icmp.slt.i64', v, e.u64(0, 0));
      writeLaneMask(l, l.i.sdst, e.emit2('xor.1', carry, e.emit2('xor.1', sign(product), sign(addend))));
    }
    l.writeVector64(l.i.dst, total);
  };

/** |a − b| of each byte (or 16-bit half), summed, plus s2. */
const sumOfDifferences =
  (fieldBits: 8 | 16 | 32, shiftSum = 0, masked = false): Lower =>
  (l) => {
    const e = l.b;
    const a = sourceB32(l, 0);
    const b = sourceB32(l, 1);
    let total: ValueId | undefined;
    for (let offset = 0; offset < 32; offset += fieldBits) {
      const field = (v: ValueId): ValueId =>
        fieldBits === 32 ? v : e.emit3('ubfe.u32', v, e.u32(offset), e.u32(fieldBits));
      const x = field(a);
      const y = field(b);
      let difference = e.emit2('isub.u32', e.emit2('umax.u32', x, y), e.emit2('umin.u32', x, y));
      if (masked) difference = e.select(e.emit2('icmp.eq.u32', y, e.u32(0)), e.u32(0), difference);
      total = total === undefined ? difference : e.emit2('iadd.u32', total, difference);
    }
    const shifted = shiftSum === 0 ? total! : e.emit2('shl.u32', total!, e.u32(shiftSum));
    writeB32(l, e.emit2('iadd.u32', shifted, sourceB32(l, 2)));
  };

export const VALU_INT = {
  v_mov_b32: (l) => writeB32(l, sourceB32(l, 0)),
  v_not_b32: unary('not.u32'),
  v_bfrev_b32: unary('bitreverse.u32'),
  v_ffbh_u32: unary('clz.u32'),
  v_ffbl_b32: unary('findlsb.u32'),
  v_ffbh_i32: unary('cls.i32'),
  v_swap_b32: (l) => {
    const a = l.readVector(l.i.src0);
    const d = l.readVector(l.i.dst);
    l.writeVector(l.i.dst, a);
    l.writeVector(l.i.src0, d);
  },
  /** src2 = mask: set → s1, clear → s0. Sign modifiers act on the bits. */
  v_cndmask_b32: (l) => {
    const signed = (slot: number): ValueId => {
      let v = sourceB32(l, slot);
      if ((l.i.abs >>> slot) & 1) v = l.b.emit2('and.u32', v, l.b.u32(0x7fffffff));
      if ((l.i.neg >>> slot) & 1) v = l.b.emit2('xor.u32', v, l.b.u32(0x80000000));
      return v;
    };
    writeB32(l, l.b.emit3('select.32', l.readMask(l.i.src2), signed(1), signed(0)));
  },
  v_mul_i32_i24: multiply24(true, 'low'),
  v_mul_hi_i32_i24: multiply24(true, 'high'),
  v_mul_u32_u24: multiply24(false, 'low'),
  v_mul_hi_u32_u24: multiply24(false, 'high'),
  v_mad_i32_i24: multiplyAdd24(true),
  v_mad_u32_u24: multiplyAdd24(false),
  v_min_i32: binary('smin.i32'),
  v_max_i32: binary('smax.i32'),
  v_min_u32: binary('umin.u32'),
  v_max_u32: binary('umax.u32'),
  v_lshr_b32: binary('shr.u32'),
  v_lshrrev_b32: binary('shr.u32', true),
  v_ashr_i32: binary('sar.i32'),
  v_ashrrev_i32: binary('sar.i32', true),
  v_lshl_b32: binary('shl.u32'),
  v_lshlrev_b32: binary('shl.u32', true),
  v_and_b32: binary('and.u32'),
  v_or_b32: binary('or.u32'),
  v_xor_b32: binary('xor.u32'),
  v_xnor_b32: (l) => {
    const [a, b] = pair(l, false);
    writeB32(l, l.b.emit1('not.u32', l.b.emit2('xor.u32', a, b)));
  },
  v_add_nc_u32: sum(false, false, false),
  v_sub_nc_u32: sum(true, false, false),
  v_subrev_nc_u32: sum(true, true, false),
  v_add_nc_i32: sum(false, false, true),
  v_sub_nc_i32: sum(true, false, true),
  v_add_i32: carrySum(false, false, false),
  v_sub_i32: carrySum(true, false, false),
  v_subrev_i32: carrySum(true, true, false),
  v_addc_u32: carrySum(false, false, true),
  v_subb_u32: carrySum(true, false, true),
  v_subbrev_u32: carrySum(true, true, true),
  v_add_co_u32: carrySum(false, false, false),
  v_sub_co_u32: carrySum(true, false, false),
  v_subrev_co_u32: carrySum(true, true, false),
  v_add_co_ci_u32: carrySum(false, false, true),
  v_sub_co_ci_u32: carrySum(true, false, true),
  v_subrev_co_ci_u32: carrySum(true, true, true),
  v_bfe_u32: (l) => writeB32(l, l.b.emit3('ubfe.u32', sourceB32(l, 0), sourceB32(l, 1), sourceB32(l, 2))),
  v_bfe_i32: (l) => writeB32(l, l.b.emit3('sbfe.i32', sourceB32(l, 0), sourceB32(l, 1), sourceB32(l, 2))),
  v_bfi_b32: (l) => writeB32(l, l.b.emit3('bitselect.u32', sourceB32(l, 0), sourceB32(l, 1), sourceB32(l, 2))),
  v_bfm_b32: (l) => {
    const e = l.b;
    const ones = e.emit2('isub.u32', e.emit2('shl.u32', e.u32(1), sourceB32(l, 0)), e.u32(1));
    writeB32(l, e.emit2('shl.u32', ones, sourceB32(l, 1)));
  },
  v_bcnt_u32_b32: (l) =>
    writeB32(l, l.b.emit2('iadd.u32', l.b.emit1('popcount.u32', sourceB32(l, 0)), sourceB32(l, 1))),
  /** Per byte: (a + b + (c & 1)) >> 1. */
  v_lerp_u8: (l) => {
    const e = l.b;
    let result = e.u32(0);
    for (let offset = 0; offset < 32; offset += 8) {
      const byte = (slot: number, bits: number): ValueId =>
        e.emit3('ubfe.u32', sourceB32(l, slot), e.u32(offset), e.u32(bits));
      const total = e.emit2('iadd.u32', e.emit2('iadd.u32', byte(0, 8), byte(1, 8)), byte(2, 1));
      const half = e.emit2('shr.u32', total, e.u32(1));
      result = e.emit2('or.u32', result, e.emit2('shl.u32', half, e.u32(offset)));
    }
    writeB32(l, result);
  },
  v_alignbit_b32: (l) => writeB32(l, l.b.emit3('funnel.u32', sourceB32(l, 0), sourceB32(l, 1), sourceB32(l, 2))),
  v_alignbyte_b32: (l) => {
    const amount = l.b.emit2('shl.u32', l.b.emit2('and.u32', sourceB32(l, 2), l.b.u32(3)), l.b.u32(3));
    writeB32(l, l.b.emit3('funnel.u32', sourceB32(l, 0), sourceB32(l, 1), amount));
  },
  v_perm_b32: (l) => writeB32(l, l.b.emit3('perm.u32', sourceB32(l, 0), sourceB32(l, 1), sourceB32(l, 2))),
  v_min3_i32: minMax3('smin.i32'),
  v_min3_u32: minMax3('umin.u32'),
  v_max3_i32: minMax3('smax.i32'),
  v_max3_u32: minMax3('umax.u32'),
  v_med3_i32: median3('smin.i32', 'smax.i32'),
  v_med3_u32: median3('umin.u32', 'umax.u32'),
  v_sad_u8: sumOfDifferences(8),
  v_sad_hi_u8: sumOfDifferences(8, 16),
  v_sad_u16: sumOfDifferences(16),
  v_sad_u32: sumOfDifferences(32),
  v_msad_u8: sumOfDifferences(8, 0, true),
  v_qsad_pk_u16_u8: unsupported('not compiled yet'),
  v_mqsad_pk_u16_u8: unsupported('not compiled yet'),
  v_mqsad_u32_u8: unsupported('not compiled yet'),
  v_lshl_b64: shift64('shl.u64', false),
  v_lshr_b64: shift64('shr.u64', false),
  v_ashr_i64: shift64('sar.i64', false),
  v_lshlrev_b64: shift64('shl.u64', true),
  v_lshrrev_b64: shift64('shr.u64', true),
  v_ashrrev_i64: shift64('sar.i64', true),
  v_mul_lo_u32: binary('imul.u32'),
  v_mul_lo_i32: binary('imul.u32'),
  v_mul_hi_u32: binary('umulhi.u32'),
  v_mul_hi_i32: binary('smulhi.i32'),
  v_mad_u64_u32: multiplyAdd64('umulwide.u64'),
  v_mad_i64_i32: multiplyAdd64('smulwide.i64'),
  v_xor3_b32: chained('xor.u32', 'xor.u32'),
  v_or3_b32: chained('or.u32', 'or.u32'),
  v_and_or_b32: chained('and.u32', 'or.u32'),
  v_lshl_or_b32: chained('shl.u32', 'or.u32'),
  v_add3_u32: chained('iadd.u32', 'iadd.u32'),
  v_lshl_add_u32: chained('shl.u32', 'iadd.u32'),
  v_add_lshl_u32: chained('iadd.u32', 'shl.u32'),
  v_xad_u32: chained('xor.u32', 'iadd.u32'),
  v_add_nc_u16: binary16('iadd.u32', sourceB16),
  v_sub_nc_u16: binary16('isub.u32', sourceB16),
  v_add_nc_i16: binary16('iadd.u32', sourceI16),
  v_sub_nc_i16: binary16('isub.u32', sourceI16),
  v_mul_lo_u16: binary16('imul.u32', sourceB16),
  v_min_u16: binary16('umin.u32', sourceB16),
  v_max_u16: binary16('umax.u32', sourceB16),
  v_min_i16: binary16('smin.i32', sourceI16),
  v_max_i16: binary16('smax.i32', sourceI16),
  v_lshrrev_b16: shift16('shr.u32', sourceB16),
  v_ashrrev_i16: shift16('sar.i32', sourceI16),
  v_lshlrev_b16: shift16('shl.u32', sourceB16),
  v_mad_u16: multiplyAdd16(sourceB16),
  v_mad_i16: multiplyAdd16(sourceI16),
  v_mad_u32_u16: multiplyAddWide16(sourceB16),
  v_mad_i32_i16: multiplyAddWide16(sourceI16),
  v_min3_i16: minMax316('smin.i32', sourceI16),
  v_min3_u16: minMax316('umin.u32', sourceB16),
  v_max3_i16: minMax316('smax.i32', sourceI16),
  v_max3_u16: minMax316('umax.u32', sourceB16),
  v_med3_i16: median316('smin.i32', 'smax.i32', sourceI16),
  v_med3_u16: median316('umin.u32', 'umax.u32', sourceB16),
} satisfies Partial<Record<Mnemonic, Entry>>;

/** Rows above that honour the clamp bit; on all others it is refused. */
export const CLAMPS_INTEGERS: ReadonlySet<Mnemonic> = new Set<Mnemonic>([
  'v_add_nc_u32',
  'v_sub_nc_u32',
  'v_subrev_nc_u32',
  'v_add_nc_i32',
  'v_sub_nc_i32',
  'v_add_i32',
  'v_sub_i32',
  'v_subrev_i32',
  'v_addc_u32',
  'v_subb_u32',
  'v_subbrev_u32',
  'v_add_co_u32',
  'v_sub_co_u32',
  'v_subrev_co_u32',
  'v_add_co_ci_u32',
  'v_sub_co_ci_u32',
  'v_subrev_co_ci_u32',
]);
