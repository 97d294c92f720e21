/**
 * Makes blocks of a resolved control tree: rewrites the function's terminators and adds headers, merges and continues.
 *
 * Out: `order` lists all blocks as SPIR-V wants them (a block after its dominators); `merge` and `continueTarget` give
 * the construct that a block opens. Flags are read through `flagTests`: the condition of such a branch is filled in by
 * rebuild-ssa, since its value depends on the path.
 */
import { Builder } from '../ir/builder.ts';
import type { IrFunction } from '../ir/function.ts';

import { type BlockId, NO_BLOCK, NO_VALUE, type ValueId } from '../ir/types.ts';
import type { Condition, FlagId, Node, Tree } from './tree.ts';

export interface StructuredBlocks {
  readonly order: BlockId[];
  /** Merge block of the selection or loop that a block opens; absent for plain blocks. */
  readonly merge: Map<BlockId, BlockId>;
  /** Continue block, for loop headers. */
  readonly continueTarget: Map<BlockId, BlockId>;
  /** Constants that flags get, per block; the last one counts. */
  readonly flagSets: Map<BlockId, Map<FlagId, number>>;
  readonly flagTests: FlagTest[];
}

export interface FlagTest {
  readonly block: BlockId;
  readonly flag: FlagId;
  readonly number: number;
  /** The icmp.eq whose first operand is to be the flag's value. */
  readonly compare: ValueId;
}

export function emitBlocks(fn: IrFunction, tree: Tree): StructuredBlocks {
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    const t = fn.terminator(b);
    if (t !== NO_VALUE) fn.remove(t);
    fn.preds[b]!.length = 0;
  }
  const emitter = new BlockEmitter(fn);
  emitter.run(tree);
  removeUnreached(fn, new Set(emitter.order));
  return emitter;
}

function removeUnreached(fn: IrFunction, reached: ReadonlySet<BlockId>): void {
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    if (reached.has(b)) continue;
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; ) {
      const next = fn.next[v] as ValueId;
      fn.remove(v);
      v = next;
    }
  }
}

interface LoopTargets {
  readonly merge: BlockId;
  readonly again: BlockId;
}

class BlockEmitter implements StructuredBlocks {
  readonly order: BlockId[] = [];
  readonly merge = new Map<BlockId, BlockId>();
  readonly continueTarget = new Map<BlockId, BlockId>();
  readonly flagSets = new Map<BlockId, Map<FlagId, number>>();
  readonly flagTests: FlagTest[] = [];
  private readonly fn: IrFunction;

  constructor(fn: IrFunction) {
    this.fn = fn;
  }

  run(tree: Tree): void {
    // The first block has no predecessors and holds the constants; the tree starts with its code.
    const open = this.list(tree, NO_BLOCK, undefined);
    if (open !== NO_BLOCK) this.fn.setEnd(open);
  }

  private open(): BlockId {
    const block = this.fn.createBlock();
    this.order.push(block);
    return block;
  }

  /** Returns the block that is open at the end, NO_BLOCK when control never gets there. */
  private list(tree: Tree, start: BlockId, loop: LoopTargets | undefined): BlockId {
    let current = start;
    for (const node of tree) {
      current = this.node(node, current, loop);
      if (current === NO_BLOCK) return NO_BLOCK;
    }
    return current;
  }

  private node(node: Node, current: BlockId, loop: LoopTargets | undefined): BlockId {
    const { fn } = this;
    switch (node.kind) {
      case 'code':
        if (current !== NO_BLOCK) fn.setJump(current, node.block);
        this.order.push(node.block);
        return node.block;
      case 'set': {
        const sets = this.flagSets.get(current) ?? new Map<FlagId, number>();
        sets.set(node.flag, node.number);
        this.flagSets.set(current, sets);
        return current;
      }
      case 'if':
        return this.selection(node, current, loop);
      case 'loop':
        return this.loop(node, current);
      case 'break':
        fn.setJump(current, loop!.merge);
        return NO_BLOCK;
      case 'again':
        fn.setJump(current, loop!.again);
        return NO_BLOCK;
      case 'end':
        fn.setEnd(current);
        return NO_BLOCK;
      default:
        throw new Error(`a ${node.kind} is left in the control tree`);
    }
  }

  private selection(node: Node & { readonly kind: 'if' }, current: BlockId, loop: LoopTargets | undefined): BlockId {
    const { fn } = this;
    const condition = this.condition(node.condition, current);
    const merge = fn.createBlock();
    const then = node.taken.length > 0 ? this.open() : merge;
    const thenEnd = node.taken.length > 0 ? this.list(node.taken, then, loop) : NO_BLOCK;
    const otherwise = node.otherwise.length > 0 ? this.open() : merge;
    const otherwiseEnd = node.otherwise.length > 0 ? this.list(node.otherwise, otherwise, loop) : NO_BLOCK;
    this.order.push(merge);
    if (then === otherwise) {
      // Both branches are empty: nothing depends on the condition.
      fn.setJump(current, merge);
      return merge;
    }
    fn.setBranch(current, condition, then, otherwise);
    this.merge.set(current, merge);
    if (thenEnd !== NO_BLOCK) fn.setJump(thenEnd, merge);
    if (otherwiseEnd !== NO_BLOCK) fn.setJump(otherwiseEnd, merge);
    if (fn.preds[merge]!.length > 0) return merge;
    fn.setEnd(merge);
    return NO_BLOCK;
  }

  private loop(node: Node & { readonly kind: 'loop' }, current: BlockId): BlockId {
    const { fn } = this;
    const header = this.open();
    fn.setJump(current, header);
    const again = fn.createBlock();
    const merge = fn.createBlock();
    this.merge.set(header, merge);
    this.continueTarget.set(header, again);
    const body = this.open();
    fn.setJump(header, body);
    const end = this.list(node.body, body, { merge, again });
    if (end !== NO_BLOCK) fn.setJump(end, again);
    this.order.push(again);
    fn.setJump(again, header);
    this.order.push(merge);
    if (fn.preds[merge]!.length > 0) return merge;
    fn.setEnd(merge);
    return NO_BLOCK;
  }

  private condition(condition: Condition, block: BlockId): ValueId {
    if (condition.kind === 'value') return condition.value;
    const { fn } = this;
    const builder = new Builder(fn, block);
    const first = condition.kind === 'selector' ? condition.value : fn.constant32(0);
    const compare = builder.emit('icmp.eq.u32', [first, fn.constant32(condition.number)]);
    if (condition.kind === 'flag')
      this.flagTests.push({ block, flag: condition.flag, number: condition.number, compare });
    return compare;
  }
}
