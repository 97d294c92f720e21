/**
 * Raw DEFLATE decoding (RFC 1951) to a known size, pure so that captures open the same in Node, a worker and a browser.
 *
 * The output is allocated as it grows, never from the declared size, so a short stream cannot ask for much memory;
 * it stops as soon as more than `expectedSize` bytes come out. Returns undefined for any malformed stream.
 */
const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const DISTANCE_EXTRA = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_BITS = 15;

/** Canonical Huffman code: `counts[n]` codes of n bits, `symbols` in code order. */
interface HuffmanCode {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

/** Undefined when over-subscribed, or incomplete with more than one code. */
function huffmanCode(lengths: Uint8Array): HuffmanCode | undefined {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  let left = 1;
  let used = 0;
  for (let bits = 1; bits <= MAX_BITS; bits++) {
    left = left * 2 - counts[bits]!;
    if (left < 0) return undefined;
    used += counts[bits]!;
  }
  if (left > 0 && used > 1) return undefined;
  const next = new Uint16Array(MAX_BITS + 2);
  for (let bits = 1; bits <= MAX_BITS; bits++) next[bits + 1] = next[bits]! + counts[bits]!;
  const symbols = new Uint16Array(used);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length !== 0) symbols[next[length]!++] = symbol;
  }
  return { counts, symbols };
}

const FIXED_LITERALS = huffmanCode(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
)!;
const FIXED_DISTANCES = huffmanCode(new Uint8Array(32).fill(5))!;

class Inflater {
  private at = 0;
  private bitBuffer = 0;
  private bitCount = 0;
  private failed = false;
  private output: Uint8Array;
  private size = 0;
  private readonly input: Uint8Array;
  private readonly limit: number;

  constructor(input: Uint8Array, limit: number) {
    this.input = input;
    this.limit = limit;
    this.output = new Uint8Array(Math.min(limit, Math.max(1024, input.length * 4)));
  }

  run(): Uint8Array | undefined {
    let last = 0;
    while (!last && !this.failed) {
      last = this.bits(1);
      const type = this.bits(2);
      if (this.failed) break;
      if (type === 0) this.storedBlock();
      else if (type === 1) this.codedBlock(FIXED_LITERALS, FIXED_DISTANCES);
      else if (type === 2) this.dynamicBlock();
      else this.failed = true;
    }
    return this.failed || this.size !== this.limit ? undefined : this.output.subarray(0, this.size);
  }

  private bits(count: number): number {
    while (this.bitCount < count) {
      if (this.at >= this.input.length) {
        this.failed = true;
        return 0;
      }
      this.bitBuffer |= this.input[this.at++]! << this.bitCount;
      this.bitCount += 8;
    }
    const value = this.bitBuffer & ((1 << count) - 1);
    this.bitBuffer >>>= count;
    this.bitCount -= count;
    return value;
  }

  private symbol(code: HuffmanCode): number {
    let value = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_BITS; length++) {
      value |= this.bits(1);
      if (this.failed) return -1;
      const count = code.counts[length]!;
      if (value - count < first) return code.symbols[index + (value - first)]!;
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    this.failed = true;
    return -1;
  }

  /** Room for `count` more bytes, or failure when that passes the expected size. */
  private reserve(count: number): boolean {
    const need = this.size + count;
    if (need > this.limit) {
      this.failed = true;
      return false;
    }
    if (need > this.output.length) {
      const grown = new Uint8Array(Math.min(this.limit, Math.max(need, this.output.length * 2)));
      grown.set(this.output.subarray(0, this.size));
      this.output = grown;
    }
    return true;
  }

  private storedBlock(): void {
    this.bitBuffer = 0;
    this.bitCount = 0;
    const input = this.input;
    if (this.at + 4 > input.length) {
      this.failed = true;
      return;
    }
    const length = input[this.at]! | (input[this.at + 1]! << 8);
    const complement = input[this.at + 2]! | (input[this.at + 3]! << 8);
    this.at += 4;
    if (length !== (~complement & 0xffff) || this.at + length > input.length || !this.reserve(length)) {
      this.failed = true;
      return;
    }
    this.output.set(input.subarray(this.at, this.at + length), this.size);
    this.at += length;
    this.size += length;
  }

  private dynamicBlock(): void {
    const literalCount = this.bits(5) + 257;
    const distanceCount = this.bits(5) + 1;
    const lengthCount = this.bits(4) + 4;
    if (this.failed || literalCount > 286 || distanceCount > 30) {
      this.failed = true;
      return;
    }
    const codeLengths = new Uint8Array(19);
    for (let i = 0; i < lengthCount; i++) codeLengths[CODE_LENGTH_ORDER[i]!] = this.bits(3);
    const lengthCode = huffmanCode(codeLengths);
    if (this.failed || !lengthCode) {
      this.failed = true;
      return;
    }
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length; ) {
      const symbol = this.symbol(lengthCode);
      if (this.failed) return;
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      const value = symbol === 16 ? (i === 0 ? -1 : lengths[i - 1]!) : 0;
      const repeat = symbol === 16 ? 3 + this.bits(2) : symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7);
      if (this.failed || value < 0 || i + repeat > lengths.length) {
        this.failed = true;
        return;
      }
      lengths.fill(value, i, i + repeat);
      i += repeat;
    }
    const literals = huffmanCode(lengths.subarray(0, literalCount));
    const distances = huffmanCode(lengths.subarray(literalCount));
    if (!literals || !distances || lengths[256] === 0) this.failed = true;
    else this.codedBlock(literals, distances);
  }

  private codedBlock(literals: HuffmanCode, distances: HuffmanCode): void {
    for (;;) {
      const symbol = this.symbol(literals);
      if (this.failed || symbol === 256) return;
      if (symbol < 256) {
        if (!this.reserve(1)) return;
        this.output[this.size++] = symbol;
        continue;
      }
      const lengthIndex = symbol - 257;
      if (lengthIndex >= LENGTH_BASE.length) break;
      const length = LENGTH_BASE[lengthIndex]! + this.bits(LENGTH_EXTRA[lengthIndex]!);
      const distanceIndex = this.symbol(distances);
      if (this.failed || distanceIndex >= DISTANCE_BASE.length) break;
      const distance = DISTANCE_BASE[distanceIndex]! + this.bits(DISTANCE_EXTRA[distanceIndex]!);
      if (this.failed || distance > this.size || !this.reserve(length)) break;
      // Byte by byte: source and destination may overlap.
      for (let i = 0; i < length; i++, this.size++) this.output[this.size] = this.output[this.size - distance]!;
    }
    this.failed = true;
  }
}

/** Exactly `expectedSize` bytes, or undefined when the stream is malformed or yields another size. */
export function inflateRaw(input: Uint8Array, expectedSize: number): Uint8Array | undefined {
  return new Inflater(input, expectedSize).run();
}
