/** The table of verified RADV samples: one row per sample and backend, totals per kernel, reasons of excepted words. */
import type { ImportedSample } from './import-sample.ts';
import type { SampleRun } from './run-sample.ts';

export const TABLE_HEAD = [
  'variant',
  'kernel',
  'wave',
  'backend',
  'instructions',
  'words',
  'changed',
  'exact',
  'excepted',
  'not bit-equal',
  'distance/bound',
  'verdict',
];

export interface SampleRow {
  readonly cells: readonly string[];
  readonly passed: boolean;
  readonly kernel: string;
  /** Expected words that differ from what the buffers held before: the kernel must have written them. */
  readonly changed: number;
  readonly exact: number;
  readonly excepted: number;
  readonly reasons: readonly string[];
}

export function sampleRow({ sample, expected }: ImportedSample, { verdict, run, ...rest }: SampleRun): SampleRow {
  const { words, excepted, tolerated, largestUlp } = verdict;
  const changed = changedWords(sample.before, expected);
  const any = expected.flat().some((b) => b.exceptions.some((e) => e.bound === 'any'));
  const distance = rest.largestBound > 0 ? `${largestUlp}/${rest.largestBound} ulp` : any ? 'one of several' : '';
  const cells = [
    sample.variant,
    sample.kernel,
    sample.wave,
    verdict.backend,
    run?.instructions ?? '',
    words,
    changed,
    words - excepted,
    excepted,
    tolerated,
    distance,
    rest.passed ? 'equal' : 'FAILED',
  ].map(String);
  return {
    cells,
    passed: rest.passed,
    kernel: sample.kernel,
    changed,
    exact: words - excepted,
    excepted,
    reasons: verdict.reasons,
  };
}

function changedWords(before: ImportedSample['sample']['before'], expected: ImportedSample['expected']): number {
  let changed = 0;
  expected.forEach((bindings, set) =>
    bindings.forEach(({ words }, binding) => {
      changed += words.reduce((sum, word, i) => sum + (word === before[set]![binding]![i] ? 0 : 1), 0);
    }),
  );
  return changed;
}

export function tableLines(head: readonly string[], rows: readonly SampleRow[]): string[] {
  const all = [head, ...rows.map((row) => row.cells)];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]!.length)));
  return all.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

/** Words per kernel over all rows, then the reasons of excepted words. */
export function totalLines(rows: readonly SampleRow[]): string[] {
  const lines = [''];
  for (const kernel of [...new Set(rows.map((row) => row.kernel))]) {
    const own = rows.filter((row) => row.kernel === kernel);
    const sum = (of: (row: SampleRow) => number): number => own.reduce((total, row) => total + of(row), 0);
    const words = `${sum((r) => r.exact)} words exact, ${sum((r) => r.excepted)} excepted, ${sum((r) => r.changed)} of them changed`;
    lines.push(`${kernel}: ${own.length} runs, ${words}`);
  }
  const reasons = [...new Set(rows.flatMap((row) => row.reasons))];
  if (reasons.length > 0) lines.push('', 'excepted words:', ...reasons.map((reason) => `  ${reason}`));
  return [...lines, ''];
}
