/**
 * Guest memory in a module: SPIR-V functions that translate an address, check it, and load, store or change memory.
 *
 * One function per kind of access keeps modules small: an access is one call. The functions branch per lane inside; all
 * lanes are together again when they return. A fault writes a record and yields 0.
 */
import { ATOMIC_KINDS, type AtomicKind } from '../ir/ops.ts';
import { BINDING, FAULT_HEADER_WORDS, FAULT_WORDS, PARAMETER, REGION_WORDS } from './abi.ts';
import type { Emitter } from './emitter.ts';
import {
  AddressingModel,
  Capability,
  Decoration,
  MemoryAccess,
  MemoryModel,
  MemorySemantics,
  Op,
  Scope,
  StorageClass,
} from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

export const READ = 4;
export const WRITE = 2;

export type AccessWidth = 8 | 16 | 32 | 64;

/** Reasons of fault records: indices of FAULT_REASONS in ir/ops.ts. */
export const FAULT = { unmappedRead: 1, unmappedWrite: 2, tripLimit: 3, misaligned: 8 } as const;

const ATOMIC_SEMANTICS = MemorySemantics.AcquireRelease | MemorySemantics.UniformMemory;

export class GuestMemoryFunctions {
  private readonly e: Emitter;
  private readonly made = new Map<string, Id>();
  /** Bodies are emitted after the main function: SPIR-V functions may be in any order. */
  private readonly pending: (() => void)[] = [];
  readonly parameters: Id;
  readonly faults: Id;
  private readonly word: Id;

  constructor(e: Emitter) {
    this.e = e;
    const { m } = e;
    m.setMemoryModel(AddressingModel.PhysicalStorageBuffer64, MemoryModel.GLSL450);
    m.extension('SPV_KHR_physical_storage_buffer');
    m.capability(Capability.PhysicalStorageBufferAddresses);
    this.word = e.storagePointer(e.u32);
    this.parameters = this.buffer(BINDING.parameters, true);
    this.faults = this.buffer(BINDING.faults, false);
  }

  private buffer(binding: number, readOnly: boolean): Id {
    const { m, u32 } = this.e;
    const array = m.freshType(Op.TypeRuntimeArray, u32);
    m.decorate(array, Decoration.ArrayStride, 4);
    const block = m.freshType(Op.TypeStruct, array);
    m.decorate(block, Decoration.Block);
    m.decorateMember(block, 0, Decoration.Offset, 0);
    if (readOnly) m.decorateMember(block, 0, Decoration.NonWritable);
    const variable = m.variable(this.e.storagePointer(block), StorageClass.StorageBuffer);
    m.decorate(variable, Decoration.DescriptorSet, 0);
    m.decorate(variable, Decoration.Binding, binding);
    return variable;
  }

  /** Word `index` (an id) of the parameters. */
  parameter(index: Id): Id {
    const { e } = this;
    const pointer = e.op(Op.AccessChain, this.word, this.parameters, e.constant32(0), index);
    return e.load(e.u32, pointer);
  }

  parameterAt(index: number): Id {
    return this.parameter(this.e.constant32(index));
  }

  /** Emits the bodies of every function that was used, and of those they use. */
  finish(): void {
    while (this.pending.length > 0) this.pending.pop()!();
  }

  /** Defines a function once; `body` gets the parameter ids and returns the result's id (none for void). */
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

