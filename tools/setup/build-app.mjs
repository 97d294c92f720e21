/**
 * Builds the window into out/main, out/preload and out/renderer with electron-vite, when its sources changed.
 *
 *   node tools/setup/build-app.mjs [--force]
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureModules, ROOT, run } from './prepare.mjs';

const STAMP = join(ROOT, 'out', 'window-sources');
const SOURCES = ['src', 'electron.vite.config.ts', 'package-lock.json'];

function* filesBelow(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
}

/** Of everything that can end up in the window. */
function sourceHash() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesBelow(join(ROOT, source)))
      hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

export function buildApp({ force = false } = {}) {
  const wanted = sourceHash();
  const isBuilt =
    existsSync(join(ROOT, 'out', 'renderer', 'index.html')) && existsSync(join(ROOT, 'out', 'main', 'index.js'));
  if (!force && isBuilt && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  const cli = join(ROOT, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  // electron-vite asks for Electron's version; it is known without its binary.
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', 'electron', 'package.json'), 'utf8'));
  const env = {
    ...process.env,
    ELECTRON_EXEC_PATH: process.env.ELECTRON_EXEC_PATH ?? process.execPath,
    ELECTRON_MAJOR_VER: version.split('.')[0],
  };
  if (run(process.execPath, [cli, 'build', '--logLevel', 'warn'], { env }) !== 0) {
    console.error('building the window failed; the output is above.');
    process.exit(1);
  }
  writeFileSync(STAMP, wanted);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureModules();
  buildApp({ force: process.argv.includes('--force') });
}
