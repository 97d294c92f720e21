/**
 * LDS: loads, stores and atomics of the DS unit. GDS is refused.
 *
 * The address is a VGPR plus the offset, modulo 2^32; outside the allocation loads give 0 and stores do nothing, per
 * dword. gfx7 bounds LDS by M0 as well. Compare-and-store takes the comparand first and the new value second, the
 * opposite of buffer atomics. Source: Sea Islands and RDNA 1 ISA manuals, "DS instructions".
 */
import { FLAG } from '../../isa/instruction.ts';
import { OPERAND } from '../../isa/operands.ts';
import { DS as DS_ROWS } from '../../isa/tables/ds.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { AtomicKind } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { type Entry, type Lower, type Lowering, unsupported } from './lowering.ts';
import {
  type Access,
  atomicBits,
  cacheBits,
  loadDwords,
  loadElement,
  loadHalf,
  type Prepare,
  storeDwords,
  storeElement,
} from './memory.ts';

const DATA_SLOT = 1;

/** LDS at `address` + `offset`, of the lanes in `mask`. */
export function ldsAccess(l: Lowering, address: ValueId, mask: ValueId, offset: number): Access {
  const e = l.b;
  return {
    load(size, skip, count) {
      const tuple = e.emit2(`lds.load.${size}`, address, mask, offset + skip, cacheBits(l.i, count));
      return Array.from({ length: count }, (_, n) => e.extract(tuple, n));
    },
    store(size, skip, data) {
      e.emit(`lds.store.${size}`, [address, mask, ...data], offset + skip, cacheBits(l.i, data.length));
    },
    atomic(kind, wide, data, extra) {
      return e.emit(
        wide ? 'lds.atomic.64' : 'lds.atomic.32',
        [address, mask, data, extra],
        offset,
        atomicBits(l.i, kind),
      );
    },
  };
}

/** gfx7: lanes whose access lies below M0. */
function belowLimit(l: Lowering, address: ValueId, mask: ValueId, lastByte: number): ValueId {
  if (l.gfx10) return mask;
  const e = l.b;
  const end = e.emit2('iadd.u32', address, e.u32(lastByte));
  return e.emit2('and.1', mask, e.emit2('icmp.ule.u32', end, l.readScalar(OPERAND.M0)));
}

function accessAt(l: Lowering, offset: number, sizeBytes: number): Access | undefined {
  if (l.i.flags & FLAG.GDS) {
    l.refuse('GDS is not compiled');
    return undefined;
  }
  const address = l.readVector(l.i.src0);
  return ldsAccess(l, address, belowLimit(l, address, l.active(), offset + sizeBytes), offset);
}

const single =
  (sizeBytes: number): Prepare =>
  (l) =>
    accessAt(l, l.i.imm & 0xffff, sizeBytes);

/** read2/write2: two elements at the two byte offsets, in units of `stride` bytes. */
const loadTwo =
  (dwords: 1 | 2, stride: number): Lower =>
  (l) => {
    const first = accessAt(l, (l.i.imm & 0xff) * stride, 4 * dwords);
    const second = accessAt(l, ((l.i.imm >>> 8) & 0xff) * stride, 4 * dwords);
    if (!first || !second) return;
    const values = [...first.load('u32', 0, dwords), ...second.load('u32', 0, dwords)];
    for (let n = 0; n < values.length; n++) l.writeVector(l.i.dst + n, values[n]!);
  };

const storeTwo =
  (dwords: 1 | 2, stride: number): Lower =>
  (l) => {
    const data = (code: number): ValueId[] => Array.from({ length: dwords }, (_, n) => l.readVector(code + n));
    accessAt(l, (l.i.imm & 0xff) * stride, 4 * dwords)?.store('u32', 0, data(l.i.src1));
    accessAt(l, ((l.i.imm >>> 8) & 0xff) * stride, 4 * dwords)?.store('u32', 0, data(l.i.src2));
  };

function atomic(kind: AtomicKind, wide: boolean): Lower {
  const prepare = single(wide ? 8 : 4);
  return (l) => {
    const access = prepare(l);
    if (!access) return;
    const read = (code: number): ValueId => (wide ? l.readVector64(code) : l.readVector(code));
    const compares = kind === 'cmpswap' || kind === 'fcmpswap';
    const zero = wide ? l.b.u64(0, 0) : l.b.u32(0);
    const second = l.i.src2 >= 0 && (compares || kind === 'mskor') ? read(l.i.src2) : zero;
    // cmpst: comparand, then new value.
    const [data, extra] = compares ? [second, read(l.i.src1)] : [read(l.i.src1), second];
    const old = access.atomic(kind, wide, data, extra);
    if (l.i.dst < 0) return;
    if (wide) l.writeVector64(l.i.dst, old);
    else l.writeVector(l.i.dst, old);
  };
}

