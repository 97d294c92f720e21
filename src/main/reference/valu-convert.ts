/**
 * Vector conversions between integers and floats, packed and normalised ones included.
 *
 * Rounding and denormals of a result follow MODE's fields for the result's format, denormals of a source those for its
 * own: v_cvt_f16_f32 rounds by the f16/f64 field, v_cvt_f32_f64 by the f32 field. omod and clamp apply to float results.
 * Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals, "V_CVT_*"; docs/float-arithmetic.md#conversions.
 */
import { numberOfF16 } from './float/arithmetic-f16.ts';
import {
  f16ToF32,
  f16ToI16,
  f16ToU16,
  f32ToF16,
  f32ToF64,
  f32ToI32,
  f32ToSnorm16,
  f32ToU8,
  f32ToU32,
  f32ToUnorm16,
  f64ToF32,
  f64ToI32,
  f64ToU32,
  floorToI32,
  halfUpToI32,
  integerToF16,
  integerToF32,
  integerToF64,
  numberToSnorm16,
  numberToUnorm16,
} from './float/convert.ts';
import {
  controlF16,
  controlF32,
  controlF64,
  type FloatControl,
  floatControl,
  IEEE_DEFAULT,
  ROUND,
} from './float/float-control.ts';
import type { Handler } from './handler.ts';
import {
  beginResult,
  beginResult16,
  endResult16,
  endResult32,
  lanesOf,
  sourceB16,
  sourceB32,
  sourceF16,
  sourceF32,
  sourceHigh,
  sourceLow,
} from './operands.ts';
import { modifyF16, modifyF32 } from './output-modifiers.ts';
import { isModified, storeF64 } from './valu-float-lanes.ts';
import { I16, saturate, signed16, U16 } from './valu-lanes.ts';

type Convert = (bits: number) => number;
type ConvertWith = (bits: number, control: FloatControl) => number;

/** 32 raw bits → f32. */
function integerToFloat(f: ConvertWith): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const control = controlF32(wave.mode);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, control);
      out[lane] = isModified(inst) ? modifyF32(wave, inst, bits) : bits;
    }
    endResult32(wave, inst, out, lanes);
  };
}

/** f32 → 32-bit integer. */
function floatToInteger(f: Convert): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(a[lane]!);
    }
    endResult32(wave, inst, out, lanes);
  };
}

/** f64 → 32-bit integer. */
function doubleToInteger(f: (low: number, high: number) => number): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'f64');
    const aHigh = sourceHigh(wave, inst, 0, 'f64');
    const lanes = lanesOf(wave, inst);
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(aLow[lane]!, aHigh[lane]!);
    }
  };
}

/** 32-bit integer → f64. */
function integerToDouble(f: Convert): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const low = wave.vgprOf(inst.dst);
    const high = wave.vgprOf(inst.dst + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      integerToF64(f(a[lane]!));
      storeF64(wave, inst, low, high, lane);
    }
  };
}

const floatToDouble: Handler = (wave, inst) => {
  const a = sourceF32(wave, inst, 0);
  const lanes = lanesOf(wave, inst);
  const control = controlF32(wave.mode);
  const low = wave.vgprOf(inst.dst);
  const high = wave.vgprOf(inst.dst + 1);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    f32ToF64(a[lane]!, control);
    storeF64(wave, inst, low, high, lane);
  }
};

const doubleToFloat: Handler = (wave, inst) => {
  const aLow = sourceLow(wave, inst, 0, 'f64');
  const aHigh = sourceHigh(wave, inst, 0, 'f64');
  const lanes = lanesOf(wave, inst);
  const from = controlF64(wave.mode);
  const to = controlF32(wave.mode);
  const out = wave.vgprOf(inst.dst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = f64ToF32(aLow[lane]!, aHigh[lane]!, from, to);
    out[lane] = isModified(inst) ? modifyF32(wave, inst, bits) : bits;
  }
};

const floatToHalf: Handler = (wave, inst) => {
  const a = sourceF32(wave, inst, 0);
  const lanes = lanesOf(wave, inst);
  const from = controlF32(wave.mode);
  const to = controlF16(wave.mode);
  // gfx7 has no registers of halves: it clears the upper one.
  const out = wave.gfx10 ? beginResult16() : beginResult(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = f32ToF16(a[lane]!, from, to);
    out[lane] = isModified(inst) ? modifyF16(wave, inst, bits) : bits;
  }
  if (wave.gfx10) endResult16(wave, inst, lanes);
};

const halfToFloat: Handler = (wave, inst) => {
  // gfx7 knows no f16 constants: it takes the low half of the f32 one (docs/isa-errata.md#gfx7-f16-constants).
  const a = wave.gfx10 ? sourceF16(wave, inst, 0) : sourceB16(wave, inst, 0);
  const clear = !wave.gfx10 && inst.abs & 1 ? 0x7fff : 0xffff;
  const flip = !wave.gfx10 && inst.neg & 1 ? 0x8000 : 0;
  const lanes = lanesOf(wave, inst);
  const from = controlF16(wave.mode);
  const out = beginResult(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = f16ToF32((a[lane]! & clear) ^ flip, from);
    out[lane] = isModified(inst) ? modifyF32(wave, inst, bits) : bits;
  }
  endResult32(wave, inst, out, lanes);
};

/** f16 → 16-bit integer. */
function halfToInteger(f: Convert): Handler {
  return (wave, inst) => {
    const a = sourceF16(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = f(a[lane]!);
    }
    endResult16(wave, inst, lanes);
  };
}

