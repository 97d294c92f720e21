/**
 * The parts of MODE that change what float instructions compute, as they hold at one place of the program.
 *
 * MODE starts as FLOAT_MODE of the dispatch and may be changed by s_setreg, s_round_mode and s_denorm_mode. Code is
 * made for one mode per place, so a change must be known at compile time: a constant, the same on every path.
 */
import type { FloatState } from '../../base/dispatch.ts';

/** MODE[9:0] and FP16_OVFL (23), as the hardware has them. */
export type FloatMode = number & { readonly __brand: 'FloatMode' };

export type FloatSize = 'f16' | 'f32' | 'f64';

const DX10_CLAMP = 1 << 8;
const IEEE = 1 << 9;
const FP16_OVERFLOW = 1 << 23;
const KNOWN = 0x3ff | FP16_OVERFLOW;

export function floatModeOf(state: FloatState): FloatMode {
  return ((state.floatMode & 0xff) |
    (state.dx10Clamp ? DX10_CLAMP : 0) |
    (state.ieee ? IEEE : 0) |
    (state.fp16Overflow ? FP16_OVERFLOW : 0)) as FloatMode;
}

/** Rounding: 0 nearest even, 1 up, 2 down, 3 towards zero. */
export function roundOf(mode: FloatMode, size: FloatSize): number {
  return size === 'f32' ? mode & 3 : (mode >>> 2) & 3;
}

export function keepsInputDenormals(mode: FloatMode, size: FloatSize): boolean {
  return ((mode >>> (size === 'f32' ? 4 : 6)) & 1) !== 0;
}

export function keepsOutputDenormals(mode: FloatMode, size: FloatSize): boolean {
  return ((mode >>> (size === 'f32' ? 5 : 7)) & 1) !== 0;
}

export function hasDx10Clamp(mode: FloatMode): boolean {
  return (mode & DX10_CLAMP) !== 0;
}

export function isIeee(mode: FloatMode): boolean {
  return (mode & IEEE) !== 0;
}

export function hasFp16Overflow(mode: FloatMode): boolean {
  return (mode & FP16_OVERFLOW) !== 0;
}

/** s_setreg of MODE: `size` bits at `offset` become those of `value`. */
export function withModeBits(mode: FloatMode, offset: number, size: number, value: number): FloatMode {
  const field = size === 32 ? -1 : (((1 << size) - 1) << offset) >>> 0;
  return (((mode & ~field) | ((value << offset) & field)) & KNOWN) as FloatMode;
}
