/**
 * The plans of a target and wave size, by row and encoding. A plan is made from the row when the first such instruction is
 * printed; printing itself (write-steps.ts) knows no rows.
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { opcodeTables } from '../decode/tables.ts';
import { ENCODINGS, type Encoding, type Format, type Instruction } from '../instruction.ts';
import { shapeOf } from '../shape.ts';
import { isGfx7, MNEMONICS } from '../tables/index.ts';
import { Draft } from './draft.ts';
import { planRow } from './plan.ts';
import { STEP } from './steps.ts';

const ENCODING_BITS = 3;

/** The place in `ENCODINGS`. */
function encodingNumber(encoding: Encoding): number {
  switch (encoding) {
    case 'plain':
      return 0;
    case 'e32':
      return 1;
    case 'e64':
      return 2;
    case 'sdwa':
      return 3;
    case 'dpp16':
      return 4;
    case 'dpp8':
      return 5;
  }
}

/** The plans of one target and wave size; each is made when it is first asked for. */
class PlanBook {
  /** All plans one after the other, each closed by `END`. */
  steps = new Int32Array(1 << 12);
  private length = 0;
  /** First step by dense mnemonic number and encoding; −1: not made. */
  private readonly starts = new Int32Array(MNEMONICS.length << ENCODING_BITS).fill(-1);
  private readonly formats: readonly Format[];
  private readonly gfx7: boolean;
  private readonly maskDwords: number;
  private readonly notesMisplaced: boolean;

  constructor(target: Target, waveSize: WaveSize, notesMisplaced: boolean) {
    this.formats = opcodeTables(target).formats;
    this.gfx7 = isGfx7(target);
    this.maskDwords = waveSize / 32;
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
    const { formats, gfx7, maskDwords, notesMisplaced } = this;
    const draft = new Draft(shapeOf(op), formats[op]!, encoding, gfx7, maskDwords, notesMisplaced);
    const { steps } = planRow(draft).add(STEP.END);
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

/** gfx7 has 64 lanes whatever is asked. */
function bookOf(target: Target, waveSize: WaveSize, notesMisplaced: boolean): PlanBook {
  const lanes = isGfx7(target) ? 64 : waveSize;
  const key = `${target} ${lanes} ${notesMisplaced}`;
  let book = books.get(key);
  if (!book) {
    book = new PlanBook(target, lanes, notesMisplaced);
    books.set(key, book);
  }
  return book;
}

let lastTarget: Target | undefined;
let lastWaveSize: WaveSize | undefined;
let lastBook: PlanBook | undefined;

/** Asked for every instruction; runs of code have one target and wave size. */
export function plansFor(target: Target, waveSize: WaveSize): PlanBook {
  if (target === lastTarget && waveSize === lastWaveSize && lastBook) return lastBook;
  lastTarget = target;
  lastWaveSize = waveSize;
  lastBook = bookOf(target, waveSize, false);
  return lastBook;
}

/** Plans for words with misplaced operands (`FLAG.MISPLACED`). */
export function notingPlansFor(target: Target, waveSize: WaveSize): PlanBook {
  return bookOf(target, waveSize, true);
}
