/**
 * What all vector memory instructions share: loads into registers, data out of registers, atomics by kind.
 *
 * A lowering gives the access as three functions (load, store, atomic at a byte offset from the lane's element); the
 * shapes here know which registers take part. Loads give 0 in inactive lanes, and register writes keep old values.
 */
import { FLAG, type Instruction } from '../../isa/instruction.ts';
import { ATOMIC_KIND_SHIFT, ATOMIC_KINDS, type AtomicKind, accessBits } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { Lower, Lowering } from './lowering.ts';

export type ElementSize = 'u8' | 'i8' | 'u16' | 'i16' | 'u32';

/** Where and how one instruction accesses memory; made by `prepare` of its class. */
export interface Access {
  /** `count` consecutive elements at byte `skip`; count > 1 only for dwords. */
  load(size: ElementSize, skip: number, count: number): ValueId[];
  store(size: 'u8' | 'u16' | 'u32', skip: number, data: readonly ValueId[]): void;
  atomic(kind: AtomicKind, wide: boolean, data: ValueId, extra: ValueId): ValueId;
}

/** Answers undefined after refusing the instruction. */
export type Prepare = (l: Lowering) => Access | undefined;

export function cacheBits(i: Instruction, count: number): number {
  return accessBits(count, (i.flags & FLAG.GLC) !== 0, (i.flags & FLAG.SLC) !== 0, (i.flags & FLAG.DLC) !== 0);
}

export function atomicBits(i: Instruction, kind: AtomicKind): number {
  return cacheBits(i, 1) | (ATOMIC_KINDS.indexOf(kind) << ATOMIC_KIND_SHIFT);
}

export const loadElement =
  (prepare: Prepare, size: ElementSize): Lower =>
  (l) => {
    const access = prepare(l);
    if (access) l.writeVector(l.i.dst, access.load(size, 0, 1)[0]!);
  };

export const loadDwords =
  (prepare: Prepare, count: number): Lower =>
  (l) => {
    const access = prepare(l);
    if (!access) return;
    const values = access.load('u32', 0, count);
    for (let n = 0; n < count; n++) l.writeVector(l.i.dst + n, values[n]!);
  };

/** d16: one half of the register is replaced. */
export const loadHalf =
  (prepare: Prepare, size: ElementSize, high: boolean): Lower =>
  (l) => {
    const access = prepare(l);
    if (!access) return;
    const e = l.b;
    const value = e.emit2('and.u32', access.load(size, 0, 1)[0]!, e.u32(0xffff));
    const kept = e.emit2('and.u32', l.readVector(l.i.dst), e.u32(high ? 0xffff : 0xffff0000));
    l.writeVector(l.i.dst, e.emit2('or.u32', kept, high ? e.emit2('shl.u32', value, e.u32(16)) : value));
  };

/** `slot` is the data operand. */
export const storeElement =
  (prepare: Prepare, slot: number, size: 'u8' | 'u16' | 'u32', high = false): Lower =>
  (l) => {
    const access = prepare(l);
    if (!access) return;
    const value = l.readVector(l.code(slot));
    access.store(size, 0, [high ? l.b.emit2('shr.u32', value, l.b.u32(16)) : value]);
  };

export const storeDwords =
  (prepare: Prepare, slot: number, count: number): Lower =>
  (l) => {
    const access = prepare(l);
    if (!access) return;
    const data: ValueId[] = [];
    for (let n = 0; n < count; n++) data.push(l.readVector(l.code(slot) + n));
    access.store('u32', 0, data);
  };

/** Buffer and flat atomics: compare-and-swap has the new value first, the comparand after it. */
export const atomic32 =
  (prepare: Prepare, slot: number, kind: AtomicKind): Lower =>
  (l) => {
    const access = prepare(l);
    if (!access) return;
    const code = l.code(slot);
    const compares = kind === 'cmpswap' || kind === 'fcmpswap';
    const extra = compares ? l.readVector(code + 1) : l.b.u32(0);
    const old = access.atomic(kind, false, l.readVector(code), extra);
    if (l.i.dst >= 0) l.writeVector(l.i.dst, old);
  };

