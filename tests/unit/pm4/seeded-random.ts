/** Small seeded generator (xorshift32) for tests that try many inputs. */
export interface SeededRandom {
  /** A u32. */
  word(): number;
  /** 0 … limit − 1. */
  below(limit: number): number;
}

export function seededRandom(seed: number): SeededRandom {
  let state = (seed * 2654435761 + 0x9e3779b9) >>> 0 || 1;
  const word = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return { word, below: (limit) => Math.floor((word() / 2 ** 32) * limit) };
}
