/**
 * Which barriers every wave of a group reaches in the same place, proved.
 *
 * Why: OpControlBarrier asks for workgroup-uniform control flow, s_barrier does not. A barrier that is not proved here
 * must not be emitted as it stands: on some drivers the group hangs. Such a program gets the phase form (phases.ts).
 *
 * Method: a value differs between waves when it comes from the wave's number, from lanes (ballots, readlane), from a
 * clock, or from such a value; a phi also when the way to it does. A branch on such a value makes the flow differ in all
 * blocks up to its post-dominator. To a fixpoint. Scalar loads count as equal when their addresses are: waves that race
 * on the word that decides a barrier have no defined result on the hardware either.
 */

import { digraphFromLists } from '../../program/graph/digraph.ts';
import { computePostDominators } from '../../program/graph/dominators.ts';
import type { IrFunction } from '../ir/function.ts';
import { LAUNCH_WORDS, OP, OP_NAMES, OPS, type OpRow } from '../ir/ops.ts';
import { type BlockId, isPerLane, NO_VALUE, type Type, type ValueId } from '../ir/types.ts';

/** Barriers that are not proved; empty when all may be emitted directly. */
export function unprovedBarriers(fn: IrFunction): ValueId[] {
  const barriers: ValueId[] = [];
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId)
      if (fn.op[v] === OP.barrier) barriers.push(v);
  }
  if (barriers.length === 0) return [];
  const [x, y, z] = fn.shape.threads;
  // A group of one wave is always together.
  if (x * y * z <= fn.shape.waveSize) return [];
  const { differs } = differingFlow(fn);
  return barriers.filter((v) => differs[fn.block[v]!]);
}

const WAVE_IN_DISPATCH = LAUNCH_WORDS.indexOf('waveInDispatch');

function isWaveSource(fn: IrFunction, v: ValueId): boolean {
  const op = fn.op[v]!;
  if (op === OP['wave.id'] || op === OP.clock) return true;
  if (op === OP['launch.word']) return fn.imm0[v] === WAVE_IN_DISPATCH;
  if ((OPS[OP_NAMES[op]!] as OpRow).laneSource) return true;
  for (let i = 0; i < fn.operandCount[v]!; i++) {
    const operand = fn.operand(v, i);
    if (operand !== NO_VALUE && isPerLane(fn.type[operand] as Type)) return true;
  }
  return false;
}

/** Per block: whether waves of a group may be in it at different times, or not at all. */
function differingFlow(fn: IrFunction): { readonly differs: Uint8Array } {
  const successors = Array.from({ length: fn.blockCount }, (_, b) => fn.successors(b as BlockId));
  const graph = digraphFromLists(successors);
  const post = computePostDominators(graph, 0);
  const differs = new Uint8Array(fn.blockCount);
  const varies = new Uint8Array(fn.valueCount);
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = 0 as BlockId; b < fn.blockCount; b++) {
      // A join is reached by different ways when one of them differs, and not every wave need take it at once.
      const mixed = fn.preds[b]!.length > 1 && fn.preds[b]!.some((p) => differs[p]);
      for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
        if (varies[v]) continue;
        let now = (fn.op[v] === OP.phi && mixed) || isWaveSource(fn, v);
        for (let i = 0; !now && i < fn.operandCount[v]!; i++) {
          const operand = fn.operand(v, i);
          if (operand !== NO_VALUE && varies[operand]) now = true;
        }
        if (!now) continue;
        varies[v] = 1;
        changed = true;
      }
      if (successors[b]!.length < 2 || !varies[fn.terminator(b)]) continue;
      if (spread(successors, b, post.immediate[b]!, differs)) changed = true;
    }
  }
  return { differs };
}

/** Marks the blocks between a branch and its post-dominator, which may be the virtual exit. Says whether any was new. */
function spread(
  successors: readonly (readonly BlockId[])[],
  branch: BlockId,
  until: number,
  differs: Uint8Array,
): boolean {
  let changed = false;
  const seen = new Set<BlockId>();
  const work: BlockId[] = [...successors[branch]!];
  while (work.length > 0) {
    const b = work.pop()!;
    if (b === until || seen.has(b)) continue;
    seen.add(b);
    if (!differs[b]) {
      differs[b] = 1;
      changed = true;
    }
    work.push(...successors[b]!);
  }
  return changed;
}
