/**
 * Float operations that every device computes as IEEE says, or that the profile says it does; all others were expanded
 * into these and integer operations by the passes before. Every result is decorated NoContraction.
 *
 * Conversions to integers are guarded: SPIR-V leaves values outside the range undefined, the IR saturates and gives 0
 * for NaN.
 */
import type { OpName } from '../ir/ops.ts';
import type { EmitComponent } from './emit-integer.ts';
import type { Emitter } from './emitter.ts';
import { Decoration, GlslStd450, Op } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

type Format = 'f32' | 'f64' | 'f16';

function floatType(e: Emitter, format: Format): Id {
  return format === 'f32' ? e.f32() : format === 'f64' ? e.f64() : e.f16();
}

function bitsType(e: Emitter, format: Format): Id {
  return format === 'f64' ? e.u64 : e.u32;
}

/** Bits → float. Halves lie in the low half of a u32. */
function toFloat(e: Emitter, format: Format, given: Id): Id {
  const bits = e.hideZero(given, format);
  if (format === 'f16') return e.bitcast(e.f16(), e.op(Op.UConvert, e.u16(), bits));
  return e.bitcast(floatType(e, format), bits);
}

function toBits(e: Emitter, format: Format, value: Id): Id {
  if (format === 'f16') return e.op(Op.UConvert, e.u32, e.bitcast(e.u16(), value));
  return e.bitcast(bitsType(e, format), value);
}

/** Forbids contraction and reassociation. */
function precise(e: Emitter, id: Id): Id {
  e.m.decorate(id, Decoration.NoContraction);
  return id;
}

const arithmetic =
  (format: Format, opcode: number): EmitComponent =>
  (e, o) =>
    toBits(
      e,
      format,
      precise(e, e.op(opcode, floatType(e, format), toFloat(e, format, o(0)), toFloat(e, format, o(1)))),
    );

const compare =
  (format: Format, opcode: number): EmitComponent =>
  (e, o) =>
    e.op(opcode, e.bool, toFloat(e, format, o(0)), toFloat(e, format, o(1)));

const extended1 =
  (format: Format, instruction: number): EmitComponent =>
  (e, o) =>
    toBits(e, format, e.ext(instruction, floatType(e, format), toFloat(e, format, o(0))));

const signBit = (e: Emitter, format: Format): Id =>
  format === 'f64' ? e.constant64(0, 0x80000000) : e.constant32(format === 'f32' ? 0x80000000 : 0x8000);
const negate =
  (format: Format): EmitComponent =>
  (e, o) =>
    e.op(Op.BitwiseXor, bitsType(e, format), o(0), signBit(e, format));
const absolute =
  (format: Format): EmitComponent =>
  (e, o) =>
    e.op(Op.BitwiseAnd, bitsType(e, format), o(0), e.op(Op.Not, bitsType(e, format), signBit(e, format)));

const fused =
  (format: Format): EmitComponent =>
  (e, o) =>
    toBits(
      e,
      format,
      e.ext(
        GlslStd450.Fma,
        floatType(e, format),
        toFloat(e, format, o(0)),
        toFloat(e, format, o(1)),
        toFloat(e, format, o(2)),
      ),
    );

function toInteger(e: Emitter, value: Id, float: Id, signed: boolean, constantOf: (x: number) => Id): Id {
  const low = constantOf(signed ? -2147483648 : 0);
  const high = constantOf(signed ? 2147483648 : 4294967296);
  const under = e.op(Op.FOrdLessThanEqual, e.bool, value, low);
  const over = e.op(Op.FOrdGreaterThanEqual, e.bool, value, high);
  const nan = e.op(Op.IsNan, e.bool, value);
  const outside = e.op(Op.LogicalOr, e.bool, e.op(Op.LogicalOr, e.bool, under, over), nan);
  const safe = e.select(float, outside, constantOf(0), value);
  let result = e.op(signed ? Op.ConvertFToS : Op.ConvertFToU, e.u32, safe);
  result = e.select(e.u32, under, e.constant32(signed ? 0x80000000 : 0), result);
  result = e.select(e.u32, over, e.constant32(signed ? 0x7fffffff : 0xffffffff), result);
  return e.select(e.u32, nan, e.constant32(0), result);
}

function constantF32(e: Emitter, x: number): Id {
  return e.m.constant(Op.Constant, e.f32(), new Uint32Array(new Float32Array([x]).buffer)[0]!);
}

function constantF64(e: Emitter, x: number): Id {
  const words = new Uint32Array(new Float64Array([x]).buffer);
  return e.m.constant(Op.Constant, e.f64(), words[0]!, words[1]!);
}

