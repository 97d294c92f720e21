/**
 * The built window as files to serve: where they lie, their types, and the headers that confine them. The same for
 * Electron's own scheme and for the server.
 *
 * Style attributes are allowed because the editor and the graph set them; scripts come from files only.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

export interface WindowFile {
  readonly body: Buffer<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Beside the engine in `out`, wherever this code was bundled to. */
export function windowFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let i = 0; i < 4; i++) {
    for (const name of ['renderer', join('out', 'renderer')]) {
      if (existsSync(join(folder, name, 'index.html'))) return join(folder, name);
    }
    folder = dirname(folder);
  }
  return join(folder, 'out', 'renderer');
}

/** Undefined for anything that is no file inside the folder, whatever tricks the path plays. */
export async function windowFile(folder: string, urlPath: string): Promise<WindowFile | undefined> {
  let path: string;
  try {
    path = decodeURIComponent(urlPath);
  } catch {
    return undefined;
  }
  if (path.includes('\0')) return undefined;
  const file = normalize(join(folder, path === '/' ? 'index.html' : path));
  if (!file.startsWith(folder + sep)) return undefined;
  try {
    const body = (await readFile(file)) as Buffer<ArrayBuffer>;
    return { body, headers: headersFor(file) };
  } catch {
    return undefined;
  }
}

function headersFor(file: string): Record<string, string> {
  return {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
}
