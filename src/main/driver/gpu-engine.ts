/**
 * The recompiler and a device as an engine: link → prepared module → buffers → dispatch → pages back.
 *
 * Comparisons run in deterministic mode. The memory that is given changes only when the run completed: after a fault, a
 * limit or a device error it is as before.
 */
import { assert } from '../base/assert.ts';
import { atAddress, type Diagnostic, diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch } from '../base/dispatch.ts';
import { type GpuDevice, GpuError, type GpuProfile } from '../gpu/gpu-backend.ts';
import { type CompiledProgram, compileProgram, GENERATOR_VERSION } from '../recompiler/compile-program.ts';
import {
  BINDING,
  FAULT_ENDED_WORD,
  FAULT_HEADER_WORDS,
  FAULT_MISSED_WORD,
  FAULT_WORDS,
  MAX_USER_DATA,
  type MemoryMode,
  PARAMETER,
  PARAMETER_WORDS,
} from '../recompiler/spirv/abi.ts';
import type { EmittedModule } from '../recompiler/spirv/emit-module.ts';
import type { CodegenProfile } from '../recompiler/spirv/emitter.ts';
import { lookupTurns } from '../recompiler/spirv/region-table.ts';
import { readFaults } from './device-faults.ts';
import { applyDownloads, buildDeviceImage, mappedBytes, parameterBuffer } from './device-memory.ts';
import { registerBatch, tellWaves, waveCounts, wavesOfDispatch } from './device-registers.ts';
import type { DispatchEngine, EngineRequest, EngineRun } from './engine.ts';
import { faultDiagnostics } from './fault-diagnostic.ts';
import { refusals } from './link-dispatch.ts';
import { PreparedCache } from './prepared-cache.ts';
import { partCount, splitGroups } from './split-groups.ts';

export const DEFAULT_TRIP_LIMIT = 100_000_000;
const FAULT_CAPACITY = 64;
/** Turns that loops of ours (region lookups, the check at the end) may take of a driver's limit. */
const TURNS_OF_OWN_LOOPS = 5000;
const MAXIMUM_MAPPED_BYTES = 1 << 30;
/** Of a dispatch with more groups than the device takes at once. */
const MOST_PARTS = 4096;
const DEFAULT_TIMEOUT_MS = 120_000;

export interface GpuEngineOptions {
  readonly deterministic?: boolean;
  readonly timeoutMs?: number;
  /** checked: start with checked memory at once. Default: direct memory first. */
  readonly memory?: 'direct' | 'checked';
}

/** The part of a device's profile that code generation sees. */
export function codegenProfile(profile: GpuProfile): CodegenProfile {
  const { arithmetic } = profile;
  return {
    subgroupSize: profile.subgroupSize,
    float16: profile.float16,
    float64: profile.float64,
    int64: profile.int64,
    storage8: profile.storage8 && profile.int8,
    storage16: profile.storage16 && profile.int16,
    bufferAtomics64: profile.bufferAtomics64,
    maxSharedBytes: profile.maxSharedBytes,
    maxWorkgroupInvocations: profile.maxWorkgroupInvocations,
    subgroupUniformControlFlow: profile.subgroupUniformControlFlow,
    floats: {
      exactF32:
        arithmetic.f32AddExact &&
        arithmetic.f32MulExact &&
        arithmetic.f32DivExact &&
        arithmetic.f32SqrtExact &&
        arithmetic.f32DenormalsKept,
      exactF64: arithmetic.f64Exact && arithmetic.f64DenormalsKept,
      fusedF32: arithmetic.fma32Fused,
      fusedF64: arithmetic.fma64Fused,
    },
    // Quirk llvmpipe: a loop ends by itself after 65,535 turns.
    loopTurnLimit: profile.device.driver.startsWith('llvmpipe') ? 65_535 : 0,
    lockstepSubgroups: profile.device.driver.startsWith('llvmpipe'),
    foldsFloatZeros: profile.device.driver.startsWith('llvmpipe'),
  };
}

