/**
 * What runs a dispatch: the interface that the reference and the device backends share.
 *
 * An engine gets a linked program and a memory that it may change; whoever calls it gives a fork and keeps it only when
 * the run completed. Refusals, faults and device errors come back in the result, never as exceptions.
 */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch, Vec3 } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import type { Program } from '../program/program.ts';

export const BACKENDS = ['reference', 'vulkan'] as const;
export type BackendName = (typeof BACKENDS)[number];

/**
 * completed: every wave ended · faulted: guest fault · limit: instruction or trip limit · refused: not run, the input is
 * bad · unsupported: not run or stopped, valid but beyond this engine · device: the device or its process failed.
 */
export type RunStatus = 'completed' | 'faulted' | 'limit' | 'refused' | 'unsupported' | 'device';

export interface EngineFault {
  readonly reason: string;
  readonly instructionAddress: GuestAddress;
  /** −1 when it concerns the whole wave. */
  readonly lane: number;
  readonly workgroup: Vec3;
  readonly wave: number;
  /** Guest address of the access. Absent where the reason has none; a device keeps that of one lane of each invocation. */
  readonly address?: GuestAddress;
  readonly detail?: string;
}

export interface EngineRun {
  readonly backend: BackendName;
  readonly status: RunStatus;
  readonly diagnostics: readonly Diagnostic[];
  readonly faults: readonly EngineFault[];
  /** Faults that happened, of which `faults` holds the first. */
  readonly faultCount: number;
  readonly waves: number;
  /** Waves that were watched, the first in order of groups and of waves in a group: a device keeps registers of so many. */
  readonly watchedWaves?: number;
  /** Instructions executed by all waves; only the reference counts them. */
  readonly instructions?: number;
  /** Prepared entry: found or made, and why it was made. */
  readonly cache?: { readonly result: 'hit' | 'miss'; readonly reason: string };
  /** Milliseconds by phase, for display. */
  readonly times?: Readonly<Record<string, number>>;
}

/** Registers that are set when a wave starts, over what the launch puts there. */
export interface InitialRegisters {
  /** By operand code; SCC (253) is 0 or 1. */
  readonly scalars: ReadonlyMap<number, number>;
  /** VGPR number → one value per thread of a group: wave w, lane l takes entry w · waveSize + l, modulo the length. */
  readonly vgprs: ReadonlyMap<number, Uint32Array>;
}

/** Final registers of one wave: what the lane grid shows. */
export interface WaveRegisters {
  readonly workgroup: Vec3;
  readonly wave: number;
  readonly waveSize: number;
  /** Those that were asked for, by operand code: one word of a scalar (SCC 253: 0 or 1), waveSize words of a VGPR. */
  readonly values: ReadonlyMap<number, Uint32Array>;
}

export interface RegisterWatch {
  /** Operand codes of scalars, SCC (253) and VGPRs (256 + n). */
  readonly registers: readonly number[];
  /** Called for each wave that ended, in any order; see `EngineRun.watchedWaves`. */
  readonly onWaveEnd: (registers: WaveRegisters) => void;
}

export interface EngineRequest {
  readonly dispatch: ComputeDispatch;
  readonly program: Program;
  readonly memory: GuestMemory;
  /** Instructions per dispatch (reference) or loop turns per wave (device). */
  readonly limit?: number;
  readonly initial?: InitialRegisters;
  readonly watch?: RegisterWatch;
  /** False: a wave goes on after a fault (a load gave 0, a store did nothing), as it always does on a device. */
  readonly stopOnFault?: boolean;
  readonly signal?: AbortSignal;
}

export interface DispatchEngine {
  readonly backend: BackendName;
  run(request: EngineRequest): Promise<EngineRun>;
  close(): Promise<void>;
}
