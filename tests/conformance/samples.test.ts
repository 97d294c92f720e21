/**
 * Every dispatch of every sample in the repository equals its expectations: on the reference, and on Vulkan with both
 * engines' memories compared. Expectations come from C originals, GLSL originals on lavapipe, or are worked out by hand.
 */
import { describe, expect, it } from 'vitest';
import { cliIsBuilt, runCli, sample } from '../support/run-cli.ts';
import { haveLavapipe, LAVAPIPE_ICD } from '../support/tools.ts';

interface Verified {
  readonly passed: boolean;
  readonly captures: readonly {
    readonly capture: string;
    readonly dispatches: readonly {
      readonly verdicts: readonly { readonly kind: string; readonly words: number; readonly message?: string }[];
    }[];
  }[];
}

function verify(backend: string, env: NodeJS.ProcessEnv): { code: number; value: Verified } {
  const result = runCli(['verify', sample(''), '--backend', backend, '--jobs', '2', '--json'], { env });
  return { code: result.code, value: JSON.parse(result.stdout) as Verified };
}

describe.skipIf(!cliIsBuilt)('samples', () => {
  it('equal their expectations on the reference', () => {
    const { code, value } = verify('reference', {});
    const bad = value.captures.flatMap((c) =>
      c.dispatches.flatMap((d) =>
        d.verdicts.filter((v) => v.kind !== 'equal' && v.kind !== 'refused').map((v) => `${c.capture}: ${v.message}`),
      ),
    );
    expect(bad).toEqual([]);
    expect(code).toBe(0);
    expect(value.captures.length).toBeGreaterThanOrEqual(40);
    const words = value.captures.flatMap((c) => c.dispatches.flatMap((d) => d.verdicts.map((v) => v.words)));
    expect(words.reduce((a, b) => a + b, 0)).toBeGreaterThan(28_000);
  });

  it.skipIf(!haveLavapipe())('equal their expectations on Vulkan, and the engines agree', { timeout: 900_000 }, () => {
    const { code, value } = verify('all', { VK_ICD_FILENAMES: LAVAPIPE_ICD, LP_NATIVE_VECTOR_WIDTH: '512' });
    const bad = value.captures.flatMap((c) =>
      c.dispatches.flatMap((d) =>
        d.verdicts.filter((v) => v.kind !== 'equal' && v.kind !== 'refused').map((v) => `${c.capture}: ${v.message}`),
      ),
    );
    expect(bad).toEqual([]);
    expect(code).toBe(0);
    // Only divergent function pointers may be refused by a device, besides the call to nowhere.
    const refused = value.captures
      .filter((c) => c.dispatches.some((d) => d.verdicts.some((v) => v.kind === 'refused')))
      .map((c) => c.capture);
    expect(refused.every((name) => /call-unmapped|k_indirect_mem/.test(name))).toBe(true);
  });
});
