/**
 * What printing needs to know about a row on one target and wave size, prepared once: names with their encoding suffix
 * and the pieces of the slots.
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { opcodeTables } from '../decode/tables.ts';
import type { Format } from '../instruction.ts';
import { KIND, kindDwords, type ParsedKind, TYPE } from '../operand-kind.ts';
import { SHAPES, type Shape } from '../shape.ts';
import { isGfx7 } from '../tables/index.ts';
import { type ConstantClass, type OperandPieces, operandPieces } from './operand-text.ts';
import { type Piece, piece } from './text-buffer.ts';

export class Plan {
  readonly shape: Shape;
  readonly format: Format;
  readonly gfx7: boolean;
  /** The mnemonic alone. */
  readonly bare: Piece;
  /** Names with a trailing blank, by encoding. */
  readonly plain: Piece;
  readonly e32: Piece;
  readonly e64: Piece;
  readonly sdwa: Piece;
  readonly dpp: Piece;
  readonly dst: OperandPieces;
  readonly sdst: OperandPieces;
  readonly src0: OperandPieces;
  readonly src1: OperandPieces;
  readonly src2: OperandPieces;
  readonly src3: OperandPieces;
  readonly class0: ConstantClass;
  readonly class1: ConstantClass;
  readonly class2: ConstantClass;
  /** v_cmpx of gfx10 writes EXEC without naming it. */
  readonly hidesDst: boolean;

  constructor(shape: Shape, target: Target, waveSize: WaveSize) {
    const gfx7 = isGfx7(target);
    const maskDwords = waveSize / 32;
    const pieces = (kind: ParsedKind): OperandPieces =>
      operandPieces(
        kind.kind === KIND.MASK ? maskDwords : Math.max(kindDwords(kind), 1),
        kind.kind === KIND.MASK ? (maskDwords === 2 ? 'b64' : 'b32') : constantClass(kind),
        gfx7,
      );
    this.shape = shape;
    this.format = opcodeTables(target).formats[shape.op]!;
    this.gfx7 = gfx7;
    const name = shape.mnemonic;
    const isShort =
      this.format === 'VOP1' || this.format === 'VOP2' || this.format === 'VOPC' || this.format === 'VINTRP';
    const suffixed = isShort && shape.dst.kind !== KIND.NONE && !shape.noE64 && !(gfx7 && this.format === 'VINTRP');
    this.bare = piece(name);
    this.plain = piece(`${name} `);
    this.e32 = suffixed ? piece(`${name}_e32 `) : this.plain;
    this.e64 = suffixed ? piece(`${name}_e64 `) : this.plain;
    this.sdwa = piece(`${name}_sdwa `);
    this.dpp = piece(`${name}_dpp `);
    this.dst = pieces(shape.dst);
    this.sdst = pieces(shape.sdst);
    this.src0 = pieces(shape.src0);
    this.src1 = pieces(shape.src1);
    this.src2 = pieces(shape.src2);
    this.src3 = pieces(shape.src3);
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

/** The plans of one target and wave size; each is made when it is first asked for. */
export class PlanBook {
  private readonly plans: (Plan | undefined)[] = new Array(SHAPES.length).fill(undefined);
  private readonly target: Target;
  private readonly waveSize: WaveSize;

  constructor(target: Target, waveSize: WaveSize) {
    this.target = target;
    this.waveSize = waveSize;
  }

  /** By dense mnemonic number. */
  get(op: number): Plan {
    return this.plans[op] ?? this.make(op);
  }

  private make(op: number): Plan {
    const plan = new Plan(SHAPES[op]!, this.target, this.waveSize);
    this.plans[op] = plan;
    return plan;
  }
}

const books = new Map<string, PlanBook>();
let lastTarget: Target | undefined;
let lastWaveSize: WaveSize | undefined;
let lastBook: PlanBook | undefined;

/** gfx7 has 64 lanes whatever is asked. */
export function plansFor(target: Target, waveSize: WaveSize): PlanBook {
  if (target === lastTarget && waveSize === lastWaveSize && lastBook) return lastBook;
  const lanes = isGfx7(target) ? 64 : waveSize;
  const key = `${target} ${lanes}`;
  let book = books.get(key);
  if (!book) {
    book = new PlanBook(target, lanes);
    books.set(key, book);
  }
  lastTarget = target;
  lastWaveSize = waveSize;
  lastBook = book;
  return book;
}
