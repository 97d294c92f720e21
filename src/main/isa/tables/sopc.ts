/**
 * SOPC: scalar compares into SCC: prefix 0xbf0, opcode in bits 22:16.
 * Columns are described in ../row.ts. Checked against llvm-mc by tools/isa/check-tables.ts.
 */
import { family } from './family.ts';

export const SOPC = family('SOPC', {
  s_cmp_eq_i32:  { op: { gfx7: 0x00, gfx10: 0x00 }, dst: [], src: ['s32i', 's32i'], class: 'salu-compare',    writesScc: true },
  s_cmp_lg_i32:  { op: { gfx7: 0x01, gfx10: 0x01 }, dst: [], src: ['s32i', 's32i'], class: 'salu-compare',    writesScc: true },
  s_cmp_gt_i32:  { op: { gfx7: 0x02, gfx10: 0x02 }, dst: [], src: ['s32i', 's32i'], class: 'salu-compare',    writesScc: true },
  s_cmp_ge_i32:  { op: { gfx7: 0x03, gfx10: 0x03 }, dst: [], src: ['s32i', 's32i'], class: 'salu-compare',    writesScc: true },
  s_cmp_lt_i32:  { op: { gfx7: 0x04, gfx10: 0x04 }, dst: [], src: ['s32i', 's32i'], class: 'salu-compare',    writesScc: true },
  s_cmp_le_i32:  { op: { gfx7: 0x05, gfx10: 0x05 }, dst: [], src: ['s32i', 's32i'], class: 'salu-compare',    writesScc: true },
  s_cmp_eq_u32:  { op: { gfx7: 0x06, gfx10: 0x06 }, dst: [], src: ['s32u', 's32u'], class: 'salu-compare',    writesScc: true },
  s_cmp_lg_u32:  { op: { gfx7: 0x07, gfx10: 0x07 }, dst: [], src: ['s32u', 's32u'], class: 'salu-compare',    writesScc: true },
  s_cmp_gt_u32:  { op: { gfx7: 0x08, gfx10: 0x08 }, dst: [], src: ['s32u', 's32u'], class: 'salu-compare',    writesScc: true },
  s_cmp_ge_u32:  { op: { gfx7: 0x09, gfx10: 0x09 }, dst: [], src: ['s32u', 's32u'], class: 'salu-compare',    writesScc: true },
  s_cmp_lt_u32:  { op: { gfx7: 0x0a, gfx10: 0x0a }, dst: [], src: ['s32u', 's32u'], class: 'salu-compare',    writesScc: true },
  s_cmp_le_u32:  { op: { gfx7: 0x0b, gfx10: 0x0b }, dst: [], src: ['s32u', 's32u'], class: 'salu-compare',    writesScc: true },
  s_bitcmp0_b32: { op: { gfx7: 0x0c, gfx10: 0x0c }, dst: [], src: ['s32b', 's32u'], class: 'salu-compare',    writesScc: true },
  s_bitcmp1_b32: { op: { gfx7: 0x0d, gfx10: 0x0d }, dst: [], src: ['s32b', 's32u'], class: 'salu-compare',    writesScc: true },
  s_bitcmp0_b64: { op: { gfx7: 0x0e, gfx10: 0x0e }, dst: [], src: ['s64b', 's32u'], class: 'salu-compare',    writesScc: true },
  s_bitcmp1_b64: { op: { gfx7: 0x0f, gfx10: 0x0f }, dst: [], src: ['s64b', 's32u'], class: 'salu-compare',    writesScc: true },
  s_setvskip:    { op: { gfx7: 0x10 },              dst: [], src: ['s32b', 's32u'], class: 'program-control' },
  s_cmp_eq_u64:  { op: { gfx10: 0x12 },             dst: [], src: ['s64u', 's64u'], class: 'salu-compare',    writesScc: true },
  s_cmp_lg_u64:  { op: { gfx10: 0x13 },             dst: [], src: ['s64u', 's64u'], class: 'salu-compare',    writesScc: true },
});
