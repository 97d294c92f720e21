/**
 * Every module that the samples compile to, for subgroups of 4 to 64 and both forms of memory access, and with all final
 * registers stored, is accepted by spirv-val. Wave32 and wave64 samples give 1 to 16 lanes per invocation, and subgroups
 * wider than the wave.
 *
 * The last test shows that the judge is awake: a module with one word damaged is refused.
 */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/main/base/diagnostics.ts';
import type { ComputeDispatch } from '../../src/main/base/dispatch.ts';
import { refusals } from '../../src/main/driver/link-dispatch.ts';
import type { Program } from '../../src/main/program/program.ts';
import { compileProgram } from '../../src/main/recompiler/index.ts';
import { WaveRecord } from '../../src/main/session/app/wave-record.ts';
import { openCapture } from '../../src/main/session/open-input.ts';
import { assumedProfile } from '../../src/main/session/recompile-dispatch.ts';
import { replay } from '../../src/main/session/replay.ts';
import { findCaptures } from '../../src/main/session/verify-many.ts';
import { sample } from '../support/run-cli.ts';
import { haveTool, temporaryFolder } from '../support/tools.ts';

const SUBGROUPS = [4, 8, 16, 32, 64] as const;
const FORMS = ['direct', 'checked', 'taps'] as const;
/** Not run on any backend, or without code for a device: the reason is the sample's own expectation. */
const WITHOUT_MODULE = /call-unmapped|k_indirect_mem/;

const haveValidator = haveTool('spirv-val');

interface SampleDispatch {
  readonly name: string;
  readonly dispatch: ComputeDispatch;
  readonly program: Program;
}

async function dispatchesOfSamples(): Promise<SampleDispatch[]> {
  const found = findCaptures([sample('')]);
  if (!found.ok) throw new Error(found.error.map(formatDiagnostic).join('\n'));
  const dispatches: SampleDispatch[] = [];
  for (const file of found.value) {
    const open = openCapture(file.path);
    if (!open.ok) throw new Error(open.error.map(formatDiagnostic).join('\n'));
    // Without an engine dispatches are linked and change nothing.
    for await (const { dispatch: step } of replay(open.value)) {
      if (!step?.dispatch || !step.program) continue;
      const name = `${file.name} ${step.number}`;
      dispatches.push({ name, dispatch: step.dispatch, program: step.program });
    }
  }
  return dispatches;
}

const folder = haveValidator ? temporaryFolder() : '';
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true });
});

/** What spirv-val says; empty when it accepts. */
async function complaint(words: Uint32Array, name: string): Promise<string> {
  const file = join(folder, `${name.replace(/\W+/g, '-')}.spv`);
  writeFileSync(file, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  try {
    await promisify(execFile)('spirv-val', ['--target-env', 'vulkan1.2', file]);
    return '';
  } catch (error) {
    return `${name}: ${(error as { stderr?: string }).stderr || String(error)}`;
  } finally {
    rmSync(file);
  }
}

function compile({ program, dispatch }: SampleDispatch, subgroupSize: number, form: (typeof FORMS)[number]) {
  const options = { profile: assumedProfile(subgroupSize), deterministic: true, tripLimit: true } as const;
  switch (form) {
    // Both forms of the region lookup: written out for so many regions, and a loop.
    case 'direct':
      return compileProgram(program, dispatch, { ...options, memory: 'direct', regions: 12 });
    case 'checked':
      return compileProgram(program, dispatch, { ...options, memory: 'checked' });
    case 'taps':
      return compileProgram(program, dispatch, { ...options, taps: new WaveRecord(program, dispatch).watch.registers });
  }
}

describe.skipIf(!haveValidator)('modules of the samples', () => {
  it.each(SUBGROUPS)('are valid for subgroups of %i', { timeout: 120_000 }, async (subgroup) => {
    const complaints: string[] = [];
    const missing: string[] = [];
    let accepted = 0;
    for (const one of await dispatchesOfSamples()) {
      if (refusals(one.program).length > 0) {
        missing.push(one.name);
        continue;
      }
      const made = FORMS.map((form) => [form, compile(one, subgroup, form)] as const);
      if (made.some(([, { module }]) => !module)) missing.push(one.name);
      const found = await Promise.all(
        made.map(([form, { module }]) => (module ? complaint(module.words, `${one.name} ${form}`) : 'none')),
      );
      accepted += found.filter((text) => text === '').length;
      complaints.push(...found.filter((text) => text !== '' && text !== 'none'));
    }
    expect(complaints).toEqual([]);
    expect(missing.filter((name) => !WITHOUT_MODULE.test(name))).toEqual([]);
    console.log(
      `spirv-val, subgroups of ${subgroup}: ${accepted} modules accepted, ${missing.length} dispatches without`,
    );
    expect(accepted).toBeGreaterThanOrEqual(150);
  });

  it('and a damaged one is not', async () => {
    const [first] = await dispatchesOfSamples();
    const { module } = compile(first!, 32, 'direct');
    const words = module!.words.slice();
    // The bound on ids: every id is out of range now.
    words[3] = 2;
    expect(await complaint(words, 'damaged')).toMatch(/bound/i);
  });
});
