/**
 * Memory accesses as nearly all programs make them: aligned, allowed, and inside the region that holds the access's base.
 *
 * A base's region is looked up once, where the base is computed; an access is then a subtraction, a comparison and an
 * addition for each lane. Whatever is not so (also a true fault) is noted, and the launcher runs the program again with
 * checked memory, which finds out what it was.
 *
 * A base that is the same for all lanes is looked up right behind its definition. A pointer per lane is looked up at
 * the access, by the first active lane; accesses with the same pointer and mask in one block share that.
 */

import { type AtomicKind, OP_NAMES } from '../ir/ops.ts';
import { isPerLane, NO_VALUE, type Type, type ValueId } from '../ir/types.ts';
import type { StructuredFunction } from '../structure/index.ts';
import { addressBase, knownZeroBits } from './address-bases.ts';
import { atomicOperation } from './atomic-operation.ts';
import { ATOMIC_SEMANTICS } from './checked-memory.ts';
import {
  devicePointer,
  type ElementWidth,
  loadElement,
  offsetAddress,
  storeElement,
  valuesWhere,
} from './device-access.ts';
import type { Emitter } from './emitter.ts';
import { Capability, Op, Scope } from './grammar.gen.ts';
import type { GuestMemoryCode } from './guest-memory.ts';
import type { MissedAccess } from './missed-access.ts';
import type { Id } from './module-builder.ts';
import { READ, type Region, type RegionTable, WRITE } from './region-table.ts';

/** No address is this far above it: accesses relative to it are outside every region. */
const NOWHERE = [0, 0x80000000] as const;
const SMALLEST_REGION = 4096;

/** A region with what accesses need of it, made when first asked for, in the block of the lookup. */
interface Lookup {
  readonly region: Region;
  /** Start for accesses with this permission and alignment of the base; elsewhere when the region has not got them. */
  readonly starts: Map<string, Id>;
  /** Last distance from the start at which so many bytes fit. */
  readonly limits: Map<number, Id>;
}

interface AccessPlan {
  readonly base: ValueId;
  readonly permission: number;
  /** Bytes from the first to the last touched. */
  readonly bytes: number;
  /** Of one element. */
  readonly alignment: number;
  /** The distance from the base is known to be a multiple of `alignment`, so that checking the base is enough. */
  readonly offsetAligned: boolean;
}

export class DirectMemory implements GuestMemoryCode {
  private readonly e: Emitter;
  private readonly table: RegionTable;
  private readonly missed: MissedAccess;
  private readonly plans = new Map<ValueId, AccessPlan>();
  private readonly uniformBases = new Map<ValueId, AccessPlan[]>();
  private readonly lookups = new Map<ValueId, Lookup>();
  /** Lookups of the block that is being emitted, by pointer and mask. */
  private laneLookups = new Map<string, Lookup>();
  private laneBlock = -1;

