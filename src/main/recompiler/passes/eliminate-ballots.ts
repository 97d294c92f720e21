/**
 * Wave masks that only steer lanes become lane booleans.
 *
 * Why: EXEC, VCC and saved masks are scalars on the hardware. Taken literally, every compare would be a ballot and every
 * predicated operation would take the mask apart again. This pass pushes `inverse.ballot` through and, or, xor, not,
 * selects and phis until it meets the ballot; then both are gone, and dead code elimination takes the scalars.
 * A mask made otherwise (loaded, computed as an integer) keeps its `inverse.ballot`. Comparing a mask with 0 becomes `any`.
 *
 * `laneForm(x)` is one value per mask, made beside its definition, so that it dominates what x dominates.
 */
import type { IrFunction } from '../ir/function.ts';
import { OP, type Op } from '../ir/ops.ts';
import { type BlockId, M, NO_VALUE, S1, type ValueId } from '../ir/types.ts';
import { applyForwards } from '../ir/uses.ts';

export function eliminateBallots(fn: IrFunction): boolean {
  return new BallotElimination(fn).run();
}

/** Operations on whole masks of one wave size. */
interface MaskOps {
  readonly ballot: Op;
  readonly inverse: Op;
  readonly and: Op;
  readonly or: Op;
  readonly xor: Op;
  readonly not: Op;
  readonly select: Op;
  readonly equal: Op;
  readonly notEqual: Op;
}

const MASK_32: MaskOps = {
  ballot: OP['ballot.32'],
  inverse: OP['inverse.ballot.32'],
  and: OP['and.u32'],
  or: OP['or.u32'],
  xor: OP['xor.u32'],
  not: OP['not.u32'],
  select: OP['select.32'],
  equal: OP['icmp.eq.u32'],
  notEqual: OP['icmp.ne.u32'],
};
const MASK_64: MaskOps = {
  ballot: OP['ballot.64'],
  inverse: OP['inverse.ballot.64'],
  and: OP['and.u64'],
  or: OP['or.u64'],
  xor: OP['xor.u64'],
  not: OP['not.u64'],
  select: OP['select.64'],
  equal: OP['icmp.eq.u64'],
  notEqual: OP['icmp.ne.u64'],
};

class BallotElimination {
  private readonly fn: IrFunction;
  private readonly ops: MaskOps;
  /** Lane form of a mask, −1 none yet. Grows with the function. */
  private lanes: Int32Array;
  private readonly phis: { phi: ValueId; mask: ValueId }[] = [];
  /** 1 the value is a mask, 2 it is not, 0 not known. */
  private readonly kinds: Uint8Array;

  constructor(fn: IrFunction) {
    this.fn = fn;
    this.ops = fn.shape.waveSize === 64 ? MASK_64 : MASK_32;
    this.lanes = new Int32Array(fn.valueCount).fill(-1);
    this.kinds = new Uint8Array(fn.valueCount);
  }

  run(): boolean {
    const { fn, ops } = this;
    const count = fn.valueCount;
    const forward = new Int32Array(count).fill(-1);
    let changed = false;
    for (let v = 0 as ValueId; v < count; v++) {
      if (fn.isRemoved(v)) continue;
      const op = fn.op[v] as Op;
      if (op === ops.inverse) {
        const form = this.laneForm(fn.operand(v, 0));
        if (form === v) continue;
        forward[v] = form;
        changed = true;
      } else if (op === ops.equal || op === ops.notEqual) {
        const by = this.compareWithZero(v, op === ops.equal);
        if (by === NO_VALUE) continue;
        forward[v] = by;
        changed = true;
      }
    }
    this.completePhis();
    if (!changed) return false;
    applyForwards(fn, forward);
    for (let v = 0; v < count; v++) if (forward[v]! >= 0) fn.remove(v as ValueId);
    return true;
  }

  private completePhis(): void {
    const { fn } = this;
    while (this.phis.length > 0) {
      const { phi, mask } = this.phis.pop()!;
      const operands: ValueId[] = [];
      for (let i = 0; i < fn.operandCount[mask]!; i++) operands.push(this.laneForm(fn.operand(mask, i)));
      fn.setOperands(phi, operands);
    }
  }

  /** mask == 0 and mask != 0 as any(); NO_VALUE when the operand is no mask made of ballots. */
  private compareWithZero(v: ValueId, equal: boolean): ValueId {
    const { fn } = this;
    const zero = fn.operand(v, 1);
    const mask = fn.operand(v, 0);
    if (!fn.isConstant(zero) || fn.imm0[zero] !== 0 || fn.imm1[zero] !== 0 || !this.isMask(mask)) return NO_VALUE;
    const any = this.insertAfter(v, OP.any, S1, [this.laneForm(mask)]);
    return equal ? this.insertAfter(any, OP['not.1'], S1, [any]) : any;
  }

