/**
 * Storage of one function in SSA form: struct of arrays, numbers for everything.
 *
 * Why: recompiling touches every value many times; an object per instruction costs more than the work on it. A value is
 * an index into parallel typed arrays, its operands a range of one pool, its place in the block a doubly linked list.
 *
 * Invariants (checked by verify.ts): the last value of each block is its only terminator; phis come first; `preds`
 * names each predecessor once, and operand i of a phi belongs to predecessor i; constants and undefs lie in the first
 * block, which has no predecessors. A removed value has block NO_BLOCK.
 *
 * Arrays are replaced when they grow: never keep one across a call that adds values.
 */
import { assert } from '../../base/assert.ts';
import type { Target, Vec3, WaveSize } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { isTerminator, OP, type Op } from './ops.ts';
import { type BlockId, NO_BLOCK, NO_VALUE, S1, S32, S64, type Type, type ValueId } from './types.ts';

/** What the function was made for; everything about the launch that code may depend on. */
export interface LaunchShape {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly threads: Vec3;
  /** Some group may have fewer threads than `threads`. */
  readonly partialGroups: boolean;
  readonly ldsBytes: number;
}

export interface Switch {
  /** Selector values, distinct. */
  readonly values: number[];
  readonly targets: BlockId[];
  fallback: BlockId;
}

/** Where a value or block comes from. */
export interface Location {
  readonly address: GuestAddress;
  /** Addresses of the calls on the way, outermost first. */
  readonly callPath: readonly GuestAddress[];
}

export type LocationId = number & { readonly __brand: 'LocationId' };
export const NO_LOCATION = -1 as LocationId;

const FIRST_CAPACITY = 512;

export class IrFunction {
  readonly name: string;
  readonly shape: LaunchShape;

  /** Values are 0 … valueCount − 1, removed ones included. */
  valueCount = 0;
  op = new Uint16Array(FIRST_CAPACITY);
  type = new Uint8Array(FIRST_CAPACITY);
  imm0 = new Int32Array(FIRST_CAPACITY);
  imm1 = new Int32Array(FIRST_CAPACITY);
  block = new Int32Array(FIRST_CAPACITY);
  previous = new Int32Array(FIRST_CAPACITY);
  next = new Int32Array(FIRST_CAPACITY);
  operandStart = new Int32Array(FIRST_CAPACITY);
  operandCount = new Uint16Array(FIRST_CAPACITY);
  location = new Int32Array(FIRST_CAPACITY);

  operandPool = new Int32Array(FIRST_CAPACITY * 3);
  operandPoolSize = 0;

  blockCount = 0;
  readonly firstValue: ValueId[] = [];
  readonly lastValue: ValueId[] = [];
  readonly preds: BlockId[][] = [];
  readonly blockLocation: LocationId[] = [];

  readonly switches: Switch[] = [];
  readonly locations: Location[] = [];
  /** Names from text, for printing back; absent in compiled programs. */
  names: Map<ValueId, string> | undefined;

  private readonly constants32 = new Map<number, ValueId>();
  private readonly constants64 = new Map<number, Map<number, ValueId>>();
  private readonly booleans: [ValueId, ValueId] = [NO_VALUE, NO_VALUE];
  private readonly undefs: ValueId[] = [];
  /** Last constant of the first block; constants stay together at its start. */
  private lastConstant = NO_VALUE;

  constructor(name: string, shape: LaunchShape) {
    this.name = name;
    this.shape = shape;
  }

  // ── values ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A value in no block, with room for `operandCount` operands (all NO_VALUE). */
  createValue(op: Op, type: Type, operandCount: number, imm0 = 0, imm1 = 0, location: number = NO_LOCATION): ValueId {
    const v = this.valueCount++ as ValueId;
    if (v >= this.op.length) this.growValues();
    this.op[v] = op;
    this.type[v] = type;
    this.imm0[v] = imm0;
    this.imm1[v] = imm1;
    this.block[v] = NO_BLOCK;
    this.previous[v] = NO_VALUE;
    this.next[v] = NO_VALUE;
    this.location[v] = location;
    this.operandCount[v] = operandCount;
    this.operandStart[v] = this.reserveOperands(operandCount);
    return v;
  }

  private reserveOperands(count: number): number {
    const start = this.operandPoolSize;
    const end = start + count;
    if (end > this.operandPool.length) {
      const pool = new Int32Array(Math.max(end, this.operandPool.length * 2));
      pool.set(this.operandPool);
      this.operandPool = pool;
    }
    this.operandPool.fill(NO_VALUE, start, end);
    this.operandPoolSize = end;
    return start;
  }

