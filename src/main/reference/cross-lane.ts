/**
 * Instructions that read other lanes: readlane, writelane, mbcnt, permlane16, and the DS unit's swizzle and permutes.
 *
 * readlane and writelane ignore EXEC; readfirstlane takes the first active lane, lane 0 when EXEC is 0. mbcnt counts
 * mask bits of the lanes below. The DS moves read 0 from lanes that EXEC switches off. On gfx10 permute and bpermute
 * stay inside each half of 32 lanes in wave64. ds_permute: the highest-numbered source lane wins, lanes that nobody
 * writes get 0. Source: RDNA 1 and 2 ISA manuals, "V_PERMLANE16_B32", "DS_PERMUTE_B32", "DS_BPERMUTE_B32"; Vega and
 * later manuals, pseudocode of "DS_SWIZZLE_B32".
 */
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import { lanesOf, scalar32, sourceB32 } from './operands.ts';
import { countBits, reverseBits } from './salu-32.ts';
import type { Wave } from './wave.ts';

/** Source values, taken before the destination (perhaps the same register) is written. */
const COPY = new Uint32Array(64);

function copySource(wave: Wave, from: Uint32Array): void {
  for (let lane = 0; lane < wave.waveSize; lane++) COPY[lane] = from[lane]!;
}

/** v_mbcnt adds the mask bits of lanes below; each half counts 32 lanes. */
function maskedBitCount(firstLane: 0 | 32): Handler {
  return (wave, inst) => {
    const mask = sourceB32(wave, inst, 0);
    const add = sourceB32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const position = lane - firstLane;
      const below = position <= 0 ? 0 : position >= 32 ? 0xffffffff : 2 ** position - 1;
      out[lane] = countBits((mask[lane]! & below) >>> 0) + add[lane]!;
    }
  };
}

/** Lane selects: 16 nibbles, src1 for lanes 0…7 of a row, src2 for 8…15. `otherRow` reads the other row of a pair. */
function permlane16(otherRow: boolean): Handler {
  return (wave, inst) => {
    copySource(wave, sourceB32(wave, inst, 0));
    const low = scalar32(wave, inst, inst.src1);
    const high = scalar32(wave, inst, inst.src2);
    // op_sel[0] is FI (fetch inactive lanes), op_sel[1] BOUND_CTRL (0 instead of keeping the old value).
    const fetchInactive = (inst.opSel & 1) !== 0;
    const boundControl = (inst.opSel & 2) !== 0;
    const out = wave.vgprOf(inst.dst);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const column = lane & 15;
      const select = ((column < 8 ? low : high) >>> (4 * (column & 7))) & 15;
      const row = lane & 0x30;
      const source = (otherRow ? row ^ 16 : row) | select;
      if (fetchInactive || wave.isActive(source)) out[lane] = COPY[source]!;
      else if (boundControl) out[lane] = 0;
    }
  };
}

/** The lane that `lane` reads under a ds_swizzle offset. Rotate and FFT modes exist from gfx9 on. */
export function swizzleSource(offset: number, lane: number, gfx10: boolean): number {
  const half = lane & 32;
  const i = lane & 31;
  const mask = offset & 31;
  if (gfx10 && offset >= 0xe000) return half | ((reverseBits(i) >>> 27) >>> countBits(mask)) | (i & mask);
  if (gfx10 && offset >= 0xc000) {
    const amount = (offset >>> 5) & 31;
    const rotate = (offset >>> 10) & 1 ? -amount : amount;
    return half | (i & mask) | ((i + rotate) & 31 & ~mask);
  }
  if (offset & 0x8000) return (lane & ~3) | ((offset >>> (2 * (lane & 3))) & 3);
  return half | (((i & mask) | ((offset >>> 5) & 31)) ^ ((offset >>> 10) & 31));
}

const swizzle: Handler = (wave, inst) => {
  copySource(wave, wave.vgprOf(inst.src0));
  const out = wave.vgprOf(inst.dst);
  const lanes = wave.lanes();
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const source = swizzleSource(inst.imm & 0xffff, lane, wave.gfx10);
    out[lane] = wave.isActive(source) ? COPY[source]! : 0;
  }
};

/** The lane that an address in src0 names, inside the half of the wave that `lane` is in. */
function permuteLane(inst: Instruction, address: number, lane: number): number {
  return (lane & 32) | (((address + (inst.imm & 0xffff)) >>> 2) & 31);
}

const permute: Handler = (wave, inst) => {
  const address = wave.vgprOf(inst.src0);
  const data = wave.vgprOf(inst.src1);
  const lanes = wave.lanes();
  COPY.fill(0);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    COPY[permuteLane(inst, address[lane]!, lane)] = data[lane]!;
  }
  const out = wave.vgprOf(inst.dst);
  for (let i = 0; i < lanes.count; i++) out[lanes.at[i]!] = COPY[lanes.at[i]!]!;
};

const backwardPermute: Handler = (wave, inst) => {
  const address = wave.vgprOf(inst.src0);
  copySource(wave, wave.vgprOf(inst.src1));
  const out = wave.vgprOf(inst.dst);
  const lanes = wave.lanes();
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const source = permuteLane(inst, address[lane]!, lane);
    out[lane] = wave.isActive(source) ? COPY[source]! : 0;
  }
};

/** One lane of a vector source; a scalar source is the same in every lane. */
function laneOf(wave: Wave, inst: Instruction, lane: number): number {
  return inst.src0 >= OPERAND.VGPR0 ? wave.vgprOf(inst.src0)[lane]! : scalar32(wave, inst, inst.src0);
}

export const CROSS_LANE = {
  v_readfirstlane_b32: (wave, inst) => {
    const lanes = wave.lanes();
    wave.setScalar(inst.dst, laneOf(wave, inst, lanes.count > 0 ? lanes.at[0]! : 0));
  },
  v_readlane_b32: (wave, inst) => {
    const lane = scalar32(wave, inst, inst.src1) & (wave.waveSize - 1);
    wave.setScalar(inst.dst, laneOf(wave, inst, lane));
  },
  v_writelane_b32: (wave, inst) => {
    const lane = scalar32(wave, inst, inst.src1) & (wave.waveSize - 1);
    wave.vgprOf(inst.dst)[lane] = scalar32(wave, inst, inst.src0);
  },
  v_mbcnt_lo_u32_b32: maskedBitCount(0),
  v_mbcnt_hi_u32_b32: maskedBitCount(32),
  v_permlane16_b32: permlane16(false),
  v_permlanex16_b32: permlane16(true),
  ds_swizzle_b32: swizzle,
  ds_permute_b32: permute,
  ds_bpermute_b32: backwardPermute,
} satisfies Record<string, Handler>;
