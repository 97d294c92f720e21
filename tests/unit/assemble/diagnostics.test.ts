/**
 * What the author of bad text is told: message, line, column, length. The rules behind them (which operand may be what)
 * are the manuals' and agree with llvm-mc's refusals; the wording and the places are ours and are fixed here.
 */
import { describe, expect, it } from 'vitest';
import type { Target, WaveSize } from '../../../src/main/base/dispatch.ts';
import { assemble } from '../../../src/main/isa/assemble/index.ts';

/** `line:column+length CODE message` of every error. */
function errors(text: string, target: Target | undefined = 'gfx1030', waveSize: WaveSize = 32): string[] {
  const result = assemble(text, { target, waveSize });
  return result.diagnostics
    .filter((d) => d.kind === 'badInput')
    .map((d) => {
      const where = d.where;
      const place = where?.kind === 'line' ? `${where.line}:${where.column}+${where.length}` : '?';
      return `${place} ${d.code} ${d.message}`;
    });
}

const CASES: readonly (readonly [text: string, expected: string, target?: Target])[] = [
  // Mnemonics.
  ['v_add_nc_u23 v0, v1, v2', "1:1+12 ASM002 unknown instruction 'v_add_nc_u23'; did you mean v_add_nc_u32?"],
  ['  zzz v0', "1:3+3 ASM002 unknown instruction 'zzz'"],
  ['v_add_u32 v0, v1, v2', "1:1+9 ASM002 unknown instruction 'v_add_u32'; did you mean v_add_nc_u32?"],
  [
    'v_mac_f32 v0, v1, v2',
    '1:1+9 ASM003 v_mac_f32: not an instruction of gfx1030 (exists on gfx700, gfx1013; gfx1030 has v_fmac_f32)',
  ],
  [
    'v_add_f16 v0, v1, v2',
    '1:1+9 ASM003 v_add_f16: not an instruction of gfx700 (exists on gfx1013, gfx1030)',
    'gfx700',
  ],
  ['v_fma_f32_e32 v0, v1, v2, v3', '1:1+13 ASM012 v_fma_f32 has no _e32 encoding on gfx1030'],
  ['v_mov_b32_sdwa v0, v1', '1:1+14 ASM012 v_mov_b32 has no _sdwa encoding on gfx700', 'gfx700'],
  ['v_swap_b32_e64 v0, v1', '1:1+14 ASM012 v_swap_b32 has no _e64 encoding on gfx1030'],
  // Kinds of operands.
  ['v_add_nc_u32_e32 v0, v1, s2', '1:26+2 ASM004 v_add_nc_u32_e32: second source must be a VGPR, not an SGPR'],
  ['v_add_f32 s0, v1, v2', '1:11+2 ASM004 v_add_f32: destination must be a VGPR, not an SGPR'],
  [
    'v_add_f64 v[0:1], v2, v[4:5]',
    '1:19+2 ASM004 v_add_f64: first source must be a pair of VGPRs, a pair of SGPRs or a constant, not a VGPR',
  ],
  ['s_mov_b32 s0, v1', '1:15+2 ASM004 s_mov_b32: source must be an SGPR or a constant, not a VGPR'],
  ['s_mov_b32 scc, s0', '1:11+3 ASM004 s_mov_b32: destination must be an SGPR, not a value that is only read'],
  ['s_mov_b64 s[0:1], s2', '1:19+2 ASM004 s_mov_b64: source must be a pair of SGPRs or a constant, not an SGPR'],
  ['s_load_dword s0, s1, 0', '1:18+2 ASM004 s_load_dword: base must be a pair of SGPRs, not an SGPR'],
  ['s_load_dword m0, s[0:1], 0', '1:14+2 ASM004 s_load_dword: data cannot be m0 or exec'],
  ['s_setpc_b64 0', '1:13+1 ASM004 s_setpc_b64: source must be a pair of SGPRs, not a constant'],
  [
    'v_cmp_eq_u32_e32 s0, v0, v1',
    '1:18+2 ASM004 v_cmp_eq_u32_e32: destination must be vcc_lo (wave32) in this encoding',
  ],
  ['v_readlane_b32 s0, v1, 65', '1:24+2 ASM013 v_readlane_b32: second source must be a register or an inline constant'],
  ['v_mov_b32_dpp v0, s1 row_mirror', '1:19+2 ASM004 v_mov_b32_dpp: source must be a VGPR, not an SGPR'],
  ['s_mov_b32 s0, lds_direct', '1:15+10 ASM004 s_mov_b32: lds_direct is possible only as first 32-bit source'],
  ['ds_read_b64 v0, v1', '1:13+2 ASM004 ds_read_b64: destination must be a pair of VGPRs, not a VGPR'],
  [
    'buffer_load_dword v0, v1, s[4:7], 0',
    "1:23+2 ASM004 buffer_load_dword: address must be 'off' without offen or idxen",
  ],
  ['buffer_load_dword v0, off, s[4:7], 0 offen', "1:23+3 ASM004 buffer_load_dword: address must be a VGPR, not 'off'"],
  [
    'buffer_load_dword v0, off, s[4:7], 100',
    '1:36+3 ASM013 buffer_load_dword: scalar offset must be a register or an inline constant',
  ],
  ['global_load_dword v0, v1, off', '1:23+2 ASM004 global_load_dword: address must be a pair of VGPRs, not a VGPR'],
  [
    'image_load v[0:2], v[0:1], s[0:7] dmask:0xf dim:2D',
    '1:12+6 ASM004 image_load: data must be 4 VGPRs to match dmask',
  ],
  [
    'image_load v0, v[0:2], s[0:7] dmask:1 dim:2D',
    '1:16+6 ASM004 image_load: address must be a pair of VGPRs to match dim and a16, not 3',
  ],
  [
    'exp mrt9 v0, v0, v0, v0',
    '1:5+4 ASM001 exp: expected a target of gfx1030: mrt0…7, mrtz, null, pos0…4, prim, param0…31',
  ],
  ['v_interp_p1_f32 v0, v1, attr40.x', '1:25+8 ASM001 v_interp_p1_f32: expected an attribute, attr0.x to attr32.w'],
  // Registers.
  ['v_mov_b32 v0, v256', '1:15+4 ASM005 v256 is out of range: gfx1030 has v0…v255'],
  ['s_mov_b32 s0, s106', '1:15+4 ASM005 s106 is out of range: gfx1030 has s0…s105'],
  ['s_mov_b32 s0, s104', '1:15+4 ASM005 s104 is out of range: gfx700 has s0…s103', 'gfx700'],
  [
    's_mov_b64 s[1:2], 0',
    '1:11+6 ASM005 s[1:2] is misaligned: a group of 2 scalar registers starts at a multiple of 2',
  ],
  [
    's_load_dwordx4 s[2:5], s[0:1], 0',
    '1:16+6 ASM005 s[2:5] is misaligned: a group of 4 scalar registers starts at a multiple of 4',
  ],
  ['v_mov_b32 v0, v[3:2]', '1:15+6 ASM005 the second register of a range is not below the first'],
  ['v_mov_b32 v0, v[0:12]', '1:15+7 ASM005 no operand has 13 registers (1 to 12, 16 or 32)'],
  [
    's_mov_b32 s0, null',
    "1:15+4 ASM010 s_mov_b32: 'null' is not defined (not a register here: lower case, and of this target)",
    'gfx700',
  ],
  // Scalar limit and literals.
  [
    'v_fma_f32 v0, s0, s1, s2',
    '1:23+2 ASM006 v_fma_f32: reads more than two different scalar values (SGPRs, VCC, M0 and the literal count)',
  ],
  [
    'v_fma_f32 v0, s0, s1, s2',
    '1:19+2 ASM006 v_fma_f32: reads more than one scalar value (SGPRs, VCC, M0 and the literal count)',
    'gfx700',
  ],
  [
    'v_lshlrev_b64 v[0:1], s0, s[2:3]',
    '1:27+6 ASM006 v_lshlrev_b64: reads more than one scalar value (SGPRs, VCC, M0 and the literal count)',
  ],
  [
    'v_add_f32 v0, 0x1234, s1',
    '1:15+6 ASM013 v_add_f32: first source must be a register or an inline constant (no literal in this encoding on gfx700)',
    'gfx700',
  ],
  ['s_add_u32 s0, 100, 101', '1:20+3 ASM013 s_add_u32: an instruction has one literal; this is a second one'],
  // Values.
  ['s_movk_i32 s0, 65536', '1:16+5 ASM007 s_movk_i32: immediate is -32768 to 65535'],
  ['s_cmpk_lt_u32 s0, -1', '1:19+2 ASM007 s_cmpk_lt_u32: immediate is 0 to 65535'],
  ['s_mov_b32 s0, 0x100000000', '1:15+11 ASM007 s_mov_b32: source does not fit 32 bits'],
  ['s_mov_b64 s[0:1], 0x123456789', '1:19+11 ASM007 s_mov_b64: source does not fit the 32-bit literal'],
  ['v_add_f16 v0, 70000.0, v1', '1:15+7 ASM007 v_add_f16: first source is too large for f16'],
  ['ds_read_b32 v0, v1 offset:65536', '1:20+12 ASM007 ds_read_b32: offset takes 0 to 65535'],
  ['buffer_load_dword v0, off, s[4:7], 0 offset:4096', '1:38+11 ASM007 buffer_load_dword: offset takes 0 to 4095'],
  ['global_load_dword v0, v[0:1], off offset:2048', '1:35+11 ASM007 global_load_dword: offset takes -2048 to 2047'],
  ['s_waitcnt vmcnt(64)', '1:17+2 ASM007 vmcnt takes 0 to 63 on gfx1030'],
  ['s_waitcnt vmcnt(16)', '1:17+2 ASM007 vmcnt takes 0 to 15 on gfx700', 'gfx700'],
  ['s_getreg_b32 s0, hwreg(HW_REG_MODE, 32, 1)', '1:37+2 ASM007 the bit offset is 0 to 31'],
  ['s_getreg_b32 s0, hwreg(HW_REG_TBA_LO)', '1:24+13 ASM003 HW_REG_TBA_LO does not exist on gfx700', 'gfx700'],
  ['v_mov_b32_dpp v0, v1 row_shl:16', '1:30+2 ASM007 row_shl takes 1 to 15'],
  // Numbers of operands.
  [
    'v_add_f32 v0, v1',
    '1:1+9 ASM008 v_add_f32: expected 3 operands (destination, first source, second source), found 2',
  ],
  [
    'v_add_f32 v0, v1, v2, v3',
    '1:23+2 ASM008 v_add_f32: expected 3 operands (destination, first source, second source), found 4',
  ],
  ['s_barrier 1', '1:11+1 ASM008 s_barrier: expected no operands, found 1'],
  // Modifiers.
  ['s_mov_b32 s0, s1 glc', "1:18+3 ASM009 s_mov_b32: 'glc' is no modifier of this instruction on gfx1030"],
  ['v_add_f32 v0, v1, v2 offset:4', "1:22+6 ASM009 v_add_f32: 'offset' is no modifier of this instruction on gfx1030"],
  [
    'buffer_load_dword v0, off, s[4:7], 0 dlc',
    "1:38+3 ASM009 buffer_load_dword: 'dlc' is no modifier of this instruction on gfx700 (it is on gfx1013 and gfx1030)",
    'gfx700',
  ],
  ['buffer_load_dword v0, off, s[4:7], 0 glc glc', '1:42+3 ASM009 glc is given twice'],
  ['v_and_b32 v0, -v1, v2', '1:15+3 ASM009 v_and_b32: first source takes no neg or abs'],
  ['s_mov_b32 s0, -s1', '1:15+3 ASM009 s_mov_b32: scalar sources take no abs, neg or sext'],
  ['image_load v0, v0, s[0:7] dmask:1', "1:1+10 ASM009 image_load: expected 'dim:', e.g. dim:SQ_RSRC_IMG_2D"],
  ['flat_atomic_add v0, v[2:3], v1', "1:1+15 ASM009 flat_atomic_add: returns a value only with 'glc'"],
  ['ds_gws_init v1', "1:1+11 ASM009 ds_gws_init: exists for GDS only: 'gds' is missing"],
  [
    'v_mov_b32_dpp v0, v1',
    '1:1+13 ASM009 v_mov_b32_dpp: expected a lane pattern: quad_perm, row_shl, row_mirror, dpp8, …',
  ],
  // Symbols, branches, syntax.
  ['s_branch nowhere', "1:10+7 ASM010 s_branch: 'nowhere' is not defined"],
  ['L: s_nop 0\nL: s_nop 0', "2:1+1 ASM010 'L' is defined already"],
  ['s_nop x', '1:7+1 ASM004 s_nop: immediate must be a number known here'],
  [
    's_branch L\n.fill 40000, 4\nL:',
    '1:10+1 ASM014 s_branch: the target is 40000 dwords away; a branch reaches -32768 to 32767',
  ],
  ['.byte 1\ns_nop 0', '2:1+5 ASM016 s_nop: an instruction starts at a multiple of 4 bytes; use .p2align 2'],
  ['s_mov_b32 s0,, s1', '1:14+1 ASM001 expected an operand: a register, a number or a label'],
  ['s_mov_b32 s0, (1', "1:17+1 ASM001 expected ')'"],
  ['v_add_f32 v0, |v1, v2', "1:18+1 ASM001 expected '|'"],
  ['@', '1:1+1 ASM001 expected an instruction, a label or a directive'],
];

