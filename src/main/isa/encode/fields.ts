/**
 * Small pieces of encoding: operand codes back into fields, with the checks that decode makes by construction.
 */
import { ILLEGAL } from '../illegal.ts';
import type { Instruction } from '../instruction.ts';
import { OPERAND } from '../operands.ts';

/** Where encoded words go: a typed array or a plain one. */
export interface WordSink {
  [index: number]: number;
}

/** A VGPR field, 0 for an empty slot. Negative when the code is no VGPR. */
export function vgprField(code: number): number {
  if (code === OPERAND.NONE) return 0;
  return code >= 256 && code < 512 ? code - 256 : ILLEGAL.OPERAND;
}

/** An SGPR tuple that the encoding counts in fours (descriptors). */
export function quadField(code: number): number {
  if (code === OPERAND.NONE) return 0;
  return code >= 0 && code < 128 && code % 4 === 0 ? code >> 2 : ILLEGAL.OPERAND;
}

/** An 8-bit scalar source field, 0 for an empty slot. */
export function scalarField(code: number): number {
  if (code === OPERAND.NONE) return 0;
  return code >= 0 && code < 256 ? code : ILLEGAL.OPERAND;
}

/** A 7-bit scalar destination field, 0 for an empty slot. */
export function destinationField(code: number): number {
  if (code === OPERAND.NONE) return 0;
  return code >= 0 && code < 128 ? code : ILLEGAL.OPERAND;
}

/** A 9-bit source field, 0 for an empty slot. */
export function sourceField(code: number): number {
  if (code === OPERAND.NONE) return 0;
  return code >= 0 && code < 512 ? code : ILLEGAL.OPERAND;
}

/** Any negative field makes the whole instruction unencodable. */
export function firstFailure(...fields: readonly number[]): number {
  for (const field of fields) if (field < 0) return field;
  return 0;
}

export function usesLiteral(inst: Instruction): boolean {
  return inst.src0 === OPERAND.LITERAL || inst.src1 === OPERAND.LITERAL || inst.src2 === OPERAND.LITERAL;
}
