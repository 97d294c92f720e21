/**
 * EXP: exports: prefix 111110 on both generations; the target is the immediate.
 * Columns are described in ../row.ts. Checked against llvm-mc by tools/isa/check-tables.ts.
 */
import { family } from './family.ts';

export const EXP = family('EXP', {
  exp: { op: { gfx7: 0x00, gfx10: 0x00 }, dst: [], src: ['v32b', 'v32b', 'v32b', 'v32b'], class: 'export', imm: 'target' },
});
