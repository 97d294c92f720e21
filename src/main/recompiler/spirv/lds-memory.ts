/**
 * LDS of the workgroup as an array of dwords in Workgroup memory, with the hardware's rules: loads outside the
 * allocation give 0, stores outside are dropped, any alignment works.
 *
 * Parts of a dword are stored by atomics, since lanes may write different bytes of one dword at the same time.
 */
import type { AtomicKind } from '../ir/ops.ts';
import type { Emitter } from './emitter.ts';
import { MemorySemantics, Op, Scope, StorageClass } from './grammar.gen.ts';
import { atomicOperation } from './guest-memory.ts';
import type { Id } from './module-builder.ts';

const SEMANTICS = MemorySemantics.AcquireRelease | MemorySemantics.WorkgroupMemory;

export class LdsFunctions {
  private readonly e: Emitter;
  private readonly sizeBytes: number;
  private readonly array: Id;
  private readonly word: Id;
  private readonly made = new Map<string, Id>();
  private readonly pending: (() => void)[] = [];

  constructor(e: Emitter, sizeBytes: number) {
    this.e = e;
    this.sizeBytes = sizeBytes;
    const { m } = e;
    // One dword more than allocated: a misaligned access may touch the dword behind its last byte.
    const array = m.type(Op.TypeArray, e.u32, e.constant32(Math.ceil(sizeBytes / 4) + 1));
    this.array = m.variable(e.pointer(StorageClass.Workgroup, array), StorageClass.Workgroup);
    this.word = e.pointer(StorageClass.Workgroup, e.u32);
  }

  /** For the entry point's interface (SPIR-V 1.4 and later list every global). */
  get variable(): Id {
    return this.array;
  }

  finish(): void {
    while (this.pending.length > 0) this.pending.pop()!();
  }

  private define(
    name: string,
    result: Id,
    parameters: readonly Id[],
    body: (args: readonly Id[]) => Id | undefined,
  ): Id {
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const { m } = this.e;
    const id = m.id();
    this.made.set(name, id);
    m.name(id, name);
    const type = m.type(Op.TypeFunction, result, ...parameters);
    this.pending.push(() => {
      m.emitWith(Op.Function, result, id, 0, type);
      const args = parameters.map((p) => m.emit(Op.FunctionParameter, p));
      this.e.startBlock(m.id());
      const value = body(args);
      if (value === undefined) m.emitVoid(Op.Return);
      else m.emitVoid(Op.ReturnValue, value);
      m.emitVoid(Op.FunctionEnd);
    });
    return id;
  }

  private pointer(index: Id): Id {
    return this.e.op(Op.AccessChain, this.word, this.array, index);
  }

  /** active and address + bytes ≤ size, without overflow. */
  private inside(address: Id, active: Id, bytes: number): Id {
    const { e } = this;
    if (bytes > this.sizeBytes) return e.constantBool(false);
    const fits = e.op(Op.ULessThanEqual, e.bool, address, e.constant32(this.sizeBytes - bytes));
    return e.op(Op.LogicalAnd, e.bool, active, fits);
  }

  /** address, active → value. */
  load(width: 8 | 16 | 32): Id {
    const { e } = this;
    return this.define(`lds_load${width}`, e.u32, [e.u32, e.bool], ([address, active]) => {
      const good = this.inside(address!, active!, width / 8);
      // Clamped and selected instead of branched: reading the first dword hurts nobody.
      const at = e.select(e.u32, good, address!, e.constant32(0));
      const index = e.shr(at, e.constant32(2));
      const shift = e.shl(e.and(at, e.constant32(3)), e.constant32(3));
      let value = e.load(e.u32, this.pointer(index));
      if (width === 8) value = e.shr(value, shift);
      else {
        const above = e.load(e.u32, this.pointer(e.add(index, e.constant32(1))));
        value = e.low(e.op(Op.ShiftRightLogical, e.u64, e.pack(value, above), shift));
      }
      if (width < 32) value = e.and(value, e.constant32(2 ** width - 1));
      return e.select(e.u32, good, value, e.constant32(0));
    });
  }

  /** address, value, active. */
  store(width: 8 | 16 | 32): Id {
    const { e } = this;
    return this.define(`lds_store${width}`, e.voidType, [e.u32, e.u32, e.bool], ([address, value, active]) => {
      e.when(this.inside(address!, active!, width / 8), () => {
        const index = e.shr(address!, e.constant32(2));
        const aligned = e.equal(e.and(address!, e.constant32(3)), e.constant32(0));
        if (width === 32) {
          e.when(aligned, () => e.m.emitVoid(Op.Store, this.pointer(index), value!));
          e.when(e.op(Op.LogicalNot, e.bool, aligned), () => this.storeBits(index, address!, value!, width));
        } else this.storeBits(index, address!, value!, width);
      });
      return undefined;
    });
  }

  private storeBits(index: Id, address: Id, value: Id, width: 8 | 16 | 32): void {
    const { e } = this;
    const shift = e.shl(e.and(address, e.constant32(3)), e.constant32(3));
    const ones = e.constant64(width === 32 ? -1 : 2 ** width - 1, 0);
    const mask = e.op(Op.ShiftLeftLogical, e.u64, ones, shift);
    const narrow = e.op(Op.BitwiseAnd, e.u64, e.op(Op.UConvert, e.u64, value), ones);
    const bits = e.op(Op.ShiftLeftLogical, e.u64, narrow, shift);
    const parts: [Id, Id, Id][] = [[index, e.low(mask), e.low(bits)]];
    if (width > 8) parts.push([e.add(index, e.constant32(1)), e.high(mask), e.high(bits)]);
    const scope = e.constant32(Scope.Workgroup);
    const semantics = e.constant32(SEMANTICS);
    for (const [at, partMask, partBits] of parts) {
      e.op(Op.AtomicAnd, e.u32, this.pointer(at), scope, semantics, e.op(Op.Not, e.u32, partMask));
      e.op(Op.AtomicOr, e.u32, this.pointer(at), scope, semantics, partBits);
    }
  }

  /** address, data, comparand, active → old value. The low two address bits are ignored, as in the hardware. */
  atomic(kind: AtomicKind): Id {
    const { e } = this;
    return this.define(
      `lds_atomic_${kind}`,
      e.u32,
      [e.u32, e.u32, e.u32, e.bool],
      ([address, data, comparand, active]) => {
        const { m } = e;
        const [yes, end] = [m.id(), m.id()];
        const good = this.inside(address!, active!, 4);
        const start = e.currentLabel;
        m.emitVoid(Op.SelectionMerge, end, 0);
        m.emitVoid(Op.BranchConditional, good, yes, end);
        e.startBlock(yes);
        const pointer = this.pointer(e.shr(address!, e.constant32(2)));
        const old = atomicOperation(e, kind, pointer, e.u32, data!, comparand!, Scope.Workgroup, SEMANTICS);
        const from = e.currentLabel;
        m.emitVoid(Op.Branch, end);
        e.startBlock(end);
        return e.op(Op.Phi, e.u32, old, from, e.constant32(0), start);
      },
    );
  }
}
