/**
 * The prepared key: what must change it does, what must not does not. Also the hash below it.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../../src/main/base/guest-memory.ts';
import { KeyHash } from '../../../src/main/program/key-hash.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import { type KeyedDispatch, type PreparedKeyOptions, preparedKey } from '../../../src/main/program/prepared-key.ts';

const DISPATCH: KeyedDispatch = {
  threads: [64, 1, 1],
  partialThreads: [64, 1, 1],
  userSgprs: new Uint32Array(8),
  tgidEnable: [true, false, false],
  tgSizeEnable: false,
  localIdCount: 1,
  ldsBytes: 0,
  scratchEnable: false,
  scratchBytesPerWave: 0,
  float: { floatMode: 0xc0, dx10Clamp: true, ieee: false, fp16Overflow: false },
  rsrc1: 0,
};
const OPTIONS: PreparedKeyOptions = { stage: 'compute', lanesPerInvocation: 2, profile: 'p', options: 'o' };

/** The probe of two user-data callees, by its words; `delta` is what the first callee adds. */
function probe(userSgprs: readonly number[], delta = 5, waveSize: 32 | 64 = 64) {
  const memory = new GuestMemory();
  const place = (address: number, words: readonly number[]): void => {
    memory.map(address as GuestAddress, 4 * words.length, READ | EXECUTE);
    memory.pokeBytes(address as GuestAddress, new Uint8Array(Uint32Array.from(words).buffer));
  };
  const S_SWAPPC_14_10 = 0xbe8e210a;
  // s_mov_b64 s[10:11], s[0:1]; call; s_mov_b64 s[10:11], s[2:3]; call; s_endpgm
  place(0x100000000, [0xbe8a0400, S_SWAPPC_14_10, 0xbe8a0402, S_SWAPPC_14_10, 0xbf810000]);
  // v_add_nc_u32 v1, n, v1 (VOP2 0x25); s_setpc_b64 s[14:15]
  place(0x200000000, [0x4a020200 | (128 + delta), 0xbe80200e]);
  place(0x200010000, [0x4a020200 | (128 + 64), 0xbe80200e]);
  return linkProgram({
    target: 'gfx1013',
    waveSize,
    entry: 0x100000000 as GuestAddress,
    memory,
    userSgprs: Uint32Array.from(userSgprs),
  });
}

const A = [0, 2];
const B = [0x10000, 2];
const base = preparedKey(probe([...A, ...B]), DISPATCH, OPTIONS);

