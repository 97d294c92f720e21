/**
 * The value that crosses layers where input may be bad.
 *
 * Why: three kinds of error are never mixed (ARCHITECTURE.md). Bad input and unsupported input come back as
 * diagnostics inside a `Result`; only our own bugs throw, through `assert`.
 */
import type { Diagnostic } from './diagnostics.ts';

export type Result<T, E = readonly Diagnostic[]> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
