/** `lanescope run CAP`: replay dispatches, verdict per dispatch, optionally compared with the reference. */
import { type Command, Option } from 'commander';
import { formatDiagnostic } from '../base/diagnostics.ts';
import type { BackendName } from '../driver/engine.ts';
import { createEngine } from '../session/engines.ts';
import { CaptureNames, replay } from '../session/replay.ts';
import { compareMemories, freeWords, judge } from '../session/verdict.ts';
import { parseNumber } from './arguments.ts';
import { openCaptureOrFail } from './open.ts';
import { CommandError, diagnosticShape, EXIT, exitCodeOf, printJson, printLines } from './output.ts';
import { deviceOf } from './verify.ts';

interface RunOptions {
  json?: boolean;
  event?: string;
  backend: BackendName;
  compare?: 'reference' | 'expected';
  device?: string;
  limit?: string;
}

export function registerRun(program: Command): void {
  program
    .command('run')
    .description('replay a capture; --event shows one dispatch only (those before it run too)')
    .argument('<capture>')
    .option('--event <n>', 'only the dispatch with this event index')
    .option('--all', 'every dispatch (default)')
    .addOption(new Option('--backend <name>', 'who runs it').choices(['reference', 'vulkan']).default('reference'))
    .addOption(
      new Option('--compare <with>', 'what results are compared with')
        .choices(['reference', 'expected'])
        .default('expected'),
    )
    .option('--device <name>', 'Vulkan device by index or part of its name')
    .option('--limit <n>', 'instructions per dispatch')
    .action(async (file: string, options: RunOptions) => {
      const open = openCaptureOrFail(file);
      const names = new CaptureNames(open);
      const wanted = options.event === undefined ? undefined : parseNumber(options.event, '--event');
      const engine = await createEngine(
        options.backend,
        options.device === undefined ? {} : { device: deviceOf(options.device) },
      );
      const limit = options.limit === undefined ? {} : { limit: parseNumber(options.limit, '--limit') };
      const reference =
        options.compare === 'reference' && options.backend !== 'reference'
          ? replay(open, { engine: await createEngine('reference'), ...limit })
          : undefined;
      const shapes: unknown[] = [];
      let code: number = EXIT.fine;
      let found = false;
      try {
        for await (const step of replay(open, { engine, ...limit })) {
          const other = reference ? (await reference.next()).value : undefined;
          const { dispatch, event, memory } = step;
          if (!dispatch) continue;
          if (wanted !== undefined && event.index !== wanted) continue;
          found = true;
          const { run } = dispatch;
          const verdict = judge(open, dispatch.number, run, memory, dispatch.diagnostics, options.backend);
          const compared =
            other?.dispatch?.run?.status === 'completed' && run?.status === 'completed'
              ? compareMemories(other.memory, memory, freeWords(open, dispatch.number))
              : undefined;
          const bad =
            run?.status !== 'completed'
              ? statusCode(run?.status, dispatch.diagnostics)
              : verdict.kind === 'differs' || (compared?.differing ?? 0) > 0
                ? EXIT.failed
                : EXIT.fine;
          code = Math.max(code, bad);
          if (options.json) {
            shapes.push({
              event: event.index,
              dispatch: dispatch.number,
              label: names.dispatch(dispatch.number),
              shader: dispatch.dispatch ? names.shader(dispatch.dispatch.programAddress) : undefined,
              backend: options.backend,
              status: run?.status ?? 'refused',
              instructions: run?.instructions,
              waves: run?.waves,
              cache: run?.cache,
              times: run?.times,
              verdict,
              ...(compared ? { comparedWithReference: compared } : {}),
              faults: run?.faults ?? [],
              diagnostics: dispatch.diagnostics.map(diagnosticShape),
            });
          } else {
            const cache = run?.cache ? `  cache ${run.cache.result} (${run.cache.reason})` : '';
            const against = compared
              ? `  reference: ${compared.differing === 0 ? `equal in ${compared.words} words` : `${compared.differing} words differ`}`
              : '';
            printLines([
              `event ${event.index}  dispatch ${dispatch.number}  ${names.dispatch(dispatch.number) ?? ''}: ${run?.status ?? 'refused'}, ${verdict.kind}${verdict.words > 0 ? ` (${verdict.words} words)` : ''}${against}${cache}`,
              ...(verdict.message && verdict.kind !== 'equal' ? [`  ${verdict.message}`] : []),
              ...dispatch.diagnostics.filter((d) => d.kind !== 'note').map((d) => `  ${formatDiagnostic(d)}`),
            ]);
          }
          if (wanted !== undefined) break;
        }
      } finally {
        await engine.close();
        await reference?.return();
      }
      if (wanted !== undefined && !found)
        throw new CommandError(EXIT.badInput, `event ${wanted} is no dispatch of this capture`);
      if (options.json) printJson(wanted === undefined ? shapes : shapes[0]);
      process.exitCode = code;
    });
}

function statusCode(status: string | undefined, diagnostics: Parameters<typeof exitCodeOf>[0]): number {
  if (status === 'device') return EXIT.device;
  return exitCodeOf(diagnostics) || EXIT.failed;
}
