/**
 * Decoded instructions by guest address: each is decoded once per run.
 *
 * Pages of 4 KiB hold one slot per dword. An instruction may run over into the next page, so each page also keeps the
 * first dwords of its successor. Code is read whatever the page's permissions: captures do not always mark code as
 * executable. Stores to code that already ran are not seen, as on hardware without s_icache_inv; `invalidate` is that.
 */
import type { Target } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { type GuestMemory, PAGE_SIZE } from '../base/guest-memory.ts';
import { decodeInstruction } from '../isa/decode.ts';
import { illegalReason } from '../isa/illegal.ts';
import { Instruction } from '../isa/instruction.ts';

const DWORDS = PAGE_SIZE / 4;
/** The longest instruction (MIMG with NSA) has 5 dwords. */
const OVERLAP = 5;

/** Why there is no instruction at an address. */
export interface FetchFailure {
  readonly kind: 'unmapped' | 'misaligned' | 'illegal';
  readonly detail: string;
}

interface Page {
  readonly words: Uint32Array;
  readonly slots: (Instruction | FetchFailure | undefined)[];
}

export class CodeCache {
  private readonly pages = new Map<number, Page | undefined>();
  private lastNumber = -1;
  private lastPage: Page | undefined;
  private readonly target: Target;
  private readonly memory: GuestMemory;

  constructor(target: Target, memory: GuestMemory) {
    this.target = target;
    this.memory = memory;
  }

  /** Forgets everything decoded. */
  invalidate(): void {
    this.pages.clear();
    this.lastNumber = -1;
    this.lastPage = undefined;
  }

  fetch(address: GuestAddress): Instruction | FetchFailure {
    const number = Math.floor(address / PAGE_SIZE);
    if (number !== this.lastNumber) {
      this.lastPage = this.page(number);
      this.lastNumber = number;
    }
    const page = this.lastPage;
    if (!page) return { kind: 'unmapped', detail: 'no memory is mapped there' };
    const offset = address - number * PAGE_SIZE;
    if ((offset & 3) !== 0) return { kind: 'misaligned', detail: 'instructions start at multiples of 4' };
    const index = offset >>> 2;
    return page.slots[index] ?? (page.slots[index] = this.decode(page, index));
  }

  private page(number: number): Page | undefined {
    if (this.pages.has(number)) return this.pages.get(number);
    const base = (number * PAGE_SIZE) as GuestAddress;
    const page = this.load(base);
    this.pages.set(number, page);
    return page;
  }

  private load(base: GuestAddress): Page | undefined {
    const bytes = this.memory.peekBytes(base, PAGE_SIZE + 4 * OVERLAP) ?? this.memory.peekBytes(base, PAGE_SIZE);
    if (!bytes) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const words = new Uint32Array(bytes.length / 4);
    for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true);
    return { words, slots: new Array(DWORDS).fill(undefined) };
  }

  private decode(page: Page, index: number): Instruction | FetchFailure {
    const inst = new Instruction();
    const size = decodeInstruction(this.target, page.words, index, inst);
    return size > 0 ? inst : { kind: 'illegal', detail: illegalReason(size) };
  }
}
