/**
 * What `exec` prints of a run, and of two runs that were compared: the JSON shape, and lines of text made from it.
 */
import { formatAddress } from '../base/guest-address.ts';
import type { WaveRegisters } from '../driver/engine.ts';
import { isVgpr, OPERAND } from '../isa/operands.ts';
import { registerName } from '../session/register-names.ts';
import type { SnippetComparison, SnippetRun } from '../session/run-snippet.ts';
import { faultShape } from '../session/shapes.ts';
import type { Dump } from './exec-arguments.ts';
import { CommandError, diagnosticShape, EXIT, type ExitCode, exitCodeOf } from './output.ts';

export type ExecShape = ReturnType<typeof execShape>;
export type ComparisonShape = ReturnType<typeof comparisonShape>;

const hex = (value: number): string => `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
const valueText = (code: number, value: number): string | number => (code === OPERAND.SCC ? value : hex(value));

/** `dump` names registers that were watched. */
export function execShape({ run, diagnostics, waves, memory }: SnippetRun, dump: Dump) {
  return {
    backend: run.backend,
    status: run.status,
    ...(run.instructions === undefined ? {} : { instructions: run.instructions }),
    waves: waves.map((wave) => waveShape(wave, dump)),
    memory: dump.memory.map(({ address, length }) => {
      const bytes = memory.peekBytes(address, length);
      if (!bytes)
        throw new CommandError(EXIT.badInput, `--dump: ${formatAddress(address)} + ${length} is not mapped throughout`);
      return {
        address: formatAddress(address),
        words: [...new Uint32Array(bytes.slice(0, length & ~3).buffer)].map(hex),
      };
    }),
    faults: run.faults.map(faultShape),
    diagnostics: diagnostics.map(diagnosticShape),
  };
}

function waveShape({ workgroup, wave, waveSize, values }: WaveRegisters, dump: Dump) {
  const scalar = (code: number): number => values.get(code)![0]!;
  // In wave32 the high half is an ordinary register.
  const high = waveSize === 64 ? BigInt(scalar(OPERAND.EXEC_HI)) << 32n : 0n;
  return {
    workgroup,
    wave,
    exec: `0x${(high | BigInt(scalar(OPERAND.EXEC_LO))).toString(16)}`,
    scalars: Object.fromEntries(dump.scalars.map((code) => [registerName(code), valueText(code, scalar(code))])),
    vgprs: Object.fromEntries(dump.vgprs.map((r) => [`v${r}`, [...values.get(OPERAND.VGPR0 + r)!].map(hex)])),
  };
}

/** `shown` is the run that the rest of the output is about; differences name values by engine. */
export function comparisonShape(shown: SnippetRun, other: SnippetRun, comparison: SnippetComparison) {
  const { equal, notCompared, registers, memory } = comparison;
  const [left, right] = [shown.run.backend, other.run.backend];
  return {
    with: right,
    status: other.run.status,
    ...(equal === undefined ? {} : { equal }),
    ...(notCompared === undefined ? {} : { notCompared }),
    waves: registers?.waves ?? 0,
    values: registers?.values ?? 0,
    words: memory?.words ?? 0,
    differing: (registers?.differing ?? 0) + (memory?.differing ?? 0),
    differences: [
      ...(registers?.differences ?? []).map((d) => ({
        what: registerName(d.register),
        workgroup: d.workgroup,
        wave: d.wave,
        ...(isVgpr(d.register) ? { lane: d.lane } : {}),
        [left]: valueText(d.register, d.left),
        [right]: valueText(d.register, d.right),
      })),
      ...(memory?.first
        ? [
            {
              what: 'memory',
              address: formatAddress(memory.first.address),
              [left]: hex(memory.first.left),
              [right]: hex(memory.first.right),
            },
          ]
        : []),
    ],
    missing: (registers?.missing ?? []).map(({ workgroup, wave, from }) => ({
      workgroup,
      wave,
      from: from === 'left' ? left : right,
    })),
    faults: other.run.faultCount,
    diagnostics: other.diagnostics.map(diagnosticShape),
  };
}

/** The gravest of all runs; a difference is a failure of its own. */
export function exitOfRuns(runs: readonly SnippetRun[], comparison?: SnippetComparison): ExitCode {
  const codes = runs.map(({ run, diagnostics }): ExitCode => {
    if (run.status === 'completed') return EXIT.fine;
    return run.status === 'device' ? EXIT.device : exitCodeOf(diagnostics) || EXIT.failed;
  });
  const gravest = Math.max(...codes) as ExitCode;
  return gravest === EXIT.fine && comparison?.equal === false ? EXIT.failed : gravest;
}

export function execLines(shape: ExecShape, comparison?: ComparisonShape): string[] {
  const after = shape.instructions === undefined ? '' : ` after ${shape.instructions} instructions`;
  const where = shape.backend === 'reference' ? '' : ` on ${shape.backend}`;
  return [
    `${shape.status}${where}${after}`,
    ...shape.waves.flatMap(waveLines),
    ...shape.memory.map((m) => `mem ${m.address}: ${m.words.join(' ')}`),
    ...(comparison ? comparisonLines(shape, comparison) : []),
  ];
}

function waveLines(wave: ExecShape['waves'][number]): string[] {
  const lines = [`group ${wave.workgroup.join(',')} wave ${wave.wave}  exec ${wave.exec}`];
  const scalars = Object.entries(wave.scalars);
  if (scalars.length > 0) lines.push(`  ${scalars.map(([name, value]) => `${name}=${value}`).join(' ')}`);
  for (const [name, values] of Object.entries(wave.vgprs)) {
    for (let i = 0; i < values.length; i += 8)
      lines.push(
        `  ${i === 0 ? name.padEnd(5) : '     '}${String(i).padStart(2)}: ${values.slice(i, i + 8).join(' ')}`,
      );
  }
  return lines;
}

const SHOWN_DIFFERENCES = 16;

function comparisonLines(shape: ExecShape, comparison: ComparisonShape): string[] {
  const [left, right] = [shape.backend, comparison.with];
  const both = `${left} and ${right}`;
  if (shape.status !== 'completed' || comparison.status !== 'completed') {
    const alike = comparison.equal === undefined ? 'nothing to compare' : `${both} ended differently`;
    return [`${right}: ${comparison.status}; ${alike}`];
  }
  const waves = `${comparison.waves} ${comparison.waves === 1 ? 'wave' : 'waves'}`;
  const compared = `${comparison.values} values of ${waves} and ${comparison.words} words of memory`;
  if (comparison.equal) return [`${both} are equal in ${compared}`];
  const lines = [`${both} differ in ${comparison.differing} of ${compared}`];
  for (const one of comparison.differences.slice(0, SHOWN_DIFFERENCES)) {
    const values = one as Readonly<Record<string, unknown>>;
    const place =
      'address' in one
        ? `mem ${one.address}`
        : `group ${one.workgroup.join(',')} wave ${one.wave} ${one.what}${'lane' in one ? ` lane ${one.lane}` : ''}`;
    lines.push(`  ${place}: ${left} ${values[left]}, ${right} ${values[right]}`);
  }
  for (const one of comparison.missing)
    lines.push(`  group ${one.workgroup.join(',')} wave ${one.wave}: did not end on ${one.from}`);
  if (comparison.differing > SHOWN_DIFFERENCES) lines.push('  …');
  return lines;
}
