/**
 * Results of the selected dispatch: its run on an engine, which output or wave is looked at, and how numbers are shown.
 *
 * A dispatch that is selected runs by itself when few dispatches come before it; otherwise the user is asked, because
 * all of them run first.
 */
import { create } from 'zustand';
import type { Backend, DiagnosticView, OutputPage, RunView, WaveView } from '../../preload/contract/index.ts';
import { CallError, call } from '../connection/client.ts';
import { EVENT_KIND } from '../selectors/event-rows.ts';
import type { NumberFormat } from '../selectors/number-format.ts';
import { useCapture } from './capture.ts';
import { refreshDevices, useDevices } from './devices.ts';
import { relinkAfterRun } from './inspect.ts';
import { asJob, callAsJob } from './jobs.ts';
import { failedTo, type Loadable, loaded, loading, NOTHING } from './loadable.ts';
import { logFailure } from './log.ts';
import { useSelection } from './selection.ts';

export type Comparison = 'expected' | 'before' | 'other' | 'none';
export type LanesView = 'outputs' | 'registers';

/** Dispatches before the selected one that run without being asked for. */
const AUTOMATIC = 64;
export const PAGE_WORDS = 4096;

interface LanesState {
  readonly backend: Backend;
  readonly comparison: Comparison;
  readonly format: NumberFormat;
  readonly view: LanesView;
  readonly output: number;
  /** First word of the output that is fetched. */
  readonly firstWord: number;
  readonly wave: number;
  readonly isTransposed: boolean;
  readonly run: Loadable<RunView>;
  /** Why the run waits for the user. */
  readonly waiting: string | null;
  readonly page: Loadable<OutputPage & { readonly event: number }>;
  /** The same words on the other engine, where that comparison is chosen. */
  readonly otherPage: Loadable<OutputPage>;
  readonly registers: Loadable<WaveView & { readonly event: number; readonly backend: Backend }>;
}

export const useLanes = create<LanesState>(() => ({
  backend: 'reference',
  comparison: 'expected',
  format: 'dec',
  view: 'outputs',
  output: 0,
  firstWord: 0,
  wave: 0,
  isTransposed: false,
  run: NOTHING,
  waiting: null,
  page: NOTHING,
  otherPage: NOTHING,
  registers: NOTHING,
}));

let current = new AbortController();
let reading = new AbortController();

/** Ends what goes on, and starts anew: an answer counts only while its controller is the latest. */
function stopReading(): AbortController {
  reading.abort();
  reading = new AbortController();
  return reading;
}

export function otherBackend(backend: Backend): Backend {
  return backend === 'reference' ? 'vulkan' : 'reference';
}

function dispatchNumber(event: number): number | undefined {
  const { tree } = useCapture.getState();
  if (!tree) return undefined;
  const row = tree.rowOfEvent[event];
  if (row === undefined || tree.kind[row] !== EVENT_KIND.dispatch || tree.event[row] !== event) return undefined;
  let number = 0;
  for (let i = 0; i < row; i++) if (tree.kind[i] === EVENT_KIND.dispatch) number++;
  return number;
}

/** Starts over for the selected event. */
function restart(event: number): void {
  current.abort();
  stopReading();
  current = new AbortController();
  const nothing = { run: NOTHING, page: NOTHING, otherPage: NOTHING, registers: NOTHING, waiting: null };
  const number = event < 0 ? undefined : dispatchNumber(event);
  if (number === undefined) {
    useLanes.setState(nothing);
    return;
  }
  if (number > AUTOMATIC) {
    useLanes.setState({ ...nothing, waiting: `${number.toLocaleString('en')} dispatches before this one run first` });
    return;
  }
  void runSelected();
}

/** Runs the selected dispatch on the chosen engine; what was shown of it stays until the answer is there. */
export async function runSelected(): Promise<void> {
  const { event } = useSelection.getState();
  if (event < 0) return;
  current.abort();
  stopReading();
  const abort = new AbortController();
  current = abort;
  const { backend } = useLanes.getState();
  useLanes.setState(({ run, page, registers }) => ({
    run: loading(run),
    page: loading(page),
    registers: loading(registers),
    waiting: null,
  }));
  await new Promise((resolve) => setTimeout(resolve, 25));
  if (abort.signal.aborted) return;
  const title = backend === 'reference' ? 'Running on the reference' : 'Running on the device';
  try {
    const run = await asJob(
      title,
      (signal, onProgress) => call('run.dispatch', { event, backend }, { signal, onProgress }),
      abort,
    );
    if (abort.signal.aborted || current !== abort) return;
    if (!run) {
      useLanes.setState({ run: NOTHING, page: NOTHING, registers: NOTHING });
      return;
    }
    const { output, wave } = useLanes.getState();
    useLanes.setState({
      run: loaded(run),
      output: output < run.outputs.length ? output : 0,
      firstWord: 0,
      wave: wave < run.waves.count ? wave : 0,
    });
    if (backend === 'reference') void relinkAfterRun(event);
    await Promise.all([fetchPage(), fetchRegisters()]);
  } catch (error) {
    if (current !== abort) return;
    const isCancelled = error instanceof CallError && error.isCancelled;
    useLanes.setState({
      run: isCancelled ? NOTHING : failedTo(error),
      page: NOTHING,
      registers: NOTHING,
      waiting: isCancelled ? 'the run was cancelled' : null,
    });
    logFailure('run', error);
  }
  if (backend === 'vulkan') void watchDevice();
}

