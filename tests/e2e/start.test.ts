/** `npm start` where no window can be opened: it says so and serves the same window instead. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/window.ts';

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
  return { url, said: () => out, stop: () => process.kill(-child.pid!, 'SIGTERM') };
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

it('refuses a file that is not there', async () => {
  const started = start(['/no/such/file.lscap'], {});
  await expect(started.url).rejects.toThrow(/code 2/);
});
