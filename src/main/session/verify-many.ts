/** Verifies many captures on a pool of workers, results in the order of the files. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Piscina } from 'piscina';
import { diagnostic } from '../base/diagnostics.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { BackendName } from '../driver/engine.ts';
import { engineFile } from './engine-files.ts';
import type { EngineOptions } from './engines.ts';
import { type CaptureVerification, verifyCapture } from './verify-capture.ts';

export interface CaptureFile {
  readonly path: string;
  /** Relative to the folder that was named. */
  readonly name: string;
}

/** Files named, and every .lscap below folders named, sorted. */
export function findCaptures(paths: readonly string[]): Result<readonly CaptureFile[]> {
  const files: CaptureFile[] = [];
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return fail([diagnostic('CAP031', 'badInput', `cannot read ${path}: there is no such file`)]);
    if (!stat.isDirectory()) {
      files.push({ path, name: path.split(/[\\/]/).at(-1)! });
      continue;
    }
    const below = readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.lscap'))
      .sort();
    if (below.length === 0) return fail([diagnostic('CAP032', 'badInput', `${path} holds no capture (*.lscap)`)]);
    for (const name of below) files.push({ path: join(path, name), name: relative(path, join(path, name)) });
  }
  return ok(files);
}

export interface VerifyManyOptions {
  readonly backends: readonly BackendName[];
  readonly jobs: number;
  readonly device?: EngineOptions['device'];
  readonly limit?: number;
  readonly onResult?: (result: CaptureVerification, done: number, total: number) => void;
}

export async function verifyMany(
  files: readonly CaptureFile[],
  options: VerifyManyOptions,
): Promise<CaptureVerification[]> {
  const { backends, jobs, device, limit } = options;
  let done = 0;
  const finish = (result: CaptureVerification): CaptureVerification => {
    options.onResult?.(result, ++done, files.length);
    return result;
  };
  const taskOf = (file: CaptureFile) => ({
    ...file,
    backends,
    ...(device === undefined ? {} : { device }),
    ...(limit === undefined ? {} : { limit }),
  });
  if (jobs <= 1 || files.length === 1) {
    const results: CaptureVerification[] = [];
    for (const file of files) results.push(finish(await verifyCapture(taskOf(file))));
    return results;
  }
  const pool = new Piscina({
    filename: engineFile('worker.js'),
    minThreads: 1,
    maxThreads: jobs,
    name: 'verifyCapture',
  });
  try {
    return await Promise.all(files.map(async (file) => finish((await pool.run(taskOf(file))) as CaptureVerification)));
  } finally {
    await pool.destroy();
  }
}
