/**
 * Counts the tests of a vitest JSON report, so that every command ends with the same line `N passed, N failed`.
 *
 * Holds: what left no report, ended with an error, or ran nothing, counts as a failure.
 */
import { readFileSync } from 'node:fs';

/**
 * @param report path of the JSON report
 * @param status exit status of vitest
 * @returns {{ passed: number, failed: number, skipped: number, reasons: string[] }} reasons: failures without a test
 */
export function countTests(report, status) {
  const count = { passed: 0, failed: 0, skipped: 0, reasons: [] };
  const fail = (reason) => {
    count.failed++;
    count.reasons.push(reason);
  };
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    count.passed = result.numPassedTests;
    count.failed = result.numFailedTests;
    count.skipped = result.numPendingTests + (result.numTodoTests ?? 0);
    // A file that fails to load has no failed test of its own.
    for (const file of result.testResults) {
      if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'))
        fail(`${file.name}: ${file.message}`);
    }
  } catch (error) {
    fail(`no test report: ${error.message}`);
  }
  if (status !== 0 && count.failed === 0) fail(`vitest ended with status ${status}`);
  if (count.passed + count.failed + count.skipped === 0) fail('no test was found');
  return count;
}

/** Prints the reasons and the closing line, and ends the process. */
export function endWithCount({ passed, failed, skipped, reasons }) {
  for (const reason of reasons) console.error(reason);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed === 0 ? 0 : 1);
}
