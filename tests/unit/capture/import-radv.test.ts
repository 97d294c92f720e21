/**
 * RADV's description of a shader → registers. Expectations come from the ABI (which SGPR holds what) and from RADV's own
 * listings: what the code does with an SGPR says what must be in it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { importRadv, type RadvInput } from '../../../src/main/capture/importers/import-radv.ts';
import { localSizeOfSpirv, readRadvSample } from '../../../src/main/capture/store/radv-files.ts';
import { haveShared, haveTool, SHARED } from '../../support/tools.ts';
import { assembleObject } from './built-kernel.ts';
import { registers, seeDispatch } from './command-words.ts';

const at = (value: number) => value as GuestAddress;

const META = {
  kernel: 'abi',
  family: 'navi14',
  wave: 64,
  sets: [[7, 7], [7], [3, 3, 1]],
  push: 32,
  config: { scratch_bytes_per_wave: 2048, rsrc1: '0x602c0001', rsrc2: '0x1799', rsrc3: '0x0' },
  inline_push_constant_mask: '0x43',
  user_sgpr_map: {
    SCRATCH_RING_OFFSETS: { sgpr: 0, n: 2 },
    descriptor_set0_ptr32: { sgpr: 2, n: 1 },
    descriptor_set2_ptr32: { sgpr: 3, n: 1 },
    INLINE_PUSH_CONSTANTS: { sgpr: 4, n: 3 },
    NUM_WORKGROUPS: { sgpr: 7, n: 2 },
    descriptor_set1_ptr32: { sgpr: 9, n: 1 },
  },
};
const CODE = new Uint8Array(Uint32Array.of(0xbf800000, 0xbf810000).buffer);
const buffer = (size: number, fill: number) => ({ kind: 'buffer', bytes: new Uint8Array(size).fill(fill) }) as const;
const image = (words: number) =>
  ({ kind: 'descriptor', words: Array.from({ length: words }, (_, i) => 0x1000 + i) }) as const;
const RUN = {
  groups: [2, 3, 4],
  threads: [4, 4, 4],
  push: new Uint8Array(Uint32Array.of(10, 11, 12, 13, 14, 15, 16, 17).buffer),
  sets: [[buffer(100, 1), buffer(5000, 2)], [buffer(4, 3)], [image(8), image(8), image(24)]],
} as const;

function input(changes: { meta?: object; run?: object; code?: Uint8Array } = {}): RadvInput {
  const meta = JSON.stringify({ ...META, ...changes.meta }, null, 1);
  return {
    code: changes.code ?? CODE,
    meta,
    metaName: 'abi.meta.json',
    run: { ...RUN, ...changes.run } as RadvInput['run'],
  };
}

function imported(changes?: Parameters<typeof input>[0]) {
  const result = importRadv(input(changes));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return {
    ...seeDispatch(result.value.builder),
    buffers: result.value.buffers,
    notes: result.value.diagnostics.map((d) => d.message),
  };
}

describe('user SGPRs and descriptor memory', () => {
  it('of gfx10.1: number of groups behind a pointer', () => {
    const seen = imported();
    const { memory } = seen;
    const [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] = registers(seen, 0x240, 12) as number[];
    expect(seen.sh.has(0x24c)).toBe(false);
    expect([s4, s5, s6]).toEqual([10, 11, 16]);
    // Base 0x8000_xxxxxxxx and the swizzle bit; 24 groups of one wave, 2 KiB each.
    expect(s1).toBe(0x80008000);
    expect(memory.extentAt(at(0x8000_0000_0000 + s0!))).toMatchObject({
      start: 0x8000_0000_0000 + s0!,
      permissions: 6,
    });
    expect(seen.sh.get(0x218)).toBe(24 | (2 << 12));
    expect(s8).toBe(0xffff8000);
    expect([0, 4, 8].map((i) => memory.loadU32(at(0x8000_0000_0000 + s7! + i)))).toEqual([2, 3, 4]);

    const word = (set: number, i: number) => memory.loadU32(at(0x8000_0000_0000 + set + 4 * i))!;
    const base = (set: number, i: number) => (word(set, i + 1) & 0xffff) * 2 ** 32 + word(set, i);
    expect(base(s2!, 0)).toBe(seen.buffers[0]![0]);
    expect([1, 2, 3].map((i) => word(s2!, i))).toEqual([0x8000, 100, 0x31016fac]);
    expect([word(s2!, 6), word(s2!, 7)]).toEqual([5000, 0x31016fac]);
    expect(memory.loadU8(at(base(s2!, 4) + 4999))).toBe(2);
    expect(memory.loadU8(at(base(s9!, 0)))).toBe(3);
    // Image at 0, image at 0x20, image with sampler at 0x40: the sampler's words begin at 0x90.
    expect([word(s3!, 0), word(s3!, 7), word(s3!, 8), word(s3!, 16), word(s3!, 36)]).toEqual([
      0x1000, 0x1007, 0x1000, 0x1000, 0x1014,
    ]);

    expect(seen.capture.target).toBe('gfx1013');
    expect(seen.notes).toEqual(expect.arrayContaining([expect.stringMatching(/gfx1013 stands for navi14/)]));
    expect(seen.notes).toEqual(
      expect.arrayContaining([expect.stringMatching(/without a description are 0: s10, s11/)]),
    );
    expect(registers(seen, 0x204, 6)).toEqual([0, 0, 0, 4, 4, 4]);
    expect(registers(seen, 0x212, 2)).toEqual([0x602c0001, 0x1799]);
    expect(seen.dispatch).toEqual([2, 3, 4, 5]);
  });

  it('of gfx10.3 wave32: number of groups in three SGPRs, no scratch', () => {
    const config = { ...META.config, scratch_bytes_per_wave: 0, rsrc2: '0x1798' };
    const map = { ...META.user_sgpr_map, NUM_WORKGROUPS: { sgpr: 7, n: 3 }, descriptor_set1_ptr32: { sgpr: 10, n: 1 } };
    const seen = imported({ meta: { family: 'navi21', wave: 32, config, user_sgpr_map: map } });
    expect(registers(seen, 0x247, 3)).toEqual([2, 3, 4]);
    expect(registers(seen, 0x240, 2)).toEqual([0, 0]);
    expect(seen.sh.get(0x218)).toBe(0);
    expect(seen.dispatch).toEqual([2, 3, 4, 0x8005]);
    expect(seen.capture.target).toBe('gfx1030');
  });

  it('of gfx7: its own buffer format, no RSRC3', () => {
    const seen = imported({ meta: { family: 'bonaire' } });
    // 32-bit pointers have an upper half of 0: the sample code builds no other.
    const set0 = seen.sh.get(0x242)!;
    expect(seen.sh.get(0x241)).toBe(0x80000000);
    // Float 32: NUM_FORMAT 7 (14:12), DATA_FORMAT 4 (18:15), selects x y z w.
    expect(seen.memory.loadU32(at(set0 + 12))).toBe(0x27fac);
    expect(seen.sh.has(0x228)).toBe(false);
  });
});

describe('what is refused', () => {
  const cases: [string, Parameters<typeof input>[0], RegExp][] = [
    ['an unknown family', { meta: { family: 'vega10' } }, /^CAP106 \d+ family "vega10"/],
    ['a descriptor type', { meta: { sets: [[6, 7], [7], [3, 3, 1]] } }, /^CAP106 \d+ descriptor type 6/],
    [
      'a missing binding',
      { run: { sets: [[RUN.sets[0][0]], ...RUN.sets.slice(1)] } },
      /^CAP107 \d+ nothing is given for set 0 binding 1/,
    ],
    [
      'a buffer for an image',
      { run: { sets: [RUN.sets[0], RUN.sets[1], [buffer(4, 0), image(8), image(24)]] } },
      /^CAP107 \d+ set 2 binding 0 of type 3 takes 8 descriptor words, not 4/,
    ],
    ['unknown user data', { meta: { user_sgpr_map: { X: { sgpr: 0, n: 1 } } } }, /^CAP106 \d+ user data "X"/],
    [
      'user data outside',
      { meta: { user_sgpr_map: { SCRATCH_RING_OFFSETS: { sgpr: 11, n: 2 } } } },
      /^CAP107 \d+ SCRATCH_RING_OFFSETS has 2 dwords for SGPRs 11 to 12 of 12/,
    ],
    [
      'an unknown set',
      { meta: { user_sgpr_map: { descriptor_set9_ptr32: { sgpr: 0, n: 1 } } } },
      /^CAP106 \d+ there is no set 9/,
    ],
    [
      'inlined dwords that are not there',
      { meta: { inline_push_constant_mask: '0x100000001' } },
      /^CAP106 \d+ dword 32 is inlined/,
    ],
    ['a register that is no number', { meta: { config: { ...META.config, rsrc1: 'x' } } }, /^CAP102 \d+ config\.rsrc1/],
    [
      'too many user SGPRs',
      { meta: { config: { ...META.config, rsrc2: '0x3f' } } },
      /^CAP107 \d+ RSRC2 announces 31 user SGPRs/,
    ],
    ['no threads', { run: { threads: [0, 1, 1] } }, /^CAP108 - 0 threads/],
    ['half an instruction', { code: CODE.subarray(0, 6) }, /^CAP104 - 6 bytes of code/],
  ];
  it.each(cases)('%s', (_, changes, message) => {
    const result = importRadv(input(changes));
    const lines = result.ok
      ? []
      : result.error.map((d) => `${d.code} ${d.where?.kind === 'line' ? d.where.line : '-'} ${d.message}`);
    expect(lines.join('\n')).toMatch(message);
  });
});

describe.skipIf(!haveTool('llvm-mc-19'))('relocatable objects', () => {
  const object = (body: string) =>
    assembleObject(`.text\n.globl main\n.p2align 8\nmain:\n${body}`, 'amdgcn-mesa-mesa3d', 'gfx1030', '');
  const load = (body: string, rsrc2 = '0x11799') => {
    const seen = imported({ code: object(body), meta: { family: 'navi21', config: { ...META.config, rsrc2 } } });
    const program = (seen.sh.get(0x20d)! * 2 ** 32 + seen.sh.get(0x20c)!) * 256;
    return { program, word: (i: number) => seen.memory.loadU32(at(program + 4 * i)) };
  };

  it('gives LDS symbols their offsets', () => {
    const { word } = load(
      's_mov_b32 s0, first@abs32@lo\n s_mov_b32 s1, second@abs32@lo+8\n s_endpgm\n.amdgpu_lds first, 100, 4\n.amdgpu_lds second, 64, 16',
    );
    // first at 0, second at the next multiple of 16 behind its 100 bytes.
    expect([word(1), word(3)]).toEqual([0, 112 + 8]);
  });

  it('resolves constants behind the code, relative and absolute', () => {
    const { program, word } = load(
      's_getpc_b64 s[0:1]\n s_add_u32 s0, s0, data@rel32@lo+4\n s_addc_u32 s1, s1, data@rel32@hi+12\n s_mov_b32 s2, data@abs32@lo\n s_mov_b32 s3, data@abs32@hi\n s_endpgm\n.section .rodata,"a"\n.p2align 4\ndata: .long 0xabcd1234',
    );
    // s_getpc gives the address of the next instruction, program + 4; the literals stand at +8 and +16.
    const target = program + 4 + word(2)!;
    expect(word((target - program) / 4)).toBe(0xabcd1234);
    expect(word(4)).toBe(0);
    expect([word(6), word(8)]).toEqual([target % 2 ** 32, Math.floor(target / 2 ** 32)]);
  });

  it('names what it cannot resolve', () => {
    const code = object('s_mov_b32 s0, elsewhere@abs32@lo\n s_endpgm');
    const result = importRadv({ ...input({ code, meta: { family: 'navi21' } }), codeName: 'x.elf' });
    expect(result.ok ? [] : result.error).toMatchObject([
      {
        code: 'CAP106',
        kind: 'unsupported',
        where: { kind: 'file', file: 'x.elf' },
        message: 'relocation type 1 against "elsewhere" is not supported',
      },
    ]);
  });

  it('compares LDS with what RSRC2 grants', () => {
    const code = object('s_mov_b32 s0, big@abs32@lo\n s_endpgm\n.amdgpu_lds big, 2000, 4');
    const result = importRadv(input({ code, meta: { family: 'navi21' } }));
    expect(result.ok ? [] : result.error.map((d) => d.message)).toEqual([
      'the code uses 2000 bytes of LDS, RSRC2 grants 0',
    ]);
  });
});

describe('SPIR-V', () => {
  it('local sizes by literal and by constant', () => {
    const module = (...words: number[]) =>
      new Uint8Array(Uint32Array.of(0x07230203, 0x10600, 0, 20, 0, ...words).buffer);
    expect(localSizeOfSpirv(module((6 << 16) | 16, 1, 17, 8, 4, 2))).toEqual([8, 4, 2]);
    const constant = (id: number, value: number) => [(4 << 16) | 43, 2, id, value];
    const ids = [(6 << 16) | 331, 1, 38, 11, 12, 11];
    expect(localSizeOfSpirv(module(...ids, ...constant(11, 1), ...constant(12, 64)))).toEqual([1, 64, 1]);
    expect(localSizeOfSpirv(module(...ids, ...constant(11, 1)))).toBeUndefined();
    expect(localSizeOfSpirv(module(0))).toBeUndefined();
    expect(localSizeOfSpirv(new Uint8Array(40))).toBeUndefined();
  });
});

describe.skipIf(!haveShared('data/radv'))('samples that RADV compiled', () => {
  const folder = join(SHARED, 'data/radv');
  const variants = haveShared('data/radv') ? readdirSync(folder).filter((name) => /-w(32|64)$/.test(name)) : [];
  const golden = [
    'abi_ids',
    'atomics',
    'divergent_loop',
    'fp16_packed',
    'fp32_math',
    'fp64',
    'int64_mul',
    'lds_reduce',
    'scratch_array',
    'subgroup_ops',
  ];

  it('all with golden buffers', () => {
    let count = 0;
    for (const variant of variants) {
      const there = new Set(readdirSync(join(folder, variant)).map((name) => name.split('.')[0]!));
      for (const kernel of golden.filter((name) => there.has(name))) {
        const sample = readRadvSample(folder, variant, kernel, { expectedSource: 'GLSL original on lavapipe' });
        if (!sample.ok) throw new Error(JSON.stringify(sample.error));
        const result = importRadv(sample.value);
        if (!result.ok) throw new Error(`${variant} ${kernel} ${JSON.stringify(result.error)}`);
        const seen = seeDispatch(result.value.builder);
        count++;
        const meta = JSON.parse(sample.value.meta);
        expect(registers(seen, 0x240, 16).filter((word) => word !== undefined).length).toBe(meta.rsrc2.user_sgprs);
        const program = (seen.sh.get(0x20d)! * 2 ** 32 + seen.sh.get(0x20c)!) * 256;
        const size = Number(meta.stats['Code size']);
        const code = seen.memory.peekBytes(at(program), size)!;
        if (!variant.includes('llvm')) expect(Buffer.compare(code, sample.value.code.subarray(0, size))).toBe(0);
        const before = sample.value.run.sets.flat();
        const expected = seen.capture.expected.length;
        expect(expected).toBe(before.length);
      }
    }
    // 9 variants of 10 kernels, less fp16_packed on gfx7 and abi_ids of LLVM on navi14.
    expect(count).toBe(88);
  });

  it('LDS relocations of the LLVM back end are at offset 0, as its only LDS symbol must be', () => {
    const sample = readRadvSample(folder, 'navi21-llvm-w64', 'lds_reduce');
    if (!sample.ok) throw new Error(JSON.stringify(sample.error));
    const result = importRadv(sample.value);
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const seen = seeDispatch(result.value.builder);
    const program = (seen.sh.get(0x20d)! * 2 ** 32 + seen.sh.get(0x20c)!) * 256;
    // readelf -r: one R_AMDGPU_ABS32 at .text + 0x114 against compute_lds.
    expect(seen.memory.loadU32(at(program + 0x114))).toBe(0);
    const original = readFileSync(join(folder, 'navi21-llvm-w64/lds_reduce.elf')).subarray(0x100, 0x240);
    expect(Buffer.compare(seen.memory.peekBytes(at(program), 0x114)!, original.subarray(0, 0x114))).toBe(0);
  });
});
