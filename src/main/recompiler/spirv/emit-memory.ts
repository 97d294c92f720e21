/**
 * Memory operations of the IR as calls of the functions in guest-memory.ts and lds-memory.ts, one per lane component
 * and element.
 */
import { atAddress, diagnostic } from '../../base/diagnostics.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { ACCESS_COUNT_MASK, ATOMIC_KIND_SHIFT, ATOMIC_KINDS, OP_NAMES, type OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { EmitValue } from './emit-lanes.ts';
import type { Emitter } from './emitter.ts';
import { Op } from './grammar.gen.ts';
import type { GuestMemoryCode } from './guest-memory.ts';
import type { LdsMemory } from './lds-memory.ts';
import type { Id } from './module-builder.ts';

export interface MemoryContext {
  readonly guest: GuestMemoryCode;
  readonly lds: LdsMemory | undefined;
}

type Size = 'u8' | 'i8' | 'u16' | 'i16' | 'u32';
const WIDTH: Readonly<Record<Size, 8 | 16 | 32>> = { u8: 8, i8: 8, u16: 16, i16: 16, u32: 32 };

function countOf(e: Emitter, v: ValueId): number {
  return Math.max(e.fn.imm1[v]! & ACCESS_COUNT_MASK, 1);
}

function kindOf(e: Emitter, v: ValueId) {
  return ATOMIC_KINDS[(e.fn.imm1[v]! >>> ATOMIC_KIND_SHIFT) & 31]!;
}

function signExtend(e: Emitter, value: Id, size: Size): Id {
  if (!size.startsWith('i')) return value;
  const shift = e.constant32(32 - WIDTH[size]);
  return e.op(Op.ShiftRightArithmetic, e.u32, e.shl(value, shift), shift);
}

/** What cannot be emitted for this device: told by code, address and name; the value becomes 0. */
export function refuse(e: Emitter, v: ValueId, reason: string): void {
  const location = e.fn.locations[e.fn.location[v]!];
  const where = atAddress(location?.address ?? (0 as GuestAddress));
  e.diagnostics.push(diagnostic('REC060', 'unsupported', `${OP_NAMES[e.fn.op[v]!]}: ${reason}`, where));
  for (let k = 0; k < e.copies(v); k++) e.set(v, k, e.m.constant(Op.Undef, e.typeId(e.fn.type[v] as never)));
}

export function memoryOps(context: MemoryContext): Partial<Record<OpName, EmitValue>> {
  const { guest } = context;
  const setElements = (e: Emitter, v: ValueId, elements: readonly (readonly Id[])[]): void => {
    // elements[component of the tuple][lane component]
    if (elements.length === 1) elements[0]!.forEach((id, k) => e.set(v, k, id));
    else e.setTuple(v, elements.flat());
  };

  const lanes = (e: Emitter): number[] => Array.from({ length: e.lanesPerInvocation }, (_, k) => k);

  const globalLoad =
    (size: Size): EmitValue =>
    (e, v) => {
      const elements = guest.load(v, WIDTH[size], countOf(e, v));
      setElements(
        e,
        v,
        elements.map((values) => values.map((value) => signExtend(e, value, size))),
      );
    };

  /** Stored data by element and component. */
  const dataOf = (e: Emitter, v: ValueId): Id[][] =>
    Array.from({ length: e.fn.operandCount[v]! - 2 }, (_, n) => lanes(e).map((k) => e.operand(v, 2 + n, k)));

  const globalStore =
    (size: 'u8' | 'u16' | 'u32'): EmitValue =>
    (e, v) =>
      guest.store(v, WIDTH[size], dataOf(e, v));

  const globalAtomic =
    (width: 32 | 64): EmitValue =>
    (e, v) => {
      const kind = kindOf(e, v);
      const data = lanes(e).map((k) => e.operand(v, 2, k));
      const comparands = lanes(e).map((k) => e.operand(v, 3, k));
      const old = guest.atomic(v, kind, width, data, comparands);
      if (!old) return refuse(e, v, `atomic ${kind} of ${width} bits needs a device with 64-bit buffer atomics`);
      old.forEach((id, k) => e.set(v, k, id));
    };

  const scalarLoad =
    (conditional: boolean): EmitValue =>
    (e, v) => {
      const values = guest.loadUniform(v, countOf(e, v), conditional ? e.operand(v, 1, 0) : undefined);
      setElements(
        e,
        v,
        values.map((value) => [value]),
      );
    };

  /** A program without LDS: every access is outside the allocation. */
  const nothing: EmitValue = (e, v) => {
    const elements = Array.from({ length: countOf(e, v) }, () =>
      Array.from({ length: e.copies(v) }, () => e.constant32(0)),
    );
    setElements(e, v, elements);
  };

  const ldsLoad =
    (size: Size): EmitValue =>
    (e, v) => {
      if (!context.lds) return nothing(e, v);
      const elements = context.lds.load(v, WIDTH[size], countOf(e, v));
      setElements(
        e,
        v,
        elements.map((values) => values.map((value) => signExtend(e, value, size))),
      );
    };

  const ldsStore =
    (size: 'u8' | 'u16' | 'u32'): EmitValue =>
    (e, v) =>
      context.lds?.store(v, WIDTH[size], dataOf(e, v));

  return {
    'scalar.load': scalarLoad(false),
    'scalar.load.if': scalarLoad(true),
    'global.load.u8': globalLoad('u8'),
    'global.load.i8': globalLoad('i8'),
    'global.load.u16': globalLoad('u16'),
    'global.load.i16': globalLoad('i16'),
    'global.load.u32': globalLoad('u32'),
    'global.store.u8': globalStore('u8'),
    'global.store.u16': globalStore('u16'),
    'global.store.u32': globalStore('u32'),
    'global.atomic.32': globalAtomic(32),
    'global.atomic.64': globalAtomic(64),
    'lds.load.u8': ldsLoad('u8'),
    'lds.load.i8': ldsLoad('i8'),
    'lds.load.u16': ldsLoad('u16'),
    'lds.load.i16': ldsLoad('i16'),
    'lds.load.u32': ldsLoad('u32'),
    'lds.store.u8': ldsStore('u8'),
    'lds.store.u16': ldsStore('u16'),
    'lds.store.u32': ldsStore('u32'),
    'lds.atomic.32': (e, v) => {
      const data = lanes(e).map((k) => e.operand(v, 2, k));
      const comparands = lanes(e).map((k) => e.operand(v, 3, k));
      const old = context.lds?.atomic(v, kindOf(e, v), data, comparands);
      for (let k = 0; k < e.copies(v); k++) e.set(v, k, old?.[k] ?? e.constant32(0));
    },
    'lds.atomic.64': (e, v) => refuse(e, v, '64-bit LDS atomics are not compiled'),
  };
}
