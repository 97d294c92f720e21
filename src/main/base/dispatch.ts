/**
 * One compute dispatch in hardware terms: the shared vocabulary of pm4 (which builds it from registers), driver,
 * reference and recompiler. It lives in base because the reference must not import any of the others.
 *
 * Order of SGPRs at wave start: user SGPRs 0…userSgprCount−1, then the enabled ones of tgid x, y, z, tg_size and the
 * scratch wave offset, in this order. VGPRs v0…v2: local ids x, y, z as far as `localIdCount` asks (1, 2 or 3).
 */
import type { GuestAddress } from './guest-address.ts';

export const TARGETS = ['gfx700', 'gfx1013', 'gfx1030'] as const;
export type Target = (typeof TARGETS)[number];
export type WaveSize = 32 | 64;
export type Vec3 = readonly [number, number, number];

/** Fields of COMPUTE_PGM_RSRC1 that change results. `floatMode` = bits 19:12 as they go to MODE[7:0]. */
export interface FloatState {
  /** bits 1:0 f32 round, 3:2 f16/f64 round, 5:4 f32 denormals (bit 4 inputs kept, bit 5 outputs kept), 7:6 f16/f64. */
  readonly floatMode: number;
  readonly dx10Clamp: boolean;
  readonly ieee: boolean;
  readonly fp16Overflow: boolean;
}

export interface ComputeDispatch {
  readonly target: Target;
  readonly waveSize: WaveSize;
  /** First instruction. */
  readonly programAddress: GuestAddress;
  /** Threads per group, x y z. */
  readonly threads: Vec3;
  /** First group id (COMPUTE_START_*) and number of groups. */
  readonly groupStart: Vec3;
  readonly groups: Vec3;
  /** Threads of the last group in each dimension where partial groups are enabled; equals `threads` otherwise. */
  readonly partialThreads: Vec3;
  /** Raw u32 values; length = user SGPR count. */
  readonly userSgprs: Uint32Array;
  readonly tgidEnable: readonly [boolean, boolean, boolean];
  readonly tgSizeEnable: boolean;
  readonly localIdCount: 1 | 2 | 3;
  readonly ldsBytes: number;
  readonly scratchEnable: boolean;
  /** Bytes of scratch per wave (TMPRING_SIZE.WAVESIZE × 1024). */
  readonly scratchBytesPerWave: number;
  readonly float: FloatState;
  /** Raw registers, for display and for keys. */
  readonly rsrc1: number;
  readonly rsrc2: number;
  readonly rsrc3: number;
}

/**
 * VGPRs that a wave has: COMPUTE_PGM_RSRC1.VGPRS (bits 5:0) counts granules of 4, in wave32 of gfx10 of 8.
 * Source: LLVM, User Guide for AMDGPU Backend, GRANULATED_WORKITEM_VGPR_COUNT.
 */
export function allocatedVgprs({
  target,
  waveSize,
  rsrc1,
}: Pick<ComputeDispatch, 'target' | 'waveSize' | 'rsrc1'>): number {
  const granule = target !== 'gfx700' && waveSize === 32 ? 8 : 4;
  return Math.min(256, ((rsrc1 & 63) + 1) * granule);
}
