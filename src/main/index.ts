/**
 * Electron's main process: one window over the same services as the server. Wires, decides nothing.
 *
 * The window is confined: sandboxed, isolated, no Node, files through a scheme of our own with a content security
 * policy, no navigation, no further windows, no permissions; calls are taken from its main frame only and validated.
 */
import { join, resolve } from 'node:path';
import { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol, screen, session } from 'electron';
import type { Progress } from '../preload/contract/index.ts';
import { Router } from './rpc/router.ts';
import { windowFile, windowFolder } from './rpc/window-files.ts';
import { createWindowServices } from './rpc/window-services.ts';
import { sampleCapture } from './session/sample-capture.ts';

const SCHEME = 'app';
const ORIGIN = `${SCHEME}://lanescope`;
const QUIT_MS = 1500;
const COPYING = 'clipboard-sanitized-write';
const WANTED = { width: 1600, height: 1000 };
const BACKGROUND = { dark: '#16181d', light: '#f3f4f6' };

protocol.registerSchemesAsPrivileged([
  { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

/** Files named when the application was started: what is neither a switch nor the application itself. */
function fileIn(argv: readonly string[]): string | null {
  const named = argv.slice(1).filter((argument) => !argument.startsWith('-'));
  const file = app.isPackaged ? named[0] : named[1];
  return file === undefined ? null : resolve(file);
}

async function serveWindow(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const file = url.host === 'lanescope' ? await windowFile(windowFolder(), url.pathname) : undefined;
  return file ? new Response(file.body, { headers: file.headers }) : new Response('not found', { status: 404 });
}

function confine(window: BrowserWindow): void {
  const { webContents } = window;
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-navigate', (event) => event.preventDefault());
  webContents.on('will-frame-navigate', (event) => event.preventDefault());
  webContents.on('will-redirect', (event) => event.preventDefault());
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

/** As large as wanted, and no larger than the screen. */
function startSize(): { readonly width: number; readonly height: number } {
  const { width, height } = screen.getPrimaryDisplay().workAreaSize;
  return { width: Math.min(width, WANTED.width), height: Math.min(height, WANTED.height) };
}

function createWindow(startPath: string | null): BrowserWindow {
  const window = new BrowserWindow({
    ...startSize(),
    minWidth: 800,
    minHeight: 500,
    title: 'Lanescope',
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
      spellcheck: false,
    },
  });
  confine(window);
  const { webContents } = window;
  const services = createWindowServices(
    {
      kind: 'electron',
      samplePath: sampleCapture(),
      startPath,
      chooseFile: async () => {
        const chosen = await dialog.showOpenDialog(window, {
          title: 'Open capture',
          properties: ['openFile'],
          filters: [
            { name: 'Captures', extensions: ['lscap'] },
            { name: 'All files', extensions: ['*'] },
          ],
        });
        return chosen.filePaths[0] ?? null;
      },
    },
    app.getPath('userData'),
    (name, notice) => {
      if (!webContents.isDestroyed()) webContents.send('notice', name, notice);
    },
  );
  const router = new Router(services);
  const isOwn = (frame: Electron.WebFrameMain | null): boolean =>
    frame !== null && frame === webContents.mainFrame && frame.url.startsWith(`${ORIGIN}/`);
  ipcMain.handle('call', (event, id: unknown, name: unknown, args: unknown) => {
    if (!isOwn(event.senderFrame) || typeof id !== 'number' || typeof name !== 'string')
      throw new Error('calls are taken from the window only');
    return router.call(id, name, args, (progress: Progress) => {
      if (!webContents.isDestroyed()) webContents.send('progress', id, progress);
    });
  });
  ipcMain.on('cancel', (event, id: unknown) => {
    if (isOwn(event.senderFrame) && typeof id === 'number') router.cancel(id);
  });
  // A renderer that died starts again; the services still hold its capture.
  webContents.on('render-process-gone', (_event, details) => {
    services.log.add('error', 'window', `the window's process ended (${details.reason}) and was started again`);
    router.cancelAll();
    if (details.reason !== 'clean-exit') webContents.reload();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    webContents.send('notice', 'openFile', { path });
  });
  let isClosed = false;
  window.on('closed', () => {
    ipcMain.removeHandler('call');
    // The window is gone; nothing that hangs may keep the process.
    const patience = new Promise((resolve) => setTimeout(resolve, QUIT_MS));
    void Promise.race([services.close(), patience]).finally(() => {
      isClosed = true;
      app.quit();
    });
  });
  // Quitting closes the window first, and would then not wait for what it had open.
  app.on('will-quit', (event) => {
    if (!isClosed) event.preventDefault();
  });
  void window.loadURL(`${ORIGIN}/`);
  return window;
}

async function start(): Promise<void> {
  Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.buildFromTemplate([{ role: 'appMenu' }]) : null);
  await app.whenReady();
  protocol.handle(SCHEME, serveWindow);
  // Copying text is the only permission that the window needs.
  session.defaultSession.setPermissionRequestHandler((_contents, wanted, decide) => decide(wanted === COPYING));
  session.defaultSession.setPermissionCheckHandler((_contents, wanted) => wanted === COPYING);
  createWindow(fileIn(process.argv));
}

// The window's own end decides, after its engine was closed.
app.on('window-all-closed', () => {});
// Not awaited here: Electron is not ready before this module has run.
void start();