  /** address u64, size in bytes, permission → device address, 0 when it is not allowed. */
  private translate(): Id {
    const { e } = this;
    return this.define('translate', e.u64, [e.u64, e.u32, e.u32], ([address, size, permission]) => {
      const { m } = e;
      const u32Pointer = e.pointer(StorageClass.Function, e.u32);
      const low = m.emit(Op.Variable, u32Pointer, StorageClass.Function);
      const high = m.emit(Op.Variable, u32Pointer, StorageClass.Function);
      m.emitVoid(Op.Store, low, e.constant32(0));
      m.emitVoid(Op.Store, high, this.parameterAt(PARAMETER.regionCount));
      const table = this.parameterAt(PARAMETER.regionTable);
      const at = (region: Id, word: number): Id =>
        this.parameter(
          e.add(table, e.add(e.op(Op.IMul, e.u32, region, e.constant32(REGION_WORDS)), e.constant32(word))),
        );
      // The last region whose start is not above the address: low ≤ it < high.
      const [header, test, body, again, merge] = [m.id(), m.id(), m.id(), m.id(), m.id()];
      m.emitVoid(Op.Branch, header);
      e.startBlock(header);
      m.emitVoid(Op.LoopMerge, merge, again, 0);
      m.emitVoid(Op.Branch, test);
      e.startBlock(test);
      const a = e.load(e.u32, low);
      const b = e.load(e.u32, high);
      const more = e.op(Op.ULessThan, e.bool, e.add(a, e.constant32(1)), b);
      m.emitVoid(Op.BranchConditional, more, body, merge);
      e.startBlock(body);
      const middle = e.shr(e.add(a, b), e.constant32(1));
      const start = e.pack(at(middle, 0), at(middle, 1));
      const above = e.op(Op.ULessThanEqual, e.bool, start, address!);
      m.emitVoid(Op.Store, low, e.select(e.u32, above, middle, a));
      m.emitVoid(Op.Store, high, e.select(e.u32, above, b, middle));
      m.emitVoid(Op.Branch, again);
      e.startBlock(again);
      m.emitVoid(Op.Branch, header);
      e.startBlock(merge);
      const region = e.load(e.u32, low);
      const from = e.pack(at(region, 0), at(region, 1));
      const to = e.pack(at(region, 2), at(region, 3));
      const end = e.op(Op.IAdd, e.u64, address!, e.op(Op.UConvert, e.u64, size!));
      const have = e.and(at(region, 6), permission!);
      let good = e.op(Op.ULessThanEqual, e.bool, from, address!);
      good = e.op(Op.LogicalAnd, e.bool, good, e.op(Op.ULessThanEqual, e.bool, end, to));
      good = e.op(Op.LogicalAnd, e.bool, good, e.equal(have, permission!));
      const device = e.op(Op.IAdd, e.u64, e.pack(at(region, 4), at(region, 5)), e.op(Op.ISub, e.u64, address!, from));
      return e.select(e.u64, good, device, e.constant64(0, 0));
    });
  }

  /** reason, location, lane, address: a record in the fault buffer. Wave and group are in private variables. */
  faultFunction(): Id {
    const { e } = this;
    return this.define('fault', e.voidType, [e.u32, e.u32, e.u32, e.u64], ([reason, location, lane, address]) => {
      const { m } = e;
      const word = (index: Id): Id => e.op(Op.AccessChain, this.word, this.faults, e.constant32(0), index);
      const number = e.op(
        Op.AtomicIAdd,
        e.u32,
        word(e.constant32(0)),
        e.constant32(Scope.Device),
        e.constant32(0),
        e.constant32(1),
      );
      const fits = e.op(Op.ULessThan, e.bool, number, this.parameterAt(PARAMETER.faultCapacity));
      e.when(fits, () => {
        const base = e.add(e.op(Op.IMul, e.u32, number, e.constant32(FAULT_WORDS)), e.constant32(FAULT_HEADER_WORDS));
        const group = e.load(e.uvec4, this.groupVariable());
        const values = [
          reason!,
          location!,
          lane!,
          e.op(Op.CompositeExtract, e.u32, group, 3),
          e.op(Op.CompositeExtract, e.u32, group, 0),
          e.op(Op.CompositeExtract, e.u32, group, 1),
          e.op(Op.CompositeExtract, e.u32, group, 2),
          e.low(address!),
          e.high(address!),
        ];
        values.forEach((value, i) => m.emitVoid(Op.Store, word(e.add(base, e.constant32(i))), value));
      });
      return undefined;
    });
  }

  private group: Id | undefined;

