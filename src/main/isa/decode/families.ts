/**
 * Encoding families by the leading bits of an instruction. The longest prefix (SOP1, SOPC, SOPP) has nine bits, so one
 * table of 512 tells the family of any word. Source: AMD ISA manuals, "microcode formats".
 */
export const FAMILY = {
  NONE: 0,
  VOP2: 1,
  VOP1: 2,
  VOPC: 3,
  SOP2: 4,
  SOPK: 5,
  SOP1: 6,
  SOPC: 7,
  SOPP: 8,
  SMRD: 9,
  VINTRP: 10,
  // Two dwords and more.
  VOP3: 11,
  VOP3P: 12,
  DS: 13,
  FLAT: 14,
  MUBUF: 15,
  MTBUF: 16,
  MIMG: 17,
  SMEM: 18,
  EXP: 19,
} as const;

/** Families from here on have a second dword always. */
export const FIRST_WIDE: number = FAMILY.VOP3;

const PREFIX_BITS = 9;
export const PREFIX_SHIFT: number = 32 - PREFIX_BITS;

/** Family, prefix and its length in bits; later lines are exceptions to earlier ones. */
type Prefix = readonly [family: number, prefix: number, bits: number];

const COMMON: readonly Prefix[] = [
  [FAMILY.VOP2, 0, 1],
  [FAMILY.VOPC, 0x3e, 7],
  [FAMILY.VOP1, 0x3f, 7],
  [FAMILY.SOP2, 2, 2],
  [FAMILY.SOPK, 0xb, 4],
  [FAMILY.SOP1, 0x17d, 9],
  [FAMILY.SOPC, 0x17e, 9],
  [FAMILY.SOPP, 0x17f, 9],
  [FAMILY.VINTRP, 0x32, 6],
  [FAMILY.DS, 0x36, 6],
  [FAMILY.FLAT, 0x37, 6],
  [FAMILY.MUBUF, 0x38, 6],
  [FAMILY.MTBUF, 0x3a, 6],
  [FAMILY.MIMG, 0x3c, 6],
  [FAMILY.EXP, 0x3e, 6],
];
const GFX7: readonly Prefix[] = [
  [FAMILY.SMRD, 0x18, 5],
  [FAMILY.VOP3, 0x34, 6],
];
const GFX10: readonly Prefix[] = [
  [FAMILY.VOP3P, 0x33, 6],
  [FAMILY.VOP3, 0x35, 6],
  [FAMILY.SMEM, 0x3d, 6],
];

/** By `word >>> PREFIX_SHIFT`. */
export function familiesByPrefix(gfx7: boolean): Uint8Array {
  const families = new Uint8Array(1 << PREFIX_BITS);
  for (const [family, prefix, bits] of [...COMMON, ...(gfx7 ? GFX7 : GFX10)]) {
    const free = PREFIX_BITS - bits;
    families.fill(family, prefix << free, (prefix + 1) << free);
  }
  return families;
}
