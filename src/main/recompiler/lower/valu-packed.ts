/**
 * VOP3P: the same operation on both 16-bit halves, mixed-precision fma, dot products.
 *
 * op_sel picks the half that feeds the low result, op_sel_hi the one that feeds the high result; neg and neg_hi negate
 * them. Source: RDNA 1 and 2 ISA manuals, "Packed math" and "VOP3P instructions".
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { hasDx10Clamp, hasFp16Overflow, isIeee, roundOf } from './float-mode.ts';
import { type Entry, type Lower, type Lowering, unsupported } from './lowering.ts';
import { finishFloat, flushInput, flushOutput, sourceB32, sourcePacked, writeB32 } from './vector-operands.ts';

type Half = 'low' | 'high';

function halfBits(l: Lowering, slot: number, half: Half, type: 'f16' | 'i16'): ValueId {
  const packed = sourcePacked(l, slot, type);
  const select = half === 'low' ? l.i.opSel : l.i.opSelHi;
  return (select >>> slot) & 1
    ? l.b.emit2('shr.u32', packed, l.b.u32(16))
    : l.b.emit2('and.u32', packed, l.b.u32(0xffff));
}

function halfF16(l: Lowering, slot: number, half: Half): ValueId {
  let value = halfBits(l, slot, half, 'f16');
  const negate = half === 'low' ? l.i.neg : l.i.negHi;
  if ((negate >>> slot) & 1) value = l.b.emit1('fneg.f16', value);
  return flushInput(l, value, 'f16');
}

function halfInteger(l: Lowering, slot: number, half: Half, signed: boolean): ValueId {
  const value = halfBits(l, slot, half, 'i16');
  return signed ? l.b.emit3('sbfe.i32', value, l.b.u32(0), l.b.u32(16)) : value;
}

function writeHalves(l: Lowering, low: ValueId, high: ValueId): void {
  const e = l.b;
  const bottom = e.emit2('and.u32', low, e.u32(0xffff));
  writeB32(l, e.emit2('or.u32', bottom, e.emit2('shl.u32', high, e.u32(16))));
}

function finishHalf(l: Lowering, value: ValueId): ValueId {
  const result = flushOutput(l, value, 'f16');
  return l.i.clamp ? l.b.emit1('fsaturate.f16', result, hasDx10Clamp(l.mode) ? 1 : 0) : result;
}

const packedF16 =
  (operation: (l: Lowering, half: Half) => ValueId): Lower =>
  (l) => {
    if (hasFp16Overflow(l.mode)) l.refuse('FP16_OVFL mode is not compiled');
    writeHalves(l, finishHalf(l, operation(l, 'low')), finishHalf(l, operation(l, 'high')));
  };

const packedArithmetic = (op: 'fadd.f16' | 'fmul.f16'): Lower =>
  packedF16((l, half) => l.b.emit2(op, halfF16(l, 0, half), halfF16(l, 1, half), roundOf(l.mode, 'f16')));

const packedMinMax = (op: 'fmin.f16' | 'fmax.f16'): Lower =>
  packedF16((l, half) => l.b.emit2(op, halfF16(l, 0, half), halfF16(l, 1, half), isIeee(l.mode) ? 1 : 0));

const packedInteger =
  (op: OpName, signed: boolean): Lower =>
  (l) => {
    const half = (which: Half): ValueId =>
      l.b.emit2(op, halfInteger(l, 0, which, signed), halfInteger(l, 1, which, signed));
    writeHalves(l, half('low'), half('high'));
  };

/** The amount is source 0, four bits. */
const packedShift =
  (op: OpName, signed: boolean): Lower =>
  (l) => {
    const half = (which: Half): ValueId => {
      const amount = l.b.emit2('and.u32', halfInteger(l, 0, which, false), l.b.u32(15));
      return l.b.emit2(op, halfInteger(l, 1, which, signed), amount);
    };
    writeHalves(l, half('low'), half('high'));
  };

const packedMultiplyAdd =
  (signed: boolean): Lower =>
  (l) => {
    const half = (which: Half): ValueId => {
      const product = l.b.emit2('imul.u32', halfInteger(l, 0, which, signed), halfInteger(l, 1, which, signed));
      return l.b.emit2('iadd.u32', product, halfInteger(l, 2, which, signed));
    };
    writeHalves(l, half('low'), half('high'));
  };

/** f32, or the half that op_sel picks converted to f32 where op_sel_hi says f16; neg_hi is abs here. */
function mixSource(l: Lowering, slot: number): ValueId {
  const isHalf = ((l.i.opSelHi >>> slot) & 1) !== 0;
  let value: ValueId;
  if (isHalf) {
    const packed = sourcePacked(l, slot, 'f16');
    const high = ((l.i.opSel >>> slot) & 1) !== 0;
    const bits = high ? l.b.emit2('shr.u32', packed, l.b.u32(16)) : l.b.emit2('and.u32', packed, l.b.u32(0xffff));
    value = l.b.emit1('cvt.f32.f16', flushInput(l, bits, 'f16'));
  } else value = sourceB32(l, slot);
  if ((l.i.negHi >>> slot) & 1) value = l.b.emit1('fabs.f32', value);
  if ((l.i.neg >>> slot) & 1) value = l.b.emit1('fneg.f32', value);
  return flushInput(l, value, 'f32');
}

function mixedFma(l: Lowering): ValueId {
  return l.b.emit3('ffma.f32', mixSource(l, 0), mixSource(l, 1), mixSource(l, 2), roundOf(l.mode, 'f32'));
}

