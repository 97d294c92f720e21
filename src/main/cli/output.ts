/**
 * What every verb shares: exit codes, where output goes, how diagnostics become text.
 *
 * One JSON value on stdout with `--json`; progress and diagnostics on stderr.
 */
import { writeFileSync, writeSync } from 'node:fs';
import { type Diagnostic, formatDiagnostic } from '../base/diagnostics.ts';

export const EXIT = { fine: 0, failed: 1, usage: 2, badInput: 3, unsupported: 4, device: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message on stderr and a code. Thrown by verbs, caught in index.ts. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  constructor(code: ExitCode, message: string, diagnostics: readonly Diagnostic[] = []) {
    super(message);
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** The exit code that a list of diagnostics asks for: the gravest one decides. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): ExitCode {
  const kinds = new Set(diagnostics.map((d) => d.kind));
  if (kinds.has('device')) return EXIT.device;
  if (kinds.has('badInput')) return EXIT.badInput;
  if (kinds.has('unsupported')) return EXIT.unsupported;
  if (kinds.has('fault')) return EXIT.failed;
  return EXIT.fine;
}

export function failWith(diagnostics: readonly Diagnostic[]): never {
  const code = exitCodeOf(diagnostics);
  throw new CommandError(
    code === EXIT.fine ? EXIT.badInput : code,
    diagnostics.map(formatDiagnostic).join('\n'),
    diagnostics,
  );
}

/** Writes what the user asked for with -o and its like. */
export function writeFileOrFail(path: string, content: Uint8Array | string): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new CommandError(EXIT.badInput, `cannot write ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, jsonValue, 2)}\n`);
}

/** Typed arrays as lists, 64-bit integers as hex strings, maps as objects. */
function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`;
  if (value instanceof Uint32Array || value instanceof Int32Array || value instanceof Uint8Array) return [...value];
  if (value instanceof Map) return Object.fromEntries(value);
  return value;
}

export function printLines(lines: Iterable<string>): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

const STDOUT = 1;
const RETRY_MS = 2;

/** Long output, at once: nothing queues up in memory when the reader is slow. A closed pipe ends the command quietly. */
export function writeBytes(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(STDOUT, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') process.exit(EXIT.fine);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

export function warn(diagnostics: readonly Diagnostic[]): void {
  for (const d of diagnostics) process.stderr.write(`${formatDiagnostic(d)}\n`);
}

/** Diagnostics as JSON: code, kind, message, and the place as text. */
export function diagnosticShape(d: Diagnostic): { code: string; kind: string; message: string; text: string } {
  return { code: d.code, kind: d.kind, message: d.message, text: formatDiagnostic(d) };
}

/** Columns padded to their widest cell; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const cells = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  // Empty cells say that there is nothing to tell.
  const numeric = header.map(
    (_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number' || row[i] === ''),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((w) => '-'.repeat(w)).join('  '), ...cells.slice(1).map(line)];
}