/** What people type who edit a callee, and did not mean. */
const SLIPS: readonly (readonly [text: string, expected: string, target?: Target, waveSize?: WaveSize])[] = [
  // Names that are nearly right, of another generation, or without their type.
  ['v_addf32 v0, v1, v2', "1:1+8 ASM002 unknown instruction 'v_addf32'; did you mean v_add_f32?"],
  ['s_endprg', "1:1+8 ASM002 unknown instruction 's_endprg'; did you mean s_endpgm?"],
  ['s_setpc s[0:1]', "1:1+7 ASM002 unknown instruction 's_setpc'; did you mean s_setpc_b64?"],
  ['v_mul_i32 v0, v1, v2', "1:1+9 ASM002 unknown instruction 'v_mul_i32'; did you mean v_mul_lo_u32?"],
  ['s_add_f32 s0, s1, s2', "1:1+9 ASM002 unknown instruction 's_add_f32'; did you mean s_add_i32 or s_add_u32?"],
  ['s_load_b64 s[0:1], s[2:3], 0', "1:1+10 ASM002 unknown instruction 's_load_b64'; did you mean s_load_dwordx2?"],
  ['ds_store_b32 v0, v1', "1:1+12 ASM002 unknown instruction 'ds_store_b32'; did you mean ds_write_b32?"],
  [
    'global_atomic_min_i32 v[0:1], v2, off',
    "1:1+21 ASM002 unknown instruction 'global_atomic_min_i32'; did you mean global_atomic_smin?",
  ],
  [
    'buffer_atomic_add_u64 v[0:1], off, s[4:7], 0',
    "1:1+21 ASM002 unknown instruction 'buffer_atomic_add_u64'; did you mean buffer_atomic_add_x2?",
  ],
  [
    's_cbranch_sccz out',
    "1:1+14 ASM002 unknown instruction 's_cbranch_sccz'; did you mean s_cbranch_scc0 or s_cbranch_scc1 or s_cbranch_vccz?",
  ],
  [
    'v_lshl_b32 v0, v1, 2',
    '1:1+10 ASM003 v_lshl_b32: not an instruction of gfx1030 (exists on gfx700; gfx1030 has v_lshlrev_b32)',
  ],
  // Operands that are no operands.
  ['v_mov_b32 v0, #1', "1:15+1 ASM001 expected an operand; numbers are written without '#'"],
  ['v_mov_b32 v0, $1', "1:15+2 ASM010 v_mov_b32: '$1' is not defined; numbers are written without '$'"],
  ['v_mov_b32 v0, r1', "1:15+2 ASM010 v_mov_b32: 'r1' is not defined; registers are v0, s0, ttmp0, m0, vcc, exec"],
  [
    'V_MOV_B32 V0, 1',
    "1:11+2 ASM004 v_mov_b32: destination must be a VGPR, not 'V0'; registers are written in lower case",
  ],
  [
    's_mov_b32 (s0), s1',
    "1:11+4 ASM004 s_mov_b32: destination must be an SGPR: 's0' alone, without parentheses or operators",
  ],
  ['s_mov_b64 s[0,1], 0', "1:14+1 ASM001 expected ':' or ']', as in s[0:1]"],
  ['s_mov_b64 s[0-1], 0', '1:13+3 ASM005 there is no register -1; a group is s[0:1]'],
  ['s_mov_b64 s0:s1, 0', "1:13+1 ASM001 expected ',': a group of registers is written s[0:1] or v[0:1]"],
  ['s_load_dword s0, [s2:s3], 0', "1:21+1 ASM001 expected ',' or ']': a group is written s[0:1]"],
  // What a listing shows of words with a misplaced operand, note and all.
  ['s_setpc_b64 1/*Invalid immediate*/', '1:13+1 ASM004 s_setpc_b64: source must be a pair of SGPRs, not a constant'],
  ['v_mul_f32_e32 v0, v1, 2.0', '1:23+3 ASM004 v_mul_f32_e32: second source must be a VGPR, not a constant'],
  ['v_add_f32, v0, v1, v2', '1:10+1 ASM001 expected an operand: a register, a number or a label'],
  // Masks and wave sizes.
  [
    'v_cmp_eq_u32 vcc, v0, v1',
    '1:14+3 ASM004 v_cmp_eq_u32: destination must be an SGPR, e.g. vcc_lo: masks of wave32 have 32 bits',
  ],
  [
    'v_cndmask_b32 v0, v1, v2, vcc_lo',
    '1:27+6 ASM004 v_cndmask_b32: mask source must be a pair of SGPRs, e.g. vcc: masks of wave64 have 64 bits',
    'gfx1030',
    64,
  ],
  ['v_cmpx_eq_u32 vcc_lo, v0, v1', '1:15+6 ASM008 v_cmpx_eq_u32: names no destination on gfx1030: it writes EXEC'],
  [
    'v_add_co_ci_u32 v0, vcc_lo, v1, v2',
    '1:1+15 ASM008 v_add_co_ci_u32: expected 5 operands (destination, mask destination, first source, second source, mask source), found 4',
  ],
  [
    'v_cndmask_b32 v0, s1, v2, s[2:3]',
    '1:27+6 ASM006 v_cndmask_b32: reads more than one scalar value (SGPRs, VCC, M0 and the literal count)',
    'gfx700',
  ],
  // Modifiers.
  [
    'buffer_load_dword v0, off, s[4:7], 0 offst:4',
    "1:38+5 ASM009 buffer_load_dword: 'offst' is no modifier; did you mean offset?",
  ],
  ['buffer_load_dword v0, off, s[4:7], 0 offset 4', "1:45+1 ASM009 expected ':' after offset"],
  [
    'v_add_nc_u32 v0, v1, v2 clmp',
    "1:25+4 ASM009 v_add_nc_u32: 'clmp' is no modifier of this instruction; did you mean clamp?",
  ],
  [
    'ds_read2_b32 v[0:1], v2 offset:4',
    "1:25+6 ASM009 ds_read2_b32: 'offset' is no modifier of this instruction on gfx1030; did you mean offset0 or offset1?",
  ],
  [
    'flat_load_dword v0, v[2:3] offset:4',
    "1:28+6 ASM009 flat_load_dword: 'offset' is no modifier of this instruction on gfx700 (it is on gfx1013 and gfx1030)",
    'gfx700',
  ],
  [
    'tbuffer_load_format_x v0, off, s[4:7], 0 format:BUF_FMT_32_FLOAT',
    '1:49+16 ASM001 expected brackets: format:[BUF_FMT_32_FLOAT]',
  ],
  [
    'buffer_load_dword v0, off, s[4:7], 0 lds',
    "1:19+2 ASM008 buffer_load_dword: with 'lds' the data goes to LDS: expected no destination",
  ],
  [
    'global_load_dword v0, v[2:3], off lds',
    "1:19+2 ASM008 global_load_dword: with 'lds' the data goes to LDS: expected no destination",
  ],
  // Special operands.
  ['s_waitcnt', '1:1+9 ASM008 s_waitcnt: expected 1 operand (counters such as vmcnt(0)), found 0'],
  ['s_waitcnt vscnt(0)', '1:11+5 ASM001 expected vmcnt, expcnt or lgkmcnt; stores have s_waitcnt_vscnt null, 0'],
  ['s_getreg_b32 s0, HW_REG_MODE', '1:18+11 ASM001 expected hwreg(HW_REG_MODE) or hwreg(HW_REG_MODE, offset, width)'],
  ['s_setreg_b32 s0, hwreg(HW_REG_MODE)', '1:14+2 ASM010 expected hwreg(…) or a number, not a register'],
  ['s_sendmsg MSG_INTERRUPT', '1:11+13 ASM001 expected sendmsg(MSG_INTERRUPT) with its operation, if it has any'],
  // Labels and branches.
  ['loop: s_nop 0\n s_branch Loop', "2:11+4 ASM010 s_branch: 'Loop' is not defined; did you mean loop?"],
  ['loop: s_nop 0\n s_branch lopo', "2:11+4 ASM010 s_branch: 'lopo' is not defined; did you mean loop?"],
  [
    's_branch 0x10000000',
    '1:10+10 ASM007 s_branch: target (a number is a distance in dwords, an address is a label) is -32768 to 65535',
  ],
  ['s_branch a, b', '1:13+1 ASM008 s_branch: expected 1 operand (target), found 2'],
  ['s_nop 0 /* no end\n s_nop 1', "1:9+2 ASM001 the comment is not closed: expected '*/'"],
];

