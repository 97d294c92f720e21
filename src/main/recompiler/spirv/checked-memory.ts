/**
 * Memory accesses that are right for any address: each lane's address is translated and checked, misaligned accesses
 * are taken apart into bytes, and faults are recorded with lane and guest address.
 *
 * One function per kind of access keeps modules small: an access is one call. Drivers that inline everything still pay
 * for each (llvmpipe: some 50 ms per access), which is why a program runs with direct memory first.
 */
import { type AtomicKind, FAULT } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { atomicOperation } from './atomic-operation.ts';
import {
  devicePointer,
  type ElementWidth,
  loadElement,
  offsetAddress,
  storeElement,
  valuesWhere,
} from './device-access.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionSet } from './function-set.ts';
import { Capability, MemorySemantics, Op, Scope } from './grammar.gen.ts';
import type { GuestMemoryCode } from './guest-memory.ts';
import type { LaunchBuffers } from './launch-buffers.ts';
import type { Id } from './module-builder.ts';
import { READ, type RegionTable, WRITE } from './region-table.ts';

export const ATOMIC_SEMANTICS = MemorySemantics.AcquireRelease | MemorySemantics.UniformMemory;
/** What translation answers where memory is mapped but not for this; no device address is as small. 0: not mapped. */
const FORBIDDEN = 1;

export class CheckedMemory implements GuestMemoryCode {
  private readonly e: Emitter;
  private readonly functions: FunctionSet;
  private readonly buffers: LaunchBuffers;
  private readonly table: RegionTable;

  constructor(e: Emitter, functions: FunctionSet, buffers: LaunchBuffers, table: RegionTable) {
    this.e = e;
    this.functions = functions;
    this.buffers = buffers;
    this.table = table;
  }

  declare(): void {}
  begin(): void {}
  afterValue(): void {}
  beforeReturn(): void {}

  // ── operands ───────────────────────────────────────────────────────────────────────────────────────────────────────

  private lanes(): number[] {
    return Array.from({ length: this.e.lanesPerInvocation }, (_, k) => k);
  }

  /** Addresses of element n, bits 63:48 cleared. */
  private addresses(v: ValueId, n: number, bytes: number): Id[] {
    const { e } = this;
    return this.lanes().map((k) => {
      const address = offsetAddress(e, e.operand(v, 0, k), e.fn.imm0[v]! + n * bytes);
      return e.op(Op.BitwiseAnd, e.u64, address, e.constant64(0xffffffff, 0xffff));
    });
  }

  private masks(v: ValueId): Id[] {
    return this.lanes().map((k) => this.e.operand(v, 1, k));
  }

