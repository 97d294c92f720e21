/** Replays an imported RADV sample on one engine and judges what it left in memory. */
import { formatDiagnostic } from '../../../src/main/base/diagnostics.ts';
import { formatAddress, type GuestAddress } from '../../../src/main/base/guest-address.ts';
import type { GuestMemory } from '../../../src/main/base/guest-memory.ts';
import { openCaptureBytes } from '../../../src/main/capture/store/open-capture.ts';
import type { DispatchEngine, EngineRun } from '../../../src/main/driver/engine.ts';
import { replay } from '../../../src/main/session/replay.ts';
import { compareMemories, freeWords, judge, type Verdict } from '../../../src/main/session/verdict.ts';
import type { ImportedSample } from './import-sample.ts';

export interface SampleRun {
  readonly verdict: Verdict;
  readonly run?: EngineRun;
  readonly passed: boolean;
  /** Largest bound among the exceptions with an ulp bound. */
  readonly largestBound: number;
  /** After the dispatch. */
  readonly memory: GuestMemory;
  /** Words that may differ between runs. */
  readonly free: ReadonlySet<number>;
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
      result = { verdict, memory, free: freeWords(open.value, number), ...(run ? { run } : {}) };
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

/** What two engines left differently, in words; undefined when nothing. Only where both ran to the end. */
export function engineDifference(left: SampleRun, right: SampleRun): string | undefined {
  if (left.run?.status !== 'completed' || right.run?.status !== 'completed') return undefined;
  const { differing, first } = compareMemories(left.memory, right.memory, left.free);
  if (!first) return undefined;
  const [a, b] = [first.left, first.right].map((word) => `0x${word.toString(16).padStart(8, '0')}`);
  return `${differing} words differ between the engines, first at ${formatAddress(first.address)}: ${a} and ${b}`;
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
