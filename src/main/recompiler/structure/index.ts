/**
 * Structured control flow from any block graph: real if/else and loops, for SPIR-V and WGSL.
 *
 * Why last: everything before works on the graph as the guest wrote it. Phis are lowered to variables, the graph is made
 * reducible, turned into a tree, brought to structured form, written as blocks again, and SSA is rebuilt.
 *
 * In: a verified function. Out: the same function with the same paths; every branch and loop header has its merge.
 */
import { assert } from '../../base/assert.ts';
import type { IrFunction } from '../ir/function.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type ValueId } from '../ir/types.ts';
import { buildTree } from './build-tree.ts';
import { emitBlocks } from './emit-blocks.ts';
import { orderGraph, readGraph } from './graph.ts';
import { joinBlocks } from './join-blocks.ts';
import { makeReducible } from './make-reducible.ts';
import { addPhaseLoop, addTripChecks, cutAtBarriers } from './phases.ts';
import { lowerPhis, rebuildSsa } from './rebuild-ssa.ts';
import { resolveExits } from './resolve-exits.ts';

export interface StructuredFunction {
  readonly fn: IrFunction;
  /** Every block after its dominators, merges after their constructs. */
  readonly order: readonly BlockId[];
  /** Merge block of the selection or loop that a block opens. */
  readonly merge: ReadonlyMap<BlockId, BlockId>;
  /** Continue block of each loop header. */
  readonly continueTarget: ReadonlyMap<BlockId, BlockId>;
  /** How many loops with several entries got a dispatcher. */
  readonly dispatchers: number;
  /** In phase form: turns are counted by `trip.check`, and nothing but the last block returns. */
  readonly phases: boolean;
}

export interface StructureOptions {
  /** Make the phase form: see phases.ts. */
  readonly phases?: boolean;
}

/** Changes `fn` in place. */
export function structureFunction(fn: IrFunction, options: StructureOptions = {}): StructuredFunction {
  placeExtracts(fn);
  const lowered = lowerPhis(fn);
  const cut = options.phases ? cutAtBarriers(fn, lowered) : undefined;
  const graph = readGraph(fn);
  const loop = cut && addPhaseLoop(graph, cut);
  const dispatchers = makeReducible(graph);
  if (loop) addTripChecks(fn, graph, loop);
  const tree = buildTree(graph, orderGraph(graph));
  const resolved = resolveExits(tree, graph.flagCount, graph.exits.length);
  const blocks = emitBlocks(fn, resolved.tree);
  if (loop) blocks.flagTests.push(loop.test);
  rebuildSsa(fn, blocks, lowered);
  const order = joinBlocks(fn, blocks);
  const { merge, continueTarget } = blocks;
  return { fn, order, merge, continueTarget, dispatchers, phases: loop !== undefined };
}

/** Tuples cannot be phis: their components are taken right where they are made. */
function placeExtracts(fn: IrFunction): void {
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; ) {
      const next = fn.next[v] as ValueId;
      if (fn.op[v] === OP.extract) {
        const tuple = fn.operand(v, 0);
        assert(!fn.isRemoved(tuple), 'an extract of a removed tuple');
        if (fn.block[tuple] !== b) {
          fn.remove(v);
          fn.insertAfter(tuple, v);
        }
      }
      v = next;
    }
  }
}
