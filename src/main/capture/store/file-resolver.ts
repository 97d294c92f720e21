/**
 * Files that a description names, read from the description's own folder and from nowhere else.
 *
 * Descriptions come from outside: a name must not reach another folder, neither by `..`, nor absolute, nor through a
 * symbolic link. Checked on the real path after links are resolved.
 */
import fs from 'node:fs';
import path from 'node:path';
import { diagnostic } from '../../base/diagnostics.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { FileResolver } from '../importers/imported.ts';

/** Opening a named pipe must not wait for a writer. */
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);
const MAX_FILE_BYTES = 256 * 1024 * 1024;

export function folderResolver(folder: string): FileResolver {
  return (name) => readInside(folder, name);
}

function refused(name: string, reason: string): Result<Uint8Array> {
  return fail([diagnostic('CAP103', 'badInput', `"${name}": ${reason}`)]);
}

function readInside(folder: string, name: string): Result<Uint8Array> {
  if (name === '' || name.includes('\0') || path.isAbsolute(name) || path.win32.isAbsolute(name)) {
    return refused(name, 'only names relative to the folder of the description are read');
  }
  try {
    const root = fs.realpathSync(folder);
    const file = fs.realpathSync(path.resolve(root, name));
    if (!file.startsWith(root + path.sep)) return refused(name, 'lies outside the folder of the description');
    const descriptor = fs.openSync(file, OPEN_FLAGS);
    try {
      const stat = fs.fstatSync(descriptor);
      if (!stat.isFile()) return refused(name, 'is not a regular file');
      if (stat.size > MAX_FILE_BYTES)
        return refused(name, `has ${stat.size} bytes, at most ${MAX_FILE_BYTES} are read`);
      return ok(new Uint8Array(fs.readFileSync(descriptor)));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return refused(name, code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code ?? 'unknown error'})`);
  }
}
