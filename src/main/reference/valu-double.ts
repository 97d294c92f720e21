/**
 * f64 vector arithmetic: the operations of valu-float.ts on register pairs, and the pieces of 2/π.
 * gfx7's minimum and maximum pass denormals (docs/isa-errata.md#min-max-denormals).
 * Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals, "VOP1, VOP3 instructions".
 */
import { OPERAND } from '../isa/operands.ts';
import { addF64, fmaF64, maxF64, minF64, mulF64 } from './float/arithmetic-f64.ts';
import { divFixupF64, divFmasF64, divScaleF64, divScaleFlag } from './float/divide.ts';
import { controlF64, IEEE_DEFAULT } from './float/float-control.ts';
import { fractF64, integralF64, rndne } from './float/integral.ts';
import { frexpExponentF64, frexpSignificandF64, ldexpF64 } from './float/scale.ts';
import { trigPreop } from './float/trig-preop.ts';
import type { Handler } from './handler.ts';
import { lanesOf, maskHigh, maskLow, sourceB32, sourceHigh, sourceLow } from './operands.ts';
import { binaryF64, type Double2, storeF64, ternaryF64, unaryF64 } from './valu-float-lanes.ts';
import { clearMaskBits, maskBit, setMaskBit, writeMaskBits } from './valu-lanes.ts';

function extreme(f: Double2): Handler {
  const follows = binaryF64(f);
  const passes = binaryF64((aLow, aHigh, bLow, bHigh, _control, ieee) =>
    f(aLow, aHigh, bLow, bHigh, IEEE_DEFAULT, ieee),
  );
  return (wave, inst) => (wave.gfx10 ? follows : passes)(wave, inst);
}

/** An f64 and a 32-bit integer make an f64. */
function withInteger(f: (low: number, high: number, integer: number, mode: number) => void): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'f64');
    const aHigh = sourceHigh(wave, inst, 0, 'f64');
    const b = sourceB32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const low = wave.vgprOf(inst.dst);
    const high = wave.vgprOf(inst.dst + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      f(aLow[lane]!, aHigh[lane]!, b[lane]!, wave.mode);
      storeF64(wave, inst, low, high, lane);
    }
  };
}

const frexpExponent: Handler = (wave, inst) => {
  const aLow = sourceLow(wave, inst, 0, 'f64');
  const aHigh = sourceHigh(wave, inst, 0, 'f64');
  const lanes = lanesOf(wave, inst);
  const control = controlF64(wave.mode);
  const out = wave.vgprOf(inst.dst);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    out[lane] = frexpExponentF64(aLow[lane]!, aHigh[lane]!, control);
  }
};

const divScale: Handler = (wave, inst) => {
  const aLow = sourceLow(wave, inst, 0, 'f64');
  const aHigh = sourceHigh(wave, inst, 0, 'f64');
  const bLow = sourceLow(wave, inst, 1, 'f64');
  const bHigh = sourceHigh(wave, inst, 1, 'f64');
  const cLow = sourceLow(wave, inst, 2, 'f64');
  const cHigh = sourceHigh(wave, inst, 2, 'f64');
  const lanes = lanesOf(wave, inst);
  const control = controlF64(wave.mode);
  const low = wave.vgprOf(inst.dst);
  const high = wave.vgprOf(inst.dst + 1);
  clearMaskBits();
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    divScaleF64(aLow[lane]!, aHigh[lane]!, bLow[lane]!, bHigh[lane]!, cLow[lane]!, cHigh[lane]!, control);
    if (divScaleFlag.value) setMaskBit(lane);
    storeF64(wave, inst, low, high, lane);
  }
  writeMaskBits(wave, inst.sdst);
};

const divFmas: Handler = (wave, inst) => {
  const aLow = sourceLow(wave, inst, 0, 'f64');
  const aHigh = sourceHigh(wave, inst, 0, 'f64');
  const bLow = sourceLow(wave, inst, 1, 'f64');
  const bHigh = sourceHigh(wave, inst, 1, 'f64');
  const cLow = sourceLow(wave, inst, 2, 'f64');
  const cHigh = sourceHigh(wave, inst, 2, 'f64');
  const lanes = lanesOf(wave, inst);
  const control = controlF64(wave.mode);
  const vccLow = maskLow(wave, inst, OPERAND.VCC_LO);
  const vccHigh = maskHigh(wave, inst, OPERAND.VCC_LO);
  const low = wave.vgprOf(inst.dst);
  const high = wave.vgprOf(inst.dst + 1);
  for (let i = 0; i < lanes.count; i++) {
    const lane = lanes.at[i]!;
    const flag = maskBit(vccLow, vccHigh, lane) !== 0;
    divFmasF64(aLow[lane]!, aHigh[lane]!, bLow[lane]!, bHigh[lane]!, cLow[lane]!, cHigh[lane]!, flag, control);
    storeF64(wave, inst, low, high, lane);
  }
};

export const VALU_DOUBLE = {
  v_add_f64: binaryF64(addF64),
  v_mul_f64: binaryF64(mulF64),
  v_fma_f64: ternaryF64(fmaF64),
  v_min_f64: extreme(minF64),
  v_max_f64: extreme(maxF64),
  v_trunc_f64: unaryF64((low, high, control) => integralF64(low, high, Math.trunc, control)),
  v_ceil_f64: unaryF64((low, high, control) => integralF64(low, high, Math.ceil, control)),
  v_floor_f64: unaryF64((low, high, control) => integralF64(low, high, Math.floor, control)),
  v_rndne_f64: unaryF64((low, high, control) => integralF64(low, high, rndne, control)),
  v_fract_f64: unaryF64(fractF64),
  v_ldexp_f64: withInteger((low, high, exponent, mode) => ldexpF64(low, high, exponent, controlF64(mode))),
  v_frexp_exp_i32_f64: frexpExponent,
  v_frexp_mant_f64: unaryF64(frexpSignificandF64),
  v_div_scale_f64: divScale,
  v_div_fmas_f64: divFmas,
  v_div_fixup_f64: ternaryF64(divFixupF64),
  v_trig_preop_f64: withInteger((_low, high, segment) => trigPreop((high >>> 20) & 0x7ff, segment)),
} satisfies Record<string, Handler>;
