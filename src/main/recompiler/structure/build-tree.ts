/**
 * Builds the control tree of a reducible graph.
 *
 * Method: the dominator-tree translation of Ramsey, "Beyond Relooper" (ICFP 2022), with one change: what lies behind a
 * loop is placed after it instead of inside. A block becomes a labelled continuation of its placement parent when
 * several edges meet in it or when it was moved out of a loop; every other block is written where it is branched to.
 * Labelled children are nested so that a later one in reverse postorder is further out.
 */
import { assert } from '../../base/assert.ts';
import type { BlockId } from '../ir/types.ts';
import { dominatesIn, type GraphOrder, type StructureGraph } from './graph.ts';
import type { Condition, Label, Node, Tree } from './tree.ts';

const NONE = -1;

interface Placement {
  /** Innermost loop header of each block (of a header: its own loop), −1 outside loops. */
  readonly loop: Int32Array;
  /** Header of the loop around the loop of a header, −1. */
  readonly outerLoop: Int32Array;
  readonly isHeader: Uint8Array;
  readonly isLabelled: Uint8Array;
  /** Labelled children inside the parent's loop body and behind it, by reverse postorder. */
  readonly inner: readonly BlockId[][];
  readonly after: readonly BlockId[][];
}

export function buildTree(graph: StructureGraph, order: GraphOrder): Tree {
  const placement = place(graph, order);
  return new TreeBuilder(graph, order, placement).treeOf(0 as BlockId);
}

function place(graph: StructureGraph, order: GraphOrder): Placement {
  const count = graph.exits.length;
  const { loop, outerLoop, isHeader } = findLoops(graph, order);
  const isLabelled = new Uint8Array(count);
  const inner: BlockId[][] = Array.from({ length: count }, () => []);
  const after: BlockId[][] = Array.from({ length: count }, () => []);
  const contains = (header: number, b: BlockId): boolean => {
    let l = loop[b]!;
    while (l !== NONE && l !== header) l = outerLoop[l]!;
    return l === header;
  };
  for (const b of order.order) {
    if (b === 0) continue;
    let parent = order.dominator[b]!;
    let moved = false;
    // Up to the header of the outermost loop that has the parent but not this block.
    for (let l = loop[parent]!; l !== NONE && !contains(l, b); l = outerLoop[l]!) {
      parent = l;
      moved = true;
    }
    const forward = order.predecessors[b]!.filter((p) => order.position[p]! < order.position[b]!).length;
    if (!moved && forward < 2) continue;
    isLabelled[b] = 1;
    (moved ? after : inner)[parent]!.push(b);
  }
  return { loop, outerLoop, isHeader, isLabelled, inner, after };
}

function findLoops(graph: StructureGraph, order: GraphOrder): Pick<Placement, 'loop' | 'outerLoop' | 'isHeader'> {
  const count = graph.exits.length;
  const loop = new Int32Array(count).fill(NONE);
  const outerLoop = new Int32Array(count).fill(NONE);
  const isHeader = new Uint8Array(count);
  // Inner headers come later in reverse postorder: going backwards, the innermost loop claims a block first.
  for (let i = order.order.length - 1; i >= 0; i--) {
    const header = order.order[i]!;
    const latches = order.predecessors[header]!.filter((p) => order.position[p]! >= i);
    if (latches.length === 0) continue;
    isHeader[header] = 1;
    const work: BlockId[] = [];
    const claim = (b: BlockId): void => {
      let at = b as number;
      if (loop[at] === NONE) loop[at] = header;
      else {
        // A block of an inner loop stands for the outermost loop known so far, as a whole.
        at = loop[at]!;
        while (outerLoop[at] !== NONE) at = outerLoop[at]!;
        if (at === header) return;
        outerLoop[at] = header;
      }
      work.push(at as BlockId);
    };
    loop[header] = header;
    for (const latch of latches) {
      assert(dominatesIn(order, header, latch), 'the graph is not reducible');
      if (latch !== header) claim(latch);
    }
    while (work.length > 0) {
      const b = work.pop()!;
      for (const p of order.predecessors[b]!) if (order.position[p]! >= 0 && p !== header) claim(p);
    }
  }
  return { loop, outerLoop, isHeader };
}

class TreeBuilder {
  private readonly graph: StructureGraph;
  private readonly order: GraphOrder;
  private readonly placement: Placement;

  constructor(graph: StructureGraph, order: GraphOrder, placement: Placement) {
    this.graph = graph;
    this.order = order;
    this.placement = placement;
  }

