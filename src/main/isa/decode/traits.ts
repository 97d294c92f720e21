/**
 * What decoding needs to know about a row on one target, as integers in typed arrays: a few dozen bytes a row, so that the
 * rows of a mixture of instructions stay in the processor's nearest cache. Derived from the row when it is first decoded.
 *
 * `bits` holds yes and no (`TRAIT`) and small masks; `columns` (`COLUMN`) holds, for each slot of an encoding, which table
 * of operand-codes.ts reads its field, so that legality and alignment of an operand are one access.
 */
import type { Format } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import { hidesDestination, type Shape, shapeOf } from '../shape.ts';
import { MNEMONICS } from '../tables/index.ts';
import { OperandCodes } from './operand-codes.ts';

export const TRAIT = {
  /** The row has been derived. */
  READY: 1 << 0,
  HAS_DST: 1 << 1,
  /** The destination is a wave mask: compares. */
  MASK_DST: 1 << 2,
  /** A wave mask in sdst: VOP3B. */
  MASK_SDST: 1 << 3,
  HAS_SRC0: 1 << 4,
  HAS_SRC1: 1 << 5,
  /** Source 1 of the short encodings is a VGPR, as SDWA and DPP need it. */
  VECTOR_SRC1: 1 << 6,
  HAS_SRC2: 1 << 7,
  HAS_SRC3: 1 << 8,
  /** The slot holds a small immediate. */
  IMMEDIATE_SRC0: 1 << 9,
  IMMEDIATE_SRC2: 1 << 10,
  VECTOR_ADDRESS: 1 << 11,
  WRITES_EXEC: 1 << 12,
  NO_SDWA: 1 << 13,
  NO_DPP16: 1 << 14,
  NO_DPP8: 1 << 15,
  CLAMP: 1 << 16,
  OMOD: 1 << 17,
  SDWA_OMOD: 1 << 18,
  OP_SEL: 1 << 19,
  CROSS_LANE: 1 << 20,
  PACKED: 1 << 21,
  INTERPOLATION: 1 << 22,
  /** The immediate must be zero. */
  NO_IMMEDIATE: 1 << 23,
  ATOMIC: 1 << 24,
  CACHE: 1 << 25,
  GDS_ONLY: 1 << 26,
  GDS_NEVER: 1 << 27,
  LDS: 1 << 28,
  D16: 1 << 29,
} as const;

/** Columns of a row. Slots name the place of a table in `OperandCodes.codes`; the others are numbers. */
export const COLUMN = {
  DST: 0,
  SDST: 1,
  SRC0: 2,
  SRC1: 3,
  SRC2: 4,
  /** The same for VOP3, for rows that have a short encoding too. */
  WIDE_DST: 5,
  WIDE_SRC0: 6,
  WIDE_SRC1: 7,
  WIDE_SRC2: 8,
  DST_DWORDS: 9,
  SRC3_DWORDS: 10,
  /** Masks of sources: which exist, which take abs and neg, which of those are integers. */
  SOURCES: 11,
  MODIFIERS: 12,
  INTEGER_MODIFIERS: 13,
} as const;

const COLUMN_BITS = 4;

/** Rows of one target. */
export class Traits {
  /** All ways to read a field; a slot's column plus the field is the place of the operand code. */
  readonly codes: Int16Array;
  /** By place of the row (`at`) plus column. */
  readonly columns: Uint16Array = new Uint16Array(MNEMONICS.length << COLUMN_BITS);
  private readonly bits: Uint32Array = new Uint32Array(MNEMONICS.length);
  private readonly fields: OperandCodes;
  private readonly gfx7: boolean;
  private readonly formats: readonly Format[];
  /** Place of the row that is being derived. */
  private row = 0;

  constructor(gfx7: boolean, formats: readonly Format[]) {
    this.gfx7 = gfx7;
    this.formats = formats;
    this.fields = new OperandCodes(gfx7);
    this.codes = this.fields.codes;
  }

