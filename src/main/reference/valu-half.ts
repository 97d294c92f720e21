/**
 * f16 vector arithmetic (gfx10): the operations of valu-float.ts on the half that op_sel or SDWA selects.
 * Source: RDNA 1 and RDNA 2 ISA manuals, "VOP1, VOP2, VOP3 instructions".
 */
import {
  addF16,
  flushF16,
  fmaF16,
  max3F16,
  maxF16,
  med3F16,
  min3F16,
  minF16,
  mulF16,
  subF16,
} from './float/arithmetic-f16.ts';
import { divFixupF16 } from './float/divide.ts';
import { controlF16 } from './float/float-control.ts';
import { fractF16, integralF16, rndne } from './float/integral.ts';
import { frexpExponentF16, frexpSignificandF16, ldexpF16 } from './float/scale.ts';
import type { Handler } from './handler.ts';
import { beginResult, beginResult16, endResult16, endResult32, lanesOf, sourceB16, sourceF16 } from './operands.ts';
import { modifyF16 } from './output-modifiers.ts';
import { accumulateF16, binaryF16, isModified, ternaryF16, unaryF16 } from './valu-float-lanes.ts';
import { signed16 } from './valu-lanes.ts';

const ldexp: Handler = (wave, inst) => {
  const a = sourceF16(wave, inst, 0);
  const exponent = sourceB16(wave, inst, 1);
  const lanes = lanesOf(wave, inst);
  const control = controlF16(wave.mode);
  const out = beginResult16();
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const bits = ldexpF16(a[lane]!, signed16(exponent[lane]!), control);
    out[lane] = isModified(inst) ? modifyF16(wave, inst, bits) : bits;
  }
  endResult16(wave, inst, lanes);
};

const frexpExponent: Handler = (wave, inst) => {
  const a = sourceF16(wave, inst, 0);
  const lanes = lanesOf(wave, inst);
  const control = controlF16(wave.mode);
  const out = beginResult16();
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    out[lane] = frexpExponentF16(a[lane]!, control);
  }
  endResult16(wave, inst, lanes);
};

/** Both halves as they are, but for denormals that MODE flushes (docs/isa-errata.md#pack-denormals). */
const pack: Handler = (wave, inst) => {
  const a = sourceF16(wave, inst, 0);
  const b = sourceF16(wave, inst, 1);
  const lanes = lanesOf(wave, inst);
  const control = controlF16(wave.mode);
  const flushes = control.flushIn || control.flushOut;
  const out = beginResult(wave, inst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const low = a[lane]!;
    const high = b[lane]!;
    out[lane] = flushes ? flushF16(low) | (flushF16(high) << 16) : low | (high << 16);
  }
  endResult32(wave, inst, out, lanes);
};

export const VALU_HALF = {
  v_add_f16: binaryF16(addF16),
  v_sub_f16: binaryF16(subF16),
  v_subrev_f16: binaryF16((a, b, control) => subF16(b, a, control)),
  v_mul_f16: binaryF16(mulF16),
  v_fma_f16: ternaryF16(fmaF16),
  v_fmac_f16: accumulateF16(fmaF16),
  v_fmamk_f16: ternaryF16(fmaF16),
  v_fmaak_f16: ternaryF16(fmaF16),
  v_min_f16: binaryF16(minF16),
  v_max_f16: binaryF16(maxF16),
  v_min3_f16: ternaryF16(min3F16),
  v_max3_f16: ternaryF16(max3F16),
  v_med3_f16: ternaryF16(med3F16),
  v_trunc_f16: unaryF16((a, control) => integralF16(a, Math.trunc, control)),
  v_ceil_f16: unaryF16((a, control) => integralF16(a, Math.ceil, control)),
  v_floor_f16: unaryF16((a, control) => integralF16(a, Math.floor, control)),
  v_rndne_f16: unaryF16((a, control) => integralF16(a, rndne, control)),
  v_fract_f16: unaryF16(fractF16),
  v_ldexp_f16: ldexp,
  v_frexp_exp_i16_f16: frexpExponent,
  v_frexp_mant_f16: unaryF16(frexpSignificandF16),
  v_div_fixup_f16: ternaryF16(divFixupF16),
  v_pack_b32_f16: pack,
} satisfies Record<string, Handler>;
