/**
 * Branches and calls. Targets of relative branches count from the next instruction, in dwords.
 *
 * Link and s_getpc values are the address of the next instruction, sign-extended from bit 47. The target of a call is
 * read before the link is written, so source and destination may be one pair; a link to NULL is a plain jump. Calls
 * leave SCC and EXEC alone. Source: RDNA 1 and Sea Islands ISA manuals, "Program flow control", SOP1/SOPK/SOPP entries.
 */
import {
  addressFromHalves,
  addressHigh32,
  addressLow32,
  addToAddress,
  type GuestAddress,
} from '../base/guest-address.ts';
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import { type Handler, unsupported } from './handler.ts';
import { scalar32, scalarHigh, scalarLow } from './operands.ts';
import { countBits } from './salu-32.ts';
import { writePair } from './salu-64.ts';
import type { Wave } from './wave.ts';

const { EXEC_LO, EXEC_HI } = OPERAND;

function relativeTarget(wave: Wave, inst: Instruction): GuestAddress {
  return addToAddress(wave.pc, 4 * ((inst.imm << 16) >> 16));
}

function pairAddress(wave: Wave, inst: Instruction, code: number): GuestAddress {
  return addressFromHalves(scalarLow(wave, inst, code, 'b64'), scalarHigh(wave, inst, code, 'b64'));
}

function writeLink(wave: Wave, code: number): void {
  writePair(wave, code, addressLow32(wave.pc), addressHigh32(wave.pc));
}

function branchIf(condition: (wave: Wave) => boolean): Handler {
  return (wave, inst) => {
    if (condition(wave)) wave.pc = relativeTarget(wave, inst);
  };
}

/** No debugger is attached to the guest: its condition bits are 0. */
const neverTaken: Handler = () => {};

/**
 * gfx7 divergent branch: runs the smaller side first and parks the other on a stack in SGPRs at 4 · CSP:
 * {EXEC low, EXEC high, PC low, PC high}. CSP is MODE[31:29].
 */
function fork(wave: Wave, mask: readonly [number, number], target: GuestAddress): void {
  const s = wave.sgprs;
  const passLow = mask[0] & s[EXEC_LO]!;
  const passHigh = mask[1] & s[EXEC_HI]!;
  const failLow = ~mask[0] & s[EXEC_LO]!;
  const failHigh = ~mask[1] & s[EXEC_HI]!;
  if ((failLow | failHigh) === 0) {
    wave.pc = target;
    return;
  }
  if ((passLow | passHigh) === 0) return;
  const failFirst = countBits(failLow) + countBits(failHigh) < countBits(passLow) + countBits(passHigh);
  const parkedPc = failFirst ? target : wave.pc;
  const slot = 4 * (wave.mode >>> 29);
  s[slot] = failFirst ? passLow : failLow;
  s[slot + 1] = failFirst ? passHigh : failHigh;
  s[slot + 2] = addressLow32(parkedPc);
  s[slot + 3] = addressHigh32(parkedPc);
  s[EXEC_LO] = failFirst ? failLow : passLow;
  s[EXEC_HI] = failFirst ? failHigh : passHigh;
  wave.mode = (wave.mode + 2 ** 29) >>> 0;
  if (!failFirst) wave.pc = target;
}

export const BRANCH = {
  s_branch: (wave, inst) => {
    wave.pc = relativeTarget(wave, inst);
  },
  s_cbranch_scc0: branchIf((wave) => wave.scc === 0),
  s_cbranch_scc1: branchIf((wave) => wave.scc !== 0),
  s_cbranch_vccz: branchIf((wave) => wave.vccIsZero),
  s_cbranch_vccnz: branchIf((wave) => !wave.vccIsZero),
  s_cbranch_execz: branchIf((wave) => wave.execIsZero),
  s_cbranch_execnz: branchIf((wave) => !wave.execIsZero),
  s_cbranch_cdbgsys: neverTaken,
  s_cbranch_cdbguser: neverTaken,
  s_cbranch_cdbgsys_or_user: neverTaken,
  s_cbranch_cdbgsys_and_user: neverTaken,

  s_getpc_b64: (wave, inst) => writeLink(wave, inst.dst),
  s_setpc_b64: (wave, inst) => {
    wave.pc = pairAddress(wave, inst, inst.src0);
  },
  s_swappc_b64: (wave, inst) => {
    const target = pairAddress(wave, inst, inst.src0);
    writeLink(wave, inst.dst);
    wave.pc = target;
  },
  s_call_b64: (wave, inst) => {
    const target = relativeTarget(wave, inst);
    writeLink(wave, inst.dst);
    wave.pc = target;
  },
  s_rfe_b64: unsupported('it returns from a trap handler, and no trap handler runs'),

  // Wave64 as two passes over one half each; the parked half of EXEC is in the destination register.
  s_subvector_loop_begin: (wave, inst) => {
    const s = wave.sgprs;
    if (s[EXEC_LO] === 0 && s[EXEC_HI] === 0) wave.pc = relativeTarget(wave, inst);
    else if (s[EXEC_LO] === 0) wave.setScalar(inst.dst, 0);
    else {
      wave.setScalar(inst.dst, s[EXEC_HI]!);
      s[EXEC_HI] = 0;
    }
  },
  s_subvector_loop_end: (wave, inst) => {
    const s = wave.sgprs;
    const parked = scalar32(wave, inst, inst.dst);
    if (s[EXEC_HI] !== 0) s[EXEC_LO] = parked;
    else if (parked !== 0) {
      s[EXEC_HI] = parked;
      wave.setScalar(inst.dst, s[EXEC_LO]!);
      s[EXEC_LO] = 0;
      wave.pc = relativeTarget(wave, inst);
    }
  },

  s_cbranch_g_fork: (wave, inst) => {
    const mask = [scalarLow(wave, inst, inst.src0, 'b64'), scalarHigh(wave, inst, inst.src0, 'b64')] as const;
    fork(wave, mask, pairAddress(wave, inst, inst.src1));
  },
  s_cbranch_i_fork: (wave, inst) => {
    const mask = [scalarLow(wave, inst, inst.dst, 'b64'), scalarHigh(wave, inst, inst.dst, 'b64')] as const;
    fork(wave, mask, relativeTarget(wave, inst));
  },
  s_cbranch_join: (wave, inst) => {
    const csp = wave.mode >>> 29;
    if (csp === scalar32(wave, inst, inst.src0)) return;
    const top = csp - 1;
    const s = wave.sgprs;
    const slot = 4 * (top & 7);
    wave.mode = ((wave.mode & 0x1fffffff) | ((top & 7) << 29)) >>> 0;
    s[EXEC_LO] = s[slot]!;
    s[EXEC_HI] = s[slot + 1]!;
    wave.pc = addressFromHalves(s[slot + 2]!, s[slot + 3]!);
  },
} satisfies Record<string, Handler | ReturnType<typeof unsupported>>;
