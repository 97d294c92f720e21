/**
 * Calls as LLVM makes them: every kernel of ../shared/data/calls. The expected call graph is read off calls.cl, the
 * symbols off the code object.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import type { Program } from '../../../src/main/program/program.ts';
import { loadCodeObject } from '../../support/code-object.ts';
import { haveShared, SHARED } from '../../support/tools.ts';

const OBJECTS: readonly (readonly [string, Target])[] = [
  ['calls_w32.co', 'gfx1013'],
  ['calls_w64.co', 'gfx1013'],
  ['calls_w32_flatscr.co', 'gfx1030'],
  ['calls_gfx700.co', 'gfx700'],
];

const KERNARG = 0x300000000 as GuestAddress;
const TABLE = 0x310000000 as GuestAddress;

interface Linked {
  readonly program: Program;
  readonly name: (address: GuestAddress) => string;
  readonly symbols: ReadonlyMap<string, GuestAddress>;
}

function linkKernel(
  file: string,
  target: Target,
  kernel: string,
  kernarg: readonly number[],
  tableEntries: readonly string[],
  seenTargets: ReadonlyMap<GuestAddress, readonly GuestAddress[]> = new Map(),
): Linked {
  const memory = new GuestMemory();
  const object = loadCodeObject(readFileSync(join(SHARED, 'data/calls', file)), 0x100000000, memory);
  const words = (names: readonly string[]): number[] =>
    names.flatMap((name) => [addressLow32(object.symbols.get(name)!), addressHigh32(object.symbols.get(name)!)]);
  const put = (address: GuestAddress, values: readonly number[]): void => {
    memory.map(address, 4096, READ | WRITE);
    memory.pokeBytes(address, new Uint8Array(Uint32Array.from(values).buffer));
  };
  put(KERNARG, kernarg);
  put(TABLE, words(tableEntries));
  const { entry, wave32, userSgprs } = object.kernel(kernel);
  const values: Readonly<Record<string, number>> = {
    kernarg0: addressLow32(KERNARG),
    kernarg1: addressHigh32(KERNARG),
    scratch0: 0x20000000,
    scratch1: 0x80000004,
    scratch2: 0xffffffff,
    scratch3: wave32 ? 0x31c16000 : 0x31e16000,
  };
  const program = linkProgram({
    target,
    waveSize: wave32 ? 32 : 64,
    entry,
    memory,
    name: kernel,
    seenTargets,
    userSgprs: Uint32Array.from(userSgprs, (name) => values[name] ?? 0),
  });
  const names = new Map([...object.symbols].filter(([n]) => !n.endsWith('.kd')).map(([n, a]) => [a, n]));
  return { program, symbols: object.symbols, name: (address) => names.get(address) ?? 'unknown' };
}

/** Caller → callees by name, from the regions. */
function callGraph({ program, name }: Linked, kernel: string): string[] {
  const nameOf = (context: number): string =>
    context === 0 ? kernel : name(program.blocks[program.contexts[context]!.entry]!.address);
  const edges = new Set<string>();
  program.contexts.forEach((context, i) => {
    for (const transfer of context.transfers) {
      if (transfer.kind === 'call') edges.add(`${nameOf(i)} > ${nameOf(transfer.context)}`);
    }
  });
  return [...edges].sort();
}

const OUT = [0, 5];

