/**
 * Everything temporary of a test run lies in one folder, which goes with the run, also when tests fail. What a run left
 * that was killed, the next one takes away: the folder's name holds the number of the process that owns it.
 *
 * Global set-up of vitest; test processes inherit the environment.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^lanescope-run-(\d+)-/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, but it is not ours.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns what takes it away again. */
export function setup(): () => void {
  for (const name of readdirSync(tmpdir())) {
    const owner = NAME.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) remove(join(tmpdir(), name));
  }
  const folder = mkdtempSync(join(tmpdir(), `lanescope-run-${process.pid}-`));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    remove(folder);
  };
}
