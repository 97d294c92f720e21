/**
 * Scalar instructions that combine EXEC with a mask: the saveexec and wrexec families.
 *
 * saveexec: d = EXEC, EXEC = f(source, EXEC), SCC = new EXEC ≠ 0. wrexec writes the new EXEC to d as well.
 * The 32-bit forms touch EXEC_LO only; the 64-bit forms touch both halves whatever the wave size.
 * Source: RDNA 1 ISA manual, "SOP1 instructions".
 */
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import { scalar32, scalarHigh, scalarLow } from './operands.ts';
import { writePair } from './salu-64.ts';

/** s: the source; e: EXEC. */
type Combine = (s: number, e: number) => number;

const { EXEC_LO, EXEC_HI } = OPERAND;

function saveExec32(f: Combine, writesNew = false): Handler {
  return (wave, inst) => {
    const old = wave.sgprs[EXEC_LO]!;
    const next = f(scalar32(wave, inst, inst.src0), old) >>> 0;
    wave.setScalar(inst.dst, writesNew ? next : old);
    wave.sgprs[EXEC_LO] = next;
    wave.scc = next === 0 ? 0 : 1;
  };
}

function saveExec64(f: Combine, writesNew = false): Handler {
  return (wave, inst) => {
    const low = wave.sgprs[EXEC_LO]!;
    const high = wave.sgprs[EXEC_HI]!;
    const nextLow = f(scalarLow(wave, inst, inst.src0, 'b64'), low);
    const nextHigh = f(scalarHigh(wave, inst, inst.src0, 'b64'), high);
    if (writesNew) writePair(wave, inst.dst, nextLow, nextHigh);
    else writePair(wave, inst.dst, low, high);
    wave.sgprs[EXEC_LO] = nextLow;
    wave.sgprs[EXEC_HI] = nextHigh;
    wave.scc = (nextLow | nextHigh) === 0 ? 0 : 1;
  };
}

const and: Combine = (s, e) => s & e;
const or: Combine = (s, e) => s | e;
const xor: Combine = (s, e) => s ^ e;
const andn2: Combine = (s, e) => s & ~e;
const orn2: Combine = (s, e) => s | ~e;
const nand: Combine = (s, e) => ~(s & e);
const nor: Combine = (s, e) => ~(s | e);
const xnor: Combine = (s, e) => ~(s ^ e);
const andn1: Combine = (s, e) => ~s & e;
const orn1: Combine = (s, e) => ~s | e;

export const SALU_EXEC = {
  s_and_saveexec_b32: saveExec32(and),
  s_or_saveexec_b32: saveExec32(or),
  s_xor_saveexec_b32: saveExec32(xor),
  s_andn2_saveexec_b32: saveExec32(andn2),
  s_orn2_saveexec_b32: saveExec32(orn2),
  s_nand_saveexec_b32: saveExec32(nand),
  s_nor_saveexec_b32: saveExec32(nor),
  s_xnor_saveexec_b32: saveExec32(xnor),
  s_andn1_saveexec_b32: saveExec32(andn1),
  s_orn1_saveexec_b32: saveExec32(orn1),
  s_andn1_wrexec_b32: saveExec32(andn1, true),
  s_andn2_wrexec_b32: saveExec32(andn2, true),
  s_and_saveexec_b64: saveExec64(and),
  s_or_saveexec_b64: saveExec64(or),
  s_xor_saveexec_b64: saveExec64(xor),
  s_andn2_saveexec_b64: saveExec64(andn2),
  s_orn2_saveexec_b64: saveExec64(orn2),
  s_nand_saveexec_b64: saveExec64(nand),
  s_nor_saveexec_b64: saveExec64(nor),
  s_xnor_saveexec_b64: saveExec64(xnor),
  s_andn1_saveexec_b64: saveExec64(andn1),
  s_orn1_saveexec_b64: saveExec64(orn1),
  s_andn1_wrexec_b64: saveExec64(andn1, true),
  s_andn2_wrexec_b64: saveExec64(andn2, true),
} satisfies Record<string, Handler>;
