/** What can be done with a row of the packet list. */
import type { PacketView } from '../../../preload/contract/index.ts';
import { type PacketRow, packetRowText, packetText } from '../../selectors/packet-rows.ts';
import { copyEntry } from '../../widgets/copy-entry.ts';
import type { MenuEntry } from '../../widgets/menu-list.tsx';

export interface PacketMenuOptions {
  readonly row: PacketRow;
  readonly packets: readonly PacketView[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function packetMenu({ row, packets, isOpen, onToggle }: PacketMenuOptions): MenuEntry[] {
  const packet = packets[row.packet]!;
  return [
    copyEntry('Copy the row', () => packetRowText(row), 'Ctrl+C'),
    ...(row.kind === 'field' || row.kind === 'register' ? [copyEntry('Copy the value', () => row.value)] : []),
    copyEntry('Copy the packet', () => packetText(packet)),
    copyEntry('Copy its dwords', () => packet.dwords.join(' ')),
    copyEntry('Copy all packets', () => packets.map(packetText).join('\n')),
    { kind: 'line', id: 'open' },
    { kind: 'item', label: isOpen ? 'Close the packet' : 'Open the packet', hint: 'Enter', onPress: onToggle },
  ];
}
