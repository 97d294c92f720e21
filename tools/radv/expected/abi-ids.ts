/**
 * Ids that the driver's ABI delivers. Follows glsl/abi_ids.comp; gl_SubgroupID is the local invocation index divided by
 * the wave size, and therefore differs from golden (made at subgroup size 8).
 */
import type { KernelScript } from './expected-buffers.ts';
import { exactly } from './golden.ts';

const SOURCE = 'abi_ids.comp by definition, at the wave size';

export const abiIds: KernelScript = ({ before, groups, threads, push, wave }) => {
  const a = before[0]![0]!;
  const b = before[0]![1]!.slice();
  const d = before[1]![0]!.slice();
  const [count, factor] = push as unknown as [number, number];
  const [wx, wy, wz] = groups;
  const [tx, ty, tz] = threads;
  for (let z = 0; z < wz * tz; z++) {
    for (let y = 0; y < wy * ty; y++) {
      for (let x = 0; x < wx * tx; x++) {
        const i = x + y * wx * 4 + z * wx * wy * 16;
        if (i >= count) continue;
        const [lx, ly, lz] = [x % tx, y % ty, z % tz];
        const local = lx + ly * tx + lz * tx * ty;
        const group = Math.floor(x / tx) * 3 + Math.floor(y / ty) * 5 + Math.floor(z / tz) * 7;
        const subgroup = Math.floor(local / wave) * 1000;
        b[i] = Math.imul(a[i]!, factor) + local + subgroup + group + wx + wy * 2 + wz * 4 + push[6]!;
        d[i] = lx + ly * 16 + lz * 256;
      }
    }
  }
  return { '0.1': exactly(b, SOURCE), '1.0': exactly(d, SOURCE) };
};
