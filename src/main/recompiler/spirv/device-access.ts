/**
 * Loads and stores at device addresses, predicated by a condition per lane.
 *
 * Addresses are multiples of the access's size: whoever calls has seen to it.
 */
import type { Emitter } from './emitter.ts';
import { Capability, MemoryAccess, Op, StorageClass } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

export type ElementWidth = 8 | 16 | 32;

function widthType(e: Emitter, width: ElementWidth | 64): Id {
  switch (width) {
    case 8:
      e.m.extension('SPV_KHR_8bit_storage');
      e.m.capability(Capability.StorageBuffer8BitAccess);
      return e.u8();
    case 16:
      e.m.extension('SPV_KHR_16bit_storage');
      e.m.capability(Capability.StorageBuffer16BitAccess);
      return e.u16();
    case 32:
      return e.u32;
    case 64:
      return e.u64;
  }
}

export function devicePointer(e: Emitter, width: ElementWidth | 64, address: Id): Id {
  return e.op(Op.ConvertUToPtr, e.pointer(StorageClass.PhysicalStorageBuffer, widthType(e, width)), address);
}

/** The element as u32, zero-extended. */
export function loadElement(e: Emitter, width: ElementWidth, address: Id): Id {
  const pointer = devicePointer(e, width, address);
  const raw = e.op(Op.Load, widthType(e, width), pointer, MemoryAccess.Aligned, width / 8);
  return width === 32 ? raw : e.op(Op.UConvert, e.u32, raw);
}

/** Stores the low bits of a u32. */
export function storeElement(e: Emitter, width: ElementWidth, address: Id, value: Id): void {
  const narrow = width === 32 ? value : e.op(Op.UConvert, widthType(e, width), value);
  e.m.emitVoid(Op.Store, devicePointer(e, width, address), narrow, MemoryAccess.Aligned, width / 8);
}

export function offsetAddress(e: Emitter, address: Id, bytes: number): Id {
  return bytes === 0 ? address : e.op(Op.IAdd, e.u64, address, e.constant64(bytes, bytes < 0 ? -1 : 0));
}

/** Values computed where the condition holds, zeros of `type` elsewhere. */
export function valuesWhere(e: Emitter, condition: Id, type: Id, count: number, compute: () => readonly Id[]): Id[] {
  const { m } = e;
  const [inside, end] = [m.id(), m.id()];
  const start = e.currentLabel;
  m.emitVoid(Op.SelectionMerge, end, 0);
  m.emitVoid(Op.BranchConditional, condition, inside, end);
  e.startBlock(inside);
  const values = compute();
  const from = e.currentLabel;
  m.emitVoid(Op.Branch, end);
  e.startBlock(end);
  const zero = type === e.u64 ? e.constant64(0, 0) : e.constant32(0);
  return Array.from({ length: count }, (_, i) => e.op(Op.Phi, type, values[i]!, from, zero, start));
}
