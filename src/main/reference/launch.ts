/**
 * From a dispatch to waves: groups in order, registers as the hardware initialises them.
 *
 * SGPRs: user data, then the enabled ones of group id x y z, tg_size, scratch wave offset. VGPRs v0…v2: local ids.
 * Threads fill waves in x, y, z order of the group's own size: the last group of a dimension may be smaller, and its
 * threads are packed. Lanes past the last thread start switched off in EXEC. tg_size: waves of the group in bits 5:0,
 * this wave's number in 11:6, "first wave" in 31. Everything else is 0.
 * Source: Sea Islands and RDNA 1 ISA manuals, "Compute shader initialisation"; register COMPUTE_PGM_RSRC2.
 */
import type { ComputeDispatch, Vec3 } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { OPERAND } from '../isa/operands.ts';
import { Group } from './group.ts';
import { Lds } from './lds.ts';
import type { Machine } from './machine.ts';
import type { VectorRegisters } from './vector-registers.ts';
import { MODE, Wave } from './wave.ts';

export function groupCount(dispatch: ComputeDispatch): number {
  const [x, y, z] = dispatch.groups;
  return x * y * z;
}

/** Threads of the group at position (i, j, k) counted from the first group. */
function groupThreads(dispatch: ComputeDispatch, position: Vec3): Vec3 {
  const size = (axis: 0 | 1 | 2): number =>
    position[axis] === dispatch.groups[axis] - 1 ? dispatch.partialThreads[axis] : dispatch.threads[axis];
  return [size(0), size(1), size(2)];
}

/** MODE at wave start: float mode, DX10_CLAMP, IEEE, FP16_OVFL from the program's registers. */
export function initialMode(dispatch: ComputeDispatch): number {
  const { floatMode, dx10Clamp, ieee, fp16Overflow } = dispatch.float;
  const overflow = dispatch.target !== 'gfx700' && fp16Overflow ? 1 << MODE.FP16_OVERFLOW : 0;
  return (floatMode & 0xff) | (dx10Clamp ? 1 << MODE.DX10_CLAMP : 0) | (ieee ? 1 << MODE.IEEE : 0) | overflow;
}

/** What waves take at their start and give back at their end. */
export interface WaveResources {
  /** The lowest free scratch slot, so that few waves need little memory. */
  takeScratchSlot(): number;
  /** Cleared vector registers, new or used. */
  takeRegisters(): VectorRegisters;
}

/** Makes group number `index` of the dispatch with all its waves, ready to run. */
export function launchGroup(
  dispatch: ComputeDispatch,
  machine: Machine,
  index: number,
  resources: WaveResources,
): Group {
  const [countX, countY] = dispatch.groups;
  const position: Vec3 = [index % countX, Math.floor(index / countX) % countY, Math.floor(index / (countX * countY))];
  const [startX, startY, startZ] = dispatch.groupStart;
  const id: Vec3 = [startX + position[0], startY + position[1], startZ + position[2]];
  const group = new Group(id, index, new Lds(dispatch.ldsBytes));
  const threads = groupThreads(dispatch, position);
  const total = threads[0] * threads[1] * threads[2];
  const waveCount = Math.ceil(total / dispatch.waveSize);
  for (let w = 0; w < waveCount; w++) {
    const wave = new Wave(machine, group, w, resources.takeRegisters());
    wave.scratchSlot = resources.takeScratchSlot();
    initialiseScalars(dispatch, wave, waveCount);
    initialiseLanes(dispatch, wave, threads, total);
    wave.mode = initialMode(dispatch);
    wave.pc = dispatch.programAddress as GuestAddress;
    group.waves.push(wave);
  }
  return group;
}

function initialiseScalars(dispatch: ComputeDispatch, wave: Wave, waveCount: number): void {
  const { sgprs } = wave;
  sgprs.set(dispatch.userSgprs);
  let next = dispatch.userSgprs.length;
  for (let axis = 0; axis < 3; axis++) if (dispatch.tgidEnable[axis]) sgprs[next++] = wave.groupId[axis]!;
  if (dispatch.tgSizeEnable) {
    const first = wave.index === 0 ? 0x80000000 : 0;
    sgprs[next++] = first | (wave.index << 6) | (waveCount & 0x3f);
  }
  if (dispatch.scratchEnable) sgprs[next++] = wave.scratchSlot * dispatch.scratchBytesPerWave;
}

function initialiseLanes(dispatch: ComputeDispatch, wave: Wave, threads: Vec3, total: number): void {
  const size = dispatch.waveSize;
  const first = wave.index * size;
  const active = Math.min(size, total - first);
  for (let lane = 0; lane < active; lane++) {
    const thread = first + lane;
    wave.vgpr(0)[lane] = thread % threads[0];
    if (dispatch.localIdCount > 1) wave.vgpr(1)[lane] = Math.floor(thread / threads[0]) % threads[1];
    if (dispatch.localIdCount > 2) wave.vgpr(2)[lane] = Math.floor(thread / (threads[0] * threads[1]));
  }
  wave.sgprs[OPERAND.EXEC_LO] = active >= 32 ? 0xffffffff : 2 ** active - 1;
  if (size === 64) wave.sgprs[OPERAND.EXEC_HI] = active <= 32 ? 0 : 2 ** (active - 32) - 1;
}
