/**
 * `npm test`: set-up, then every test, ending with the line `N passed, N failed`.
 *
 *   npm test                 everything, the window's end-to-end tests last
 *   npm test -- unit/isa     only test files whose path contains the word, without the end-to-end tests
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { countTests, endWithCount } from './count.mjs';
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

const count = countTests(report, status);
if (filters.length === 0) {
  // The window's tests have a display and a set-up of their own.
  const e2eReport = join(ROOT, 'test-output', 'e2e.json');
  const e2eStatus = run(process.execPath, [join(ROOT, 'tools', 'setup', 'e2e.mjs')]);
  const e2e = countTests(e2eReport, e2eStatus);
  count.passed += e2e.passed;
  count.failed += e2e.failed;
  count.skipped += e2e.skipped;
  count.reasons.push(...e2e.reasons);
}
endWithCount(count);
