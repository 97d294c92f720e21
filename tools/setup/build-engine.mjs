/**
 * Bundles the engine's entry points (command line, worker, GPU host, server) into out/engine.
 *
 * Native and large packages stay outside the bundle. The window (main index, preload, renderer) is built by
 * electron-vite, which takes much longer; the command line must not wait for it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './prepare.mjs';

const entries = {
  cli: 'src/main/cli/index.ts',
  worker: 'src/main/session/worker.ts',
  'gpu-host': 'src/main/gpu/host-process.ts',
  'session-worker': 'src/main/session/app/session-worker.ts',
};

await build({
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
});
