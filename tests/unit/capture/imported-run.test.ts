/**
 * Imported kernels, run: the last word on whether registers, kernel arguments, descriptors and scratch are where the
 * compilers' code looks for them. Expected values: the C original, written down again here, and the buffers that the
 * GLSL original gives on another Vulkan driver.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CaptureBuilder } from '../../../src/main/capture/importers/capture-builder.ts';
import { importCodeObject } from '../../../src/main/capture/importers/import-code-object.ts';
import { importRadv } from '../../../src/main/capture/importers/import-radv.ts';
import { openCaptureBytes } from '../../../src/main/capture/store/open-capture.ts';
import { readRadvSample } from '../../../src/main/capture/store/radv-files.ts';
import { ReferenceEngine } from '../../../src/main/driver/reference-engine.ts';
import { replay } from '../../../src/main/session/replay.ts';
import { haveShared, SHARED } from '../../support/tools.ts';

/** Words that differ from each expectation, after the only dispatch. */
async function differences(builder: CaptureBuilder): Promise<number[]> {
  const opened = openCaptureBytes(builder.build());
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const counts: number[] = [];
  for await (const step of replay(opened.value, { engine: new ReferenceEngine() })) {
    if (!step.dispatch) continue;
    expect([step.dispatch.run?.status, step.dispatch.run?.faultCount]).toEqual(['completed', 0]);
    for (const entry of opened.value.capture.expected) {
      if (entry.kind !== 'memory') throw new Error('an expectation of memory');
      const wanted = opened.value.payload(entry.payload);
      if (!wanted.ok) throw new Error(JSON.stringify(wanted.error));
      const got = step.memory.readBytes(entry.address, wanted.value.length)!;
      const words = (bytes: Uint8Array) => new Uint32Array(bytes.slice().buffer);
      const want = words(wanted.value);
      counts.push(words(got).reduce((sum, word, i) => sum + (word === want[i] ? 0 : 1), 0));
    }
  }
  return counts;
}

describe.skipIf(!haveShared('data/calls'))('kernels that clang made', () => {
  const ids = Array.from({ length: 128 }, (_, i) => i);
  const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
  const ackermann = (m: number, n: number): number =>
    m === 0 ? n + 1 : ackermann(m - 1, n === 0 ? 1 : ackermann(m, n - 1));
  const stack = (i: number): number => {
    let sum = 0;
    for (let j = 0; j < 24; j++) sum += i * ((j * 5 + i) % 24) + 7;
    return sum;
  };
  const callees = [
    (x: number, k: number) => x + k,
    (x: number, k: number) => x * k,
    (x: number, k: number) => x - 3 * k,
  ];
  const cases: Record<string, { args: object[]; holds: object }> = {
    k_recurse: { args: [{ buffer: 'o' }], holds: { words: ids.map((i) => fibonacci(i % 12) + ackermann(2, i % 4)) } },
    k_indirect_mem: {
      args: [{ buffer: 'o' }, { buffer: 't' }, { buffer: 's' }],
      holds: { floats: ids.map((i) => callees[i % 3]!(i, i & 7)) },
    },
    k_stack: { args: [{ buffer: 'o' }, { i32: 24 }], holds: { words: ids.map(stack) } },
  };
  it.each(['calls_w64', 'calls_w32', 'calls_w32_flatscr', 'calls_gfx700'])('%s', async (file) => {
    const elf = new Uint8Array(readFileSync(join(SHARED, `data/calls/${file}.co`)));
    for (const [kernel, { args, holds }] of Object.entries(cases)) {
      const spec = {
        kernel,
        groups: [2, 1, 1],
        threads: [64, 1, 1],
        arguments: args,
        buffers: { o: { size: 512 }, t: { size: 24 }, s: { init: { words: ids.map((i) => i % 3) } } },
        symbols: [{ buffer: 't', functionAddresses: ['f_add', 'f_mul', 'f_sub'] }],
        expected: [{ buffer: 'o', holds, source: 'C original' }],
      };
      const imported = importCodeObject({ elf, spec: JSON.stringify(spec) });
      if (!imported.ok) throw new Error(JSON.stringify(imported.error));
      expect(await differences(imported.value.builder), kernel).toEqual([0]);
    }
  });
});

describe.skipIf(!haveShared('data/radv'))('kernels that RADV compiled', () => {
  const folder = join(SHARED, 'data/radv');
  const variants = haveShared('data/radv') ? readdirSync(folder).filter((name) => /-w(32|64)$/.test(name)) : [];
  // LDS, atomics, scratch, and number of groups with push constants and two sets. The second buffer of abi_ids holds
  // subgroup ids, which depend on the wave size: it is not compared.
  const kernels = ['lds_reduce', 'atomics', 'scratch_array', 'abi_ids'];
  it.each(variants)('%s', async (variant) => {
    const there = new Set(readdirSync(join(folder, variant)).map((name) => name.split('.')[0]!));
    for (const kernel of kernels.filter((name) => there.has(name))) {
      const sample = readRadvSample(folder, variant, kernel, { expectedSource: 'GLSL original on lavapipe' });
      if (!sample.ok) throw new Error(JSON.stringify(sample.error));
      const imported = importRadv(sample.value);
      if (!imported.ok) throw new Error(JSON.stringify(imported.error));
      const counts = await differences(imported.value.builder);
      if (kernel === 'abi_ids') counts.splice(1, 1);
      expect(counts, kernel).toEqual(counts.map(() => 0));
      expect(counts.length, kernel).toBe(kernel === 'atomics' ? 3 : 2);
    }
  });
});
