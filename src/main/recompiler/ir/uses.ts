/**
 * Who reads each value: a snapshot in compressed rows, made in two sweeps.
 *
 * Why a snapshot: lists that are kept up to date cost every pass; most need them once. It goes stale with the first
 * change of an operand; passes that go on changing things either tolerate extra users or make a new one.
 */
import type { IrFunction } from './function.ts';
import { NO_VALUE, type ValueId } from './types.ts';

export interface Uses {
  /** Users of v: users[start[v]] … users[start[v + 1] − 1]; a user appears once per operand. */
  readonly start: Int32Array;
  readonly users: Int32Array;
}

export function computeUses(fn: IrFunction): Uses {
  const start = new Int32Array(fn.valueCount + 1);
  for (let v = 0; v < fn.valueCount; v++) {
    if (fn.block[v]! < 0) continue;
    const from = fn.operandStart[v]!;
    const to = from + fn.operandCount[v]!;
    for (let i = from; i < to; i++) if (fn.operandPool[i] !== NO_VALUE) start[fn.operandPool[i]! + 1]!++;
  }
  for (let v = 0; v < fn.valueCount; v++) start[v + 1]! += start[v]!;
  const users = new Int32Array(start[fn.valueCount]!);
  const fill = start.slice();
  for (let v = 0; v < fn.valueCount; v++) {
    if (fn.block[v]! < 0) continue;
    const from = fn.operandStart[v]!;
    const to = from + fn.operandCount[v]!;
    for (let i = from; i < to; i++) if (fn.operandPool[i] !== NO_VALUE) users[fill[fn.operandPool[i]!]!++] = v;
  }
  return { start, users };
}

/**
 * Rewrites every operand through `forward` (chains are followed and shortened); −1 = stays. For passes that collect
 * replacements and apply them in one sweep.
 */
export function applyForwards(fn: IrFunction, forward: Int32Array): void {
  const pool = fn.operandPool;
  for (let v = 0; v < fn.valueCount; v++) {
    if (fn.block[v]! < 0) continue;
    const from = fn.operandStart[v]!;
    const to = from + fn.operandCount[v]!;
    for (let i = from; i < to; i++) {
      const o = pool[i]!;
      if (o !== NO_VALUE && o < forward.length && forward[o]! >= 0) pool[i] = resolveForward(forward, o as ValueId);
    }
  }
}

export function resolveForward(forward: Int32Array, v: ValueId): ValueId {
  let end = v as number;
  while (end < forward.length && forward[end]! >= 0) end = forward[end]!;
  // Path compression.
  let at = v as number;
  while (at < forward.length && forward[at]! >= 0 && forward[at] !== end) {
    const next = forward[at]!;
    forward[at] = end;
    at = next;
  }
  return end as ValueId;
}
