/**
 * Constant folding and algebraic identities of one value.
 *
 * Why: lowering translates each instruction on its own; what it leaves behind (x & −1, lo(pack(x, y)), select on a
 * constant mask) hides facts that every later pass needs: that EXEC is full, that a link is a constant, that two halves
 * are one mask.
 *
 * `foldValue` answers with the value to use instead: an operand, a constant, an older value, or the value itself, which
 * it may have rewritten in place to a simpler operation (constants move to the right of commutative operations). It adds
 * no values except constants, so lowering may call it on every value it appends; the pass below runs it to a fixed
 * point. Integers fold exactly modulo 2^32 and 2^64; floats do not fold. Long because it has one case per operation.
 */
import { type Bits, evaluateInteger } from '../ir/evaluate.ts';
import type { IrFunction } from '../ir/function.ts';
import { isCommutative, OP, type Op } from '../ir/ops.ts';
import { LANE_BIT, type ValueId, WIDTH_1, WIDTH_32 } from '../ir/types.ts';

const scratch: [Bits, Bits, Bits] = [
  { low: 0, high: 0 },
  { low: 0, high: 0 },
  { low: 0, high: 0 },
];

export function makeConstant(fn: IrFunction, width: number, bits: Bits): ValueId {
  if (width === WIDTH_1) return fn.constant1(bits.low !== 0);
  return width === WIDTH_32 ? fn.constant32(bits.low) : fn.constant64(bits.low, bits.high);
}

export function foldValue(fn: IrFunction, v: ValueId): ValueId {
  const op = fn.op[v] as Op;
  const count = fn.operandCount[v]!;
  if (count === 0) return v;
  if (count > 3) return foldLong(fn, v, op);
  const start = fn.operandStart[v]!;
  const pool = fn.operandPool;
  let constants = 0;
  for (let i = 0; i < count; i++) {
    const o = pool[start + i]!;
    if (fn.op[o] !== OP.const) continue;
    constants++;
    scratch[i]!.low = fn.imm0[o]!;
    scratch[i]!.high = fn.imm1[o]!;
  }
  if (constants === count) {
    const result = evaluateInteger(op, scratch[0], scratch[1], scratch[2]);
    if (result) return makeConstant(fn, fn.type[v]! & 3, result);
  }
  if (isCommutative(op) && fn.op[pool[start]!] === OP.const && fn.op[pool[start + 1]!] !== OP.const) {
    const first = pool[start]!;
    pool[start] = pool[start + 1]!;
    pool[start + 1] = first;
  }
  return identity(fn, v, op, pool[start]! as ValueId, pool[start + 1]! as ValueId, pool[start + 2]! as ValueId);
}

/** (a · b + c) · 2^0 is a plain fused multiply-add. */
function foldLong(fn: IrFunction, v: ValueId, op: Op): ValueId {
  if (op !== OP['ffma.scaled.f32'] && op !== OP['ffma.scaled.f64']) return v;
  if (!isConst32(fn, fn.operand(v, 3), 0)) return v;
  fn.op[v] = op === OP['ffma.scaled.f32'] ? OP['ffma.f32'] : OP['ffma.f64'];
  fn.operandCount[v] = 3;
  return v;
}

function isConst32(fn: IrFunction, v: number, bits: number): boolean {
  return fn.op[v] === OP.const && fn.imm0[v] === bits;
}

function isConst64(fn: IrFunction, v: number, low: number, high: number): boolean {
  return fn.op[v] === OP.const && fn.imm0[v] === low && fn.imm1[v] === high;
}

/** Turns v into another operation with the given operands, in place; fewer operands than before. */
function rewrite1(fn: IrFunction, v: ValueId, op: Op, a: ValueId): ValueId {
  fn.op[v] = op;
  fn.operandPool[fn.operandStart[v]!] = a;
  fn.operandCount[v] = 1;
  fn.imm0[v] = 0;
  return foldValue(fn, v);
}