/** A compiled program in the two forms of memory access; the checked one is made when it is needed. */
interface PreparedProgram {
  readonly direct: CompiledProgram;
  checked: CompiledProgram | undefined;
  /** The direct form met an access that it is not made for. */
  needsChecks: boolean;
}

export class GpuEngine implements DispatchEngine {
  readonly backend = 'vulkan' as const;
  private readonly device: GpuDevice;
  private readonly profile: CodegenProfile;
  private readonly deterministic: boolean;
  private readonly timeoutMs: number;
  private readonly memory: GpuEngineOptions['memory'];
  private readonly cache = new PreparedCache<PreparedProgram>();

  constructor(device: GpuDevice, options: GpuEngineOptions = {}) {
    this.device = device;
    this.profile = codegenProfile(device.profile);
    this.deterministic = options.deterministic ?? true;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.memory = options.memory;
  }

  private compile(request: EngineRequest, memory: MemoryMode): CompiledProgram {
    const { program, dispatch } = request;
    const { profile, deterministic } = this;
    const regions = request.memory.extents.length;
    const { initial, watch } = request;
    return compileProgram(program, dispatch, {
      profile,
      deterministic,
      tripLimit: true,
      memory,
      regions,
      ...(initial ? { given: { scalars: new Set(initial.scalars.keys()), vgprs: new Set(initial.vgprs.keys()) } } : {}),
      ...(watch ? { taps: watch.registers } : {}),
    });
  }

  async run(request: EngineRequest): Promise<EngineRun> {
    const { program, dispatch } = request;
    const nothing = { backend: this.backend, faults: [], faultCount: 0, waves: 0 } as const;
    const refused = refusals(program);
    if (refused.length > 0) return { ...nothing, status: 'refused', diagnostics: refused };
    const started = performance.now();
    const participants = Math.min(this.profile.subgroupSize, dispatch.waveSize);
    const turns = lookupTurns(request.memory.extents.length, participants);
    const options = {
      stage: 'compute',
      lanesPerInvocation: Math.max(1, dispatch.waveSize / this.profile.subgroupSize),
      profile: JSON.stringify(this.profile),
      options: `generator ${GENERATOR_VERSION} deterministic ${this.deterministic} lookup ${turns}${registersText(request)}`,
    };
    const prepared = this.cache.get(program, dispatch, options, () => ({
      direct: this.compile(request, 'direct'),
      checked: undefined,
      needsChecks: this.memory === 'checked',
    }));
    const times: Record<string, number> = { recompile: performance.now() - started };
    const cache = { result: prepared.result, reason: prepared.reason };
    const { direct } = prepared.value;
    if (!direct.module) {
      return {
        ...nothing,
        status: 'unsupported',
        diagnostics: [...program.diagnostics, ...direct.diagnostics],
        cache,
        times,
      };
    }
    const problem = this.tooLarge(request);
    if (problem) return { ...nothing, status: 'unsupported', diagnostics: [problem], cache };
    try {
      if (!prepared.value.needsChecks) {
        const run = await this.launch(request, direct, `${prepared.key} direct`, times);
        if (run !== 'missed') return { ...run, cache };
        prepared.value.needsChecks = true;
      }
      const before = performance.now();
      prepared.value.checked ??= this.compile(request, 'checked');
      times.recompile! += performance.now() - before;
      const run = await this.launch(request, prepared.value.checked, `${prepared.key} checked`, times);
      assert(run !== 'missed', 'checked memory misses nothing');
      return { ...run, cache };
    } catch (error) {
      if (!(error instanceof GpuError)) throw error;
      const text = diagnostic(error.code, 'device', error.message, atAddress(dispatch.programAddress));
      return { ...nothing, status: 'device', diagnostics: [text], cache };
    }
  }

