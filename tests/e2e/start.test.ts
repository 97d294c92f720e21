/** `npm start` where no window can be opened: it says so and serves the same window instead. Where one can, it fits. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { ready } from './support/panels.ts';
import { missing, openWindow, ROOT, SAMPLE, screenshot } from './support/window.ts';

const XVFB = '/usr/bin/Xvfb';

function start(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'setup', 'start.mjs'), ...args], {
    env: { ...process.env, ...env },
    // A group of its own: the server is a child of the command.
    detached: true,
  });
  let out = '';
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/#token=\w+/.exec(out);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`it ended with code ${code}: ${out}`)));
  });
  const stop = (): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM');
  };
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return { child, url, ended, said: () => out, stop };
}

it('without a display serves the window for a browser', async () => {
  const started = start([], { DISPLAY: '', WAYLAND_DISPLAY: '' });
  try {
    const url = new URL(await started.url);
    expect(started.said()).toContain('There is no display');
    expect(started.said()).toContain('xvfb-run');
    const page = await fetch(url.origin);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>Lanescope</title>');
  } finally {
    started.stop();
  }
}, 120_000);

it('takes the server along when it is told to end', async () => {
  const started = start([], { DISPLAY: '', WAYLAND_DISPLAY: '' });
  try {
    const { origin } = new URL(await started.url);
    expect((await fetch(origin)).status).toBe(200);
    // The command alone, not its group.
    started.child.kill('SIGTERM');
    await started.ended;
    await expect(fetch(origin)).rejects.toThrow();
  } finally {
    started.stop();
  }
}, 120_000);

it('opens a window that is no larger than the screen', async ({ skip }) => {
  const why = missing('electron') ?? (existsSync(XVFB) ? undefined : 'no display server here');
  if (why) skip(why);
  const [width, height] = [1100, 700];
  const server = spawn(XVFB, ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  try {
    const number = await new Promise<string>((resolve, reject) => {
      (server.stdio[3] as Readable).once('data', (data) => resolve(String(data).trim()));
      server.once('exit', () => reject(new Error('the display server ended')));
    });
    const window = await openWindow('electron', { file: SAMPLE, display: `:${number}` });
    try {
      await ready(window.page);
      const size = await window.page.evaluate(() => [globalThis.innerWidth, globalThis.innerHeight]);
      expect(size[0]).toBeLessThanOrEqual(width);
      expect(size[1]).toBeLessThanOrEqual(height);
      // It takes what there is.
      expect(size[0]).toBeGreaterThan(width * 0.9);
      await screenshot(window, 'small-screen');
    } finally {
      await window.close();
    }
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await gone;
    }
  }
}, 120_000);

it('refuses a file that is not there', async () => {
  const started = start(['/no/such/file.lscap'], {});
  await expect(started.url).rejects.toThrow(/code 2/);
});
