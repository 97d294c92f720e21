/**
 * What scalar instructions do, in a sentence each: arithmetic, comparisons, control flow, waiting.
 *
 * D is the destination, S0 and S1 the sources, SCC the scalar condition bit. A key without its type suffix stands for all
 * widths and types of that operation. Source: the ISA manuals of GCN 2 and RDNA 2, in our words.
 */
const SCC_IF_NOT_ZERO = 'SCC = D ≠ 0.';

/** Bitwise operations of two values; `x` is S0. */
const LOGIC: Readonly<Record<string, (x: string, y: string) => string>> = {
  and: (x, y) => `${x} & ${y}`,
  or: (x, y) => `${x} | ${y}`,
  xor: (x, y) => `${x} ^ ${y}`,
  andn1: (x, y) => `~${x} & ${y}`,
  andn2: (x, y) => `${x} & ~${y}`,
  orn1: (x, y) => `~${x} | ${y}`,
  orn2: (x, y) => `${x} | ~${y}`,
  nand: (x, y) => `~(${x} & ${y})`,
  nor: (x, y) => `~(${x} | ${y})`,
  xnor: (x, y) => `~(${x} ^ ${y})`,
};

function logicSummaries(): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, of] of Object.entries(LOGIC)) {
    out[`s_${name}`] = `D = ${of('S0', 'S1')}; ${SCC_IF_NOT_ZERO}`;
    out[`s_${name}_saveexec`] = `D = EXEC, then EXEC = ${of('S0', 'EXEC')}; SCC = EXEC ≠ 0.`;
    out[`s_${name}_wrexec`] = `EXEC = ${of('S0', 'EXEC')}, and D gets the same; SCC = EXEC ≠ 0.`;
  }
  return out;
}

const RELATIONS: Readonly<Record<string, string>> = { eq: '=', lg: '≠', gt: '>', ge: '≥', lt: '<', le: '≤' };

function compareSummaries(): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, sign] of Object.entries(RELATIONS)) {
    for (const [type, how] of [
      ['i32', 'signed'],
      ['u32', 'unsigned'],
    ]) {
      out[`s_cmp_${name}_${type}`] = `SCC = S0 ${sign} S1, ${how}.`;
      const constant = type === 'i32' ? 'sign-extended' : 'zero-extended';
      out[`s_cmpk_${name}_${type}`] = `SCC = S0 ${sign} the 16-bit constant, which is ${constant}.`;
    }
    out[`s_cmp_${name}_u64`] = `SCC = S0 ${sign} S1, 64 bits.`;
  }
  for (const bit of [0, 1]) {
    out[`s_bitcmp${bit}_b32`] = `SCC = bit S1[4:0] of S0 is ${bit}.`;
    out[`s_bitcmp${bit}_b64`] = `SCC = bit S1[5:0] of S0 is ${bit}.`;
  }
  return out;
}

