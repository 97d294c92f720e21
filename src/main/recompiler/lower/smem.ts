/**
 * Scalar memory: loads through 64-bit addresses and through buffer descriptors.
 *
 * Addresses and offsets lose their two low bits. gfx10 adds the immediate and a scalar offset; gfx7 has one of them.
 * Source: RDNA 1 and 2 ISA manuals, "Scalar memory operations"; Sea Islands manual, chapter 7.
 */

import { FLAG } from '../../isa/instruction.ts';
import { OPERAND } from '../../isa/operands.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import { SMEM as SMEM_ROWS } from '../../isa/tables/smem.ts';
import { accessBits } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { type Entry, type Lower, type Lowering, unsupported } from './lowering.ts';

function access(l: Lowering, count: number): number {
  return accessBits(count, (l.i.flags & FLAG.GLC) !== 0, false, (l.i.flags & FLAG.DLC) !== 0);
}

function writeTuple(l: Lowering, tuple: ValueId, count: number): void {
  for (let n = 0; n < count; n++) l.writeScalar(l.i.dst + n, l.b.extract(tuple, n));
}

/** The scalar offset register, or undefined when there is none. */
function offsetRegister(l: Lowering): ValueId | undefined {
  const code = l.i.src1;
  if (code < 0 || (code === OPERAND.NULL && l.gfx10)) return undefined;
  return l.scalarOf(code);
}

const load =
  (count: number): Lower =>
  (l) => {
    const b = l.b;
    let base = l.readScalar64(l.i.src0);
    const offset = offsetRegister(l);
    if (offset !== undefined) base = b.emit2('iadd.u64', base, b.emit2('pack.64', offset, b.u32(0)));
    const tuple = b.emit1('scalar.load', base, l.i.imm, access(l, count));
    writeTuple(l, tuple, count);
  };

const bufferLoad =
  (count: number): Lower =>
  (l) => {
    const b = l.b;
    const descriptor = [0, 1, 2, 3].map((n) => l.readScalar(l.i.src0 + n));
    const offset = offsetRegister(l) ?? b.u32(0);
    const tuple = b.emit('scalar.buffer.load', [...descriptor, offset], l.i.imm, access(l, count));
    writeTuple(l, tuple, count);
  };

const invalidate: Lower = (l) => {
  l.b.emit0('memory.fence');
};

const clock: Lower = (l) => l.writeScalar64(l.i.dst, l.b.emit0('clock'));

const KNOWN = {
  s_load_dword: load(1),
  s_load_dwordx2: load(2),
  s_load_dwordx4: load(4),
  s_load_dwordx8: load(8),
  s_load_dwordx16: load(16),
  s_buffer_load_dword: bufferLoad(1),
  s_buffer_load_dwordx2: bufferLoad(2),
  s_buffer_load_dwordx4: bufferLoad(4),
  s_buffer_load_dwordx8: bufferLoad(8),
  s_buffer_load_dwordx16: bufferLoad(16),
  s_dcache_inv: invalidate,
  s_dcache_inv_vol: invalidate,
  s_gl1_inv: invalidate,
  s_dcache_wb: invalidate,
  s_memtime: clock,
  s_memrealtime: clock,
} satisfies Partial<Record<Mnemonic, Entry>>;

type SmemMnemonic = keyof typeof SMEM_ROWS;

/** Scalar stores and atomics, probes and scratch loads, which no compiler emits. */
const REST = Object.fromEntries(
  Object.keys(SMEM_ROWS).map((name) => [name, unsupported('this scalar memory operation is not compiled')]),
) as Record<SmemMnemonic, Entry>;

export const SMEM: Record<SmemMnemonic, Entry> = { ...REST, ...KNOWN };
