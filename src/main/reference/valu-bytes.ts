/**
 * Vector instructions on the bytes of a register: permutes, averages, sums of absolute differences.
 *
 * "Masked" sums (msad, mqsad) skip bytes whose reference byte (second source) is 0. Quad sums slide a window of four
 * bytes over the eight of the first source. Source: Sea Islands ISA manual, "V_SAD_U8" to "V_MQSAD_U32_U8"; RDNA 1
 * manual, "V_PERM_B32"; OpenCL extensions cl_amd_media_ops and cl_amd_media_ops2.
 */
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import { lanesOf, sourceB32, sourceHigh, sourceLow } from './operands.ts';
import { saturate, ternary, ternaryExact, U16, U32 } from './valu-lanes.ts';
import type { Wave } from './wave.ts';

function byteOf(value: number, index: number): number {
  return (value >>> (8 * index)) & 0xff;
}

function sumOfDifferences(a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) sum += Math.abs(byteOf(a, i) - byteOf(b, i));
  return sum;
}

function maskedSum(a: number, reference: number): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    const r = byteOf(reference, i);
    if (r !== 0) sum += Math.abs(byteOf(a, i) - r);
  }
  return sum;
}

/** One result byte of v_perm_b32 from the eight bytes {high, low}. */
function permuteByte(high: number, low: number, select: number): number {
  if (select >= 13) return 0xff;
  if (select === 12) return 0;
  if (select >= 8) {
    const byte = 2 * (select - 8) + 1;
    return byteOf(byte >= 4 ? high : low, byte & 3) & 0x80 ? 0xff : 0;
  }
  return byteOf(select >= 4 ? high : low, select & 3);
}

/** Bytes offset … offset + 3 of the eight bytes {high, low}. */
function window(low: number, high: number, offset: number): number {
  return offset === 0 ? low : ((low >>> (8 * offset)) | (high << (32 - 8 * offset))) >>> 0;
}

type Sum = (a: number, b: number) => number;

/** Four 16-bit sums, each added to its half-word of the third source. */
function quadSums16(sum: Sum): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'b64');
    const aHigh = sourceHigh(wave, inst, 0, 'b64');
    const b = sourceB32(wave, inst, 1);
    const cLow = sourceLow(wave, inst, 2, 'b64');
    const cHigh = sourceHigh(wave, inst, 2, 'b64');
    const lanes = lanesOf(wave, inst);
    const outLow = wave.vgprOf(inst.dst);
    const outHigh = wave.vgprOf(inst.dst + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const low = aLow[lane]!;
      const high = aHigh[lane]!;
      const reference = b[lane]!;
      const add = [cLow[lane]! & 0xffff, cLow[lane]! >>> 16, cHigh[lane]! & 0xffff, cHigh[lane]! >>> 16] as const;
      const part = (k: 0 | 1 | 2 | 3): number => {
        const exact = sum(window(low, high, k), reference) + add[k];
        return inst.clamp ? saturate(exact, U16) : exact & 0xffff;
      };
      outLow[lane] = part(0) | (part(1) << 16);
      outHigh[lane] = part(2) | (part(3) << 16);
    }
  };
}

const results = [0, 0, 0, 0];

/** Four 32-bit masked sums, each added to its dword of the 128-bit third source. */
function quadSums32(wave: Wave, inst: Instruction): void {
  const aLow = sourceLow(wave, inst, 0, 'b64');
  const aHigh = sourceHigh(wave, inst, 0, 'b64');
  const b = sourceB32(wave, inst, 1);
  const lanes = lanesOf(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    for (let k = 0; k < 4; k++) {
      const add = inst.src2 >= OPERAND.VGPR0 ? wave.vgprOf(inst.src2 + k)[lane]! : 0;
      const exact = maskedSum(window(aLow[lane]!, aHigh[lane]!, k), b[lane]!) + add;
      results[k] = inst.clamp ? saturate(exact, U32) : exact;
    }
    for (let k = 0; k < 4; k++) wave.vgprOf(inst.dst + k)[lane] = results[k]!;
  }
}

export const VALU_BYTES = {
  v_perm_b32: ternary((a, b, select) => {
    let out = 0;
    for (let i = 3; i >= 0; i--) out = (out << 8) | permuteByte(a, b, byteOf(select, i));
    return out;
  }),
  v_lerp_u8: ternary((a, b, c) => {
    let out = 0;
    for (let i = 3; i >= 0; i--) out = (out << 8) | ((byteOf(a, i) + byteOf(b, i) + (byteOf(c, i) & 1)) >> 1);
    return out;
  }),
  v_sad_u8: ternaryExact((a, b, c) => sumOfDifferences(a, b) + c, U32),
  v_sad_hi_u8: ternaryExact((a, b, c) => sumOfDifferences(a, b) * 65536 + c, U32),
  v_sad_u16: ternaryExact(
    (a, b, c) => Math.abs((a & 0xffff) - (b & 0xffff)) + Math.abs((a >>> 16) - (b >>> 16)) + c,
    U32,
  ),
  v_sad_u32: ternaryExact((a, b, c) => Math.abs(a - b) + c, U32),
  v_msad_u8: ternaryExact((a, b, c) => maskedSum(a, b) + c, U32),
  v_qsad_pk_u16_u8: quadSums16(sumOfDifferences),
  v_mqsad_pk_u16_u8: quadSums16(maskedSum),
  v_mqsad_u32_u8: quadSums32,
} satisfies Record<string, Handler>;
