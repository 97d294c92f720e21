/**
 * What an instruction does to the program counter, as far as the instruction alone says.
 * Source: RDNA 1 and Sea Islands ISA manuals, program control; branch offsets count dwords from the next instruction.
 */
import { addToAddress, type GuestAddress } from '../../base/guest-address.ts';
import type { Instruction } from '../../isa/instruction.ts';
import { OPERAND } from '../../isa/operands.ts';
import type { BranchCondition } from '../program.ts';

export type InstructionFlow =
  | { readonly kind: 'next' }
  | { readonly kind: 'jump'; readonly target: GuestAddress }
  | { readonly kind: 'branch'; readonly condition: BranchCondition; readonly target: GuestAddress }
  /** s_call_b64. */
  | { readonly kind: 'callRelative'; readonly link: number; readonly target: GuestAddress }
  /** s_swappc_b64; `link` is −1 for null. */
  | { readonly kind: 'callRegister'; readonly link: number; readonly source: number }
  /** s_setpc_b64. */
  | { readonly kind: 'jumpRegister'; readonly source: number }
  | { readonly kind: 'end' }
  /** Control flow that is not followed: trap returns, the fork and join of GFX7, code end. */
  | { readonly kind: 'unsupported'; readonly reason: string };

const NEXT: InstructionFlow = { kind: 'next' };
const END: InstructionFlow = { kind: 'end' };

const CONDITIONS: Readonly<Record<string, BranchCondition>> = {
  s_cbranch_scc0: 'scc0',
  s_cbranch_scc1: 'scc1',
  s_cbranch_vccz: 'vccz',
  s_cbranch_vccnz: 'vccnz',
  s_cbranch_execz: 'execz',
  s_cbranch_execnz: 'execnz',
  s_cbranch_cdbgsys: 'cdbgsys',
  s_cbranch_cdbguser: 'cdbguser',
  s_cbranch_cdbgsys_or_user: 'cdbgsysOrUser',
  s_cbranch_cdbgsys_and_user: 'cdbgsysAndUser',
  s_subvector_loop_begin: 'subvectorLoopBegin',
  s_subvector_loop_end: 'subvectorLoopEnd',
};

export function instructionFlow(instruction: Instruction, address: GuestAddress): InstructionFlow {
  const condition = CONDITIONS[instruction.mnemonic];
  if (condition) return { kind: 'branch', condition, target: branchTarget(instruction, address) };
  switch (instruction.mnemonic) {
    case 's_branch':
      return { kind: 'jump', target: branchTarget(instruction, address) };
    case 's_call_b64':
      return { kind: 'callRelative', link: linkPair(instruction.dst), target: branchTarget(instruction, address) };
    case 's_swappc_b64':
      return { kind: 'callRegister', link: linkPair(instruction.dst), source: instruction.src0 };
    case 's_setpc_b64':
      return { kind: 'jumpRegister', source: instruction.src0 };
    case 's_endpgm':
    case 's_endpgm_saved':
    case 's_endpgm_ordered_ps_done':
      return END;
    case 's_rfe_b64':
      return { kind: 'unsupported', reason: 's_rfe_b64 returns from a trap handler' };
    case 's_cbranch_g_fork':
    case 's_cbranch_i_fork':
    case 's_cbranch_join':
      return { kind: 'unsupported', reason: `${instruction.mnemonic} uses the hardware's branch stack` };
    case 's_code_end':
      return { kind: 'unsupported', reason: 's_code_end: control runs past the end of the code' };
    default:
      return NEXT;
  }
}

/** Address of the instruction after this one. */
export function nextAddress(instruction: Instruction, address: GuestAddress): GuestAddress {
  return addToAddress(address, 4 * instruction.sizeDwords);
}

function branchTarget(instruction: Instruction, address: GuestAddress): GuestAddress {
  return addToAddress(nextAddress(instruction, address), 4 * ((instruction.imm << 16) >> 16));
}

function linkPair(code: number): number {
  return code === OPERAND.NULL ? -1 : code;
}