  constructor(e: Emitter, structured: StructuredFunction, table: RegionTable, missed: MissedAccess) {
    this.e = e;
    this.table = table;
    this.missed = missed;
    const { fn } = structured;
    for (const b of structured.order) {
      for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
        const plan = this.planOf(v);
        if (!plan) continue;
        this.plans.set(v, plan);
        if (isPerLane(fn.type[plan.base] as Type)) continue;
        const users = this.uniformBases.get(plan.base);
        if (users) users.push(plan);
        else this.uniformBases.set(plan.base, [plan]);
      }
    }
  }

  private planOf(v: ValueId): AccessPlan | undefined {
    const { fn } = this.e;
    const match = /^(scalar|global)\.(load|store|atomic)(?:\.([a-z]?)(\d+))?/.exec(OP_NAMES[fn.op[v]!]!);
    if (!match || OP_NAMES[fn.op[v]!] === 'scalar.buffer.load') return undefined;
    const [, space, action, , bits] = match;
    const size = space === 'scalar' ? 4 : Number(bits) / 8;
    const count = action === 'store' ? fn.operandCount[v]! - 2 : action === 'load' ? Math.max(fn.imm1[v]! & 31, 1) : 1;
    const address = fn.operand(v, 0);
    const base = addressBase(fn, address);
    // Scalar accesses drop the low bits of the address.
    const alignment = space === 'scalar' ? 1 : size;
    const zeros = knownZeroBits(fn, address, base);
    return {
      base,
      permission: action === 'load' ? READ : action === 'store' ? WRITE : READ | WRITE,
      bytes: size * count,
      alignment,
      offsetAligned:
        alignment === 1 ||
        (zeros >= Math.log2(alignment) && fn.imm0[v]! % alignment === 0 && !isPerLane(fn.type[base] as Type)),
    };
  }

  declare(): void {
    this.missed.declare();
  }

  begin(): void {
    this.missed.begin();
    for (const base of this.uniformBases.keys()) if (this.e.fn.isConstant(base)) this.afterValue(base);
  }

  beforeReturn(): void {
    this.missed.beforeReturn();
  }

  afterValue(v: ValueId): void {
    const users = this.uniformBases.get(v);
    if (!users || this.lookups.has(v)) return;
    const { e } = this;
    const base = e.get(v, 0);
    const lookup = this.lookupAt(base);
    this.lookups.set(v, lookup);
    for (const plan of users) {
      this.startFor(lookup, plan, base);
      this.limitFor(lookup, plan.bytes);
    }
  }

  /** The region's start gets the bits 63:48 that the base has, so that accesses need not drop theirs. */
  private lookupAt(base: Id): Lookup {
    const { e } = this;
    const address = e.op(Op.BitwiseAnd, e.u64, base, e.constant64(0xffffffff, 0xffff));
    const region = this.table.find(address);
    const above = e.op(Op.ISub, e.u64, base, address);
    const start = e.op(Op.IAdd, e.u64, region.start, above);
    return { region: { ...region, start }, starts: new Map(), limits: new Map() };
  }

  private startFor({ region, starts }: Lookup, plan: AccessPlan, base: Id | undefined): Id {
    const { e } = this;
    const alignment = plan.offsetAligned && base !== undefined ? plan.alignment : 1;
    const key = `${plan.permission} ${alignment}`;
    let start = starts.get(key);
    if (start !== undefined) return start;
    const permission = e.constant32(plan.permission);
    const conditions = [e.equal(e.and(region.permissions, permission), permission)];
    if (alignment > 1) {
      const low = e.and(e.low(base!), e.constant32(alignment - 1));
      conditions.push(e.equal(low, e.constant32(0)));
    }
    start = e.select(e.u64, e.allOf(conditions), region.start, e.constant64(...NOWHERE));
    starts.set(key, start);
    return start;
  }

  private limitFor({ region, limits }: Lookup, bytes: number): Id {
    const { e } = this;
    let limit = limits.get(bytes);
    if (limit !== undefined) return limit;
    const some = e.op(Op.INotEqual, e.bool, region.size, e.constant64(0, 0));
    const size = e.select(e.u64, some, region.size, e.constant64(SMALLEST_REGION, 0));
    limit = e.op(Op.ISub, e.u64, size, e.constant64(bytes, 0));
    limits.set(bytes, limit);
    return limit;
  }

  /** By the first active lane. */
  private laneLookup(v: ValueId, plan: AccessPlan, addresses: readonly Id[], active: readonly Id[]): Lookup {
    const { e } = this;
    const block = e.fn.block[v]!;
    if (block !== this.laneBlock) {
      this.laneBlock = block;
      this.laneLookups = new Map();
    }
    const key = `${plan.base} ${e.fn.operand(v, 1)}`;
    const known = this.laneLookups.get(key);
    if (known) return known;
    const first = e.firstInvocation(e.anyOf(active));
    const leader = e.select(e.u32, e.equal(first, e.constant32(-1)), e.constant32(0), first);
    let candidate = addresses.at(-1)!;
    for (let k = addresses.length - 2; k >= 0; k--) candidate = e.select(e.u64, active[k]!, addresses[k]!, candidate);
    const lookup = this.lookupAt(e.shuffle64(candidate, leader));
    this.laneLookups.set(key, lookup);
    return lookup;
  }

  /** Device address and permission to go ahead, for each component. */
  private places(v: ValueId): { readonly device: Id[]; readonly good: Id[] } {
    const { e } = this;
    const plan = this.plans.get(v)!;
    const lanes = Array.from({ length: e.lanesPerInvocation }, (_, k) => k);
    const addresses = lanes.map((k) => offsetAddress(e, e.operand(v, 0, k), e.fn.imm0[v]!));
    const active = lanes.map((k) => e.operand(v, 1, k));
    const uniform = this.lookups.get(plan.base);
    const lookup = uniform ?? this.laneLookup(v, plan, addresses, active);
    const start = this.startFor(lookup, plan, uniform ? e.get(plan.base, 0) : undefined);
    const limit = this.limitFor(lookup, plan.bytes);
    const device: Id[] = [];
    const good: Id[] = [];
    for (const k of lanes) {
      const distance = e.op(Op.ISub, e.u64, addresses[k]!, start);
      const conditions = [active[k]!, e.op(Op.ULessThanEqual, e.bool, distance, limit)];
      if (!plan.offsetAligned) {
        const low = e.and(e.low(distance), e.constant32(plan.alignment - 1));
        conditions.push(e.equal(low, e.constant32(0)));
      }
      good.push(e.allOf(conditions));
      device.push(e.op(Op.IAdd, e.u64, lookup.region.device, distance));
    }
    this.missed.note(lanes.map((k) => e.op(Op.LogicalNotEqual, e.bool, active[k]!, good[k]!)));
    return { device, good };
  }

  load(v: ValueId, width: ElementWidth, count: number): Id[][] {
    const { e } = this;
    const { device, good } = this.places(v);
    const byLane = device.map((at, k) =>
      valuesWhere(e, good[k]!, e.u32, count, () =>
        Array.from({ length: count }, (_, n) => loadElement(e, width, offsetAddress(e, at, (n * width) / 8))),
      ),
    );
    return Array.from({ length: count }, (_, n) => byLane.map((values) => values[n]!));
  }

  store(v: ValueId, width: ElementWidth, data: readonly (readonly Id[])[]): void {
    const { e } = this;
    const { device, good } = this.places(v);
    device.forEach((at, k) => {
      e.when(good[k]!, () =>
        data.forEach((values, n) => storeElement(e, width, offsetAddress(e, at, (n * width) / 8), values[k]!)),
      );
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
    const { device, good } = this.places(v);
    return device.map(
      (at, k) =>
        valuesWhere(e, good[k]!, type, 1, () => {
          const pointer = devicePointer(e, width, at);
          return [atomicOperation(e, kind, pointer, type, data[k]!, comparands[k]!, Scope.Device, ATOMIC_SEMANTICS)];
        })[0]!,
    );
  }

  loadUniform(v: ValueId, count: number, condition: Id | undefined): Id[] {
    const { e } = this;
    const plan = this.plans.get(v)!;
    const lookup = this.lookups.get(plan.base)!;
    const start = this.startFor(lookup, plan, undefined);
    const limit = this.limitFor(lookup, plan.bytes);
    const address = offsetAddress(e, e.operand(v, 0, 0), e.fn.imm0[v]!);
    const dword = e.op(Op.BitwiseAnd, e.u64, address, e.constant64(-4, -1));
    const distance = e.op(Op.ISub, e.u64, dword, start);
    const inside = e.op(Op.ULessThanEqual, e.bool, distance, limit);
    const wanted = condition ?? e.constantBool(true);
    const good = condition === undefined ? inside : e.allOf([condition, inside]);
    this.missed.note([e.op(Op.LogicalNotEqual, e.bool, wanted, good)]);
    const device = e.op(Op.IAdd, e.u64, lookup.region.device, distance);
    const values = valuesWhere(e, good, e.u32, count, () =>
      Array.from({ length: count }, (_, n) => loadElement(e, 32, offsetAddress(e, device, 4 * n))),
    );
    // Another agent may write meanwhile: all invocations must see one value, since it may decide a branch.
    return values.map((value) => e.broadcastFirst(value));
  }
}
