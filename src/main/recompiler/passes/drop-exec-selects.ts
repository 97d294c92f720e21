/**
 * Removes "keep the old value in inactive lanes" where no reader can see an inactive lane.
 *
 * Why: every vector write under EXEC is `select(mask, new, old)`. Inside a divergent region most values are read under
 * the same mask, so the old value never matters; without the select, old definitions die and uniform values stay uniform.
 *
 * For each value, `observed` over-approximates the lanes in which some effect depends on it: none, the lanes of one mask
 * value, or all. Stores observe their operands under their mask; pure operations pass on what observes them; selects and
 * `and` narrow; everything that looks across lanes (ballot, lane moves, readlane, branches) observes all lanes.
 * `select(mask, new, old)` is `new` when its observed lanes lie inside `mask`.
 *
 * Loops: a mask is one SSA value but another mask in every turn. A fact about value v is only ever stated with a mask
 * whose definition dominates v's: then no path from v to the reader redefines the mask without redefining v. Masks that
 * do not dominate are widened to one that does (a and b ⊆ a), or to all lanes; across a phi, a mask that is a phi of the
 * same block is replaced by its operand for that way in.
 */
import type { IrFunction } from '../ir/function.ts';
import { computeDominators, type Dominators, dominates } from '../ir/graph.ts';
import { EFFECTS, OP, OP_NAMES, OPS, type Op, type OpRow } from '../ir/ops.ts';
import { type BlockId, LANE_BIT, NO_VALUE, type ValueId } from '../ir/types.ts';
import { applyForwards } from '../ir/uses.ts';

const NONE = -1;
const ALL = -2;

/** Index of the mask operand of memory operations; −1 for others. */
const MASK_OPERAND = Int8Array.from(OP_NAMES, (name) => {
  const row: OpRow = OPS[name];
  if (name.startsWith('buffer.')) return 7;
  if (/^(global|lds)\.(load|store|atomic)/.test(name)) return 1;
  return name === 'tap.32' && row.in === '32 1' ? 1 : -1;
});

/** Pure operations that read other lanes than they write. */
const CROSSES_LANES = Uint8Array.from(OP_NAMES, (name) =>
  /^(ballot|any|readlane|readfirstlane|writelane|shuffle|scatter|dpp|swizzle|permlane)/.test(name) ? 1 : 0,
);

export function dropExecSelects(fn: IrFunction): boolean {
  return new SelectRemoval(fn).run();
}

class SelectRemoval {
  private readonly fn: IrFunction;
  private readonly dominators: Dominators;
  private readonly positions: Int32Array;
  /** NONE, ALL, or the mask value. */
  private readonly observed: Int32Array;
  private readonly queued: Uint8Array;
  private readonly worklist: ValueId[] = [];

  constructor(fn: IrFunction) {
    this.fn = fn;
    this.dominators = computeDominators(fn);
    this.positions = new Int32Array(fn.valueCount);
    this.observed = new Int32Array(fn.valueCount).fill(NONE);
    this.queued = new Uint8Array(fn.valueCount);
  }

