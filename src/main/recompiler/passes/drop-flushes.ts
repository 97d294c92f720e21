/**
 * Denormal flushes that cannot change anything go.
 *
 * Why: with denormals flushed (the usual f32 mode) every source and every result is flushed, so a chain of operations
 * flushes each value several times; written out in integers a flush is five operations.
 *
 * A value is *canonical* for a format when it is no denormal of it: flushed results, conversions from integers and from
 * narrower floats, integral values, approximations, constants that are none; and choices, negations, absolute values,
 * minima, maxima and clamps of canonical values. Optimistic for phis: all start canonical, one pass over uses takes back
 * what a reader of something else cannot keep.
 */
import type { IrFunction } from '../ir/function.ts';
import { OP, OP_NAMES, type OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { applyForwards, computeUses, type Uses } from '../ir/uses.ts';

const FORMATS = ['f32', 'f64', 'f16'] as const;
type Format = (typeof FORMATS)[number];

/** Results that are canonical whatever the operands are. */
const ALWAYS: Readonly<Record<Format, readonly OpName[]>> = {
  f32: [
    'fflush.f32',
    'fomod.f32',
    'ffloor.f32',
    'fceil.f32',
    'ftrunc.f32',
    'frndne.f32',
    'fexp2.f32',
    'flog2.f32',
    'fsin.f32',
    'fcos.f32',
    'fsqrt.f32',
    'frsq.f32',
    'ffrexp.mant.f32',
    'cvt.f32.u32',
    'cvt.f32.i32',
    'cvt.f32.f16',
  ],
  f64: [
    'fflush.f64',
    'fomod.f64',
    'ffloor.f64',
    'fceil.f64',
    'ftrunc.f64',
    'frndne.f64',
    'fsqrt.f64',
    'frsq.f64',
    'ffrexp.mant.f64',
    'cvt.f64.u32',
    'cvt.f64.i32',
    'cvt.f64.f32',
  ],
  f16: [
    'fflush.f16',
    'fomod.f16',
    'ffloor.f16',
    'fceil.f16',
    'ftrunc.f16',
    'frndne.f16',
    'ffrexp.mant.f16',
    'cvt.f16.u16',
    'cvt.f16.i16',
  ],
};

/** Results that are canonical when the operands from `first` on are. */
const PASSES_ON: Readonly<Record<Format, readonly (readonly [OpName, number])[]>> = {
  f32: [
    ['fneg.f32', 0],
    ['fabs.f32', 0],
    ['fquiet.f32', 0],
    ['fmin.f32', 0],
    ['fmax.f32', 0],
    ['fsaturate.f32', 0],
    ['select.32', 1],
    ['phi', 0],
    ['readlane.32', 0],
    ['readfirstlane.32', 0],
    ['dpp.32', 0],
    ['dpp8.32', 0],
  ],
  f64: [
    ['fneg.f64', 0],
    ['fabs.f64', 0],
    ['fquiet.f64', 0],
    ['fmin.f64', 0],
    ['fmax.f64', 0],
    ['fsaturate.f64', 0],
    ['select.64', 1],
    ['phi', 0],
  ],
  f16: [
    ['fneg.f16', 0],
    ['fabs.f16', 0],
    ['fquiet.f16', 0],
    ['fmin.f16', 0],
    ['fmax.f16', 0],
    ['fsaturate.f16', 0],
    ['select.32', 1],
    ['phi', 0],
  ],
};

/** Operands that carry the value; lane numbers and masks behind them do not count. */
const VALUE_OPERANDS: Partial<Record<OpName, number>> = { 'readlane.32': 1, 'readfirstlane.32': 1 };

export function dropFlushes(fn: IrFunction): boolean {
  let uses: Uses | undefined;
  let changed = false;
  for (const format of FORMATS) {
    const flush = OP[`fflush.${format}`];
    let count = 0;
    for (let v = 0; v < fn.valueCount; v++) if (fn.block[v]! >= 0 && fn.op[v] === flush) count++;
    if (count === 0) continue;
    uses ??= computeUses(fn);
    changed = new FlushRemoval(fn, format, uses).run() || changed;
  }
  return changed;
}

class FlushRemoval {
  private readonly fn: IrFunction;
  private readonly format: Format;
  private readonly uses: Uses;
  private readonly canonical: Uint8Array;
  private readonly always: Uint8Array;
  /** First operand that must be canonical, −1 for operations that do not pass it on. */
  private readonly first: Int8Array;

  constructor(fn: IrFunction, format: Format, uses: Uses) {
    this.fn = fn;
    this.format = format;
    this.uses = uses;
    this.canonical = new Uint8Array(fn.valueCount);
    this.always = new Uint8Array(OP_NAMES.length);
    this.first = new Int8Array(OP_NAMES.length).fill(-1);
    for (const name of ALWAYS[format]) this.always[OP[name]] = 1;
    for (const [name, first] of PASSES_ON[format]) this.first[OP[name]] = first;
  }

  run(): boolean {
    const { fn, canonical } = this;
    const worklist: ValueId[] = [];
    for (let v = 0 as ValueId; v < fn.valueCount; v++) {
      if (fn.isRemoved(v)) continue;
      canonical[v] = this.mayBe(v) ? 1 : 0;
      if (!canonical[v]) worklist.push(v);
    }
    while (worklist.length > 0) {
      const v = worklist.pop()!;
      for (let i = this.uses.start[v]!; i < this.uses.start[v + 1]!; i++) {
        const user = this.uses.users[i]! as ValueId;
        if (!canonical[user] || this.first[fn.op[user]!]! < 0 || !this.depends(user, v)) continue;
        canonical[user] = 0;
        worklist.push(user);
      }
    }
    return this.remove();
  }

  /** Candidates: always canonical, or passing it on; constants by their bits. */
  private mayBe(v: ValueId): boolean {
    const { fn } = this;
    const op = fn.op[v]!;
    if (op === OP.const) return !isDenormal(this.format, fn.imm0[v]!, fn.imm1[v]!);
    return op === OP.undef || this.always[op] === 1 || this.first[op]! >= 0;
  }

  private depends(user: ValueId, on: ValueId): boolean {
    const { fn } = this;
    const end = VALUE_OPERANDS[OP_NAMES[fn.op[user]!]!] ?? fn.operandCount[user]!;
    for (let i = this.first[fn.op[user]!]!; i < end; i++) if (fn.operand(user, i) === on) return true;
    return false;
  }

  private remove(): boolean {
    const { fn, canonical } = this;
    const flush = OP[`fflush.${this.format}`];
    const forward = new Int32Array(fn.valueCount).fill(-1);
    let changed = false;
    for (let v = 0 as ValueId; v < fn.valueCount; v++) {
      if (fn.isRemoved(v) || fn.op[v] !== flush || !canonical[fn.operand(v, 0)]) continue;
      forward[v] = fn.operand(v, 0);
      changed = true;
    }
    if (!changed) return false;
    applyForwards(fn, forward);
    for (let v = 0 as ValueId; v < fn.valueCount; v++) if (forward[v]! >= 0) fn.remove(v);
    return true;
  }
}

function isDenormal(format: Format, low: number, high: number): boolean {
  switch (format) {
    case 'f32':
      return (low & 0x7f800000) === 0 && (low & 0x7fffffff) !== 0;
    case 'f64':
      return (high & 0x7ff00000) === 0 && ((high & 0x7fffffff) | low) !== 0;
    case 'f16':
      return (low & 0x7c00) === 0 && (low & 0x7fff) !== 0;
  }
}
