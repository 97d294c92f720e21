/**
 * Vector integer instructions on 16 bits (gfx10, VOP3 only): op_sel picks halves, the other half of the destination is
 * kept. Two of them multiply 16-bit numbers into a 32-bit sum. Source: RDNA 1 ISA manual, "VOP3A instructions".
 */
import type { Handler } from './handler.ts';
import { beginResult, endResult32, lanesOf, sourceB16, sourceB32 } from './operands.ts';
import {
  binary16,
  binary16Exact,
  I16,
  I32,
  type Lane3,
  type Range,
  saturate,
  signed16,
  ternary16,
  ternary16Exact,
  U16,
  U32,
} from './valu-lanes.ts';

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Two 16-bit factors, a 32-bit addend. */
function wideMultiplyAdd(f: Lane3, range: Range): Handler {
  return (wave, inst) => {
    const a = sourceB16(wave, inst, 0);
    const b = sourceB16(wave, inst, 1);
    const c = sourceB32(wave, inst, 2);
    const lanes = lanesOf(wave, inst);
    const out = beginResult(wave, inst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const exact = f(a[lane]!, b[lane]!, c[lane]!);
      out[lane] = inst.clamp ? saturate(exact, range) : exact;
    }
    endResult32(wave, inst, out, lanes);
  };
}

const s = signed16;

export const VALU_INT_16 = {
  v_add_nc_u16: binary16Exact((a, b) => a + b, U16),
  v_sub_nc_u16: binary16Exact((a, b) => a - b, U16),
  v_add_nc_i16: binary16Exact((a, b) => s(a) + s(b), I16),
  v_sub_nc_i16: binary16Exact((a, b) => s(a) - s(b), I16),
  v_mul_lo_u16: binary16Exact((a, b) => a * b, U16),
  v_mad_u16: ternary16Exact((a, b, c) => a * b + c, U16),
  v_mad_i16: ternary16Exact((a, b, c) => s(a) * s(b) + s(c), I16),
  v_lshlrev_b16: binary16((a, b) => b << (a & 15)),
  v_lshrrev_b16: binary16((a, b) => b >>> (a & 15)),
  v_ashrrev_i16: binary16((a, b) => s(b) >> (a & 15)),
  v_max_u16: binary16((a, b) => Math.max(a, b)),
  v_min_u16: binary16((a, b) => Math.min(a, b)),
  v_max_i16: binary16((a, b) => Math.max(s(a), s(b))),
  v_min_i16: binary16((a, b) => Math.min(s(a), s(b))),
  v_min3_u16: ternary16((a, b, c) => Math.min(a, b, c)),
  v_max3_u16: ternary16((a, b, c) => Math.max(a, b, c)),
  v_med3_u16: ternary16(middle),
  v_min3_i16: ternary16((a, b, c) => Math.min(s(a), s(b), s(c))),
  v_max3_i16: ternary16((a, b, c) => Math.max(s(a), s(b), s(c))),
  v_med3_i16: ternary16((a, b, c) => middle(s(a), s(b), s(c))),
  v_mad_u32_u16: wideMultiplyAdd((a, b, c) => a * b + c, U32),
  v_mad_i32_i16: wideMultiplyAdd((a, b, c) => s(a) * s(b) + (c | 0), I32),
} satisfies Record<string, Handler>;
