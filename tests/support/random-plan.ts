/**
 * Random programs on the reference and on a device, bit for bit: the plan of packs, and one pack run and explained. Used
 * by the tests and by the soak (tools/soak/diff.ts).
 */
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GpuEngine } from '../../src/main/driver/gpu-engine.ts';
import { compare } from './device.ts';
import type { InstructionClass } from './random-instructions.ts';
import { describeOutput, type Pack, packProgram, randomSnippet, type Shape } from './random-programs.ts';

interface Mix {
  readonly classes: readonly InstructionClass[];
  readonly memory: boolean;
  readonly lds: boolean;
  readonly misaligned?: boolean;
  readonly barriers?: boolean;
}

const MIXES: readonly Mix[] = [
  { classes: ['int', 'scalar', 'compare', 'int16'], memory: false, lds: false },
  { classes: ['float', 'int', 'scalar', 'compare'], memory: true, lds: false },
  { classes: ['lanes', 'forms', 'int', 'scalar'], memory: false, lds: true },
  { classes: ['int', 'int16', 'float', 'compare', 'scalar', 'lanes', 'forms'], memory: true, lds: true },
];
/** Kinds of packs that devices run in another form: checked memory, barriers in phases. */
const SPECIAL = {
  misaligned: { classes: ['int', 'scalar'], memory: true, lds: true, misaligned: true },
  barriers: { classes: ['int', 'scalar', 'compare', 'lanes'], memory: false, lds: true, barriers: true },
} as const satisfies Record<string, Mix>;
export type SpecialPack = keyof typeof SPECIAL;

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

/** `length`: roughly the instructions of a snippet. */
export function planPack(
  number: number,
  waveSize: WaveSize,
  size: number,
  length = 30,
  special?: SpecialPack,
): PackPlan {
  const target: Target = number % 2 === 0 ? 'gfx1013' : 'gfx1030';
  const mix: Mix = special ? SPECIAL[special] : MIXES[number % MIXES.length]!;
  const seeds = Array.from({ length: size }, (_, i) => number * size + i);
  const snippets = seeds.map((seed) => {
    const shape = special === 'barriers' && seed % 10 === 9 ? 'loops' : shapeOf(seed);
    return randomSnippet(seed, { target, waveSize, shape, size: shape === 'graph' ? length / 2 : length, ...mix });
  });
  // One wave, two waves, a wave and a part of one.
  const threads = special === 'barriers' ? 3 * waveSize : [waveSize, 2 * waveSize, waveSize + 9][number % 3]!;
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

/** A difference with the snippet, lane and register that it is in. */
export function explain(pack: Pack, difference: string): string {
  const address = /^(0x[0-9a-f_]+): /.exec(difference)?.[1];
  return address ? `${describeOutput(pack, Number(address.replaceAll('_', '')))} ${difference}` : difference;
}
