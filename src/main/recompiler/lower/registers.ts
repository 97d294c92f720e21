/**
 * Registers → SSA values while blocks are lowered (Braun et al., "Simple and Efficient Construction of Static Single
 * Assignment Form", in a form without recursion).
 *
 * Why on the unstructured graph: every pass before structuring wants def-use edges, and the hardware's registers are
 * the only variables. A register is numbered by its operand code (isa/operands.ts); a few machine states follow.
 *
 * A block is *filled* when its instructions are lowered, *sealed* when all its predecessors are filled. Reading a
 * register in an unsealed block makes a phi without operands, completed at sealing. Reads walk up through blocks with
 * one predecessor in a loop; joins make a phi and put it on a worklist instead of recursing.
 * Afterwards `removeRedundantPhis` takes out every phi that only ever has one value.
 */
import { assert } from '../../base/assert.ts';
import { OPERAND } from '../../isa/operands.ts';
import type { IrFunction } from '../ir/function.ts';
import { mergePhis } from '../ir/merge-phis.ts';
import { OP } from '../ir/ops.ts';
import { type BlockId, isPerLane, NO_VALUE, S1, S32, S64, type Type, V32, type ValueId } from '../ir/types.ts';

/** Operand codes are 0…511; these are the machine's other state. */
export const STATE = {
  FLAT_SCRATCH_LO: 512,
  FLAT_SCRATCH_HI: 513,
} as const;
const VARIABLES = 514;

export class Registers {
  private readonly fn: IrFunction;
  private readonly wave64: boolean;
  /** Value of each variable at the end of each block: [block × VARIABLES + variable]. */
  private readonly definitions: Int32Array;
  private readonly filled: Uint8Array;
  private readonly sealed: Uint8Array;
  private readonly incomplete: ValueId[][];
  private readonly worklist: ValueId[] = [];
  /** Value of a register that nothing has written. */
  private readonly initial: (variable: number, type: Type) => ValueId;
  private readonly chain: BlockId[] = [];

  constructor(fn: IrFunction, initial: (variable: number, type: Type) => ValueId) {
    this.fn = fn;
    this.wave64 = fn.shape.waveSize === 64;
    this.initial = initial;
    this.definitions = new Int32Array(fn.blockCount * VARIABLES).fill(NO_VALUE);
    this.filled = new Uint8Array(fn.blockCount);
    this.sealed = new Uint8Array(fn.blockCount);
    this.incomplete = Array.from({ length: fn.blockCount }, () => []);
  }

  /** VCC and EXEC are whole masks in wave64; everything else is 32 bits, SCC one. */
  typeOf(variable: number): Type {
    if (variable >= OPERAND.VGPR0 && variable < STATE.FLAT_SCRATCH_LO) return V32;
    if (variable === OPERAND.SCC) return S1;
    if (this.wave64 && (variable === OPERAND.VCC_LO || variable === OPERAND.EXEC_LO)) return S64;
    return S32;
  }

  write(variable: number, block: BlockId, value: ValueId): void {
    assert(
      !isPerLane(this.fn.type[value] as Type) || isPerLane(this.typeOf(variable)),
      `register ${variable} is uniform`,
    );
    this.definitions[block * VARIABLES + variable] = value;
  }

  read(variable: number, block: BlockId): ValueId {
    const known = this.definitions[block * VARIABLES + variable]!;
    if (known !== NO_VALUE) return known as ValueId;
    const value = this.find(variable, block);
    while (this.worklist.length > 0) this.completePhi(this.worklist.pop()!);
    return value;
  }

  /** Before the block's instructions are lowered. */
  begin(block: BlockId): void {
    if (this.fn.preds[block]!.every((p) => this.filled[p])) this.sealed[block] = 1;
  }

  /** After them: seals what waited for this block. */
  end(block: BlockId): void {
    this.filled[block] = 1;
    for (const successor of this.fn.successors(block)) {
      if (this.sealed[successor] || !this.fn.preds[successor]!.every((p) => this.filled[p])) continue;
      this.sealed[successor] = 1;
      for (const phi of this.incomplete[successor]!) this.worklist.push(phi);
      while (this.worklist.length > 0) this.completePhi(this.worklist.pop()!);
    }
  }

  private find(variable: number, from: BlockId): ValueId {
    const chain = this.chain;
    chain.length = 0;
    let block = from;
    let value = NO_VALUE;
    for (;;) {
      value = this.definitions[block * VARIABLES + variable]! as ValueId;
      if (value !== NO_VALUE) break;
      const preds = this.fn.preds[block]!;
      if (!this.sealed[block] || preds.length > 1) {
        value = this.createPhi(variable, block);
        if (this.sealed[block]) this.worklist.push(value);
        else this.incomplete[block]!.push(value);
      } else if (preds.length === 0) {
        value = this.initial(variable, this.typeOf(variable));
      } else {
        chain.push(block);
        block = preds[0]!;
        continue;
      }
      this.definitions[block * VARIABLES + variable] = value;
      break;
    }
    for (const b of chain) this.definitions[b * VARIABLES + variable] = value;
    return value;
  }

  private createPhi(variable: number, block: BlockId): ValueId {
    const phi = this.fn.createValue(OP.phi, this.typeOf(variable), 0, variable);
    this.fn.prepend(block, phi);
    return phi;
  }

  private completePhi(phi: ValueId): void {
    const fn = this.fn;
    const variable = fn.imm0[phi]!;
    const preds = fn.preds[fn.block[phi] as BlockId]!;
    fn.setOperands(
      phi,
      preds.map(() => NO_VALUE),
    );
    for (let i = 0; i < preds.length; i++) fn.setOperand(phi, i, this.find(variable, preds[i]!));
  }
}

/** Forwards phis that only ever have one value (themselves aside), until none is left. Returns whether any was. */
export function removeRedundantPhis(fn: IrFunction): boolean {
  const phis: ValueId[] = [];
  for (let b = 0; b < fn.blockCount; b++) {
    for (let v = fn.firstValue[b]!; v !== NO_VALUE && fn.op[v] === OP.phi; v = fn.next[v] as ValueId) phis.push(v);
  }
  return mergePhis(fn, phis);
}
