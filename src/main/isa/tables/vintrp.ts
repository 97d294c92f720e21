/**
 * VINTRP: parameter interpolation: prefix 110010, opcode in bits 17:16; on gfx10 also as VOP3, opcode + 0x200.
 * Columns are described in ../row.ts. Checked against llvm-mc by tools/isa/check-tables.ts.
 */
import { family } from './family.ts';

export const VINTRP = family('VINTRP', {
  v_interp_p1_f32:  { op: { gfx7: 0x00, gfx10: 0x00 }, dst: ['v32f'], src: ['v32f'], class: 'interpolation', readsM0: true, imm: 'attr' },
  v_interp_p2_f32:  { op: { gfx7: 0x01, gfx10: 0x01 }, dst: ['v32f'], src: ['v32f'], class: 'interpolation', readsDst: true, readsM0: true, imm: 'attr' },
  v_interp_mov_f32: { op: { gfx7: 0x02, gfx10: 0x02 }, dst: ['v32f'], src: ['i2'],   class: 'interpolation', readsM0: true, imm: 'attr' },
});
