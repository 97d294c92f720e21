/**
 * Decoding of DS, MUBUF, MTBUF, the flat family and exports. Contract as in scalar.ts.
 */
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { OPERAND } from '../operands.ts';
import { misplaced, scalarDestination, vectorRegister } from './operand-codes.ts';
import type { OpcodeTables } from './tables.ts';
import { COLUMN, TRAIT } from './traits.ts';

export function decodeDs(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const op = tables.ds[(word >>> 18) & 0xff]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const { traits } = tables;
  const { codes, columns } = traits;
  const bits = traits.of(op);
  const at = traits.at(op);
  const gds = word & (1 << 17);
  if (bits & (gds ? TRAIT.GDS_NEVER : TRAIT.GDS_ONLY)) return ILLEGAL.DATA_SHARE;
  out.op = op;
  out.imm = word & 0xffff;
  if (gds) out.flags = FLAG.GDS;
  out.dst = codes[columns[at + COLUMN.DST]! + (next >>> 24)]!;
  out.src0 = codes[columns[at + COLUMN.SRC0]! + (next & 0xff)]!;
  out.src1 = codes[columns[at + COLUMN.SRC1]! + ((next >>> 8) & 0xff)]!;
  out.src2 = codes[columns[at + COLUMN.SRC2]! + ((next >>> 16) & 0xff)]!;
  return out.imm && bits & TRAIT.NO_IMMEDIATE ? ILLEGAL.RESERVED : 2;
}

function bufferFlags(word: number, next: number): number {
  return (
    (word & (1 << 12) ? FLAG.OFFEN : 0) |
    (word & (1 << 13) ? FLAG.IDXEN : 0) |
    (word & (1 << 14) ? FLAG.GLC : 0) |
    (next & (1 << 22) ? FLAG.SLC : 0) |
    (next & (1 << 23) ? FLAG.TFE : 0)
  );
}

/** Address registers of a buffer instruction by its flags. */
export function bufferAddressDwords(flags: number): number {
  if (flags & FLAG.ADDR64) return 2;
  return (flags & FLAG.OFFEN ? 1 : 0) + (flags & FLAG.IDXEN ? 1 : 0);
}

/** vaddr, srsrc, soffset and data: the same fields in MUBUF and MTBUF. */
function bufferOperands(tables: OpcodeTables, op: number, bits: number, next: number, out: Instruction): void {
  const { codes, columns } = tables.traits;
  const at = tables.traits.at(op);
  const addressDwords = bufferAddressDwords(out.flags);
  if (addressDwords) out.src0 = vectorRegister(next & 0xff, addressDwords);
  out.src1 = codes[columns[at + COLUMN.SRC1]! + (((next >>> 16) & 0x1f) << 2)]!;
  out.src2 = codes[columns[at + COLUMN.SRC2]! + (next >>> 24)]!;
  if (out.flags & FLAG.LDS) return;
  const extra = out.flags & FLAG.TFE ? 1 : 0;
  const data = (next >>> 8) & 0xff;
  const stored = columns[at + COLUMN.SRC3_DWORDS]!;
  const loaded = columns[at + COLUMN.DST_DWORDS]!;
  if (stored) out.src3 = vectorRegister(data, stored + extra);
  if (loaded && (!(bits & TRAIT.ATOMIC) || out.flags & FLAG.GLC)) {
    // A returning atomic writes over its data; cmpswap's pair (value, compare) returns the first half.
    out.dst = vectorRegister(data, loaded + extra);
  }
}

export function decodeMubuf(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const gfx7 = tables.gfx7;
  const opcode = ((word >>> 18) & 0x7f) | (gfx7 ? 0 : ((word >>> 25) & 1) << 7);
  const op = tables.mubuf[opcode]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const bits = tables.traits.of(op);
  out.op = op;
  out.flags = bufferFlags(word, next);
  if (word & (1 << 15)) out.flags |= gfx7 ? FLAG.ADDR64 : FLAG.DLC;
  if (word & (1 << 16)) out.flags |= FLAG.LDS;
  if (bits & TRAIT.CACHE) {
    const set = out.flags & ~FLAG.SLC;
    out.flags = 0;
    return set ? ILLEGAL.RESERVED : 2;
  }
  out.imm = word & 0xfff;
  if (bits & TRAIT.ATOMIC && out.flags & (FLAG.TFE | FLAG.LDS | FLAG.DLC)) return ILLEGAL.CACHE;
  if (out.flags & FLAG.LDS && (!(bits & TRAIT.LDS) || out.flags & FLAG.TFE)) return ILLEGAL.CACHE;
  bufferOperands(tables, op, bits, next, out);
  return 2;
}

export function decodeMtbuf(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const gfx7 = tables.gfx7;
  const opcode = ((word >>> 16) & 7) | (gfx7 ? 0 : ((next >>> 21) & 1) << 3);
  const op = tables.mtbuf[opcode]!;
  if (op < 0) return ILLEGAL.OPCODE;
  out.op = op;
  out.flags = bufferFlags(word, next);
  if (word & (1 << 15)) out.flags |= gfx7 ? FLAG.ADDR64 : FLAG.DLC;
  if (out.flags & FLAG.TFE && !gfx7) return ILLEGAL.CACHE;
  out.imm = word & 0xfff;
  out.bufferFormat = (word >>> 19) & 0x7f;
  bufferOperands(tables, op, tables.traits.of(op), next, out);
  return 2;
}

