/** `lanescope asm FILE.s [-o OUT]`: text to machine code. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import { assemble } from '../isa/assemble/index.ts';
import { parseAddress, parseTarget, parseWave } from './arguments.ts';
import {
  CommandError,
  diagnosticShape,
  EXIT,
  failWith,
  printJson,
  printLines,
  warn,
  writeFileOrFail,
} from './output.ts';

interface AsmOptions {
  json?: boolean;
  target: string;
  wave?: string;
  address?: string;
  output?: string;
}

/** `-` is standard input. */
export function readSource(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(EXIT.badInput, `cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

export function registerAsm(program: Command): void {
  program
    .command('asm')
    .description('assemble LLVM-syntax text; prints the words, or writes them with -o')
    .argument('<file>', 'text, - for standard input')
    .option('--target <gfx>', 'gfx1013, gfx1030 or gfx700', 'gfx1013')
    .option('--wave <size>', '32 or 64 (default: 32, on gfx700 64)')
    .option('--address <a>', 'address of the first dword')
    .option('-o, --output <file>', 'write the bytes')
    .action((file: string, options: AsmOptions) => {
      const address = options.address === undefined ? (0 as GuestAddress) : parseAddress(options.address, '--address');
      const target = parseTarget(options.target);
      const result = assemble(readSource(file), {
        target,
        waveSize: parseWave(options.wave, target),
        address,
        file,
      });
      if (!result.ok) failWith(result.diagnostics.filter((d) => d.kind !== 'warning'));
      if (options.output !== undefined) writeFileOrFail(options.output, result.bytes);
      if (options.json) {
        return printJson({
          target: result.target,
          waveSize: result.waveSize,
          words: [...result.words].map((w) => w.toString(16).padStart(8, '0')),
          lines: result.lines.map((l) => ({ ...l, address: formatAddress(l.address) })),
          diagnostics: result.diagnostics.map(diagnosticShape),
        });
      }
      warn(result.diagnostics);
      if (options.output !== undefined) return undefined;
      return printLines(
        result.lines.map((l) => {
          const from = (l.address - address) / 4;
          const words = [...result.words.subarray(from, from + l.sizeDwords)].map((w) =>
            w.toString(16).padStart(8, '0'),
          );
          return `${formatAddress(l.address)}: ${words.join(' ')}`;
        }),
      );
    });
}
