/**
 * Float operations of the IR on raw bits, by the reference's float functions: nothing is flushed, rounding as the
 * operation says. Used by the IR interpreter.
 */
import type { Bits } from '../../src/main/recompiler/ir/evaluate.ts';
import type { OpName } from '../../src/main/recompiler/ir/ops.ts';
import { cosF32, exp2F32, log2F32, sinF32 } from '../../src/main/reference/float/approximate.ts';
import * as h from '../../src/main/reference/float/arithmetic-f16.ts';
import * as s from '../../src/main/reference/float/arithmetic-f32.ts';
import * as d from '../../src/main/reference/float/arithmetic-f64.ts';
import * as compare from '../../src/main/reference/float/compare.ts';
import * as convert from '../../src/main/reference/float/convert.ts';
import * as divide from '../../src/main/reference/float/divide.ts';
import { type FloatControl, floatControl } from '../../src/main/reference/float/float-control.ts';
import * as integral from '../../src/main/reference/float/integral.ts';
import * as root from '../../src/main/reference/float/reciprocal.ts';
import { roundToF16, roundToF32 } from '../../src/main/reference/float/rounding.ts';
import * as scale from '../../src/main/reference/float/scale.ts';
import { OUT64 } from '../../src/main/reference/float/scratch.ts';

type Evaluate = (a: Bits, b: Bits, c: Bits, d: Bits, imm: number, control: FloatControl) => Bits;

const word = (value: number): Bits => ({ low: value >>> 0, high: 0 });
/** What the call just made left in OUT64. */
const wide = (_done: unknown): Bits => ({ low: OUT64[0]!, high: OUT64[1]! });
const truth = (value: boolean): Bits => word(value ? 1 : 0);
const u = (x: Bits): number => x.low >>> 0;
const KEEP = floatControl(0, 3);

/** Applies `scale` of fomod (1 ×2, 2 ×4, 3 ÷2): zero and denormal results give +0. */
function omod(value: number, imm: number): number {
  return value * [1, 2, 4, 0.5][imm & 3]!;
}

/** `flush` of div.fixup: results flushed, sources as they are. */
function fixupControl(imm: number, control: FloatControl): FloatControl {
  return imm & 8 ? floatControl(control.round, 1) : control;
}

const LESS = 1;
const EQUAL = 2;
const GREATER = 4;
const RELATIONS = { eq: EQUAL, lt: LESS, le: LESS | EQUAL, lg: LESS | GREATER, ord: LESS | EQUAL | GREATER } as const;

