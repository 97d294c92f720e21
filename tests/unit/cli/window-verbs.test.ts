/** `serve` and `open`: what they print, and what they refuse. The command line is the built one in out/engine. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withOpenVerb } from '../../../src/main/cli/open-window.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CLI = join(ROOT, 'out', 'engine', 'cli.js');
const SAMPLE = join(ROOT, 'resources', 'samples', 'call-program.lscap');

/** Runs until it ends, or until a line stood on stdout when `stopAt` is given. */
function run(args: readonly string[], env: NodeJS.ProcessEnv, stopAt?: RegExp) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env } });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => {
      out += data;
      if (stopAt?.test(out)) child.kill('SIGTERM');
    });
    child.stderr.on('data', (data) => {
      err += data;
    });
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

describe('serve', () => {
  it('prints an address of this machine with a token, and ends when it is told to', async () => {
    const { code, out, err } = await run(['serve', SAMPLE], {}, /\n/);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]{48}\n$/);
    expect(err).toContain('Ctrl+C');
    expect(code).toBe(0);
  });

  it('prints JSON', async () => {
    const { out } = await run(['serve', '--json'], {}, /\}/);
    expect(JSON.parse(out)).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) });
  });

  it('refuses files and ports that are none', async () => {
    expect(await run(['serve', '/no/such/file'], {})).toMatchObject({
      code: 3,
      err: expect.stringContaining('no such file'),
    });
    expect(await run(['serve', '--port', '70000'], {})).toMatchObject({ code: 2 });
  });
});

describe('open', () => {
  const noDisplay = { DISPLAY: '', WAYLAND_DISPLAY: '' };

  it.skipIf(process.platform !== 'linux')('names serve where there is no display', async () => {
    const { code, err } = await run(['open', SAMPLE], noDisplay);
    expect(code).toBe(4);
    expect(err).toContain(`lanescope serve ${SAMPLE}`);
  });

  it('refuses a file that is not there', async () => {
    expect(await run(['open', '/no/such/file'], noDisplay)).toMatchObject({ code: 3 });
  });

  it('is what a file alone means', () => {
    const verbs = ['info', 'open'];
    expect(withOpenVerb(['node', 'cli', SAMPLE], verbs)).toEqual(['node', 'cli', 'open', SAMPLE]);
    expect(withOpenVerb(['node', 'cli', 'info', SAMPLE], verbs)).toEqual(['node', 'cli', 'info', SAMPLE]);
    expect(withOpenVerb(['node', 'cli', 'frobnicate'], verbs)).toEqual(['node', 'cli', 'frobnicate']);
    expect(withOpenVerb(['node', 'cli', '--version'], verbs)).toEqual(['node', 'cli', '--version']);
    expect(withOpenVerb(['node', 'cli'], verbs)).toEqual(['node', 'cli']);
  });
});
