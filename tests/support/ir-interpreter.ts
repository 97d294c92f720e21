/**
 * Executes IR for a whole dispatch: the oracle for passes (same result before and after) and the first check of lowering
 * against the reference, before any SPIR-V exists.
 *
 * Every value of a wave is a `Uint32Array` per half: one element when it is uniform, one per lane otherwise. Integers are
 * computed by ir/evaluate.ts, floats by the reference's float functions, so what is checked here is lowering, not
 * arithmetic. Waves of a group run one after the other between barriers; lanes in ascending order.
 */
import type { ComputeDispatch, Vec3 } from '../../src/main/base/dispatch.ts';
import { addressFromHalves, type GuestAddress } from '../../src/main/base/guest-address.ts';
import type { GuestMemory } from '../../src/main/base/guest-memory.ts';
import { evaluateInteger, popCount } from '../../src/main/recompiler/ir/evaluate.ts';
import type { IrFunction } from '../../src/main/recompiler/ir/function.ts';
import {
  ATOMIC_KINDS,
  FAULT_REASONS,
  LAUNCH_WORDS,
  OP,
  OP_NAMES,
  type OpName,
} from '../../src/main/recompiler/ir/ops.ts';
import {
  type BlockId,
  componentsOf,
  LANE_BIT,
  NO_VALUE,
  type Type,
  type ValueId,
} from '../../src/main/recompiler/ir/types.ts';
import { dppRowPattern } from '../../src/main/recompiler/lower/vector-operands.ts';
import { ATOMIC_32, ATOMIC_64 } from '../../src/main/reference/atomic-operations.ts';
import { swizzleSource } from '../../src/main/reference/cross-lane.ts';
import { pair } from '../../src/main/reference/salu-64.ts';
import { evaluateFloat, isFloatOp } from './ir-floats.ts';

export interface IrFault {
  readonly reason: string;
  readonly lane: number;
  readonly address: number;
}

export interface IrRun {
  readonly faults: IrFault[];
  /** Values executed, all waves together. */
  executed: number;
}

export interface IrHooks {
  /** Values of `initial.vgpr`. */
  readonly initialVgpr?: (register: number, lane: number) => number;
  readonly onTap?: (slot: number, lane: number, value: number) => void;
}

export function interpretDispatch(
  fn: IrFunction,
  dispatch: ComputeDispatch,
  memory: GuestMemory,
  limit = 20_000_000,
  hooks: IrHooks = {},
): IrRun {
  const run: IrRun = { faults: [], executed: 0 };
  const [gx, gy, gz] = dispatch.groups;
  const wavesPerGroup = Math.ceil(
    (dispatch.threads[0] * dispatch.threads[1] * dispatch.threads[2]) / dispatch.waveSize,
  );
  for (let index = 0; index < gx * gy * gz; index++) {
    const at: Vec3 = [index % gx, Math.floor(index / gx) % gy, Math.floor(index / (gx * gy))];
    const size = at.map((p, axis) =>
      p === dispatch.groups[axis]! - 1 ? dispatch.partialThreads[axis]! : dispatch.threads[axis]!,
    ) as unknown as Vec3;
    const id = at.map((p, axis) => p + dispatch.groupStart[axis]!) as unknown as Vec3;
    const lds = new DataView(new ArrayBuffer(dispatch.ldsBytes));
    const waves = Math.ceil((size[0] * size[1] * size[2]) / dispatch.waveSize);
    let running = Array.from({ length: waves }, (_, w) =>
      new IrWave(
        fn,
        dispatch,
        memory,
        lds,
        run,
        { id, size, wave: w, waveInDispatch: index * wavesPerGroup + w },
        limit,
        hooks,
      ).run(),
    );
    // Each turn runs every wave to its next barrier or its end.
    while (running.length > 0) running = running.filter((wave) => !wave.next().done);
  }
  return run;
}

interface WavePlace {
  readonly id: Vec3;
  readonly size: Vec3;
  readonly wave: number;
  readonly waveInDispatch: number;
}

const A = { low: 0, high: 0 };
const B = { low: 0, high: 0 };
const C = { low: 0, high: 0 };
const D = { low: 0, high: 0 };
const SLOTS = [A, B, C, D] as const;

class IrWave {
  private readonly low: (Uint32Array | undefined)[];
  private readonly high: (Uint32Array | undefined)[];
  private readonly size: number;

