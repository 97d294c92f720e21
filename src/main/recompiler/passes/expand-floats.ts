/**
 * Float operations that no device promises to compute as documented become integers and the few operations that it does
 * compute exactly.
 *
 * Why: comparisons need no tolerance when every device gives the same bits (B12). After this pass only these float
 * operations are left, all marked `native` (NaN payloads and signs of NaN do not matter): add, mul, div, sqrt, fma where
 * the profile says that they are exact; comparisons; fneg, fabs; conversions between f32 and f64 that are exact; f32 and
 * f64 to integers; integers to f64.
 *
 * Outside deterministic mode NaNs are left as the device makes them, and its fma is used whether fused or not.
 */
import { Builder } from '../ir/builder.ts';
import type { IrFunction } from '../ir/function.ts';
import { DIV_FIXUP_FLUSH, OP_NAMES, type OpName } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type ValueId } from '../ir/types.ts';
import { applyForwards } from '../ir/uses.ts';
import {
  addSoft,
  type FloatSupport,
  fraction,
  fusedSoft,
  fusedSoftF64,
  fusedViaF64,
  halfToInteger,
  integerToFloat,
  multiplySoft,
  NATIVE,
  narrowFloat,
  scaleByPower,
  widenFloat,
  withNan,
} from './floats/arithmetic.ts';
import { divFixup, divScale, type Root, rootNative, rootViaF64 } from './floats/divide.ts';
import { F16, F32, F64, FloatCode } from './floats/float-code.ts';
import { roundAndPack, unpack } from './floats/rounding.ts';
import {
  classTest,
  frexpExponent,
  frexpSignificand,
  type Integral,
  minMax,
  outputModifier,
  quietNan,
  saturate,
  toIntegral,
} from './floats/simple-operations.ts';
import { exp2, log2, sine } from './floats/transcendental.ts';
import { foldValue } from './fold.ts';
import type { PassOptions } from './pass.ts';

/** lavapipe and most drivers; the measured profile decides. */
export const DEFAULT_FLOAT_SUPPORT: FloatSupport = { exactF32: true, exactF64: true, fusedF32: false, fusedF64: false };

export function expandFloats(fn: IrFunction, options: PassOptions): boolean {
  const b = new Builder(fn, 0 as BlockId);
  b.onEmit = (v) => foldValue(fn, v);
  const expander = new Expander(b, options);
  const count = fn.valueCount;
  const forward = new Int32Array(count).fill(-1);
  let changed = false;
  for (let v = 0 as ValueId; v < count; v++) {
    if (fn.isRemoved(v)) continue;
    const name = OP_NAMES[fn.op[v]!]!;
    if (!EXPANDED.test(name) || (fn.imm0[v]! & NATIVE && /^f(add|mul|div|sqrt|ma)\./.test(name))) continue;
    b.block = fn.block[v] as BlockId;
    b.before = v;
    b.location = fn.location[v]!;
    const by = expander.expand(name, fn.operandsOf(v), fn.imm0[v]!);
    if (by === NO_VALUE) continue;
    forward[v] = by;
    changed = true;
  }
  if (!changed) return false;
  applyForwards(fn, forward);
  for (let v = 0 as ValueId; v < count; v++) if (forward[v]! >= 0) fn.remove(v);
  return true;
}

/** Operations this pass may replace; sign-bit operations and comparisons stay. */
const EXPANDED = /^(f(?!neg|abs|cmp)|cvt\.|div\.).*\.(f16|f32|f64|u16|i16|u32|i32)$/;

class Expander {
  private readonly b: Builder;
  private readonly support: FloatSupport;
  private readonly deterministic: boolean;
  private readonly formats: Readonly<Record<'f16' | 'f32' | 'f64', FloatCode>>;

  constructor(b: Builder, options: PassOptions) {
    this.b = b;
    this.support = options.floats ?? DEFAULT_FLOAT_SUPPORT;
    this.deterministic = options.deterministic;
    this.formats = { f16: new FloatCode(b, F16), f32: new FloatCode(b, F32), f64: new FloatCode(b, F64) };
  }

  /** The replacement; NO_VALUE when the operation stays. */
  expand(name: OpName, o: readonly ValueId[], imm: number): ValueId {
    const parts = name.split('.');
    if (parts[0] === 'cvt') return this.convert(name, o[0]!, imm & 3);
    const c = this.formats[parts.at(-1) as 'f16' | 'f32' | 'f64'];
    const round = imm & 3;
    if (parts[0] === 'div') return this.division(name, c, o, imm);
    const kind = parts.slice(0, -1).join('.');
    switch (kind) {
      case 'fadd':
      case 'fsub':
        return this.add(c, o[0]!, kind === 'fsub' ? c.xor(o[1]!, c.word(c.signBit)) : o[1]!, round);
      case 'fmul':
        return this.multiply(c, o[0]!, o[1]!, round);
      case 'ffma':
        return this.fused(c, o, c.int(0), round, false);
      case 'ffma.scaled':
        return this.fused(c, o, o[3]!, round, true);
      case 'fflush':
        return c.flush(o[0]!);
      case 'fquiet':
        return quietNan(c, o[0]!);
      case 'fmin':
      case 'fmax':
        return minMax(c, o[0]!, o[1]!, kind === 'fmax', (imm & 1) !== 0);
      case 'fsaturate':
        return saturate(c, o[0]!, (imm & 1) !== 0);
      case 'fomod':
        return outputModifier(c, o[0]!, imm & 3);
      case 'fclass':
        return classTest(c, o[0]!, o[1]!);
      case 'ffloor':
      case 'fceil':
      case 'ftrunc':
      case 'frndne':
        return toIntegral(c, o[0]!, kind.slice(1) as Integral);
      case 'ffract':
        return fraction(c, o[0]!, round, (x, y) => this.add(c, x, y, round));
      case 'fldexp':
        return scaleByPower(c, o[0]!, o[1]!, round);
      case 'ffrexp.mant':
        return frexpSignificand(c, o[0]!);
      case 'ffrexp.exp':
        return frexpExponent(c, o[0]!);
      case 'frcp':
      case 'frsq':
      case 'fsqrt':
        return this.root(c, o[0]!, kind as Root);
      case 'fexp2':
        return exp2(c, o[0]!);
      case 'flog2':
        return log2(c, o[0]!);
      case 'fsin':
        return sine(c, o[0]!, 0);
      case 'fcos':
        return sine(c, o[0]!, 1);
      default:
        return NO_VALUE;
    }
  }

