/**
 * Vector moves that choose by mask or by computed register number.
 *
 * v_cndmask takes the second source where the mask bit is set; its sources take float modifiers. Relative moves add M0
 * to register numbers; `_2` and swaprel use M0[9:0] for the source and M0[25:16] for the destination.
 * Source: RDNA 1 ISA manual, "V_CNDMASK_B32", "V_MOVRELD_B32" to "V_SWAPREL_B32".
 */

import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import { beginResult, endResult32, lanesOf, maskHigh, maskLow, sourceB32, sourceF32 } from './operands.ts';
import { maskBit } from './valu-lanes.ts';
import type { Wave } from './wave.ts';

/** Copies active lanes of one register to another. */
function copyLanes(wave: Wave, inst: Instruction, from: Uint32Array, to: Uint32Array): void {
  const lanes = lanesOf(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    to[lane] = from[lane]!;
  }
}

function swapLanes(wave: Wave, inst: Instruction, x: Uint32Array, y: Uint32Array): void {
  const lanes = lanesOf(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const old = x[lane]!;
    x[lane] = y[lane]!;
    y[lane] = old;
  }
}

function m0(wave: Wave): number {
  return wave.sgprs[OPERAND.M0]!;
}

export const VALU_MOVE = {
  v_cndmask_b32: (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const b = sourceF32(wave, inst, 1);
    const low = maskLow(wave, inst, inst.src2);
    const high = maskHigh(wave, inst, inst.src2);
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = maskBit(low, high, lane) ? b[lane]! : a[lane]!;
    }
    endResult32(wave, inst, out, lanes);
  },
  v_movreld_b32: (wave, inst) => copyLanes(wave, inst, sourceB32(wave, inst, 0), wave.vgprOf(inst.dst + m0(wave))),
  v_movrels_b32: (wave, inst) => copyLanes(wave, inst, wave.vgprOf(inst.src0 + m0(wave)), wave.vgprOf(inst.dst)),
  v_movrelsd_b32: (wave, inst) =>
    copyLanes(wave, inst, wave.vgprOf(inst.src0 + m0(wave)), wave.vgprOf(inst.dst + m0(wave))),
  v_movrelsd_2_b32: (wave, inst) => {
    const from = wave.vgprOf(inst.src0 + (m0(wave) & 0x3ff));
    copyLanes(wave, inst, from, wave.vgprOf(inst.dst + ((m0(wave) >>> 16) & 0x3ff)));
  },
  v_swap_b32: (wave, inst) => swapLanes(wave, inst, wave.vgprOf(inst.dst), wave.vgprOf(inst.src0)),
  v_swaprel_b32: (wave, inst) => {
    const x = wave.vgprOf(inst.dst + ((m0(wave) >>> 16) & 0x3ff));
    swapLanes(wave, inst, x, wave.vgprOf(inst.src0 + (m0(wave) & 0x3ff)));
  },
} satisfies Record<string, Handler>;