  private readonly fn: IrFunction;
  private readonly dispatch: ComputeDispatch;
  private readonly memory: GuestMemory;
  private readonly lds: DataView;
  private readonly result: IrRun;
  private readonly place: WavePlace;
  private readonly limit: number;
  private readonly hooks: IrHooks;

  constructor(
    fn: IrFunction,
    dispatch: ComputeDispatch,
    memory: GuestMemory,
    lds: DataView,
    result: IrRun,
    place: WavePlace,
    limit: number,
    hooks: IrHooks,
  ) {
    this.fn = fn;
    this.dispatch = dispatch;
    this.memory = memory;
    this.lds = lds;
    this.result = result;
    this.place = place;
    this.limit = limit;
    this.hooks = hooks;
    this.size = dispatch.waveSize;
    this.low = new Array(fn.valueCount).fill(undefined);
    this.high = new Array(fn.valueCount).fill(undefined);
  }

  *run(): Generator<void> {
    const { fn } = this;
    let block = 0 as BlockId;
    let from = -1;
    for (;;) {
      this.runPhis(block, from);
      let next = -1;
      for (let v = fn.firstValue[block]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
        const op = fn.op[v]!;
        if (op === OP.phi) continue;
        if (++this.result.executed > this.limit) throw new Error('the IR run exceeds its limit');
        if (op === OP.jump) next = fn.imm0[v]!;
        else if (op === OP.branch) next = this.lowOf(fn.operand(v, 0), 0) ? fn.imm0[v]! : fn.imm1[v]!;
        else if (op === OP.switch) {
          const s = fn.switches[fn.imm0[v]!]!;
          const at = s.values.indexOf(this.lowOf(fn.operand(v, 0), 0) | 0);
          next = at < 0 ? s.fallback : s.targets[at]!;
        } else if (op === OP.end) return;
        else if (op === OP.barrier) yield;
        else if (!this.execute(v, OP_NAMES[op]!)) return;
      }
      from = block;
      block = next as BlockId;
    }
  }

  private runPhis(block: BlockId, from: number): void {
    const { fn } = this;
    const phis: { v: ValueId; low: Uint32Array; high: Uint32Array }[] = [];
    for (let v = fn.firstValue[block]!; v !== NO_VALUE && fn.op[v] === OP.phi; v = fn.next[v] as ValueId) {
      const operand = fn.operand(v, fn.preds[block]!.indexOf(from as BlockId));
      const lanes = this.lanesOf(v);
      const low = new Uint32Array(lanes);
      const high = new Uint32Array(lanes);
      for (let lane = 0; lane < lanes; lane++) {
        low[lane] = this.lowOf(operand, lane);
        high[lane] = this.highOf(operand, lane);
      }
      phis.push({ v, low, high });
    }
    for (const { v, low, high } of phis) {
      this.low[v] = low;
      this.high[v] = high;
    }
  }

  private lanesOf(v: ValueId): number {
    return this.fn.type[v]! & LANE_BIT ? this.size : 1;
  }

  private lowOf(v: ValueId, lane: number): number {
    if (this.fn.op[v] === OP.const) return this.fn.imm0[v]! >>> 0;
    const values = this.low[v];
    if (values === undefined) return 0;
    return values[this.fn.type[v]! & LANE_BIT ? lane : 0]!;
  }

  private highOf(v: ValueId, lane: number): number {
    if (this.fn.op[v] === OP.const) return this.fn.imm1[v]! >>> 0;
    const values = this.high[v];
    if (values === undefined) return 0;
    return values[this.fn.type[v]! & LANE_BIT ? lane : 0]!;
  }

  /** Storage of a result; tuples keep component c of lane l at c · lanes + l. */
  private begin(v: ValueId): { low: Uint32Array; high: Uint32Array; lanes: number } {
    const lanes = this.lanesOf(v);
    const count = componentsOf(this.fn.type[v] as Type) * lanes;
    // New storage each time: another wave or turn may still hold the old one through a phi.
    const low = (this.low[v] = new Uint32Array(count));
    const high = (this.high[v] = new Uint32Array(count));
    return { low, high, lanes };
  }

  private load4(v: ValueId, lane: number): void {
    const { fn } = this;
    const count = Math.min(fn.operandCount[v]!, 4);
    for (let i = 0; i < count; i++) {
      const o = fn.operand(v, i);
      SLOTS[i]!.low = this.lowOf(o, lane) | 0;
      SLOTS[i]!.high = this.highOf(o, lane) | 0;
    }
  }

