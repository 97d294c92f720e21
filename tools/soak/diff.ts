/**
 * Random programs on the reference and on lavapipe for as long as wanted: `npm run soak:diff -- [options]`
 *
 *   --packs N          packs of ten programs for each wave size and subgroup (default 50)
 *   --from N           number of the first pack (default 10000); numbers are seeds
 *   --waves 32,64      --subgroups 16,8,4
 *   --repeat N         each pack so many times: a flaky pass is a failure (default 1)
 *
 * Progress is kept in test-output/soak-diff.json, so that a run that was ended goes on where it was; delete the file to
 * start again. Exit status 1 when anything differed. Needs the built GPU host (node tools/setup/build-engine.mjs).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { WaveSize } from '../../src/main/base/dispatch.ts';
import { deviceReady, type HostSubgroup, TestDevice } from '../../tests/support/device.ts';
import { differencesOf, planPack } from '../../tests/support/random-plan.ts';
import { ROOT } from '../../tests/support/tools.ts';

const { values } = parseArgs({
  options: {
    packs: { type: 'string', default: '50' },
    from: { type: 'string', default: '10000' },
    waves: { type: 'string', default: '32,64' },
    subgroups: { type: 'string', default: '16,8,4' },
    repeat: { type: 'string', default: '1' },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);

interface Progress {
  /** "wave subgroup pack" of what is done. */
  readonly done: string[];
  readonly failures: Record<string, readonly string[]>;
}

const file = join(ROOT, 'test-output', 'soak-diff.json');
mkdirSync(join(ROOT, 'test-output'), { recursive: true });
const progress: Progress = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { done: [], failures: {} };
const done = new Set(progress.done);

if (!deviceReady) process.exit(1);
let programs = 0;
for (const subgroup of numbers(values.subgroups) as HostSubgroup[]) {
  const device = await TestDevice.open(subgroup, { MESA_SHADER_CACHE_DISABLE: 'true' });
  for (const waveSize of numbers(values.waves) as WaveSize[]) {
    for (let n = Number(values.from); n < Number(values.from) + Number(values.packs); n++) {
      const name = `wave${waveSize} subgroup${subgroup} pack${n}`;
      if (done.has(name)) continue;
      const plan = planPack(
        n,
        waveSize,
        subgroup === 4 ? 4 : 10,
        subgroup === 4 ? 14 : 30,
        n % 16 === 15 ? 'misaligned' : undefined,
      );
      const found: string[] = [];
      for (let turn = 0; turn < Number(values.repeat); turn++)
        found.push(...(await differencesOf(device.engine, plan)));
      programs += plan.seeds.length;
      if (found.length > 0) progress.failures[name] = found;
      progress.done.push(name);
      writeFileSync(file, JSON.stringify(progress, null, 1));
      console.log(`${name}: ${found.length === 0 ? 'equal' : found.join('\n  ')}`);
    }
  }
  await device.close();
}
const failures = Object.keys(progress.failures);
console.log(`${programs} programs now, ${progress.done.length} packs in all, ${failures.length} packs differ`);
process.exit(failures.length === 0 ? 0 : 1);