/** 16-bit integer → f16. */
function integerToHalf(f: Convert): Handler {
  return (wave, inst) => {
    const a = sourceB16(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const control = controlF16(wave.mode);
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = integerToF16(f(a[lane]!), control);
      out[lane] = isModified(inst) ? modifyF16(wave, inst, bits) : bits;
    }
    endResult16(wave, inst, lanes);
  };
}

/** Two sources, each to 16 bits, side by side. */
function pack(f: Convert, source: typeof sourceB32): Handler {
  return (wave, inst) => {
    const a = source(wave, inst, 0);
    const b = source(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = (f(a[lane]!) & 0xffff) | (f(b[lane]!) << 16);
    }
    endResult32(wave, inst, out, lanes);
  };
}

/** Two f32 to packed f16, towards zero whatever MODE says; denormals follow MODE. */
const packTowardsZero: Handler = (wave, inst) => {
  const a = sourceF32(wave, inst, 0);
  const b = sourceF32(wave, inst, 1);
  const lanes = lanesOf(wave, inst);
  const from = controlF32(wave.mode);
  const to = floatControl(ROUND.TO_ZERO, wave.mode >>> 6);
  const out = beginResult(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    let low = f32ToF16(a[lane]!, from, to);
    let high = f32ToF16(b[lane]!, from, to);
    if (isModified(inst)) {
      low = modifyF16(wave, inst, low);
      high = modifyF16(wave, inst, high);
    }
    out[lane] = low | (high << 16);
  }
  endResult32(wave, inst, out, lanes);
};

/** Byte src1[1:0] of the last operand (src2, or the destination) becomes src0 as an integer. */
function insertByte(accumulates: boolean): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const index = sourceB32(wave, inst, 1);
    const rest = accumulates ? wave.vgprOf(inst.dst) : sourceB32(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const control = controlF32(wave.mode);
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const shift = 8 * (index[lane]! & 3);
      out[lane] = (rest[lane]! & ~(0xff << shift)) | (f32ToU8(a[lane]!, control) << shift);
    }
  };
}

/** A signed 4-bit number as sixteenths. */
const offset: ConvertWith = (bits) => integerToF32(((bits << 28) >> 28) / 16, IEEE_DEFAULT);

function clampToByte(value: number): number {
  return Math.max(0, Math.min(255, value));
}

/** Two signed 16-bit numbers to two unsigned bytes. */
const saturateBytes: Handler = (wave, inst) => {
  const a = sourceB32(wave, inst, 0);
  const lanes = lanesOf(wave, inst);
  const out = beginResult16();
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = a[lane]!;
    out[lane] = clampToByte(signed16(bits)) | (clampToByte(bits >> 16) << 8);
  }
  endResult16(wave, inst, lanes);
};

const snormOfHalf: Convert = (bits) => numberToSnorm16(numberOfF16(bits));
const unormOfHalf: Convert = (bits) => numberToUnorm16(numberOfF16(bits));

export const VALU_CONVERT = {
  v_cvt_f32_i32: integerToFloat((bits, control) => integerToF32(bits | 0, control)),
  v_cvt_f32_u32: integerToFloat((bits, control) => integerToF32(bits >>> 0, control)),
  v_cvt_f32_ubyte0: integerToFloat((bits, control) => integerToF32(bits & 0xff, control)),
  v_cvt_f32_ubyte1: integerToFloat((bits, control) => integerToF32((bits >>> 8) & 0xff, control)),
  v_cvt_f32_ubyte2: integerToFloat((bits, control) => integerToF32((bits >>> 16) & 0xff, control)),
  v_cvt_f32_ubyte3: integerToFloat((bits, control) => integerToF32(bits >>> 24, control)),
  v_cvt_off_f32_i4: integerToFloat(offset),
  v_cvt_i32_f32: floatToInteger(f32ToI32),
  v_cvt_u32_f32: floatToInteger(f32ToU32),
  v_cvt_rpi_i32_f32: floatToInteger(halfUpToI32),
  v_cvt_flr_i32_f32: floatToInteger(floorToI32),
  v_cvt_i32_f64: doubleToInteger(f64ToI32),
  v_cvt_u32_f64: doubleToInteger(f64ToU32),
  v_cvt_f64_i32: integerToDouble((bits) => bits | 0),
  v_cvt_f64_u32: integerToDouble((bits) => bits >>> 0),
  v_cvt_f64_f32: floatToDouble,
  v_cvt_f32_f64: doubleToFloat,
  v_cvt_f16_f32: floatToHalf,
  v_cvt_f32_f16: halfToFloat,
  v_cvt_f16_u16: integerToHalf((bits) => bits),
  v_cvt_f16_i16: integerToHalf(signed16),
  v_cvt_u16_f16: halfToInteger(f16ToU16),
  v_cvt_i16_f16: halfToInteger(f16ToI16),
  v_cvt_norm_i16_f16: halfToInteger(snormOfHalf),
  v_cvt_norm_u16_f16: halfToInteger(unormOfHalf),
  v_cvt_pkrtz_f16_f32: packTowardsZero,
  v_cvt_pknorm_i16_f32: pack(f32ToSnorm16, sourceF32),
  v_cvt_pknorm_u16_f32: pack(f32ToUnorm16, sourceF32),
  v_cvt_pknorm_i16_f16: pack(snormOfHalf, sourceF16),
  v_cvt_pknorm_u16_f16: pack(unormOfHalf, sourceF16),
  v_cvt_pk_u16_u32: pack((bits) => saturate(bits, U16), sourceB32),
  v_cvt_pk_i16_i32: pack((bits) => saturate(bits | 0, I16), sourceB32),
  v_cvt_pk_u8_f32: insertByte(false),
  v_cvt_pkaccum_u8_f32: insertByte(true),
  v_sat_pk_u8_i16: saturateBytes,
} satisfies Record<string, Handler>;
