/**
 * Instructions → text in LLVM's syntax, exactly as `llvm-mc --disassemble` prints them, so that what is copied from here
 * assembles with other tools and the other way round.
 *
 * Branch targets: LLVM prints the bare 16-bit distance; with `address` and `labelOf` a label is printed instead.
 */
import type { Target, WaveSize } from '../base/dispatch.ts';
import { addToAddress, type GuestAddress } from '../base/guest-address.ts';
import type { Instruction } from './instruction.ts';
import { OPERAND } from './operands.ts';
import { depctrText, hardwareRegisterText, messageText, versionText, waitCounterText } from './print/immediate-text.ts';
import { writeBuffer, writeDs, writeExport, writeFlat, writeImage, writeSmem, writeSmrd } from './print/memory.ts';
import { type ConstantClass, immediateText, type OperandPieces, writeLiteral } from './print/operand-text.ts';
import { type Plan, plansFor } from './print/plan.ts';
import { TextBuffer } from './print/text-buffer.ts';
import { writeDpp, writeE32, writeE64, writeInterpolation, writePacked, writeSdwa } from './print/vector.ts';

export interface PrintOptions {
  readonly target: Target;
  /** gfx10: decides between `vcc_lo` and `vcc` and the like. gfx7 has 64 lanes always. */
  readonly waveSize: WaveSize;
  /** Address of the instruction; with `labelOf`, branch targets are looked up. */
  readonly address?: GuestAddress;
  readonly labelOf?: (target: GuestAddress) => string | undefined;
}

/** Distance in dwords, from the next instruction, of a branch or call; the immediate sign-extended. */
export function branchDistance(inst: Instruction): number {
  return (inst.imm << 16) >> 16;
}

/** Where a branch or call at `address` leads. */
export function branchTarget(inst: Instruction, address: GuestAddress): GuestAddress {
  return addToAddress(address, 4 * (inst.sizeDwords + branchDistance(inst)));
}

function putBranch(buffer: TextBuffer, inst: Instruction, options: PrintOptions): void {
  if (options.labelOf && options.address !== undefined) {
    const label = options.labelOf(branchTarget(inst, options.address));
    if (label !== undefined) {
      buffer.text(label.slice(0, LONGEST_LABEL));
      return;
    }
  }
  buffer.decimal(inst.imm & 0xffff);
}

/** Labels are cut so that one instruction fits the room that `reserve` makes. */
const LONGEST_LABEL = 512;

function putScalar(
  buffer: TextBuffer,
  code: number,
  pieces: OperandPieces,
  constants: ConstantClass,
  inst: Instruction,
  plan: Plan,
  comma: boolean,
): void {
  if (comma) buffer.comma();
  if (code === OPERAND.LITERAL) writeLiteral(buffer, inst.literal, constants, plan.gfx7);
  else pieces.put(buffer, code);
}

/** SOP1, SOP2, SOPC. */
function writeScalar(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  buffer.put(plan.plain);
  if (inst.dst >= 0) plan.dst.put(buffer, inst.dst);
  if (inst.src0 < 0) return;
  putScalar(buffer, inst.src0, plan.src0, plan.class0, inst, plan, inst.dst >= 0);
  if (inst.src1 >= 0) putScalar(buffer, inst.src1, plan.src1, plan.class1, inst, plan, true);
}

function writeSopk(buffer: TextBuffer, plan: Plan, inst: Instruction, options: PrintOptions): void {
  const imm = inst.imm & 0xffff;
  buffer.put(plan.plain);
  switch (plan.shape.row.imm) {
    case 'hwreg': {
      const place = hardwareRegisterText(imm, options.target);
      if (plan.shape.mnemonic === 's_getreg_b32') {
        plan.dst.put(buffer, inst.dst);
        buffer.comma();
        buffer.text(place);
        return;
      }
      buffer.text(place);
      if (inst.dst >= 0) plan.dst.putNext(buffer, inst.dst);
      else putScalar(buffer, OPERAND.LITERAL, plan.src0, 'b32', inst, plan, true);
      return;
    }
    case 'branch':
      plan.dst.put(buffer, inst.dst);
      buffer.comma();
      putBranch(buffer, inst, options);
      return;
    case 'version':
      buffer.text(versionText(imm));
      return;
    default:
      plan.dst.put(buffer, inst.dst);
      buffer.comma();
      buffer.hex(imm);
  }
}

function writeSopp(buffer: TextBuffer, plan: Plan, inst: Instruction, options: PrintOptions): void {
  const { imm } = inst;
  const kind = plan.shape.row.imm;
  if (kind === 'none' || (kind === 'end' && imm === 0)) {
    buffer.put(plan.bare);
    return;
  }
  buffer.put(plan.plain);
  switch (kind) {
    case 'end':
      buffer.decimal(imm);
      return;
    case 'branch':
      putBranch(buffer, inst, options);
      return;
    case 'waitcnt':
      buffer.text(waitCounterText(imm, options.target));
      return;
    case 'depctr':
      buffer.text(depctrText(imm, options.target));
      return;
    case 'sendmsg':
      buffer.text(messageText(imm, options.target));
      return;
    case 'hex':
      buffer.hex(imm);
      return;
    default:
      buffer.text(immediateText(imm));
  }
}

function writeVector(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  switch (inst.encoding) {
    case 'e64':
      writeE64(buffer, plan, inst);
      return;
    case 'sdwa':
      writeSdwa(buffer, plan, inst);
      return;
    case 'dpp16':
    case 'dpp8':
      writeDpp(buffer, plan, inst);
      return;
    default:
      writeE32(buffer, plan, inst);
  }
}

/** Appends the text of one instruction: for long listings, where a string per instruction would cost most of the time. */
export function writeInstruction(buffer: TextBuffer, inst: Instruction, options: PrintOptions): void {
  const plan = plansFor(options.target, options.waveSize).get(inst.op);
  buffer.reserve();
  switch (plan.format) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
      writeScalar(buffer, plan, inst);
      return;
    case 'SOPK':
      writeSopk(buffer, plan, inst, options);
      return;
    case 'SOPP':
      writeSopp(buffer, plan, inst, options);
      return;
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3':
    case 'VOP3B':
      writeVector(buffer, plan, inst);
      return;
    case 'VOP3P':
      writePacked(buffer, plan, inst);
      return;
    case 'VINTRP':
      if (inst.encoding === 'e64') writeE64(buffer, plan, inst);
      else writeInterpolation(buffer, plan, inst);
      return;
    case 'SMEM':
      writeSmem(buffer, plan, inst);
      return;
    case 'SMRD':
      writeSmrd(buffer, plan, inst);
      return;
    case 'DS':
      writeDs(buffer, plan, inst);
      return;
    case 'MUBUF':
    case 'MTBUF':
      writeBuffer(buffer, plan, inst);
      return;
    case 'MIMG':
      writeImage(buffer, plan, inst);
      return;
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      writeFlat(buffer, plan, inst);
      return;
    case 'EXP':
      writeExport(buffer, plan, inst);
      return;
  }
}

const scratch = new TextBuffer();

export function printInstruction(inst: Instruction, options: PrintOptions): string {
  scratch.clear();
  writeInstruction(scratch, inst, options);
  return scratch.toString();
}

export { TextBuffer };
