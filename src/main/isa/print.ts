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
import { bufferText, dsText, exportText, flatText, imageText, smemText, smrdText } from './print/memory.ts';
import { hexText, immediateText, literalText } from './print/operand-text.ts';
import { type Plan, plansFor } from './print/plan.ts';
import { dppText, e32Text, e64Text, interpolationText, packedText, sdwaText } from './print/vector.ts';
import { isGfx7 } from './tables/index.ts';

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

function branchText(inst: Instruction, options: PrintOptions): string {
  if (options.labelOf && options.address !== undefined) {
    const label = options.labelOf(branchTarget(inst, options.address));
    if (label !== undefined) return label;
  }
  return String(inst.imm & 0xffff);
}

function scalarSource(
  code: number,
  table: readonly string[],
  constants: Plan['class0'],
  inst: Instruction,
  gfx7: boolean,
) {
  return code === OPERAND.LITERAL ? literalText(inst.literal, constants, gfx7) : table[code]!;
}

/** SOP1, SOP2, SOPC. */
function scalarText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  let text = plan.plain;
  if (inst.dst >= 0) text += plan.dst[inst.dst];
  if (inst.src0 < 0) return text;
  if (inst.dst >= 0) text += ', ';
  text += scalarSource(inst.src0, plan.src0, plan.class0, inst, gfx7);
  return inst.src1 < 0 ? text : `${text}, ${scalarSource(inst.src1, plan.src1, plan.class1, inst, gfx7)}`;
}

function sopkText(plan: Plan, inst: Instruction, options: PrintOptions): string {
  const imm = inst.imm & 0xffff;
  const { row } = plan.shape;
  const register = inst.dst >= 0 ? plan.dst[inst.dst] : '';
  switch (row.imm) {
    case 'hwreg': {
      const place = hardwareRegisterText(imm, options.target);
      if (plan.shape.mnemonic === 's_getreg_b32') return `${plan.plain}${register}, ${place}`;
      return `${plan.plain}${place}, ${inst.dst >= 0 ? register : literalText(inst.literal, 'b32', isGfx7(options.target))}`;
    }
    case 'branch':
      return `${plan.plain}${register}, ${branchText(inst, options)}`;
    case 'version':
      return plan.plain + versionText(imm);
    default:
      return `${plan.plain}${register}, ${hexText(imm)}`;
  }
}

function soppText(plan: Plan, inst: Instruction, options: PrintOptions): string {
  const { imm } = inst;
  switch (plan.shape.row.imm) {
    case 'none':
      return plan.shape.mnemonic;
    case 'end':
      return imm ? plan.plain + imm : plan.shape.mnemonic;
    case 'branch':
      return plan.plain + branchText(inst, options);
    case 'waitcnt':
      return plan.plain + waitCounterText(imm, options.target);
    case 'depctr':
      return plan.plain + depctrText(imm, options.target);
    case 'sendmsg':
      return plan.plain + messageText(imm, options.target);
    case 'hex':
      return plan.plain + hexText(imm);
    default:
      return plan.plain + immediateText(imm);
  }
}

function vectorText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  switch (inst.encoding) {
    case 'e64':
      return e64Text(plan, inst, gfx7);
    case 'sdwa':
      return sdwaText(plan, inst, gfx7);
    case 'dpp16':
    case 'dpp8':
      return dppText(plan, inst, gfx7);
    default:
      return e32Text(plan, inst, gfx7);
  }
}

export function printInstruction(inst: Instruction, options: PrintOptions): string {
  const gfx7 = isGfx7(options.target);
  const plan = plansFor(options.target, gfx7 ? 64 : options.waveSize)[inst.op]!;
  switch (inst.format) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
      return scalarText(plan, inst, gfx7);
    case 'SOPK':
      return sopkText(plan, inst, options);
    case 'SOPP':
      return soppText(plan, inst, options);
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3':
    case 'VOP3B':
      return vectorText(plan, inst, gfx7);
    case 'VOP3P':
      return packedText(plan, inst, gfx7);
    case 'VINTRP':
      return inst.encoding === 'e64' ? e64Text(plan, inst, gfx7) : interpolationText(plan, inst);
    case 'SMEM':
      return smemText(plan, inst);
    case 'SMRD':
      return smrdText(plan, inst);
    case 'DS':
      return dsText(plan, inst);
    case 'MUBUF':
    case 'MTBUF':
      return bufferText(plan, inst, gfx7);
    case 'MIMG':
      return imageText(plan, inst, gfx7);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return flatText(plan, inst, gfx7);
    case 'EXP':
      return exportText(inst);
  }
}
