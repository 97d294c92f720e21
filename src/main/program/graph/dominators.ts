/**
 * Dominator and post-dominator trees of any digraph.
 *
 * Why one file: a post-dominator is a dominator of the reversed graph with one virtual exit behind every node that
 * leaves. Loops, structuring and dominance repair ask only `immediate`, `dominates` and the tree order.
 * Method: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm": iterate to a fixpoint over reverse post order.
 * Nodes that the root does not reach have immediate −1 and neither dominate nor are dominated.
 */
import { stronglyConnectedComponents } from './components.ts';
import { type Digraph, digraphFromEdges, reverseDigraph } from './digraph.ts';
import { reversePostOrder } from './order.ts';

export interface DominatorTree {
  readonly root: number;
  /** Immediate dominator; −1 for the root and for nodes that are not reached. */
  readonly immediate: Int32Array;
  /** Interval numbering of the tree: a dominates b when enter[a] ≤ enter[b] < leave[a]. −1 when not reached. */
  readonly enter: Int32Array;
  readonly leave: Int32Array;
  /** Depth in the tree; the root has 0. */
  readonly depth: Int32Array;
}

export function computeDominators(graph: Digraph, root: number): DominatorTree {
  const { order, position } = reversePostOrder(graph, root);
  const predecessors = reverseDigraph(graph);
  // Works on positions: `up[i]` is the immediate dominator's position, always smaller than i.
  const up = new Int32Array(order.length).fill(-1);
  if (order.length > 0) up[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 1; i < order.length; i++) {
      const node = order[i]!;
      let best = -1;
      for (let e = predecessors.start[node]!; e < predecessors.start[node + 1]!; e++) {
        const p = position[predecessors.targets[e]!]!;
        if (p < 0 || up[p]! < 0) continue;
        best = best < 0 ? p : meet(up, best, p);
      }
      if (best !== up[i]) {
        up[i] = best;
        changed = true;
      }
    }
  }
  const immediate = new Int32Array(graph.count).fill(-1);
  for (let i = 1; i < order.length; i++) immediate[order[i]!] = order[up[i]!]!;
  return numberTree(graph.count, root, order, immediate);
}

function meet(up: Int32Array, a: number, b: number): number {
  while (a !== b) {
    while (a > b) a = up[a]!;
    while (b > a) b = up[b]!;
  }
  return a;
}

/** `order` lists every reached node after its immediate dominator. */
function numberTree(count: number, root: number, order: Int32Array, immediate: Int32Array): DominatorTree {
  const depth = new Int32Array(count).fill(-1);
  const size = new Int32Array(count);
  for (let i = 0; i < order.length; i++) {
    const node = order[i]!;
    depth[node] = i === 0 ? 0 : depth[immediate[node]!]! + 1;
  }
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i]!;
    size[node]!++;
    if (i > 0) size[immediate[node]!]! += size[node]!;
  }
  const enter = new Int32Array(count).fill(-1);
  const leave = new Int32Array(count).fill(-1);
  const nextChild = new Int32Array(count);
  for (let i = 0; i < order.length; i++) {
    const node = order[i]!;
    const at = i === 0 ? 0 : nextChild[immediate[node]!]!;
    if (i > 0) nextChild[immediate[node]!] = at + size[node]!;
    enter[node] = at;
    leave[node] = at + size[node]!;
    nextChild[node] = at + 1;
  }
  return { root, immediate, enter, leave, depth };
}

/** Reflexive: every reached node dominates itself. */
export function dominates(tree: DominatorTree, a: number, b: number): boolean {
  const at = tree.enter[b]!;
  return at >= 0 && tree.enter[a]! >= 0 && tree.enter[a]! <= at && at < tree.leave[a]!;
}

/** Nearest node that dominates both; −1 when either is not reached. */
export function commonDominator(tree: DominatorTree, a: number, b: number): number {
  if (tree.enter[a]! < 0 || tree.enter[b]! < 0) return -1;
  while (!dominates(tree, a, b)) a = tree.immediate[a]!;
  return a;
}

/**
 * Post-dominators. The virtual exit has number `graph.count` and is the tree's root; every node without successors
 * leads to it. A cycle that nothing leaves (an endless loop) is tied to the exit at its first node in reverse post order
 * from `root`, so that every reached node has a post-dominator; `endless` lists those nodes.
 */
export function computePostDominators(
  graph: Digraph,
  root: number,
): DominatorTree & { readonly endless: readonly number[] } {
  const exit = graph.count;
  const { componentOf, count } = stronglyConnectedComponents(graph);
  const leaves = new Uint8Array(count);
  const edges: number[] = [];
  for (let n = 0; n < graph.count; n++) {
    for (let e = graph.start[n]!; e < graph.start[n + 1]!; e++) {
      const target = graph.targets[e]!;
      edges.push(target, n);
      if (componentOf[target] !== componentOf[n]) leaves[componentOf[n]!] = 1;
    }
    if (graph.start[n] === graph.start[n + 1]) {
      edges.push(exit, n);
      leaves[componentOf[n]!] = 1;
    }
  }
  const endless: number[] = [];
  for (const node of reversePostOrder(graph, root).order) {
    if (leaves[componentOf[node]!]) continue;
    leaves[componentOf[node]!] = 1;
    endless.push(node);
    edges.push(exit, node);
  }
  return { ...computeDominators(digraphFromEdges(exit + 1, edges), exit), endless };
}

/** Dominance frontier of every node, as lists; for phi placement and dominance repair. */
export function dominanceFrontiers(graph: Digraph, tree: DominatorTree): number[][] {
  const frontiers: number[][] = Array.from({ length: graph.count }, () => []);
  const predecessors = reverseDigraph(graph);
  for (let n = 0; n < graph.count; n++) {
    if (tree.enter[n]! < 0) continue;
    for (let e = predecessors.start[n]!; e < predecessors.start[n + 1]!; e++) {
      let runner = predecessors.targets[e]!;
      if (tree.enter[runner]! < 0) continue;
      // Climb to the immediate dominator of n; the root is its own end of climb.
      while (runner >= 0 && runner !== tree.immediate[n]) {
        const list = frontiers[runner]!;
        if (list[list.length - 1] !== n) list.push(n);
        runner = tree.immediate[runner]!;
      }
    }
  }
  return frontiers;
}
