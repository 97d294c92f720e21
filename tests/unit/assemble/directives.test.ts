/**
 * Directives and lexical rules. Expected bytes are the definition of each directive (little-endian, IEEE for floats).
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { assemble } from '../../../src/main/isa/assemble/index.ts';

function bytes(text: string, address = 0): number[] {
  const result = assemble(text, { target: 'gfx1013', waveSize: 32, address: address as GuestAddress });
  expect(result.diagnostics).toEqual([]);
  return [...result.bytes];
}

function messages(text: string): string[] {
  return assemble(text, { target: 'gfx1013', waveSize: 32 }).diagnostics.map((d) => d.message);
}

describe('data directives', () => {
  it.each([
    ['.byte 1, 255, -1', [1, 255, 255]],
    ['.short 0x1234, -2', [0x34, 0x12, 0xfe, 0xff]],
    ['.long 0x12345678', [0x78, 0x56, 0x34, 0x12]],
    ['.int -1', [255, 255, 255, 255]],
    ['.quad -2', [0xfe, 255, 255, 255, 255, 255, 255, 255]],
    ['.float 1.0, -2', [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]],
    ['.double 0.5', [0, 0, 0, 0, 0, 0, 0xe0, 0x3f]],
    ['.ascii "a;b"', [0x61, 0x3b, 0x62]],
    ['.asciz "\\n\\""', [10, 0x22, 0]],
    ['.fill 2, 2, 0x0102', [2, 1, 2, 1]],
    ['.zero 3', [0, 0, 0]],
    ['.space 2, 7', [7, 7]],
  ])('%s', (text, expected) => {
    expect(bytes(text)).toEqual(expected);
  });

  it('aligns addresses, with s_nop in code', () => {
    expect(bytes('s_nop 0\n.p2align 4', 8)).toEqual([0, 0, 0x80, 0xbf, 0, 0, 0x80, 0xbf]);
    expect(bytes('.byte 1\n.balign 4, 9')).toEqual([1, 9, 9, 9]);
    expect(bytes('.byte 1\n.p2align 4, 0, 3')).toEqual([1]);
    expect(bytes('.long 1\n.p2alignl 3, 0x01020304')).toEqual([1, 0, 0, 0, 4, 3, 2, 1]);
  });

  it('refuses what does not fit or cannot be', () => {
    expect(messages('.byte 256')).toEqual(['value does not fit a byte']);
    expect(messages('.fill 1000000000, 8')).toEqual(['too many bytes']);
    expect(messages('.p2align 40')).toEqual(['alignment is 0 to 16 here']);
    expect(messages('.ascii "a')).toEqual(['the string does not end on its line']);
    expect(messages('.macro m\n.endm')).toEqual([
      '.macro: macros, conditional assembly and includes are not supported',
      '.endm: macros, conditional assembly and includes are not supported',
    ]);
    expect(messages('.frobnicate 1')).toEqual(['unknown directive .frobnicate']);
    expect(messages('L: .long L')).toEqual([]);
    const far = assemble('L: .long L', { target: 'gfx1013', waveSize: 32, address: 0x1_0000_0000 as GuestAddress });
    expect(far.diagnostics[0]!.message).toBe('.long: the value does not fit 4 bytes; an address takes .quad');
  });
});

describe('comments and lines', () => {
  it('knows all comment forms', () => {
    const text =
      '# hash line ; s_nop 9\n s_nop 1 ; s_nop 9\n s_nop 2 // x\n /* a\n b */ s_nop 3 /* c */\n\ts_nop\t4\r\n';
    const result = assemble(text, { target: 'gfx1013', waveSize: 32 });
    expect(result.diagnostics).toEqual([]);
    expect([...result.words]).toEqual([0xbf800001, 0xbf800002, 0xbf800003, 0xbf800004]);
    expect(result.lines.map((l) => l.line)).toEqual([2, 3, 5, 6]);
  });

  it('takes mnemonics in any case, registers in lower case only', () => {
    expect([...assemble('S_NOP 0', { target: 'gfx1013', waveSize: 32 }).words]).toEqual([0xbf800000]);
    expect(messages('v_mov_b32 v0, V1')).toEqual([
      "v_mov_b32: 'V1' is not defined (not a register here: lower case, and of this target)",
    ]);
  });
});

describe('targets', () => {
  it('follows .amdgcn_target', () => {
    const result = assemble('.amdgcn_target "amdgcn-amd-amdhsa--gfx700"\nv_mul_lo_i32 v0, v1, v2', {
      target: 'gfx1030',
      waveSize: 32,
    });
    expect(result.diagnostics).toEqual([]);
    expect([result.target, result.waveSize]).toEqual(['gfx700', 64]);
  });

  it('refuses unknown targets and changes after code', () => {
    expect(messages('.amdgcn_target "amdgcn-amd-amdhsa--gfx906"')).toEqual([
      "'gfx906' is no known target: gfx700, gfx1013, gfx1030",
    ]);
    expect(messages('s_nop 0\n.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"')).toEqual([
      'the target cannot change after code',
    ]);
  });

  it('follows .wavefront_size', () => {
    const result = assemble('.wavefront_size 64\nv_cmp_eq_u32 vcc, v0, v1', { target: 'gfx1013', waveSize: 32 });
    expect(result.diagnostics).toEqual([]);
    expect(result.waveSize).toBe(64);
    expect(messages('.wavefront_size 16')).toEqual(['the wave size is 32 or 64']);
  });
});

describe("a compiler's listing", () => {
  it('takes lines of objdump', () => {
    const text = '0000000000002d00 <f>:\n\ts_endpgm          // 000000002D00: BF810000\n';
    const result = assemble(text, { target: 'gfx1013', waveSize: 32 });
    expect(result.diagnostics).toEqual([]);
    expect([...result.labels]).toEqual([['f', 0]]);
  });

  it('is read over where it says nothing about code', () => {
    const text = `
\t.text
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx1013"
\t.protected\tk
\t.globl\tk
\t.p2align\t8
\t.type\tk,@function
k:                                      ; @k
; %bb.0:
\ts_endpgm
\t.section\t.rodata,"a",@progbits
\t.p2align\t6, 0x0
\t.amdhsa_kernel k
\t\t.amdhsa_group_segment_fixed_size 0
\t.end_amdhsa_kernel
\t.long 5
\t.text
.Lfunc_end0:
\t.size\tk, .Lfunc_end0-k
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .args: [ ]
...
\t.end_amdgpu_metadata
`;
    const result = assemble(text, { target: 'gfx1030', waveSize: 32 });
    expect(result.diagnostics.map((d) => [d.kind, d.message])).toEqual([
      ['note', 'section .rodata is left out: only code is assembled'],
    ]);
    expect([...result.words]).toEqual([0xbf810000]);
    expect([...result.labels.keys()]).toEqual(['k', '.Lfunc_end0']);
  });
});

it('takes labels with the names of modifiers in branches, before they are defined', () => {
  const result = assemble('s_cbranch_vccz done\ns_branch clamp\ndone:\ns_nop 0\nclamp:\ns_endpgm\n', {
    target: 'gfx1013',
    waveSize: 32,
  });
  expect(result.diagnostics).toEqual([]);
  // One dword past the next instruction, and one.
  expect([...result.words.subarray(0, 2)].map((w) => w & 0xffff)).toEqual([1, 1]);
});
