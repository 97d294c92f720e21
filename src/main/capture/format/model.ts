/**
 * What a capture file holds, as plain data.
 *
 * Pages and payloads stay in the file: segments and `PayloadRef`s say where. `store/` reads them.
 * Invariants after decoding: segments are sorted by address, do not overlap, lie inside 48 bits and inside the file;
 * payloads lie inside a payload segment; submits and updates are sorted by sequence. What broke a rule was left out and is
 * named in `damage`, so an empty `damage` means the whole file was understood.
 * Byte layout: docs/capture-format.md.
 */
import type { Diagnostic } from '../../base/diagnostics.ts';
import type { Target } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import type { Permissions } from '../../base/guest-memory.ts';

/** The version this code writes, and the newest it reads. */
export const CAPTURE_FORMAT_VERSION = 1;

export interface Capture {
  readonly version: number;
  readonly target: Target;
  readonly producer: string;
  readonly title: string;
  /** Keys of the META object that this version does not know; kept when the capture is written again. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly segments: readonly CaptureSegment[];
  readonly registers: readonly CaptureRegister[];
  readonly submits: readonly CaptureSubmit[];
  readonly updates: readonly CaptureUpdate[];
  readonly shaders: readonly CaptureShader[];
  readonly expected: readonly CaptureExpectation[];
  readonly labels: readonly CaptureLabel[];
  readonly unknownNotes: readonly UnknownNote[];
  readonly damage: readonly Diagnostic[];
}

/** Guest memory at capture start. Bytes from `fileSize` to `memSize` are zeros. */
export interface CaptureSegment {
  readonly address: GuestAddress;
  readonly memSize: number;
  readonly fileOffset: number;
  readonly fileSize: number;
  readonly permissions: Permissions;
}

export const REGISTER_SPACES = ['config', 'sh', 'context', 'uconfig'] as const;
export type RegisterSpace = (typeof REGISTER_SPACES)[number];

/** Absolute dword address of index 0 of each space, and how many registers fit before the next space. */
export const REGISTER_SPACE_RANGE: Readonly<Record<RegisterSpace, { readonly base: number; readonly count: number }>> =
  {
    config: { base: 0x2000, count: 0xc00 },
    sh: { base: 0x2c00, count: 0x400 },
    context: { base: 0xa000, count: 0x2000 },
    uconfig: { base: 0xc000, count: 0x4000 },
  };

/** Value before the first submit. `index` counts dwords from the start of the space. */
export interface CaptureRegister {
  readonly space: RegisterSpace;
  readonly index: number;
  readonly value: number;
}

export const QUEUE_KINDS = ['graphics', 'compute'] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** One command buffer handed to a queue. Sequences order submits and memory updates of all queues. */
export interface CaptureSubmit {
  readonly sequence: number;
  readonly queue: QueueKind;
  readonly queueIndex: number;
  readonly address: GuestAddress;
  readonly dwords: number;
}

/** Bytes in the file's payload segment. `size` is the decoded size. */
export interface PayloadRef {
  readonly fileOffset: number;
  readonly storedSize: number;
  readonly size: number;
  readonly encoding: 'stored' | 'deflate';
  /** Of the decoded bytes; undefined when the producer gave none. */
  readonly crc32: number | undefined;
}

/** What the CPU wrote after the submit before `beforeSequence` and before that submit. */
export interface CaptureUpdate {
  readonly beforeSequence: number;
  readonly address: GuestAddress;
  readonly payload: PayloadRef;
}

export const HARDWARE_STAGES = ['ls', 'hs', 'es', 'gs', 'vs', 'ps', 'cs'] as const;
export type HardwareStage = (typeof HARDWARE_STAGES)[number];
export const SOFTWARE_STAGES = [
  'vertex',
  'tessellation-control',
  'tessellation-evaluation',
  'geometry',
  'fragment',
  'compute',
  'mesh',
] as const;
export type SoftwareStage = (typeof SOFTWARE_STAGES)[number];

/** What the driver registered about a shader. */
export interface CaptureShader {
  readonly codeAddress: GuestAddress;
  readonly hardwareStage: HardwareStage;
  readonly softwareStage: SoftwareStage;
  /** Guest address of the driver's shader header (AGC, Gnm). */
  readonly headerAddress?: GuestAddress;
  readonly fetchAddress?: GuestAddress;
  readonly name?: string;
}

export const EXCEPTION_TYPES = ['u32', 'f32', 'f16x2', 'f64'] as const;
export type ExceptionType = (typeof EXCEPTION_TYPES)[number];

/** Words that may differ from the expectation. `firstWord` counts dwords from the expectation's address. */
export interface ExpectationException {
  readonly firstWord: number;
  readonly words: number;
  readonly type: ExceptionType;
  /** Greatest difference in units in the last place, or anything at all. */
  readonly bound: number | 'any';
  readonly reason: string;
}

/** `event` counts the dispatches of the capture from 0, in the order in which they execute. */
export interface MemoryExpectation {
  readonly kind: 'memory';
  readonly event: number;
  readonly address: GuestAddress;
  readonly payload: PayloadRef;
  /** Where the values come from: 'GLSL original on lavapipe', 'C original', … */
  readonly source: string;
  readonly exceptions: readonly ExpectationException[];
}

export const EXPECTATION_BACKENDS = ['vulkan', 'webgpu', 'reference'] as const;
export type ExpectationBackend = (typeof EXPECTATION_BACKENDS)[number];

/** The run is expected to be refused with this diagnostic code, by one backend or by all. */
export interface RefusalExpectation {
  readonly kind: 'refused';
  readonly event: number;
  readonly backend?: ExpectationBackend;
  readonly code: string;
  readonly reason: string;
}

export type CaptureExpectation = MemoryExpectation | RefusalExpectation;

/** A name for an address, for an event, or for both. */
export interface CaptureLabel {
  readonly address?: GuestAddress;
  readonly event?: number;
  readonly text: string;
}

/** A note of an owner or type that this version does not know: kept, not interpreted. */
export interface UnknownNote {
  readonly owner: string;
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** Contents to write: the same model with bytes in place of file positions. */
export interface CaptureContents {
  readonly target: Target;
  readonly producer: string;
  readonly title: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly segments: readonly SegmentContents[];
  readonly registers: readonly CaptureRegister[];
  readonly submits: readonly CaptureSubmit[];
  readonly updates: readonly UpdateContents[];
  readonly shaders: readonly CaptureShader[];
  readonly expected: readonly ExpectationContents[];
  readonly labels: readonly CaptureLabel[];
  readonly unknownNotes: readonly UnknownNote[];
}

/** Address and memSize are multiples of 4096; `bytes` is at most `memSize` long. */
export interface SegmentContents {
  readonly address: GuestAddress;
  readonly memSize: number;
  readonly permissions: Permissions;
  readonly bytes: Uint8Array;
}

export interface UpdateContents {
  readonly beforeSequence: number;
  readonly address: GuestAddress;
  readonly bytes: Uint8Array;
}

export type ExpectationContents =
  | (Omit<MemoryExpectation, 'payload'> & { readonly bytes: Uint8Array })
  | RefusalExpectation;
