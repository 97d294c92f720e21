/**
 * Scalar integer instructions on 32 bits (SOP1, SOP2, SOPK), and those that make 64 bits from 32.
 *
 * SCC is the carry, the overflow or "result is not zero", as each manual entry says; instructions without a rule leave it
 * alone. All sources are read before the destination is written. Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals,
 * "SOP2, SOP1, SOPK instructions".
 */
import type { Instruction } from '../isa/instruction.ts';
import type { Handler } from './handler.ts';
import { scalar32 } from './operands.ts';
import type { Wave } from './wave.ts';

type Unary = (a: number) => number;
type Binary = (a: number, b: number) => number;

/** d = f(a); SCC unchanged. */
export function unary32(f: Unary): Handler {
  return (wave, inst) => wave.setScalar(inst.dst, f(scalar32(wave, inst, inst.src0)));
}

/** d = f(a); SCC = d ≠ 0. */
function unary32Scc(f: Unary): Handler {
  return (wave, inst) => {
    const d = f(scalar32(wave, inst, inst.src0)) >>> 0;
    wave.setScalar(inst.dst, d);
    wave.scc = d === 0 ? 0 : 1;
  };
}

function binary32(f: Binary): Handler {
  return (wave, inst) => wave.setScalar(inst.dst, f(scalar32(wave, inst, inst.src0), scalar32(wave, inst, inst.src1)));
}

/** d = f(a, b); SCC = d ≠ 0. */
function binary32Scc(f: Binary): Handler {
  return (wave, inst) => {
    const d = f(scalar32(wave, inst, inst.src0), scalar32(wave, inst, inst.src1)) >>> 0;
    wave.setScalar(inst.dst, d);
    wave.scc = d === 0 ? 0 : 1;
  };
}

/** d = a or b; SCC = a was chosen (strictly). */
function choose32(takesFirst: (a: number, b: number) => boolean): Handler {
  return (wave, inst) => {
    const a = scalar32(wave, inst, inst.src0);
    const b = scalar32(wave, inst, inst.src1);
    const first = takesFirst(a, b);
    wave.setScalar(inst.dst, first ? a : b);
    wave.scc = first ? 1 : 0;
  };
}

/** d = a + b + carry; SCC = carry out of bit 31. */
function addUnsigned(wave: Wave, inst: Instruction, carry: number): void {
  const sum = scalar32(wave, inst, inst.src0) + scalar32(wave, inst, inst.src1) + carry;
  wave.setScalar(inst.dst, sum);
  wave.scc = sum > 0xffffffff ? 1 : 0;
}

/** d = a − b − borrow; SCC = borrow out. */
function subtractUnsigned(wave: Wave, inst: Instruction, borrow: number): void {
  const difference = scalar32(wave, inst, inst.src0) - scalar32(wave, inst, inst.src1) - borrow;
  wave.setScalar(inst.dst, difference);
  wave.scc = difference < 0 ? 1 : 0;
}

function writeSigned(wave: Wave, inst: Instruction, exact: number): void {
  const d = exact | 0;
  wave.setScalar(inst.dst, d);
  wave.scc = d === exact ? 0 : 1;
}

/** d = (a << shift) + b; SCC = the exact sum of the unsigned values does not fit. */
function shiftLeftAdd(shift: number): Handler {
  return (wave, inst) => {
    const sum = scalar32(wave, inst, inst.src0) * 2 ** shift + scalar32(wave, inst, inst.src1);
    wave.setScalar(inst.dst, sum % 2 ** 32);
    wave.scc = sum > 0xffffffff ? 1 : 0;
  };
}

