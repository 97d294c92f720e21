/**
 * Buffer descriptors that the host knows become constants, each with a check at run time.
 *
 * Why: of a V# known at dispatch only the address addition and one comparison are left; unknown, its stride, swizzle and
 * bounds rule are computed per access. What the host evaluated may be wrong by the time the wave runs (another dispatch,
 * a store of this one): a uniform check of each word beside its definition raises `assumption` and ends the wave, and
 * the driver runs the dispatch again without.
 *
 * Known are user data and dwords loaded through known addresses, also through integer operations on known values.
 * Whoever gives `known` must have its values in the key of the prepared code.
 */
import type { GuestAddress } from '../../base/guest-address.ts';
import { addressFromHalves } from '../../base/guest-address.ts';
import { type Bits, evaluateInteger } from '../ir/evaluate.ts';
import type { IrFunction } from '../ir/function.ts';
import { FAULT, OP, OP_NAMES, type Op } from '../ir/ops.ts';
import { isPerLane, NONE, type Type, type ValueId } from '../ir/types.ts';
import type { PassOptions } from './pass.ts';

/** What the host knows of a dispatch. */
export interface KnownWords {
  /** By user SGPR. */
  readonly userData: Uint32Array;
  /** A dword of guest memory; undefined where it is not readable. */
  readonly loadWord: (address: GuestAddress) => number | undefined;
}

const DESCRIPTOR_WORDS = 4;
const DEPTH = 24;

export function specialiseDescriptors(fn: IrFunction, options: PassOptions): boolean {
  if (!options.known) return false;
  const evaluator = new HostEvaluator(fn, options.known);
  const checked = new Map<ValueId, ValueId>();
  const count = fn.valueCount;
  let changed = false;
  for (let v = 0 as ValueId; v < count; v++) {
    const name = OP_NAMES[fn.op[v]!]!;
    if (fn.isRemoved(v) || !(name.startsWith('buffer.') || name === 'scalar.buffer.load')) continue;
    for (let i = 0; i < DESCRIPTOR_WORDS; i++) {
      const word = fn.operand(v, i);
      if (fn.op[word] === OP.const) continue;
      const bits = evaluator.evaluate(word, DEPTH);
      if (!bits) continue;
      let constant = checked.get(word);
      if (constant === undefined) {
        constant = fn.constant32(bits.low);
        checked.set(word, constant);
        insertCheck(fn, word, constant);
      }
      fn.setOperand(v, i, constant);
      changed = true;
    }
  }
  return changed;
}

function insertCheck(fn: IrFunction, word: ValueId, constant: ValueId): void {
  const check = fn.createValue(OP['check.equal.32'], NONE, 2, FAULT.assumption, 0, fn.location[word]!);
  fn.setOperand(check, 0, word);
  fn.setOperand(check, 1, constant);
  fn.insertAfter(word, check);
}

class HostEvaluator {
  private readonly fn: IrFunction;
  private readonly known: KnownWords;
  private readonly results = new Map<ValueId, Bits | undefined>();

  constructor(fn: IrFunction, known: KnownWords) {
    this.fn = fn;
    this.known = known;
  }

  /** The value of a uniform integer expression over known words; undefined when it is not one. */
  evaluate(v: ValueId, depth: number): Bits | undefined {
    const { fn } = this;
    if (fn.op[v] === OP.const) return { low: fn.imm0[v]!, high: fn.imm1[v]! };
    if (depth === 0 || isPerLane(fn.type[v] as Type)) return undefined;
    if (this.results.has(v)) return this.results.get(v);
    const result = this.compute(v, depth);
    this.results.set(v, result);
    return result;
  }

  private compute(v: ValueId, depth: number): Bits | undefined {
    const { fn, known } = this;
    switch (fn.op[v]) {
      case OP['user.data']: {
        const word = known.userData[fn.imm0[v]!];
        return word === undefined ? undefined : { low: word | 0, high: 0 };
      }
      case OP.extract:
        return this.loadedWord(fn.operand(v, 0), fn.imm0[v]!, depth);
      case OP['scalar.load']:
        return this.loadedWord(v, 0, depth);
      case OP.phi:
        return undefined;
    }
    const operands: Bits[] = [];
    for (let i = 0; i < fn.operandCount[v]!; i++) {
      const bits = this.evaluate(fn.operand(v, i), depth - 1);
      if (!bits) return undefined;
      operands.push(bits);
    }
    const none = { low: 0, high: 0 };
    if (operands.length === 0 || operands.length > 3) return undefined;
    return evaluateInteger(fn.op[v] as Op, operands[0]!, operands[1] ?? none, operands[2] ?? none);
  }

  private loadedWord(load: ValueId, index: number, depth: number): Bits | undefined {
    const { fn } = this;
    if (fn.op[load] !== OP['scalar.load']) return undefined;
    const address = this.evaluate(fn.operand(load, 0), depth - 1);
    if (!address) return undefined;
    const base = addressFromHalves((address.low & ~3) >>> 0, address.high >>> 0);
    const word = this.known.loadWord((base + (fn.imm0[load]! & ~3) + 4 * index) as GuestAddress);
    return word === undefined ? undefined : { low: word | 0, high: 0 };
  }
}
