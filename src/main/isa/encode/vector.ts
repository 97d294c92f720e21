/**
 * Encoding of the vector ALU families: the inverse of decode/vector.ts, for the encoding that `inst.encoding` asks for.
 * Choosing an encoding (e32 where it fits, e64 otherwise) is the assembler's business.
 */
import { isConstantCode } from '../decode/operand-codes.ts';
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import type { Shape } from '../shape.ts';
import { destinationField, firstFailure, sourceField, usesLiteral, vgprField, type WordSink } from './fields.ts';

type ShortFormat = 'VOP1' | 'VOP2' | 'VOPC';

/** The first dword of VOP1, VOP2 and VOPC with the given 9-bit src0 field. */
function shortWord(format: ShortFormat, opcode: number, dst: number, src0: number, src1: number): number {
  switch (format) {
    case 'VOP1':
      return (0x7e000000 | (dst << 17) | (opcode << 9) | src0) >>> 0;
    case 'VOP2':
      return ((opcode << 25) | (dst << 17) | (src1 << 9) | src0) >>> 0;
    case 'VOPC':
      return (0x7c000000 | (opcode << 17) | (src1 << 9) | src0) >>> 0;
  }
}

function vectorOrScalarDst(shape: Shape, code: number): number {
  return shape.dst.kind === KIND.SCALAR_DST ? destinationField(code) : vgprField(code);
}

/** What short encodings leave implicit must be what they imply. */
function impliesMasks(shape: Shape, gfx7: boolean, inst: Instruction, checkDst: boolean): boolean {
  if (shape.sdst.kind === KIND.MASK && inst.sdst !== OPERAND.VCC_LO) return false;
  if (shape.src2.kind === KIND.MASK && inst.src2 !== OPERAND.VCC_LO) return false;
  if (!checkDst || shape.dst.kind !== KIND.MASK) return true;
  return inst.dst === (!gfx7 && shape.row.writesExec ? OPERAND.EXEC_LO : OPERAND.VCC_LO);
}

function hasVop3Modifiers(inst: Instruction): boolean {
  return (inst.abs | inst.neg | inst.sext | inst.clamp | inst.omod | inst.opSel) !== 0;
}

export function encodeE32(
  format: ShortFormat,
  opcode: number,
  shape: Shape,
  gfx7: boolean,
  inst: Instruction,
  out: WordSink,
): number {
  if (hasVop3Modifiers(inst)) return ILLEGAL.MODIFIER;
  if (!impliesMasks(shape, gfx7, inst, true)) return ILLEGAL.OPERAND;
  const dst = shape.dst.kind === KIND.MASK ? 0 : vectorOrScalarDst(shape, inst.dst);
  const src0 = sourceField(inst.src0);
  let src1 = 0;
  if (shape.src1.kind === KIND.LITERAL) {
    if (inst.src1 !== OPERAND.LITERAL) return ILLEGAL.LITERAL;
    src1 = vgprField(inst.src2);
  } else if (shape.src1.kind === KIND.SCALAR) src1 = inst.src1 < 256 ? sourceField(inst.src1) : ILLEGAL.OPERAND;
  else src1 = vgprField(inst.src1);
  if (shape.src2.kind === KIND.LITERAL && inst.src2 !== OPERAND.LITERAL) return ILLEGAL.LITERAL;
  const failure = firstFailure(dst, src0, src1);
  if (failure) return failure;
  out[0] = shortWord(format, opcode, dst, src0, src1);
  return 1;
}

/** An SDWA source: a VGPR, or with the scalar bit an SGPR or inline constant. */
function sdwaField(code: number): number {
  if (code === OPERAND.NONE) return 0;
  if (code >= 256) return code - 256;
  return code >= 0 && code < OPERAND.LDS_DIRECT ? code : ILLEGAL.OPERAND;
}

function modifierBits(inst: Instruction, source: number): number {
  return ((inst.sext >>> source) & 1) | (((inst.neg >>> source) & 1) << 1) | (((inst.abs >>> source) & 1) << 2);
}

