/**
 * Folding to a fixed point, together with what it opens up: phis with one value, branches on constants, blocks that
 * nothing reaches, blocks with one way in from a block with one way out.
 *
 * Why together: a folded branch makes a block unreachable, which takes an operand from a phi, which makes the phi a
 * plain value, which folds the next branch. Each step alone would need the others run after it.
 * Unreachable blocks stay as empty holes: block numbers are stable.
 */
import type { IrFunction } from '../ir/function.ts';
import { reversePostorder } from '../ir/graph.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type ValueId } from '../ir/types.ts';
import { resolveForward } from '../ir/uses.ts';
import { foldValue } from './fold.ts';

export function simplify(fn: IrFunction): boolean {
  let any = foldAll(fn);
  for (;;) {
    const cut = foldBranches(fn);
    if (cut) removeUnreachableBlocks(fn);
    const merged = mergeBlocks(fn);
    any ||= cut || merged;
    // Only a lost operand of a phi teaches folding something new.
    if (!cut) return any;
    foldAll(fn);
  }
}

/**
 * Sweeps in reverse postorder with replacement on the way: operands come before their readers, so one sweep settles
 * everything but phis of loops. Another one follows when such a phi got a new operand.
 */
function foldAll(fn: IrFunction): boolean {
  let any = false;
  let forward = new Int32Array(fn.valueCount + 64).fill(-1);
  const order = reversePostorder(fn);
  for (;;) {
    for (const b of order) {
      for (let v = fn.firstValue[b]!; v !== NO_VALUE; ) {
        const next = fn.next[v] as ValueId;
        if (forward.length < fn.valueCount) {
          const longer = new Int32Array(fn.valueCount * 2).fill(-1);
          longer.set(forward);
          forward = longer;
        }
        resolveOperands(fn, forward, v);
        const by = fn.op[v] === OP.phi ? foldPhi(fn, v) : foldValue(fn, v);
        if (by !== v) {
          forward[v] = by;
          fn.remove(v);
          any = true;
        }
        v = next;
      }
    }
    let again = false;
    for (const b of order) {
      for (let v = fn.firstValue[b]!; v !== NO_VALUE && fn.op[v] === OP.phi; v = fn.next[v] as ValueId) {
        if (resolveOperands(fn, forward, v)) again = true;
      }
    }
    if (!again) return any;
  }
}

function resolveOperands(fn: IrFunction, forward: Int32Array, v: ValueId): boolean {
  const start = fn.operandStart[v]!;
  const end = start + fn.operandCount[v]!;
  let changed = false;
  for (let i = start; i < end; i++) {
    const o = fn.operandPool[i]!;
    if (o < 0 || o >= forward.length || forward[o]! < 0) continue;
    fn.operandPool[i] = resolveForward(forward, o as ValueId);
    changed = true;
  }
  return changed;
}

/** A phi of one value, itself and undefs aside, is that value (it dominates the phi if it dominates all ways in). */
function foldPhi(fn: IrFunction, phi: ValueId): ValueId {
  let only = NO_VALUE;
  let anything = NO_VALUE;
  for (let i = 0; i < fn.operandCount[phi]!; i++) {
    const o = fn.operand(phi, i);
    if (o === phi || o === only) continue;
    if (fn.op[o] === OP.undef) {
      anything = o;
      continue;
    }
    if (only !== NO_VALUE) return phi;
    only = o;
  }
  if (only === NO_VALUE) return anything === NO_VALUE ? phi : anything;
  // With an undef among the operands the value need not dominate the phi; constants always do.
  return anything === NO_VALUE || fn.op[only] === OP.const ? only : phi;
}

function foldBranches(fn: IrFunction): boolean {
  let any = false;
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    const t = fn.terminator(b);
    if (t === NO_VALUE) continue;
    if (fn.op[t] === OP.branch) any = foldBranch(fn, b, t) || any;
    else if (fn.op[t] === OP.switch && fn.isConstant(fn.operand(t, 0))) {
      const s = fn.switches[fn.imm0[t]!]!;
      const at = s.values.indexOf(fn.imm0[fn.operand(t, 0)]!);
      const target = at < 0 ? s.fallback : s.targets[at]!;
      for (const other of fn.successors(b)) if (other !== target) fn.removeEdge(b, other);
      makeJump(fn, t, target);
      any = true;
    }
  }
  return any;
}

function foldBranch(fn: IrFunction, b: BlockId, t: ValueId): boolean {
  const condition = fn.operand(t, 0);
  if (fn.op[condition] === OP['not.1']) {
    fn.setOperand(t, 0, fn.operand(condition, 0));
    const taken = fn.imm0[t]!;
    fn.imm0[t] = fn.imm1[t]!;
    fn.imm1[t] = taken;
    return foldBranch(fn, b, t) || true;
  }
  if (!fn.isConstant(condition)) return false;
  const [target, other] = fn.imm0[condition] ? [fn.imm0[t]!, fn.imm1[t]!] : [fn.imm1[t]!, fn.imm0[t]!];
  fn.removeEdge(b, other as BlockId);
  makeJump(fn, t, target as BlockId);
  return true;
}

function makeJump(fn: IrFunction, t: ValueId, target: BlockId): void {
  fn.op[t] = OP.jump;
  fn.operandCount[t] = 0;
  fn.imm0[t] = target;
  fn.imm1[t] = 0;
}

/** Takes blocks that nothing reaches out of the function: their values and their edges. */
export function removeUnreachableBlocks(fn: IrFunction): void {
  const reachable = new Uint8Array(fn.blockCount);
  for (const b of reversePostorder(fn)) reachable[b] = 1;
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    if (reachable[b]) continue;
    for (const s of fn.successors(b)) if (fn.preds[s]!.includes(b)) fn.removeEdge(b, s);
  }
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    if (reachable[b]) continue;
    while (fn.lastValue[b]! !== NO_VALUE) fn.remove(fn.lastValue[b]!);
    fn.preds[b]!.length = 0;
  }
}

/** Appends a block to its only predecessor when that leads nowhere else. */
function mergeBlocks(fn: IrFunction): boolean {
  let any = false;
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    for (;;) {
      const t = fn.terminator(b);
      if (t === NO_VALUE || fn.op[t] !== OP.jump) break;
      const s = fn.imm0[t] as BlockId;
      if (s === b || fn.preds[s]!.length !== 1 || fn.op[fn.firstValue[s]!] === OP.phi) break;
      absorb(fn, b, s, t);
      any = true;
    }
  }
  return any;
}

function absorb(fn: IrFunction, b: BlockId, s: BlockId, jump: ValueId): void {
  fn.remove(jump);
  for (const after of fn.successors(s)) fn.replacePredecessor(after, s, b);
  const first = fn.firstValue[s]!;
  const last = fn.lastValue[b]!;
  for (let v = first; v !== NO_VALUE; v = fn.next[v] as ValueId) fn.block[v] = b;
  fn.previous[first] = last;
  if (last === NO_VALUE) fn.firstValue[b] = first;
  else fn.next[last] = first;
  fn.lastValue[b] = fn.lastValue[s]!;
  fn.firstValue[s] = NO_VALUE;
  fn.lastValue[s] = NO_VALUE;
  fn.preds[s]!.length = 0;
}
