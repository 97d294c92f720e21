/**
 * How each row is printed: the steps of its text in one encoding, on one target and wave size. Made from the row when the
 * first such instruction is printed; printing itself (write-steps.ts) knows no rows.
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { opcodeTables } from '../decode/tables.ts';
import { ENCODINGS, type Encoding, type Format, type Instruction } from '../instruction.ts';
import { KIND, kindDwords, type ParsedKind, TYPE } from '../operand-kind.ts';
import { hasHalfConstants, SHAPES, type Shape } from '../shape.ts';
import { isGfx7 } from '../tables/index.ts';
import { type ConstantClass, operandTable } from './operand-text.ts';
import { registerClass, type SlotName } from './register-class.ts';
import { INTEGER_SOURCE, MIXED, STEP, step } from './steps.ts';
import { piece } from './text-buffer.ts';

/** How constants of a slot are spelled. */
function constantClass(shape: Shape, kind: ParsedKind): ConstantClass {
  if (kind.width === 64) return kind.type === TYPE.FLOAT ? 'f64' : 'b64';
  if (kind.packed) return kind.type === TYPE.FLOAT ? 'packedF16' : 'packedB16';
  if (kind.type === TYPE.MIXED) return 'f16';
  const isHalf = kind.type === TYPE.FLOAT || hasHalfConstants(shape.mnemonic, kind.width);
  if (kind.width === 16) return isHalf ? 'f16' : 'b16';
  return 'b32';
}

/** One row on one target. */
class Draft {
  readonly shape: Shape;
  readonly format: Format;
  readonly gfx7: boolean;
  private readonly maskDwords: number;
  private readonly notesMisplaced: boolean;

  constructor(shape: Shape, target: Target, waveSize: WaveSize, notesMisplaced: boolean) {
    this.shape = shape;
    this.format = opcodeTables(target).formats[shape.op]!;
    this.gfx7 = isGfx7(target);
    this.maskDwords = waveSize / 32;
    this.notesMisplaced = notesMisplaced;
  }

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

  name(suffix = ''): number {
    return step(STEP.TEXT, piece(this.shape.mnemonic + suffix));
  }

  /** Nothing when the row has no such slot. */
  private slot(number: number, slot: SlotName, kind: ParsedKind): number[] {
    return kind.kind === KIND.NONE ? [] : [step(number, this.table(slot, kind))];
  }

  dst(): number[] {
    return this.slot(STEP.DST, 'dst', this.shape.dst);
  }

  sdst(): number[] {
    return this.slot(STEP.SDST, 'sdst', this.shape.sdst);
  }

  src0(): number[] {
    return this.slot(STEP.SRC0, 'src0', this.shape.src0);
  }

  src1(): number[] {
    return this.slot(STEP.SRC1, 'src1', this.shape.src1);
  }

  src2(): number[] {
    return this.slot(STEP.SRC2, 'src2', this.shape.src2);
  }
}

function scalarSteps(d: Draft): number[] {
  return [d.name(), ...d.dst(), ...d.src0(), ...d.src1()];
}

function sopkSteps(d: Draft): number[] {
  switch (d.shape.row.imm) {
    case 'hwreg': {
      const place = step(STEP.HARDWARE_REGISTER);
      return d.shape.mnemonic === 's_getreg_b32'
        ? [d.name(), ...d.dst(), place]
        : [d.name(), place, ...d.dst(), ...d.src0()];
    }
    case 'branch':
      return [d.name(), ...d.dst(), step(STEP.BRANCH)];
    case 'version':
      return [d.name(), step(STEP.VERSION)];
    default:
      return [d.name(), ...d.dst(), step(STEP.HEX)];
  }
}

