/**
 * How handlers read sources and write results: constants, SDWA selects, DPP lane moves, op_sel, input modifiers.
 *
 * A vector source comes back as a `Uint32Array` with one u32 per lane: the register's own view where nothing has to be
 * changed, otherwise a buffer that belongs to the slot and is overwritten by the next instruction. Only lanes of
 * `lanesOf` are meaningful. The type in a function's name says how constants, literals and modifiers are read:
 * b32 raw (inline floats as f32 bits), f32 with abs/neg, b16/f16 in the low half (rest 0), 64-bit as two arrays.
 *
 * Source: RDNA 1 and 2 ISA manuals, "Vector ALU operations", "Data parallel processing", "Sub-dword addressing";
 * Sea Islands ISA manual, chapter 6. Inline floats read by 16-bit integer operations give the low half of the f32 bits.
 */
import { type Encoding, FLAG, type Instruction } from '../isa/instruction.ts';
import { inlineFloatBits, OPERAND } from '../isa/operands.ts';
import { dpp16SourceLanes, dpp16WritesLane, moveDpp8, moveDpp16 } from './dpp.ts';
import { type LaneList, MODE, type Wave } from './wave.ts';

/** How a 32-bit literal or an inline float fills 64 bits. */
export type Type64 = 'b64' | 'i64' | 'f64';

const LOW_BUFFERS = [new Uint32Array(64), new Uint32Array(64), new Uint32Array(64), new Uint32Array(64)] as const;
const HIGH_BUFFERS = [new Uint32Array(64), new Uint32Array(64), new Uint32Array(64), new Uint32Array(64)] as const;
const RESULT = new Uint32Array(64);
const DPP_LANES: LaneList = { count: 0, at: new Uint8Array(64) };

export function sourceCode(inst: Instruction, slot: number): number {
  return slot === 0 ? inst.src0 : slot === 1 ? inst.src1 : slot === 2 ? inst.src2 : inst.src3;
}

// ---------------------------------------------------------------------------------------------------------------
// Scalars

/** 32 bits of a scalar operand; inline floats as f32 (or f16) bits. */
export function scalar32(wave: Wave, inst: Instruction, code: number, half = false): number {
  if (code < 128) return wave.sgprs[code]!;
  if (code <= OPERAND.INT_64) return code - 128;
  if (code <= OPERAND.INT_MINUS_16) return (192 - code) >>> 0;
  if (code >= OPERAND.FLOAT_0_5 && code <= OPERAND.FLOAT_INV_2PI) return inlineFloatBits(code, half ? 'f16' : 'f32');
  switch (code) {
    case OPERAND.LITERAL:
      return inst.literal >>> 0;
    case OPERAND.VCCZ:
      return wave.vccIsZero ? 1 : 0;
    case OPERAND.EXECZ:
      return wave.execIsZero ? 1 : 0;
    case OPERAND.SCC:
      return wave.scc;
    case OPERAND.LDS_DIRECT:
      return wave.group.lds.readDirect(wave.sgprs[OPERAND.M0]!);
    default:
      // Apertures are 64-bit values of which this is the low half; anything else here is no operand and reads as 0.
      return wave.machine.apertures.low32(code);
  }
}

/** Low 32 bits of a 64-bit scalar operand. */
export function scalarLow(wave: Wave, inst: Instruction, code: number, type: Type64): number {
  if (code >= OPERAND.FLOAT_0_5 && code <= OPERAND.FLOAT_INV_2PI) return inlineFloatBits(code, 'f64low');
  if (code === OPERAND.LITERAL && type === 'f64') return 0;
  return scalar32(wave, inst, code);
}

/** High 32 bits of a 64-bit scalar operand. */
export function scalarHigh(wave: Wave, inst: Instruction, code: number, type: Type64): number {
  if (code < 128) return code === OPERAND.NULL ? 0 : wave.sgprs[(code + 1) & 127]!;
  if (code >= OPERAND.INT_MINUS_1 && code <= OPERAND.INT_MINUS_16) return 0xffffffff;
  if (code >= OPERAND.FLOAT_0_5 && code <= OPERAND.FLOAT_INV_2PI) return inlineFloatBits(code, 'f64high');
  if (code === OPERAND.LITERAL) {
    if (type === 'f64') return inst.literal >>> 0;
    return type === 'i64' ? (inst.literal >> 31) >>> 0 : 0;
  }
  return wave.machine.apertures.high32(code);
}

/** Bits of lanes 0…31 of a wave mask held in a scalar operand (VCC, an SGPR or pair, EXEC, a constant). */
export function maskLow(wave: Wave, inst: Instruction, code: number): number {
  return scalarLow(wave, inst, code, 'b64');
}

