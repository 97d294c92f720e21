/**
 * Float arithmetic of the vector ALU: add, multiply, fused and unfused multiply-add, minimum, maximum, median, rounding
 * to integral values, ldexp, frexp, the steps of a division.
 *
 * Order of every operation: sources with abs and neg, denormal sources flushed as MODE says, the operation rounded as
 * MODE says, denormal results flushed, omod, clamp. Source: docs/float-arithmetic.md.
 */
import { OPERAND } from '../../isa/operands.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import { DIV_FIXUP_FLUSH } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import {
  type FloatSize,
  hasFp16Overflow,
  isIeee,
  keepsInputDenormals,
  keepsOutputDenormals,
  roundOf,
} from './float-mode.ts';
import { type Entry, type Lower, type Lowering, unsupported } from './lowering.ts';
import {
  flushOutput,
  modifyFloat,
  source64,
  sourceB32,
  sourceF32,
  sourceFloat,
  sourceRawF16,
  sourceRawF32,
  writeB16,
  writeB32,
  writeFloat,
  writeLaneMask,
} from './vector-operands.ts';

/** REC002 for f16 results under FP16_OVFL, which nothing here implements. */
function checkMode(l: Lowering, size: FloatSize): void {
  if (size === 'f16' && hasFp16Overflow(l.mode)) l.refuse('FP16_OVFL mode is not compiled');
}

const sum =
  (size: FloatSize, negate?: 0 | 1): Lower =>
  (l) => {
    checkMode(l, size);
    let a = sourceFloat(l, 0, size);
    let b = sourceFloat(l, 1, size);
    if (negate === 0) a = l.b.emit1(`fneg.${size}`, a);
    if (negate === 1) b = l.b.emit1(`fneg.${size}`, b);
    // subrev: s1 − s0; a NaN of s1 comes first.
    const [first, second] = negate === 0 ? [b, a] : [a, b];
    writeFloat(l, l.b.emit2(`fadd.${size}`, first, second, roundOf(l.mode, size)), size);
  };

const product =
  (size: FloatSize): Lower =>
  (l) => {
    checkMode(l, size);
    const a = sourceFloat(l, 0, size);
    const b = sourceFloat(l, 1, size);
    writeFloat(l, l.b.emit2(`fmul.${size}`, a, b, roundOf(l.mode, size)), size);
  };

type Addend = (l: Lowering, size: FloatSize) => ValueId;

/** v_fmac, v_mac: the destination is the third operand; it has no modifiers. */
const fromDestination: Addend = (l, size) => {
  if (size === 'f64') return flushed(l, l.readVector64(l.i.dst), size);
  const value = l.readVector(l.i.dst);
  return flushed(l, size === 'f16' ? l.b.emit2('and.u32', value, l.b.u32(0xffff)) : value, size);
};
const fromSource2: Addend = (l, size) => sourceFloat(l, 2, size);

function flushed(l: Lowering, value: ValueId, size: FloatSize): ValueId {
  return keepsInputDenormals(l.mode, size) ? value : l.b.emit1(`fflush.${size}`, value);
}

const fused =
  (size: FloatSize, addend: Addend): Lower =>
  (l) => {
    checkMode(l, size);
    const a = sourceFloat(l, 0, size);
    const b = sourceFloat(l, 1, size);
    const c = addend(l, size);
    writeFloat(l, l.b.emit3(`ffma.${size}`, a, b, c, roundOf(l.mode, size)), size);
  };

/** v_mad_f32, v_mac_f32: two roundings, denormals flushed whatever MODE says. */
function multiplyAdd(l: Lowering, a: ValueId, b: ValueId, c: ValueId): ValueId {
  const e = l.b;
  const flush = (v: ValueId): ValueId => e.emit1('fflush.f32', v);
  const round = roundOf(l.mode, 'f32');
  const rounded = flush(e.emit2('fmul.f32', flush(a), flush(b), round));
  return flush(e.emit2('fadd.f32', rounded, flush(c), round));
}

const unfused =
  (fromDst: boolean): Lower =>
  (l) => {
    const c = fromDst ? l.readVector(l.i.dst) : sourceRawF32(l, 2);
    writeFloat(l, multiplyAdd(l, sourceRawF32(l, 0), sourceRawF32(l, 1), c), 'f32');
  };

/** A value passed through: NaN quiet, denormals flushed if either bit of MODE asks. */
function passedThrough(l: Lowering, value: ValueId, size: FloatSize): ValueId {
  const quiet = l.b.emit1(`fquiet.${size}`, value);
  const keeps = keepsInputDenormals(l.mode, size) && keepsOutputDenormals(l.mode, size);
  return keeps ? quiet : l.b.emit1(`fflush.${size}`, quiet);
}