const ARITHMETIC: Readonly<Record<string, string>> = {
  s_mov: 'D = S0.',
  s_cmov: 'If SCC is set, D = S0; else D stays.',
  s_not: `D = ~S0; ${SCC_IF_NOT_ZERO}`,
  s_wqm: `Whole quad mode: each group of 4 bits of D is all ones if any of these bits is set in S0, else 0; ${SCC_IF_NOT_ZERO}`,
  s_brev: 'D = the bits of S0 in reverse order.',
  s_bcnt0_i32: `D = how many bits of S0 are 0; ${SCC_IF_NOT_ZERO}`,
  s_bcnt1_i32: `D = how many bits of S0 are 1; ${SCC_IF_NOT_ZERO}`,
  s_ff0_i32: 'D = position of the lowest 0 bit of S0, −1 if there is none.',
  s_ff1_i32: 'D = position of the lowest 1 bit of S0, −1 if there is none.',
  s_flbit_i32_b32: 'D = how many 0 bits are above the highest 1 bit of S0, −1 if S0 = 0.',
  s_flbit_i32_b64: 'D = how many 0 bits are above the highest 1 bit of the 64-bit S0, −1 if S0 = 0.',
  s_flbit_i32: 'D = how many bits from the top of S0 are equal to its sign, −1 if all are.',
  s_flbit_i32_i64: 'D = how many bits from the top of the 64-bit S0 are equal to its sign, −1 if all are.',
  s_sext_i32_i8: 'D = S0[7:0], sign-extended.',
  s_sext_i32_i16: 'D = S0[15:0], sign-extended.',
  s_bitset0: 'Bit S0 of D is cleared; its other bits stay.',
  s_bitset1: 'Bit S0 of D is set; its other bits stay.',
  s_quadmask: `Bit n of D tells whether any of the bits 4n … 4n + 3 of S0 is set; ${SCC_IF_NOT_ZERO}`,
  s_movrels: 'D = the SGPR that lies M0 places after S0.',
  s_movreld: 'The SGPR that lies M0 places after D = S0.',
  s_movrelsd_2: 'The SGPR M0[25:16] places after D = the SGPR M0[9:0] places after S0.',
  s_abs_i32: `D = |S0|; ${SCC_IF_NOT_ZERO}`,
  s_bitreplicate_b64_b32: 'Bits 2n and 2n + 1 of D are bit n of S0.',
  s_add_u32: 'D = S0 + S1; SCC = carry.',
  s_sub_u32: 'D = S0 − S1; SCC = borrow.',
  s_add_i32: 'D = S0 + S1; SCC = signed overflow.',
  s_sub_i32: 'D = S0 − S1; SCC = signed overflow.',
  s_addc_u32: 'D = S0 + S1 + SCC; SCC = carry.',
  s_subb_u32: 'D = S0 − S1 − SCC; SCC = borrow.',
  s_min_i32: 'D = the smaller of S0 and S1, signed; SCC = S0 < S1.',
  s_min_u32: 'D = the smaller of S0 and S1, unsigned; SCC = S0 < S1.',
  s_max_i32: 'D = the larger of S0 and S1, signed; SCC = S0 > S1.',
  s_max_u32: 'D = the larger of S0 and S1, unsigned; SCC = S0 > S1.',
  s_cselect: 'D = S0 if SCC is set, else S1.',
  s_lshl_b32: `D = S0 << S1[4:0]; ${SCC_IF_NOT_ZERO}`,
  s_lshl_b64: `D = S0 << S1[5:0]; ${SCC_IF_NOT_ZERO}`,
  s_lshr_b32: `D = S0 >> S1[4:0], filled with 0; ${SCC_IF_NOT_ZERO}`,
  s_lshr_b64: `D = S0 >> S1[5:0], filled with 0; ${SCC_IF_NOT_ZERO}`,
  s_ashr_i32: `D = S0 >> S1[4:0], filled with the sign; ${SCC_IF_NOT_ZERO}`,
  s_ashr_i64: `D = S0 >> S1[5:0], filled with the sign; ${SCC_IF_NOT_ZERO}`,
  s_bfm_b32: 'D = a mask of S0[4:0] ones that starts at bit S1[4:0].',
  s_bfm_b64: 'D = a mask of S0[5:0] ones that starts at bit S1[5:0].',
  s_mul_i32: 'D = S0 × S1, low 32 bits.',
  s_mul_hi_u32: 'D = S0 × S1, high 32 bits, unsigned.',
  s_mul_hi_i32: 'D = S0 × S1, high 32 bits, signed.',
  s_bfe_u32: `D = S1[22:16] bits of S0 from bit S1[4:0] on, zero-extended; ${SCC_IF_NOT_ZERO}`,
  s_bfe_i32: `D = S1[22:16] bits of S0 from bit S1[4:0] on, sign-extended; ${SCC_IF_NOT_ZERO}`,
  s_bfe_u64: `D = S1[22:16] bits of S0 from bit S1[5:0] on, zero-extended; ${SCC_IF_NOT_ZERO}`,
  s_bfe_i64: `D = S1[22:16] bits of S0 from bit S1[5:0] on, sign-extended; ${SCC_IF_NOT_ZERO}`,
  s_absdiff_i32: `D = |S0 − S1|; ${SCC_IF_NOT_ZERO}`,
  s_lshl1_add_u32: 'D = (S0 << 1) + S1; SCC = the sum needs more than 32 bits.',
  s_lshl2_add_u32: 'D = (S0 << 2) + S1; SCC = the sum needs more than 32 bits.',
  s_lshl3_add_u32: 'D = (S0 << 3) + S1; SCC = the sum needs more than 32 bits.',
  s_lshl4_add_u32: 'D = (S0 << 4) + S1; SCC = the sum needs more than 32 bits.',
  s_pack_ll_b32_b16: 'Low half of D = low half of S0; high half of D = low half of S1.',
  s_pack_lh_b32_b16: 'Low half of D = low half of S0; high half of D = high half of S1.',
  s_pack_hh_b32_b16: 'Low half of D = high half of S0; high half of D = high half of S1.',
  s_movk_i32: 'D = the 16-bit constant, sign-extended.',
  s_cmovk_i32: 'If SCC is set, D = the 16-bit constant, sign-extended; else D stays.',
  s_addk_i32: 'D = D + the sign-extended 16-bit constant; SCC = signed overflow.',
  s_mulk_i32: 'D = D × the sign-extended 16-bit constant, low 32 bits.',
  s_getreg_b32: 'D = the named bits of a hardware register, shifted down to bit 0.',
  s_setreg_b32: 'The named bits of a hardware register = the low bits of S0; its other bits stay.',
  s_setreg_imm32_b32: 'The named bits of a hardware register = the low bits of the literal S0; its other bits stay.',
};