  private growValues(): void {
    const size = this.op.length * 2;
    const grow = <T extends Int32Array | Uint16Array | Uint8Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    this.op = grow(this.op, new Uint16Array(size));
    this.type = grow(this.type, new Uint8Array(size));
    this.imm0 = grow(this.imm0, new Int32Array(size));
    this.imm1 = grow(this.imm1, new Int32Array(size));
    this.block = grow(this.block, new Int32Array(size));
    this.previous = grow(this.previous, new Int32Array(size));
    this.next = grow(this.next, new Int32Array(size));
    this.operandStart = grow(this.operandStart, new Int32Array(size));
    this.operandCount = grow(this.operandCount, new Uint16Array(size));
    this.location = grow(this.location, new Int32Array(size));
  }

  operand(v: ValueId, index: number): ValueId {
    return this.operandPool[this.operandStart[v]! + index] as ValueId;
  }

  setOperand(v: ValueId, index: number, operand: ValueId): void {
    this.operandPool[this.operandStart[v]! + index] = operand;
  }

  operandsOf(v: ValueId): ValueId[] {
    const start = this.operandStart[v]!;
    return Array.from(this.operandPool.subarray(start, start + this.operandCount[v]!)) as ValueId[];
  }

  /** Gives the value a new operand list; a shorter or equal one stays in place. */
  setOperands(v: ValueId, operands: readonly ValueId[]): void {
    if (operands.length > this.operandCount[v]!) this.operandStart[v] = this.reserveOperands(operands.length);
    this.operandCount[v] = operands.length;
    const start = this.operandStart[v]!;
    for (let i = 0; i < operands.length; i++) this.operandPool[start + i] = operands[i]!;
  }

  isRemoved(v: ValueId): boolean {
    return this.block[v] === NO_BLOCK;
  }

