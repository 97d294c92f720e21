/**
 * What the main process and the session worker say to each other. The worker answers most calls of the contract itself;
 * the others belong to the main process.
 */
import type {
  CallArgs,
  CallName,
  CallResult,
  CaptureSummary,
  Outcome,
  Progress,
} from '../../../preload/contract/index.ts';
import type { Job } from './job.ts';

export const ENGINE_CALLS = [
  'events.tree',
  'events.text',
  'events.find',
  'events.packets',
  'events.state',
  'shader.program',
  'shader.spirv',
  'run.dispatch',
  'run.output',
  'run.wave',
  'devices.list',
] as const satisfies readonly CallName[];
export type EngineCall = (typeof ENGINE_CALLS)[number];

/** Opening names the capture, so that it keeps its number when a new worker opens it again. */
export interface OpenArgs {
  readonly path: string;
  readonly id: number;
}

export type EngineMethod = EngineCall | 'open' | 'close';
export type EngineArgs<Method extends EngineMethod> = Method extends EngineCall
  ? CallArgs<Method>
  : Method extends 'open'
    ? OpenArgs
    : null;
export type EngineResult<Method extends EngineMethod> = Method extends EngineCall
  ? CallResult<Method>
  : Method extends 'open'
    ? Outcome<CaptureSummary>
    : null;

export type EngineHandlers = {
  readonly [Method in EngineMethod]: (
    args: EngineArgs<Method>,
    job: Job,
  ) => EngineResult<Method> | Promise<EngineResult<Method>>;
};

export type EngineRequest =
  | { readonly kind: 'call'; readonly id: number; readonly method: EngineMethod; readonly args: unknown }
  | { readonly kind: 'cancel'; readonly id: number };

export type EngineReply =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'cancelled'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly report: string }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress };
