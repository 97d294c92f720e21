/**
 * The main process's side of the session worker: starts it, sends calls, cancels them, and ends it when it does not
 * answer a cancellation or breaks. A worker that ended is not started again here; workspace.ts does.
 */
import { Worker } from 'node:worker_threads';
import type { Progress } from '../../../preload/contract/index.ts';
import { engineFile } from '../engine-files.ts';
import type { EngineArgs, EngineMethod, EngineReply, EngineRequest, EngineResult } from './engine-protocol.ts';

/** A cancelled job that does not pause within this time takes its worker with it. */
const CANCEL_GRACE_MS = 1500;

export class EngineCancelled extends Error {
  override readonly name = 'EngineCancelled';
}

/** A bug of ours, or the end of the worker; `report` is what the user can copy. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
  readonly report: string;
  constructor(message: string, report: string) {
    super(message);
    this.report = report;
  }
}

export interface EngineCallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export class EngineWorker {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private ended: string | undefined;
  private endReason: string | undefined;

  /** `onEnd` is told once, unless `close` was asked for. */
  constructor(onEnd: (reason: string) => void) {
    this.worker = new Worker(engineFile('session-worker.js'), { name: 'session' });
    this.worker.on('message', (reply: EngineReply) => this.receive(reply));
    this.worker.on('error', (error) => {
      this.endReason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    });
    this.worker.once('exit', () => {
      const closed = this.ended !== undefined && this.ended === 'closed';
      const reason = this.endReason ?? this.ended ?? 'the session worker ended';
      this.ended = reason;
      const error = new EngineFailed('the engine was restarted; ask again', reason);
      for (const { reject } of this.pending.values()) reject(error);
      this.pending.clear();
      if (!closed) onEnd(reason);
    });
  }

  get isAlive(): boolean {
    return this.ended === undefined;
  }

  call<Method extends EngineMethod>(
    method: Method,
    args: EngineArgs<Method>,
    { signal, onProgress }: EngineCallOptions = {},
  ): Promise<EngineResult<Method>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new EngineCancelled('cancelled'));
      if (!this.isAlive) return reject(new EngineFailed('the engine has ended', this.ended!));
      const id = this.nextId++;
      let grace: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        this.post({ kind: 'cancel', id });
        grace = setTimeout(() => this.end(`'${method}' was cancelled and did not stop`), CANCEL_GRACE_MS);
      };
      const settle = (): void => {
        clearTimeout(grace);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.pending.set(id, {
        resolve: (value) => {
          settle();
          resolve(value as EngineResult<Method>);
        },
        reject: (error) => {
          settle();
          reject(signal?.aborted ? new EngineCancelled('cancelled') : error);
        },
        onProgress,
      });
      this.post({ kind: 'call', id, method, args });
      return undefined;
    });
  }

  private post(request: EngineRequest): void {
    this.worker.postMessage(request);
  }

  private receive(reply: EngineReply): void {
    const pending = this.pending.get(reply.id);
    if (!pending) return;
    if (reply.kind === 'progress') {
      pending.onProgress?.(reply.progress);
      return;
    }
    this.pending.delete(reply.id);
    switch (reply.kind) {
      case 'done':
        pending.resolve(reply.value);
        break;
      case 'cancelled':
        pending.reject(new EngineCancelled('cancelled'));
        break;
      case 'failed':
        pending.reject(new EngineFailed(reply.message, reply.report));
        break;
    }
  }

  private end(reason: string): void {
    this.ended ??= reason;
    void this.worker.terminate();
  }

  async close(): Promise<void> {
    this.ended ??= 'closed';
    await this.worker.terminate();
  }
}
