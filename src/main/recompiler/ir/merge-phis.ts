/**
 * Takes out phis that stand for one value: also groups of phis that only name each other and that value, which loops
 * with several entries or several ways around make, and which looking at one phi at a time cannot see.
 *
 * Method: Braun et al., "Simple and efficient construction of static single assignment form" (CC 2013), section 3.2:
 * strongly connected components of phis, operands first. A component with one value from outside is that value;
 * otherwise the phis without operands from outside are looked at again by themselves. Without any value from outside a
 * component is undefined.
 */
import { assert } from '../../base/assert.ts';
import type { IrFunction } from './function.ts';
import { isPerLane, NO_VALUE, type Type, type ValueId } from './types.ts';
import { applyForwards, resolveForward } from './uses.ts';

/** `phis` are all phis of the function. Returns whether any went. */
export function mergePhis(fn: IrFunction, phis: readonly ValueId[]): boolean {
  const merger = new PhiMerger(fn);
  merger.merge(phis);
  if (merger.merged.length === 0) return false;
  applyForwards(fn, merger.forward);
  for (const phi of merger.merged) fn.remove(phi);
  return true;
}

class PhiMerger {
  readonly merged: ValueId[] = [];
  readonly forward: Int32Array;
  private readonly fn: IrFunction;
  /** Which list a phi is in while components of that list are looked for; 0 none. */
  private readonly member: Int32Array;
  private lists = 0;
  private readonly index: Int32Array;
  private readonly low: Int32Array;
  private readonly onStack: Uint8Array;

  constructor(fn: IrFunction) {
    this.fn = fn;
    this.forward = new Int32Array(fn.valueCount).fill(NO_VALUE);
    this.member = new Int32Array(fn.valueCount);
    this.index = new Int32Array(fn.valueCount);
    this.low = new Int32Array(fn.valueCount);
    this.onStack = new Uint8Array(fn.valueCount);
  }

  merge(phis: readonly ValueId[]): void {
    for (const component of this.components(phis)) this.mergeComponent(component);
  }

  private mergeComponent(component: readonly ValueId[]): void {
    const { fn, member } = this;
    const list = ++this.lists;
    for (const phi of component) member[phi] = list;
    const inner: ValueId[] = [];
    let outside = NO_VALUE;
    let several = false;
    for (const phi of component) {
      let isInner = true;
      for (let i = 0; i < fn.operandCount[phi]!; i++) {
        const operand = resolveForward(this.forward, fn.operand(phi, i));
        if (member[operand] === list) continue;
        isInner = false;
        if (outside !== NO_VALUE && outside !== operand) several = true;
        outside = operand;
      }
      if (isInner) inner.push(phi);
    }
    if (several) {
      if (inner.length > 0) this.merge(inner);
      return;
    }
    for (const phi of component) {
      const value = outside === NO_VALUE ? fn.undef(fn.type[phi] as Type) : outside;
      // A per-lane phi may stand for a uniform value, never the other way round.
      assert(
        isPerLane(fn.type[phi] as Type) || !isPerLane(fn.type[value] as Type),
        'a uniform phi of a per-lane value',
      );
      this.forward[phi] = value;
      this.merged.push(phi);
    }
  }

  /** Tarjan without recursion; a component comes after those that its operands are in. */
  private components(phis: readonly ValueId[]): ValueId[][] {
    const { fn, member, index, low, onStack } = this;
    const list = ++this.lists;
    for (const phi of phis) {
      member[phi] = list;
      index[phi] = 0;
    }
    const found: ValueId[][] = [];
    const stack: ValueId[] = [];
    const path: ValueId[] = [];
    const next: number[] = [];
    let count = 0;
    const enter = (phi: ValueId): void => {
      index[phi] = low[phi] = ++count;
      onStack[phi] = 1;
      stack.push(phi);
      path.push(phi);
      next.push(0);
    };
    for (const root of phis) {
      if (index[root] !== 0) continue;
      enter(root);
      while (path.length > 0) {
        const phi = path[path.length - 1]!;
        const i = next[next.length - 1]!++;
        if (i < fn.operandCount[phi]!) {
          const operand = resolveForward(this.forward, fn.operand(phi, i));
          if (member[operand] !== list) continue;
          if (index[operand] === 0) enter(operand);
          else if (onStack[operand]) low[phi] = Math.min(low[phi]!, index[operand]!);
          continue;
        }
        path.pop();
        next.pop();
        const parent = path[path.length - 1];
        if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[phi]!);
        if (low[phi] !== index[phi]) continue;
        const component: ValueId[] = [];
        for (let top = NO_VALUE; top !== phi; ) {
          top = stack.pop()!;
          onStack[top] = 0;
          component.push(top);
        }
        found.push(component);
      }
    }
    return found;
  }
}
