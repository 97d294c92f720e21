/**
 * VOP3P: packed arithmetic and dot products (gfx10): prefix 0xcc, opcode in bits 22:16.
 * Columns are described in ../row.ts. Checked against llvm-mc by tools/isa/check-tables.ts.
 */
import { family } from './family.ts';

export const VOP3P = family('VOP3P', {
  v_pk_mad_i16:     { op: { gfx10: 0x00 }, dst: ['v32pi'], src: ['x32pi', 'x32pi', 'x32pi'], class: 'valu-packed' },
  v_pk_mul_lo_u16:  { op: { gfx10: 0x01 }, dst: ['v32pu'], src: ['x32pu', 'x32pu'],          class: 'valu-packed' },
  v_pk_add_i16:     { op: { gfx10: 0x02 }, dst: ['v32pi'], src: ['x32pi', 'x32pi'],          class: 'valu-packed' },
  v_pk_sub_i16:     { op: { gfx10: 0x03 }, dst: ['v32pi'], src: ['x32pi', 'x32pi'],          class: 'valu-packed' },
  v_pk_lshlrev_b16: { op: { gfx10: 0x04 }, dst: ['v32pb'], src: ['x32pu', 'x32pb'],          class: 'valu-packed' },
  v_pk_lshrrev_b16: { op: { gfx10: 0x05 }, dst: ['v32pb'], src: ['x32pu', 'x32pb'],          class: 'valu-packed' },
  v_pk_ashrrev_i16: { op: { gfx10: 0x06 }, dst: ['v32pi'], src: ['x32pu', 'x32pi'],          class: 'valu-packed' },
  v_pk_max_i16:     { op: { gfx10: 0x07 }, dst: ['v32pi'], src: ['x32pi', 'x32pi'],          class: 'valu-packed' },
  v_pk_min_i16:     { op: { gfx10: 0x08 }, dst: ['v32pi'], src: ['x32pi', 'x32pi'],          class: 'valu-packed' },
  v_pk_mad_u16:     { op: { gfx10: 0x09 }, dst: ['v32pu'], src: ['x32pu', 'x32pu', 'x32pu'], class: 'valu-packed' },
  v_pk_add_u16:     { op: { gfx10: 0x0a }, dst: ['v32pu'], src: ['x32pu', 'x32pu'],          class: 'valu-packed' },
  v_pk_sub_u16:     { op: { gfx10: 0x0b }, dst: ['v32pu'], src: ['x32pu', 'x32pu'],          class: 'valu-packed' },
  v_pk_max_u16:     { op: { gfx10: 0x0c }, dst: ['v32pu'], src: ['x32pu', 'x32pu'],          class: 'valu-packed' },
  v_pk_min_u16:     { op: { gfx10: 0x0d }, dst: ['v32pu'], src: ['x32pu', 'x32pu'],          class: 'valu-packed' },
  v_pk_fma_f16:     { op: { gfx10: 0x0e }, dst: ['v32pf'], src: ['x32pf', 'x32pf', 'x32pf'], class: 'valu-packed' },
  v_pk_add_f16:     { op: { gfx10: 0x0f }, dst: ['v32pf'], src: ['x32pf', 'x32pf'],          class: 'valu-packed' },
  v_pk_mul_f16:     { op: { gfx10: 0x10 }, dst: ['v32pf'], src: ['x32pf', 'x32pf'],          class: 'valu-packed' },
  v_pk_min_f16:     { op: { gfx10: 0x11 }, dst: ['v32pf'], src: ['x32pf', 'x32pf'],          class: 'valu-packed' },
  v_pk_max_f16:     { op: { gfx10: 0x12 }, dst: ['v32pf'], src: ['x32pf', 'x32pf'],          class: 'valu-packed' },
  v_dot2_f32_f16:   { op: { gfx10: 0x13 }, dst: ['v32f'],  src: ['x32pf', 'x32pf', 'x32f'],  class: 'valu-packed', targets: ['gfx1030'] },
  v_dot2_i32_i16:   { op: { gfx10: 0x14 }, dst: ['v32i'],  src: ['x32pi', 'x32pi', 'x32i'],  class: 'valu-packed', targets: ['gfx1030'] },
  v_dot2_u32_u16:   { op: { gfx10: 0x15 }, dst: ['v32u'],  src: ['x32pu', 'x32pu', 'x32u'],  class: 'valu-packed', targets: ['gfx1030'] },
  v_dot4_i32_i8:    { op: { gfx10: 0x16 }, dst: ['v32i'],  src: ['x32b', 'x32b', 'x32i'],    class: 'valu-packed', targets: ['gfx1030'] },
  v_dot4_u32_u8:    { op: { gfx10: 0x17 }, dst: ['v32u'],  src: ['x32b', 'x32b', 'x32u'],    class: 'valu-packed', targets: ['gfx1030'] },
  v_dot8_i32_i4:    { op: { gfx10: 0x18 }, dst: ['v32i'],  src: ['x32b', 'x32b', 'x32i'],    class: 'valu-packed', targets: ['gfx1030'] },
  v_dot8_u32_u4:    { op: { gfx10: 0x19 }, dst: ['v32u'],  src: ['x32b', 'x32b', 'x32u'],    class: 'valu-packed', targets: ['gfx1030'] },
  v_fma_mix_f32:    { op: { gfx10: 0x20 }, dst: ['v32f'],  src: ['x32m', 'x32m', 'x32m'],    class: 'valu-packed' },
  v_fma_mixlo_f16:  { op: { gfx10: 0x21 }, dst: ['v16f'],  src: ['x32m', 'x32m', 'x32m'],    class: 'valu-packed', readsDst: true },
  v_fma_mixhi_f16:  { op: { gfx10: 0x22 }, dst: ['v16f'],  src: ['x32m', 'x32m', 'x32m'],    class: 'valu-packed', readsDst: true },
});
