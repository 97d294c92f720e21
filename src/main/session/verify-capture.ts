/**
 * Verifies every dispatch of one capture on the given backends, against its expectations and against each other.
 */
import { type Diagnostic, diagnostic, formatDiagnostic } from '../base/diagnostics.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { openCaptureFile } from '../capture/store/file-store.ts';
import type { OpenCapture } from '../capture/store/open-capture.ts';
import type { BackendName, DispatchEngine, RunStatus } from '../driver/engine.ts';
import { createEngine, type EngineOptions } from './engines.ts';
import { CaptureNames, replay } from './replay.ts';
import { compareMemories, freeWords, judge, type Verdict } from './verdict.ts';

export interface DispatchVerification {
  readonly capture: string;
  readonly dispatch: number;
  readonly event: number;
  readonly name: string;
  readonly shader: string;
  readonly target: string;
  readonly waveSize: number;
  /** Executed by all waves; absent when no engine that counts them ran. */
  readonly instructions?: number;
  readonly waves: number;
  readonly verdicts: readonly Verdict[];
  readonly statuses: readonly RunStatus[];
  /** Words in which two engines' memories differ, where two ran. */
  readonly enginesDiffer?: string;
  readonly cache?: string;
  readonly times: Readonly<Record<string, number>>;
}

export interface CaptureVerification {
  readonly capture: string;
  readonly rows: readonly DispatchVerification[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every verdict is equal, or a refusal that was expected, and the engines agree. */
  readonly passed: boolean;
}

export interface VerifyTask {
  readonly path: string;
  /** As shown. */
  readonly name: string;
  readonly backends: readonly BackendName[];
  readonly device?: EngineOptions['device'];
  readonly limit?: number;
}

export async function verifyCapture(task: VerifyTask): Promise<CaptureVerification> {
  const opened = openCaptureFile(task.path);
  if (!opened.ok) return { capture: task.name, rows: [], diagnostics: opened.error, passed: false };
  const open = opened.value;
  const engines: DispatchEngine[] = [];
  try {
    for (const backend of task.backends)
      engines.push(await createEngine(backend, task.device === undefined ? {} : { device: task.device }));
    return await verifyOpen(open, task, engines);
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (!/^GPU\d+/.test(code)) throw error;
    return {
      capture: task.name,
      rows: [],
      diagnostics: [diagnostic(code, 'device', (error as Error).message)],
      passed: false,
    };
  } finally {
    for (const engine of engines) await engine.close();
    open.close();
  }
}

async function verifyOpen(
  open: OpenCapture,
  task: VerifyTask,
  engines: readonly DispatchEngine[],
): Promise<CaptureVerification> {
  const names = new CaptureNames(open);
  const limit = task.limit === undefined ? {} : { limit: task.limit };
  const replays = engines.map((engine) => replay(open, { engine, ...limit }));
  const rows: DispatchVerification[] = [];
  const diagnostics: Diagnostic[] = [...open.capture.damage];
  for (;;) {
    const steps = await Promise.all(replays.map((r) => r.next()));
    if (steps.every((s) => s.done)) break;
    const values = steps.map((s) => s.value!);
    diagnostics.push(...values[0]!.event.diagnostics.filter((d) => d.kind !== 'note'));
    const { event, dispatch } = values[0]!;
    if (!dispatch) continue;
    const info = dispatch.dispatch;
    const verdicts = values.map((v, i) =>
      judge(open, dispatch.number, v.dispatch?.run, v.memory, v.dispatch?.diagnostics ?? [], engines[i]!.backend),
    );
    const runs = values.map((v) => v.dispatch?.run);
    const differ = enginesDiffer(
      values.map((v) => (v.dispatch?.run?.status === 'completed' ? v.memory : undefined)),
      freeWords(open, dispatch.number),
    );
    const counted = runs.find((r) => r?.instructions !== undefined);
    const times: Record<string, number> = {};
    for (const run of runs)
      for (const [phase, ms] of Object.entries(run?.times ?? {})) times[`${run!.backend}.${phase}`] = ms;
    const cache = runs.find((r) => r?.cache)?.cache;
    rows.push({
      capture: task.name,
      dispatch: dispatch.number,
      event: event.index,
      name: names.dispatch(dispatch.number) ?? '',
      shader: info ? names.shader(info.programAddress) : '?',
      target: open.capture.target,
      waveSize: info?.waveSize ?? 0,
      ...(counted ? { instructions: counted.instructions! } : {}),
      waves: counted?.waves ?? runs[0]?.waves ?? 0,
      verdicts,
      statuses: runs.map((r) => r?.status ?? 'refused'),
      ...(differ ? { enginesDiffer: differ } : {}),
      ...(cache ? { cache: cache.result } : {}),
      times,
    });
  }
  const passed = diagnostics.every((d) => d.kind === 'warning' || d.kind === 'note') && rows.every(rowPassed);
  return { capture: task.name, rows, diagnostics, passed };
}

export function rowPassed(row: DispatchVerification): boolean {
  return (
    row.enginesDiffer === undefined &&
    row.verdicts.every((v) => v.kind === 'equal' || v.kind === 'refused' || v.kind === 'unchecked')
  );
}

function enginesDiffer(memories: readonly (GuestMemory | undefined)[], free: ReadonlySet<number>): string | undefined {
  const [left, right] = memories;
  if (!left || !right) return undefined;
  const { differing, first } = compareMemories(left, right, free);
  if (!first) return undefined;
  const hex = (n: number): string => `0x${n.toString(16)}`;
  return `${differing} words differ between the engines, first at ${hex(first.address)}: ${hex(first.left)} and ${hex(first.right)}`;
}

/** One line per problem, for a table's footer. */
export function problemsOf(verification: CaptureVerification): string[] {
  const lines = verification.diagnostics.map((d) => `${verification.capture}: ${formatDiagnostic(d)}`);
  for (const row of verification.rows) {
    for (const verdict of row.verdicts) {
      if (verdict.kind === 'differs' || verdict.kind === 'unexpected')
        lines.push(`${row.capture} dispatch ${row.dispatch} (${verdict.backend}): ${verdict.message}`);
    }
    if (row.enginesDiffer) lines.push(`${row.capture} dispatch ${row.dispatch}: ${row.enginesDiffer}`);
  }
  return lines;
}
