/**
 * Reciprocal, roots, powers, logarithms, sine and cosine: the instructions whose last bits the hardware does not promise.
 * Each follows the one algorithm of docs/float-arithmetic.md#approximate-instructions. f32 forms flush denormals always.
 *
 * gfx7's clamp forms replace infinities by the largest finite value, its legacy forms by zero. gfx7 gives sin 0 and cos 1
 * outside −256…256 turns; gfx10 takes any operand (docs/isa-errata.md#sin-cos-range).
 * Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals, "VOP1 instructions".
 */

import { cosF32, exp2F32, log2F32, sinF32 } from './float/approximate.ts';
import { MAX_F32 } from './float/arithmetic-f32.ts';
import type { FloatControl } from './float/float-control.ts';
import {
  type RootFunction,
  reciprocal,
  reciprocalRoot,
  rootF16,
  rootF32,
  rootF64,
  squareRoot,
  viaF32,
} from './float/reciprocal.ts';
import { giveWords, OUT64 } from './float/scratch.ts';
import type { Handler } from './handler.ts';
import { unaryF16, unaryF32, unaryF64 } from './valu-float-lanes.ts';

/** Infinity becomes the largest finite value of its sign. */
function clampInfinity(bits: number): number {
  return (bits & 0x7fffffff) === 0x7f800000 ? ((bits & 0x80000000) | MAX_F32) >>> 0 : bits;
}

/** Infinity becomes the zero of its sign. */
function dropInfinity(bits: number): number {
  return (bits & 0x7fffffff) === 0x7f800000 ? (bits & 0x80000000) >>> 0 : bits;
}

function clampInfinityF64(low: number, high: number, f: RootFunction, control: FloatControl): void {
  rootF64(low, high, f, control);
  if ((OUT64[1]! & 0x7fffffff) === 0x7ff00000 && OUT64[0] === 0)
    giveWords(0xffffffff, (OUT64[1]! & 0x80000000) | 0x7fefffff);
}

/** Sine or cosine of gfx7: a constant outside −256…256. */
function withRange(f: (bits: number) => number, outside: number): Handler {
  const everywhere = unaryF32(f);
  const limited = unaryF32((bits) => {
    const magnitude = bits & 0x7fffffff;
    return magnitude > 0x43800000 && magnitude < 0x7f800000 ? outside : f(bits);
  });
  return (wave, inst) => (wave.gfx10 ? everywhere : limited)(wave, inst);
}

const exp = unaryF32(exp2F32);
const log = unaryF32(log2F32);
const rcp = unaryF32((bits) => rootF32(bits, reciprocal));

export const VALU_APPROXIMATE = {
  v_exp_f32: exp,
  v_exp_legacy_f32: exp,
  v_log_f32: log,
  v_log_legacy_f32: log,
  v_log_clamp_f32: unaryF32((bits) => clampInfinity(log2F32(bits))),
  v_rcp_f32: rcp,
  v_rcp_iflag_f32: rcp,
  v_rcp_clamp_f32: unaryF32((bits) => clampInfinity(rootF32(bits, reciprocal))),
  v_rcp_legacy_f32: unaryF32((bits) => dropInfinity(rootF32(bits, reciprocal))),
  v_rsq_f32: unaryF32((bits) => rootF32(bits, reciprocalRoot)),
  v_rsq_clamp_f32: unaryF32((bits) => clampInfinity(rootF32(bits, reciprocalRoot))),
  v_rsq_legacy_f32: unaryF32((bits) => dropInfinity(rootF32(bits, reciprocalRoot))),
  v_sqrt_f32: unaryF32((bits) => rootF32(bits, squareRoot)),
  v_sin_f32: withRange(sinF32, 0),
  v_cos_f32: withRange(cosF32, 0x3f800000),
  v_rcp_f64: unaryF64((low, high, control) => rootF64(low, high, reciprocal, control)),
  v_rsq_f64: unaryF64((low, high, control) => rootF64(low, high, reciprocalRoot, control)),
  v_sqrt_f64: unaryF64((low, high, control) => rootF64(low, high, squareRoot, control)),
  v_rcp_clamp_f64: unaryF64((low, high, control) => clampInfinityF64(low, high, reciprocal, control)),
  v_rsq_clamp_f64: unaryF64((low, high, control) => clampInfinityF64(low, high, reciprocalRoot, control)),
  v_rcp_f16: unaryF16((bits, control) => rootF16(bits, reciprocal, control)),
  v_rsq_f16: unaryF16((bits, control) => rootF16(bits, reciprocalRoot, control)),
  v_sqrt_f16: unaryF16((bits, control) => rootF16(bits, squareRoot, control)),
  v_exp_f16: unaryF16((bits, control) => viaF32(bits, exp2F32, control)),
  v_log_f16: unaryF16((bits, control) => viaF32(bits, log2F32, control)),
  v_sin_f16: unaryF16((bits, control) => viaF32(bits, sinF32, control)),
  v_cos_f16: unaryF16((bits, control) => viaF32(bits, cosF32, control)),
} satisfies Record<string, Handler>;
