/** The log: what the engine said, and what went wrong in the window itself. */
import { create } from 'zustand';
import type { LogEntry, LogLevel } from '../../preload/contract/index.ts';
import { CallError, call, onNotice } from '../connection/client.ts';

const MAX_ENTRIES = 5000;

interface LogState {
  readonly entries: readonly LogEntry[];
}

export const useLog = create<LogState>(() => ({ entries: [] }));

function append(entry: LogEntry): void {
  useLog.setState(({ entries }) => ({ entries: [...entries.slice(-MAX_ENTRIES + 1), entry] }));
}

export function log(level: LogLevel, source: string, text: string): void {
  append({ time: Date.now(), level, source, text });
}

/** A failed call, unless somebody cancelled it. The engine's own failures are in its log already. */
export function logFailure(source: string, error: unknown): void {
  if (error instanceof CallError) {
    if (!error.isCancelled && error.code !== 'RPC004') log('error', source, error.message);
  } else log('error', source, error instanceof Error ? (error.stack ?? error.message) : String(error));
}

export async function startLog(): Promise<void> {
  onNotice('log', append);
  try {
    useLog.setState({ entries: await call('app.log', {}) });
  } catch (error) {
    logFailure('log', error);
  }
}
