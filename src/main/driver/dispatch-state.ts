/**
 * Register state + dispatch packet → `ComputeDispatch`: what a compute dispatch means, in hardware terms.
 *
 * Inconsistent registers (no program, no threads, more threads than a group can have) give diagnostics instead of a
 * dispatch. User data that nothing wrote reads 0, as on hardware after a reset.
 * Source: field positions as in pm4/registers (kernel headers); grid and partial groups as documented for
 * COMPUTE_DISPATCH_INITIATOR and COMPUTE_NUM_THREAD_*; LDS_SIZE counts 128 dwords on both generations.
 */
import { atAddress, type Diagnostic, type DiagnosticKind, diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch, Target, Vec3, WaveSize } from '../base/dispatch.ts';
import { addressFromHalves, type GuestAddress } from '../base/guest-address.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { GpuState } from '../pm4/gpu-state.ts';
import type { DispatchArguments } from '../pm4/packets/definition.ts';
import { bitsOf } from '../pm4/registers/register-table.ts';

/** Absolute dword addresses; the same on every target. */
export const COMPUTE_REGISTERS = {
  startX: 0x2e04,
  numThreadX: 0x2e07,
  pgmLo: 0x2e0c,
  pgmHi: 0x2e0d,
  rsrc1: 0x2e12,
  rsrc2: 0x2e13,
  tmpringSize: 0x2e18,
  rsrc3: 0x2e28,
  userData0: 0x2e40,
} as const;

const MAX_THREADS_PER_GROUP = 1024;
const MAX_USER_SGPRS = 16;
const LDS_GRANULE_BYTES = 512;
const SCRATCH_GRANULE_BYTES = 1024;

const INITIATOR = { enable: 0, partial: 1, startAtZero: 2, threadDimensions: 5, wave32: 15 } as const;

/** `at`: the packet's address, for diagnostics. */
export function dispatchFromState(
  state: GpuState,
  target: Target,
  dispatch: DispatchArguments,
  at?: GuestAddress,
): Result<ComputeDispatch> {
  const problems: Diagnostic[] = [];
  const report = (code: string, kind: DiagnosticKind, message: string) => {
    problems.push(diagnostic(code, kind, message, at === undefined ? undefined : atAddress(at)));
  };
  const { initiator } = dispatch;
  if (bitsOf(initiator, INITIATOR.enable, 1) === 0) {
    report('PM4040', 'badInput', `dispatch initiator 0x${initiator.toString(16)} does not enable the compute shader`);
  }

  const programAddress = addressFromHalves(
    (state.read(COMPUTE_REGISTERS.pgmLo) << 8) >>> 0,
    ((state.read(COMPUTE_REGISTERS.pgmHi) & 0xff) << 8) | (state.read(COMPUTE_REGISTERS.pgmLo) >>> 24),
  );
  if (programAddress === 0) report('PM4041', 'badInput', 'COMPUTE_PGM_LO/HI hold no program address');

  const rsrc1 = state.read(COMPUTE_REGISTERS.rsrc1);
  const rsrc2 = state.read(COMPUTE_REGISTERS.rsrc2);
  const rsrc3 = target === 'gfx700' ? 0 : state.read(COMPUTE_REGISTERS.rsrc3);
  const userSgprCount = bitsOf(rsrc2, 1, 5);
  if (userSgprCount > MAX_USER_SGPRS) {
    report('PM4042', 'badInput', `COMPUTE_PGM_RSRC2 asks for ${userSgprCount} user SGPRs; there are ${MAX_USER_SGPRS}`);
  }

  const grid = gridOf(state, dispatch, report);
  if (problems.length > 0) return fail(problems);

  return ok({
    target,
    waveSize: waveSizeOf(target, initiator),
    programAddress,
    ...grid,
    userSgprs: Uint32Array.from({ length: userSgprCount }, (_, i) => state.read(COMPUTE_REGISTERS.userData0 + i)),
    tgidEnable: [bitsOf(rsrc2, 7, 1) === 1, bitsOf(rsrc2, 8, 1) === 1, bitsOf(rsrc2, 9, 1) === 1],
    tgSizeEnable: bitsOf(rsrc2, 10, 1) === 1,
    // 3 is reserved; hardware then gives all three ids.
    localIdCount: Math.min(1 + bitsOf(rsrc2, 11, 2), 3) as 1 | 2 | 3,
    ldsBytes: bitsOf(rsrc2, 15, 9) * LDS_GRANULE_BYTES,
    scratchEnable: bitsOf(rsrc2, 0, 1) === 1,
    scratchBytesPerWave: bitsOf(state.read(COMPUTE_REGISTERS.tmpringSize), 12, 13) * SCRATCH_GRANULE_BYTES,
    float: {
      floatMode: bitsOf(rsrc1, 12, 8),
      dx10Clamp: bitsOf(rsrc1, 21, 1) === 1,
      ieee: bitsOf(rsrc1, 23, 1) === 1,
      fp16Overflow: target !== 'gfx700' && bitsOf(rsrc1, 26, 1) === 1,
    },
    rsrc1,
    rsrc2,
    rsrc3,
  });
}

