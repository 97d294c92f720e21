/**
 * Bundles the engine's entry points (command line, worker, GPU host, server) into out/engine.
 *
 * Native and large packages stay outside the bundle. The window (main index, preload, renderer) is built by
 * electron-vite, which takes much longer; the command line must not wait for it.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './prepare.mjs';

const entries = {
  cli: 'src/main/cli/index.ts',
  worker: 'src/main/session/worker.ts',
  'gpu-host': 'src/main/gpu/host-process.ts',
  'session-worker': 'src/main/session/app/session-worker.ts',
};

const result = await build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(ROOT, file)))),
  outdir: 'out/engine',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'linked',
  splitting: true,
  chunkNames: 'chunk-[hash]',
  packages: 'external',
  logLevel: 'warning',
  metafile: true,
});

// Chunks of earlier builds: kept for a while, since a running engine may still load them.
const outputs = new Set(Object.keys(result.metafile.outputs).map((file) => join(ROOT, file)));
const folder = join(ROOT, 'out', 'engine');
for (const name of readdirSync(folder)) {
  const file = join(folder, name);
  if (/^chunk-.*\.js(\.map)?$/.test(name) && !outputs.has(file) && Date.now() - statSync(file).mtimeMs > 600_000)
    rmSync(file);
}
