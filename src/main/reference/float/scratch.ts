/**
 * The typed arrays through which float code turns bits into numbers and back, and the pair of words in which f64
 * functions leave their result. One set for the whole layer: nothing here survives a call.
 *
 * Why: a DataView or a fresh array per operation costs more than the arithmetic. Hosts are little-endian (every platform
 * Node, Electron and browsers run on), so the low word of double i is WORDS[2 · i].
 */
const single = new ArrayBuffer(16);
const double = new ArrayBuffer(64);

export const F32 = new Float32Array(single);
export const U32 = new Uint32Array(single);

export const F64 = new Float64Array(double);
export const WORDS = new Uint32Array(double);

/** Result of every f64 function: [low word, high word]. */
export const OUT64 = new Uint32Array(2);

/** The double whose halves are given. The value of a NaN is not relied on. */
export function toNumber(low: number, high: number): number {
  WORDS[0] = low;
  WORDS[1] = high;
  return F64[0]!;
}

/** Leaves a double that is no NaN in OUT64. */
export function giveNumber(value: number): void {
  F64[0] = value;
  OUT64[0] = WORDS[0]!;
  OUT64[1] = WORDS[1]!;
}

export function giveWords(low: number, high: number): void {
  OUT64[0] = low;
  OUT64[1] = high;
}
