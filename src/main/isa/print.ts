/**
 * Instructions → text in LLVM's syntax, exactly as `llvm-mc --disassemble` prints them, so that what is copied from here
 * assembles with other tools and the other way round.
 *
 * Branch targets: LLVM prints the bare 16-bit distance; with `address` and `labelOf` a label is printed instead.
 */
import { FLAG, type Instruction } from './instruction.ts';
import { branchDistance, branchTarget, type PrintOptions } from './print/branch.ts';
import { notingPlansFor, plansFor } from './print/plan-book.ts';
import { TextBuffer } from './print/text-buffer.ts';
import { writeSteps } from './print/write-steps.ts';

/** Appends the text of one instruction: for long listings, where a string per instruction would cost most of the time. */
export function writeInstruction(buffer: TextBuffer, inst: Instruction, options: PrintOptions): void {
  const isMisplaced = inst.flags & FLAG.MISPLACED;
  const plans = (isMisplaced ? notingPlansFor : plansFor)(options.target, options.waveSize);
  const start = plans.start(inst);
  buffer.reserve();
  writeSteps(buffer, plans.steps, start, inst, options);
}

const scratch = new TextBuffer();

export function printInstruction(inst: Instruction, options: PrintOptions): string {
  scratch.clear();
  writeInstruction(scratch, inst, options);
  return scratch.toString();
}

export { branchDistance, branchTarget, type PrintOptions, TextBuffer };