  private insertAfter(place: ValueId, op: Op, type: number, operands: readonly ValueId[]): ValueId {
    const { fn } = this;
    const v = fn.createValue(op, type as never, operands.length, 0, 0, fn.location[place]!);
    for (let i = 0; i < operands.length; i++) fn.setOperand(v, i, operands[i]!);
    fn.insertAfter(place, v);
    return v;
  }

  /** Ballots and what is combined from them and constants, with at least one ballot in each combination's closure. */
  private isMask(v: ValueId): boolean {
    return this.classify(v, new Set());
  }

  /** Cycles of phis count as masks while they are looked at: only leaves decide. */
  private classify(v: ValueId, path: Set<ValueId>): boolean {
    const { fn, ops } = this;
    if (v < this.kinds.length && this.kinds[v] !== 0) return this.kinds[v] === 1;
    if (path.has(v)) return true;
    const op = fn.op[v] as Op;
    if (op === ops.ballot) return true;
    if (op === OP.const) return isAllOrNothing(fn, v, ops === MASK_64);
    let first = 0;
    if (op === ops.select) first = 1;
    else if (op !== ops.and && op !== ops.or && op !== ops.xor && op !== ops.not && op !== OP.phi) return false;
    path.add(v);
    let result = true;
    for (let i = first; i < fn.operandCount[v]! && result; i++) result = this.classify(fn.operand(v, i), path);
    path.delete(v);
    // A positive answer inside a cycle rests on the assumption; only the outermost one is final.
    if (v < this.kinds.length && (!result || path.size === 0)) this.kinds[v] = result ? 1 : 2;
    return result;
  }

  private remember(mask: ValueId, form: ValueId): ValueId {
    if (mask >= this.lanes.length) {
      const longer = new Int32Array(this.fn.valueCount * 2).fill(-1);
      longer.set(this.lanes);
      this.lanes = longer;
    }
    this.lanes[mask] = form;
    return form;
  }

  /** One bit per lane of a mask. */
  private laneForm(mask: ValueId): ValueId {
    const { fn, ops } = this;
    if (mask < this.lanes.length && this.lanes[mask]! >= 0) return this.lanes[mask] as ValueId;
    const op = fn.op[mask] as Op;
    if (op === ops.ballot) return this.remember(mask, fn.operand(mask, 0));
    if (op === OP.const && isAllOrNothing(fn, mask, ops === MASK_64)) {
      return this.remember(mask, fn.constant1(fn.imm0[mask] !== 0));
    }
    if (op === OP.undef) return this.remember(mask, fn.constant1(false));
    if (op === OP.phi) {
      const phi = fn.createValue(OP.phi, M, 0, fn.imm0[mask]!, 0, fn.location[mask]!);
      fn.prepend(fn.block[mask] as BlockId, phi);
      this.phis.push({ phi, mask });
      return this.remember(mask, phi);
    }
    const lanes = this.combination(mask, op);
    if (lanes !== NO_VALUE) return this.remember(mask, lanes);
    // Made by other means: taken apart once, beside its definition.
    return this.remember(mask, this.insertBeside(mask, ops.inverse, [mask]));
  }

  private combination(mask: ValueId, op: Op): ValueId {
    const { fn, ops } = this;
    const form = (i: number): ValueId => this.laneForm(fn.operand(mask, i));
    if (op === ops.not) return this.insertBeside(mask, OP['not.1'], [form(0)]);
    if (op === ops.and) return this.insertBeside(mask, OP['and.1'], [form(0), form(1)]);
    if (op === ops.or) return this.insertBeside(mask, OP['or.1'], [form(0), form(1)]);
    if (op === ops.xor) return this.insertBeside(mask, OP['xor.1'], [form(0), form(1)]);
    if (op === ops.select) return this.insertBeside(mask, OP['select.1'], [fn.operand(mask, 0), form(1), form(2)]);
    return NO_VALUE;
  }

  /** After the definition, or after the constants and phis of its block. */
  private insertBeside(mask: ValueId, op: Op, operands: readonly ValueId[]): ValueId {
    const { fn } = this;
    const v = fn.createValue(op, M, operands.length, 0, 0, fn.location[mask]!);
    for (let i = 0; i < operands.length; i++) fn.setOperand(v, i, operands[i]!);
    if (fn.op[mask] === OP.const) fn.insertAtStart(0 as BlockId, v);
    else fn.insertAfter(mask, v);
    return v;
  }
}

function isAllOrNothing(fn: IrFunction, v: ValueId, wide: boolean): boolean {
  const low = fn.imm0[v]!;
  return (low === 0 || low === -1) && (!wide || fn.imm1[v] === low);
}