const SEGMENT_FLAT = 0;
const SEGMENT_SCRATCH = 1;
const SEGMENT_GLOBAL = 2;

export function decodeFlat(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const opcode = (word >>> 18) & 0x7f;
  if (tables.gfx7) return decodeFlatGfx7(tables, opcode, word, next, out);
  const segment = (word >>> 14) & 3;
  if (segment > SEGMENT_GLOBAL) return ILLEGAL.FAMILY;
  const table = segment === SEGMENT_FLAT ? tables.flat : segment === SEGMENT_SCRATCH ? tables.scratch : tables.global;
  const op = table[opcode]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const bits = tables.traits.of(op);
  out.op = op;
  // FLAT offsets are not negative.
  out.imm = segment === SEGMENT_FLAT ? word & 0xfff : (word << 20) >> 20;
  flatFlags(word, out);
  if (word & (1 << 12)) out.flags |= FLAG.DLC;
  if (word & (1 << 13)) {
    if (!(bits & TRAIT.LDS)) return ILLEGAL.CACHE;
    out.flags |= FLAG.LDS;
  }
  if (next & (1 << 23)) return ILLEGAL.RESERVED;
  const saddr = (next >>> 16) & 0x7f;
  if (segment === SEGMENT_FLAT) {
    if (saddr !== OPERAND.NULL) return ILLEGAL.RESERVED;
  } else if (saddr !== OPERAND.NULL) {
    out.src2 = flatScalarAddress(tables, segment, saddr, out);
  }
  flatOperands(tables, op, bits, segment, next, out);
  return 2;
}

function flatScalarAddress(tables: OpcodeTables, segment: number, saddr: number, out: Instruction): number {
  if (segment === SEGMENT_SCRATCH && saddr === OPERAND.EXEC_HI) {
    if (!tables.scratchWithoutAddress && !(out.flags & FLAG.LDS)) return misplaced(saddr, 1, false);
    out.flags |= FLAG.NO_ADDRESS;
    return OPERAND.NONE;
  }
  return scalarDestination(saddr, segment === SEGMENT_GLOBAL ? 2 : 1, false);
}

function flatFlags(word: number, out: Instruction): void {
  if (word & (1 << 16)) out.flags |= FLAG.GLC;
  if (word & (1 << 17)) out.flags |= FLAG.SLC;
}

/** Address and data registers; the address is a pair unless a scalar base (global) or the segment (scratch) shortens it. */
function flatOperands(
  tables: OpcodeTables,
  op: number,
  bits: number,
  segment: number,
  next: number,
  out: Instruction,
): void {
  const { codes, columns } = tables.traits;
  const at = tables.traits.at(op);
  const hasBase = out.src2 !== OPERAND.NONE;
  if (bits & TRAIT.VECTOR_ADDRESS) {
    if (segment === SEGMENT_SCRATCH) {
      if (!hasBase && !(out.flags & FLAG.NO_ADDRESS)) out.src0 = 256 + (next & 0xff);
    } else out.src0 = vectorRegister(next & 0xff, hasBase ? 1 : 2);
  }
  out.src1 = codes[columns[at + COLUMN.SRC1]! + ((next >>> 8) & 0xff)]!;
  if (out.flags & FLAG.LDS || (bits & TRAIT.ATOMIC && !(out.flags & FLAG.GLC))) return;
  out.dst = codes[columns[at + COLUMN.DST]! + (next >>> 24)]!;
}

function decodeFlatGfx7(tables: OpcodeTables, opcode: number, word: number, next: number, out: Instruction): number {
  const op = tables.flat[opcode]!;
  if (op < 0) return ILLEGAL.OPCODE;
  out.op = op;
  flatFlags(word, out);
  if (word & 0xffff) return ILLEGAL.RESERVED;
  if ((next >>> 16) & 0xff) return ILLEGAL.RESERVED;
  flatOperands(tables, op, tables.traits.of(op), SEGMENT_FLAT, next, out);
  return 2;
}

export function decodeExp(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  out.op = tables.exp;
  out.imm = (word >>> 4) & 0x3f;
  const mask = word & 15;
  out.exportMask = mask;
  if (word & (1 << 10)) out.flags |= FLAG.COMPR;
  if (word & (1 << 11)) out.flags |= FLAG.DONE;
  if (word & (1 << 12)) out.flags |= FLAG.VM;
  if (out.flags & FLAG.COMPR) {
    // Two registers, each with a pair of components.
    if (mask & 3) out.src0 = 256 + (next & 0xff);
    if (mask & 12) out.src1 = 256 + ((next >>> 8) & 0xff);
    return 2;
  }
  if (mask & 1) out.src0 = 256 + (next & 0xff);
  if (mask & 2) out.src1 = 256 + ((next >>> 8) & 0xff);
  if (mask & 4) out.src2 = 256 + ((next >>> 16) & 0xff);
  if (mask & 8) out.src3 = 256 + (next >>> 24);
  return 2;
}
