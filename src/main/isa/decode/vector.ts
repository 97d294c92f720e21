/**
 * Decoding of the vector ALU families: VOP1, VOP2, VOPC with their SDWA and DPP forms, VOP3, VOP3B, VOP3P, VINTRP.
 *
 * Contract as in scalar.ts: slots are filled, the result is the length without a literal. Bits that an instruction does
 * not use must be zero where llvm-mc insists on it; the few that it ignores are ignored here too (docs/isa-errata.md).
 */
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { OPERAND } from '../operands.ts';
import { misplaced, scalarDestination, scalarSource, vectorRegister } from './operand-codes.ts';
import type { OpcodeTables } from './tables.ts';
import { COLUMN, TRAIT } from './traits.ts';

const SDWA_RESERVED_SELECT = 7;
const SDWA_RESERVED_UNUSED = 3;

/** Source 0 codes that announce SDWA or DPP in the next dword; gfx10 only. */
function isSpecialForm(code: number): boolean {
  return code === OPERAND.SDWA || code === OPERAND.DPP16 || code === OPERAND.DPP8 || code === OPERAND.DPP8_FI;
}

/** VOP1, VOP2 and VOPC once the row is known. The fields that an encoding lacks are 0. */
function decodeShort(
  tables: OpcodeTables,
  op: number,
  dst: number,
  src1: number,
  words: Uint32Array,
  index: number,
  out: Instruction,
): number {
  const { traits } = tables;
  const { codes, columns } = traits;
  const bits = traits.of(op);
  const at = traits.at(op);
  const src0 = words[index]! & 0x1ff;
  out.op = op;
  out.encoding = 'e32';
  out.dst = codes[columns[at + COLUMN.DST]! + dst]!;
  out.sdst = codes[columns[at + COLUMN.SDST]!]!;
  out.src0 = codes[columns[at + COLUMN.SRC0]! + src0]!;
  out.src1 = codes[columns[at + COLUMN.SRC1]! + src1]!;
  out.src2 = codes[columns[at + COLUMN.SRC2]! + src1]!;
  // Only a code that is no operand can be a special form.
  if (out.src0 >= 0 || !isSpecialForm(src0) || tables.gfx7) return 1;
  if (index + 1 >= words.length) return ILLEGAL.CUT;
  const extra = words[index + 1]!;
  if (bits & TRAIT.VECTOR_SRC1) out.src1 = 256 + src1;
  else if (bits & TRAIT.HAS_SRC1) return ILLEGAL.FORM;
  if (src0 === OPERAND.SDWA) {
    return bits & TRAIT.NO_SDWA ? ILLEGAL.FORM : decodeSdwa(tables, op, bits, extra, src1, out);
  }
  if (src0 === OPERAND.DPP16) return bits & TRAIT.NO_DPP16 ? ILLEGAL.FORM : decodeDpp16(tables, op, bits, extra, out);
  return bits & TRAIT.NO_DPP8 ? ILLEGAL.FORM : decodeDpp8(bits, extra, src0, out);
}

