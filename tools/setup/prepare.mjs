/**
 * What every first run needs: node modules as locked, and the built engine in out/engine.
 *
 * Uses node's own modules only, since nothing is installed yet when it starts.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Runs a command in the repository's root; its output is the caller's. Returns the exit status. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 11)) {
    console.error(`Lanescope needs Node 20.11 or newer; this is ${process.versions.node}.`);
    process.exit(2);
  }
}

/** `npm ci` when node_modules does not match the lock. */
export function ensureModules() {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const stamp = join(ROOT, 'node_modules', '.lanescope-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  if (run(npm, ['ci', '--no-audit', '--no-fund'], { shell: process.platform === 'win32' }) !== 0) {
    console.error('npm ci failed; its output is above.');
    process.exit(1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

export function buildEngine() {
  if (run(process.execPath, [join(ROOT, 'tools', 'setup', 'build-engine.mjs')]) !== 0) process.exit(1);
}
