/**
 * Filetests of linking and control flow, and the cases that want options, limits or comparison of two links.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../../src/main/base/guest-memory.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import { describeGraph } from '../../support/cfg-filetest.ts';
import { runLinkFiletest } from '../../support/link-filetest.ts';
import { haveTool, ROOT } from '../../support/tools.ts';

const LINK = join(ROOT, 'tests/filetests/link');
const CFG = join(ROOT, 'tests/filetests/cfg');

describe.skipIf(!haveTool('llvm-mc-19'))('link filetests', () => {
  for (const file of readdirSync(LINK).sort()) {
    it(file, () => {
      const { actual, expected } = runLinkFiletest(join(LINK, file));
      expect(actual).toBe(expected);
    });
  }
});

describe.skipIf(!haveTool('llvm-mc-19'))('cfg filetests', () => {
  for (const file of readdirSync(CFG).sort()) {
    it(file, () => {
      const { program, assembly, expected } = runLinkFiletest(join(CFG, file), { update: false });
      expect(describeGraph(program, assembly.labels)).toBe(expected);
    });
  }
});

/** s_swappc_b64 and s_setpc_b64 by hand: SOP1 0xbe800000 | dst << 16 | op << 8 | src. */
const swappc = (link: number, source: number): number => (0xbe800000 | (link << 16) | (0x21 << 8) | source) >>> 0;
const setpc = (source: number): number => (0xbe800000 | (0x20 << 8) | source) >>> 0;
const S_ENDPGM = 0xbf810000;

function memoryOf(segments: Readonly<Record<string, readonly number[]>>): GuestMemory {
  const memory = new GuestMemory();
  for (const [address, words] of Object.entries(segments)) {
    memory.map(Number(address) as GuestAddress, 4 * words.length, READ | EXECUTE);
    memory.pokeBytes(Number(address) as GuestAddress, new Uint8Array(Uint32Array.from(words).buffer));
  }
  return memory;
}

describe('link pairs', () => {
  for (const target of ['gfx1013', 'gfx1030', 'gfx700'] as const) {
    const last = target === 'gfx700' ? 102 : 104;
    // gfx7 numbers SOP1 opcodes alike for these two.
    it(`${target}: every even pair s[0:1] … s[${last}:${last + 1}] links and returns`, () => {
      for (let pair = 0; pair <= last; pair += 2) {
        const source = pair === 2 ? 4 : 2;
        const memory = memoryOf({
          4294967296: [swappc(pair, source), S_ENDPGM],
          8589934592: [0xbf800000, setpc(pair)],
        });
        const userSgprs = new Uint32Array(8);
        userSgprs.set([0, 2], source);
        const program = linkProgram({ target, waveSize: 64, entry: 0x100000000 as GuestAddress, memory, userSgprs });
        expect(program.complete, `pair ${pair}`).toBe(true);
        expect(program.calls).toHaveLength(1);
        expect(program.calls[0]).toMatchObject({ linkPair: pair, kind: 'userData', returnAddress: 0x100000004 });
        const returned = program.blocks.find((block) => block.terminator.kind === 'return')!;
        expect(returned.terminator).toEqual({ kind: 'return', pair, calls: [0], checked: false });
        expect(program.blocks[returned.successors[0]!]!.address).toBe(0x100000004);
      }
    });
  }

  it('carries thirteen calls through one pair', () => {
    const words: number[] = [];
    for (let i = 0; i < 13; i++) words.push(0xbe8a0400, swappc(14, 10)); // s_mov_b64 s[10:11], s[0:1]
    words.push(S_ENDPGM);
    const memory = memoryOf({
      4294967296: words.map((w) => (w === 0xbe8a0400 ? S_MOV_B64_S10_S0 : w)),
      8589934592: [setpc(14)],
    });
    const program = linkProgram({
      target: 'gfx1013',
      waveSize: 32,
      entry: 0x100000000 as GuestAddress,
      memory,
      userSgprs: Uint32Array.from([0, 2]),
    });
    expect(program.complete).toBe(true);
    expect(program.calls).toHaveLength(13);
    expect(program.regions).toHaveLength(13);
    expect(program.segments.map((s) => [s.address, s.origin])).toEqual([
      [0x100000000, 'entry'],
      [0x200000000, 'callee'],
    ]);
  });
});

/** SOP1 s_mov_b64: opcode 4. */
const S_MOV_B64_S10_S0 = 0xbe8a0400;

