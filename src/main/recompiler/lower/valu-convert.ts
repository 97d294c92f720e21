/**
 * Conversions between floats and integers of all sizes, packing conversions.
 *
 * Float to integer truncates, saturates, NaN gives 0. Floats keep NaN-ness and sign; denormals follow MODE of the
 * source's and of the result's size. Source: docs/float-arithmetic.md; RDNA 1 and 2 ISA manuals, V_CVT_*.
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { hasFp16Overflow, roundOf } from './float-mode.ts';
import type { Entry, Lower, Lowering } from './lowering.ts';
import {
  finishFloat,
  source64,
  sourceB16,
  sourceB32,
  sourceF16,
  sourceF32,
  sourceF64,
  sourceI16,
  sourceRawF16,
  sourceRawF32,
  writeB16,
  writeB32,
  writeF16,
  writeF32,
  writeF64,
} from './vector-operands.ts';

const ROUND_TO_ZERO = 3;

/** Truncation does not care whether a denormal was flushed. */
const fromF32 =
  (op: 'cvt.u32.f32' | 'cvt.i32.f32'): Lower =>
  (l) =>
    writeB32(l, l.b.emit1(op, sourceRawF32(l, 0)));

const toF32 =
  (op: 'cvt.f32.u32' | 'cvt.f32.i32'): Lower =>
  (l) =>
    writeF32(l, l.b.emit1(op, sourceB32(l, 0), roundOf(l.mode, 'f32')));

const byteToF32 =
  (index: number): Lower =>
  (l) => {
    const byte = l.b.emit3('ubfe.u32', sourceB32(l, 0), l.b.u32(8 * index), l.b.u32(8));
    writeF32(l, l.b.emit1('cvt.f32.u32', byte));
  };

function checkOverflowMode(l: Lowering): void {
  if (hasFp16Overflow(l.mode)) l.refuse('FP16_OVFL mode is not compiled');
}

const toF16 =
  (op: 'cvt.f16.u16' | 'cvt.f16.i16', source: (l: Lowering, slot: number) => ValueId): Lower =>
  (l) => {
    checkOverflowMode(l);
    writeF16(l, l.b.emit1(op, source(l, 0), roundOf(l.mode, 'f16')));
  };

/** A NaN gives the limit of its sign. */
function limitedByNan(l: Lowering, value: ValueId, result: ValueId): ValueId {
  const e = l.b;
  const sign = e.emit2('icmp.slt.i32', value, e.u32(0));
  const limit = e.select(sign, e.u32(0x80000000), e.u32(0x7fffffff));
  return e.select(e.emit2('fcmp.ord.f32', value, value), result, limit);
}

/** Saturates 32 bits to 16 and packs two of them. */
const packIntegers =
  (signed: boolean): Lower =>
  (l) => {
    const e = l.b;
    const limit = (slot: number): ValueId => {
      const value = sourceB32(l, slot);
      if (!signed) return e.emit2('umin.u32', value, e.u32(0xffff));
      const inRange = e.emit2('smax.i32', e.emit2('smin.i32', value, e.u32(32767)), e.u32(-32768));
      return e.emit2('and.u32', inRange, e.u32(0xffff));
    };
    writeB32(l, e.emit2('or.u32', limit(0), e.emit2('shl.u32', limit(1), e.u32(16))));
  };

/** clamp(x) · scale, rounded to nearest even, as an integer; NaN gives 0. The product is exact in f64 only. */
function normalise(l: Lowering, value: ValueId, signed: boolean): ValueId {
  const e = l.b;
  const low = e.u32(signed ? 0xbf800000 : 0);
  const limited = e.emit2('fmin.f32', e.emit2('fmax.f32', value, low), e.u32(0x3f800000));
  const wide = e.emit1('cvt.f64.f32', limited);
  const scaled = e.emit2('fmul.f64', wide, signed ? e.u64(0, 0x40dfffc0) : e.u64(0, 0x40efffe0));
  const integer = e.emit1('cvt.i32.f64', e.emit1('frndne.f64', scaled));
  const result = e.select(e.emit2('fcmp.ord.f32', value, value), integer, e.u32(0));
  return e.emit2('and.u32', result, e.u32(0xffff));
}

const packNormalised =
  (size: 'f16' | 'f32', signed: boolean): Lower =>
  (l) => {
    const e = l.b;
    const value = (slot: number): ValueId =>
      size === 'f32' ? sourceRawF32(l, slot) : e.emit1('cvt.f32.f16', sourceRawF16(l, slot));
    const low = normalise(l, value(0), signed);
    writeB32(l, e.emit2('or.u32', low, e.emit2('shl.u32', normalise(l, value(1), signed), e.u32(16))));
  };

const normalised16 =
  (signed: boolean): Lower =>
  (l) =>
    writeB16(l, normalise(l, l.b.emit1('cvt.f32.f16', sourceRawF16(l, 0)), signed));

const INTEGRAL_BY_ROUND = ['frndne.f32', 'fceil.f32', 'ffloor.f32', 'ftrunc.f32'] as const;

/** Byte src1[1:0] of the last operand (src2, or the destination) becomes src0 as an integer, rounded by MODE. */
const insertByte =
  (accumulates: boolean): Lower =>
  (l) => {
    const e = l.b;
    const whole = e.emit1(INTEGRAL_BY_ROUND[roundOf(l.mode, 'f32')]!, sourceF32(l, 0));
    const byte = e.emit2('umin.u32', e.emit1('cvt.u32.f32', whole), e.u32(255));
    const shift = e.emit2('shl.u32', e.emit2('and.u32', sourceB32(l, 1), e.u32(3)), e.u32(3));
    const rest = accumulates ? l.readVector(l.i.dst) : sourceB32(l, 2);
    const field = e.emit2('shl.u32', e.u32(255), shift);
    writeB32(l, e.emit3('bitselect.u32', field, e.emit2('shl.u32', byte, shift), rest));
  };

