/**
 * `npm start [-- FILE]`: does all the set-up, builds, and opens the window with a capture, by default the sample.
 *
 *   npm start -- FILE.lscap     another capture
 *   npm start -- --serve        the same window in a browser
 *
 * Without a display, or without an Electron that runs here, it says so and serves the window for a browser instead.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildApp } from './build-app.mjs';
import { electronSwitches, findElectron } from './electron.mjs';
import { buildEngine, ensureModules, ROOT, requireNode } from './prepare.mjs';

const SAMPLE = join(ROOT, 'resources', 'samples', 'call-program.lscap');

requireNode();
const wantsServer = process.argv.includes('--serve');
const named = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
const file = named === undefined ? SAMPLE : resolve(named);
if (named !== undefined && !existsSync(file)) {
  console.error(`there is no file ${file}`);
  process.exit(2);
}
ensureModules();
buildEngine();
buildApp();
if (!existsSync(file)) console.error('the sample capture is not in this copy; open one from the window');

function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

function serve(reason) {
  if (reason) console.log(`${reason}\nServing the window for a browser instead:`);
  const cli = join(ROOT, 'out', 'engine', 'cli.js');
  return handOver(process.execPath, [cli, 'serve', ...(existsSync(file) ? [file] : [])], process.env);
}

function openWindow(electron) {
  if (electron.kind === 'fallback')
    console.log('Electron: the one for development and tests (33.2.1, past its end of life)');
  const env = { ...process.env };
  delete env.ELECTRON_RUN_AS_NODE;
  // Chromium complains at length of services that a machine need not have; ELECTRON_ENABLE_LOGGING shows it.
  const quiet = env.ELECTRON_ENABLE_LOGGING ? [] : ['--log-level=3'];
  return handOver(electron.path, [...electronSwitches(), ...quiet, ROOT, ...(existsSync(file) ? [file] : [])], env);
}

/** Lives as long as the command, and takes it along when it is told to end. Ctrl+C reaches both from the terminal. */
function handOver(command, args, env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
}

function start() {
  if (wantsServer) return serve();
  if (!hasDisplay()) {
    return serve(
      'There is no display (DISPLAY and WAYLAND_DISPLAY are not set). With one, or under `xvfb-run -a npm start`, a window opens.',
    );
  }
  const electron = findElectron();
  if (!electron) return serve('There is no Electron that runs here, neither its own download nor the one for tests.');
  return openWindow(electron);
}

start();
