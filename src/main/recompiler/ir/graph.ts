/**
 * Orders and dominators of the block graph.
 *
 * Why here: the verifier, value numbering, the structurer and emission all need them, and none may hold stale ones:
 * compute them when needed, they are linear. Dominators: Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm".
 */
import type { IrFunction } from './function.ts';
import { type BlockId, NO_BLOCK } from './types.ts';

/** Blocks reachable from the first, in reverse postorder. */
export function reversePostorder(fn: IrFunction): BlockId[] {
  const visited = new Uint8Array(fn.blockCount);
  const order: BlockId[] = [];
  const stack: BlockId[] = [0 as BlockId];
  const pending: BlockId[][] = [fn.successors(0 as BlockId)];
  visited[0] = 1;
  while (stack.length > 0) {
    const rest = pending[pending.length - 1]!;
    // From the back: the first successor comes first in the result.
    const next = rest.pop();
    if (next === undefined) {
      order.push(stack.pop()!);
      pending.pop();
    } else if (!visited[next]) {
      visited[next] = 1;
      stack.push(next);
      pending.push(fn.successors(next));
    }
  }
  return order.reverse();
}

export interface Dominators {
  readonly order: readonly BlockId[];
  /** Place in `order`, −1 for unreachable blocks. */
  readonly position: Int32Array;
  /** Immediate dominator; the first block's is itself, NO_BLOCK for unreachable ones. */
  readonly parent: Int32Array;
  /** Preorder number and the last number below it, for constant-time queries. */
  readonly enter: Int32Array;
  readonly leave: Int32Array;
}

export function computeDominators(fn: IrFunction): Dominators {
  const order = reversePostorder(fn);
  const position = new Int32Array(fn.blockCount).fill(-1);
  for (let i = 0; i < order.length; i++) position[order[i]!] = i;
  const parent = new Int32Array(fn.blockCount).fill(NO_BLOCK);
  parent[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 1; i < order.length; i++) {
      const b = order[i]!;
      let dominator = NO_BLOCK as number;
      for (const p of fn.preds[b]!) {
        if (parent[p] === NO_BLOCK) continue;
        if (dominator === NO_BLOCK) {
          dominator = p;
          continue;
        }
        let other = p as number;
        while (dominator !== other) {
          while (position[dominator]! > position[other]!) dominator = parent[dominator]!;
          while (position[other]! > position[dominator]!) other = parent[other]!;
        }
      }
      if (parent[b] !== dominator) {
        parent[b] = dominator;
        changed = true;
      }
    }
  }
  const { enter, leave } = numberTree(fn.blockCount, order, parent);
  return { order, position, parent, enter, leave };
}

function numberTree(
  count: number,
  order: readonly BlockId[],
  parent: Int32Array,
): { enter: Int32Array; leave: Int32Array } {
  const enter = new Int32Array(count).fill(-1);
  const leave = new Int32Array(count).fill(-1);
  const size = new Int32Array(count).fill(1);
  for (let i = order.length - 1; i > 0; i--) size[parent[order[i]!]!]! += size[order[i]!]!;
  const nextFree = new Int32Array(count);
  enter[0] = 0;
  nextFree[0] = 1;
  leave[0] = size[0]! - 1;
  // A dominator precedes what it dominates in reverse postorder.
  for (let i = 1; i < order.length; i++) {
    const b = order[i]!;
    const p = parent[b]!;
    enter[b] = nextFree[p]!;
    nextFree[p]! += size[b]!;
    nextFree[b] = enter[b]! + 1;
    leave[b] = enter[b]! + size[b]! - 1;
  }
  return { enter, leave };
}

export function dominates(d: Dominators, above: BlockId, below: BlockId): boolean {
  return d.enter[above]! >= 0 && d.enter[above]! <= d.enter[below]! && d.enter[below]! <= d.leave[above]!;
}
