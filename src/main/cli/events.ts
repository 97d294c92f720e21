/** `lanescope events CAP`: the events of a capture, in order, with markers and nesting. */
import type { Command } from 'commander';
import { CaptureNames, replay } from '../session/replay.ts';
import { eventShape, eventSummary } from '../session/shapes.ts';
import { openCaptureOrFail } from './open.ts';
import { diagnosticShape, printJson, printLines, table, warn } from './output.ts';

export function registerEvents(program: Command): void {
  program
    .command('events')
    .description('list the events of a capture; --filter keeps those that contain every word')
    .argument('<capture>')
    .option('--filter <words>', 'keep events whose kind, summary, shader or markers contain every word')
    .action(async (file: string, options: { json?: boolean; filter?: string }) => {
      const open = openCaptureOrFail(file);
      const names = new CaptureNames(open);
      const words = (options.filter ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const rows: (string | number)[][] = [];
      const shapes: unknown[] = [];
      for await (const { event, dispatch } of replay(open)) {
        const shader = dispatch?.dispatch ? names.shader(dispatch.dispatch.programAddress) : '';
        const label = dispatch ? (names.dispatch(dispatch.number) ?? '') : '';
        const text = [event.effect.kind, eventSummary(event), shader, label, ...event.markers].join(' ').toLowerCase();
        if (!words.every((word) => text.includes(word))) continue;
        const wave = dispatch?.dispatch ? `wave${dispatch.dispatch.waveSize}` : '';
        rows.push([
          event.index,
          dispatch ? String(dispatch.number) : '',
          `${'  '.repeat(event.path.length - 1)}${event.effect.kind}`,
          shader,
          wave,
          eventSummary(event),
          event.markers.join(' / '),
        ]);
        if (options.json) {
          shapes.push({
            ...eventShape(event),
            ...(dispatch
              ? {
                  dispatch: {
                    number: dispatch.number,
                    shader,
                    label,
                    waveSize: dispatch.dispatch?.waveSize,
                    diagnostics: dispatch.diagnostics.map(diagnosticShape),
                  },
                }
              : {}),
          });
        } else warn(event.diagnostics);
      }
      if (options.json) printJson(shapes);
      else printLines(table(['event', 'dispatch', 'kind', 'shader', 'wave', 'what', 'markers'], rows));
    });
}
