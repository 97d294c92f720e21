/**
 * Everything temporary of a test run lies in one folder, which goes with the run: also when a test fails or its process
 * is killed before it could tidy up. Global set-up of vitest; test processes inherit the environment.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns what takes it away again. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'lanescope-run-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
