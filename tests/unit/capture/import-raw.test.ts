/** Raw dwords with a description → registers, worked out by hand from the register fields. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { importRaw } from '../../../src/main/capture/importers/import-raw.ts';
import { folderResolver } from '../../../src/main/capture/store/file-resolver.ts';
import { temporaryFolder } from '../../support/tools.ts';
import { registers, seeDispatch } from './command-words.ts';

const at = (value: number) => value as GuestAddress;
const CODE = new Uint8Array(Uint32Array.of(0xbf800000, 0xbf810000).buffer);

let folder: string;
beforeAll(() => {
  folder = path.join(temporaryFolder(), 'inside');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'callee.bin'), Uint32Array.of(0xbe80201e));
  fs.writeFileSync(path.join(folder, 'odd.bin'), 'abc');
  fs.writeFileSync(path.join(folder, '..', 'secret.bin'), 'secret!!');
  fs.mkdirSync(path.join(folder, 'sub'));
  fs.writeFileSync(path.join(folder, 'sub', 'data.bin'), Uint32Array.of(7, 8));
  fs.symlinkSync(path.join(folder, '..', 'secret.bin'), path.join(folder, 'link.bin'));
  fs.symlinkSync(path.join(folder, '..'), path.join(folder, 'up'));
});
afterAll(() => fs.rmSync(path.join(folder, '..'), { recursive: true }));

const BASE = { target: 'gfx1030', threads: [64, 1, 1], groups: [1, 1, 1] };

function imported(spec: object) {
  const result = importRaw({
    code: CODE,
    spec: JSON.stringify({ ...BASE, ...spec }),
    resolveFile: folderResolver(folder),
  });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { ...seeDispatch(result.value.builder), notes: result.value.diagnostics.map((d) => d.message) };
}

function problem(spec: object): string {
  const result = importRaw({
    code: CODE,
    spec: JSON.stringify({ ...BASE, ...spec }),
    resolveFile: folderResolver(folder),
  });
  return result.ok ? '' : result.error.map((d) => `${d.code} ${d.message}`).join('\n');
}

describe('state from a description', () => {
  it('user data of every kind, callees, descriptors, scratch', () => {
    const seen = imported({
      wave: 32,
      groups: [2, 1, 1],
      address: '0xffff800012345600',
      functions: { a: { file: 'callee.bin', address: 0x2_0000_0004 } },
      buffers: { out: { size: 0x300, address: 0x4_0000_0000 }, in: { init: { file: 'sub/data.bin' } } },
      userData: [
        { function: 'a' },
        { descriptor: 'out', stride: 8 },
        { address: 'out', offset: 4 },
        { i32: -1 },
        { f32: 1 },
        { u64: '0xfedcba9876543210' },
        { words: [3] },
        { scratch: 'address' },
      ],
      scratchBytesPerLane: 100,
      groupIds: 'xz',
      groupSizeRegister: true,
      localIds: 2,
      ldsBytes: 513,
      float: { mode: 0xf0, dx10Clamp: false, ieee: true, fp16Overflow: true },
    });
    const user = registers(seen, 0x240, 15) as number[];
    expect(user.slice(0, 13)).toEqual([
      4,
      2,
      0,
      4 | (8 << 16),
      0x60,
      0x01016fac,
      4,
      4,
      0xffffffff,
      0x3f800000,
      0x76543210,
      0xfedcba98,
      3,
    ]);
    expect([seen.sh.get(0x20c), seen.sh.get(0x20d)]).toEqual([0x00123456, 0x80]);
    expect(seen.memory.loadU32(at(0x2_0000_0004))).toBe(0xbe80201e);
    // ceil(100 · 32 / 1024) = 4 KiB a wave, 4 waves.
    expect(seen.sh.get(0x218)).toBe(4 | (4 << 12));
    expect(seen.memory.extentAt(at(user[14]! * 2 ** 32 + user[13]!))).toMatchObject({ permissions: 6 });
    expect(seen.sh.get(0x212)).toBe((31 | (0xf0 << 12) | (1 << 23) | (1 << 26) | (1 << 29) | (1 << 30)) >>> 0);
    expect(seen.sh.get(0x213)).toBe(1 | (15 << 1) | (1 << 7) | (1 << 9) | (1 << 10) | (1 << 11) | (2 << 15));
    expect(seen.dispatch).toEqual([2, 1, 1, 0x8005]);
    expect(seen.notes).toEqual([]);
  });

  it('registers as they are given', () => {
    const seen = imported({ rsrc1: 1, rsrc2: 2, rsrc3: 3, wave: 64 });
    expect([...registers(seen, 0x212, 2), seen.sh.get(0x228)]).toEqual([1, 2, 3]);
    expect(seen.notes).toEqual([]);
  });

  it('says which defaults it took', () => {
    const { notes, sh } = imported({ threads: [8, 8, 1] });
    for (const key of ['wave', 'float.mode', 'float.dx10Clamp', 'float.ieee', 'groupIds', 'localIds', 'ldsBytes']) {
      expect(notes.join('\n')).toContain(`"${key}"`);
    }
    expect(sh.get(0x213)).toBe((1 << 7) | (1 << 11));
  });

  it('gfx7 has waves of 64 and its own RSRC1', () => {
    const { sh, dispatch, notes } = imported({ target: 'gfx700', float: { mode: 0xc0, dx10Clamp: true, ieee: false } });
    expect(sh.get(0x212)).toBe(63 | (12 << 6) | (0xc0 << 12) | (1 << 21));
    expect(dispatch[3]).toBe(5);
    expect(notes.join()).not.toContain('wave');
    expect(problem({ target: 'gfx700', wave: 32 })).toMatch(/^CAP102 wave: gfx700 has waves of 64 only/);
  });
});

describe('what is refused', () => {
  const cases: [string, object, RegExp][] = [
    ['too much user data', { userData: [{ words: new Array(16).fill(0) }, { u32: 1 }] }, /^CAP102 userData: 17 dwords/],
    ['an unknown buffer', { userData: [{ address: 'x' }] }, /no buffer "x"/],
    ['an unknown function', { userData: [{ function: 'x' }] }, /no function "x"/],
    ['an unaligned program', { address: 0x1_0000_0080 }, /not a multiple of 256/],
    ['an odd function', { functions: { f: { file: 'odd.bin' } } }, /^CAP104 3 bytes of code/],
    ['another target', { target: 'gfx906' }, /^CAP102 target: /],
    ['user data above 2^64', { userData: [{ u64: '0x10000000000000000' }] }, /^CAP102 userData\.0/],
  ];
  it.each(cases)('%s', (_, spec, message) => {
    expect(problem(spec)).toMatch(message);
  });

  it.each([
    '../secret.bin',
    '/etc/passwd',
    'C:\\x',
    '\\\\host\\x',
    'link.bin',
    'up/secret.bin',
    'sub/../../secret.bin',
    '',
    'sub',
    'a\0b',
  ])('file %j', (file) => {
    expect(problem({ buffers: { b: { init: { file } } } })).toMatch(
      /^CAP102 buffer "b": file .* cannot be used: CAP103/,
    );
    expect(problem({ functions: { f: { file } } })).toMatch(/^CAP103/);
  });

  it('a file that is missing', () => {
    expect(problem({ functions: { f: { file: 'none.bin' } } })).toBe('CAP103 "none.bin": there is no such file');
  });
});