function soppSteps(d: Draft): number[] {
  switch (d.shape.row.imm) {
    case 'none':
      return [d.name()];
    case 'end':
      return [d.name(), step(STEP.END_CODE)];
    case 'branch':
      return [d.name(), step(STEP.BRANCH)];
    case 'waitcnt':
      return [d.name(), step(STEP.WAIT_COUNTERS)];
    case 'depctr':
      return [d.name(), step(STEP.DEPENDENCY_COUNTERS)];
    case 'sendmsg':
      return [d.name(), step(STEP.MESSAGE)];
    case 'hex':
      return [d.name(), step(STEP.HEX)];
    default:
      return [d.name(), step(STEP.IMMEDIATE)];
  }
}

/** Rows with a 32-bit encoding name the one that is meant, unless there is no other. */
function encodingSuffix(d: Draft, encoding: Encoding): string {
  const { shape, format } = d;
  if (encoding === 'sdwa') return '_sdwa';
  if (encoding === 'dpp16' || encoding === 'dpp8') return '_dpp';
  const isShort = format === 'VOP1' || format === 'VOP2' || format === 'VOPC' || format === 'VINTRP';
  if (!isShort || shape.noE64 || (d.gfx7 && format === 'VINTRP')) return '';
  return encoding === 'e64' ? '_e64' : '_e32';
}

/** v_cmpx of gfx10 writes EXEC without naming it. */
function destinations(d: Draft): number[] {
  const hidden = !d.gfx7 && d.shape.dst.kind === KIND.MASK && d.shape.row.writesExec;
  return hidden ? [] : [...d.dst(), ...d.sdst()];
}

const SOURCE_SLOTS = ['src0', 'src1', 'src2'] as const;

function modifiedSources(d: Draft, encoding: Encoding): number[] {
  const kinds = [STEP.MODIFIED0, STEP.MODIFIED1, STEP.MODIFIED2];
  return [d.shape.src0, d.shape.src1, d.shape.src2].flatMap((kind, i) => {
    if (kind.kind === KIND.NONE) return [];
    const isInteger = (d.shape.integerModifiers >>> i) & 1;
    // Only the first source of the short encodings keeps its kind in the wide ones.
    const takesAnything = kind.kind === KIND.VGPR && (encoding === 'sdwa' || (i > 0 && d.shape.isShortVector));
    return step(kinds[i]!, d.table(SOURCE_SLOTS[i]!, kind, takesAnything) + (isInteger ? INTEGER_SOURCE : 0));
  });
}

function e32Steps(d: Draft): number[] {
  const { shape } = d;
  const literal = [step(STEP.FIXED_LITERAL)];
  const src1 = shape.src1.kind === KIND.LITERAL ? literal : d.src1();
  const src2 = shape.src2.kind === KIND.LITERAL ? literal : d.src2();
  return [d.name(encodingSuffix(d, 'e32')), ...destinations(d), ...d.src0(), ...src1, ...src2];
}

function sourceCount(shape: Shape): number {
  return shape.sourceMask & 4 ? 3 : shape.sourceMask & 2 ? 2 : 1;
}

function e64Steps(d: Draft): number[] {
  const { shape } = d;
  const name = d.name(encodingSuffix(d, 'e64'));
  const result = step(STEP.RESULT_MODIFIERS);
  if (shape.isInterpolation) {
    const [src0, ...src2] = modifiedSources(d, 'e64');
    const source = shape.src0.kind === KIND.IMMEDIATE ? step(STEP.PARAMETER) : src0!;
    return [name, ...d.dst(), source, step(STEP.ATTRIBUTE), ...src2, step(STEP.HIGH_HALF), result];
  }
  const opSel = shape.row.class === 'cross-lane' ? step(STEP.LANE_OP_SEL) : step(STEP.OP_SEL, sourceCount(shape));
  return [name, ...destinations(d), ...modifiedSources(d, 'e64'), ...(shape.opSelAllowed ? [opSel] : []), result];
}

function sdwaSteps(d: Draft): number[] {
  const steps = [d.name('_sdwa'), ...destinations(d), ...modifiedSources(d, 'sdwa'), step(STEP.RESULT_MODIFIERS)];
  if (d.format !== 'VOPC') steps.push(step(STEP.SDWA_RESULT));
  steps.push(step(STEP.SDWA_SRC0));
  if (d.format !== 'VOP1') steps.push(step(STEP.SDWA_SRC1));
  return steps;
}