export function encodeSdwa(
  format: ShortFormat,
  opcode: number,
  shape: Shape,
  inst: Instruction,
  out: WordSink,
): number {
  if (shape.noSdwa) return ILLEGAL.FORM;
  if (inst.opSel) return ILLEGAL.MODIFIER;
  if (!impliesMasks(shape, false, inst, shape.row.writesExec === true)) return ILLEGAL.OPERAND;
  const src0 = sdwaField(inst.src0);
  const src1 = sdwaField(inst.src1);
  const dst = format === 'VOPC' ? 0 : vgprField(inst.dst);
  const failure = firstFailure(dst, src0, src1);
  if (failure) return failure;
  out[0] = shortWord(format, opcode, dst, OPERAND.SDWA, src1);
  if (shape.src0.kind === KIND.NONE) {
    out[1] = 0;
    return 2;
  }
  let extra = src0 | (inst.src0Sel << 16) | (modifierBits(inst, 0) << 19);
  if (inst.src0 < 256) extra |= 1 << 23;
  if (shape.src1.kind !== KIND.NONE) {
    extra |= (inst.src1Sel << 24) | (modifierBits(inst, 1) << 27);
    if (inst.src1 < 256) extra |= 1 << 31;
  }
  if (format === 'VOPC') {
    if (inst.clamp | inst.omod) return ILLEGAL.MODIFIER;
    if (!shape.row.writesExec && inst.dst !== OPERAND.VCC_LO) {
      const sdst = destinationField(inst.dst);
      if (sdst < 0) return sdst;
      extra |= (1 << 15) | (sdst << 8);
    }
  } else extra |= (inst.dstSel << 8) | (inst.dstUnused << 11) | (inst.clamp << 13) | (inst.omod << 14);
  out[1] = extra >>> 0;
  return 2;
}

export function encodeDpp(format: ShortFormat, opcode: number, shape: Shape, inst: Instruction, out: WordSink): number {
  const isDpp8 = inst.encoding === 'dpp8';
  if (isDpp8 ? shape.noDpp8 : shape.noDpp16) return ILLEGAL.FORM;
  if (inst.clamp | inst.omod | inst.opSel | inst.sext) return ILLEGAL.MODIFIER;
  if (!impliesMasks(shape, false, inst, true)) return ILLEGAL.OPERAND;
  const dst = format === 'VOPC' ? 0 : vgprField(inst.dst);
  const src0 = vgprField(inst.src0);
  const src1 = vgprField(inst.src1);
  const failure = firstFailure(dst, src0, src1);
  if (failure) return failure;
  const fetchInactive = inst.flags & FLAG.FETCH_INACTIVE;
  if (isDpp8) {
    if (inst.abs | inst.neg) return ILLEGAL.MODIFIER;
    out[0] = shortWord(format, opcode, dst, fetchInactive ? OPERAND.DPP8_FI : OPERAND.DPP8, src1);
    out[1] = ((inst.dppCtrl << 8) | src0) >>> 0;
    return 2;
  }
  out[0] = shortWord(format, opcode, dst, OPERAND.DPP16, src1);
  let extra = src0 | (inst.dppCtrl << 8) | (inst.bankMask << 24) | (inst.rowMask << 28);
  if (fetchInactive) extra |= 1 << 18;
  if (inst.flags & FLAG.BOUND_CTRL) extra |= 1 << 19;
  extra |= ((inst.neg & 1) << 20) | ((inst.abs & 1) << 21) | ((inst.neg & 2) << 21) | ((inst.abs & 2) << 22);
  out[1] = extra >>> 0;
  return 2;
}

