/**
 * DS atomics on LDS and GDS, 32 and 64 bits; forms that combine two memory words (src2); append and consume.
 *
 * `rtn` forms give the old value. Out of range: memory unchanged, old value 0. Compare-and-store takes the comparand in
 * data0 and the new value in data1, the opposite of buffer atomics. src2: B is found from the offset as the manual says
 * and memory[A] = f(memory[A], memory[B]). append/consume add or subtract the number of active lanes once per wave.
 * Source: Sea Islands and RDNA 1 ISA manuals, "DS instructions".
 */
import { FLAG, type Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import {
  ATOMIC_32,
  ATOMIC_64,
  type Atomic32,
  type Atomic64,
  type AtomicName32,
  type AtomicName64,
} from './atomic-operations.ts';
import { addF32 } from './float/arithmetic-f32.ts';
import { controlF32, type FloatControl } from './float/float-control.ts';
import { type Handler, unsupported } from './handler.ts';
import { atomic32 as shape32, atomic64 as shape64 } from './lane-access.ts';
import { type LocalSpace, ldsAccess, loadLocal, localAddress, localSpace, storeLocal } from './lds-access.ts';
import { firstOffset, secondOffset } from './lds-memory.ts';
import { pair } from './salu-64.ts';
import type { Wave } from './wave.ts';

/** Applies f to one word and returns its old value. */
function update32(space: LocalSpace, at: number, f: Atomic32, data: number, extra: number): number {
  const old = loadLocal(space, at, 4);
  storeLocal(space, at, 4, f(old, data, extra) >>> 0);
  return old;
}

/** Old value in `oldPair`. Both dwords must be in range, or nothing happens. */
const oldPair = { low: 0, high: 0 };

function update64(
  space: LocalSpace,
  at: number,
  f: Atomic64,
  low: number,
  high: number,
  xLow: number,
  xHigh: number,
): void {
  if (!space.memory.holds(at, 8, space.limit)) {
    oldPair.low = 0;
    oldPair.high = 0;
    return;
  }
  oldPair.low = loadLocal(space, at, 4);
  oldPair.high = loadLocal(space, at + 4, 4);
  f(oldPair.low, oldPair.high, low, high, xLow, xHigh);
  const newLow = pair.low;
  const newHigh = pair.high;
  storeLocal(space, at, 4, newLow);
  storeLocal(space, at + 4, 4, newHigh);
}

const secondData = (inst: Instruction): number => inst.src2;

function atomic32(f: Atomic32): Handler {
  return shape32(ldsAccess, f, 1, secondData);
}

function atomic64(f: Atomic64): Handler {
  return shape64(ldsAccess, f, 1, secondData);
}

/** cmpst: data0 is the comparand, data1 the new value. */
function compareStore32(name: 'cmpswap' | 'fcmpswap'): Handler {
  const f = ATOMIC_32[name];
  return atomic32((old, compare, data) => f(old, data, compare));
}

function compareStore64(name: 'cmpswap' | 'fcmpswap'): Handler {
  const f = ATOMIC_64[name];
  return atomic64((ol, oh, cl, ch, l, h) => f(ol, oh, l, h, cl, ch));
}

/** Two exchanges; stride in bytes per offset unit. */
function exchangeTwo32(stride: number): Handler {
  return (wave, inst) => {
    const space = localSpace(wave, inst);
    const address = wave.vgprOf(inst.src0);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const a = wave.vgprOf(inst.src1)[lane]!;
      const b = wave.vgprOf(inst.src2)[lane]!;
      const first = localAddress(space, address[lane]!, firstOffset(inst, stride));
      const second = localAddress(space, address[lane]!, secondOffset(inst, stride));
      const oldA = update32(space, first, ATOMIC_32.swap, a, 0);
      const oldB = update32(space, second, ATOMIC_32.swap, b, 0);
      wave.vgprOf(inst.dst)[lane] = oldA;
      wave.vgprOf(inst.dst + 1)[lane] = oldB;
    }
  };
}

