/**
 * The shapes of vector memory instructions, written once: small, half-register and wide loads and stores, atomics.
 *
 * A `LaneAccess` knows where a lane's element lies (LDS, buffer, flat, scratch) and what bounds and faults do there; a
 * shape knows which registers take part. Lanes act in ascending order, and a lane's registers are written after all its
 * reads, so address, data and destination may overlap. d16 loads write one half of the register and keep the other.
 */
import type { Instruction } from '../isa/instruction.ts';
import type { Atomic32, Atomic64 } from './atomic-operations.ts';
import type { Handler } from './handler.ts';
import type { AccessSize } from './lds.ts';
import { sourceCode } from './operands.ts';
import { pair } from './salu-64.ts';
import type { Wave } from './wave.ts';

export interface LaneAccess {
  /** Reads what is common to all lanes. */
  prepare(wave: Wave, inst: Instruction): void;
  /** Chooses the lane for the calls below. */
  at(lane: number): void;
  /** Byte `skip` of the element; 0 when out of range or faulting. */
  load(wave: Wave, lane: number, skip: number, sizeBytes: AccessSize): number;
  store(wave: Wave, lane: number, skip: number, sizeBytes: AccessSize, value: number): void;
  /** Whether an atomic of `sizeBytes` takes place; records a fault where one is due. */
  mayUpdate(wave: Wave, lane: number, sizeBytes: 4 | 8): boolean;
}

export type Extend = (value: number) => number;
export const asIs: Extend = (value) => value;
export const signExtend8: Extend = (value) => (value << 24) >> 24;
export const signExtend16: Extend = (value) => (value << 16) >> 16;

const WORDS = new Uint32Array(4);

export function loadSmall(access: LaneAccess, sizeBytes: AccessSize, extend: Extend): Handler {
  return (wave, inst) => {
    access.prepare(wave, inst);
    const lanes = wave.lanes();
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      access.at(lane);
      out[lane] = extend(access.load(wave, lane, 0, sizeBytes));
    }
  };
}

/** Into bits 15:0 or 31:16. */
export function loadHalf(access: LaneAccess, sizeBytes: AccessSize, extend: Extend, high: boolean): Handler {
  return (wave, inst) => {
    access.prepare(wave, inst);
    const lanes = wave.lanes();
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      access.at(lane);
      const value = extend(access.load(wave, lane, 0, sizeBytes)) & 0xffff;
      out[lane] = high ? (out[lane]! & 0xffff) | (value << 16) : (out[lane]! & 0xffff0000) | value;
    }
  };
}

export function loadWide(access: LaneAccess, count: number): Handler {
  return (wave, inst) => {
    access.prepare(wave, inst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      access.at(lane);
      for (let k = 0; k < count; k++) WORDS[k] = access.load(wave, lane, 4 * k, 4);
      for (let k = 0; k < count; k++) wave.vgprOf(inst.dst + k)[lane] = WORDS[k]!;
    }
  };
}

/** `slot` names the data operand; `shift` 16 stores from the upper half. */
export function storeSmall(access: LaneAccess, slot: number, sizeBytes: AccessSize, shift: 0 | 16 = 0): Handler {
  const mask = sizeBytes === 4 ? 0xffffffff : 2 ** (8 * sizeBytes) - 1;
  return (wave, inst) => {
    access.prepare(wave, inst);
    const lanes = wave.lanes();
    const data = wave.vgprOf(sourceCode(inst, slot));
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      access.at(lane);
      access.store(wave, lane, 0, sizeBytes, ((data[lane]! >>> shift) & mask) >>> 0);
    }
  };
}

export function storeWide(access: LaneAccess, slot: number, count: number): Handler {
  return (wave, inst) => {
    access.prepare(wave, inst);
    const lanes = wave.lanes();
    const data = sourceCode(inst, slot);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      access.at(lane);
      for (let k = 0; k < count; k++) access.store(wave, lane, 4 * k, 4, wave.vgprOf(data + k)[lane]!);
    }
  };
}

/** memory = f(memory, data, extra); `extra` names a second data operand, −1 when there is none. */
export function atomic32(access: LaneAccess, f: Atomic32, slot: number, extra: (inst: Instruction) => number): Handler {
  return (wave, inst) => {
    access.prepare(wave, inst);
    const lanes = wave.lanes();
    const data = wave.vgprOf(sourceCode(inst, slot));
    const extraCode = extra(inst);
    const second = extraCode < 0 ? data : wave.vgprOf(extraCode);
    const out = inst.dst < 0 ? undefined : wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      access.at(lane);
      let old = 0;
      if (access.mayUpdate(wave, lane, 4)) {
        old = access.load(wave, lane, 0, 4);
        access.store(wave, lane, 0, 4, f(old, data[lane]!, second[lane]!) >>> 0);
      }
      if (out) out[lane] = old;
    }
  };
}

export function atomic64(access: LaneAccess, f: Atomic64, slot: number, extra: (inst: Instruction) => number): Handler {
  return (wave, inst) => {
    access.prepare(wave, inst);
    const lanes = wave.lanes();
    const code = sourceCode(inst, slot);
    const low = wave.vgprOf(code);
    const high = wave.vgprOf(code + 1);
    const extraCode = extra(inst);
    const extraLow = extraCode < 0 ? low : wave.vgprOf(extraCode);
    const extraHigh = extraCode < 0 ? high : wave.vgprOf(extraCode + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      access.at(lane);
      let oldLow = 0;
      let oldHigh = 0;
      if (access.mayUpdate(wave, lane, 8)) {
        oldLow = access.load(wave, lane, 0, 4);
        oldHigh = access.load(wave, lane, 4, 4);
        f(oldLow, oldHigh, low[lane]!, high[lane]!, extraLow[lane]!, extraHigh[lane]!);
        const newHigh = pair.high;
        access.store(wave, lane, 0, 4, pair.low);
        access.store(wave, lane, 4, 4, newHigh);
      }
      if (inst.dst < 0) continue;
      wave.vgprOf(inst.dst)[lane] = oldLow;
      wave.vgprOf(inst.dst + 1)[lane] = oldHigh;
    }
  };
}