export function decodeVop1(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const op = tables.vop1[(word >>> 9) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const field = (word >>> 17) & 0xff;
  if (tables.traits.of(op) & TRAIT.HAS_DST) return decodeShort(tables, op, field, 0, words, index, out);
  out.op = op;
  out.encoding = 'e32';
  return field === 0 ? decodeWithoutOperands(tables, op, words, index, out) : ILLEGAL.RESERVED;
}

/** v_nop has SDWA and DPP forms with empty operand fields; otherwise the source field means nothing. */
function decodeWithoutOperands(
  tables: OpcodeTables,
  op: number,
  words: Uint32Array,
  index: number,
  out: Instruction,
): number {
  const src0 = words[index]! & 0x1ff;
  if (tables.gfx7 || !isSpecialForm(src0) || op !== tables.vNop) return 1;
  if (index + 1 >= words.length) return ILLEGAL.CUT;
  const extra = words[index + 1]!;
  if (src0 === OPERAND.SDWA) {
    if (extra) return 1;
    out.encoding = 'sdwa';
    return 2;
  }
  if (extra & 0xff || (src0 === OPERAND.DPP16 && (extra >>> 20) & 15)) return 1;
  const bits = tables.traits.of(op);
  return src0 === OPERAND.DPP16 ? decodeDpp16(tables, op, bits, extra, out) : decodeDpp8(bits, extra, src0, out);
}

export function decodeVop2(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const op = tables.vop2[word >>> 25]!;
  if (op < 0) return ILLEGAL.OPCODE;
  return decodeShort(tables, op, (word >>> 17) & 0xff, (word >>> 9) & 0xff, words, index, out);
}

export function decodeVopc(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const op = tables.vopc[(word >>> 17) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  return decodeShort(tables, op, 0, (word >>> 9) & 0xff, words, index, out);
}

function sdwaSource(field: number, scalar: boolean): number {
  if (!scalar) return 256 + field;
  // Literals and lds_direct do not exist here.
  if (field === OPERAND.LITERAL) return ILLEGAL.LITERAL;
  return field === OPERAND.LDS_DIRECT ? misplaced(field, 1, false) : scalarSource(field, 1, false);
}

/** abs, neg and sext of one SDWA source. Float sources take abs and neg, integers sext. */
function sdwaModifiers(
  isFloat: number,
  source: number,
  sext: number,
  neg: number,
  abs: number,
  out: Instruction,
): boolean {
  if (isFloat ? sext : neg | abs) return false;
  out.sext |= sext << source;
  out.neg |= neg << source;
  out.abs |= abs << source;
  return true;
}

function decodeSdwa(
  tables: OpcodeTables,
  op: number,
  bits: number,
  extra: number,
  src1: number,
  out: Instruction,
): number {
  const { columns } = tables.traits;
  const at = tables.traits.at(op);
  const floats = columns[at + COLUMN.MODIFIERS]! & ~columns[at + COLUMN.INTEGER_MODIFIERS]!;
  out.encoding = 'sdwa';
  out.src0 = sdwaSource(extra & 0xff, (extra & (1 << 23)) !== 0);
  out.src0Sel = (extra >>> 16) & 7;
  if (out.src0Sel === SDWA_RESERVED_SELECT) return ILLEGAL.SELECT;
  if (!sdwaModifiers(floats & 1, 0, (extra >>> 19) & 1, (extra >>> 20) & 1, (extra >>> 21) & 1, out))
    return ILLEGAL.MODIFIER;
  if (bits & TRAIT.HAS_SRC1) {
    out.src1 = sdwaSource(src1, extra >>> 31 !== 0);
    out.src1Sel = (extra >>> 24) & 7;
    if (out.src1Sel === SDWA_RESERVED_SELECT) return ILLEGAL.SELECT;
    if (!sdwaModifiers(floats & 2, 1, (extra >>> 27) & 1, (extra >>> 28) & 1, (extra >>> 29) & 1, out))
      return ILLEGAL.MODIFIER;
  } else if ((extra >>> 24) & 0xbf) return ILLEGAL.RESERVED;
  if (bits & TRAIT.MASK_DST) {
    if (extra & (1 << 15)) {
      if (bits & TRAIT.WRITES_EXEC) return ILLEGAL.RESERVED;
      out.dst = scalarDestination((extra >>> 8) & 0x7f, 1, false);
    }
    return 2;
  }
  out.dstSel = (extra >>> 8) & 7;
  out.dstUnused = (extra >>> 11) & 3;
  out.clamp = (extra >>> 13) & 1;
  out.omod = (extra >>> 14) & 3;
  if (out.dstSel === SDWA_RESERVED_SELECT || out.dstUnused === SDWA_RESERVED_UNUSED) return ILLEGAL.SELECT;
  if (out.omod && !(bits & TRAIT.SDWA_OMOD)) return ILLEGAL.MODIFIER;
  return 2;
}

function decodeDpp16(tables: OpcodeTables, op: number, bits: number, extra: number, out: Instruction): number {
  const { columns } = tables.traits;
  const at = tables.traits.at(op);
  const takes = columns[at + COLUMN.MODIFIERS]!;
  out.encoding = 'dpp16';
  out.src0 = bits & TRAIT.HAS_SRC0 ? 256 + (extra & 0xff) : OPERAND.NONE;
  out.dppCtrl = (extra >>> 8) & 0x1ff;
  out.rowMask = extra >>> 28;
  out.bankMask = (extra >>> 24) & 15;
  if (extra & (1 << 18)) out.flags |= FLAG.FETCH_INACTIVE;
  if (extra & (1 << 19)) out.flags |= FLAG.BOUND_CTRL;
  out.neg = ((extra >>> 20) & 1) | ((extra >>> 21) & 2);
  out.abs = ((extra >>> 21) & 1) | ((extra >>> 22) & 2);
  // Dot products ignore them on their integer bytes.
  if (bits & TRAIT.PACKED) {
    out.neg &= takes;
    out.abs &= takes;
  }
  if ((out.neg | out.abs) & ~takes) return ILLEGAL.MODIFIER;
  out.abs &= ~columns[at + COLUMN.INTEGER_MODIFIERS]!;
  return 2;
}

function decodeDpp8(bits: number, extra: number, src0: number, out: Instruction): number {
  out.encoding = 'dpp8';
  out.src0 = bits & TRAIT.HAS_SRC0 ? 256 + (extra & 0xff) : OPERAND.NONE;
  out.dppCtrl = extra >>> 8;
  if (src0 === OPERAND.DPP8_FI) out.flags |= FLAG.FETCH_INACTIVE;
  return 2;
}

export function decodeVop3(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const { gfx7, traits } = tables;
  const op = tables.vop3[gfx7 ? (word >>> 17) & 0x1ff : (word >>> 16) & 0x3ff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const { codes, columns } = traits;
  const bits = traits.of(op);
  const at = traits.at(op);
  out.op = op;
  out.encoding = 'e64';
  if (bits & TRAIT.INTERPOLATION) return decodeInterpolation64(tables, op, bits, word, next, out);
  // The bits of op_sel are ignored.
  if (!(bits & TRAIT.HAS_DST)) return (word & (gfx7 ? 0xffff : 0x87ff)) === 0 && next === 0 ? 2 : ILLEGAL.RESERVED;
  out.dst = codes[columns[at + COLUMN.WIDE_DST]! + (word & 0xff)]!;
  out.src0 = codes[columns[at + COLUMN.WIDE_SRC0]! + (next & 0x1ff)]!;
  out.src1 = codes[columns[at + COLUMN.WIDE_SRC1]! + ((next >>> 9) & 0x1ff)]!;
  out.src2 = codes[columns[at + COLUMN.WIDE_SRC2]! + ((next >>> 18) & 0x1ff)]!;
  let abs = 0;
  out.clamp = (word >>> (gfx7 ? 11 : 15)) & 1;
  if (bits & TRAIT.MASK_SDST) {
    out.sdst = scalarDestination((word >>> 8) & 0x7f, gfx7 ? 2 : 1, gfx7);
    if (gfx7) out.clamp = 0;
  } else {
    abs = (word >>> 8) & 7;
    if (bits & TRAIT.OP_SEL && !gfx7) out.opSel = (word >>> 11) & 15;
  }
  if (out.clamp && !(bits & TRAIT.CLAMP)) return ILLEGAL.MODIFIER;
  out.omod = (next >>> 27) & 3;
  if (out.omod && !(bits & TRAIT.OMOD)) return ILLEGAL.MODIFIER;
  const neg = next >>> 29;
  return abs | neg | out.opSel ? vop3Modifiers(columns, at, bits, abs, neg, out) : 2;
}

/** abs and neg of VOP3. op_sel instructions ignore them on integer sources; elsewhere they must be zero. */
function vop3Modifiers(
  columns: Uint16Array,
  at: number,
  bits: number,
  abs: number,
  neg: number,
  out: Instruction,
): number {
  const takes = columns[at + COLUMN.MODIFIERS]!;
  const sources = columns[at + COLUMN.SOURCES]!;
  const ignored = bits & TRAIT.OP_SEL ? sources : 0;
  if ((abs | neg) & ~(takes | ignored)) return ILLEGAL.MODIFIER;
  if (bits & TRAIT.OP_SEL && out.opSel & ~(sources | 8)) return ILLEGAL.MODIFIER;
  out.neg = neg & takes;
  if (bits & TRAIT.CROSS_LANE) out.opSel &= 3;
  // On integer sources neg reads as sign extension and abs as nothing.
  out.abs = abs & takes & ~columns[at + COLUMN.INTEGER_MODIFIERS]!;
  return 2;
}

/** A VGPR in nine bits. */
function onlyVector(code: number): number {
  return code < 256 ? misplaced(code, 1, false) : code;
}

/** Interpolation as VOP3: the attribute stands in the src0 field, the register sources in src1 and src2. */
function decodeInterpolation64(
  tables: OpcodeTables,
  op: number,
  bits: number,
  word: number,
  next: number,
  out: Instruction,
): number {
  out.dst = vectorRegister(word & 0xff, 1);
  out.imm = (next & 0x3f) | (((next >>> 6) & 3) << 8);
  if (next & (1 << 8)) {
    if (tables.formats[op] === 'VINTRP') return ILLEGAL.RESERVED;
    out.flags |= FLAG.HIGH;
  }
  const source = (next >>> 9) & 0x1ff;
  out.src0 = bits & TRAIT.IMMEDIATE_SRC0 ? source : onlyVector(source);
  const src2 = (next >>> 18) & 0x1ff;
  if (bits & TRAIT.HAS_SRC2) out.src2 = onlyVector(src2);
  else if (src2) return ILLEGAL.RESERVED;
  // Hardware source 1 is our source 0, hardware source 2 our source 2; source 0 is the attribute.
  const abs = (word >>> 8) & 7;
  const neg = next >>> 29;
  if ((abs | neg) & 1) return ILLEGAL.MODIFIER;
  out.abs = ((abs >>> 1) & 1) | (abs & 4);
  out.neg = ((neg >>> 1) & 1) | (neg & 4);
  const takes = tables.traits.columns[tables.traits.at(op) + COLUMN.MODIFIERS]!;
  if ((out.abs | out.neg) & ~takes) return ILLEGAL.MODIFIER;
  out.clamp = (word >>> 15) & 1;
  out.omod = (next >>> 27) & 3;
  if (out.omod && !(bits & TRAIT.OMOD)) return ILLEGAL.MODIFIER;
  return 2;
}

export function decodeVop3p(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const op = tables.vop3p[(word >>> 16) & 0x7f]!;
  if (op < 0 || (word >>> 23) & 7) return ILLEGAL.OPCODE;
  const { traits } = tables;
  const { codes, columns } = traits;
  const bits = traits.of(op);
  const at = traits.at(op);
  out.op = op;
  out.encoding = 'e64';
  out.dst = codes[columns[at + COLUMN.DST]! + (word & 0xff)]!;
  out.src0 = codes[columns[at + COLUMN.SRC0]! + (next & 0x1ff)]!;
  out.src1 = codes[columns[at + COLUMN.SRC1]! + ((next >>> 9) & 0x1ff)]!;
  out.src2 = codes[columns[at + COLUMN.SRC2]! + ((next >>> 18) & 0x1ff)]!;
  const takes = columns[at + COLUMN.SOURCES]!;
  out.negHi = (word >>> 8) & 7;
  out.opSel = (word >>> 11) & 7;
  out.clamp = (word >>> 15) & 1;
  out.neg = next >>> 29;
  out.opSelHi = (((next >>> 27) & 3) | (((word >>> 14) & 1) << 2)) & takes;
  if ((out.negHi | out.neg | out.opSel) & ~takes) return ILLEGAL.MODIFIER;
  if (out.clamp && !(bits & TRAIT.CLAMP)) return ILLEGAL.MODIFIER;
  return 2;
}

export function decodeVintrp(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.vintrp[(word >>> 16) & 3]!;
  if (op < 0) return ILLEGAL.OPCODE;
  out.op = op;
  out.dst = 256 + ((word >>> 18) & 0xff);
  out.src0 = tables.traits.of(op) & TRAIT.IMMEDIATE_SRC0 ? word & 0xff : 256 + (word & 0xff);
  out.imm = ((word >>> 10) & 0x3f) | (((word >>> 8) & 3) << 8);
  return 1;
}