/** DX9's rule: a factor of zero gives `whenZero`, whatever the other one is. */
function legacyZero(l: Lowering, a: ValueId, b: ValueId, result: ValueId, whenZero: ValueId): ValueId {
  const e = l.b;
  const isZero = (v: ValueId): ValueId => e.emit2('fcmp.eq.f32', v, e.u32(0));
  return e.select(e.emit2('or.1', isZero(a), isZero(b)), whenZero, result);
}

const productLegacy: Lower = (l) => {
  const a = sourceF32(l, 0);
  const b = sourceF32(l, 1);
  const result = flushOutput(l, l.b.emit2('fmul.f32', a, b, roundOf(l.mode, 'f32')), 'f32');
  writeFloat(l, legacyZero(l, a, b, result, l.b.u32(0)), 'f32');
};

const unfusedLegacy =
  (fromDst: boolean): Lower =>
  (l) => {
    const e = l.b;
    const a = e.emit1('fflush.f32', sourceRawF32(l, 0));
    const b = e.emit1('fflush.f32', sourceRawF32(l, 1));
    const c = e.emit1('fflush.f32', fromDst ? l.readVector(l.i.dst) : sourceRawF32(l, 2));
    writeFloat(l, legacyZero(l, a, b, multiplyAdd(l, a, b, c), e.emit1('fquiet.f32', c)), 'f32');
  };

const fusedLegacy =
  (fromDst: boolean): Lower =>
  (l) => {
    const a = sourceF32(l, 0);
    const b = sourceF32(l, 1);
    const c = fromDst ? fromDestination(l, 'f32') : sourceF32(l, 2);
    const result = l.b.emit3('ffma.f32', a, b, c, roundOf(l.mode, 'f32'));
    writeFloat(l, legacyZero(l, a, b, result, passedThrough(l, c, 'f32')), 'f32');
  };

type Choice = 'fmin' | 'fmax';

function choose(l: Lowering, kind: Choice, size: FloatSize, a: ValueId, b: ValueId): ValueId {
  return l.b.emit2(`${kind}.${size}`, a, b, isIeee(l.mode) ? 1 : 0);
}

/** Minimum and maximum of gfx7 keep denormals whatever MODE says. */
function minMaxSource(l: Lowering, slot: number, size: FloatSize): ValueId {
  if (l.gfx10) return sourceFloat(l, slot, size);
  return size === 'f64' ? source64(l, slot, 'f64') : sourceRawF32(l, slot);
}

function writeMinMax(l: Lowering, value: ValueId, size: FloatSize): void {
  if (l.gfx10) writeFloat(l, value, size);
  else if (size === 'f64') l.writeVector64(l.i.dst, modifyFloat(l, value, size));
  else writeB32(l, modifyFloat(l, value, size));
}

const minMax =
  (kind: Choice, size: FloatSize): Lower =>
  (l) =>
    writeMinMax(l, choose(l, kind, size, minMaxSource(l, 0, size), minMaxSource(l, 1, size)), size);

/** min(min(a, b), c): the inner result is flushed like any other. */
function choose3(l: Lowering, kind: Choice, size: FloatSize, a: ValueId, b: ValueId, c: ValueId): ValueId {
  const inner = choose(l, kind, size, a, b);
  return choose(l, kind, size, l.gfx10 ? flushed(l, flushOutput(l, inner, size), size) : inner, c);
}

const minMax3 =
  (kind: Choice, size: FloatSize): Lower =>
  (l) => {
    const [a, b, c] = [minMaxSource(l, 0, size), minMaxSource(l, 1, size), minMaxSource(l, 2, size)];
    writeMinMax(l, choose3(l, kind, size, a, b, c), size);
  };

/** Drop the (first) largest, take the larger of the others; with a NaN among them, the smallest of three. */
const median3 =
  (size: 'f16' | 'f32'): Lower =>
  (l) => {
    const e = l.b;
    const [a, b, c] = [minMaxSource(l, 0, size), minMaxSource(l, 1, size), minMaxSource(l, 2, size)];
    const largest = choose(l, 'fmax', size, choose(l, 'fmax', size, a, b), c);
    const isLargest = (v: ValueId): ValueId => e.emit2(`fcmp.eq.${size}`, largest, v);
    const others = e.select(isLargest(b), c, b);
    const middle = e.select(isLargest(a), choose(l, 'fmax', size, b, c), choose(l, 'fmax', size, a, others));
    const ordered = e.emit2('and.1', e.emit2(`fcmp.ord.${size}`, a, b), e.emit2(`fcmp.ord.${size}`, c, c));
    writeMinMax(l, e.select(ordered, middle, choose3(l, 'fmin', size, a, b, c)), size);
  };

