/** Runs the built command line as a user would, from another folder. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './tools.ts';

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const cliIsBuilt = existsSync(join(ROOT, 'out', 'engine', 'cli.js'));

export function runCli(
  args: readonly string[],
  options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): CliResult {
  const result = spawnSync(join(ROOT, 'bin', 'lanescope'), args, {
    cwd: tmpdir(),
    encoding: 'utf8',
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
    maxBuffer: 1 << 28,
  });
  return { code: result.status ?? -1, stdout: result.stdout, stderr: result.stderr };
}

export const sample = (name: string): string => join(ROOT, 'resources', 'samples', name);