describe('limits', () => {
  const base = { target: 'gfx1013', waveSize: 64, entry: 0x100000000 as GuestAddress } as const;
  const chain = (depth: number): { memory: GuestMemory; userSgprs: Uint32Array } => {
    // Level i at 0x2_0000_1000·i calls level i+1 through user data s[2i:2i+1] with its own link pair.
    const segments: Record<string, number[]> = { 4294967296: [swappc(60, 0), S_ENDPGM] };
    const userSgprs = new Uint32Array(2 * depth);
    for (let i = 0; i < depth; i++) {
      userSgprs.set([0x1000 * i, 2], 2 * i);
      const words = i + 1 < depth ? [swappc(62 + 2 * i, 2 * (i + 1)), setpc(60 + 2 * i)] : [setpc(60 + 2 * i)];
      segments[0x200000000 + 0x1000 * i] = words;
    }
    return { memory: memoryOf(segments), userSgprs };
  };

  it('depth: refused past it, linked within it', () => {
    expect(linkProgram({ ...base, ...chain(5), limits: { maxDepth: 5 } }).complete).toBe(true);
    const program = linkProgram({ ...base, ...chain(5), limits: { maxDepth: 4 } });
    expect(program.complete).toBe(false);
    expect(program.diagnostics.map((d) => d.code)).toEqual(['CALL005']);
    expect(program.diagnostics[0]!.message).toContain('call at 0x200003000 through s[8:9]');
  });

  it('bytes of a callee: no return inside the limit', () => {
    const memory = memoryOf({
      4294967296: [swappc(30, 0), S_ENDPGM],
      8589934592: [...new Array<number>(100).fill(0xbf800000), setpc(30)],
    });
    const options = { ...base, memory, userSgprs: Uint32Array.from([0, 2]) };
    expect(linkProgram({ ...options, limits: { maxBytesPerCallee: 404 } }).complete).toBe(true);
    const program = linkProgram({ ...options, limits: { maxBytesPerCallee: 400 } });
    expect(program.diagnostics.map((d) => d.code)).toEqual(['CALL004']);
    expect(program.diagnostics[0]!.message).toContain('no return inside the limit of 400 bytes');
    expect(program.blocks.map((block) => block.terminator.kind)).toContain('stop');
  });

  it('instructions in all', () => {
    const memory = memoryOf({ 4294967296: [...new Array<number>(50).fill(0xbf800000), S_ENDPGM] });
    expect(linkProgram({ ...base, memory, limits: { maxTotalInstructions: 51 } }).complete).toBe(true);
    const program = linkProgram({ ...base, memory, limits: { maxTotalInstructions: 50 } });
    expect(program.diagnostics.map((d) => d.code)).toEqual(['CFG004']);
  });

  it('contexts: past the limit callees are merged, and every call is still found', () => {
    // Three levels of functions, each called twice by the level above: 2 + 4 + 8 activations.
    const call = (i: number): number[] => [swappc(40 + 2 * i, 2 * i), swappc(40 + 2 * i, 2 * i)];
    const memory = memoryOf({
      4294967296: [...call(0), S_ENDPGM],
      8589934592: [...call(1), setpc(40)],
      8589938688: [...call(2), setpc(42)],
      8589942784: [setpc(44)],
    });
    const options = { ...base, memory, userSgprs: Uint32Array.from([0, 2, 0x1000, 2, 0x2000, 2]) };
    const apart = linkProgram(options);
    expect(apart.complete).toBe(true);
    expect(apart.regions).toHaveLength(14);
    const merged = linkProgram({ ...options, limits: { maxContexts: 1 } });
    expect(merged.complete).toBe(true);
    expect(merged.recursive).toBe(false);
    expect(merged.regions).toHaveLength(3);
    expect(merged.edges).toEqual(apart.edges);
  });

  it('odd pairs are refused', () => {
    const memory = memoryOf({ 4294967296: [setpc(31), S_ENDPGM] });
    const program = linkProgram({ ...base, memory });
    expect(program.complete).toBe(false);
  });
});

describe('entry', () => {
  const base = { target: 'gfx1013', waveSize: 64 } as const;

  it('unreadable or misaligned: a stop block with the reason, never an exception', () => {
    for (const [entry, code] of [
      [0x500000000, 'CFG002'],
      [0x100000002, 'CFG001'],
      [2 ** 48 - 4, 'CFG002'],
    ] as const) {
      const memory = memoryOf({ 4294967296: [S_ENDPGM] });
      const program = linkProgram({ ...base, entry: entry as GuestAddress, memory });
      expect(program.complete).toBe(false);
      expect(program.blocks).toHaveLength(1);
      expect(program.blocks[0]!.terminator.kind).toBe('stop');
      expect(program.diagnostics[0]!.code).toBe(code);
    }
  });

  it('sign-extends getpc and links from bit 47', () => {
    // s_getpc_b64 s[4:5]: SOP1 0x1f; s_add_u32 s4, s4, 16 (inline 144); s_addc_u32 s5, s5, 0; swappc.
    const memory = memoryOf({
      [0x800000000000 + 0x1000]: [0xbe841f00, 0x80049004, 0x82058005, swappc(30, 4), S_ENDPGM, setpc(30)],
    });
    const entry = (0x800000000000 + 0x1000) as GuestAddress;
    const program = linkProgram({ ...base, entry, memory });
    // getpc yields entry + 4; + 16 is the setpc behind s_endpgm.
    expect(program.calls[0]!.targets.map((t) => t.address)).toEqual([entry + 20]);
    expect(program.complete).toBe(true);
  });
});

describe('random words', () => {
  it('never throw, never hang', () => {
    let state = 12345;
    const next = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state;
    };
    for (let round = 0; round < 3; round++) {
      const words = Array.from({ length: 256 }, () => {
        const kind = next() >>> 28;
        const [a, b] = [(next() >>> 8) % 108, (next() >>> 8) % 108];
        // Biased to calls, jumps, short branches and scalar arithmetic on few registers.
        if (kind < 3) return swappc(a & 0x1e, b & 0x1e);
        if (kind < 5) return setpc(b & 0x1e);
        if (kind < 8) return (0xbf840000 | ((next() >>> 4) & 0x8003f)) >>> 0;
        if (kind < 12) return (0x80000000 | ((next() >>> 9) & 0x3fff1f1f)) >>> 0;
        if (kind < 14) return 0xbe801f00 | ((a & 0x1e) << 16);
        return next();
      });
      const program = linkProgram({
        target: round % 3 === 0 ? 'gfx700' : 'gfx1013',
        waveSize: 64,
        entry: 0x100000000 as GuestAddress,
        memory: memoryOf({ 4294967296: words }),
        userSgprs: Uint32Array.from([0x40, 1, 0x80, 1, 0x200, 1, 0x3c0, 1]),
        limits: { maxContexts: 40, maxNodes: 2000 },
      });
      for (const block of program.blocks) {
        for (const to of block.successors) expect(program.blocks[to]!.predecessors).toContain(block.id);
      }
    }
  });
});
