/**
 * Thread ids → lane and wave number: `local.id` becomes arithmetic on wave.id · wave size + lane.id.
 *
 * Why: the launch is one-dimensional, a workgroup of waves; threads fill waves in x, y, z order of the group's own size
 * (partial groups are packed by their smaller size). A group of one wave has wave number 0.
 */
import { Builder } from '../ir/builder.ts';
import type { IrFunction } from '../ir/function.ts';
import { OP } from '../ir/ops.ts';
import type { BlockId, ValueId } from '../ir/types.ts';
import { applyForwards } from '../ir/uses.ts';
import { foldValue } from './fold.ts';

export function expandIds(fn: IrFunction): boolean {
  const { threads, waveSize, partialGroups } = fn.shape;
  const total = threads[0] * threads[1] * threads[2];
  const forward = new Int32Array(fn.valueCount).fill(-1);
  const b = new Builder(fn, 0 as BlockId);
  b.onEmit = (v) => foldValue(fn, v);
  let changed = false;
  const count = fn.valueCount;
  for (let v = 0 as ValueId; v < count; v++) {
    if (fn.isRemoved(v)) continue;
    b.block = fn.block[v] as BlockId;
    b.before = v;
    b.location = fn.location[v]!;
    if (fn.op[v] === OP['wave.id'] && total <= waveSize) forward[v] = fn.constant32(0);
    else if (fn.op[v] === OP['local.id']) forward[v] = threadId(fn.imm0[v] as 0 | 1 | 2);
    else continue;
    changed = true;
  }
  if (!changed) return false;
  applyForwards(fn, forward);
  for (let v = 0 as ValueId; v < count; v++) if (forward[v]! >= 0) fn.remove(v);
  return true;

  function size(dim: 0 | 1 | 2): ValueId {
    return partialGroups ? b.emit0('group.size', dim) : b.u32(threads[dim]);
  }

  function threadId(dim: 0 | 1 | 2): ValueId {
    const wave = total <= waveSize ? b.u32(0) : b.emit0('wave.id');
    const first = b.emit2('shl.u32', wave, b.u32(waveSize === 64 ? 6 : 5));
    const thread = b.emit2('iadd.u32', first, b.emit0('lane.id'));
    // The last dimension that has more than one thread needs no remainder.
    const after = dim === 0 ? threads[1] * threads[2] : dim === 1 ? threads[2] : 1;
    if (dim === 0) return after === 1 ? thread : b.emit2('umod.u32', thread, size(0));
    if (threads[dim] === 1) return b.u32(0);
    const row = b.emit2('udiv.u32', thread, size(0));
    if (dim === 1) return after === 1 ? row : b.emit2('umod.u32', row, size(1));
    return b.emit2('udiv.u32', row, size(1));
  }
}
