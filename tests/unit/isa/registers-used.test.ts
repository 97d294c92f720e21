/**
 * Definitions and uses, implicit ones included. Expected sets are read off the ISA manuals' descriptions of each
 * instruction (what it reads and writes), not from our tables.
 */
import { describe, expect, it } from 'vitest';
import type { Target, WaveSize } from '../../../src/main/base/dispatch.ts';
import { assemble } from '../../../src/main/isa/assemble/index.ts';
import { decodeInstruction, forEachDef, forEachUse, Instruction } from '../../../src/main/isa/index.ts';

const NAMES: Readonly<Record<number, string>> = { 106: 'vcc', 124: 'm0', 126: 'exec', 253: 'scc', 104: 's104' };

function nameOf(code: number, dwords: number): string {
  const name = NAMES[code] ?? (code >= 256 ? `v${code - 256}` : `s${code}`);
  return name === 'scc' || dwords === 1 ? name : `${name}:${dwords}`;
}

function registers(text: string, target: Target, waveSize: WaveSize): { defs: string; uses: string } {
  const assembled = assemble(text, { target, waveSize });
  expect(assembled.diagnostics).toEqual([]);
  const inst = new Instruction();
  expect(decodeInstruction(target, assembled.words, 0, inst)).toBe(assembled.words.length);
  const defs: string[] = [];
  const uses: string[] = [];
  forEachDef(inst, waveSize, target, (code, dwords) => defs.push(nameOf(code, dwords)));
  forEachUse(inst, waveSize, target, (code, dwords) => uses.push(nameOf(code, dwords)));
  return { defs: defs.join(' '), uses: uses.join(' ') };
}