  private location(v: ValueId): Id {
    return this.e.constant32(this.e.fn.location[v]!);
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

  // ── translation ────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * N guest addresses and N active flags → N device addresses; 0 where the lane is inactive or nothing is mapped there,
   * FORBIDDEN where the access is not allowed.
   * The first lane without an answer names a region and every lane inside it is served; nearly always one turn.
   */
  private translateFunction(bytes: number, permission: number): Id {
    const { e } = this;
    const n = e.lanesPerInvocation;
    const result = this.tuple(e.u64);
    const name = `translate${bytes}_${permission}`;
    return this.functions.define(name, result, [...this.repeat(e.u64), ...this.repeat(e.bool)], (args) => {
      const { m } = e;
      const lanes = this.lanes();
      const before = e.currentLabel;
      const [header, body, again, merge, scan] = [m.id(), m.id(), m.id(), m.id(), m.id()];
      const pendingNext = lanes.map(() => m.id());
      const deviceNext = lanes.map(() => m.id());
      m.emitVoid(Op.Branch, header);
      e.startBlock(header);
      const pending = lanes.map((k) => this.loopPhi(e.bool, args[n + k]!, before, pendingNext[k]!, again));
      const device = lanes.map((k) => this.loopPhi(e.u64, e.constant64(0, 0), before, deviceNext[k]!, again));
      m.emitVoid(Op.LoopMerge, merge, again, 0);
      m.emitVoid(Op.Branch, scan);
      e.startBlock(scan);
      const leader = e.firstInvocation(e.anyOf(pending));
      m.emitVoid(Op.BranchConditional, e.op(Op.INotEqual, e.bool, leader, e.constant32(-1)), body, merge);
      e.startBlock(body);
      let candidate = args[n - 1]!;
      for (let k = n - 2; k >= 0; k--) candidate = e.select(e.u64, pending[k]!, args[k]!, candidate);
      const address = e.shuffle64(candidate, leader);
      const region = this.table.find(address);
      const allowed = e.equal(e.and(region.permissions, e.constant32(permission)), e.constant32(permission));
      lanes.forEach((k) => {
        const within = e.op(Op.ISub, e.u64, args[k]!, region.start);
        const here = e.op(Op.ULessThan, e.bool, within, region.size);
        const end = e.op(Op.IAdd, e.u64, within, e.constant64(bytes, 0));
        const whole = e.op(Op.ULessThanEqual, e.bool, end, region.size);
        const mapped = e.allOf([here, whole, pending[k]!]);
        const place = e.op(Op.IAdd, e.u64, region.device, within);
        const answer = e.select(e.u64, allowed, place, e.constant64(FORBIDDEN, 0));
        m.emitWith(Op.Select, e.u64, deviceNext[k]!, mapped, answer, device[k]!);
        // Served, or the address that no region has: both are done.
        const done = e.op(Op.LogicalOr, e.bool, here, e.op(Op.IEqual, e.bool, args[k]!, address));
        m.emitWith(Op.LogicalAnd, e.bool, pendingNext[k]!, pending[k]!, e.not(done));
      });
      m.emitVoid(Op.Branch, again);
      e.startBlock(again);
      m.emitVoid(Op.Branch, header);
      e.startBlock(merge);
      return e.op(Op.CompositeConstruct, result, ...device);
    });
  }

  private loopPhi(type: Id, first: Id, before: Id, next: Id, again: Id): Id {
    const id = this.e.m.id();
    this.e.m.emitWith(Op.Phi, type, id, first, before, next, again);
    return id;
  }

  /** Device addresses of all components; an invocation records its faults together. */
  private translate(
    bytes: number,
    permission: number,
    guest: readonly Id[],
    active: readonly Id[],
    location: Id,
    laneBase: Id,
  ): Id[] {
    const { e } = this;
    const fn = this.translateFunction(bytes, permission);
    const device = this.unpack(e.u64, e.op(Op.FunctionCall, this.tuple(e.u64), fn, ...guest, ...active));
    const failed = device.map((at, k) => e.allOf([active[k]!, e.not(this.isPlace(at))]));
    e.when(e.anyOf(failed), () => {
      let address = guest.at(-1)!;
      for (let k = guest.length - 2; k >= 0; k--) address = e.select(e.u64, failed[k]!, guest[k]!, address);
      const isForbidden = device.map((at, k) => e.allOf([failed[k]!, e.equal(e.low(at), e.constant32(FORBIDDEN))]));
      this.buffers.recordFault({
        reason: permission === READ ? FAULT['unmapped-read'] : FAULT['unmapped-write'],
        location,
        lane: laneBase,
        address,
        components: this.bitsOf(failed),
        forbidden: this.bitsOf(isForbidden),
      });
    });
    return device;
  }

  /** Bit k: condition k. */
  private bitsOf(conditions: readonly Id[]): Id {
    const { e } = this;
    return conditions
      .map((condition, k) => e.select(e.u32, condition, e.constant32(1 << k), e.constant32(0)))
      .reduce((bits, bit) => e.or(bits, bit));
  }

  /** Whether some lane of the wave has an address that is no multiple of the access's size; uniform. */
  private anyMisaligned(bytes: number, device: readonly Id[]): Id {
    const { e } = this;
    const bits = device.slice(1).reduce((all, at) => e.or(all, e.low(at)), e.low(device[0]!));
    const odd = e.op(Op.INotEqual, e.bool, e.and(bits, e.constant32(bytes - 1)), e.constant32(0));
    return e.anyInSubgroup(odd);
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

  /** Whether translation gave a device address. */
  private isPlace(device: Id): Id {
    return this.e.op(Op.UGreaterThan, this.e.bool, device, this.e.constant64(FORBIDDEN, 0));
  }

  private byteAt(device: Id, index: Id): Id {
    return this.e.op(Op.IAdd, this.e.u64, device, this.e.op(Op.UConvert, this.e.u64, index));
  }

  /** `access` where there is a device address; 0 elsewhere. */
  private where(device: Id, access: () => Id): Id {
    return valuesWhere(this.e, this.isPlace(device), this.e.u32, 1, () => [access()])[0]!;
  }

  // ── accesses ───────────────────────────────────────────────────────────────────────────────────────────────────────

  load(v: ValueId, width: ElementWidth, count: number): Id[][] {
    const { e } = this;
    const result = this.tuple(e.u32);
    const fn = this.loadFunction(width, result);
    return Array.from({ length: count }, (_, n) => {
      const addresses = this.addresses(v, n, width / 8);
      const args = [...addresses, ...this.masks(v), this.location(v), e.laneIds[0]!];
      return this.unpack(e.u32, e.op(Op.FunctionCall, result, fn, ...args));
    });
  }

  private loadFunction(width: ElementWidth, result: Id): Id {
    const { e } = this;
    const parameters = [...this.repeat(e.u64), ...this.repeat(e.bool), e.u32, e.u32];
    return this.functions.define(`load${width}`, result, parameters, (args) => {
      const n = e.lanesPerInvocation;
      const [guest, active] = [args.slice(0, n), args.slice(n, 2 * n)];
      const device = this.translate(width / 8, READ, guest, active, args[2 * n]!, args[2 * n + 1]!);
      const aligned = (): Id[] => device.map((at) => this.where(at, () => loadElement(e, width, at)));
      if (width === 8 || !e.profile.storage8) return e.op(Op.CompositeConstruct, result, ...aligned());
      // Byte by byte only where some lane needs it.
      const bytewise = (): Id[] =>
        this.counted(
          width / 8,
          device.map(() => [e.u32, e.constant32(0)] as const),
          (index, values) =>
            device.map((at, k) => {
              const byte = this.where(at, () => loadElement(e, 8, this.byteAt(at, index)));
              return e.or(values[k]!, e.shl(byte, e.shl(index, e.constant32(3))));
            }),
        );
      const values = this.choose(this.anyMisaligned(width / 8, device), bytewise, aligned);
      return e.op(Op.CompositeConstruct, result, ...values);
    });
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

  loadUniform(v: ValueId, count: number, condition: Id | undefined): Id[] {
    const { e } = this;
    const fn = this.uniformLoadFunction();
    // The hardware ignores the low two bits of the address.
    const base = offsetAddress(e, e.operand(v, 0, 0), e.fn.imm0[v]!);
    return Array.from({ length: count }, (_, n) => {
      const address = e.op(Op.BitwiseAnd, e.u64, offsetAddress(e, base, 4 * n), e.constant64(0xfffffffc, 0xffff));
      const wanted = condition ?? e.constantBool(true);
      const loaded = e.op(Op.FunctionCall, e.u32, fn, address, wanted, this.location(v));
      // Another agent may write meanwhile: all invocations must see one value, since it may decide a branch.
      return e.broadcastFirst(loaded);
    });
  }

  private uniformLoadFunction(): Id {
    const { e } = this;
    return this.functions.define('load_uniform', e.u32, [e.u64, e.bool, e.u32], ([guest, wanted, location]) => {
      const region = this.table.find(guest!);
      const within = e.op(Op.ISub, e.u64, guest!, region.start);
      const inside = e.op(Op.ULessThan, e.bool, within, region.size);
      const readable = e.op(Op.INotEqual, e.bool, e.and(region.permissions, e.constant32(READ)), e.constant32(0));
      const good = e.allOf([wanted!, inside, readable]);
      // A scalar access is one access of the wave: one invocation tells.
      const elected = e.op(Op.GroupNonUniformElect, e.bool, e.constant32(Scope.Subgroup));
      e.when(e.allOf([wanted!, e.not(good), elected]), () =>
        this.buffers.recordFault({
          reason: FAULT['unmapped-read'],
          location: location!,
          lane: e.constant32(-1),
          address: guest!,
          forbidden: this.bitsOf([inside]),
        }),
      );
      const device = e.op(Op.IAdd, e.u64, region.device, within);
      return valuesWhere(e, good, e.u32, 1, () => [loadElement(e, 32, device)])[0]!;
    });
  }

  store(v: ValueId, width: ElementWidth, data: readonly (readonly Id[])[]): void {
    const { e } = this;
    const fn = this.storeFunction(width);
    data.forEach((values, n) => {
      const args = [...this.addresses(v, n, width / 8), ...values, ...this.masks(v), this.location(v), e.laneIds[0]!];
      e.op(Op.FunctionCall, e.voidType, fn, ...args);
    });
  }

  private storeFunction(width: ElementWidth): Id {
    const { e } = this;
    const parameters = [...this.repeat(e.u64), ...this.repeat(e.u32), ...this.repeat(e.bool), e.u32, e.u32];
    return this.functions.define(`store${width}`, e.voidType, parameters, (args) => {
      const n = e.lanesPerInvocation;
      const part = (i: number): readonly Id[] => args.slice(i * n, (i + 1) * n);
      const device = this.translate(width / 8, WRITE, part(0), part(2), args[3 * n]!, args[3 * n + 1]!);
      const data = part(1);
      const aligned = (): void =>
        device.forEach((at, k) => e.when(this.isPlace(at), () => storeElement(e, width, at, data[k]!)));
      if (width === 8 || !e.profile.storage8) {
        aligned();
        return undefined;
      }
      const misaligned = this.anyMisaligned(width / 8, device);
      e.when(misaligned, () => {
        this.counted(width / 8, [], (index) => {
          device.forEach((at, k) => {
            const byte = e.shr(data[k]!, e.shl(index, e.constant32(3)));
            e.when(this.isPlace(at), () => storeElement(e, 8, this.byteAt(at, index), byte));
          });
          return [];
        });
      });
      e.when(e.not(misaligned), aligned);
      return undefined;
    });
  }

  atomic(
    v: ValueId,
    kind: AtomicKind,
    width: 32 | 64,
    data: readonly Id[],
    comparands: readonly Id[],
  ): Id[] | undefined {
    const { e } = this;
    const type = width === 64 ? e.u64 : e.u32;
    if (width === 64) {
      if (!e.profile.bufferAtomics64) return undefined;
      e.m.capability(Capability.Int64Atomics);
    }
    const result = this.tuple(type);
    const parameters = [...[e.u64, type, type, e.bool].flatMap((t) => this.repeat(t)), e.u32, e.u32];
    const fn = this.functions.define(`atomic_${kind}${width}`, result, parameters, (args) => {
      const n = e.lanesPerInvocation;
      const part = (i: number): readonly Id[] => args.slice(i * n, (i + 1) * n);
      const device = this.translate(width / 8, READ | WRITE, part(0), part(3), args[4 * n]!, args[4 * n + 1]!);
      const old = device.map(
        (at, k) =>
          valuesWhere(e, this.isPlace(at), type, 1, () => {
            const pointer = devicePointer(e, width, at);
            const [value, comparand] = [part(1)[k]!, part(2)[k]!];
            return [atomicOperation(e, kind, pointer, type, value, comparand, Scope.Device, ATOMIC_SEMANTICS)];
          })[0]!,
      );
      return e.op(Op.CompositeConstruct, result, ...old);
    });
    const args = [
      ...this.addresses(v, 0, 0),
      ...data,
      ...comparands,
      ...this.masks(v),
      this.location(v),
      e.laneIds[0]!,
    ];
    return this.unpack(type, e.op(Op.FunctionCall, result, fn, ...args));
  }
}
