/**
 * One sample of the RADV data: a kernel compiled for one GPU family, compiler and wave size, with its input buffers and
 * what the same SPIR-V left in them on lavapipe ("golden").
 *
 * The folder lies beside the repository and is optional. Buffers are given as 32-bit words by set and binding.
 */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Vec3, WaveSize } from '../../../src/main/base/dispatch.ts';
import { readRadvSample } from '../../../src/main/capture/store/radv-files.ts';

export const RADV_FOLDER = fileURLToPath(new URL('../../../../shared/data/radv', import.meta.url));

export interface RadvSampleName {
  /** `<family>-<compiler>-w<wave>` */
  readonly variant: string;
  readonly kernel: string;
}

export interface RadvSample extends RadvSampleName {
  readonly family: string;
  readonly wave: WaveSize;
  readonly groups: Vec3;
  readonly threads: Vec3;
  readonly push: Uint32Array;
  readonly before: readonly (readonly Uint32Array[])[];
  readonly golden: readonly (readonly Uint32Array[])[];
}

/** Every variant and kernel that has input buffers, sorted; empty when the folder is not there. */
export function listRadvSamples(folder = RADV_FOLDER): RadvSampleName[] {
  if (!existsSync(folder)) return [];
  const names: RadvSampleName[] = [];
  for (const variant of readdirSync(folder).sort()) {
    if (!/^[a-z0-9]+-(aco|llvm)-w(32|64)$/.test(variant)) continue;
    for (const file of readdirSync(`${folder}/${variant}`).sort()) {
      const kernel = /^(.+)\.meta\.json$/.exec(file)?.[1];
      if (kernel && existsSync(`${folder}/golden/${kernel}.set0.b0.before.bin`)) names.push({ variant, kernel });
    }
  }
  return names;
}

/** Throws when the files are damaged: they are test data, not user input. */
export function loadRadvSample({ variant, kernel }: RadvSampleName, folder = RADV_FOLDER): RadvSample {
  const read = readRadvSample(folder, variant, kernel, { expectedSource: 'golden' });
  if (!read.ok) throw new Error(`${variant}/${kernel}: ${read.error.map((d) => d.message).join('; ')}`);
  const { run, meta } = read.value;
  const bindings = run.sets.map((set) =>
    set.map((binding) => {
      if (binding.kind !== 'buffer' || !binding.expected) throw new Error(`${kernel}: a buffer has no golden words`);
      return { before: wordsOf(binding.bytes), golden: wordsOf(binding.expected.bytes) };
    }),
  );
  return {
    variant,
    kernel,
    family: variant.split('-')[0]!,
    wave: (JSON.parse(meta) as { wave: WaveSize }).wave,
    groups: run.groups,
    threads: run.threads,
    push: run.push ? wordsOf(run.push) : new Uint32Array(0),
    before: bindings.map((set) => set.map((b) => b.before)),
    golden: bindings.map((set) => set.map((b) => b.golden)),
  };
}

export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice(0, bytes.length & ~3).buffer);
}
