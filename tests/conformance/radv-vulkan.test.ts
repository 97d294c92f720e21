/**
 * RADV's kernels recompiled and run on lavapipe: the same captures and independent expectations as radv.test.ts.
 *
 * Every sample runs at subgroup 16 (two or four lanes per invocation); samples that are the same code on several families
 * run once more at subgroup 8 for one of them. A missing device skips, never passes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RadvExpectations } from '../../tools/radv/expected/expected-buffers.ts';
import { importSample } from '../../tools/radv/expected/import-sample.ts';
import { runSample } from '../../tools/radv/expected/run-sample.ts';
import { listRadvSamples, RADV_FOLDER, type RadvSampleName } from '../../tools/radv/expected/sample.ts';
import { deviceReady, TestDevice } from '../support/device.ts';

const samples = listRadvSamples();
if (samples.length === 0) console.warn(`skipped: ${RADV_FOLDER} is not there`);

const expectations = new RadvExpectations();
let exact = 0;
let excepted = 0;

function runAt(subgroup: 8 | 16, names: readonly RadvSampleName[]): void {
  describe.skipIf(!deviceReady || samples.length === 0)(`RADV captures on lavapipe, subgroup ${subgroup}`, () => {
    let device: TestDevice;
    beforeAll(async () => {
      device = await TestDevice.open(subgroup);
    });
    afterAll(async () => {
      await device.close();
    });

    for (const name of names) {
      it(`${name.variant} ${name.kernel}`, async () => {
        const { verdict, problems } = await runSample(importSample(name, expectations), device.engine);
        expect(problems).toEqual([]);
        expect(verdict.kind).toBe('equal');
        exact += verdict.words - verdict.excepted;
        excepted += verdict.excepted;
      });
    }
  });
}

runAt(16, samples);
runAt(
  8,
  samples.filter(({ variant }) => variant === 'navi21-aco-w32'),
);

afterAll(() => console.log(`RADV captures on lavapipe: ${exact} words exact, ${excepted} excepted`));
