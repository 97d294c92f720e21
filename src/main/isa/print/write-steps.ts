/**
 * Walks the steps of a plan and writes one instruction: the hot loop of every listing. Names and operands in slots, which
 * are nearly all steps, are written here; the others in `write-special.ts`.
 */
import { FLAG, type Instruction } from '../instruction.ts';
import type { PrintOptions } from './branch.ts';
import { FIRST, NEXT, putOperand, putSeparator, tupleTable } from './operand-text.ts';
import { FIRST_MODIFIER, KIND_MASK, plainTable, STEP, stepArgument } from './steps.ts';
import type { TextBuffer } from './text-buffer.ts';
import { putMixOperand, putModifiedOperand } from './vector.ts';
import { writeModifiers, writeOperandLike } from './write-special.ts';

function sourceCode(inst: Instruction, source: number): number {
  return source === 0 ? inst.src0 : source === 1 ? inst.src1 : inst.src2;
}

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
  for (let at = start; ; at++) {
    const step = steps[at]!;
    const kind = step & KIND_MASK;
    let table = stepArgument(step);
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
      case STEP.MODIFIED1:
      case STEP.MODIFIED2: {
        const source = kind - STEP.MODIFIED0;
        code = sourceCode(inst, source);
        if ((((inst.neg | inst.abs | inst.sext) >>> source) & 1) === 0) {
          table = plainTable(table);
          break;
        }
        putSeparator(buffer, separator);
        putModifiedOperand(buffer, table, code, inst, source);
        separator = NEXT;
        continue;
      }
      case STEP.MIX0:
      case STEP.MIX1:
      case STEP.MIX2: {
        const source = kind - STEP.MIX0;
        code = sourceCode(inst, source);
        if ((((inst.neg | inst.negHi) >>> source) & 1) === 0) break;
        putSeparator(buffer, separator);
        putMixOperand(buffer, table, code, inst, source);
        separator = NEXT;
        continue;
      }
      case STEP.LOADED:
        code = inst.dst;
        table = tupleTable(table + (inst.flags & FLAG.TFE ? 1 : 0));
        break;
      case STEP.STORED:
        code = inst.src3;
        table = tupleTable(table + (inst.flags & FLAG.TFE ? 1 : 0));
        break;
      default:
        if (kind >= FIRST_MODIFIER) writeModifiers(buffer, step, inst, options);
        else {
          putSeparator(buffer, separator);
          writeOperandLike(buffer, step, inst, options);
          separator = NEXT;
        }
        continue;
    }
    if (code < 0) continue;
    putOperand(buffer, table + separator + code, inst.literal);
    separator = NEXT;
  }
}
