/** Branches and calls: requirement A1, the probe of A9a, subvector loops, gfx7 forks. */
import { describe, expect, it } from 'vitest';
import type { WaveSize } from '../../../src/main/base/dispatch.ts';
import { DATA, haveLlvm, rawBuffer, run, scalars } from './run-snippet.ts';

const A = 0x2_4000_0000;
const B = 0x2_4001_0000;

function probe(waveSize: WaveSize, first: number, second: number, firstText = 'v_add_nc_u32_e32 v1, 5, v1') {
  const text = `
    s_mov_b32 s8, 3
    v_mov_b32_e32 v1, 0
  L: s_mov_b64 s[10:11], s[0:1]
    s_swappc_b64 s[14:15], s[10:11]
    s_mov_b64 s[10:11], s[2:3]
    s_swappc_b64 s[14:15], s[10:11]
    s_sub_u32 s8, s8, 1
    s_cmp_lg_u32 s8, 0
    s_cbranch_scc1 L
    buffer_store_dword v1, v0, s[4:7], 0 offen`;
  return run({
    waveSize,
    text,
    s: { ...scalars(0, [first % 2 ** 32, 2, second % 2 ** 32, 2]), ...scalars(4, rawBuffer(DATA, 256)) },
    v: { 0: (lane) => 4 * lane },
    code: [
      [A, `${firstText}\ns_setpc_b64 s[14:15]`],
      [B, 'v_add_nc_u32_e32 v1, 64, v1\ns_setpc_b64 s[14:15]'],
    ],
  });
}

describe.skipIf(!haveLlvm)('calls', () => {
  for (const waveSize of [32, 64] as const) {
    it(`runs the call probe in wave${waveSize}: 3·(5+64), both first, both second, first replaced`, () => {
      expect(probe(waveSize, A, B).data(0, waveSize)).toEqual(Array(waveSize).fill(207));
      expect(probe(waveSize, A, A).data(0, waveSize)).toEqual(Array(waveSize).fill(30));
      expect(probe(waveSize, B, B).data(0, waveSize)).toEqual(Array(waveSize).fill(384));
      expect(probe(waveSize, A, B, 'v_add_nc_u32_e32 v1, 1, v1').data(0, waveSize)).toEqual(Array(waveSize).fill(195));
    });
  }
  it('reports a call to unmapped memory with its address', () => {
    const o = probe(64, 0x2_6000_0000, B);
    expect(o.result.status).toBe('faulted');
    expect(o.result.faults[0]).toMatchObject({
      reason: 'instruction fetch from unmapped memory',
      address: 0x2_6000_0000,
      lane: -1,
    });
  });

  it('links are the next address, sign-extended from bit 47; SCC and EXEC stay', () => {
    const high = 0x8000_0000_1000;
    const o = run({
      text: 's_mov_b64 s[20:21], s[0:1]\ns_swappc_b64 s[30:31], s[20:21]',
      s: scalars(0, [0x00001000, 0xffff8000]),
      scc: 1,
      exec: [5, 0],
      code: [[high, 's_getpc_b64 s[40:41]\ns_setpc_b64 s[30:31]']],
    });
    expect([o.s(30), o.s(31)]).toEqual([8, 1]);
    expect([o.s(40), o.s(41)]).toEqual([0x1004, 0xffff8000]);
    expect([o.wave.scc, o.exec[0]]).toEqual([1, 5]);
  });
  it('reads the target before it writes the link into the same pair', () => {
    const o = run({
      text: 's_swappc_b64 s[0:1], s[0:1]',
      s: scalars(0, [A % 2 ** 32, 2]),
      code: [[A, 's_mov_b32 s5, 9\ns_setpc_b64 s[0:1]']],
    });
    expect([o.s(5), o.s(0), o.s(1)]).toEqual([9, 4, 1]);
  });
  it('a swappc to null is a jump', () => {
    const o = run({
      text: 's_swappc_b64 null, s[0:1]',
      s: scalars(0, [A % 2 ** 32, 2]),
      code: [[A, 's_mov_b32 s5, 9\ns_endpgm']],
    });
    expect(o.s(5)).toBe(9);
    expect(o.s(125)).toBe(0);
  });
  it('s_call_b64 goes forward and backward', () => {
    const o = run({
      text: `s_branch main
        f: s_add_u32 s0, s0, 1
        s_setpc_b64 s[10:11]
        main: s_call_b64 s[10:11], f
        s_call_b64 s[10:11], g
        s_endpgm
        g: s_add_u32 s0, s0, 10
        s_setpc_b64 s[10:11]`,
    });
    expect(o.s(0)).toBe(11);
  });
  it('reports a misaligned target', () => {
    const o = run({ text: 's_setpc_b64 s[0:1]', s: scalars(0, [2, 1]) });
    expect(o.result.faults[0]).toMatchObject({ reason: 'misaligned program counter', address: 0x1_0000_0002 });
  });

  it('branches on VCC and EXEC by wave size: wave32 ignores the high halves', () => {
    const text = `s_cbranch_vccz z
      s_mov_b32 s0, 1
      z: s_cbranch_execz e
      s_mov_b32 s1, 1
      e: s_nop 0`;
    const w32 = run({ text, vcc: [0, 1], exec: [0, 1] });
    expect([w32.s(0), w32.s(1)]).toEqual([0, 0]);
    const w64 = run({ waveSize: 64, text, vcc: [0, 1], exec: [0, 1] });
    expect([w64.s(0), w64.s(1)]).toEqual([1, 1]);
  });

  it('subvector loop runs each half of EXEC once and restores it', () => {
    const o = run({
      waveSize: 64,
      text: `s_subvector_loop_begin s0, end
        s_add_u32 s5, s5, 1
        v_mov_b32_e32 v1, s5
        begin_end: s_subvector_loop_end s0, begin2
        s_branch end
        begin2: s_add_u32 s5, s5, 1
        v_mov_b32_e32 v1, s5
        s_subvector_loop_end s0, begin2
        end: s_nop 0`,
      exec: [0xf, 0xff],
    });
    expect(o.exec).toEqual([0xf, 0xff]);
    expect(o.v(1).slice(0, 5)).toEqual([1, 1, 1, 1, 0]);
    expect(o.v(1).slice(32, 41)).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 0]);
  });

  it('gfx7 fork runs the smaller side first and joins', () => {
    const o = run({
      target: 'gfx700',
      text: `v_mov_b32_e32 v1, 0
        s_mov_b32 s20, 0
        s_cbranch_i_fork s[8:9], taken
        v_add_i32_e32 v1, vcc, 1, v1
        s_branch join
        taken: v_add_i32_e32 v1, vcc, 2, v1
        join: s_cbranch_join s20
        v_add_i32_e32 v1, vcc, 16, v1`,
      s: { 8: 0x7, 9: 0 },
      exec: [0xff, 0],
    });
    expect(o.result.status).toBe('completed');
    // The side with three lanes runs first; the second join falls through with the other side's EXEC.
    expect(o.v(1).slice(0, 9)).toEqual([2, 2, 2, 17, 17, 17, 17, 17, 0]);
    expect(o.exec).toEqual([0xf8, 0]);
    expect(o.wave.mode >>> 29).toBe(0);
  });
});