/** The f32 result rounded to f16 into one half; the other half stays. */
const mixToHalf =
  (half: Half): Lower =>
  (l) => {
    const e = l.b;
    const narrow = e.emit1('cvt.f16.f32', flushOutput(l, mixedFma(l), 'f32'), roundOf(l.mode, 'f16'));
    const result = finishHalf(l, narrow);
    const old = l.readVector(l.i.dst);
    const merged =
      half === 'low'
        ? e.emit2('or.u32', e.emit2('and.u32', old, e.u32(0xffff0000)), result)
        : e.emit2('or.u32', e.emit2('and.u32', old, e.u32(0xffff)), e.emit2('shl.u32', result, e.u32(16)));
    writeB32(l, merged);
  };

/** Sum of products of fields plus the third source. */
const dotInteger =
  (fieldBits: 4 | 8 | 16, signed: boolean, fromDst = false): Lower =>
  (l) => {
    const e = l.b;
    if (l.i.clamp) l.refuse('clamped dot products are not compiled');
    const a = sourceB32(l, 0);
    const b = sourceB32(l, 1);
    let total = fromDst ? l.readVector(l.i.dst) : sourceB32(l, 2);
    const op: OpName = signed ? 'sbfe.i32' : 'ubfe.u32';
    for (let offset = 0; offset < 32; offset += fieldBits) {
      const part = (v: ValueId): ValueId => e.emit3(op, v, e.u32(offset), e.u32(fieldBits));
      total = e.emit2('iadd.u32', total, e.emit2('imul.u32', part(a), part(b)));
    }
    writeB32(l, total);
  };

/** fma(a.hi, b.hi, fma(a.lo, b.lo, c)) in f32; f32 denormals are flushed whatever MODE says. */
const dotFloat =
  (fromDst: boolean): Lower =>
  (l) => {
    const e = l.b;
    const flush = (v: ValueId): ValueId => e.emit1('fflush.f32', v);
    // v_dot2c has no selects: low halves, then high halves.
    const plain = (slot: number, which: Half): ValueId => {
      const packed = sourcePacked(l, slot, 'f16');
      const bits = which === 'low' ? e.emit2('and.u32', packed, e.u32(0xffff)) : e.emit2('shr.u32', packed, e.u32(16));
      return flushInput(l, bits, 'f16');
    };
    const half = (slot: number, which: Half): ValueId =>
      e.emit1('cvt.f32.f16', fromDst ? plain(slot, which) : halfF16(l, slot, which));
    const round = roundOf(l.mode, 'f32');
    let c = fromDst ? l.readVector(l.i.dst) : sourceB32(l, 2);
    if (!fromDst && l.i.neg & 4) c = e.emit1('fneg.f32', c);
    const inner = flush(e.emit3('ffma.f32', half(0, 'low'), half(1, 'low'), flush(c), round));
    writeB32(l, finishFloat(l, flush(e.emit3('ffma.f32', half(0, 'high'), half(1, 'high'), inner, round)), 'f32'));
  };

export const VALU_PACKED = {
  v_pk_add_f16: packedArithmetic('fadd.f16'),
  v_pk_mul_f16: packedArithmetic('fmul.f16'),
  v_pk_fma_f16: packedF16((l, half) =>
    l.b.emit3('ffma.f16', halfF16(l, 0, half), halfF16(l, 1, half), halfF16(l, 2, half), roundOf(l.mode, 'f16')),
  ),
  v_pk_fmac_f16: unsupported('not compiled yet'),
  v_pk_min_f16: packedMinMax('fmin.f16'),
  v_pk_max_f16: packedMinMax('fmax.f16'),
  v_pk_add_i16: packedInteger('iadd.u32', true),
  v_pk_sub_i16: packedInteger('isub.u32', true),
  v_pk_add_u16: packedInteger('iadd.u32', false),
  v_pk_sub_u16: packedInteger('isub.u32', false),
  v_pk_mul_lo_u16: packedInteger('imul.u32', false),
  v_pk_max_i16: packedInteger('smax.i32', true),
  v_pk_min_i16: packedInteger('smin.i32', true),
  v_pk_max_u16: packedInteger('umax.u32', false),
  v_pk_min_u16: packedInteger('umin.u32', false),
  v_pk_lshlrev_b16: packedShift('shl.u32', false),
  v_pk_lshrrev_b16: packedShift('shr.u32', false),
  v_pk_ashrrev_i16: packedShift('sar.i32', true),
  v_pk_mad_i16: packedMultiplyAdd(true),
  v_pk_mad_u16: packedMultiplyAdd(false),
  v_fma_mix_f32: (l) => writeB32(l, finishFloat(l, mixedFma(l), 'f32')),
  v_fma_mixlo_f16: mixToHalf('low'),
  v_fma_mixhi_f16: mixToHalf('high'),
  v_dot2_f32_f16: dotFloat(false),
  v_dot2c_f32_f16: dotFloat(true),
  v_dot2_i32_i16: dotInteger(16, true),
  v_dot2_u32_u16: dotInteger(16, false),
  v_dot4_i32_i8: dotInteger(8, true),
  v_dot4_u32_u8: dotInteger(8, false),
  v_dot4c_i32_i8: dotInteger(8, true, true),
  v_dot8_i32_i4: dotInteger(4, true),
  v_dot8_u32_u4: dotInteger(4, false),
} satisfies Partial<Record<Mnemonic, Entry>>;