export function countBits(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

export function reverseBits(value: number): number {
  let v = value;
  v = ((v >>> 1) & 0x55555555) | ((v & 0x55555555) << 1);
  v = ((v >>> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >>> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  v = ((v >>> 8) & 0x00ff00ff) | ((v & 0x00ff00ff) << 8);
  return ((v >>> 16) | (v << 16)) >>> 0;
}

/** Position of the lowest set bit, or −1. */
export function findLowestSet(value: number): number {
  return value === 0 ? -1 : 31 - Math.clz32(value & -value);
}

/** Leading bits equal to the sign bit; −1 when all are (0 and −1). */
export function countSignBits(value: number): number {
  const v = (value ^ (value >> 31)) >>> 0;
  return v === 0 ? -1 : Math.clz32(v);
}

/** Each output bit 4i…4i+3 is set when any bit of that group of four is. */
export function wholeQuads(value: number): number {
  let any = value | (value >>> 1);
  any = (any | (any >>> 2)) & 0x11111111;
  return (any * 15) >>> 0;
}

/** One bit per group of four, packed at the bottom. */
export function quadMask(value: number): number {
  let mask = 0;
  for (let quad = 0; quad < 8; quad++) if ((value >>> (4 * quad)) & 15) mask |= 1 << quad;
  return mask;
}

/** S_BFE: offset in bits 4:0, width in 22:16 of `field`. */
export function extractUnsigned(value: number, field: number): number {
  const offset = field & 31;
  const width = (field >>> 16) & 127;
  if (width === 0) return 0;
  const shifted = value >>> offset;
  return width >= 32 ? shifted : shifted & (2 ** width - 1);
}

export function extractSigned(value: number, field: number): number {
  const offset = field & 31;
  const width = (field >>> 16) & 127;
  if (width === 0) return 0;
  if (offset + width >= 32) return (value | 0) >> offset;
  return (value << (32 - offset - width)) >> (32 - width);
}

/** High 32 bits of the unsigned 64-bit product. */
export function multiplyHighUnsigned(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const middle2 = aLow * bHigh + (middle % 65536);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(middle2 / 65536)) >>> 0;
}

export function multiplyHighSigned(a: number, b: number): number {
  let high = multiplyHighUnsigned(a >>> 0, b >>> 0);
  if (a >> 31) high -= b >>> 0;
  if (b >> 31) high -= a >>> 0;
  return high >>> 0;
}

export const SALU_32 = {
  s_mov_b32: unary32((a) => a),
  s_movk_i32: (wave, inst) => wave.setScalar(inst.dst, inst.imm),
  s_cmov_b32: (wave, inst) => {
    if (wave.scc) wave.setScalar(inst.dst, scalar32(wave, inst, inst.src0));
  },
  s_cmovk_i32: (wave, inst) => {
    if (wave.scc) wave.setScalar(inst.dst, inst.imm);
  },
  s_not_b32: unary32Scc((a) => ~a),
  s_wqm_b32: unary32Scc(wholeQuads),
  s_quadmask_b32: unary32Scc(quadMask),
  s_brev_b32: unary32(reverseBits),
  s_bcnt0_i32_b32: unary32Scc((a) => 32 - countBits(a)),
  s_bcnt1_i32_b32: unary32Scc(countBits),
  s_ff0_i32_b32: unary32((a) => findLowestSet(~a)),
  s_ff1_i32_b32: unary32(findLowestSet),
  s_flbit_i32_b32: unary32((a) => (a === 0 ? -1 : Math.clz32(a))),
  s_flbit_i32: unary32(countSignBits),
  s_sext_i32_i8: unary32((a) => (a << 24) >> 24),
  s_sext_i32_i16: unary32((a) => (a << 16) >> 16),
  s_bitset0_b32: (wave, inst) => {
    const bit = scalar32(wave, inst, inst.src0) & 31;
    wave.setScalar(inst.dst, scalar32(wave, inst, inst.dst) & ~(1 << bit));
  },
  s_bitset1_b32: (wave, inst) => {
    const bit = scalar32(wave, inst, inst.src0) & 31;
    wave.setScalar(inst.dst, scalar32(wave, inst, inst.dst) | (1 << bit));
  },
  s_abs_i32: unary32Scc((a) => (a >> 31 ? -a : a)),
  s_bitreplicate_b64_b32: (wave, inst) => {
    const a = scalar32(wave, inst, inst.src0);
    wave.setScalar(inst.dst, doubleBits(a & 0xffff));
    if (inst.dst !== 125) wave.setScalar(inst.dst + 1, doubleBits(a >>> 16));
  },

  s_add_u32: (wave, inst) => addUnsigned(wave, inst, 0),
  s_addc_u32: (wave, inst) => addUnsigned(wave, inst, wave.scc),
  s_sub_u32: (wave, inst) => subtractUnsigned(wave, inst, 0),
  s_subb_u32: (wave, inst) => subtractUnsigned(wave, inst, wave.scc),
  s_add_i32: (wave, inst) =>
    writeSigned(wave, inst, (scalar32(wave, inst, inst.src0) | 0) + (scalar32(wave, inst, inst.src1) | 0)),
  s_sub_i32: (wave, inst) =>
    writeSigned(wave, inst, (scalar32(wave, inst, inst.src0) | 0) - (scalar32(wave, inst, inst.src1) | 0)),
  s_addk_i32: (wave, inst) => writeSigned(wave, inst, (scalar32(wave, inst, inst.dst) | 0) + inst.imm),
  s_mulk_i32: (wave, inst) => wave.setScalar(inst.dst, Math.imul(scalar32(wave, inst, inst.dst), inst.imm)),
  s_min_i32: choose32((a, b) => (a | 0) < (b | 0)),
  s_min_u32: choose32((a, b) => a < b),
  s_max_i32: choose32((a, b) => (a | 0) > (b | 0)),
  s_max_u32: choose32((a, b) => a > b),
  s_cselect_b32: (wave, inst) => wave.setScalar(inst.dst, scalar32(wave, inst, wave.scc ? inst.src0 : inst.src1)),
  s_and_b32: binary32Scc((a, b) => a & b),
  s_or_b32: binary32Scc((a, b) => a | b),
  s_xor_b32: binary32Scc((a, b) => a ^ b),
  s_andn2_b32: binary32Scc((a, b) => a & ~b),
  s_orn2_b32: binary32Scc((a, b) => a | ~b),
  s_nand_b32: binary32Scc((a, b) => ~(a & b)),
  s_nor_b32: binary32Scc((a, b) => ~(a | b)),
  s_xnor_b32: binary32Scc((a, b) => ~(a ^ b)),
  s_lshl_b32: binary32Scc((a, b) => a << (b & 31)),
  s_lshr_b32: binary32Scc((a, b) => a >>> (b & 31)),
  s_ashr_i32: binary32Scc((a, b) => a >> (b & 31)),
  s_bfm_b32: binary32((a, b) => ((1 << (a & 31)) - 1) << (b & 31)),
  s_mul_i32: binary32(Math.imul),
  s_mul_hi_u32: binary32(multiplyHighUnsigned),
  s_mul_hi_i32: binary32(multiplyHighSigned),
  s_bfe_u32: binary32Scc(extractUnsigned),
  s_bfe_i32: binary32Scc(extractSigned),
  // The difference wraps before its absolute value is taken: |0x80000000| stays 0x80000000.
  s_absdiff_i32: binary32Scc((a, b) => {
    const difference = (a - b) | 0;
    return difference < 0 ? -difference : difference;
  }),
  s_lshl1_add_u32: shiftLeftAdd(1),
  s_lshl2_add_u32: shiftLeftAdd(2),
  s_lshl3_add_u32: shiftLeftAdd(3),
  s_lshl4_add_u32: shiftLeftAdd(4),
  s_pack_ll_b32_b16: binary32((a, b) => (a & 0xffff) | (b << 16)),
  s_pack_lh_b32_b16: binary32((a, b) => (a & 0xffff) | (b & 0xffff0000)),
  s_pack_hh_b32_b16: binary32((a, b) => (a >>> 16) | (b & 0xffff0000)),
} satisfies Record<string, Handler>;

/** Each of 16 bits twice. */
function doubleBits(value: number): number {
  let out = 0;
  for (let bit = 0; bit < 16; bit++) if ((value >>> bit) & 1) out |= 3 << (2 * bit);
  return out >>> 0;
}
