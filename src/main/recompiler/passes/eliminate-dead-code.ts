/**
 * Removes values that nothing with an effect depends on, phis in cycles included, and unused constants.
 *
 * Why: lowering defines SCC, carries and link pairs that almost nobody reads. A load without readers goes too, unless
 * code is deterministic: then engines are compared, and the fault that it might raise is a result.
 * Method: mark from the roots (writes, terminators) through operands, sweep the rest.
 */
import type { IrFunction } from '../ir/function.ts';
import { isRemovable, mayFault, type Op } from '../ir/ops.ts';
import { NO_VALUE, type ValueId } from '../ir/types.ts';
import type { PassOptions } from './pass.ts';

export function eliminateDeadCode(fn: IrFunction, { deterministic }: PassOptions): boolean {
  const live = new Uint8Array(fn.valueCount);
  const worklist = new Int32Array(fn.valueCount);
  let size = 0;
  for (let v = 0; v < fn.valueCount; v++) {
    const op = fn.op[v] as Op;
    if (fn.block[v]! >= 0 && (!isRemovable(op) || (deterministic && mayFault(op)))) {
      live[v] = 1;
      worklist[size++] = v;
    }
  }
  while (size > 0) {
    const v = worklist[--size]!;
    const start = fn.operandStart[v]!;
    const end = start + fn.operandCount[v]!;
    for (let i = start; i < end; i++) {
      const o = fn.operandPool[i]!;
      if (o !== NO_VALUE && !live[o]) {
        live[o] = 1;
        worklist[size++] = o;
      }
    }
  }
  let changed = false;
  for (let v = 0; v < fn.valueCount; v++) {
    if (fn.block[v]! >= 0 && !live[v]) {
      fn.remove(v as ValueId);
      changed = true;
    }
  }
  return changed;
}
