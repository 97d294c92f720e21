/**
 * Instructions that move values between lanes, or between lanes and scalars.
 *
 * readlane and writelane ignore EXEC; readfirstlane with EXEC = 0 reads lane 0. ds_bpermute on gfx10 stays inside each
 * half of 32 lanes. Source: RDNA 1 and 2 ISA manuals; docs/isa-errata.md.
 */
import { OPERAND } from '../../isa/operands.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { ValueId } from '../ir/types.ts';
import { type Entry, type Lower, type Lowering, unsupported } from './lowering.ts';
import { sourceB32, writeB32 } from './vector-operands.ts';

const interpolation = unsupported('interpolation belongs to pixel shaders');

const bitCount =
  (half: 'lo' | 'hi'): Lower =>
  (l) => {
    const mask = sourceB32(l, 0);
    const addend = sourceB32(l, 1);
    // A wave of 32 lanes has nothing in the high half.
    if (half === 'hi' && !l.wave64) writeB32(l, addend);
    else writeB32(l, l.b.emit2(half === 'lo' ? 'mbcnt.lo' : 'mbcnt.hi', mask, addend));
  };

/** v_permlane16, v_permlanex16: op_sel[0] = fetch inactive, op_sel[1] = bound control. */
const permlane =
  (cross: 0 | 1): Lower =>
  (l) => {
    const e = l.b;
    const low = l.scalar32(1);
    const high = l.scalar32(2);
    let result = e.emit3('permlane16.32', l.readVector(l.i.src0), low, high, cross);
    if (!(l.i.opSel & 1)) {
      // Without FI, inactive source lanes give 0 (bound control) or leave the lane as it was.
      const valid = e.emit3('permlane16.1', l.active(), low, high, cross);
      result = e.emit3('select.32', valid, result, l.i.opSel & 2 ? e.u32(0) : l.readVector(l.i.dst));
    }
    writeB32(l, result);
  };

/** Address and offset count bytes; lanes are dwords. */
function laneOfAddress(l: Lowering): ValueId {
  const e = l.b;
  const address = e.emit2('iadd.u32', l.readVector(l.i.src0), e.u32(l.i.imm & 0xffff));
  return e.emit2('shr.u32', address, e.u32(2));
}

/** The lane number within the same half of 32 as the reader. */
function sameHalf(l: Lowering, lane: ValueId): ValueId {
  const e = l.b;
  const within = e.emit2('and.u32', lane, e.u32(31));
  if (!l.wave64) return within;
  return e.emit2('or.u32', within, e.emit2('and.u32', e.emit0('lane.id'), e.u32(32)));
}

export const CROSS_LANE = {
  v_readfirstlane_b32: (l) => {
    const code = l.i.src0;
    const value = code >= OPERAND.VGPR0 ? l.readVector(code) : l.scalarOf(code);
    l.writeScalar(l.i.dst, l.b.emit2('readfirstlane.32', value, l.active()));
  },
  v_readlane_b32: (l) => {
    const code = l.i.src0;
    const value = code >= OPERAND.VGPR0 ? l.readVector(code) : l.scalarOf(code);
    l.writeScalar(l.i.dst, l.b.emit2('readlane.32', value, l.scalar32(1)));
  },
  v_writelane_b32: (l) => {
    const result = l.b.emit3('writelane.32', l.readVector(l.i.dst), l.scalar32(0), l.scalar32(1));
    l.write(l.i.dst, result);
  },
  v_mbcnt_lo_u32_b32: bitCount('lo'),
  v_mbcnt_hi_u32_b32: bitCount('hi'),
  v_permlane16_b32: permlane(0),
  v_permlanex16_b32: permlane(1),
  ds_bpermute_b32: (l) => {
    const e = l.b;
    const source = sameHalf(l, laneOfAddress(l));
    // Inactive source lanes give 0.
    const live = e.select(l.active(), l.readVector(l.i.src1), e.u32(0));
    l.writeVector(l.i.dst, e.emit2('shuffle.32', live, source));
  },
  ds_permute_b32: (l) => {
    const target = sameHalf(l, laneOfAddress(l));
    l.writeVector(l.i.dst, l.b.emit3('scatter.32', l.readVector(l.i.src1), target, l.active()));
  },
  ds_swizzle_b32: (l) => {
    const e = l.b;
    const pattern = l.i.imm & 0xffff;
    const moved = e.emit1('swizzle.32', l.readVector(l.i.src0), pattern);
    const valid = e.emit1('swizzle.1', l.active(), pattern);
    l.writeVector(l.i.dst, e.emit3('select.32', valid, moved, e.u32(0)));
  },
  v_interp_p1_f32: interpolation,
  v_interp_p2_f32: interpolation,
  v_interp_mov_f32: interpolation,
  v_interp_p1ll_f16: interpolation,
  v_interp_p1lv_f16: interpolation,
  v_interp_p2_f16: interpolation,
} satisfies Partial<Record<Mnemonic, Entry>>;
