/**
 * `npm run test:e2e`: set-up, then the end-to-end tests of the window in Electron and in Chromium, on a display of
 * their own. Screenshots and the report are kept in test-output. Ends with the line `N passed, N failed`.
 *
 *   npm run test:e2e -- flows      only test files whose path contains the word
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildApp } from './build-app.mjs';
import { countTests, endWithCount } from './count.mjs';
import { findElectron } from './electron.mjs';
import { ensurePackages, TEST_PACKAGES, WINDOW_PACKAGES } from './packages.mjs';
import { buildEngine, ensureModules, ROOT, requireNode } from './prepare.mjs';

const VULKAN = ['libvulkan1', 'mesa-vulkan-drivers'];

requireNode();
const vulkan = Object.fromEntries(VULKAN.map((name) => [name, TEST_PACKAGES[name]]));
const missing = ensurePackages({ ...WINDOW_PACKAGES, ...vulkan });
if (missing.length > 0) console.log(`not installed, tests that need them are skipped: ${missing.join(' ')}`);
ensureModules();
buildEngine();
buildApp();
const electron = findElectron();
if (!electron) console.log('no Electron runs here: its tests are skipped');

/** A display of our own; its number is what the server picks. */
async function startDisplay() {
  if (!existsSync('/usr/bin/Xvfb')) return { display: process.env.DISPLAY, stop: async () => {} };
  const server = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '2560x1440x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise((resolve, reject) => {
    server.stdio[3].once('data', (data) => resolve(data.toString().trim()));
    server.once('exit', () => reject(new Error('the display server ended')));
  });
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill();
    await ended;
  };
  return { display: `:${number}`, stop };
}

/** What tells the tests that Electron is there, and the package `electron`, which the driver asks, where. */
function electronFor(found) {
  if (!found) return {};
  const elsewhere = found.kind === 'fallback' ? { ELECTRON_OVERRIDE_DIST_PATH: dirname(found.path) } : {};
  return { LANESCOPE_TEST_ELECTRON: found.path, ...elsewhere };
}

const report = join(ROOT, 'test-output', 'e2e.json');
rmSync(report, { force: true });
const { display, stop } = await startDisplay();
const status = await new Promise((resolve) => {
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      'tests/e2e/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...(display ? { DISPLAY: display } : {}),
        ...electronFor(electron),
      },
    },
  );
  // Told to end, it lets the tests close their windows, and ends the display after them.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  child.once('exit', (code) => resolve(code ?? 1));
});
await stop();

endWithCount(countTests(report, status));