export function encodeE64(opcode: number, shape: Shape, gfx7: boolean, inst: Instruction, out: WordSink): number {
  if (shape.row.imm === 'attr') return encodeInterpolation64(opcode, shape, inst, out);
  if (inst.sext) return ILLEGAL.MODIFIER;
  if (gfx7 && usesLiteral(inst)) return ILLEGAL.LITERAL;
  const dst =
    shape.dst.kind === KIND.SCALAR_DST || shape.dst.kind === KIND.MASK
      ? destinationField(inst.dst)
      : vgprField(inst.dst);
  const src0 = sourceField(inst.src0);
  const src1 = sourceField(inst.src1);
  const src2 = sourceField(inst.src2);
  const sdst = destinationField(inst.sdst);
  const failure = firstFailure(dst, src0, src1, src2, sdst);
  if (failure) return failure;
  if (shape.src2.kind === KIND.MASK && isConstantCode(inst.src2)) return ILLEGAL.OPERAND;
  if ((inst.abs | inst.neg) & ~shape.modifierMask) return ILLEGAL.MODIFIER;
  const clamps = gfx7 ? shape.clampAllowedGfx7 : shape.clampAllowed;
  if ((inst.clamp && !clamps) || (inst.omod && !shape.omodAllowed)) return ILLEGAL.MODIFIER;
  if (inst.opSel && (gfx7 || !shape.opSelAllowed)) return ILLEGAL.MODIFIER;
  let word = dst;
  if (shape.sdst.kind === KIND.MASK) {
    // VOP3B: the scalar destination stands where abs, op_sel and (on gfx7) clamp would be.
    if (inst.abs || (gfx7 && inst.clamp)) return ILLEGAL.MODIFIER;
    word |= sdst << 8;
  } else word |= inst.abs << 8;
  if (gfx7) word |= 0xd0000000 | (opcode << 17) | (inst.clamp << 11);
  else word |= 0xd4000000 | (opcode << 16) | (inst.clamp << 15) | (inst.opSel << 11);
  out[0] = word >>> 0;
  out[1] = (src0 | (src1 << 9) | (src2 << 18) | (inst.omod << 27) | (inst.neg << 29)) >>> 0;
  return 2;
}

function encodeInterpolation64(opcode: number, shape: Shape, inst: Instruction, out: WordSink): number {
  const dst = vgprField(inst.dst);
  const source = shape.src0.kind === KIND.IMMEDIATE ? inst.src0 : sourceField(inst.src0);
  const src2 = sourceField(inst.src2);
  const failure = firstFailure(dst, source, src2);
  if (failure) return failure;
  if ((inst.abs | inst.neg) & ~shape.modifierMask) return ILLEGAL.MODIFIER;
  if (inst.omod && !shape.omodAllowed) return ILLEGAL.MODIFIER;
  const high = inst.flags & FLAG.HIGH ? 1 << 8 : 0;
  const abs = ((inst.abs & 1) << 1) | (inst.abs & 4);
  const neg = ((inst.neg & 1) << 1) | (inst.neg & 4);
  out[0] = (0xd4000000 | (opcode << 16) | (inst.clamp << 15) | (abs << 8) | dst) >>> 0;
  const attribute = (inst.imm & 63) | (((inst.imm >> 8) & 3) << 6) | high;
  out[1] = (attribute | (source << 9) | (src2 << 18) | (inst.omod << 27) | (neg << 29)) >>> 0;
  return 2;
}

export function encodeVop3p(opcode: number, shape: Shape, inst: Instruction, out: WordSink): number {
  const dst = vgprField(inst.dst);
  const src0 = sourceField(inst.src0);
  const src1 = sourceField(inst.src1);
  const src2 = sourceField(inst.src2);
  const failure = firstFailure(dst, src0, src1, src2);
  if (failure) return failure;
  if ((inst.neg | inst.negHi | inst.opSel | inst.opSelHi) & ~shape.sourceMask) return ILLEGAL.MODIFIER;
  // op_sel_hi of a source that does not exist is written as one.
  const opSelHi = inst.opSelHi | (7 & ~shape.sourceMask);
  out[0] =
    (0xcc000000 |
      (opcode << 16) |
      (inst.clamp << 15) |
      ((opSelHi >> 2) << 14) |
      (inst.opSel << 11) |
      (inst.negHi << 8) |
      dst) >>>
    0;
  out[1] = (src0 | (src1 << 9) | (src2 << 18) | ((opSelHi & 3) << 27) | (inst.neg << 29)) >>> 0;
  return 2;
}

export function encodeVintrp(opcode: number, shape: Shape, inst: Instruction, out: WordSink): number {
  const dst = vgprField(inst.dst);
  const source = shape.src0.kind === KIND.IMMEDIATE ? inst.src0 : vgprField(inst.src0);
  const failure = firstFailure(dst, source);
  if (failure) return failure;
  out[0] =
    (0xc8000000 | (dst << 18) | (opcode << 16) | ((inst.imm & 63) << 10) | (((inst.imm >> 8) & 3) << 8) | source) >>> 0;
  return 1;
}