  /** The `TRAIT` bits of a row. Asking for them makes its columns too. */
  of(op: number): number {
    const bits = this.bits[op]!;
    return bits !== 0 ? bits : this.derive(op);
  }

  at(op: number): number {
    return op << COLUMN_BITS;
  }

  private derive(op: number): number {
    const shape = shapeOf(op);
    this.row = this.at(op);
    this.setSlots(shape, this.formats[op]!);
    this.set(COLUMN.DST_DWORDS, shape.dstDwords);
    this.set(COLUMN.SRC3_DWORDS, shape.src3Dwords);
    this.set(COLUMN.SOURCES, shape.sourceMask);
    this.set(COLUMN.MODIFIERS, shape.modifierMask);
    this.set(COLUMN.INTEGER_MODIFIERS, shape.integerModifiers);
    const bits = traitBits(shape, this.gfx7);
    this.bits[op] = bits;
    return bits;
  }

  private set(column: number, value: number): void {
    this.columns[this.row + column] = value;
  }

  private setSlots(shape: Shape, format: Format): void {
    switch (format) {
      case 'SOP1':
      case 'SOP2':
      case 'SOPC':
      case 'SOPK':
        this.setScalar(shape);
        return;
      case 'SMEM':
      case 'SMRD':
        this.setScalarMemory(shape);
        return;
      case 'VOP1':
      case 'VOP2':
      case 'VOPC':
      case 'VOP3':
      case 'VOP3B':
        this.setShort(shape);
        if (!shape.isInterpolation) this.setWide(shape);
        return;
      case 'VOP3P':
        this.setPacked(shape);
        return;
      case 'DS':
        this.setDataShare(shape);
        return;
      case 'FLAT':
      case 'GLOBAL':
      case 'SCRATCH':
        this.set(COLUMN.DST, shape.dstDwords ? this.fields.vector(shape.dstDwords) : this.fields.ignored());
        this.set(COLUMN.SRC1, shape.src1Dwords ? this.fields.vector(shape.src1Dwords) : this.fields.ignored());
        return;
      case 'MUBUF':
      case 'MTBUF':
        this.set(COLUMN.SRC1, this.fields.scalar(4));
        this.set(COLUMN.SRC2, this.fields.scalar(1));
        return;
      case 'MIMG':
        this.set(COLUMN.SRC1, this.fields.scalar(this.gfx7 ? 8 : shape.src1Dwords));
        this.set(COLUMN.SRC2, shape.src2Dwords ? this.fields.scalar(4) : this.fields.reserved());
        return;
      case 'SOPP':
      case 'VINTRP':
      case 'EXP':
        return;
    }
  }

  private setScalar(shape: Shape): void {
    const { fields } = this;
    this.set(COLUMN.DST, shape.dstDwords ? fields.destination(shape.dstDwords) : fields.ignored());
    this.set(COLUMN.SRC0, this.scalarSource(shape.src0.kind, shape.src0Dwords));
    this.set(COLUMN.SRC1, this.scalarSource(shape.src1.kind, shape.src1Dwords));
  }

  private scalarSource(kind: number, dwords: number): number {
    const { fields } = this;
    if (kind === KIND.REGISTER) return fields.scalarRegister(dwords);
    if (kind === KIND.LITERAL) return fields.constant(OPERAND.LITERAL);
    return dwords ? fields.scalar(dwords) : fields.ignored();
  }

  private setScalarMemory(shape: Shape): void {
    const { fields } = this;
    this.set(COLUMN.DST, shape.dstDwords ? fields.scalarData(shape.dstDwords) : fields.ignored());
    this.set(COLUMN.SRC0, shape.src0Dwords ? fields.scalar(shape.src0Dwords) : fields.ignored());
    this.set(COLUMN.SRC1, this.gfx7 ? fields.destination(1) : fields.scalarOffset());
    if (shape.src2.kind === KIND.IMMEDIATE) this.set(COLUMN.SRC2, fields.number());
    else this.set(COLUMN.SRC2, shape.src2Dwords ? fields.scalarData(shape.src2Dwords) : fields.ignored());
  }

