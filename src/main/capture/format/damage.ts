/**
 * Collects what is wrong with a file that still opens. Bounded: a hostile file can be wrong in a million places, and
 * the first hundred say enough; the rest is counted.
 */
import { atFile, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import { MAX_DAMAGE_ENTRIES } from './layout.ts';

export class DamageLog {
  private readonly entries: Diagnostic[] = [];
  private more = 0;

  add(code: string, message: string, offset: number): void {
    if (this.entries.length < MAX_DAMAGE_ENTRIES)
      this.entries.push(diagnostic(code, 'warning', message, atFile(offset)));
    else this.more++;
  }

  list(): Diagnostic[] {
    if (this.more === 0) return this.entries.slice();
    const last = diagnostic('CAP012', 'warning', `${this.more} further damaged places are not listed`);
    return [...this.entries, last];
  }
}
