/**
 * Operations of the host evaluator: what a scalar instruction computes, on u32 values, one 32-bit result each.
 *
 * Why its own small set: linking evaluates only the uniform slice that leads to a call target or an address. 64-bit
 * instructions are two operations (low, high) and a carry or flag one more, so that every value in the table is 32 bits
 * and pairs need no special case. Instructions that are not listed yield an opaque value, never a guess.
 * Source: RDNA 1 ISA manual, scalar ALU instructions (same semantics on GFX7).
 */
export const SCALAR_OPERATIONS = {
  add: (a, b) => a + b,
  /** Carry out of a + b + c. */
  carry: (a, b, c) => (a + b + c > 0xffffffff ? 1 : 0),
  addCarry: (a, b, c) => a + b + c,
  addOverflow: (a, b) => ((a ^ ~b) & (a ^ (a + b))) >>> 31,
  subtract: (a, b) => a - b,
  /** Borrow of a − b − c. */
  borrow: (a, b, c) => (b + c > a ? 1 : 0),
  subtractBorrow: (a, b, c) => a - b - c,
  subtractOverflow: (a, b) => ((a ^ b) & (a ^ (a - b))) >>> 31,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  not: (a) => ~a,
  shiftLeft: (a, n) => a << (n & 31),
  shiftRight: (a, n) => a >>> (n & 31),
  shiftRightSigned: (a, n) => a >> (n & 31),
  shiftLeft64Low: (low, _high, n) => low64(wide(low, _high) << BigInt(n & 63)),
  shiftLeft64High: (low, high, n) => high64(wide(low, high) << BigInt(n & 63)),
  shiftRight64Low: (low, high, n) => low64(wide(low, high) >> BigInt(n & 63)),
  shiftRight64High: (low, high, n) => high64(wide(low, high) >> BigInt(n & 63)),
  shiftRightSigned64Low: (low, high, n) => low64(signedWide(low, high) >> BigInt(n & 63)),
  shiftRightSigned64High: (low, high, n) => high64(signedWide(low, high) >> BigInt(n & 63)),
  multiply: (a, b) => Math.imul(a, b),
  multiplyHigh: (a, b) => high64(BigInt(a) * BigInt(b)),
  multiplyHighSigned: (a, b) => high64(BigInt(a | 0) * BigInt(b | 0)),
  /** Second operand of the bit-field extracts: offset in bits 4:0 (5:0 of 64), width in bits 22:16. */
  extract: (a, field) => extract(BigInt(a), field & 31, (field >>> 16) & 127, false, 32n),
  extractSigned: (a, field) => extract(BigInt(a | 0), field & 31, (field >>> 16) & 127, true, 32n),
  extract64Low: (low, high, field) => low64(extractWide(wide(low, high), field, false)),
  extract64High: (low, high, field) => high64(extractWide(wide(low, high), field, false)),
  extractSigned64Low: (low, high, field) => low64(extractWide(signedWide(low, high), field, true)),
  extractSigned64High: (low, high, field) => high64(extractWide(signedWide(low, high), field, true)),
  bitMask: (width, offset) => ((1 << (width & 31)) - 1) << (offset & 31),
  minimum: (a, b) => Math.min(a, b),
  minimumSigned: (a, b) => Math.min(a | 0, b | 0),
  maximum: (a, b) => Math.max(a, b),
  maximumSigned: (a, b) => Math.max(a | 0, b | 0),
  absolute: (a) => Math.abs(a | 0),
  signExtend8: (a) => (a << 24) >> 24,
  signExtend16: (a) => (a << 16) >> 16,
  packLowLow: (a, b) => (a & 0xffff) | (b << 16),
  packLowHigh: (a, b) => (a & 0xffff) | (b & 0xffff0000),
  packHighHigh: (a, b) => (a >>> 16) | (b & 0xffff0000),
  setBit: (a, n) => a | (1 << (n & 31)),
  clearBit: (a, n) => a & ~(1 << (n & 31)),
  /** Flag of the logic operations: any bit set in a, or in a pair. */
  anySet: (a) => (a !== 0 ? 1 : 0),
  anySet64: (low, high) => (low !== 0 || high !== 0 ? 1 : 0),
  equal: (a, b) => (a === b ? 1 : 0),
  lessThan: (a, b) => (a < b ? 1 : 0),
  lessThanSigned: (a, b) => ((a | 0) < (b | 0) ? 1 : 0),
  /** condition ? a : b. Enumerated as a choice when the condition is not known. */
  select: (condition, a, b) => (condition !== 0 ? a : b),
} as const satisfies Record<string, (a: number, b: number, c: number) => number>;

export type ScalarOperation = keyof typeof SCALAR_OPERATIONS;

/** Operands and result are u32. */
export function evaluateScalar(operation: ScalarOperation, a: number, b: number, c: number): number {
  return SCALAR_OPERATIONS[operation](a, b, c) >>> 0;
}

function wide(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

function signedWide(low: number, high: number): bigint {
  return BigInt.asIntN(64, wide(low, high));
}

function low64(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}

function high64(value: bigint): number {
  return Number(BigInt.asUintN(32, value >> 32n));
}

function extractWide(value: bigint, field: number, signed: boolean): bigint {
  const width = BigInt((field >>> 16) & 127);
  const shifted = value >> BigInt(field & 63);
  if (width === 0n) return 0n;
  return signed ? BigInt.asIntN(Number(width), shifted) : BigInt.asUintN(Number(width), BigInt.asUintN(64, shifted));
}

function extract(value: bigint, offset: number, width: number, signed: boolean, _size: bigint): number {
  if (width === 0) return 0;
  const shifted = value >> BigInt(offset);
  return low64(signed ? BigInt.asIntN(width, shifted) : BigInt.asUintN(width, shifted));
}
