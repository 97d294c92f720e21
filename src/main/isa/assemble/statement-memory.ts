/**
 * Instructions that were assembled before: text → words. Code repeats itself, and a listing of a capture does so most of
 * all; a statement seen before costs one look instead of parsing, matching and encoding.
 *
 * What is remembered depends on nothing but its own text, target and wave size: statements that asked for a symbol or their
 * own address, or about which anything was said, are not. Bounded: when it is full everything is forgotten, and when
 * little of it was of use the next stretch of text goes without.
 */
const MOST_STATEMENTS = 1 << 16;
/** Longer ones are rarely the same. */
const LONGEST = 160;
const MOST_WORDS = 6;
/** Less than one hit in so many statements: not worth the upkeep for a while, four times as long as it took to see that. */
const WORTH = 8;
const REST = 4 * MOST_STATEMENTS;
const SEMICOLON = ';';

export class StatementMemory {
  /** Place in `words` and count: `place << 3 | count`. */
  private readonly known = new Map<string, number>();
  words = new Uint32Array(1 << 10);
  private length = 0;
  private hits = 0;
  private resting = 0;

  forget(): void {
    this.known.clear();
    this.length = 0;
    this.hits = 0;
  }

  /** The text from `start` to the end of the line or its comment; '' when there is nothing to look for. */
  textOf(source: string, start: number): string {
    if (this.resting > 0) {
      this.resting--;
      return '';
    }
    const newline = source.indexOf('\n', start);
    const end = newline < 0 ? source.length : newline;
    if (end - start > LONGEST) return '';
    const line = source.slice(start, end);
    const comment = line.indexOf(SEMICOLON);
    return comment < 0 ? line : line.slice(0, comment);
  }

  /** An entry for `placeOf` and `countOf`, or undefined. */
  find(text: string): number | undefined {
    const entry = this.known.get(text);
    if (entry !== undefined) this.hits++;
    return entry;
  }

  placeOf(entry: number): number {
    return entry >>> 3;
  }

  countOf(entry: number): number {
    return entry & 7;
  }

  /** `/*` may begin a comment that goes on in the next line. */
  remember(text: string, words: Uint32Array, count: number): void {
    if (text === '' || count > MOST_WORDS || text.includes('/*')) return;
    if (this.known.size >= MOST_STATEMENTS) {
      if (this.hits * WORTH < MOST_STATEMENTS) this.resting = REST;
      this.forget();
    }
    if (this.length + count > this.words.length) {
      const larger = new Uint32Array(2 * this.words.length);
      larger.set(this.words);
      this.words = larger;
    }
    for (let i = 0; i < count; i++) this.words[this.length + i] = words[i]!;
    this.known.set(text, (this.length << 3) | count);
    this.length += count;
  }
}
