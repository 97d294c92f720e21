/**
 * Directed graphs over dense node numbers 0…count−1 in compressed rows: the one form that ordering, dominators, loops
 * and components work on, whatever the nodes stand for (guest blocks, expanded blocks, IR blocks).
 *
 * Why typed arrays: these algorithms run over graphs of tens of thousands of blocks inside compile-time budgets; rows
 * are scanned without allocation. Successors of node n are `targets[start[n]] … targets[start[n + 1] − 1]`, in the
 * order in which they were given. Parallel edges and self loops are allowed.
 */
export interface Digraph {
  readonly count: number;
  /** count + 1 entries, ascending. */
  readonly start: Int32Array;
  readonly targets: Int32Array;
}

/** What any block list offers: `successors[n]` are the successors of n. */
export function digraphFromLists(successors: readonly (readonly number[])[]): Digraph {
  const count = successors.length;
  const start = new Int32Array(count + 1);
  for (let n = 0; n < count; n++) start[n + 1] = start[n]! + successors[n]!.length;
  const targets = new Int32Array(start[count]!);
  let at = 0;
  for (const list of successors) for (const target of list) targets[at++] = target;
  return { count, start, targets };
}

/** Pairs (from, to), flattened: edge e is `edges[2e] → edges[2e + 1]`. */
export function digraphFromEdges(count: number, edges: readonly number[] | Int32Array): Digraph {
  const start = new Int32Array(count + 1);
  for (let e = 0; e < edges.length; e += 2) start[edges[e]! + 1]!++;
  for (let n = 0; n < count; n++) start[n + 1]! += start[n]!;
  const targets = new Int32Array(edges.length / 2);
  const next = start.slice();
  for (let e = 0; e < edges.length; e += 2) targets[next[edges[e]!]!++] = edges[e + 1]!;
  return { count, start, targets };
}

/** The same edges turned round: rows hold predecessors, ascending by source node. */
export function reverseDigraph(graph: Digraph): Digraph {
  const { count } = graph;
  const start = new Int32Array(count + 1);
  for (let e = 0; e < graph.targets.length; e++) start[graph.targets[e]! + 1]!++;
  for (let n = 0; n < count; n++) start[n + 1]! += start[n]!;
  const targets = new Int32Array(graph.targets.length);
  const next = start.slice();
  for (let n = 0; n < count; n++) {
    for (let e = graph.start[n]!; e < graph.start[n + 1]!; e++) targets[next[graph.targets[e]!]!++] = n;
  }
  return { count, start, targets };
}

export function successorsOf(graph: Digraph, node: number): Int32Array {
  return graph.targets.subarray(graph.start[node]!, graph.start[node + 1]!);
}
