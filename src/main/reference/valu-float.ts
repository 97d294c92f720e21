/**
 * f32 vector arithmetic: add to fma, minimum to median, integral rounding, ldexp and frexp, division steps, cube maps.
 *
 * v_mad, v_mac and their relatives round the product and flush denormals whatever MODE says; v_fma, v_fmac round once and
 * follow MODE. gfx7's minimum and maximum pass denormals (docs/isa-errata.md#min-max-denormals).
 * Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals, "VOP1, VOP2, VOP3 instructions".
 */

import { OPERAND } from '../isa/operands.ts';
import {
  addF32,
  fmaF32,
  fmaLegacyF32,
  madF32,
  madLegacyF32,
  max3F32,
  maxF32,
  maxLegacyF32,
  med3F32,
  min3F32,
  minF32,
  minLegacyF32,
  mulF32,
  mulLegacyF32,
  mullitF32,
  subF32,
} from './float/arithmetic-f32.ts';
import { cubeFace, cubeMajor, cubeS, cubeT } from './float/cube.ts';
import { divFixupF32, divFmasF32, divScaleF32, divScaleFlag } from './float/divide.ts';
import { controlF32, controlF32Flushed, IEEE_DEFAULT } from './float/float-control.ts';
import { fractF32, integralF32, rndne } from './float/integral.ts';
import { frexpExponentF32, frexpSignificandF32, ldexpF32 } from './float/scale.ts';
import type { Handler } from './handler.ts';
import { beginResult, endResult32, lanesOf, maskHigh, maskLow, sourceB32, sourceF32 } from './operands.ts';
import { modifyF32 } from './output-modifiers.ts';
import {
  accumulateF32,
  binaryF32,
  type Float2,
  type Float3,
  isModified,
  ternaryF32,
  unaryF32,
} from './valu-float-lanes.ts';
import { clearMaskBits, maskBit, setMaskBit, writeMaskBits } from './valu-lanes.ts';

/** Minimum or maximum: gfx7 ignores the denormal mode. */
function extreme2(f: Float2): Handler {
  const follows = binaryF32(f);
  const passes = binaryF32(f, () => IEEE_DEFAULT);
  return (wave, inst) => (wave.gfx10 ? follows : passes)(wave, inst);
}

function extreme3(f: Float3): Handler {
  const follows = ternaryF32(f);
  const passes = ternaryF32(f, () => IEEE_DEFAULT);
  return (wave, inst) => (wave.gfx10 ? follows : passes)(wave, inst);
}

const ldexp: Handler = (wave, inst) => {
  const a = sourceF32(wave, inst, 0);
  const exponent = sourceB32(wave, inst, 1);
  const lanes = lanesOf(wave, inst);
  const control = controlF32(wave.mode);
  const modified = isModified(inst);
  const out = beginResult(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = ldexpF32(a[lane]!, exponent[lane]!, control);
    out[lane] = modified ? modifyF32(wave, inst, bits) : bits;
  }
  endResult32(wave, inst, out, lanes);
};

const frexpExponent: Handler = (wave, inst) => {
  const a = sourceF32(wave, inst, 0);
  const lanes = lanesOf(wave, inst);
  const control = controlF32(wave.mode);
  const out = beginResult(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    out[lane] = frexpExponentF32(a[lane]!, control);
  }
  endResult32(wave, inst, out, lanes);
};

const divScale: Handler = (wave, inst) => {
  const a = sourceF32(wave, inst, 0);
  const b = sourceF32(wave, inst, 1);
  const c = sourceF32(wave, inst, 2);
  const lanes = lanesOf(wave, inst);
  const control = controlF32(wave.mode);
  const out = wave.vgprOf(inst.dst);
  clearMaskBits();
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = divScaleF32(a[lane]!, b[lane]!, c[lane]!, control);
    if (divScaleFlag.value) setMaskBit(lane);
    out[lane] = isModified(inst) ? modifyF32(wave, inst, bits) : bits;
  }
  writeMaskBits(wave, inst.sdst);
};

const divFmas: Handler = (wave, inst) => {
  const a = sourceF32(wave, inst, 0);
  const b = sourceF32(wave, inst, 1);
  const c = sourceF32(wave, inst, 2);
  const lanes = lanesOf(wave, inst);
  const control = controlF32(wave.mode);
  const vccLow = maskLow(wave, inst, OPERAND.VCC_LO);
  const vccHigh = maskHigh(wave, inst, OPERAND.VCC_LO);
  const out = wave.vgprOf(inst.dst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = divFmasF32(a[lane]!, b[lane]!, c[lane]!, maskBit(vccLow, vccHigh, lane) !== 0, control);
    out[lane] = isModified(inst) ? modifyF32(wave, inst, bits) : bits;
  }
};

export const VALU_FLOAT = {
  v_add_f32: binaryF32(addF32),
  v_sub_f32: binaryF32(subF32),
  v_subrev_f32: binaryF32((a, b, control) => subF32(b, a, control)),
  v_mul_f32: binaryF32(mulF32),
  v_mul_legacy_f32: binaryF32(mulLegacyF32),
  v_fma_f32: ternaryF32(fmaF32),
  v_fmac_f32: accumulateF32(fmaF32),
  v_fmamk_f32: ternaryF32(fmaF32),
  v_fmaak_f32: ternaryF32(fmaF32),
  v_fma_legacy_f32: ternaryF32(fmaLegacyF32),
  v_fmac_legacy_f32: accumulateF32(fmaLegacyF32),
  v_mad_f32: ternaryF32(madF32, controlF32Flushed),
  v_mac_f32: accumulateF32(madF32, controlF32Flushed),
  v_madmk_f32: ternaryF32(madF32, controlF32Flushed),
  v_madak_f32: ternaryF32(madF32, controlF32Flushed),
  v_mad_legacy_f32: ternaryF32(madLegacyF32, controlF32Flushed),
  v_mac_legacy_f32: accumulateF32(madLegacyF32, controlF32Flushed),
  v_mullit_f32: ternaryF32(mullitF32),
  v_min_f32: extreme2(minF32),
  v_max_f32: extreme2(maxF32),
  v_min_legacy_f32: binaryF32(minLegacyF32),
  v_max_legacy_f32: binaryF32(maxLegacyF32),
  v_min3_f32: extreme3(min3F32),
  v_max3_f32: extreme3(max3F32),
  v_med3_f32: extreme3(med3F32),
  v_trunc_f32: unaryF32((a, control) => integralF32(a, Math.trunc, control)),
  v_ceil_f32: unaryF32((a, control) => integralF32(a, Math.ceil, control)),
  v_floor_f32: unaryF32((a, control) => integralF32(a, Math.floor, control)),
  v_rndne_f32: unaryF32((a, control) => integralF32(a, rndne, control)),
  v_fract_f32: unaryF32(fractF32),
  v_ldexp_f32: ldexp,
  v_frexp_exp_i32_f32: frexpExponent,
  v_frexp_mant_f32: unaryF32(frexpSignificandF32),
  v_div_scale_f32: divScale,
  v_div_fmas_f32: divFmas,
  v_div_fixup_f32: ternaryF32(divFixupF32),
  v_cubeid_f32: ternaryF32(cubeFace),
  v_cubesc_f32: ternaryF32(cubeS),
  v_cubetc_f32: ternaryF32(cubeT),
  v_cubema_f32: ternaryF32(cubeMajor),
} satisfies Record<string, Handler>;
