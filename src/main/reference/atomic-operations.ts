/**
 * What atomic instructions do to a memory word: old value and operands in, new value out. Shared by LDS, GDS, buffer,
 * flat and scalar atomics, whose operand order differs and is settled by the callers.
 *
 * Float minimum and maximum compare as numbers: with a NaN on either side memory keeps its value, and −0 equals +0.
 * 64-bit operations work on halves and leave the new value in `pair` (salu-64.ts).
 * Source: Sea Islands and RDNA 1 ISA manuals, "BUFFER_ATOMIC_*", "DS_*".
 */
import { setPair } from './salu-64.ts';

/** `extra` is the comparand of cmpswap, the second data operand of mskor and wrap; otherwise unused. */
export type Atomic32 = (old: number, data: number, extra: number) => number;
export type Atomic64 = (
  oldLow: number,
  oldHigh: number,
  low: number,
  high: number,
  extraLow: number,
  extraHigh: number,
) => void;

const BITS = new DataView(new ArrayBuffer(16));

function asF32(bits: number): number {
  BITS.setUint32(0, bits);
  return BITS.getFloat32(0);
}

function asF64(low: number, high: number): number {
  BITS.setUint32(0, high);
  BITS.setUint32(4, low);
  return BITS.getFloat64(0);
}

export const ATOMIC_32 = {
  swap: (_old, data) => data,
  cmpswap: (old, data, compare) => (old === compare ? data : old),
  add: (old, data) => old + data,
  sub: (old, data) => old - data,
  rsub: (old, data) => data - old,
  /** Subtracts, but not below 0. */
  csub: (old, data) => (old < data ? 0 : old - data),
  smin: (old, data) => ((data | 0) < (old | 0) ? data : old),
  umin: (old, data) => Math.min(old, data),
  smax: (old, data) => ((data | 0) > (old | 0) ? data : old),
  umax: (old, data) => Math.max(old, data),
  and: (old, data) => old & data,
  or: (old, data) => old | data,
  xor: (old, data) => old ^ data,
  inc: (old, data) => (old >= data ? 0 : old + 1),
  dec: (old, data) => (old === 0 || old > data ? data : old - 1),
  mskor: (old, mask, bits) => (old & ~mask) | bits,
  wrap: (old, data, extra) => (old >= data ? old - data : old + extra),
  fcmpswap: (old, data, compare) => (asF32(old) === asF32(compare) ? data : old),
  fmin: (old, data) => (asF32(data) < asF32(old) ? data : old),
  fmax: (old, data) => (asF32(data) > asF32(old) ? data : old),
} satisfies Record<string, Atomic32>;

function less64(aLow: number, aHigh: number, bLow: number, bHigh: number): boolean {
  return aHigh !== bHigh ? aHigh < bHigh : aLow < bLow;
}

function add64(aLow: number, aHigh: number, bLow: number, bHigh: number): void {
  const low = aLow + bLow;
  setPair(low, aHigh + bHigh + (low > 0xffffffff ? 1 : 0));
}

function sub64(aLow: number, aHigh: number, bLow: number, bHigh: number): void {
  const low = aLow - bLow;
  setPair(low, aHigh - bHigh - (low < 0 ? 1 : 0));
}

function choose64(first: boolean, aLow: number, aHigh: number, bLow: number, bHigh: number): void {
  if (first) setPair(aLow, aHigh);
  else setPair(bLow, bHigh);
}

export const ATOMIC_64 = {
  swap: (_ol, _oh, l, h) => setPair(l, h),
  cmpswap: (ol, oh, l, h, cl, ch) => choose64(ol === cl && oh === ch, l, h, ol, oh),
  add: (ol, oh, l, h) => add64(ol, oh, l, h),
  sub: (ol, oh, l, h) => sub64(ol, oh, l, h),
  rsub: (ol, oh, l, h) => sub64(l, h, ol, oh),
  smin: (ol, oh, l, h) => choose64(less64(l, h | 0, ol, oh | 0), l, h, ol, oh),
  umin: (ol, oh, l, h) => choose64(less64(l, h, ol, oh), l, h, ol, oh),
  smax: (ol, oh, l, h) => choose64(less64(ol, oh | 0, l, h | 0), l, h, ol, oh),
  umax: (ol, oh, l, h) => choose64(less64(ol, oh, l, h), l, h, ol, oh),
  and: (ol, oh, l, h) => setPair(ol & l, oh & h),
  or: (ol, oh, l, h) => setPair(ol | l, oh | h),
  xor: (ol, oh, l, h) => setPair(ol ^ l, oh ^ h),
  inc: (ol, oh, l, h) => {
    if (less64(ol, oh, l, h)) add64(ol, oh, 1, 0);
    else setPair(0, 0);
  },
  dec: (ol, oh, l, h) => {
    if ((ol | oh) === 0 || less64(l, h, ol, oh)) setPair(l, h);
    else sub64(ol, oh, 1, 0);
  },
  mskor: (ol, oh, ml, mh, bl, bh) => setPair((ol & ~ml) | bl, (oh & ~mh) | bh),
  fcmpswap: (ol, oh, l, h, cl, ch) => choose64(asF64(ol, oh) === asF64(cl, ch), l, h, ol, oh),
  fmin: (ol, oh, l, h) => choose64(asF64(l, h) < asF64(ol, oh), l, h, ol, oh),
  fmax: (ol, oh, l, h) => choose64(asF64(l, h) > asF64(ol, oh), l, h, ol, oh),
  /** Two dwords, each replaced by its data without bit 31 where that bit is set. */
  condxchg32: (ol, oh, l, h) => setPair(l >>> 31 ? l & 0x7fffffff : ol, h >>> 31 ? h & 0x7fffffff : oh),
} satisfies Record<string, Atomic64>;

export type AtomicName32 = keyof typeof ATOMIC_32;
export type AtomicName64 = keyof typeof ATOMIC_64;
