/**
 * Captures in files. Reads are synchronous and small (a page, a payload): a page is wanted in the middle of decoding a
 * packet or running a wave, which cannot wait for a promise. Sessions run in workers, so the event loop does not block.
 */
import fs from 'node:fs';
import { type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import { fail, type Result } from '../../base/result.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { type OpenCapture, type OpenOptions, openCaptureSource } from './open-capture.ts';

/** Opening a named pipe must not wait for a writer. */
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

export function openCaptureFile(path: string, options?: OpenOptions): Result<OpenCapture> {
  let descriptor: number;
  let size: number;
  try {
    descriptor = fs.openSync(path, OPEN_FLAGS);
  } catch (error) {
    return fail([cannotOpen(path, error)]);
  }
  const release = () => fs.closeSync(descriptor);
  try {
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) throw new Error('not a regular file');
    size = stat.size;
  } catch (error) {
    release();
    return fail([cannotOpen(path, error)]);
  }
  const opened = openCaptureSource(fileSource(descriptor, size), options, release);
  if (opened.ok) return opened;
  release();
  return fail(opened.error.map((d) => withFile(d, path)));
}

function cannotOpen(path: string, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return diagnostic('CAP009', 'badInput', `cannot open ${path}: ${reason}`);
}

/** File places of a diagnostic, with the file's name. */
function withFile(entry: Diagnostic, file: string): Diagnostic {
  return entry.where?.kind === 'file' ? { ...entry, where: { ...entry.where, file } } : entry;
}

function fileSource(descriptor: number, size: number): ByteSource {
  return {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      try {
        let done = 0;
        while (done < length) {
          const count = fs.readSync(descriptor, bytes, done, length - done, offset + done);
          if (count === 0) return undefined;
          done += count;
        }
      } catch {
        return undefined;
      }
      return bytes;
    },
  };
}
