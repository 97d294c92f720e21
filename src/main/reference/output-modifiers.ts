/**
 * omod and clamp of float results, on raw bits, after rounding.
 *
 * omod multiplies by 2, 4 or ½. It is ignored when results may be denormal or in IEEE mode; where it applies, denormal
 * results and −0 become +0 and overflow gives infinity. clamp limits to [0, 1]; NaN becomes 0 with DX10_CLAMP and
 * passes without it. Both apply to e64, SDWA and DPP forms alike: unused fields are 0.
 * Source: RDNA 1 and 2 ISA manuals, "Output modifiers"; Sea Islands manual, section 6.2.
 */
import type { Instruction } from '../isa/instruction.ts';
import { dx10Clamp, ieeeMode } from './operands.ts';
import { MODE, type Wave } from './wave.ts';

const OMOD_EXPONENT = [0, 1, 2, -1] as const;

/** Exponent change that omod asks for under the current mode; 0 when there is none or it is ignored. */
function omodShift(wave: Wave, inst: Instruction, denormalField: number): number {
  if (inst.omod === 0 || ieeeMode(wave)) return 0;
  if ((wave.mode >>> (denormalField + 1)) & 1) return 0;
  return OMOD_EXPONENT[inst.omod]!;
}

/** Scales a float of `exponentBits`/`mantissaBits` (high word only for f64). */
function scaleHigh(bits: number, shift: number, mantissaBits: number, exponentMax: number, signBit: number): number {
  const sign = (bits & signBit) >>> 0;
  const exponent = (bits >>> mantissaBits) & exponentMax;
  if (exponent === exponentMax) return bits;
  const scaled = exponent + shift;
  if (exponent === 0 || scaled <= 0) return 0;
  if (scaled >= exponentMax) return (sign | (exponentMax << mantissaBits)) >>> 0;
  return ((bits & ~(exponentMax << mantissaBits)) | (scaled << mantissaBits)) >>> 0;
}

export function modifyF32(wave: Wave, inst: Instruction, bits: number): number {
  const shift = omodShift(wave, inst, MODE.DENORMALS_F32);
  let value = shift === 0 ? bits : scaleHigh(bits, shift, 23, 0xff, 0x80000000);
  if (inst.clamp) {
    if ((value & 0x7fffffff) > 0x7f800000) value = dx10Clamp(wave) ? 0 : value;
    else if (value >>> 31) value = 0;
    else if (value > 0x3f800000) value = 0x3f800000;
  }
  return value;
}

export function modifyF16(wave: Wave, inst: Instruction, bits: number): number {
  const shift = omodShift(wave, inst, MODE.DENORMALS_F16_F64);
  let value = shift === 0 ? bits : scaleHigh(bits, shift, 10, 0x1f, 0x8000);
  if (inst.clamp) {
    if ((value & 0x7fff) > 0x7c00) value = dx10Clamp(wave) ? 0 : value;
    else if (value & 0x8000) value = 0;
    else if (value > 0x3c00) value = 0x3c00;
  }
  return value;
}

/** Result of the last `modifyF64`: low half, set beside the returned high half. */
export const modifiedLow = { value: 0 };

/** Returns the high half; the low half is in `modifiedLow.value` (two numbers without an allocation). */
export function modifyF64(wave: Wave, inst: Instruction, low: number, high: number): number {
  const shift = omodShift(wave, inst, MODE.DENORMALS_F16_F64);
  let h = high;
  let l = low;
  if (shift !== 0) {
    h = scaleHigh(high, shift, 20, 0x7ff, 0x80000000);
    const exponent = (h >>> 20) & 0x7ff;
    const wasFinite = ((high >>> 20) & 0x7ff) !== 0x7ff;
    if (exponent === 0 || (wasFinite && exponent === 0x7ff)) l = 0;
  }
  if (inst.clamp) {
    const magnitude = h & 0x7fffffff;
    const isNan = magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && l !== 0);
    if (isNan) {
      if (dx10Clamp(wave)) h = l = 0;
    } else if (h >>> 31) h = l = 0;
    else if (h > 0x3ff00000 || (h === 0x3ff00000 && l !== 0)) {
      h = 0x3ff00000;
      l = 0;
    }
  }
  modifiedLow.value = l;
  return h;
}
