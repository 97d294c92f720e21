/**
 * Guest memory in a module: SPIR-V functions that translate an address, check it, and load, store or change memory.
 *
 * One function per kind of access keeps modules small: an access is one call. The functions branch per lane inside; all
 * lanes are together again when they return. A fault writes a record and yields 0.
 */
import type { AtomicKind } from '../ir/ops.ts';
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

  /**
   * address u64 (the same in all invocations) → the region that holds it: {start, end (exclusive), device address minus
   * start}, permissions. Without one: start = end = 0.
   */
  private findRegion(): Id {
    const { e } = this;
    return this.define('find_region', this.regionType(), [e.u64], ([address]) => {
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
      const zero = e.constant64(0, 0);
      const held = e.op(
        Op.LogicalAnd,
        e.bool,
        e.op(Op.ULessThanEqual, e.bool, from, address!),
        e.op(Op.ULessThan, e.bool, address!, to),
      );
      const delta = e.op(Op.ISub, e.u64, e.pack(at(region, 4), at(region, 5)), from);
      const permissions = e.select(e.u32, held, at(region, 6), e.constant32(0));
      return e.op(
        Op.CompositeConstruct,
        this.regionType(),
        e.select(e.u64, held, from, zero),
        e.select(e.u64, held, to, zero),
        delta,
        permissions,
      );
    });
  }

  private regionType(): Id {
    const { e } = this;
    return e.m.type(Op.TypeStruct, e.u64, e.u64, e.u64, e.u32);
  }

  /** N device addresses, 0 where the lane is inactive or its access is not allowed. */
  private addressesType(): Id {
    const { e } = this;
    return e.m.type(Op.TypeStruct, ...Array.from({ length: e.lanesPerInvocation }, () => e.u64));
  }

  /**
   * N guest addresses and N active flags → N device addresses. Regions are looked up once per wave, not once per lane:
   * the first lane without an answer names one, and every lane inside it is served; nearly always one turn.
   */
  private translateLanes(width: AccessWidth, permission: number): Id {
    const { e } = this;
    const n = e.lanesPerInvocation;
    const parameters = [...Array.from({ length: n }, () => e.u64), ...Array.from({ length: n }, () => e.bool)];
    return this.define(
      `translate${width}_${permission === READ ? 'read' : 'write'}`,
      this.addressesType(),
      parameters,
      (args) => {
        const { m } = e;
        const lanes = Array.from({ length: n }, (_, k) => k);
        const bytes = e.constant64(width / 8, 0);
        const zero = e.constant64(0, 0);
        const before = e.currentLabel;
        const [header, body, again, merge] = [m.id(), m.id(), m.id(), m.id()];
        const pendingNext = lanes.map(() => m.id());
        const deviceNext = lanes.map(() => m.id());
        m.emitVoid(Op.Branch, header);
        e.startBlock(header);
        const pending = lanes.map((k) => this.loopPhi(e.bool, args[n + k]!, before, pendingNext[k]!, again));
        const device = lanes.map((k) => this.loopPhi(e.u64, zero, before, deviceNext[k]!, again));
        m.emitVoid(Op.LoopMerge, merge, again, 0);
        const scan = m.id();
        m.emitVoid(Op.Branch, scan);
        e.startBlock(scan);
        const mine = lanes.slice(1).reduce<Id>((any, k) => e.op(Op.LogicalOr, e.bool, any, pending[k]!), pending[0]!);
        const leader = e.firstInvocation(mine);
        const some = e.op(Op.INotEqual, e.bool, leader, e.constant32(-1));
        m.emitVoid(Op.BranchConditional, some, body, merge);
        e.startBlock(body);
        let candidate = args[n - 1]!;
        for (let k = n - 2; k >= 0; k--) candidate = e.select(e.u64, pending[k]!, args[k]!, candidate);
        const address = e.pack(e.shuffle(e.low(candidate), leader), e.shuffle(e.high(candidate), leader));
        const region = e.op(Op.FunctionCall, this.regionType(), this.findRegion(), address);
        const [start, end, delta] = [0, 1, 2].map((i) => e.op(Op.CompositeExtract, e.u64, region, i));
        const have = e.op(Op.CompositeExtract, e.u32, region, 3);
        const allowed = e.equal(e.and(have, e.constant32(permission)), e.constant32(permission));
        lanes.forEach((k) => {
          const from = args[k]!;
          const here = e.op(
            Op.LogicalAnd,
            e.bool,
            e.op(Op.ULessThanEqual, e.bool, start!, from),
            e.op(Op.ULessThan, e.bool, from, end!),
          );
          const whole = e.op(Op.ULessThanEqual, e.bool, e.op(Op.IAdd, e.u64, from, bytes), end!);
          const good = e.op(
            Op.LogicalAnd,
            e.bool,
            e.op(Op.LogicalAnd, e.bool, here, whole),
            e.op(Op.LogicalAnd, e.bool, allowed, pending[k]!),
          );
          m.emitWith(Op.Select, e.u64, deviceNext[k]!, good, e.op(Op.IAdd, e.u64, from, delta!), device[k]!);
          // Served, or the address that no region has: both are done.
          const done = e.op(Op.LogicalOr, e.bool, here, e.op(Op.IEqual, e.bool, from, address));
          m.emitWith(Op.LogicalAnd, e.bool, pendingNext[k]!, pending[k]!, e.op(Op.LogicalNot, e.bool, done));
        });
        m.emitVoid(Op.Branch, again);
        e.startBlock(again);
        m.emitVoid(Op.Branch, header);
        e.startBlock(merge);
        return e.op(Op.CompositeConstruct, this.addressesType(), ...device);
      },
    );
  }

  private loopPhi(type: Id, first: Id, before: Id, next: Id, again: Id): Id {
    const id = this.e.m.id();
    this.e.m.emitWith(Op.Phi, type, id, first, before, next, again);
    return id;
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

  private lanes(): number[] {
    return Array.from({ length: this.e.lanesPerInvocation }, (_, k) => k);
  }

  private repeat(type: Id): Id[] {
    return this.lanes().map(() => type);
  }

  private tuple(type: Id): Id {
    return this.e.m.type(Op.TypeStruct, ...this.repeat(type));
  }

  private unpack(type: Id, tuple: Id): Id[] {
    return this.lanes().map((k) => this.e.op(Op.CompositeExtract, type, tuple, k));
  }

  private canonical(address: Id): Id {
    return this.e.op(Op.BitwiseAnd, this.e.u64, address, this.e.constant64(0xffffffff, 0xffff));
  }

  /** Device addresses of all components; faults are recorded, one for each invocation. */
  private devices(
    width: AccessWidth,
    permission: number,
    guest: readonly Id[],
    active: readonly Id[],
    location: Id,
    laneBase: Id,
  ): Id[] {
    const { e } = this;
    const all = e.op(
      Op.FunctionCall,
      this.addressesType(),
      this.translateLanes(width, permission),
      ...guest,
      ...active,
    );
    const device = this.unpack(e.u64, all);
    const zero = e.constant64(0, 0);
    const failed = device.map((at, k) => e.op(Op.LogicalAnd, e.bool, active[k]!, e.equal(at, zero)));
    const any = failed.slice(1).reduce((some, f) => e.op(Op.LogicalOr, e.bool, some, f), failed[0]!);
    e.when(any, () => {
      let address = guest.at(-1)!;
      let lane = e.add(laneBase, e.constant32((guest.length - 1) * e.subgroupSize));
      for (let k = guest.length - 2; k >= 0; k--) {
        address = e.select(e.u64, failed[k]!, guest[k]!, address);
        lane = e.select(e.u32, failed[k]!, e.add(laneBase, e.constant32(k * e.subgroupSize)), lane);
      }
      const reason = e.constant32(permission === READ ? FAULT.unmappedRead : FAULT.unmappedWrite);
      e.op(Op.FunctionCall, e.voidType, this.faultFunction(), reason, location, lane, address);
    });
    return device;
  }

  /** Whether some lane of the wave has an address that is no multiple of the access's size; uniform. */
  private anyMisaligned(width: AccessWidth, device: readonly Id[]): Id {
    const { e } = this;
    const bits = device.slice(1).reduce((all, at) => e.or(all, e.low(at)), e.low(device[0]!));
    const odd = e.op(Op.INotEqual, e.bool, e.and(bits, e.constant32(width / 8 - 1)), e.constant32(0));
    e.m.capability(Capability.GroupNonUniformVote);
    return e.op(Op.GroupNonUniformAny, e.bool, e.constant32(Scope.Subgroup), odd);
  }

  /** Counts from 0 to `count` − 1 around `body`; `state` is carried from turn to turn. */
  private counted(
    count: number,
    state: readonly (readonly [type: Id, first: Id])[],
    body: (index: Id, state: readonly Id[]) => readonly Id[],
  ): Id[] {
    const { e } = this;
    const { m } = e;
    const [header, test, inside, again, merge] = [m.id(), m.id(), m.id(), m.id(), m.id()];
    const before = e.currentLabel;
    const nextIndex = m.id();
    const next = state.map(() => m.id());
    m.emitVoid(Op.Branch, header);
    e.startBlock(header);
    const index = this.loopPhi(e.u32, e.constant32(0), before, nextIndex, again);
    const now = state.map(([type, first], i) => this.loopPhi(type, first, before, next[i]!, again));
    m.emitVoid(Op.LoopMerge, merge, again, 0);
    m.emitVoid(Op.Branch, test);
    e.startBlock(test);
    m.emitVoid(Op.BranchConditional, e.op(Op.ULessThan, e.bool, index, e.constant32(count)), inside, merge);
    e.startBlock(inside);
    body(index, now).forEach((value, i) => m.emitWith(Op.CopyObject, state[i]![0], next[i]!, value));
    m.emitVoid(Op.Branch, again);
    e.startBlock(again);
    m.emitWith(Op.IAdd, e.u32, nextIndex, index, e.constant32(1));
    m.emitVoid(Op.Branch, header);
    e.startBlock(merge);
    return now;
  }

  /** `access` where the device address is not 0; 0 elsewhere. */
  private where(device: Id, access: () => Id): Id {
    const { e } = this;
    const { m } = e;
    const [inside, end] = [m.id(), m.id()];
    const allowed = e.op(Op.INotEqual, e.bool, device, e.constant64(0, 0));
    const start = e.currentLabel;
    m.emitVoid(Op.SelectionMerge, end, 0);
    m.emitVoid(Op.BranchConditional, allowed, inside, end);
    e.startBlock(inside);
    const value = access();
    const from = e.currentLabel;
    m.emitVoid(Op.Branch, end);
    e.startBlock(end);
    return e.op(Op.Phi, e.u32, value, from, e.constant32(0), start);
  }

  private loadPlain(width: 8 | 16 | 32, device: Id): Id {
    const { e } = this;
    const raw = e.op(
      Op.Load,
      this.widthType(width),
      this.devicePointer(width, device),
      MemoryAccess.Aligned,
      width / 8,
    );
    return width === 32 ? raw : e.op(Op.UConvert, e.u32, raw);
  }

  private storePlain(width: 8 | 16 | 32, device: Id, value: Id): void {
    const { e } = this;
    const narrow = width === 32 ? value : e.op(Op.UConvert, this.widthType(width), value);
    e.m.emitVoid(Op.Store, this.devicePointer(width, device), narrow, MemoryAccess.Aligned, width / 8);
  }

  private byteAt(device: Id, index: Id): Id {
    return this.e.op(Op.IAdd, this.e.u64, device, this.e.op(Op.UConvert, this.e.u64, index));
  }

  /** Loads of all components: guest address and active flag of each → u32 of each. */
  load(width: 8 | 16 | 32, addresses: readonly Id[], active: readonly Id[], location: Id): Id[] {
    const { e } = this;
    const result = this.tuple(e.u32);
    const fn = this.define(
      `load${width}`,
      result,
      [...this.repeat(e.u64), ...this.repeat(e.bool), e.u32, e.u32],
      (args) => {
        const n = e.lanesPerInvocation;
        const device = this.devices(
          width,
          READ,
          args.slice(0, n),
          args.slice(n, 2 * n),
          args[2 * n]!,
          args[2 * n + 1]!,
        );
        const aligned = (): Id[] => device.map((at) => this.where(at, () => this.loadPlain(width, at)));
        if (width === 8 || !e.profile.storage8) return e.op(Op.CompositeConstruct, result, ...aligned());
        // Byte by byte only where some lane needs it.
        const bytewise = (): Id[] =>
          this.counted(
            width / 8,
            device.map(() => [e.u32, e.constant32(0)] as const),
            (index, values) =>
              device.map((at, k) => {
                const byte = this.where(at, () => this.loadPlain(8, this.byteAt(at, index)));
                return e.or(values[k]!, e.shl(byte, e.shl(index, e.constant32(3))));
              }),
          );
        const values = this.choose(this.anyMisaligned(width, device), bytewise, aligned);
        return e.op(Op.CompositeConstruct, result, ...values);
      },
    );
    return this.unpack(
      e.u32,
      e.op(Op.FunctionCall, result, fn, ...addresses.map((a) => this.canonical(a)), ...active, location, e.laneIds[0]!),
    );
  }

  /** If and else with one u32 of each component as result. */
  private choose(condition: Id, yes: () => Id[], no: () => Id[]): Id[] {
    const { e } = this;
    const { m } = e;
    const [then, otherwise, merge] = [m.id(), m.id(), m.id()];
    m.emitVoid(Op.SelectionMerge, merge, 0);
    m.emitVoid(Op.BranchConditional, condition, then, otherwise);
    e.startBlock(then);
    const a = yes();
    const fromThen = e.currentLabel;
    m.emitVoid(Op.Branch, merge);
    e.startBlock(otherwise);
    const b = no();
    const fromOtherwise = e.currentLabel;
    m.emitVoid(Op.Branch, merge);
    e.startBlock(merge);
    return a.map((value, k) => e.op(Op.Phi, e.u32, value, fromThen, b[k]!, fromOtherwise));
  }

  /** One load for the wave, from an address that is the same for all lanes. */
  loadUniform(address: Id, location: Id): Id {
    const { e } = this;
    const fn = this.define('load_uniform', e.u32, [e.u64, e.u32], ([guest, where]) => {
      const region = e.op(Op.FunctionCall, this.regionType(), this.findRegion(), guest!);
      const [start, end, delta] = [0, 1, 2].map((i) => e.op(Op.CompositeExtract, e.u64, region, i));
      const have = e.op(Op.CompositeExtract, e.u32, region, 3);
      const whole = e.op(Op.ULessThanEqual, e.bool, e.op(Op.IAdd, e.u64, guest!, e.constant64(4, 0)), end!);
      const readable = e.op(Op.INotEqual, e.bool, e.and(have, e.constant32(READ)), e.constant32(0));
      let good = e.op(Op.LogicalAnd, e.bool, whole, readable);
      good = e.op(Op.LogicalAnd, e.bool, good, e.op(Op.ULessThanEqual, e.bool, start!, guest!));
      const device = e.select(e.u64, good, e.op(Op.IAdd, e.u64, guest!, delta!), e.constant64(0, 0));
      // A scalar access is one access of the wave: one invocation tells.
      const tells = e.op(
        Op.LogicalAnd,
        e.bool,
        e.op(Op.LogicalNot, e.bool, good),
        e.op(Op.GroupNonUniformElect, e.bool, e.constant32(Scope.Subgroup)),
      );
      e.when(tells, () =>
        e.op(
          Op.FunctionCall,
          e.voidType,
          this.faultFunction(),
          e.constant32(FAULT.unmappedRead),
          where!,
          e.constant32(-1),
          guest!,
        ),
      );
      return this.where(device, () => this.loadPlain(32, device));
    });
    return e.op(Op.FunctionCall, e.u32, fn, this.canonical(address), location);
  }

  /** Stores of all components. */
  store(
    width: 8 | 16 | 32,
    addresses: readonly Id[],
    values: readonly Id[],
    active: readonly Id[],
    location: Id,
  ): void {
    const { e } = this;
    const fn = this.define(
      `store${width}`,
      e.voidType,
      [...this.repeat(e.u64), ...this.repeat(e.u32), ...this.repeat(e.bool), e.u32, e.u32],
      (args) => {
        const n = e.lanesPerInvocation;
        const data = args.slice(n, 2 * n);
        const device = this.devices(
          width,
          WRITE,
          args.slice(0, n),
          args.slice(2 * n, 3 * n),
          args[3 * n]!,
          args[3 * n + 1]!,
        );
        const nonzero = (at: Id): Id => e.op(Op.INotEqual, e.bool, at, e.constant64(0, 0));
        const aligned = (): void =>
          device.forEach((at, k) => e.when(nonzero(at), () => this.storePlain(width, at, data[k]!)));
        if (width === 8 || !e.profile.storage8) {
          aligned();
          return undefined;
        }
        const misaligned = this.anyMisaligned(width, device);
        e.when(misaligned, () => {
          this.counted(width / 8, [], (index) => {
            device.forEach((at, k) => {
              e.when(nonzero(at), () =>
                this.storePlain(8, this.byteAt(at, index), e.shr(data[k]!, e.shl(index, e.constant32(3)))),
              );
            });
            return [];
          });
        });
        e.when(e.op(Op.LogicalNot, e.bool, misaligned), aligned);
        return undefined;
      },
    );
    e.op(
      Op.FunctionCall,
      e.voidType,
      fn,
      ...addresses.map((a) => this.canonical(a)),
      ...values,
      ...active,
      location,
      e.laneIds[0]!,
    );
  }

  /** Atomics of all components: the old values. Undefined when the device cannot do it. */
  atomic(
    kind: AtomicKind,
    width: 32 | 64,
    addresses: readonly Id[],
    data: readonly Id[],
    comparands: readonly Id[],
    active: readonly Id[],
    location: Id,
  ): Id[] | undefined {
    const { e } = this;
    const type = width === 64 ? e.u64 : e.u32;
    if (width === 64) {
      if (!e.profile.bufferAtomics64) return undefined;
      e.m.capability(Capability.Int64Atomics);
    }
    const result = this.tuple(type);
    const parameters = [
      ...this.repeat(e.u64),
      ...this.repeat(type),
      ...this.repeat(type),
      ...this.repeat(e.bool),
      e.u32,
      e.u32,
    ];
    const fn = this.define(`atomic_${kind}${width}`, result, parameters, (args) => {
      const n = e.lanesPerInvocation;
      const part = (i: number): readonly Id[] => args.slice(i * n, (i + 1) * n);
      const device = this.devices(width, WRITE, part(0), part(3), args[4 * n]!, args[4 * n + 1]!);
      const zero = width === 64 ? e.constant64(0, 0) : e.constant32(0);
      const old = device.map((at, k) => {
        const { m } = e;
        const [inside, end] = [m.id(), m.id()];
        const allowed = e.op(Op.INotEqual, e.bool, at, e.constant64(0, 0));
        const start = e.currentLabel;
        m.emitVoid(Op.SelectionMerge, end, 0);
        m.emitVoid(Op.BranchConditional, allowed, inside, end);
        e.startBlock(inside);
        const value = atomicOperation(
          e,
          kind,
          this.devicePointer(width, at),
          type,
          part(1)[k]!,
          part(2)[k]!,
          Scope.Device,
          ATOMIC_SEMANTICS,
        );
        const from = e.currentLabel;
        m.emitVoid(Op.Branch, end);
        e.startBlock(end);
        return e.op(Op.Phi, type, value, from, zero, start);
      });
      return e.op(Op.CompositeConstruct, result, ...old);
    });
    const call = e.op(
      Op.FunctionCall,
      result,
      fn,
      ...addresses.map((a) => this.canonical(a)),
      ...data,
      ...comparands,
      ...active,
      location,
      e.laneIds[0]!,
    );
    return this.unpack(type, call);
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
