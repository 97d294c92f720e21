/** Integer vector ALU: expected lane values from the manuals' formulas, by hand. */
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import { everyLane, haveLlvm, run } from './run-snippet.ts';

type Case = readonly [string, readonly number[], number, Target?];

/** text with destination v0 and sources v1 v2 v3, values of v1 v2 v3, expected v0. */
const CASES: readonly Case[] = [
  ['v_mov_b32_e32 v0, v1', [0xdeadbeef], 0xdeadbeef],
  ['v_mov_b32_e32 v0, -16', [], 0xfffffff0],
  ['v_mov_b32_e32 v0, 0.5', [], 0x3f000000],
  ['v_mov_b32_e32 v0, 0x12345678', [], 0x12345678],
  ['v_not_b32_e32 v0, v1', [0xf0f0f0f0], 0x0f0f0f0f],
  ['v_bfrev_b32_e32 v0, v1', [0x00000003], 0xc0000000],
  ['v_ffbh_u32_e32 v0, v1', [0x00010000], 15],
  ['v_ffbh_u32_e32 v0, v1', [0], 0xffffffff],
  ['v_ffbl_b32_e32 v0, v1', [0x00010000], 16],
  ['v_ffbl_b32_e32 v0, v1', [0], 0xffffffff],
  ['v_ffbh_i32_e32 v0, v1', [0xffff0000], 16],
  ['v_ffbh_i32_e32 v0, v1', [0], 0xffffffff],
  ['v_add_nc_u32_e32 v0, v1, v2', [0xffffffff, 2], 1],
  ['v_add_nc_u32_e64 v0, v1, v2 clamp', [0xffffffff, 2], 0xffffffff],
  ['v_sub_nc_u32_e32 v0, v1, v2', [1, 2], 0xffffffff],
  ['v_sub_nc_u32_e64 v0, v1, v2 clamp', [1, 2], 0],
  ['v_subrev_nc_u32_e32 v0, v1, v2', [1, 2], 1],
  ['v_add_nc_i32 v0, v1, v2 clamp', [0x7fffffff, 2], 0x7fffffff],
  ['v_add_nc_i32 v0, v1, v2', [0x7fffffff, 2], 0x80000001],
  ['v_sub_nc_i32 v0, v1, v2 clamp', [0x80000000, 2], 0x80000000],
  ['v_mul_i32_i24_e32 v0, v1, v2', [0xff_ffffff, 5], 0xfffffffb],
  ['v_mul_hi_i32_i24_e32 v0, v1, v2', [0x00ffffff, 5], 0xffffffff],
  ['v_mul_hi_i32_i24_e32 v0, v1, v2', [0x007fffff, 0x007fffff], 0x3fff],
  ['v_mul_u32_u24_e32 v0, v1, v2', [0xff00_0003, 5], 15],
  ['v_mul_hi_u32_u24_e32 v0, v1, v2', [0x00ffffff, 0x00ffffff], 0xffff],
  ['v_mul_lo_u32 v0, v1, v2', [0x10001, 0x10001], 0x00020001],
  ['v_mul_hi_u32 v0, v1, v2', [0x80000000, 6], 3],
  ['v_mul_hi_i32 v0, v1, v2', [0x80000000, 6], 0xfffffffd],
  ['v_mul_lo_i32 v0, v1, v2', [0xffffffff, 3], 0xfffffffd],
  ['v_mad_i32_i24 v0, v1, v2, v3', [0xffffff, 7, 3], 0xfffffffc],
  ['v_mad_u32_u24 v0, v1, v2, v3', [0xffffff, 2, 3], 0x2000001],
  ['v_min_i32_e32 v0, v1, v2', [0xffffffff, 1], 0xffffffff],
  ['v_max_i32_e32 v0, v1, v2', [0xffffffff, 1], 1],
  ['v_min_u32_e32 v0, v1, v2', [0xffffffff, 1], 1],
  ['v_max_u32_e32 v0, v1, v2', [0xffffffff, 1], 0xffffffff],
  ['v_min3_i32 v0, v1, v2, v3', [1, 0xfffffffe, 5], 0xfffffffe],
  ['v_max3_u32 v0, v1, v2, v3', [1, 0xfffffffe, 5], 0xfffffffe],
  ['v_min3_u32 v0, v1, v2, v3', [1, 0xfffffffe, 5], 1],
  ['v_max3_i32 v0, v1, v2, v3', [1, 0xfffffffe, 5], 5],
  ['v_med3_i32 v0, v1, v2, v3', [1, 0xfffffffe, 5], 1],
  ['v_med3_u32 v0, v1, v2, v3', [1, 0xfffffffe, 5], 5],
  ['v_lshrrev_b32_e32 v0, v1, v2', [36, 0x100], 0x10],
  ['v_ashrrev_i32_e32 v0, v1, v2', [4, 0x80000000], 0xf8000000],
  ['v_lshlrev_b32_e32 v0, v1, v2', [36, 0x100], 0x1000],
  ['v_and_b32_e32 v0, v1, v2', [0xff00, 0x0ff0], 0x0f00],
  ['v_or_b32_e32 v0, v1, v2', [0xff00, 0x0ff0], 0xfff0],
  ['v_xor_b32_e32 v0, v1, v2', [0xff00, 0x0ff0], 0xf0f0],
  ['v_xnor_b32_e32 v0, v1, v2', [0xff00, 0x0ff0], 0xffff0f0f],
  ['v_and_or_b32 v0, v1, v2, v3', [0xff, 0x0f, 0x100], 0x10f],
  ['v_or3_b32 v0, v1, v2, v3', [1, 2, 4], 7],
  ['v_xor3_b32 v0, v1, v2, v3', [7, 2, 4], 1],
  ['v_lshl_or_b32 v0, v1, v2, v3', [3, 4, 1], 0x31],
  ['v_lshl_add_u32 v0, v1, v2, v3', [3, 4, 0xffffffff], 0x2f],
  ['v_add_lshl_u32 v0, v1, v2, v3', [3, 4, 4], 0x70],
  ['v_add3_u32 v0, v1, v2, v3', [0xffffffff, 1, 5], 5],
  ['v_xad_u32 v0, v1, v2, v3', [0xf, 5, 1], 0xb],
  ['v_bfe_u32 v0, v1, v2, v3', [0xabcd1234, 8, 12], 0xd12],
  ['v_bfe_u32 v0, v1, v2, v3', [0xabcd1234, 8, 0], 0],
  ['v_bfe_i32 v0, v1, v2, v3', [0xabcd1234, 8, 12], 0xfffffd12],
  ['v_bfe_i32 v0, v1, v2, v3', [0x80000000, 24, 16], 0xffffff80],
  ['v_bfi_b32 v0, v1, v2, v3', [0xff00, 0x1234, 0xabcd], 0x12cd],
  ['v_bfm_b32 v0, v1, v2', [8, 4], 0xff0],
  ['v_bcnt_u32_b32 v0, v1, v2', [0xff, 100], 108],
  ['v_alignbit_b32 v0, v1, v2, v3', [0x12345678, 0x9abcdef0, 8], 0x789abcde],
  ['v_alignbit_b32 v0, v1, v2, v3', [0x12345678, 0x9abcdef0, 32], 0x9abcdef0],
  ['v_alignbyte_b32 v0, v1, v2, v3', [0x12345678, 0x9abcdef0, 3], 0x3456789a],
  ['v_perm_b32 v0, v1, v2, v3', [0x07060504, 0x03020100, 0x07_02_05_00], 0x07020500],
  ['v_perm_b32 v0, v1, v2, v3', [0x80000000, 0x0000ff00, 0x0b_08_0c_0d], 0xffff00ff],
  ['v_lerp_u8 v0, v1, v2, v3', [0x01ff0003, 0x0101ff04, 0x01000001], 0x01807f04],
  ['v_sad_u8 v0, v1, v2, v3', [0x01020304, 0x04030201, 10], 18],
  ['v_sad_hi_u8 v0, v1, v2, v3', [0x01020304, 0x04030201, 10], 0x8000a],
  ['v_sad_u16 v0, v1, v2, v3', [0x00010005, 0x00040001, 1], 8],
  ['v_sad_u32 v0, v1, v2, v3', [3, 10, 1], 8],
  ['v_msad_u8 v0, v1, v2, v3', [0x01020304, 0x04000201, 10], 17],
  ['v_cndmask_b32_e32 v0, v1, v2, vcc_lo', [1, 2], 1],
  ['v_lshr_b32_e32 v0, v1, v2', [0x100, 4], 0x10, 'gfx700'],
  ['v_lshl_b32_e32 v0, v1, v2', [0x100, 4], 0x1000, 'gfx700'],
  ['v_ashr_i32_e32 v0, v1, v2', [0x80000000, 4], 0xf8000000, 'gfx700'],
  ['v_bfm_b32_e32 v0, v1, v2', [8, 4], 0xff0, 'gfx700'],
  ['v_add_i32_e32 v0, vcc, v1, v2', [0xffffffff, 2], 1, 'gfx700'],
];

