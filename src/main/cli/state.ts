/** `lanescope state CAP --event N [--diff]`: registers before an event, or what changed since the previous dispatch. */
import type { Command } from 'commander';
import { GpuState } from '../pm4/gpu-state.ts';
import { replay } from '../session/replay.ts';
import { changeShapes, stateShape } from '../session/shapes.ts';
import { parseNumber } from './arguments.ts';
import { openCaptureOrFail } from './open.ts';
import { CommandError, EXIT, printJson, printLines, table } from './output.ts';

export function registerState(program: Command): void {
  program
    .command('state')
    .description('register state before an event')
    .argument('<capture>')
    .requiredOption('--event <n>', 'index of the event')
    .option('--diff', 'only what was written since the previous dispatch or draw')
    .action(async (file: string, options: { json?: boolean; event: string; diff?: boolean }) => {
      const open = openCaptureOrFail(file);
      const wanted = parseNumber(options.event, '--event');
      let previous = GpuState.EMPTY;
      for await (const { event, processor } of replay(open)) {
        if (event.index !== wanted) {
          if (event.effect.kind === 'dispatch' || event.effect.kind === 'draw') previous = event.state;
          continue;
        }
        const { target } = open.capture;
        const addressOf = processor.packetAddress.bind(processor);
        if (options.diff) {
          const changes = changeShapes(previous.changesTo(event.state), target, addressOf);
          if (options.json) return printJson(changes);
          return printLines(
            table(
              ['register', 'before', 'after', 'kind', 'written by'],
              changes.map((c) => [c.name, c.before ?? '-', c.after ?? '-', c.kind, c.writer]),
            ),
          );
        }
        const registers = stateShape(event.state, target, addressOf);
        if (options.json) return printJson(registers);
        return printLines(
          table(
            ['register', 'value', 'fields', 'written by'],
            registers.map((r) => [
              r.name,
              r.value,
              r.fields
                .filter((f) => f.value !== 0)
                .map((f) => `${f.name}=${f.text ?? String(f.value)}`)
                .join(' '),
              r.writer,
            ]),
          ),
        );
      }
      throw new CommandError(EXIT.badInput, `the capture has no event ${wanted}`);
    });
}