/** DX9 minimum and maximum of gfx7: the second operand unless the comparison holds; bits unchanged. */
const minMaxLegacy =
  (max: boolean): Lower =>
  (l) => {
    const e = l.b;
    const a = sourceRawF32(l, 0);
    const b = sourceRawF32(l, 1);
    const holds = max ? e.emit2('fcmp.le.f32', b, a) : e.emit2('fcmp.lt.f32', a, b);
    writeB32(l, modifyFloat(l, e.select(holds, a, b), 'f32'));
  };

const integral =
  (op: 'ffloor' | 'fceil' | 'ftrunc' | 'frndne', size: FloatSize): Lower =>
  (l) =>
    writeFloat(l, l.b.emit1(`${op}.${size}`, sourceFloat(l, 0, size)), size);

const fraction =
  (size: FloatSize): Lower =>
  (l) =>
    writeFloat(l, l.b.emit1(`ffract.${size}`, sourceFloat(l, 0, size), roundOf(l.mode, size)), size);

const significand =
  (size: FloatSize): Lower =>
  (l) =>
    writeFloat(l, l.b.emit1(`ffrexp.mant.${size}`, sourceFloat(l, 0, size)), size);

const exponent =
  (size: FloatSize): Lower =>
  (l) => {
    const result = l.b.emit1(`ffrexp.exp.${size}`, sourceFloat(l, 0, size));
    if (size === 'f16') writeB16(l, result);
    else writeB32(l, result);
  };

const scale =
  (size: FloatSize): Lower =>
  (l) => {
    checkMode(l, size);
    const value = sourceFloat(l, 0, size);
    const raw = sourceB32(l, 1);
    const power = size === 'f16' ? l.b.emit3('sbfe.i32', raw, l.b.u32(0), l.b.u32(16)) : raw;
    writeFloat(l, l.b.emit2(`fldexp.${size}`, value, power, roundOf(l.mode, size)), size);
  };

// ── division ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** quotient, denominator, numerator. The quotient's own denormals pass; a result that underflows is flushed. */
const divFixup =
  (size: FloatSize): Lower =>
  (l) => {
    const raw = size === 'f64' ? source64(l, 0, 'f64') : size === 'f32' ? sourceRawF32(l, 0) : sourceRawF16(l, 0);
    const imm = roundOf(l.mode, size) | (keepsOutputDenormals(l.mode, size) ? 0 : DIV_FIXUP_FLUSH);
    const result = l.b.emit3(`div.fixup.${size}`, raw, sourceFloat(l, 1, size), sourceFloat(l, 2, size), imm);
    writeModified(l, result, size);
  };

function writeModified(l: Lowering, value: ValueId, size: FloatSize): void {
  const result = modifyFloat(l, value, size);
  if (size === 'f64') l.writeVector64(l.i.dst, result);
  else if (size === 'f32') writeB32(l, result);
  else writeB16(l, result);
}

/** value (one of the other two), denominator, numerator; the flag goes to the carry register. Only scaling flushes. */
const divScale =
  (size: 'f32' | 'f64'): Lower =>
  (l) => {
    const operands = [sourceFloat(l, 0, size), sourceFloat(l, 1, size), sourceFloat(l, 2, size)] as const;
    const flag = l.b.emit3(`div.scale.flag.${size}`, ...operands);
    const value = l.b.emit3(`div.scale.${size}`, ...operands, roundOf(l.mode, size));
    const same = l.b.emit2(size === 'f64' ? 'icmp.eq.u64' : 'icmp.eq.u32', value, operands[0]);
    const result = l.b.select(same, value, flushOutput(l, value, size));
    writeLaneMask(l, l.i.sdst, flag);
    writeModified(l, result, size);
  };

/** The scale of div_scale is undone where VCC says so: 2^64 (2^128 for f64) up when |c| ≥ 2, else down; one rounding. */
const divFmas =
  (size: 'f32' | 'f64'): Lower =>
  (l) => {
    const e = l.b;
    const a = sourceFloat(l, 0, size);
    const b = sourceFloat(l, 1, size);
    const c = sourceFloat(l, 2, size);
    const field =
      size === 'f32'
        ? e.emit3('ubfe.u32', c, e.u32(23), e.u32(8))
        : e.emit3('ubfe.u32', e.emit1('hi.64', c), e.u32(20), e.u32(11));
    const [bias, step] = size === 'f32' ? [127, 64] : [1023, 128];
    const scale = e.select(e.emit2('icmp.ult.u32', e.u32(bias), field), e.u32(step), e.u32(-step));
    const power = e.select(l.readMask(OPERAND.VCC_LO), scale, e.u32(0));
    writeFloat(l, e.emit(`ffma.scaled.${size}`, [a, b, c, power], roundOf(l.mode, size)), size);
  };

