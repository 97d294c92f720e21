/**
 * Runs single dispatches of the open capture on an engine and keeps what they left, for the Lanes panel.
 *
 * The dispatches before it run first, on the same engine (timeline.ts). Kept runs are bounded; a run that was dropped is
 * made again when asked for.
 */
import type { Backend, OutputPage, RunView, WaveView } from '../../../preload/contract/run.ts';
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostics.ts';
import type { GuestMemory } from '../../base/guest-memory.ts';
import type { OpenCapture } from '../../capture/store/open-capture.ts';
import { wavesOfDispatch } from '../../driver/device-registers.ts';
import { dispatchFromState } from '../../driver/dispatch-state.ts';
import type { EngineRequest, EngineRun } from '../../driver/engine.ts';
import { linkDispatch } from '../../driver/link-dispatch.ts';
import type { CaptureNames } from '../replay.ts';
import { judge, type Verdict } from '../verdict.ts';
import { CancellableReference } from './cancellable-reference.ts';
import { diagnosticViews } from './diagnostic-view.ts';
import type { EventTable } from './event-table.ts';
import type { GpuAccess } from './gpu-access.ts';
import type { Job } from './job.ts';
import { type Output, outputPage, outputsOf, type RunMemory } from './run-outputs.ts';
import { DeviceFailed, Timeline } from './timeline.ts';
import { type WavePlace, WaveRecord } from './wave-record.ts';

const MAX_KEPT_RUNS = 24;

interface KeptRun {
  readonly view: RunView;
  readonly outputs: readonly Output[];
  readonly memory: RunMemory;
  /** Final registers of the waves in `view`. A device runs the dispatch once more for them, when they are first asked for. */
  readonly waves: (job: Job) => Promise<readonly WaveView[]>;
}

export class RunService {
  private readonly open: OpenCapture;
  private readonly names: CaptureNames;
  private readonly table: EventTable;
  private readonly gpu: GpuAccess;
  private readonly reference = new CancellableReference();
  private readonly executed: Timeline;
  private readonly onDevice = new WeakMap<object, Timeline>();
  private readonly runs = new Map<string, KeptRun>();

  constructor(open: OpenCapture, names: CaptureNames, table: EventTable, gpu: GpuAccess) {
    this.open = open;
    this.names = names;
    this.table = table;
    this.gpu = gpu;
    this.executed = new Timeline(open, names, this.reference);
  }

  /** Memory before an event with all dispatches before it run by the reference. */
  memoryAt(event: number, job: Job): Promise<GuestMemory> {
    return this.executed.memoryAt(event, job, () => this.reference.follow(job));
  }

  knowsMemoryAt(event: number): boolean {
    return this.executed.has(event);
  }

  /** Null for events that are no dispatch. */
  async run(event: number, backend: Backend, job: Job): Promise<RunView | null> {
    return (await this.kept(event, backend, job))?.view ?? null;
  }

  async output(
    event: number,
    backend: Backend,
    index: number,
    from: number,
    count: number,
    job: Job,
  ): Promise<OutputPage> {
    const run = await this.kept(event, backend, job);
    const output = run?.outputs[index];
    if (!run || !output) {
      const none = new Uint32Array(0);
      return {
        address: 0,
        after: none,
        before: none,
        check: new Uint8Array(0),
        expected: none,
        thread: new Int32Array(0),
      };
    }
    return outputPage(output, run.memory, from, count);
  }

  async wave(event: number, backend: Backend, index: number, job: Job): Promise<WaveView | null> {
    const run = await this.kept(event, backend, job);
    return (await run?.waves(job))?.[index] ?? null;
  }

  private async kept(event: number, backend: Backend, job: Job): Promise<KeptRun | undefined> {
    const key = `${backend} ${event}`;
    const known = this.runs.get(key);
    if (known) return known;
    const made = await this.make(event, backend, job);
    // A device that failed may work the next time.
    if (!made || made.view.status === 'device') return made;
    this.runs.set(key, made);
    if (this.runs.size > MAX_KEPT_RUNS) this.runs.delete([...this.runs.keys()][0]!);
    return made;
  }

