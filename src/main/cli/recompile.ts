/** `lanescope recompile …`: the IR after each pass, the SPIR-V module, its source map and statistics. */
import type { Command } from 'commander';
import { formatAddress } from '../base/guest-address.ts';
import { recompileDispatch } from '../session/recompile-dispatch.ts';
import { parseNumber } from './arguments.ts';
import { dispatchStepOf, openCaptureOrFail } from './open.ts';
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

interface RecompileOptions {
  json?: boolean;
  event?: string;
  emit: string;
  subgroup: string;
  deterministic: boolean;
  output?: string;
}

const PLAIN = ['spirv', 'spirv-text', 'ir', 'map', 'stats'];

export function registerRecompile(program: Command): void {
  program
    .command('recompile')
    .description('generate code for a dispatch and show it')
    .argument('<capture>')
    .option('--event <n>', 'the dispatch with this event index (default: the first)')
    .option('--emit <what>', 'spirv, spirv-text, ir, ir:PASS, map or stats', 'stats')
    .option('--subgroup <s>', 'subgroup size of the device to generate for', '32')
    .option('--no-deterministic', "use the device's own approximations")
    .option('-o, --output <file>', 'write the module (spirv)')
    .action(async (file: string, options: RecompileOptions) => {
      const subgroup = parseNumber(options.subgroup, '--subgroup');
      if (![4, 8, 16, 32, 64, 128].includes(subgroup))
        throw new CommandError(EXIT.usage, `--subgroup: ${subgroup} is no power of two from 4 to 128`);
      const pass = options.emit.startsWith('ir:') ? options.emit.slice(3) : undefined;
      if (pass === undefined && !PLAIN.includes(options.emit))
        throw new CommandError(EXIT.usage, `--emit: '${options.emit}' is none of ${PLAIN.join(', ')}, ir:PASS`);
      if (options.output !== undefined && options.emit !== 'spirv')
        throw new CommandError(EXIT.usage, '--output takes the module: it needs --emit spirv');
      const { dispatch } = await dispatchStepOf(openCaptureOrFail(file), options.event);
      if (!dispatch?.program || !dispatch.dispatch) failWith(dispatch?.diagnostics ?? []);
      const made = recompileDispatch(dispatch.program, dispatch.dispatch, {
        subgroup,
        deterministic: options.deterministic,
      });
      if (options.emit === 'ir' || pass !== undefined) {
        const steps = pass === undefined ? made.steps.slice(-1) : made.steps.filter((s) => s.name === pass);
        if (steps.length === 0)
          throw new CommandError(
            EXIT.usage,
            `--emit: there is no pass '${pass}'; there are ${[...new Set(made.steps.map((s) => s.name))].join(', ')}`,
          );
        if (options.json) printJson(steps.map((s) => ({ name: s.name, changed: s.changed, text: s.text })));
        else
          for (const step of steps)
            printLines([`; after ${step.name}${step.changed ? '' : ' (nothing changed)'}`, step.text]);
      }
      const { module } = made;
      if (!module) failWith(made.diagnostics);
      warn(made.diagnostics);
      switch (options.emit) {
        case 'spirv': {
          const bytes = new Uint8Array(module.words.buffer, module.words.byteOffset, module.words.byteLength);
          if (options.output === undefined) {
            if (options.json) return printJson({ words: [...module.words] });
            process.stdout.write(bytes);
            return undefined;
          }
          writeFileOrFail(options.output, bytes);
          return undefined;
        }
        case 'spirv-text':
          return options.json ? printJson({ lines: made.spirvText }) : printLines(made.spirvText ?? []);
        case 'map': {
          const shape = module.map.map((m) => {
            const location = module.locations[m.location];
            return {
              first: m.first,
              count: m.count,
              value: m.value,
              address: location ? formatAddress(location.address) : null,
              callPath: location ? location.callPath.map(formatAddress) : [],
            };
          });
          if (options.json) return printJson(shape);
          return printLines(
            shape.map(
              (m) =>
                `${m.first}+${m.count}  %${m.value}  ${m.address ?? '-'}${m.callPath.length > 0 ? ` via ${m.callPath.join(' ')}` : ''}`,
            ),
          );
        }
        case 'stats': {
          if (options.json) return printJson({ ...made.stats, diagnostics: made.diagnostics.map(diagnosticShape) });
          return printLines(Object.entries(made.stats ?? {}).map(([name, value]) => `${name.padEnd(26)} ${value}`));
        }
        default:
          return undefined;
      }
    });
}
