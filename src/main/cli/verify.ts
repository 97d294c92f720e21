/** `lanescope verify CAP|DIR…`: every dispatch against its expectations; a table and an exit code. */
import { type Command, Option } from 'commander';
import type { BackendName } from '../driver/engine.ts';
import { junitReport } from '../session/junit-report.ts';
import { verdictShape } from '../session/shapes.ts';
import { type CaptureVerification, type DispatchVerification, problemsOf } from '../session/verify-capture.ts';
import { findCaptures, verifyMany } from '../session/verify-many.ts';
import { parseNumber } from './arguments.ts';
import {
  CommandError,
  diagnosticShape,
  EXIT,
  exitCodeOf,
  failWith,
  printJson,
  printLines,
  table,
  writeFileOrFail,
} from './output.ts';

interface VerifyOptions {
  json?: boolean;
  backend: 'reference' | 'vulkan' | 'all';
  jobs: string;
  device?: string;
  limit?: string;
  shard?: string;
  junit?: string;
}

export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description('run every dispatch of captures and compare with what they expect')
    .argument('<paths...>', 'captures, or folders of captures')
    .addOption(
      new Option('--backend <name>', 'who runs them').choices(['reference', 'vulkan', 'all']).default('reference'),
    )
    .option('--jobs <n>', 'captures at a time', '1')
    .option('--device <name>', 'Vulkan device by index or part of its name')
    .option('--limit <n>', 'instructions per dispatch')
    .option('--shard <i/n>', 'only every nth capture, starting with the ith (from 1)')
    .option('--junit <file>', 'write a JUnit report')
    .action(async (paths: string[], options: VerifyOptions) => {
      const jobs = parseNumber(options.jobs, '--jobs');
      if (jobs < 1) throw new CommandError(EXIT.usage, '--jobs: at least 1');
      const device = deviceOption(options.device, options.backend !== 'reference');
      const found = findCaptures(paths);
      if (!found.ok) failWith(found.error);
      const files = shardOf(found.value, options.shard);
      const backends: BackendName[] = options.backend === 'all' ? ['reference', 'vulkan'] : [options.backend];
      const results = await verifyMany(files, {
        backends,
        jobs,
        ...device,
        ...(options.limit === undefined ? {} : { limit: parseNumber(options.limit, '--limit') }),
        onResult: (result, done, total) => {
          if (process.stderr.isTTY)
            process.stderr.write(`\r${done}/${total} ${result.capture.padEnd(40)}${done === total ? '\n' : ''}`);
        },
      });
      if (options.junit !== undefined) writeFileOrFail(options.junit, junitReport(results));
      if (options.json) printJson(jsonOf(results));
      else printLines(textOf(results, backends));
      process.exitCode = exitOf(results);
    });
}

/** `--device` as an engine takes it; naming a device for a run that uses none is a mistake. */
export function deviceOption(text: string | undefined, usesDevice: boolean): { device?: number | string } {
  if (text === undefined) return {};
  if (!usesDevice) throw new CommandError(EXIT.usage, '--device needs --backend vulkan or all');
  return { device: /^\d+$/.test(text) ? Number(text) : text };
}

function shardOf<T>(files: readonly T[], shard: string | undefined): readonly T[] {
  if (shard === undefined) return files;
  const match = /^(\d+)\/(\d+)$/.exec(shard);
  const index = Number(match?.[1]);
  const count = Number(match?.[2]);
  if (!match || index < 1 || index > count)
    throw new CommandError(EXIT.usage, `--shard: '${shard}' is not i/n with 1 ≤ i ≤ n`);
  return files.filter((_, i) => i % count === index - 1);
}

function exitOf(results: readonly CaptureVerification[]): number {
  const diagnostics = results.flatMap((r) => r.diagnostics);
  if (
    diagnostics.some((d) => d.kind === 'device') ||
    results.some((r) => r.rows.some((row) => row.statuses.includes('device')))
  )
    return EXIT.device;
  if (results.every((r) => r.passed)) return EXIT.fine;
  // A capture that cannot be opened has no rows.
  if (results.some((r) => r.rows.length === 0 && !r.passed)) return exitCodeOf(diagnostics) || EXIT.badInput;
  return EXIT.failed;
}

function verdictText(row: DispatchVerification, index: number): string {
  const v = row.verdicts[index]!;
  if (v.kind !== 'equal') return v.kind === 'refused' ? (v.message?.split(' ')[0] ?? 'refused') : v.kind;
  return v.tolerated > 0 ? `equal (${v.tolerated} within bounds)` : 'equal';
}

function textOf(results: readonly CaptureVerification[], backends: readonly BackendName[]): string[] {
  const rows = results.flatMap((r) =>
    r.rows.map((row) => [
      row.capture,
      row.dispatch,
      row.shader,
      row.name,
      row.target,
      row.waveSize,
      row.instructions ?? '',
      row.waves,
      Math.max(...row.verdicts.map((v) => v.words)),
      Math.max(...row.verdicts.map((v) => v.excepted)),
      ...backends.map((_, i) => verdictText(row, i)),
    ]),
  );
  const lines = table(
    [
      'capture',
      'dispatch',
      'shader',
      'name',
      'target',
      'wave',
      'instructions',
      'waves',
      'words',
      'excepted',
      ...backends,
    ],
    rows,
  );
  const reasons = new Set(results.flatMap((r) => r.rows.flatMap((row) => row.verdicts.flatMap((v) => v.reasons))));
  if (reasons.size > 0) lines.push('', 'excepted words:', ...[...reasons].map((reason) => `  ${reason}`));
  const problems = results.flatMap(problemsOf);
  if (problems.length > 0) lines.push('', ...problems);
  const dispatches = rows.length;
  const words = results.reduce(
    (sum, r) => sum + r.rows.reduce((s, row) => s + row.verdicts.reduce((w, v) => w + v.words, 0), 0),
    0,
  );
  const refused = results.reduce(
    (sum, r) => sum + r.rows.reduce((s, row) => s + row.verdicts.filter((v) => v.kind === 'refused').length, 0),
    0,
  );
  const failed = results.filter((r) => !r.passed).length;
  lines.push(
    '',
    `${results.length} captures, ${dispatches} dispatches, ${words} words compared, ${refused} runs refused as expected: ${failed === 0 ? 'all as expected' : `${failed} of ${results.length} captures FAILED`}`,
  );
  return lines;
}

function jsonOf(results: readonly CaptureVerification[]): unknown {
  return {
    passed: results.every((r) => r.passed),
    captures: results.map((r) => ({
      capture: r.capture,
      passed: r.passed,
      dispatches: r.rows.map((row) => ({ ...row, verdicts: row.verdicts.map(verdictShape) })),
      diagnostics: r.diagnostics.map(diagnosticShape),
    })),
  };
}