function rewrite2(fn: IrFunction, v: ValueId, op: Op, a: ValueId, b: ValueId): ValueId {
  const start = fn.operandStart[v]!;
  fn.op[v] = op;
  fn.operandPool[start] = a;
  fn.operandPool[start + 1] = b;
  fn.operandCount[v] = 2;
  fn.imm0[v] = 0;
  return foldValue(fn, v);
}

/**
 * The older value `to` in place of v, unless it is per lane where v must be uniform (it never is: an operand of a
 * uniform value is uniform).
 */
function identity(fn: IrFunction, v: ValueId, op: Op, a: ValueId, b: ValueId, c: ValueId): ValueId {
  switch (op) {
    case OP['iadd.u32']:
      if (isConst32(fn, b, 0)) return a;
      return reassociateAdd(fn, v, a, b);
    case OP['isub.u32']:
      if (isConst32(fn, b, 0)) return a;
      if (a === b) return fn.constant32(0);
      if (fn.op[b] === OP.const) return rewrite2(fn, v, OP['iadd.u32'], a, fn.constant32(-fn.imm0[b]!));
      return v;
    case OP['imul.u32']:
      if (isConst32(fn, b, 0)) return b;
      if (isConst32(fn, b, 1)) return a;
      if (fn.op[b] === OP.const) {
        const power = powerOfTwo(fn.imm0[b]!);
        if (power > 0) return rewrite2(fn, v, OP['shl.u32'], a, fn.constant32(power));
      }
      return v;
    case OP['umulhi.u32']:
    case OP['smulhi.i32']:
      return isConst32(fn, b, 0) ? b : v;
    case OP['udiv.u32']:
    case OP['umod.u32']:
      return foldDivision(fn, v, op, a, b);
    case OP['and.u32']:
      if (isConst32(fn, b, 0)) return b;
      if (isConst32(fn, b, -1) || a === b) return a;
      if (absorbs(fn, OP['or.u32'], a, b)) return absorbed(fn, OP['or.u32'], a, b);
      if (fn.op[b] === OP.const && fn.op[a] === OP['and.u32'] && fn.op[fn.operand(a, 1)] === OP.const) {
        const mask = fn.imm0[b]! & fn.imm0[fn.operand(a, 1)]!;
        return rewrite2(fn, v, OP['and.u32'], fn.operand(a, 0), fn.constant32(mask));
      }
      return v;
    case OP['or.u32']:
      if (isConst32(fn, b, 0) || a === b) return a;
      if (isConst32(fn, b, -1)) return b;
      return absorbs(fn, OP['and.u32'], a, b) ? absorbed(fn, OP['and.u32'], a, b) : v;
    case OP['xor.u32']:
      if (isConst32(fn, b, 0)) return a;
      if (a === b) return fn.constant32(0);
      return isConst32(fn, b, -1) ? rewrite1(fn, v, OP['not.u32'], a) : v;
    case OP['not.u32']:
      return fn.op[a] === OP['not.u32'] ? fn.operand(a, 0) : v;
    case OP['shl.u32']:
    case OP['shr.u32']:
    case OP['sar.i32']:
      return foldShift(fn, v, op, a, b);
    case OP['ubfe.u32']:
    case OP['sbfe.i32']:
      return foldExtract(fn, v, op, a, b, c);
    case OP['bitselect.u32']:
      if (b === c) return b;
      if (isConst32(fn, a, -1)) return b;
      return isConst32(fn, a, 0) ? c : v;
    case OP['funnel.u32']:
      if (fn.op[c] === OP.const && (fn.imm0[c]! & 31) === 0) return b;
      return isConst32(fn, a, 0) ? rewrite2(fn, v, OP['shr.u32'], b, c) : v;
    case OP['umin.u32']:
      if (a === b || isConst32(fn, b, -1)) return a;
      return isConst32(fn, b, 0) ? b : v;
    case OP['umax.u32']:
      if (a === b || isConst32(fn, b, 0)) return a;
      return isConst32(fn, b, -1) ? b : v;
    case OP['smin.i32']:
    case OP['smax.i32']:
      return a === b ? a : v;
    case OP['bitreverse.u32']:
      return fn.op[a] === OP['bitreverse.u32'] ? fn.operand(a, 0) : v;
    case OP['icmp.eq.u32']:
    case OP['icmp.eq.u64']:
    case OP['icmp.ule.u32']:
    case OP['icmp.ule.u64']:
    case OP['icmp.sle.i32']:
    case OP['icmp.sle.i64']:
      return a === b ? fn.constant1(true) : foldCompare(fn, v, op, a, b);
    case OP['icmp.ne.u32']:
    case OP['icmp.ne.u64']:
    case OP['icmp.ult.u32']:
    case OP['icmp.ult.u64']:
    case OP['icmp.slt.i32']:
    case OP['icmp.slt.i64']:
      return a === b ? fn.constant1(false) : foldCompare(fn, v, op, a, b);
    case OP['mbcnt.lo']:
    case OP['mbcnt.hi']:
      return foldLaneCount(fn, v, op, a, b);
    default:
      return identityOfOthers(fn, v, op, a, b, c);
  }
}

