/**
 * Packed 16-bit arithmetic, dot products and mixed-precision multiply-add (VOP3P, gfx10).
 *
 * op_sel chooses the half of each source for the low result, op_sel_hi for the high one; neg_lo and neg_hi negate the
 * same. Constants fill the low half only (integers are sign-extended). clamp: floats to [0, 1], integers saturate.
 * Mixed precision: op_sel_hi says "source is f16", op_sel which half; neg_hi means absolute value.
 * Source: RDNA 1 and RDNA 2 ISA manuals, "VOP3P instructions"; docs/float-arithmetic.md#dot-products.
 */
import type { Instruction } from '../isa/instruction.ts';
import { addF16, fmaF16, maxF16, minF16, mulF16 } from './float/arithmetic-f16.ts';
import { fmaF32 } from './float/arithmetic-f32.ts';
import { f16ToF32, f32ToF16 } from './float/convert.ts';
import { controlF16, controlF32, controlF32Flushed, type FloatControl, IEEE_DEFAULT } from './float/float-control.ts';
import type { Handler } from './handler.ts';
import { ieeeMode, lanesOf, sourceB32, sourcePacked } from './operands.ts';
import { modifyF16, modifyF32 } from './output-modifiers.ts';
import { I16, I32, type Range, saturate, signed16, U16, U32 } from './valu-lanes.ts';
import type { Wave } from './wave.ts';

type Half3 = (a: number, b: number, c: number, control: FloatControl, ieee: boolean) => number;

/** Half of source `slot` for the low (part 0) or high (part 1) result. */
function halfShift(inst: Instruction, slot: number, part: number): number {
  const select = part === 0 ? inst.opSel : inst.opSelHi;
  return (select >>> slot) & 1 ? 16 : 0;
}

function signFlip(inst: Instruction, slot: number, part: number): number {
  const negate = part === 0 ? inst.neg : inst.negHi;
  return (negate >>> slot) & 1 ? 0x8000 : 0;
}

const LOW_RESULTS = new Uint32Array(64);
const ABSENT = new Uint32Array(64);

/** Packed f16. `count` sources; functions of two ignore the third operand. */
function packedFloat(f: Half3, count: 2 | 3): Handler {
  return (wave, inst) => {
    const a = sourcePacked(wave, inst, 0, 'f16');
    const b = sourcePacked(wave, inst, 1, 'f16');
    const c = count === 3 ? sourcePacked(wave, inst, 2, 'f16') : ABSENT;
    const lanes = lanesOf(wave, inst);
    const control = controlF16(wave.mode);
    const ieee = ieeeMode(wave);
    const out = wave.vgprOf(inst.dst);
    for (let part = 0; part < 2; part++) {
      const aShift = halfShift(inst, 0, part);
      const bShift = halfShift(inst, 1, part);
      const cShift = halfShift(inst, 2, part);
      const aFlip = signFlip(inst, 0, part);
      const bFlip = signFlip(inst, 1, part);
      const cFlip = signFlip(inst, 2, part);
      for (let i = 0; i < lanes.count; i++) {
        const lane = lanes.at[i]!;
        let bits = f(
          ((a[lane]! >>> aShift) & 0xffff) ^ aFlip,
          ((b[lane]! >>> bShift) & 0xffff) ^ bFlip,
          ((c[lane]! >>> cShift) & 0xffff) ^ cFlip,
          control,
          ieee,
        );
        if (inst.clamp) bits = modifyF16(wave, inst, bits);
        // The destination may be a source of the high half: it is written last.
        if (part === 0) LOW_RESULTS[lane] = bits;
        else out[lane] = LOW_RESULTS[lane]! | (bits << 16);
      }
    }
  };
}

/** Packed 16-bit integers; `f` sees u16 and gives the exact result, which wraps or saturates to `range`. */
function packedInteger(f: (a: number, b: number, c: number) => number, count: 2 | 3, range?: Range): Handler {
  return (wave, inst) => {
    const a = sourcePacked(wave, inst, 0, 'i16');
    const b = sourcePacked(wave, inst, 1, 'i16');
    const c = count === 3 ? sourcePacked(wave, inst, 2, 'i16') : ABSENT;
    const lanes = lanesOf(wave, inst);
    const clamps = inst.clamp !== 0 && range !== undefined;
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      let result = 0;
      for (let part = 0; part < 2; part++) {
        const exact = f(
          (a[lane]! >>> halfShift(inst, 0, part)) & 0xffff,
          (b[lane]! >>> halfShift(inst, 1, part)) & 0xffff,
          (c[lane]! >>> halfShift(inst, 2, part)) & 0xffff,
        );
        result |= ((clamps ? saturate(exact, range) : exact) & 0xffff) << (16 * part);
      }
      out[lane] = result;
    }
  };
}

