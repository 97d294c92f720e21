/**
 * Scalar instructions on 64 bits: a value is two u32 halves in an even-aligned pair of registers.
 *
 * Both halves of every source are read before the pair is written: source and destination may be the same pair.
 * Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals, "SOP1, SOP2 instructions".
 */
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import { scalar32, scalarHigh, scalarLow } from './operands.ts';
import { countBits, findLowestSet, quadMask, reverseBits, wholeQuads } from './salu-32.ts';
import type { Wave } from './wave.ts';

/** The two halves of the last 64-bit result of the functions below: two numbers without an allocation. */
export const pair = { low: 0, high: 0 };

export function setPair(low: number, high: number): void {
  pair.low = low >>> 0;
  pair.high = high >>> 0;
}

export function writePair(wave: Wave, code: number, low: number, high: number): void {
  if (code === OPERAND.NULL) return;
  wave.sgprs[code] = low;
  wave.sgprs[(code + 1) & 127] = high;
}

export function shiftLeft64(low: number, high: number, amount: number): void {
  const n = amount & 63;
  if (n === 0) setPair(low, high);
  else if (n >= 32) setPair(0, low << (n - 32));
  else setPair(low << n, (high << n) | (low >>> (32 - n)));
}

export function shiftRight64(low: number, high: number, amount: number): void {
  const n = amount & 63;
  if (n === 0) setPair(low, high);
  else if (n >= 32) setPair(high >>> (n - 32), 0);
  else setPair((low >>> n) | (high << (32 - n)), high >>> n);
}

export function shiftRightSigned64(low: number, high: number, amount: number): void {
  const n = amount & 63;
  const sign = high >> 31;
  if (n === 0) setPair(low, high);
  else if (n >= 32) setPair(high >> (n - 32), sign);
  else setPair((low >>> n) | (high << (32 - n)), high >> n);
}

type Bitwise = (a: number, b: number) => number;

/** Half by half; SCC = result ≠ 0. */
function bitwise64(f: Bitwise): Handler {
  return (wave, inst) => {
    const low = f(scalarLow(wave, inst, inst.src0, 'b64'), scalarLow(wave, inst, inst.src1, 'b64'));
    const high = f(scalarHigh(wave, inst, inst.src0, 'b64'), scalarHigh(wave, inst, inst.src1, 'b64'));
    writePair(wave, inst.dst, low, high);
    wave.scc = (low | high) === 0 ? 0 : 1;
  };
}

/** d = f(a, b) through `pair`; b is 32 bits. SCC = d ≠ 0. */
function shift64(f: (low: number, high: number, amount: number) => void, type: 'b64' | 'i64'): Handler {
  return (wave, inst) => {
    f(scalarLow(wave, inst, inst.src0, type), scalarHigh(wave, inst, inst.src0, type), scalar32(wave, inst, inst.src1));
    writePair(wave, inst.dst, pair.low, pair.high);
    wave.scc = (pair.low | pair.high) === 0 ? 0 : 1;
  };
}

function unary64(f: (low: number, high: number) => void, writesScc: boolean, type: 'b64' | 'i64' = 'b64'): Handler {
  return (wave, inst) => {
    f(scalarLow(wave, inst, inst.src0, type), scalarHigh(wave, inst, inst.src0, type));
    writePair(wave, inst.dst, pair.low, pair.high);
    if (writesScc) wave.scc = (pair.low | pair.high) === 0 ? 0 : 1;
  };
}

/** 64 bits in, 32 out. */
function reduce64(f: (low: number, high: number) => number, writesScc: boolean, type: 'b64' | 'i64' = 'b64'): Handler {
  return (wave, inst) => {
    const d = f(scalarLow(wave, inst, inst.src0, type), scalarHigh(wave, inst, inst.src0, type)) >>> 0;
    wave.setScalar(inst.dst, d);
    if (writesScc) wave.scc = d === 0 ? 0 : 1;
  };
}

function findLowest64(low: number, high: number): number {
  if (low !== 0) return findLowestSet(low);
  return high === 0 ? -1 : 32 + findLowestSet(high);
}

function countLeading64(low: number, high: number): number {
  if (high !== 0) return Math.clz32(high);
  return low === 0 ? -1 : 32 + Math.clz32(low);
}

