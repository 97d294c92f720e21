/**
 * Tests over random programs: packs at subgroup 16, a tenth at 8 and 4, misaligned accesses, and one that must differ.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WaveSize } from '../../src/main/base/dispatch.ts';
import { codegenProfile } from '../../src/main/driver/gpu-engine.ts';
import { ReferenceEngine } from '../../src/main/driver/reference-engine.ts';
import { compileProgram } from '../../src/main/recompiler/compile-program.ts';
import { deviceReady, differingWords, type HostSubgroup, prepare, runOn, TestDevice } from './device.ts';
import { differencesOf, explain, planPack } from './random-plan.ts';
import { packProgram } from './random-programs.ts';

/** `packs` of ten snippets at subgroup 16, a tenth of the programs at 8 and at 4. */
export function differentialTests(waveSize: WaveSize, packs: number): void {
  const runs: readonly {
    readonly subgroup: HostSubgroup;
    readonly first: number;
    readonly count: number;
    readonly size: number;
    readonly length: number;
  }[] = [
    { subgroup: 16, first: 0, count: packs, size: 10, length: 30 },
    { subgroup: 8, first: 1000, count: Math.ceil(packs / 4), size: 4, length: 30 },
    // Sixteen lanes of a wave64 in each invocation: compiling takes longest here.
    { subgroup: 4, first: 2000, count: Math.ceil(packs / 4), size: 4, length: 14 },
  ];
  for (const { subgroup, first, count, size, length } of runs) {
    describe.skipIf(!deviceReady)(`random programs, wave${waveSize}, subgroups of ${subgroup}`, () => {
      let device: TestDevice;
      beforeAll(async () => {
        device = await TestDevice.open(subgroup);
      });
      afterAll(() => device?.close());

      it.each(Array.from({ length: count }, (_, i) => first + i))('pack %i', async (number) => {
        expect(await differencesOf(device.engine, planPack(number, waveSize, size, length))).toEqual([]);
      });
      if (subgroup !== 16) return;

      it('misaligned accesses, which need checked memory', async () => {
        expect(await differencesOf(device.engine, planPack(5000, waveSize, 3, 20, 'misaligned'))).toEqual([]);
      });

      it.each([0, 1, 2, 3])('barriers anywhere, pack %i', async (number) => {
        const plan = planPack(6000 + number, waveSize, 3, 14, 'barriers');
        const { program, dispatch } = prepare(packProgram(plan.pack));
        const profile = codegenProfile(device.device.profile);
        const compiled = compileProgram(program, dispatch, { profile, deterministic: true, tripLimit: true });
        expect(compiled.structured?.phases).toBe(true);
        expect(await differencesOf(device.engine, plan)).toEqual([]);
      });

      it('sees a program that differs in one instruction', async () => {
        const { pack } = planPack(0, waveSize, 3);
        const changed = {
          ...pack,
          snippets: [...pack.snippets.slice(0, -1), `${pack.snippets.at(-1)}\n  v_add_nc_u32 v9, 1, v9`],
        };
        const reference = await runOn(new ReferenceEngine(), prepare(packProgram(pack)));
        const other = await runOn(device.engine, prepare(packProgram(changed)));
        const differences = differingWords(reference.memory, other.memory);
        expect(differences[0] && explain(pack, differences[0])).toContain('snippet 2');
        expect(explain(pack, differences[0]!)).toContain(' v9 ');
      });
    });
  }
}
