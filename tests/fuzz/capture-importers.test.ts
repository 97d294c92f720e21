/**
 * Damaged importer input: descriptions with changed characters and relocatable objects with changed bytes. Every case
 * gives a capture or diagnostics with codes of the importers, in bounded time. Seeded: a failure repeats.
 */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/main/base/result.ts';
import { importRadv, type RadvInput } from '../../src/main/capture/importers/import-radv.ts';
import { importRaw } from '../../src/main/capture/importers/import-raw.ts';
import type { Imported } from '../../src/main/capture/importers/imported.ts';
import { haveTool } from '../support/tools.ts';
import { assembleObject } from '../unit/capture/built-kernel.ts';

function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const CODE = new Uint8Array(Uint32Array.of(0xbf800000, 0xbf810000).buffer);

const RAW = `{
  "target": "gfx1030", "wave": 32, "groups": [2, 1, 1], "threads": [64, 1, 1], "address": "0x100000000",
  "buffers": { "out": { "size": 768, "address": 17179869184 }, "in": { "init": { "words": [1, -1, 3] } } },
  "userData": [{ "descriptor": "out", "stride": 8 }, { "address": "in", "offset": 4 }, { "u64": "0xfedcba9876543210" }],
  "scratchBytesPerLane": 100, "groupIds": "xz", "localIds": 2, "ldsBytes": 513, "float": { "mode": 192, "ieee": true },
  "expected": [{ "buffer": "out", "holds": { "fill": 7 }, "source": "s",
    "exceptions": [{ "firstWord": 3, "words": 1, "type": "f32", "bound": "any", "reason": "r" }] }]
}`;

const META = JSON.stringify({
  kernel: 'k',
  family: 'navi21',
  wave: 64,
  sets: [[7]],
  push: 8,
  config: { scratch_bytes_per_wave: 2048, rsrc1: '0x602c0001', rsrc2: '0x1008d', rsrc3: '0x0' },
  inline_push_constant_mask: '0x3',
  user_sgpr_map: {
    SCRATCH_RING_OFFSETS: { sgpr: 0, n: 2 },
    descriptor_set0_ptr32: { sgpr: 2, n: 1 },
    INLINE_PUSH_CONSTANTS: { sgpr: 3, n: 2 },
  },
});
const RUN: RadvInput['run'] = {
  groups: [2, 1, 1],
  threads: [64, 1, 1],
  push: new Uint8Array(8),
  sets: [[{ kind: 'buffer', bytes: new Uint8Array(64) }]],
};

function tally(result: Result<Imported>, counts: { imported: number; refused: number }): void {
  if (result.ok) {
    result.value.builder.build();
    counts.imported++;
    return;
  }
  counts.refused++;
  expect(result.error.length).toBeGreaterThan(0);
  for (const d of result.error) expect(d.code).toMatch(/^CAP1\d\d$/);
}

function changedText(text: string, random: (limit: number) => number): string {
  const characters = [...text];
  const replacements = [...'{}[]":,0123456789-.eE\\ntx \u0000é"'];
  for (let n = random(3); n >= 0; n--)
    characters[random(characters.length)] = replacements[random(replacements.length)]!;
  return characters.join('');
}

describe('descriptions', () => {
  it('raw, 3000 times changed', () => {
    const counts = { imported: 0, refused: 0 };
    tally(importRaw({ code: CODE, spec: RAW }), counts);
    expect(counts).toEqual({ imported: 1, refused: 0 });
    const random = randomFrom(11);
    const started = performance.now();
    for (let i = 0; i < 3000; i++) tally(importRaw({ code: CODE, spec: changedText(RAW, random) }), counts);
    for (let size = 0; size < RAW.length; size++) tally(importRaw({ code: CODE, spec: RAW.slice(0, size) }), counts);
    console.log(`raw descriptions: ${JSON.stringify(counts)}`);
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(counts.refused).toBeGreaterThan(2000);
  });

  it('RADV, 3000 times changed', () => {
    const counts = { imported: 0, refused: 0 };
    tally(importRadv({ code: CODE, meta: META, run: RUN }), counts);
    expect(counts).toEqual({ imported: 1, refused: 0 });
    const random = randomFrom(12);
    for (let i = 0; i < 3000; i++) tally(importRadv({ code: CODE, meta: changedText(META, random), run: RUN }), counts);
    console.log(`RADV descriptions: ${JSON.stringify(counts)}`);
    expect(counts.refused).toBeGreaterThan(1500);
  });
});

describe.skipIf(!haveTool('llvm-mc-19'))('relocatable objects', () => {
  it('3000 times changed and cut everywhere', () => {
    const source =
      '.text\n.globl main\n.p2align 8\nmain:\n s_mov_b32 s0, a@abs32@lo\n s_add_u32 s0, s0, data@rel32@lo+4\n s_endpgm\n.amdgpu_lds a, 100, 4\n.section .rodata,"a"\ndata: .long 1';
    const good = assembleObject(source, 'amdgcn-mesa-mesa3d', 'gfx1030', '');
    const counts = { imported: 0, refused: 0 };
    tally(importRadv({ code: good, meta: META, run: RUN }), counts);
    expect(counts).toEqual({ imported: 1, refused: 0 });
    const random = randomFrom(13);
    const started = performance.now();
    for (let i = 0; i < 3000; i++) {
      const code = good.slice();
      for (let n = random(6); n >= 0; n--) code[random(code.length)] = random(3) === 0 ? 0xff : random(256);
      tally(importRadv({ code, meta: META, run: RUN }), counts);
    }
    for (let size = 4; size < good.length; size += 5) {
      tally(importRadv({ code: good.subarray(0, size), meta: META, run: RUN }), counts);
    }
    console.log(`relocatable objects: ${JSON.stringify(counts)}`);
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(counts.refused).toBeGreaterThan(1000);
  });
});