/** text, defs, uses; wave32. */
const GFX10_WAVE32: readonly (readonly [string, string, string])[] = [
  ['s_add_u32 s0, s1, s2', 's0 scc', 's1 s2'],
  ['s_addc_u32 s0, s1, 5', 's0 scc', 's1 scc'],
  ['s_mul_i32 s0, s1, s2', 's0', 's1 s2'],
  ['s_cselect_b32 s0, s1, s2', 's0', 's1 s2 scc'],
  ['s_cmp_eq_u32 s1, s2', 'scc', 's1 s2'],
  ['s_cmov_b32 s0, s1', 's0', 's1 s0 scc'],
  ['s_mov_b64 s[0:1], s[2:3]', 's0:2', 's2:2'],
  ['s_cmpk_eq_u32 s3, 0x10', 'scc', 's3'],
  ['s_addk_i32 s3, 0x10', 's3 scc', 's3'],
  ['s_movk_i32 s3, 0x10', 's3', ''],
  ['s_and_saveexec_b32 s0, s1', 's0 scc exec', 's1 exec'],
  ['s_andn2_wrexec_b32 s0, s1', 's0 scc exec', 's1 exec'],
  ['s_swappc_b64 s[30:31], s[16:17]', 's30:2', 's16:2'],
  ['s_setpc_b64 s[30:31]', '', 's30:2'],
  ['s_getpc_b64 s[4:5]', 's4:2', ''],
  ['s_cbranch_vccz 4', '', 'vcc'],
  ['s_cbranch_execz 4', '', 'exec'],
  ['s_cbranch_scc1 4', '', 'scc'],
  ['s_endpgm', '', ''],
  ['s_load_dwordx4 s[4:7], s[2:3], s9 offset:0x10', 's4:4', 's2:2 s9'],
  ['s_buffer_load_dwordx2 s[4:5], s[8:11], 0x10', 's4:2', 's8:4'],
  ['s_waitcnt_vscnt null, 0x0', '', ''],
  ['s_setreg_b32 hwreg(HW_REG_MODE), s5', '', 's5'],
  ['v_mov_b32 v1, s2', 'v1', 's2 exec'],
  ['v_add_f32 v1, v2, v3', 'v1', 'v2 v3 exec'],
  ['v_add_f64 v[2:3], v[4:5], s[6:7]', 'v2:2', 'v4:2 s6:2 exec'],
  ['v_fmac_f32 v1, v2, v3', 'v1', 'v2 v3 v1 exec'],
  ['v_cmp_eq_u32 vcc_lo, v1, v2', 'vcc', 'v1 v2 exec'],
  ['v_cmp_eq_u32 s6, v1, v2', 's6', 'v1 v2 exec'],
  ['v_cmpx_eq_u32 v1, v2', 'exec', 'v1 v2 exec'],
  ['v_cndmask_b32 v1, v2, v3, vcc_lo', 'v1', 'v2 v3 vcc exec'],
  ['v_add_co_u32 v1, s5, v2, v3', 'v1 s5', 'v2 v3 exec'],
  ['v_add_co_ci_u32 v1, vcc_lo, v2, v3, vcc_lo', 'v1 vcc', 'v2 v3 vcc exec'],
  ['v_div_fmas_f32 v1, v2, v3, v4', 'v1', 'v2 v3 v4 vcc exec'],
  ['v_readfirstlane_b32 s0, v1', 's0', 'v1 exec'],
  ['v_readlane_b32 s0, v1, s2', 's0', 'v1 s2'],
  ['v_writelane_b32 v0, s1, s2', 'v0', 's1 s2 v0'],
  ['v_swap_b32 v1, v2', 'v1 v2', 'v2 v1 exec'],
  ['v_mad_u64_u32 v[0:1], s2, v3, v4, v[5:6]', 'v0:2 s2', 'v3 v4 v5:2 exec'],
  ['v_mbcnt_lo_u32_b32 v1, -1, v2', 'v1', 'v2 exec'],
  // A 16-bit result leaves the other half of its register.
  ['v_add_f16 v1, v2, v3', 'v1', 'v2 v3 v1 exec'],
  ['v_add_f32_sdwa v1, v2, v3 dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD', 'v1', 'v2 v3 exec'],
  [
    'v_add_f32_sdwa v1, v2, v3 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD',
    'v1',
    'v2 v3 v1 exec',
  ],
  ['v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1', 'v1', 'v2 exec'],
  ['v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xa bank_mask:0xf', 'v1', 'v2 v1 exec'],
  ['v_mov_b32 v1, src_vccz', 'v1', 'vcc exec'],
  ['v_mov_b32 v1, src_scc', 'v1', 'scc exec'],
  ['ds_read_b64 v[2:3], v1', 'v2:2', 'v1 exec'],
  ['ds_write2_b32 v1, v2, v3 offset1:1', '', 'v1 v2 v3 exec'],
  ['ds_cmpst_rtn_b64 v[0:1], v2, v[4:5], v[6:7]', 'v0:2', 'v2 v4:2 v6:2 exec'],
  ['ds_add_u32 v1, v2 gds', '', 'v1 v2 exec m0'],
  ['buffer_load_dwordx3 v[1:3], v[4:5], s[8:11], s12 idxen offen', 'v1:3', 'v4:2 s8:4 s12 exec'],
  ['buffer_load_dword v[1:2], off, s[8:11], 0 tfe', 'v1:2', 's8:4 exec'],
  ['buffer_store_dwordx2 v[1:2], v4, s[8:11], s12 offen', '', 'v4 s8:4 s12 v1:2 exec'],
  ['buffer_atomic_cmpswap v[1:2], off, s[8:11], 0 glc', 'v1', 's8:4 v1:2 exec'],
  ['buffer_load_ubyte_d16 v1, off, s[8:11], 0', 'v1', 's8:4 v1 exec'],
  ['buffer_load_dword v4, s[8:11], s12 offen lds', '', 'v4 s8:4 s12 exec m0'],
  ['global_load_dword v1, v[2:3], off', 'v1', 'v2:2 exec'],
  ['global_load_dword v1, v2, s[4:5]', 'v1', 'v2 s4:2 exec'],
  ['global_store_dwordx4 v[2:3], v[4:7], off', '', 'v2:2 v4:4 exec'],
  ['global_atomic_add_x2 v[0:1], v[2:3], v[4:5], off glc', 'v0:2', 'v2:2 v4:2 exec'],
  ['scratch_load_dword v1, off, s4', 'v1', 's4 exec'],
  ['flat_load_dword v1, v[2:3]', 'v1', 'v2:2 exec'],
  ['image_sample v[0:3], v[4:5], s[8:15], s[16:19] dmask:0xf dim:2D', 'v0:4', 'v4:2 s8:8 s16:4 exec'],
  ['image_sample v[0:1], [v4, v9], s[8:15], s[16:19] dmask:0x3 dim:2D', 'v0:2', 'v4 s8:8 s16:4 v9 exec'],
  ['image_sample v0, v[4:5], s[8:15], s[16:19] dmask:0x3 dim:2D d16', 'v0', 'v4:2 s8:8 s16:4 exec'],
  ['image_store v[0:3], v[4:6], s[8:15] dmask:0xf dim:3D', '', 'v4:3 s8:8 v0:4 exec'],
  ['image_atomic_add v0, v[4:5], s[8:15] dmask:0x1 dim:2D glc', 'v0', 'v4:2 s8:8 v0 exec'],
  ['exp mrt0 v1, v2, off, off done vm', '', 'v1 v2 exec'],
  ['v_interp_p2_f32 v1, v2, attr0.x', 'v1', 'v2 v1 exec m0'],
  ['s_movrels_b32 s0, s1', 's0', 's1 m0'],
  ['s_sendmsg sendmsg(MSG_INTERRUPT)', '', 'm0'],
];

