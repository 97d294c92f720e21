/**
 * LDS of the workgroup as an array of dwords in Workgroup memory, with the hardware's rules: loads outside the
 * allocation give 0, stores outside are dropped, any alignment works.
 *
 * Parts of a dword are stored by atomics, since lanes may write different bytes of one dword at the same time. With
 * direct memory accesses are taken to be aligned; a misaligned one is noted as missed (missed-access.ts).
 */
import type { AtomicKind } from '../ir/ops.ts';
import { NO_VALUE, type ValueId } from '../ir/types.ts';
import { knownZeroBits } from './address-bases.ts';
import { atomicOperation } from './atomic-operation.ts';
import { type ElementWidth, valuesWhere } from './device-access.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionSet } from './function-set.ts';
import { BuiltIn, MemorySemantics, Op, Scope, StorageClass } from './grammar.gen.ts';
import type { MissedAccess } from './missed-access.ts';
import type { Id } from './module-builder.ts';

const SEMANTICS = MemorySemantics.AcquireRelease | MemorySemantics.WorkgroupMemory;

export class LdsMemory {
  private readonly e: Emitter;
  private readonly sizeBytes: number;
  private readonly functions: FunctionSet;
  /** Present with direct memory. */
  private readonly missed: MissedAccess | undefined;
  /** The global, for the entry point's interface. */
  readonly variable: Id;
  private readonly word: Id;
  private readonly words: number;

  constructor(e: Emitter, sizeBytes: number, functions: FunctionSet, missed: MissedAccess | undefined) {
    this.e = e;
    this.sizeBytes = sizeBytes;
    this.functions = functions;
    this.missed = missed;
    const { m } = e;
    // One dword more than allocated: a misaligned access may touch the dword behind its last byte.
    this.words = Math.ceil(sizeBytes / 4) + 1;
    const array = m.type(Op.TypeArray, e.u32, e.constant32(this.words));
    this.variable = m.variable(e.pointer(StorageClass.Workgroup, array), StorageClass.Workgroup);
    this.word = e.pointer(StorageClass.Workgroup, e.u32);
  }

  /**
   * Zeros everywhere, by all invocations of the group together; in uniform control flow. Where subgroups run one after
   * the other up to a barrier (quirk llvmpipe), the first one does it alone: a barrier makes that driver keep every
   * variable in memory, and compile ten times longer.
   */
  clear(invocations: number): void {
    const { e } = this;
    const { m } = e;
    const [header, test, body, again, merge] = [m.id(), m.id(), m.id(), m.id(), m.id()];
    const alone = e.profile.lockstepSubgroups;
    let first = e.builtIn(BuiltIn.LocalInvocationIndex, e.u32);
    if (alone) {
      const isFirst = e.equal(e.builtIn(BuiltIn.SubgroupId, e.u32), e.constant32(0));
      first = e.select(e.u32, isFirst, e.laneInSubgroup(), e.constant32(this.words));
    }
    const before = e.currentLabel;
    const [index, next] = [m.id(), m.id()];
    m.emitVoid(Op.Branch, header);
    e.startBlock(header);
    m.emitWith(Op.Phi, e.u32, index, first, before, next, again);
    m.emitVoid(Op.LoopMerge, merge, again, 0);
    m.emitVoid(Op.Branch, test);
    e.startBlock(test);
    const more = e.op(Op.ULessThan, e.bool, index, e.constant32(this.words));
    m.emitVoid(Op.BranchConditional, more, body, merge);
    e.startBlock(body);
    m.emitVoid(Op.Store, this.pointer(index), e.constant32(0));
    m.emitVoid(Op.Branch, again);
    e.startBlock(again);
    m.emitWith(Op.IAdd, e.u32, next, index, e.constant32(alone ? e.subgroupSize : invocations));
    m.emitVoid(Op.Branch, header);
    e.startBlock(merge);
    if (alone) return;
    const scope = e.constant32(Scope.Workgroup);
    m.emitVoid(Op.ControlBarrier, scope, scope, e.constant32(SEMANTICS));
  }