function vectorSteps(d: Draft, encoding: Encoding): number[] {
  const dpp = step(encoding === 'dpp8' ? STEP.DPP8 : STEP.DPP16);
  const isDpp = encoding === 'dpp16' || encoding === 'dpp8';
  // v_nop and its kin have no operands, and no suffix either.
  if (d.shape.dst.kind === KIND.NONE) return isDpp ? [d.name(), dpp] : [d.name()];
  switch (encoding) {
    case 'e64':
      return e64Steps(d);
    case 'sdwa':
      return sdwaSteps(d);
    case 'dpp16':
    case 'dpp8':
      return [d.name('_dpp'), ...destinations(d), ...modifiedSources(d, encoding), dpp];
    case 'plain':
    case 'e32':
      return e32Steps(d);
  }
}

function packedSteps(d: Draft): number[] {
  const { shape } = d;
  const count = sourceCount(shape);
  const kinds = shape.isMix ? [STEP.MIX0, STEP.MIX1, STEP.MIX2] : [STEP.SRC0, STEP.SRC1, STEP.SRC2];
  const sources = [shape.src0, shape.src1, shape.src2]
    .slice(0, count)
    .map((kind, i) => step(kinds[i]!, d.table(SOURCE_SLOTS[i]!, kind)));
  return [d.name(), ...d.dst(), ...sources, step(STEP.PACKED_MODIFIERS, count | (shape.isMix ? MIXED : 0))];
}

function interpolationSteps(d: Draft): number[] {
  const source = d.shape.src0.kind === KIND.IMMEDIATE ? [step(STEP.PARAMETER)] : d.src0();
  return [d.name(encodingSuffix(d, 'e32')), ...d.dst(), ...source, step(STEP.ATTRIBUTE)];
}

function smemSteps(d: Draft): number[] {
  const { shape } = d;
  if (!shape.src0Dwords) return [d.name(), ...d.dst()];
  const stored = shape.src2.kind === KIND.IMMEDIATE ? [step(STEP.PROBE)] : d.src2();
  return [
    d.name(),
    ...(stored.length ? stored : d.dst()),
    ...d.src0(),
    step(STEP.SCALAR_OFFSET, d.table('src1', shape.src1)),
    step(STEP.SCALAR_CACHE),
  ];
}

function smrdSteps(d: Draft): number[] {
  if (!d.shape.src0Dwords) return [d.name(), ...d.dst()];
  return [d.name(), ...d.dst(), ...d.src0(), step(STEP.SCALAR_OFFSET_GFX7, d.table('src1', d.shape.src1))];
}

function dsSteps(d: Draft): number[] {
  const { imm } = d.shape.row;
  const offset = imm === 'offset2' ? STEP.SHARE_OFFSETS : imm === 'swizzle' ? STEP.SHARE_SWIZZLE : STEP.SHARE_OFFSET;
  return [d.name(), ...d.dst(), ...d.src0(), ...d.src1(), ...d.src2(), step(offset), step(STEP.GDS)];
}

function bufferSteps(d: Draft): number[] {
  const { shape } = d;
  if (shape.row.memory === 'cache') return [d.name()];
  const data = shape.src3Dwords ? step(STEP.STORED, shape.src3Dwords) : step(STEP.LOADED, shape.dstDwords);
  const format = d.format === 'MTBUF' ? [step(STEP.BUFFER_FORMAT)] : [];
  const modifiers = step(STEP.BUFFER_MODIFIERS);
  return [d.name(), data, step(STEP.BUFFER_ADDRESS), ...d.src1(), ...d.src2(), ...format, modifiers];
}

