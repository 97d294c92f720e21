/** `lanescope exec FILE.s|.bin`: run a snippet with given registers and memory; every lane's final registers. */
import { type Command, Option } from 'commander';
import type { Target, WaveSize } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import type { BackendName, InitialRegisters } from '../driver/engine.ts';
import { assemble } from '../isa/assemble/index.ts';
import { OPERAND } from '../isa/operands.ts';
import { registersWritten } from '../session/registers-written.ts';
import { compareSnippetRuns, prepareSnippet, runSnippetOn, snippetRegisters } from '../session/run-snippet.ts';
import { collect, parseNumber, parseTarget, parseVec3, parseWave } from './arguments.ts';
import { readSource } from './asm.ts';
import { type Dump, parseDump, parseMemory, parseScalars, parseVgprs } from './exec-arguments.ts';
import { comparisonShape, execLines, execShape, exitOfRuns } from './exec-output.ts';
import { readFileOrFail, wordsOrFail } from './open.ts';
import { failWith, printJson, printLines, warn } from './output.ts';
import { deviceOption } from './verify.ts';

interface ExecOptions {
  json?: boolean;
  target: string;
  wave?: string;
  groups: string;
  threads?: string;
  sgpr: string[];
  vgpr: string[];
  memory: string[];
  dump?: string;
  lds?: string;
  floatMode: string;
  limit: string;
  backend: BackendName | 'all';
  compare?: 'reference';
  device?: string;
}

const CODE = 0x1_0000_0000 as GuestAddress;
/** What the hardware has, and what every device has. */
const LDS_BYTES = { hardware: 65536, devices: 32768 } as const;

export function registerExec(program: Command): void {
  program
    .command('exec')
    .description('run a snippet and print the final registers of every lane')
    .argument('<file>', 'text (.s, - for standard input) or raw dwords (.bin)')
    .option('--target <gfx>', 'gfx1013, gfx1030 or gfx700', 'gfx1013')
    .option('--wave <size>', '32 or 64 (default: 32, on gfx700 64)')
    .option('--groups <x,y,z>', 'number of groups', '1')
    .option('--threads <x,y,z>', 'threads per group (default: one wave)')
    .option(
      '--sgpr <sN=value>',
      'initial scalar register; repeatable, also s[4:5]=64-bit value, m0, vcc, exec, scc',
      collect,
      [],
    )
    .option('--vgpr <vN=value>', 'initial vector register: lane, a number, or @file of dwords; repeatable', collect, [])
    .option('--memory <address=content>', 'map memory: @file, zero:BYTES or words:A,B,…; repeatable', collect, [])
    .option('--dump <list>', 'v0-v3,s0,exec,vcc,scc,m0,mem:ADDRESS+LENGTH (default: registers that the code writes)')
    .option('--lds <bytes>', 'LDS of a group (default: 65536; with a device 32768)')
    .option('--float-mode <value>', 'MODE bits 7:0', '0xc0')
    .option('--limit <n>', 'instructions, on a device loop turns of a wave, before the run is ended', '100000000')
    .addOption(
      new Option('--backend <name>', 'who runs it; all: both, compared')
        .choices(['reference', 'vulkan', 'all'])
        .default('reference'),
    )
    .addOption(new Option('--compare <with>', 'run it there as well and compare').choices(['reference']))
    .option('--device <name>', 'Vulkan device by index or part of its name')
    .action(execute);
}

async function execute(file: string, options: ExecOptions): Promise<void> {
  const { words, target, waveSize } = codeOf(file, options);
  const initial: InitialRegisters = { scalars: parseScalars(options.sgpr), vgprs: parseVgprs(options.vgpr) };
  const dump = options.dump === undefined ? defaultDump(words, target, waveSize) : parseDump(options.dump);
  const [shownOn, comparedWith] = backendsOf(options);
  const device = deviceOption(options.device, shownOn === 'vulkan' || comparedWith === 'vulkan');
  const watched = new Set([OPERAND.EXEC_LO, OPERAND.EXEC_HI, ...dump.scalars]);
  for (const vgpr of dump.vgprs) watched.add(OPERAND.VGPR0 + vgpr);
  if (comparedWith) for (const code of snippetRegisters(words, target, waveSize, initial)) watched.add(code);
  const defaultLds = shownOn === 'reference' && !comparedWith ? LDS_BYTES.hardware : LDS_BYTES.devices;
  const prepared = prepareSnippet({
    words,
    target,
    waveSize,
    codeAddress: CODE,
    groups: parseVec3(options.groups, '--groups'),
    threads: options.threads === undefined ? [waveSize, 1, 1] : parseVec3(options.threads, '--threads'),
    initial,
    memory: options.memory.map(parseMemory),
    ldsBytes: options.lds === undefined ? defaultLds : parseNumber(options.lds, '--lds'),
    floatMode: parseNumber(options.floatMode, '--float-mode'),
    limit: parseNumber(options.limit, '--limit'),
    watched: [...watched],
  });
  if (!prepared.ok) failWith(prepared.error);
  const shown = await runSnippetOn(prepared.value, shownOn, device);
  const other = comparedWith && (await runSnippetOn(prepared.value, comparedWith, device));
  const compared = other && compareSnippetRuns(shown, other);
  const shape = execShape(shown, dump);
  const comparison = other && compared && comparisonShape(shown, other, compared);
  process.exitCode = exitOfRuns(other ? [shown, other] : [shown], compared);
  if (options.json) {
    const { backend, status, ...rest } = shape;
    return printJson({ backend, status, target, waveSize, ...rest, ...(comparison ? { comparison } : {}) });
  }
  warn(shown.diagnostics);
  if (other) warn(other.diagnostics.filter((d) => !shown.diagnostics.includes(d)));
  printLines(execLines(shape, comparison));
}

function codeOf(file: string, options: ExecOptions): { words: Uint32Array; target: Target; waveSize: WaveSize } {
  const target = parseTarget(options.target);
  const waveSize = parseWave(options.wave, target);
  if (file.endsWith('.bin')) {
    return { words: wordsOrFail(readFileOrFail(file).bytes), target, waveSize };
  }
  const result = assemble(readSource(file), { target, waveSize, address: CODE, file });
  if (!result.ok) failWith(result.diagnostics.filter((d) => d.kind !== 'warning'));
  warn(result.diagnostics);
  return { words: result.words, target: result.target, waveSize: result.waveSize };
}

/** Whose registers are shown, and whom they are compared with. */
function backendsOf({ backend, compare }: ExecOptions): readonly [BackendName, BackendName?] {
  if (backend === 'all') return ['reference', 'vulkan'];
  return compare === undefined || compare === backend ? [backend] : [backend, compare];
}

function defaultDump(words: Uint32Array, target: Target, waveSize: WaveSize): Dump {
  return { ...registersWritten(words, target, waveSize), memory: [] };
}
