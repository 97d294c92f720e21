/**
 * Seeded random programs with calls, run by a small interpreter of scalar control flow that knows nothing of linking:
 * every step that it takes must be an edge of the linked program, and a path through the expanded one.
 *
 * The interpreter decodes its dozen instructions itself, from the encodings of the ISA manual.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../../src/main/base/guest-memory.ts';
import { expandCalls } from '../../../src/main/program/expand-calls.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import type { Program } from '../../../src/main/program/program.ts';
import { verifyProgram } from '../../../src/main/program/verify-program.ts';

// Encodings: SOP1 0xbe8…, SOP2 10…, SOPC 0xbf0…, SOPK 1011…, SOPP 0xbf8…, SMEM 0xf4….
const sop1 = (op: number, dst: number, src: number): number => (0xbe800000 | (dst << 16) | (op << 8) | src) >>> 0;
const sop2 = (op: number, dst: number, a: number, b: number): number =>
  (0x80000000 | (op << 23) | (dst << 16) | (b << 8) | a) >>> 0;
const sopc = (op: number, a: number, b: number): number => (0xbf000000 | (op << 16) | (b << 8) | a) >>> 0;
const sopp = (op: number, imm: number): number => (0xbf800000 | (op << 16) | (imm & 0xffff)) >>> 0;
const sopk = (op: number, dst: number, imm: number): number =>
  (0xb0000000 | (op << 23) | (dst << 16) | (imm & 0xffff)) >>> 0;
/** s_load_dwordx2 with a 21-bit offset and soffset null. */
const load2 = (dst: number, base: number, offset: number): number[] => [
  (0xf4040000 | (dst << 6) | (base >> 1)) >>> 0,
  ((0x7d << 25) | offset) >>> 0,
];
const LITERAL = 255;
const inline = (n: number): number => 128 + n;

const TABLE = 0x700000000;

interface RandomProgram {
  readonly memory: GuestMemory;
  readonly userSgprs: Uint32Array;
  readonly entry: GuestAddress;
}

