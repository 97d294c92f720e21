/**
 * MUBUF and MTBUF loads and stores, raw and formatted.
 *
 * Raw dwords are range-checked one by one; formatted accesses and atomics are all or nothing. The `lds` form writes the
 * loaded dword to LDS at M0[15:0] + immediate + 4 · lane. With TFE one more register receives 1 for lanes that faulted,
 * otherwise 0. Formatted MUBUF takes format and dst_sel from the descriptor; MTBUF takes the format from the instruction
 * and no dst_sel. d16 forms pack two components per register. Missing components load as 0, 0, 0, 1.
 * Source: Sea Islands and RDNA 1 ISA manuals, "Vector memory buffer instructions".
 */
import { FLAG, type Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import { bufferAccess } from './buffer-access.ts';
import { type BufferFormat, bufferFormat, isIntegerFormat, loadComponent, storeComponent } from './buffer-format.ts';
import { f16ToF32, f32ToF16 } from './float/convert.ts';
import { IEEE_DEFAULT } from './float/float-control.ts';
import type { Handler } from './handler.ts';
import { asIs, type Extend, loadHalf, signExtend8, signExtend16, storeSmall, storeWide } from './lane-access.ts';
import type { AccessSize } from './lds.ts';
import type { Wave } from './wave.ts';

const WORDS = new Uint32Array(4);
const RAW = new Uint32Array(4);

/** TFE: the register after the data tells whether the lane's access failed. */
function writeStatus(wave: Wave, inst: Instruction, lane: number, count: number, faultsBefore: number): void {
  if (inst.flags & FLAG.TFE) wave.vgprOf(inst.dst + count)[lane] = wave.machine.faultCount > faultsBefore ? 1 : 0;
}

/** Where a `lds` load puts the dword of `lane`. */
function ldsAddress(wave: Wave, inst: Instruction, lane: number): number {
  return (wave.sgprs[OPERAND.M0]! & 0xffff) + inst.imm + 4 * lane;
}

function loadSmall(sizeBytes: AccessSize, extend: Extend): Handler {
  return (wave, inst) => {
    bufferAccess.prepare(wave, inst);
    const lanes = wave.lanes();
    const toLds = (inst.flags & FLAG.LDS) !== 0;
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const faults = wave.machine.faultCount;
      bufferAccess.at(lane);
      const value = extend(bufferAccess.load(wave, lane, 0, sizeBytes)) >>> 0;
      if (toLds) {
        const { lds } = wave.group;
        lds.store(ldsAddress(wave, inst, lane), 4, value, lds.sizeBytes);
        continue;
      }
      wave.vgprOf(inst.dst)[lane] = value;
      writeStatus(wave, inst, lane, 1, faults);
    }
  };
}

function loadWide(count: number): Handler {
  return (wave, inst) => {
    bufferAccess.prepare(wave, inst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const faults = wave.machine.faultCount;
      bufferAccess.at(lane);
      for (let k = 0; k < count; k++) WORDS[k] = bufferAccess.load(wave, lane, 4 * k, 4);
      for (let k = 0; k < count; k++) wave.vgprOf(inst.dst + k)[lane] = WORDS[k]!;
      writeStatus(wave, inst, lane, count, faults);
    }
  };
}

// ---------------------------------------------------------------------------------------------------------------
// Formatted accesses

/** x y z w, in order. */
const IDENTITY_SELECT = 4 | (5 << 3) | (6 << 6) | (7 << 9);

function formatOf(wave: Wave, inst: Instruction): BufferFormat | undefined {
  const number = inst.format === 'MTBUF' ? inst.bufferFormat : bufferAccess.descriptor.format;
  return bufferFormat(wave.gfx10, number);
}

function selectOf(inst: Instruction): number {
  return inst.format === 'MTBUF' ? IDENTITY_SELECT : bufferAccess.descriptor.dstSelect;
}

/** Reads the raw fields of the chosen lane's texel into RAW. */
function loadTexel(wave: Wave, lane: number, format: BufferFormat): void {
  const { bits } = format;
  const first = bits[0]!;
  if (first >= 8 && bits.every((b) => b === first)) {
    const size = (first / 8) as AccessSize;
    for (let c = 0; c < bits.length; c++) RAW[c] = wave.machine.load(wave, lane, bufferAccess.address(size * c), size);
    return;
  }
  const word = wave.machine.load(wave, lane, bufferAccess.address(0), 4);
  let shift = 0;
  for (let c = 0; c < bits.length; c++) {
    RAW[c] = (word >>> shift) & (2 ** bits[c]! - 1);
    shift += bits[c]!;
  }
}