  private pointer(index: Id): Id {
    return this.e.op(Op.AccessChain, this.word, this.variable, index);
  }

  private lanes(): number[] {
    return Array.from({ length: this.e.lanesPerInvocation }, (_, k) => k);
  }

  private addressOf(v: ValueId, k: number, skip: number): Id {
    const offset = this.e.fn.imm0[v]! + skip;
    const address = this.e.operand(v, 0, k);
    return offset === 0 ? address : this.e.add(address, this.e.constant32(offset));
  }

  /** active and address + bytes ≤ size, without overflow. */
  private inside(address: Id, active: Id, bytes: number): Id {
    const { e } = this;
    if (bytes > this.sizeBytes) return e.constantBool(false);
    const fits = e.op(Op.ULessThanEqual, e.bool, address, e.constant32(this.sizeBytes - bytes));
    return e.allOf([active, fits]);
  }

  private isAligned(v: ValueId, width: ElementWidth): boolean {
    const { fn } = this.e;
    const bytes = width / 8;
    return fn.imm0[v]! % bytes === 0 && knownZeroBits(fn, fn.operand(v, 0), NO_VALUE) >= Math.log2(bytes);
  }

  // ── loads ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  load(v: ValueId, width: ElementWidth, count: number): Id[][] {
    const { e } = this;
    return Array.from({ length: count }, (_, n) =>
      this.lanes().map((k) => {
        const address = this.addressOf(v, k, (n * width) / 8);
        const active = e.operand(v, 1, k);
        if (this.isAligned(v, width)) return this.loadAligned(width, address, active);
        if (!this.missed) return e.op(Op.FunctionCall, e.u32, this.loadFunction(width), address, active);
        const inside = this.inside(address, active, width / 8);
        this.missed.note([e.allOf([inside, this.isOdd(address, width)])]);
        return this.loadAligned(width, address, active);
      }),
    );
  }

  private isOdd(address: Id, width: ElementWidth): Id {
    const { e } = this;
    return e.op(Op.INotEqual, e.bool, e.and(address, e.constant32(width / 8 - 1)), e.constant32(0));
  }

  private loadAligned(width: ElementWidth, address: Id, active: Id): Id {
    const { e } = this;
    const good = this.inside(address, active, width / 8);
    // Clamped and selected instead of branched: reading the first dword hurts nobody.
    const at = e.select(e.u32, good, address, e.constant32(0));
    let value = e.load(e.u32, this.pointer(e.shr(at, e.constant32(2))));
    if (width < 32) {
      value = e.shr(value, e.shl(e.and(at, e.constant32(3)), e.constant32(3)));
      value = e.and(value, e.constant32(2 ** width - 1));
    }
    return e.select(e.u32, good, value, e.constant32(0));
  }

  /** Any alignment: address, active → value. */
  private loadFunction(width: ElementWidth): Id {
    const { e } = this;
    return this.functions.define(`lds_load${width}`, e.u32, [e.u32, e.bool], ([address, active]) => {
      const good = this.inside(address!, active!, width / 8);
      const at = e.select(e.u32, good, address!, e.constant32(0));
      const index = e.shr(at, e.constant32(2));
      const shift = e.shl(e.and(at, e.constant32(3)), e.constant32(3));
      const low = e.load(e.u32, this.pointer(index));
      const above = e.load(e.u32, this.pointer(e.add(index, e.constant32(1))));
      let value = e.low(e.op(Op.ShiftRightLogical, e.u64, e.pack(low, above), shift));
      if (width < 32) value = e.and(value, e.constant32(2 ** width - 1));
      return e.select(e.u32, good, value, e.constant32(0));
    });
  }

  // ── stores ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  store(v: ValueId, width: ElementWidth, data: readonly (readonly Id[])[]): void {
    const { e } = this;
    data.forEach((values, n) => {
      for (const k of this.lanes()) {
        const address = this.addressOf(v, k, (n * width) / 8);
        const active = e.operand(v, 1, k);
        const aligned = width === 8 || this.isAligned(v, width);
        if (!aligned && !this.missed) {
          e.op(Op.FunctionCall, e.voidType, this.storeFunction(width), address, values[k]!, active);
          continue;
        }
        let good = this.inside(address, active, width / 8);
        if (!aligned) {
          const odd = this.isOdd(address, width);
          this.missed!.note([e.allOf([good, odd])]);
          good = e.allOf([good, e.not(odd)]);
        }
        e.when(good, () => this.storeAligned(width, address, values[k]!));
      }
    });
  }

  private storeAligned(width: ElementWidth, address: Id, value: Id): void {
    const { e } = this;
    const index = e.shr(address, e.constant32(2));
    if (width === 32) {
      e.m.emitVoid(Op.Store, this.pointer(index), value);
      return;
    }
    const ones = e.constant32(2 ** width - 1);
    const shift = e.shl(e.and(address, e.constant32(3)), e.constant32(3));
    this.storePart(index, e.shl(ones, shift), e.shl(e.and(value, ones), shift));
  }

  private storePart(index: Id, mask: Id, bits: Id): void {
    const { e } = this;
    const scope = e.constant32(Scope.Workgroup);
    const semantics = e.constant32(e.profile.lockstepSubgroups ? 0 : SEMANTICS);
    e.op(Op.AtomicAnd, e.u32, this.pointer(index), scope, semantics, e.op(Op.Not, e.u32, mask));
    e.op(Op.AtomicOr, e.u32, this.pointer(index), scope, semantics, bits);
  }

  /** Any alignment: address, value, active. */
  private storeFunction(width: ElementWidth): Id {
    const { e } = this;
    const parameters = [e.u32, e.u32, e.bool];
    return this.functions.define(`lds_store${width}`, e.voidType, parameters, ([address, value, active]) => {
      e.when(this.inside(address!, active!, width / 8), () => {
        const odd = e.op(Op.INotEqual, e.bool, e.and(address!, e.constant32(3)), e.constant32(0));
        if (width === 32) e.when(e.not(odd), () => this.storeAligned(32, address!, value!));
        e.when(width === 32 ? odd : e.constantBool(true), () => {
          const index = e.shr(address!, e.constant32(2));
          const shift = e.shl(e.and(address!, e.constant32(3)), e.constant32(3));
          const ones = e.constant64(width === 32 ? -1 : 2 ** width - 1, 0);
          const mask = e.op(Op.ShiftLeftLogical, e.u64, ones, shift);
          const narrow = e.op(Op.BitwiseAnd, e.u64, e.op(Op.UConvert, e.u64, value!), ones);
          const bits = e.op(Op.ShiftLeftLogical, e.u64, narrow, shift);
          this.storePart(index, e.low(mask), e.low(bits));
          this.storePart(e.add(index, e.constant32(1)), e.high(mask), e.high(bits));
        });
      });
      return undefined;
    });
  }

  // ── atomics ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Old values. The low two address bits are ignored, as in the hardware. */
  atomic(v: ValueId, kind: AtomicKind, data: readonly Id[], comparands: readonly Id[]): Id[] {
    const { e } = this;
    return this.lanes().map((k) => {
      const address = this.addressOf(v, k, 0);
      const good = this.inside(address, e.operand(v, 1, k), 4);
      return valuesWhere(e, good, e.u32, 1, () => {
        const pointer = this.pointer(e.shr(address, e.constant32(2)));
        return [atomicOperation(e, kind, pointer, e.u32, data[k]!, comparands[k]!, Scope.Workgroup, SEMANTICS)];
      })[0]!;
    });
  }
}
