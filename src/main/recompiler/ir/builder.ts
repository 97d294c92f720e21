/**
 * Appends values to a block with their types worked out from the operands.
 *
 * Why apart from IrFunction: lowering and expansion passes say what they compute, not how it is stored. The result is
 * per lane when the row says so or when an operand is per lane.
 *
 * `onEmit` lets the lowering fold as it goes: it gets each new pure value and may answer with an older one, which then
 * takes its place.
 */
import type { IrFunction } from './function.ts';
import { EFFECTS, OP, OP_NAMES, OPS, type Op, type OpName, type OpRow } from './ops.ts';
import {
  type BlockId,
  isPerLane,
  LANE_BIT,
  NO_VALUE,
  type Type,
  typeOf,
  type ValueId,
  WIDTH_1,
  WIDTH_32,
  WIDTH_64,
  WIDTH_NONE,
  type Width,
} from './types.ts';

type Uniformity = 'follows' | 'uniform' | 'lane';

/** Per op: width of the result, uniformity rule, whether `count` says the number of components. */
interface ResultRule {
  readonly width: Width;
  readonly uniformity: Uniformity;
  readonly counted: boolean;
}

const RULES: readonly ResultRule[] = OP_NAMES.map((name) => {
  const out = (OPS[name] as OpRow).out;
  const match = /^(s|v)?(1|32|64)(xN)?$/.exec(out === 'm' ? 'v1' : out);
  if (!match) return { width: WIDTH_NONE, uniformity: 'uniform', counted: false };
  const width = match[2] === '1' ? WIDTH_1 : match[2] === '32' ? WIDTH_32 : WIDTH_64;
  const uniformity = match[1] === 's' ? 'uniform' : match[1] === 'v' ? 'lane' : 'follows';
  return { width, uniformity, counted: match[3] !== undefined };
});

/** Result type of a value whose operands are set. Not for phi, const, undef, extract. */
export function resultType(fn: IrFunction, v: ValueId): Type {
  const rule = RULES[fn.op[v]!]!;
  if (rule.width === WIDTH_NONE) return 0 as Type;
  let perLane = rule.uniformity === 'lane';
  if (rule.uniformity === 'follows') {
    const start = fn.operandStart[v]!;
    const end = start + fn.operandCount[v]!;
    for (let i = start; i < end; i++) if (fn.type[fn.operandPool[i]!]! & LANE_BIT) perLane = true;
  }
  return typeOf(rule.width, perLane, rule.counted ? Math.max(fn.imm1[v]! & 31, 1) : 1);
}

export class Builder {
  readonly fn: IrFunction;
  block: BlockId;
  location: number;
  /** Set to insert before this value instead of at the end of `block`. */
  before: ValueId = NO_VALUE;
  onEmit: ((v: ValueId) => ValueId) | undefined;

  constructor(fn: IrFunction, block: BlockId, location = -1) {
    this.fn = fn;
    this.block = block;
    this.location = location;
  }

  private place(v: ValueId, op: Op): ValueId {
    if (this.before === NO_VALUE) this.fn.append(this.block, v);
    else this.fn.insertBefore(this.before, v);
    if (this.onEmit === undefined || EFFECTS[op] !== 'pure') return v;
    const other = this.onEmit(v);
    if (other !== v) this.fn.remove(v);
    return other;
  }

  emit0(op: OpName, imm0 = 0, imm1 = 0): ValueId {
    const code = OP[op];
    const v = this.fn.createValue(code, 0 as Type, 0, imm0, imm1, this.location);
    this.fn.type[v] = resultType(this.fn, v);
    return this.place(v, code);
  }

  emit1(op: OpName, a: ValueId, imm0 = 0, imm1 = 0): ValueId {
    const code = OP[op];
    const fn = this.fn;
    const v = fn.createValue(code, 0 as Type, 1, imm0, imm1, this.location);
    fn.operandPool[fn.operandStart[v]!] = a;
    fn.type[v] = resultType(fn, v);
    return this.place(v, code);
  }

  emit2(op: OpName, a: ValueId, b: ValueId, imm0 = 0, imm1 = 0): ValueId {
    const code = OP[op];
    const fn = this.fn;
    const v = fn.createValue(code, 0 as Type, 2, imm0, imm1, this.location);
    const start = fn.operandStart[v]!;
    fn.operandPool[start] = a;
    fn.operandPool[start + 1] = b;
    fn.type[v] = resultType(fn, v);
    return this.place(v, code);
  }

  emit3(op: OpName, a: ValueId, b: ValueId, c: ValueId, imm0 = 0, imm1 = 0): ValueId {
    const code = OP[op];
    const fn = this.fn;
    const v = fn.createValue(code, 0 as Type, 3, imm0, imm1, this.location);
    const start = fn.operandStart[v]!;
    fn.operandPool[start] = a;
    fn.operandPool[start + 1] = b;
    fn.operandPool[start + 2] = c;
    fn.type[v] = resultType(fn, v);
    return this.place(v, code);
  }

  emit(op: OpName, operands: readonly ValueId[], imm0 = 0, imm1 = 0): ValueId {
    const code = OP[op];
    const fn = this.fn;
    const v = fn.createValue(code, 0 as Type, operands.length, imm0, imm1, this.location);
    const start = fn.operandStart[v]!;
    for (let i = 0; i < operands.length; i++) fn.operandPool[start + i] = operands[i]!;
    fn.type[v] = resultType(fn, v);
    return this.place(v, code);
  }

  /** Component of a tuple; a one-component load is its own component. */
  extract(tuple: ValueId, index: number): ValueId {
    const fn = this.fn;
    const type = fn.type[tuple]!;
    if (type >> 3 === 0) return tuple;
    const v = fn.createValue(OP.extract, (type & 7) as Type, 1, index, 0, this.location);
    fn.operandPool[fn.operandStart[v]!] = tuple;
    return this.place(v, OP.extract);
  }

  u32(value: number): ValueId {
    return this.fn.constant32(value);
  }

  u64(low: number, high: number): ValueId {
    return this.fn.constant64(low, high);
  }

  bool(value: boolean): ValueId {
    return this.fn.constant1(value);
  }

  isPerLane(v: ValueId): boolean {
    return isPerLane(this.fn.type[v] as Type);
  }

  select(condition: ValueId, whenTrue: ValueId, whenFalse: ValueId): ValueId {
    const width = this.fn.type[whenTrue]! & 3;
    return this.emit3(
      width === WIDTH_1 ? 'select.1' : width === WIDTH_32 ? 'select.32' : 'select.64',
      condition,
      whenTrue,
      whenFalse,
    );
  }
}