// ── cube maps ────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Direction {
  readonly x: ValueId;
  readonly y: ValueId;
  readonly z: ValueId;
  /** The major axis: the largest magnitude, z before y before x. */
  readonly isX: ValueId;
  readonly isZ: ValueId;
  readonly isY: ValueId;
  /** The major component is negative. */
  readonly negative: ValueId;
}

function direction(l: Lowering): Direction {
  const e = l.b;
  const [x, y, z] = [sourceF32(l, 0), sourceF32(l, 1), sourceF32(l, 2)];
  const [ax, ay, az] = [e.emit1('fabs.f32', x), e.emit1('fabs.f32', y), e.emit1('fabs.f32', z)];
  const isZ = e.emit2('and.1', e.emit2('fcmp.le.f32', ax, az), e.emit2('fcmp.le.f32', ay, az));
  const isY = e.emit2('and.1', e.emit1('not.1', isZ), e.emit2('fcmp.le.f32', ax, ay));
  const isX = e.emit1('not.1', e.emit2('or.1', isZ, isY));
  const major = e.select(isZ, z, e.select(isY, y, x));
  return { x, y, z, isX, isY, isZ, negative: e.emit2('fcmp.lt.f32', major, e.u32(0)) };
}

/** A component, perhaps negated, passed through: flushed if either bit of MODE asks. */
function component(l: Lowering, value: ValueId, negate: ValueId): ValueId {
  const keeps = keepsInputDenormals(l.mode, 'f32') && keepsOutputDenormals(l.mode, 'f32');
  const signed = l.b.select(negate, l.b.emit1('fneg.f32', value), value);
  return keeps ? signed : l.b.emit1('fflush.f32', signed);
}

const cubeFace: Lower = (l) => {
  const e = l.b;
  const { isX, isY, negative } = direction(l);
  // 0, 1 for x; 2, 3 for y; 4, 5 for z, as floats.
  const pick = (plus: number, minus: number): ValueId => e.select(negative, e.u32(minus), e.u32(plus));
  const yz = e.select(isY, pick(0x40000000, 0x40400000), pick(0x40800000, 0x40a00000));
  writeFloat(l, e.select(isX, pick(0, 0x3f800000), yz), 'f32');
};

const cubeS: Lower = (l) => {
  const e = l.b;
  const d = direction(l);
  const negate = e.select(d.isX, e.emit1('not.1', d.negative), e.emit2('and.1', d.isZ, d.negative));
  writeFloat(l, component(l, e.select(d.isX, d.z, d.x), negate), 'f32');
};

const cubeT: Lower = (l) => {
  const e = l.b;
  const d = direction(l);
  writeFloat(l, component(l, e.select(d.isY, d.z, d.y), e.select(d.isY, d.negative, e.bool(true))), 'f32');
};

/** Twice the major component. */
const cubeMajor: Lower = (l) => {
  const e = l.b;
  const d = direction(l);
  const major = e.select(d.isZ, d.z, e.select(d.isY, d.y, d.x));
  writeFloat(l, e.emit2('fmul.f32', major, e.u32(0x40000000), roundOf(l.mode, 'f32')), 'f32');
};

/** −largest where src1 is NaN, −∞ or −largest, or src2 is not above 0; else the product by DX9's rule. */
const lightingProduct: Lower = (l) => {
  const e = l.b;
  const [a, b, c] = [sourceF32(l, 0), sourceF32(l, 1), sourceF32(l, 2)];
  const lowest = e.u32(0xff7fffff);
  const above = e.emit2('fcmp.lt.f32', lowest, b);
  const lit = e.emit2('and.1', above, e.emit2('fcmp.lt.f32', e.u32(0), c));
  const lighted = legacyZero(l, a, b, e.emit2('fmul.f32', a, b, roundOf(l.mode, 'f32')), e.u32(0));
  writeFloat(l, e.select(lit, lighted, lowest), 'f32');
};

