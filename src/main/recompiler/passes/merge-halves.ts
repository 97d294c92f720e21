/**
 * Pairs of 32-bit phis and selects that are the halves of one 64-bit value become one 64-bit phi or select.
 *
 * Why: masks of wave64 and addresses live in pairs of SGPRs, and SSA is built per register. A mask saved around a loop
 * arrives as pack(phi, phi); ballot elimination must see a phi of masks.
 * Only where some way in really brings a 64-bit value for both halves; a pair of unrelated words stays a pair.
 */
import { Builder } from '../ir/builder.ts';
import type { IrFunction } from '../ir/function.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, isPerLane, NO_VALUE, type Type, typeOf, type ValueId, WIDTH_64 } from '../ir/types.ts';
import { applyForwards } from '../ir/uses.ts';
import { foldValue } from './fold.ts';

export function mergeHalves(fn: IrFunction): boolean {
  return new HalfMerger(fn).run();
}

class HalfMerger {
  private readonly fn: IrFunction;
  private readonly b: Builder;
  /** Merged phis: low → high → the 64-bit phi. */
  private readonly merged = new Map<ValueId, Map<ValueId, ValueId>>();
  private readonly worklist: { phi: ValueId; low: ValueId; high: ValueId }[] = [];

  constructor(fn: IrFunction) {
    this.fn = fn;
    this.b = new Builder(fn, 0 as BlockId);
    this.b.onEmit = (v) => foldValue(fn, v);
  }

  run(): boolean {
    const { fn } = this;
    const count = fn.valueCount;
    const forward = new Int32Array(count).fill(-1);
    let changed = false;
    for (let v = 0 as ValueId; v < count; v++) {
      if (fn.isRemoved(v) || fn.op[v] !== OP['pack.64']) continue;
      const whole = this.whole(fn.operand(v, 0), fn.operand(v, 1), v);
      if (whole === NO_VALUE) continue;
      forward[v] = whole;
      changed = true;
    }
    if (!changed) return false;
    while (this.worklist.length > 0) {
      const { phi, low, high } = this.worklist.pop()!;
      const preds = fn.preds[fn.block[phi] as BlockId]!;
      const operands = preds.map((p, i) => this.pack(fn.operand(low, i), fn.operand(high, i), fn.terminator(p)));
      fn.setOperands(phi, operands);
    }
    applyForwards(fn, forward);
    for (let v = 0; v < count; v++) if (forward[v]! >= 0) fn.remove(v as ValueId);
    return true;
  }

  private kindOf(low: ValueId, high: ValueId): 'phi' | 'select' | undefined {
    const { fn } = this;
    if (fn.op[low] === OP.phi && fn.op[high] === OP.phi) return fn.block[low] === fn.block[high] ? 'phi' : undefined;
    const selects = fn.op[low] === OP['select.32'] && fn.op[high] === OP['select.32'];
    return selects && fn.operand(low, 0) === fn.operand(high, 0) ? 'select' : undefined;
  }

  /** Whether some path through phis and selects brings both halves of one value. */
  private bringsWhole(low: ValueId, high: ValueId, seen: Set<ValueId>): boolean {
    const { fn } = this;
    if (fn.op[low] === OP['lo.64'] && fn.op[high] === OP['hi.64']) return fn.operand(low, 0) === fn.operand(high, 0);
    const kind = this.kindOf(low, high);
    if (kind === undefined || seen.has(low)) return false;
    seen.add(low);
    for (let i = kind === 'phi' ? 0 : 1; i < fn.operandCount[low]!; i++) {
      if (this.bringsWhole(fn.operand(low, i), fn.operand(high, i), seen)) return true;
    }
    return false;
  }

  /** The 64-bit value of a pair of phis or selects, made before `place`; NO_VALUE when the pair is not one value. */
  private whole(low: ValueId, high: ValueId, place: ValueId): ValueId {
    const { fn, b } = this;
    const known = this.merged.get(low)?.get(high);
    if (known !== undefined) return known;
    const kind = this.kindOf(low, high);
    if (kind === undefined || !this.bringsWhole(low, high, new Set())) return NO_VALUE;
    if (kind === 'select') {
      const yes = this.pack(fn.operand(low, 1), fn.operand(high, 1), place);
      const no = this.pack(fn.operand(low, 2), fn.operand(high, 2), place);
      this.moveTo(place);
      return b.emit3('select.64', fn.operand(low, 0), yes, no);
    }
    const perLane = isPerLane(fn.type[low] as Type) || isPerLane(fn.type[high] as Type);
    const phi = fn.createValue(OP.phi, typeOf(WIDTH_64, perLane), 0, fn.imm0[low]!, 0, fn.location[low]!);
    fn.prepend(fn.block[low] as BlockId, phi);
    this.worklist.push({ phi, low, high });
    let byHigh = this.merged.get(low);
    if (!byHigh) this.merged.set(low, (byHigh = new Map()));
    byHigh.set(high, phi);
    return phi;
  }

  private pack(low: ValueId, high: ValueId, place: ValueId): ValueId {
    const whole = this.whole(low, high, place);
    if (whole !== NO_VALUE) return whole;
    this.moveTo(place);
    return this.b.emit2('pack.64', low, high);
  }

  private moveTo(place: ValueId): void {
    this.b.block = this.fn.block[place] as BlockId;
    this.b.before = place;
    this.b.location = this.fn.location[place]!;
  }
}
