/**
 * Vector integer instructions on 32 bits without carry: arithmetic, shifts, bit fields, minimum and maximum.
 *
 * Shift amounts use their low five bits; `rev` forms take the amount first. gfx7's v_add_i32 family has a carry-out and
 * is in valu-carry.ts. Source: Sea Islands, RDNA 1, RDNA 2 ISA manuals, VOP1/VOP2/VOP3 entries.
 */
import type { Handler } from './handler.ts';
import {
  countBits,
  countSignBits,
  findLowestSet,
  multiplyHighSigned,
  multiplyHighUnsigned,
  reverseBits,
} from './salu-32.ts';
import { binary, binaryExact, I32, signed24, ternary, ternaryExact, U32, unary } from './valu-lanes.ts';

function middleUnsigned(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function middleSigned(a: number, b: number, c: number): number {
  return middleUnsigned(a | 0, b | 0, c | 0);
}

/** High half of the 48-bit product of two 24-bit numbers. */
function high24(product: number): number {
  return Math.floor(product / 2 ** 32);
}

export const VALU_INT = {
  v_mov_b32: unary((a) => a),
  v_not_b32: unary((a) => ~a),
  v_bfrev_b32: unary(reverseBits),
  v_ffbh_u32: unary((a) => (a === 0 ? -1 : Math.clz32(a))),
  v_ffbl_b32: unary(findLowestSet),
  v_ffbh_i32: unary(countSignBits),

  v_add_nc_u32: binaryExact((a, b) => a + b, U32),
  v_sub_nc_u32: binaryExact((a, b) => a - b, U32),
  v_subrev_nc_u32: binaryExact((a, b) => b - a, U32),
  v_add_nc_i32: binaryExact((a, b) => (a | 0) + (b | 0), I32),
  v_sub_nc_i32: binaryExact((a, b) => (a | 0) - (b | 0), I32),
  v_mul_i32_i24: binaryExact((a, b) => signed24(a) * signed24(b), I32),
  v_mul_hi_i32_i24: binary((a, b) => high24(signed24(a) * signed24(b))),
  v_mul_u32_u24: binaryExact((a, b) => (a & 0xffffff) * (b & 0xffffff), U32),
  v_mul_hi_u32_u24: binary((a, b) => high24((a & 0xffffff) * (b & 0xffffff))),
  v_mul_lo_u32: binary(Math.imul),
  v_mul_lo_i32: binary(Math.imul),
  v_mul_hi_u32: binary(multiplyHighUnsigned),
  v_mul_hi_i32: binary(multiplyHighSigned),
  v_mad_i32_i24: ternaryExact((a, b, c) => signed24(a) * signed24(b) + (c | 0), I32),
  v_mad_u32_u24: ternaryExact((a, b, c) => (a & 0xffffff) * (b & 0xffffff) + c, U32),

  v_min_i32: binary((a, b) => Math.min(a | 0, b | 0)),
  v_max_i32: binary((a, b) => Math.max(a | 0, b | 0)),
  v_min_u32: binary((a, b) => Math.min(a, b)),
  v_max_u32: binary((a, b) => Math.max(a, b)),
  v_min3_i32: ternary((a, b, c) => Math.min(a | 0, b | 0, c | 0)),
  v_max3_i32: ternary((a, b, c) => Math.max(a | 0, b | 0, c | 0)),
  v_min3_u32: ternary((a, b, c) => Math.min(a, b, c)),
  v_max3_u32: ternary((a, b, c) => Math.max(a, b, c)),
  v_med3_i32: ternary(middleSigned),
  v_med3_u32: ternary(middleUnsigned),

  v_lshr_b32: binary((a, b) => a >>> (b & 31)),
  v_lshrrev_b32: binary((a, b) => b >>> (a & 31)),
  v_ashr_i32: binary((a, b) => a >> (b & 31)),
  v_ashrrev_i32: binary((a, b) => b >> (a & 31)),
  v_lshl_b32: binary((a, b) => a << (b & 31)),
  v_lshlrev_b32: binary((a, b) => b << (a & 31)),

  v_and_b32: binary((a, b) => a & b),
  v_or_b32: binary((a, b) => a | b),
  v_xor_b32: binary((a, b) => a ^ b),
  v_xnor_b32: binary((a, b) => ~(a ^ b)),
  v_and_or_b32: ternary((a, b, c) => (a & b) | c),
  v_or3_b32: ternary((a, b, c) => a | b | c),
  v_xor3_b32: ternary((a, b, c) => a ^ b ^ c),
  v_lshl_or_b32: ternary((a, b, c) => (a << (b & 31)) | c),
  v_lshl_add_u32: ternary((a, b, c) => (a << (b & 31)) + c),
  v_add_lshl_u32: ternary((a, b, c) => (a + b) << (c & 31)),
  v_add3_u32: ternary((a, b, c) => a + b + c),
  v_xad_u32: ternary((a, b, c) => (a ^ b) + c),

  v_bfe_u32: ternary((a, b, c) => (a >>> (b & 31)) & (2 ** (c & 31) - 1)),
  v_bfe_i32: ternary((a, b, c) => {
    const width = c & 31;
    return width === 0 ? 0 : ((a >> (b & 31)) << (32 - width)) >> (32 - width);
  }),
  v_bfi_b32: ternary((a, b, c) => (a & b) | (~a & c)),
  v_bfm_b32: binary((a, b) => ((1 << (a & 31)) - 1) << (b & 31)),
  v_bcnt_u32_b32: binary((a, b) => countBits(a) + b),
  v_alignbit_b32: ternary((a, b, c) => {
    const n = c & 31;
    return n === 0 ? b : (b >>> n) | (a << (32 - n));
  }),
  v_alignbyte_b32: ternary((a, b, c) => {
    const n = (c & 3) * 8;
    return n === 0 ? b : (b >>> n) | (a << (32 - n));
  }),
} satisfies Record<string, Handler>;