  run(): boolean {
    const { fn } = this;
    if (!this.hasSelects()) return false;
    for (const b of this.dominators.order) {
      let n = 0;
      for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
        this.positions[v] = n++;
        this.queue(v);
      }
    }
    // Readers before what they read: from the end.
    while (this.worklist.length > 0) {
      const v = this.worklist.pop()!;
      this.queued[v] = 0;
      this.propagate(v);
    }
    return this.removeSelects();
  }

  private hasSelects(): boolean {
    const { fn } = this;
    for (let v = 0; v < fn.valueCount; v++) if (fn.block[v]! >= 0 && this.isExecSelect(v as ValueId)) return true;
    return false;
  }

  private isExecSelect(v: ValueId): boolean {
    const { fn } = this;
    const op = fn.op[v];
    if (op !== OP['select.32'] && op !== OP['select.64'] && op !== OP['select.1']) return false;
    return (fn.type[fn.operand(v, 0)]! & LANE_BIT) !== 0;
  }

  private queue(v: ValueId): void {
    if (this.queued[v]) return;
    this.queued[v] = 1;
    this.worklist.push(v);
  }

  /** Tells the operands of v in which lanes v needs them. */
  private propagate(v: ValueId): void {
    const { fn } = this;
    const op = fn.op[v] as Op;
    const count = fn.operandCount[v]!;
    if (count === 0) return;
    const maskOperand = MASK_OPERAND[op]!;
    if (maskOperand >= 0) {
      const mask = fn.operand(v, maskOperand);
      for (let i = 0; i < count; i++) this.require(fn.operand(v, i), i === maskOperand ? ALL : mask);
      return;
    }
    if (CROSSES_LANES[op] || EFFECTS[op] === 'write' || EFFECTS[op] === 'terminator' || EFFECTS[op] === 'read') {
      for (let i = 0; i < count; i++) this.require(fn.operand(v, i), ALL);
      return;
    }
    const own = fn.type[v]! & LANE_BIT ? this.observed[v]! : this.observed[v] === NONE ? NONE : ALL;
    if (own === NONE) return;
    if (op === OP.phi) this.propagatePhi(v, own);
    else if (this.isExecSelect(v)) this.propagateSelect(v, own);
    else if (op === OP['and.1']) {
      // Only one of the two may rely on the other: lowering puts the mask second.
      this.require(fn.operand(v, 0), this.narrow(own, fn.operand(v, 1)));
      this.require(fn.operand(v, 1), own);
    } else for (let i = 0; i < count; i++) this.require(fn.operand(v, i), own);
  }

  private propagateSelect(v: ValueId, own: number): void {
    const { fn } = this;
    const condition = fn.operand(v, 0);
    this.require(condition, own);
    this.require(fn.operand(v, 1), this.narrow(own, condition));
    if (!this.isInside(own, condition)) this.require(fn.operand(v, 2), own);
  }

  private propagatePhi(v: ValueId, own: number): void {
    const { fn } = this;
    const b = fn.block[v] as BlockId;
    const maskIsPhiHere = own >= 0 && fn.block[own] === b && fn.op[own] === OP.phi;
    for (let i = 0; i < fn.operandCount[v]!; i++) {
      let mask = own;
      if (maskIsPhiHere) mask = fn.operand(own as ValueId, i);
      else if (own >= 0 && fn.block[own] === b) mask = ALL;
      this.require(fn.operand(v, i), mask);
    }
  }

  /** Lanes of `own` in which `mask` holds, over-approximated by one of the two. */
  private narrow(own: number, mask: ValueId): number {
    if (!(this.fn.type[mask]! & LANE_BIT)) return own;
    return own !== ALL && this.isInside(own, mask) ? own : mask;
  }

  private require(v: ValueId, mask: number): void {
    if (v < 0 || !(this.fn.type[v]! & LANE_BIT)) {
      // Uniform values are read as a whole.
      if (v >= 0 && mask !== NONE && this.observed[v] === NONE) {
        this.observed[v] = ALL;
        this.queue(v);
      }
      return;
    }
    const joined = this.join(this.observed[v]!, this.widen(mask, v));
    if (joined === this.observed[v]) return;
    this.observed[v] = joined;
    this.queue(v);
  }

  private join(a: number, b: number): number {
    if (a === b || b === NONE) return a;
    if (a === NONE) return b;
    if (a === ALL || b === ALL) return ALL;
    if (this.isInside(a, b as ValueId)) return b;
    return this.isInside(b, a as ValueId) ? a : ALL;
  }

  /** A mask around `mask` whose definition dominates that of v. */
  private widen(mask: number, v: ValueId): number {
    if (mask < 0) return mask;
    const { fn } = this;
    if (fn.op[mask] === OP.const) return fn.imm0[mask] ? ALL : NONE;
    if (!(fn.type[mask]! & LANE_BIT)) return ALL;
    if (this.definedBefore(mask as ValueId, v)) return mask;
    if (fn.op[mask] === OP['and.1']) {
      const first = this.widen(fn.operand(mask as ValueId, 0), v);
      return first !== ALL ? first : this.widen(fn.operand(mask as ValueId, 1), v);
    }
    const bound = this.boundOfPhi(mask as ValueId);
    return bound === NO_VALUE ? ALL : this.widen(bound, v);
  }

  /** A loop's mask that only shrinks lies inside the one it starts with: phi [start, phi and …] ⊆ start. */
  private boundOfPhi(mask: ValueId): ValueId {
    const { fn } = this;
    if (fn.op[mask] !== OP.phi) return NO_VALUE;
    let bound = NO_VALUE;
    for (let i = 0; i < fn.operandCount[mask]!; i++) {
      const o = fn.operand(mask, i);
      if (this.shrinks(o, mask, 6)) continue;
      if (bound !== NO_VALUE && bound !== o) return NO_VALUE;
      bound = o;
    }
    return bound;
  }

  /** Whether `v` is `mask` or an intersection with it. */
  private shrinks(v: ValueId, mask: ValueId, depth: number): boolean {
    const { fn } = this;
    if (v === mask) return true;
    if (depth === 0 || fn.op[v] !== OP['and.1']) return false;
    return this.shrinks(fn.operand(v, 0), mask, depth - 1) || this.shrinks(fn.operand(v, 1), mask, depth - 1);
  }

  private definedBefore(a: ValueId, b: ValueId): boolean {
    const { fn } = this;
    const from = fn.block[a] as BlockId;
    const to = fn.block[b] as BlockId;
    if (from === to) return this.positions[a]! < this.positions[b]!;
    return dominates(this.dominators, from, to);
  }

  /** Whether every lane of `inner` is surely a lane of `mask`. */
  private isInside(inner: number, mask: ValueId, depth = 8): boolean {
    const { fn } = this;
    if (inner === NONE || inner === mask) return true;
    if (inner === ALL || depth === 0) return fn.op[mask] === OP.const && fn.imm0[mask] === 1;
    if (fn.op[mask] === OP.const) return fn.imm0[mask] === 1;
    if (fn.op[inner] === OP['and.1']) {
      if (this.isInside(fn.operand(inner as ValueId, 0), mask, depth - 1)) return true;
      if (this.isInside(fn.operand(inner as ValueId, 1), mask, depth - 1)) return true;
    }
    if (fn.op[inner] === OP.phi) {
      const bound = this.boundOfPhi(inner as ValueId);
      if (bound !== NO_VALUE && this.isInside(bound, mask, depth - 1)) return true;
    }
    if (fn.op[mask] === OP['or.1']) {
      return (
        this.isInside(inner, fn.operand(mask, 0), depth - 1) || this.isInside(inner, fn.operand(mask, 1), depth - 1)
      );
    }
    return false;
  }

  private removeSelects(): boolean {
    const { fn } = this;
    const forward = new Int32Array(fn.valueCount).fill(-1);
    let changed = false;
    for (let v = 0 as ValueId; v < fn.valueCount; v++) {
      if (fn.isRemoved(v) || !this.isExecSelect(v)) continue;
      const own = this.observed[v]!;
      if (own === ALL || !this.isInside(own, fn.operand(v, 0))) continue;
      forward[v] = fn.operand(v, 1);
      changed = true;
    }
    if (!changed) return false;
    applyForwards(fn, forward);
    for (let v = 0; v < fn.valueCount; v++) if (forward[v]! >= 0) fn.remove(v as ValueId);
    return true;
  }
}
