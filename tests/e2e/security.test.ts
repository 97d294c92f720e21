/**
 * What the window must refuse: leaving, opening others, calls that are not of the contract, scripts that are not its
 * own. What the server must refuse is in tests/unit/rpc.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Bridge } from '../../src/preload/contract/index.ts';
import { describeHosts, sharedWindow } from './support/hosts.ts';
import { ROOT, SAMPLE } from './support/window.ts';

/** What a call gets that did not come from the window, or not as a call. */
const NOT_TAKEN = { ok: false, failure: { message: expect.stringContaining('calls are taken from the window only') } };

describeHosts((host) => {
  const window = sharedWindow(host, { file: SAMPLE });

  it('runs no script but its own files, and reaches nobody else', async () => {
    const seen = await window().page.evaluate(async () => {
      const blocked: string[] = [];
      document.addEventListener('securitypolicyviolation', (e) =>
        blocked.push(`${e.effectiveDirective} ${e.blockedURI}`),
      );
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruder = true';
      document.head.append(script);
      const foreign = document.createElement('script');
      foreign.src = 'https://example.invalid/x.js';
      document.head.append(foreign);
      const image = new Image();
      image.src = 'https://example.invalid/x.png';
      await fetch('https://example.invalid/').catch(() => {});
      const frame = document.createElement('iframe');
      frame.src = 'https://example.invalid/';
      document.body.append(frame);
      // Until all four are told, or it is clear that one is not.
      for (let i = 0; i < 100 && new Set(blocked).size < 4; i++) await new Promise((done) => setTimeout(done, 50));
      frame.remove();
      return { blocked, ran: 'intruder' in globalThis };
    });
    expect(seen.ran).toBe(false);
    const directives = seen.blocked.map((entry) => entry.split(' ')[0]);
    expect(directives).toEqual(expect.arrayContaining(['script-src-elem', 'img-src', 'connect-src', 'frame-src']));
  });

  it('has no way to Node', async () => {
    expect(
      await window().page.evaluate(() =>
        ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis),
      ),
    ).toEqual([]);
  });

  if (host !== 'electron') return;

  it('stays where it is', async () => {
    const { page } = window();
    const url = page.url();
    expect(url).toBe('app://lanescope/');
    await page.evaluate(() => {
      location.href = 'https://example.invalid/';
    });
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = 'file:///etc/passwd';
      document.body.append(link);
      link.click();
      link.remove();
    });
    await page.waitForTimeout(300);
    expect(page.url()).toBe(url);
    expect(await page.evaluate(() => document.title)).toContain('Lanescope');
  });

  it('opens no other window', async () => {
    const { page, app } = window();
    const before = app!.windows().length;
    expect(await page.evaluate(() => globalThis.open('https://example.invalid/') === null)).toBe(true);
    expect(await page.evaluate(() => globalThis.open('app://lanescope/') === null)).toBe(true);
    await page.waitForTimeout(300);
    expect(app!.windows().length).toBe(before);
  });

  it('is sandboxed, and gets permission for nothing', async () => {
    const preferences = await window().app!.evaluate(({ BrowserWindow }) => {
      // Not in Electron's types.
      const contents = BrowserWindow.getAllWindows()[0]!.webContents as unknown as {
        getLastWebPreferences(): Record<string, boolean>;
      };
      const { sandbox, contextIsolation, nodeIntegration } = contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration };
    });
    expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false });
    const states = await window().page.evaluate(async () => {
      const names = ['geolocation', 'camera', 'microphone', 'notifications'] as PermissionName[];
      return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
    });
    expect(states).not.toContain('granted');
  });

  it('refuses calls that are not of the contract', async () => {
    const ask = (name: string, args: unknown): Promise<unknown> =>
      window().page.evaluate(
        ([n, a]) =>
          (globalThis as unknown as { lanescope: Bridge }).lanescope.call(
            9_000_000 + Math.floor(Math.random() * 1e6),
            n as string,
            a,
            () => {},
          ),
        [name, args],
      );
    expect(await ask('app.shell', {})).toMatchObject({ ok: false, failure: { code: 'RPC001' } });
    expect(await ask('__proto__', {})).toMatchObject({ ok: false, failure: { code: 'RPC001' } });
    expect(await ask('capture.open', { path: 7 })).toMatchObject({ ok: false, failure: { code: 'RPC002' } });
    expect(await ask('capture.open', { path: '/x', extra: 1 })).toMatchObject({
      ok: false,
      failure: { code: 'RPC002' },
    });
    expect(await ask('events.text', { from: 0, count: 1e9 })).toMatchObject({ ok: false, failure: { code: 'RPC002' } });
    expect(await ask('app.info', {})).toMatchObject({ ok: true, value: { host: 'electron' } });
  });

  it('takes calls of the form that they have', async () => {
    const ask = (id: unknown, name: unknown): Promise<unknown> =>
      window().page.evaluate(
        ([i, n]) =>
          (globalThis as unknown as { lanescope: Bridge }).lanescope.call(i as number, n as string, {}, () => {}),
        [id, name],
      );
    expect(await ask('1', 'app.info')).toMatchObject(NOT_TAKEN);
    expect(await ask(9_900_001, { toString: 'app.info' })).toMatchObject(NOT_TAKEN);
    expect(await ask(9_900_002, 'app.info')).toMatchObject({ ok: true });
  });

  it('takes calls from its own page only', async () => {
    // Another page with the same bridge: what an attacker would have after leaving the window's own page.
    const answer = await window().app!.evaluate(
      async ({ BrowserWindow }, preload) => {
        const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
        try {
          await other.loadURL('data:text/html,other');
          return await other.webContents.executeJavaScript(`lanescope.call(1, 'app.info', {}, () => {})`);
        } finally {
          other.destroy();
        }
      },
      join(ROOT, 'out', 'preload', 'index.cjs'),
    );
    expect(answer).toMatchObject(NOT_TAKEN);
  });

  it('answers under its own name only', async () => {
    const statuses = await window().app!.evaluate(async ({ session }) => {
      const status = async (url: string): Promise<number> => (await session.defaultSession.fetch(url)).status;
      return [
        await status('app://lanescope/'),
        await status('app://elsewhere/'),
        await status('app://elsewhere/index.html'),
      ];
    });
    expect(statuses).toEqual([200, 404, 404]);
  });

  it('serves only files of its own folder', async () => {
    const status = await window().page.evaluate(async () => {
      const paths = ['/../main/index.js', '/%2e%2e/main/index.js', '/..%2fmain%2findex.js', '/%00', '/package.json'];
      return Promise.all(paths.map(async (path) => (await fetch(`app://lanescope${path}`)).status));
    });
    expect(status).toEqual([404, 404, 404, 404, 404]);
  });
});