describe.skipIf(!haveLlvm)('vector integers', () => {
  for (const [text, values, expected, target] of CASES) {
    it(`${text} ${values.map((v) => v.toString(16))}`, () => {
      const waveSize = target === 'gfx700' ? 64 : 32;
      const v = Object.fromEntries([[0, 0x5555], ...values.map((value, i) => [i + 1, value])]);
      // Odd lanes are off and must keep the old value.
      const o = run({ target: target ?? 'gfx1013', text, v, exec: [0x55555555, 0x55555555] });
      expect(o.result.status).toBe('completed');
      expect(o.v(0)).toEqual(everyLane(waveSize, (lane) => (lane & 1 ? 0x5555 : expected)));
    });
  }

  it('16-bit results keep the other half; op_sel chooses halves', () => {
    const v = { 0: 0xaaaabbbb, 1: 0x0005ffff, 2: 0x00070003, 3: 0x00010002 };
    const at = (text: string): number => run({ text, v }).v(0)[0]!;
    expect(at('v_add_nc_u16 v0, v1, v2')).toBe(0xaaaa0002);
    expect(at('v_add_nc_u16 v0, v1, v2 clamp')).toBe(0xaaaaffff);
    expect(at('v_add_nc_u16 v0, v1, v2 op_sel:[1,1,1]')).toBe(0x000cbbbb);
    expect(at('v_sub_nc_u16 v0, v2, v1 clamp')).toBe(0xaaaa0000);
    expect(at('v_add_nc_i16 v0, v1, v2')).toBe(0xaaaa0002);
    expect(at('v_sub_nc_i16 v0, v1, v2')).toBe(0xaaaafffc);
    expect(at('v_mul_lo_u16 v0, v1, v2')).toBe(0xaaaafffd);
    expect(at('v_mad_u16 v0, v1, v2, v3')).toBe(0xaaaaffff);
    expect(at('v_mad_i16 v0, v1, v2, v3')).toBe(0xaaaaffff);
    expect(at('v_lshlrev_b16 v0, v2, v1')).toBe(0xaaaafff8);
    expect(at('v_lshrrev_b16 v0, v2, v1')).toBe(0xaaaa1fff);
    expect(at('v_ashrrev_i16 v0, v2, v1')).toBe(0xaaaaffff);
    expect(at('v_max_u16 v0, v1, v2')).toBe(0xaaaaffff);
    expect(at('v_max_i16 v0, v1, v2')).toBe(0xaaaa0003);
    expect(at('v_min_u16 v0, v1, v2')).toBe(0xaaaa0003);
    expect(at('v_min_i16 v0, v1, v2')).toBe(0xaaaaffff);
    expect(at('v_med3_i16 v0, v1, v2, v3')).toBe(0xaaaa0002);
    expect(at('v_med3_u16 v0, v1, v2, v3')).toBe(0xaaaa0003);
    expect(at('v_min3_i16 v0, v1, v2, v3')).toBe(0xaaaaffff);
    expect(at('v_max3_u16 v0, v1, v2, v3')).toBe(0xaaaaffff);
    expect(at('v_max3_i16 v0, v1, v2, v3')).toBe(0xaaaa0003);
    expect(at('v_min3_u16 v0, v1, v2, v3')).toBe(0xaaaa0002);
    expect(at('v_mad_u32_u16 v0, v1, v2, v3')).toBe(0xffff * 3 + 0x10002);
    expect(at('v_mad_i32_i16 v0, v1, v2, v3')).toBe(0x10002 - 3);
    expect(at('v_mad_u32_u16 v0, v1, v2, v3 op_sel:[1,1,0,0]')).toBe(35 + 0x10002);
  });
  it('16-bit integers read inline floats as the low half of the f32 bits', () => {
    expect(run({ text: 'v_add_nc_u16 v0, 1.0, v1', v: { 0: 0, 1: 7 } }).v(0)[0]).toBe(7);
  });

  it('64-bit shifts, overlapping registers', () => {
    const v = { 1: 0x80000001, 2: 0x90000000, 3: 36 };
    const pair = (text: string, target: Target = 'gfx1013'): number[] => {
      const o = run({ target, text, v });
      return [o.v(1)[5]!, o.v(2)[5]!];
    };
    expect(pair('v_lshlrev_b64 v[1:2], 4, v[1:2]')).toEqual([0x10, 8]);
    expect(pair('v_lshrrev_b64 v[1:2], v3, v[1:2]')).toEqual([0x09000000, 0]);
    expect(pair('v_ashrrev_i64 v[1:2], v3, v[1:2]')).toEqual([0xf9000000, 0xffffffff]);
    expect(pair('v_lshl_b64 v[1:2], v[1:2], 4', 'gfx700')).toEqual([0x10, 8]);
    expect(pair('v_lshr_b64 v[1:2], v[1:2], v3', 'gfx700')).toEqual([0x09000000, 0]);
    expect(pair('v_ashr_i64 v[1:2], v[1:2], v3', 'gfx700')).toEqual([0xf9000000, 0xffffffff]);
    // 64-bit source one register lower than the destination: lanes must not see half-written pairs.
    const o = run({ text: 'v_lshlrev_b64 v[2:3], 32, v[1:2]', v: { 1: 7, 2: 9 } });
    expect([o.v(2)[0], o.v(3)[0]]).toEqual([0, 7]);
  });
  it('v_mad_u64_u32 and v_mad_i64_i32 with bit 64', () => {
    const o = run({
      text: 'v_mad_u64_u32 v[0:1], s4, v2, v3, v[4:5]',
      v: { 2: 0xffffffff, 3: 0xffffffff, 4: 0xffffffff, 5: (l) => (l === 3 ? 0xffffffff : 0) },
    });
    expect([o.v(0)[0], o.v(1)[0]]).toEqual([0, 0xffffffff]);
    expect([o.v(0)[3], o.v(1)[3]]).toEqual([0, 0xfffffffe]);
    expect(o.s(4)).toBe(8);
    const p = run({ text: 'v_mad_i64_i32 v[0:1], s4, v2, v3, v[4:5]', v: { 2: 0xffffffff, 3: 5, 4: 3, 5: 0 } });
    expect([p.v(0)[0], p.v(1)[0], p.s(4)]).toEqual([0xfffffffe, 0xffffffff, 0xffffffff]);
  });
  it('quad sums of absolute differences', () => {
    const v = { 1: 0x04030201, 2: 0x08070605, 3: 0x01010101, 4: 0x00010002, 5: 0x00030004 };
    const o = run({ text: 'v_qsad_pk_u16_u8 v[6:7], v[1:2], v3, v[4:5]', v });
    // windows 1234 2345 3456 4567 minus 1: sums 6 10 14 18
    expect([o.v(6)[0], o.v(7)[0]]).toEqual([(11 << 16) | 8, (21 << 16) | 18]);
    const masked = run({ text: 'v_mqsad_pk_u16_u8 v[6:7], v[1:2], v3, v[4:5]', v: { ...v, 3: 0x01000001 } });
    // bytes 1 and 2 are skipped: 0+3, 1+4, 2+5, 3+6
    expect([masked.v(6)[0], masked.v(7)[0]]).toEqual([(6 << 16) | 5, (12 << 16) | 11]);
    const wide = run({
      text: 'v_mqsad_u32_u8 v[8:11], v[1:2], v3, v[4:7]',
      v: { ...v, 4: 100, 5: 200, 6: 300, 7: 400 },
    });
    expect([8, 9, 10, 11].map((r) => wide.v(r)[0])).toEqual([106, 210, 314, 418]);
  });

  it('moves relative to M0 and swaps', () => {
    expect(run({ text: 'v_movrels_b32_e32 v0, v4', v: { 6: 9 }, m0: 2 }).v(0)[1]).toBe(9);
    expect(run({ text: 'v_movreld_b32_e32 v0, v4', v: { 4: 9 }, m0: 2 }).v(2)[1]).toBe(9);
    expect(run({ text: 'v_movrelsd_b32_e32 v0, v4', v: { 6: 9 }, m0: 2 }).v(2)[1]).toBe(9);
    expect(run({ text: 'v_movrelsd_2_b32_e32 v0, v4', v: { 7: 9 }, m0: (5 << 16) | 3 }).v(5)[1]).toBe(9);
    const o = run({ text: 'v_swap_b32 v0, v1', v: { 0: 1, 1: 2 }, exec: [2, 0] });
    expect([o.v(0).slice(0, 2), o.v(1).slice(0, 2)]).toEqual([
      [1, 2],
      [2, 1],
    ]);
    const p = run({ text: 'v_swaprel_b32 v0, v1', v: { 5: 1, 3: 2 }, m0: (5 << 16) | 2 });
    expect([p.v(5)[0], p.v(3)[0]]).toEqual([2, 1]);
  });
});

