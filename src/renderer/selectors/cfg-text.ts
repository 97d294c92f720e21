/** The graph in words: search, what is selected, a block as text. Pure. */
import type { ProgramView } from '../../preload/contract/index.ts';
import { formatAddress } from './number-format.ts';

/** Addresses of instructions whose text, address or block name contains the words. */
export function findInstructions(program: ProgramView, query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const { listing } = program;
  return Array.from(listing.address).filter(
    (address, i) =>
      listing.text[i]!.toLowerCase().includes(wanted) ||
      formatAddress(address).includes(wanted) ||
      `b${listing.block[i]}` === wanted,
  );
}

/** One line about an address of the program. */
export function selectionText(program: ProgramView, blocks: ReadonlyMap<number, number>, address: number): string {
  const block = blocks.get(address);
  if (block === undefined) return `${formatAddress(address)} is not in this graph`;
  const line = program.listing.address.indexOf(address);
  return `b${block} ${formatAddress(address)} ${program.listing.text[line] ?? 'is not decoded'}`;
}

/** A block with addresses, as it is copied. */
export function blockText({ blocks, listing }: ProgramView, id: number): string {
  const { firstLine, lines } = blocks[id]!;
  const body = Array.from({ length: lines }, (_, i) => {
    const line = firstLine + i;
    return `  ${formatAddress(listing.address[line]!)}  ${listing.text[line]}`;
  });
  return [`b${id}:`, ...body].join('\n');
}
