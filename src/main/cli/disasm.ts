/** `lanescope disasm FILE|CAP --event N`: machine code as text. */
import type { Command } from 'commander';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import { codeOfObject } from '../session/code-of-object.ts';
import { type ListingLine, listProgram, listWords } from '../session/listing.ts';
import { parseAddress, parseTarget, parseWave } from './arguments.ts';
import { dispatchStepOf, openCaptureOrFail, readFileOrFail } from './open.ts';
import { CommandError, EXIT, failWith, printJson, printLines, warn } from './output.ts';

interface DisasmOptions {
  json?: boolean;
  target: string;
  wave: string;
  address?: string;
  event?: string;
}

export function registerDisasm(program: Command): void {
  program
    .command('disasm')
    .description('machine code as text in LLVM syntax')
    .argument('<file>', 'raw dwords, a code object, or a capture')
    .option('--target <gfx>', 'for raw code: gfx1013, gfx1030 or gfx700', 'gfx1013')
    .option('--wave <size>', 'for raw code: 32 or 64', '32')
    .option('--address <a>', 'for raw code: address of the first dword')
    .option('--event <n>', 'for a capture: the dispatch with this event index (default: the first)')
    .action(async (file: string, options: DisasmOptions) => {
      const { kind, bytes } = readFileOrFail(file);
      if (kind === 'capture') return showProgram(file, options);
      const address = options.address === undefined ? (0 as GuestAddress) : parseAddress(options.address, '--address');
      const waveSize = parseWave(options.wave);
      let target = parseTarget(options.target);
      let sections = [{ name: '', address, words: wordsOf(bytes, kind === 'raw') }];
      if (kind === 'elf') {
        const code = codeOfObject(bytes, file);
        if (!code.ok) failWith(code.error);
        target = code.value.target ?? target;
        sections = code.value.sections.map((s) => ({ name: s.name, address: s.address, words: s.words }));
      }
      const listed = sections.map((s) => ({ name: s.name, lines: listWords(s.words, s.address, target, waveSize) }));
      const illegal = listed.reduce((sum, s) => sum + s.lines.filter((l) => l.illegal !== undefined).length, 0);
      const total = listed.reduce((sum, s) => sum + s.lines.length, 0);
      if (options.json)
        return printJson({
          target,
          waveSize,
          instructions: total - illegal,
          illegal,
          sections: listed.map((s) => ({ name: s.name, lines: s.lines.map(lineShape) })),
        });
      for (const s of listed) printLines([...(s.name ? [`${s.name}:`] : []), ...s.lines.map(lineText)]);
      process.stderr.write(`${total - illegal} of ${total} decoded\n`);
      return undefined;
    });
}

async function showProgram(file: string, options: DisasmOptions): Promise<void> {
  const open = openCaptureOrFail(file);
  const { dispatch } = await dispatchStepOf(open, options.event);
  if (!dispatch?.program) failWith(dispatch?.diagnostics ?? []);
  const { program } = dispatch;
  const blocks = listProgram(program);
  if (options.json)
    return printJson({
      target: program.target,
      waveSize: program.waveSize,
      shader: program.name,
      blocks: blocks.map((b) => ({
        id: b.id,
        address: formatAddress(b.address),
        origin: b.origin,
        lines: b.lines.map(lineShape),
      })),
    });
  for (const block of blocks) printLines([`; block ${block.id} (${block.origin})`, ...block.lines.map(lineText)]);
  warn(program.diagnostics);
}

function wordsOf(bytes: Uint8Array, check: boolean): Uint32Array {
  if (check && bytes.length % 4 !== 0)
    throw new CommandError(EXIT.badInput, `raw code must be whole dwords; the file has ${bytes.length} bytes`);
  return new Uint32Array(bytes.slice(0, bytes.length - (bytes.length % 4)).buffer);
}

const hexWord = (word: number): string => word.toString(16).padStart(8, '0');

function lineShape(line: ListingLine): unknown {
  return {
    address: formatAddress(line.address),
    words: line.words.map(hexWord),
    text: line.text,
    ...(line.illegal === undefined ? {} : { illegal: line.illegal }),
  };
}

function lineText(line: ListingLine): string {
  const note = line.illegal === undefined ? '' : `  ${line.illegal}`;
  return `\t${line.text.padEnd(60)}; ${formatAddress(line.address).slice(2).padStart(12, '0')}: ${line.words.map(hexWord).join(' ')}${note}`;
}
