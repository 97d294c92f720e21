/**
 * Guest memory: an extent table (the truth about what is mapped, for both engines) over copy-on-write 4 KiB pages.
 *
 * Why: capture pages are read lazily, events change some of them, and every event needs its own view without copies.
 * `fork()` is O(pages touched); the parent must not be written while forks live unless it too is a fork.
 * Extents are sorted, do not overlap and are 4 KiB granular; adjacent extents with equal permissions are merged.
 * A page inside an extent with no stored bytes reads as zeros. All values are little-endian.
 *
 * Checked accessors return undefined/false when any byte is unmapped or lacks permission; nothing is ever silently zero.
 */
import { assert } from './assert.ts';
import { ADDRESS_LIMIT, type GuestAddress } from './guest-address.ts';

export const PAGE_SIZE = 4096;
/** `&` keeps the low 32 bits of any safe integer, so this is address modulo page size without a division. */
const OFFSET_MASK = PAGE_SIZE - 1;

export const READ = 4;
export const WRITE = 2;
export const EXECUTE = 1;
/** Bits as in ELF p_flags: 4 read, 2 write, 1 execute. */
export type Permissions = number;

export interface Extent {
  readonly start: GuestAddress;
  /** Exclusive; may be 2^48. */
  readonly end: number;
  readonly permissions: Permissions;
}

/** Where pages come from before anything wrote them. Returns exactly PAGE_SIZE bytes, or undefined for zeros. */
export interface PageSource {
  readPage(pageNumber: number): Uint8Array | undefined;
}

interface OwnedPage {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Written in place only while the owner is this memory; otherwise copied first. */
  owner: GuestMemory;
}

export class GuestMemory {
  private extentList: Extent[] = [];
  private readonly pages: Map<number, OwnedPage>;
  private readonly source: PageSource | undefined;
  /** Pages written through this memory since it was made (or forked), by page number. */
  private readonly written = new Set<number>();
  private lastWritten = -1;
  private lastPageNumber = -1;
  private lastPage: OwnedPage | undefined;
  private lastExtent: Extent | undefined;

  constructor(source?: PageSource, parent?: GuestMemory) {
    this.source = source ?? parent?.source;
    this.pages = parent ? new Map(parent.pages) : new Map();
    if (parent) this.extentList = parent.extentList.slice();
  }

  /** A copy-on-write view; writes to either side are not seen by the other. */
  fork(): GuestMemory {
    const child = new GuestMemory(this.source, this);
    // Both sides now share pages: neither may write them in place.
    this.disown();
    return child;
  }

  private disown(): void {
    this.lastPage = undefined;
    this.lastPageNumber = -1;
    for (const [number, page] of this.pages) {
      if (page.owner === this) this.pages.set(number, { bytes: page.bytes, view: page.view, owner: SHARED });
    }
  }

  get extents(): readonly Extent[] {
    return this.extentList;
  }

  /** Page numbers written since construction or fork, ascending. */
  writtenPages(): number[] {
    return [...this.written].sort((a, b) => a - b);
  }

  /**
   * Maps [start, start+size) rounded outwards to pages. Where it overlaps an extent, permissions are or-ed:
   * capture files may describe one page by several segments.
   */
  map(start: GuestAddress, sizeBytes: number, permissions: Permissions): void {
    if (sizeBytes <= 0) return;
    const from = Math.floor(start / PAGE_SIZE) * PAGE_SIZE;
    const to = Math.min(Math.ceil((start + sizeBytes) / PAGE_SIZE) * PAGE_SIZE, ADDRESS_LIMIT);
    const cuts = new Set([from, to]);
    for (const e of this.extentList) {
      if (e.start > from && e.start < to) cuts.add(e.start);
      if (e.end > from && e.end < to) cuts.add(e.end);
    }
    const pieces: Extent[] = [];
    for (const e of this.extentList) {
      if (e.end <= from || e.start >= to) {
        pieces.push(e);
        continue;
      }
      if (e.start < from) pieces.push({ ...e, end: from });
      if (e.end > to) pieces.push({ ...e, start: to as GuestAddress });
    }
    const points = [...cuts].sort((a, b) => a - b);
    for (let i = 0; i + 1 < points.length; i++) {
      const a = points[i]!;
      const old = this.extentList.find((e) => e.start <= a && a < e.end);
      pieces.push({
        start: a as GuestAddress,
        end: points[i + 1]!,
        permissions: permissions | (old?.permissions ?? 0),
      });
    }
    this.setExtents(pieces);
  }

