/**
 * Where instruction words come from: guest memory of the moment, overlaid by edits at shadow addresses.
 *
 * Why a reader of its own: decoding wants a window of up to six words at any address, page by page, and must tell "not
 * mapped" from zeros. Pages are copied once per link; the memory may change afterwards.
 */
import type { GuestAddress } from '../../base/guest-address.ts';
import { PAGE_SIZE } from '../../base/guest-memory.ts';

/** What linking needs of memory. `GuestMemory` satisfies it; a code object or a test may offer its own. */
export interface CodeSource {
  /** u32 that the program could load, or undefined. */
  loadU32(address: GuestAddress): number | undefined;
  /** Bytes for code fetch, permissions aside; undefined when any is unmapped. */
  peekBytes(address: GuestAddress, sizeBytes: number): Uint8Array | undefined;
}

/**
 * A range of instructions that edited text replaces. Nothing in [start, end) runs any more: control that reaches
 * `start` goes on at `shadow`, and behind the last edited word at `end`.
 */
export interface CodeEdit {
  readonly start: GuestAddress;
  /** Exclusive. */
  readonly end: GuestAddress;
  /** Address of the edited words, outside of the capture's memory. */
  readonly shadow: GuestAddress;
  readonly words: Uint32Array;
  /** Original address from which the line at a shadow address descends; lines without one are absent. */
  readonly origins: ReadonlyMap<GuestAddress, GuestAddress>;
  /** Where branches of the edit go that leave the reach of their encoding, by shadow address. */
  readonly branchTargets?: ReadonlyMap<GuestAddress, GuestAddress>;
}

const WORDS_PER_PAGE = PAGE_SIZE / 4;
/** Longest instruction less one word: how far a window may reach into the next page. */
const LOOKAHEAD_WORDS = 5;

export interface CodeWindow {
  readonly words: Uint32Array;
  readonly index: number;
}

export class CodeReader {
  private readonly source: CodeSource;
  private readonly edits: readonly CodeEdit[];
  private readonly pages = new Map<number, Uint32Array | undefined>();

  constructor(source: CodeSource, edits: readonly CodeEdit[]) {
    this.source = source;
    this.edits = edits;
  }

  /** Words from `address` (4-byte aligned) on: at least one, six where mapped. Undefined when not readable. */
  window(address: GuestAddress): CodeWindow | undefined {
    for (const edit of this.edits) {
      const index = (address - edit.shadow) / 4;
      if (index >= 0 && index < edit.words.length) return { words: edit.words, index };
    }
    const page = Math.floor(address / PAGE_SIZE);
    const words = this.page(page);
    const index = (address % PAGE_SIZE) / 4;
    return words && index < words.length ? { words, index } : undefined;
  }

  word(address: GuestAddress): number | undefined {
    const window = this.window(address);
    return window?.words[window.index];
  }

  private page(number: number): Uint32Array | undefined {
    if (this.pages.has(number)) return this.pages.get(number);
    const address = (number * PAGE_SIZE) as GuestAddress;
    const own = this.source.peekBytes(address, PAGE_SIZE);
    const next = own && this.source.peekBytes((address + PAGE_SIZE) as GuestAddress, 4 * LOOKAHEAD_WORDS);
    const words = own ? joinWords(own, next) : this.readPartialPage(address);
    this.pages.set(number, words);
    return words;
  }

  /** A source that ends inside a page (raw dumps): the words up to the first unreadable one, if any. */
  private readPartialPage(address: GuestAddress): Uint32Array | undefined {
    const words: number[] = [];
    for (let i = 0; i < WORDS_PER_PAGE; i++) {
      const bytes = this.source.peekBytes((address + 4 * i) as GuestAddress, 4);
      if (!bytes) break;
      words.push(new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true));
    }
    return words.length > 0 ? Uint32Array.from(words) : undefined;
  }
}

function joinWords(own: Uint8Array, next: Uint8Array | undefined): Uint32Array {
  const words = new Uint32Array((own.length + (next?.length ?? 0)) / 4);
  const first = new DataView(own.buffer, own.byteOffset, own.length);
  for (let i = 0; i < own.length; i += 4) words[i / 4] = first.getUint32(i, true);
  if (next) {
    const second = new DataView(next.buffer, next.byteOffset, next.length);
    for (let i = 0; i < next.length; i += 4) words[(own.length + i) / 4] = second.getUint32(i, true);
  }
  return words;
}
