/**
 * Control flow of RADV's kernels against the compiler's own listing: every listed instruction is decoded, at its address,
 * and every branch leads to the listed label.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../../src/main/base/guest-memory.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import { verifyProgram } from '../../../src/main/program/verify-program.ts';
import { haveShared, SHARED } from '../../support/tools.ts';

const BASE = 0x100000000 as GuestAddress;
const RADV = join(SHARED, 'data/radv');
const FOLDERS: readonly (readonly [string, Target])[] = [
  ['navi10-aco-w32', 'gfx1013'],
  ['navi10-aco-w64', 'gfx1013'],
  ['navi14-aco-w32', 'gfx1013'],
  ['navi14-aco-w64', 'gfx1013'],
  ['navi21-aco-w32', 'gfx1030'],
];

interface Listing {
  readonly instructions: readonly number[];
  readonly branches: readonly string[];
}

/** Lines are `text ; dwords`, labels `BBn:`, and `(then repeated n times)` stands for equal instructions. */
function readListing(text: string): Listing {
  const instructions: number[] = [];
  const labels = new Map<string, number>();
  const jumps: [number, string][] = [];
  let address: number = BASE;
  let lastSize = 0;
  for (const line of text.split('\n')) {
    const label = /^(BB\d+):/.exec(line);
    const repeated = /^\s*\(then repeated (\d+) times\)/.exec(line);
    const listed = /^\t(.*?)\s*; ((?:[0-9a-f]{8} ?)+)$/.exec(line);
    if (label) labels.set(label[1]!, address);
    else if (repeated) {
      for (let i = 0; i < Number(repeated[1]); i++) {
        instructions.push(address);
        address += lastSize;
      }
    } else if (listed) {
      const branch = /^s_(?:c?branch\w*) (BB\d+)$/.exec(listed[1]!);
      if (branch) jumps.push([address, branch[1]!]);
      instructions.push(address);
      lastSize = 4 * listed[2]!.trim().split(' ').length;
      address += lastSize;
    }
  }
  return { instructions, branches: jumps.map(([from, label]) => `${from} -> ${labels.get(label)}`) };
}

function linkKernel(file: string, target: Target) {
  const code = readFileSync(file);
  const memory = new GuestMemory();
  memory.map(BASE, code.length, READ | EXECUTE);
  memory.pokeBytes(BASE, code);
  return linkProgram({ target, waveSize: 64, entry: BASE, memory });
}

describe.skipIf(!haveShared('data/radv'))('RADV kernels', () => {
  for (const [folder, target] of FOLDERS) {
    it(`${folder}: instructions and branches as in ACO's listing`, () => {
      let checked = 0;
      for (const file of readdirSync(join(RADV, folder)).filter((name) => name.endsWith('.bin'))) {
        const listing = readListing(readFileSync(join(RADV, folder, file.replace('.bin', '.isa.txt')), 'utf8'));
        const program = linkKernel(join(RADV, folder, file), target);
        expect(program.diagnostics, file).toEqual([]);
        expect(verifyProgram(program), file).toEqual([]);
        expect(
          program.blocks.flatMap((block) => block.instructions.map((placed) => placed.address)),
          file,
        ).toEqual(listing.instructions);
        const branches = program.blocks.flatMap((block) => {
          const { terminator, instructions } = block;
          const from = instructions[instructions.length - 1]!.address;
          if (terminator.kind === 'jump') return [`${from} -> ${program.blocks[terminator.target]!.address}`];
          if (terminator.kind === 'branch') return [`${from} -> ${program.blocks[terminator.taken]!.address}`];
          return [];
        });
        expect(branches, file).toEqual(listing.branches);
        checked += listing.instructions.length;
      }
      expect(checked).toBeGreaterThan(1000);
    });
  }

  for (const [folder, target] of [
    ['bonaire-aco-w64', 'gfx700'],
    ['navi14-llvm-w64', 'gfx1013'],
  ] as const) {
    it(`${folder}: every kernel is complete and ends`, () => {
      for (const file of readdirSync(join(RADV, folder)).filter((name) => name.endsWith('.bin'))) {
        const program = linkKernel(join(RADV, folder, file), target);
        expect(program.complete, file).toBe(true);
        expect(verifyProgram(program), file).toEqual([]);
        expect(
          program.blocks.some((block) => block.terminator.kind === 'end'),
          file,
        ).toBe(true);
      }
    });
  }
});
