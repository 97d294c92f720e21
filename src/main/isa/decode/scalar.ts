/**
 * Decoding of the scalar families: SOP1, SOP2, SOPC, SOPK, SOPP, SMEM (gfx10) and SMRD (gfx7).
 *
 * Each function fills `out` and returns the encoding's length in dwords without the literal, or an `ILLEGAL` number. Slots
 * may hold `ILLEGAL` numbers when it returns; `decodeInstruction` looks at them. Operand fields are read through the
 * tables that the row's columns name (traits.ts).
 */
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { OPERAND } from '../operands.ts';
import type { OpcodeTables } from './tables.ts';
import { COLUMN, TRAIT } from './traits.ts';

export function decodeSop1(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sop1[(word >>> 8) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const { traits } = tables;
  const { codes, columns } = traits;
  traits.of(op);
  const at = traits.at(op);
  out.op = op;
  out.dst = codes[columns[at + COLUMN.DST]! + ((word >>> 16) & 0x7f)]!;
  out.src0 = codes[columns[at + COLUMN.SRC0]! + (word & 0xff)]!;
  return 1;
}

/** SOP2; and SOPC, which is the same without destination. */
export function decodeSop2(tables: OpcodeTables, op: number, word: number, out: Instruction): number {
  if (op < 0) return ILLEGAL.OPCODE;
  const { traits } = tables;
  const { codes, columns } = traits;
  traits.of(op);
  const at = traits.at(op);
  out.op = op;
  out.dst = codes[columns[at + COLUMN.DST]! + ((word >>> 16) & 0x7f)]!;
  out.src0 = codes[columns[at + COLUMN.SRC0]! + (word & 0xff)]!;
  out.src1 = codes[columns[at + COLUMN.SRC1]! + ((word >>> 8) & 0xff)]!;
  return 1;
}

export function decodeSopk(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sopk[(word >>> 23) & 0x1f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const { traits } = tables;
  const { codes, columns } = traits;
  traits.of(op);
  const at = traits.at(op);
  out.op = op;
  out.imm = (word << 16) >> 16;
  out.dst = codes[columns[at + COLUMN.DST]! + ((word >>> 16) & 0x7f)]!;
  out.src0 = codes[columns[at + COLUMN.SRC0]!]!;
  return 1;
}

export function decodeSopp(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sopp[(word >>> 16) & 0x7f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  out.op = op;
  out.imm = word & 0xffff;
  return out.imm !== 0 && tables.traits.of(op) & TRAIT.NO_IMMEDIATE ? ILLEGAL.RESERVED : 1;
}

export function decodeSmem(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const op = tables.smem[(word >>> 18) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const { traits } = tables;
  const { codes, columns } = traits;
  const bits = traits.of(op);
  const at = traits.at(op);
  out.op = op;
  const data = (word >>> 6) & 0x7f;
  out.dst = codes[columns[at + COLUMN.DST]! + data]!;
  if (!(bits & TRAIT.HAS_SRC0)) return 2;
  out.src0 = codes[columns[at + COLUMN.SRC0]! + ((word & 0x3f) << 1)]!;
  out.src1 = codes[columns[at + COLUMN.SRC1]! + (next >>> 25)]!;
  out.imm = (next << 11) >> 11;
  out.flags = out.src1 === OPERAND.NONE ? FLAG.IMM : FLAG.IMM | FLAG.SOFFSET_EN;
  if (bits & TRAIT.CACHE && !(bits & TRAIT.IMMEDIATE_SRC2)) return 2;
  out.src2 = codes[columns[at + COLUMN.SRC2]! + data]!;
  if (bits & TRAIT.IMMEDIATE_SRC2) return 2;
  if (word & (1 << 16)) out.flags |= FLAG.GLC;
  if (word & (1 << 14)) out.flags |= FLAG.DLC;
  // An atomic has one data field: it is the source always, and the destination when the old value is asked for.
  if (bits & TRAIT.ATOMIC && !(out.flags & FLAG.GLC)) out.dst = OPERAND.NONE;
  return 2;
}

/** Offsets count dwords here; `imm` is in bytes as everywhere. */
export function decodeSmrd(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.smem[(word >>> 22) & 0x1f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const { traits } = tables;
  const { codes, columns } = traits;
  const bits = traits.of(op);
  const at = traits.at(op);
  out.op = op;
  out.dst = codes[columns[at + COLUMN.DST]! + ((word >>> 15) & 0x7f)]!;
  if (!(bits & TRAIT.HAS_SRC0)) return 1;
  out.src0 = codes[columns[at + COLUMN.SRC0]! + (((word >>> 9) & 0x3f) << 1)]!;
  const offset = word & 0xff;
  if (word & (1 << 8)) {
    out.imm = offset * 4;
    out.flags |= FLAG.IMM;
  } else if (offset === OPERAND.LITERAL) {
    out.src1 = OPERAND.LITERAL;
    out.flags |= FLAG.IMM;
  } else {
    out.src1 = codes[columns[at + COLUMN.SRC1]! + offset]!;
    out.flags |= FLAG.SOFFSET_EN;
  }
  return 1;
}
