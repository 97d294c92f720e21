/**
 * Random programs on the reference and on lavapipe, bit for bit: the plan of packs, one pack run and explained, and the
 * tests over them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GpuEngine } from '../../src/main/driver/gpu-engine.ts';
import { ReferenceEngine } from '../../src/main/driver/reference-engine.ts';
import { compare, deviceReady, differingWords, type HostSubgroup, prepare, runOn, TestDevice } from './device.ts';
import type { InstructionClass } from './random-instructions.ts';
import { describeOutput, type Pack, packProgram, randomSnippet, type Shape } from './random-programs.ts';

interface Mix {
  readonly classes: readonly InstructionClass[];
  readonly memory: boolean;
  readonly lds: boolean;
  readonly misaligned?: boolean;
}

const MIXES: readonly Mix[] = [
  { classes: ['int', 'scalar', 'compare', 'int16'], memory: false, lds: false },
  { classes: ['float', 'float', 'int', 'compare'], memory: true, lds: false },
  { classes: ['lanes', 'forms', 'int', 'scalar'], memory: false, lds: true },
  { classes: ['int', 'int16', 'float', 'compare', 'scalar', 'lanes', 'forms'], memory: true, lds: true },
];
const MISALIGNED: Mix = { classes: ['int', 'scalar'], memory: true, lds: true, misaligned: true };

/** One in ten jumps anywhere: those modules take drivers longest. */
function shapeOf(seed: number): Shape {
  if (seed % 10 === 9) return 'graph';
  return (['straight', 'divergent', 'loops'] as const)[seed % 3]!;
}

export interface PackPlan {
  readonly pack: Pack;
  /** Of each snippet. */
  readonly seeds: readonly number[];
}

export function planPack(number: number, waveSize: WaveSize, size: number, misaligned = false): PackPlan {
  const target: Target = number % 2 === 0 ? 'gfx1013' : 'gfx1030';
  const mix = misaligned ? MISALIGNED : MIXES[number % MIXES.length]!;
  const seeds = Array.from({ length: size }, (_, i) => number * size + i);
  const snippets = seeds.map((seed) => {
    const shape = shapeOf(seed);
    return randomSnippet(seed, { target, waveSize, shape, size: shape === 'graph' ? 14 : 30, ...mix });
  });
  // One wave, two waves, a wave and a part of one.
  const threads = [waveSize, 2 * waveSize, waveSize + 9][number % 3]!;
  return { pack: { target, waveSize, threads, seed: number, snippets }, seeds };
}

/** Nothing when both engines agree; otherwise what differs, snippet by snippet. */
export async function differencesOf(engine: GpuEngine, { pack, seeds }: PackPlan): Promise<string[]> {
  const { differences } = await compare(engine, packProgram(pack));
  if (differences.length === 0) return [];
  const out: string[] = [];
  for (const [i, snippet] of pack.snippets.entries()) {
    const single = { ...pack, snippets: [snippet] };
    const alone = await compare(engine, packProgram(single));
    for (const text of alone.differences.slice(0, 3)) out.push(`seed ${seeds[i]}: ${explain(single, text)}`);
  }
  if (out.length === 0) for (const text of differences.slice(0, 3)) out.push(`only together: ${explain(pack, text)}`);
  return out;
}

function explain(pack: Pack, difference: string): string {
  const address = /^(0x[0-9a-f_]+): /.exec(difference)?.[1];
  return address ? `${describeOutput(pack, Number(address.replaceAll('_', '')))} ${difference}` : difference;
}

/** `packs` of ten snippets at subgroup 16, a tenth of the programs at 8 and at 4. */
export function differentialTests(waveSize: WaveSize, packs: number): void {
  const runs: readonly {
    readonly subgroup: HostSubgroup;
    readonly first: number;
    readonly count: number;
    readonly size: number;
  }[] = [
    { subgroup: 16, first: 0, count: packs, size: 10 },
    { subgroup: 8, first: 1000, count: Math.ceil(packs / 4), size: 4 },
    { subgroup: 4, first: 2000, count: Math.ceil(packs / 4), size: 4 },
  ];
  for (const { subgroup, first, count, size } of runs) {
    describe.skipIf(!deviceReady)(`random programs, wave${waveSize}, subgroups of ${subgroup}`, () => {
      let device: TestDevice;
      beforeAll(async () => {
        device = await TestDevice.open(subgroup);
      });
      afterAll(() => device?.close());

      it.each(Array.from({ length: count }, (_, i) => first + i))('pack %i', async (number) => {
        expect(await differencesOf(device.engine, planPack(number, waveSize, size))).toEqual([]);
      });
      if (subgroup !== 16) return;

      it('misaligned accesses, which need checked memory', async () => {
        expect(await differencesOf(device.engine, planPack(5000, waveSize, 3, true))).toEqual([]);
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
