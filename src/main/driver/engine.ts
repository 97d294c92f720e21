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
  /** Guest address of the access; 0 where the reason has none. */
  readonly address: number;
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
  /** Instructions executed by all waves; only the reference counts them. */
  readonly instructions?: number;
  /** Prepared entry: found or made, and why it was made. */
  readonly cache?: { readonly result: 'hit' | 'miss'; readonly reason: string };
  /** Milliseconds by phase, for display. */
  readonly times?: Readonly<Record<string, number>>;
}

/** Final registers of one wave: what the lane grid shows. */
export interface WaveRegisters {
  readonly workgroup: Vec3;
  readonly wave: number;
  readonly waveSize: number;
  /** s0… (s106, s107 are VCC). */
  readonly sgprs: Uint32Array;
  /** Register r of lane l at r · waveSize + l. */
  readonly vgprs: Uint32Array;
  readonly execLow: number;
  readonly execHigh: number;
  readonly scc: number;
  readonly m0: number;
}

export interface EngineRequest {
  readonly dispatch: ComputeDispatch;
  readonly program: Program;
  readonly memory: GuestMemory;
  /** Instructions per dispatch (reference) or loop turns per wave (device). */
  readonly limit?: number;
  /** Called with each wave's registers when it ends; the reference only. */
  readonly onWaveEnd?: (registers: WaveRegisters) => void;
  readonly signal?: AbortSignal;
}

export interface DispatchEngine {
  readonly backend: BackendName;
  run(request: EngineRequest): Promise<EngineRun>;
  close(): Promise<void>;
}
