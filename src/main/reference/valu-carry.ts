/**
 * Vector additions and subtractions with carry or borrow in masks.
 *
 * The carry-out mask (VCC or the SGPRs of VOP3B) gets 0 for lanes that are not active. It is written after all lanes,
 * so carry-in and carry-out may be one register. clamp saturates the result, not the mask.
 * Source: RDNA 1 ISA manual, "V_ADD_CO_CI_U32"; Sea Islands manual, "V_ADD_I32", "V_ADDC_U32".
 */
import type { Handler } from './handler.ts';
import { beginResult, endResult32, lanesOf, maskHigh, maskLow, sourceB32 } from './operands.ts';
import { clearMaskBits, maskBit, saturate, setMaskBit, U32, writeMaskBits } from './valu-lanes.ts';

/** The exact result; outside 0 … 2^32 − 1 means carry or borrow. */
type WithCarry = (a: number, b: number, carry: number) => number;

function carrying(f: WithCarry, readsCarry: boolean): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const b = sourceB32(wave, inst, 1);
    const low = readsCarry ? maskLow(wave, inst, inst.src2) : 0;
    const high = readsCarry ? maskHigh(wave, inst, inst.src2) : 0;
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const exact = f(a[lane]!, b[lane]!, maskBit(low, high, lane));
      if (exact < 0 || exact > 0xffffffff) setMaskBit(lane);
      out[lane] = inst.clamp ? saturate(exact, U32) : exact;
    }
    endResult32(wave, inst, out, lanes);
    writeMaskBits(wave, inst.sdst);
  };
}

const add: WithCarry = (a, b, carry) => a + b + carry;
const subtract: WithCarry = (a, b, borrow) => a - b - borrow;
const subtractReversed: WithCarry = (a, b, borrow) => b - a - borrow;

export const VALU_CARRY = {
  v_add_co_u32: carrying(add, false),
  v_sub_co_u32: carrying(subtract, false),
  v_subrev_co_u32: carrying(subtractReversed, false),
  v_add_co_ci_u32: carrying(add, true),
  v_sub_co_ci_u32: carrying(subtract, true),
  v_subrev_co_ci_u32: carrying(subtractReversed, true),
  v_add_i32: carrying(add, false),
  v_sub_i32: carrying(subtract, false),
  v_subrev_i32: carrying(subtractReversed, false),
  v_addc_u32: carrying(add, true),
  v_subb_u32: carrying(subtract, true),
  v_subbrev_u32: carrying(subtractReversed, true),
} satisfies Record<string, Handler>;
