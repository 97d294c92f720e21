/**
 * Diagnostics for a list: the gravest first, the same said twice once, and those that differ only in numbers (64 lanes
 * that fail at one instruction) together. Pure.
 */
import type { DiagnosticView } from '../../preload/contract/index.ts';

export type Gravity = 'error' | 'warning' | 'note';

export interface MessageGroup {
  readonly gravity: Gravity;
  readonly first: DiagnosticView;
  /** Others of the same code and place. */
  readonly more: readonly DiagnosticView[];
}

const ORDER: Readonly<Record<Gravity, number>> = { error: 0, warning: 1, note: 2 };

export function gravityOf({ kind }: Pick<DiagnosticView, 'kind'>): Gravity {
  return kind === 'warning' || kind === 'note' ? kind : 'error';
}

export function messageGroups(diagnostics: readonly DiagnosticView[]): MessageGroup[] {
  const groups = new Map<string, { gravity: Gravity; first: DiagnosticView; more: DiagnosticView[] }>();
  for (const d of new Map(diagnostics.map((one) => [one.text, one])).values()) {
    // Without a place, numbers are what tells one message from another.
    const shape = d.address === undefined ? d.message : d.message.replace(/0x[\da-f]+|\d+/gi, '#');
    const key = `${d.code} ${d.kind} ${d.address} ${shape}`;
    const group = groups.get(key);
    if (group) group.more.push(d);
    else groups.set(key, { gravity: gravityOf(d), first: d, more: [] });
  }
  return [...groups.values()].sort((a, b) => ORDER[a.gravity] - ORDER[b.gravity]);
}