function makeRandom(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/**
 * Functions 0 … n−1; function i calls only later ones, so every program ends. User data: s[2i:2i+1] = function i,
 * s[24:25] = table of function addresses. Function i keeps its link in s[40 + 2i] when it calls.
 */
function generate(seed: number): RandomProgram {
  const random = makeRandom(seed);
  const count = 2 + random(5);
  const addresses = Array.from({ length: count }, (_, i) => 0x200000000 + 0x10000 * random(64) * 16 + 0x1000 * i);
  const entry = 0x100000000;
  // Even functions take their link in s[30:31], odd ones in s[28:29]: pairs are shared and interleaved.
  const linkOf = (i: number): number => (i % 2 === 0 ? 30 : 28);
  const call = (callee: number, at: number): number[] => {
    const link = linkOf(callee);
    switch (random(6)) {
      case 0:
        return [sop1(0x21, link, 2 * callee)];
      case 1:
        return [sop1(4, 32, 2 * callee), sop1(0x21, link, 32)];
      case 2:
        return [sop1(3, 34, 2 * callee), sop1(3, 35, 2 * callee + 1), sop1(0x21, link, 34)];
      case 3:
        return [...load2(32, 24, 8 * callee), sopp(0x0c, 0), sop1(0x21, link, 32)];
      case 4: {
        // getpc; add literal; addc literal: the distance counts from the instruction behind getpc.
        const distance = addresses[callee]! - (at + 4);
        const [low, high] = [(distance % 2 ** 32) >>> 0, Math.floor(distance / 2 ** 32) >>> 0];
        return [sop1(0x1f, 32, 0), sop2(0, 32, 32, LITERAL), low, sop2(4, 33, 33, LITERAL), high, sop1(0x21, link, 32)];
      }
      default: {
        // One of two callees with the same link pair, by the parity of a counter.
        const others = Array.from({ length: count }, (_, j) => j).filter((j) => j > callee && linkOf(j) === link);
        const other = others.length > 0 ? others[random(others.length)]! : callee;
        return [
          sop2(0x0e, 37, 36, inline(1)), // s_and_b32 s37, s36, 1: SCC = odd
          sop2(0x0b, 32, 2 * callee, 2 * other), // s_cselect_b64
          sop1(0x21, link, 32),
        ];
      }
    }
  };
  const statements = (from: number, base: number, depth: number, words: number[]): void => {
    const n = 1 + random(3);
    for (let s = 0; s < n; s++) {
      const kind = random(4);
      if (kind === 0) words.push(sop2(0, 36, 36, inline(1 + random(5))));
      else if (kind === 1 && from < count) words.push(...call(from + random(count - from), base + 4 * words.length));
      else if (kind === 2 && depth < 2) {
        // if (s36 & 2) { … }
        words.push(sop2(0x0e, 37, 36, inline(2)), 0);
        const branch = words.length - 1;
        statements(from, base, depth + 1, words);
        words[branch] = sopp(4, words.length - branch - 1);
      } else if (kind === 3 && depth < 2) {
        const counter = 80 + 2 * (from % 8) + depth * 8;
        words.push(sopk(0, counter, 1 + random(3)));
        const top = words.length;
        statements(from, base, depth + 1, words);
        words.push(sop2(1, counter, counter, inline(1)), sopc(7, counter, inline(0)));
        words.push(sopp(5, top - words.length - 1));
      }
    }
  };
  const memory = new GuestMemory();
  const place = (address: number, words: readonly number[]): void => {
    memory.map(address as GuestAddress, 4 * words.length, READ | EXECUTE);
    memory.pokeBytes(address as GuestAddress, new Uint8Array(Uint32Array.from(words).buffer));
  };
  const main: number[] = [sopk(0, 36, random(7))];
  statements(0, entry, 0, main);
  main.push(...call(0, entry + 4 * main.length), sopp(1, 0));
  place(entry, main);
  for (let i = 0; i < count; i++) {
    const keep = 40 + 2 * i;
    const words = [sop1(4, keep, linkOf(i))];
    statements(i + 1, addresses[i]!, 0, words);
    words.push(sop1(0x20, 0, keep));
    place(addresses[i]!, words);
  }
  const halves = addresses.flatMap((a) => [(a % 2 ** 32) >>> 0, Math.floor(a / 2 ** 32)]);
  place(TABLE, halves);
  const userSgprs = new Uint32Array(26);
  userSgprs.set(halves);
  userSgprs.set([(TABLE % 2 ** 32) >>> 0, Math.floor(TABLE / 2 ** 32)], 24);
  return { memory, userSgprs, entry: entry as GuestAddress };
}

/** Addresses of the instructions that a wave executes, in order. */
function execute({ memory, userSgprs, entry }: RandomProgram, maxSteps: number): number[] {
  const s = new Uint32Array(128);
  s.set(userSgprs);
  let scc = 0;
  let pc: number = entry;
  const trace: number[] = [];
  const word = (at: number): number => memory.loadU32(at as GuestAddress)!;
  const setPair = (pair: number, value: number): void => {
    s[pair] = value % 2 ** 32;
    s[pair + 1] = Math.floor(value / 2 ** 32);
  };
  const pairOf = (pair: number): number => s[pair + 1]! * 2 ** 32 + s[pair]!;
  while (trace.length < maxSteps) {
    trace.push(pc);
    const w = word(pc);
    let next = pc + 4;
    const source = (code: number): number => {
      if (code === LITERAL) {
        next += 4;
        return word(next - 4);
      }
      return code < 128 ? s[code]! : code - 128;
    };
    const dst = (w >>> 16) & 127;
    if (w >>> 23 === 0x17f) {
      const distance = 4 * ((w << 16) >> 16);
      const op = (w >>> 16) & 127;
      if (op === 1) return trace;
      if ((op === 4 && scc === 0) || (op === 5 && scc === 1)) next += distance;
    } else if (w >>> 23 === 0x17e) {
      scc = source(w & 255) !== source((w >>> 8) & 255) ? 1 : 0;
    } else if (w >>> 23 === 0x17d) {
      const op = (w >>> 8) & 255;
      const target = pairOf(w & 255);
      if (op === 3) s[dst] = s[w & 255]!;
      if (op === 4) setPair(dst, target);
      if (op === 0x1f) setPair(dst, next);
      if (op === 0x21) setPair(dst, next);
      if (op === 0x20 || op === 0x21) next = target;
    } else if (w >>> 28 === 11) {
      s[dst] = (w << 16) >> 16;
    } else if (w >>> 26 === 0x3d) {
      const base = pairOf(((w & 63) << 1) >>> 0);
      const at = base + (word(pc + 4) & 0x1fffff);
      const to = (w >>> 6) & 127;
      s[to] = word(at);
      s[to + 1] = word(at + 4);
      next = pc + 8;
    } else {
      const op = (w >>> 23) & 127;
      const [ca, cb] = [w & 255, (w >>> 8) & 255];
      if (op === 0x0b) setPair(dst, pairOf(scc ? ca : cb));
      else {
        const [a, b] = [source(ca), source(cb)];
        const sum = op === 0 ? a + b : op === 4 ? a + b + scc : op === 1 ? a - b : (a & b) >>> 0;
        s[dst] = sum;
        scc = op === 0x0e ? (sum !== 0 ? 1 : 0) : sum > 0xffffffff || sum < 0 ? 1 : 0;
      }
    }
    pc = next;
  }
  return trace;
}

/** Follows a trace through a program's blocks; returns the ids of the blocks, or what went wrong. */
function follow(program: Program, trace: readonly number[]): string | readonly number[] {
  let block = program.blocks[program.entry]!;
  let at = 0;
  const path: number[] = [];
  for (const pc of trace) {
    if (at === block.instructions.length) {
      const next = block.successors.map((id) => program.blocks[id]!).filter((b) => b.address === pc);
      if (next.length !== 1) return `${next.length} successors of block ${block.id} at 0x${pc.toString(16)}`;
      block = next[0]!;
      at = 0;
    }
    if (at === 0) path.push(block.id);
    // An empty block cannot be entered; a one-instruction block is left on the next turn.
    if (block.instructions[at]?.address !== pc) return `0x${pc.toString(16)} is not next in block ${block.id}`;
    at++;
  }
  return path;
}

describe('random programs with calls', () => {
  it('take only edges of the linked program, and one path through the expanded one', () => {
    let calls = 0;
    let finished = 0;
    let returned = 0;
    for (let seed = 1; seed <= 80; seed++) {
      const random = generate(seed);
      const trace = execute(random, 20_000);
      const program = linkProgram({ target: 'gfx1013', waveSize: seed % 2 ? 32 : 64, ...random });
      const where = `seed ${seed}`;
      expect(verifyProgram(program), where).toEqual([]);
      expect(program.diagnostics, where).toEqual([]);
      expect(program.recursive, where).toBe(false);
      expect(typeof follow(program, trace), where).toBe('object');
      const expanded = expandCalls(program, { maxBlocks: 100_000 });
      expect(verifyProgram(expanded), where).toEqual([]);
      expect(typeof follow(expanded, trace), where).toBe('object');
      for (const block of expanded.blocks) {
        if (block.terminator.kind === 'return') expect(block.terminator.calls, where).toHaveLength(1);
      }
      const merged = expandCalls(program, { maxBlocks: 1 });
      expect(verifyProgram(merged), where).toEqual([]);
      expect(typeof follow(merged, trace), where).toBe('object');
      const limited = linkProgram({ target: 'gfx1013', waveSize: 64, ...random, limits: { maxContexts: 3 } });
      expect(verifyProgram(limited), where).toEqual([]);
      expect(typeof follow(limited, trace), where).toBe('object');
      // The walk is not blind: without one of the edges that the trace takes it fails.
      const path = follow(program, trace) as readonly number[];
      const step = path.findIndex((_, i) => i > 0 && program.blocks[path[i - 1]!]!.terminator.kind === 'return');
      if (step > 0) {
        const cut = path[step - 1]!;
        const blocks = program.blocks.map((b) =>
          b.id === cut ? { ...b, successors: b.successors.filter((to) => to !== path[step]) } : b,
        );
        expect(typeof follow({ ...program, blocks }, trace), where).toBe('string');
        returned++;
      }
      calls += program.calls.length;
      if (trace.length < 20_000) finished++;
    }
    expect(calls).toBeGreaterThan(300);
    expect(returned).toBeGreaterThan(60);
    expect(finished).toBeGreaterThan(60);
  });
});
