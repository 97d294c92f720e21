/**
 * What an address is relative to, and how many of its low bits are known to be zero: read off the IR.
 *
 * The base of an access is the uniform 64-bit value in its sum that can be a pointer, a descriptor's base for instance;
 * one lookup of its region serves every access through it. An address without one (a pointer per lane) is its own base.
 * Nothing here must be right for code to be right: a poor base only means that the program runs with checked memory.
 */
import type { IrFunction } from '../ir/function.ts';
import { OP } from '../ir/ops.ts';
import { isPerLane, type Type, type ValueId } from '../ir/types.ts';

const DEEPEST = 24;

/** A uniform base, or a per-lane value when there is none. */
export function addressBase(fn: IrFunction, address: ValueId, depth = 0): ValueId {
  if (depth > DEEPEST) return address;
  const perLane = isPerLane(fn.type[address] as Type);
  switch (fn.op[address]) {
    case OP['iadd.u64']: {
      const [a, b] = [fn.operand(address, 0), fn.operand(address, 1)];
      if (isOffset(fn, b)) return addressBase(fn, a, depth + 1);
      if (isOffset(fn, a)) return addressBase(fn, b, depth + 1);
      if (!perLane) return address;
      for (const part of [a, b]) {
        const base = addressBase(fn, part, depth + 1);
        if (!isPerLane(fn.type[base] as Type)) return base;
      }
      return address;
    }
    case OP['isub.u64']:
      return isOffset(fn, fn.operand(address, 1)) ? addressBase(fn, fn.operand(address, 0), depth + 1) : address;
    case OP['and.u64']:
      return fn.isConstant(fn.operand(address, 1)) ? addressBase(fn, fn.operand(address, 0), depth + 1) : address;
    case OP['select.64']: {
      if (!perLane) return address;
      const [a, b] = [
        addressBase(fn, fn.operand(address, 1), depth + 1),
        addressBase(fn, fn.operand(address, 2), depth + 1),
      ];
      return a === b ? a : address;
    }
    default:
      return address;
  }
}

/** Constants, extended 32-bit values, products: distances, not places. */
function isOffset(fn: IrFunction, v: ValueId, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  switch (fn.op[v]) {
    case OP.const:
    case OP['umulwide.u64']:
    case OP['smulwide.i64']:
      return true;
    case OP['pack.64']: {
      const high = fn.operand(v, 1);
      return fn.isConstant(high) ? fn.imm0[high] === 0 || fn.imm0[high] === -1 : fn.op[high] === OP['sar.i32'];
    }
    case OP['shl.u64']:
    case OP['shr.u64']:
    case OP['sar.i64']:
      return isOffset(fn, fn.operand(v, 0), depth + 1);
    case OP['iadd.u64']:
    case OP['isub.u64']:
      return isOffset(fn, fn.operand(v, 0), depth + 1) && isOffset(fn, fn.operand(v, 1), depth + 1);
    case OP['select.64']:
      return isOffset(fn, fn.operand(v, 1), depth + 1) && isOffset(fn, fn.operand(v, 2), depth + 1);
    default:
      return false;
  }
}

const trailingZeros = (word: number): number => (word === 0 ? 32 : 31 - Math.clz32(word & -word));

/** Low bits that are zero whatever happens, at most 4; `base` counts as aligned (its user checks it). */
export function knownZeroBits(fn: IrFunction, v: ValueId, base: ValueId, depth = 0): number {
  if (v === base) return 4;
  if (depth > DEEPEST) return 0;
  const of = (index: number): number => knownZeroBits(fn, fn.operand(v, index), base, depth + 1);
  const constant = (index: number): number => {
    const c = fn.operand(v, index);
    return fn.isConstant(c) ? fn.imm0[c]! : -1;
  };
  switch (fn.op[v]) {
    case OP.const:
      return Math.min(trailingZeros(fn.imm0[v]!), 4);
    case OP['iadd.u64']:
    case OP['isub.u64']:
    case OP['iadd.u32']:
    case OP['isub.u32']:
    case OP['or.u32']:
    case OP['xor.u32']:
      return Math.min(of(0), of(1));
    case OP['and.u32']:
    case OP['and.u64']:
      return Math.max(of(0), of(1));
    case OP['imul.u32']:
    case OP['umulwide.u64']:
    case OP['smulwide.i64']:
      return Math.min(of(0) + of(1), 4);
    case OP['shl.u32']:
    case OP['shl.u64']: {
      const amount = constant(1);
      return amount < 0 ? of(0) : Math.min(of(0) + (amount & 31), 4);
    }
    case OP['pack.64']:
    case OP['lo.64']:
      return of(0);
    case OP['umin.u32']:
    case OP['umax.u32']:
      return Math.min(of(0), of(1));
    case OP['select.32']:
    case OP['select.64']:
      return Math.min(of(1), of(2));
    default:
      return 0;
  }
}
