/**
 * The Vulkan backend in its host process, on lavapipe: batches, device addresses, crashes, watchdog, cancel.
 * Shaders are GLSL compiled by glslangValidator; expected values are worked out here from the GLSL.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { forkHost } from '../../../src/main/gpu/fork-host.ts';
import type { GpuBatch } from '../../../src/main/gpu/gpu-backend.ts';
import { HostClient } from '../../../src/main/gpu/host-client.ts';
import { compileGlsl, haveLavapipe, haveTool, LAVAPIPE_ICD, ROOT } from '../../support/tools.ts';

const script = join(ROOT, 'out', 'engine', 'gpu-host.js');
const ready = haveLavapipe() && haveTool('glslangValidator') && existsSync(script);

const TRIPLE = `#version 460
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform P { uint addend; } p;
void main() { uint i = gl_GlobalInvocationID.x; a[i] = a[i] * 3u + p.addend; }`;

const THROUGH_ADDRESS = `#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(std430, set = 0, binding = 0) buffer A { uint64_t address; };
void main() { Words other = Words(address); other.w[1] = other.w[0] + 7u; }`;

// llvmpipe cuts every loop off after 65,535 turns, so "endless" is nested loops in very many groups.
const ENDLESS = `#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  for (uint i = 0u; i < 60000u; i++) for (uint j = 0u; j < 60000u; j++) { a[1] += j ^ i; if (a[0] != 0u) return; }
}`;

const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);
const bytes = (list: number[]): Uint8Array => new Uint8Array(new Uint32Array(list).buffer);

describe.skipIf(!ready)('GPU host', () => {
  const client = new HostClient(forkHost(script, { ...process.env, VK_ICD_FILENAMES: LAVAPIPE_ICD }));
  afterAll(() => client.close());

  const triple = (values: number[], addend: number): GpuBatch => ({
    buffers: [{ id: 'a', sizeBytes: 4 * values.length, uploads: [{ offset: 0, bytes: bytes(values) }] }],
    dispatches: [
      {
        spirv: compileGlsl(TRIPLE),
        moduleKey: 'triple',
        entryPoint: 'main',
        groups: [1, 1, 1],
        bindings: ['a'],
        pushConstants: bytes([addend]),
      },
    ],
    downloads: [{ buffer: 'a', offset: 0, sizeBytes: 4 * values.length }],
    timeoutMs: 60_000,
  });
  const endless = (): GpuBatch => ({
    buffers: [{ id: 'a', sizeBytes: 64 }],
    dispatches: [
      { spirv: compileGlsl(ENDLESS), moduleKey: 'endless', entryPoint: 'main', groups: [65535, 1, 1], bindings: ['a'] },
    ],
    downloads: [],
    timeoutMs: 1500,
  });

  it('lists lavapipe and measures its arithmetic', async () => {
    const device = await client.open('llvmpipe');
    expect(device.profile.device.kind).toBe('cpu');
    // Known facts of lavapipe 22: IEEE add, mul, div, sqrt, denormals kept, fma not fused.
    expect(device.profile.arithmetic).toMatchObject({
      f32AddExact: true,
      f32DivExact: true,
      f32DenormalsKept: true,
      fma32Fused: false,
      f64Exact: true,
    });
  });

  it('runs a batch and gives the bytes back', async () => {
    const device = await client.open('llvmpipe');
    const result = await device.run(
      triple(
        Array.from({ length: 64 }, (_, i) => i),
        5,
      ),
    );
    expect([...words(result.downloads[0]!)]).toEqual(Array.from({ length: 64 }, (_, i) => 3 * i + 5));
    expect(result.dispatchNs[0]).toBeGreaterThan(0);
  });

  it('hits the pipeline cache the second time', async () => {
    const device = await client.open('llvmpipe');
    const batch = triple(new Array(64).fill(1), 0);
    await device.run(batch);
    expect((await device.run(batch)).pipelineMs).toEqual([0]);
  });

  it('patches device addresses into buffers', async () => {
    const device = await client.open('llvmpipe');
    const result = await device.run({
      buffers: [
        { id: 'parameters', sizeBytes: 8, addressPatches: [{ offset: 0, buffer: 'data', addend: 16 }] },
        { id: 'data', sizeBytes: 32, uploads: [{ offset: 16, bytes: bytes([100]) }] },
      ],
      dispatches: [
        {
          spirv: compileGlsl(THROUGH_ADDRESS),
          moduleKey: 'address',
          entryPoint: 'main',
          groups: [1, 1, 1],
          bindings: ['parameters'],
        },
      ],
      downloads: [{ buffer: 'data', offset: 16, sizeBytes: 8 }],
      timeoutMs: 60_000,
    });
    expect([...words(result.downloads[0]!)]).toEqual([100, 107]);
  });

  it('rejects a run whose host is killed, and runs the next one', async () => {
    const device = await client.open('llvmpipe');
    const doomed = device.run({ ...endless(), timeoutMs: 60_000 });
    const failure = expect(doomed).rejects.toMatchObject({ code: 'GPU002' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(client.hostPid!, 'SIGKILL');
    await failure;
    const result = await device.run(triple(new Array(64).fill(2), 1));
    expect([...words(result.downloads[0]!)]).toEqual(new Array(64).fill(7));
  });

  it('ends an endless run by the watchdog, and a cancelled run at once', async () => {
    const device = await client.open('llvmpipe');
    await expect(device.run(endless())).rejects.toMatchObject({ code: 'GPU003' });
    const controller = new AbortController();
    const run = device.run({ ...endless(), timeoutMs: 60_000 }, controller.signal);
    setTimeout(() => controller.abort(), 300);
    await expect(run).rejects.toMatchObject({ code: 'GPU007' });
    await expect(device.run(triple(new Array(64).fill(0), 9))).resolves.toBeDefined();
  });

  it('says which devices exist when none matches', async () => {
    await expect(client.open('no such device')).rejects.toMatchObject({
      code: 'GPU001',
      message: expect.stringContaining('llvmpipe'),
    });
  });

  it('refuses an upload past the end of a buffer', async () => {
    const device = await client.open('llvmpipe');
    const batch = triple([1], 0);
    const bad = { ...batch, buffers: [{ id: 'a', sizeBytes: 4, uploads: [{ offset: 2, bytes: bytes([1]) }] }] };
    await expect(device.run(bad)).rejects.toMatchObject({ code: 'GPU005' });
  });
});
