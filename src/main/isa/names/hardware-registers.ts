/**
 * Names of the registers that s_getreg and s_setreg reach, by number. Where a number has two names, the newer one stands
 * last and is the one that is printed. Source: Sea Islands and RDNA ISA manuals, hardware registers; names as in LLVM.
 */
import type { Target } from '../../base/dispatch.ts';

const BASE: Readonly<Record<string, number>> = {
  HW_REG_MODE: 1,
  HW_REG_STATUS: 2,
  HW_REG_TRAPSTS: 3,
  HW_REG_GPR_ALLOC: 5,
  HW_REG_LDS_ALLOC: 6,
  HW_REG_IB_STS: 7,
};
const GFX10: Readonly<Record<string, number>> = {
  ...BASE,
  HW_REG_HW_ID: 23,
  HW_REG_SH_MEM_BASES: 15,
  HW_REG_TBA_LO: 16,
  HW_REG_TBA_HI: 17,
  HW_REG_TMA_LO: 18,
  HW_REG_TMA_HI: 19,
  HW_REG_FLAT_SCR_LO: 20,
  HW_REG_FLAT_SCR_HI: 21,
  HW_REG_HW_ID1: 23,
  HW_REG_HW_ID2: 24,
  HW_REG_POPS_PACKER: 25,
};

export const HARDWARE_REGISTERS: Readonly<Record<Target, Readonly<Record<string, number>>>> = {
  gfx700: { ...BASE, HW_REG_HW_ID: 4 },
  gfx1013: { ...GFX10, HW_REG_XNACK_MASK: 22 },
  gfx1030: { ...GFX10, HW_REG_SHADER_CYCLES: 29 },
};
