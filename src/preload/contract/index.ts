/**
 * The contract between window and engine: one table of calls and one of notices. Everything else is derived from it:
 * the types of the bridge and of both clients, the server's validation, and the types of the handlers, so that a call
 * without a handler does not compile.
 *
 * To add a call: an entry in a group file, a handler in `src/main/rpc`. Names are `group.verb`.
 * The renderer imports types only; the schemas run in the main process, whatever the client did.
 */
import type { z } from 'zod';
import { APP_CALLS, type LogEntry } from './app.ts';
import type { CallDefinition, Progress } from './call.ts';
import { CAPTURE_CALLS } from './capture.ts';
import { RUN_CALLS } from './run.ts';
import { SHADER_CALLS } from './shader.ts';

export type * from './app.ts';
export type { Progress } from './call.ts';
export type * from './capture.ts';
export type * from './run.ts';
export type * from './shader.ts';
export type * from './views.ts';

export const CONTRACT = { ...APP_CALLS, ...CAPTURE_CALLS, ...SHADER_CALLS, ...RUN_CALLS };

export type CallName = keyof typeof CONTRACT;
export type CallArgs<Name extends CallName> = z.infer<(typeof CONTRACT)[Name]['args']>;
export type CallResult<Name extends CallName> =
  (typeof CONTRACT)[Name] extends CallDefinition<z.ZodType, infer Result> ? Result : never;

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(CONTRACT, name);
}

/** What the engine says unasked. */
export interface Notices {
  readonly log: LogEntry;
  /** A file to open: from the command line of a second start, or from the system. */
  readonly openFile: { readonly path: string };
  /** The engine's worker was started again; what it knew is computed anew when asked. */
  readonly engineRestarted: { readonly reason: string };
}
export type NoticeName = keyof Notices;

/** RPC001 unknown call · RPC002 malformed arguments · RPC003 cancelled · RPC004 engine's fault, with a report. */
export interface CallFailure {
  readonly code: string;
  readonly message: string;
  /** For a bug of ours: what the user can copy into a report. */
  readonly report?: string;
}

export type CallReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: CallFailure };

/**
 * What carries calls: the preload bridge or a WebSocket. `id` is chosen by the caller and names the call when it is
 * cancelled. Never rejects; a broken connection is a failure.
 */
export interface Transport {
  call(id: number, name: string, args: unknown, onProgress: (progress: Progress) => void): Promise<CallReply>;
  cancel(id: number): void;
  /** Returns what ends the subscription. */
  subscribe(listener: (name: NoticeName, notice: unknown) => void): () => void;
}

/** What the preload script puts into the window: a transport, and the path of a dropped file. */
export interface Bridge extends Transport {
  pathOfFile(file: File): string;
}
