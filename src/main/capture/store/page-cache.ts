/**
 * A bounded cache of pages by number, least recently used out first. A Map keeps insertion order, so the first key is
 * the oldest; a hit moves its page to the end.
 */
export class PageCache {
  private readonly pages = new Map<number, Uint8Array>();
  private readonly capacity: number;

  constructor(capacityPages: number) {
    this.capacity = Math.max(1, capacityPages);
  }

  get size(): number {
    return this.pages.size;
  }

  get(pageNumber: number): Uint8Array | undefined {
    const page = this.pages.get(pageNumber);
    if (page) {
      this.pages.delete(pageNumber);
      this.pages.set(pageNumber, page);
    }
    return page;
  }

  set(pageNumber: number, page: Uint8Array): void {
    this.pages.delete(pageNumber);
    if (this.pages.size >= this.capacity) {
      const oldest = this.pages.keys().next();
      if (!oldest.done) this.pages.delete(oldest.value);
    }
    this.pages.set(pageNumber, page);
  }
}
