/**
 * RADV's kernels as captures: imported, replayed on the reference, and every word of every buffer compared with
 * expectations that come from elsewhere (tools/radv/expected: lavapipe, or scripts that follow the definitions).
 *
 * The scripts are themselves held against what lavapipe gave, wherever the two compute the same formula.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { ReferenceEngine } from '../../src/main/driver/reference-engine.ts';
import { type ExpectedBuffer, RadvExpectations, SCRIPTED_KERNELS } from '../../tools/radv/expected/expected-buffers.ts';
import { importSample } from '../../tools/radv/expected/import-sample.ts';
import { runSample } from '../../tools/radv/expected/run-sample.ts';
import { listRadvSamples, loadRadvSample, RADV_FOLDER, type RadvSample } from '../../tools/radv/expected/sample.ts';

const samples = listRadvSamples();
if (samples.length === 0) console.warn(`skipped: ${RADV_FOLDER} is not there`);

const expectations = new RadvExpectations();
const engine = new ReferenceEngine();
let exact = 0;
let excepted = 0;

describe.skipIf(samples.length === 0)('RADV captures on the reference', () => {
  it('covers the ten kernels for navi10 and navi21 at both wave sizes', () => {
    for (const variant of ['navi10-aco-w32', 'navi10-aco-w64', 'navi21-aco-w32', 'navi21-aco-w64']) {
      const kernels = samples.filter((name) => name.variant === variant).map((name) => name.kernel);
      expect(kernels).toEqual([...SCRIPTED_KERNELS].sort());
    }
  });

  for (const name of samples) {
    it(`${name.variant} ${name.kernel}`, async () => {
      const imported = importSample(name, expectations);
      const { verdict, problems } = await runSample(imported, engine);
      expect(problems).toEqual([]);
      expect(verdict.kind).toBe('equal');
      exact += verdict.words - verdict.excepted;
      excepted += verdict.excepted;
    });
  }

  it('fails when a word, a bounded word or a winner is not as expected', async () => {
    const failure = async (kernel: string, change: (buffer: ExpectedBuffer) => ExpectedBuffer): Promise<string> => {
      const of = (sample: RadvSample): ExpectedBuffer[][] =>
        expectations.of(sample).map((set, s) => set.map((buffer, b) => (s === 0 && b === 1 ? change(buffer) : buffer)));
      const { passed, problems } = await runSample(importSample({ variant: 'navi10-aco-w64', kernel }, { of }), engine);
      expect(passed).toBe(false);
      return problems[0]!;
    };
    const withWord = (buffer: ExpectedBuffer, word: number, add: number): ExpectedBuffer => {
      const words = buffer.words.slice();
      words[word]! += add;
      return { ...buffer, words };
    };
    expect(await failure('int64_mul', (b) => withWord(b, 767, 1))).toMatch(/^1 of 1024 words differ/);
    // Word 2 is a square root within 1 ulp.
    expect(await failure('fp32_math', (b) => withWord(b, 2, 3))).toMatch(/^1 of 3584 words differ/);
    expect(await failure('atomics', (b) => ({ ...b, allowed: new Map([[20, [5, 69]]]) }))).toMatch(/none of 5, 69$/);
  });

  afterAll(() => console.log(`RADV captures on the reference: ${exact} words exact, ${excepted} excepted`));
});

describe.skipIf(samples.length === 0)('scripts of expected words against golden', () => {
  const load = (kernel: string, variant = 'navi21-aco-w64') => {
    const sample = loadRadvSample({ variant, kernel });
    return { sample, words: expectations.of(sample)[0]![1]!.words, golden: sample.golden[0]![1]! };
  };
  /** Positions within `stride` at which any word differs. */
  const differing = (words: Uint32Array, golden: Uint32Array, stride: number): number[] => {
    const places = new Set<number>();
    words.forEach((word, i) => {
      if (word !== golden[i]) places.add(i % stride);
    });
    return [...places].sort((a, b) => a - b);
  };

  it('fp64: only the multiply-add, fused, and the quotient differ, by their low words', () => {
    const { words, golden } = load('fp64');
    expect(differing(words, golden, 16)).toEqual([4, 6]);
    // Neighbours of the correctly rounded quotients, from which golden was made.
    for (let i = 6; i < words.length; i += 16) {
      const order = (w: Uint32Array): bigint => (BigInt(w[i + 1]!) << 32n) | BigInt(w[i]!);
      expect(order(words) - order(golden)).toBeGreaterThanOrEqual(-1n);
      expect(order(words) - order(golden)).toBeLessThanOrEqual(1n);
    }
  });

  it('fp16_packed: only the multiply-add, fused, differs', () => {
    const { words, golden } = load('fp16_packed');
    expect(differing(words, golden, 4)).toEqual([2]);
  });

  it('fp32_math: fract, clamp, ldexp and bit counts are equal, 196 of 256 packed words differ', () => {
    const { words, golden } = load('fp32_math');
    const places = differing(words, golden, 12);
    for (const place of [7, 8, 9, 11]) expect(places).not.toContain(place);
    const packed = words.filter((word, i) => i % 12 === 10 && word !== golden[i]);
    expect(packed.length).toBe(196);
  });

  it('abi_ids: differs by the subgroup id alone', () => {
    for (const variant of ['navi21-aco-w32', 'navi21-aco-w64']) {
      const { sample, words, golden } = load('abi_ids', variant);
      for (let i = 0; i < words.length; i++) {
        const subgroups = (golden[i]! - words[i]!) / 1000;
        expect(Number.isInteger(subgroups) && subgroups >= 0 && subgroups < 8).toBe(true);
      }
      expect(expectations.of(sample)[1]![0]!.words).toEqual(sample.golden[1]![0]);
    }
  });

  it('subgroup_ops: exchanges inside groups of 8 do not depend on the wave size', () => {
    for (const variant of ['navi21-aco-w32', 'navi21-aco-w64']) {
      const { words, golden } = load('subgroup_ops', variant);
      const places = differing(words, golden, 12);
      for (const place of [7, 8]) expect(places).not.toContain(place);
      expect(places).toContain(2);
    }
  });
});
