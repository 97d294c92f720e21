/**
 * A 128-bit hash of a stream of words, for cache keys. Not cryptographic: keys are compared within one user's caches.
 *
 * Method: four 32-bit lanes, each multiplied, rotated and fed from its neighbour per word; the length and an avalanche
 * over all lanes finish it. Pure integer arithmetic, so a key is the same in every process and on every machine.
 */
export class KeyHash {
  private readonly lanes = Uint32Array.from([0x9e3779b9, 0x7f4a7c15, 0xf39cc060, 0x5cedc834]);
  private count = 0;

  word(value: number): this {
    const lanes = this.lanes;
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul(lanes[lane]! ^ Math.imul(value, MULTIPLIERS[lane]!), 0x85ebca6b);
      lanes[lane] = rotate(mixed, ROTATIONS[lane]!) + lanes[(lane + 1) & 3]!;
    }
    this.count++;
    return this;
  }

  /** Numbers up to 2^53 and negative ones, as two words. */
  number(value: number): this {
    return this.word(value % 2 ** 32).word(Math.floor(value / 2 ** 32));
  }

  words(values: ArrayLike<number>): this {
    this.word(values.length);
    for (let i = 0; i < values.length; i++) this.word(values[i]!);
    return this;
  }

  flag(value: boolean): this {
    return this.word(value ? 1 : 0);
  }

  text(value: string): this {
    this.word(value.length);
    for (let i = 0; i < value.length; i++) this.word(value.charCodeAt(i));
    return this;
  }

  /** 32 hexadecimal digits. The hash may go on afterwards. */
  digest(): string {
    const lanes = this.lanes.slice();
    lanes[0]! ^= this.count;
    for (let round = 0; round < 2; round++) {
      for (let lane = 0; lane < 4; lane++) lanes[lane] = finish(lanes[lane]! + lanes[(lane + 3) & 3]!);
    }
    return [...lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('');
  }
}

const MULTIPLIERS = [0xcc9e2d51, 0x1b873593, 0xa1c5b3e7, 0x38b34ae5];
const ROTATIONS = [13, 17, 15, 19];

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function finish(value: number): number {
  let x = value ^ (value >>> 16);
  x = Math.imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = Math.imul(x, 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}
