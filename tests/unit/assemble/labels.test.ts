/**
 * Labels, branches and pc-relative literals. Distances were counted by hand: a branch counts dwords from the instruction
 * after it; a label literal (`label@rel32@lo+4` after s_getpc_b64) counts bytes from the literal itself.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { assemble } from '../../../src/main/isa/assemble/index.ts';

const BASE = 0x2_0000_1000 as GuestAddress;

function words(text: string, address = BASE): number[] {
  const result = assemble(text, { target: 'gfx1013', waveSize: 32, address });
  expect(result.diagnostics).toEqual([]);
  return [...result.words];
}

const NOP = 0xbf800000;

describe('labels', () => {
  it('branches forwards and backwards', () => {
    expect(words('L: s_nop 0\ns_branch L\ns_branch M\ns_nop 0\nM:')).toEqual([NOP, 0xbf82fffe, 0xbf820001, NOP]);
  });

  it('branches to expressions and to outside labels', () => {
    expect(words('L: s_nop 0\ns_branch L+4')).toEqual([NOP, 0xbf82ffff]);
    const symbols = new Map([['loop', (BASE - 16) as GuestAddress]]);
    const result = assemble('s_branch loop', { target: 'gfx1013', waveSize: 32, address: BASE, symbols });
    // −16 − 4 bytes = −5 dwords.
    expect([...result.words]).toEqual([0xbf82fffb]);
    expect(result.labels.size).toBe(0);
  });

  it('takes numbers in branches as encoded distances', () => {
    expect(words('s_branch 5\ns_branch -2\ns_cbranch_scc1 65535')).toEqual([0xbf820005, 0xbf82fffe, 0xbf85ffff]);
  });

  it('resolves local labels by direction', () => {
    expect(words('1: s_branch 1f\n1: s_branch 1b\ns_branch 1b')).toEqual([0xbf820000, 0xbf82ffff, 0xbf82fffe]);
  });

  it('makes a label difference a literal, whatever its value', () => {
    expect(words('A: s_nop 0\nB: s_mov_b32 s0, B-A')).toEqual([NOP, 0xbe8003ff, 4]);
    expect(words('s_mov_b32 s0, B-A+4\nA: s_nop 0\nB:')).toEqual([0xbe8003ff, 8, NOP]);
  });

  it('makes @rel32 literals relative to their place', () => {
    // s_getpc yields 0x…1004; the literals stand at +8 and +16; table is at +20.
    const text =
      's_getpc_b64 s[0:1]\ns_add_u32 s0, s0, table@rel32@lo+4\ns_addc_u32 s1, s1, table@rel32@hi+12\ntable: .long 1';
    expect(words(text)).toEqual([0xbe801f00, 0x8000ff00, 20 - 8 + 4, 0x8201ff01, 0, 1]);
  });

  it('gives halves of addresses, sign-extended from bit 47', () => {
    const high = 0xffff_8000_1234 as GuestAddress;
    const text = 'L: s_mov_b32 s0, L@abs32@lo\ns_mov_b32 s1, L@abs32@hi\n.quad L\n.long L@abs32@lo, L@abs32@hi';
    expect(words(text, high)).toEqual([
      0xbe8003ff, 0x80001234, 0xbe8103ff, 0xffffffff, 0x80001234, 0xffffffff, 0x80001234, 0xffffffff,
    ]);
  });

  it('reports every label with its address', () => {
    const result = assemble('a:\n s_nop 0\nb: c: s_nop 0', { target: 'gfx1013', waveSize: 32, address: BASE });
    expect([...result.labels]).toEqual([
      ['a', BASE],
      ['b', BASE + 4],
      ['c', BASE + 4],
    ]);
  });

  it('maps lines to addresses and sizes', () => {
    const text = '; comment\n s_mov_b32 s0, 0x12345\nL: v_mov_b32 v0, v1\n.byte 1,2,3,4,5';
    const result = assemble(text, { target: 'gfx1013', waveSize: 32, address: BASE });
    expect(result.lines).toEqual([
      { line: 2, address: BASE, sizeDwords: 2, kind: 'instruction' },
      { line: 3, address: BASE + 8, sizeDwords: 1, kind: 'instruction' },
      { line: 4, address: BASE + 12, sizeDwords: 2, kind: 'data' },
    ]);
    expect(result.bytes.length).toBe(17);
    expect(result.words.length).toBe(5);
    expect(result.words[4]).toBe(5);
  });
});
