/** Work that goes on: what the status bar shows with its progress and the button that cancels it. */
import { create } from 'zustand';
import type { CallArgs, CallName, CallResult, Progress } from '../../preload/contract/index.ts';
import { call } from '../connection/client.ts';

export interface JobEntry {
  readonly id: number;
  readonly title: string;
  readonly progress: Progress | undefined;
  readonly startedAt: number;
  readonly cancel: () => void;
}

interface JobsState {
  readonly jobs: readonly JobEntry[];
}

export const useJobs = create<JobsState>(() => ({ jobs: [] }));

let nextId = 1;

function change(edit: (jobs: readonly JobEntry[]) => readonly JobEntry[]): void {
  useJobs.setState(({ jobs }) => ({ jobs: edit(jobs) }));
}

/** Runs work that reports progress, shown under `title` for as long as it takes. `abort` cancels it from outside. */
export async function asJob<T>(
  title: string,
  work: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<T>,
  abort: AbortController = new AbortController(),
): Promise<T> {
  const id = nextId++;
  const entry: JobEntry = {
    id,
    title,
    progress: undefined,
    startedAt: performance.now(),
    cancel: () => abort.abort(),
  };
  change((jobs) => [...jobs, entry]);
  try {
    return await work(abort.signal, (progress) =>
      change((jobs) => jobs.map((job) => (job.id === id ? { ...job, progress } : job))),
    );
  } finally {
    change((jobs) => jobs.filter((job) => job.id !== id));
  }
}

export function callAsJob<Name extends CallName>(
  title: string,
  name: Name,
  args: CallArgs<Name>,
  abort?: AbortController,
): Promise<CallResult<Name>> {
  return asJob(title, (signal, onProgress) => call(name, args, { signal, onProgress }), abort);
}
