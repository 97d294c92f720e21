/**
 * The four register spaces that command streams write, as ranges of absolute dword addresses.
 *
 * SET_*_REG packets carry an offset from the start of their space; everything else in pm4 uses the absolute address,
 * which is unique. The uconfig space is as large as the 16-bit offset of the packets reaches; names exist for its
 * first half (tools/pm4/generate-registers.ts).
 * Source: PACKET3_SET_*_REG_START/END in the kernel's nvd.h and cikd.h; the uconfig end as Mesa's command buffers
 * use it (byte 0x40000).
 */
export const REGISTER_SPACES = {
  config: { first: 0x2000, end: 0x2c00 },
  sh: { first: 0x2c00, end: 0x3000 },
  context: { first: 0xa000, end: 0xa400 },
  uconfig: { first: 0xc000, end: 0x10000 },
} as const;

export type RegisterSpace = keyof typeof REGISTER_SPACES;

/** One past the largest dword address that any packet can name. */
export const REGISTER_LIMIT = 0x10000;

export function spaceOf(index: number): RegisterSpace | undefined {
  for (const [name, { first, end }] of Object.entries(REGISTER_SPACES)) {
    if (index >= first && index < end) return name as RegisterSpace;
  }
  return undefined;
}
