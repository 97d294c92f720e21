/**
 * Lane loops that float vector handlers are made of: a function of one lane's bits becomes a handler, with sources,
 * omod, clamp and destination rules of its format.
 *
 * The function gets the control of the format that it works in, chosen once per instruction from MODE. `Accumulate`
 * variants read the destination register as the last operand (v_mac, v_fmac).
 */
import type { Instruction } from '../isa/instruction.ts';
import { controlF16, controlF32, controlF64, type FloatControl } from './float/float-control.ts';
import { OUT64 } from './float/scratch.ts';
import type { Handler } from './handler.ts';
import {
  beginResult,
  beginResult16,
  endResult16,
  endResult32,
  ieeeMode,
  lanesOf,
  sourceF16,
  sourceF32,
  sourceHigh,
  sourceLow,
} from './operands.ts';
import { modifiedLow, modifyF16, modifyF32, modifyF64 } from './output-modifiers.ts';
import type { Wave } from './wave.ts';

export type Choose = (mode: number) => FloatControl;
/** `ieee` is MODE's IEEE bit; only minimum and maximum look at it. */
export type Float1 = (a: number, control: FloatControl) => number;
export type Float2 = (a: number, b: number, control: FloatControl, ieee: boolean) => number;
export type Float3 = (a: number, b: number, c: number, control: FloatControl, ieee: boolean) => number;

/** Whether omod or clamp ask for work after the operation. */
export function isModified(inst: Instruction): boolean {
  return (inst.omod | inst.clamp) !== 0;
}

export function unaryF32(f: Float1, choose: Choose = controlF32): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const control = choose(wave.mode);
    const modified = isModified(inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, control);
      out[lane] = modified ? modifyF32(wave, inst, bits) : bits;
    }
    endResult32(wave, inst, out, lanes);
  };
}

export function binaryF32(f: Float2, choose: Choose = controlF32): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const b = sourceF32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const control = choose(wave.mode);
    const ieee = ieeeMode(wave);
    const modified = isModified(inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, b[lane]!, control, ieee);
      out[lane] = modified ? modifyF32(wave, inst, bits) : bits;
    }
    endResult32(wave, inst, out, lanes);
  };
}

export function ternaryF32(f: Float3, choose: Choose = controlF32): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const b = sourceF32(wave, inst, 1);
    const c = sourceF32(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const control = choose(wave.mode);
    const ieee = ieeeMode(wave);
    const modified = isModified(inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, b[lane]!, c[lane]!, control, ieee);
      out[lane] = modified ? modifyF32(wave, inst, bits) : bits;
    }
    endResult32(wave, inst, out, lanes);
  };
}

/** d = f(src0, src1, d). */
export function accumulateF32(f: Float3, choose: Choose = controlF32): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const b = sourceF32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const control = choose(wave.mode);
    const modified = isModified(inst);
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, b[lane]!, out[lane]!, control, false);
      out[lane] = modified ? modifyF32(wave, inst, bits) : bits;
    }
  };
}

export function unaryF16(f: Float1): Handler {
  return (wave, inst) => {
    const a = sourceF16(wave, inst, 0);
    const lanes = lanesOf(wave, inst);
    const control = controlF16(wave.mode);
    const modified = isModified(inst);
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, control);
      out[lane] = modified ? modifyF16(wave, inst, bits) : bits;
    }
    endResult16(wave, inst, lanes);
  };
}

export function binaryF16(f: Float2): Handler {
  return (wave, inst) => {
    const a = sourceF16(wave, inst, 0);
    const b = sourceF16(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const control = controlF16(wave.mode);
    const ieee = ieeeMode(wave);
    const modified = isModified(inst);
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, b[lane]!, control, ieee);
      out[lane] = modified ? modifyF16(wave, inst, bits) : bits;
    }
    endResult16(wave, inst, lanes);
  };
}