  private async make(index: number, backend: Backend, job: Job): Promise<KeptRun | undefined> {
    const event = this.table.events[index];
    if (event?.effect.kind !== 'dispatch') return undefined;
    const number = this.table.dispatchOfEvent[index]!;
    const timeline = backend === 'reference' ? this.executed : await this.deviceTimeline();
    if (!timeline) return this.withoutRun(index, backend, 'device', [], this.gpu.problem ?? 'no device can be used');
    let before: GuestMemory;
    try {
      before = await timeline.memoryAt(index, job, () => this.reference.follow(job));
    } catch (error) {
      if (error instanceof DeviceFailed)
        return this.withoutRun(index, backend, 'device', error.diagnostics, error.message);
      throw error;
    }
    const { target } = this.open.capture;
    const read = dispatchFromState(event.state, target, event.effect.dispatch, event.packet?.address);
    if (!read.ok) return this.withoutRun(index, backend, 'refused', read.error);
    const dispatch = read.value;
    const program = linkDispatch(dispatch, before, {
      name: this.names.shader(dispatch.programAddress),
      registered: this.open.capture.shaders.map((s) => s.codeAddress),
    });
    const after = before.fork();
    const record = new WaveRecord(program, dispatch);
    const request = { dispatch, program, memory: after, signal: job.signal };
    let run: EngineRun;
    let writers: ReadonlyMap<number, number> = new Map();
    if (backend === 'reference') {
      this.reference.follow(job);
      const watched = await this.reference.watch({ ...request, watch: record.watch }, true);
      run = watched.run;
      writers = watched.writers ?? writers;
    } else {
      job.report(0, 0, `running on ${this.gpu.name ?? 'the device'}`);
      run = await this.gpu.engine!.run(request);
      job.signal.throwIfAborted();
    }
    const completed = run.status === 'completed';
    const memory: RunMemory = completed ? { before, after, writers } : { before, after: before, writers: new Map() };
    const diagnostics = [...program.diagnostics, ...run.diagnostics.filter((d) => !program.diagnostics.includes(d))];
    const verdict = judge(this.open, number, run, memory.after, diagnostics, backend);
    const outputs = completed ? outputsOf(this.open, this.names, number, memory) : [];
    const ended = record.finish();
    const registers =
      backend === 'reference'
        ? { places: ended, total: record.total, waves: async () => ended }
        : {
            places: completed ? record.placesOnDevice(dispatch) : [],
            total: completed ? wavesOfDispatch(dispatch) : 0,
            waves: this.registersOnDevice(request, before),
          };
    const { places, total, waves } = registers;
    const view = runView(index, run, verdict, diagnostics, dispatch.waveSize, outputs, places, total);
    return { view, outputs, memory, waves };
  }

  /**
   * Runs the dispatch once more, with code that stores final registers: what is timed and shown of a run is the code
   * without. Asked for again, it answers from what it kept, unless it failed.
   */
  private registersOnDevice(request: EngineRequest, before: GuestMemory): KeptRun['waves'] {
    let known: readonly WaveView[] | undefined;
    return async (job) => {
      if (known) return known;
      const engine = await this.gpu.open();
      if (!engine) throw new Error('no Vulkan device can be opened now');
      job.report(0, 0, `reading registers on ${this.gpu.name ?? 'the device'}`);
      const record = new WaveRecord(request.program, request.dispatch);
      const run = await engine.run({ ...request, memory: before.fork(), signal: job.signal, watch: record.watch });
      job.signal.throwIfAborted();
      if (run.status !== 'completed') {
        const why = run.diagnostics.filter((d) => d.kind !== 'note').map(formatDiagnostic);
        throw new Error(`the second run, for the registers, was ${run.status}: ${why.join('; ')}`);
      }
      known = record.finish();
      return known;
    };
  }

  private async deviceTimeline(): Promise<Timeline | undefined> {
    const engine = await this.gpu.open();
    if (!engine) return undefined;
    let timeline = this.onDevice.get(engine);
    if (!timeline) this.onDevice.set(engine, (timeline = new Timeline(this.open, this.names, engine)));
    return timeline;
  }

  private withoutRun(
    event: number,
    backend: Backend,
    status: RunView['status'],
    diagnostics: readonly Diagnostic[],
    message?: string,
  ): KeptRun {
    const none = this.open.initialMemory();
    const first = diagnostics[0];
    const view: RunView = {
      event,
      backend,
      status,
      verdict: 'unexpected',
      message: message ?? (first ? formatDiagnostic(first) : status),
      diagnostics: diagnosticViews(diagnostics),
      faults: [],
      outputs: [],
      waveSize: 0,
      waves: { total: 0, count: 0, workgroup: new Uint32Array(0), index: new Uint32Array(0) },
      milliseconds: 0,
    };
    return { view, outputs: [], memory: { before: none, after: none, writers: new Map() }, waves: async () => [] };
  }
}

function runView(
  event: number,
  run: EngineRun,
  verdict: Verdict,
  diagnostics: readonly Diagnostic[],
  waveSize: number,
  outputs: readonly Output[],
  waves: readonly WavePlace[],
  total: number,
): RunView {
  return {
    event,
    backend: run.backend,
    status: run.status,
    verdict: verdict.kind,
    message: verdict.message ?? `${verdict.words} words as expected (${verdict.sources.join('; ')})`,
    diagnostics: diagnosticViews(diagnostics),
    faults: run.faults.slice(0, 64).map((f) => ({
      text: f.detail ? `${f.reason}: ${f.detail}` : f.reason,
      address: f.instructionAddress,
      lane: f.lane,
    })),
    outputs: outputs.map((o) => o.view),
    waveSize,
    waves: {
      total,
      count: waves.length,
      workgroup: Uint32Array.from(waves.flatMap((w) => [...w.workgroup])),
      index: Uint32Array.from(waves, (w) => w.wave),
    },
    ...(run.instructions === undefined ? {} : { instructions: run.instructions }),
    milliseconds: Object.values(run.times ?? {}).reduce((sum, ms) => sum + ms, 0),
    ...(run.cache ? { cache: `${run.cache.result}: ${run.cache.reason}` } : {}),
  };
}
