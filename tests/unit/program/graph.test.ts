/**
 * Graph algorithms against their definitions, by brute force, on seeded random graphs and on small known ones.
 * A dominates B when removing A cuts B off from the root: that is what is computed here, nothing cleverer.
 */
import { describe, expect, it } from 'vitest';
import { stronglyConnectedComponents } from '../../../src/main/program/graph/components.ts';
import {
  type Digraph,
  digraphFromEdges,
  digraphFromLists,
  reverseDigraph,
  successorsOf,
} from '../../../src/main/program/graph/digraph.ts';
import {
  commonDominator,
  computeDominators,
  computePostDominators,
  dominanceFrontiers,
  dominates,
} from '../../../src/main/program/graph/dominators.ts';
import { findLoops } from '../../../src/main/program/graph/loops.ts';
import { reversePostOrder } from '../../../src/main/program/graph/order.ts';

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomGraph(seed: number): Digraph {
  const next = random(seed);
  const count = 1 + Math.floor(next() * 14);
  const lists: number[][] = [];
  for (let n = 0; n < count; n++) {
    const degree = Math.floor(next() * 3);
    lists.push(Array.from({ length: degree }, () => Math.floor(next() * count)));
  }
  return digraphFromLists(lists);
}

function reachable(graph: Digraph, from: number, without = -1): Set<number> {
  const seen = new Set<number>();
  if (from === without) return seen;
  const stack = [from];
  seen.add(from);
  while (stack.length > 0) {
    for (const target of successorsOf(graph, stack.pop()!)) {
      if (target === without || seen.has(target)) continue;
      seen.add(target);
      stack.push(target);
    }
  }
  return seen;
}

const SEEDS = Array.from({ length: 400 }, (_, i) => i + 1);

describe('digraph', () => {
  it('builds the same rows from lists and from edges', () => {
    const a = digraphFromLists([[1, 2], [2], [0], []]);
    const b = digraphFromEdges(4, [0, 1, 0, 2, 1, 2, 2, 0]);
    expect([...a.start]).toEqual([0, 2, 3, 4, 4]);
    expect([...b.start]).toEqual([...a.start]);
    expect([...b.targets]).toEqual([...a.targets]);
    expect([...successorsOf(reverseDigraph(a), 2)]).toEqual([0, 1]);
  });
});

describe('reverse post order', () => {
  it('lists the reached nodes, each before its successors unless an edge goes back', () => {
    for (const seed of SEEDS) {
      const graph = randomGraph(seed);
      const { order, position } = reversePostOrder(graph, 0);
      expect(new Set(order)).toEqual(reachable(graph, 0));
      expect(order[0]).toBe(0);
      for (let i = 0; i < order.length; i++) expect(position[order[i]!]).toBe(i);
      // An edge against the order closes a cycle.
      for (const node of order) {
        for (const target of successorsOf(graph, node)) {
          if (position[target]! <= position[node]!) expect(reachable(graph, target).has(node)).toBe(true);
        }
      }
    }
  });

  it('keeps the first successor before the second', () => {
    expect([...reversePostOrder(digraphFromLists([[1, 2], [3], [3], []]), 0).order]).toEqual([0, 1, 2, 3]);
  });

  it('survives a chain of 200,000 nodes', () => {
    const count = 200_000;
    const graph = digraphFromLists(Array.from({ length: count }, (_, n) => (n + 1 < count ? [n + 1] : [])));
    const tree = computeDominators(graph, 0);
    expect(tree.immediate[count - 1]).toBe(count - 2);
    expect(stronglyConnectedComponents(graph).count).toBe(count);
  });
});

describe('dominators', () => {
  it('agree with removal of nodes', () => {
    for (const seed of SEEDS) {
      const graph = randomGraph(seed);
      const tree = computeDominators(graph, 0);
      const all = reachable(graph, 0);
      for (let a = 0; a < graph.count; a++) {
        const rest = reachable(graph, 0, a);
        for (let b = 0; b < graph.count; b++) {
          const expected = all.has(a) && all.has(b) && (a === b || !rest.has(b));
          expect(dominates(tree, a, b), `seed ${seed}: ${a} dom ${b}`).toBe(expected);
        }
      }
    }
  });

  it('name the nearest strict dominator and common dominator', () => {
    for (const seed of SEEDS) {
      const graph = randomGraph(seed);
      const tree = computeDominators(graph, 0);
      const all = [...reachable(graph, 0)];
      for (const b of all) {
        const strict = all.filter((a) => a !== b && dominates(tree, a, b));
        const nearest = strict.find((a) => strict.every((other) => dominates(tree, other, a)));
        expect(tree.immediate[b]).toBe(nearest ?? -1);
        for (const c of all) {
          const both = all.filter((a) => dominates(tree, a, b) && dominates(tree, a, c));
          expect(commonDominator(tree, b, c)).toBe(both.find((a) => both.every((other) => dominates(tree, other, a))));
        }
      }
    }
  });

  it('have frontiers as defined: predecessors dominated, the node itself not strictly', () => {
    for (const seed of SEEDS) {
      const graph = randomGraph(seed);
      const tree = computeDominators(graph, 0);
      const frontiers = dominanceFrontiers(graph, tree);
      const predecessors = reverseDigraph(graph);
      const all = [...reachable(graph, 0)];
      for (const a of all) {
        const expected = all.filter(
          (n) =>
            [...successorsOf(predecessors, n)].some((p) => dominates(tree, a, p)) &&
            !(a !== n && dominates(tree, a, n)),
        );
        expect(new Set(frontiers[a]), `seed ${seed}: frontier of ${a}`).toEqual(new Set(expected));
      }
    }
  });
});

