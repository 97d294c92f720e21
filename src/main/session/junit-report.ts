/** Verification results as a JUnit report, one test case per dispatch and backend. */
import { formatDiagnostic } from '../base/diagnostics.ts';
import type { CaptureVerification } from './verify-capture.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function xml(text: string): string {
  // Control characters are not allowed in XML 1.0 at all.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '�').replace(/[&<>"']/g, (c) => ESCAPES[c]!);
}

export function junitReport(results: readonly CaptureVerification[]): string {
  const suites = results.map((result) => {
    const cases = result.rows.flatMap((row) =>
      row.verdicts.map((verdict) => {
        const name = `dispatch ${row.dispatch} ${row.name} on ${verdict.backend}`;
        const bad = verdict.kind === 'differs' || verdict.kind === 'unexpected' || row.enginesDiffer !== undefined;
        const body = bad ? `<failure message="${xml(row.enginesDiffer ?? verdict.message ?? verdict.kind)}"/>` : '';
        return { bad, text: `    <testcase classname="${xml(result.capture)}" name="${xml(name)}">${body}</testcase>` };
      }),
    );
    if (result.rows.length === 0) {
      const message = result.diagnostics.map(formatDiagnostic).join('; ') || 'no dispatch';
      cases.push({
        bad: true,
        text: `    <testcase classname="${xml(result.capture)}" name="open"><failure message="${xml(message)}"/></testcase>`,
      });
    }
    const failures = cases.filter((c) => c.bad).length;
    return `  <testsuite name="${xml(result.capture)}" tests="${cases.length}" failures="${failures}">\n${cases.map((c) => c.text).join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}
