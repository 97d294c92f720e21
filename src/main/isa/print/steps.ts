/**
 * The steps that the text of an instruction is made of. `plan.ts` turns a row in one encoding into a list of them once;
 * `write-steps.ts` walks the list for every instruction.
 *
 * Why: one small loop over numbers stays fast whatever mixture of instructions comes, and is compiled once; a function
 * per family and operand is neither. A step is one integer, `kind | argument << 6`.
 */
export const STEP = {
  END: 0,
  /** Argument: a piece of text. */
  TEXT: 1,

  // Operands in slots, with what separates them from the one before. Argument: an operand table. Empty slot: nothing.
  DST: 2,
  SDST: 3,
  SRC0: 4,
  SRC1: 5,
  SRC2: 6,
  /** Sources with neg, abs and sext; `INTEGER_SOURCE` in the argument: neg reads as sext. */
  MODIFIED0: 7,
  MODIFIED1: 8,
  MODIFIED2: 9,
  /** Sources of v_fma_mix: neg_lo is neg, neg_hi is abs. */
  MIX0: 10,
  MIX1: 11,
  MIX2: 12,
  /** Data of buffers in dst or src3, one register more with tfe. Argument: dwords. */
  LOADED: 13,
  STORED: 14,

  // What else stands among the operands; always something is written.
  /** The literal, always in hexadecimal: v_madmk and its kin. */
  FIXED_LITERAL: 15,
  /** A small immediate in slot src0 (interpolation: which parameter) or src2 (s_atc_probe). */
  PARAMETER: 16,
  PROBE: 17,
  /** The 16-bit immediate of SOPK and SOPP. */
  IMMEDIATE: 18,
  HEX: 19,
  BRANCH: 20,
  WAIT_COUNTERS: 21,
  DEPENDENCY_COUNTERS: 22,
  MESSAGE: 23,
  HARDWARE_REGISTER: 24,
  VERSION: 25,
  ATTRIBUTE: 26,
  /** Argument: an operand table. */
  SCALAR_OFFSET: 27,
  SCALAR_OFFSET_GFX7: 28,
  BUFFER_ADDRESS: 29,
  IMAGE_REGISTERS: 30,
  /** Argument: dwords without a scalar base. */
  FLAT_ADDRESS: 31,
  /** Argument: an operand table. */
  FLAT_BASE: 32,

  // Behind the operands; each puts a blank before what it writes, if it writes anything.
  /** op_sel of VOP3. Argument: number of sources. */
  OP_SEL: 33,
  /** op_sel of lane permutes. */
  LANE_OP_SEL: 34,
  RESULT_MODIFIERS: 35,
  /** op_sel, op_sel_hi, neg_lo, neg_hi, clamp. Argument: number of sources; `MIXED` when it is v_fma_mix. */
  PACKED_MODIFIERS: 36,
  SDWA_RESULT: 37,
  SDWA_SRC0: 38,
  SDWA_SRC1: 39,
  DPP16: 40,
  DPP8: 41,
  HIGH_HALF: 42,
  SCALAR_CACHE: 43,
  SHARE_OFFSET: 44,
  SHARE_OFFSETS: 45,
  SHARE_SWIZZLE: 46,
  GDS: 47,
  BUFFER_FORMAT: 48,
  BUFFER_MODIFIERS: 49,
  IMAGE_MODIFIERS: 50,
  FLAT_MODIFIERS: 51,
  /** The immediate of s_endpgm and its kin, unless it is 0. */
  END_CODE: 52,
  /** A whole export. */
  EXPORT: 53,
} as const;

/** Kinds from here on stand behind the operands. */
export const FIRST_MODIFIER: number = STEP.OP_SEL;

const KIND_BITS = 6;
export const KIND_MASK = (1 << KIND_BITS) - 1;

export function step(kind: number, argument = 0): number {
  return kind | (argument << KIND_BITS);
}

export function stepArgument(value: number): number {
  return value >>> KIND_BITS;
}

/** Added to the operand table of a `MODIFIED` step. */
export const INTEGER_SOURCE = 1 << 20;

export function plainTable(argument: number): number {
  return argument & (INTEGER_SOURCE - 1);
}

/** Added to the number of sources of `PACKED_MODIFIERS`. */
export const MIXED = 1 << 4;
