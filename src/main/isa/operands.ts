/**
 * Operand codes: the 9-bit source encoding of the hardware, used for every register and constant operand, destinations
 * included (a VGPR destination n is 256 + n). One numbering for decode, print, assemble, def/use, reference and lowering.
 *
 * Source: AMD ISA manuals (Sea Islands, RDNA 1, RDNA 2), "scalar source operands".
 * Generations: gfx7 has s0…s103 and flat_scratch at 104/105, no null, no lds_direct-free codes; gfx10 s0…s105, null 125.
 */
export const OPERAND = {
  /** gfx7 only: flat_scratch_lo/hi share these codes with gfx10's s104/s105. */
  FLAT_SCRATCH_LO_GFX7: 104,
  FLAT_SCRATCH_HI_GFX7: 105,
  VCC_LO: 106,
  VCC_HI: 107,
  TTMP0: 108,
  M0: 124,
  NULL: 125,
  EXEC_LO: 126,
  EXEC_HI: 127,
  /** 128 + n is the integer n, 0…64; 192 + n is −n, 1…16. */
  INT_0: 128,
  INT_64: 192,
  INT_MINUS_1: 193,
  INT_MINUS_16: 208,
  SHARED_BASE: 235,
  SHARED_LIMIT: 236,
  PRIVATE_BASE: 237,
  PRIVATE_LIMIT: 238,
  POPS_EXITING_WAVE_ID: 239,
  /** 240…248: 0.5, −0.5, 1, −1, 2, −2, 4, −4, 1/(2π); the bits depend on the operand's size. */
  FLOAT_0_5: 240,
  FLOAT_INV_2PI: 248,
  SDWA: 249,
  DPP16: 250,
  DPP8: 233,
  DPP8_FI: 234,
  VCCZ: 251,
  EXECZ: 252,
  SCC: 253,
  LDS_DIRECT: 254,
  LITERAL: 255,
  VGPR0: 256,
  /** No operand in this slot. */
  NONE: -1,
} as const;

export function isVgpr(code: number): boolean {
  return code >= 256;
}

/** s0…s105, vcc, ttmp, m0, exec: things that hold 32 bits per wave and can be written. Not null. */
export function isScalarRegister(code: number): boolean {
  return code >= 0 && code <= 127 && code !== OPERAND.NULL;
}

/** An inline integer constant, as a signed number, or undefined. */
export function inlineInteger(code: number): number | undefined {
  if (code >= 128 && code <= 192) return code - 128;
  if (code >= 193 && code <= 208) return 192 - code;
  return undefined;
}

const FLOAT32 = [
  0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983,
];
const FLOAT16 = [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
/** High words; the low word is 0 except for 1/(2π), whose low word is 0x6dc9c882. */
const FLOAT64_HIGH = [
  0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000, 0x40000000, 0xc0000000, 0x40100000, 0xc0100000, 0x3fc45f30,
];

/** Bits of inline float constant 240…248 as f32, f16, or the halves of f64. */
export function inlineFloatBits(code: number, size: 'f16' | 'f32' | 'f64low' | 'f64high'): number {
  const index = code - OPERAND.FLOAT_0_5;
  switch (size) {
    case 'f16':
      return FLOAT16[index]!;
    case 'f32':
      return FLOAT32[index]!;
    case 'f64low':
      return code === OPERAND.FLOAT_INV_2PI ? 0x6dc9c882 : 0;
    case 'f64high':
      return FLOAT64_HIGH[index]!;
  }
}