  /** False when the wave ends here. */
  private execute(v: ValueId, name: OpName): boolean {
    const { fn } = this;
    const op = fn.op[v] as never;
    if (name === 'const' || name === 'undef' || name === 'wave.fence' || name === 'memory.fence') return true;
    if (/^(scalar|global|lds)\./.test(name)) {
      this.access(v, name);
      return true;
    }
    if (name === 'fault' || name.startsWith('check.')) return this.check(v, name);
    if (name === 'tap.32') {
      for (let lane = 0; lane < this.size; lane++) {
        if (this.lowOf(fn.operand(v, 1), lane))
          this.hooks.onTap?.(fn.imm0[v]!, lane, this.lowOf(fn.operand(v, 0), lane));
      }
      return true;
    }
    const { low, high, lanes } = this.begin(v);
    if (name === 'extract') {
      const from = this.low[fn.operand(v, 0)]!;
      const width = this.lanesOf(fn.operand(v, 0));
      for (let lane = 0; lane < lanes; lane++) low[lane] = from[fn.imm0[v]! * width + (width === 1 ? 0 : lane)]!;
      return true;
    }
    if (this.laneOperation(v, name, low, high)) return true;
    for (let lane = 0; lane < lanes; lane++) {
      this.load4(v, lane);
      const result = isFloatOp(name) ? evaluateFloat(name, A, B, C, D, fn.imm0[v]!) : evaluateInteger(op, A, B, C);
      if (result === undefined) throw new Error(`the interpreter lacks ${name}`);
      low[lane] = result.low;
      high[lane] = result.high;
    }
    return true;
  }

  private maskOf(v: ValueId): { low: number; high: number } {
    let low = 0;
    let high = 0;
    for (let lane = 0; lane < this.size; lane++) {
      if (!this.lowOf(v, lane)) continue;
      if (lane < 32) low |= 1 << lane;
      else high |= 1 << (lane - 32);
    }
    return { low: low >>> 0, high: high >>> 0 };
  }