function identityOfOthers(fn: IrFunction, v: ValueId, op: Op, a: ValueId, b: ValueId, c: ValueId): ValueId {
  switch (op) {
    case OP['pack.64']:
      return fn.op[a] === OP['lo.64'] && fn.op[b] === OP['hi.64'] && fn.operand(a, 0) === fn.operand(b, 0)
        ? fn.operand(a, 0)
        : v;
    case OP['lo.64']:
      return foldHalf(fn, v, a, 0);
    case OP['hi.64']:
      return foldHalf(fn, v, a, 1);
    case OP['iadd.u64']:
    case OP['isub.u64']:
      return isConst64(fn, b, 0, 0) ? a : v;
    case OP['and.u64']:
      if (isConst64(fn, b, 0, 0)) return b;
      if (isConst64(fn, b, -1, -1) || a === b) return a;
      return absorbs(fn, OP['or.u64'], a, b) ? absorbed(fn, OP['or.u64'], a, b) : v;
    case OP['or.u64']:
      if (isConst64(fn, b, 0, 0) || a === b) return a;
      if (isConst64(fn, b, -1, -1)) return b;
      return absorbs(fn, OP['and.u64'], a, b) ? absorbed(fn, OP['and.u64'], a, b) : v;
    case OP['xor.u64']:
      if (isConst64(fn, b, 0, 0)) return a;
      if (a === b) return fn.constant64(0, 0);
      return isConst64(fn, b, -1, -1) ? rewrite1(fn, v, OP['not.u64'], a) : v;
    case OP['not.u64']:
      return fn.op[a] === OP['not.u64'] ? fn.operand(a, 0) : v;
    case OP['shl.u64']:
    case OP['shr.u64']:
    case OP['sar.i64']:
      return fn.op[b] === OP.const && (fn.imm0[b]! & 63) === 0 ? a : v;
    case OP['and.1']:
      if (isConst32(fn, b, 0)) return b;
      if (isConst32(fn, b, 1) || a === b) return a;
      return absorbs(fn, OP['or.1'], a, b) ? absorbed(fn, OP['or.1'], a, b) : v;
    case OP['or.1']:
      if (isConst32(fn, b, 1)) return b;
      if (isConst32(fn, b, 0) || a === b) return a;
      return absorbs(fn, OP['and.1'], a, b) ? absorbed(fn, OP['and.1'], a, b) : v;
    case OP['xor.1']:
      if (isConst32(fn, b, 0)) return a;
      if (a === b) return fn.constant1(false);
      return isConst32(fn, b, 1) ? rewrite1(fn, v, OP['not.1'], a) : v;
    case OP['not.1']:
      return foldNot(fn, v, a);
    case OP['select.1']:
    case OP['select.32']:
    case OP['select.64']:
      return foldSelect(fn, v, op, a, b, c);
    case OP['fneg.f32']:
    case OP['fneg.f64']:
      return fn.op[a] === op ? fn.operand(a, 0) : v;
    case OP['fabs.f32']:
    case OP['fabs.f64']:
    case OP['fabs.f16']:
    case OP['fflush.f32']:
    case OP['fflush.f64']:
    case OP['fflush.f16']:
    case OP['fquiet.f32']:
    case OP['fquiet.f64']:
    case OP['fquiet.f16']:
      return fn.op[a] === op ? a : v;
    case OP['inverse.ballot.32']:
      return foldInverseBallot(fn, v, a, OP['ballot.32'], isConst32(fn, a, -1), isConst32(fn, a, 0));
    case OP['inverse.ballot.64']:
      return foldInverseBallot(fn, v, a, OP['ballot.64'], isConst64(fn, a, -1, -1), isConst64(fn, a, 0, 0));
    case OP['ballot.32']:
      if (fn.op[a] === OP.const) return fn.constant32(fn.imm0[a] ? -1 : 0);
      return fn.op[a] === OP['inverse.ballot.32'] ? fn.operand(a, 0) : v;
    case OP['ballot.64']:
      if (fn.op[a] === OP.const) return fn.constant64(fn.imm0[a] ? -1 : 0, fn.imm0[a] ? -1 : 0);
      return fn.op[a] === OP['inverse.ballot.64'] ? fn.operand(a, 0) : v;
    case OP.any:
      return fn.type[a]! & LANE_BIT ? v : a;
    case OP['readlane.32']:
      return foldReadlane(fn, v, a, b);
    case OP['readfirstlane.32']:
      return fn.type[a]! & LANE_BIT ? v : a;
    // Moving lanes about does not change a value that all lanes share.
    case OP['dpp.32']:
    case OP['dpp.1']:
    case OP['dpp8.32']:
    case OP['dpp8.1']:
    case OP['swizzle.32']:
    case OP['swizzle.1']:
    case OP['shuffle.32']:
    case OP['permlane16.32']:
    case OP['permlane16.1']:
      return fn.type[a]! & LANE_BIT ? v : a;
    default:
      return v;
  }
}

