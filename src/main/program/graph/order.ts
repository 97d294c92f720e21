/**
 * Depth-first orders of a digraph, without recursion: reverse post order is the visiting order of forward dataflow and
 * the numbering on which dominators rest.
 */
import type { Digraph } from './digraph.ts';

export interface DepthFirstOrder {
  /** Reached nodes in reverse post order; the root comes first. */
  readonly order: Int32Array;
  /** Position in `order`; −1 when not reached from the root. */
  readonly position: Int32Array;
}

/** Successors are visited so that the first successor of a node stands before the second where nothing else decides. */
export function reversePostOrder(graph: Digraph, root: number): DepthFirstOrder {
  const { count, start, targets } = graph;
  const position = new Int32Array(count).fill(-1);
  const reached: number[] = [];
  if (count === 0) return { order: Int32Array.from(reached), position };
  // Rows are walked from their end: the last successor finishes first, so the first one lands earliest after reversal.
  const next = new Int32Array(count);
  const seen = new Uint8Array(count);
  const stack: number[] = [root];
  seen[root] = 1;
  next[root] = start[root + 1]!;
  while (stack.length > 0) {
    const node = stack[stack.length - 1]!;
    if (next[node]! > start[node]!) {
      const target = targets[--next[node]!]!;
      if (seen[target]) continue;
      seen[target] = 1;
      next[target] = start[target + 1]!;
      stack.push(target);
    } else {
      stack.pop();
      reached.push(node);
    }
  }
  reached.reverse();
  for (let i = 0; i < reached.length; i++) position[reached[i]!] = i;
  return { order: Int32Array.from(reached), position };
}