  /** Everything that is placed at this block. */
  treeOf(block: BlockId): Tree {
    const { inner, after, isHeader } = this.placement;
    const body = this.nest(inner[block]!, () => this.codeOf(block));
    if (!isHeader[block]) return body;
    const loop: Node = { kind: 'loop', label: block as number as Label, body };
    return this.nest(after[block]!, () => [loop]);
  }

  /** `children` ascending in reverse postorder: the first is the innermost scope. */
  private nest(children: readonly BlockId[], innermost: () => Tree): Tree {
    let tree = innermost();
    for (const child of children) {
      const scope: Node = { kind: 'scope', label: child as number as Label, body: tree };
      tree = [scope, ...this.treeOf(child)];
    }
    return tree;
  }

  /** The block's own code and what follows it, up to labels. A chain of plain blocks is a loop here, not recursion. */
  private codeOf(first: BlockId): Tree {
    const nodes: Node[] = [];
    let block = first;
    for (;;) {
      const set = this.graph.sets.get(block);
      const code = block < this.graph.originalBlocks ? block : this.graph.code.get(block);
      if (code !== undefined) nodes.push({ kind: 'code', block: code });
      if (set) nodes.push({ kind: 'set', ...set });
      const exit = this.graph.exits[block]!;
      if (exit.kind !== 'jump') {
        nodes.push(...this.exitOf(block));
        return nodes;
      }
      const jump = this.jumpTo(block, exit.target);
      if (jump) {
        nodes.push(jump);
        return nodes;
      }
      const target = exit.target;
      if (this.placement.isHeader[target] || this.placement.inner[target]!.length > 0) {
        nodes.push(...this.treeOf(target));
        return nodes;
      }
      block = target;
    }
  }

  /** The jump when the target has a label; undefined when it is written in place. */
  private jumpTo(from: BlockId, target: BlockId): Node | undefined {
    const label = target as number as Label;
    if (this.order.position[target]! <= this.order.position[from]!) return { kind: 'continue', label };
    return this.placement.isLabelled[target] ? { kind: 'exit', label } : undefined;
  }

  private branchTo(from: BlockId, target: BlockId): Tree {
    const jump = this.jumpTo(from, target);
    return jump ? [jump] : this.treeOf(target);
  }

  private exitOf(block: BlockId): Tree {
    const exit = this.graph.exits[block]!;
    switch (exit.kind) {
      case 'jump':
        return this.branchTo(block, exit.target);
      case 'branch':
        if (exit.taken === exit.otherwise) return this.branchTo(block, exit.taken);
        return [
          {
            kind: 'if',
            condition: { kind: 'value', value: exit.condition },
            taken: this.branchTo(block, exit.taken),
            otherwise: this.branchTo(block, exit.otherwise),
          },
        ];
      case 'switch': {
        const tests = exit.values.map((number, i): [Condition, BlockId] => [
          { kind: 'selector', value: exit.selector, number },
          exit.targets[i]!,
        ]);
        return this.chain(block, tests, exit.fallback);
      }
      case 'dispatch': {
        const tests = exit.targets.map((target, number): [Condition, BlockId] => [
          { kind: 'flag', flag: exit.flag, number },
          target,
        ]);
        const [, last] = tests.pop()!;
        return this.chain(block, tests, last);
      }
      case 'end':
        return [{ kind: 'end' }];
    }
  }

  /** Tests in turn. A target of several cases has one edge in the graph: it must have a label to be named twice. */
  private chain(block: BlockId, tests: readonly [Condition, BlockId][], fallback: BlockId): Tree {
    const mentions = new Map<BlockId, number>([[fallback, 1]]);
    for (const [, target] of tests) mentions.set(target, (mentions.get(target) ?? 0) + 1);
    const shared = [...mentions]
      .filter(([target, n]) => n > 1 && !this.jumpTo(block, target))
      .map(([target]) => target);
    const go = (target: BlockId): Tree =>
      shared.includes(target) ? [{ kind: 'exit', label: target as number as Label }] : this.branchTo(block, target);
    let tree = go(fallback);
    for (let i = tests.length - 1; i >= 0; i--) {
      const [condition, target] = tests[i]!;
      tree = [{ kind: 'if', condition, taken: go(target), otherwise: tree }];
    }
    for (const target of shared) {
      tree = [{ kind: 'scope', label: target as number as Label, body: tree }, ...this.treeOf(target)];
    }
    return tree;
  }
}