function storeTexel(wave: Wave, lane: number, format: BufferFormat): void {
  const { bits } = format;
  const first = bits[0]!;
  if (first >= 8 && bits.every((b) => b === first)) {
    const size = (first / 8) as AccessSize;
    for (let c = 0; c < bits.length; c++) wave.machine.store(wave, lane, bufferAccess.address(size * c), size, RAW[c]!);
    return;
  }
  let word = 0;
  let shift = 0;
  for (let c = 0; c < bits.length; c++) {
    word |= RAW[c]! << shift;
    shift += bits[c]!;
  }
  wave.machine.store(wave, lane, bufferAccess.address(0), 4, word >>> 0);
}

const ONE_F32 = 0x3f800000;

/** Component chosen by a 3-bit select from the texel in RAW. */
function selectComponent(format: BufferFormat | undefined, select: number): number {
  if (select === 1) return format && isIntegerFormat(format) ? 1 : ONE_F32;
  if (select < 4 || !format) return 0;
  const c = select - 4;
  if (c < format.bits.length) return loadComponent(format, RAW[c]!, format.bits[c]!);
  return c === 3 ? (isIntegerFormat(format) ? 1 : ONE_F32) : 0;
}

/** Register value of a component in a d16 form. */
function to16(format: BufferFormat | undefined, value: number): number {
  return format && !isIntegerFormat(format) ? f32ToF16(value, IEEE_DEFAULT, IEEE_DEFAULT) : value & 0xffff;
}

/** Loads `count` components into WORDS; an out-of-range texel reads as zeros before selection. */
function loadFormatted(
  wave: Wave,
  inst: Instruction,
  lane: number,
  format: BufferFormat | undefined,
  count: number,
): void {
  bufferAccess.at(lane);
  const outside = !format || bufferAccess.isOutOfRange(0, format.sizeBytes);
  if (!outside) loadTexel(wave, lane, format);
  const selects = selectOf(inst);
  for (let c = 0; c < count; c++) {
    const select = (selects >>> (3 * c)) & 7;
    WORDS[c] = outside && select >= 4 ? 0 : selectComponent(format, select);
  }
}

function loadFormat(count: number): Handler {
  return (wave, inst) => {
    bufferAccess.prepare(wave, inst);
    const format = formatOf(wave, inst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const faults = wave.machine.faultCount;
      loadFormatted(wave, inst, lane, format, count);
      if (inst.flags & FLAG.LDS) {
        const { lds } = wave.group;
        lds.store(ldsAddress(wave, inst, lane), 4, WORDS[0]!, lds.sizeBytes);
        continue;
      }
      for (let c = 0; c < count; c++) wave.vgprOf(inst.dst + c)[lane] = WORDS[c]!;
      writeStatus(wave, inst, lane, count, faults);
    }
  };
}

/** Two components per register; `hi` loads one component into the upper half and keeps the lower. */
function loadFormat16(count: number, hi = false): Handler {
  return (wave, inst) => {
    bufferAccess.prepare(wave, inst);
    const format = formatOf(wave, inst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      loadFormatted(wave, inst, lane, format, count);
      if (hi) {
        const out = wave.vgprOf(inst.dst);
        out[lane] = (out[lane]! & 0xffff) | (to16(format, WORDS[0]!) << 16);
        continue;
      }
      for (let c = 0; c < count; c += 2) {
        const out = wave.vgprOf(inst.dst + c / 2);
        const low = to16(format, WORDS[c]!);
        // A last single component leaves the upper half alone.
        out[lane] = c + 1 < count ? low | (to16(format, WORDS[c + 1]!) << 16) : (out[lane]! & 0xffff0000) | low;
      }
    }
  };
}

/** Puts `count` register components (WORDS) into the texel through the inverse of dst_sel, and stores it. */
function storeFormatted(
  wave: Wave,
  inst: Instruction,
  lane: number,
  format: BufferFormat | undefined,
  count: number,
): void {
  bufferAccess.at(lane);
  if (!format || bufferAccess.isOutOfRange(0, format.sizeBytes)) return;
  const selects = selectOf(inst);
  for (let c = 0; c < format.bits.length; c++) {
    let from = -1;
    for (let k = 0; k < count && from < 0; k++) if (((selects >>> (3 * k)) & 7) === 4 + c) from = k;
    RAW[c] = from < 0 ? 0 : storeComponent(format, WORDS[from]!, format.bits[c]!);
  }
  storeTexel(wave, lane, format);
}

function storeFormat(count: number): Handler {
  return (wave, inst) => {
    bufferAccess.prepare(wave, inst);
    const format = formatOf(wave, inst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      for (let c = 0; c < count; c++) WORDS[c] = wave.vgprOf(inst.src3 + c)[lane]!;
      storeFormatted(wave, inst, lane, format, count);
    }
  };
}

/** A 16-bit register component as the 32-bit value that stores take. */
function from16(format: BufferFormat | undefined, value: number): number {
  if (format && !isIntegerFormat(format)) return f16ToF32(value, IEEE_DEFAULT);
  return format?.number === 'sint' ? ((value << 16) >> 16) >>> 0 : value;
}