export const VALU_FLOAT = {
  v_add_f32: sum('f32'),
  v_sub_f32: sum('f32', 1),
  v_subrev_f32: sum('f32', 0),
  v_add_f16: sum('f16'),
  v_sub_f16: sum('f16', 1),
  v_subrev_f16: sum('f16', 0),
  v_add_f64: sum('f64'),
  v_mul_f32: product('f32'),
  v_mul_f16: product('f16'),
  v_mul_f64: product('f64'),
  v_mul_legacy_f32: productLegacy,
  v_mac_f32: unfused(true),
  v_mad_f32: unfused(false),
  v_madmk_f32: unfused(false),
  v_madak_f32: unfused(false),
  v_mac_legacy_f32: unfusedLegacy(true),
  v_mad_legacy_f32: unfusedLegacy(false),
  v_fmac_legacy_f32: fusedLegacy(true),
  v_fma_legacy_f32: fusedLegacy(false),
  v_fmac_f32: fused('f32', fromDestination),
  v_fma_f32: fused('f32', fromSource2),
  v_fmamk_f32: fused('f32', fromSource2),
  v_fmaak_f32: fused('f32', fromSource2),
  v_fmac_f16: fused('f16', fromDestination),
  v_fma_f16: fused('f16', fromSource2),
  v_fmamk_f16: fused('f16', fromSource2),
  v_fmaak_f16: fused('f16', fromSource2),
  v_fma_f64: fused('f64', fromSource2),
  v_min_f32: minMax('fmin', 'f32'),
  v_max_f32: minMax('fmax', 'f32'),
  v_min_f16: minMax('fmin', 'f16'),
  v_max_f16: minMax('fmax', 'f16'),
  v_min_f64: minMax('fmin', 'f64'),
  v_max_f64: minMax('fmax', 'f64'),
  v_min_legacy_f32: minMaxLegacy(false),
  v_max_legacy_f32: minMaxLegacy(true),
  v_min3_f32: minMax3('fmin', 'f32'),
  v_max3_f32: minMax3('fmax', 'f32'),
  v_min3_f16: minMax3('fmin', 'f16'),
  v_max3_f16: minMax3('fmax', 'f16'),
  v_med3_f32: median3('f32'),
  v_med3_f16: median3('f16'),
  v_floor_f32: integral('ffloor', 'f32'),
  v_ceil_f32: integral('fceil', 'f32'),
  v_trunc_f32: integral('ftrunc', 'f32'),
  v_rndne_f32: integral('frndne', 'f32'),
  v_floor_f16: integral('ffloor', 'f16'),
  v_ceil_f16: integral('fceil', 'f16'),
  v_trunc_f16: integral('ftrunc', 'f16'),
  v_rndne_f16: integral('frndne', 'f16'),
  v_floor_f64: integral('ffloor', 'f64'),
  v_ceil_f64: integral('fceil', 'f64'),
  v_trunc_f64: integral('ftrunc', 'f64'),
  v_rndne_f64: integral('frndne', 'f64'),
  v_fract_f32: fraction('f32'),
  v_fract_f16: fraction('f16'),
  v_fract_f64: fraction('f64'),
  v_frexp_mant_f32: significand('f32'),
  v_frexp_mant_f16: significand('f16'),
  v_frexp_mant_f64: significand('f64'),
  v_frexp_exp_i32_f32: exponent('f32'),
  v_frexp_exp_i16_f16: exponent('f16'),
  v_frexp_exp_i32_f64: exponent('f64'),
  v_ldexp_f32: scale('f32'),
  v_ldexp_f16: scale('f16'),
  v_ldexp_f64: scale('f64'),
  v_div_fixup_f32: divFixup('f32'),
  v_div_fixup_f16: divFixup('f16'),
  v_div_fixup_f64: divFixup('f64'),
  v_div_scale_f32: divScale('f32'),
  v_div_scale_f64: divScale('f64'),
  v_div_fmas_f32: divFmas('f32'),
  v_div_fmas_f64: divFmas('f64'),
  v_cubeid_f32: cubeFace,
  v_cubesc_f32: cubeS,
  v_cubetc_f32: cubeT,
  v_cubema_f32: cubeMajor,
  v_mullit_f32: lightingProduct,
  v_trig_preop_f64: unsupported('not compiled yet'),
  /** Two f16 side by side, NaNs as they are, denormals flushed if either bit of MODE asks. */
  v_pack_b32_f16: (l) => {
    const keeps = keepsInputDenormals(l.mode, 'f16') && keepsOutputDenormals(l.mode, 'f16');
    const half = (slot: number): ValueId =>
      keeps ? sourceRawF16(l, slot) : l.b.emit1('fflush.f16', sourceRawF16(l, slot));
    writeB32(l, l.b.emit2('or.u32', half(0), l.b.emit2('shl.u32', half(1), l.b.u32(16))));
  },
} satisfies Partial<Record<Mnemonic, Entry>>;