function flatSteps(d: Draft): number[] {
  const { shape, format } = d;
  const address =
    shape.src0.kind === KIND.VECTOR_ADDRESS ? [step(STEP.FLAT_ADDRESS, format === 'SCRATCH' ? 1 : 2)] : [];
  const base = format === 'FLAT' ? [] : [step(STEP.FLAT_BASE, d.table('src2', shape.src2))];
  return [d.name(), ...d.dst(), ...address, ...d.src1(), ...base, step(STEP.FLAT_MODIFIERS)];
}

function imageSteps(d: Draft): number[] {
  return [d.name(), step(STEP.IMAGE_REGISTERS), ...d.src1(), ...d.src2(), step(STEP.IMAGE_MODIFIERS)];
}

function stepsOf(d: Draft, encoding: Encoding): number[] {
  switch (d.format) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
      return scalarSteps(d);
    case 'SOPK':
      return sopkSteps(d);
    case 'SOPP':
      return soppSteps(d);
    case 'SMEM':
      return smemSteps(d);
    case 'SMRD':
      return smrdSteps(d);
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3':
    case 'VOP3B':
      return vectorSteps(d, encoding);
    case 'VOP3P':
      return packedSteps(d);
    case 'VINTRP':
      return encoding === 'e64' ? e64Steps(d) : interpolationSteps(d);
    case 'DS':
      return dsSteps(d);
    case 'MUBUF':
    case 'MTBUF':
      return bufferSteps(d);
    case 'MIMG':
      return imageSteps(d);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return flatSteps(d);
    case 'EXP':
      return [step(STEP.EXPORT)];
  }
}

const ENCODING_BITS = 3;

function encodingNumber(encoding: Encoding): number {
  switch (encoding) {
    case 'e32':
      return 1;
    case 'e64':
      return 2;
    case 'plain':
      return 0;
    case 'sdwa':
      return 3;
    case 'dpp16':
      return 4;
    case 'dpp8':
      return 5;
  }
}

/** The plans of one target and wave size; each is made when it is first asked for. */
export class PlanBook {
  /** All plans one after the other, each closed by `END`. */
  steps = new Int32Array(1 << 12);
  private length = 0;
  /** First step by dense mnemonic number and encoding; −1: not made. */
  private readonly starts = new Int32Array(SHAPES.length << ENCODING_BITS).fill(-1);
  private readonly target: Target;
  private readonly waveSize: WaveSize;
  private readonly notesMisplaced: boolean;

  constructor(target: Target, waveSize: WaveSize, notesMisplaced: boolean) {
    this.target = target;
    this.waveSize = waveSize;
    this.notesMisplaced = notesMisplaced;
  }

  /** Where the steps of the instruction begin. */
  start(inst: Pick<Instruction, 'op' | 'encoding'>): number {
    const number = (inst.op << ENCODING_BITS) | encodingNumber(inst.encoding);
    const known = this.starts[number]!;
    return known >= 0 ? known : this.make(inst.op, number);
  }

  private make(op: number, number: number): number {
    const encoding = ENCODINGS[number & ((1 << ENCODING_BITS) - 1)]!;
    const steps = [
      ...stepsOf(new Draft(SHAPES[op]!, this.target, this.waveSize, this.notesMisplaced), encoding),
      STEP.END,
    ];
    const start = this.length;
    if (start + steps.length > this.steps.length) {
      const larger = new Int32Array(2 * this.steps.length);
      larger.set(this.steps);
      this.steps = larger;
    }
    this.steps.set(steps, start);
    this.length += steps.length;
    this.starts[number] = start;
    return start;
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
    book = new PlanBook(target, lanes, false);
    books.set(key, book);
  }
  lastTarget = target;
  lastWaveSize = waveSize;
  lastBook = book;
  return book;
}

/** Plans for words with misplaced operands (`FLAG.MISPLACED`). */
export function notingPlansFor(target: Target, waveSize: WaveSize): PlanBook {
  const key = `${target} ${waveSize} noting`;
  let book = books.get(key);
  if (!book) {
    book = new PlanBook(target, waveSize, true);
    books.set(key, book);
  }
  return book;
}
