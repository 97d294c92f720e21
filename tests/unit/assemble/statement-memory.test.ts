/** Statements that the assembler has seen before: the same text must not mean what it meant elsewhere. Words as llvm-mc's. */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { assemble } from '../../../src/main/isa/index.ts';

const OPTIONS = { target: 'gfx1013', waveSize: 32 } as const;

function words(source: string, address = 0): string[] {
  const result = assemble(source, { ...OPTIONS, address: address as GuestAddress });
  expect(result.diagnostics).toEqual([]);
  return Array.from(result.words, (word) => word.toString(16));
}

function errorLines(source: string): number[] {
  const { diagnostics } = assemble(source, OPTIONS);
  return diagnostics.map((d) => (d.where?.kind === 'line' ? d.where.line : -1));
}

describe('a statement seen before', () => {
  it('gives the same words, with its own line and address', () => {
    const source =
      's_mov_b32 s0, 1\nv_mov_b32_e32 v3, 0x12345678\n\ns_mov_b32 s0, 1 ; again\nv_mov_b32_e32 v3, 0x12345678 // again\n';
    const result = assemble(source, OPTIONS);
    expect(Array.from(result.words, (word) => word.toString(16))).toEqual([
      'be800381',
      '7e0602ff',
      '12345678',
      'be800381',
      '7e0602ff',
      '12345678',
    ]);
    expect(result.lines.map(({ line, address, sizeDwords }) => [line, address, sizeDwords])).toEqual([
      [1, 0, 1],
      [2, 4, 2],
      [4, 12, 1],
      [5, 16, 2],
    ]);
  });

  it('asks for its symbols anew', () => {
    expect(words('.set x, 1\ns_mov_b32 s0, x\n.set x, 2\ns_mov_b32 s0, x\n')).toEqual(['be800381', 'be800382']);
  });

  it('branches from where it stands', () => {
    expect(words('1:\ns_branch 1b\ns_nop 0\n1:\ns_nop 0\ns_branch 1b\n')).toEqual([
      'bf82ffff',
      'bf800000',
      'bf800000',
      'bf82fffe',
    ]);
    expect(words('s_branch end\ns_branch end\nend:\n')).toEqual(['bf820001', 'bf820000']);
  });

  it('has its errors each time', () => {
    expect(errorLines('s_nop 0x10000\ns_nop 0x10000\n')).toEqual([1, 2]);
    expect(errorLines('s_nop 0\n.byte 1\ns_nop 0\n')).toEqual([3]);
  });

  it('is skipped where the text is', () => {
    const { words: found } = assemble('s_nop 1\n.section .debug_info\ns_nop 1\n.text\ns_nop 1\n', OPTIONS);
    expect([...found]).toEqual([0xbf800001, 0xbf800001]);
  });

  it('takes its comment with it', () => {
    expect(words('s_nop 1 /* a\ns_nop 2 */\ns_nop 1 /* a\ns_nop 2 */\ns_nop 1 /* b */\n')).toEqual([
      'bf800001',
      'bf800001',
      'bf800001',
    ]);
  });

  it('is itself among a hundred thousand others', () => {
    const source = Array.from(
      { length: 100_000 },
      (_, i) => `v_mov_b32_e32 v${i & 255}, 0x${(0x10000 + i).toString(16)}`,
    );
    const result = assemble(`${source.join('\n')}\n${source.slice(0, 3).join('\n')}\n`, OPTIONS);
    expect(result.ok).toBe(true);
    const found = source.every((_, i) => {
      const head = 0x7e0002ff + (i & 255) * 0x20000;
      return result.words[2 * i] === head && result.words[2 * i + 1] === 0x10000 + i;
    });
    expect(found).toBe(true);
    expect([...result.words.slice(200_000)]).toEqual([...result.words.slice(0, 6)]);
  });
});