  private tooLarge({ memory, dispatch }: EngineRequest): Diagnostic | undefined {
    const refuse = (code: string, text: string): Diagnostic =>
      diagnostic(code, 'unsupported', text, atAddress(dispatch.programAddress));
    const bytes = mappedBytes(memory);
    if (bytes > MAXIMUM_MAPPED_BYTES) {
      return refuse('GPU008', `the capture maps ${bytes} bytes; at most ${MAXIMUM_MAPPED_BYTES} are put on a device`);
    }
    const limits = this.device.profile.maxWorkgroupCount;
    const groups = dispatch.groups.join(' × ');
    if (partCount(dispatch.groups, limits) > MOST_PARTS) {
      const most = `the device takes ${limits.join(' × ')} at once`;
      return refuse('GPU009', `${groups} groups; ${most} and ${MOST_PARTS} such parts are run at most`);
    }
    // Waves are numbered in 32 bits.
    const waves = waveCounts(dispatch).all;
    return waves < 2 ** 32 ? undefined : refuse('GPU009', `${groups} groups have ${waves} waves; 2^32 are too many`);
  }

  /** 'missed': nothing of this run counts, the program needs checked memory. Adds to `times`. */
  private async launch(
    request: EngineRequest,
    { module, diagnostics }: CompiledProgram,
    key: string,
    times: Record<string, number>,
  ): Promise<EngineRun | 'missed'> {
    const { dispatch, memory } = request;
    assert(module, 'a program in one form of memory access compiles in the other');
    const before = performance.now();
    const image = buildDeviceImage(memory);
    const registers = registerBatch(request);
    const faultBytes = 4 * (FAULT_HEADER_WORDS + FAULT_CAPACITY * FAULT_WORDS);
    const bindings: string[] = [];
    bindings[BINDING.parameters] = 'parameters';
    bindings[BINDING.faults] = 'faults';
    for (const [binding, buffer] of registers.bindings) bindings[binding] = buffer;
    const parameters = fixedParameters(request, image.regionCount, module, this.tripLimit(request.limit));
    parameters[PARAMETER.tapCapacity] = registers.capacity;
    const uploaded = performance.now();
    const result = await this.device.run(
      {
        buffers: [
          image.arena,
          parameterBuffer(image, parameters),
          { id: 'faults', sizeBytes: faultBytes },
          ...registers.buffers,
        ],
        dispatches: splitGroups(dispatch.groups, this.device.profile.maxWorkgroupCount).map((part) => ({
          spirv: module.words,
          moduleKey: key,
          entryPoint: 'main',
          groups: part.groups,
          bindings,
          pushConstants: new Uint8Array(Uint32Array.from(part.start).buffer),
          ...this.subgroups(module),
        })),
        downloads: [
          ...image.downloads,
          { buffer: 'faults', offset: 0, sizeBytes: faultBytes },
          ...(registers.download ? [registers.download] : []),
        ],
        timeoutMs: this.timeoutMs,
      },
      request.signal,
    );
    const took = {
      upload: uploaded - before,
      device: performance.now() - uploaded,
      pipeline: result.pipelineMs.reduce((sum, ms) => sum + ms, 0),
      dispatch: result.dispatchNs.reduce((sum, ns) => sum + ns, 0) / 1e6,
    };
    for (const [phase, time] of Object.entries(took)) times[phase] = (times[phase] ?? 0) + time;
    const downloaded = image.downloads.length;
    const words = new Uint32Array(result.downloads[downloaded]!.slice().buffer);
    if (words[FAULT_MISSED_WORD] !== 0) return 'missed';
    const taps = result.downloads[downloaded + 1];
    if (taps) tellWaves(request, registers.capacity, new Uint32Array(taps.slice().buffer));
    const { faults, count } = readFaults(words, module, FAULT_CAPACITY);
    const run = {
      backend: this.backend,
      faults,
      faultCount: count,
      waves: wavesOfDispatch(dispatch),
      watchedWaves: registers.capacity,
      times,
    } as const;
    if (count > 0) {
      const limit = faults.some((f) => f.reason === 'trip-limit');
      return {
        ...run,
        status: limit ? 'limit' : 'faulted',
        diagnostics: [
          ...diagnostics,
          ...faultDiagnostics('GPU010', faults),
          ...(limit ? this.aboutLimit(request.limit) : []),
        ],
      };
    }
    // Counted modulo 2^32.
    const missing =
      (waveCounts(dispatch).all * Math.min(module.subgroupSize, dispatch.waveSize) - words[FAULT_ENDED_WORD]!) >>> 0;
    if (missing !== 0)
      return { ...run, status: 'unsupported', diagnostics: [...diagnostics, this.notEnded(dispatch, missing)] };
    applyDownloads(memory, result.downloads.slice(0, downloaded));
    return { ...run, status: 'completed', diagnostics };
  }

