/**
 * MUBUF: loads, stores and atomics through buffer descriptors. Address and bounds rules are the business of
 * passes/expand-buffer-access.ts; here the descriptor's four words, index and offsets are only named.
 *
 * gfx7's addr64 form has no bounds: it becomes a plain access at descriptor base + VGPR address.
 * Source: RDNA 1 and 2 ISA manuals, "Vector memory buffer instructions"; Sea Islands manual, chapter 8.
 */
import { FLAG } from '../../isa/instruction.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import { MTBUF as MTBUF_ROWS } from '../../isa/tables/mtbuf.ts';
import { BUFFER_IDXEN, BUFFER_OFFEN } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { type Entry, type Lowering, unsupported } from './lowering.ts';
import { type Access, atomic32, atomicBits, atomicRows, cacheBits, loadStoreRows, type Prepare } from './memory.ts';

const DATA_SLOT = 3;

/** Base bits 47:0 of a descriptor. */
export function descriptorBase(l: Lowering, word0: ValueId, word1: ValueId): ValueId {
  return l.b.emit2('pack.64', word0, l.b.emit2('and.u32', word1, l.b.u32(0xffff)));
}

const prepare: Prepare = (l) => {
  const i = l.i;
  const e = l.b;
  if (i.flags & FLAG.LDS) {
    l.refuse('buffer loads into LDS are not compiled');
    return undefined;
  }
  if (i.flags & FLAG.TFE) {
    l.refuse('the TFE bit is not compiled');
    return undefined;
  }
  const words = [0, 1, 2, 3].map((n) => l.readScalar(i.src1 + n));
  const scalarOffset = l.scalarOf(i.src2);
  const mask = l.active();
  if (i.flags & FLAG.ADDR64) {
    let base = e.emit2('iadd.u64', descriptorBase(l, words[0]!, words[1]!), l.readVector64(i.src0));
    base = e.emit2('iadd.u64', base, e.emit2('pack.64', scalarOffset, e.u32(0)));
    return plainAccess(l, base, mask);
  }
  const indexed = (i.flags & FLAG.IDXEN) !== 0;
  const offset = (i.flags & FLAG.OFFEN) !== 0;
  const index = indexed ? l.readVector(i.src0) : e.u32(0);
  const vectorOffset = offset ? l.readVector(i.src0 + (indexed ? 1 : 0)) : e.u32(0);
  const head = [...words, index, vectorOffset, scalarOffset, mask];
  const flags = (indexed ? BUFFER_IDXEN : 0) | (offset ? BUFFER_OFFEN : 0);
  return {
    load(size, skip, count) {
      const tuple = e.emit(`buffer.load.${size}`, head, i.imm + skip, cacheBits(i, count) | flags);
      return Array.from({ length: count }, (_, n) => e.extract(tuple, n));
    },
    store(size, skip, data) {
      e.emit(`buffer.store.${size}`, [...head, ...data], i.imm + skip, cacheBits(i, data.length) | flags);
    },
    atomic(kind, wide, data, extra) {
      const op = wide ? 'buffer.atomic.64' : 'buffer.atomic.32';
      return e.emit(op, [...head, data, extra], i.imm, atomicBits(i, kind) | flags);
    },
  };
};

/** Guest memory at a 64-bit address plus the instruction's immediate. */
export function plainAccess(l: Lowering, address: ValueId, mask: ValueId): Access {
  const e = l.b;
  const i = l.i;
  return {
    load(size, skip, count) {
      const tuple = e.emit2(`global.load.${size}`, address, mask, i.imm + skip, cacheBits(i, count));
      return Array.from({ length: count }, (_, n) => e.extract(tuple, n));
    },
    store(size, skip, data) {
      e.emit(`global.store.${size}`, [address, mask, ...data], i.imm + skip, cacheBits(i, data.length));
    },
    atomic(kind, wide, data, extra) {
      const op = wide ? 'global.atomic.64' : 'global.atomic.32';
      return e.emit(op, [address, mask, data, extra], i.imm, atomicBits(i, kind));
    },
  };
}

const formatted = unsupported('formatted buffer accesses are not compiled yet');
const fence = (l: Lowering): void => {
  l.b.emit0('memory.fence');
};

export const BUFFER = {
  ...loadStoreRows('buffer', prepare, DATA_SLOT),
  ...atomicRows('buffer', prepare, DATA_SLOT),
  buffer_atomic_csub: atomic32(prepare, DATA_SLOT, 'csub'),
  buffer_wbinvl1: fence,
  buffer_wbinvl1_vol: fence,
  buffer_gl0_inv: fence,
  buffer_gl1_inv: fence,
  buffer_load_format_x: formatted,
  buffer_load_format_xy: formatted,
  buffer_load_format_xyz: formatted,
  buffer_load_format_xyzw: formatted,
  buffer_store_format_x: formatted,
  buffer_store_format_xy: formatted,
  buffer_store_format_xyz: formatted,
  buffer_store_format_xyzw: formatted,
  buffer_load_format_d16_x: formatted,
  buffer_load_format_d16_xy: formatted,
  buffer_load_format_d16_xyz: formatted,
  buffer_load_format_d16_xyzw: formatted,
  buffer_store_format_d16_x: formatted,
  buffer_store_format_d16_xy: formatted,
  buffer_store_format_d16_xyz: formatted,
  buffer_store_format_d16_xyzw: formatted,
  buffer_load_format_d16_hi_x: formatted,
  buffer_store_format_d16_hi_x: formatted,
} satisfies Partial<Record<Mnemonic, Entry>>;

type TypedMnemonic = keyof typeof MTBUF_ROWS;

export const TYPED_BUFFER = Object.fromEntries(Object.keys(MTBUF_ROWS).map((name) => [name, formatted])) as Record<
  TypedMnemonic,
  Entry
>;
