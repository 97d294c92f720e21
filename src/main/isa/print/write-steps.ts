/**
 * Walks the steps of a plan and writes one instruction: the hot loop of every listing. Names and plain operands, which are
 * nearly all steps, are written here, in one place; the others in `write-special.ts`. The loop is kept small on purpose:
 * it is among the first things that are compiled.
 */
import type { Instruction } from '../instruction.ts';
import type { PrintOptions } from './branch.ts';
import { FIRST, knownOperand, NEXT, putNewOperand } from './operand-text.ts';
import { FIRST_MODIFIER, KIND_MASK, plainTable, STEP, stepArgument } from './steps.ts';
import type { TextBuffer } from './text-buffer.ts';
import { writeModifiers, writeOperand } from './write-special.ts';

/** `start`: where the plan begins in `steps`. */
export function writeSteps(
  buffer: TextBuffer,
  steps: Int32Array,
  start: number,
  inst: Instruction,
  options: PrintOptions,
): void {
  /** What the next operand has in front of it. */
  let separator = FIRST;
  /** Bit i: source i has something before it. */
  const modified = inst.neg | inst.abs | inst.sext;
  for (let at = start; ; at++) {
    const step = steps[at]!;
    const kind = step & KIND_MASK;
    let code: number;
    switch (kind) {
      case STEP.END:
        return;
      case STEP.TEXT:
        buffer.put(stepArgument(step));
        continue;
      case STEP.DST:
        code = inst.dst;
        break;
      case STEP.SDST:
        code = inst.sdst;
        break;
      case STEP.SRC0:
        code = inst.src0;
        break;
      case STEP.SRC1:
        code = inst.src1;
        break;
      case STEP.SRC2:
        code = inst.src2;
        break;
      case STEP.MODIFIED0:
        code = modified & 1 ? SPECIAL : inst.src0;
        break;
      case STEP.MODIFIED1:
        code = modified & 2 ? SPECIAL : inst.src1;
        break;
      case STEP.MODIFIED2:
        code = modified & 4 ? SPECIAL : inst.src2;
        break;
      default:
        code = SPECIAL;
    }
    if (code >= 0) {
      const place = plainTable(stepArgument(step)) + separator + code;
      const piece = knownOperand(place);
      if (piece !== 0) buffer.put(piece);
      else putNewOperand(buffer, place, inst.literal);
      separator = NEXT;
    } else if (code === SPECIAL) {
      if (kind >= FIRST_MODIFIER) writeModifiers(buffer, step, inst, options);
      else separator = writeOperand(buffer, step, separator, inst, options);
    }
  }
}

/** Not a code: the step is written elsewhere. */
const SPECIAL = -2;
