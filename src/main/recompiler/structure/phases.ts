/**
 * The phase form: a program whose barriers not every wave reaches in the same place becomes one loop over phases that
 * every wave of the group goes through together.
 *
 *   state = 0
 *   loop                                   in all waves, as often in each
 *     dispatch on state                    entry, behind barrier 1, behind barrier 2 … ; a wave that has ended goes on below
 *       …                                  guest code up to the next barrier k: state = k; or its end: state = ended
 *     more = barrier.phase(state = ended)  the only barrier: all waves are here
 *   while more                             some wave has not ended
 *
 * Why: OpControlBarrier asks for flow that the whole group shares; s_barrier lets any wave meet any other at any barrier,
 * and forgets waves that have ended. Ended waves go on arriving, so the host's barrier always has everyone.
 *
 * In: a function without phis (lowered, with their sources) and its graph. Out: the graph of the phase form; guest loops
 * that a barrier was inside of are entered in the middle, which make-reducible deals with; values that live across a
 * barrier lose dominance, which rebuild-ssa repairs.
 */
import { assert } from '../../base/assert.ts';
import { Builder } from '../ir/builder.ts';
import { type IrFunction, NO_LOCATION } from '../ir/function.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type ValueId } from '../ir/types.ts';
import type { FlagTest } from './emit-blocks.ts';
import { type Exit, orderGraph, redirect, type StructureGraph } from './graph.ts';
import type { LoweredPhi } from './rebuild-ssa.ts';
import type { FlagId } from './tree.ts';

/** What the function looks like once its blocks are cut. */
export interface CutBarriers {
  /** Blocks that end with a barrier, and the block behind each. */
  readonly cuts: readonly { readonly before: BlockId; readonly behind: BlockId }[];
  /** The block of `barrier.phase`. */
  readonly meeting: BlockId;
  /** `barrier.phase`: some wave has not ended. */
  readonly more: ValueId;
  /** The comparison of the state with "ended", to be completed by rebuild-ssa. */
  readonly ended: ValueId;
}

/** Cuts blocks at their barriers, which go, and makes the meeting block. */
export function cutAtBarriers(fn: IrFunction, lowered: readonly LoweredPhi[]): CutBarriers {
  // Only the way out of the first block belongs into the loop: what it computes stays in front and needs no phis.
  cutBefore(fn, fn.terminator(0 as BlockId), lowered);
  const cuts: { before: BlockId; behind: BlockId }[] = [];
  // Blocks made here are visited too: a block may hold several barriers.
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
      if (fn.op[v] !== OP.barrier) continue;
      cuts.push({ before: b, behind: cutBehind(fn, v, lowered) });
      break;
    }
  }
  const meeting = fn.createBlock();
  const builder = new Builder(fn, meeting);
  // The state numbers are: 0 entry, k behind cut k, then ended.
  const ended = builder.emit2('icmp.eq.u32', fn.constant32(0), fn.constant32(cuts.length + 1));
  const more = builder.emit1('barrier.phase', ended);
  return { cuts, meeting, more, ended };
}

/** Moves what follows a barrier to a new block and removes the barrier. */
function cutBehind(fn: IrFunction, barrier: ValueId, lowered: readonly LoweredPhi[]): BlockId {
  const behind = cutBefore(fn, fn.next[barrier] as ValueId, lowered);
  // The way to the new block is the phase loop's business.
  fn.remove(fn.terminator(fn.block[barrier] as BlockId));
  fn.preds[behind]!.length = 0;
  fn.remove(barrier);
  return behind;
}

/** Moves a value and what follows it to a new block, to which the old one jumps. */
function cutBefore(fn: IrFunction, first: ValueId, lowered: readonly LoweredPhi[]): BlockId {
  const before = fn.block[first] as BlockId;
  const behind = fn.createBlock(fn.blockLocation[before]);
  for (let v = first; v !== NO_VALUE; ) {
    const next = fn.next[v] as ValueId;
    fn.remove(v);
    fn.append(behind, v);
    v = next;
  }
  fn.setJump(before, behind);
  for (const s of fn.successors(behind)) fn.replacePredecessor(s, before, behind);
  for (const phi of lowered) {
    phi.sources.forEach((source, i) => {
      if (source === before) phi.sources[i] = behind;
    });
  }
  return behind;
}

export interface PhaseLoop {
  /** For rebuild-ssa. */
  readonly test: FlagTest;
  readonly header: BlockId;
  /** Where a wave goes that ends. */
  readonly toEnded: BlockId;
}

/** Rewires the graph: the loop over phases around everything. */
export function addPhaseLoop(graph: StructureGraph, { cuts, meeting, more, ended }: CutBarriers): PhaseLoop {
  const state = graph.flagCount++ as FlagId;
  const endedState = cuts.length + 1;
  const { exits } = graph;
  const add = (exit: Exit): BlockId => (exits.push(exit) - 1) as BlockId;
  const setting = (number: number, target: BlockId): BlockId => {
    const block = add({ kind: 'jump', target });
    graph.sets.set(block, { flag: state, number });
    return block;
  };
  const entry = exits[0]!;
  assert(entry.kind === 'jump', 'the first block leads to the program');
  const toEnded = setting(endedState, meeting);
  const cut = new Set(cuts.map(({ before }) => before));
  for (let b = 0 as BlockId; b < graph.originalBlocks; b++) {
    if (exits[b]!.kind === 'end' && b !== meeting && !cut.has(b)) exits[b] = { kind: 'jump', target: toEnded };
  }
  cuts.forEach(({ before }, i) => {
    exits[before] = { kind: 'jump', target: setting(i + 1, meeting) };
  });
  const header = add({
    kind: 'dispatch',
    flag: state,
    targets: [entry.target, ...cuts.map(({ behind }) => behind), meeting],
  });
  exits[0] = { kind: 'jump', target: setting(0, header) };
  const over = add({ kind: 'end' });
  exits[meeting] = { kind: 'branch', condition: more, taken: header, otherwise: over };
  return { test: { block: meeting, flag: state, number: endedState, compare: ended }, header, toEnded };
}

/**
 * Counts the turns of every loop in a block of its own before the loop's header; a wave with too many goes on as ended.
 * In the phase form a wave must not simply return: the others would wait for it. The graph is reducible already.
 */
export function addTripChecks(fn: IrFunction, graph: StructureGraph, { toEnded }: PhaseLoop): void {
  const { order, position, predecessors } = orderGraph(graph);
  for (const h of order) {
    if (!predecessors[h]!.some((p) => position[p]! >= position[h]!)) continue;
    const block = fn.createBlock();
    const location = h < graph.originalBlocks ? firstLocation(fn, h) : NO_LOCATION;
    const over = new Builder(fn, block, location).emit0('trip.check');
    const check = (graph.exits.push({ kind: 'branch', condition: over, taken: toEnded, otherwise: h }) - 1) as BlockId;
    graph.code.set(check, block);
    for (const p of predecessors[h]!) redirect(graph.exits[p]!, h, check);
  }
}

function firstLocation(fn: IrFunction, b: BlockId): number {
  for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId)
    if (fn.location[v]! >= 0) return fn.location[v]!;
  return fn.blockLocation[b]!;
}