describe('assembler diagnostics', () => {
  it.each(CASES.map(([text, expected, target]) => ({ text, expected, target })))(
    '$text',
    ({ text, expected, target }) => {
      expect(errors(text, target)).toEqual([expected]);
    },
  );

  it.each(SLIPS.map(([text, expected, target, waveSize]) => ({ text, expected, target, waveSize })))(
    'a slip: $text',
    ({ text, expected, target, waveSize }) => {
      expect(errors(text, target, waveSize)).toEqual([expected]);
    },
  );

  it('collects every error and goes on', () => {
    const text = 's_nop 0\nbogus\n  v_mov_b32 v0, v999\ns_nop 1\ns_branch gone';
    const result = assemble(text, { target: 'gfx1013', waveSize: 32 });
    expect(result.ok).toBe(false);
    expect(errors(text, 'gfx1013').map((e) => e.slice(0, 3))).toEqual(['2:1', '3:1', '5:1']);
    expect(result.lines.map((l) => l.line)).toEqual([1, 4, 5]);
  });

  it('stops after a thousand errors', () => {
    const result = assemble('?\n'.repeat(5000), { target: 'gfx1013', waveSize: 32 });
    expect(result.diagnostics.length).toBe(1001);
    expect(result.diagnostics.at(-1)!.code).toBe('ASM017');
  });

  it('names the file', () => {
    const result = assemble('bogus', { target: 'gfx1013', waveSize: 32, file: 'probe.s' });
    expect(result.diagnostics[0]!.where).toEqual({ kind: 'line', line: 1, column: 1, length: 5, file: 'probe.s' });
  });
});

