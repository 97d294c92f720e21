/**
 * Word by word comparison of memory with what is expected, with excepted ranges and their bounds.
 *
 * Distances in units in the last place are taken on the ordered integers of the format, so +0 and −0 are one apart from
 * nothing: they count as equal only where the exception says so. Two NaNs are equal under any ulp bound.
 */
import type { ExpectationException } from '../capture/format/model.ts';

export interface WordDifference {
  /** Word index from the start of the compared range. */
  readonly word: number;
  readonly expected: number;
  readonly actual: number;
  /** The exception that was exceeded, if the word has one. */
  readonly exception?: ExpectationException;
}

export interface WordComparison {
  readonly words: number;
  readonly equal: number;
  /** Words covered by an exception, whether or not they are equal. */
  readonly excepted: number;
  /** Excepted words that are not bit-equal but inside their bound. */
  readonly tolerated: number;
  /** Largest distance seen in excepted words with an ulp bound. */
  readonly largestUlp: number;
  readonly differing: number;
  /** The first of them. */
  readonly differences: readonly WordDifference[];
}

const KEEP = 16;

/** Both arrays have the same length in bytes, a multiple of 4. */
export function compareWords(
  expected: Uint8Array,
  actual: Uint8Array,
  exceptions: readonly ExpectationException[],
): WordComparison {
  const count = expected.length >> 2;
  const e = new DataView(expected.buffer, expected.byteOffset, expected.byteLength);
  const a = new DataView(actual.buffer, actual.byteOffset, actual.byteLength);
  const exceptionOf: (ExpectationException | undefined)[] = new Array(count);
  let excepted = 0;
  for (const exception of exceptions) {
    for (let i = 0; i < exception.words; i++) {
      if (exception.firstWord + i < count && !exceptionOf[exception.firstWord + i]) excepted++;
      exceptionOf[exception.firstWord + i] = exception;
    }
  }
  let equal = 0;
  let tolerated = 0;
  let differing = 0;
  let largestUlp = 0;
  const differences: WordDifference[] = [];
  for (let i = 0; i < count; i++) {
    const x = e.getUint32(4 * i, true);
    const y = a.getUint32(4 * i, true);
    if (x === y) {
      equal++;
      continue;
    }
    const exception = exceptionOf[i];
    if (exception) {
      const distance = distanceAt(exception, e, a, i);
      if (distance !== undefined) largestUlp = Math.max(largestUlp, distance);
      if (exception.bound === 'any' || (distance !== undefined && distance <= exception.bound)) {
        tolerated++;
        continue;
      }
    }
    differing++;
    if (differences.length < KEEP)
      differences.push({ word: i, expected: x, actual: y, ...(exception ? { exception } : {}) });
  }
  return { words: count, equal, excepted, tolerated, largestUlp, differing, differences };
}

function distanceAt(exception: ExpectationException, e: DataView, a: DataView, word: number): number | undefined {
  switch (exception.type) {
    case 'u32':
      return Math.abs(e.getUint32(4 * word, true) - a.getUint32(4 * word, true));
    case 'f32':
      return ulpDistance(e.getUint32(4 * word, true), a.getUint32(4 * word, true), 32);
    case 'f16x2': {
      const low = ulpDistance(e.getUint16(4 * word, true), a.getUint16(4 * word, true), 16);
      const high = ulpDistance(e.getUint16(4 * word + 2, true), a.getUint16(4 * word + 2, true), 16);
      return low === undefined || high === undefined ? undefined : Math.max(low, high);
    }
    case 'f64': {
      // Either half of a double: the distance is that of the whole.
      const start = 4 * (exception.firstWord + 2 * ((word - exception.firstWord) >> 1));
      if (start + 8 > e.byteLength) return undefined;
      return ulpDistance64(e.getBigUint64(start, true), a.getBigUint64(start, true));
    }
  }
}

/** undefined when exactly one is NaN. */
function ulpDistance(x: number, y: number, bits: 16 | 32): number | undefined {
  const magnitude = bits === 32 ? 0x7fffffff : 0x7fff;
  const infinity = bits === 32 ? 0x7f800000 : 0x7c00;
  const nanX = (x & magnitude) > infinity;
  const nanY = (y & magnitude) > infinity;
  if (nanX || nanY) return nanX && nanY ? 0 : undefined;
  const ordered = (v: number): number => (v > magnitude ? -(v & magnitude) : v);
  return Math.abs(ordered(x) - ordered(y));
}

function ulpDistance64(x: bigint, y: bigint): number | undefined {
  const magnitude = (1n << 63n) - 1n;
  const infinity = 0x7ff0000000000000n;
  const nanX = (x & magnitude) > infinity;
  const nanY = (y & magnitude) > infinity;
  if (nanX || nanY) return nanX && nanY ? 0 : undefined;
  const ordered = (v: bigint): bigint => (v > magnitude ? -(v & magnitude) : v);
  const distance = ordered(x) - ordered(y);
  return Number(distance < 0n ? -distance : distance);
}
