/**
 * Scalar compares (SOPC and SOPK): write SCC and nothing else.
 *
 * SOPK compares read the destination field as first operand; the immediate is sign-extended for signed compares and
 * zero-extended for unsigned ones. Source: Sea Islands and RDNA 1 ISA manuals, "SOPC, SOPK instructions".
 */
import type { Handler } from './handler.ts';
import { scalar32, scalarHigh, scalarLow } from './operands.ts';

type Predicate = (a: number, b: number) => boolean;

function compare(test: Predicate): Handler {
  return (wave, inst) => {
    wave.scc = test(scalar32(wave, inst, inst.src0), scalar32(wave, inst, inst.src1)) ? 1 : 0;
  };
}

function compareSigned(test: Predicate): Handler {
  return compare((a, b) => test(a | 0, b | 0));
}

function compareImmediate(test: Predicate): Handler {
  return (wave, inst) => {
    wave.scc = test(scalar32(wave, inst, inst.dst), inst.imm & 0xffff) ? 1 : 0;
  };
}

function compareImmediateSigned(test: Predicate): Handler {
  return (wave, inst) => {
    wave.scc = test(scalar32(wave, inst, inst.dst) | 0, inst.imm) ? 1 : 0;
  };
}

function bitCompare(wanted: 0 | 1): Handler {
  return compare((a, b) => ((a >>> (b & 31)) & 1) === wanted);
}

function bitCompare64(wanted: 0 | 1): Handler {
  return (wave, inst) => {
    const bit = scalar32(wave, inst, inst.src1) & 63;
    const half = bit < 32 ? scalarLow(wave, inst, inst.src0, 'b64') : scalarHigh(wave, inst, inst.src0, 'b64');
    wave.scc = ((half >>> (bit & 31)) & 1) === wanted ? 1 : 0;
  };
}

const equal64: Handler = (wave, inst) => {
  const low = scalarLow(wave, inst, inst.src0, 'b64') === scalarLow(wave, inst, inst.src1, 'b64');
  const high = scalarHigh(wave, inst, inst.src0, 'b64') === scalarHigh(wave, inst, inst.src1, 'b64');
  wave.scc = low && high ? 1 : 0;
};

const eq: Predicate = (a, b) => a === b;
const lg: Predicate = (a, b) => a !== b;
const gt: Predicate = (a, b) => a > b;
const ge: Predicate = (a, b) => a >= b;
const lt: Predicate = (a, b) => a < b;
const le: Predicate = (a, b) => a <= b;

export const SALU_COMPARE = {
  s_cmp_eq_i32: compareSigned(eq),
  s_cmp_lg_i32: compareSigned(lg),
  s_cmp_gt_i32: compareSigned(gt),
  s_cmp_ge_i32: compareSigned(ge),
  s_cmp_lt_i32: compareSigned(lt),
  s_cmp_le_i32: compareSigned(le),
  s_cmp_eq_u32: compare(eq),
  s_cmp_lg_u32: compare(lg),
  s_cmp_gt_u32: compare(gt),
  s_cmp_ge_u32: compare(ge),
  s_cmp_lt_u32: compare(lt),
  s_cmp_le_u32: compare(le),
  s_bitcmp0_b32: bitCompare(0),
  s_bitcmp1_b32: bitCompare(1),
  s_bitcmp0_b64: bitCompare64(0),
  s_bitcmp1_b64: bitCompare64(1),
  s_cmp_eq_u64: equal64,
  s_cmp_lg_u64: (wave, inst) => {
    equal64(wave, inst);
    wave.scc ^= 1;
  },
  s_cmpk_eq_i32: compareImmediateSigned(eq),
  s_cmpk_lg_i32: compareImmediateSigned(lg),
  s_cmpk_gt_i32: compareImmediateSigned(gt),
  s_cmpk_ge_i32: compareImmediateSigned(ge),
  s_cmpk_lt_i32: compareImmediateSigned(lt),
  s_cmpk_le_i32: compareImmediateSigned(le),
  s_cmpk_eq_u32: compareImmediate(eq),
  s_cmpk_lg_u32: compareImmediate(lg),
  s_cmpk_gt_u32: compareImmediate(gt),
  s_cmpk_ge_u32: compareImmediate(ge),
  s_cmpk_lt_u32: compareImmediate(lt),
  s_cmpk_le_u32: compareImmediate(le),
} satisfies Record<string, Handler>;