/** Counting all lanes below this one is the lane's number. */
function foldLaneCount(fn: IrFunction, v: ValueId, op: Op, mask: ValueId, addend: ValueId): ValueId {
  if (isConst32(fn, mask, 0)) return addend;
  if (!isConst32(fn, mask, -1)) return v;
  const wave64 = fn.shape.waveSize === 64;
  const whole = wave64
    ? op === OP['mbcnt.hi'] &&
      fn.op[addend] === OP['mbcnt.lo'] &&
      isConst32(fn, fn.operand(addend, 0), -1) &&
      isConst32(fn, fn.operand(addend, 1), 0)
    : op === OP['mbcnt.lo'] && isConst32(fn, addend, 0);
  if (!whole) return v;
  fn.op[v] = OP['lane.id'];
  fn.operandCount[v] = 0;
  return v;
}

function powerOfTwo(bits: number): number {
  const u = bits >>> 0;
  return u !== 0 && (u & (u - 1)) === 0 ? 31 - Math.clz32(u) : -1;
}

/** (x + c1) + c2 = x + (c1 + c2), within one instruction: two of the guest's additions stay two. */
function reassociateAdd(fn: IrFunction, v: ValueId, a: ValueId, b: ValueId): ValueId {
  if (fn.op[b] !== OP.const || fn.op[a] !== OP['iadd.u32'] || fn.location[a] !== fn.location[v]) return v;
  const inner = fn.operand(a, 1);
  if (fn.op[inner] !== OP.const) return v;
  return rewrite2(fn, v, OP['iadd.u32'], fn.operand(a, 0), fn.constant32(fn.imm0[inner]! + fn.imm0[b]!));
}

