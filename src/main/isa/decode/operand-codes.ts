/**
 * Source and destination fields → operand codes, with the checks that make a code legal in its place: reserved numbers,
 * tuples past the last register, generation limits. Misaligned scalar tuples are aligned down, as the hardware reads them.
 *
 * Functions return the code (≥ 0) or an `ILLEGAL` number (< −1); the caller stores it in its slot and the decoder's tail
 * looks at all slots once.
 */
import { ILLEGAL } from '../illegal.ts';

/** Bits of `LEGAL`: the code may be a 32-bit source or a 64-bit source, on gfx7 or on gfx10. */
const S32_GFX7 = 1;
const S64_GFX7 = 2;
const S32_GFX10 = 4;
const S64_GFX10 = 8;

/** Codes 106…255 that are not plain SGPRs or trap temporaries. */
const LEGAL = new Uint8Array(256);
{
  const both32 = S32_GFX7 | S32_GFX10;
  const all = both32 | S64_GFX7 | S64_GFX10;
  const mark = (from: number, to: number, bits: number) => LEGAL.fill(bits, from, to + 1);
  mark(106, 106, all);
  mark(107, 107, both32);
  mark(124, 124, both32);
  mark(125, 125, S32_GFX10 | S64_GFX10);
  mark(126, 126, all);
  mark(127, 127, both32);
  mark(128, 208, all);
  mark(235, 239, S32_GFX10 | S64_GFX10);
  mark(240, 247, all);
  mark(248, 248, S32_GFX10 | S64_GFX10);
  mark(251, 253, all);
  mark(255, 255, all);
}

const FIRST_TTMP = 108;
const FIRST_TTMP_GFX7 = 112;
const LAST_TTMP = 123;

function scalarTuple(code: number, first: number, last: number, dwords: number): number {
  const mask = dwords === 1 ? 0 : dwords === 2 ? 1 : 3;
  const aligned = code - ((code - first) & mask);
  return aligned + dwords - 1 > last ? ILLEGAL.REGISTER_RANGE : aligned;
}

/** An 8-bit scalar source field (or a 9-bit one below 256): SGPRs and constants. */
export function scalarSource(code: number, dwords: number, gfx7: boolean): number {
  if (code <= 105) {
    if (!gfx7) return scalarTuple(code, 0, 105, dwords);
    if (code <= 103) return scalarTuple(code, 0, 103, dwords);
    return scalarTuple(code, 104, 105, dwords);
  }
  if (code >= FIRST_TTMP && code <= LAST_TTMP) {
    // gfx7 has the trap base and trap memory addresses (two pairs) before its twelve temporaries.
    if (!gfx7) return scalarTuple(code, FIRST_TTMP, LAST_TTMP, dwords);
    return code >= FIRST_TTMP_GFX7
      ? scalarTuple(code, FIRST_TTMP_GFX7, LAST_TTMP, dwords)
      : dwords > 2
        ? ILLEGAL.OPERAND
        : scalarTuple(code, FIRST_TTMP, FIRST_TTMP_GFX7 - 1, dwords);
  }
  if (dwords > 2) return ILLEGAL.OPERAND;
  const wanted = gfx7 ? (dwords === 2 ? S64_GFX7 : S32_GFX7) : dwords === 2 ? S64_GFX10 : S32_GFX10;
  return LEGAL[code]! & wanted ? code : ILLEGAL.OPERAND;
}

/** A 7-bit scalar destination field. */
export function scalarDestination(code: number, dwords: number, gfx7: boolean): number {
  return code > 127 ? ILLEGAL.OPERAND : scalarSource(code, dwords, gfx7);
}

/** A VGPR number (not code). */
export function vectorRegister(number: number, dwords: number): number {
  return number + dwords > 256 ? ILLEGAL.REGISTER_RANGE : 256 + number;
}

/** A 9-bit source field. */
export function anySource(code: number, dwords: number, gfx7: boolean): number {
  // LDS_DIRECT: one dword from LDS at M0, vector instructions only.
  if (code === 254) return dwords === 1 ? code : ILLEGAL.OPERAND;
  return code >= 256 ? vectorRegister(code - 256, dwords) : scalarSource(code, dwords, gfx7);
}

/** Inline constants and the literal: what cannot stand where a register is asked for. */
export function isConstantCode(code: number): boolean {
  return (code >= 128 && code <= 208) || (code >= 240 && code <= 248) || code === 255;
}

/** A scalar source field that must name a register. */
export function scalarRegisterSource(code: number, dwords: number, gfx7: boolean): number {
  return isConstantCode(code) ? ILLEGAL.OPERAND : scalarSource(code, dwords, gfx7);
}
