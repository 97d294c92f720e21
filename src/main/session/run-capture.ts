/**
 * Replays a capture for the user: each dispatch with its verdict, on one engine or on a second one beside it, compared
 * with that one's memory or with a saved run's.
 *
 * The engines replay separately, so a difference in one dispatch shows again in those that read it; the first one tells.
 */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { OpenCapture } from '../capture/store/open-capture.ts';
import type { DispatchEngine, EngineRun } from '../driver/engine.ts';
import { CaptureNames, type ReplayStep, replay } from './replay.ts';
import { pagesOf, type ResultFile } from './result-file.ts';
import { compareMemories, comparePages, freeWords, judge, type MemoryDifference, type Verdict } from './verdict.ts';

export interface RunOptions {
  readonly engine: DispatchEngine;
  /** Runs too, and its memory is compared with. */
  readonly beside?: DispatchEngine;
  /** Results to compare with. */
  readonly saved?: ResultFile;
  /** Only the dispatch with this event index; those before it run too. */
  readonly event?: number;
  readonly limit?: number;
  readonly signal?: AbortSignal;
  /** Told of events that could not be read or executed as they stand. */
  readonly onProblems?: (problems: readonly Diagnostic[]) => void;
}

export interface EngineOutcome {
  readonly run: EngineRun | undefined;
  readonly verdict: Verdict;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DispatchOutcome extends EngineOutcome {
  readonly event: number;
  readonly dispatch: number;
  readonly label: string | undefined;
  readonly shader: string | undefined;
  readonly beside?: EngineOutcome;
  /** Where both sides completed. */
  readonly compared?: MemoryDifference;
  /** Why there is nothing to compare although a comparison was asked for. */
  readonly notCompared?: string;
  /** Memory as the dispatch left it, when it completed. */
  readonly memory: ReplayStep['memory'] | undefined;
}

export async function* runCapture(open: OpenCapture, options: RunOptions): AsyncGenerator<DispatchOutcome, void, void> {
  const names = new CaptureNames(open);
  const shared = {
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.signal ? { signal: options.signal } : {}),
  };
  const other = options.beside ? replay(open, { engine: options.beside, ...shared }) : undefined;
  try {
    for await (const step of replay(open, { engine: options.engine, ...shared })) {
      const second = other ? (await other.next()).value : undefined;
      const problems = step.event.diagnostics.filter((d) => d.kind !== 'note' && d.kind !== 'warning');
      if (problems.length > 0) options.onProblems?.(problems);
      if (!step.dispatch) continue;
      if (options.event !== undefined && step.event.index !== options.event) continue;
      const { dispatch } = step.dispatch;
      yield {
        event: step.event.index,
        dispatch: step.dispatch.number,
        label: names.dispatch(step.dispatch.number),
        shader: dispatch ? names.shader(dispatch.programAddress) : undefined,
        ...outcomeOf(open, step, options.engine),
        ...(second && options.beside ? { beside: outcomeOf(open, second, options.beside) } : {}),
        ...comparison(open, step, second ?? undefined, options.saved),
        memory: completedMemory(step),
      };
      if (options.event !== undefined) return;
    }
  } finally {
    await other?.return();
  }
}

function outcomeOf(open: OpenCapture, { dispatch, memory }: ReplayStep, engine: DispatchEngine): EngineOutcome {
  const { number, run, diagnostics } = dispatch!;
  return { run, verdict: judge(open, number, run, memory, diagnostics, engine.backend), diagnostics };
}

const completedMemory = ({ dispatch, memory }: ReplayStep): ReplayStep['memory'] | undefined =>
  dispatch?.run?.status === 'completed' ? memory : undefined;

function comparison(
  open: OpenCapture,
  step: ReplayStep,
  second: ReplayStep | undefined,
  saved: ResultFile | undefined,
): { compared?: MemoryDifference; notCompared?: string } {
  if (!second && !saved) return {};
  const mine = completedMemory(step);
  if (!mine) return { notCompared: 'this run did not complete' };
  const { number, memoryBefore } = step.dispatch!;
  const free = freeWords(open, number);
  if (second) {
    const theirs = completedMemory(second);
    return theirs
      ? { compared: compareMemories(theirs, mine, free) }
      : { notCompared: 'the other run did not complete' };
  }
  const entry = saved!.dispatches.find((d) => d.dispatch === number);
  if (!entry) return { notCompared: 'the saved run has no such dispatch' };
  if (entry.status !== 'completed') return { notCompared: `the saved run was ${entry.status}` };
  const pages = pagesOf(entry);
  // What the saved run did not write it left as it was.
  return { compared: comparePages(mine, new Set(pages.keys()), (page) => pages.get(page), memoryBefore, free) };
}
