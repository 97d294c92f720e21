/** Where the built entry points lie that are started as processes and workers. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** Bundled into out/engine they lie beside this file; bundled into the window's main, beside its folder; else from source. */
const folder =
  [here, join(here, '..', 'engine'), join(here, '..', '..', 'engine')].find((f) =>
    existsSync(join(f, 'gpu-host.js')),
  ) ?? join(here, '..', '..', '..', 'out', 'engine');

export function engineFile(name: 'worker.js' | 'gpu-host.js' | 'session-worker.js'): string {
  return join(folder, name);
}