  /** Masks are pairs on gfx7. On gfx10 the wave size decides, which decode does not know: the number stays as it is. */
  private maskDwords(): number {
    return this.gfx7 ? 2 : 1;
  }

  private vectorDestination(shape: Shape): number {
    switch (shape.dst.kind) {
      case KIND.NONE:
        return this.fields.ignored();
      case KIND.SCALAR_DST:
        return this.fields.destination(shape.dstDwords);
      case KIND.MASK:
        return this.fields.destination(this.maskDwords());
      default:
        return this.fields.vector(shape.dstDwords);
    }
  }

  private source(shape: Shape, kind: number, dwords: number, slot: number): number {
    // v_writelane, not the lane selects of v_permlane.
    const isWrittenToLane = slot === 0 && shape.dst.kind === KIND.VGPR;
    switch (kind) {
      case KIND.VGPR:
        return this.fields.onlyVector(dwords, shape.dst.kind === KIND.SCALAR_DST);
      case KIND.SCALAR:
        return isWrittenToLane ? this.fields.scalarOrLds() : this.fields.scalar(dwords);
      case KIND.MASK:
        return this.fields.scalarRegister(this.maskDwords());
      default:
        return this.fields.any(dwords);
    }
  }

  /** VOP1, VOP2, VOPC. Carry-out, carry-in, the mask of v_cndmask and compare results are not in the encoding: VCC. */
  private setShort(shape: Shape): void {
    const { fields } = this;
    const vcc = fields.constant(OPERAND.VCC_LO);
    const literal = fields.constant(OPERAND.LITERAL);
    if (shape.dst.kind !== KIND.MASK) this.set(COLUMN.DST, this.vectorDestination(shape));
    else this.set(COLUMN.DST, hidesDestination(shape, this.gfx7) ? fields.constant(OPERAND.EXEC_LO) : vcc);
    this.set(COLUMN.SDST, shape.sdst.kind === KIND.MASK ? vcc : fields.ignored());
    this.set(COLUMN.SRC0, this.source(shape, shape.src0.kind, shape.src0Dwords, 0));
    const src1IsLiteral = shape.src1.kind === KIND.LITERAL;
    if (src1IsLiteral) this.set(COLUMN.SRC1, literal);
    else if (shape.src1.kind === KIND.NONE) this.set(COLUMN.SRC1, fields.ignored());
    // v_readlane, v_writelane of gfx7: the lane select has no literal.
    else if (shape.src1.kind === KIND.SCALAR) this.set(COLUMN.SRC1, fields.withoutLiteral(fields.scalar(1)));
    else this.set(COLUMN.SRC1, fields.vector(shape.src1Dwords));
    // v_madmk: the second register stands in the field of source 1.
    if (src1IsLiteral) this.set(COLUMN.SRC2, fields.vector(1));
    else if (shape.src2.kind === KIND.LITERAL) this.set(COLUMN.SRC2, literal);
    else this.set(COLUMN.SRC2, shape.src2.kind === KIND.MASK ? vcc : fields.ignored());
  }

  /** VOP3. The second source of the short encodings is a VGPR, here it may be anything. gfx7 has no literals here. */
  private setWide(shape: Shape): void {
    const { fields } = this;
    const src1Kind = shape.src1.kind === KIND.VGPR && shape.isShortVector ? KIND.ANY : shape.src1.kind;
    const dst = hidesDestination(shape, this.gfx7) ? fields.constant(OPERAND.EXEC_LO) : this.vectorDestination(shape);
    this.set(COLUMN.WIDE_DST, dst);
    this.set(COLUMN.WIDE_SRC0, this.wideSource(shape, shape.src0.kind, shape.src0Dwords, 0));
    this.set(COLUMN.WIDE_SRC1, this.wideSource(shape, src1Kind, shape.src1Dwords, 1));
    this.set(COLUMN.WIDE_SRC2, this.wideSource(shape, shape.src2.kind, shape.src2Dwords, 2));
  }

