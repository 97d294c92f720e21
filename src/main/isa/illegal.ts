/**
 * Why words are no instruction. `decodeInstruction` returns one of these (all ≤ 0) instead of a length, so that illegal
 * words cost nothing; `illegalReason` gives the sentence.
 */
export const ILLEGAL = {
  /** The encoding needs more dwords than there are. */
  CUT: -2,
  OPCODE: -3,
  /** The first bits belong to no encoding family of the generation. */
  FAMILY: -4,
  OPERAND: -5,
  REGISTER_RANGE: -6,
  FORM: -7,
  MODIFIER: -8,
  RESERVED: -9,
  LITERAL: -10,
  SELECT: -11,
  DATA_SHARE: -12,
  CACHE: -13,
  /** Encoding only. */
  IMMEDIATE: -14,
} as const;

const REASONS: Readonly<Record<number, string>> = {
  [ILLEGAL.CUT]: 'the encoding continues past the end of the code',
  [ILLEGAL.OPCODE]: 'no instruction has this opcode number on the target',
  [ILLEGAL.FAMILY]: 'the leading bits belong to no encoding family of the target',
  [ILLEGAL.OPERAND]: 'an operand code is reserved, or not allowed in its place',
  [ILLEGAL.REGISTER_RANGE]: 'a register tuple reaches past the last register',
  [ILLEGAL.FORM]: 'the instruction has no such form (VOP3, SDWA or DPP)',
  [ILLEGAL.MODIFIER]: 'a modifier bit (abs, neg, clamp, omod, sext) is set that the instruction does not take',
  [ILLEGAL.RESERVED]: 'a field that must be zero is not',
  [ILLEGAL.LITERAL]: 'a literal constant is not allowed in this encoding',
  [ILLEGAL.SELECT]: 'an SDWA select has a reserved value',
  [ILLEGAL.DATA_SHARE]: 'the instruction exists only with, or only without, the GDS bit',
  [ILLEGAL.CACHE]: 'a memory modifier (lds, tfe, dlc, d16) is set that the instruction does not take',
  [ILLEGAL.IMMEDIATE]: 'an immediate or offset does not fit its field',
};

export function illegalReason(code: number): string {
  return REASONS[code] ?? 'not an instruction';
}