const CONTROL: Readonly<Record<string, string>> = {
  s_getpc_b64: 'D = address of the next instruction.',
  s_setpc_b64: 'Jumps to the address in S0: a return, or a jump through a pointer.',
  s_swappc_b64: 'Calls the address in S0; D = address of the next instruction. The target is read before D is written.',
  s_call_b64:
    'Calls the instruction that the constant names, in dwords from the next one; D = address of the next one.',
  s_rfe_b64: 'Leaves the trap handler: jumps to the address in S0.',
  s_branch: 'Jumps.',
  s_cbranch_scc0: 'Jumps if SCC = 0.',
  s_cbranch_scc1: 'Jumps if SCC = 1.',
  s_cbranch_vccz: 'Jumps if VCC = 0.',
  s_cbranch_vccnz: 'Jumps if VCC ≠ 0.',
  s_cbranch_execz: 'Jumps if no lane is active (EXEC = 0).',
  s_cbranch_execnz: 'Jumps if any lane is active (EXEC ≠ 0).',
  s_cbranch_cdbgsys: 'Jumps if the system’s conditional debug flag is set.',
  s_cbranch_cdbguser: 'Jumps if the user’s conditional debug flag is set.',
  s_cbranch_cdbgsys_or_user: 'Jumps if the system’s or the user’s conditional debug flag is set.',
  s_cbranch_cdbgsys_and_user: 'Jumps if both conditional debug flags are set.',
  s_cbranch_g_fork:
    'Active lanes in mask S0 jump to the address in S1, the others go on: first the side with fewer lanes, while the other waits on a stack for s_cbranch_join; EXEC is split.',
  s_cbranch_i_fork:
    'Active lanes in mask S0 jump to where the constant says, the others go on: first the side with fewer lanes, while the other waits on a stack for s_cbranch_join; EXEC is split.',
  s_cbranch_join:
    'Where the sides of a fork meet: runs the side that waits, or goes on with all lanes once both were here.',
  s_subvector_loop_begin:
    'Starts a loop that runs a wave64 as two halves of 32 lanes; D keeps the half of EXEC that waits.',
  s_subvector_loop_end: 'Ends a subvector loop: jumps back for the second half of the lanes, or restores EXEC from D.',
  s_setvskip: 'VSKIP = bit S1[4:0] of S0; while it is set, vector instructions are skipped.',
  s_version: 'Names the version of the instruction set that the code is written for; does nothing.',
  s_nop: 'Does nothing for as many cycles as the constant says, plus one.',
  s_endpgm: 'Ends the wave.',
  s_endpgm_saved: 'Ends the wave after its state was saved by a trap handler.',
  s_endpgm_ordered_ps_done: 'Ends the wave and leaves the ordered section of a pixel shader.',
  s_code_end: 'Marks the end of the code; it must not be executed.',
  s_wakeup: 'Ends the sleep of the other waves of the group.',
  s_setkill: 'Sets or clears the wave’s kill bit: set, the wave ends at its next instruction.',
  s_sethalt: 'Sets or clears the wave’s halt bit: set, the wave stops until a debugger clears it.',
  s_sleep: 'Sleeps for about 64 clocks times the constant.',
  s_setprio: 'Priority of the wave = the constant, 0 to 3.',
  s_sendmsg: 'Sends the named message, to the graphics pipeline or to the host.',
  s_sendmsghalt: 'Sends the named message, then halts the wave.',
  s_trap: 'Enters the trap handler with the constant as its number.',
  s_icache_inv: 'Discards the instruction cache.',
  s_incperflevel: 'Adds one to the performance counter that the constant names.',
  s_decperflevel: 'Takes one from the performance counter that the constant names.',
  s_ttracedata: 'Writes M0 to the thread trace.',
  s_ttracedata_imm: 'Writes the constant to the thread trace.',
  s_inst_prefetch: 'How many cache lines of instructions are fetched ahead.',
  s_clause:
    'The next instructions, as many as the constant says and one, are issued without another wave between them.',
  s_round_mode: 'MODE.round = the constant: two bits for f32, two for f16 and f64.',
  s_denorm_mode: 'MODE.denorm = the constant: two bits for f32, two for f16 and f64.',
  v_nop: 'Does nothing.',
  v_pipeflush: 'Waits until the vector pipeline is empty.',
  v_clrexcp: 'Clears the exceptions that the wave has recorded.',
};

const WAITING: Readonly<Record<string, string>> = {
  s_barrier: 'Waits until every wave of the group that has not ended is at a barrier.',
  s_waitcnt:
    'Waits until no more vector loads (vmcnt; on gfx7 stores too), exports (expcnt) and LDS, scalar or message operations (lgkmcnt) than named are under way.',
  s_waitcnt_vscnt: 'Waits until no more vector stores than named are under way.',
  s_waitcnt_vmcnt: 'Waits until no more vector loads than named are under way.',
  s_waitcnt_expcnt: 'Waits until no more exports than named are under way.',
  s_waitcnt_lgkmcnt: 'Waits until no more LDS, scalar memory or message operations than named are under way.',
  s_waitcnt_depctr: 'Waits for the dependency counters that are named.',
  s_wait_idle: 'Waits until nothing of the wave is under way.',
};

export const SCALAR_SUMMARIES: Readonly<Record<string, string>> = {
  ...logicSummaries(),
  ...compareSummaries(),
  ...ARITHMETIC,
  ...CONTROL,
  ...WAITING,
};
