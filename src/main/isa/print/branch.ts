/** Branch targets: LLVM prints the bare 16-bit distance; with an address and names, a label. */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { addToAddress, type GuestAddress } from '../../base/guest-address.ts';
import type { Instruction } from '../instruction.ts';
import type { TextBuffer } from './text-buffer.ts';

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

/** Labels are cut so that one instruction fits the room that `reserve` makes. */
const LONGEST_LABEL = 512;

export function putBranch(buffer: TextBuffer, inst: Instruction, options: PrintOptions): void {
  if (options.labelOf && options.address !== undefined) {
    const label = options.labelOf(branchTarget(inst, options.address));
    if (label !== undefined) {
      buffer.text(label.slice(0, LONGEST_LABEL));
      return;
    }
  }
  buffer.decimal(inst.imm & 0xffff);
}
