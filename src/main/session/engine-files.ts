/** Where the built entry points lie that are started as processes and workers. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** Run from source (tests), the built files are in out/engine; bundled, they lie beside this file. */
const folder = /[\\/]src[\\/]main[\\/]session$/.test(here) ? join(here, '..', '..', '..', 'out', 'engine') : here;

export function engineFile(name: 'worker.js' | 'gpu-host.js' | 'session-worker.js'): string {
  return join(folder, name);
}
