/** The log that the Log panel shows: the last entries, and a listener for new ones. */
import type { LogEntry } from '../../../preload/contract/index.ts';

const MAX_ENTRIES = 5000;
const MAX_TEXT = 10_000;

export class AppLogBook {
  private readonly list: LogEntry[] = [];
  private readonly onEntry: (entry: LogEntry) => void;

  constructor(onEntry: (entry: LogEntry) => void) {
    this.onEntry = onEntry;
  }

  get entries(): readonly LogEntry[] {
    return this.list;
  }

  add(level: LogEntry['level'], source: string, text: string): void {
    const entry: LogEntry = { time: Date.now(), level, source, text: text.slice(0, MAX_TEXT) };
    this.list.push(entry);
    if (this.list.length > MAX_ENTRIES) this.list.shift();
    this.onEntry(entry);
  }
}
