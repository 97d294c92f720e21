/**
 * SOPK: scalar instructions with a 16-bit immediate: prefix 1011, opcode in bits 27:23.
 * A destination kind `s…` without `d` is a register that is only read (compares, waits, s_setreg).
 * Columns are described in ../row.ts. Checked against llvm-mc by tools/isa/check-tables.ts.
 */
import { family } from './family.ts';

export const SOPK = family('SOPK', {
  s_movk_i32:             { op: { gfx7: 0x00, gfx10: 0x00 }, dst: ['sd32i'], src: [],       class: 'salu',            imm: 'hex' },
  s_version:              { op: { gfx10: 0x01 },             dst: [],        src: [],       class: 'program-control', imm: 'version' },
  s_cmovk_i32:            { op: { gfx7: 0x02, gfx10: 0x02 }, dst: ['sd32i'], src: [],       class: 'salu',            readsDst: true, readsScc: true, imm: 'hex' },
  s_cmpk_eq_i32:          { op: { gfx7: 0x03, gfx10: 0x03 }, dst: ['s32i'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_lg_i32:          { op: { gfx7: 0x04, gfx10: 0x04 }, dst: ['s32i'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_gt_i32:          { op: { gfx7: 0x05, gfx10: 0x05 }, dst: ['s32i'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_ge_i32:          { op: { gfx7: 0x06, gfx10: 0x06 }, dst: ['s32i'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_lt_i32:          { op: { gfx7: 0x07, gfx10: 0x07 }, dst: ['s32i'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_le_i32:          { op: { gfx7: 0x08, gfx10: 0x08 }, dst: ['s32i'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_eq_u32:          { op: { gfx7: 0x09, gfx10: 0x09 }, dst: ['s32u'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_lg_u32:          { op: { gfx7: 0x0a, gfx10: 0x0a }, dst: ['s32u'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_gt_u32:          { op: { gfx7: 0x0b, gfx10: 0x0b }, dst: ['s32u'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_ge_u32:          { op: { gfx7: 0x0c, gfx10: 0x0c }, dst: ['s32u'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_lt_u32:          { op: { gfx7: 0x0d, gfx10: 0x0d }, dst: ['s32u'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_cmpk_le_u32:          { op: { gfx7: 0x0e, gfx10: 0x0e }, dst: ['s32u'],  src: [],       class: 'salu-compare',    writesScc: true, imm: 'hex' },
  s_addk_i32:             { op: { gfx7: 0x0f, gfx10: 0x0f }, dst: ['sd32i'], src: [],       class: 'salu',            readsDst: true, writesScc: true, imm: 'hex' },
  s_mulk_i32:             { op: { gfx7: 0x10, gfx10: 0x10 }, dst: ['sd32i'], src: [],       class: 'salu',            readsDst: true, imm: 'hex' },
  s_cbranch_i_fork:       { op: { gfx7: 0x11 },              dst: ['s64b'],  src: [],       class: 'branch',          readsExec: true, writesExec: true, imm: 'branch' },
  s_getreg_b32:           { op: { gfx7: 0x12, gfx10: 0x12 }, dst: ['sd32b'], src: [],       class: 'salu',            imm: 'hwreg' },
  s_setreg_b32:           { op: { gfx7: 0x13, gfx10: 0x13 }, dst: ['s32b'],  src: [],       class: 'salu',            imm: 'hwreg' },
  s_setreg_imm32_b32:     { op: { gfx7: 0x15, gfx10: 0x15 }, dst: [],        src: ['k32b'], class: 'salu',            imm: 'hwreg' },
  s_call_b64:             { op: { gfx10: 0x16 },             dst: ['sd64b'], src: [],       class: 'branch',          imm: 'branch' },
  s_waitcnt_vscnt:        { op: { gfx10: 0x17 },             dst: ['s32b'],  src: [],       class: 'wait',            imm: 'hex' },
  s_waitcnt_vmcnt:        { op: { gfx10: 0x18 },             dst: ['s32b'],  src: [],       class: 'wait',            imm: 'hex' },
  s_waitcnt_expcnt:       { op: { gfx10: 0x19 },             dst: ['s32b'],  src: [],       class: 'wait',            imm: 'hex' },
  s_waitcnt_lgkmcnt:      { op: { gfx10: 0x1a },             dst: ['s32b'],  src: [],       class: 'wait',            imm: 'hex' },
  s_subvector_loop_begin: { op: { gfx10: 0x1b },             dst: ['sd32b'], src: [],       class: 'branch',          readsDst: true, readsExec: true, writesExec: true, imm: 'branch' },
  s_subvector_loop_end:   { op: { gfx10: 0x1c },             dst: ['sd32b'], src: [],       class: 'branch',          readsDst: true, readsExec: true, writesExec: true, imm: 'branch' },
});
