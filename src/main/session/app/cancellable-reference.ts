/**
 * The reference interpreter for a window: it pauses between slices of instructions, so that it can be cancelled, tells
 * how far it is, and records which thread wrote which word.
 *
 * A cancelled run throws the signal's reason; the memory that it was given is then half written and must be dropped.
 */
import type { DispatchEngine, EngineRequest, EngineRun } from '../../driver/engine.ts';
import { engineRun, referenceOptions, refusedRun } from '../../driver/reference-engine.ts';
import { DispatchRun } from '../../reference/index.ts';
import type { Job } from './job.ts';

const SLICE = 20_000;
/** Recording keeps an object per access: beyond this many threads the writer of a word stays unknown. */
const MAX_RECORDED_THREADS = 16_384;

export class CancellableReference implements DispatchEngine {
  readonly backend = 'reference' as const;
  private job: Job | undefined;

  /** Whose progress and cancellation the next runs follow. */
  follow(job: Job): void {
    this.job = job;
  }

  async run(request: EngineRequest): Promise<EngineRun> {
    return (await this.watch(request, false)).run;
  }

  /** `record`: also returns the threads that wrote memory. */
  async watch(
    request: EngineRequest,
    record: boolean,
  ): Promise<{ readonly run: EngineRun; readonly writers?: ReadonlyMap<number, number> }> {
    const refused = refusedRun(request);
    if (refused) return { run: refused };
    const { dispatch } = request;
    const threadsPerGroup = dispatch.threads[0] * dispatch.threads[1] * dispatch.threads[2];
    const groups = dispatch.groups[0] * dispatch.groups[1] * dispatch.groups[2];
    const started = performance.now();
    const run = new DispatchRun(dispatch, request.memory, {
      ...referenceOptions(request),
      recordAccesses: record && groups * threadsPerGroup <= MAX_RECORDED_THREADS,
    });
    while (run.run(SLICE)) {
      const { groupsExecuted, instructionsExecuted } = run.result();
      this.job?.report(groupsExecuted, groups, `reference: ${instructionsExecuted.toLocaleString('en')} instructions`);
      await this.job?.pause();
    }
    const result = run.result();
    const wavesPerGroup = Math.ceil(threadsPerGroup / dispatch.waveSize);
    const writers = new Map<number, number>();
    for (const access of result.accesses) {
      if (access.kind !== 'write' || access.lane < 0) continue;
      const thread = (access.workgroup * wavesPerGroup + access.wave) * dispatch.waveSize + access.lane;
      const end = access.address + access.sizeBytes;
      for (let at = access.address - (access.address % 4); at < end; at += 4) writers.set(at, thread);
    }
    return { run: engineRun(request, result, performance.now() - started), writers };
  }

  async close(): Promise<void> {}
}