const FLOATS: Partial<Record<OpName, Evaluate>> = {
  'fadd.f32': (a, b, _c, _d, _i, k) => word(s.addF32(u(a), u(b), k)),
  'fsub.f32': (a, b, _c, _d, _i, k) => word(s.subF32(u(a), u(b), k)),
  'fmul.f32': (a, b, _c, _d, _i, k) => word(s.mulF32(u(a), u(b), k)),
  'ffma.f32': (a, b, c, _d, _i, k) => word(s.fmaF32(u(a), u(b), u(c), k)),
  'ffma.scaled.f32': (a, b, c, n, _i, k) => word(s.scaledFmaF32(u(a), u(b), u(c), 2 ** (n.low | 0), k)),
  'fdiv.f32': (a, b) => word(divideF32(u(a), u(b))),
  'fdiv.f64': (a, b) => divideF64(a, b),
  'fflush.f32': (a) => word(s.flushF32(u(a))),
  'fquiet.f32': (a) => word(s.isNanF32(u(a)) ? s.quietF32(u(a)) : u(a)),
  'fmin.f32': (a, b, _c, _d, i) => word(s.minF32(u(a), u(b), KEEP, (i & 1) !== 0)),
  'fmax.f32': (a, b, _c, _d, i) => word(s.maxF32(u(a), u(b), KEEP, (i & 1) !== 0)),
  'fsaturate.f32': (a, _b, _c, _d, i) => {
    const bits = u(a);
    if (s.isNanF32(bits)) return word(i & 1 ? 0 : bits);
    return word(bits >>> 31 ? 0 : Math.min(bits, 0x3f800000));
  },
  'fomod.f32': (a, _b, _c, _d, i) => {
    if (s.isNanF32(u(a))) return a;
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, s.flushF32(u(a)));
    const bits = roundToF32(omod(view.getFloat32(0), i), 0);
    return word(s.flushF32(bits) << 1 === 0 ? 0 : s.flushF32(bits));
  },
  'fclass.f32': (a, b) => truth((compare.classifyF32(u(a)) & b.low) !== 0),
  'ffloor.f32': (a) => word(integral.integralF32(u(a), Math.floor, KEEP)),
  'fceil.f32': (a) => word(integral.integralF32(u(a), Math.ceil, KEEP)),
  'ftrunc.f32': (a) => word(integral.integralF32(u(a), Math.trunc, KEEP)),
  'frndne.f32': (a) => word(integral.integralF32(u(a), integral.rndne, KEEP)),
  'ffract.f32': (a, _b, _c, _d, _i, k) => word(integral.fractF32(u(a), k)),
  'fexp2.f32': (a) => word(exp2F32(u(a))),
  'flog2.f32': (a) => word(log2F32(u(a))),
  'fsin.f32': (a) => word(sinF32(u(a))),
  'fcos.f32': (a) => word(cosF32(u(a))),
  'frcp.f32': (a) => word(rootOf32(u(a), root.reciprocal)),
  'frsq.f32': (a) => word(rootOf32(u(a), root.reciprocalRoot)),
  'fsqrt.f32': (a) => word(rootOf32(u(a), root.squareRoot)),
  'fldexp.f32': (a, b, _c, _d, _i, k) => word(scale.ldexpF32(u(a), b.low, k)),
  'ffrexp.mant.f32': (a) => word(scale.frexpSignificandF32(u(a), KEEP)),
  'ffrexp.exp.f32': (a) => word(scale.frexpExponentF32(u(a), KEEP)),
  'div.fixup.f32': (a, b, c, _d, i, k0) => word(divide.divFixupF32(u(a), u(b), u(c), fixupControl(i, k0))),
  'div.scale.f32': (a, b, c, _d, _i, k) => word(divide.divScaleF32(u(a), u(b), u(c), k)),
  'div.scale.flag.f32': (a, b, c) => {
    divide.divScaleF32(u(a), u(b), u(c), KEEP);
    return truth(divide.divScaleFlag.value);
  },

  'fadd.f64': (a, b, _c, _d, _i, k) => wide(d.addF64(u(a), a.high >>> 0, u(b), b.high >>> 0, k)),
  'fmul.f64': (a, b, _c, _d, _i, k) => wide(d.mulF64(u(a), a.high >>> 0, u(b), b.high >>> 0, k)),
  'ffma.f64': (a, b, c, _d, _i, k) => wide(d.fmaF64(u(a), a.high >>> 0, u(b), b.high >>> 0, u(c), c.high >>> 0, k)),
  'ffma.scaled.f64': (a, b, c, n, _i, k) =>
    wide(d.fmaF64(u(a), a.high >>> 0, u(b), b.high >>> 0, u(c), c.high >>> 0, k, n.low | 0)),
  'fflush.f64': (a) => (d.isDenormalOrZeroF64(a.high >>> 0) ? { low: 0, high: a.high & 0x80000000 } : a),
  'fquiet.f64': (a) => (d.isNanF64(u(a), a.high >>> 0) ? { low: a.low, high: a.high | 0x00080000 } : a),
  'fmin.f64': (a, b, _c, _d, i) => wide(d.minF64(u(a), a.high >>> 0, u(b), b.high >>> 0, KEEP, (i & 1) !== 0)),
  'fmax.f64': (a, b, _c, _d, i) => wide(d.maxF64(u(a), a.high >>> 0, u(b), b.high >>> 0, KEEP, (i & 1) !== 0)),
  'fsaturate.f64': (a, _b, _c, _d, i) => {
    if (d.isNanF64(u(a), a.high >>> 0)) return i & 1 ? word(0) : a;
    if (a.high >>> 31) return word(0);
    return toDouble(a) > 1 ? { low: 0, high: 0x3ff00000 } : a;
  },
  'fomod.f64': (a, _b, _c, _d, i) => {
    if (d.isNanF64(u(a), a.high >>> 0)) return a;
    const value = d.isDenormalOrZeroF64(a.high >>> 0) ? 0 : omod(toDouble(a), i);
    return Math.abs(value) < 2 ** -1022 ? word(0) : fromDouble(value);
  },
  'fclass.f64': (a, b) => truth((compare.classifyF64(u(a), a.high >>> 0) & b.low) !== 0),
  'ffloor.f64': (a) => wide(integral.integralF64(u(a), a.high >>> 0, Math.floor, KEEP)),
  'fceil.f64': (a) => wide(integral.integralF64(u(a), a.high >>> 0, Math.ceil, KEEP)),
  'ftrunc.f64': (a) => wide(integral.integralF64(u(a), a.high >>> 0, Math.trunc, KEEP)),
  'frndne.f64': (a) => wide(integral.integralF64(u(a), a.high >>> 0, integral.rndne, KEEP)),
  'ffract.f64': (a, _b, _c, _d, _i, k) => wide(integral.fractF64(u(a), a.high >>> 0, k)),
  'frcp.f64': (a) => wide(root.rootF64(u(a), a.high >>> 0, root.reciprocal, KEEP)),
  'frsq.f64': (a) => wide(root.rootF64(u(a), a.high >>> 0, root.reciprocalRoot, KEEP)),
  'fsqrt.f64': (a) => wide(root.rootF64(u(a), a.high >>> 0, root.squareRoot, KEEP)),
  'fldexp.f64': (a, b, _c, _d, _i, k) => wide(scale.ldexpF64(u(a), a.high >>> 0, b.low | 0, k)),
  'ffrexp.mant.f64': (a) => wide(scale.frexpSignificandF64(u(a), a.high >>> 0, KEEP)),
  'ffrexp.exp.f64': (a) => word(scale.frexpExponentF64(u(a), a.high >>> 0, KEEP)),
  'div.fixup.f64': (a, b, c, _d, i, k0) =>
    wide(divide.divFixupF64(u(a), a.high >>> 0, u(b), b.high >>> 0, u(c), c.high >>> 0, fixupControl(i, k0))),
  'div.scale.f64': (a, b, c, _d, _i, k) =>
    wide(divide.divScaleF64(u(a), a.high >>> 0, u(b), b.high >>> 0, u(c), c.high >>> 0, k)),
  'div.scale.flag.f64': (a, b, c) => {
    divide.divScaleF64(u(a), a.high >>> 0, u(b), b.high >>> 0, u(c), c.high >>> 0, KEEP);
    return truth(divide.divScaleFlag.value);
  },

  'fadd.f16': (a, b, _c, _d, _i, k) => word(h.addF16(u(a), u(b), k)),
  'fmul.f16': (a, b, _c, _d, _i, k) => word(h.mulF16(u(a), u(b), k)),
  'ffma.f16': (a, b, c, _d, _i, k) => word(h.fmaF16(u(a), u(b), u(c), k)),
  'fflush.f16': (a) => word(h.flushF16(u(a))),
  'fquiet.f16': (a) => word(h.isNanF16(u(a)) ? h.quietF16(u(a)) : u(a)),
  'fmin.f16': (a, b, _c, _d, i) => word(h.minF16(u(a), u(b), KEEP, (i & 1) !== 0)),
  'fmax.f16': (a, b, _c, _d, i) => word(h.maxF16(u(a), u(b), KEEP, (i & 1) !== 0)),
  'fsaturate.f16': (a, _b, _c, _d, i) => {
    const bits = u(a);
    if (h.isNanF16(bits)) return word(i & 1 ? 0 : bits);
    return word(bits & 0x8000 ? 0 : Math.min(bits, 0x3c00));
  },
  'fomod.f16': (a, _b, _c, _d, i) => {
    if (h.isNanF16(u(a))) return a;
    const value = omod(h.numberOfF16(h.flushF16(u(a))), i);
    return Math.abs(value) < 2 ** -14 ? word(0) : word(roundToF16(value, KEEP));
  },
  'fclass.f16': (a, b) => truth((compare.classifyF16(u(a)) & b.low) !== 0),
  'ffloor.f16': (a) => word(integral.integralF16(u(a), Math.floor, KEEP)),
  'fceil.f16': (a) => word(integral.integralF16(u(a), Math.ceil, KEEP)),
  'ftrunc.f16': (a) => word(integral.integralF16(u(a), Math.trunc, KEEP)),
  'frndne.f16': (a) => word(integral.integralF16(u(a), integral.rndne, KEEP)),
  'ffract.f16': (a, _b, _c, _d, _i, k) => word(integral.fractF16(u(a), k)),
  'fldexp.f16': (a, b, _c, _d, _i, k) => word(scale.ldexpF16(u(a), b.low, k)),
  'ffrexp.mant.f16': (a) => word(scale.frexpSignificandF16(u(a), KEEP)),
  'ffrexp.exp.f16': (a) => word(scale.frexpExponentF16(u(a), KEEP)),
  'div.fixup.f16': (a, b, c, _d, i, k0) => word(divide.divFixupF16(u(a), u(b), u(c), fixupControl(i, k0))),

  'cvt.f32.u32': (a, _b, _c, _d, _i, k) => word(convert.integerToF32(u(a), k)),
  'cvt.f32.i32': (a, _b, _c, _d, _i, k) => word(convert.integerToF32(a.low | 0, k)),
  'cvt.u32.f32': (a) => word(convert.f32ToU32(u(a))),
  'cvt.i32.f32': (a) => word(convert.f32ToI32(u(a))),
  'cvt.f16.f32': (a, _b, _c, _d, _i, k) => word(convert.f32ToF16(u(a), KEEP, k)),
  'cvt.f32.f16': (a) => word(convert.f16ToF32(u(a), KEEP)),
  'cvt.f64.f32': (a) => wide(convert.f32ToF64(u(a), KEEP)),
  'cvt.f32.f64': (a, _b, _c, _d, _i, k) => word(convert.f64ToF32(u(a), a.high >>> 0, KEEP, k)),
  'cvt.f64.u32': (a) => wide(convert.integerToF64(u(a))),
  'cvt.f64.i32': (a) => wide(convert.integerToF64(a.low | 0)),
  'cvt.u32.f64': (a) => word(convert.f64ToU32(u(a), a.high >>> 0)),
  'cvt.i32.f64': (a) => word(convert.f64ToI32(u(a), a.high >>> 0)),
  'cvt.f16.u16': (a, _b, _c, _d, _i, k) => word(convert.integerToF16(a.low & 0xffff, k)),
  'cvt.f16.i16': (a, _b, _c, _d, _i, k) => word(convert.integerToF16((a.low << 16) >> 16, k)),
  'cvt.u16.f16': (a) => word(convert.f16ToU16(u(a))),
  'cvt.i16.f16': (a) => word(convert.f16ToI16(u(a))),
};

