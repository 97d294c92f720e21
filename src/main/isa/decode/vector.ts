/**
 * Decoding of the vector ALU families: VOP1, VOP2, VOPC with their SDWA and DPP forms, VOP3, VOP3B, VOP3P, VINTRP.
 *
 * Contract as in scalar.ts: slots are filled, the result is the length without a literal. Bits that an instruction does
 * not use must be zero where llvm-mc insists on it; the few that it ignores are ignored here too (docs/isa-errata.md).
 */
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import { SHAPES, type Shape } from '../shape.ts';
import { anySource, scalarDestination, scalarRegisterSource, scalarSource, vectorRegister } from './operand-codes.ts';
import type { OpcodeTables } from './tables.ts';

const SDWA_RESERVED_SELECT = 7;
const SDWA_RESERVED_UNUSED = 3;

function isSpecialForm(code: number, gfx7: boolean): boolean {
  return (
    !gfx7 && (code === OPERAND.SDWA || code === OPERAND.DPP16 || code === OPERAND.DPP8 || code === OPERAND.DPP8_FI)
  );
}

/** gfx7's masks are pairs. On gfx10 the wave size decides, which decode does not know: the number stays as it is. */
function maskDwords(gfx7: boolean): number {
  return gfx7 ? 2 : 1;
}

function sourceOfKind(shape: Shape, kind: number, code: number, dwords: number, gfx7: boolean): number {
  switch (kind) {
    case KIND.VGPR:
      if (code < 256) {
        return code === OPERAND.LDS_DIRECT && shape.row.class === 'cross-lane' ? code : ILLEGAL.OPERAND;
      }
      return vectorRegister(code - 256, dwords);
    case KIND.SCALAR:
      return code >= 256 ? ILLEGAL.OPERAND : scalarSource(code, dwords, gfx7);
    case KIND.MASK:
      return code >= 256 ? ILLEGAL.OPERAND : scalarRegisterSource(code, maskDwords(gfx7), gfx7);
    default:
      return anySource(code, dwords, gfx7);
  }
}

function vectorDestination(shape: Shape, field: number, gfx7: boolean): number {
  switch (shape.dst.kind) {
    case KIND.SCALAR_DST:
      return scalarDestination(field, shape.dstDwords, gfx7);
    case KIND.MASK:
      return scalarDestination(field, maskDwords(gfx7), gfx7);
    default:
      return vectorRegister(field, shape.dstDwords);
  }
}

/** Fills what e32, SDWA and DPP leave implicit: carry-out and carry-in, the mask of v_cndmask, compare results. */
function implicitMasks(shape: Shape, gfx7: boolean, out: Instruction): void {
  if (shape.dst.kind === KIND.MASK) {
    out.dst = !gfx7 && shape.row.writesExec ? OPERAND.EXEC_LO : OPERAND.VCC_LO;
  }
  if (shape.sdst.kind === KIND.MASK) out.sdst = OPERAND.VCC_LO;
  if (shape.src2.kind === KIND.MASK) out.src2 = OPERAND.VCC_LO;
}

/** The common end of VOP1, VOP2 and VOPC once the opcode is known. `src1` is an 8-bit field. */
function decodeShort(
  tables: OpcodeTables,
  shape: Shape,
  src0: number,
  src1: number,
  words: Uint32Array,
  index: number,
  out: Instruction,
): number {
  const gfx7 = tables.gfx7;
  out.op = shape.op;
  implicitMasks(shape, gfx7, out);
  if (isSpecialForm(src0, gfx7)) {
    if (index + 1 >= words.length) return ILLEGAL.CUT;
    const extra = words[index + 1]!;
    if (shape.src1.kind === KIND.VGPR) out.src1 = 256 + src1;
    else if (shape.src1.kind !== KIND.NONE) return ILLEGAL.FORM;
    if (src0 === OPERAND.SDWA) return shape.noSdwa ? ILLEGAL.FORM : decodeSdwa(shape, extra, src1, out);
    if (src0 === OPERAND.DPP16) return shape.noDpp16 ? ILLEGAL.FORM : decodeDpp16(shape, extra, out);
    return shape.noDpp8 ? ILLEGAL.FORM : decodeDpp8(shape, extra, src0, out);
  }
  out.encoding = 'e32';
  out.src0 = sourceOfKind(shape, shape.src0.kind, src0, shape.src0Dwords, gfx7);
  switch (shape.src1.kind) {
    case KIND.NONE:
      break;
    case KIND.LITERAL:
      out.src1 = OPERAND.LITERAL;
      out.src2 = 256 + src1;
      break;
    case KIND.SCALAR:
      // v_readlane, v_writelane of gfx7: the lane select has no literal.
      out.src1 = src1 === OPERAND.LITERAL ? ILLEGAL.LITERAL : scalarSource(src1, 1, gfx7);
      break;
    default:
      out.src1 = vectorRegister(src1, shape.src1Dwords);
  }
  if (shape.src2.kind === KIND.LITERAL) out.src2 = OPERAND.LITERAL;
  return 1;
}