function storeFormat16(count: number, hi = false): Handler {
  return (wave, inst) => {
    bufferAccess.prepare(wave, inst);
    const format = formatOf(wave, inst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      for (let c = 0; c < count; c++) {
        const word = wave.vgprOf(inst.src3 + (c >> 1))[lane]!;
        WORDS[c] = from16(format, hi || c & 1 ? word >>> 16 : word & 0xffff);
      }
      storeFormatted(wave, inst, lane, format, count);
    }
  };
}

const nothing: Handler = () => {};

export const BUFFER_MEMORY = {
  buffer_load_ubyte: loadSmall(1, asIs),
  buffer_load_sbyte: loadSmall(1, signExtend8),
  buffer_load_ushort: loadSmall(2, asIs),
  buffer_load_sshort: loadSmall(2, signExtend16),
  buffer_load_dword: loadSmall(4, asIs),
  buffer_load_dwordx2: loadWide(2),
  buffer_load_dwordx3: loadWide(3),
  buffer_load_dwordx4: loadWide(4),
  buffer_load_ubyte_d16: loadHalf(bufferAccess, 1, asIs, false),
  buffer_load_ubyte_d16_hi: loadHalf(bufferAccess, 1, asIs, true),
  buffer_load_sbyte_d16: loadHalf(bufferAccess, 1, signExtend8, false),
  buffer_load_sbyte_d16_hi: loadHalf(bufferAccess, 1, signExtend8, true),
  buffer_load_short_d16: loadHalf(bufferAccess, 2, asIs, false),
  buffer_load_short_d16_hi: loadHalf(bufferAccess, 2, asIs, true),
  buffer_store_byte: storeSmall(bufferAccess, 3, 1),
  buffer_store_byte_d16_hi: storeSmall(bufferAccess, 3, 1, 16),
  buffer_store_short: storeSmall(bufferAccess, 3, 2),
  buffer_store_short_d16_hi: storeSmall(bufferAccess, 3, 2, 16),
  buffer_store_dword: storeSmall(bufferAccess, 3, 4),
  buffer_store_dwordx2: storeWide(bufferAccess, 3, 2),
  buffer_store_dwordx3: storeWide(bufferAccess, 3, 3),
  buffer_store_dwordx4: storeWide(bufferAccess, 3, 4),
  buffer_load_format_x: loadFormat(1),
  buffer_load_format_xy: loadFormat(2),
  buffer_load_format_xyz: loadFormat(3),
  buffer_load_format_xyzw: loadFormat(4),
  buffer_store_format_x: storeFormat(1),
  buffer_store_format_xy: storeFormat(2),
  buffer_store_format_xyz: storeFormat(3),
  buffer_store_format_xyzw: storeFormat(4),
  buffer_load_format_d16_x: loadFormat16(1),
  buffer_load_format_d16_xy: loadFormat16(2),
  buffer_load_format_d16_xyz: loadFormat16(3),
  buffer_load_format_d16_xyzw: loadFormat16(4),
  buffer_load_format_d16_hi_x: loadFormat16(1, true),
  buffer_store_format_d16_x: storeFormat16(1),
  buffer_store_format_d16_xy: storeFormat16(2),
  buffer_store_format_d16_xyz: storeFormat16(3),
  buffer_store_format_d16_xyzw: storeFormat16(4),
  buffer_store_format_d16_hi_x: storeFormat16(1, true),
  tbuffer_load_format_x: loadFormat(1),
  tbuffer_load_format_xy: loadFormat(2),
  tbuffer_load_format_xyz: loadFormat(3),
  tbuffer_load_format_xyzw: loadFormat(4),
  tbuffer_store_format_x: storeFormat(1),
  tbuffer_store_format_xy: storeFormat(2),
  tbuffer_store_format_xyz: storeFormat(3),
  tbuffer_store_format_xyzw: storeFormat(4),
  tbuffer_load_format_d16_x: loadFormat16(1),
  tbuffer_load_format_d16_xy: loadFormat16(2),
  tbuffer_load_format_d16_xyz: loadFormat16(3),
  tbuffer_load_format_d16_xyzw: loadFormat16(4),
  tbuffer_store_format_d16_x: storeFormat16(1),
  tbuffer_store_format_d16_xy: storeFormat16(2),
  tbuffer_store_format_d16_xyz: storeFormat16(3),
  tbuffer_store_format_d16_xyzw: storeFormat16(4),
  // Caches do not exist here.
  buffer_wbinvl1: nothing,
  buffer_wbinvl1_vol: nothing,
  buffer_gl0_inv: nothing,
  buffer_gl1_inv: nothing,
} satisfies Record<string, Handler>;
