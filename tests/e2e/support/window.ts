/**
 * Windows for end-to-end tests: the same flows in Electron and in a browser against `lanescope serve`.
 *
 * Each window has settings of its own, so that no run sees the layout or the recent files of another. What runs is the
 * build in `out`; tools/setup/e2e.mjs makes it, finds Electron and starts a display.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from 'playwright-core';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
export const SAMPLE = join(ROOT, 'resources', 'samples', 'call-program.lscap');
export const UNMAPPED = join(ROOT, 'resources', 'samples', 'call-unmapped.lscap');
const OUTPUT = join(ROOT, 'test-output', 'e2e');

export const HOSTS = ['electron', 'browser'] as const;
export type HostKind = (typeof HOSTS)[number];

export interface TestWindow {
  readonly host: HostKind;
  readonly page: Page;
  /** Only of Electron. */
  readonly app?: ElectronApplication;
  /** Process that owns the engine. */
  readonly enginePid: number;
  /** What the page complained about: errors on its console and uncaught exceptions. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface WindowOptions {
  readonly file?: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'light';
  /** Another display than that of the run, in Electron; the window then keeps the size that it chose. */
  readonly display?: string;
}

export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
});

/** Why windows of a kind cannot be opened here, for a visible skip. */
export function missing(host: HostKind): string | undefined {
  if (host === 'electron') {
    return process.env.LANESCOPE_TEST_ELECTRON && process.env.DISPLAY ? undefined : 'no Electron or no display here';
  }
  return CHROMIUM ? undefined : 'no Chromium here';
}

function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

async function openElectron(options: WindowOptions): Promise<TestWindow> {
  const settings = mkdtempSync(join(tmpdir(), 'lanescope-electron-'));
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env as Record<string, string>;
  // Without a path of its own the driver starts the Electron that tools/setup/e2e.mjs names, and with it a module that
  // holds the application back until the driver is attached. Attaching while the first page loads would hang.
  const app = await _electron.launch({
    args: [`--user-data-dir=${settings}`, ROOT, ...(options.file ? [options.file] : [])],
    env: options.display ? { ...environment, DISPLAY: options.display } : environment,
  });
  return closingOnFailure(
    () => app.close(),
    async (close) => {
      const page = await app.firstWindow();
      const complaints = watch(page);
      const { width = 1400, height = 900 } = options;
      const window = await app.browserWindow(page);
      if (!options.display) await window.evaluate((w, [x, y]) => w.setContentSize(x!, y!), [width, height]);
      await page.emulateMedia({ colorScheme: options.theme ?? 'dark' });
      return { host: 'electron', page, app, enginePid: app.process().pid!, complaints, close };
    },
  );
}

export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  close(): Promise<void>;
}

export async function serve(file?: string): Promise<ServeProcess> {
  const settings = mkdtempSync(join(tmpdir(), 'lanescope-serve-'));
  const child = spawn(process.execPath, [join(ROOT, 'out', 'engine', 'cli.js'), 'serve', ...(file ? [file] : [])], {
    env: { ...process.env, XDG_CONFIG_HOME: settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', (code) => reject(new Error(`serve ended with code ${code}`)));
  });
  return {
    url,
    child,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function openBrowser(options: WindowOptions): Promise<TestWindow> {
  const server = await serve(options.file);
  let browser: Browser | undefined;
  return closingOnFailure(
    async () => {
      await browser?.close();
      await server.close();
    },
    async (close) => {
      browser = await chromium.launch({
        executablePath: CHROMIUM!,
        args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
      });
      const { width = 1400, height = 900 } = options;
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: options.theme ?? 'dark' });
      const complaints = watch(page);
      await page.goto(server.url);
      return { host: 'browser', page, enginePid: server.child.pid!, complaints, close };
    },
  );
}

/** A window that cannot be shown leaves no process behind; one that is closed twice is closed once. */
async function closingOnFailure(
  closeAll: () => Promise<void>,
  open: (close: () => Promise<void>) => Promise<TestWindow>,
): Promise<TestWindow> {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };
  try {
    return await open(close);
  } catch (error) {
    await close();
    throw error;
  }
}

export function openWindow(host: HostKind, options: WindowOptions = {}): Promise<TestWindow> {
  return host === 'electron' ? openElectron(options) : openBrowser(options);
}

/** Kept as artefacts of the run. */
export async function screenshot(window: TestWindow, name: string): Promise<void> {
  mkdirSync(OUTPUT, { recursive: true });
  await window.page.screenshot({ path: join(OUTPUT, `${name}-${window.host}.png`) });
}

/** Process ids of GPU hosts that descend from the process with the engine. */
export function gpuHosts(enginePid: number): number[] {
  const parents = new Map<number, number>();
  const hosts: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('gpu-host.js')) hosts.push(Number(name));
    } catch {
      // It ended in between.
    }
  }
  return hosts.filter((pid) => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === enginePid) return true;
    return false;
  });
}
