/** The capture that comes with the application. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SAMPLE = join('resources', 'samples', 'call-program.lscap');

/** Looked for beside and above this code, wherever it was bundled to; null when it is not there. */
export function sampleCapture(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let i = 0; i < 6; i++) {
    if (existsSync(join(folder, SAMPLE))) return join(folder, SAMPLE);
    folder = dirname(folder);
  }
  return null;
}
