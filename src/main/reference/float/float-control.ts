/**
 * How one float format is rounded and how its denormals are treated: the MODE register's fields, decoded once.
 *
 * The 16 combinations of a round field and a denormal field are prebuilt, so choosing one costs an index and float code
 * never looks at MODE. FP16_OVFL (gfx10) makes a second set for f16 in which an overflowing result stays finite.
 * Source: RDNA 1 and 2 ISA manuals, "Mode register" (FP_ROUND, FP_DENORM, FP16_OVFL); Sea Islands manual, the same.
 */
export const ROUND = { NEAREST: 0, UP: 1, DOWN: 2, TO_ZERO: 3 } as const;

export class FloatControl {
  /** One of ROUND. */
  readonly round: number;
  /** Denormal sources count as zeros of their sign. */
  readonly flushIn: boolean;
  /** Denormal results become zeros of their sign; judged after rounding. */
  readonly flushOut: boolean;
  /** f16: a finite value too large for the format becomes the largest finite one, whatever the rounding. */
  readonly saturate: boolean;

  constructor(round: number, flushIn: boolean, flushOut: boolean, saturate: boolean) {
    this.round = round;
    this.flushIn = flushIn;
    this.flushOut = flushOut;
    this.saturate = saturate;
  }
}

const CONTROLS: readonly FloatControl[] = Array.from(
  { length: 32 },
  (_, i) => new FloatControl(i & 3, (i & 4) === 0, (i & 8) === 0, (i & 16) !== 0),
);

/** `denormals`: bit 0 keeps denormal sources, bit 1 keeps denormal results. */
export function floatControl(round: number, denormals: number, saturate = false): FloatControl {
  return CONTROLS[(round & 3) | ((denormals & 3) << 2) | (saturate ? 16 : 0)]!;
}

/** Nearest even, denormals kept: plain IEEE 754. */
export const IEEE_DEFAULT = floatControl(ROUND.NEAREST, 3);

/** f32 control of a MODE register value. */
export function controlF32(mode: number): FloatControl {
  return CONTROLS[(mode & 3) | (((mode >>> 4) & 3) << 2)]!;
}

/** f32 control of instructions that flush denormals whatever MODE says (v_mad_f32, v_mac_f32, v_dot2_f32_f16). */
export function controlF32Flushed(mode: number): FloatControl {
  return CONTROLS[mode & 3]!;
}

export function controlF64(mode: number): FloatControl {
  return CONTROLS[((mode >>> 2) & 3) | (((mode >>> 6) & 3) << 2)]!;
}

export function controlF16(mode: number): FloatControl {
  return CONTROLS[((mode >>> 2) & 3) | (((mode >>> 6) & 3) << 2) | (((mode >>> 23) & 1) << 4)]!;
}