  /** `map` for many ranges at once, in O(n log n): captures may hold a hundred thousand segments. */
  mapAll(
    ranges: readonly { readonly start: GuestAddress; readonly sizeBytes: number; readonly permissions: Permissions }[],
  ): void {
    const edges: { at: number; permissions: Permissions; change: 1 | -1 }[] = [];
    const add = (from: number, to: number, permissions: Permissions) => {
      edges.push({ at: from, permissions, change: 1 }, { at: to, permissions, change: -1 });
    };
    for (const e of this.extentList) add(e.start, e.end, e.permissions);
    for (const { start, sizeBytes, permissions } of ranges) {
      if (sizeBytes <= 0) continue;
      const from = Math.floor(start / PAGE_SIZE) * PAGE_SIZE;
      add(from, Math.min(Math.ceil((start + sizeBytes) / PAGE_SIZE) * PAGE_SIZE, ADDRESS_LIMIT), permissions);
    }
    edges.sort((a, b) => a.at - b.at);
    const pieces: Extent[] = [];
    // How many open ranges there are in all, and how many carry each permission bit.
    let open = 0;
    const holders = [0, 0, 0];
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i]!;
      open += edge.change;
      for (let bit = 0; bit < 3; bit++) if (edge.permissions & (1 << bit)) holders[bit]! += edge.change;
      const next = edges[i + 1];
      if (open === 0 || !next || next.at === edge.at) continue;
      const permissions = holders.reduce((all, count, bit) => (count > 0 ? all | (1 << bit) : all), 0);
      pieces.push({ start: edge.at as GuestAddress, end: next.at, permissions });
    }
    this.setExtents(pieces);
  }

  unmap(start: GuestAddress, sizeBytes: number): void {
    const from = Math.floor(start / PAGE_SIZE) * PAGE_SIZE;
    const to = Math.ceil((start + sizeBytes) / PAGE_SIZE) * PAGE_SIZE;
    const pieces: Extent[] = [];
    for (const e of this.extentList) {
      if (e.end <= from || e.start >= to) pieces.push(e);
      else {
        if (e.start < from) pieces.push({ ...e, end: from });
        if (e.end > to) pieces.push({ ...e, start: to as GuestAddress });
      }
    }
    this.setExtents(pieces);
    for (const number of [...this.pages.keys()]) {
      const a = number * PAGE_SIZE;
      if (a >= from && a < to) this.pages.delete(number);
    }
  }

  private setExtents(pieces: Extent[]): void {
    pieces.sort((a, b) => a.start - b.start);
    const merged: Extent[] = [];
    for (const piece of pieces) {
      const last = merged[merged.length - 1];
      if (last && last.end === piece.start && last.permissions === piece.permissions) {
        merged[merged.length - 1] = { ...last, end: piece.end };
      } else merged.push(piece);
    }
    this.extentList = merged;
    this.lastExtent = undefined;
    this.lastPage = undefined;
    this.lastPageNumber = -1;
  }

  /** The extent that holds `address`, or undefined when it is not mapped. */
  extentAt(address: GuestAddress): Extent | undefined {
    const cached = this.lastExtent;
    if (cached && address >= cached.start && address < cached.end) return cached;
    let low = 0;
    let high = this.extentList.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const e = this.extentList[middle]!;
      if (address < e.start) high = middle - 1;
      else if (address >= e.end) low = middle + 1;
      else return (this.lastExtent = e);
    }
    return undefined;
  }

  /** Whether every byte of the range is mapped with all `permissions`. */
  allows(address: GuestAddress, sizeBytes: number, permissions: Permissions): boolean {
    let at: number = address;
    const end = address + sizeBytes;
    while (at < end) {
      const e = this.extentAt(at as GuestAddress);
      if (!e || (e.permissions & permissions) !== permissions) return false;
      at = e.end;
    }
    return true;
  }

  private page(number: number): OwnedPage {
    if (number === this.lastPageNumber) return this.lastPage!;
    let page = this.pages.get(number);
    if (!page) {
      const stored = this.source?.readPage(number);
      assert(!stored || stored.length === PAGE_SIZE, 'a page source returned a short page');
      // Source pages may be shared with a cache: never written in place.
      const bytes = stored ?? new Uint8Array(PAGE_SIZE);
      const view = new DataView(bytes.buffer, bytes.byteOffset, PAGE_SIZE);
      page = { bytes, view, owner: stored ? SHARED : this };
      this.pages.set(number, page);
    }
    this.lastPageNumber = number;
    this.lastPage = page;
    return page;
  }

  private writablePage(number: number): OwnedPage {
    let page = this.page(number);
    if (page.owner !== this) {
      const bytes = page.bytes.slice();
      page = { bytes, view: new DataView(bytes.buffer), owner: this };
      this.pages.set(number, page);
      this.lastPage = page;
    }
    if (number !== this.lastWritten) {
      this.written.add(number);
      this.lastWritten = number;
    }
    return page;
  }

  /** u32 at any alignment, or undefined when not readable. */
  loadU32(address: GuestAddress): number | undefined {
    const offset = address & OFFSET_MASK;
    if (offset <= PAGE_SIZE - 4) {
      const e = this.extentAt(address);
      if (!e || !(e.permissions & READ)) return undefined;
      return this.page((address - offset) / PAGE_SIZE).view.getUint32(offset, true);
    }
    if (!this.allows(address, 4, READ)) return undefined;
    let value = 0;
    for (let i = 0; i < 4; i++) value |= this.byte(address + i) << (8 * i);
    return value >>> 0;
  }

  loadU8(address: GuestAddress): number | undefined {
    const e = this.extentAt(address);
    if (!e || !(e.permissions & READ)) return undefined;
    return this.byte(address);
  }

  loadU16(address: GuestAddress): number | undefined {
    if (!this.allows(address, 2, READ)) return undefined;
    return this.byte(address) | (this.byte(address + 1) << 8);
  }

  private byte(address: number): number {
    const offset = address & OFFSET_MASK;
    return this.page((address - offset) / PAGE_SIZE).bytes[offset]!;
  }

  /** False when not writable; memory is then unchanged. */
  storeU32(address: GuestAddress, value: number): boolean {
    const offset = address & OFFSET_MASK;
    if (offset <= PAGE_SIZE - 4) {
      const e = this.extentAt(address);
      if (!e || !(e.permissions & WRITE)) return false;
      this.writablePage((address - offset) / PAGE_SIZE).view.setUint32(offset, value, true);
      return true;
    }
    if (!this.allows(address, 4, WRITE)) return false;
    for (let i = 0; i < 4; i++) this.setByte(address + i, value >>> (8 * i));
    return true;
  }

  storeU16(address: GuestAddress, value: number): boolean {
    if (!this.allows(address, 2, WRITE)) return false;
    this.setByte(address, value);
    this.setByte(address + 1, value >>> 8);
    return true;
  }

  storeU8(address: GuestAddress, value: number): boolean {
    const e = this.extentAt(address);
    if (!e || !(e.permissions & WRITE)) return false;
    this.setByte(address, value);
    return true;
  }

  private setByte(address: number, value: number): void {
    const offset = address & OFFSET_MASK;
    this.writablePage((address - offset) / PAGE_SIZE).bytes[offset] = value & 0xff;
  }

  /** A copy of the bytes, or undefined when any is not readable. */
  readBytes(address: GuestAddress, sizeBytes: number): Uint8Array | undefined {
    if (!this.allows(address, sizeBytes, READ)) return undefined;
    return this.copyOut(address, sizeBytes);
  }

  /** Copies whatever is mapped, permissions aside; used for display, upload and code fetch. Unmapped: undefined. */
  peekBytes(address: GuestAddress, sizeBytes: number): Uint8Array | undefined {
    if (!this.allows(address, sizeBytes, 0)) return undefined;
    return this.copyOut(address, sizeBytes);
  }

  private copyOut(address: GuestAddress, sizeBytes: number): Uint8Array {
    const out = new Uint8Array(sizeBytes);
    let done = 0;
    while (done < sizeBytes) {
      const at = address + done;
      const offset = at & OFFSET_MASK;
      const count = Math.min(PAGE_SIZE - offset, sizeBytes - done);
      out.set(this.page((at - offset) / PAGE_SIZE).bytes.subarray(offset, offset + count), done);
      done += count;
    }
    return out;
  }

  /** False when any byte is not writable; memory is then unchanged. */
  writeBytes(address: GuestAddress, bytes: Uint8Array): boolean {
    if (!this.allows(address, bytes.length, WRITE)) return false;
    this.pokeBytes(address, bytes);
    return true;
  }

  /** Writes mapped memory whatever its permissions: for loaders and for what the CPU wrote. False when unmapped. */
  pokeBytes(address: GuestAddress, bytes: Uint8Array): boolean {
    if (!this.allows(address, bytes.length, 0)) return false;
    let done = 0;
    while (done < bytes.length) {
      const at = address + done;
      const offset = at & OFFSET_MASK;
      const count = Math.min(PAGE_SIZE - offset, bytes.length - done);
      this.writablePage((at - offset) / PAGE_SIZE).bytes.set(bytes.subarray(done, done + count), offset);
      done += count;
    }
    return true;
  }
}

/** Owner mark of pages that nobody may write in place. */
const SHARED = new GuestMemory();