export const atomic64 =
  (prepare: Prepare, slot: number, kind: AtomicKind): Lower =>
  (l) => {
    const access = prepare(l);
    if (!access) return;
    const code = l.code(slot);
    const compares = kind === 'cmpswap' || kind === 'fcmpswap';
    const extra = compares ? l.readVector64(code + 2) : l.b.u64(0, 0);
    const old = access.atomic(kind, true, l.readVector64(code), extra);
    if (l.i.dst >= 0) l.writeVector64(l.i.dst, old);
  };

export type LoadRows<P extends string> = Record<
  | `${P}_load_${'ubyte' | 'sbyte' | 'ushort' | 'sshort' | 'dword' | 'dwordx2' | 'dwordx3' | 'dwordx4'}`
  | `${P}_load_${'ubyte' | 'sbyte' | 'short'}_d16${'' | '_hi'}`
  | `${P}_store_${'byte' | 'short'}${'' | '_d16_hi'}`
  | `${P}_store_${'dword' | 'dwordx2' | 'dwordx3' | 'dwordx4'}`,
  Lower
>;

/** The rows that buffers, flat, global and scratch have under the same names. */
export function loadStoreRows<P extends string>(prefix: P, prepare: Prepare, slot: number): LoadRows<P> {
  const rows: Record<string, Lower> = {
    load_ubyte: loadElement(prepare, 'u8'),
    load_sbyte: loadElement(prepare, 'i8'),
    load_ushort: loadElement(prepare, 'u16'),
    load_sshort: loadElement(prepare, 'i16'),
    load_dword: loadDwords(prepare, 1),
    load_dwordx2: loadDwords(prepare, 2),
    load_dwordx3: loadDwords(prepare, 3),
    load_dwordx4: loadDwords(prepare, 4),
    load_ubyte_d16: loadHalf(prepare, 'u8', false),
    load_ubyte_d16_hi: loadHalf(prepare, 'u8', true),
    load_sbyte_d16: loadHalf(prepare, 'i8', false),
    load_sbyte_d16_hi: loadHalf(prepare, 'i8', true),
    load_short_d16: loadHalf(prepare, 'u16', false),
    load_short_d16_hi: loadHalf(prepare, 'u16', true),
    store_byte: storeElement(prepare, slot, 'u8'),
    store_byte_d16_hi: storeElement(prepare, slot, 'u8', true),
    store_short: storeElement(prepare, slot, 'u16'),
    store_short_d16_hi: storeElement(prepare, slot, 'u16', true),
    store_dword: storeDwords(prepare, slot, 1),
    store_dwordx2: storeDwords(prepare, slot, 2),
    store_dwordx3: storeDwords(prepare, slot, 3),
    store_dwordx4: storeDwords(prepare, slot, 4),
  };
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}_${name}`, row])) as LoadRows<P>;
}

const MEMORY_ATOMICS = [
  'swap',
  'cmpswap',
  'add',
  'sub',
  'smin',
  'umin',
  'smax',
  'umax',
  'and',
  'or',
  'xor',
  'inc',
  'dec',
  'fcmpswap',
  'fmin',
  'fmax',
] as const satisfies readonly AtomicKind[];
type MemoryAtomic = (typeof MEMORY_ATOMICS)[number];
export type AtomicRows<P extends string> = Record<`${P}_atomic_${MemoryAtomic}${'' | '_x2'}`, Lower>;

export function atomicRows<P extends string>(prefix: P, prepare: Prepare, slot: number): AtomicRows<P> {
  const entries = MEMORY_ATOMICS.flatMap((kind): [string, Lower][] => [
    [`${prefix}_atomic_${kind}`, atomic32(prepare, slot, kind)],
    [`${prefix}_atomic_${kind}_x2`, atomic64(prepare, slot, kind)],
  ]);
  return Object.fromEntries(entries) as AtomicRows<P>;
}
