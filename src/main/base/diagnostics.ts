/**
 * Diagnostics: what is told to the user about their input, with its place.
 *
 * Codes are stable, upper case, three digits, prefixed by area: ISA, ASM, CALL, CFG, CAP, PM4, REF, REC, GPU, CLI.
 * `kind` decides the command line's exit code: `badInput` 3, `unsupported` 4, `device` 5, `fault` 1.
 */
import { formatAddress, type GuestAddress } from './guest-address.ts';

export type DiagnosticKind = 'badInput' | 'unsupported' | 'fault' | 'device' | 'warning' | 'note';

/** Where in the input. Lines and columns count from 1. `offset` is in bytes from the start of the file. */
export type DiagnosticPlace =
  | { readonly kind: 'address'; readonly address: GuestAddress }
  | { readonly kind: 'file'; readonly offset: number; readonly file?: string }
  | {
      readonly kind: 'line';
      readonly line: number;
      readonly column: number;
      readonly length?: number;
      readonly file?: string;
    };

export interface Diagnostic {
  readonly code: string;
  readonly kind: DiagnosticKind;
  readonly message: string;
  readonly where?: DiagnosticPlace;
}

export function diagnostic(code: string, kind: DiagnosticKind, message: string, where?: DiagnosticPlace): Diagnostic {
  return where ? { code, kind, message, where } : { code, kind, message };
}

export function atAddress(address: GuestAddress): DiagnosticPlace {
  return { kind: 'address', address };
}

export function atFile(offset: number, file?: string): DiagnosticPlace {
  return file === undefined ? { kind: 'file', offset } : { kind: 'file', offset, file };
}

export function atLine(line: number, column: number, length?: number, file?: string): DiagnosticPlace {
  return {
    kind: 'line',
    line,
    column,
    ...(length === undefined ? {} : { length }),
    ...(file === undefined ? {} : { file }),
  };
}

/** One line of text: `CALL001 at 0x10000000c: …`, `probe.s:3:9: ASM004: …`. */
export function formatDiagnostic(d: Diagnostic): string {
  const where = d.where;
  if (!where) return `${d.code}: ${d.message}`;
  switch (where.kind) {
    case 'address':
      return `${d.code} at ${formatAddress(where.address)}: ${d.message}`;
    case 'file':
      return `${where.file ? `${where.file}: ` : ''}${d.code} at file offset 0x${where.offset.toString(16)}: ${d.message}`;
    case 'line':
      return `${where.file ?? ''}${where.file ? ':' : 'line '}${where.line}:${where.column}: ${d.code}: ${d.message}`;
  }
}