export const FLOAT_OPS: Partial<Record<OpName, EmitComponent>> = {
  'fadd.f32': arithmetic('f32', Op.FAdd),
  'fsub.f32': arithmetic('f32', Op.FSub),
  'fmul.f32': arithmetic('f32', Op.FMul),
  'ffma.f32': fused('f32'),
  'fneg.f32': negate('f32'),
  'fabs.f32': absolute('f32'),
  'fcmp.eq.f32': compare('f32', Op.FOrdEqual),
  'fcmp.lt.f32': compare('f32', Op.FOrdLessThan),
  'fcmp.le.f32': compare('f32', Op.FOrdLessThanEqual),
  'fcmp.lg.f32': compare('f32', Op.FOrdNotEqual),
  'fcmp.ord.f32': (e, o) => ordered(e, 'f32', o),
  'fsqrt.f32': extended1('f32', GlslStd450.Sqrt),
  'fdiv.f32': arithmetic('f32', Op.FDiv),

  'fadd.f64': arithmetic('f64', Op.FAdd),
  'fmul.f64': arithmetic('f64', Op.FMul),
  'ffma.f64': fused('f64'),
  'fneg.f64': negate('f64'),
  'fabs.f64': absolute('f64'),
  'fcmp.eq.f64': compare('f64', Op.FOrdEqual),
  'fcmp.lt.f64': compare('f64', Op.FOrdLessThan),
  'fcmp.le.f64': compare('f64', Op.FOrdLessThanEqual),
  'fcmp.lg.f64': compare('f64', Op.FOrdNotEqual),
  'fcmp.ord.f64': (e, o) => ordered(e, 'f64', o),
  'fsqrt.f64': extended1('f64', GlslStd450.Sqrt),
  'fdiv.f64': arithmetic('f64', Op.FDiv),

  'fadd.f16': arithmetic('f16', Op.FAdd),
  'fmul.f16': arithmetic('f16', Op.FMul),
  'ffma.f16': fused('f16'),
  'fneg.f16': negate('f16'),
  'fabs.f16': absolute('f16'),
  'fcmp.eq.f16': compare('f16', Op.FOrdEqual),
  'fcmp.lt.f16': compare('f16', Op.FOrdLessThan),
  'fcmp.le.f16': compare('f16', Op.FOrdLessThanEqual),
  'fcmp.lg.f16': compare('f16', Op.FOrdNotEqual),
  'fcmp.ord.f16': (e, o) => ordered(e, 'f16', o),

  'cvt.f32.u32': (e, o) => e.bitcast(e.u32, e.op(Op.ConvertUToF, e.f32(), o(0))),
  'cvt.f32.i32': (e, o) => e.bitcast(e.u32, e.op(Op.ConvertSToF, e.f32(), o(0))),
  'cvt.f64.u32': (e, o) => e.bitcast(e.u64, e.op(Op.ConvertUToF, e.f64(), o(0))),
  'cvt.f64.i32': (e, o) => e.bitcast(e.u64, e.op(Op.ConvertSToF, e.f64(), o(0))),
  'cvt.u32.f32': (e, o) => toInteger(e, toFloat(e, 'f32', o(0)), e.f32(), false, (x) => constantF32(e, x)),
  'cvt.i32.f32': (e, o) => toInteger(e, toFloat(e, 'f32', o(0)), e.f32(), true, (x) => constantF32(e, x)),
  'cvt.u32.f64': (e, o) => toInteger(e, toFloat(e, 'f64', o(0)), e.f64(), false, (x) => constantF64(e, x)),
  'cvt.i32.f64': (e, o) => toInteger(e, toFloat(e, 'f64', o(0)), e.f64(), true, (x) => constantF64(e, x)),
  'cvt.f64.f32': (e, o) => e.bitcast(e.u64, e.op(Op.FConvert, e.f64(), toFloat(e, 'f32', o(0)))),
  'cvt.f32.f64': (e, o) => e.bitcast(e.u32, e.op(Op.FConvert, e.f32(), toFloat(e, 'f64', o(0)))),
  'cvt.f32.f16': (e, o) => e.bitcast(e.u32, e.op(Op.FConvert, e.f32(), toFloat(e, 'f16', o(0)))),
  'cvt.f16.f32': (e, o) => toBits(e, 'f16', e.op(Op.FConvert, e.f16(), toFloat(e, 'f32', o(0)))),
};

/** True when neither is NaN; by bits, so that no device's fast maths can drop it. */
function ordered(e: Emitter, format: Format, o: (index: number) => Id): Id {
  const type = bitsType(e, format);
  const infinity =
    format === 'f64' ? e.constant64(0, 0x7ff00000) : e.constant32(format === 'f32' ? 0x7f800000 : 0x7c00);
  const number = (bits: Id): Id => {
    const magnitude = e.op(Op.BitwiseAnd, type, bits, e.op(Op.Not, type, signBit(e, format)));
    return e.op(Op.ULessThanEqual, e.bool, magnitude, infinity);
  };
  return e.op(Op.LogicalAnd, e.bool, number(o(0)), number(o(1)));
}
