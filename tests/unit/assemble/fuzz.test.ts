/**
 * Seeded damage to lines that assemble: the assembler must return, quickly, with diagnostics that point into the text.
 */
import { describe, expect, it } from 'vitest';
import { assemble } from '../../../src/main/isa/assemble/index.ts';
import { assembleLines, Random } from '../../../tools/isa/assemble-lines.ts';

const FRAGMENTS = [
  ',',
  ':',
  '[',
  ']',
  '(',
  ')',
  '|',
  '-',
  '~',
  '"',
  "'",
  ';',
  '//',
  '/*',
  '*/',
  '#',
  '\n',
  '\r',
  '\0',
  '@',
  '.',
  '=',
  '==',
  '0x',
  '0b',
  '1e',
  '1e999',
  '0x1p',
  '99999999999999999999',
  'v[',
  's[0:',
  'neg(',
  'abs(',
  'sext(',
  'hwreg(',
  'sendmsg(',
  'vmcnt(',
  'swizzle(',
  'op_sel:[',
  'quad_perm:[',
  'dpp8:[',
  'format:[',
  'dim:',
  'L:',
  '1:',
  '1b',
  '.set',
  '.long',
  '.p2align',
  '.amdgcn_target',
  '\u00e9',
  '\ud800',
  ' off',
  ' glc',
  ' lds_direct',
  ' null',
  ' vcc',
];

function damage(text: string, random: Random): string {
  let result = text;
  for (let i = random.below(4); i >= 0; i--) {
    const at = random.below(result.length + 1);
    switch (random.below(5)) {
      case 0:
        result = result.slice(0, at) + random.pick(FRAGMENTS) + result.slice(at);
        break;
      case 1:
        result = result.slice(0, at) + result.slice(at + 1 + random.below(4));
        break;
      case 2:
        result = result.slice(0, at) + String.fromCharCode(random.below(256)) + result.slice(at + 1);
        break;
      case 3: {
        const from = random.below(result.length + 1);
        result = result.slice(0, at) + result.slice(from, from + 8) + result.slice(at);
        break;
      }
      default:
        result = result.slice(0, at);
    }
  }
  return result;
}

describe('damaged assembly text', () => {
  it.each([
    ['gfx1013', 32],
    ['gfx1030', 64],
    ['gfx700', 64],
  ] as const)('never throws or hangs on %s', (target, waveSize) => {
    const random = new Random(0x5eed);
    const lines = assembleLines(target, waveSize, random);
    const count = 8_000;
    const started = performance.now();
    for (let i = 0; i < count; i++) {
      const text = damage(random.pick(lines).text, random);
      const result = assemble(text, { target, waveSize });
      const total = text.split('\n').length;
      for (const { where } of result.diagnostics) {
        if (where?.kind !== 'line' || where.line < 1 || where.line > total || where.column < 1) {
          expect({ text, where }).toBe('inside the text');
        }
      }
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('survives whole files of noise', () => {
    const random = new Random(7);
    for (let i = 0; i < 50; i++) {
      const noise = Array.from({ length: 4000 }, () => String.fromCharCode(random.below(128))).join('');
      expect(assemble(noise, { target: 'gfx1013', waveSize: 32 }).diagnostics.length).toBeGreaterThan(0);
    }
  });
});