function foldDivision(fn: IrFunction, v: ValueId, op: Op, a: ValueId, b: ValueId): ValueId {
  if (fn.op[b] !== OP.const) return v;
  const power = powerOfTwo(fn.imm0[b]!);
  if (power < 0) return v;
  if (op === OP['udiv.u32']) return power === 0 ? a : rewrite2(fn, v, OP['shr.u32'], a, fn.constant32(power));
  return rewrite2(fn, v, OP['and.u32'], a, fn.constant32(fn.imm0[b]! - 1));
}

function foldShift(fn: IrFunction, v: ValueId, op: Op, a: ValueId, b: ValueId): ValueId {
  if (isConst32(fn, a, 0)) return a;
  if (fn.op[b] !== OP.const) {
    // The amount is taken modulo 32 anyway.
    if (fn.op[b] === OP['and.u32'] && fn.op[fn.operand(b, 1)] === OP.const) {
      if ((fn.imm0[fn.operand(b, 1)]! & 31) === 31) return rewrite2(fn, v, op, a, fn.operand(b, 0));
    }
    return v;
  }
  const amount = fn.imm0[b]!;
  if ((amount & 31) === 0) return a;
  if (amount !== (amount & 31)) return rewrite2(fn, v, op, a, fn.constant32(amount & 31));
  if (fn.op[a] !== op || fn.op[fn.operand(a, 1)] !== OP.const) return v;
  const sum = amount + (fn.imm0[fn.operand(a, 1)]! & 31);
  if (sum < 32) return rewrite2(fn, v, op, fn.operand(a, 0), fn.constant32(sum));
  if (op !== OP['sar.i32']) return fn.constant32(0);
  return rewrite2(fn, v, op, fn.operand(a, 0), fn.constant32(31));
}

function foldExtract(fn: IrFunction, v: ValueId, op: Op, a: ValueId, b: ValueId, c: ValueId): ValueId {
  if (fn.op[c] !== OP.const) return v;
  const width = fn.imm0[c]! & 31;
  if (width === 0) return fn.constant32(0);
  if (fn.op[b] !== OP.const) return v;
  const offset = fn.imm0[b]! & 31;
  if (op === OP['ubfe.u32']) {
    if (offset + width >= 32) return rewrite2(fn, v, OP['shr.u32'], a, fn.constant32(offset));
    if (offset === 0) return rewrite2(fn, v, OP['and.u32'], a, fn.constant32((1 << width) - 1));
  } else if (offset + width === 32) {
    return rewrite2(fn, v, OP['sar.i32'], a, fn.constant32(offset));
  }
  return v;
}

/** Comparisons of a whole mask with 0 ask for any lane; unsigned comparisons with 0 and 1 are equalities. */
function foldCompare(fn: IrFunction, v: ValueId, op: Op, a: ValueId, b: ValueId): ValueId {
  switch (op) {
    case OP['icmp.ne.u64']:
      if (fn.op[a] === OP['ballot.64'] && isConst64(fn, b, 0, 0)) return rewrite1(fn, v, OP.any, fn.operand(a, 0));
      return v;
    case OP['icmp.ne.u32']:
      if (fn.op[a] === OP['ballot.32'] && isConst32(fn, b, 0)) return rewrite1(fn, v, OP.any, fn.operand(a, 0));
      return foldCompareOfBoolean(fn, v, a, b, true);
    case OP['icmp.eq.u32']:
      return foldCompareOfBoolean(fn, v, a, b, false);
    case OP['icmp.ult.u32']:
      if (isConst32(fn, b, 0)) return fn.constant1(false);
      if (isConst32(fn, b, 1)) return rewrite2(fn, v, OP['icmp.eq.u32'], a, fn.constant32(0));
      return isConst32(fn, a, 0) ? rewrite2(fn, v, OP['icmp.ne.u32'], b, a) : v;
    case OP['icmp.ule.u32']:
      if (isConst32(fn, a, 0) || isConst32(fn, b, -1)) return fn.constant1(true);
      return isConst32(fn, b, 0) ? rewrite2(fn, v, OP['icmp.eq.u32'], a, b) : v;
    default:
      return v;
  }
}