function exchangeTwo64(stride: number): Handler {
  return (wave, inst) => {
    const space = localSpace(wave, inst);
    const address = wave.vgprOf(inst.src0);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const aLow = wave.vgprOf(inst.src1)[lane]!;
      const aHigh = wave.vgprOf(inst.src1 + 1)[lane]!;
      const bLow = wave.vgprOf(inst.src2)[lane]!;
      const bHigh = wave.vgprOf(inst.src2 + 1)[lane]!;
      const base = address[lane]!;
      update64(space, localAddress(space, base, firstOffset(inst, stride)), ATOMIC_64.swap, aLow, aHigh, 0, 0);
      const oldLow = oldPair.low;
      const oldHigh = oldPair.high;
      update64(space, localAddress(space, base, secondOffset(inst, stride)), ATOMIC_64.swap, bLow, bHigh, 0, 0);
      wave.vgprOf(inst.dst)[lane] = oldLow;
      wave.vgprOf(inst.dst + 1)[lane] = oldHigh;
      wave.vgprOf(inst.dst + 2)[lane] = oldPair.low;
      wave.vgprOf(inst.dst + 3)[lane] = oldPair.high;
    }
  };
}

/** Second address of a src2 form: A + 4 · (offset1[7] ? A[31:17], sign-extended : offset as a signed 15-bit number). */
function secondWord(inst: Instruction, a: number): number {
  const offset = inst.imm & 0xffff;
  const step = offset & 0x8000 ? (a | 0) >> 17 : (offset << 17) >> 17;
  return (a + 4 * step) >>> 0;
}

function combine32(f: Atomic32): Handler {
  return (wave, inst) => {
    const space = localSpace(wave, inst);
    const address = wave.vgprOf(inst.src0);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const a = address[lanes.at[i]!]!;
      const data = loadLocal(space, localAddress(space, secondWord(inst, a), 0), 4);
      update32(space, localAddress(space, a, 0), f, data, 0);
    }
  };
}

function combine64(f: Atomic64): Handler {
  return (wave, inst) => {
    const space = localSpace(wave, inst);
    const address = wave.vgprOf(inst.src0);
    const lanes = wave.lanes();
    for (let i = 0; i < lanes.count; i++) {
      const a = address[lanes.at[i]!]!;
      const b = localAddress(space, secondWord(inst, a), 0);
      update64(space, localAddress(space, a, 0), f, loadLocal(space, b, 4), loadLocal(space, b + 4, 4), 0, 0);
    }
  };
}

/** Adds `sign` × active lanes to one counter; all active lanes get the old value. */
function count(sign: 1 | -1): Handler {
  return (wave, inst) => {
    const lanes = wave.lanes();
    const space = localSpace(wave, inst);
    const isGds = (inst.flags & FLAG.GDS) !== 0;
    const base = isGds ? 0 : wave.sgprs[OPERAND.M0]! & 0xffff;
    // M0[15:0] is no size here: the counter lies at the base plus the offset.
    if (isGds) space.limit = space.memory.sizeBytes;
    const old = update32(space, localAddress(space, base, inst.imm), ATOMIC_32.add, sign * lanes.count, 0);
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) out[lanes.at[i]!] = old;
  };
}

/** Float addition in the wave's f32 modes. */
function addFloat(make: (f: Atomic32) => Handler): Handler {
  let control: FloatControl | undefined;
  const handler = make((old, data) => addF32(old, data, control!));
  return (wave: Wave, inst: Instruction) => {
    control = controlF32(wave.mode);
    handler(wave, inst);
  };
}

const NAMES_32 = [
  ['add', 'u32', 'add'],
  ['sub', 'u32', 'sub'],
  ['rsub', 'u32', 'rsub'],
  ['inc', 'u32', 'inc'],
  ['dec', 'u32', 'dec'],
  ['min', 'i32', 'smin'],
  ['max', 'i32', 'smax'],
  ['min', 'u32', 'umin'],
  ['max', 'u32', 'umax'],
  ['and', 'b32', 'and'],
  ['or', 'b32', 'or'],
  ['xor', 'b32', 'xor'],
  ['min', 'f32', 'fmin'],
  ['max', 'f32', 'fmax'],
] as const satisfies readonly (readonly [string, string, AtomicName32])[];

