/** Diagnostics as the window shows them. */

import type { DiagnosticView } from '../../../preload/contract/index.ts';
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostics.ts';

export function diagnosticView(d: Diagnostic): DiagnosticView {
  const { code, kind, message } = d;
  const text = formatDiagnostic(d);
  return d.where?.kind === 'address'
    ? { code, kind, message, text, address: d.where.address }
    : { code, kind, message, text };
}

export function diagnosticViews(list: readonly Diagnostic[]): DiagnosticView[] {
  return list.map(diagnosticView);
}