const s = signed16;

/** d += src0 · src1 on both halves (VOP2: no selects, no modifiers). */
const packedFmac: Handler = (wave, inst) => {
  const a = sourcePacked(wave, inst, 0, 'f16');
  const b = sourcePacked(wave, inst, 1, 'f16');
  const lanes = lanesOf(wave, inst);
  const control = controlF16(wave.mode);
  const out = wave.vgprOf(inst.dst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const x = a[lane]!;
    const y = b[lane]!;
    const z = out[lane]!;
    const low = fmaF16(x & 0xffff, y & 0xffff, z & 0xffff, control);
    out[lane] = low | (fmaF16(x >>> 16, y >>> 16, z >>> 16, control) << 16);
  }
};

/** Sum of products of `width`-bit fields, plus an accumulator: the exact integer. */
function dotProduct(x: number, y: number, sum: number, width: 4 | 8 | 16, signed: boolean): number {
  const drop = 32 - width;
  for (let shift = 0; shift < 32; shift += width) {
    const a = x << (drop - shift);
    const b = y << (drop - shift);
    sum += signed ? (a >> drop) * (b >> drop) : (a >>> drop) * (b >>> drop);
  }
  return sum;
}

/** Swaps or repeats the halves of a 16-bit dot product's source as op_sel and op_sel_hi say. */
function selectHalves(bits: number, inst: Instruction, slot: number): number {
  const low = (bits >>> halfShift(inst, slot, 0)) & 0xffff;
  return low | (((bits >>> halfShift(inst, slot, 1)) & 0xffff) << 16);
}

function dot(width: 4 | 8 | 16, signed: boolean): Handler {
  const range = signed ? I32 : U32;
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const b = sourceB32(wave, inst, 1);
    const c = sourceB32(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const x = width === 16 ? selectHalves(a[lane]!, inst, 0) : a[lane]!;
      const y = width === 16 ? selectHalves(b[lane]!, inst, 1) : b[lane]!;
      const exact = dotProduct(x, y, signed ? c[lane]! | 0 : c[lane]!, width, signed);
      out[lane] = inst.clamp ? saturate(exact, range) : exact;
    }
  };
}

const dot4Accumulate: Handler = (wave, inst) => {
  const a = sourceB32(wave, inst, 0);
  const b = sourceB32(wave, inst, 1);
  const lanes = lanesOf(wave, inst);
  const out = wave.vgprOf(inst.dst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    out[lane] = dotProduct(a[lane]!, b[lane]!, out[lane]! | 0, 8, true);
  }
};

/** c + a.lo · b.lo, then + a.hi · b.hi: two fused steps in f32, low halves first, f32 denormals flushed. */
function dot2(wave: Wave, aLow: number, bLow: number, aHigh: number, bHigh: number, c: number): number {
  const half = controlF16(wave.mode);
  const control = controlF32Flushed(wave.mode);
  const sum = fmaF32(f16ToF32(aLow, half), f16ToF32(bLow, half), c, control);
  return fmaF32(f16ToF32(aHigh, half), f16ToF32(bHigh, half), sum, control);
}

const dot2Float: Handler = (wave, inst) => {
  const a = sourcePacked(wave, inst, 0, 'f16');
  const b = sourcePacked(wave, inst, 1, 'f16');
  const c = sourceB32(wave, inst, 2);
  const lanes = lanesOf(wave, inst);
  const flip = inst.neg & 4 ? 0x80000000 : 0;
  const out = wave.vgprOf(inst.dst);
  const half = (bits: number, slot: number, part: number) =>
    ((bits >>> halfShift(inst, slot, part)) & 0xffff) ^ signFlip(inst, slot, part);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const x = a[lane]!;
    const y = b[lane]!;
    const bits = dot2(wave, half(x, 0, 0), half(y, 1, 0), half(x, 0, 1), half(y, 1, 1), (c[lane]! ^ flip) >>> 0);
    out[lane] = inst.clamp ? modifyF32(wave, inst, bits) : bits;
  }
};

const dot2Accumulate: Handler = (wave, inst) => {
  const a = sourcePacked(wave, inst, 0, 'f16');
  const b = sourcePacked(wave, inst, 1, 'f16');
  const lanes = lanesOf(wave, inst);
  const out = wave.vgprOf(inst.dst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const x = a[lane]!;
    const y = b[lane]!;
    out[lane] = dot2(wave, x & 0xffff, y & 0xffff, x >>> 16, y >>> 16, out[lane]!);
  }
};

