/**
 * Global value numbering: a pure value that another one with the same operation and operands dominates is replaced by it.
 *
 * Why: every instruction of a divergent region asks for its active mask, every access for its descriptor's fields, each
 * float operation flushes its operands again. Equal phis of one block merge too.
 * Method: blocks in reverse postorder (dominators first), one hash table of leaders, dominance tested on a hit.
 */
import type { IrFunction } from '../ir/function.ts';
import { computeDominators, dominates } from '../ir/graph.ts';
import { isPure, OP, type Op } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type ValueId } from '../ir/types.ts';
import { applyForwards, resolveForward } from '../ir/uses.ts';

export function numberValues(fn: IrFunction): boolean {
  const dominators = computeDominators(fn);
  const size = 1 << Math.max(6, 32 - Math.clz32(fn.valueCount));
  const heads = new Int32Array(size).fill(-1);
  const chain = new Int32Array(fn.valueCount).fill(-1);
  const forward = new Int32Array(fn.valueCount).fill(-1);
  let changed = false;
  for (const b of dominators.order) {
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; ) {
      const next = fn.next[v] as ValueId;
      const isPhi = fn.op[v] === OP.phi;
      if (isPhi || isPure(fn.op[v] as Op)) {
        const hash = hashValue(fn, v, forward, isPhi) & (size - 1);
        let leader = heads[hash]!;
        while (leader >= 0 && !isSame(fn, leader as ValueId, v, isPhi, b, dominators)) leader = chain[leader]!;
        if (leader >= 0) {
          forward[v] = leader;
          fn.remove(v);
          changed = true;
        } else {
          chain[v] = heads[hash]!;
          heads[hash] = v;
        }
      }
      v = next;
    }
  }
  if (changed) applyForwards(fn, forward);
  return changed;
}

/** Also replaces the operands by their leaders. */
function hashValue(fn: IrFunction, v: ValueId, forward: Int32Array, isPhi: boolean): number {
  let h = Math.imul(fn.op[v]!, 0x9e3779b1) ^ fn.imm1[v]!;
  h = isPhi ? h ^ fn.block[v]! : Math.imul(h ^ fn.imm0[v]!, 0x85ebca6b);
  const start = fn.operandStart[v]!;
  const end = start + fn.operandCount[v]!;
  for (let i = start; i < end; i++) {
    const o = resolveForward(forward, fn.operandPool[i] as ValueId);
    fn.operandPool[i] = o;
    h = Math.imul(h ^ o, 0xc2b2ae35) ^ (h >>> 15);
  }
  return h ^ (h >>> 16);
}

function isSame(
  fn: IrFunction,
  leader: ValueId,
  v: ValueId,
  isPhi: boolean,
  block: BlockId,
  dominators: ReturnType<typeof computeDominators>,
): boolean {
  if (fn.op[leader] !== fn.op[v] || fn.type[leader] !== fn.type[v]) return false;
  if (fn.imm1[leader] !== fn.imm1[v] || fn.operandCount[leader] !== fn.operandCount[v]) return false;
  if (isPhi ? fn.block[leader] !== block : fn.imm0[leader] !== fn.imm0[v]) return false;
  const a = fn.operandStart[leader]!;
  const b = fn.operandStart[v]!;
  for (let i = 0; i < fn.operandCount[v]!; i++) if (fn.operandPool[a + i] !== fn.operandPool[b + i]) return false;
  return isPhi || dominates(dominators, fn.block[leader] as BlockId, block);
}
