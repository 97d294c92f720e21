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

/** An instruction with its address, as it is copied; undefined where none was decoded. */
export function instructionText({ listing }: ProgramView, address: number): string | undefined {
  const line = listing.address.indexOf(address);
  return line < 0 ? undefined : lineText(listing, line);
}

/** A block with addresses, as it is copied. */
export function blockText({ blocks, listing }: ProgramView, id: number): string {
  const { firstLine, lines } = blocks[id]!;
  return [`b${id}:`, ...Array.from({ length: lines }, (_, i) => `  ${lineText(listing, firstLine + i)}`)].join('\n');
}

function lineText({ address, text }: ProgramView['listing'], line: number): string {
  return `${formatAddress(address[line]!)}  ${text[line]}`;
}
