/**
 * SSA again on the structured blocks: for the phis that were lowered, for flags, and for values whose definition no
 * longer dominates a use (dominance repair).
 *
 * Why: structuring moves blocks under flags and dispatchers. Each phi stands for a variable that is written at the end
 * of its predecessors and read at the start of its block; each value that lost dominance is a variable with one write.
 * Reading a variable walks up the predecessors and makes phis where paths meet; phis with one distinct operand go.
 *
 * Method: Braun et al., "Simple and efficient construction of static single assignment form" (CC 2013), as a worklist:
 * the graph is complete, so operands are filled after all phis on the way exist.
 */
import { assert } from '../../base/assert.ts';
import type { IrFunction } from '../ir/function.ts';
import { computeDominators, type Dominators, dominates } from '../ir/graph.ts';
import { mergePhis } from '../ir/merge-phis.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, NO_BLOCK, NO_VALUE, S32, type Type, type ValueId } from '../ir/types.ts';
import type { StructuredBlocks } from './emit-blocks.ts';

/** A phi that was taken out of its block: operand i comes from predecessor i of the old graph. */
export interface LoweredPhi {
  readonly phi: ValueId;
  readonly block: BlockId;
  readonly type: Type;
  /** Operand code of the register it stands for, −1 none. */
  readonly register: number;
  readonly sources: BlockId[];
  readonly values: readonly ValueId[];
}

/** Takes all phis out. Their ids live on as names until `rebuildSsa` forwards them. */
export function lowerPhis(fn: IrFunction): LoweredPhi[] {
  const lowered: LoweredPhi[] = [];
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    for (let v = fn.firstValue[b]!; v !== NO_VALUE && fn.op[v] === OP.phi; ) {
      const next = fn.next[v] as ValueId;
      lowered.push({
        phi: v,
        block: b,
        type: fn.type[v] as Type,
        register: fn.imm0[v]!,
        sources: [...fn.preds[b]!],
        values: fn.operandsOf(v),
      });
      fn.remove(v);
      v = next;
    }
  }
  return lowered;
}

/** Writes at block ends: a value as named before, or one that is ready. */
type Write = { readonly kind: 'named'; readonly value: ValueId } | { readonly kind: 'ready'; readonly value: ValueId };

interface Variable {
  readonly type: Type;
  readonly register: number;
  readonly writes: Map<BlockId, Write>;
  readonly atStart: Map<BlockId, ValueId>;
}

export function rebuildSsa(fn: IrFunction, blocks: StructuredBlocks, lowered: readonly LoweredPhi[]): void {
  new SsaRebuilder(fn, blocks, lowered).run();
}

class SsaRebuilder {
  private readonly fn: IrFunction;
  private readonly blocks: StructuredBlocks;
  private readonly dominators: Dominators;
  private readonly reachable: Set<BlockId>;
  private readonly phis = new Map<ValueId, LoweredPhi>();
  /** Variable of each lowered phi's incoming values, and of each value that needs repair. */
  private readonly incoming = new Map<ValueId, Variable>();
  private readonly repaired = new Map<ValueId, Variable>();
  private readonly unfilled: { readonly phi: ValueId; readonly block: BlockId; readonly variable: Variable }[] = [];
  private readonly made: ValueId[] = [];

  constructor(fn: IrFunction, blocks: StructuredBlocks, lowered: readonly LoweredPhi[]) {
    this.fn = fn;
    this.blocks = blocks;
    this.dominators = computeDominators(fn);
    this.reachable = new Set(this.dominators.order);
    for (const phi of lowered) {
      this.phis.set(phi.phi, phi);
      const variable = this.variable(phi.type, phi.register);
      phi.sources.forEach((source, i) => {
        variable.writes.set(source, { kind: 'named', value: phi.values[i]! });
      });
      this.incoming.set(phi.phi, variable);
    }
  }

  run(): void {
    // Uses first: only phis that somebody reads come back.
    for (const b of this.dominators.order) {
      for (let v = this.fn.firstValue[b]!; v !== NO_VALUE; v = this.fn.next[v] as ValueId) {
        if (this.fn.op[v] === OP.phi) continue;
        for (let i = 0; i < this.fn.operandCount[v]!; i++) {
          const operand = this.fn.operand(v, i);
          this.fn.setOperand(v, i, this.valueAt(operand, b));
        }
      }
    }
    this.readFlags();
    this.fill();
    mergePhis(this.fn, this.made);
  }

