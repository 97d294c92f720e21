/**
 * Scalar compares and bit tests: SCC as a value.
 *
 * Source: RDNA 1 and 2 ISA manuals, "SOPC instructions", "S_CMPK_*".
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { Entry, Lower, Lowering } from './lowering.ts';

const compare =
  (op: OpName, swap = false, negate = false): Lower =>
  (l) => {
    const a = l.scalar32(swap ? 1 : 0);
    const b = l.scalar32(swap ? 0 : 1);
    const result = l.b.emit2(op, a, b);
    l.scc = negate ? l.b.emit1('not.1', result) : result;
  };

const compareK =
  (op: OpName, signed: boolean, swap = false): Lower =>
  (l) => {
    const value = l.readScalar(l.i.dst);
    const constant = l.b.u32(signed ? l.i.imm : l.i.imm & 0xffff);
    l.scc = swap ? l.b.emit2(op, constant, value) : l.b.emit2(op, value, constant);
  };

function testBit32(l: Lowering): ValueId {
  const bit = l.b.emit2('shr.u32', l.scalar32(0), l.scalar32(1));
  return l.b.emit2('icmp.ne.u32', l.b.emit2('and.u32', bit, l.b.u32(1)), l.b.u32(0));
}

function testBit64(l: Lowering): ValueId {
  const bit = l.b.emit1('lo.64', l.b.emit2('shr.u64', l.scalar64(0), l.scalar32(1)));
  return l.b.emit2('icmp.ne.u32', l.b.emit2('and.u32', bit, l.b.u32(1)), l.b.u32(0));
}

export const SALU_COMPARE = {
  s_cmp_eq_i32: compare('icmp.eq.u32'),
  s_cmp_lg_i32: compare('icmp.ne.u32'),
  s_cmp_gt_i32: compare('icmp.slt.i32', true),
  s_cmp_ge_i32: compare('icmp.sle.i32', true),
  s_cmp_lt_i32: compare('icmp.slt.i32'),
  s_cmp_le_i32: compare('icmp.sle.i32'),
  s_cmp_eq_u32: compare('icmp.eq.u32'),
  s_cmp_lg_u32: compare('icmp.ne.u32'),
  s_cmp_gt_u32: compare('icmp.ult.u32', true),
  s_cmp_ge_u32: compare('icmp.ule.u32', true),
  s_cmp_lt_u32: compare('icmp.ult.u32'),
  s_cmp_le_u32: compare('icmp.ule.u32'),
  s_cmp_eq_u64: (l) => {
    l.scc = l.b.emit2('icmp.eq.u64', l.scalar64(0), l.scalar64(1));
  },
  s_cmp_lg_u64: (l) => {
    l.scc = l.b.emit2('icmp.ne.u64', l.scalar64(0), l.scalar64(1));
  },
  s_bitcmp0_b32: (l) => {
    l.scc = l.b.emit1('not.1', testBit32(l));
  },
  s_bitcmp1_b32: (l) => {
    l.scc = testBit32(l);
  },
  s_bitcmp0_b64: (l) => {
    l.scc = l.b.emit1('not.1', testBit64(l));
  },
  s_bitcmp1_b64: (l) => {
    l.scc = testBit64(l);
  },
  s_cmpk_eq_i32: compareK('icmp.eq.u32', true),
  s_cmpk_lg_i32: compareK('icmp.ne.u32', true),
  s_cmpk_gt_i32: compareK('icmp.slt.i32', true, true),
  s_cmpk_ge_i32: compareK('icmp.sle.i32', true, true),
  s_cmpk_lt_i32: compareK('icmp.slt.i32', true),
  s_cmpk_le_i32: compareK('icmp.sle.i32', true),
  s_cmpk_eq_u32: compareK('icmp.eq.u32', false),
  s_cmpk_lg_u32: compareK('icmp.ne.u32', false),
  s_cmpk_gt_u32: compareK('icmp.ult.u32', false, true),
  s_cmpk_ge_u32: compareK('icmp.ule.u32', false, true),
  s_cmpk_lt_u32: compareK('icmp.ult.u32', false),
  s_cmpk_le_u32: compareK('icmp.ule.u32', false),
} satisfies Partial<Record<Mnemonic, Entry>>;
