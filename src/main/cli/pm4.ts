/** `lanescope pm4 CAP [--event N]`: packets with fields and registers. */
import type { Command } from 'commander';
import type { GpuEvent } from '../pm4/events.ts';
import { packetsOfEvent } from '../session/event-packets.ts';
import { replay } from '../session/replay.ts';
import { packetLines, packetShape } from '../session/shapes.ts';
import { parseNumber } from './arguments.ts';
import { noSuchEvent, openCaptureOrFail } from './open.ts';
import { printJson, printLines } from './output.ts';

export function registerPm4(program: Command): void {
  program
    .command('pm4')
    .description('the packets of a capture, or those that lead to one event')
    .argument('<capture>')
    .option('--event <n>', 'only the packets of this event')
    .action(async (file: string, options: { json?: boolean; event?: string }) => {
      const open = openCaptureOrFail(file);
      const wanted = options.event === undefined ? undefined : parseNumber(options.event, '--event');
      const shapes: unknown[] = [];
      let previous: GpuEvent | undefined;
      let found = false;
      for await (const { event } of replay(open)) {
        const packets = wanted === undefined || wanted === event.index ? packetsOfEvent(event, previous) : [];
        previous = event;
        if (wanted !== undefined && wanted !== event.index) continue;
        found = true;
        if (options.json)
          shapes.push({ event: event.index, depth: event.path.length - 1, packets: packets.map(packetShape) });
        else {
          const indent = '  '.repeat(event.path.length - 1);
          printLines([
            `${indent}event ${event.index}  ${event.effect.kind}`,
            ...packets.flatMap(packetLines).map((line) => `${indent}  ${line}`),
          ]);
        }
        if (wanted !== undefined) break;
      }
      if (!found && wanted !== undefined) noSuchEvent(wanted, previous ? previous.index + 1 : 0);
      if (options.json) printJson(wanted === undefined ? shapes : shapes[0]);
    });
}
