/**
 * Loops of a digraph: natural loops with their nesting, and what is irreducible.
 *
 * Why: structuring needs one header, the body, the latches and the exits of each loop; irreducible cycles have several
 * entries and are treated apart (bounded splitting, then a dispatcher).
 * A natural loop has a header that dominates the sources of its back edges; loops that share a header are one loop.
 * A cycle that is not entered through a dominating header shows up as a retreating edge in `irreducible`: its target
 * does not dominate its source. The graph is reducible when that list is empty.
 *
 *        ┌─▶ header ──▶ exit target
 *        │     │
 *        └── latch
 */
import { type Digraph, reverseDigraph } from './digraph.ts';
import { type DominatorTree, dominates } from './dominators.ts';
import { reversePostOrder } from './order.ts';

export interface Loop {
  readonly header: number;
  /** Sources of the back edges, ascending. */
  readonly latches: readonly number[];
  /** Every node of the loop, inner loops included, ascending. */
  readonly nodes: readonly number[];
  /** Edges that leave: [from inside, to outside]. */
  readonly exits: readonly (readonly [number, number])[];
  /** Index of the innermost loop around this one; −1 at the top. */
  readonly parent: number;
  /** 1 for outermost loops. */
  readonly depth: number;
}

export interface LoopForest {
  /** Outer loops stand before the loops inside them. */
  readonly loops: readonly Loop[];
  /** Innermost loop of each node; −1 outside of all. */
  readonly loopOf: Int32Array;
  /** Retreating edges [from, to] whose target does not dominate their source. */
  readonly irreducible: readonly (readonly [number, number])[];
}

export function findLoops(graph: Digraph, tree: DominatorTree): LoopForest {
  const { order, position } = reversePostOrder(graph, tree.root);
  const predecessors = reverseDigraph(graph);
  const latchesOf = new Map<number, number[]>();
  const irreducible: [number, number][] = [];
  for (const from of order) {
    for (let e = graph.start[from]!; e < graph.start[from + 1]!; e++) {
      const to = graph.targets[e]!;
      if (position[to]! > position[from]!) continue;
      if (!dominates(tree, to, from)) irreducible.push([from, to]);
      else if (!latchesOf.has(to)) latchesOf.set(to, [from]);
      else latchesOf.get(to)!.push(from);
    }
  }
  // Headers in reverse post order: an outer loop's header comes before the headers inside it.
  const headers = [...latchesOf.keys()].sort((a, b) => position[a]! - position[b]!);
  const loopOf = new Int32Array(graph.count).fill(-1);
  const loops: Loop[] = [];
  for (const header of headers) {
    const latches = [...new Set(latchesOf.get(header)!)].sort((a, b) => a - b);
    const nodes = collectBody(predecessors, header, latches, position);
    const parent = loopOf[header]!;
    const depth = parent < 0 ? 1 : loops[parent]!.depth + 1;
    const inside = new Set(nodes);
    const exits: [number, number][] = [];
    for (const from of nodes) {
      loopOf[from] = loops.length;
      for (let e = graph.start[from]!; e < graph.start[from + 1]!; e++) {
        if (!inside.has(graph.targets[e]!)) exits.push([from, graph.targets[e]!]);
      }
    }
    loops.push({ header, latches, nodes, exits, parent, depth });
  }
  return { loops, loopOf, irreducible };
}

/** Nodes that reach a latch without passing the header, and the header; ascending. Unreached nodes stay out. */
function collectBody(
  predecessors: Digraph,
  header: number,
  latches: readonly number[],
  position: Int32Array,
): number[] {
  const body = new Set<number>([header]);
  const stack = latches.filter((n) => n !== header);
  for (const n of stack) body.add(n);
  while (stack.length > 0) {
    const node = stack.pop()!;
    for (let e = predecessors.start[node]!; e < predecessors.start[node + 1]!; e++) {
      const p = predecessors.targets[e]!;
      if (position[p]! < 0 || body.has(p)) continue;
      body.add(p);
      stack.push(p);
    }
  }
  return [...body].sort((a, b) => a - b);
}
