/**
 * Each test file has a temporary folder of its own, where `os.tmpdir()` points for it and for every process that it
 * starts. It is removed when the file is through, after the file's own hooks.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const outer = process.env.TMPDIR;
const folder = mkdtempSync(join(tmpdir(), 'file-'));
process.env.TMPDIR = folder;

// Hooks run in reverse order: this one is the last.
afterAll(() => {
  if (outer === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outer;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
