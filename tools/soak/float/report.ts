/**
 * Counts checks and prints one line for each: name, cases, differences, time, and the first difference.
 */
export class Report {
  passed = 0;
  failed = 0;

  line(name: string, cases: number, differences: number, startedMs: number, detail = ''): void {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const verdict = differences === 0 ? 'ok' : `${differences} DIFFERENCES`;
    console.log(
      `${name.padEnd(34)} ${String(cases).padStart(9)} cases  ${seconds.padStart(6)} s  ${verdict}  ${detail}`,
    );
    if (differences === 0) this.passed++;
    else this.failed++;
  }
}
