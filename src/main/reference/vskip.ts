/**
 * gfx7's VSKIP mode: vector instructions are skipped as if they were not there, scalar ones run.
 * Source: Sea Islands ISA manual, "VSKIP": skips VALU, memory, LDS and export instructions; not for use on gfx10.
 */
import type { Format, Instruction } from '../isa/instruction.ts';
import type { Wave } from './wave.ts';

const VECTOR: Readonly<Record<Format, boolean>> = {
  SOP1: false,
  SOP2: false,
  SOPC: false,
  SOPK: false,
  SOPP: false,
  SMEM: false,
  SMRD: false,
  VOP1: true,
  VOP2: true,
  VOPC: true,
  VOP3: true,
  VOP3B: true,
  VOP3P: true,
  VINTRP: true,
  DS: true,
  MUBUF: true,
  MTBUF: true,
  MIMG: true,
  FLAT: true,
  GLOBAL: true,
  SCRATCH: true,
  EXP: true,
};

export function isSkippedByVskip(wave: Wave, inst: Instruction): boolean {
  return !wave.gfx10 && VECTOR[inst.format];
}
