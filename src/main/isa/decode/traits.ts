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
import { SHAPES, type Shape } from '../shape.ts';
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
  readonly columns: Uint16Array = new Uint16Array(SHAPES.length << COLUMN_BITS);
  private readonly bits: Uint32Array = new Uint32Array(SHAPES.length);
  private readonly fields: OperandCodes;
  private readonly gfx7: boolean;
  private readonly formats: readonly Format[];

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
    const shape = SHAPES[op]!;
    const at = this.at(op);
    const set = (column: number, value: number) => {
      this.columns[at + column] = value;
    };
    this.setSlots(shape, this.formats[op]!, set);
    set(COLUMN.DST_DWORDS, shape.dstDwords);
    set(COLUMN.SRC3_DWORDS, shape.src3Dwords);
    set(COLUMN.SOURCES, shape.sourceMask);
    set(COLUMN.MODIFIERS, shape.modifierMask);
    set(COLUMN.INTEGER_MODIFIERS, shape.integerModifiers);
    const bits = traitBits(shape, this.gfx7);
    this.bits[op] = bits;
    return bits;
  }

  private setSlots(shape: Shape, format: Format, set: (column: number, value: number) => void): void {
    switch (format) {
      case 'SOP1':
      case 'SOP2':
      case 'SOPC':
      case 'SOPK':
        this.setScalar(shape, set);
        return;
      case 'SMEM':
      case 'SMRD':
        this.setScalarMemory(shape, set);
        return;
      case 'VOP1':
      case 'VOP2':
      case 'VOPC':
      case 'VOP3':
      case 'VOP3B':
        this.setShort(shape, set);
        if (!shape.isInterpolation) this.setWide(shape, set);
        return;
      case 'VOP3P':
        this.setPacked(shape, set);
        return;
      case 'DS':
        this.setDataShare(shape, set);
        return;
      case 'FLAT':
      case 'GLOBAL':
      case 'SCRATCH':
        set(COLUMN.DST, shape.dstDwords ? this.fields.vector(shape.dstDwords) : this.fields.ignored());
        set(COLUMN.SRC1, shape.src1Dwords ? this.fields.vector(shape.src1Dwords) : this.fields.ignored());
        return;
      case 'MUBUF':
      case 'MTBUF':
        set(COLUMN.SRC1, this.fields.scalar(4));
        set(COLUMN.SRC2, this.fields.scalar(1));
        return;
      case 'MIMG':
        set(COLUMN.SRC1, this.fields.scalar(this.gfx7 ? 8 : shape.src1Dwords));
        set(COLUMN.SRC2, shape.src2Dwords ? this.fields.scalar(4) : this.fields.reserved());
        return;
      case 'SOPP':
      case 'VINTRP':
      case 'EXP':
        return;
    }
  }

  private setScalar(shape: Shape, set: (column: number, value: number) => void): void {
    const { fields } = this;
    set(COLUMN.DST, shape.dstDwords ? fields.destination(shape.dstDwords) : fields.ignored());
    for (const [column, kind, dwords] of [
      [COLUMN.SRC0, shape.src0.kind, shape.src0Dwords],
      [COLUMN.SRC1, shape.src1.kind, shape.src1Dwords],
    ] as const) {
      if (kind === KIND.REGISTER) set(column, fields.scalarRegister(dwords));
      else if (kind === KIND.LITERAL) set(column, fields.constant(OPERAND.LITERAL));
      else set(column, dwords ? fields.scalar(dwords) : fields.ignored());
    }
  }

  private setScalarMemory(shape: Shape, set: (column: number, value: number) => void): void {
    const { fields } = this;
    set(COLUMN.DST, shape.dstDwords ? fields.scalarData(shape.dstDwords) : fields.ignored());
    set(COLUMN.SRC0, shape.src0Dwords ? fields.scalar(shape.src0Dwords) : fields.ignored());
    set(COLUMN.SRC1, this.gfx7 ? fields.destination(1) : fields.scalarOffset());
    if (shape.src2.kind === KIND.IMMEDIATE) set(COLUMN.SRC2, fields.number());
    else set(COLUMN.SRC2, shape.src2Dwords ? fields.scalarData(shape.src2Dwords) : fields.ignored());
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

  /** What v_cmpx of gfx10 writes instead of VCC. */
  private writesOnlyExec(shape: Shape): boolean {
    return !this.gfx7 && shape.dst.kind === KIND.MASK && shape.row.writesExec === true;
  }

  /** VOP1, VOP2, VOPC. Carry-out, carry-in, the mask of v_cndmask and compare results are not in the encoding: VCC. */
  private setShort(shape: Shape, set: (column: number, value: number) => void): void {
    const { fields } = this;
    const vcc = fields.constant(OPERAND.VCC_LO);
    const literal = fields.constant(OPERAND.LITERAL);
    if (shape.dst.kind !== KIND.MASK) set(COLUMN.DST, this.vectorDestination(shape));
    else set(COLUMN.DST, this.writesOnlyExec(shape) ? fields.constant(OPERAND.EXEC_LO) : vcc);
    set(COLUMN.SDST, shape.sdst.kind === KIND.MASK ? vcc : fields.ignored());
    set(COLUMN.SRC0, this.source(shape, shape.src0.kind, shape.src0Dwords, 0));
    const src1IsLiteral = shape.src1.kind === KIND.LITERAL;
    if (src1IsLiteral) set(COLUMN.SRC1, literal);
    else if (shape.src1.kind === KIND.NONE) set(COLUMN.SRC1, fields.ignored());
    // v_readlane, v_writelane of gfx7: the lane select has no literal.
    else if (shape.src1.kind === KIND.SCALAR) set(COLUMN.SRC1, fields.withoutLiteral(fields.scalar(1)));
    else set(COLUMN.SRC1, fields.vector(shape.src1Dwords));
    // v_madmk: the second register stands in the field of source 1.
    if (src1IsLiteral) set(COLUMN.SRC2, fields.vector(1));
    else if (shape.src2.kind === KIND.LITERAL) set(COLUMN.SRC2, literal);
    else set(COLUMN.SRC2, shape.src2.kind === KIND.MASK ? vcc : fields.ignored());
  }

  /** VOP3. The second source of the short encodings is a VGPR, here it may be anything. gfx7 has no literals here. */
  private setWide(shape: Shape, set: (column: number, value: number) => void): void {
    const { fields, gfx7 } = this;
    const source = (kind: number, dwords: number, slot: number) => {
      if (kind === KIND.NONE) return fields.reserved();
      const place = this.source(shape, kind, dwords, slot);
      return gfx7 ? fields.withoutLiteral(place) : place;
    };
    const src1Kind = shape.src1.kind === KIND.VGPR && shape.isShortVector ? KIND.ANY : shape.src1.kind;
    const dst = this.writesOnlyExec(shape) ? fields.constant(OPERAND.EXEC_LO) : this.vectorDestination(shape);
    set(COLUMN.WIDE_DST, dst);
    set(COLUMN.WIDE_SRC0, source(shape.src0.kind, shape.src0Dwords, 0));
    set(COLUMN.WIDE_SRC1, source(src1Kind, shape.src1Dwords, 1));
    set(COLUMN.WIDE_SRC2, source(shape.src2.kind, shape.src2Dwords, 2));
  }

  private setPacked(shape: Shape, set: (column: number, value: number) => void): void {
    const { fields } = this;
    set(COLUMN.DST, fields.vector(1));
    set(COLUMN.SRC0, fields.any(1));
    set(COLUMN.SRC1, fields.any(1));
    set(COLUMN.SRC2, shape.src2.kind === KIND.NONE ? fields.reserved() : fields.any(1));
  }

  private setDataShare(shape: Shape, set: (column: number, value: number) => void): void {
    const register = (dwords: number) => (dwords ? this.fields.vector(dwords) : this.fields.reserved());
    set(COLUMN.DST, register(shape.dstDwords));
    set(COLUMN.SRC0, register(shape.src0Dwords ? 1 : 0));
    set(COLUMN.SRC1, register(shape.src1Dwords));
    set(COLUMN.SRC2, register(shape.src2Dwords));
  }
}