/** Bits of lanes 32…63 of a wave mask; 0 in wave32, whose masks are one register. */
export function maskHigh(wave: Wave, inst: Instruction, code: number): number {
  return wave.waveSize === 32 ? 0 : scalarHigh(wave, inst, code, 'b64');
}

/** Writes a wave mask: one register in wave32, a pair in wave64. */
export function writeMask(wave: Wave, code: number, low: number, high: number): void {
  if (code === OPERAND.NULL) return;
  wave.sgprs[code] = low;
  if (wave.waveSize === 64) wave.sgprs[(code + 1) & 127] = high;
}

// ---------------------------------------------------------------------------------------------------------------
// Lanes

/** The lanes an instruction writes: EXEC, less the lanes that DPP's masks or bounds switch off. */
export function lanesOf(wave: Wave, inst: Instruction): LaneList {
  const active = wave.lanes();
  if (inst.encoding !== 'dpp16') return active;
  const from = dpp16SourceLanes(inst.dppCtrl);
  let count = 0;
  for (let i = 0; i < active.count; i++) {
    const lane = active.at[i]!;
    if (dpp16WritesLane(wave, inst, lane, from)) DPP_LANES.at[count++] = lane;
  }
  DPP_LANES.count = count;
  return DPP_LANES;
}

// ---------------------------------------------------------------------------------------------------------------
// Vector sources

function isSubDword(encoding: Encoding): boolean {
  return encoding === 'sdwa';
}

function selectSubDword(value: number, select: number, signed: boolean): number {
  if (select < 4) {
    const byte = (value >>> (8 * select)) & 0xff;
    return signed ? ((byte << 24) >> 24) >>> 0 : byte;
  }
  if (select < 6) {
    const word = (value >>> (16 * (select - 4))) & 0xffff;
    return signed ? ((word << 16) >> 16) >>> 0 : word;
  }
  return value;
}

function fetch(wave: Wave, inst: Instruction, slot: number, half: boolean): Uint32Array {
  const code = sourceCode(inst, slot);
  const buffer = LOW_BUFFERS[slot]!;
  let lanes: Uint32Array;
  if (code >= OPERAND.VGPR0) lanes = wave.vgprOf(code);
  else {
    lanes = buffer;
    buffer.fill(scalar32(wave, inst, code, half));
  }
  const encoding = inst.encoding;
  if (encoding === 'plain' || encoding === 'e32' || encoding === 'e64') return lanes;
  if (slot === 0) {
    if (encoding === 'dpp16') return moveDpp16(wave, inst, lanes, buffer);
    if (encoding === 'dpp8') return moveDpp8(wave, inst, lanes, buffer);
  }
  if (isSubDword(encoding) && slot < 2) {
    const select = slot === 0 ? inst.src0Sel : inst.src1Sel;
    if (select < 6) {
      const signed = ((inst.sext >>> slot) & 1) !== 0;
      for (let lane = 0; lane < wave.waveSize; lane++) buffer[lane] = selectSubDword(lanes[lane]!, select, signed);
      return buffer;
    }
  }
  return lanes;
}

/** Raw 32 bits; no float modifiers. */
export function sourceB32(wave: Wave, inst: Instruction, slot: number): Uint32Array {
  return fetch(wave, inst, slot, false);
}

/** f32 bits with abs and neg applied. */
export function sourceF32(wave: Wave, inst: Instruction, slot: number): Uint32Array {
  const lanes = fetch(wave, inst, slot, false);
  return withSign(inst, slot, lanes, LOW_BUFFERS[slot]!, 0x80000000, wave.waveSize);
}

/** 16 raw bits in the low half, high half 0; op_sel and SDWA choose the half. Sign extension is the handler's. */
export function sourceB16(wave: Wave, inst: Instruction, slot: number): Uint32Array {
  return narrow(wave, inst, slot, fetch(wave, inst, slot, false));
}

/** f16 bits in the low half, high half 0, with abs and neg applied. */
export function sourceF16(wave: Wave, inst: Instruction, slot: number): Uint32Array {
  const lanes = narrow(wave, inst, slot, fetch(wave, inst, slot, true));
  return withSign(inst, slot, lanes, LOW_BUFFERS[slot]!, 0x8000, wave.waveSize);
}

/** Both halves of a packed source before op_sel: inline floats are f16 in the low half for `f16`, f32 bits for `i16`. */
export function sourcePacked(wave: Wave, inst: Instruction, slot: number, type: 'f16' | 'i16'): Uint32Array {
  return fetch(wave, inst, slot, type === 'f16');
}

function narrow(wave: Wave, inst: Instruction, slot: number, lanes: Uint32Array): Uint32Array {
  const buffer = LOW_BUFFERS[slot]!;
  const shift = inst.encoding === 'e64' && ((inst.opSel >>> slot) & 1) !== 0 ? 16 : 0;
  for (let lane = 0; lane < wave.waveSize; lane++) buffer[lane] = (lanes[lane]! >>> shift) & 0xffff;
  return buffer;
}

