/**
 * Answers calls of one client: checks the name and every argument against the contract, runs the handler, turns what
 * went wrong into a failure. Nothing that a client sends can throw out of here.
 */
import { type CallFailure, type CallReply, CONTRACT, isCallName, type Progress } from '../../preload/contract/index.ts';
import { EngineCancelled, EngineFailed } from '../session/app/engine-worker.ts';
import { APP_HANDLERS } from './app-handlers.ts';
import { CAPTURE_HANDLERS } from './capture-handlers.ts';
import { ENGINE_HANDLERS } from './engine-handlers.ts';
import type { CallContext, Handlers, Services } from './handlers.ts';

const HANDLERS: Handlers = { ...APP_HANDLERS, ...CAPTURE_HANDLERS, ...ENGINE_HANDLERS };
const MAX_RUNNING = 256;

export class Router {
  private readonly services: Services;
  private readonly running = new Map<number, AbortController>();

  constructor(services: Services) {
    this.services = services;
  }

  async call(id: number, name: string, args: unknown, onProgress: (progress: Progress) => void): Promise<CallReply> {
    if (!isCallName(name)) return failed('RPC001', `there is no call '${name.slice(0, 80)}'`);
    const parsed = CONTRACT[name].args.safeParse(args);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const where = issue && issue.path.length > 0 ? ` (${issue.path.join('.')})` : '';
      return failed(
        'RPC002',
        `malformed arguments of ${name}${where}: ${issue?.message ?? 'not as the contract says'}`,
      );
    }
    if (this.running.has(id)) return failed('RPC002', `call ${id} is running already`);
    if (this.running.size >= MAX_RUNNING) return failed('RPC002', 'too many calls at once');
    const abort = new AbortController();
    this.running.set(id, abort);
    const context: CallContext = {
      ...this.services,
      signal: abort.signal,
      onProgress: CONTRACT[name].progress ? onProgress : () => {},
    };
    try {
      const handler = HANDLERS[name] as (args: unknown, context: CallContext) => unknown;
      return { ok: true, value: await handler(parsed.data, context) };
    } catch (error) {
      return this.failure(name, error);
    } finally {
      this.running.delete(id);
    }
  }

  cancel(id: number): void {
    this.running.get(id)?.abort();
  }

  /** The client has gone: nobody waits for what is still running. */
  cancelAll(): void {
    for (const abort of this.running.values()) abort.abort();
  }

  private failure(name: string, error: unknown): CallReply {
    if (error instanceof EngineCancelled) return failed('RPC003', 'cancelled');
    const message = error instanceof Error ? error.message : String(error);
    const report = error instanceof EngineFailed ? error.report : error instanceof Error ? error.stack : undefined;
    this.services.log.add('error', name, report ?? message);
    return failed('RPC004', message, report);
  }
}

function failed(code: string, message: string, report?: string): CallReply {
  const failure: CallFailure = report === undefined ? { code, message } : { code, message, report };
  return { ok: false, failure };
}