const NAMES_64 = [
  ['add', 'u64', 'add'],
  ['sub', 'u64', 'sub'],
  ['rsub', 'u64', 'rsub'],
  ['inc', 'u64', 'inc'],
  ['dec', 'u64', 'dec'],
  ['min', 'i64', 'smin'],
  ['max', 'i64', 'smax'],
  ['min', 'u64', 'umin'],
  ['max', 'u64', 'umax'],
  ['and', 'b64', 'and'],
  ['or', 'b64', 'or'],
  ['xor', 'b64', 'xor'],
  ['min', 'f64', 'fmin'],
  ['max', 'f64', 'fmax'],
] as const satisfies readonly (readonly [string, string, AtomicName64])[];

type Row = readonly [string, string, string];
type Key<R extends Row> = R extends readonly [infer Op extends string, infer Type extends string, string]
  ? `ds_${Op}_${Type}` | `ds_${Op}_rtn_${Type}` | `ds_${Op}_src2_${Type}`
  : never;

/** The three forms of each regular operation: without and with return, and src2. */
function forms<R extends Row>(
  rows: readonly R[],
  atomic: (row: R) => Handler,
  combine: (row: R) => Handler,
): Record<Key<R>, Handler> {
  const out: Record<string, Handler> = {};
  for (const row of rows) {
    const [op, type] = row;
    out[`ds_${op}_${type}`] = out[`ds_${op}_rtn_${type}`] = atomic(row);
    out[`ds_${op}_src2_${type}`] = combine(row);
  }
  return out as Record<Key<R>, Handler>;
}

const synchronisation = unsupported('it synchronises waves of the whole device, which a single dispatch does not have');

export const LDS_ATOMIC = {
  ...forms(
    NAMES_32,
    (row) => atomic32(ATOMIC_32[row[2]]),
    (row) => combine32(ATOMIC_32[row[2]]),
  ),
  ...forms(
    NAMES_64,
    (row) => atomic64(ATOMIC_64[row[2]]),
    (row) => combine64(ATOMIC_64[row[2]]),
  ),
  ds_add_f32: addFloat(atomic32),
  ds_add_rtn_f32: addFloat(atomic32),
  ds_add_src2_f32: addFloat(combine32),
  ds_mskor_b32: atomic32(ATOMIC_32.mskor),
  ds_mskor_rtn_b32: atomic32(ATOMIC_32.mskor),
  ds_mskor_b64: atomic64(ATOMIC_64.mskor),
  ds_mskor_rtn_b64: atomic64(ATOMIC_64.mskor),
  ds_cmpst_b32: compareStore32('cmpswap'),
  ds_cmpst_rtn_b32: compareStore32('cmpswap'),
  ds_cmpst_f32: compareStore32('fcmpswap'),
  ds_cmpst_rtn_f32: compareStore32('fcmpswap'),
  ds_cmpst_b64: compareStore64('cmpswap'),
  ds_cmpst_rtn_b64: compareStore64('cmpswap'),
  ds_cmpst_f64: compareStore64('fcmpswap'),
  ds_cmpst_rtn_f64: compareStore64('fcmpswap'),
  ds_wrap_rtn_b32: atomic32(ATOMIC_32.wrap),
  ds_wrxchg_rtn_b32: atomic32(ATOMIC_32.swap),
  ds_wrxchg2_rtn_b32: exchangeTwo32(4),
  ds_wrxchg2st64_rtn_b32: exchangeTwo32(256),
  ds_wrxchg_rtn_b64: atomic64(ATOMIC_64.swap),
  ds_wrxchg2_rtn_b64: exchangeTwo64(8),
  ds_wrxchg2st64_rtn_b64: exchangeTwo64(512),
  ds_condxchg32_rtn_b64: atomic64(ATOMIC_64.condxchg32),
  ds_write_src2_b32: combine32(ATOMIC_32.swap),
  ds_write_src2_b64: combine64(ATOMIC_64.swap),
  ds_append: count(1),
  ds_consume: count(-1),
  ds_ordered_count: unsupported('ordered append needs the order in which the device launches waves of a draw'),
  ds_gws_sema_release_all: synchronisation,
  ds_gws_init: synchronisation,
  ds_gws_sema_v: synchronisation,
  ds_gws_sema_br: synchronisation,
  ds_gws_sema_p: synchronisation,
  ds_gws_barrier: synchronisation,
} satisfies Record<string, Handler | ReturnType<typeof unsupported>>;
