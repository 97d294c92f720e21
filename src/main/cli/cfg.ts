/** `lanescope cfg …`: the control-flow graph of a dispatch's program, with its call regions. */
import { type Command, Option } from 'commander';
import { assemble } from '../isa/assemble/index.ts';
import { printInstruction } from '../isa/index.ts';
import type { Instruction } from '../isa/instruction.ts';
import { programToDot } from '../program/export/program-dot.ts';
import { programToJson } from '../program/export/program-json.ts';
import type { Program } from '../program/program.ts';
import { linkCode } from '../session/link-code.ts';
import { parseAddress, parseTarget, parseWave } from './arguments.ts';
import { readSource } from './asm.ts';
import { dispatchStepOf, openCaptureOrFail, readFileOrFail, wordsOrFail } from './open.ts';
import { CommandError, EXIT, exitCodeOf, failWith, printJson, warn } from './output.ts';

interface CfgOptions {
  json?: boolean;
  format: 'json' | 'dot';
  event?: string;
  target: string;
  wave?: string;
  address: string;
}

export function registerCfg(program: Command): void {
  program
    .command('cfg')
    .description('control-flow graph with call regions, of a dispatch or of code')
    .argument('<file>', 'a capture, raw dwords, or text (.s)')
    .addOption(new Option('--format <format>', 'json or dot').choices(['json', 'dot']).default('json'))
    .option('--event <n>', 'for a capture: the dispatch with this event index (default: the first)')
    .option('--target <gfx>', 'for code: gfx1013, gfx1030 or gfx700', 'gfx1013')
    .option('--wave <size>', 'for code: 32 or 64 (default: 32, on gfx700 64)')
    .option('--address <a>', 'for code: address of the first dword', '0x100000000')
    .action(async (file: string, options: CfgOptions) => {
      const linked = await programOf(file, options);
      const print = (instruction: Instruction): string =>
        printInstruction(instruction, { target: linked.target, waveSize: linked.waveSize });
      if (options.format === 'dot') process.stdout.write(programToDot(linked, print));
      else printJson(programToJson(linked, print));
      warn(linked.diagnostics);
      // A graph with a refused call is shown all the same; the code says so.
      process.exitCode = linked.complete ? EXIT.fine : exitCodeOf(linked.diagnostics);
    });
}

async function programOf(file: string, options: CfgOptions): Promise<Program> {
  const target = parseTarget(options.target);
  const waveSize = parseWave(options.wave, target);
  const address = parseAddress(options.address, '--address');
  if (file.endsWith('.s') || file === '-') {
    const result = assemble(readSource(file), { target, waveSize, address, file });
    if (!result.ok) failWith(result.diagnostics.filter((d) => d.kind !== 'warning'));
    return linkCode(result.words, address, result.target, result.waveSize);
  }
  const { kind, bytes } = readFileOrFail(file);
  if (kind === 'capture') {
    const { dispatch } = await dispatchStepOf(openCaptureOrFail(file), options.event);
    if (!dispatch?.program) failWith(dispatch?.diagnostics ?? []);
    return dispatch.program;
  }
  if (kind === 'elf')
    throw new CommandError(
      EXIT.badInput,
      `${file} is a code object: 'lanescope import' makes a capture of one of its kernels, 'disasm' lists its code`,
    );
  return linkCode(wordsOrFail(bytes), address, target, waveSize);
}