const GFX10_WAVE64: readonly (readonly [string, string, string])[] = [
  ['v_cmp_eq_u32 vcc, v1, v2', 'vcc:2', 'v1 v2 exec:2'],
  ['v_cmp_eq_u32 s[6:7], v1, v2', 's6:2', 'v1 v2 exec:2'],
  ['v_cndmask_b32 v1, v2, v3, s[4:5]', 'v1', 'v2 v3 s4:2 exec:2'],
  ['s_and_saveexec_b64 s[0:1], s[2:3]', 's0:2 scc exec:2', 's2:2 exec:2'],
  ['s_cbranch_vccnz 4', '', 'vcc:2'],
  ['v_cmpx_eq_u32 v1, v2', 'exec:2', 'v1 v2 exec:2'],
];

const GFX7: readonly (readonly [string, string, string])[] = [
  ['v_add_i32 v1, vcc, v2, v3', 'v1 vcc:2', 'v2 v3 exec:2'],
  ['v_cmpx_eq_u32 vcc, v1, v2', 'vcc:2 exec:2', 'v1 v2 exec:2'],
  ['v_cmpx_eq_u32 s[4:5], v1, v2', 's4:2 exec:2', 'v1 v2 exec:2'],
  // LDS accesses are limited by M0, flat ones go through FLAT_SCRATCH.
  ['ds_read_b32 v1, v2', 'v1', 'v2 exec:2 m0'],
  ['flat_load_dword v1, v[2:3]', 'v1', 'v2:2 exec:2 s104:2'],
  ['buffer_load_dword v1, v[2:3], s[4:7], 0 addr64', 'v1', 'v2:2 s4:4 exec:2'],
  ['s_load_dword s2, s[6:7], 0x4', 's2', 's6:2'],
];

describe('registers used', () => {
  it.each(GFX10_WAVE32)('gfx1013 wave32: %s', (text, defs, uses) => {
    expect(registers(text, 'gfx1013', 32)).toEqual({ defs, uses });
  });
  it.each(GFX10_WAVE64)('gfx1030 wave64: %s', (text, defs, uses) => {
    expect(registers(text, 'gfx1030', 64)).toEqual({ defs, uses });
  });
  it.each(GFX7)('gfx700: %s', (text, defs, uses) => {
    expect(registers(text, 'gfx700', 64)).toEqual({ defs, uses });
  });
});