function traitBits(shape: Shape, gfx7: boolean): number {
  const { row } = shape;
  const traits: readonly (readonly [boolean | undefined, number])[] = [
    [true, TRAIT.READY],
    [shape.dst.kind !== KIND.NONE, TRAIT.HAS_DST],
    [shape.dst.kind === KIND.MASK, TRAIT.MASK_DST],
    [shape.sdst.kind === KIND.MASK, TRAIT.MASK_SDST],
    [shape.src0.kind !== KIND.NONE, TRAIT.HAS_SRC0],
    [shape.src1.kind !== KIND.NONE, TRAIT.HAS_SRC1],
    [shape.src1.kind === KIND.VGPR, TRAIT.VECTOR_SRC1],
    [shape.src0.kind === KIND.IMMEDIATE, TRAIT.IMMEDIATE_SRC0],
    [shape.src2.kind === KIND.IMMEDIATE, TRAIT.IMMEDIATE_SRC2],
    [shape.src2Dwords > 0, TRAIT.HAS_SRC2],
    [row.writesExec, TRAIT.WRITES_EXEC],
    [shape.noSdwa, TRAIT.NO_SDWA],
    [shape.noDpp16, TRAIT.NO_DPP16],
    [shape.noDpp8, TRAIT.NO_DPP8],
    [gfx7 ? shape.clampAllowedGfx7 : shape.clampAllowed, TRAIT.CLAMP],
    [shape.omodAllowed, TRAIT.OMOD],
    [shape.sdwaOmodAllowed, TRAIT.SDWA_OMOD],
    [shape.opSelAllowed, TRAIT.OP_SEL],
    [row.class === 'cross-lane', TRAIT.CROSS_LANE],
    [row.class === 'valu-packed', TRAIT.PACKED],
    [shape.isInterpolation, TRAIT.INTERPOLATION],
    [row.imm === 'none', TRAIT.NO_IMMEDIATE],
    [row.memory === 'atomic', TRAIT.ATOMIC],
    [row.memory === 'cache', TRAIT.CACHE],
    [row.gds === 'only', TRAIT.GDS_ONLY],
    [row.gds === 'never', TRAIT.GDS_NEVER],
    [row.lds, TRAIT.LDS],
    [row.d16, TRAIT.D16],
    [shape.src0.kind === KIND.VECTOR_ADDRESS, TRAIT.VECTOR_ADDRESS],
    [shape.src3.kind !== KIND.NONE, TRAIT.HAS_SRC3],
  ];
  return traits.reduce((bits, [holds, bit]) => (holds ? bits | bit : bits), 0) >>> 0;
}
