/**
 * What every buffer of a RADV sample holds after its dispatch on AMD hardware.
 *
 * Nothing here runs or imports our own execution engines: words come from golden where AMD's code computes the formula
 * that lavapipe computed too, otherwise from one script per kernel that follows the GLSL source and the definitions of
 * the instructions which the compilers chose. Words that hardware does not promise exactly have an exception.
 */
import type { ExpectationException } from '../../../src/main/capture/format/model.ts';
import { abiIds } from './abi-ids.ts';
import { atomics } from './atomics.ts';
import { fp16Packed } from './fp16-packed.ts';
import { fp32Math } from './fp32-math.ts';
import { fp64 } from './fp64.ts';
import { exactly, golden } from './golden.ts';
import type { RadvSample } from './sample.ts';
import { subgroupOps } from './subgroup-ops.ts';

export interface ExpectedBuffer {
  readonly words: Uint32Array;
  readonly source: string;
  readonly exceptions: readonly ExpectationException[];
  /** Words under an 'any' exception: the values that are possible. */
  readonly allowed?: ReadonlyMap<number, readonly number[]>;
}

/** Gives the buffers that the kernel writes, by `set.binding`; all others stay as they are. */
export type KernelScript = (sample: RadvSample) => Readonly<Record<string, ExpectedBuffer>>;

interface KernelEntry {
  readonly script: KernelScript;
  /** What the words depend on besides the kernel and its inputs. */
  readonly dependsOn: readonly ('family' | 'wave')[];
}

const KERNELS: Readonly<Record<string, KernelEntry>> = {
  abi_ids: { script: abiIds, dependsOn: ['wave'] },
  atomics: { script: atomics, dependsOn: [] },
  divergent_loop: { script: golden('0.1'), dependsOn: [] },
  fp16_packed: { script: fp16Packed, dependsOn: [] },
  fp32_math: { script: fp32Math, dependsOn: ['family'] },
  fp64: { script: fp64, dependsOn: [] },
  int64_mul: { script: golden('0.1'), dependsOn: [] },
  lds_reduce: { script: golden('0.1'), dependsOn: [] },
  scratch_array: { script: golden('0.1'), dependsOn: [] },
  subgroup_ops: { script: subgroupOps, dependsOn: ['wave'] },
};

export const SCRIPTED_KERNELS: readonly string[] = Object.keys(KERNELS);

/** Expectations of the samples of one folder; computed once for variants that share them. */
export class RadvExpectations {
  private readonly known = new Map<string, ExpectedBuffer[][]>();

  /** By set and binding. */
  of(sample: RadvSample): ExpectedBuffer[][] {
    const entry = KERNELS[sample.kernel];
    if (!entry) throw new Error(`no expectations are known for kernel ${sample.kernel}`);
    const key = [sample.kernel, ...entry.dependsOn.map((property) => sample[property])].join(' ');
    let buffers = this.known.get(key);
    if (!buffers) {
      const written = entry.script(sample);
      buffers = sample.before.map((bindings, set) =>
        bindings.map((words, binding) => written[`${set}.${binding}`] ?? exactly(words, 'input, unchanged')),
      );
      this.known.set(key, buffers);
    }
    return buffers;
  }
}
