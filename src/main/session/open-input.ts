/**
 * Opens what the user names: a capture, a code object, raw code. By content, not by name.
 */
import { readFileSync } from 'node:fs';
import { diagnostic } from '../base/diagnostics.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { openCaptureFile } from '../capture/store/file-store.ts';
import type { OpenCapture } from '../capture/store/open-capture.ts';

const ELF_MAGIC = 0x464c457f;
const ET_CORE = 4;
const MAXIMUM_CODE_BYTES = 256 << 20;

export type InputKind = 'capture' | 'elf' | 'raw';

/** Reads as little as possible to tell what the file is. */
export function inputKind(bytes: Uint8Array): InputKind {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 18 || view.getUint32(0, true) !== ELF_MAGIC) return 'raw';
  return view.getUint16(16, true) === ET_CORE ? 'capture' : 'elf';
}

export function readInput(path: string): Result<Uint8Array> {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAXIMUM_CODE_BYTES) {
      return fail([diagnostic('CAP030', 'badInput', `${path}: ${bytes.length} bytes are too many for a code file`)]);
    }
    return ok(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code);
    return fail([diagnostic('CAP031', 'badInput', `cannot read ${path}: ${why}`)]);
  }
}

export function openCapture(path: string): Result<OpenCapture> {
  return openCaptureFile(path);
}