  /** The device's result with NaNs put right where that is asked for. */
  private native(c: FloatCode, result: ValueId, operands: readonly ValueId[]): ValueId {
    return this.deterministic ? withNan(c, result, operands) : result;
  }

  private isExact(c: FloatCode): boolean {
    return c.f.name === 'f32' ? this.support.exactF32 : c.f.name === 'f64' && this.support.exactF64;
  }

  private add(c: FloatCode, x: ValueId, y: ValueId, round: number): ValueId {
    if (round !== 0 || !this.isExact(c)) return addSoft(c, x, y, round);
    return this.native(c, this.b.emit2(`fadd.${wideName(c)}`, x, y, NATIVE), [x, y]);
  }

  private multiply(c: FloatCode, x: ValueId, y: ValueId, round: number): ValueId {
    if (round !== 0 || !this.isExact(c)) return multiplySoft(c, x, y, round);
    return this.native(c, this.b.emit2(`fmul.${wideName(c)}`, x, y, NATIVE), [x, y]);
  }

  private fused(c: FloatCode, o: readonly ValueId[], scale: ValueId, round: number, scaled: boolean): ValueId {
    const [x, y, z] = [o[0]!, o[1]!, o[2]!];
    const name = c.f.name;
    const fused = name === 'f32' ? this.support.fusedF32 : this.support.fusedF64;
    if (!scaled && round === 0 && name !== 'f16' && (fused || !this.deterministic)) {
      return this.native(c, this.b.emit3(`ffma.${wideName(c)}`, x, y, z, NATIVE), [x, y, z]);
    }
    if (name === 'f64') return fusedSoftF64(c, x, y, z, scale, round);
    if (name === 'f32' && this.support.exactF64) return fusedViaF64(c, x, y, z, scale, round);
    return fusedSoft(c, x, y, z, scale, round);
  }

  private root(c: FloatCode, x: ValueId, kind: Root): ValueId {
    const viaDouble = c.f.name === 'f32' && (kind === 'frsq' || !this.support.exactF32);
    if (!viaDouble) return rootNative(c, x, kind);
    return rootViaF64(c, x, kind, (d, v) => narrowFloat(d, c, v, 0));
  }

  private division(name: OpName, c: FloatCode, o: readonly ValueId[], imm: number): ValueId {
    const round = imm & 3;
    if (name.startsWith('div.fixup')) {
      return divFixup(c, o[0]!, o[1]!, o[2]!, round, (imm & DIV_FIXUP_FLUSH) !== 0);
    }
    const by = (x: ValueId, n: number): ValueId => {
      const exact = unpack(c, x);
      const moved = roundAndPack(c, { ...exact, exponent: c.plus(exact.exponent, c.int(n)) }, round);
      return c.select(c.is(c.exponent(x), c.specialExponent), quietNan(c, x), moved);
    };
    const { value, flag } = divScale(c, o[0]!, o[1]!, o[2]!, by);
    return name.startsWith('div.scale.flag') ? flag : value;
  }

  private convert(name: OpName, x: ValueId, round: number): ValueId {
    const { f16, f32, f64 } = this.formats;
    switch (name) {
      case 'cvt.f16.f32':
        return narrowFloat(f32, f16, x, round);
      case 'cvt.f32.f16':
        return widenFloat(f16, f32, x);
      case 'cvt.f32.f64':
        return narrowFloat(f64, f32, x, round);
      case 'cvt.f64.f32':
        // Exact but for NaNs and, on devices that flush, denormals.
        return widenFloat(f32, f64, x);
      case 'cvt.f32.u32':
      case 'cvt.f32.i32':
        return integerToFloat(f32, x, name === 'cvt.f32.i32', round);
      case 'cvt.f64.u32':
      case 'cvt.f64.i32':
        return integerToFloat(f64, x, name === 'cvt.f64.i32', 0);
      case 'cvt.f16.u16':
        return integerToFloat(f16, this.b.emit2('and.u32', x, this.b.u32(0xffff)), false, round);
      case 'cvt.f16.i16':
        return integerToFloat(f16, this.b.emit3('sbfe.i32', x, this.b.u32(0), this.b.u32(16)), true, round);
      case 'cvt.u16.f16':
      case 'cvt.i16.f16':
        return halfToInteger(f16, x, name === 'cvt.i16.f16');
      default:
        return NO_VALUE;
    }
  }
}

/** f16 is never computed natively. */
function wideName(c: FloatCode): 'f32' | 'f64' {
  return c.f.name === 'f64' ? 'f64' : 'f32';
}
