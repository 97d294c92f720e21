/**
 * Targets of `exp` and the slots of interpolation instructions.
 * Source: Sea Islands and RDNA ISA manuals, EXP field TGT; VINTRP fields ATTR and ATTR_CHAN.
 */
import type { Target } from '../../../base/dispatch.ts';

/** The target field, −1 for an unknown word, −2 for a target that this generation lacks. */
export function exportTarget(word: string, target: Target): number {
  const gfx7 = target === 'gfx700';
  switch (word) {
    case 'mrtz':
      return 8;
    case 'null':
      return 9;
    case 'prim':
      return gfx7 ? -2 : 20;
  }
  const match = /^(mrt|pos|param)(0|[1-9]\d?)$/.exec(word);
  if (!match) return -1;
  const index = Number(match[2]);
  switch (match[1]) {
    case 'mrt':
      return index <= 7 ? index : -1;
    case 'pos':
      return index <= 3 ? 12 + index : index === 4 ? (gfx7 ? -2 : 16) : -1;
    default:
      return index <= 31 ? 32 + index : -1;
  }
}

/** `attr5.y` → attribute | channel << 8; −1 when the word is no attribute. Attributes are 0 to 32. */
export function attribute(word: string): number {
  const match = /^attr(\d{1,2})\.([xyzw])$/.exec(word);
  if (!match || Number(match[1]) > 32) return -1;
  return Number(match[1]) | ('xyzw'.indexOf(match[2]!) << 8);
}

/** `p10`, `p20`, `p0` of v_interp_mov_f32; −1 otherwise. */
export function interpolationSlot(word: string): number {
  return ['p10', 'p20', 'p0'].indexOf(word);
}
