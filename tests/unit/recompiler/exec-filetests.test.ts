/**
 * Filetests of kind `exec`: tests/filetests/exec/*.gcn on the reference and, where lavapipe is there, on Vulkan; each as a
 * program that loads and stores registers, and as a snippet whose registers the engine sets and tells. Expected lanes are
 * in the files; both engines are compared with them, never with each other.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../../src/main/base/diagnostics.ts';
import type { DispatchEngine } from '../../../src/main/driver/engine.ts';
import { ReferenceEngine } from '../../../src/main/driver/reference-engine.ts';
import { registerName } from '../../../src/main/session/register-names.ts';
import { prepareSnippet, runSnippet } from '../../../src/main/session/run-snippet.ts';
import { deviceReady, prepare, readWords, runOn, TestDevice } from '../../support/device.ts';
import { type ExecCase, readExecFile } from '../../support/exec-filetest.ts';
import { ROOT } from '../../support/tools.ts';

const FOLDER = join(ROOT, 'tests/filetests/exec');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.gcn'));

const hex = (words: readonly number[]): string => words.map((w) => w.toString(16)).join(' ');

async function check(engine: DispatchEngine, { name, program, expected }: ExecCase): Promise<void> {
  const { run, memory } = await runOn(engine, prepare(program));
  expect([run.status, ...run.diagnostics.map(formatDiagnostic)], name).toEqual(['completed']);
  const actual = expected.map(
    ({ what, address, words }) => `${what}: ${hex(readWords(memory, address, words.length))}`,
  );
  expect(actual, name).toEqual(expected.map(({ what, words }) => `${what}: ${hex(words)}`));
}

async function checkSnippet(engine: DispatchEngine, { name, snippet, expectedOfSnippet: expected }: ExecCase) {
  const prepared = prepareSnippet(snippet);
  if (!prepared.ok) throw new Error(prepared.error.map(formatDiagnostic).join('\n'));
  const { run, diagnostics, waves, memory } = await runSnippet(prepared.value, engine);
  expect([run.status, ...diagnostics.map(formatDiagnostic)], name).toEqual(['completed']);
  expect(waves.map((wave) => [wave.workgroup.join(), wave.wave])).toEqual([['0,0,0', 0]]);
  const lines = (words: (code: number) => Iterable<number>): string[] =>
    [...expected.registers.keys()].map((code) => `${registerName(code)}: ${hex([...words(code)])}`);
  expect(
    lines((code) => waves[0]!.values.get(code)!),
    name,
  ).toEqual(lines((code) => expected.registers.get(code)!));
  for (const { what, address, words } of expected.memory)
    expect(hex(readWords(memory, address, words.length)), `${name} ${what}`).toBe(hex(words));
}

it('has files', () => {
  expect(files.length).toBeGreaterThanOrEqual(20);
});

describe('filetests/exec on the reference', () => {
  it.each(files)('%s', async (file) => {
    const cases = readExecFile(join(FOLDER, file));
    expect(cases.every((c) => c.expected.length > 0)).toBe(true);
    for (const one of cases) {
      await check(new ReferenceEngine(), one);
      await checkSnippet(new ReferenceEngine(), one);
    }
  });
});

async function checkOnDevice({ engine }: TestDevice, one: ExecCase): Promise<void> {
  if (one.refusal === '') return check(engine, one);
  const { run } = await runOn(engine, prepare(one.program));
  expect(run.status, one.name).toBe('unsupported');
  expect(new Set(run.diagnostics.map((d) => d.code)), one.name).toEqual(new Set([one.refusal]));
}

describe.skipIf(!deviceReady).each([
  // 2 or 4 lanes per invocation, and all files; then 8 or 16 lanes where lanes meet.
  { subgroup: 16, which: /./ },
  { subgroup: 4, which: /dpp|ds_|lane|mbcnt|loop|cmp|carry|exec/ },
] as const)('filetests/exec on Vulkan, subgroups of $subgroup', ({ subgroup, which }) => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(subgroup);
  });
  afterAll(() => device?.close());

  it.each(files.filter((name) => which.test(name)))('%s', async (file) => {
    for (const one of readExecFile(join(FOLDER, file))) await checkOnDevice(device, one);
  });
});

describe.skipIf(!deviceReady)('filetests/exec as snippets on Vulkan', () => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(8);
  });
  afterAll(() => device?.close());

  it.each(files)('%s', async (file) => {
    for (const one of readExecFile(join(FOLDER, file))) if (one.refusal === '') await checkSnippet(device.engine, one);
  });
});
