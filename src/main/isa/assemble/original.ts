/**
 * Warnings about text that replaces existing code: longer than what was there, or a line that was left as it was
 * printed and still assembles to other words (the original encoding was not the canonical one).
 */
import type { Assembler } from './assembler.ts';
import { ASM } from './reporter.ts';

export interface OriginalCode {
  /** Size of the replaced range. */
  readonly sizeBytes?: number;
  /** Printed line, trimmed → the words it was printed from. */
  readonly words?: ReadonlyMap<string, Uint32Array>;
}

export function warnAboutOriginal(source: string, assembler: Assembler, original: OriginalCode): void {
  const { output, lines, reporter } = assembler;
  const { sizeBytes, words } = original;
  const text = words || sizeBytes !== undefined ? source.split('\n') : [];
  let warned = false;
  for (const line of lines) {
    const written = text[line.line - 1] ?? '';
    const code = written.trim();
    const column = written.length - written.trimStart().length + 1;
    const offset = line.address - output.base;
    if (sizeBytes !== undefined && !warned && offset + line.sizeDwords * 4 > sizeBytes) {
      warned = true;
      const message = `assembles to ${output.length} bytes where ${sizeBytes} were; from here on the code is longer`;
      reporter.add(ASM.WARNING_SIZE, 'warning', message, line.line, column, code.length);
    }
    const before = words?.get(code);
    if (!before) continue;
    const now: number[] = [];
    for (let i = 0; i < line.sizeDwords; i++) now.push(output.readU32(offset + i * 4));
    if (now.length === before.length && now.every((word, i) => word === before[i])) continue;
    const message = `unchanged text, other encoding: was ${hex(before)}, is ${hex(now)}`;
    reporter.add(ASM.WARNING_OTHER_ENCODING, 'warning', message, line.line, column, code.length);
  }
}

function hex(words: ArrayLike<number>): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(' ');
}