describe('post-dominators', () => {
  it('agree with removal of nodes on the graph with a virtual exit', () => {
    for (const seed of SEEDS) {
      const graph = randomGraph(seed);
      const tree = computePostDominators(graph, 0);
      const exit = graph.count;
      const lists = Array.from({ length: exit + 1 }, (_, n) => (n < exit ? [...successorsOf(graph, n)] : []));
      for (let n = 0; n < exit; n++) if (lists[n]!.length === 0 || tree.endless.includes(n)) lists[n]!.push(exit);
      const closed = digraphFromLists(lists);
      for (const b of reachable(graph, 0)) {
        expect(reachable(closed, b).has(exit), `seed ${seed}: ${b} reaches the exit`).toBe(true);
        for (const a of reachable(graph, 0)) {
          const expected = a === b || !reachable(closed, b, a).has(exit);
          expect(dominates(tree, a, b), `seed ${seed}: ${a} pdom ${b}`).toBe(expected);
        }
      }
    }
  });

  it('ties an endless loop to the exit once', () => {
    const tree = computePostDominators(digraphFromLists([[1], [2], [1]]), 0);
    expect(tree.endless).toEqual([1]);
    expect([...tree.immediate]).toEqual([1, 3, 1, -1]);
  });
});

describe('components', () => {
  it('hold exactly the nodes that reach each other, numbered callee first', () => {
    for (const seed of SEEDS) {
      const graph = randomGraph(seed);
      const { componentOf, cyclic } = stronglyConnectedComponents(graph);
      const reach = Array.from({ length: graph.count }, (_, n) => reachable(graph, n));
      for (let a = 0; a < graph.count; a++) {
        for (let b = 0; b < graph.count; b++) {
          expect(componentOf[a] === componentOf[b]).toBe(reach[a]!.has(b) && reach[b]!.has(a));
        }
        for (const b of successorsOf(graph, a)) expect(componentOf[b]!).toBeLessThanOrEqual(componentOf[a]!);
        const onCycle = [...successorsOf(graph, a)].some((b) => reach[b]!.has(a));
        if (onCycle) expect(cyclic[componentOf[a]!]).toBe(1);
      }
    }
  });

  it('respect a mask', () => {
    const graph = digraphFromLists([[1], [2], [0]]);
    const { componentOf, cyclic } = stronglyConnectedComponents(graph, Uint8Array.from([1, 1, 0]));
    expect([...componentOf]).toEqual([1, 0, -1]);
    expect([...cyclic]).toEqual([0, 0]);
  });
});

describe('loops', () => {
  it('nest: two loops with one exit each', () => {
    //  0 → 1 → 2 → 3 → 4 → 5,  3 → 2 (inner),  4 → 1 (outer)
    const graph = digraphFromLists([[1], [2], [3], [2, 4], [1, 5], []]);
    const forest = findLoops(graph, computeDominators(graph, 0));
    expect(forest.irreducible).toEqual([]);
    expect(forest.loops).toEqual([
      { header: 1, latches: [4], nodes: [1, 2, 3, 4], exits: [[4, 5]], parent: -1, depth: 1 },
      { header: 2, latches: [3], nodes: [2, 3], exits: [[3, 4]], parent: 0, depth: 2 },
    ]);
    expect([...forest.loopOf]).toEqual([-1, 0, 1, 1, 0, -1]);
  });

  it('share a header with two latches', () => {
    const graph = digraphFromLists([[1], [2, 3], [1], [1, 4], []]);
    const forest = findLoops(graph, computeDominators(graph, 0));
    expect(forest.loops.map((loop) => [loop.header, loop.latches])).toEqual([[1, [2, 3]]]);
  });

  it('leave a cycle with two entries out and name its edge', () => {
    const graph = digraphFromLists([[1, 2], [2], [1, 3], []]);
    const forest = findLoops(graph, computeDominators(graph, 0));
    expect(forest.loops).toEqual([]);
    expect(forest.irreducible.length).toBe(1);
  });

  it('hold on random graphs: headers dominate, bodies reach a latch, nesting is by inclusion', () => {
    let reducible = 0;
    for (const seed of SEEDS) {
      const graph = randomGraph(seed);
      const tree = computeDominators(graph, 0);
      const forest = findLoops(graph, tree);
      for (const loop of forest.loops) {
        const inside = new Set(loop.nodes);
        for (const node of loop.nodes) {
          expect(dominates(tree, loop.header, node)).toBe(true);
          if (loop.parent >= 0) expect(forest.loops[loop.parent]!.nodes).toContain(node);
        }
        for (const latch of loop.latches) expect([...successorsOf(graph, latch)]).toContain(loop.header);
        for (const [from, to] of loop.exits) expect([inside.has(from), inside.has(to)]).toEqual([true, false]);
      }
      // Reducible by definition: without edges to dominators no cycle is left.
      const lists = Array.from({ length: graph.count }, (_, n) =>
        [...successorsOf(graph, n)].filter((m) => !dominates(tree, m, n)),
      );
      const reached = Uint8Array.from(lists, (_, n) => (tree.enter[n]! >= 0 ? 1 : 0));
      const rest = stronglyConnectedComponents(digraphFromLists(lists), reached);
      expect(forest.irreducible.length === 0, `seed ${seed}`).toBe(!rest.cyclic.includes(1));
      if (forest.irreducible.length === 0) reducible++;
    }
    expect(reducible).toBeGreaterThan(100);
    expect(reducible).toBeLessThan(SEEDS.length);
  });
});