describe.skipIf(!haveShared('data/calls/calls_w32.co'))('kernels compiled by LLVM', () => {
  for (const [file, target] of OBJECTS) {
    describe(`${file} (${target})`, () => {
      it('k_direct: two static callees in sequence', () => {
        const linked = linkKernel(file, target, 'k_direct', [...OUT, 3], []);
        expect(linked.program.diagnostics).toEqual([]);
        expect(callGraph(linked, 'k_direct')).toEqual(['k_direct > f_add', 'k_direct > f_mul']);
        expect(
          linked.program.calls.map((call) => [call.kind, call.linkPair, linked.name(call.targets[0]!.address)]),
        ).toEqual([
          ['static', 30, 'f_mul'],
          ['static', 30, 'f_add'],
        ]);
        for (const block of linked.program.blocks) {
          if (block.terminator.kind === 'return') expect(block.terminator.checked).toBe(false);
        }
      });

      it('k_stack: a callee with its array in scratch', () => {
        const linked = linkKernel(file, target, 'k_stack', [...OUT, 20], []);
        expect(linked.program.complete).toBe(true);
        expect(linked.program.recursive).toBe(false);
        expect(callGraph(linked, 'k_stack')).toEqual(['k_stack > fill']);
      });

      it('k_recurse: fib and ack call themselves; returns out of spilled lanes are checked', () => {
        const linked = linkKernel(file, target, 'k_recurse', OUT, []);
        expect(linked.program.diagnostics).toEqual([]);
        expect(linked.program.recursive).toBe(true);
        expect(callGraph(linked, 'k_recurse')).toEqual([
          'ack > ack',
          'fib > fib',
          'k_recurse > ack',
          'k_recurse > fib',
        ]);
        const returns = linked.program.blocks.flatMap((block) =>
          block.terminator.kind === 'return' ? [block.terminator] : [],
        );
        expect(returns.map((r) => [r.pair, r.checked])).toEqual([
          [30, true],
          [30, true],
        ]);
        // Each function returns to its caller in the kernel and to its own recursive call.
        for (const r of returns) expect(r.calls).toHaveLength(2);
      });

      it('k_mutual: even and odd call each other', () => {
        const linked = linkKernel(file, target, 'k_mutual', OUT, []);
        expect(linked.program.complete).toBe(true);
        expect(linked.program.recursive).toBe(true);
        expect(callGraph(linked, 'k_mutual')).toEqual(['even > odd', 'k_mutual > even', 'odd > even']);
      });

      it('k_indirect_uniform: the pointer is loaded from the table in memory', () => {
        const kernarg = [...OUT, addressLow32(TABLE), addressHigh32(TABLE), 2];
        const linked = linkKernel(file, target, 'k_indirect_uniform', kernarg, ['f_add', 'f_mul', 'f_sub']);
        expect(linked.program.complete).toBe(true);
        expect(callGraph(linked, 'k_indirect_uniform')).toEqual(['k_indirect_uniform > f_sub']);
        const [call] = linked.program.calls;
        expect(call!.kind).toBe('loaded');
        expect(call!.targets[0]).toMatchObject({ checked: true, evidence: { kind: 'loaded', source: TABLE + 16 } });
        expect(linked.program.readWords.map((word) => word.address)).toEqual([
          KERNARG + 8,
          KERNARG + 12,
          KERNARG + 16,
          TABLE + 16,
          TABLE + 20,
        ]);
        expect(linked.program.readWords.map((word) => word.value)).toEqual([
          addressLow32(TABLE),
          addressHigh32(TABLE),
          2,
          addressLow32(linked.symbols.get('f_sub')!),
          addressHigh32(linked.symbols.get('f_sub')!),
        ]);
      });

      it('k_indirect_mem: divergent pointers are a dynamic call, refused as unsupported, the rest is shown', () => {
        const linked = linkKernel(file, target, 'k_indirect_mem', [...OUT, 0, 0x31, 0, 0x32], []);
        const { program } = linked;
        expect(program.complete).toBe(false);
        expect(program.diagnostics.map((d) => [d.code, d.kind])).toEqual([['CALL010', 'unsupported']]);
        expect(program.diagnostics[0]!.message).toContain('k_indirect_mem');
        expect(program.calls.map((call) => [call.kind, call.targets])).toEqual([['dynamic', []]]);
        // The store and the end behind the loop are there.
        expect(program.blocks.some((block) => block.terminator.kind === 'end')).toBe(true);
      });

      it('k_indirect_mem: targets met in earlier runs are linked, others are reported when met', () => {
        const first = linkKernel(file, target, 'k_indirect_mem', [...OUT, 0, 0x31, 0, 0x32], []);
        const call = first.program.calls[0]!.address;
        const seen = new Map([[call, [first.symbols.get('f_mul')!, first.symbols.get('f_add')!]]]);
        const linked = linkKernel(file, target, 'k_indirect_mem', [...OUT, 0, 0x31, 0, 0x32], [], seen);
        expect(linked.program.complete).toBe(true);
        expect(linked.program.calls[0]).toMatchObject({ kind: 'dynamic', dynamic: true });
        expect(callGraph(linked, 'k_indirect_mem')).toEqual(['k_indirect_mem > f_add', 'k_indirect_mem > f_mul']);
      });

      it('k_export_addrs: no calls', () => {
        const linked = linkKernel(file, target, 'k_export_addrs', OUT, []);
        expect(linked.program.complete).toBe(true);
        expect(linked.program.calls).toEqual([]);
      });
    });
  }
});