export function ternaryF16(f: Float3): Handler {
  return (wave, inst) => {
    const a = sourceF16(wave, inst, 0);
    const b = sourceF16(wave, inst, 1);
    const c = sourceF16(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const control = controlF16(wave.mode);
    const ieee = ieeeMode(wave);
    const modified = isModified(inst);
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, b[lane]!, c[lane]!, control, ieee);
      out[lane] = modified ? modifyF16(wave, inst, bits) : bits;
    }
    endResult16(wave, inst, lanes);
  };
}

/** d = f(src0, src1, d) on the half of d that is written. */
export function accumulateF16(f: Float3): Handler {
  return (wave, inst) => {
    const a = sourceF16(wave, inst, 0);
    const b = sourceF16(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const control = controlF16(wave.mode);
    const modified = isModified(inst);
    const old = wave.vgprOf(inst.dst);
    const shift = inst.encoding === 'e64' && (inst.opSel & 8) !== 0 ? 16 : 0;
    const out = beginResult16();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const bits = f(a[lane]!, b[lane]!, (old[lane]! >>> shift) & 0xffff, control, false);
      out[lane] = modified ? modifyF16(wave, inst, bits) : bits;
    }
    endResult16(wave, inst, lanes);
  };
}

/** Writes OUT64, modified, to lane `lane` of a register pair. */
export function storeF64(wave: Wave, inst: Instruction, low: Uint32Array, high: Uint32Array, lane: number): void {
  if (isModified(inst)) {
    high[lane] = modifyF64(wave, inst, OUT64[0]!, OUT64[1]!);
    low[lane] = modifiedLow.value;
  } else {
    low[lane] = OUT64[0]!;
    high[lane] = OUT64[1]!;
  }
}

/** Functions that leave an f64 in OUT64. */
export type Double1 = (aLow: number, aHigh: number, control: FloatControl) => void;
export type Double2 = (
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  control: FloatControl,
  ieee: boolean,
) => void;
export type Double3 = (
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
  control: FloatControl,
) => void;

export function unaryF64(f: Double1): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'f64');
    const aHigh = sourceHigh(wave, inst, 0, 'f64');
    const lanes = lanesOf(wave, inst);
    const control = controlF64(wave.mode);
    const low = wave.vgprOf(inst.dst);
    const high = wave.vgprOf(inst.dst + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      f(aLow[lane]!, aHigh[lane]!, control);
      storeF64(wave, inst, low, high, lane);
    }
  };
}

export function binaryF64(f: Double2): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'f64');
    const aHigh = sourceHigh(wave, inst, 0, 'f64');
    const bLow = sourceLow(wave, inst, 1, 'f64');
    const bHigh = sourceHigh(wave, inst, 1, 'f64');
    const lanes = lanesOf(wave, inst);
    const control = controlF64(wave.mode);
    const ieee = ieeeMode(wave);
    const low = wave.vgprOf(inst.dst);
    const high = wave.vgprOf(inst.dst + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      f(aLow[lane]!, aHigh[lane]!, bLow[lane]!, bHigh[lane]!, control, ieee);
      storeF64(wave, inst, low, high, lane);
    }
  };
}

export function ternaryF64(f: Double3): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'f64');
    const aHigh = sourceHigh(wave, inst, 0, 'f64');
    const bLow = sourceLow(wave, inst, 1, 'f64');
    const bHigh = sourceHigh(wave, inst, 1, 'f64');
    const cLow = sourceLow(wave, inst, 2, 'f64');
    const cHigh = sourceHigh(wave, inst, 2, 'f64');
    const lanes = lanesOf(wave, inst);
    const control = controlF64(wave.mode);
    const low = wave.vgprOf(inst.dst);
    const high = wave.vgprOf(inst.dst + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      f(aLow[lane]!, aHigh[lane]!, bLow[lane]!, bHigh[lane]!, cLow[lane]!, cHigh[lane]!, control);
      storeF64(wave, inst, low, high, lane);
    }
  };
}