/** Roots of normal and denormal operands: the reference's f32 forms flush, these do not. */
function rootOf32(bits: number, f: root.RootFunction): number {
  if (s.isNanF32(bits)) return s.quietF32(bits);
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits);
  const result = f(view.getFloat32(0));
  return Number.isNaN(result) ? s.NAN_F32 : roundToF32(result, 0);
}

const view = new DataView(new ArrayBuffer(8));

/** Plain IEEE division; only used where NaN results are put right afterwards. */
function divideF32(a: number, b: number): number {
  view.setUint32(0, a);
  view.setUint32(4, b);
  view.setFloat32(0, view.getFloat32(0) / view.getFloat32(4));
  return view.getUint32(0);
}

function toDouble(x: Bits): number {
  view.setUint32(0, x.high >>> 0);
  view.setUint32(4, x.low >>> 0);
  return view.getFloat64(0);
}

function fromDouble(value: number): Bits {
  view.setFloat64(0, value);
  return { low: view.getUint32(4), high: view.getUint32(0) };
}

function divideF64(a: Bits, b: Bits): Bits {
  return fromDouble(toDouble(a) / toDouble(b));
}

for (const [name, mask] of Object.entries(RELATIONS)) {
  FLOATS[`fcmp.${name}.f32` as OpName] = (a, b) => truth((compare.relationF32(u(a), u(b), KEEP) & mask) !== 0);
  FLOATS[`fcmp.${name}.f16` as OpName] = (a, b) => truth((compare.relationF16(u(a), u(b), KEEP) & mask) !== 0);
  FLOATS[`fcmp.${name}.f64` as OpName] = (a, b) =>
    truth((compare.relationF64(u(a), a.high >>> 0, u(b), b.high >>> 0, KEEP) & mask) !== 0);
}

export function isFloatOp(name: OpName): boolean {
  return FLOATS[name] !== undefined;
}

export function evaluateFloat(name: OpName, a: Bits, b: Bits, c: Bits, e: Bits, imm: number): Bits {
  return FLOATS[name]!(a, b, c, e, imm, floatControl(imm & 3, 3));
}
