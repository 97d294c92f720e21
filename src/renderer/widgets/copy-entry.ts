/** The entry of a menu that copies text. The text is made when it is chosen: a whole table is not, to show a menu. */
import { copyText } from '../stores/clipboard.ts';
import type { MenuEntry } from './menu-list.tsx';

export function copyEntry(label: string, text: () => string, hint?: string): MenuEntry {
  return { kind: 'item', label, ...(hint === undefined ? {} : { hint }), onPress: () => void copyText(text()) };
}
