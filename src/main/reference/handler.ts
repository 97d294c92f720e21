/**
 * What an instruction class file exports: one handler per mnemonic, or an explicit reason why there is none.
 *
 * A handler runs one instruction on one wave: it reads operands through operands.ts, loops over the active lanes and
 * writes registers. It never throws for guest mistakes; faults and unsupported forms go to `wave.machine`.
 * `wave.pc` already holds the address of the next instruction: control flow overwrites it.
 *
 *   const v_not_b32: Handler = (wave, inst) => {
 *     const a = sourceB32(wave, inst, 0);
 *     const lanes = lanesOf(wave, inst);            // after the sources: DPP may switch lanes off
 *     const out = beginResult(wave, inst);
 *     for (let i = 0; i < lanes.count; i++) { const lane = lanes.at[i]!; out[lane] = ~a[lane]!; }
 *     endResult32(wave, inst, out, lanes);
 *   };
 */
import type { Instruction } from '../isa/instruction.ts';
import type { Wave } from './wave.ts';

export type Handler = (wave: Wave, inst: Instruction) => void;

export interface Unsupported {
  readonly unsupported: string;
}

/** Marks a mnemonic that this engine does not execute, with the reason that the user is told. */
export function unsupported(reason: string): Unsupported {
  return { unsupported: reason };
}

export function isUnsupported(entry: Handler | Unsupported): entry is Unsupported {
  return typeof entry !== 'function';
}
