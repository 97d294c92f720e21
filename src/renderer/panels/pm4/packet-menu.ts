/** What can be done with a row of the packet list. */
import type { PacketView } from '../../../preload/contract/index.ts';
import { type PacketRow, packetRowText, packetText } from '../../selectors/packet-rows.ts';
import { copyText } from '../../stores/clipboard.ts';
import type { MenuEntry } from '../../widgets/menu-list.tsx';

export interface PacketMenuOptions {
  readonly row: PacketRow;
  readonly packets: readonly PacketView[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function packetMenu({ row, packets, isOpen, onToggle }: PacketMenuOptions): MenuEntry[] {
  const packet = packets[row.packet]!;
  const copy = (label: string, text: string, hint?: string): MenuEntry => ({
    kind: 'item',
    label,
    ...(hint ? { hint } : {}),
    onPress: () => void copyText(text),
  });
  return [
    copy('Copy the row', packetRowText(row), 'Ctrl+C'),
    ...(row.kind === 'field' || row.kind === 'register' ? [copy('Copy the value', row.value)] : []),
    copy('Copy the packet', packetText(packet)),
    copy('Copy its dwords', packet.dwords.join(' ')),
    copy('Copy all packets', packets.map(packetText).join('\n')),
    { kind: 'line', id: 'open' },
    { kind: 'item', label: isOpen ? 'Close the packet' : 'Open the packet', hint: 'Enter', onPress: onToggle },
  ];
}