describe.skipIf(!haveLlvm)('carries and masks', () => {
  it('carry-out: 0 for inactive lanes; wave32 writes one register', () => {
    const o = run({
      text: 'v_add_co_u32 v0, s4, v1, v2',
      v: { 1: 0xffffffff, 2: (l) => l & 1 },
      exec: [0xff, 0],
      s: { 5: 0x1234 },
    });
    expect([o.s(4), o.s(5)]).toEqual([0xaa, 0x1234]);
    const p = run({ waveSize: 64, text: 'v_add_co_u32 v0, s[4:5], v1, v2', v: { 1: 0xffffffff, 2: (l) => l & 1 } });
    expect([p.s(4), p.s(5)]).toEqual([0xaaaaaaaa, 0xaaaaaaaa]);
  });
  it('carry-in and carry-out in one register', () => {
    const o = run({
      text: 'v_add_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo',
      v: { 1: 0xffffffff, 2: 0 },
      vcc: [0xf0, 7],
    });
    expect(o.vcc).toEqual([0xf0, 7]);
    expect(o.v(0).slice(3, 5)).toEqual([0xffffffff, 0]);
  });
  it('borrows, reversed too', () => {
    const v = { 1: 5, 2: (l: number) => l };
    const sub = run({ text: 'v_sub_co_u32 v0, s4, v1, v2', v });
    expect([sub.s(4), sub.v(0)[6]]).toEqual([0xffffffc0, 0xffffffff]);
    const rev = run({ text: 'v_subrev_co_u32 v0, s4, v1, v2', v });
    expect([rev.s(4), rev.v(0)[4]]).toEqual([0x1f, 0xffffffff]);
    const ci = run({ text: 'v_sub_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo', v, vcc: [0xffffffff, 0] });
    expect([ci.vcc[0], ci.v(0)[5]]).toEqual([0xffffffe0, 0xffffffff]);
    const rci = run({ text: 'v_subrev_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo', v, vcc: [0xffffffff, 0] });
    expect([rci.vcc[0], rci.v(0)[5]]).toEqual([0x3f, 0xffffffff]);
  });
  it('gfx7 carries', () => {
    const o = run({
      target: 'gfx700',
      text: 'v_add_i32_e32 v0, vcc, v1, v2\nv_addc_u32_e32 v3, vcc, v3, v4, vcc',
      v: { 1: 0xffffffff, 2: (l) => l & 1, 3: 10, 4: 0 },
    });
    expect(o.v(3).slice(0, 2)).toEqual([10, 11]);
    expect(o.vcc).toEqual([0, 0]);
    const p = run({
      target: 'gfx700',
      text: 'v_subrev_i32_e32 v0, vcc, 1, v1\nv_subbrev_u32_e32 v2, vcc, 0, v2, vcc',
      v: { 1: (l) => l, 2: 0 },
    });
    expect([p.v(0)[0], p.v(2)[0], p.v(2)[1]]).toEqual([0xffffffff, 0xffffffff, 0]);
  });
  it('v_cndmask takes modifiers and an SGPR mask', () => {
    const o = run({ text: 'v_cndmask_b32_e64 v0, v1, -|v2|, s4', v: { 1: 0x3f800000, 2: 0x40000000 }, s: { 4: 2 } });
    expect(o.v(0).slice(0, 2)).toEqual([0x3f800000, 0xc0000000]);
  });

  it('compares write 0 for inactive lanes', () => {
    const o = run({
      text: 'v_cmp_gt_u32_e32 vcc_lo, 4, v1',
      v: { 1: (l) => l },
      exec: [0xf5, 0],
      vcc: [0xffffffff, 9],
    });
    expect(o.vcc).toEqual([0x5, 9]);
    const p = run({
      waveSize: 64,
      text: 'v_cmp_lt_i32_e64 s[4:5], v1, 0',
      v: { 1: (l) => (l === 40 ? 0xffffffff : l) },
    });
    expect([p.s(4), p.s(5)]).toEqual([0, 0x100]);
  });
  it('all integer relations', () => {
    const expected: Record<string, number> = { f: 0, lt: 1, eq: 2, le: 3, gt: 4, ne: 5, ge: 6, t: 7 };
    for (const [name, mask] of Object.entries(expected)) {
      // lanes 0 1 2: below, equal, above (-1, 5, 7 against 5), unsigned order differs for lane 0
      const v = { 1: [0xffffffff, 5, 7], 2: 5 };
      const bits = (text: string): number => run({ text, v, exec: [7, 0] }).vcc[0];
      expect([name, bits(`v_cmp_${name}_i32_e32 vcc_lo, v1, v2`)]).toEqual([name, mask]);
      const unsigned = { f: 0, lt: 0, eq: 2, le: 2, gt: 5, ne: 5, ge: 7, t: 7 }[name]!;
      expect([name, bits(`v_cmp_${name}_u32_e32 vcc_lo, v1, v2`)]).toEqual([name, unsigned]);
      if (name !== 'f' && name !== 't') {
        expect([name, bits(`v_cmp_${name}_i16_e32 vcc_lo, v1, v2`)]).toEqual([name, mask]);
        expect([name, bits(`v_cmp_${name}_u16_e32 vcc_lo, v1, v2`)]).toEqual([name, unsigned]);
      }
      const w = { 2: [0, 5, 7], 3: [0xffffffff, 0, 0], 4: 5, 5: 0 };
      const bits64 = (type: string): number =>
        run({ text: `v_cmp_${name}_${type}_e32 vcc_lo, v[2:3], v[4:5]`, v: w, exec: [7, 0] }).vcc[0];
      expect([name, bits64('i64')]).toEqual([name, mask]);
      expect([name, bits64('u64')]).toEqual([name, unsigned]);
    }
  });
  it('v_cmpx: gfx10 writes EXEC only, gfx7 the destination too', () => {
    const o = run({ text: 'v_cmpx_gt_u32_e32 4, v1', v: { 1: (l) => l }, vcc: [0x77, 9], exec: [0xffffffff, 0x55] });
    expect([o.exec, o.vcc]).toEqual([
      [0xf, 0x55],
      [0x77, 9],
    ]);
    const p = run({ target: 'gfx700', text: 'v_cmpx_gt_u32_e32 vcc, 4, v1', v: { 1: (l) => l }, vcc: [0x77, 9] });
    expect([p.exec, p.vcc]).toEqual([
      [0xf, 0],
      [0xf, 0],
    ]);
  });
  it('wave32 VCC_HI and EXEC_HI are ordinary registers', () => {
    const o = run({
      text: 's_mov_b32 exec_hi, 0x123\ns_mov_b32 vcc_hi, 0x456\nv_mov_b32_e32 v0, exec_hi\nv_cmp_eq_u32_e32 vcc_lo, 0, v5',
    });
    expect(o.v(0)[31]).toBe(0x123);
    expect(o.vcc).toEqual([0xffffffff, 0x456]);
  });
});