  /** Operations that look across lanes or at the wave's place. */
  private laneOperation(v: ValueId, name: OpName, low: Uint32Array, high: Uint32Array): boolean {
    const { fn, size, place } = this;
    const a = fn.operandCount[v]! > 0 ? fn.operand(v, 0) : NO_VALUE;
    const b = fn.operandCount[v]! > 1 ? fn.operand(v, 1) : NO_VALUE;
    const c = fn.operandCount[v]! > 2 ? fn.operand(v, 2) : NO_VALUE;
    const imm = fn.imm0[v]!;
    const each = (f: (lane: number) => number): true => {
      for (let lane = 0; lane < low.length; lane++) low[lane] = f(lane);
      return true;
    };
    /** Lane that a static pattern reads. */
    const gather = (source: (lane: number) => number): true => each((lane) => this.lowOf(a, source(lane)));
    switch (name) {
      case 'lane.id':
        return each((lane) => lane);
      case 'ballot.32':
      case 'ballot.64': {
        const mask = this.maskOf(a);
        low[0] = mask.low;
        high[0] = mask.high;
        return true;
      }
      case 'inverse.ballot.32':
      case 'inverse.ballot.64':
        return each((lane) => (lane < 32 ? this.lowOf(a, 0) >>> lane : this.highOf(a, 0) >>> (lane - 32)) & 1);
      case 'any': {
        const mask = this.maskOf(a);
        return each(() => (mask.low | mask.high ? 1 : 0));
      }
      case 'readlane.32':
        return each(() => this.lowOf(a, this.lowOf(b, 0) & (size - 1)));
      case 'readfirstlane.32': {
        let first = 0;
        while (first < size && !this.lowOf(b, first)) first++;
        return each(() => this.lowOf(a, first < size ? first : 0));
      }
      case 'writelane.32':
        return each((lane) => this.lowOf(lane === (this.lowOf(c, 0) & (size - 1)) ? b : a, lane));
      case 'shuffle.32':
        return gather((lane) => this.lowOf(b, lane) & (size - 1));
      case 'scatter.32': {
        const out = new Uint32Array(size);
        for (let lane = 0; lane < size; lane++) {
          if (this.lowOf(c, lane)) out[this.lowOf(b, lane) & (size - 1)] = this.lowOf(a, lane);
        }
        return each((lane) => out[lane]!);
      }
      case 'dpp.32':
      case 'dpp.1': {
        const pattern = dppRowPattern(imm & 0x1ff);
        return gather((lane) => (pattern[lane & 15]! < 0 ? lane : (lane & ~15) | pattern[lane & 15]!));
      }
      case 'dpp8.32':
      case 'dpp8.1':
        return gather((lane) => (lane & ~7) | ((imm >>> (3 * (lane & 7))) & 7));
      case 'swizzle.32':
      case 'swizzle.1':
        return gather((lane) => swizzleSource(imm & 0xffff, lane, fn.shape.target !== 'gfx700'));
      case 'permlane16.32':
      case 'permlane16.1':
        return gather((lane) => {
          const word = this.lowOf(lane & 8 ? c : b, 0);
          const row = (lane & ~15) ^ (imm & 1 ? 16 : 0);
          return row | ((word >>> (4 * (lane & 7))) & 15);
        });
      case 'mbcnt.lo':
      case 'mbcnt.hi':
        return each((lane) => {
          const position = lane - (name === 'mbcnt.lo' ? 0 : 32);
          const below = position <= 0 ? 0 : position >= 32 ? 0xffffffff : 2 ** position - 1;
          return popCount(this.lowOf(a, lane) & below) + this.lowOf(b, lane);
        });
      case 'initial.vgpr':
        return each((lane) => this.hooks.initialVgpr?.(imm, lane) ?? 0);
      case 'local.id':
        return each((lane) => {
          const thread = place.wave * size + lane;
          const [x, y] = place.size;
          return imm === 0 ? thread % x : imm === 1 ? Math.floor(thread / x) % y : Math.floor(thread / (x * y));
        });
      case 'workgroup.id':
        return each(() => place.id[imm as 0 | 1 | 2]);
      case 'wave.id':
        return each(() => place.wave);
      case 'group.size':
        return each(() => place.size[imm as 0 | 1 | 2]);
      case 'user.data':
        return each(() => this.dispatch.userSgprs[imm]!);
      case 'launch.word':
        return each(() => (LAUNCH_WORDS[imm] === 'waveInDispatch' ? place.waveInDispatch : 0));
      case 'clock':
        return each(() => this.result.executed);
      default:
        return false;
    }
  }

  private fault(reason: string, lane: number, address: number): void {
    this.result.faults.push({ reason, lane, address });
  }

  private check(v: ValueId, name: OpName): boolean {
    const { fn } = this;
    const reason = FAULT_REASONS[fn.imm0[v]! & 0xff]!;
    const a = fn.operand(v, 0);
    if (name === 'fault') {
      for (let lane = 0; lane < this.lanesOf(a); lane++) if (this.lowOf(a, lane)) this.fault(reason, lane, 0);
      return true;
    }
    const b = fn.operand(v, 1);
    const same =
      this.lowOf(a, 0) === this.lowOf(b, 0) && (name === 'check.equal.32' || this.highOf(a, 0) === this.highOf(b, 0));
    if (!same) this.fault(reason, -1, addressFromHalves(this.lowOf(a, 0), this.highOf(a, 0)));
    return same;
  }