  private variable(type: Type, register: number): Variable {
    return { type, register, writes: new Map(), atStart: new Map() };
  }

  /** The value of a name for a use inside block b (after its definition when that is b itself). */
  private valueAt(value: ValueId, b: BlockId): ValueId {
    const phi = this.phis.get(value);
    if (phi) {
      if (phi.block === b) return this.readAtStart(this.incoming.get(value)!, b);
      if (this.reachable.has(phi.block) && dominates(this.dominators, phi.block, b))
        return this.readAtStart(this.incoming.get(value)!, phi.block);
      return this.readAtStart(this.repairVariable(value), b);
    }
    const home = this.fn.block[value] as BlockId;
    if (home === b || home === NO_BLOCK || dominates(this.dominators, home, b)) {
      // A value of a block that is never reached can only meet a use that is never reached.
      return home === NO_BLOCK ? this.fn.undef(this.fn.type[value] as Type) : value;
    }
    return this.readAtStart(this.repairVariable(value), b);
  }

  private repairVariable(value: ValueId): Variable {
    let variable = this.repaired.get(value);
    if (!variable) {
      const phi = this.phis.get(value);
      variable = this.variable(this.fn.type[value] as Type, phi ? phi.register : -1);
      const home = phi ? phi.block : (this.fn.block[value] as BlockId);
      variable.writes.set(home, { kind: 'named', value });
      this.repaired.set(value, variable);
    }
    return variable;
  }

  private written(variable: Variable, b: BlockId): ValueId | undefined {
    const write = variable.writes.get(b);
    if (!write) return undefined;
    return write.kind === 'ready' ? write.value : this.valueAt(write.value, b);
  }

  private readAtStart(variable: Variable, block: BlockId): ValueId {
    // Up through blocks with one predecessor; every block on the way gets the answer.
    const way: BlockId[] = [];
    let b = block;
    let answer: ValueId | undefined;
    for (;;) {
      answer = variable.atStart.get(b);
      if (answer !== undefined) break;
      way.push(b);
      const preds = this.fn.preds[b]!;
      if (preds.length === 0) {
        answer = this.fn.undef(variable.type);
        break;
      }
      if (preds.length > 1) {
        answer = this.makePhi(variable, b);
        break;
      }
      b = preds[0]!;
      const written = this.written(variable, b);
      if (written !== undefined) {
        answer = written;
        break;
      }
    }
    for (const at of way) variable.atStart.set(at, answer);
    return answer;
  }

  private makePhi(variable: Variable, b: BlockId): ValueId {
    const phi = this.fn.createValue(OP.phi, variable.type, this.fn.preds[b]!.length, variable.register);
    this.fn.prepend(b, phi);
    variable.atStart.set(b, phi);
    this.unfilled.push({ phi, block: b, variable });
    this.made.push(phi);
    return phi;
  }

  private fill(): void {
    while (this.unfilled.length > 0) {
      const { phi, block, variable } = this.unfilled.pop()!;
      this.fn.preds[block]!.forEach((pred, i) => {
        this.fn.setOperand(phi, i, this.written(variable, pred) ?? this.readAtStart(variable, pred));
      });
    }
  }

  private readFlags(): void {
    const flags = new Map<number, Variable>();
    for (const [block, sets] of this.blocks.flagSets) {
      for (const [flag, number] of sets) {
        const variable = flags.get(flag) ?? this.variable(S32, -1);
        flags.set(flag, variable);
        variable.writes.set(block, { kind: 'ready', value: this.fn.constant32(number) });
      }
    }
    for (const test of this.blocks.flagTests) {
      if (!this.reachable.has(test.block)) continue;
      const variable = flags.get(test.flag);
      assert(variable, 'a flag that nobody sets is tested');
      // A flag set in the very block that tests it is known there.
      const value = this.written(variable, test.block) ?? this.readAtStart(variable, test.block);
      this.fn.setOperand(test.compare, 0, value);
    }
  }
}
