/**
 * What several groups of calls show: diagnostics and outcomes.
 *
 * Views are plain data: strings, numbers, arrays and typed arrays. Guest addresses are numbers below 2^48; columns of
 * them are Float64Array, so that they keep their 48 bits.
 */
export type DiagnosticKind = 'badInput' | 'unsupported' | 'fault' | 'device' | 'warning' | 'note';

export interface DiagnosticView {
  readonly code: string;
  readonly kind: DiagnosticKind;
  readonly message: string;
  /** Code, place and message in one line, as the command line prints it. */
  readonly text: string;
  /** Guest address, where the place is one. */
  readonly address?: number;
}

/** Bad input is a value, never an exception. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostics: readonly DiagnosticView[] };