  // ── memory ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private access(v: ValueId, name: OpName): void {
    const { fn } = this;
    const [space, kind, size] = name.split('.') as [string, string, string];
    const count = Math.max(fn.imm1[v]! & 31, 1);
    if (space === 'scalar') {
      const { low } = this.begin(v);
      const isOff = kind === 'load' && size === 'if' && !this.lowOf(fn.operand(v, 1), 0);
      const o = fn.operand(v, 0);
      const address = addressFromHalves(this.lowOf(o, 0) & ~3, this.highOf(o, 0)) + (fn.imm0[v]! & ~3);
      for (let n = 0; n < count && !isOff; n++) low[n] = this.loadGuest(address + 4 * n, 4, -1);
      return;
    }
    const load = space === 'lds' ? this.loadLds : this.loadGuest;
    const store = space === 'lds' ? this.storeLds : this.storeGuest;
    const bytes = size.endsWith('8') ? 1 : size.endsWith('16') ? 2 : 4;
    const result = kind === 'store' ? undefined : this.begin(v);
    const mask = fn.operand(v, 1);
    for (let lane = 0; lane < this.size; lane++) {
      if (!this.lowOf(mask, lane)) continue;
      const address = this.addressOf(v, space, lane);
      if (kind === 'load') {
        for (let n = 0; n < count; n++) {
          let value = load.call(this, address + bytes * n, bytes, lane);
          if (size === 'i8') value = (value << 24) >> 24;
          if (size === 'i16') value = (value << 16) >> 16;
          result!.low[n * result!.lanes + lane] = value;
        }
      } else if (kind === 'store') {
        for (let n = 0; n < count; n++)
          store.call(this, address + bytes * n, bytes, this.lowOf(fn.operand(v, 2 + n), lane), lane);
      } else this.atomic(v, space, address, lane, size === '64', result!);
    }
  }

  private addressOf(v: ValueId, space: string, lane: number): number {
    const o = this.fn.operand(v, 0);
    if (space === 'lds') return (this.lowOf(o, lane) + this.fn.imm0[v]!) >>> 0;
    return addressFromHalves(this.lowOf(o, lane), this.highOf(o, lane)) + this.fn.imm0[v]!;
  }

  private loadGuest(address: number, bytes: number, lane: number): number {
    const at = address as GuestAddress;
    const value =
      bytes === 4 ? this.memory.loadU32(at) : bytes === 2 ? this.memory.loadU16(at) : this.memory.loadU8(at);
    if (value === undefined)
      this.fault(this.memory.allows(at, bytes, 0) ? 'forbidden-read' : 'unmapped-read', lane, address);
    return value ?? 0;
  }

  private storeGuest(address: number, bytes: number, value: number, lane: number): void {
    const at = address as GuestAddress;
    const done =
      bytes === 4
        ? this.memory.storeU32(at, value >>> 0)
        : bytes === 2
          ? this.memory.storeU16(at, value & 0xffff)
          : this.memory.storeU8(at, value & 0xff);
    if (!done) this.fault(this.memory.allows(at, bytes, 0) ? 'forbidden-write' : 'unmapped-write', lane, address);
  }

  private loadLds(address: number, bytes: number): number {
    if (address + bytes > this.lds.byteLength) return 0;
    return bytes === 4
      ? this.lds.getUint32(address, true)
      : bytes === 2
        ? this.lds.getUint16(address, true)
        : this.lds.getUint8(address);
  }

  private storeLds(address: number, bytes: number, value: number): void {
    if (address + bytes > this.lds.byteLength) return;
    if (bytes === 4) this.lds.setUint32(address, value, true);
    else if (bytes === 2) this.lds.setUint16(address, value, true);
    else this.lds.setUint8(address, value);
  }

  private atomic(
    v: ValueId,
    space: string,
    address: number,
    lane: number,
    wide: boolean,
    result: { low: Uint32Array; high: Uint32Array },
  ): void {
    const { fn } = this;
    if (space === 'lds' && address + (wide ? 8 : 4) > this.lds.byteLength) return;
    const load = (at: number): number => (space === 'lds' ? this.loadLds(at, 4) : this.loadGuest(at, 4, lane));
    const store = (at: number, value: number): void =>
      space === 'lds' ? this.storeLds(at, 4, value) : this.storeGuest(at, 4, value, lane);
    const kind = ATOMIC_KINDS[(fn.imm1[v]! >>> 24) & 31]!;
    const data = fn.operand(v, 2);
    const extra = fn.operand(v, 3);
    const faults = this.result.faults.length;
    const oldLow = load(address);
    const oldHigh = wide ? load(address + 4) : 0;
    if (this.result.faults.length > faults) return;
    result.low[lane] = oldLow;
    result.high[lane] = oldHigh;
    if (!wide) {
      store(address, ATOMIC_32[kind](oldLow, this.lowOf(data, lane), this.lowOf(extra, lane)));
      return;
    }
    if (!(kind in ATOMIC_64)) throw new Error(`the interpreter lacks 64-bit ${kind}`);
    const f = ATOMIC_64[kind as keyof typeof ATOMIC_64];
    f(
      oldLow,
      oldHigh,
      this.lowOf(data, lane),
      this.highOf(data, lane),
      this.lowOf(extra, lane),
      this.highOf(extra, lane),
    );
    store(address, pair.low);
    store(address + 4, pair.high);
  }
}
