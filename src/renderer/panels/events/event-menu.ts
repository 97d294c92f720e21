/** What can be done with a row of the event tree. */
import type { EventRowText } from '../../../preload/contract/index.ts';
import { copyEntry } from '../../widgets/copy-entry.ts';
import type { MenuEntry } from '../../widgets/menu-list.tsx';

export interface EventMenuOptions {
  readonly event: number;
  readonly text: EventRowText;
  /** Undefined for rows without children. */
  readonly isOpen: boolean | undefined;
  readonly onToggle: () => void;
  readonly onFilter: (words: string) => void;
  readonly onCloseAll: () => void;
  readonly onOpenAll: () => void;
}

/** A row as one line of text. */
export function eventLine(event: number, { name, detail, shader }: EventRowText): string {
  return [event >= 0 ? String(event) : '', name, detail, shader ?? ''].filter(Boolean).join(' ');
}

export function eventMenu(options: EventMenuOptions): MenuEntry[] {
  const { event, text, isOpen, onToggle, onFilter } = options;
  const { name, shader } = text;
  const entries: MenuEntry[] = [
    copyEntry('Copy the row', () => eventLine(event, text), 'Ctrl+C'),
    { kind: 'line', id: 'filter' },
    { kind: 'item', label: `Filter: ${name}`, onPress: () => onFilter(name) },
  ];
  if (shader) entries.push({ kind: 'item', label: `Filter: shader ${shader}`, onPress: () => onFilter(shader) });
  entries.push({ kind: 'line', id: 'open' });
  if (isOpen !== undefined) {
    entries.push({ kind: 'item', label: isOpen ? 'Close' : 'Open', hint: isOpen ? '←' : '→', onPress: onToggle });
  }
  entries.push(
    { kind: 'item', label: 'Collapse all', onPress: options.onCloseAll },
    { kind: 'item', label: 'Expand all', onPress: options.onOpenAll },
  );
  return entries;
}