const ATOMICS = {
  ds_add_u32: 'add',
  ds_sub_u32: 'sub',
  ds_rsub_u32: 'rsub',
  ds_inc_u32: 'inc',
  ds_dec_u32: 'dec',
  ds_min_i32: 'smin',
  ds_max_i32: 'smax',
  ds_min_u32: 'umin',
  ds_max_u32: 'umax',
  ds_and_b32: 'and',
  ds_or_b32: 'or',
  ds_xor_b32: 'xor',
  ds_mskor_b32: 'mskor',
  ds_cmpst_b32: 'cmpswap',
  ds_cmpst_f32: 'fcmpswap',
  ds_min_f32: 'fmin',
  ds_max_f32: 'fmax',
  ds_add_rtn_u32: 'add',
  ds_sub_rtn_u32: 'sub',
  ds_rsub_rtn_u32: 'rsub',
  ds_inc_rtn_u32: 'inc',
  ds_dec_rtn_u32: 'dec',
  ds_min_rtn_i32: 'smin',
  ds_max_rtn_i32: 'smax',
  ds_min_rtn_u32: 'umin',
  ds_max_rtn_u32: 'umax',
  ds_and_rtn_b32: 'and',
  ds_or_rtn_b32: 'or',
  ds_xor_rtn_b32: 'xor',
  ds_mskor_rtn_b32: 'mskor',
  ds_wrxchg_rtn_b32: 'swap',
  ds_cmpst_rtn_b32: 'cmpswap',
  ds_cmpst_rtn_f32: 'fcmpswap',
  ds_min_rtn_f32: 'fmin',
  ds_max_rtn_f32: 'fmax',
  ds_add_u64: 'add',
  ds_sub_u64: 'sub',
  ds_rsub_u64: 'rsub',
  ds_inc_u64: 'inc',
  ds_dec_u64: 'dec',
  ds_min_i64: 'smin',
  ds_max_i64: 'smax',
  ds_min_u64: 'umin',
  ds_max_u64: 'umax',
  ds_and_b64: 'and',
  ds_or_b64: 'or',
  ds_xor_b64: 'xor',
  ds_mskor_b64: 'mskor',
  ds_cmpst_b64: 'cmpswap',
  ds_cmpst_f64: 'fcmpswap',
  ds_min_f64: 'fmin',
  ds_max_f64: 'fmax',
  ds_add_rtn_u64: 'add',
  ds_sub_rtn_u64: 'sub',
  ds_rsub_rtn_u64: 'rsub',
  ds_inc_rtn_u64: 'inc',
  ds_dec_rtn_u64: 'dec',
  ds_min_rtn_i64: 'smin',
  ds_max_rtn_i64: 'smax',
  ds_min_rtn_u64: 'umin',
  ds_max_rtn_u64: 'umax',
  ds_and_rtn_b64: 'and',
  ds_or_rtn_b64: 'or',
  ds_xor_rtn_b64: 'xor',
  ds_mskor_rtn_b64: 'mskor',
  ds_wrxchg_rtn_b64: 'swap',
  ds_cmpst_rtn_b64: 'cmpswap',
  ds_cmpst_rtn_f64: 'fcmpswap',
  ds_min_rtn_f64: 'fmin',
  ds_max_rtn_f64: 'fmax',
} as const satisfies Partial<Record<Mnemonic, AtomicKind>>;

const ATOMIC_ROWS = Object.fromEntries(
  Object.entries(ATOMICS).map(([name, kind]) => [name, atomic(kind, name.endsWith('64'))]),
) as Record<keyof typeof ATOMICS, Lower>;

const KNOWN = {
  ...ATOMIC_ROWS,
  ds_nop: () => {},
  ds_read_u8: loadElement(single(1), 'u8'),
  ds_read_i8: loadElement(single(1), 'i8'),
  ds_read_u16: loadElement(single(2), 'u16'),
  ds_read_i16: loadElement(single(2), 'i16'),
  ds_read_b32: loadDwords(single(4), 1),
  ds_read_b64: loadDwords(single(8), 2),
  ds_read_b96: loadDwords(single(12), 3),
  ds_read_b128: loadDwords(single(16), 4),
  ds_read2_b32: loadTwo(1, 4),
  ds_read2st64_b32: loadTwo(1, 256),
  ds_read2_b64: loadTwo(2, 8),
  ds_read2st64_b64: loadTwo(2, 512),
  ds_read_u8_d16: loadHalf(single(1), 'u8', false),
  ds_read_u8_d16_hi: loadHalf(single(1), 'u8', true),
  ds_read_i8_d16: loadHalf(single(1), 'i8', false),
  ds_read_i8_d16_hi: loadHalf(single(1), 'i8', true),
  ds_read_u16_d16: loadHalf(single(2), 'u16', false),
  ds_read_u16_d16_hi: loadHalf(single(2), 'u16', true),
  ds_write_b8: storeElement(single(1), DATA_SLOT, 'u8'),
  ds_write_b8_d16_hi: storeElement(single(1), DATA_SLOT, 'u8', true),
  ds_write_b16: storeElement(single(2), DATA_SLOT, 'u16'),
  ds_write_b16_d16_hi: storeElement(single(2), DATA_SLOT, 'u16', true),
  ds_write_b32: storeDwords(single(4), DATA_SLOT, 1),
  ds_write_b64: storeDwords(single(8), DATA_SLOT, 2),
  ds_write_b96: storeDwords(single(12), DATA_SLOT, 3),
  ds_write_b128: storeDwords(single(16), DATA_SLOT, 4),
  ds_write2_b32: storeTwo(1, 4),
  ds_write2st64_b32: storeTwo(1, 256),
  ds_write2_b64: storeTwo(2, 8),
  ds_write2st64_b64: storeTwo(2, 512),
} satisfies Partial<Record<Mnemonic, Entry>>;

/** DS rows of cross-lane.ts. */
type Elsewhere = 'ds_swizzle_b32' | 'ds_permute_b32' | 'ds_bpermute_b32';
type LdsMnemonic = Exclude<keyof typeof DS_ROWS, Elsewhere>;

const REST = Object.fromEntries(
  Object.keys(DS_ROWS)
    .filter((name) => !['ds_swizzle_b32', 'ds_permute_b32', 'ds_bpermute_b32'].includes(name))
    .map((name) => [name, unsupported('this DS operation is not compiled yet')]),
) as Record<LdsMnemonic, Entry>;

export const LDS: Record<LdsMnemonic, Entry> = { ...REST, ...KNOWN };