  /** Group x y z and number of the wave in it, for fault records. */
  groupVariable(): Id {
    this.group ??= this.e.m.variable(this.e.pointer(StorageClass.Private, this.e.uvec4), StorageClass.Private);
    return this.group;
  }

  private widthType(width: AccessWidth): Id {
    const { e } = this;
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

  private devicePointer(width: AccessWidth, device: Id): Id {
    const { e } = this;
    return e.op(Op.ConvertUToPtr, e.pointer(StorageClass.PhysicalStorageBuffer, this.widthType(width)), device);
  }

  /** Dwords may be misaligned: then they are moved byte by byte where the device can, halves too. */
  private alignmentMask(width: AccessWidth): number {
    return width / 8 - 1;
  }

  /** address, active, location, lane → value as u32 (u64 for 64). */
  load(width: 8 | 16 | 32): Id {
    const { e } = this;
    return this.define(`load${width}`, e.u32, [e.u64, e.bool, e.u32, e.u32], ([address, active, location, lane]) => {
      return this.guarded(
        address!,
        active!,
        location!,
        lane!,
        width,
        READ,
        (device) => this.loadAt(width, device),
        e.u32,
      );
    });
  }

  private loadAt(width: 8 | 16 | 32, device: Id): Id {
    const { e } = this;
    const plain = (w: 8 | 16 | 32, at: Id): Id => {
      const raw = e.op(Op.Load, this.widthType(w), this.devicePointer(w, at), MemoryAccess.Aligned, w / 8);
      return w === 32 ? raw : e.op(Op.UConvert, e.u32, raw);
    };
    if (width === 8 || !e.profile.storage8) return plain(width, device);
    return this.byAlignment(
      device,
      width,
      () => plain(width, device),
      () => {
        let value: Id | undefined;
        for (let byte = 0; byte < width / 8; byte++) {
          const part = plain(8, e.op(Op.IAdd, e.u64, device, e.constant64(byte, 0)));
          const shifted = byte === 0 ? part : e.shl(part, e.constant32(8 * byte));
          value = value === undefined ? shifted : e.or(value, shifted);
        }
        return value!;
      },
      e.u32,
    )!;
  }

  /** A branch on whether the address is a multiple of the access's size. */
  private byAlignment(
    device: Id,
    width: AccessWidth,
    aligned: () => Id | undefined,
    misaligned: () => Id | undefined,
    type: Id,
  ): Id | undefined {
    const { e } = this;
    const { m } = e;
    const offset = e.and(e.low(device), e.constant32(this.alignmentMask(width)));
    const [yes, no, merge] = [m.id(), m.id(), m.id()];
    const isAligned = e.equal(offset, e.constant32(0));
    m.emitVoid(Op.SelectionMerge, merge, 0);
    m.emitVoid(Op.BranchConditional, isAligned, yes, no);
    e.startBlock(yes);
    const a = aligned();
    const fromYes = e.currentLabel;
    m.emitVoid(Op.Branch, merge);
    e.startBlock(no);
    const b = misaligned();
    const fromNo = e.currentLabel;
    m.emitVoid(Op.Branch, merge);
    e.startBlock(merge);
    if (a === undefined || b === undefined) return undefined;
    return e.op(Op.Phi, type, a, fromYes, b, fromNo);
  }

  /** address, value, active, location, lane. */
  store(width: 8 | 16 | 32): Id {
    const { e } = this;
    return this.define(
      `store${width}`,
      e.voidType,
      [e.u64, e.u32, e.bool, e.u32, e.u32],
      ([address, value, active, location, lane]) => {
        this.guarded(
          address!,
          active!,
          location!,
          lane!,
          width,
          WRITE,
          (device) => {
            this.storeAt(width, device, value!);
            return undefined;
          },
          e.u32,
        );
        return undefined;
      },
    );
  }

  private storeAt(width: 8 | 16 | 32, device: Id, value: Id): void {
    const { e } = this;
    const plain = (w: 8 | 16 | 32, at: Id, word: Id): void => {
      const narrow = w === 32 ? word : e.op(Op.UConvert, this.widthType(w), word);
      e.m.emitVoid(Op.Store, this.devicePointer(w, at), narrow, MemoryAccess.Aligned, w / 8);
    };
    if (width === 8 || !e.profile.storage8) {
      plain(width, device, value);
      return;
    }
    this.byAlignment(
      device,
      width,
      () => {
        plain(width, device, value);
        return undefined;
      },
      () => {
        for (let byte = 0; byte < width / 8; byte++) {
          plain(
            8,
            e.op(Op.IAdd, e.u64, device, e.constant64(byte, 0)),
            byte === 0 ? value : e.shr(value, e.constant32(8 * byte)),
          );
        }
        return undefined;
      },
      e.u32,
    );
  }

  /** Runs `access` where the lane is active and the address allowed; 0 or nothing otherwise. */
  private guarded(
    address: Id,
    active: Id,
    location: Id,
    lane: Id,
    width: AccessWidth,
    permission: number,
    access: (device: Id) => Id | undefined,
    type: Id,
  ): Id {
    const { e } = this;
    const { m } = e;
    const zero = type === e.u64 ? e.constant64(0, 0) : e.constant32(0);
    const canonical = e.op(Op.BitwiseAnd, e.u64, address, e.constant64(0xffffffff, 0xffff));
    const [inside, good, bad, merge, end] = [m.id(), m.id(), m.id(), m.id(), m.id()];
    const start = e.currentLabel;
    m.emitVoid(Op.SelectionMerge, end, 0);
    m.emitVoid(Op.BranchConditional, active, inside, end);
    e.startBlock(inside);
    const device = e.op(
      Op.FunctionCall,
      e.u64,
      this.translate(),
      canonical,
      e.constant32(width / 8),
      e.constant32(permission),
    );
    const allowed = e.op(Op.INotEqual, e.bool, device, e.constant64(0, 0));
    m.emitVoid(Op.SelectionMerge, merge, 0);
    m.emitVoid(Op.BranchConditional, allowed, good, bad);
    e.startBlock(good);
    const value = access(device);
    const fromGood = e.currentLabel;
    m.emitVoid(Op.Branch, merge);
    e.startBlock(bad);
    const reason = permission === READ ? FAULT.unmappedRead : FAULT.unmappedWrite;
    e.op(Op.FunctionCall, e.voidType, this.faultFunction(), e.constant32(reason), location, lane, canonical);
    m.emitVoid(Op.Branch, merge);
    e.startBlock(merge);
    const inner = value === undefined ? zero : e.op(Op.Phi, type, value, fromGood, zero, bad);
    m.emitVoid(Op.Branch, end);
    e.startBlock(end);
    return value === undefined ? zero : e.op(Op.Phi, type, inner, merge, zero, start);
  }

  /** address, data, comparand, active, location, lane → old value. Undefined when the device cannot do it. */
  atomic(kind: AtomicKind, width: 32 | 64): Id | undefined {
    const { e } = this;
    const type = width === 64 ? e.u64 : e.u32;
    if (!ATOMIC_KINDS.includes(kind)) return undefined;
    if (width === 64) {
      if (!e.profile.bufferAtomics64) return undefined;
      e.m.capability(Capability.Int64Atomics);
    }
    return this.define(
      `atomic_${kind}${width}`,
      type,
      [e.u64, type, type, e.bool, e.u32, e.u32],
      ([address, data, comparand, active, location, lane]) =>
        this.guarded(
          address!,
          active!,
          location!,
          lane!,
          width,
          WRITE,
          (device) => {
            const pointer = this.devicePointer(width, device);
            return atomicOperation(e, kind, pointer, type, data!, comparand!, Scope.Device, ATOMIC_SEMANTICS);
          },
          type,
        ),
    );
  }
}

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
  const semanticsId = e.constant32(semantics);
  const direct = DIRECT[kind];
  if (direct !== undefined) return e.op(direct, type, pointer, scopeId, semanticsId, data);
  const failure = e.constant32((semantics & ~MemorySemantics.AcquireRelease) | MemorySemantics.Acquire);
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
