/**
 * Every ALU and lane instruction of three targets as SPIR-V on lavapipe, against the reference, register by register.
 *
 * The encodings are LLVM's; a dozen run one after the other as a snippet with noise in all registers, under random EXEC,
 * SCC and MODE. Then everything they write must be the same in every lane, inactive ones as well. By default gfx1013 runs
 * whole and of the others every third dozen; ROWS=all runs all of them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/main/base/diagnostics.ts';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { InitialRegisters } from '../../src/main/driver/engine.ts';
import { ReferenceEngine } from '../../src/main/driver/reference-engine.ts';
import { OPERAND } from '../../src/main/isa/operands.ts';
import { registerName } from '../../src/main/session/register-names.ts';
import {
  compareSnippetRuns,
  prepareSnippet,
  runSnippet,
  snippetRegisters,
} from '../../src/main/session/run-snippet.ts';
import { CODE, deviceReady, type HostSubgroup, TestDevice } from '../support/device.ts';
import { type Encoded, encodedRows, haveRows, isComparable, isTrapRegister, noise } from '../support/isa-rows.ts';
import { RandomSource } from '../support/random-source.ts';

const PER_SNIPPET = 12;
const NOTHING: InitialRegisters = { scalars: new Map(), vgprs: new Map() };

function randomRegisters(random: RandomSource, waveSize: WaveSize): InitialRegisters {
  const scalars = new Map<number, number>();
  for (let code = 0; code < 128; code++)
    if (!isTrapRegister(code) && code !== OPERAND.NULL) scalars.set(code, noise(random));
  const isFull = random.below(3) === 0;
  for (const half of [OPERAND.EXEC_LO, OPERAND.EXEC_HI]) scalars.set(half, isFull ? 0xffffffff : random.bits());
  scalars.set(OPERAND.SCC, random.below(2));
  const lanes = (): Uint32Array => Uint32Array.from({ length: waveSize }, () => noise(random));
  return { scalars, vgprs: new Map(Array.from({ length: 256 }, (_, vgpr) => [vgpr, lanes()])) };
}

/** What is wrong with these instructions; empty when the engines agree. */
async function compare(
  device: TestDevice,
  target: Target,
  waveSize: WaveSize,
  pack: readonly Encoded[],
  random: RandomSource,
): Promise<string> {
  const words = Uint32Array.from(pack.flatMap((e) => e.words));
  const floatMode = random.below(3) === 0 ? random.below(256) : 0xc0;
  const prepared = prepareSnippet({
    words,
    target,
    waveSize,
    codeAddress: CODE,
    groups: [1, 1, 1],
    threads: [waveSize, 1, 1],
    initial: randomRegisters(random, waveSize),
    memory: [],
    ldsBytes: 0,
    floatMode,
    limit: 10_000,
    watched: snippetRegisters(words, target, waveSize, NOTHING),
  });
  const listing = `mode ${floatMode.toString(16)}: ${pack.map((e) => e.text).join('; ')}`;
  if (!prepared.ok) return `${listing}\n${prepared.error.map(formatDiagnostic).join('\n')}`;
  const reference = await runSnippet(prepared.value, new ReferenceEngine());
  const vulkan = await runSnippet(prepared.value, device.engine);
  const statuses = [reference.run.status, vulkan.run.status];
  if (statuses.some((status) => status !== 'completed'))
    return `${listing}\n${statuses.join(', ')}: ${vulkan.diagnostics.map(formatDiagnostic).join('\n')}`;
  const { equal, registers } = compareSnippetRuns(reference, vulkan);
  if (equal) return '';
  const differences = registers!.differences
    .slice(0, 4)
    .map((d) => `${registerName(d.register)}/${d.lane}: ${d.left.toString(16)}, Vulkan ${d.right.toString(16)}`);
  return [listing, ...differences].join('\n');
}

describe.skipIf(!haveRows || !deviceReady).each([
  { target: 'gfx1013', waveSize: 32, subgroup: 16, every: 1, seed: 11 },
  { target: 'gfx1013', waveSize: 64, subgroup: 8, every: 3, seed: 12 },
  { target: 'gfx1030', waveSize: 64, subgroup: 16, every: 3, seed: 13 },
  { target: 'gfx700', waveSize: 64, subgroup: 4, every: 3, seed: 14 },
] as const)('rows of $target on Vulkan, wave$waveSize, subgroups of $subgroup, seed $seed', (options) => {
  const { target, waveSize, seed } = options;
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(options.subgroup satisfies HostSubgroup);
  });
  afterAll(() => device?.close());

  it('are what the reference computes', { timeout: 300_000 }, async () => {
    const rows = encodedRows(`opcodes_${target}.tsv`)
      .filter((e) => isComparable(target, e))
      // Compared in device-relative.test.ts, with an M0 that stays among the registers there are.
      .filter((e) => !/^[sv]_(movrel|swaprel)/.test(e.text));
    const step = PER_SNIPPET * (process.env.ROWS === 'all' ? 1 : options.every);
    const random = new RandomSource(seed);
    const wrong: string[] = [];
    let compared = 0;
    for (let at = 0; at < rows.length; at += step) {
      const pack = rows.slice(at, at + PER_SNIPPET);
      const message = await compare(device, target, waveSize, pack, random);
      if (message) wrong.push(message);
      compared += pack.length;
    }
    console.log(`rows of ${target} on Vulkan, wave${waveSize}: ${compared} of ${rows.length} instructions compared`);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });
});
