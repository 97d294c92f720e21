/**
 * Memory as it is just before any event, with the dispatches before it run on one engine, or on none.
 *
 * Runs forward from where it stands; a place further back is found among the snapshots that were kept, or by starting
 * over. A dispatch that does not complete leaves memory as it was before it. Cancelling keeps what was reached.
 */
import type { Diagnostic } from '../../base/diagnostics.ts';
import type { GuestMemory } from '../../base/guest-memory.ts';
import type { OpenCapture } from '../../capture/store/open-capture.ts';
import { dispatchFromState } from '../../driver/dispatch-state.ts';
import type { DispatchEngine } from '../../driver/engine.ts';
import { linkDispatch } from '../../driver/link-dispatch.ts';
import type { CommandProcessor } from '../../pm4/command-processor.ts';
import type { GpuEvent } from '../../pm4/events.ts';
import type { CaptureNames } from '../replay.ts';
import type { Job } from './job.ts';
import { processorOf, walkEvents } from './walk-events.ts';

/** A snapshot holds a table of the pages touched so far: few enough to stay small, enough to step around in. */
const MAX_SNAPSHOTS = 128;

interface Cursor {
  readonly processor: CommandProcessor;
  readonly events: Generator<GpuEvent, void, void>;
  /** The event that is next: its packet has run, its dispatch, if it is one, has not. */
  event: GpuEvent | undefined;
}

/** The device failed in a dispatch before the one that was asked for. */
export class DeviceFailed extends Error {
  override readonly name = 'DeviceFailed';
  readonly event: number;
  readonly diagnostics: readonly Diagnostic[];
  constructor(event: number, diagnostics: readonly Diagnostic[]) {
    super(`the device failed in the dispatch of event ${event}`);
    this.event = event;
    this.diagnostics = diagnostics;
  }
}

export class Timeline {
  private readonly open: OpenCapture;
  private readonly names: CaptureNames;
  private readonly engine: DispatchEngine | undefined;
  private readonly snapshots = new Map<number, GuestMemory>();
  private cursor: Cursor | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  /** Without an engine dispatches change nothing. */
  constructor(open: OpenCapture, names: CaptureNames, engine?: DispatchEngine) {
    this.open = open;
    this.names = names;
    this.engine = engine;
  }

  /** Whether memory at this event is known without running anything. */
  has(event: number): boolean {
    return this.snapshots.has(event);
  }

  /**
   * Memory before the dispatch of the event runs, and for other events after their packet. A fork of it may be written.
   * `follow` hands the job to the engine each time this call gets its turn.
   */
  memoryAt(event: number, job: Job, follow?: () => void): Promise<GuestMemory> {
    const result = this.turn.then(() => {
      job.signal.throwIfAborted();
      follow?.();
      return this.advance(event, job);
    });
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async advance(wanted: number, job: Job): Promise<GuestMemory> {
    const kept = this.snapshots.get(wanted);
    if (kept) return kept;
    if (!this.cursor?.event || this.cursor.event.index > wanted) this.restart();
    const cursor = this.cursor!;
    while (cursor.event && cursor.event.index < wanted) {
      if (this.engine) await this.runDispatch(cursor, cursor.event, job);
      cursor.event = cursor.events.next().value ?? undefined;
      if (this.engine) job.report(cursor.event?.index ?? wanted, wanted, `running dispatches before event ${wanted}`);
      await job.pause();
    }
    const memory = cursor.processor.memory.fork();
    this.keep(wanted, memory);
    return memory;
  }

  private restart(): void {
    const processor = processorOf(this.open);
    const events = walkEvents(this.open, processor);
    this.cursor = { processor, events, event: events.next().value ?? undefined };
  }

  private async runDispatch({ processor }: Cursor, event: GpuEvent, job: Job): Promise<void> {
    if (event.effect.kind !== 'dispatch') return;
    const { target } = this.open.capture;
    const read = dispatchFromState(event.state, target, event.effect.dispatch, event.packet?.address);
    if (!read.ok) return;
    const dispatch = read.value;
    const registered = this.open.capture.shaders.map((s) => s.codeAddress);
    const name = this.names.shader(dispatch.programAddress);
    const program = linkDispatch(dispatch, processor.memory, { name, registered });
    const memory = processor.memory.fork();
    const run = await this.engine!.run({ dispatch, program, memory, signal: job.signal });
    job.signal.throwIfAborted();
    // Going on without this dispatch would show what never was.
    if (run.status === 'device') throw new DeviceFailed(event.index, run.diagnostics);
    if (run.status === 'completed') processor.memory = memory;
  }

  private keep(event: number, memory: GuestMemory): void {
    this.snapshots.set(event, memory);
    if (this.snapshots.size <= MAX_SNAPSHOTS) return;
    const [oldest] = this.snapshots.keys();
    this.snapshots.delete(oldest!);
  }
}
