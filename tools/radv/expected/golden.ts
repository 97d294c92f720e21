/** Kernels whose AMD code computes exactly what lavapipe computed: integers, in an order that does not matter. */
import type { ExpectedBuffer, KernelScript } from './expected-buffers.ts';

export const GOLDEN_SOURCE = 'same SPIR-V on lavapipe';

export function exactly(words: Uint32Array, source: string): ExpectedBuffer {
  return { words, source, exceptions: [] };
}

/** `written`: the buffers that the kernel writes, as `set.binding`. */
export function golden(...written: readonly string[]): KernelScript {
  return (sample) =>
    Object.fromEntries(
      written.map((place) => {
        const [set, binding] = place.split('.').map(Number);
        return [place, exactly(sample.golden[set!]![binding!]!, GOLDEN_SOURCE)];
      }),
    );
}
