/** The steps other than names and operands in slots: from the kind of a step to what writes it. */
import { FLAG, type Instruction } from '../instruction.ts';
import { isGfx7 } from '../tables/index.ts';
import { type PrintOptions, putBranch } from './branch.ts';
import {
  depctrText,
  messageText,
  putEndCode,
  putHardwareRegister,
  putWaitCounters,
  versionText,
} from './immediate-text.ts';
import {
  putBufferAddress,
  putBufferFormat,
  putBufferModifiers,
  putExport,
  putFlatAddress,
  putFlatBase,
  putFlatModifiers,
  putGds,
  putImageModifiers,
  putImageRegisters,
  putScalarCache,
  putScalarOffset,
  putScalarOffsetGfx7,
  putShareOffset,
  putShareOffsets,
  putShareSwizzle,
} from './memory.ts';
import { immediateText, NEXT, putOperand, putSeparator, tupleTable } from './operand-text.ts';
import { KIND_MASK, STEP, stepArgument } from './steps.ts';
import type { TextBuffer } from './text-buffer.ts';
import {
  putAttribute,
  putDpp8,
  putDpp16,
  putHighHalf,
  putLaneOpSel,
  putMixOperand,
  putModifiedOperand,
  putOpSel,
  putPackedModifiers,
  putParameter,
  putResultModifiers,
  putSdwaResult,
  putSdwaSource0,
  putSdwaSource1,
} from './vector.ts';

/** Steps of operands that are not plain; the result is what the next operand has in front of it. */
export function writeOperand(
  buffer: TextBuffer,
  step: number,
  separator: number,
  inst: Instruction,
  options: PrintOptions,
): number {
  const kind = step & KIND_MASK;
  if (kind === STEP.LOADED || kind === STEP.STORED) {
    const code = kind === STEP.LOADED ? inst.dst : inst.src3;
    if (code < 0) return separator;
    putOperand(buffer, tupleTable(stepArgument(step) + (inst.flags & FLAG.TFE ? 1 : 0)) + separator + code, 0);
    return NEXT;
  }
  putSeparator(buffer, separator);
  if (kind >= STEP.MODIFIED0 && kind <= STEP.MIX2) putModified(buffer, kind, stepArgument(step), inst);
  else writeOperandLike(buffer, step, inst, options);
  return NEXT;
}

function putModified(buffer: TextBuffer, kind: number, table: number, inst: Instruction): void {
  const isMix = kind >= STEP.MIX0;
  const source = kind - (isMix ? STEP.MIX0 : STEP.MODIFIED0);
  const code = source === 0 ? inst.src0 : source === 1 ? inst.src1 : inst.src2;
  if (isMix) putMixOperand(buffer, table, code, inst, source);
  else putModifiedOperand(buffer, table, code, inst, source);
}

/** Steps that stand among the operands. The separator is written already. */
function writeOperandLike(buffer: TextBuffer, step: number, inst: Instruction, options: PrintOptions): void {
  const imm = inst.imm & 0xffff;
  switch (step & KIND_MASK) {
    case STEP.FIXED_LITERAL:
      buffer.hex(inst.literal);
      return;
    case STEP.PARAMETER:
      putParameter(buffer, inst.src0);
      return;
    case STEP.PROBE:
      buffer.text(immediateText(inst.src2));
      return;
    case STEP.IMMEDIATE:
      buffer.text(immediateText(imm));
      return;
    case STEP.HEX:
      buffer.hex(imm);
      return;
    case STEP.BRANCH:
      putBranch(buffer, inst, options);
      return;
    case STEP.WAIT_COUNTERS:
      putWaitCounters(buffer, imm, options.target);
      return;
    case STEP.DEPENDENCY_COUNTERS:
      buffer.text(depctrText(imm, options.target));
      return;
    case STEP.MESSAGE:
      buffer.text(messageText(imm, options.target));
      return;
    case STEP.HARDWARE_REGISTER:
      putHardwareRegister(buffer, imm, options.target);
      return;
    case STEP.VERSION:
      buffer.text(versionText(imm));
      return;
    case STEP.ATTRIBUTE:
      putAttribute(buffer, inst);
      return;
    case STEP.SCALAR_OFFSET:
      putScalarOffset(buffer, stepArgument(step), inst);
      return;
    case STEP.SCALAR_OFFSET_GFX7:
      putScalarOffsetGfx7(buffer, stepArgument(step), inst);
      return;
    case STEP.BUFFER_ADDRESS:
      putBufferAddress(buffer, inst);
      return;
    case STEP.IMAGE_REGISTERS:
      putImageRegisters(buffer, inst);
      return;
    case STEP.FLAT_ADDRESS:
      putFlatAddress(buffer, stepArgument(step), inst);
      return;
    case STEP.FLAT_BASE:
      putFlatBase(buffer, stepArgument(step), inst);
      return;
  }
}

/** Steps behind the operands. */
export function writeModifiers(buffer: TextBuffer, step: number, inst: Instruction, options: PrintOptions): void {
  switch (step & KIND_MASK) {
    case STEP.OP_SEL:
      putOpSel(buffer, stepArgument(step), inst);
      return;
    case STEP.LANE_OP_SEL:
      putLaneOpSel(buffer, inst);
      return;
    case STEP.RESULT_MODIFIERS:
      putResultModifiers(buffer, inst);
      return;
    case STEP.PACKED_MODIFIERS:
      putPackedModifiers(buffer, stepArgument(step), inst);
      return;
    case STEP.SDWA_RESULT:
      putSdwaResult(buffer, inst);
      return;
    case STEP.SDWA_SRC0:
      putSdwaSource0(buffer, inst);
      return;
    case STEP.SDWA_SRC1:
      putSdwaSource1(buffer, inst);
      return;
    case STEP.DPP16:
      putDpp16(buffer, inst);
      return;
    case STEP.DPP8:
      putDpp8(buffer, inst);
      return;
    case STEP.HIGH_HALF:
      putHighHalf(buffer, inst);
      return;
    case STEP.SCALAR_CACHE:
      putScalarCache(buffer, inst);
      return;
    case STEP.SHARE_OFFSET:
      putShareOffset(buffer, inst);
      return;
    case STEP.SHARE_OFFSETS:
      putShareOffsets(buffer, inst);
      return;
    case STEP.SHARE_SWIZZLE:
      putShareSwizzle(buffer, inst);
      return;
    case STEP.GDS:
      putGds(buffer, inst);
      return;
    case STEP.BUFFER_FORMAT:
      putBufferFormat(buffer, inst, isGfx7(options.target));
      return;
    case STEP.BUFFER_MODIFIERS:
      putBufferModifiers(buffer, inst);
      return;
    case STEP.IMAGE_MODIFIERS:
      putImageModifiers(buffer, inst, isGfx7(options.target));
      return;
    case STEP.FLAT_MODIFIERS:
      putFlatModifiers(buffer, inst);
      return;
    case STEP.EXPORT:
      putExport(buffer, inst, isGfx7(options.target));
      return;
    case STEP.END_CODE:
      putEndCode(buffer, inst.imm);
      return;
  }
}
