/**
 * End of program, barrier, waits, hints and messages.
 *
 * The reference executes every instruction completely before the next one: all waits, data-cache operations and
 * prefetch hints are no-ops; s_icache_inv makes stores to code seen. s_sleep gives other waves a turn. s_trap, s_sethalt and s_code_end stop the wave with a fault that
 * names the reason: no trap handler runs. Source: Sea Islands, RDNA 1, RDNA 2 ISA manuals, "SOPP instructions".
 */
import type { Handler } from './handler.ts';
import { scalar32 } from './operands.ts';
import { MODE } from './wave.ts';

const nothing: Handler = () => {};

const end: Handler = (wave) => {
  wave.status = 'ended';
};

export const PROGRAM_CONTROL = {
  s_nop: nothing,
  s_endpgm: end,
  s_endpgm_saved: end,
  s_endpgm_ordered_ps_done: end,
  s_code_end: (wave, inst) =>
    wave.machine.fatal(wave, 'illegal instruction', wave.instructionAddress, `${inst.mnemonic} marks the end of code`),
  s_barrier: (wave) => {
    wave.status = 'barrier';
  },
  s_sleep: (wave) => {
    wave.yielded = true;
  },
  s_wakeup: nothing,
  s_setprio: nothing,
  s_setkill: (wave, inst) => {
    if (inst.imm & 1) wave.status = 'ended';
  },
  s_sethalt: (wave, inst) => {
    if (inst.imm & 1) wave.machine.fatal(wave, 'halt', wave.instructionAddress);
  },
  // Messages of a compute wave (interrupt, debug) change nothing in the dispatch.
  s_sendmsg: nothing,
  s_sendmsghalt: (wave) => wave.machine.fatal(wave, 'halt', wave.instructionAddress),
  s_trap: (wave, inst) => wave.machine.fatal(wave, 'trap', wave.instructionAddress, `trap id ${inst.imm & 0xff}`),
  s_icache_inv: (wave) => wave.machine.onInvalidateCode?.(),
  s_incperflevel: nothing,
  s_decperflevel: nothing,
  s_ttracedata: nothing,
  s_ttracedata_imm: nothing,
  s_inst_prefetch: nothing,
  s_clause: nothing,
  s_version: nothing,
  s_round_mode: (wave, inst) => {
    wave.mode = (wave.mode & ~0xf) | (inst.imm & 0xf);
  },
  s_denorm_mode: (wave, inst) => {
    wave.mode = (wave.mode & ~0xf0) | ((inst.imm & 0xf) << 4);
  },
  s_setvskip: (wave, inst) => {
    const bit = (scalar32(wave, inst, inst.src0) >>> (scalar32(wave, inst, inst.src1) & 31)) & 1;
    wave.mode = (wave.mode & ~(1 << MODE.VSKIP)) | (bit << MODE.VSKIP);
  },
  s_waitcnt: nothing,
  s_waitcnt_vscnt: nothing,
  s_waitcnt_vmcnt: nothing,
  s_waitcnt_expcnt: nothing,
  s_waitcnt_lgkmcnt: nothing,
  s_waitcnt_depctr: nothing,
  s_wait_idle: nothing,
  v_nop: nothing,
  v_pipeflush: nothing,
  v_clrexcp: (wave) => {
    wave.trapStatus &= ~0x1ff;
  },
} satisfies Record<string, Handler>;
