/**
 * The block graph as the structurer sees it: terminators as data, so that edges can be redirected without touching
 * the function. Blocks above `originalBlocks` are added here: dispatchers, edges that set a selector, counted turns.
 */
import type { IrFunction } from '../ir/function.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type ValueId } from '../ir/types.ts';
import type { FlagId } from './tree.ts';

export type Exit =
  | { readonly kind: 'jump'; target: BlockId }
  | { readonly kind: 'branch'; readonly condition: ValueId; taken: BlockId; otherwise: BlockId }
  | {
      readonly kind: 'switch';
      readonly selector: ValueId;
      readonly values: readonly number[];
      readonly targets: BlockId[];
      fallback: BlockId;
    }
  /** A dispatcher: goes to targets[flag]; the flag is always one of the indices. */
  | { readonly kind: 'dispatch'; readonly flag: FlagId; readonly targets: BlockId[] }
  | { readonly kind: 'end' };

export interface StructureGraph {
  readonly originalBlocks: number;
  readonly exits: Exit[];
  /** Flags that added blocks set. */
  readonly sets: Map<BlockId, { readonly flag: FlagId; readonly number: number }>;
  /** Blocks of the function whose code added blocks have. */
  readonly code: Map<BlockId, BlockId>;
  flagCount: number;
}

export function readGraph(fn: IrFunction): StructureGraph {
  const exits: Exit[] = [];
  for (let b = 0 as BlockId; b < fn.blockCount; b++) exits.push(readExit(fn, b));
  return { originalBlocks: fn.blockCount, exits, sets: new Map(), code: new Map(), flagCount: 0 };
}

function readExit(fn: IrFunction, b: BlockId): Exit {
  const t = fn.terminator(b);
  if (t === NO_VALUE) return { kind: 'end' };
  switch (fn.op[t]) {
    case OP.jump:
      return { kind: 'jump', target: fn.imm0[t] as BlockId };
    case OP.branch:
      return {
        kind: 'branch',
        condition: fn.operand(t, 0),
        taken: fn.imm0[t] as BlockId,
        otherwise: fn.imm1[t] as BlockId,
      };
    case OP.switch: {
      const s = fn.switches[fn.imm0[t]!]!;
      return {
        kind: 'switch',
        selector: fn.operand(t, 0),
        values: s.values,
        targets: [...s.targets],
        fallback: s.fallback,
      };
    }
    default:
      return { kind: 'end' };
  }
}

export function successorsOf(exit: Exit): readonly BlockId[] {
  switch (exit.kind) {
    case 'jump':
      return [exit.target];
    case 'branch':
      return exit.taken === exit.otherwise ? [exit.taken] : [exit.taken, exit.otherwise];
    case 'switch':
      return [...new Set([...exit.targets, exit.fallback])];
    case 'dispatch':
      return [...new Set(exit.targets)];
    case 'end':
      return [];
  }
}

/** Replaces every mention of one successor by another. */
export function redirect(exit: Exit, from: BlockId, to: BlockId): void {
  switch (exit.kind) {
    case 'jump':
      if (exit.target === from) exit.target = to;
      break;
    case 'branch':
      if (exit.taken === from) exit.taken = to;
      if (exit.otherwise === from) exit.otherwise = to;
      break;
    case 'switch':
    case 'dispatch':
      for (let i = 0; i < exit.targets.length; i++) if (exit.targets[i] === from) exit.targets[i] = to;
      if (exit.kind === 'switch' && exit.fallback === from) exit.fallback = to;
      break;
    case 'end':
      break;
  }
}

export interface GraphOrder {
  /** Reachable blocks in reverse postorder. */
  readonly order: readonly BlockId[];
  /** Place in `order`; −1 for unreachable blocks. */
  readonly position: Int32Array;
  readonly predecessors: readonly (readonly BlockId[])[];
  /** Immediate dominators; the entry's is itself. */
  readonly dominator: Int32Array;
  /** Depth in the dominator tree. */
  readonly depth: Int32Array;
}

/** Orders and dominators (Cooper, Harvey, Kennedy). */
export function orderGraph(graph: StructureGraph): GraphOrder {
  const count = graph.exits.length;
  const order = reversePostorder(graph);
  const position = new Int32Array(count).fill(-1);
  order.forEach((b, i) => {
    position[b] = i;
  });
  const predecessors: BlockId[][] = Array.from({ length: count }, () => []);
  for (const b of order) for (const s of successorsOf(graph.exits[b]!)) predecessors[s]!.push(b);
  const dominator = new Int32Array(count).fill(-1);
  dominator[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 1; i < order.length; i++) {
      const b = order[i]!;
      let found = -1;
      for (const p of predecessors[b]!) {
        if (dominator[p]! < 0) continue;
        found = found < 0 ? p : meet(found, p, dominator, position);
      }
      if (dominator[b] !== found) {
        dominator[b] = found;
        changed = true;
      }
    }
  }
  const depth = new Int32Array(count);
  for (let i = 1; i < order.length; i++) depth[order[i]!] = depth[dominator[order[i]!]!]! + 1;
  return { order, position, predecessors, dominator, depth };
}

function meet(first: number, second: number, dominator: Int32Array, position: Int32Array): number {
  let a = first;
  let b = second;
  while (a !== b) {
    while (position[a]! > position[b]!) a = dominator[a]!;
    while (position[b]! > position[a]!) b = dominator[b]!;
  }
  return a;
}

function reversePostorder(graph: StructureGraph): BlockId[] {
  const visited = new Uint8Array(graph.exits.length);
  const order: BlockId[] = [];
  const stack: { readonly block: BlockId; readonly rest: BlockId[] }[] = [];
  const enter = (block: BlockId): void => {
    visited[block] = 1;
    stack.push({ block, rest: [...successorsOf(graph.exits[block]!)] });
  };
  enter(0 as BlockId);
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const next = top.rest.pop();
    if (next === undefined) {
      order.push(top.block);
      stack.pop();
    } else if (!visited[next]) enter(next);
  }
  return order.reverse();
}

export function dominatesIn(order: GraphOrder, above: BlockId, below: BlockId): boolean {
  let b = below as number;
  while (order.depth[b]! > order.depth[above]!) b = order.dominator[b]!;
  return b === above;
}