const MIXED = [new Uint32Array(64), new Uint32Array(64), new Uint32Array(64)] as const;

/** Source `slot` of a mixed-precision instruction as f32 bits. */
function mixedSource(wave: Wave, inst: Instruction, slot: 0 | 1 | 2): Uint32Array {
  const isHalf = ((inst.opSelHi >>> slot) & 1) !== 0;
  const from = isHalf ? sourcePacked(wave, inst, slot, 'f16') : sourceB32(wave, inst, slot);
  const shift = (inst.opSel >>> slot) & 1 ? 16 : 0;
  const clear = (inst.negHi >>> slot) & 1 ? 0x7fffffff : 0xffffffff;
  const flip = (inst.neg >>> slot) & 1 ? 0x80000000 : 0;
  const control = controlF16(wave.mode);
  const out = MIXED[slot];
  for (let lane = 0; lane < wave.waveSize; lane++) {
    const bits = isHalf ? f16ToF32((from[lane]! >>> shift) & 0xffff, control) : from[lane]!;
    out[lane] = (bits & clear) ^ flip;
  }
  return out;
}

/** `write`: whole register (f32), its low half, or its high half (f16, rounded after the f32 result). */
function mixedFma(write: 'f32' | 'low' | 'high'): Handler {
  return (wave, inst) => {
    const a = mixedSource(wave, inst, 0);
    const b = mixedSource(wave, inst, 1);
    const c = mixedSource(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const control = controlF32(wave.mode);
    const half = controlF16(wave.mode);
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const sum = fmaF32(a[lane]!, b[lane]!, c[lane]!, control);
      if (write === 'f32') out[lane] = inst.clamp ? modifyF32(wave, inst, sum) : sum;
      else {
        let bits = f32ToF16(sum, IEEE_DEFAULT, half);
        if (inst.clamp) bits = modifyF16(wave, inst, bits);
        out[lane] = write === 'low' ? (out[lane]! & 0xffff0000) | bits : (out[lane]! & 0xffff) | (bits << 16);
      }
    }
  };
}

export const VALU_PACKED = {
  v_pk_add_f16: packedFloat((a, b, _c, control) => addF16(a, b, control), 2),
  v_pk_mul_f16: packedFloat((a, b, _c, control) => mulF16(a, b, control), 2),
  v_pk_min_f16: packedFloat((a, b, _c, control, ieee) => minF16(a, b, control, ieee), 2),
  v_pk_max_f16: packedFloat((a, b, _c, control, ieee) => maxF16(a, b, control, ieee), 2),
  v_pk_fma_f16: packedFloat(fmaF16, 3),
  v_pk_fmac_f16: packedFmac,
  v_pk_add_u16: packedInteger((a, b) => a + b, 2, U16),
  v_pk_sub_u16: packedInteger((a, b) => a - b, 2, U16),
  v_pk_add_i16: packedInteger((a, b) => s(a) + s(b), 2, I16),
  v_pk_sub_i16: packedInteger((a, b) => s(a) - s(b), 2, I16),
  v_pk_mul_lo_u16: packedInteger((a, b) => a * b, 2, U16),
  v_pk_mad_u16: packedInteger((a, b, c) => a * b + c, 3, U16),
  v_pk_mad_i16: packedInteger((a, b, c) => s(a) * s(b) + s(c), 3, I16),
  v_pk_min_u16: packedInteger((a, b) => Math.min(a, b), 2),
  v_pk_max_u16: packedInteger((a, b) => Math.max(a, b), 2),
  v_pk_min_i16: packedInteger((a, b) => Math.min(s(a), s(b)), 2),
  v_pk_max_i16: packedInteger((a, b) => Math.max(s(a), s(b)), 2),
  v_pk_lshlrev_b16: packedInteger((a, b) => b << (a & 15), 2),
  v_pk_lshrrev_b16: packedInteger((a, b) => b >>> (a & 15), 2),
  v_pk_ashrrev_i16: packedInteger((a, b) => s(b) >> (a & 15), 2),
  v_dot2_f32_f16: dot2Float,
  v_dot2c_f32_f16: dot2Accumulate,
  v_dot2_i32_i16: dot(16, true),
  v_dot2_u32_u16: dot(16, false),
  v_dot4_i32_i8: dot(8, true),
  v_dot4_u32_u8: dot(8, false),
  v_dot4c_i32_i8: dot4Accumulate,
  v_dot8_i32_i4: dot(4, true),
  v_dot8_u32_u4: dot(4, false),
  v_fma_mix_f32: mixedFma('f32'),
  v_fma_mixlo_f16: mixedFma('low'),
  v_fma_mixhi_f16: mixedFma('high'),
} satisfies Record<string, Handler>;
