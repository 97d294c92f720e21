/**
 * Joins a block to its only predecessor when that leads nowhere else and neither ends or opens a construct.
 *
 * Why: structuring adds empty blocks, and guest code has many jumps to the next line; straight code should be straight.
 */
import { type IrFunction, NO_LOCATION } from '../ir/function.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, NO_BLOCK, NO_VALUE, type ValueId } from '../ir/types.ts';
import { applyForwards } from '../ir/uses.ts';

export interface Constructs {
  readonly order: readonly BlockId[];
  readonly merge: Map<BlockId, BlockId>;
  readonly continueTarget: Map<BlockId, BlockId>;
}

/** Returns the new order. */
export function joinBlocks(fn: IrFunction, constructs: Constructs): BlockId[] {
  const targets = new Set([...constructs.merge.values(), ...constructs.continueTarget.values()]);
  const forward = new Int32Array(fn.valueCount).fill(NO_VALUE);
  /** Where a joined block's code went. */
  const joined = new Map<BlockId, BlockId>();
  const homeOf = (b: BlockId): BlockId => {
    let at = b;
    for (let next = joined.get(at); next !== undefined; next = joined.get(at)) at = next;
    return at;
  };
  const order: BlockId[] = [];
  for (const b of constructs.order) {
    const pred = fn.preds[b]!.length === 1 ? homeOf(fn.preds[b]![0]!) : NO_BLOCK;
    const jump = pred === NO_BLOCK ? NO_VALUE : fn.terminator(pred);
    const straight = jump !== NO_VALUE && fn.op[jump] === OP.jump && !constructs.merge.has(pred) && !targets.has(b);
    if (!straight) {
      order.push(b);
      continue;
    }
    fn.remove(jump);
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; ) {
      const next = fn.next[v] as ValueId;
      fn.remove(v);
      if (fn.op[v] === OP.phi) forward[v] = fn.operand(v, 0);
      else fn.append(pred, v);
      v = next;
    }
    // Blocks that the structurer adds have no place in the guest's code; what joins them has.
    if (fn.blockLocation[pred] === NO_LOCATION) fn.blockLocation[pred] = fn.blockLocation[b]!;
    joined.set(b, pred);
    for (const s of fn.successors(pred)) fn.replacePredecessor(s, b, pred);
    fn.preds[b]!.length = 0;
    const merge = constructs.merge.get(b);
    if (merge !== undefined) {
      constructs.merge.delete(b);
      constructs.merge.set(pred, merge);
    }
  }
  applyForwards(fn, forward);
  return order;
}
