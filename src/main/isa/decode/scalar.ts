/**
 * Decoding of the scalar families: SOP1, SOP2, SOPC, SOPK, SOPP, SMEM (gfx10) and SMRD (gfx7).
 *
 * Each function fills `out` and returns the encoding's length in dwords without the literal, or an `ILLEGAL` number. Slots
 * may hold `ILLEGAL` numbers when it returns; `decodeInstruction` looks at them.
 */
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import { SHAPES } from '../shape.ts';
import { scalarDestination, scalarRegisterSource, scalarSource } from './operand-codes.ts';
import type { OpcodeTables } from './tables.ts';

export function decodeSop1(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sop1[(word >>> 8) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  if (shape.dstDwords) out.dst = scalarDestination((word >>> 16) & 0x7f, shape.dstDwords, tables.gfx7);
  if (shape.src0.kind === KIND.REGISTER) out.src0 = scalarRegisterSource(word & 0xff, shape.src0Dwords, tables.gfx7);
  else if (shape.src0Dwords) out.src0 = scalarSource(word & 0xff, shape.src0Dwords, tables.gfx7);
  return 1;
}

export function decodeSop2(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sop2[(word >>> 23) & 0x7f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  if (shape.dstDwords) out.dst = scalarDestination((word >>> 16) & 0x7f, shape.dstDwords, tables.gfx7);
  out.src0 = scalarSource(word & 0xff, shape.src0Dwords, tables.gfx7);
  out.src1 = scalarSource((word >>> 8) & 0xff, shape.src1Dwords, tables.gfx7);
  return 1;
}

export function decodeSopc(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sopc[(word >>> 16) & 0x7f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  out.src0 = scalarSource(word & 0xff, shape.src0Dwords, tables.gfx7);
  out.src1 = scalarSource((word >>> 8) & 0xff, shape.src1Dwords, tables.gfx7);
  return 1;
}

export function decodeSopk(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sopk[(word >>> 23) & 0x1f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  out.imm = (word << 16) >> 16;
  if (shape.dstDwords) out.dst = scalarDestination((word >>> 16) & 0x7f, shape.dstDwords, tables.gfx7);
  if (shape.src0.kind === KIND.LITERAL) out.src0 = OPERAND.LITERAL;
  return 1;
}

export function decodeSopp(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.sopp[(word >>> 16) & 0x7f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  out.op = op;
  out.imm = word & 0xffff;
  if (out.imm !== 0 && SHAPES[op]!.row.imm === 'none') return ILLEGAL.RESERVED;
  return 1;
}

/** Loaded or stored registers: not M0, not EXEC; NULL (gfx10) swallows any width. */
function dataRegister(code: number, dwords: number, gfx7: boolean): number {
  if (code === OPERAND.NULL && !gfx7) return code;
  return code >= OPERAND.M0 ? ILLEGAL.OPERAND : scalarDestination(code, dwords, gfx7);
}

export function decodeSmem(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const op = tables.smem[(word >>> 18) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  const data = (word >>> 6) & 0x7f;
  if (shape.dstDwords) out.dst = dataRegister(data, shape.dstDwords, false);
  if (!shape.src0Dwords) return 2;
  out.src0 = scalarSource((word & 0x3f) << 1, shape.src0Dwords, false);
  const offsetRegister = next >>> 25;
  if (offsetRegister !== OPERAND.NULL) {
    out.src1 = scalarSource(offsetRegister, 1, false);
    out.flags |= FLAG.SOFFSET_EN;
  }
  out.imm = (next << 11) >> 11;
  out.flags |= FLAG.IMM;
  if (shape.src2.kind === KIND.IMMEDIATE) {
    out.src2 = data;
    return 2;
  }
  if (shape.row.memory === 'cache') return 2;
  if (word & (1 << 16)) out.flags |= FLAG.GLC;
  if (word & (1 << 14)) out.flags |= FLAG.DLC;
  if (shape.src2Dwords) out.src2 = dataRegister(data, shape.src2Dwords, false);
  // An atomic has one data field: it is the source always, and the destination when the old value is asked for.
  if (shape.row.memory === 'atomic' && !(out.flags & FLAG.GLC)) out.dst = OPERAND.NONE;
  return 2;
}

/** Offsets count dwords here; `imm` is in bytes as everywhere. */
export function decodeSmrd(tables: OpcodeTables, word: number, out: Instruction): number {
  const op = tables.smem[(word >>> 22) & 0x1f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = SHAPES[op]!;
  out.op = op;
  if (shape.dstDwords) out.dst = dataRegister((word >>> 15) & 0x7f, shape.dstDwords, true);
  if (!shape.src0Dwords) return 1;
  out.src0 = scalarSource(((word >>> 9) & 0x3f) << 1, shape.src0Dwords, true);
  const offset = word & 0xff;
  if (word & (1 << 8)) {
    out.imm = offset * 4;
    out.flags |= FLAG.IMM;
  } else if (offset === OPERAND.LITERAL) {
    out.src1 = OPERAND.LITERAL;
    out.flags |= FLAG.IMM;
  } else {
    out.src1 = scalarDestination(offset, 1, true);
    out.flags |= FLAG.SOFFSET_EN;
  }
  return 1;
}
