/**
 * Fences where lanes of one wave may talk to each other through LDS without a barrier.
 *
 * Why: a wave executes each instruction for all lanes before the next one; invocations of a subgroup promise no such
 * order. Two LDS accesses of which one writes need a fence between them, unless both touch the same element of the same
 * lane's address. `barrier` counts as one. Guest memory is ordered by the program's own waits, which lowering turns into
 * `wave.fence global`; one with no store since the last is dropped.
 *
 * Method: forward data flow over blocks: may an LDS write, an LDS read, a store be open here? Blocks repeat until
 * nothing changes; then fences go in.
 */
import type { IrFunction } from '../ir/function.ts';
import { reversePostorder } from '../ir/graph.ts';
import { OP, OP_NAMES } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, NONE, type ValueId } from '../ir/types.ts';

const LDS_READ = 1;
const LDS_WRITE = 2;
const STORE = 4;

const ACCESS = Uint8Array.from(OP_NAMES, (name) => {
  if (name.startsWith('lds.load')) return LDS_READ;
  if (name.startsWith('lds.')) return LDS_READ | LDS_WRITE;
  return /^(global|buffer)\.(store|atomic)/.test(name) ? STORE : 0;
});

export function orderLaneMemory(fn: IrFunction): boolean {
  const order = reversePostorder(fn);
  const atEnd = new Uint8Array(fn.blockCount);
  for (let changed = true; changed; ) {
    changed = false;
    for (const b of order) {
      const state = walk(fn, b, entryState(fn, b, atEnd), false);
      if (state !== atEnd[b]) {
        atEnd[b] = state;
        changed = true;
      }
    }
  }
  const before = fn.valueCount;
  let removed = false;
  for (const b of order) {
    const count = fn.valueCount;
    walk(fn, b, entryState(fn, b, atEnd), true);
    removed ||= fn.valueCount !== count;
  }
  return removed || fn.valueCount !== before;
}

function entryState(fn: IrFunction, b: BlockId, atEnd: Uint8Array): number {
  let state = 0;
  for (const p of fn.preds[b]!) state |= atEnd[p]!;
  return state;
}

/** State after the block; `insert` puts fences in and takes needless ones out. */
function walk(fn: IrFunction, b: BlockId, entry: number, insert: boolean): number {
  let state = entry;
  /** The last open access in this block, while it is the only open one. */
  let last = NO_VALUE;
  for (let v = fn.firstValue[b]!; v !== NO_VALUE; ) {
    const next = fn.next[v] as ValueId;
    const op = fn.op[v]!;
    if (op === OP.barrier) {
      state = 0;
      last = NO_VALUE;
    } else if (op === OP['wave.fence']) {
      const isGlobal = (fn.imm0[v]! & 1) !== 0;
      if (isGlobal && insert && !(state & STORE)) fn.remove(v);
      state &= isGlobal ? ~STORE : ~(LDS_READ | LDS_WRITE);
      if (!isGlobal) last = NO_VALUE;
    } else if (ACCESS[op]! & STORE) state |= STORE;
    else if (ACCESS[op]) {
      const own = ACCESS[op]!;
      const open = state & (LDS_READ | LDS_WRITE);
      const conflicts = open & LDS_WRITE || (open && own & LDS_WRITE);
      const same = last !== NO_VALUE && isSameElement(fn, last, v);
      const fence = conflicts && !same;
      if (fence) {
        if (insert) fn.insertBefore(v, fn.createValue(OP['wave.fence'], NONE, 0, 0, 0, fn.location[v]!));
        state &= ~(LDS_READ | LDS_WRITE);
      }
      last = fence || open === 0 || same ? v : NO_VALUE;
      state |= own;
    }
    v = next;
  }
  return state;
}

/** Same address value, offset and size: every lane touches its own element again. */
function isSameElement(fn: IrFunction, a: ValueId, b: ValueId): boolean {
  const size = (v: ValueId): string => OP_NAMES[fn.op[v]!]!.split('.')[2]!.replace(/\D/g, '');
  return (
    fn.operand(a, 0) === fn.operand(b, 0) &&
    fn.imm0[a] === fn.imm0[b] &&
    (fn.imm1[a]! & 31) === (fn.imm1[b]! & 31) &&
    size(a) === size(b)
  );
}
