/**
 * What a device backend offers: SPIR-V modules, buffers, dispatches. It knows nothing of GCN.
 *
 * Every call crosses into the device's own process (host process); all data is plain and copied. A request that the
 * device did not survive rejects with `GpuError` and code GPU0xx; the next request starts a fresh host.
 *
 * Buffers have device addresses (VK_KHR_buffer_device_address): modules reach guest memory through addresses that the
 * caller puts into parameter buffers. One request = one batch: buffers in, dispatches, ranges out: one round trip.
 */
export interface GpuDeviceInfo {
  readonly index: number;
  readonly name: string;
  readonly driver: string;
  readonly apiVersion: string;
  readonly kind: 'cpu' | 'integrated' | 'discrete' | 'virtual' | 'other';
  /** Why it cannot be used, when it cannot. */
  readonly unusable?: string;
}

/** A driver that is not used, and why: it was switched off, or did not survive being loaded. */
export interface FailedDriver {
  /** The loader's manifest file. */
  readonly manifest: string;
  readonly reason: string;
}

export interface GpuDeviceList {
  readonly devices: readonly GpuDeviceInfo[];
  readonly failed: readonly FailedDriver[];
}

/** What was asked and measured of the device; the only way in which devices differ for code generation. */
export interface GpuProfile {
  readonly device: GpuDeviceInfo;
  readonly subgroupSize: number;
  /** Equal to subgroupSize when size control is absent. */
  readonly minSubgroupSize: number;
  readonly maxSubgroupSize: number;
  readonly fullSubgroups: boolean;
  readonly subgroupOperations: readonly (
    | 'basic'
    | 'vote'
    | 'arithmetic'
    | 'ballot'
    | 'shuffle'
    | 'shuffleRelative'
    | 'clustered'
    | 'quad'
  )[];
  readonly subgroupUniformControlFlow: boolean;
  readonly maximalReconvergence: boolean;
  readonly int8: boolean;
  readonly int16: boolean;
  readonly int64: boolean;
  readonly float16: boolean;
  readonly float64: boolean;
  readonly storage8: boolean;
  readonly storage16: boolean;
  readonly bufferAtomics64: boolean;
  readonly sharedAtomics64: boolean;
  readonly bufferDeviceAddress: boolean;
  readonly vulkanMemoryModel: boolean;
  readonly maxWorkgroupInvocations: number;
  readonly maxSharedBytes: number;
  readonly maxPushConstantBytes: number;
  readonly maxWorkgroupCount: readonly [number, number, number];
  readonly timestampPeriodNs: number;
  readonly arithmetic: MeasuredArithmetic;
}

/** Measured by a probe dispatch at start, never assumed. */
export interface MeasuredArithmetic {
  readonly fma32Fused: boolean;
  readonly fma64Fused: boolean;
  readonly f32DenormalsKept: boolean;
  readonly f64DenormalsKept: boolean;
  readonly f16DenormalsKept: boolean;
  /** Add, mul, div, sqrt of f32 correctly rounded to nearest even on the probe's cases. */
  readonly f32AddExact: boolean;
  readonly f32MulExact: boolean;
  readonly f32DivExact: boolean;
  readonly f32SqrtExact: boolean;
  readonly f16Exact: boolean;
  readonly f64Exact: boolean;
  /** min/max with one NaN operand give the other operand. */
  readonly minMaxNumber: boolean;
}

export interface GpuBufferSpec {
  /** Chosen by the caller; buffers live until the batch ends unless `keep`. */
  readonly id: string;
  readonly sizeBytes: number;
  /** Copied in before the first dispatch, at byte offsets. Bytes not covered are zero. */
  readonly uploads?: readonly { readonly offset: number; readonly bytes: Uint8Array }[];
  /** u64 patches: the device address of another buffer of the batch + addend, written at `offset` after allocation. */
  readonly addressPatches?: readonly { readonly offset: number; readonly buffer: string; readonly addend: number }[];
}

export interface GpuDispatchSpec {
  readonly spirv: Uint32Array;
  /** Cache key of the pipeline inside the host: same key, same module. */
  readonly moduleKey: string;
  readonly entryPoint: string;
  readonly groups: readonly [number, number, number];
  /** Descriptor set 0, binding i = storage buffer ids[i]. */
  readonly bindings: readonly string[];
  readonly pushConstants?: Uint8Array;
  readonly requiredSubgroupSize?: number;
  readonly requireFullSubgroups?: boolean;
}

export interface GpuBatch {
  readonly buffers: readonly GpuBufferSpec[];
  readonly dispatches: readonly GpuDispatchSpec[];
  readonly downloads: readonly { readonly buffer: string; readonly offset: number; readonly sizeBytes: number }[];
  /** Watchdog; the host is killed and the batch rejects with GPU003 when it takes longer. */
  readonly timeoutMs: number;
}

export interface GpuBatchResult {
  readonly downloads: readonly Uint8Array[];
  /** Device time per dispatch in nanoseconds; 0 where the device has no timestamps. */
  readonly dispatchNs: readonly number[];
  /** Time of vkCreateComputePipelines per dispatch; 0 on a cache hit. */
  readonly pipelineMs: readonly number[];
}

export interface GpuBackend {
  readonly kind: 'vulkan' | 'webgpu';
  devices(): Promise<GpuDeviceList>;
  /** By index or by part of the name; undefined picks the first usable. */
  open(device?: number | string): Promise<GpuDevice>;
  close(): Promise<void>;
}

export interface GpuDevice {
  readonly profile: GpuProfile;
  run(batch: GpuBatch, signal?: AbortSignal): Promise<GpuBatchResult>;
  close(): Promise<void>;
}

/** Codes: README.md. */
export class GpuError extends Error {
  override readonly name = 'GpuError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
