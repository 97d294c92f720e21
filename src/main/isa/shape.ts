/**
 * Shapes: rows turned into flat numbers, one per dense mnemonic number, so that the hot paths (decode, print, encode,
 * def/use) read fields of one monomorphic object instead of parsing strings. Everything here is derived from the rows.
 */
import type { Format } from './instruction.ts';
import { KIND, kindDwords, type ParsedKind, parseOperandKind, TYPE } from './operand-kind.ts';
import type { Row } from './row.ts';
import { MNEMONICS, type Mnemonic, ROWS } from './tables/index.ts';

export class Shape {
  readonly op: number;
  readonly mnemonic: Mnemonic;
  readonly row: Row;
  readonly format: Format;
  readonly dst: ParsedKind;
  readonly sdst: ParsedKind;
  readonly src0: ParsedKind;
  readonly src1: ParsedKind;
  readonly src2: ParsedKind;
  readonly src3: ParsedKind;
  /** Registers per slot; 0 = no operand, or the count depends on the instruction. */
  readonly dstDwords: number;
  readonly src0Dwords: number;
  readonly src1Dwords: number;
  readonly src2Dwords: number;
  readonly src3Dwords: number;
  /** Bit i: source i takes abs and neg when encoded as VOP3. */
  readonly modifierMask: number;
  /** Those of them that are integers, where neg reads as sign extension. */
  readonly integerModifiers: number;
  /** Bit i: the row has source i. */
  readonly sourceMask: number;
  /** VOP1, VOP2 or VOPC: has a 32-bit encoding, and VOP3 widens its kinds. */
  readonly isShortVector: boolean;
  /** Interpolation: the attribute is the immediate. */
  readonly isInterpolation: boolean;
  /** v_fma_mix: each source is f32 or f16, and neg_lo, neg_hi read as neg and abs. */
  readonly isMix: boolean;
  readonly clampAllowed: boolean;
  /** gfx7 clamps float results only. */
  readonly clampAllowedGfx7: boolean;
  readonly sdwaOmodAllowed: boolean;
  readonly omodAllowed: boolean;
  readonly opSelAllowed: boolean;
  readonly noE64: boolean;
  readonly noSdwa: boolean;
  readonly noDpp16: boolean;
  readonly noDpp8: boolean;

  constructor(op: number, mnemonic: Mnemonic, row: Row) {
    this.op = op;
    this.mnemonic = mnemonic;
    this.row = row;
    this.format = row.format;
    this.dst = parseOperandKind(row.dst[0]);
    this.sdst = parseOperandKind(row.dst[1]);
    this.src0 = parseOperandKind(row.src[0]);
    this.src1 = parseOperandKind(row.src[1]);
    this.src2 = parseOperandKind(row.src[2]);
    this.src3 = parseOperandKind(row.src[3]);
    this.dstDwords = kindDwords(this.dst);
    this.src0Dwords = kindDwords(this.src0);
    this.src1Dwords = kindDwords(this.src1);
    this.src2Dwords = kindDwords(this.src2);
    this.src3Dwords = kindDwords(this.src3);
    this.modifierMask = row.modifiers ?? floatSources(this);
    this.integerModifiers = this.modifierMask & integerSources(this);
    this.sourceMask =
      (usesKind(this.src0) ? 1 : 0) |
      (usesKind(this.src1) ? 2 : 0) |
      (usesKind(this.src2) ? 4 : 0) |
      (usesKind(this.src3) ? 8 : 0);
    this.isShortVector = row.format === 'VOP1' || row.format === 'VOP2' || row.format === 'VOPC';
    this.isInterpolation = row.imm === 'attr';
    this.isMix = this.src0.type === TYPE.MIXED;
    this.sdwaOmodAllowed = isFloat(this.dst) && (row.omod ?? !this.dst.packed);
    this.clampAllowed = row.clamp ?? defaultClamp(this);
    this.clampAllowedGfx7 = isFloat(this.dst);
    this.omodAllowed = row.omod ?? defaultOmod(this);
    this.opSelAllowed = row.opSel ?? false;
    this.noE64 = row.no?.includes('e64') ?? false;
    this.noSdwa = row.no?.includes('sdwa') ?? false;
    this.noDpp16 = row.no?.includes('dpp16') ?? false;
    this.noDpp8 = row.no?.includes('dpp8') ?? false;
  }
}

function isFloat(kind: ParsedKind): boolean {
  return kind.type === TYPE.FLOAT || kind.type === TYPE.MIXED;
}

function floatSources(shape: Shape): number {
  return (isFloat(shape.src0) ? 1 : 0) | (isFloat(shape.src1) ? 2 : 0) | (isFloat(shape.src2) ? 4 : 0);
}

function isInteger(kind: ParsedKind): boolean {
  return kind.type === TYPE.SIGNED || kind.type === TYPE.UNSIGNED;
}

function integerSources(shape: Shape): number {
  return (isInteger(shape.src0) ? 1 : 0) | (isInteger(shape.src1) ? 2 : 0) | (isInteger(shape.src2) ? 4 : 0);
}

function usesKind(kind: ParsedKind): boolean {
  return kind.kind !== KIND.NONE;
}

function isCompare(shape: Shape): boolean {
  return shape.row.class === 'valu-compare';
}

/** Float results and float compares clamp; integer instructions that do say so in their row. */
function defaultClamp(shape: Shape): boolean {
  if (shape.row.class === 'valu-packed') return true;
  return isFloat(shape.dst) || isFloat(shape.src0);
}

/** Output modifiers exist on float results, and on VOP1 conversions from float (where they have no effect). */
function defaultOmod(shape: Shape): boolean {
  if (isCompare(shape) || shape.dst.packed) return false;
  return isFloat(shape.dst) || (shape.format === 'VOP1' && isFloat(shape.src0));
}

/**
 * Constants of 16-bit integer slots are integers, except in f16 instructions (the exponent of v_ldexp_f16), where LLVM spells
 * and reads them as f16 values: 0.5 is the inline constant there.
 */
export function hasHalfConstants(mnemonic: Mnemonic, width: number): boolean {
  return width === 16 && mnemonic.endsWith('_f16');
}

/** v_cmpx of gfx10 writes EXEC alone and names no destination. */
export function hidesDestination(shape: Shape, gfx7: boolean): boolean {
  return !gfx7 && shape.dst.kind === KIND.MASK && shape.row.writesExec === true;
}

const shapes: (Shape | undefined)[] = new Array(MNEMONICS.length).fill(undefined);

/** By dense mnemonic number (`Instruction.op`); each is made when it is first asked for. */
export function shapeOf(op: number): Shape {
  return (shapes[op] ??= new Shape(op, MNEMONICS[op]!, ROWS[op]!));
}
