/**
 * What printing needs to know about a row on one target and wave size, prepared once: names with their encoding suffix
 * and the text tables of the slots.
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { opcodeTables } from '../decode/tables.ts';
import type { Format } from '../instruction.ts';
import { KIND, kindDwords, type ParsedKind, TYPE } from '../operand-kind.ts';
import { SHAPES, type Shape } from '../shape.ts';
import { isGfx7 } from '../tables/index.ts';
import { type ConstantClass, operandTexts } from './operand-text.ts';

export class Plan {
  readonly shape: Shape;
  readonly format: Format;
  /** Names with a trailing blank, by encoding. */
  readonly plain: string;
  readonly e32: string;
  readonly e64: string;
  readonly sdwa: string;
  readonly dpp: string;
  readonly dst: readonly string[];
  readonly sdst: readonly string[];
  readonly src0: readonly string[];
  readonly src1: readonly string[];
  readonly src2: readonly string[];
  readonly src3: readonly string[];
  readonly class0: ConstantClass;
  readonly class1: ConstantClass;
  readonly class2: ConstantClass;
  /** v_cmpx of gfx10 writes EXEC without naming it. */
  readonly hidesDst: boolean;

  constructor(shape: Shape, target: Target, waveSize: WaveSize) {
    const gfx7 = isGfx7(target);
    const maskDwords = waveSize / 32;
    const table = (kind: ParsedKind): readonly string[] =>
      operandTexts(
        kind.kind === KIND.MASK ? maskDwords : Math.max(kindDwords(kind), 1),
        kind.kind === KIND.MASK ? (maskDwords === 2 ? 'b64' : 'b32') : constantClass(kind),
        gfx7,
      );
    this.shape = shape;
    this.format = opcodeTables(target).formats[shape.op]!;
    const name = shape.mnemonic;
    const isShort =
      this.format === 'VOP1' || this.format === 'VOP2' || this.format === 'VOPC' || this.format === 'VINTRP';
    const suffixed = isShort && shape.dst.kind !== KIND.NONE && !shape.noE64 && !(gfx7 && this.format === 'VINTRP');
    this.plain = `${name} `;
    this.e32 = suffixed ? `${name}_e32 ` : this.plain;
    this.e64 = suffixed ? `${name}_e64 ` : this.plain;
    this.sdwa = `${name}_sdwa `;
    this.dpp = `${name}_dpp `;
    this.dst = table(shape.dst);
    this.sdst = table(shape.sdst);
    this.src0 = table(shape.src0);
    this.src1 = table(shape.src1);
    this.src2 = table(shape.src2);
    this.src3 = table(shape.src3);
    this.class0 = constantClass(shape.src0);
    this.class1 = constantClass(shape.src1);
    this.class2 = constantClass(shape.src2);
    this.hidesDst = !gfx7 && shape.dst.kind === KIND.MASK && shape.row.writesExec === true;
  }
}

/** How constants of a slot are spelled. */
function constantClass(kind: ParsedKind): ConstantClass {
  if (kind.width === 64) return kind.type === TYPE.FLOAT ? 'f64' : 'b64';
  if (kind.packed) return kind.type === TYPE.FLOAT ? 'packedF16' : 'packedB16';
  if (kind.type === TYPE.MIXED) return 'f16';
  if (kind.width === 16) return kind.type === TYPE.FLOAT ? 'f16' : 'b16';
  return 'b32';
}

const plans = new Map<string, readonly Plan[]>();

/** Plans by dense mnemonic number. */
export function plansFor(target: Target, waveSize: WaveSize): readonly Plan[] {
  const key = `${target} ${waveSize}`;
  let list = plans.get(key);
  if (!list) {
    list = SHAPES.map((shape) => new Plan(shape, target, waveSize));
    plans.set(key, list);
  }
  return list;
}
