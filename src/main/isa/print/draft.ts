/** The plan of one row in one encoding while it is made: slots of the row become steps, one after the other. */
import type { Encoding, Format } from '../instruction.ts';
import { KIND, kindDwords, type ParsedKind, TYPE } from '../operand-kind.ts';
import { hasHalfConstants, hidesDestination, type Shape } from '../shape.ts';
import { type ConstantClass, operandTable } from './operand-text.ts';
import { registerClass, type SlotName } from './register-class.ts';
import { INTEGER_SOURCE, STEP, step } from './steps.ts';
import { piece } from './text-buffer.ts';

/** How constants of a slot are spelled. */
function constantClass(shape: Shape, kind: ParsedKind): ConstantClass {
  if (kind.width === 64) return kind.type === TYPE.FLOAT ? 'f64' : 'b64';
  if (kind.packed) return kind.type === TYPE.FLOAT ? 'packedF16' : 'packedB16';
  if (kind.type === TYPE.MIXED) return 'f16';
  if (kind.width !== 16) return 'b32';
  return kind.type === TYPE.FLOAT || hasHalfConstants(shape.mnemonic, kind.width) ? 'f16' : 'b16';
}

export class Draft {
  readonly steps: number[] = [];
  readonly shape: Shape;
  /** The family on the target. */
  readonly format: Format;
  readonly encoding: Encoding;
  readonly gfx7: boolean;
  private readonly maskDwords: number;
  private readonly notesMisplaced: boolean;

  constructor(
    shape: Shape,
    format: Format,
    encoding: Encoding,
    gfx7: boolean,
    maskDwords: number,
    notesMisplaced: boolean,
  ) {
    this.shape = shape;
    this.format = format;
    this.encoding = encoding;
    this.gfx7 = gfx7;
    this.maskDwords = maskDwords;
    this.notesMisplaced = notesMisplaced;
  }

  add(kind: number, argument = 0): this {
    this.steps.push(step(kind, argument));
    return this;
  }

  name(suffix = ''): this {
    return this.add(STEP.TEXT, piece(this.shape.mnemonic + suffix));
  }

  /** The operand table of a slot. */
  table(slot: SlotName, kind: ParsedKind, takesAnything = false): number {
    const takes =
      this.notesMisplaced && !takesAnything ? registerClass(this.shape, this.format, slot, kind) : undefined;
    if (kind.kind === KIND.MASK) {
      return operandTable(this.maskDwords, this.maskDwords === 2 ? 'b64' : 'b32', this.gfx7, takes);
    }
    const scalarAddress = kind.kind === KIND.SCALAR_ADDRESS && this.format === 'GLOBAL';
    const dwords = scalarAddress ? 2 : Math.max(kindDwords(kind), 1);
    return operandTable(dwords, constantClass(this.shape, kind), this.gfx7, takes);
  }

  /** Nothing when the row has no such slot. */
  private slot(number: number, slot: SlotName, kind: ParsedKind): this {
    return kind.kind === KIND.NONE ? this : this.add(number, this.table(slot, kind));
  }

  dst(): this {
    return this.slot(STEP.DST, 'dst', this.shape.dst);
  }

  /** Both destinations of a vector instruction. */
  destinations(): this {
    if (hidesDestination(this.shape, this.gfx7)) return this;
    return this.dst().slot(STEP.SDST, 'sdst', this.shape.sdst);
  }

  src0(): this {
    return this.slot(STEP.SRC0, 'src0', this.shape.src0);
  }

  src1(): this {
    return this.slot(STEP.SRC1, 'src1', this.shape.src1);
  }

  src2(): this {
    return this.slot(STEP.SRC2, 'src2', this.shape.src2);
  }

  /** A source with abs, neg and sext. `source`: 0…2. */
  private modifiedSource(source: number, slot: SlotName, kind: ParsedKind): this {
    if (kind.kind === KIND.NONE) return this;
    // Only the first source of the short encodings keeps its kind in the wide ones.
    const takesAnything =
      kind.kind === KIND.VGPR && (this.encoding === 'sdwa' || (source > 0 && this.shape.isShortVector));
    const isInteger = (this.shape.integerModifiers >>> source) & 1;
    return this.add(STEP.MODIFIED0 + source, this.table(slot, kind, takesAnything) + (isInteger ? INTEGER_SOURCE : 0));
  }

  modified0(): this {
    return this.modifiedSource(0, 'src0', this.shape.src0);
  }

  modified1(): this {
    return this.modifiedSource(1, 'src1', this.shape.src1);
  }

  modified2(): this {
    return this.modifiedSource(2, 'src2', this.shape.src2);
  }

  modifiedSources(): this {
    return this.modified0().modified1().modified2();
  }

  /** A source of v_fma_mix. */
  mix(source: number, slot: SlotName, kind: ParsedKind): this {
    return this.add(STEP.MIX0 + source, this.table(slot, kind));
  }
}
