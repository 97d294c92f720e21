/**
 * Edits at shadow addresses: longer text than it replaces, deletion, control into a replaced range, getpc in an edit.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import type { CodeEdit } from '../../../src/main/program/code/code-source.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import { verifyProgram } from '../../../src/main/program/verify-program.ts';
import { assembleGuest, loadGuest } from '../../support/guest-assembly.ts';
import { haveTool } from '../../support/tools.ts';

const SHADOW = 0xf00000000000 as GuestAddress;
const plus = (address: GuestAddress, bytes: number): GuestAddress => (address + bytes) as GuestAddress;

const PROBE = `
.at 0x100000000
main:   s_mov_b64       s[10:11], s[0:1]
call:   s_swappc_b64    s[14:15], s[10:11]
        s_endpgm
.at 0x200000000
A:      v_add_nc_u32    v1, 64, v1
A_ret:  s_setpc_b64     s[14:15]
`;

function link(
  source: string,
  userLabels: readonly string[],
  edits: (at: (label: string) => GuestAddress) => readonly CodeEdit[],
) {
  const assembly = assembleGuest('gfx1013', 64, source);
  const at = (label: string): GuestAddress => assembly.labels.get(label)!;
  const userSgprs = Uint32Array.from(
    userLabels.flatMap((label) => [(at(label) % 2 ** 32) >>> 0, Math.floor(at(label) / 2 ** 32)]),
  );
  const program = linkProgram({
    target: 'gfx1013',
    waveSize: 64,
    entry: at('main'),
    memory: loadGuest(assembly),
    userSgprs,
    edits: edits(at),
  });
  expect(verifyProgram(program)).toEqual([]);
  /** Addresses in the order in which control runs through blocks with one successor, calls and returns included. */
  const trace: GuestAddress[] = [];
  for (let block = program.blocks[program.entry]!, i = 0; i < 20; i++) {
    trace.push(...block.instructions.map((placed) => placed.address));
    if (block.successors.length !== 1) break;
    block = program.blocks[block.successors[0]!]!;
  }
  return { program, at, trace };
}

describe.skipIf(!haveTool('llvm-mc-19'))('edits', () => {
  it('longer text over a first line: 64 becomes 65, a literal', () => {
    // v_add_nc_u32_e32 v1, 65, v1: VOP2 0x25 with a literal, 8 bytes where 4 were.
    const words = Uint32Array.from([0x4a0202ff, 65]);
    const { program, at, trace } = link(PROBE, ['A'], (label) => [
      { start: label('A'), end: label('A_ret'), shadow: SHADOW, words, origins: new Map([[SHADOW, label('A')]]) },
    ]);
    expect(program.complete).toBe(true);
    expect(trace).toEqual([at('main'), at('call'), SHADOW, at('A_ret'), plus(at('call'), 4)]);
    expect(program.segments.map((segment) => segment.origin)).toEqual(['entry', 'callee', 'edit']);
    expect([...program.segments[2]!.words]).toEqual([...words]);
    expect(program.regions[0]).toMatchObject({ origin: 'userData', callPath: [at('call')] });
  });

  it('deletion: control goes on behind the range', () => {
    const { at, trace } = link(PROBE, ['A'], (label) => [
      { start: label('A'), end: label('A_ret'), shadow: SHADOW, words: new Uint32Array(0), origins: new Map() },
    ]);
    expect(trace).toEqual([at('main'), at('call'), at('A_ret'), plus(at('call'), 4)]);
  });

  it('a branch into a replaced range goes to the line that descends from its target', () => {
    const { program, at } = link(
      `.at 0x100000000
main:   s_cbranch_scc0  second
first:  v_mov_b32       v0, 0
second: v_mov_b32       v1, 0
third:  s_endpgm`,
      [],
      (label) => [
        {
          start: label('first'),
          end: label('third'),
          shadow: SHADOW,
          // s_nop 7; v_mov_b32 v0, 1; v_mov_b32 v1, 2
          words: Uint32Array.from([0xbf800007, 0x7e000281, 0x7e020282]),
          origins: new Map([
            [plus(SHADOW, 4), label('first')],
            [plus(SHADOW, 8), label('second')],
          ]),
        },
      ],
    );
    const branch = program.blocks[program.entry]!;
    expect(branch.successors.map((id) => program.blocks[id]!.address)).toEqual([SHADOW, plus(SHADOW, 8)]);
    expect(program.blocks.find((block) => block.terminator.kind === 'end')!.address).toBe(at('third'));
  });

  it('getpc in an edit yields the original next address, so that pc-relative calls keep their target', () => {
    const { program, at } = link(
      `.at 0x100000000
main:   s_getpc_b64     s[4:5]
g:      s_add_u32       s4, s4, f-g
        s_addc_u32      s5, s5, 0
call:   s_swappc_b64    s[30:31], s[4:5]
        s_endpgm
f:      s_setpc_b64     s[30:31]`,
      [],
      (label) => [
        {
          start: label('main'),
          end: label('g'),
          shadow: SHADOW,
          words: Uint32Array.from([0xbf800000, 0xbe841f00]), // s_nop 0; s_getpc_b64 s[4:5]
          origins: new Map([[plus(SHADOW, 4), label('main')]]),
        },
      ],
    );
    expect(program.complete).toBe(true);
    expect(program.calls[0]!.targets.map((target) => target.address)).toEqual([at('f')]);
  });

  it('an edit may make a call: its link is the next edited line', () => {
    const { program, at, trace } = link(PROBE, ['A'], (label) => [
      {
        start: label('call'),
        end: plus(label('call'), 4),
        shadow: SHADOW,
        words: Uint32Array.from([0xbe8e210a, 0xbe8e210a]), // the call, twice
        origins: new Map([[SHADOW, label('call')]]),
      },
    ]);
    expect(program.complete).toBe(true);
    expect(program.calls.map((call) => [call.address, call.returnAddress])).toEqual([
      [SHADOW, plus(SHADOW, 4)],
      [plus(SHADOW, 4), plus(at('call'), 4)],
    ]);
    expect(trace.slice(0, 4)).toEqual([at('main'), SHADOW, at('A'), at('A_ret')]);
  });
});