describe('prepared key', () => {
  it('is the same for the same inputs, and for user data that no call depends on', () => {
    expect(preparedKey(probe([...A, ...B]), DISPATCH, OPTIONS)).toBe(base);
    expect(preparedKey(probe([...A, ...B, 7, 8, 9]), DISPATCH, OPTIONS)).toBe(base);
    const otherData = { ...DISPATCH, userSgprs: new Uint32Array(8).fill(1) };
    expect(preparedKey(probe([...A, ...B]), otherData, OPTIONS)).toBe(base);
    expect(base).toMatch(/^[0-9a-f]{32}$/);
  });

  it('changes with the callee: replaced, swapped, doubled', () => {
    const keys = [
      base,
      preparedKey(probe([...A, ...B], 1), DISPATCH, OPTIONS),
      preparedKey(probe([...B, ...A]), DISPATCH, OPTIONS),
      preparedKey(probe([...A, ...A]), DISPATCH, OPTIONS),
      preparedKey(probe([...B, ...B]), DISPATCH, OPTIONS),
      preparedKey(probe([...A, ...B], 5, 32), DISPATCH, OPTIONS),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('changes with every part of the dispatch and of the options that code generation looks at', () => {
    const program = probe([...A, ...B]);
    const dispatches: Partial<KeyedDispatch>[] = [
      { threads: [32, 1, 1], partialThreads: [32, 1, 1] },
      { threads: [1, 64, 1], partialThreads: [1, 64, 1] },
      { partialThreads: [63, 1, 1] },
      { userSgprs: new Uint32Array(9) },
      { tgidEnable: [true, true, false] },
      { tgSizeEnable: true },
      { localIdCount: 2 },
      { ldsBytes: 512 },
      { scratchEnable: true },
      { scratchBytesPerWave: 1024 },
      // Wave64: eight VGPRs instead of four.
      { rsrc1: 1 },
      { float: { ...DISPATCH.float, floatMode: 0xf0 } },
      { float: { ...DISPATCH.float, dx10Clamp: false } },
      { float: { ...DISPATCH.float, ieee: true } },
      { float: { ...DISPATCH.float, fp16Overflow: true } },
    ];
    const options: Partial<PreparedKeyOptions>[] = [
      { stage: 'vertex' },
      { lanesPerInvocation: 4 },
      { profile: 'q' },
      { options: 'oo' },
      { specialisedWords: [{ address: 0x1000 as GuestAddress, value: 1 }] },
      { specialisedWords: [{ address: 0x1000 as GuestAddress, value: 2 }] },
      { specialisedWords: [{ address: 0x1004 as GuestAddress, value: 1 }] },
    ];
    const keys = [
      base,
      ...dispatches.map((change) => preparedKey(program, { ...DISPATCH, ...change }, OPTIONS)),
      ...options.map((change) => preparedKey(program, DISPATCH, { ...OPTIONS, ...change })),
    ];
    expect(new Set(keys).size).toBe(1 + dispatches.length + options.length);
  });

  it('changes with each decoded word and with the address of the code', () => {
    const memory = (words: readonly number[], at: number): GuestMemory => {
      const m = new GuestMemory();
      m.map(at as GuestAddress, 4 * words.length, READ | EXECUTE);
      m.pokeBytes(at as GuestAddress, new Uint8Array(Uint32Array.from(words).buffer));
      return m;
    };
    const words = [0xbf800000, 0xbf800001, 0xbf800002, 0xbf810000];
    const key = (changed: readonly number[], at = 0x100000000): string => {
      const entry = at as GuestAddress;
      return preparedKey(
        linkProgram({ target: 'gfx1013', waveSize: 64, entry, memory: memory(changed, at) }),
        DISPATCH,
        OPTIONS,
      );
    };
    const keys = [key(words), key(words, 0x100001000)];
    for (let i = 0; i < 3; i++) keys.push(key(words.map((w, j) => (i === j ? w | 8 : w))));
    expect(new Set(keys).size).toBe(keys.length);
    // What stands behind the end does not count.
    expect(key([...words, 1])).toBe(key([...words, 2]));
  });
});

describe('key hash', () => {
  it('tells apart streams that differ in one bit, in order or in length', () => {
    const of = (words: readonly number[]): string => {
      const hash = new KeyHash();
      for (const word of words) hash.word(word);
      return hash.digest();
    };
    const digests = new Set<string>();
    const stream = [0, 0, 1, 0xffffffff, 0x80000000];
    for (let i = 0; i < stream.length; i++) {
      for (let bit = 0; bit < 32; bit++) digests.add(of(stream.map((w, j) => (i === j ? w ^ (1 << bit) : w))));
    }
    digests.add(of(stream));
    digests.add(of([...stream].reverse()));
    for (let n = 0; n < 20; n++) digests.add(of(new Array<number>(n).fill(0)));
    expect(digests.size).toBe(5 * 32 + 2 + 20);
  });

  it('spreads one changed bit over half of the digest', () => {
    let flipped = 0;
    const rounds = 512;
    const bits = (digest: string): bigint => BigInt(`0x${digest}`);
    for (let i = 0; i < rounds; i++) {
      const words = Array.from({ length: 8 }, (_, j) => Math.imul(i * 8 + j, 2654435761) >>> 0);
      const changed = words.slice();
      changed[i % 8]! ^= 1 << (i % 32);
      let difference = bits(new KeyHash().words(words).digest()) ^ bits(new KeyHash().words(changed).digest());
      for (; difference; difference &= difference - 1n) flipped++;
    }
    expect(flipped / rounds).toBeGreaterThan(60);
    expect(flipped / rounds).toBeLessThan(68);
  });

  it('has no collision among 200,000 short streams', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 200_000; i++)
      seen.add(
        new KeyHash()
          .word(i)
          .word(i >>> 3)
          .digest(),
      );
    expect(seen.size).toBe(200_000);
  });
});
