/**
 * GLSL kernels of resources/samples/sources/glsl, compiled to AMD code by RADV for two families and both wave sizes.
 * Expected values: the same SPIR-V run on lavapipe, where every operation of these kernels is exact.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Vec3 } from '../../src/main/base/dispatch.ts';
import { importRadv } from '../../src/main/capture/importers/import-radv.ts';
import type { GpuDevice } from '../../src/main/gpu/gpu-backend.ts';
import { compileWithRadv, type RadvKernel } from '../radv/compile-kernel.ts';

interface KernelCase {
  readonly groups: Vec3;
  readonly threads: Vec3;
  readonly push: readonly number[];
  readonly buffers: readonly Uint32Array[];
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

function words(count: number, next: () => number): Uint32Array {
  return Uint32Array.from({ length: count }, next);
}

const floatBits = (x: number): number => new Uint32Array(new Float32Array([x]).buffer)[0]!;

function cases(): Readonly<Record<string, KernelCase>> {
  const next = seeded(20240229);
  const counters = new Uint32Array(66);
  counters[65] = 0xffffffff;
  // Quarter-integers: products with the scale are exact in f32.
  const matrix = Uint32Array.from({ length: 40 * 24 }, (_, i) => floatBits((i - 400) / 4));
  const records = new Uint32Array(2 * 64);
  for (let i = 0; i < 64; i++) records.set([(i * 5) % 200, 1 + ((i * 7) % 23)], 2 * i);
  return {
    prefix_sum: {
      groups: [3, 1, 1],
      threads: [256, 1, 1],
      push: [],
      buffers: [words(768, () => next() >>> 12), new Uint32Array(768), new Uint32Array(4)],
    },
    bitonic_sort: {
      groups: [4, 1, 1],
      threads: [64, 1, 1],
      push: [],
      buffers: [words(512, next), new Uint32Array(512)],
    },
    histogram: { groups: [3, 1, 1], threads: [128, 1, 1], push: [1000], buffers: [words(1000, next), counters] },
    mandelbrot: {
      groups: [4, 3, 1],
      threads: [8, 8, 1],
      push: [-2 << 28, -(1 << 28), 1 << 24, 32, 48].map((x) => x >>> 0),
      buffers: [new Uint32Array(32 * 24)],
    },
    crc32: {
      groups: [1, 1, 1],
      threads: [64, 1, 1],
      push: [],
      buffers: [words(64, next), records, new Uint32Array(64)],
    },
    transpose: {
      groups: [3, 2, 1],
      threads: [16, 16, 1],
      push: [40, 24, floatBits(0.5)],
      buffers: [matrix, new Uint32Array(40 * 24)],
    },
  };
}

function compileGlsl(file: string): Uint32Array {
  const output = join(mkdtempSync(join(tmpdir(), 'lanescope-glsl-')), 'kernel.spv');
  execFileSync('glslangValidator', ['-V', '--target-env', 'vulkan1.2', file, '-o', output], { stdio: 'pipe' });
  const bytes = readFileSync(output);
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const bytesOf = (list: Uint32Array): Uint8Array => new Uint8Array(list.slice().buffer);

async function runOriginal(
  device: GpuDevice,
  spirv: Uint32Array,
  name: string,
  kernel: KernelCase,
): Promise<Uint8Array[]> {
  const ids = kernel.buffers.map((_, i) => `b${i}`);
  const result = await device.run({
    buffers: kernel.buffers.map((b, i) => ({
      id: ids[i]!,
      sizeBytes: 4 * b.length,
      uploads: [{ offset: 0, bytes: bytesOf(b) }],
    })),
    dispatches: [
      {
        spirv,
        moduleKey: name,
        entryPoint: 'main',
        groups: kernel.groups,
        bindings: ids,
        ...(kernel.push.length > 0 ? { pushConstants: bytesOf(Uint32Array.from(kernel.push)) } : {}),
      },
    ],
    downloads: kernel.buffers.map((b, i) => ({ buffer: ids[i]!, offset: 0, sizeBytes: 4 * b.length })),
    timeoutMs: 120_000,
  });
  return result.downloads.map((d) => new Uint8Array(d));
}

/** The description that the importer reads, from what the compiler told. */
function metaOf(name: string, family: string, kernel: KernelCase, compiled: RadvKernel): string {
  const hex = (n: number): string => `0x${n.toString(16)}`;
  return JSON.stringify({
    kernel: name,
    family,
    wave: compiled.wave,
    sets: [kernel.buffers.map(() => 7)],
    push: 4 * kernel.push.length,
    config: {
      scratch_bytes_per_wave: compiled.scratchBytesPerWave,
      rsrc1: hex(compiled.rsrc1),
      rsrc2: hex(compiled.rsrc2),
      rsrc3: hex(compiled.rsrc3),
    },
    inline_push_constant_mask: hex(compiled.inlinePushConstantMask),
    user_sgpr_map: compiled.userSgprs,
  });
}

/** file name → capture. `device` is lavapipe. */
export async function buildRadv(sources: string, device: GpuDevice): Promise<Map<string, Uint8Array>> {
  const captures = new Map<string, Uint8Array>();
  for (const [name, kernel] of Object.entries(cases())) {
    const spirv = compileGlsl(join(sources, 'glsl', `${name}.comp`));
    const after = await runOriginal(device, spirv, name, kernel);
    for (const family of ['navi10', 'navi21']) {
      for (const wave of [32, 64] as const) {
        const compiled = compileWithRadv(family, {
          spirv: [...spirv],
          sets: [kernel.buffers.length],
          pushBytes: 4 * kernel.push.length,
          wave,
        });
        const imported = importRadv({
          code: bytesOf(Uint32Array.from(compiled.code)),
          meta: metaOf(name, family, kernel, compiled),
          run: {
            title: `${name}, RADV ${family}, wave${wave}`,
            groups: kernel.groups,
            threads: kernel.threads,
            ...(kernel.push.length > 0 ? { push: bytesOf(Uint32Array.from(kernel.push)) } : {}),
            sets: [
              kernel.buffers.map((b, i) => ({
                kind: 'buffer' as const,
                bytes: bytesOf(b),
                expected: { bytes: after[i]!, source: 'GLSL original on lavapipe' },
              })),
            ],
          },
        });
        if (!imported.ok) throw new Error(`${name}: ${JSON.stringify(imported.error)}`);
        captures.set(`radv-${family}-w${wave}/${name}.lscap`, imported.value.builder.build());
      }
    }
  }
  return captures;
}
