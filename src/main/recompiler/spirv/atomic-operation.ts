/**
 * Atomic operations of the guest on a SPIR-V pointer: those that SPIR-V has, and the rest by compare-and-exchange loops.
 */
import type { AtomicKind } from '../ir/ops.ts';
import type { Emitter } from './emitter.ts';
import { MemorySemantics, Op } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

const DIRECT: Partial<Record<AtomicKind, number>> = {
  swap: Op.AtomicExchange,
  add: Op.AtomicIAdd,
  sub: Op.AtomicISub,
  smin: Op.AtomicSMin,
  umin: Op.AtomicUMin,
  smax: Op.AtomicSMax,
  umax: Op.AtomicUMax,
  and: Op.AtomicAnd,
  or: Op.AtomicOr,
  xor: Op.AtomicXor,
};

/** What the memory becomes, for kinds without an instruction of their own. */
function combine(e: Emitter, kind: AtomicKind, type: Id, old: Id, data: Id, comparand: Id): Id {
  const zero = type === e.u64 ? e.constant64(0, 0) : e.constant32(0);
  const one = type === e.u64 ? e.constant64(1, 0) : e.constant32(1);
  switch (kind) {
    case 'inc':
      return e.select(type, e.op(Op.UGreaterThanEqual, e.bool, old, data), zero, e.op(Op.IAdd, type, old, one));
    case 'dec': {
      const wraps = e.op(Op.LogicalOr, e.bool, e.equal(old, zero), e.op(Op.UGreaterThan, e.bool, old, data));
      return e.select(type, wraps, data, e.op(Op.ISub, type, old, one));
    }
    case 'rsub':
      return e.op(Op.ISub, type, data, old);
    case 'csub':
      return e.select(type, e.op(Op.UGreaterThanEqual, e.bool, old, data), e.op(Op.ISub, type, old, data), zero);
    case 'mskor':
      return e.op(Op.BitwiseOr, type, e.op(Op.BitwiseAnd, type, old, e.op(Op.Not, type, data)), comparand);
    case 'fmin':
    case 'fmax': {
      const float = type === e.u64 ? e.f64() : e.f32();
      const a = e.bitcast(float, old);
      const b = e.bitcast(float, data);
      const take = e.op(kind === 'fmin' ? Op.FOrdLessThan : Op.FOrdGreaterThan, e.bool, b, a);
      const oldIsNan = e.op(Op.IsNan, e.bool, a);
      return e.select(type, e.op(Op.LogicalOr, e.bool, take, oldIsNan), data, old);
    }
    case 'fcmpswap': {
      const float = type === e.u64 ? e.f64() : e.f32();
      return e.select(type, e.op(Op.FOrdEqual, e.bool, e.bitcast(float, old), e.bitcast(float, comparand)), data, old);
    }
    default:
      return data;
  }
}

/** The old value. Kinds without an instruction loop on compare-and-exchange. */
export function atomicOperation(
  e: Emitter,
  kind: AtomicKind,
  pointer: Id,
  type: Id,
  data: Id,
  comparand: Id,
  scope: number,
  semantics: number,
): Id {
  const { m } = e;
  const scopeId = e.constant32(scope);
  // Any memory semantics would stop the whole group on such a driver: see CodegenProfile.
  const order = e.profile.lockstepSubgroups ? 0 : semantics;
  const semanticsId = e.constant32(order);
  const direct = DIRECT[kind];
  if (direct !== undefined) return e.op(direct, type, pointer, scopeId, semanticsId, data);
  const failure = e.constant32(order === 0 ? 0 : (order & ~MemorySemantics.AcquireRelease) | MemorySemantics.Acquire);
  if (kind === 'cmpswap')
    return e.op(Op.AtomicCompareExchange, type, pointer, scopeId, semanticsId, failure, data, comparand);
  const first = e.op(Op.AtomicLoad, type, pointer, scopeId, failure);
  const before = e.currentLabel;
  const [header, body, again, merge] = [m.id(), m.id(), m.id(), m.id()];
  const seen = m.id();
  m.emitVoid(Op.Branch, header);
  e.startBlock(header);
  const old = m.id();
  m.emitWith(Op.Phi, type, old, first, before, seen, again);
  m.emitVoid(Op.LoopMerge, merge, again, 0);
  m.emitVoid(Op.Branch, body);
  e.startBlock(body);
  const next = combine(e, kind, type, old, data, comparand);
  m.emitWith(Op.AtomicCompareExchange, type, seen, pointer, scopeId, semanticsId, failure, next, old);
  const done = e.equal(seen, old);
  m.emitVoid(Op.BranchConditional, done, merge, again);
  e.startBlock(again);
  m.emitVoid(Op.Branch, header);
  e.startBlock(merge);
  return old;
}
