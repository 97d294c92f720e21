/**
 * Values that are the same for every lane are computed once per wave (B6).
 *
 * Why: registers decide per lane or per wave, not values: v_mov_b32 v1, s0 is a vector instruction. On the device a
 * uniform value costs one operation per invocation instead of one per lane it carries.
 *
 * Uniform: everything whose row makes it so (user data, constants, ids of the group, scalar loads, ballots, readlane),
 * and every pure value and phi whose operands are all uniform. Lane sources (rows with `laneSource`): lane id, thread
 * ids, lane moves, writelane, everything loaded from buffers, LDS, flat memory, and atomics' results.
 * Method: optimistic: all candidates start uniform, one pass over uses takes back what depends on a lane source.
 */
import type { IrFunction } from '../ir/function.ts';
import { isLaneSource, isPure, OP, type Op } from '../ir/ops.ts';
import { LANE_BIT, type Type, uniformType, type ValueId } from '../ir/types.ts';
import { computeUses } from '../ir/uses.ts';

export function promoteUniform(fn: IrFunction): boolean {
  const uses = computeUses(fn);
  const perLane = new Uint8Array(fn.valueCount);
  const worklist = new Int32Array(fn.valueCount);
  let size = 0;
  for (let v = 0; v < fn.valueCount; v++) {
    if (fn.block[v]! < 0 || !(fn.type[v]! & LANE_BIT)) continue;
    const op = fn.op[v] as Op;
    if (op !== OP.phi && (!isPure(op) || isLaneSource(op))) {
      perLane[v] = 1;
      worklist[size++] = v;
    }
  }
  while (size > 0) {
    const v = worklist[--size]!;
    for (let i = uses.start[v]!; i < uses.start[v + 1]!; i++) {
      const user = uses.users[i]!;
      if (perLane[user] || !(fn.type[user]! & LANE_BIT)) continue;
      perLane[user] = 1;
      worklist[size++] = user;
    }
  }
  let changed = false;
  for (let v = 0 as ValueId; v < fn.valueCount; v++) {
    if (fn.block[v]! < 0 || perLane[v] || !(fn.type[v]! & LANE_BIT)) continue;
    fn.type[v] = uniformType(fn.type[v] as Type);
    changed = true;
  }
  return changed;
}