function waveSizeOf(target: Target, initiator: number): WaveSize {
  return target !== 'gfx700' && bitsOf(initiator, INITIATOR.wave32, 1) === 1 ? 32 : 64;
}

type Report = (code: string, kind: DiagnosticKind, message: string) => void;

function vec3(of: (dimension: 0 | 1 | 2) => number): Vec3 {
  return [of(0), of(1), of(2)];
}

/**
 * Threads of a group, groups, and threads of the last group in each dimension.
 *
 * The packet's dimensions are where the grid ends, so with COMPUTE_START_* the number of groups is smaller. They count
 * groups, or threads with USE_THREAD_DIMENSIONS: then groups are rounded up, and the last one is partial where
 * PARTIAL_TG_EN is set or NUM_THREAD_PARTIAL is. Otherwise PARTIAL_TG_EN makes the last group as large
 * as NUM_THREAD_PARTIAL says; 0 there means a full group.
 */
function gridOf(state: GpuState, dispatch: DispatchArguments, report: Report) {
  const registers = vec3((d) => state.read(COMPUTE_REGISTERS.numThreadX + d));
  const threads = vec3((d) => bitsOf(registers[d], 0, 16));
  const partial = vec3((d) => bitsOf(registers[d], 16, 16));
  const perGroup = threads[0] * threads[1] * threads[2];
  if (perGroup === 0) {
    report('PM4043', 'badInput', `COMPUTE_NUM_THREAD_X/Y/Z = ${threads.join(' × ')}: a group without threads`);
  } else if (perGroup > MAX_THREADS_PER_GROUP) {
    const message = `COMPUTE_NUM_THREAD_X/Y/Z = ${threads.join(' × ')}: ${perGroup} threads, a group has at most ${MAX_THREADS_PER_GROUP}`;
    report('PM4044', 'badInput', message);
  }
  vec3((d) => {
    if (partial[d] > threads[d]) {
      const message = `COMPUTE_NUM_THREAD_${'XYZ'[d]}: partial group of ${partial[d]} threads is larger than a full one of ${threads[d]}`;
      report('PM4045', 'badInput', message);
    }
    return 0;
  });

  const { initiator, dimensions } = dispatch;
  const countsThreads = bitsOf(initiator, INITIATOR.threadDimensions, 1) === 1;
  const partialEnabled = bitsOf(initiator, INITIATOR.partial, 1) === 1;
  const groupStart: Vec3 =
    bitsOf(initiator, INITIATOR.startAtZero, 1) === 1
      ? [0, 0, 0]
      : vec3((d) => state.read(COMPUTE_REGISTERS.startX + d));
  const size = vec3((d) => threads[d] || 1);
  const groups = vec3((d) => {
    const end = countsThreads ? Math.ceil(dimensions[d] / size[d]) : dimensions[d];
    return Math.max(0, end - groupStart[d]);
  });
  const partialThreads = vec3((d) => {
    if (countsThreads) return partialEnabled || partial[d] > 0 ? dimensions[d] % size[d] || threads[d] : threads[d];
    return partialEnabled ? partial[d] || threads[d] : threads[d];
  });
  return { threads, groupStart, groups, partialThreads };
}