export function decodeVop1(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const op = tables.vop1[(word >>> 9) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  const field = (word >>> 17) & 0xff;
  if (shape.dst.kind === KIND.NONE) {
    out.op = op;
    out.encoding = 'e32';
    return field === 0 ? decodeWithoutOperands(shape, tables.gfx7, words, index, out) : ILLEGAL.RESERVED;
  }
  out.dst = vectorDestination(shape, field, tables.gfx7);
  return decodeShort(tables, shape, word & 0x1ff, 0, words, index, out);
}

/** v_nop has SDWA and DPP forms with empty operand fields; otherwise the source field means nothing. */
function decodeWithoutOperands(
  shape: Shape,
  gfx7: boolean,
  words: Uint32Array,
  index: number,
  out: Instruction,
): number {
  const src0 = words[index]! & 0x1ff;
  if (!isSpecialForm(src0, gfx7) || shape.mnemonic !== 'v_nop') return 1;
  if (index + 1 >= words.length) return ILLEGAL.CUT;
  const extra = words[index + 1]!;
  if (src0 === OPERAND.SDWA) {
    if (extra) return 1;
    out.encoding = 'sdwa';
    return 2;
  }
  if (extra & 0xff || (src0 === OPERAND.DPP16 && (extra >>> 20) & 15)) return 1;
  return src0 === OPERAND.DPP16 ? decodeDpp16(shape, extra, out) : decodeDpp8(shape, extra, src0, out);
}

export function decodeVop2(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const op = tables.vop2[word >>> 25]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.dst = vectorDestination(shape, (word >>> 17) & 0xff, tables.gfx7);
  return decodeShort(tables, shape, word & 0x1ff, (word >>> 9) & 0xff, words, index, out);
}

export function decodeVopc(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const op = tables.vopc[(word >>> 17) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  return decodeShort(tables, SHAPES[op]!, word & 0x1ff, (word >>> 9) & 0xff, words, index, out);
}

function sdwaSource(field: number, scalar: boolean): number {
  if (!scalar) return 256 + field;
  // Literals and lds_direct do not exist here.
  return field >= OPERAND.LDS_DIRECT ? ILLEGAL.OPERAND : scalarSource(field, 1, false);
}

/** abs, neg and sext of one SDWA source. Float sources take abs and neg, integers sext. */
function sdwaModifiers(
  shape: Shape,
  source: number,
  sext: number,
  neg: number,
  abs: number,
  out: Instruction,
): boolean {
  const isFloat = ((shape.modifierMask & ~shape.integerModifiers) >>> source) & 1;
  if (isFloat ? sext : neg | abs) return false;
  out.sext |= sext << source;
  out.neg |= neg << source;
  out.abs |= abs << source;
  return true;
}

function decodeSdwa(shape: Shape, extra: number, src1: number, out: Instruction): number {
  out.encoding = 'sdwa';
  out.src0 = sdwaSource(extra & 0xff, (extra & (1 << 23)) !== 0);
  out.src0Sel = (extra >>> 16) & 7;
  if (out.src0Sel === SDWA_RESERVED_SELECT) return ILLEGAL.SELECT;
  if (!sdwaModifiers(shape, 0, (extra >>> 19) & 1, (extra >>> 20) & 1, (extra >>> 21) & 1, out))
    return ILLEGAL.MODIFIER;
  if (shape.src1.kind !== KIND.NONE) {
    out.src1 = sdwaSource(src1, extra >>> 31 !== 0);
    out.src1Sel = (extra >>> 24) & 7;
    if (out.src1Sel === SDWA_RESERVED_SELECT) return ILLEGAL.SELECT;
    if (!sdwaModifiers(shape, 1, (extra >>> 27) & 1, (extra >>> 28) & 1, (extra >>> 29) & 1, out))
      return ILLEGAL.MODIFIER;
  } else if ((extra >>> 24) & 0xbf) return ILLEGAL.RESERVED;
  if (shape.dst.kind === KIND.MASK) {
    if (extra & (1 << 15)) {
      if (shape.row.writesExec) return ILLEGAL.RESERVED;
      out.dst = scalarDestination((extra >>> 8) & 0x7f, 1, false);
    }
    return 2;
  }
  out.dstSel = (extra >>> 8) & 7;
  out.dstUnused = (extra >>> 11) & 3;
  out.clamp = (extra >>> 13) & 1;
  out.omod = (extra >>> 14) & 3;
  if (out.dstSel === SDWA_RESERVED_SELECT || out.dstUnused === SDWA_RESERVED_UNUSED) return ILLEGAL.SELECT;
  if (out.omod && !shape.sdwaOmodAllowed) return ILLEGAL.MODIFIER;
  return 2;
}

function decodeDpp16(shape: Shape, extra: number, out: Instruction): number {
  out.encoding = 'dpp16';
  if (shape.src0.kind !== KIND.NONE) out.src0 = 256 + (extra & 0xff);
  out.dppCtrl = (extra >>> 8) & 0x1ff;
  out.rowMask = extra >>> 28;
  out.bankMask = (extra >>> 24) & 15;
  if (extra & (1 << 18)) out.flags |= FLAG.FETCH_INACTIVE;
  if (extra & (1 << 19)) out.flags |= FLAG.BOUND_CTRL;
  out.neg = ((extra >>> 20) & 1) | ((extra >>> 21) & 2);
  out.abs = ((extra >>> 21) & 1) | ((extra >>> 22) & 2);
  // Dot products ignore them on their integer bytes.
  if (shape.row.class === 'valu-packed') {
    out.neg &= shape.modifierMask;
    out.abs &= shape.modifierMask;
  }
  if ((out.neg | out.abs) & ~shape.modifierMask) return ILLEGAL.MODIFIER;
  out.abs &= ~shape.integerModifiers;
  return 2;
}

function decodeDpp8(shape: Shape, extra: number, src0: number, out: Instruction): number {
  out.encoding = 'dpp8';
  if (shape.src0.kind !== KIND.NONE) out.src0 = 256 + (extra & 0xff);
  out.dppCtrl = extra >>> 8;
  if (src0 === OPERAND.DPP8_FI) out.flags |= FLAG.FETCH_INACTIVE;
  return 2;
}

/** The second source of e32 is a VGPR, in VOP3 it may be anything. */
function wideKind(shape: Shape, kind: number): number {
  return kind === KIND.VGPR && shape.isShortVector ? KIND.ANY : kind;
}

export function decodeVop3(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const gfx7 = tables.gfx7;
  const op = tables.vop3[gfx7 ? (word >>> 17) & 0x1ff : (word >>> 16) & 0x3ff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  out.encoding = 'e64';
  if (shape.row.imm === 'attr') return decodeInterpolation64(shape, word, next, out);
  const hasSdst = shape.sdst.kind === KIND.MASK;
  if (shape.dst.kind === KIND.NONE) {
    return (word & 0xffff) === 0 && next === 0 ? 2 : ILLEGAL.RESERVED;
  }
  if (shape.dst.kind === KIND.MASK && shape.row.writesExec && !gfx7) out.dst = OPERAND.EXEC_LO;
  else out.dst = vectorDestination(shape, word & 0xff, gfx7);
  const src0 = next & 0x1ff;
  const src1 = (next >>> 9) & 0x1ff;
  const src2 = (next >>> 18) & 0x1ff;
  out.src0 = sourceOfKind(shape, shape.src0.kind, src0, shape.src0Dwords, gfx7);
  if (shape.src1.kind !== KIND.NONE)
    out.src1 = sourceOfKind(shape, wideKind(shape, shape.src1.kind), src1, shape.src1Dwords, gfx7);
  else if (src1) return ILLEGAL.RESERVED;
  if (shape.src2.kind !== KIND.NONE) out.src2 = sourceOfKind(shape, shape.src2.kind, src2, shape.src2Dwords, gfx7);
  else if (src2) return ILLEGAL.RESERVED;
  if (gfx7 && (out.src0 === OPERAND.LITERAL || out.src1 === OPERAND.LITERAL || out.src2 === OPERAND.LITERAL)) {
    return ILLEGAL.LITERAL;
  }
  let abs = 0;
  if (hasSdst) out.sdst = scalarDestination((word >>> 8) & 0x7f, maskDwords(gfx7), gfx7);
  else {
    abs = (word >>> 8) & 7;
    if (shape.opSelAllowed && !gfx7) out.opSel = (word >>> 11) & 15;
  }
  if (gfx7) out.clamp = hasSdst ? 0 : (word >>> 11) & 1;
  else out.clamp = (word >>> 15) & 1;
  if (out.clamp && !(gfx7 ? shape.clampAllowedGfx7 : shape.clampAllowed)) return ILLEGAL.MODIFIER;
  out.omod = (next >>> 27) & 3;
  if (out.omod && !shape.omodAllowed) return ILLEGAL.MODIFIER;
  return vop3Modifiers(shape, abs, next >>> 29, out);
}

/** abs and neg of VOP3. op_sel instructions ignore them on integer sources; elsewhere they must be zero. */
function vop3Modifiers(shape: Shape, abs: number, neg: number, out: Instruction): number {
  const takes = shape.modifierMask;
  const ignored = shape.opSelAllowed ? shape.sourceMask : 0;
  if ((abs | neg) & ~(takes | ignored)) return ILLEGAL.MODIFIER;
  if (shape.opSelAllowed && out.opSel & ~(shape.sourceMask | 8)) return ILLEGAL.MODIFIER;
  out.neg = neg & takes;
  if (shape.row.class === 'cross-lane') out.opSel &= 3;
  // On integer sources neg reads as sign extension and abs as nothing.
  out.abs = abs & takes & ~shape.integerModifiers;
  return 2;
}

/** Interpolation as VOP3: the attribute stands in the src0 field, the register sources in src1 and src2. */
function decodeInterpolation64(shape: Shape, word: number, next: number, out: Instruction): number {
  out.dst = vectorRegister(word & 0xff, 1);
  out.imm = (next & 0x3f) | (((next >>> 6) & 3) << 8);
  const high = next & (1 << 8);
  if (high) {
    if (shape.format === 'VINTRP') return ILLEGAL.RESERVED;
    out.flags |= FLAG.HIGH;
  }
  const source = (next >>> 9) & 0x1ff;
  out.src0 = shape.src0.kind === KIND.IMMEDIATE ? source : sourceOfKind(shape, KIND.VGPR, source, 1, false);
  const src2 = (next >>> 18) & 0x1ff;
  if (shape.src2.kind !== KIND.NONE) out.src2 = sourceOfKind(shape, KIND.VGPR, src2, 1, false);
  else if (src2) return ILLEGAL.RESERVED;
  // Hardware source 1 is our source 0, hardware source 2 our source 2; source 0 is the attribute.
  const abs = (word >>> 8) & 7;
  const neg = next >>> 29;
  if ((abs | neg) & 1) return ILLEGAL.MODIFIER;
  const takes = shape.modifierMask;
  out.abs = ((abs >>> 1) & 1) | (abs & 4);
  out.neg = ((neg >>> 1) & 1) | (neg & 4);
  if ((out.abs | out.neg) & ~takes) return ILLEGAL.MODIFIER;
  out.clamp = (word >>> 15) & 1;
  out.omod = (next >>> 27) & 3;
  if (out.omod && !shape.omodAllowed) return ILLEGAL.MODIFIER;
  return 2;
}

export function decodeVop3p(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const op = tables.vop3p[(word >>> 16) & 0x7f]!;
  if (op < 0 || (word >>> 23) & 7) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  out.encoding = 'e64';
  out.dst = vectorRegister(word & 0xff, 1);
  out.src0 = anySource(next & 0x1ff, 1, false);
  out.src1 = anySource((next >>> 9) & 0x1ff, 1, false);
  const src2 = (next >>> 18) & 0x1ff;
  const takes = shape.sourceMask;
  if (shape.src2.kind !== KIND.NONE) out.src2 = anySource(src2, 1, false);
  else if (src2) return ILLEGAL.RESERVED;
  out.negHi = (word >>> 8) & 7;
  out.opSel = (word >>> 11) & 7;
  out.clamp = (word >>> 15) & 1;
  out.neg = next >>> 29;
  out.opSelHi = ((next >>> 27) & 3) | (((word >>> 14) & 1) << 2);
  if ((out.negHi | out.neg | out.opSel) & ~takes) return ILLEGAL.MODIFIER;
  out.opSelHi &= takes;
  if (out.clamp && !shape.clampAllowed) return ILLEGAL.MODIFIER;
  return 2;
}

export function decodeVintrp(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.vintrp[(word >>> 16) & 3]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  out.dst = 256 + ((word >>> 18) & 0xff);
  out.src0 = shape.src0.kind === KIND.IMMEDIATE ? word & 0xff : 256 + (word & 0xff);
  out.imm = ((word >>> 10) & 0x3f) | (((word >>> 8) & 3) << 8);
  return 1;
}
