/** Seeded random numbers: the same seed gives the same program on every machine. */
export class RandomSource {
  private state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring sequences.
    this.state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ 0x5bd1e995) | 1;
    for (let i = 0; i < 4; i++) this.bits();
  }

  /** 32 bits, xorshift. */
  bits(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return x >>> 0;
  }

  /** 0 … bound − 1 */
  below(bound: number): number {
    return Math.floor((this.bits() / 2 ** 32) * bound);
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Weighted: [weight, value]. */
  weighted<T>(list: readonly (readonly [number, T])[]): T {
    let at = this.below(list.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of list) {
      if (at < weight) return value;
      at -= weight;
    }
    return list[0]![1];
  }
}
