/**
 * Vector integer instructions with 64-bit results: shifts and wide multiply-add.
 *
 * Results are written lane by lane, low and high together: source and destination registers may overlap.
 * Source: Sea Islands and RDNA 1 ISA manuals, "VOP3 instructions".
 */
import type { Handler } from './handler.ts';
import { lanesOf, sourceB32, sourceHigh, sourceLow, type Type64 } from './operands.ts';
import { multiplyHighSigned, multiplyHighUnsigned } from './salu-32.ts';
import { pair, shiftLeft64, shiftRight64, shiftRightSigned64 } from './salu-64.ts';
import { clearMaskBits, setMaskBit, writeMaskBits } from './valu-lanes.ts';

type Shift = (low: number, high: number, amount: number) => void;

/** `valueSlot` 0: value, amount (gfx7); 1: amount, value (`rev` forms). */
function shift(f: Shift, valueSlot: 0 | 1, type: Type64): Handler {
  return (wave, inst) => {
    const low = sourceLow(wave, inst, valueSlot, type);
    const high = sourceHigh(wave, inst, valueSlot, type);
    const amount = sourceB32(wave, inst, 1 - valueSlot);
    const lanes = lanesOf(wave, inst);
    const outLow = wave.vgprOf(inst.dst);
    const outHigh = wave.vgprOf(inst.dst + 1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      f(low[lane]!, high[lane]!, amount[lane]!);
      outLow[lane] = pair.low;
      outHigh[lane] = pair.high;
    }
  };
}

/** d = a · b + c on 64 bits; the mask gets bit 64 of the exact sum. */
function multiplyAdd(signed: boolean): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const b = sourceB32(wave, inst, 1);
    const cLow = sourceLow(wave, inst, 2, signed ? 'i64' : 'b64');
    const cHigh = sourceHigh(wave, inst, 2, signed ? 'i64' : 'b64');
    const lanes = lanesOf(wave, inst);
    const outLow = wave.vgprOf(inst.dst);
    const outHigh = wave.vgprOf(inst.dst + 1);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const x = a[lane]!;
      const y = b[lane]!;
      const productHigh = signed ? multiplyHighSigned(x, y) : multiplyHighUnsigned(x, y);
      const addHigh = cHigh[lane]!;
      const lowSum = (Math.imul(x, y) >>> 0) + cLow[lane]!;
      const carry = lowSum > 0xffffffff ? 1 : 0;
      const highSum = productHigh + addHigh + carry;
      // Bit 64: carry out for unsigned, the sign of the 65-bit sum for signed.
      const exactHigh = signed ? (productHigh | 0) + (addHigh | 0) + carry : highSum;
      if (signed ? exactHigh < 0 : exactHigh > 0xffffffff) setMaskBit(lane);
      let low = lowSum >>> 0;
      let high = highSum >>> 0;
      if (inst.clamp) {
        if (!signed && exactHigh > 0xffffffff) low = high = 0xffffffff;
        else if (signed && exactHigh > 0x7fffffff) [low, high] = [0xffffffff, 0x7fffffff];
        else if (signed && exactHigh < -0x80000000) [low, high] = [0, 0x80000000];
      }
      outLow[lane] = low;
      outHigh[lane] = high;
    }
    writeMaskBits(wave, inst.sdst);
  };
}

export const VALU_INT_64 = {
  v_lshl_b64: shift(shiftLeft64, 0, 'b64'),
  v_lshr_b64: shift(shiftRight64, 0, 'b64'),
  v_ashr_i64: shift(shiftRightSigned64, 0, 'i64'),
  v_lshlrev_b64: shift(shiftLeft64, 1, 'b64'),
  v_lshrrev_b64: shift(shiftRight64, 1, 'b64'),
  v_ashrrev_i64: shift(shiftRightSigned64, 1, 'i64'),
  v_mad_u64_u32: multiplyAdd(false),
  v_mad_i64_i32: multiplyAdd(true),
} satisfies Record<string, Handler>;
