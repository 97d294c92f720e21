/** `lanescope disasm FILE|CAP --event N`: machine code as text. */
import type { Command } from 'commander';
import type { Target, WaveSize } from '../base/dispatch.ts';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { ObjectCode } from '../session/code-of-object.ts';
import { eachLine, type ListingLine, listProgram } from '../session/listing.ts';
import { ListingWriter } from '../session/listing-writer.ts';
import { parseAddress, parseTarget, parseWave } from './arguments.ts';
import { dispatchStepOf, openCaptureOrFail, readFileOrFail, wordsOrFail } from './open.ts';
import { failWith, printJson, warn, writeBytes } from './output.ts';

/** Characters of JSON written at once. */
const JSON_CHUNK = 1 << 18;

interface DisasmOptions {
  json?: boolean;
  target: string;
  wave?: string;
  address?: string;
  event?: string;
}

export function registerDisasm(program: Command): void {
  program
    .command('disasm')
    .description('machine code as text in LLVM syntax')
    .argument('<file>', 'raw dwords, a code object, or a capture')
    .option('--target <gfx>', 'for raw code: gfx1013, gfx1030 or gfx700', 'gfx1013')
    .option('--wave <size>', 'for raw code: 32 or 64 (default: 32, on gfx700 64)')
    .option('--address <a>', 'for raw code: address of the first dword')
    .option('--event <n>', 'for a capture: the dispatch with this event index (default: the first)')
    .action(async (file: string, options: DisasmOptions) => {
      const { kind, bytes } = readFileOrFail(file);
      if (kind === 'capture') return showProgram(file, options);
      const address = options.address === undefined ? (0 as GuestAddress) : parseAddress(options.address, '--address');
      let target = parseTarget(options.target);
      let sections: CodeSection[];
      if (kind === 'elf') {
        const { codeOfObject } = await import('../session/code-of-object.ts');
        const code = codeOfObject(bytes, file);
        if (!code.ok) failWith(code.error);
        target = code.value.target ?? target;
        sections = [...code.value.sections];
      } else sections = [{ name: '', address, words: wordsOrFail(bytes) }];
      const waveSize = parseWave(options.wave, target);
      if (options.json) showJson(sections, target, waveSize);
      else showText(sections, target, waveSize);
      return undefined;
    });
}

type CodeSection = ObjectCode['sections'][number];

function showText(sections: readonly CodeSection[], target: Target, waveSize: WaveSize): void {
  const writer = new ListingWriter(target, waveSize, writeBytes);
  for (const section of sections) {
    if (section.name) writer.heading(`${section.name}:`);
    writer.words(section.words, section.address);
  }
  writer.end();
  process.stderr.write(`${writer.decoded} of ${writer.decoded + writer.illegal} decoded\n`);
}

/** One line an instruction; the counts stand last, since they are known then. */
function showJson(sections: readonly CodeSection[], target: Target, waveSize: WaveSize): void {
  const counts = { instructions: 0, illegal: 0 };
  let text = `{"target":"${target}","waveSize":${waveSize},"sections":[`;
  const put = (more: string) => {
    text += more;
    if (text.length < JSON_CHUNK) return;
    writeBytes(Buffer.from(text));
    text = '';
  };
  sections.forEach((section, i) => {
    put(`${i ? ',' : ''}\n{"name":${JSON.stringify(section.name)},"lines":[`);
    let separator = '\n';
    eachLine(section.words, section.address, target, waveSize, (line) => {
      put(`${separator}${JSON.stringify(lineShape(line))}`);
      separator = ',\n';
      if (line.illegal === undefined) counts.instructions++;
      else counts.illegal++;
    });
    put('\n]}');
  });
  put(`\n],"instructions":${counts.instructions},"illegal":${counts.illegal}}\n`);
  writeBytes(Buffer.from(text));
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
  const writer = new ListingWriter(program.target, program.waveSize, writeBytes);
  for (const block of blocks) {
    writer.heading(`; block ${block.id} (${block.origin})`);
    for (const line of block.lines) writer.line(line);
  }
  writer.end();
  warn(program.diagnostics);
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
