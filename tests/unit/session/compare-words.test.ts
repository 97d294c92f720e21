/** Word comparison with exceptions; distances worked out by hand. */
import { describe, expect, it } from 'vitest';
import { compareWords } from '../../../src/main/session/compare-words.ts';

const bytes = (words: number[]): Uint8Array => new Uint8Array(new Uint32Array(words).buffer);

describe('compareWords', () => {
  it('counts equal and differing words and keeps the first differences', () => {
    const c = compareWords(bytes([1, 2, 3, 4]), bytes([1, 5, 3, 6]), []);
    expect(c).toMatchObject({ words: 4, equal: 2, differing: 2, excepted: 0 });
    expect(c.differences).toEqual([
      { word: 1, expected: 2, actual: 5 },
      { word: 3, expected: 4, actual: 6 },
    ]);
  });

  it('takes f32 distances across zero', () => {
    // 0x80000001 and 0x00000001 are the smallest negative and positive denormals: two steps through ±0.
    const exception = { firstWord: 0, words: 1, type: 'f32', bound: 2, reason: 'test' } as const;
    expect(compareWords(bytes([0x80000001]), bytes([0x00000001]), [exception])).toMatchObject({
      tolerated: 1,
      differing: 0,
      largestUlp: 2,
    });
    expect(compareWords(bytes([0x80000001]), bytes([0x00000001]), [{ ...exception, bound: 1 }])).toMatchObject({
      tolerated: 0,
      differing: 1,
    });
  });

  it('takes NaN as equal to NaN only', () => {
    const exception = { firstWord: 0, words: 1, type: 'f32', bound: 1000, reason: 'test' } as const;
    expect(compareWords(bytes([0x7fc00000]), bytes([0xffc00001]), [exception]).differing).toBe(0);
    expect(compareWords(bytes([0x7fc00000]), bytes([0x7f800000]), [exception]).differing).toBe(1);
  });

  it('compares halves apart and doubles whole', () => {
    const half = { firstWord: 0, words: 1, type: 'f16x2', bound: 1, reason: 'test' } as const;
    expect(compareWords(bytes([0x3c003c00]), bytes([0x3c013bff]), [half]).differing).toBe(0);
    expect(compareWords(bytes([0x3c003c00]), bytes([0x3c023c00]), [half]).differing).toBe(1);
    const double = { firstWord: 0, words: 2, type: 'f64', bound: 1, reason: 'test' } as const;
    // 0x3ff00000_00000000 and its predecessor 0x3fefffff_ffffffff: both words differ, distance 1.
    expect(compareWords(bytes([0, 0x3ff00000]), bytes([0xffffffff, 0x3fefffff]), [double])).toMatchObject({
      tolerated: 2,
      differing: 0,
    });
  });

  it('accepts anything only inside the exception', () => {
    const any = { firstWord: 1, words: 1, type: 'u32', bound: 'any', reason: 'winner of a race' } as const;
    expect(compareWords(bytes([1, 2, 3]), bytes([1, 9, 9]), [any])).toMatchObject({
      equal: 1,
      tolerated: 1,
      differing: 1,
      excepted: 1,
    });
  });
});
