/**
 * Verifies the RADV samples beside the repository: imports each with independent expectations, runs it, compares.
 *
 *   npx tsx tools/radv/verify-radv.ts [--backend reference|vulkan|all] [--out DIR] [--only WORD] [--device NAME]
 *
 * Prints a table (variant, kernel, wave, instructions, words, exact and excepted words, largest distance and bound,
 * verdict) and totals per kernel; exits 1 when anything differs, 2 when the samples are not there. With backend `all` the
 * memories of the engines must be equal too. `--out` writes the captures, so that `lanescope verify DIR` shows the same;
 * `--only` keeps samples whose `variant/kernel` contains the word.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BACKENDS, type BackendName, type DispatchEngine } from '../../src/main/driver/engine.ts';
import { createEngine } from '../../src/main/session/engines.ts';
import { RadvExpectations } from './expected/expected-buffers.ts';
import { importSample } from './expected/import-sample.ts';
import { engineDifference, runSample, type SampleRun } from './expected/run-sample.ts';
import { listRadvSamples, RADV_FOLDER } from './expected/sample.ts';
import { sampleRow, TABLE_HEAD, tableLines, totalLines } from './expected/sample-table.ts';

const { values } = parseArgs({
  options: {
    backend: { type: 'string', default: 'reference' },
    out: { type: 'string' },
    only: { type: 'string', default: '' },
    device: { type: 'string' },
  },
});
const backends = values.backend === 'all' ? BACKENDS : BACKENDS.filter((name) => name === values.backend);
if (backends.length === 0) {
  console.error(`--backend: ${values.backend} is none of ${BACKENDS.join(', ')}, all`);
  process.exit(2);
}
const samples = listRadvSamples().filter(({ variant, kernel }) => `${variant}/${kernel}`.includes(values.only));
if (samples.length === 0) {
  console.error(`${RADV_FOLDER} holds no sample${values.only && ` with "${values.only}"`}`);
  process.exit(2);
}

const expectations = new RadvExpectations();
const engines = new Map<BackendName, DispatchEngine>();
for (const name of backends)
  engines.set(name, await createEngine(name, values.device === undefined ? {} : { device: values.device }));
const rows: ReturnType<typeof sampleRow>[] = [];
const problems: string[] = [];
try {
  for (const name of samples) {
    const imported = importSample(name, expectations);
    if (values.out !== undefined) {
      mkdirSync(join(values.out, name.variant), { recursive: true });
      writeFileSync(join(values.out, name.variant, `${name.kernel}.lscap`), imported.capture);
    }
    let before: SampleRun | undefined;
    for (const engine of engines.values()) {
      let result = await runSample(imported, engine);
      const difference = before && engineDifference(before, result);
      if (difference) result = { ...result, passed: false, problems: [...result.problems, difference] };
      before = result;
      rows.push(sampleRow(imported, result));
      for (const problem of result.problems)
        problems.push(`${name.variant}/${name.kernel} (${engine.backend}): ${problem}`);
    }
  }
} finally {
  for (const engine of engines.values()) await engine.close();
}
for (const line of tableLines(TABLE_HEAD, rows)) console.log(line);
for (const line of totalLines(rows)) console.log(line);
for (const problem of problems) console.error(problem);
const failed = rows.filter((row) => !row.passed).length;
console.log(`${rows.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
