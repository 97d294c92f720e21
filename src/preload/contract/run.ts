/** Calls that run dispatches and show what every lane computed. */
import { z } from 'zod';
import { call } from './call.ts';
import { eventIndex } from './capture.ts';
import type { DiagnosticView } from './views.ts';

export const BACKENDS = ['reference', 'vulkan'] as const;
export type Backend = (typeof BACKENDS)[number];

/** Memory that the dispatch wrote or that the capture expects something of: `words` dwords from `address`. */
export interface OutputView {
  readonly address: number;
  readonly words: number;
  readonly label: string;
  /** Words of it that the run wrote, or at least changed. */
  readonly written: number;
  /** Words of it that the capture holds an expectation for. */
  readonly expected: number;
  readonly source?: string;
}

export interface RunView {
  readonly event: number;
  readonly backend: Backend;
  readonly status: 'completed' | 'faulted' | 'limit' | 'refused' | 'unsupported' | 'device';
  /** Against what the capture expects. */
  readonly verdict: 'equal' | 'differs' | 'refused' | 'unexpected' | 'unchecked';
  readonly message: string;
  readonly diagnostics: readonly DiagnosticView[];
  readonly faults: readonly { readonly text: string; readonly address: number; readonly lane: number }[];
  readonly outputs: readonly OutputView[];
  readonly waveSize: number;
  /**
   * Waves whose final registers can be asked for, in order of group and wave: the first `count` of `total`. `workgroup`
   * has three entries per wave.
   */
  readonly waves: {
    readonly total: number;
    readonly count: number;
    readonly workgroup: Uint32Array;
    readonly index: Uint32Array;
  };
  /** Executed by all waves; only the reference counts them. */
  readonly instructions?: number;
  readonly milliseconds: number;
  readonly cache?: string;
}

/** Dwords of one output. Columns of equal length. */
export interface OutputPage {
  readonly address: number;
  readonly after: Uint32Array;
  readonly before: Uint32Array;
  /** 1 where the capture expects `expected`, 2 where that word differs beyond its bound. */
  readonly check: Uint8Array;
  readonly expected: Uint32Array;
  /** Number of the thread that wrote the word last, −1 where that is not known. */
  readonly thread: Int32Array;
}

export interface WaveView {
  readonly workgroup: readonly [number, number, number];
  readonly wave: number;
  readonly waveSize: number;
  readonly execLow: number;
  readonly execHigh: number;
  readonly scalars: readonly { readonly name: string; readonly value: number }[];
  readonly vectors: readonly string[];
  /** Register r of lane l at r · waveSize + l. */
  readonly values: Uint32Array;
}

export interface DeviceView {
  readonly index: number;
  readonly name: string;
  readonly driver: string;
  readonly kind: string;
  readonly unusable?: string;
}

export interface DevicesView {
  readonly devices: readonly DeviceView[];
  /** Why there is none, or why none can be used. */
  readonly problem?: string;
  /** Whether dispatches can run on Vulkan here, and if not, why. */
  readonly vulkan: { readonly usable: boolean; readonly reason: string };
  /** The GPU host's process id while it runs. */
  readonly hostPid?: number;
}

const backend = z.enum(BACKENDS);

export const RUN_CALLS = {
  'run.dispatch': call(z.object({ event: eventIndex, backend }).strict())<RunView | null>({ progress: true }),
  'run.output': call(
    z
      .object({
        event: eventIndex,
        backend,
        output: z.number().int().min(0),
        from: z.number().int().min(0),
        count: z.number().int().min(1).max(65536),
      })
      .strict(),
  )<OutputPage>(),
  'run.wave': call(z.object({ event: eventIndex, backend, wave: z.number().int().min(0) }).strict())<WaveView | null>({
    progress: true,
  }),
  'devices.list': call(z.object({}).strict())<DevicesView>({ progress: true }),
};