/** (c ? k1 : k0) == k with constants k1 ≠ k0 is c, not c, or false. */
function foldCompareOfBoolean(fn: IrFunction, v: ValueId, a: ValueId, b: ValueId, negate: boolean): ValueId {
  if (fn.op[b] !== OP.const || fn.op[a] !== OP['select.32']) return v;
  const whenTrue = fn.operand(a, 1);
  const whenFalse = fn.operand(a, 2);
  if (fn.op[whenTrue] !== OP.const || fn.op[whenFalse] !== OP.const) return v;
  const first = fn.imm0[whenTrue] === fn.imm0[b];
  const second = fn.imm0[whenFalse] === fn.imm0[b];
  if (first === second) return fn.constant1(first !== negate);
  return first !== negate ? fn.operand(a, 0) : rewrite1(fn, v, OP['not.1'], fn.operand(a, 0));
}

/** not(x == y) is x != y and so on; only where the negation is exact. */
function foldNot(fn: IrFunction, v: ValueId, a: ValueId): ValueId {
  if (fn.op[a] === OP['not.1']) return fn.operand(a, 0);
  const x = fn.operandCount[a]! > 0 ? fn.operand(a, 0) : a;
  const y = fn.operandCount[a]! > 1 ? fn.operand(a, 1) : a;
  switch (fn.op[a]) {
    case OP['icmp.eq.u32']:
      return rewriteNot(fn, v, OP['icmp.ne.u32'], x, y);
    case OP['icmp.ne.u32']:
      return rewriteNot(fn, v, OP['icmp.eq.u32'], x, y);
    case OP['icmp.ult.u32']:
      return rewriteNot(fn, v, OP['icmp.ule.u32'], y, x);
    case OP['icmp.ule.u32']:
      return rewriteNot(fn, v, OP['icmp.ult.u32'], y, x);
    case OP['icmp.slt.i32']:
      return rewriteNot(fn, v, OP['icmp.sle.i32'], y, x);
    case OP['icmp.sle.i32']:
      return rewriteNot(fn, v, OP['icmp.slt.i32'], y, x);
    default:
      return v;
  }
}

/** not has one operand, a comparison two: the list moves. */
function rewriteNot(fn: IrFunction, v: ValueId, op: Op, x: ValueId, y: ValueId): ValueId {
  fn.setOperands(v, [x, y]);
  fn.op[v] = op;
  return foldValue(fn, v);
}

function foldSelect(fn: IrFunction, v: ValueId, op: Op, condition: ValueId, yes: ValueId, no: ValueId): ValueId {
  if (fn.op[condition] === OP.const) return fn.imm0[condition] ? yes : no;
  if (yes === no) return yes;
  // Reading an undefined register: any value will do.
  if (fn.op[no] === OP.undef) return yes;
  if (fn.op[yes] === OP.undef) return no;
  if (fn.op[condition] === OP['not.1']) {
    const start = fn.operandStart[v]!;
    fn.operandPool[start] = fn.operand(condition, 0);
    fn.operandPool[start + 1] = no;
    fn.operandPool[start + 2] = yes;
    return foldValue(fn, v);
  }
  if (op === OP['select.1']) {
    if (isConst32(fn, yes, 1) && isConst32(fn, no, 0)) return condition;
    if (isConst32(fn, yes, 0) && isConst32(fn, no, 1)) return rewrite1(fn, v, OP['not.1'], condition);
    if (isConst32(fn, no, 0)) return rewrite2(fn, v, OP['and.1'], condition, yes);
    if (isConst32(fn, yes, 1)) return rewrite2(fn, v, OP['or.1'], condition, no);
    return v;
  }
  // select(c, x, select(c, y, z)) = select(c, x, z), and the mirror.
  const start = fn.operandStart[v]!;
  if (fn.op[no] === op && fn.operand(no, 0) === condition) {
    fn.operandPool[start + 2] = fn.operand(no, 2);
    return foldValue(fn, v);
  }
  if (fn.op[yes] === op && fn.operand(yes, 0) === condition) {
    fn.operandPool[start + 1] = fn.operand(yes, 1);
    return foldValue(fn, v);
  }
  return v;
}

