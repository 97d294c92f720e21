/** Packets of an event as a flat list of rows: heads, and what is inside those that are open. Pure. */
import type { FieldView, PacketView } from '../../preload/contract/index.ts';

export type PacketRow =
  | { readonly kind: 'packet'; readonly packet: number; readonly view: PacketView; readonly isOpen: boolean }
  | {
      readonly kind: 'field';
      readonly packet: number;
      readonly depth: number;
      readonly name: string;
      readonly value: string;
    }
  | {
      readonly kind: 'register';
      readonly packet: number;
      readonly name: string;
      readonly index: string;
      readonly value: string;
    }
  | { readonly kind: 'bytes'; readonly packet: number; readonly offset: number; readonly dwords: readonly string[] }
  | { readonly kind: 'reason'; readonly packet: number; readonly text: string };

const DWORDS_PER_ROW = 4;
/** A packet further away than this lies in another buffer. */
const FAR_BYTES = 1 << 24;

/** Where a packet lies, from the start of its buffer; the address where that is not known. */
export function offsetIn(buffer: string | undefined, address: string): string {
  const offset = buffer === undefined ? -1 : Number(address) - Number(buffer);
  return offset >= 0 && offset < FAR_BYTES ? `+${offset.toString(16).padStart(3, '0')}` : address;
}

export function packetRows(packets: readonly PacketView[], open: ReadonlySet<number>, withBytes: boolean): PacketRow[] {
  const rows: PacketRow[] = [];
  packets.forEach((view, packet) => {
    const isOpen = open.has(packet);
    rows.push({ kind: 'packet', packet, view, isOpen });
    if (view.reason !== undefined) rows.push({ kind: 'reason', packet, text: view.reason });
    if (!isOpen) return;
    for (const field of view.fields) {
      // Values of registers follow as registers.
      if (view.registers.length > 0 && typeof field.value === 'object') continue;
      rows.push({ kind: 'field', packet, depth: 1, name: field.name, value: fieldText(field) });
    }
    for (const register of view.registers) {
      rows.push({ kind: 'register', packet, name: register.name, index: register.index, value: register.value });
      const [only] = register.fields;
      const isWhole = register.fields.length === 1 && only?.value === Number(register.value);
      if (isWhole) continue;
      for (const field of register.fields) {
        rows.push({ kind: 'field', packet, depth: 2, name: field.name, value: fieldText(field) });
      }
    }
    if (!withBytes) return;
    for (let offset = 0; offset < view.dwords.length; offset += DWORDS_PER_ROW) {
      rows.push({ kind: 'bytes', packet, offset, dwords: view.dwords.slice(offset, offset + DWORDS_PER_ROW) });
    }
  });
  return rows;
}

export function fieldText({ value, text }: FieldView): string {
  if (typeof value === 'object') return value.join(' ');
  const plain = typeof value === 'number' ? (value < 10 ? String(value) : `0x${value.toString(16)} (${value})`) : value;
  return text === undefined ? plain : `${text} (${typeof value === 'number' ? value : plain})`;
}

/** A row as one line of text. */
export function packetRowText(row: PacketRow): string {
  switch (row.kind) {
    case 'packet':
      return `${row.view.address} ${row.view.name} ${packetSummary(row.view)}`.trimEnd();
    case 'field':
    case 'register':
      return `${row.name}\t${row.value}`;
    case 'bytes':
      return row.dwords.join(' ');
    case 'reason':
      return row.text;
  }
}

/** A whole packet as it is copied: its head, and below it what is inside. */
export function packetText(view: PacketView): string {
  const [, ...inside] = packetRows([view], new Set([0]), true);
  return [`${view.address} ${view.name}`, ...inside.map((row) => `  ${packetRowText(row)}`)].join('\n');
}

/** What a closed packet says beside its name. */
export function packetSummary(view: PacketView): string {
  const [first, ...rest] = view.registers;
  if (first) return `${first.name} = ${first.value}${rest.length > 0 ? `, ${rest.length} more` : ''}`;
  return view.fields
    .filter((f) => typeof f.value !== 'object')
    .slice(0, 4)
    .map((f) => `${f.name} ${f.text ?? (typeof f.value === 'number' ? f.value : f.value)}`)
    .join(', ');
}
