/**
 * Imports what the user names, by content: an AMD code object with a description, a RADV shader with what lies beside
 * it, or raw dwords with a description of the state.
 */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { diagnostic } from '../base/diagnostics.ts';
import { fail, type Result } from '../base/result.ts';
import { readCodeObject } from '../capture/importers/code-object.ts';
import { importCodeObject } from '../capture/importers/import-code-object.ts';
import { importRadv } from '../capture/importers/import-radv.ts';
import { importRaw } from '../capture/importers/import-raw.ts';
import type { Imported } from '../capture/importers/imported.ts';
import { folderResolver } from '../capture/store/file-resolver.ts';
import { readRadvSample } from '../capture/store/radv-files.ts';
import { inputKind, readInput } from './open-input.ts';

export interface ImportRequest {
  readonly file: string;
  /** JSON description: arguments, buffers, grid, expectations. */
  readonly spec?: string;
}

export function importFile(request: ImportRequest): Result<Imported> {
  const { file } = request;
  const bytes = readInput(file);
  if (!bytes.ok) return bytes;
  if (inputKind(bytes.value) === 'capture')
    return fail([diagnostic('CAP130', 'badInput', `${file} is a capture already`)]);
  if (request.spec === undefined) return importWithoutSpec(file);
  const spec = readInput(request.spec);
  if (!spec.ok) return spec;
  const shared = {
    spec: new TextDecoder().decode(spec.value),
    specName: request.spec,
    resolveFile: folderResolver(dirname(request.spec)),
  };
  if (inputKind(bytes.value) === 'raw') return importRaw({ code: bytes.value, ...shared });
  return importCodeObject({ elf: bytes.value, elfName: file, ...shared });
}

/** RADV samples need no description: it lies beside them. Anything else is told what is missing. */
function importWithoutSpec(file: string): Result<Imported> {
  const kernel = basename(file).replace(/\.(bin|elf)$/, '');
  const folder = dirname(file);
  if (existsSync(`${folder}/${kernel}.meta.json`)) {
    const sample = readRadvSample(dirname(folder), basename(folder), kernel);
    return sample.ok ? importRadv(sample.value) : sample;
  }
  const bytes = readInput(file);
  const kernels = bytes.ok && inputKind(bytes.value) === 'elf' ? readCodeObject(bytes.value, file) : undefined;
  const known = kernels?.ok ? `; its kernels: ${kernels.value.kernelNames.join(', ')}` : '';
  return fail([
    diagnostic('CAP131', 'badInput', `${file} needs a description (--spec JSON): grid, arguments, buffers${known}`),
  ]);
}
