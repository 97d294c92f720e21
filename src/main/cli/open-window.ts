/**
 * `lanescope open CAP`, and `lanescope CAP` for short: the window of its own. Starts Electron and leaves it running.
 *
 * Without a display, or without an Electron that runs here, it says so and names `serve`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { CommandError, EXIT } from './output.ts';

export function registerOpen(program: Command): void {
  program
    .command('open')
    .description('open a capture in a window; `lanescope FILE` does the same')
    .argument('<capture>')
    .action((capture: string) => {
      if (!existsSync(capture)) throw new CommandError(EXIT.badInput, `cannot read ${capture}: there is no such file`);
      if (!hasDisplay()) {
        const instead = `lanescope serve ${capture}`;
        throw new CommandError(EXIT.unsupported, `there is no display; '${instead}' shows the window in a browser`);
      }
      const root = applicationFolder();
      const electron = root && electronOf(root);
      if (!electron) {
        const message = `there is no Electron that runs here; 'npm start' sets one up, 'lanescope serve ${capture}' needs none`;
        throw new CommandError(EXIT.unsupported, message);
      }
      const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
      // Root has no user namespaces to sandbox with.
      const switches = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      spawn(electron, [...switches, root, resolve(capture)], { detached: true, stdio: 'ignore', env }).unref();
    });
}

/** `lanescope FILE` means `lanescope open FILE`; verbs come first. */
export function withOpenVerb(argv: readonly string[], verbs: readonly string[]): string[] {
  const first = argv[2];
  const isFile = first !== undefined && !first.startsWith('-') && !verbs.includes(first) && existsSync(first);
  return isFile ? [...argv.slice(0, 2), 'open', ...argv.slice(2)] : [...argv];
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The folder with package.json and the built window. */
function applicationFolder(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let i = 0; i < 5; i++) {
    if (existsSync(join(folder, 'out', 'main', 'index.js'))) return folder;
    folder = dirname(folder);
  }
  return undefined;
}

/** Electron's own binary, else the one for development and tests. */
function electronOf(root: string): string | undefined {
  try {
    const own: unknown = createRequire(join(root, 'package.json'))('electron');
    if (typeof own === 'string' && existsSync(own)) return own;
  } catch {
    // It has not downloaded its binary.
  }
  const fallback = join(root, 'tools', 'electron-runtime', 'dist', 'electron');
  return existsSync(fallback) ? fallback : undefined;
}
