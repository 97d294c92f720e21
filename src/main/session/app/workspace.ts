/**
 * One window's engine as the main process sees it: the capture that is open and the worker that owns it.
 *
 * The worker is started when it is first needed and again after it ended; a capture that was open is then opened again
 * before the next call, under the same number, so that the window only has to ask again.
 */
import type { CaptureSummary, Outcome } from '../../../preload/contract/index.ts';
import type { EngineArgs, EngineCall, EngineResult } from './engine-protocol.ts';
import { type EngineCallOptions, EngineWorker } from './engine-worker.ts';

export interface WorkspaceEvents {
  readonly onEngineEnded: (reason: string) => void;
}

export class Workspace {
  private readonly events: WorkspaceEvents;
  private engine: EngineWorker | undefined;
  private opened: CaptureSummary | undefined;
  private nextCaptureId = 1;
  /** Opening again in a fresh worker, while it goes on. */
  private reopening: Promise<unknown> | undefined;

  constructor(events: WorkspaceEvents) {
    this.events = events;
  }

  get current(): CaptureSummary | undefined {
    return this.opened;
  }

  /** Failing leaves the capture that was open before. */
  async open(path: string, options: EngineCallOptions = {}): Promise<Outcome<CaptureSummary>> {
    const engine = this.running();
    const outcome = await engine.call('open', { path, id: this.nextCaptureId++ }, options);
    if (outcome.ok) this.opened = outcome.value;
    return outcome;
  }

  async closeCapture(): Promise<void> {
    this.opened = undefined;
    if (this.engine?.isAlive) await this.engine.call('close', null);
  }

  async call<Call extends EngineCall>(
    name: Call,
    args: EngineArgs<Call>,
    options: EngineCallOptions = {},
  ): Promise<EngineResult<Call>> {
    const engine = this.running();
    await this.reopening;
    return engine.call(name, args, options);
  }

  private running(): EngineWorker {
    if (this.engine?.isAlive) return this.engine;
    const engine = new EngineWorker((reason) => this.events.onEngineEnded(reason));
    this.engine = engine;
    this.reopening = undefined;
    if (this.opened) {
      const { path, id } = this.opened;
      this.reopening = engine.call('open', { path, id }).then(
        (outcome) => {
          if (!outcome.ok) this.opened = undefined;
        },
        () => {},
      );
    }
    return engine;
  }

  async close(): Promise<void> {
    await this.engine?.close();
    this.engine = undefined;
  }
}
