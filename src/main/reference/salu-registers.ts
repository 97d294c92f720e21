/**
 * Scalar access to hardware registers (s_getreg, s_setreg) and to SGPRs by computed number (s_movrel).
 *
 * s_getreg/s_setreg: imm[5:0] register, [10:6] first bit, [15:11] width − 1. Registers that describe where a wave runs
 * (HW_ID) read as the first slot of the first unit, so that runs are reproducible. A register that is not modelled stops
 * the wave with a diagnostic instead of reading as zero.
 * Source: RDNA 1 ISA manual, "Hardware registers"; Sea Islands ISA manual, section 3 and "S_GETREG_B32".
 */
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import { scalar32, scalarHigh, scalarLow } from './operands.ts';
import { writePair } from './salu-64.ts';
import type { Wave } from './wave.ts';

const HW_REG = {
  MODE: 1,
  STATUS: 2,
  TRAPSTS: 3,
  HW_ID: 4,
  GPR_ALLOC: 5,
  LDS_ALLOC: 6,
  IB_STS: 7,
  SH_MEM_BASES: 15,
  FLAT_SCR_LO: 20,
  FLAT_SCR_HI: 21,
  XNACK_MASK: 22,
  HW_ID1: 23,
  HW_ID2: 24,
  SHADER_CYCLES: 29,
} as const;

function statusRegister(wave: Wave): number {
  const inGroup = wave.group.waves.length > 1 ? 1 << 11 : 0;
  const execz = wave.execIsZero ? 1 << 9 : 0;
  const vccz = wave.vccIsZero ? 1 << 10 : 0;
  return wave.scc | execz | vccz | inGroup | (1 << 16);
}

/** undefined: not modelled on this generation. */
function readRegister(wave: Wave, id: number): number | undefined {
  switch (id) {
    case HW_REG.MODE:
      return wave.mode;
    case HW_REG.STATUS:
      return statusRegister(wave);
    case HW_REG.TRAPSTS:
      return wave.trapStatus;
    case HW_REG.IB_STS:
      return 0;
    case HW_REG.LDS_ALLOC:
      // LDS_BASE 0; LDS_SIZE in bits 20:12, in units of 128 dwords.
      return Math.ceil(wave.group.lds.sizeBytes / 512) << 12;
    default:
  }
  if (!wave.gfx10) return id === HW_REG.HW_ID ? 0 : undefined;
  switch (id) {
    case HW_REG.SH_MEM_BASES: {
      const { sharedHigh, privateHigh } = wave.machine.apertures;
      return ((sharedHigh & 0xffff0000) | (privateHigh >>> 16)) >>> 0;
    }
    case HW_REG.FLAT_SCR_LO:
      return wave.flatScratchLow;
    case HW_REG.FLAT_SCR_HI:
      return wave.flatScratchHigh;
    case HW_REG.HW_ID1:
    case HW_REG.HW_ID2:
    case HW_REG.XNACK_MASK:
      return 0;
    case HW_REG.SHADER_CYCLES:
      return wave.machine.clock & 0xfffff;
    default:
      return undefined;
  }
}

/** False when the register cannot be written by a shader here. */
function writeRegister(wave: Wave, id: number, value: number): boolean {
  switch (id) {
    case HW_REG.MODE:
      wave.mode = value >>> 0;
      return true;
    case HW_REG.TRAPSTS:
      wave.trapStatus = value >>> 0;
      return true;
    case HW_REG.FLAT_SCR_LO:
      if (!wave.gfx10) return false;
      wave.flatScratchLow = value >>> 0;
      return true;
    case HW_REG.FLAT_SCR_HI:
      if (!wave.gfx10) return false;
      wave.flatScratchHigh = value >>> 0;
      return true;
    default:
      return false;
  }
}

function fieldMask(imm: number): number {
  const width = ((imm >>> 11) & 31) + 1;
  return width === 32 ? 0xffffffff : 2 ** width - 1;
}

function setRegister(wave: Wave, inst: Instruction, value: number): void {
  const id = inst.imm & 63;
  const offset = (inst.imm >>> 6) & 31;
  const mask = fieldMask(inst.imm);
  const old = readRegister(wave, id) ?? 0;
  const merged = (old & ~(mask << offset)) | ((value & mask) << offset);
  if (!writeRegister(wave, id, merged))
    wave.machine.unsupported(wave, inst.mnemonic, `hardware register ${id} cannot be written`);
}

/** The register `code` + `index`; outside the scalar file the first register is used, as the manual says. */
function relativeRegister(code: number, index: number): number {
  const register = code + index;
  return register >= 0 && register < 128 ? register : 0;
}

export const SALU_REGISTERS = {
  s_getreg_b32: (wave, inst) => {
    const id = inst.imm & 63;
    const value = readRegister(wave, id);
    if (value === undefined) {
      wave.machine.unsupported(wave, inst.mnemonic, `hardware register ${id} is not modelled`);
      return;
    }
    wave.setScalar(inst.dst, (value >>> ((inst.imm >>> 6) & 31)) & fieldMask(inst.imm));
  },
  s_setreg_b32: (wave, inst) => setRegister(wave, inst, scalar32(wave, inst, inst.dst)),
  s_setreg_imm32_b32: (wave, inst) => setRegister(wave, inst, inst.literal),

  s_movrels_b32: (wave, inst) =>
    wave.setScalar(inst.dst, scalar32(wave, inst, relativeRegister(inst.src0, wave.sgprs[OPERAND.M0]!))),
  s_movrels_b64: (wave, inst) => {
    const code = relativeRegister(inst.src0, wave.sgprs[OPERAND.M0]!);
    writePair(wave, inst.dst, scalarLow(wave, inst, code, 'b64'), scalarHigh(wave, inst, code, 'b64'));
  },
  s_movreld_b32: (wave, inst) =>
    wave.setScalar(relativeRegister(inst.dst, wave.sgprs[OPERAND.M0]!), scalar32(wave, inst, inst.src0)),
  s_movreld_b64: (wave, inst) => {
    const code = relativeRegister(inst.dst, wave.sgprs[OPERAND.M0]!);
    writePair(wave, code, scalarLow(wave, inst, inst.src0, 'b64'), scalarHigh(wave, inst, inst.src0, 'b64'));
  },
  // Source index in M0[9:0], destination index in M0[25:16].
  s_movrelsd_2_b32: (wave, inst) => {
    const m0 = wave.sgprs[OPERAND.M0]!;
    const value = scalar32(wave, inst, relativeRegister(inst.src0, m0 & 0x3ff));
    wave.setScalar(relativeRegister(inst.dst, (m0 >>> 16) & 0x3ff), value);
  },
} satisfies Record<string, Handler>;