const half16 =
  (op: OpName): Lower =>
  (l) =>
    writeB16(l, l.b.emit1(op, sourceRawF16(l, 0)));

export const VALU_CONVERT = {
  v_cvt_i32_f64: (l) => writeB32(l, l.b.emit1('cvt.i32.f64', source64(l, 0, 'f64'))),
  v_cvt_u32_f64: (l) => writeB32(l, l.b.emit1('cvt.u32.f64', source64(l, 0, 'f64'))),
  v_cvt_f64_i32: (l) => writeF64(l, l.b.emit1('cvt.f64.i32', sourceB32(l, 0))),
  v_cvt_f64_u32: (l) => writeF64(l, l.b.emit1('cvt.f64.u32', sourceB32(l, 0))),
  v_cvt_f32_i32: toF32('cvt.f32.i32'),
  v_cvt_f32_u32: toF32('cvt.f32.u32'),
  v_cvt_u32_f32: fromF32('cvt.u32.f32'),
  v_cvt_i32_f32: fromF32('cvt.i32.f32'),
  v_cvt_f16_f32: (l) => {
    checkOverflowMode(l);
    writeF16(l, l.b.emit1('cvt.f16.f32', sourceF32(l, 0), roundOf(l.mode, 'f16')));
  },
  v_cvt_f32_f16: (l) => writeF32(l, l.b.emit1('cvt.f32.f16', sourceF16(l, 0))),
  /** floor(x + ½), the sum exact: half-way cases go up. */
  v_cvt_rpi_i32_f32: (l) => {
    const e = l.b;
    const value = sourceRawF32(l, 0);
    const floor = e.emit1('ffloor.f32', value);
    // x − floor(x) is exact wherever it is not 0.
    const rest = e.emit2('fadd.f32', value, e.emit1('fneg.f32', floor));
    const up = e.emit2('fcmp.le.f32', e.u32(0x3f000000), rest);
    const integer = e.emit1('cvt.i32.f32', floor);
    const saturated = e.emit2('icmp.eq.u32', integer, e.u32(0x7fffffff));
    const next = e.select(saturated, integer, e.emit2('iadd.u32', integer, e.u32(1)));
    writeB32(l, limitedByNan(l, value, e.select(up, next, integer)));
  },
  v_cvt_flr_i32_f32: (l) => {
    const value = sourceRawF32(l, 0);
    writeB32(l, limitedByNan(l, value, l.b.emit1('cvt.i32.f32', l.b.emit1('ffloor.f32', value))));
  },
  /** A signed nibble over 16. */
  v_cvt_off_f32_i4: (l) => {
    const e = l.b;
    const nibble = e.emit3('sbfe.i32', sourceB32(l, 0), e.u32(0), e.u32(4));
    writeF32(l, e.emit2('fmul.f32', e.emit1('cvt.f32.i32', nibble), e.u32(0x3d800000)));
  },
  v_cvt_f32_f64: (l) => writeF32(l, l.b.emit1('cvt.f32.f64', sourceF64(l, 0), roundOf(l.mode, 'f32'))),
  v_cvt_f64_f32: (l) => writeF64(l, l.b.emit1('cvt.f64.f32', sourceF32(l, 0))),
  v_cvt_f32_ubyte0: byteToF32(0),
  v_cvt_f32_ubyte1: byteToF32(1),
  v_cvt_f32_ubyte2: byteToF32(2),
  v_cvt_f32_ubyte3: byteToF32(3),
  v_cvt_f16_u16: toF16('cvt.f16.u16', sourceB16),
  v_cvt_f16_i16: toF16('cvt.f16.i16', sourceI16),
  v_cvt_u16_f16: half16('cvt.u16.f16'),
  v_cvt_i16_f16: half16('cvt.i16.f16'),
  v_cvt_norm_i16_f16: normalised16(true),
  v_cvt_norm_u16_f16: normalised16(false),
  /** Rounds towards zero whatever MODE says. */
  v_cvt_pkrtz_f16_f32: (l) => {
    const e = l.b;
    const half = (slot: number): ValueId =>
      finishFloat(l, e.emit1('cvt.f16.f32', sourceF32(l, slot), ROUND_TO_ZERO), 'f16');
    writeB32(l, e.emit2('or.u32', half(0), e.emit2('shl.u32', half(1), e.u32(16))));
  },
  v_cvt_pknorm_i16_f32: packNormalised('f32', true),
  v_cvt_pknorm_u16_f32: packNormalised('f32', false),
  v_cvt_pknorm_i16_f16: packNormalised('f16', true),
  v_cvt_pknorm_u16_f16: packNormalised('f16', false),
  v_cvt_pk_u16_u32: packIntegers(false),
  v_cvt_pk_i16_i32: packIntegers(true),
  v_cvt_pk_u8_f32: insertByte(false),
  v_cvt_pkaccum_u8_f32: insertByte(true),
  /** Two signed halves, saturated to bytes. */
  v_sat_pk_u8_i16: (l) => {
    const e = l.b;
    const value = sourceB32(l, 0);
    const byte = (offset: number): ValueId => {
      const half = e.emit3('sbfe.i32', value, e.u32(offset), e.u32(16));
      return e.emit2('smin.i32', e.emit2('smax.i32', half, e.u32(0)), e.u32(255));
    };
    writeB16(l, e.emit2('or.u32', byte(0), e.emit2('shl.u32', byte(16), e.u32(8))));
  },
} satisfies Partial<Record<Mnemonic, Entry>>;