const NO_FAULTS: readonly DiagnosticView[] = [];

/** What the run of this event reported at addresses of its code, for the panels that show code. */
export function useRunFaults(event: number): readonly DiagnosticView[] {
  return useLanes(({ run }) =>
    run.value?.event === event && run.value.status !== 'completed' ? run.value.diagnostics : NO_FAULTS,
  );
}

/** Stops the run that is on its way. */
export function cancelRun(): void {
  current.abort();
}

/** A device that was lost may have left its process; the status bar shall say what is there. */
async function watchDevice(): Promise<void> {
  const { run } = useLanes.getState();
  if (run.value?.status !== 'device') return;
  await refreshDevices();
}

async function fetchPage(): Promise<void> {
  const abort = current;
  const { run, output, firstWord, backend, comparison } = useLanes.getState();
  const view = run.value;
  if (!view || view.outputs.length === 0) {
    useLanes.setState({ page: NOTHING, otherPage: NOTHING });
    return;
  }
  const args = { event: view.event, output, from: firstWord, count: PAGE_WORDS };
  try {
    const page = await call('run.output', { ...args, backend }, { signal: abort.signal });
    if (abort.signal.aborted) return;
    useLanes.setState({ page: loaded({ ...page, event: view.event }) });
    if (comparison !== 'other') {
      useLanes.setState({ otherPage: NOTHING });
      return;
    }
    useLanes.setState({ otherPage: loading(NOTHING) });
    const other = otherBackend(backend);
    const title = other === 'reference' ? 'Running on the reference' : 'Running on the device';
    const ran = await asJob(title, (signal, onProgress) =>
      call('run.dispatch', { event: view.event, backend: other }, { signal, onProgress }),
    );
    if (abort.signal.aborted) return;
    const address = page.address - 4 * firstWord;
    const same = ran?.outputs.findIndex((o) => o.address === address) ?? -1;
    if (!ran || same < 0) {
      useLanes.setState({ otherPage: failedTo(ran?.message ?? 'the other engine wrote no such output') });
      return;
    }
    const otherPage = await call('run.output', { ...args, output: same, backend: other }, { signal: abort.signal });
    if (!abort.signal.aborted) useLanes.setState({ otherPage: loaded(otherPage) });
  } catch (error) {
    if (abort.signal.aborted) return;
    useLanes.setState({ page: failedTo(error) });
    logFailure('outputs', error);
  }
}

/** Those of the chosen wave, while registers are shown: a device runs the dispatch once more for them. */
async function fetchRegisters(): Promise<void> {
  const abort = stopReading();
  const { run, wave, view: shown } = useLanes.getState();
  const view = run.value;
  if (!view || view.waves.count === 0 || shown !== 'registers') {
    useLanes.setState({ registers: NOTHING });
    return;
  }
  const args = { event: view.event, backend: view.backend, wave };
  try {
    const registers = await (view.backend === 'vulkan'
      ? callAsJob('Reading registers', 'run.wave', args, abort)
      : call('run.wave', args, { signal: abort.signal }));
    if (reading !== abort) return;
    useLanes.setState({
      registers: registers
        ? loaded({ ...registers, event: view.event, backend: view.backend })
        : failedTo('the engine does not tell the registers of this wave'),
    });
  } catch (error) {
    if (reading !== abort) return;
    useLanes.setState({ registers: failedTo(abort.signal.aborted ? 'reading registers was cancelled' : error) });
    logFailure('registers', error);
  }
}

export function setBackend(backend: Backend): void {
  useLanes.setState({ backend });
  void runSelected();
}

export function setComparison(comparison: Comparison): void {
  useLanes.setState({ comparison });
  void fetchPage();
}

export function setOutput(output: number): void {
  useLanes.setState({ output, firstWord: 0 });
  void fetchPage();
}

export function setFirstWord(firstWord: number): void {
  useLanes.setState({ firstWord });
  void fetchPage();
}

export function setWave(wave: number): void {
  useLanes.setState({ wave });
  void fetchRegisters();
}

export function setLanesView(view: LanesView): void {
  useLanes.setState({ view });
  void fetchRegisters();
}

export function setFormat(format: NumberFormat): void {
  useLanes.setState({ format });
}

export function setTransposed(isTransposed: boolean): void {
  useLanes.setState({ isTransposed });
}

export function startLanes(): void {
  useSelection.subscribe(({ event }, before) => {
    if (event !== before.event) restart(event);
  });
  // A device that has gone cannot be chosen any more.
  useDevices.subscribe(({ view }) => {
    if (view && !view.vulkan.usable && useLanes.getState().comparison === 'other') setComparison('expected');
  });
}
