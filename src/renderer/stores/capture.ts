/**
 * The open capture: its summary, the tree of its events, and the texts of rows, fetched in pages when they are shown.
 */
import { create } from 'zustand';
import type {
  CaptureSummary,
  DiagnosticView,
  EventRowText,
  EventTree,
  RecentFile,
} from '../../preload/contract/index.ts';
import { CallError, call, pathForFile } from '../connection/client.ts';
import { asJob, callAsJob } from './jobs.ts';
import { log, logFailure } from './log.ts';

export const PAGE_ROWS = 128;

interface CaptureState {
  readonly summary: CaptureSummary | null;
  readonly tree: EventTree | null;
  /** Texts of rows by page; a new object whenever one arrives. */
  readonly pages: ReadonlyMap<number, readonly EventRowText[]>;
  readonly isOpening: boolean;
  /** Why the last attempt to open failed. */
  readonly problem: { readonly path: string; readonly diagnostics: readonly DiagnosticView[] } | null;
  readonly recent: readonly RecentFile[];
}

export const useCapture = create<CaptureState>(() => ({
  summary: null,
  tree: null,
  pages: new Map(),
  isOpening: false,
  problem: null,
  recent: [],
}));

/** Why there is nothing to select in the open capture; undefined when there is. */
export function useWhyNothing(what: 'event' | 'dispatch'): string | undefined {
  return useCapture(({ summary }) => {
    if (summary === null) return undefined;
    if (summary.events === 0) return 'The capture has no events.';
    return what === 'dispatch' && summary.dispatches === 0 ? 'The capture has no dispatches.' : undefined;
  });
}

let opening: AbortController | undefined;

/** Shows a capture that the engine has open. */
export async function adopt(summary: CaptureSummary): Promise<void> {
  const tree = await call('events.tree', {});
  useCapture.setState({ summary, tree, pages: new Map(), isOpening: false, problem: null });
  document.title = `${summary.name} · Lanescope`;
}

export async function openPath(path: string): Promise<void> {
  opening?.abort();
  const abort = new AbortController();
  opening = abort;
  useCapture.setState({ isOpening: true, problem: null });
  try {
    const outcome = await callAsJob(`Opening ${path.split(/[\\/]/).at(-1)}`, 'capture.open', { path }, abort);
    if (abort.signal.aborted) return;
    if (outcome.ok) {
      await adopt(outcome.value);
      await refreshRecent();
    } else useCapture.setState({ isOpening: false, problem: { path, diagnostics: outcome.diagnostics } });
  } catch (error) {
    logFailure('open', error);
    const isCancelled = error instanceof CallError && error.isCancelled;
    if (isCancelled) log('info', 'open', `opening ${path} was cancelled`);
    if (opening !== abort) return;
    useCapture.setState({
      isOpening: false,
      problem: isCancelled ? null : { path, diagnostics: [failureView(error)] },
    });
  }
}

export function dismissProblem(): void {
  useCapture.setState({ problem: null });
}

function failureView(error: unknown): DiagnosticView {
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'APP001', kind: 'fault', message, text: message };
}

/** A file that was dropped or chosen in the browser. */
export async function openFile(file: File): Promise<void> {
  try {
    const path = await asJob(`Reading ${file.name}`, (signal, onProgress) => pathForFile(file, { signal, onProgress }));
    await openPath(path);
  } catch (error) {
    logFailure('open', error);
  }
}

export async function refreshRecent(): Promise<void> {
  try {
    useCapture.setState({ recent: await call('app.recentFiles', {}) });
  } catch (error) {
    logFailure('recent files', error);
  }
}

export async function forgetRecent(path: string): Promise<void> {
  try {
    useCapture.setState({ recent: await call('app.forgetRecentFile', { path }) });
  } catch (error) {
    logFailure('recent files', error);
  }
}

const requested = new Set<string>();

/** Asks for the texts of rows that are not there yet. */
export function needRows(from: number, to: number): void {
  const { summary, pages } = useCapture.getState();
  if (!summary) return;
  for (let page = Math.floor(from / PAGE_ROWS); page <= Math.floor(to / PAGE_ROWS); page++) {
    const key = `${summary.id} ${page}`;
    if (pages.has(page) || requested.has(key)) continue;
    requested.add(key);
    void call('events.text', { from: page * PAGE_ROWS, count: PAGE_ROWS })
      .then((texts) => {
        if (useCapture.getState().summary?.id !== summary.id) return;
        useCapture.setState((state) => ({ pages: new Map(state.pages).set(page, texts) }));
      })
      .catch((error) => logFailure('events', error))
      .finally(() => requested.delete(key));
  }
}

export function rowTextAt(pages: CaptureState['pages'], row: number): EventRowText | undefined {
  return pages.get(Math.floor(row / PAGE_ROWS))?.[row % PAGE_ROWS];
}
