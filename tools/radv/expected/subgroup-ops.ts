/**
 * Subgroup operations by their definitions in GL_KHR_shader_subgroup, over waves of 32 or 64 lanes that are full: work-groups
 * have 64 invocations, in the order of the local index.
 */
import type { KernelScript } from './expected-buffers.ts';
import { exactly } from './golden.ts';

const WORDS = 12;

export const subgroupOps: KernelScript = ({ before, wave }) => {
  const a = before[0]![0]!;
  const b = before[0]![1]!.slice();
  const sum = (values: Uint32Array): number => values.reduce((total, v) => (total + v) >>> 0, 0);
  for (let first = 0; first < a.length; first += wave) {
    const values = a.subarray(first, first + wave);
    const ballot = new Uint32Array(2);
    values.forEach((v, lane) => {
      if (v & 1) ballot[lane >> 5]! |= 1 << (lane & 31);
    });
    for (let lane = 0; lane < wave; lane++) {
      b.set(
        [
          wave,
          lane,
          sum(values),
          sum(values.subarray(0, lane + 1)),
          values.reduce((largest, v) => Math.max(largest, v), 0),
          ballot[0]!,
          ballot[1]!,
          values[lane ^ 5]!,
          values[lane ^ 1]!,
          values[0]!,
          values.some((v) => v > 4_000_000_000) ? 1 : 0,
          values.subarray(0, lane).reduce((count, v) => count + (v & 1), 0),
        ],
        (first + lane) * WORDS,
      );
    }
  }
  return { '0.1': exactly(b, `subgroup operations by definition, ${wave} lanes`) };
};
