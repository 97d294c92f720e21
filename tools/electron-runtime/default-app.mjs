/**
 * What a bare Electron starts: `electron [-r module] [flags] FOLDER|FILE` runs the application named.
 *
 * A module with a top-level await, because Electron holds back its `ready` event until that settles; without it the
 * application would be too late to register its scheme.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const required = [];
let target;
for (let i = 1; i < process.argv.length; i++) {
  const argument = process.argv[i];
  if (argument === '-r' || argument === '--require') required.push(process.argv[++i]);
  else if (!argument.startsWith('-')) {
    target = resolve(argument);
    process.argv.splice(1, i, target);
    break;
  }
}
if (target === undefined) {
  console.error('usage: electron FOLDER');
  process.exit(2);
}
process.defaultApp = true;
if (required.length > 0) Module._preloadModules(required);

try {
  let entry = target;
  if (statSync(target).isDirectory()) {
    const description = join(target, 'package.json');
    const manifest = existsSync(description) ? JSON.parse(readFileSync(description, 'utf8')) : {};
    app.name = manifest.productName ?? manifest.name ?? app.name;
    if (manifest.version) app.setVersion(manifest.version);
    app.setAppPath(target);
    entry = join(target, manifest.main ?? 'index.js');
  } else app.setAppPath(dirname(target));
  await import(pathToFileURL(createRequire(entry).resolve(entry)).href);
} catch (error) {
  console.error(error);
  app.exit(1);
}