  // ── places ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  append(b: BlockId, v: ValueId): void {
    const last = this.lastValue[b]!;
    this.block[v] = b;
    this.previous[v] = last;
    this.next[v] = NO_VALUE;
    if (last === NO_VALUE) this.firstValue[b] = v;
    else this.next[last] = v;
    this.lastValue[b] = v;
  }

  insertBefore(place: ValueId, v: ValueId): void {
    const b = this.block[place] as BlockId;
    const before = this.previous[place] as ValueId;
    this.block[v] = b;
    this.previous[v] = before;
    this.next[v] = place;
    this.previous[place] = v;
    if (before === NO_VALUE) this.firstValue[b] = v;
    else this.next[before] = v;
  }

  insertAfter(place: ValueId, v: ValueId): void {
    const after = this.next[place] as ValueId;
    if (after === NO_VALUE) this.append(this.block[place] as BlockId, v);
    else this.insertBefore(after, v);
  }

  /** At the very start: phis. */
  prepend(b: BlockId, v: ValueId): void {
    const first = this.firstValue[b]!;
    if (first === NO_VALUE) this.append(b, v);
    else this.insertBefore(first, v);
  }

  /** After the phis (and, in the first block, the constants). */
  insertAtStart(b: BlockId, v: ValueId): void {
    let at = this.firstValue[b]!;
    while (at !== NO_VALUE && (this.op[at] === OP.phi || this.op[at] === OP.const || this.op[at] === OP.undef)) {
      at = this.next[at] as ValueId;
    }
    if (at === NO_VALUE) this.append(b, v);
    else this.insertBefore(at, v);
  }

  /** Unlinks the value; its users must be gone or about to be rewritten. */
  remove(v: ValueId): void {
    const b = this.block[v] as BlockId;
    if ((b as number) === NO_BLOCK) return;
    const before = this.previous[v] as ValueId;
    const after = this.next[v] as ValueId;
    if (before === NO_VALUE) this.firstValue[b] = after;
    else this.next[before] = after;
    if (after === NO_VALUE) this.lastValue[b] = before;
    else this.previous[after] = before;
    this.block[v] = NO_BLOCK;
    const op = this.op[v]!;
    if (op === OP.const) this.forgetConstant(v);
    else if (op === OP.undef) this.undefs[this.type[v]!] = NO_VALUE;
    if (v === this.lastConstant) this.lastConstant = before;
  }

  private forgetConstant(v: ValueId): void {
    switch (this.type[v]) {
      case S1:
        this.booleans[this.imm0[v] as 0 | 1] = NO_VALUE;
        break;
      case S32:
        this.constants32.delete(this.imm0[v]!);
        break;
      default:
        this.constants64.get(this.imm1[v]!)?.delete(this.imm0[v]!);
    }
  }

  // ── constants ──────────────────────────────────────────────────────────────────────────────────────────────────────

  constant1(value: boolean): ValueId {
    const index = value ? 1 : 0;
    const known = this.booleans[index];
    if (known !== NO_VALUE) return known;
    return (this.booleans[index] = this.placeConstant(OP.const, S1, index, 0));
  }

  /** Any number; taken modulo 2^32. */
  constant32(value: number): ValueId {
    const bits = value | 0;
    let v = this.constants32.get(bits);
    if (v === undefined) {
      v = this.placeConstant(OP.const, S32, bits, 0);
      this.constants32.set(bits, v);
    }
    return v;
  }

  constant64(low: number, high: number): ValueId {
    let byLow = this.constants64.get(high | 0);
    if (byLow === undefined) {
      byLow = new Map();
      this.constants64.set(high | 0, byLow);
    }
    let v = byLow.get(low | 0);
    if (v === undefined) {
      v = this.placeConstant(OP.const, S64, low | 0, high | 0);
      byLow.set(low | 0, v);
    }
    return v;
  }

  undef(type: Type): ValueId {
    const known = this.undefs[type];
    if (known !== undefined && known !== NO_VALUE) return known;
    return (this.undefs[type] = this.placeConstant(OP.undef, type, 0, 0));
  }

  private placeConstant(op: Op, type: Type, imm0: number, imm1: number): ValueId {
    assert(this.blockCount > 0, 'constants need the first block');
    const v = this.createValue(op, type, 0, imm0, imm1);
    if (this.lastConstant === NO_VALUE) this.prepend(0 as BlockId, v);
    else this.insertAfter(this.lastConstant, v);
    this.lastConstant = v;
    return v;
  }

  isConstant(v: ValueId): boolean {
    return this.op[v] === OP.const;
  }

  // ── blocks ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  createBlock(location: LocationId = NO_LOCATION): BlockId {
    const b = this.blockCount++ as BlockId;
    this.firstValue.push(NO_VALUE);
    this.lastValue.push(NO_VALUE);
    this.preds.push([]);
    this.blockLocation.push(location);
    return b;
  }

  /** The last value if it is a terminator, NO_VALUE otherwise. */
  terminator(b: BlockId): ValueId {
    const last = this.lastValue[b]!;
    return last !== NO_VALUE && isTerminator(this.op[last] as Op) ? last : NO_VALUE;
  }

  /** Distinct successors in the order of the terminator: branch gives [taken, else]. */
  successors(b: BlockId): BlockId[] {
    const t = this.terminator(b);
    if (t === NO_VALUE) return [];
    switch (this.op[t]) {
      case OP.jump:
        return [this.imm0[t] as BlockId];
      case OP.branch:
        return [this.imm0[t] as BlockId, this.imm1[t] as BlockId];
      case OP.switch: {
        const s = this.switches[this.imm0[t]!]!;
        return [...new Set([...s.targets, s.fallback])];
      }
      default:
        return [];
    }
  }

  /** Appends a terminator and enters `b` into the `preds` of its targets. */
  setJump(b: BlockId, target: BlockId, location: number = NO_LOCATION): ValueId {
    const v = this.createValue(OP.jump, 0 as Type, 0, target, 0, location);
    this.append(b, v);
    this.preds[target]!.push(b);
    return v;
  }

  /** Equal targets give a jump: an edge exists once. */
  setBranch(
    b: BlockId,
    condition: ValueId,
    taken: BlockId,
    otherwise: BlockId,
    location: number = NO_LOCATION,
  ): ValueId {
    if (taken === otherwise) return this.setJump(b, taken, location);
    const v = this.createValue(OP.branch, 0 as Type, 1, taken, otherwise, location);
    this.setOperand(v, 0, condition);
    this.append(b, v);
    this.preds[taken]!.push(b);
    this.preds[otherwise]!.push(b);
    return v;
  }

  setSwitch(b: BlockId, selector: ValueId, cases: Switch, location: number = NO_LOCATION): ValueId {
    const v = this.createValue(OP.switch, 0 as Type, 1, this.switches.length, 0, location);
    this.switches.push(cases);
    this.setOperand(v, 0, selector);
    this.append(b, v);
    for (const s of this.successors(b)) this.preds[s]!.push(b);
    return v;
  }

  setEnd(b: BlockId, location: number = NO_LOCATION): ValueId {
    const v = this.createValue(OP.end, 0 as Type, 0, 0, 0, location);
    this.append(b, v);
    return v;
  }

  /** Takes the edge from → to out of `preds` and of the phis of `to`. The terminator is the caller's business. */
  removeEdge(from: BlockId, to: BlockId): void {
    const index = this.preds[to]!.indexOf(from);
    assert(index >= 0, 'the edge does not exist');
    this.preds[to]!.splice(index, 1);
    for (let v = this.firstValue[to]!; v !== NO_VALUE && this.op[v] === OP.phi; v = this.next[v] as ValueId) {
      const start = this.operandStart[v]!;
      const count = this.operandCount[v]!;
      this.operandPool.copyWithin(start + index, start + index + 1, start + count);
      this.operandCount[v] = count - 1;
    }
  }

  /** Renames one predecessor, for edge splitting. */
  replacePredecessor(of: BlockId, old: BlockId, by: BlockId): void {
    const index = this.preds[of]!.indexOf(old);
    assert(index >= 0, 'the edge does not exist');
    this.preds[of]![index] = by;
  }

  addLocation(address: GuestAddress, callPath: readonly GuestAddress[]): LocationId {
    return (this.locations.push({ address, callPath }) - 1) as LocationId;
  }
}