  /** Below what the driver allows, where it ends loops by itself: a fault with an address is better than none. */
  private tripLimit(asked = DEFAULT_TRIP_LIMIT): number {
    const { loopTurnLimit } = this.profile;
    return loopTurnLimit > 0 ? Math.min(asked, loopTurnLimit - TURNS_OF_OWN_LOOPS) : asked;
  }

  /** When it was the driver's limit and not the one that was asked for. */
  private aboutLimit(asked = DEFAULT_TRIP_LIMIT): Diagnostic[] {
    const limit = this.tripLimit(asked);
    if (limit === asked) return [];
    const text = `limit lowered to ${limit} loop turns a wave: this driver ends loops by itself after ${this.profile.loopTurnLimit}`;
    return [diagnostic('GPU012', 'note', text)];
  }

  private notEnded(dispatch: ComputeDispatch, missing: number): Diagnostic {
    const limit = this.profile.loopTurnLimit;
    const why =
      limit > 0
        ? `this driver ends loops by itself after ${limit} turns in all`
        : 'the driver did not run them to their end';
    return diagnostic(
      'GPU011',
      'unsupported',
      `${missing} invocations did not end as the program says: ${why}`,
      atAddress(dispatch.programAddress),
    );
  }

  private subgroups(module: EmittedModule): { requiredSubgroupSize?: number; requireFullSubgroups?: boolean } {
    const { profile } = this.device;
    const control =
      profile.minSubgroupSize <= module.subgroupSize &&
      module.subgroupSize <= profile.maxSubgroupSize &&
      profile.fullSubgroups;
    return control ? { requiredSubgroupSize: module.subgroupSize, requireFullSubgroups: true } : {};
  }

  async close(): Promise<void> {
    await this.device.close();
  }
}

/** The part of the prepared key that is about registers given and wanted; values are not in it. */
function registersText({ initial, watch }: EngineRequest): string {
  const list = (codes: Iterable<number>): string => [...codes].sort((a, b) => a - b).join();
  const given = initial ? ` given ${list(initial.scalars.keys())} v ${list(initial.vgprs.keys())}` : '';
  return given + (watch ? ` taps ${watch.registers.join()}` : '');
}

function fixedParameters(
  { dispatch, initial }: EngineRequest,
  regionCount: number,
  module: EmittedModule,
  limit: number,
): Uint32Array {
  const words = new Uint32Array(PARAMETER_WORDS);
  words[PARAMETER.regionCount] = regionCount;
  words[PARAMETER.tripLimit] = limit;
  words.set(dispatch.groups, PARAMETER.groups);
  words.set(dispatch.groupStart, PARAMETER.groupStart);
  words.set(dispatch.partialThreads, PARAMETER.partialThreads);
  words[PARAMETER.wavesPerGroup] = module.workgroupInvocations / module.subgroupSize;
  words[PARAMETER.faultCapacity] = FAULT_CAPACITY;
  words.set(dispatch.userSgprs.subarray(0, MAX_USER_DATA), PARAMETER.userData);
  for (const [register, value] of initial?.scalars ?? []) words[PARAMETER.userData + register] = value;
  return words;
}