function withSign(
  inst: Instruction,
  slot: number,
  lanes: Uint32Array,
  buffer: Uint32Array,
  signBit: number,
  waveSize: number,
): Uint32Array {
  const clear = (inst.abs >>> slot) & 1 ? signBit : 0;
  const flip = (inst.neg >>> slot) & 1 ? signBit : 0;
  if (clear === 0 && flip === 0) return lanes;
  for (let lane = 0; lane < waveSize; lane++) buffer[lane] = (lanes[lane]! & ~clear) ^ flip;
  return buffer;
}

/** Low halves of a 64-bit source. */
export function sourceLow(wave: Wave, inst: Instruction, slot: number, type: Type64): Uint32Array {
  const code = sourceCode(inst, slot);
  if (code >= OPERAND.VGPR0) return wave.vgprOf(code);
  const buffer = LOW_BUFFERS[slot]!;
  return buffer.fill(scalarLow(wave, inst, code, type));
}

/** High halves of a 64-bit source; f64 modifiers applied. */
export function sourceHigh(wave: Wave, inst: Instruction, slot: number, type: Type64): Uint32Array {
  const code = sourceCode(inst, slot);
  const buffer = HIGH_BUFFERS[slot]!;
  const lanes = code >= OPERAND.VGPR0 ? wave.vgprOf(code + 1) : buffer.fill(scalarHigh(wave, inst, code, type));
  return type === 'f64' ? withSign(inst, slot, lanes, buffer, 0x80000000, wave.waveSize) : lanes;
}

// ---------------------------------------------------------------------------------------------------------------
// Results

/** Where a handler puts 32-bit results by lane; `endResult32` with the same array finishes the write. */
export function beginResult(wave: Wave, inst: Instruction): Uint32Array {
  return inst.encoding === 'sdwa' && inst.dstSel < 6 ? RESULT : wave.vgprOf(inst.dst);
}

/** Merges a sub-dword result into its register; nothing to do for a full dword. */
export function endResult32(wave: Wave, inst: Instruction, out: Uint32Array, lanes: LaneList): void {
  if (out !== RESULT) return;
  mergeSubDword(wave, inst, lanes);
}

/** Where a handler puts 16-bit results (low half; the high half is ignored); finished by `endResult16`. */
export function beginResult16(): Uint32Array {
  return RESULT;
}

/**
 * Writes 16-bit results. gfx10 keeps the other half of the destination; op_sel[3] (e64) chooses the half; SDWA has its
 * own rule. gfx7 has no 16-bit instructions.
 */
export function endResult16(wave: Wave, inst: Instruction, lanes: LaneList): void {
  if (inst.encoding === 'sdwa') {
    // A full-dword select writes the zero-extended half.
    if (inst.dstSel === 6) {
      const out = wave.vgprOf(inst.dst);
      for (let i = 0; i < lanes.count; i++) out[lanes.at[i]!] = RESULT[lanes.at[i]!]! & 0xffff;
    } else mergeSubDword(wave, inst, lanes);
    return;
  }
  const out = wave.vgprOf(inst.dst);
  const high = inst.encoding === 'e64' && (inst.opSel & 8) !== 0;
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const value = RESULT[lane]! & 0xffff;
    out[lane] = high ? (out[lane]! & 0xffff) | (value << 16) : (out[lane]! & 0xffff0000) | value;
  }
}

function mergeSubDword(wave: Wave, inst: Instruction, lanes: LaneList): void {
  const out = wave.vgprOf(inst.dst);
  const isByte = inst.dstSel < 4;
  const shift = isByte ? 8 * inst.dstSel : 16 * (inst.dstSel - 4);
  const width = isByte ? 8 : 16;
  const valueMask = isByte ? 0xff : 0xffff;
  const field = (valueMask << shift) >>> 0;
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const value = RESULT[lane]! & valueMask;
    switch (inst.dstUnused) {
      case 1:
        out[lane] = ((value << (32 - width)) >> (32 - width)) << shift;
        break;
      case 2:
        out[lane] = (out[lane]! & ~field) | (value << shift);
        break;
      default:
        out[lane] = value << shift;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Modes

export function dx10Clamp(wave: Wave): boolean {
  return ((wave.mode >>> MODE.DX10_CLAMP) & 1) !== 0;
}

export function ieeeMode(wave: Wave): boolean {
  return ((wave.mode >>> MODE.IEEE) & 1) !== 0;
}

/** Whether a DPP source may be taken from lanes that EXEC switches off. */
export function fetchesInactive(inst: Instruction): boolean {
  return (inst.flags & FLAG.FETCH_INACTIVE) !== 0;
}
