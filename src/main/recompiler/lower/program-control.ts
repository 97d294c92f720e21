/**
 * Rows without a result in registers: waits, hints, barriers, traps. Branches, calls and ends are terminators, which
 * program.ts makes from the program's blocks; their rows here say so.
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import { FAULT } from '../ir/ops.ts';
import { type Entry, type Lower, unsupported } from './lowering.ts';

const nothing: Lower = () => {};
/** After it this wave's stores are in memory: other lanes of the wave may read them. gfx10 counts stores apart. */
const waitForStores: Lower = (l) => {
  if (l.gfx10 && l.i.imm === 0) l.b.emit0('wave.fence', 1);
};
/** gfx7: vmcnt (bits 3:0) counts stores too. */
const waitForMemory: Lower = (l) => {
  if (!l.gfx10 && (l.i.imm & 15) === 0) l.b.emit0('wave.fence', 1);
};
/** Handled by the block's terminator. */
const terminator: Lower = () => {};

export const PROGRAM_CONTROL = {
  s_nop: nothing,
  s_endpgm: terminator,
  s_endpgm_saved: terminator,
  s_endpgm_ordered_ps_done: unsupported('pixel shaders only'),
  s_branch: terminator,
  s_cbranch_scc0: terminator,
  s_cbranch_scc1: terminator,
  s_cbranch_vccz: terminator,
  s_cbranch_vccnz: terminator,
  s_cbranch_execz: terminator,
  s_cbranch_execnz: terminator,
  s_cbranch_cdbgsys: terminator,
  s_cbranch_cdbguser: terminator,
  s_cbranch_cdbgsys_or_user: terminator,
  s_cbranch_cdbgsys_and_user: terminator,
  s_cbranch_g_fork: unsupported('fork and join branches are not compiled'),
  s_cbranch_i_fork: unsupported('fork and join branches are not compiled'),
  s_cbranch_join: unsupported('fork and join branches are not compiled'),
  s_subvector_loop_begin: unsupported('subvector loops are not compiled'),
  s_subvector_loop_end: unsupported('subvector loops are not compiled'),
  s_setpc_b64: terminator,
  s_swappc_b64: terminator,
  s_call_b64: terminator,
  s_rfe_b64: unsupported('trap handlers are not compiled'),
  /** The address of the next instruction; bits 63:48 repeat bit 47. */
  s_getpc_b64: (l) => {
    const next = l.address + 4 * l.i.sizeDwords;
    const high = Math.floor(next / 2 ** 32) & 0xffff;
    l.writeScalar64(l.i.dst, l.b.u64((next % 2 ** 32) | 0, (high << 16) >> 16));
  },
  s_wakeup: nothing,
  s_barrier: (l) => {
    l.b.emit0('barrier');
  },
  s_setkill: unsupported('not compiled'),
  s_sethalt: unsupported('not compiled'),
  s_waitcnt: waitForMemory,
  s_waitcnt_vscnt: waitForStores,
  s_waitcnt_vmcnt: nothing,
  s_waitcnt_expcnt: nothing,
  s_waitcnt_lgkmcnt: nothing,
  s_waitcnt_depctr: nothing,
  s_wait_idle: nothing,
  s_sleep: nothing,
  s_setprio: nothing,
  s_sendmsg: unsupported('messages are not compiled'),
  s_sendmsghalt: unsupported('messages are not compiled'),
  /** A check that fails: it records the fault and ends the wave. */
  s_trap: (l) => {
    l.b.emit2('check.equal.32', l.b.u32(l.i.imm), l.b.u32(l.i.imm + 1), FAULT.trap);
  },
  s_icache_inv: nothing,
  s_incperflevel: nothing,
  s_decperflevel: nothing,
  s_ttracedata: nothing,
  s_ttracedata_imm: nothing,
  s_code_end: nothing,
  s_inst_prefetch: nothing,
  s_clause: nothing,
  s_version: nothing,
  s_setvskip: unsupported('VSKIP is not compiled'),
  v_nop: nothing,
  v_pipeflush: nothing,
  v_clrexcp: nothing,
} satisfies Partial<Record<Mnemonic, Entry>>;
