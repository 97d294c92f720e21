/**
 * Names of s_sendmsg: messages, and the operations of those that have any.
 * Source: Sea Islands and RDNA ISA manuals, S_SENDMSG; names as in LLVM, per generation.
 */
import type { Target } from '../../base/dispatch.ts';

const COMMON: Readonly<Record<string, number>> = { MSG_INTERRUPT: 1, MSG_GS: 2, MSG_GS_DONE: 3, MSG_SYSMSG: 15 };
const GFX10: Readonly<Record<string, number>> = {
  ...COMMON,
  MSG_SAVEWAVE: 4,
  MSG_STALL_WAVE_GEN: 5,
  MSG_HALT_WAVES: 6,
  MSG_ORDERED_PS_DONE: 7,
  MSG_EARLY_PRIM_DEALLOC: 8,
  MSG_GS_ALLOC_REQ: 9,
  MSG_GET_DOORBELL: 10,
  MSG_GET_DDID: 11,
};

export const MESSAGES: Readonly<Record<Target, Readonly<Record<string, number>>>> = {
  gfx700: COMMON,
  gfx1013: GFX10,
  gfx1030: GFX10,
};

export const GS_OPERATIONS: Readonly<Record<string, number>> = {
  GS_OP_NOP: 0,
  GS_OP_CUT: 1,
  GS_OP_EMIT: 2,
  GS_OP_EMIT_CUT: 3,
};

const SYSTEM_BASE: Readonly<Record<string, number>> = {
  SYSMSG_OP_ECC_ERR_INTERRUPT: 1,
  SYSMSG_OP_REG_RD: 2,
  SYSMSG_OP_TTRACE_PC: 4,
};
export const SYSTEM_OPERATIONS: Readonly<Record<Target, Readonly<Record<string, number>>>> = {
  gfx700: { ...SYSTEM_BASE, SYSMSG_OP_HOST_TRAP_ACK: 3 },
  gfx1013: SYSTEM_BASE,
  gfx1030: SYSTEM_BASE,
};