/**
 * x | (x & y) = x and x & (x | y) = x: what EXEC is after "exec &= condition … exec |= saved", so that a mask that comes
 * back whole is seen to.
 */
function absorbs(fn: IrFunction, inner: Op, a: ValueId, b: ValueId): boolean {
  return holds(fn, inner, a, b) || holds(fn, inner, b, a);
}

function absorbed(fn: IrFunction, inner: Op, a: ValueId, b: ValueId): ValueId {
  return holds(fn, inner, a, b) ? b : a;
}

/** Whether `outer` is `inner` of `x` and something. */
function holds(fn: IrFunction, inner: Op, outer: ValueId, x: ValueId): boolean {
  return fn.op[outer] === inner && (fn.operand(outer, 0) === x || fn.operand(outer, 1) === x);
}

function foldHalf(fn: IrFunction, v: ValueId, a: ValueId, half: 0 | 1): ValueId {
  switch (fn.op[a]) {
    case OP['pack.64']:
      return fn.operand(a, half);
    case OP['and.u64']:
    case OP['or.u64']:
    case OP['xor.u64']: {
      // With a constant half that decides: 0 for and, all ones for or.
      const mask = fn.operand(a, 1);
      if (fn.op[mask] !== OP.const) return v;
      const bits = half === 0 ? fn.imm0[mask]! : fn.imm1[mask]!;
      if (fn.op[a] === OP['and.u64']) {
        if (bits === 0) return fn.constant32(0);
        if (bits === -1) return rewrite1(fn, v, fn.op[v] as Op, fn.operand(a, 0));
      } else if (bits === 0) {
        return rewrite1(fn, v, fn.op[v] as Op, fn.operand(a, 0));
      }
      return v;
    }
    case OP['umulwide.u64']:
      return rewrite2Wide(fn, v, half === 0 ? OP['imul.u32'] : OP['umulhi.u32'], a);
    case OP['smulwide.i64']:
      return rewrite2Wide(fn, v, half === 0 ? OP['imul.u32'] : OP['smulhi.i32'], a);
    default:
      return v;
  }
}

function rewrite2Wide(fn: IrFunction, v: ValueId, op: Op, product: ValueId): ValueId {
  fn.setOperands(v, [fn.operand(product, 0), fn.operand(product, 1)]);
  fn.op[v] = op;
  return foldValue(fn, v);
}

function foldInverseBallot(
  fn: IrFunction,
  v: ValueId,
  a: ValueId,
  ballot: Op,
  isAll: boolean,
  isNone: boolean,
): ValueId {
  if (isAll) return fn.constant1(true);
  if (isNone) return fn.constant1(false);
  return fn.op[a] === ballot ? fn.operand(a, 0) : v;
}

/** A lane of a uniform value, or of a register into which that lane was written, is known. */
function foldReadlane(fn: IrFunction, v: ValueId, from: ValueId, lane: ValueId): ValueId {
  if (!(fn.type[from]! & LANE_BIT)) return from;
  if (fn.op[lane] !== OP.const) return v;
  const wanted = fn.imm0[lane]! & (fn.shape.waveSize - 1);
  let at = from;
  while (fn.op[at] === OP['writelane.32']) {
    const written = fn.operand(at, 2);
    if (fn.op[written] !== OP.const) break;
    if ((fn.imm0[written]! & (fn.shape.waveSize - 1)) === wanted) return fn.operand(at, 1);
    at = fn.operand(at, 0);
  }
  if (!(fn.type[at]! & LANE_BIT)) return at;
  if (at !== from) fn.setOperand(v, 0, at);
  return v;
}
