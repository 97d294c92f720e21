/**
 * Strongly connected components: which nodes lie on a common cycle. Used for irreducible regions and recursion.
 * Method: Tarjan's algorithm with an explicit stack. Components are numbered in reverse topological order (a component
 * is numbered before every component that leads to it).
 */
import type { Digraph } from './digraph.ts';

export interface Components {
  readonly count: number;
  /** Component of each node; −1 when `within` excludes it. */
  readonly componentOf: Int32Array;
  /** 1 where the component holds a cycle (more than one node, or a self loop). */
  readonly cyclic: Uint8Array;
}

/** With `within`, only nodes marked non-zero (and edges between them) count. */
export function stronglyConnectedComponents(graph: Digraph, within?: Uint8Array): Components {
  const { count, start, targets } = graph;
  const componentOf = new Int32Array(count).fill(-1);
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const next = new Int32Array(count);
  const open: number[] = [];
  const path: number[] = [];
  const cyclic: number[] = [];
  let counter = 0;
  for (let root = 0; root < count; root++) {
    if (index[root]! >= 0 || (within && !within[root])) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      if (index[node]! < 0) {
        index[node] = low[node] = counter++;
        next[node] = start[node]!;
        open.push(node);
      }
      let descended = false;
      while (next[node]! < start[node + 1]!) {
        const target = targets[next[node]!++]!;
        if (within && !within[target]) continue;
        if (index[target]! < 0) {
          path.push(target);
          descended = true;
          break;
        }
        if (componentOf[target]! < 0) low[node] = Math.min(low[node]!, index[target]!);
      }
      if (descended) continue;
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== index[node]) continue;
      let size = 0;
      for (;;) {
        const member = open.pop()!;
        componentOf[member] = cyclic.length;
        size++;
        if (member === node) break;
      }
      cyclic.push(size > 1 || hasSelfLoop(graph, node) ? 1 : 0);
    }
  }
  return { count: cyclic.length, componentOf, cyclic: Uint8Array.from(cyclic) };
}

function hasSelfLoop(graph: Digraph, node: number): boolean {
  for (let e = graph.start[node]!; e < graph.start[node + 1]!; e++) if (graph.targets[e] === node) return true;
  return false;
}
