/** Launch state, scheduling, barriers, limits, faults and the stepping object. */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { DispatchRun } from '../../../src/main/reference/index.ts';
import { assemble, CODE, DATA, haveLlvm, rawBuffer, run, scalars } from './run-snippet.ts';

const buffer = rawBuffer(DATA, 0x10000);

describe.skipIf(!haveLlvm)('launch', () => {
  it('SGPRs: user data, enabled ids, tg_size, scratch offset; VGPRs: local ids', () => {
    const o = run({
      text: 's_nop 0',
      threads: [8, 4, 2],
      groups: [2, 2, 1],
      dispatch: {
        groupStart: [10, 20, 30],
        userSgprs: new Uint32Array([7, 8]),
        tgidEnable: [true, false, true],
        tgSizeEnable: true,
        scratchEnable: true,
        scratchBytesPerWave: 2048,
        localIdCount: 3,
      },
    });
    expect(o.waves.length).toBe(8);
    expect(o.result).toMatchObject({
      status: 'completed',
      wavesExecuted: 8,
      groupsExecuted: 4,
      instructionsExecuted: 16,
    });
    // Second wave of the last group: group (11, 21, 30).
    const wave = o.waves.find((w) => w.groupId[0] === 11 && w.groupId[1] === 21 && w.index === 1)!;
    expect([...wave.sgprs.subarray(0, 6)]).toEqual([7, 8, 11, 30, (1 << 6) | 2, wave.scratchSlot * 2048]);
    expect(o.waves.map((w) => w.scratchSlot).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(o.wave.sgprs[4]! >>> 0).toBe(0x80000002);
    // Thread 32 + 13 = 45 = x 5, y 1, z 1.
    expect([0, 1, 2].map((r) => wave.vgpr(r)[13])).toEqual([5, 1, 1]);
  });
  it('tail lanes start switched off; partial groups are packed', () => {
    const o = run({ waveSize: 64, text: 's_nop 0', threads: [10, 5, 1], dispatch: { localIdCount: 2 } });
    expect(o.exec).toEqual([0xffffffff, 0x3ffff]);
    const p = run({
      text: 's_nop 0',
      threads: [8, 8, 1],
      groups: [2, 1, 1],
      partialThreads: [3, 8, 1],
      dispatch: { localIdCount: 2 },
    });
    expect(p.waves.length).toBe(3);
    const last = p.waves.find((w) => w.groupId[0] === 1)!;
    expect(last.sgprs[126]).toBe(0xffffff);
    expect([last.vgpr(0)[4], last.vgpr(1)[4], last.vgpr(1)[24]]).toEqual([1, 1, 0]);
  });
  it('MODE comes from the float state', () => {
    const float = { floatMode: 0xc5, dx10Clamp: true, ieee: true, fp16Overflow: true };
    expect(run({ text: 's_nop 0', dispatch: { float } }).wave.mode).toBe(0x8003c5);
    expect(run({ target: 'gfx700', text: 's_nop 0', dispatch: { float } }).wave.mode).toBe(0x3c5);
  });
});

describe.skipIf(!haveLlvm)('scheduling', () => {
  const ids = { tgidEnable: [true, false, false] as const, userSgprs: new Uint32Array(buffer), tgSizeEnable: true };

  it('s_barrier makes stores to LDS visible to the other waves', () => {
    const o = run({
      text: `s_bfe_u32 s6, s5, 0x60006
        s_lshl_b32 s7, s6, 2
        v_mov_b32_e32 v1, s7
        v_mov_b32_e32 v2, s6
        ds_write_b32 v1, v2
        s_barrier
        s_xor_b32 s7, s7, 4
        v_mov_b32_e32 v1, s7
        ds_read_b32 v3, v1`,
      threads: [64, 1, 1],
      ldsBytes: 512,
      dispatch: ids,
      options: { quantum: 1000 },
    });
    expect(o.waves.map((w) => [w.index, w.vgpr(3)[0]])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });
  it('a barrier drops waves that ended, and counts any barrier of the program', () => {
    const o = run({
      text: `s_bfe_u32 s6, s5, 0x60006
        s_cmp_eq_u32 s6, 0
        s_cbranch_scc1 out
        s_cmp_eq_u32 s6, 1
        s_cbranch_scc1 other
        s_barrier
        s_branch out
        other: s_barrier
        out: s_nop 0`,
      threads: [96, 1, 1],
      dispatch: ids,
    });
    expect(o.result.status).toBe('completed');
    expect(o.waves.length).toBe(3);
  });
  it('a wave that spins on a later wave, or on a later group, ends', () => {
    const spin = (condition: string): string => `
        s_mov_b64 s[8:9], s[0:1]
        v_mov_b32_e32 v1, 1
        ${condition}
        s_cbranch_scc1 producer
        loop: s_load_dword s7, s[8:9], 0x0
        s_sleep 1
        s_cmp_eq_u32 s7, 0
        s_cbranch_scc1 loop
        s_branch end
        producer: buffer_store_dword v1, off, s[0:3], 0
        end: s_nop 0`;
    const waves = run({
      text: spin('s_bfe_u32 s6, s5, 0x60006\ns_cmp_eq_u32 s6, 1'),
      threads: [64, 1, 1],
      dispatch: ids,
    });
    expect(waves.result.status).toBe('completed');
    const groups = run({
      text: spin('s_cmp_eq_u32 s4, 5'),
      groups: [6, 1, 1],
      dispatch: ids,
      options: { residentWaves: 2 },
    });
    expect(groups.result).toMatchObject({ status: 'completed', groupsExecuted: 6 });
  });
  it('every group runs once, whatever the quantum and the residency', () => {
    for (const [quantum, residentWaves] of [
      [1, 1],
      [3, 4],
      [1000, 100],
    ] as const) {
      const o = run({
        text: 's_lshl_b32 s6, s4, 2\nv_mov_b32_e32 v1, s6\nv_mov_b32_e32 v2, 1\nbuffer_atomic_add v2, v1, s[0:3], 0 offen',
        groups: [20, 1, 1],
        threads: [40, 1, 1],
        dispatch: ids,
        options: { quantum, residentWaves },
      });
      expect(o.data(0, 21)).toEqual([...Array(20).fill(40), 0]);
    }
  });
  it('ends at the instruction limit and names the address', () => {
    const o = run({ text: 'loop: s_branch loop', options: { instructionLimit: 1000 } });
    expect(o.result).toMatchObject({ status: 'limit', instructionsExecuted: 1000 });
    expect(o.result.diagnostics[0]).toMatchObject({
      code: 'REF002',
      kind: 'fault',
      where: { kind: 'address', address: CODE },
    });
  });
});

describe.skipIf(!haveLlvm)('faults and outcomes', () => {
  it('names lane, wave, group, instruction and address; loads give 0 and the run goes on', () => {
    const o = run({
      text: 'v_mov_b32_e32 v2, 7\nglobal_load_dword v2, v[0:1], off\nglobal_store_dword v[4:5], v2, off\ns_mov_b32 s9, 1',
      v: { 0: 0, 1: (l) => (l === 3 ? 0x77 : DATA / 2 ** 32), 4: 0, 5: 1 },
      exec: [0xf, 0],
    });
    expect(o.s(9)).toBe(1);
    expect(o.v(2).slice(0, 4)).toEqual([0, 0, 0, 0]);
    expect(o.result).toMatchObject({ status: 'faulted', faultCount: 5 });
    expect(o.result.faults[0]).toEqual({
      reason: 'read of unmapped memory',
      instructionAddress: CODE + 4,
      lane: 3,
      workgroup: [0, 0, 0],
      wave: 0,
      address: 0x77_0000_0000,
      sizeBytes: 4,
    });
    expect(o.result.faults[1]).toMatchObject({
      reason: 'write to memory without write permission',
      lane: 0,
      address: CODE,
    });
  });
  it('stops at the first fault when asked, keeps at most maxFaults', () => {
    const text = 'global_load_dword v2, v[0:1], off\ns_mov_b32 s9, 1';
    const o = run({ text, v: { 1: 9 }, options: { stopOnFault: true, maxFaults: 2 } });
    expect(o.s(9)).toBe(0);
    expect(o.result).toMatchObject({ status: 'faulted', faultCount: 32 });
    expect(o.result.faults.length).toBe(2);
  });
  it('traps, halts and the end-of-code marker are faults of the wave', () => {
    expect(run({ text: 's_trap 2' }).result.faults[0]).toMatchObject({ reason: 'trap', detail: 'trap id 2' });
    expect(run({ text: 's_sethalt 1' }).result.faults[0]).toMatchObject({ reason: 'halt' });
    expect(run({ text: 's_code_end' }).result.faults[0]).toMatchObject({ reason: 'illegal instruction' });
  });
  it('an illegal word stops the wave with its address', () => {
    const o = run({ text: 's_nop 0\n.long 0xffffffff' });
    expect(o.result.faults[0]).toMatchObject({ reason: 'illegal instruction', address: CODE + 4 });
  });
  it('an unsupported instruction is a diagnostic with address and mnemonic; other waves go on', () => {
    const o = run({ text: 'image_load v[0:3], v0, s[0:7] dmask:0xf dim:SQ_RSRC_IMG_1D', threads: [64, 1, 1] });
    expect(o.result.status).toBe('unsupported');
    expect(o.result.diagnostics).toEqual([
      expect.objectContaining({ code: 'REF001', where: { kind: 'address', address: CODE } }),
    ]);
    expect(o.result.diagnostics[0]!.message).toContain('image_load');
    expect(o.waves.length).toBe(2);
  });
  it('gfx7 VSKIP skips vector instructions', () => {
    const o = run({
      target: 'gfx700',
      text: 's_setvskip s4, 0\nv_mov_b32_e32 v1, 5\ns_mov_b32 s5, 6\ns_setvskip s4, 1\nv_mov_b32_e32 v2, 5',
      s: { 4: 1 },
    });
    expect([o.v(1)[0], o.s(5), o.v(2)[0]]).toEqual([0, 6, 5]);
  });
  it('sees code that was written once s_icache_inv ran', () => {
    const text = (invalidate: string): string => `
      s_mov_b32 s20, 0
      s_getpc_b64 s[8:9]
      here: s_branch start
      target: s_movk_i32 s20, 1
      s_setpc_b64 s[30:31]
      start: s_add_u32 s8, s8, target-here
      s_addc_u32 s9, s9, 0
      s_swappc_b64 s[30:31], s[8:9]
      v_mov_b32_e32 v0, s8
      v_mov_b32_e32 v1, s9
      v_mov_b32_e32 v2, 0xb0140002
      global_store_dword v[0:1], v2, off
      ${invalidate}
      s_swappc_b64 s[30:31], s[8:9]`;
    // 0xb0140002 is s_movk_i32 s20, 2.
    const writable = (t: string) => run({ text: t, exec: [1, 0], codePermissions: READ | WRITE });
    expect(writable(text('s_nop 0')).s(20)).toBe(1);
    expect(writable(text('s_icache_inv')).s(20)).toBe(2);
  });
  it('records accesses with lane and value', () => {
    const o = run({
      text: 'global_load_dword v2, v[0:1], off\nglobal_store_byte v[0:1], v2, off offset:8',
      v: { 0: (l) => 16 * l, 1: DATA / 2 ** 32 },
      data: [0x11, 0, 0, 0, 0x22],
      exec: [3, 0],
      options: { recordAccesses: true },
    });
    expect(o.result.accesses.map((a) => [a.kind, a.address - DATA, a.sizeBytes, a.value, a.lane])).toEqual([
      ['read', 0, 4, 0x11, 0],
      ['read', 16, 4, 0x22, 1],
      ['write', 8, 1, 0x11, 0],
      ['write', 24, 1, 0x22, 1],
    ]);
  });
});

describe.skipIf(!haveLlvm)('stepping', () => {
  it('runs instruction by instruction, one wave out of turn', () => {
    const memory = new GuestMemory();
    memory.map(CODE, 0x1000, READ);
    memory.map(DATA as GuestAddress, 0x1000, READ | WRITE);
    memory.pokeBytes(CODE, assemble('gfx1013', 32, 's_mov_b32 s20, 1\ns_mov_b32 s21, 2\ns_barrier\ns_endpgm'));
    const dispatchRun = new DispatchRun(
      {
        target: 'gfx1013',
        waveSize: 32,
        programAddress: CODE,
        threads: [64, 1, 1],
        groupStart: [0, 0, 0],
        groups: [1, 1, 1],
        partialThreads: [64, 1, 1],
        userSgprs: new Uint32Array(scalars(0, buffer)[0] ? buffer : []),
        tgidEnable: [false, false, false],
        tgSizeEnable: false,
        localIdCount: 1,
        ldsBytes: 0,
        scratchEnable: false,
        scratchBytesPerWave: 0,
        float: { floatMode: 0xc0, dx10Clamp: true, ieee: false, fp16Overflow: false },
        rsrc1: 0,
        rsrc2: 0,
        rsrc3: 0,
      },
      memory,
    );
    const first = dispatchRun.step()!;
    expect([first.index, first.sgprs[20], first.sgprs[21], first.pc]).toEqual([0, 1, 0, CODE + 4]);
    const second = dispatchRun.resident[0]!.waves[1]!;
    expect(dispatchRun.stepWave(second)).toBe(true);
    expect(second.sgprs[20]).toBe(1);
    for (let i = 0; i < 2; i++) dispatchRun.step();
    expect(first.status).toBe('barrier');
    expect(dispatchRun.stepWave(first)).toBe(false);
    expect(dispatchRun.run()).toBe(false);
    expect(dispatchRun.result()).toMatchObject({ status: 'completed', instructionsExecuted: 8 });
    expect(dispatchRun.step()).toBeUndefined();
  });
});
