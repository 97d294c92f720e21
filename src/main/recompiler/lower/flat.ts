/**
 * FLAT, GLOBAL and SCRATCH.
 *
 *   GLOBAL   64-bit VGPR address, or SGPR pair + 32-bit VGPR offset
 *   SCRATCH  32-bit offset into the lane's scratch, whose dwords are interleaved between the lanes of the wave: byte o
 *            of lane l lies at base + (o / 4) · 4 · wave size + 4 · l + o % 4
 *   FLAT     64-bit VGPR address; two windows of the address space lead to LDS and to scratch
 *
 * FLAT accesses become one access per space, each under the mask of its lanes; spaces that the program does not have
 * are left out. Source: RDNA 1 ISA manual, "Flat memory instructions"; Sea Islands manual, chapter 9.
 */
import { OPERAND } from '../../isa/operands.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { ValueId } from '../ir/types.ts';
import { plainAccess } from './buffer.ts';
import { ldsAccess } from './lds.ts';
import { type Entry, type Lowering, unsupported } from './lowering.ts';
import { type Access, atomic32, atomicBits, atomicRows, cacheBits, loadStoreRows, type Prepare } from './memory.ts';
import { STATE } from './registers.ts';

const DATA_SLOT = 1;

function scalarBase(l: Lowering): number | undefined {
  const code = l.i.src2;
  return code < 0 || (l.gfx10 && code === OPERAND.NULL) ? undefined : code;
}

const global: Prepare = (l) => {
  const base = scalarBase(l);
  if (base === undefined) return plainAccess(l, l.readVector64(l.i.src0), l.active());
  const offset = l.i.src0 < 0 ? l.b.u32(0) : l.readVector(l.i.src0);
  const wide = l.b.emit2('pack.64', offset, l.b.u32(0));
  return plainAccess(l, l.b.emit2('iadd.u64', l.scalarOf64(base, 'b64'), wide), l.active());
};

/** Guest address of the wave's scratch. */
function scratchBase(l: Lowering): ValueId {
  const e = l.b;
  if (l.gfx10) return e.emit2('pack.64', l.read(STATE.FLAT_SCRATCH_LO), l.read(STATE.FLAT_SCRATCH_HI));
  const privateBase = e.emit2('pack.64', e.emit0('launch.word', 1), e.emit0('launch.word', 2));
  const offset = e.emit2('pack.64', l.readScalar(OPERAND.FLAT_SCRATCH_HI_GFX7), e.u32(0));
  return e.emit2('iadd.u64', privateBase, e.emit2('shl.u64', offset, e.u32(8)));
}

/** Accesses at byte `offset` (u32, immediate included) of the lanes' scratch; aligned to their size. */
function scratchAccess(l: Lowering, offset: ValueId, mask: ValueId): Access {
  const e = l.b;
  const waveSize = l.fn.shape.waveSize;
  const dword = e.emit2('and.u32', offset, e.u32(-4));
  const byte = e.emit2('and.u32', offset, e.u32(3));
  const lane = e.emit2('iadd.u32', e.emit2('shl.u32', e.emit0('lane.id'), e.u32(2)), byte);
  const interleaved = e.emit2('umulwide.u64', dword, e.u32(waveSize));
  const within = e.emit2('iadd.u64', interleaved, e.emit2('pack.64', lane, e.u32(0)));
  const address = e.emit2('iadd.u64', scratchBase(l), within);
  const bits = (count: number): number => cacheBits(l.i, count);
  return {
    load(size, skip, count) {
      return Array.from({ length: count }, (_, n) =>
        e.emit2(`global.load.${size}`, address, mask, (skip + 4 * n) * waveSize, bits(1)),
      );
    },
    store(size, skip, data) {
      for (let n = 0; n < data.length; n++) {
        e.emit(`global.store.${size}`, [address, mask, data[n]!], (skip + 4 * n) * waveSize, bits(1));
      }
    },
    atomic(kind, wide, data, extra) {
      if (wide) l.refuse('64-bit atomics on scratch are not compiled');
      return e.emit(`global.atomic.${wide ? 64 : 32}`, [address, mask, data, extra], 0, atomicBits(l.i, kind));
    },
  };
}

const scratch: Prepare = (l) => {
  const e = l.b;
  const base = scalarBase(l);
  let offset = l.i.src0 < 0 ? e.u32(0) : l.readVector(l.i.src0);
  if (base !== undefined) offset = e.emit2('iadd.u32', offset, l.scalarOf(base));
  return scratchAccess(l, e.emit2('iadd.u32', offset, e.u32(l.i.imm)), l.active());
};

const flat: Prepare = (l) => {
  const e = l.b;
  const low = l.readVector(l.i.src0);
  const high = l.readVector(l.i.src0 + 1);
  const { sharedHigh, privateHigh } = l.options.apertures;
  const inShared = e.emit2('icmp.eq.u32', high, e.u32(sharedHigh));
  const inPrivate = e.emit2('icmp.eq.u32', high, e.u32(privateHigh));
  const inWindow = e.emit2('or.1', inShared, inPrivate);
  const guest = e.emit2('and.1', l.active(), e.emit1('not.1', inWindow));
  const spaces: Access[] = [plainAccess(l, e.emit2('pack.64', low, high), guest)];
  const offset = e.emit2('iadd.u32', low, e.u32(l.i.imm));
  if (l.fn.shape.ldsBytes > 0) spaces.push(ldsAccess(l, offset, e.emit2('and.1', l.active(), inShared), 0));
  if (l.options.scratchBytesPerWave > 0) {
    spaces.push(scratchAccess(l, offset, e.emit2('and.1', l.active(), inPrivate)));
  }
  return {
    // Lanes outside a space's mask read 0 from it.
    load(size, skip, count) {
      const parts = spaces.map((space) => space.load(size, skip, count));
      return Array.from({ length: count }, (_, n) =>
        parts.slice(1).reduce((all, part) => e.emit2('or.u32', all, part[n]!), parts[0]![n]!),
      );
    },
    store(size, skip, data) {
      for (const space of spaces) space.store(size, skip, data);
    },
    atomic(kind, wide, data, extra) {
      const parts = spaces.map((space) => space.atomic(kind, wide, data, extra));
      return parts.slice(1).reduce((all, part) => e.emit2(wide ? 'or.u64' : 'or.u32', all, part), parts[0]!);
    },
  };
};

export const FLAT = {
  ...loadStoreRows('flat', flat, DATA_SLOT),
  ...atomicRows('flat', flat, DATA_SLOT),
  ...loadStoreRows('global', global, DATA_SLOT),
  ...atomicRows('global', global, DATA_SLOT),
  global_atomic_csub: atomic32(global, DATA_SLOT, 'csub'),
  global_load_dword_addtid: unsupported('not compiled yet'),
  global_store_dword_addtid: unsupported('not compiled yet'),
  ...loadStoreRows('scratch', scratch, DATA_SLOT),
} satisfies Partial<Record<Mnemonic, Entry>>;
