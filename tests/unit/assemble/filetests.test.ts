/**
 * Filetests of kind `asm`: tests/filetests/asm/*.s. First line `; run <target> wave<size> <address>`, then text, then
 * `; expect` and what must come out: address and words of every line with bytes, then diagnostics. UPDATE=1 rewrites the
 * expectations (not in CI); before they are committed, words are compared with llvm-mc's.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../../src/main/base/diagnostics.ts';
import type { Target, WaveSize } from '../../../src/main/base/dispatch.ts';
import { formatAddress, type GuestAddress } from '../../../src/main/base/guest-address.ts';
import { assemble } from '../../../src/main/isa/index.ts';
import { ROOT } from '../../support/tools.ts';

const FOLDER = join(ROOT, 'tests/filetests/asm');
const MARK = '; expect\n';

function run(file: string): { source: string; expected: string; actual: string } {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const header = /^; run (gfx\d+) wave(32|64) (0x[0-9a-f]+)\n/.exec(text);
  const mark = text.indexOf(MARK);
  if (!header || mark < 0) throw new Error(`${file}: expected '; run target wave address' and '; expect'`);
  const source = text.slice(0, mark);
  const address = Number(header[3]) as GuestAddress;
  const target = header[1] as Target;
  const result = assemble(source, { target, waveSize: Number(header[2]) as WaveSize, address });
  const lines: string[] = [];
  for (const line of result.lines) {
    const index = (line.address - address) / 4;
    const words = Array.from(result.words.subarray(index, index + line.sizeDwords), (word) =>
      word.toString(16).padStart(8, '0'),
    );
    lines.push(`; ${formatAddress(line.address)}: ${words.join(' ')}`);
  }
  for (const diagnostic of result.diagnostics) lines.push(`; ${formatDiagnostic(diagnostic)}`);
  return { source, expected: text.slice(mark + MARK.length), actual: `${lines.join('\n')}\n` };
}

describe('asm filetests', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.s'));

  it.each(files)('%s', (file) => {
    const { source, expected, actual } = run(file);
    if (process.env.UPDATE && !process.env.CI) writeFileSync(join(FOLDER, file), `${source}${MARK}${actual}`);
    else expect(actual).toBe(expected);
  });

  it('finds its files', () => {
    expect(files.length).toBeGreaterThanOrEqual(5);
  });
});
