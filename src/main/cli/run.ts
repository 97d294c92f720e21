/** `lanescope run CAP`: replay dispatches, verdict per dispatch, compared with another engine or a saved run when asked. */
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { formatDiagnostic } from '../base/diagnostics.ts';
import type { BackendName } from '../driver/engine.ts';
import { openEngine } from '../session/engines.ts';
import {
  type DispatchResult,
  hashOfCapture,
  readResultFile,
  resultFile,
  resultOfDispatch,
} from '../session/result-file.ts';
import { type DispatchOutcome, type EngineOutcome, runCapture } from '../session/run-capture.ts';
import { faultShape, memoryDifferenceShape, verdictShape } from '../session/shapes.ts';
import type { MemoryDifference } from '../session/verdict.ts';
import { parseNumber } from './arguments.ts';
import { openCaptureOrFail } from './open.ts';
import {
  CommandError,
  diagnosticShape,
  EXIT,
  exitCodeOf,
  failWith,
  printJson,
  printLines,
  warn,
  writeFileOrFail,
} from './output.ts';
import { deviceOption } from './verify.ts';

interface RunVerbOptions {
  json?: boolean;
  event?: string;
  all?: boolean;
  backend: BackendName | 'all';
  compare: string;
  save?: string;
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
    .addOption(
      new Option('--backend <name>', 'who runs it; all: Vulkan and the reference, compared with each other')
        .choices(['reference', 'vulkan', 'all'])
        .default('reference'),
    )
    .option(
      '--compare <with>',
      'what results are compared with, beside what the capture expects: reference, expected, or a file of --save',
      'expected',
    )
    .option('--save <file>', 'write what every dispatch left in memory, for a later --compare')
    .option('--device <name>', 'Vulkan device by index or part of its name')
    .option('--limit <n>', 'instructions per dispatch')
    .action(run);
}

async function run(file: string, options: RunVerbOptions): Promise<void> {
  if (options.all && options.event !== undefined)
    throw new CommandError(EXIT.usage, '--all and --event cannot be used together');
  const besideReference = options.backend === 'all' || options.compare === 'reference';
  const backend = options.backend === 'all' ? 'vulkan' : options.backend;
  if (besideReference && backend === 'reference')
    throw new CommandError(EXIT.usage, '--compare reference needs another backend: --backend vulkan or all');
  const device = deviceOption(options.device, backend !== 'reference');
  const open = openCaptureOrFail(file);
  const hash = options.save === undefined && isWord(options.compare) ? '' : await hashOfCapture(file);
  const saved = isWord(options.compare) ? undefined : readResultFile(options.compare, hash);
  if (saved && !saved.ok) failWith(saved.error);
  if (saved && besideReference)
    throw new CommandError(EXIT.usage, '--backend all compares with the reference, not with a file');
  const event = options.event === undefined ? undefined : parseNumber(options.event, '--event');
  const main = await openEngine(backend, device);
  const beside = besideReference ? await openEngine('reference') : undefined;
  const shapes: unknown[] = [];
  const results: DispatchResult[] = [];
  let code: number = exitCodeOf(open.capture.damage);
  let found = false;
  try {
    const outcomes = runCapture(open, {
      engine: main.engine,
      ...(beside ? { beside: beside.engine } : {}),
      ...(saved ? { saved: saved.value } : {}),
      ...(event === undefined ? {} : { event }),
      onProblems: (problems) => {
        warn(problems);
        code = Math.max(code, exitCodeOf(problems));
      },
      ...(options.limit === undefined ? {} : { limit: parseNumber(options.limit, '--limit') }),
    });
    for await (const outcome of outcomes) {
      found = true;
      code = Math.max(code, codeOf(outcome));
      if (options.save !== undefined)
        results.push(resultOfDispatch(outcome.dispatch, outcome.run?.status ?? 'refused', outcome.memory));
      if (options.json) shapes.push(shapeOf(outcome, backend));
      else printLines(textOf(outcome, options.compare));
    }
  } finally {
    await main.engine.close();
  }
  if (event !== undefined && !found)
    throw new CommandError(EXIT.badInput, `event ${event} is no dispatch of this capture`);
  if (options.save !== undefined) {
    const content = { capture: hash, backend, device: main.device, dispatches: results };
    writeFileOrFail(options.save, resultFile(content));
  }
  if (options.json) printJson(event === undefined ? shapes : shapes[0]);
  process.exitCode = code;
}

const isWord = (compare: string): boolean => compare === 'reference' || compare === 'expected';

function codeOf({ run, verdict, diagnostics, beside, compared }: DispatchOutcome): number {
  if (run?.status === 'device') return EXIT.device;
  if (run?.status !== 'completed') return exitCodeOf(diagnostics) || EXIT.failed;
  const differs = verdict.kind === 'differs' || beside?.verdict.kind === 'differs' || (compared?.differing ?? 0) > 0;
  return differs ? EXIT.failed : EXIT.fine;
}

function engineShape({ run, verdict }: EngineOutcome): object {
  return {
    status: run?.status ?? 'refused',
    instructions: run?.instructions,
    waves: run?.waves,
    cache: run?.cache,
    times: run?.times,
    verdict: verdictShape(verdict),
    faults: (run?.faults ?? []).map(faultShape),
  };
}

function shapeOf(outcome: DispatchOutcome, backend: BackendName): object {
  const { event, dispatch, label, shader, beside, compared, notCompared, diagnostics } = outcome;
  return {
    event,
    dispatch,
    label,
    shader,
    backend,
    ...engineShape(outcome),
    ...(beside ? { reference: engineShape(beside) } : {}),
    ...(compared ? { compared: memoryDifferenceShape(compared) } : {}),
    ...(notCompared === undefined ? {} : { notCompared }),
    diagnostics: diagnostics.map(diagnosticShape),
  };
}

function statusText({ run, verdict }: EngineOutcome): string {
  return `${run?.status ?? 'refused'}, ${verdict.kind}${verdict.words > 0 ? ` (${verdict.words} words)` : ''}`;
}

function textOf(outcome: DispatchOutcome, compare: string): string[] {
  const { event, dispatch, label, run, beside, notCompared } = outcome;
  const name = beside ? 'reference' : basename(compare);
  const against = [
    ...(beside ? [`reference ${statusText(beside)}`] : []),
    ...(outcome.compared ? [comparedText(outcome.compared, name)] : []),
    ...(notCompared === undefined ? [] : [`not compared: ${notCompared}`]),
    ...(run?.cache ? [`cache ${run.cache.result} (${run.cache.reason})`] : []),
  ];
  const problems = [outcome, ...(beside ? [beside] : [])].flatMap(({ verdict }) =>
    verdict.message && verdict.kind !== 'equal' ? [`  ${verdict.backend}: ${verdict.message}`] : [],
  );
  const notes = [...outcome.diagnostics, ...(beside?.diagnostics ?? [])]
    .filter((d) => d.kind !== 'note')
    .map((d) => `  ${formatDiagnostic(d)}`);
  return [
    [`event ${event}  dispatch ${dispatch}${label ? `  ${label}` : ''}: ${statusText(outcome)}`, ...against].join('  '),
    ...problems,
    ...new Set(notes),
  ];
}

function comparedText({ words, differing, first }: MemoryDifference, name: string): string {
  if (!first) return `same as ${name} in ${words} words`;
  const hex = (n: number): string => `0x${n.toString(16).padStart(8, '0')}`;
  return `${differing} of ${words} words differ from ${name}, first at ${hex(first.address)}: ${hex(first.left)} there, ${hex(first.right)} here`;
}
