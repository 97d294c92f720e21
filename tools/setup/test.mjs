/**
 * `npm test`: set-up, then every test, ending with the line `N passed, N failed`.
 *
 *   npm test                 everything
 *   npm test -- unit/isa     only test files whose path contains the word
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages, TEST_PACKAGES } from './packages.mjs';
import { buildEngine, ensureModules, ROOT, requireNode, run } from './prepare.mjs';

requireNode();
const missing = ensurePackages(TEST_PACKAGES);
if (missing.length > 0) console.log(`not installed, tests that need them are skipped: ${missing.join(' ')}`);
ensureModules();
buildEngine();

const report = join(ROOT, 'test-output', 'vitest.json');
rmSync(report, { force: true });
const filters = process.argv.slice(2);
const status = run(process.execPath, [
  join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...filters,
]);

let passed = 0;
let failed = 0;
let skipped = 0;
const reasons = [];
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  passed = result.numPassedTests;
  failed = result.numFailedTests;
  skipped = result.numPendingTests + (result.numTodoTests ?? 0);
  // A file that fails to load has no failed test of its own.
  for (const file of result.testResults) {
    if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')) {
      failed++;
      reasons.push(`${file.name}: ${file.message}`);
    }
  }
} catch (error) {
  failed++;
  reasons.push(`no test report: ${error.message}`);
}
if (status !== 0 && failed === 0) {
  failed++;
  reasons.push(`vitest ended with status ${status}`);
}
if (passed + failed === 0) {
  failed++;
  reasons.push('no test was found');
}
for (const reason of reasons) console.error(reason);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