describe('assembler warnings', () => {
  it('warns of tfe on image stores, which llvm-mc takes', () => {
    const text = 'image_store v[0:4], v0, s[0:7] dmask:0xf dim:1D tfe';
    const result = assemble(text, { target: 'gfx1013', waveSize: 32 });
    // llvm-mc's words.
    expect([...result.words]).toEqual([0xf0210f00, 0]);
    expect(result.diagnostics.map((d) => [d.kind, d.code, d.message])).toEqual([
      ['warning', 'ASM103', 'image_store: tfe has no meaning for stores'],
    ]);
  });

  it('warns when a literal loses the low half of a double', () => {
    const result = assemble('v_cvt_f32_f64 v0, 1.1', { target: 'gfx1013', waveSize: 32 });
    expect(result.ok).toBe(true);
    expect(result.diagnostics.map((d) => [d.kind, d.code])).toEqual([['warning', 'ASM103']]);
  });

  it('warns when the text is longer than what was there', () => {
    // 65 is no inline constant: 8 bytes where 4 were.
    const text = 's_nop 0\n  v_add_nc_u32_e32 v1, 65, v1';
    const result = assemble(text, { target: 'gfx1013', waveSize: 32, original: { sizeBytes: 8 } });
    expect(result.diagnostics).toEqual([
      {
        code: 'ASM101',
        kind: 'warning',
        message: 'assembles to 12 bytes where 8 were; from here on the code is longer',
        where: { kind: 'line', line: 2, column: 3, length: 27 },
      },
    ]);
  });

  it('warns when unchanged text assembles to other words', () => {
    // VOP3 encoding of an instruction that is printed with a literal of 1.0, which is an inline constant.
    const words = new Map([['s_mov_b32 s0, 1.0', new Uint32Array([0xbe8003ff, 0x3f800000])]]);
    const result = assemble('s_mov_b32 s0, 1.0', { target: 'gfx1013', waveSize: 32, original: { words } });
    expect(result.diagnostics.map((d) => d.message)).toEqual([
      'unchanged text, other encoding: was be8003ff 3f800000, is be8003f2',
    ]);
    const same = new Map([['s_mov_b32 s0, 1.0', new Uint32Array([0xbe8003f2])]]);
    expect(
      assemble('s_mov_b32 s0, 1.0', { target: 'gfx1013', waveSize: 32, original: { words: same } }).diagnostics,
    ).toEqual([]);
  });
});
