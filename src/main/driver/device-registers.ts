/**
 * Registers of waves on a device: the buffer of given VGPRs, the tap buffer, and its records as registers of waves
 * (layouts in recompiler/spirv/abi.ts).
 */
import type { ComputeDispatch, Vec3 } from '../base/dispatch.ts';
import type { GpuBufferSpec } from '../gpu/gpu-backend.ts';
import { OPERAND } from '../isa/operands.ts';
import { BINDING, type TapLayout, tapLayout } from '../recompiler/spirv/abi.ts';
import type { EngineRequest, WaveRegisters } from './engine.ts';

/** Waves beyond what fits here leave no registers. */
const MOST_TAP_BYTES = 64 << 20;

export interface RegisterBatch {
  readonly buffers: readonly GpuBufferSpec[];
  /** Buffer of each binding from the first one of registers on. */
  readonly bindings: ReadonlyMap<number, string>;
  readonly download?: { readonly buffer: string; readonly offset: number; readonly sizeBytes: number };
  /** Waves whose records fit. */
  readonly capacity: number;
}

/** Waves that a group of full size has, and those of the dispatch. */
export function waveCounts({ threads, waveSize, groups }: ComputeDispatch): {
  readonly group: number;
  readonly all: number;
} {
  const group = Math.ceil((threads[0] * threads[1] * threads[2]) / waveSize);
  return { group, all: group * groups[0] * groups[1] * groups[2] };
}

/** Waves that the dispatch has: fewer than `waveCounts` says where its last groups are smaller. */
export function wavesOfDispatch({ threads, partialThreads, waveSize, groups }: ComputeDispatch): number {
  if (groups.some((count) => count === 0)) return 0;
  let waves = 0;
  // Bit n of `last`: the last group along axis n, and the others.
  for (let last = 0; last < 8; last++) {
    const isLast = (axis: number): boolean => ((last >> axis) & 1) === 1;
    const count = groups.reduce((product, n, axis) => product * (isLast(axis) ? 1 : n - 1), 1);
    const size = threads.reduce((product, n, axis) => product * (isLast(axis) ? partialThreads[axis]! : n), 1);
    waves += count * Math.ceil(size / waveSize);
  }
  return waves;
}

/** Waves whose registers a device keeps: the first ones. */
export function watchedWaves(dispatch: ComputeDispatch, registers: readonly number[]): number {
  const { recordWords } = tapLayout(registers, dispatch.waveSize);
  return Math.min(waveCounts(dispatch).all, Math.floor(MOST_TAP_BYTES / (4 * recordWords)));
}

export function registerBatch({ dispatch, initial, watch }: EngineRequest): RegisterBatch {
  const isGiven = initial !== undefined && initial.vgprs.size > 0;
  if (!isGiven && !watch) return { buffers: [], bindings: new Map(), capacity: 0 };
  const { recordWords } = tapLayout(watch?.registers ?? [], dispatch.waveSize);
  const capacity = watch ? watchedWaves(dispatch, watch.registers) : 0;
  // A batch binds without gaps, so the tap buffer is there whenever the other one is.
  const sizeBytes = 4 * recordWords * Math.max(capacity, 1);
  const buffers: GpuBufferSpec[] = [{ id: 'taps', sizeBytes }];
  const bindings = new Map<number, string>([[BINDING.taps, 'taps']]);
  if (isGiven) {
    const words = givenVgprs(initial.vgprs, waveCounts(dispatch).group * dispatch.waveSize);
    const uploads = [{ offset: 0, bytes: new Uint8Array(words.buffer) }];
    buffers.push({ id: 'vgprs', sizeBytes: words.byteLength, uploads });
    bindings.set(BINDING.givenVgprs, 'vgprs');
  }
  return {
    buffers,
    bindings,
    capacity,
    ...(watch ? { download: { buffer: 'taps', offset: 0, sizeBytes } } : {}),
  };
}

function givenVgprs(vgprs: ReadonlyMap<number, Uint32Array>, threads: number): Uint32Array {
  const words = new Uint32Array((Math.max(...vgprs.keys()) + 1) * threads);
  for (const [register, values] of vgprs) {
    for (let thread = 0; thread < threads; thread++)
      words[register * threads + thread] = values[thread % values.length]!;
  }
  return words;
}

/** Tells the watch of a request the waves whose records are there. */
export function tellWaves({ dispatch, watch }: EngineRequest, capacity: number, words: Uint32Array): void {
  if (!watch) return;
  const layout = tapLayout(watch.registers, dispatch.waveSize);
  for (let number = 0; number < capacity; number++) {
    const record = words.subarray(number * layout.recordWords, (number + 1) * layout.recordWords);
    const wave = waveOf(dispatch, watch.registers, layout, number, record);
    if (wave) watch.onWaveEnd(wave);
  }
}

/** Undefined for a wave that came to no end, or is none. */
function waveOf(
  dispatch: ComputeDispatch,
  registers: readonly number[],
  { offsets }: TapLayout,
  number: number,
  record: Uint32Array,
): WaveRegisters | undefined {
  const place = placeOfWave(dispatch, number);
  if (record[0] !== 1 || !place) return undefined;
  const { waveSize } = dispatch;
  const values = new Map<number, Uint32Array>();
  registers.forEach((register, slot) => {
    const first = offsets[slot]!;
    values.set(register, record.slice(first, first + (register >= OPERAND.VGPR0 ? waveSize : 1)));
  });
  return { ...place, waveSize, values };
}

/** Of the wave with this number: groups in order, x fastest, waves of a group together. Small groups lack waves. */
export function placeOfWave(
  dispatch: ComputeDispatch,
  number: number,
): Pick<WaveRegisters, 'workgroup' | 'wave'> | undefined {
  const { waveSize, groups, groupStart } = dispatch;
  const perGroup = waveCounts(dispatch).group;
  const group = Math.floor(number / perGroup);
  const wave = number % perGroup;
  const position: Vec3 = [
    group % groups[0],
    Math.floor(group / groups[0]) % groups[1],
    Math.floor(group / (groups[0] * groups[1])),
  ];
  if (wave * waveSize >= threadsOf(dispatch, position)) return undefined;
  return { workgroup: [position[0] + groupStart[0], position[1] + groupStart[1], position[2] + groupStart[2]], wave };
}

function threadsOf({ threads, partialThreads, groups }: ComputeDispatch, position: Vec3): number {
  return threads.reduce(
    (product, full, axis) => product * (position[axis] === groups[axis]! - 1 ? partialThreads[axis]! : full),
    1,
  );
}
