/**
 * Code objects made by LLVM → captures. Expected registers follow LLVM's "User Guide for AMDGPU Backend" (order of user
 * SGPRs, hidden arguments, descriptor bits) and are computed here by hand from the directives of the assembly source.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { importCodeObject } from '../../../src/main/capture/importers/import-code-object.ts';
import { haveShared, haveTool, SHARED } from '../../support/tools.ts';
import { buildKernel, type KernelOptions, TARGET_WAVES } from './built-kernel.ts';
import { registers, seeDispatch } from './command-words.ts';

const haveLlvm = ['llvm-mc-19', 'ld.lld-19'].every(haveTool);

const SPEC = {
  kernel: 'k',
  groups: [3, 2, 1],
  threads: [16, 8, 1],
  arguments: [{ buffer: 'out', offset: 16 }],
  buffers: { out: { size: 256, init: { words: [5, 6, 7, 8, -1] } } },
};

function imported(options: KernelOptions, spec: object = SPEC) {
  const result = importCodeObject({ elf: buildKernel(options), spec: JSON.stringify(spec) });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { ...seeDispatch(result.value.builder), notes: result.value.diagnostics.map((d) => d.message) };
}

function problems(options: KernelOptions, spec: object): string[] {
  const text = JSON.stringify(spec, null, 1);
  const result = importCodeObject({ elf: buildKernel(options), elfName: 'k.co', spec: text, specName: 'k.json' });
  return result.ok
    ? []
    : result.error.map((d) => `${d.code} ${d.where?.kind === 'line' ? `${d.where.line}: ` : ''}${d.message}`);
}

const at = (value: number) => value as GuestAddress;
const pair = (low: number | undefined, high: number | undefined) => at((high! & 0xffff) * 2 ** 32 + low!);

describe.skipIf(!haveLlvm)('registers and memory', () => {
  it.each(TARGET_WAVES)('%s wave%i', (target, wave) => {
    for (const version of [4, 5] as const) {
      const seen = imported({ target, wave, version });
      const { memory, sh, capture } = seen;
      expect(capture.target).toBe(target);

      // 15 user SGPRs: V# 4, dispatch 2, queue 2, kernarg 2, id 2, flat scratch 2, private size 1.
      const user = registers(seen, 0x240, 15) as number[];
      expect(sh.has(0x24f)).toBe(false);
      const scratch = pair(user[0], user[1]);
      expect(user[1]! >>> 31).toBe(1);
      expect(user[2]).toBe(0xffffffff);
      expect(user[3]).toBe(target === 'gfx700' ? 0x00e8f000 : wave === 32 ? 0x31c16000 : 0x31e16000);
      const packet = pair(user[4], user[5]);
      const queue = pair(user[6], user[7]);
      const kernarg = pair(user[8], user[9]);
      expect(user.slice(10, 12)).toEqual([0, 0]);
      if (target === 'gfx700') expect(user.slice(12, 15)).toEqual([scratch, 4096, 4096]);
      else expect([pair(user[12], user[13]), user[14]]).toEqual([scratch, 4096]);

      // 128 threads: 2 waves of 64 or 4 of 32 in each of 6 groups; 4096 bytes a lane.
      const waves = wave === 64 ? 12 : 24;
      expect(sh.get(0x218)).toBe(waves | ((wave * 4) << 12));
      expect(memory.extentAt(scratch)).toEqual({ start: scratch, end: scratch + waves * wave * 4096, permissions: 6 });

      expect(memory.loadU32(kernarg)).toBe(
        (memory.extents.find((e) => e.start >= 0x4_0000_0000)!.start + 16) % 2 ** 32,
      );
      expect(memory.loadU32(at(queue + 0x40))).toBe(0x10000);
      expect(memory.loadU32(at(queue + 0x44))).toBe(0x20000);
      // Packet: type 2, two dimensions, 16 × 8 × 1 threads, 48 × 16 × 1 work-items.
      const words = new Uint32Array(memory.readBytes(packet, 64)!.buffer);
      expect([...words.subarray(0, 8)]).toEqual([0x0002_0002, 0x0008_0010, 1, 48, 16, 1, 4096, 1000]);
      expect(pair(words[10], words[11])).toBe(kernarg);
      const descriptor = pair(words[8], words[9]);

      const program = pair(sh.get(0x20c), sh.get(0x20d)! & 0xff) * 256;
      expect(program).toBe(
        descriptor + Number(new DataView(memory.readBytes(descriptor, 64)!.buffer).getBigInt64(16, true)),
      );
      expect(memory.loadU32(at(program))).toBe(0xbf810000);
      expect(memory.extentAt(at(program))?.permissions).toBe(5);
      expect(capture.shaders).toEqual([
        { codeAddress: program, hardwareStage: 'cs', softwareStage: 'compute', name: 'k' },
      ]);

      expect(sh.get(0x212)).toBe(memory.loadU32(at(descriptor + 48)));
      // SCRATCH_EN, 15 user SGPRs, group ids x and y, local ids x and y, ceil(1000 / 512) LDS granules.
      expect(sh.get(0x213)).toBe(1 | (15 << 1) | (1 << 7) | (1 << 8) | (1 << 11) | (2 << 15));
      expect(sh.has(0x228)).toBe(target !== 'gfx700');
      expect(registers(seen, 0x204, 6)).toEqual([0, 0, 0, 16, 8, 1]);
      expect(seen.dispatch).toEqual([3, 2, 1, wave === 32 ? 0x8005 : 5]);
      expect(seen.markers).toEqual([0x68750001, 0x68750002]);
    }
  });

  it('loads data and relocates pointers in it', () => {
    const { memory } = imported({ target: 'gfx1030', wave: 64, version: 5 });
    const image = memory.extents.filter((e) => e.start < 0x2_0000_0000);
    const data = image.at(-1)!;
    let found = 0;
    for (let a = data.start as number; a + 16 <= data.end; a += 8) {
      if (memory.loadU32(at(a)) !== 0x55667788 || memory.loadU32(at(a + 4)) !== 0x11223344) continue;
      found++;
      expect(pair(memory.loadU32(at(a + 8)), memory.loadU32(at(a + 12)))).toBe(a + 16);
    }
    expect(found).toBe(1);
  });

  it('fills hidden arguments of a grid whose last group is partial', () => {
    const kinds: [string, number, number][] = [
      ['hidden_block_count_x', 4, 8],
      ['hidden_block_count_y', 4, 12],
      ['hidden_block_count_z', 4, 16],
      ['hidden_group_size_x', 2, 20],
      ['hidden_group_size_y', 2, 22],
      ['hidden_group_size_z', 2, 24],
      ['hidden_remainder_x', 2, 26],
      ['hidden_remainder_y', 2, 28],
      ['hidden_remainder_z', 2, 30],
      ['hidden_global_offset_x', 8, 32],
      ['hidden_grid_dims', 2, 40],
      ['hidden_private_base', 4, 44],
      ['hidden_shared_base', 4, 48],
      ['hidden_heap_v1', 8, 56],
      ['hidden_dynamic_lds_size', 4, 64],
    ];
    const lines = [['by_value', 4, 0], ['dynamic_shared_pointer', 4, 4], ...kinds];
    const args = lines
      .map(([kind, size, offset]) => `{.size: ${size}, .offset: ${offset}, .value_kind: ${kind}}`)
      .join('\n');
    const options = { target: 'gfx1013', wave: 64, version: 5, arguments: args, kernargBytes: 80 } as const;
    const spec = { kernel: 'k', grid: [100, 8, 1], threads: [16, 8, 1], arguments: [{ i32: -2 }, { lds: 100 }] };
    const seen = imported(options, spec);
    const user = registers(seen, 0x240, 15);
    const view = new DataView(seen.memory.readBytes(pair(user[8], user[9]), 80)!.buffer);
    expect(view.getInt32(0, true)).toBe(-2);
    // 1000 bytes of LDS, aligned to 16.
    expect(view.getUint32(4, true)).toBe(1008);
    const value = (size: number, offset: number) =>
      size === 2
        ? view.getUint16(offset, true)
        : size === 4
          ? view.getUint32(offset, true)
          : Number(view.getBigUint64(offset, true));
    // 100 work-items in groups of 16: 6 full groups, 4 left over.
    expect(kinds.map(([, size, offset]) => value(size, offset))).toEqual([
      6, 1, 1, 16, 8, 1, 4, 0, 0, 0, 2, 0x20000, 0x10000, 0, 108,
    ]);
    expect(seen.notes.join()).toMatch(/hidden_heap_v1 are 0/);
    // ceil(1108 / 512) = 3.
    expect((seen.sh.get(0x213)! >>> 15) & 0x1ff).toBe(3);
    // NUM_THREAD_PARTIAL: 4 of 16, full in the other dimensions; dimensions in threads, partial groups enabled.
    expect(registers(seen, 0x207, 3)).toEqual([16 | (4 << 16), 8 | (8 << 16), 1 | (1 << 16)]);
    expect(seen.dispatch).toEqual([100, 8, 1, 1 | 2 | 4 | 0x20]);
  });

  it('puts function addresses and expectations where the description says', () => {
    const seen = imported(
      { target: 'gfx1030', wave: 32, version: 5 },
      {
        ...SPEC,
        buffers: { ...SPEC.buffers, table: { size: 32, address: '0x500000000', access: 'read' } },
        symbols: [{ buffer: 'table', offset: 8, functionAddresses: ['f', 'k'] }],
        expected: [
          {
            buffer: 'out',
            offset: 4,
            holds: { words: [1, 2] },
            source: 'by hand',
            exceptions: [{ firstWord: 1, words: 1, type: 'u32', bound: 'any', reason: 'r' }],
          },
          { refused: 'CALL003', backend: 'vulkan', reason: 'because' },
        ],
      },
    );
    const address = (i: number) =>
      pair(seen.memory.loadU32(at(0x5_0000_0000 + i)), seen.memory.loadU32(at(0x5_0000_0004 + i)));
    // s_setpc_b64 s[30:31], then s_endpgm at the kernel.
    expect(seen.memory.loadU32(address(8))).toBe(0xbe80201e);
    expect(seen.memory.loadU32(address(16))).toBe(0xbf810000);
    expect(seen.memory.storeU32(at(0x5_0000_0000), 1)).toBe(false);
    expect(seen.capture.labels.map((l) => [l.text, l.address])).toEqual(
      expect.arrayContaining([
        ['f', address(8)],
        ['k', address(16)],
      ]),
    );
    const out = seen.memory.extents.find((e) => e.start >= 0x4_0000_0000)!.start;
    const [memory, refused] = seen.capture.expected;
    expect(memory).toMatchObject({ kind: 'memory', event: 0, address: out + 4, source: 'by hand' });
    expect(memory).toMatchObject({ exceptions: [{ firstWord: 1, words: 1, type: 'u32', bound: 'any', reason: 'r' }] });
    expect(refused).toEqual({ kind: 'refused', event: 0, backend: 'vulkan', code: 'CALL003', reason: 'because' });
  });

  it('says which defaults it took', () => {
    const { notes } = imported({ target: 'gfx1012', wave: 32, version: 4 });
    expect(notes.join('\n')).toMatch(/gfx1013 stands for gfx1012/);
    expect(notes.join('\n')).toMatch(/4096 bytes of scratch per lane/);
    const explicit = imported({ target: 'gfx1013', wave: 32, version: 4 }, { ...SPEC, scratchBytesPerLane: 64 });
    expect(explicit.notes.join('\n')).not.toMatch(/scratch per lane/);
    expect(registers(explicit, 0x24e, 1)).toEqual([64]);
  });

  it('gives no scratch to a kernel that has none', () => {
    const seen = imported({ target: 'gfx1030', wave: 64, version: 5, scratch: false });
    expect(seen.sh.get(0x218)).toBe(0);
    expect(registers(seen, 0x240, 2)).toEqual([0, 0x80000000]);
  });
});

describe.skipIf(!haveLlvm)('what is refused', () => {
  const options = { target: 'gfx1030', wave: 64, version: 5 } as const;
  const cases: [string, object, RegExp][] = [
    [
      'an unknown kernel',
      { ...SPEC, kernel: 'other' },
      /^CAP105 2: there is no kernel "other"; the code object has k$/,
    ],
    [
      'too few arguments',
      { ...SPEC, arguments: [] },
      /^CAP107 \d+: kernel "k" takes 1 arguments \(0: global_buffer\), 0 are given/,
    ],
    ['an argument of another size', { ...SPEC, arguments: [{ u32: 1 }] }, /^CAP107 \d+: argument 0 is a pointer/],
    ['an unknown buffer', { ...SPEC, arguments: [{ buffer: 'x' }] }, /^CAP107 \d+: argument 0 names buffer "x"/],
    ['an unknown key', { ...SPEC, gruops: [1, 1, 1] }, /^CAP102 1: Unrecognized key: "gruops"/],
    ['a wrong value', { ...SPEC, threads: [16, '8', 1] }, /^CAP102 \d+: threads\.1: /],
    [
      'an argument of no kind',
      { ...SPEC, arguments: [{ bufer: 'out' }] },
      /^CAP102 \d+: arguments\.0: expected one of \{"buffer"\}/,
    ],
    ['too many threads', { ...SPEC, threads: [64, 32, 1] }, /^CAP102 \d+: threads: 2048 threads/],
    [
      'more threads than compiled for',
      { ...SPEC, threads: [512, 1, 1] },
      /^CAP108 \d+: .*at most 256 threads, not 512/,
    ],
    ['neither groups nor grid', { ...SPEC, groups: undefined }, /^CAP102 1: exactly one of/],
    ['a buffer without size', { ...SPEC, buffers: { out: {} } }, /^CAP102 \d+: buffer "out": "size" is needed/],
    [
      'a buffer smaller than its data',
      { ...SPEC, buffers: { out: { size: 8, init: { words: [1, 2, 3] } } } },
      /^CAP102 \d+: buffer "out": "init" has 12 bytes/,
    ],
    [
      'buffers over each other',
      { ...SPEC, buffers: { ...SPEC.buffers, b: { size: 8, address: 0x1_0000_0000 } } },
      /^CAP102 \d+: buffer "b": overlaps/,
    ],
    [
      'an address of 64 bits',
      { ...SPEC, buffers: { ...SPEC.buffers, b: { size: 8, address: '0x1234567812345678' } } },
      /^CAP102 \d+: buffer "b": address .* 48 bits/,
    ],
    [
      'a file without a folder',
      { ...SPEC, buffers: { out: { init: { file: 'x.bin' } } } },
      /^CAP102 \d+: buffer "out": file "x\.bin" cannot be used here/,
    ],
    [
      'an unknown function',
      { ...SPEC, symbols: [{ buffer: 'out', functionAddresses: ['nope'] }] },
      /^CAP102 \d+: symbols: there is no function "nope"/,
    ],
    [
      'function addresses outside',
      { ...SPEC, symbols: [{ buffer: 'out', offset: 252, functionAddresses: ['f'] }] },
      /^CAP102 \d+: symbols: 1 addresses do not fit/,
    ],
    [
      'an expectation outside',
      { ...SPEC, expected: [{ buffer: 'out', offset: 252, holds: { words: [1, 2] }, source: 's' }] },
      /^CAP102 \d+: expected: 8 bytes at offset 252/,
    ],
    ['too much scratch', { ...SPEC, scratchBytesPerLane: 1 << 20 }, /^CAP102 \d+: scratchBytesPerLane/],
  ];
  it.each(cases)('%s', (_, spec, message) => {
    expect(problems(options, spec).join('\n')).toMatch(message);
  });

  it('code objects that the loader does not know', () => {
    const good = buildKernel(options);
    const changed = (offset: number, value: number) => {
      const bytes = good.slice();
      bytes[offset] = value;
      const result = importCodeObject({ elf: bytes, spec: JSON.stringify(SPEC) });
      return result.ok ? '' : `${result.error[0]!.code} ${result.error[0]!.kind} ${result.error[0]!.message}`;
    };
    expect(changed(0, 1)).toMatch(/^CAP104 badInput not an ELF file/);
    expect(changed(18, 3)).toMatch(/^CAP104 badInput ELF machine 3/);
    expect(changed(7, 0)).toMatch(/^CAP104 badInput OS ABI 0/);
    expect(changed(8, 1)).toMatch(/^CAP106 unsupported code object version 3/);
    expect(changed(8, 4)).toMatch(/^CAP106 unsupported code object version 6/);
    expect(changed(16, 1)).toMatch(/^CAP106 unsupported not linked/);
    expect(changed(48, 0x3f)).toMatch(/^CAP106 unsupported processor number 0x3f/);
    expect(changed(56, 255)).toMatch(/^CAP104/);
    expect(problems({ ...options, arguments: '{.size: 8, .offset: 0, .value_kind: image}' }, SPEC)[0]).toMatch(
      /^CAP106 .*kind image/,
    );
    expect(problems({ ...options, arguments: '{.size: 8, .offset: 60, .value_kind: global_buffer}' }, SPEC)[0]).toMatch(
      /^CAP107 .*outside the kernel argument segment/,
    );
    expect(problems({ ...options, metadata: '.reqd_workgroup_size: [64, 1, 1]' }, SPEC)[0]).toMatch(
      /^CAP108 .*requires \[64, 1, 1\]/,
    );
  });

  it('any damaged object without a crash', () => {
    const good = buildKernel(options);
    const spec = JSON.stringify(SPEC);
    let state = 1;
    const random = (limit: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    let refused = 0;
    const tryOne = (elf: Uint8Array) => {
      const result = importCodeObject({ elf, spec });
      if (result.ok) result.value.builder.build();
      else {
        refused++;
        for (const d of result.error) expect(d.code).toMatch(/^CAP1\d\d$/);
      }
    };
    for (let size = 0; size < good.length; size += 37) tryOne(good.subarray(0, size));
    const cut = refused;
    expect(cut).toBe(Math.ceil(good.length / 37));
    for (let i = 0; i < 3000; i++) {
      const bytes = good.slice();
      for (let n = random(6); n >= 0; n--) bytes[random(bytes.length)] = random(3) === 0 ? 0xff : random(256);
      tryOne(bytes);
    }
    expect(refused - cut).toBeGreaterThan(500);
  });
});

describe.skipIf(!haveShared('data/calls'))('kernels that clang made', () => {
  const ARGUMENTS: Record<string, object[]> = {
    k_direct: [{ buffer: 'o' }, { i32: 3 }],
    k_recurse: [{ buffer: 'o' }],
    k_mutual: [{ buffer: 'o' }],
    k_indirect_mem: [{ buffer: 'o' }, { buffer: 't' }, { buffer: 's' }],
    k_indirect_uniform: [{ buffer: 'o' }, { buffer: 't' }, { i32: 1 }],
    k_export_addrs: [{ buffer: 't' }],
    k_stack: [{ buffer: 'o' }, { i32: 20 }],
  };
  it.each(['calls_w64', 'calls_w32', 'calls_w32_flatscr', 'calls_gfx700'])('%s', (file) => {
    const elf = new Uint8Array(readFileSync(join(SHARED, `data/calls/${file}.co`)));
    for (const [kernel, args] of Object.entries(ARGUMENTS)) {
      const spec = {
        kernel,
        groups: [2, 1, 1],
        threads: [64, 1, 1],
        arguments: args,
        buffers: { o: { size: 512 }, t: { size: 24 }, s: { init: { words: [0, 1, 2] } } },
        symbols: [{ buffer: 't', functionAddresses: ['f_add', 'f_mul', 'f_sub'] }],
      };
      const result = importCodeObject({ elf, spec: JSON.stringify(spec) });
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      const seen = seeDispatch(result.value.builder);
      const table = seen.memory.extents.filter((e) => e.start >= 0x4_0000_0000)[1]!.start;
      // Addresses of the functions in all four files, by readelf -s.
      expect([0, 8, 16].map((i) => seen.memory.loadU32(at(table + i)))).toEqual([0x2d00, 0x2d10, 0x2d20]);
      expect([4, 12, 20].map((i) => seen.memory.loadU32(at(table + i)))).toEqual([1, 1, 1]);
      expect(seen.sh.get(0x20d)).toBe(0);
      const label = seen.capture.labels.find((l) => l.text === kernel)!;
      expect(seen.sh.get(0x20c)! * 256).toBe(label.address);
    }
  });
});
