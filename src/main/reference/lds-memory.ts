/**
 * DS loads and stores of LDS and GDS.
 *
 * Offsets: one of 16 bits in bytes, or two of 8 bits in elements (st64: in 64 elements). Wide accesses are checked per
 * dword. d16 loads write one half of the register and keep the other; `_hi` forms use the upper half. Lanes act in
 * ascending order: of several lanes that store to one address the highest wins.
 * Source: Sea Islands and RDNA 1 ISA manuals, "DS instructions".
 */
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import {
  asIs,
  loadHalf,
  loadSmall,
  loadWide,
  signExtend8,
  signExtend16,
  storeSmall,
  storeWide,
} from './lane-access.ts';
import { type LocalSpace, ldsAccess, loadLocal, localAddress, localSpace, storeLocal } from './lds-access.ts';
import type { Wave } from './wave.ts';

const WORDS = new Uint32Array(4);

function loadWords(space: LocalSpace, at: number, first: number, count: number): void {
  for (let i = 0; i < count; i++) WORDS[first + i] = loadLocal(space, at + 4 * i, 4);
}

function storeWords(wave: Wave, space: LocalSpace, at: number, code: number, lane: number, count: number): void {
  for (let i = 0; i < count; i++) storeLocal(space, at + 4 * i, 4, wave.vgprOf(code + i)[lane]!);
}

function writeWords(wave: Wave, code: number, lane: number, count: number): void {
  for (let i = 0; i < count; i++) wave.vgprOf(code + i)[lane] = WORDS[i]!;
}

/** Byte offsets of the two elements of a `2` form. */
export function firstOffset(inst: Instruction, elementBytes: number): number {
  return (inst.imm & 0xff) * elementBytes;
}

export function secondOffset(inst: Instruction, elementBytes: number): number {
  return ((inst.imm >>> 8) & 0xff) * elementBytes;
}

/** `dwords` per element, `stride` in bytes per offset unit. */
function loadTwo(dwords: 1 | 2, stride: number): Handler {
  return (wave, inst) => {
    const space = localSpace(wave, inst);
    const address = wave.vgprOf(inst.src0);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      loadWords(space, localAddress(space, address[lane]!, firstOffset(inst, stride)), 0, dwords);
      loadWords(space, localAddress(space, address[lane]!, secondOffset(inst, stride)), dwords, dwords);
      writeWords(wave, inst.dst, lane, 2 * dwords);
    }
  };
}

function storeTwo(dwords: 1 | 2, stride: number): Handler {
  return (wave, inst) => {
    const space = localSpace(wave, inst);
    const address = wave.vgprOf(inst.src0);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      storeWords(wave, space, localAddress(space, address[lane]!, firstOffset(inst, stride)), inst.src1, lane, dwords);
      storeWords(wave, space, localAddress(space, address[lane]!, secondOffset(inst, stride)), inst.src2, lane, dwords);
    }
  };
}

/** addtid forms: M0[15:0] + offset + 4 · lane, no address register. */
function threadAddress(wave: Wave, inst: Instruction, space: LocalSpace, lane: number): number {
  return localAddress(space, wave.sgprs[OPERAND.M0]! & 0xffff, inst.imm + 4 * lane);
}

export const LDS_MEMORY = {
  ds_nop: () => {},
  ds_read_b32: loadSmall(ldsAccess, 4, asIs),
  ds_read_u8: loadSmall(ldsAccess, 1, asIs),
  ds_read_i8: loadSmall(ldsAccess, 1, signExtend8),
  ds_read_u16: loadSmall(ldsAccess, 2, asIs),
  ds_read_i16: loadSmall(ldsAccess, 2, signExtend16),
  ds_read_u8_d16: loadHalf(ldsAccess, 1, asIs, false),
  ds_read_u8_d16_hi: loadHalf(ldsAccess, 1, asIs, true),
  ds_read_i8_d16: loadHalf(ldsAccess, 1, signExtend8, false),
  ds_read_i8_d16_hi: loadHalf(ldsAccess, 1, signExtend8, true),
  ds_read_u16_d16: loadHalf(ldsAccess, 2, asIs, false),
  ds_read_u16_d16_hi: loadHalf(ldsAccess, 2, asIs, true),
  ds_read_b64: loadWide(ldsAccess, 2),
  ds_read_b96: loadWide(ldsAccess, 3),
  ds_read_b128: loadWide(ldsAccess, 4),
  ds_read2_b32: loadTwo(1, 4),
  ds_read2st64_b32: loadTwo(1, 256),
  ds_read2_b64: loadTwo(2, 8),
  ds_read2st64_b64: loadTwo(2, 512),
  ds_write_b32: storeSmall(ldsAccess, 1, 4),
  ds_write_b8: storeSmall(ldsAccess, 1, 1),
  ds_write_b16: storeSmall(ldsAccess, 1, 2),
  ds_write_b8_d16_hi: storeSmall(ldsAccess, 1, 1, 16),
  ds_write_b16_d16_hi: storeSmall(ldsAccess, 1, 2, 16),
  ds_write_b64: storeWide(ldsAccess, 1, 2),
  ds_write_b96: storeWide(ldsAccess, 1, 3),
  ds_write_b128: storeWide(ldsAccess, 1, 4),
  ds_write2_b32: storeTwo(1, 4),
  ds_write2st64_b32: storeTwo(1, 256),
  ds_write2_b64: storeTwo(2, 8),
  ds_write2st64_b64: storeTwo(2, 512),
  ds_read_addtid_b32: (wave, inst) => {
    const space = localSpace(wave, inst);
    const out = wave.vgprOf(inst.dst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = loadLocal(space, threadAddress(wave, inst, space, lane), 4);
    }
  },
  ds_write_addtid_b32: (wave, inst) => {
    const space = localSpace(wave, inst);
    const data = wave.vgprOf(inst.src1);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      storeLocal(space, threadAddress(wave, inst, space, lane), 4, data[lane]!);
    }
  },
} satisfies Record<string, Handler>;
