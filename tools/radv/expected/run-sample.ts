/** Replays an imported RADV sample on one engine and judges what it left in memory. */
import { formatDiagnostic } from '../../../src/main/base/diagnostics.ts';
import { formatAddress, type GuestAddress } from '../../../src/main/base/guest-address.ts';
import { openCaptureBytes } from '../../../src/main/capture/store/open-capture.ts';
import type { DispatchEngine, EngineRun } from '../../../src/main/driver/engine.ts';
import { replay } from '../../../src/main/session/replay.ts';
import { judge, type Verdict } from '../../../src/main/session/verdict.ts';
import type { ImportedSample } from './import-sample.ts';

export interface SampleRun {
  readonly verdict: Verdict;
  readonly run?: EngineRun;
  readonly passed: boolean;
  /** Largest bound among the exceptions with an ulp bound. */
  readonly largestBound: number;
  /** Why it did not pass, one line each. */
  readonly problems: readonly string[];
}

export async function runSample(imported: ImportedSample, engine: DispatchEngine): Promise<SampleRun> {
  const open = openCaptureBytes(imported.capture);
  if (!open.ok) throw new Error(open.error.map(formatDiagnostic).join('; '));
  const problems = open.value.capture.damage.map(formatDiagnostic);
  let result: Omit<SampleRun, 'passed' | 'problems' | 'largestBound'> | undefined;
  try {
    for await (const { event, dispatch, memory } of replay(open.value, { engine })) {
      problems.push(
        ...event.diagnostics.filter((d) => d.kind !== 'note' && d.kind !== 'warning').map(formatDiagnostic),
      );
      if (!dispatch) continue;
      const { run, diagnostics, number } = dispatch;
      if (result) problems.push('more than one dispatch');
      const verdict = judge(open.value, number, run, memory, diagnostics, engine.backend);
      result = { verdict, ...(run ? { run } : {}) };
      if (verdict.kind === 'equal') problems.push(...disallowed(imported, (address) => memory.peekBytes(address, 4)));
      else problems.push(verdict.message ?? verdict.kind, ...diagnostics.map(formatDiagnostic));
    }
  } finally {
    open.value.close();
  }
  if (!result) throw new Error('the capture has no dispatch');
  const bounds = imported.expected.flat().flatMap((b) => b.exceptions.map((e) => e.bound));
  const largestBound = Math.max(0, ...bounds.filter((b) => b !== 'any'));
  const passed = result.verdict.kind === 'equal' && problems.length === 0;
  return { ...result, largestBound, passed, problems: [...new Set(problems)] };
}

/** Words that may hold any of several values: whether they hold one of those. */
function disallowed(
  { expected, addresses }: ImportedSample,
  peek: (address: GuestAddress) => Uint8Array | undefined,
): string[] {
  const problems: string[] = [];
  expected.forEach((bindings, set) =>
    bindings.forEach(({ allowed }, binding) => {
      for (const [word, values] of allowed ?? []) {
        const address = (addresses[set]![binding]! + 4 * word) as GuestAddress;
        const bytes = peek(address);
        const value = bytes && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
        if (value === undefined || !values.includes(value))
          problems.push(`${formatAddress(address)} holds ${value}, which is none of ${values.join(', ')}`);
      }
    }),
  );
  return problems;
}
