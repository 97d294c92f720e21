/**
 * What a piece of long work gets from whoever started it: a way to report progress, and a place to stop.
 *
 * Work calls `pause` often (it is cheap); now and then that gives the event loop a turn, so that other calls are
 * answered and a cancellation is seen. A cancelled job leaves by an exception of its signal.
 */
import type { Progress } from '../../../preload/contract/index.ts';

const TURN_MS = 20;
const REPORT_MS = 60;

export class Job {
  readonly signal: AbortSignal;
  private readonly onProgress: (progress: Progress) => void;
  private turnStarted = performance.now();
  private lastReport = 0;

  constructor(signal: AbortSignal, onProgress: (progress: Progress) => void) {
    this.signal = signal;
    this.onProgress = onProgress;
  }

  /** `total` 0: not known. Most reports are dropped; the window needs a few per second. */
  report(done: number, total: number, text: string): void {
    const now = performance.now();
    if (now - this.lastReport < REPORT_MS) return;
    this.lastReport = now;
    this.onProgress({ done, total, text });
  }

  async pause(): Promise<void> {
    if (performance.now() - this.turnStarted < TURN_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.turnStarted = performance.now();
    this.signal.throwIfAborted();
  }
}
