/**
 * Import rules of ARCHITECTURE.md, as an allow-list: what a layer may import, and nothing else.
 *
 * Pure layers take no module of node, no electron, no clock, randomness, environment or logging. An exception is a
 * labelled line in EXCEPTIONS. Prints each violation with file and line; exit 1 when there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ROOT } from '../setup/prepare.mjs';

/** layer (folder below src) → layers that it may import besides itself. */
const ALLOWED = {
  'main/base': [],
  'main/isa': ['main/base'],
  'main/program': ['main/base', 'main/isa'],
  'main/reference': ['main/base', 'main/isa'],
  'main/recompiler': ['main/base', 'main/isa', 'main/program'],
  'main/pm4': ['main/base'],
  'main/capture/format': ['main/base'],
  'main/capture/importers': ['main/base', 'main/capture/format'],
  'main/capture/store': ['main/base', 'main/capture/format', 'main/capture/importers'],
  'main/capture': ['main/base', 'main/capture/format', 'main/capture/importers', 'main/capture/store'],
  'main/gpu': ['main/base'],
  'main/driver': ['main/base', 'main/isa', 'main/program', 'main/pm4', 'main/recompiler', 'main/reference', 'main/gpu'],
  'main/session': [
    'main/base',
    'main/isa',
    'main/program',
    'main/pm4',
    'main/capture',
    'main/capture/format',
    'main/capture/store',
    'main/capture/importers',
    'main/driver',
    'main/reference',
    'main/recompiler',
    'main/gpu',
  ],
  'main/session/app': [
    'main/base',
    'main/isa',
    'main/program',
    'main/pm4',
    'main/capture',
    'main/capture/format',
    'main/capture/store',
    'main/driver',
    'main/reference',
    'main/recompiler',
    'main/gpu',
    'main/session',
    'preload/contract',
  ],
  'main/cli': [
    'main/base',
    'main/session',
    'main/isa',
    'main/program',
    'main/pm4',
    'main/driver',
    'main/capture',
    'main/capture/store',
    'main/server.ts',
    'preload/contract',
  ],
  'main/rpc': ['main/base', 'main/session', 'main/session/app', 'preload/contract'],
  'main/server.ts': ['main/base', 'main/session', 'main/session/app', 'main/rpc', 'preload/contract'],
  'main/index.ts': ['main/base', 'main/session', 'main/session/app', 'main/rpc', 'main/gpu', 'preload/contract'],
  'preload/contract': [],
  preload: ['preload/contract'],
  renderer: ['preload/contract'],
};

const PURE = [
  'main/base',
  'main/isa',
  'main/program',
  'main/reference',
  'main/recompiler',
  'main/pm4',
  'main/capture/format',
  'preload/contract',
];
/** Packages that pure layers may use. */
const PURE_PACKAGES = { 'preload/contract': ['zod'] };
const IMPURE = /\b(Date\.now|new Date\(|Math\.random|performance\.now|process\.|console\.)/;

/** [file below src, imported layer or module, reason] */
const EXCEPTIONS = [];

const layers = Object.keys(ALLOWED).sort((a, b) => b.length - a.length);
const layerOf = (path) => layers.find((layer) => path === layer || path.startsWith(`${layer}/`));
const source = join(ROOT, 'src');
const problems = [];

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(ts|tsx)$/.test(entry.name)) yield path;
  }
}

for (const file of files(source)) {
  const name = relative(source, file).split(sep).join('/');
  const layer = layerOf(name);
  const text = readFileSync(file, 'utf8');
  if (!layer) {
    problems.push(`${name}: belongs to no layer that tools/check/imports.mjs knows`);
    continue;
  }
  const pure = PURE.includes(layer);
  const lineAt = (index) => text.slice(0, index).split('\n').length;
  for (const match of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g,
  )) {
    const target = match[1] ?? match[2] ?? match[3];
    const at = `${name}:${lineAt(match.index + match[0].length - 1)}`;
    if (EXCEPTIONS.some(([f, t]) => f === name && t === target)) continue;
    if (target.startsWith('.')) {
      const resolved = relative(source, resolve(dirname(file), target))
        .split(sep)
        .join('/');
      const other = layerOf(resolved);
      if (resolved.startsWith('..')) problems.push(`${at}: imports ${target}, outside src`);
      else if (!other) problems.push(`${at}: imports ${target}, which belongs to no layer`);
      else if (other !== layer && !ALLOWED[layer].includes(other))
        problems.push(`${at}: ${layer} must not import ${other}`);
      else if (layer === 'renderer') {
        const panel = /^renderer\/panels\/([^/]+)/.exec(name)?.[1];
        const otherPanel = /^renderer\/panels\/([^/]+)/.exec(resolved)?.[1];
        if (panel && otherPanel && panel !== otherPanel)
          problems.push(`${at}: panels never import panels (${panel} → ${otherPanel})`);
      }
    } else if (pure && !(PURE_PACKAGES[layer] ?? []).includes(target)) {
      problems.push(`${at}: pure layer ${layer} must not import '${target}'`);
    } else if (layer === 'renderer' && (target.startsWith('node:') || target === 'electron')) {
      problems.push(`${at}: the renderer must not import '${target}'`);
    }
  }
  if (pure) {
    text.split('\n').forEach((line, index) => {
      const code = line.replace(/\/\/.*|^\s*\*.*|\/\*.*/, '');
      if (IMPURE.test(code)) problems.push(`${name}:${index + 1}: pure layer ${layer} uses ${IMPURE.exec(code)[0]}`);
    });
  }
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