  private wideSource(shape: Shape, kind: number, dwords: number, slot: number): number {
    if (kind === KIND.NONE) return this.fields.reserved();
    const place = this.source(shape, kind, dwords, slot);
    return this.gfx7 ? this.fields.withoutLiteral(place) : place;
  }

  private setPacked(shape: Shape): void {
    const { fields } = this;
    this.set(COLUMN.DST, fields.vector(1));
    this.set(COLUMN.SRC0, fields.any(1));
    this.set(COLUMN.SRC1, fields.any(1));
    this.set(COLUMN.SRC2, shape.src2.kind === KIND.NONE ? fields.reserved() : fields.any(1));
  }

  private setDataShare(shape: Shape): void {
    this.set(COLUMN.DST, this.vectorOrNone(shape.dstDwords));
    this.set(COLUMN.SRC0, this.vectorOrNone(shape.src0Dwords ? 1 : 0));
    this.set(COLUMN.SRC1, this.vectorOrNone(shape.src1Dwords));
    this.set(COLUMN.SRC2, this.vectorOrNone(shape.src2Dwords));
  }

  private vectorOrNone(dwords: number): number {
    return dwords ? this.fields.vector(dwords) : this.fields.reserved();
  }
}

function traitBits(shape: Shape, gfx7: boolean): number {
  const { row } = shape;
  let bits: number = TRAIT.READY;
  if (shape.dst.kind !== KIND.NONE) bits |= TRAIT.HAS_DST;
  if (shape.dst.kind === KIND.MASK) bits |= TRAIT.MASK_DST;
  if (shape.sdst.kind === KIND.MASK) bits |= TRAIT.MASK_SDST;
  if (shape.src0.kind !== KIND.NONE) bits |= TRAIT.HAS_SRC0;
  if (shape.src1.kind !== KIND.NONE) bits |= TRAIT.HAS_SRC1;
  if (shape.src1.kind === KIND.VGPR) bits |= TRAIT.VECTOR_SRC1;
  if (shape.src0.kind === KIND.IMMEDIATE) bits |= TRAIT.IMMEDIATE_SRC0;
  if (shape.src2.kind === KIND.IMMEDIATE) bits |= TRAIT.IMMEDIATE_SRC2;
  if (shape.src2Dwords > 0) bits |= TRAIT.HAS_SRC2;
  if (row.writesExec) bits |= TRAIT.WRITES_EXEC;
  if (shape.noSdwa) bits |= TRAIT.NO_SDWA;
  if (shape.noDpp16) bits |= TRAIT.NO_DPP16;
  if (shape.noDpp8) bits |= TRAIT.NO_DPP8;
  if (gfx7 ? shape.clampAllowedGfx7 : shape.clampAllowed) bits |= TRAIT.CLAMP;
  if (shape.omodAllowed) bits |= TRAIT.OMOD;
  if (shape.sdwaOmodAllowed) bits |= TRAIT.SDWA_OMOD;
  if (shape.opSelAllowed) bits |= TRAIT.OP_SEL;
  if (row.class === 'cross-lane') bits |= TRAIT.CROSS_LANE;
  if (row.class === 'valu-packed') bits |= TRAIT.PACKED;
  if (shape.isInterpolation) bits |= TRAIT.INTERPOLATION;
  if (row.imm === 'none') bits |= TRAIT.NO_IMMEDIATE;
  if (row.memory === 'atomic') bits |= TRAIT.ATOMIC;
  if (row.memory === 'cache') bits |= TRAIT.CACHE;
  if (row.gds === 'only') bits |= TRAIT.GDS_ONLY;
  if (row.gds === 'never') bits |= TRAIT.GDS_NEVER;
  if (row.lds) bits |= TRAIT.LDS;
  if (row.d16) bits |= TRAIT.D16;
  if (shape.src0.kind === KIND.VECTOR_ADDRESS) bits |= TRAIT.VECTOR_ADDRESS;
  if (shape.src3.kind !== KIND.NONE) bits |= TRAIT.HAS_SRC3;
  return bits;
}