/** S_BFE on 64 bits: offset in bits 5:0, width in 22:16; signed when asked. Leaves the result in `pair`. */
function extract64(low: number, high: number, field: number, signed: boolean): void {
  const offset = field & 63;
  const width = (field >>> 16) & 127;
  if (width === 0) {
    setPair(0, 0);
    return;
  }
  // Move the field to the top, then down again with the wanted fill.
  const above = 64 - offset - width;
  if (above <= 0) {
    if (signed) shiftRightSigned64(low, high, offset);
    else shiftRight64(low, high, offset);
    return;
  }
  shiftLeft64(low, high, above);
  if (signed) shiftRightSigned64(pair.low, pair.high, 64 - width);
  else shiftRight64(pair.low, pair.high, 64 - width);
}

/** A mask of `count` ones from bit 0 (count < 64), in `pair`. */
function ones64(count: number): void {
  if (count >= 32) setPair(0xffffffff, count === 32 ? 0 : 0xffffffff >>> (64 - count));
  else setPair(count === 0 ? 0 : 0xffffffff >>> (32 - count), 0);
}

function setBit64(wave: Wave, inst: Instruction, value: 0 | 1): void {
  const bit = scalar32(wave, inst, inst.src0) & 63;
  if (inst.dst === OPERAND.NULL) return;
  const register = inst.dst + (bit >> 5);
  const mask = 1 << (bit & 31);
  const old = wave.sgprs[register]!;
  wave.sgprs[register] = value ? old | mask : old & ~mask;
}

export const SALU_64 = {
  s_mov_b64: unary64(setPair, false),
  s_cmov_b64: (wave, inst) => {
    if (wave.scc) SALU_64.s_mov_b64(wave, inst);
  },
  s_not_b64: unary64((low, high) => setPair(~low, ~high), true),
  s_wqm_b64: unary64((low, high) => setPair(wholeQuads(low), wholeQuads(high)), true),
  s_quadmask_b64: unary64((low, high) => setPair(quadMask(low) | (quadMask(high) << 8), 0), true),
  s_brev_b64: unary64((low, high) => setPair(reverseBits(high), reverseBits(low)), false),
  s_bcnt0_i32_b64: reduce64((low, high) => 64 - countBits(low) - countBits(high), true),
  s_bcnt1_i32_b64: reduce64((low, high) => countBits(low) + countBits(high), true),
  s_ff0_i32_b64: reduce64((low, high) => findLowest64(~low >>> 0, ~high >>> 0), false),
  s_ff1_i32_b64: reduce64(findLowest64, false),
  s_flbit_i32_b64: reduce64(countLeading64, false),
  s_flbit_i32_i64: reduce64(
    (low, high) => {
      const sign = high >> 31;
      return countLeading64((low ^ sign) >>> 0, (high ^ sign) >>> 0);
    },
    false,
    'i64',
  ),
  s_bitset0_b64: (wave, inst) => setBit64(wave, inst, 0),
  s_bitset1_b64: (wave, inst) => setBit64(wave, inst, 1),
  s_cselect_b64: (wave, inst) => {
    const code = wave.scc ? inst.src0 : inst.src1;
    writePair(wave, inst.dst, scalarLow(wave, inst, code, 'b64'), scalarHigh(wave, inst, code, 'b64'));
  },
  s_and_b64: bitwise64((a, b) => a & b),
  s_or_b64: bitwise64((a, b) => a | b),
  s_xor_b64: bitwise64((a, b) => a ^ b),
  s_andn2_b64: bitwise64((a, b) => a & ~b),
  s_orn2_b64: bitwise64((a, b) => a | ~b),
  s_nand_b64: bitwise64((a, b) => ~(a & b)),
  s_nor_b64: bitwise64((a, b) => ~(a | b)),
  s_xnor_b64: bitwise64((a, b) => ~(a ^ b)),
  s_lshl_b64: shift64(shiftLeft64, 'b64'),
  s_lshr_b64: shift64(shiftRight64, 'b64'),
  s_ashr_i64: shift64(shiftRightSigned64, 'i64'),
  s_bfm_b64: (wave, inst) => {
    ones64(scalar32(wave, inst, inst.src0) & 63);
    shiftLeft64(pair.low, pair.high, scalar32(wave, inst, inst.src1));
    writePair(wave, inst.dst, pair.low, pair.high);
  },
  s_bfe_u64: shift64((low, high, field) => extract64(low, high, field, false), 'b64'),
  s_bfe_i64: shift64((low, high, field) => extract64(low, high, field, true), 'i64'),
} satisfies Record<string, Handler>;
