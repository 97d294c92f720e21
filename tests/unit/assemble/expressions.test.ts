/**
 * Expressions: operators, precedence and number spellings. Expected values were worked out by hand from the precedence
 * table (GNU's: * / % << >> over | ^ & over + - over comparisons over && over ||).
 */
import { describe, expect, it } from 'vitest';
import { assemble } from '../../../src/main/isa/assemble/index.ts';

/** The 64-bit value of an expression, or the first message. */
function value(text: string, before = ''): bigint | string {
  const result = assemble(`${before}\n.quad ${text}`, { target: 'gfx1013', waveSize: 32 });
  const message = result.diagnostics[0]?.message;
  if (message) return message;
  const view = new DataView(result.bytes.buffer);
  return view.getBigInt64(result.bytes.length - 8, true);
}

describe('assembler expressions', () => {
  it.each([
    ['1 + 2 * 3', 7n],
    ['(1 + 2) * 3', 9n],
    ['1 + 2 << 3', 17n],
    ['2 * 3 + 4 << 1', 14n],
    ['1 | 6 & 4', 4n],
    ['1 | 2 + 4', 7n],
    ['10 - 2 - 3', 5n],
    ['7 % 4', 3n],
    ['-7 / 2', -3n],
    ['-7 % 4', -3n],
    ['-8 >> 60', 15n],
    ['1 << 64', 0n],
    ['~0', -1n],
    ['!5', 0n],
    ['!0', 1n],
    ['- - 3', 3n],
    ['3 == 3', -1n],
    ['3 <> 3', 0n],
    ['2 < 3', -1n],
    ['3 <= 2', 0n],
    ['1 && 2', 1n],
    ['0 || 0', 0n],
    ['0x7f ^ 0x0f', 0x70n],
    ['0b101', 5n],
    ['017', 15n],
    ["'a'", 97n],
    ["'\\n'", 10n],
    ['0xffffffffffffffff', -1n],
    ['0x123456789abcdef', 0x123456789abcdefn],
  ])('%s', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it.each([
    ['1 +', 'expected an expression'],
    ['(1', "expected ')'"],
    ['1 2', 'expected the end of the line'],
    ['0x', "'0x' is not a number"],
    ['0b12', "'0b12' is not a number"],
    ['1abc', "'1abc' is not a number"],
    ['0x1ffffffffffffffff', 'number does not fit 64 bits'],
    ['1/0', '.quad: division by zero'],
    ['nowhere', ".quad: 'nowhere' is not defined"],
    ['1b', ".quad: no local label '1:' in that direction"],
  ])('%s is refused', (text, message) => {
    expect(value(text)).toBe(message);
  });

  it('uses symbols by their value at the place, and later values where there is none yet', () => {
    expect(value('x', 'x = 7')).toBe(7n);
    expect(value('x', '.set x, 7\nx = x + 1')).toBe(8n);
    const result = assemble('.quad late\nlate = 5\n', { target: 'gfx1013', waveSize: 32 });
    expect([...result.bytes]).toEqual([5, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('refuses symbols that are defined by themselves', () => {
    const result = assemble('.set a, b\n.set b, a\n.quad a\n', { target: 'gfx1013', waveSize: 32 });
    expect(result.diagnostics.map((d) => d.message)).toEqual([
      ".quad: 'b' is defined by itself, or through too many other symbols",
    ]);
  });

  it('ends on symbols that double each other', () => {
    const lines = ['.set x0, later'];
    for (let i = 1; i <= 60; i++) lines.push(`.set x${i}, x${i - 1} + x${i - 1}`);
    const started = performance.now();
    const result = assemble([...lines, '.quad x60', 'later = 1'].join('\n'), { target: 'gfx1013', waveSize: 32 });
    expect(performance.now() - started).toBeLessThan(2000);
    expect(result.diagnostics[0]!.message).toBe('.quad: the expression is too large');
  });

  it('refuses deep nesting instead of overflowing the stack', () => {
    expect(value(`${'('.repeat(100_000)}1`)).toBe('expression is nested too deeply');
    expect(value('-'.repeat(100_000))).toBe('expression is nested too deeply');
    const grown = ['.set x, later', ...Array.from({ length: 5000 }, () => '.set x, x + 1'), '.quad x'].join('\n');
    const result = assemble(grown, { target: 'gfx1013', waveSize: 32 });
    expect(result.diagnostics.some((d) => d.message === 'expression is nested too deeply')).toBe(true);
  });
});

describe('versions', () => {
  // From llvm-mc.
  it.each([
    ['UC_VERSION_GFX11', 0xb0800006],
    ['UC_VERSION_GFX12|UC_VERSION_W64_BIT', 0xb0802009],
    ['UC_VERSION_MDP_BIT', 0xb0808000],
  ])('%s', (text, word) => {
    const { words, diagnostics } = assemble(`s_version ${text}`, { target: 'gfx1030', waveSize: 32 });
    expect(diagnostics).toEqual([]);
    expect([...words]).toEqual([word]);
  });

  it('exist for generations that have the instruction', () => {
    expect(assemble('s_version UC_VERSION_GFX9', { target: 'gfx1030', waveSize: 32 }).ok).toBe(false);
  });
});
