/** Scalar ALU: results and SCC worked out by hand from the manuals' definitions. */
import { describe, expect, it } from 'vitest';
import { haveLlvm, run, type Snippet } from './run-snippet.ts';

/** text, registers before, destination → expected, SCC after (undefined: must keep its value, tried as 0 and 1). */
type Case = readonly [string, Record<number, number>, Record<number, number>, 0 | 1 | undefined, Partial<Snippet>?];

const CASES: readonly Case[] = [
  ['s_add_u32 s0, s1, s2', { 1: 0xffffffff, 2: 1 }, { 0: 0 }, 1],
  ['s_add_u32 s0, s1, s2', { 1: 0x7fffffff, 2: 1 }, { 0: 0x80000000 }, 0],
  ['s_add_i32 s0, s1, s2', { 1: 0x7fffffff, 2: 1 }, { 0: 0x80000000 }, 1],
  ['s_add_i32 s0, s1, s2', { 1: 0xffffffff, 2: 1 }, { 0: 0 }, 0],
  ['s_sub_u32 s0, s1, s2', { 1: 3, 2: 5 }, { 0: 0xfffffffe }, 1],
  ['s_sub_u32 s0, s1, s2', { 1: 5, 2: 5 }, { 0: 0 }, 0],
  ['s_sub_i32 s0, s1, s2', { 1: 0x80000000, 2: 1 }, { 0: 0x7fffffff }, 1],
  ['s_addc_u32 s0, s1, s2', { 1: 0xffffffff, 2: 0 }, { 0: 0 }, 1, { scc: 1 }],
  ['s_addc_u32 s0, s1, s2', { 1: 7, 2: 8 }, { 0: 15 }, 0, { scc: 0 }],
  ['s_subb_u32 s0, s1, s2', { 1: 5, 2: 5 }, { 0: 0xffffffff }, 1, { scc: 1 }],
  ['s_min_i32 s0, s1, s2', { 1: 0xffffffff, 2: 1 }, { 0: 0xffffffff }, 1],
  ['s_min_u32 s0, s1, s2', { 1: 0xffffffff, 2: 1 }, { 0: 1 }, 0],
  ['s_max_i32 s0, s1, s2', { 1: 0xffffffff, 2: 1 }, { 0: 1 }, 0],
  ['s_max_u32 s0, s1, s2', { 1: 0xffffffff, 2: 1 }, { 0: 0xffffffff }, 1],
  ['s_max_u32 s0, s1, s2', { 1: 4, 2: 4 }, { 0: 4 }, 0],
  ['s_and_b32 s0, s1, s2', { 1: 0xf0, 2: 0x0f }, { 0: 0 }, 0],
  ['s_or_b32 s0, s1, s2', { 1: 0xf0, 2: 0x0f }, { 0: 0xff }, 1],
  ['s_xor_b32 s0, s1, s2', { 1: 0xff, 2: 0x0f }, { 0: 0xf0 }, 1],
  ['s_andn2_b32 s0, s1, s2', { 1: 0xff, 2: 0x0f }, { 0: 0xf0 }, 1],
  ['s_orn2_b32 s0, s1, s2', { 1: 0, 2: 0xffffffff }, { 0: 0 }, 0],
  ['s_nand_b32 s0, s1, s2', { 1: 0xffffffff, 2: 0xffffffff }, { 0: 0 }, 0],
  ['s_nor_b32 s0, s1, s2', { 1: 1, 2: 2 }, { 0: 0xfffffffc }, 1],
  ['s_xnor_b32 s0, s1, s2', { 1: 5, 2: 5 }, { 0: 0xffffffff }, 1],
  ['s_lshl_b32 s0, s1, s2', { 1: 1, 2: 33 }, { 0: 2 }, 1],
  ['s_lshr_b32 s0, s1, s2', { 1: 0x80000000, 2: 31 }, { 0: 1 }, 1],
  ['s_ashr_i32 s0, s1, s2', { 1: 0x80000000, 2: 31 }, { 0: 0xffffffff }, 1],
  ['s_bfm_b32 s0, 8, 4', {}, { 0: 0xff0 }, undefined],
  ['s_mul_i32 s0, s1, s2', { 1: 0xffffffff, 2: 7 }, { 0: 0xfffffff9 }, undefined],
  ['s_mul_hi_u32 s0, s1, s2', { 1: 0xffffffff, 2: 0xffffffff }, { 0: 0xfffffffe }, undefined],
  ['s_mul_hi_i32 s0, s1, s2', { 1: 0xffffffff, 2: 2 }, { 0: 0xffffffff }, undefined],
  ['s_mul_hi_i32 s0, s1, s2', { 1: 0x80000000, 2: 0x80000000 }, { 0: 0x40000000 }, undefined],
  ['s_bfe_u32 s0, s1, 0x80004', { 1: 0xabcd }, { 0: 0xbc }, 1],
  ['s_bfe_i32 s0, s1, 0x80004', { 1: 0xabcd }, { 0: 0xffffffbc }, 1],
  ['s_bfe_u32 s0, s1, 0x4', { 1: 0xabcd }, { 0: 0 }, 0],
  ['s_bfe_u32 s0, s1, 0x400000', { 1: 0x80000001 }, { 0: 0x80000001 }, 1],
  ['s_absdiff_i32 s0, s1, s2', { 1: 2, 2: 9 }, { 0: 7 }, 1],
  ['s_absdiff_i32 s0, s1, s2', { 1: 0x80000000, 2: 0 }, { 0: 0x80000000 }, 1],
  ['s_abs_i32 s0, s1', { 1: 0xfffffff6 }, { 0: 10 }, 1],
  ['s_abs_i32 s0, s1', { 1: 0x80000000 }, { 0: 0x80000000 }, 1],
  ['s_lshl3_add_u32 s0, s1, s2', { 1: 0x20000000, 2: 5 }, { 0: 5 }, 1],
  ['s_lshl1_add_u32 s0, s1, s2', { 1: 3, 2: 5 }, { 0: 11 }, 0],
  ['s_pack_ll_b32_b16 s0, s1, s2', { 1: 0x11112222, 2: 0x33334444 }, { 0: 0x44442222 }, undefined],
  ['s_pack_lh_b32_b16 s0, s1, s2', { 1: 0x11112222, 2: 0x33334444 }, { 0: 0x33332222 }, undefined],
  ['s_pack_hh_b32_b16 s0, s1, s2', { 1: 0x11112222, 2: 0x33334444 }, { 0: 0x33331111 }, undefined],
  ['s_cselect_b32 s0, s1, s2', { 1: 1, 2: 2 }, { 0: 1 }, 1, { scc: 1 }],
  ['s_cselect_b32 s0, s1, s2', { 1: 1, 2: 2 }, { 0: 2 }, 0, { scc: 0 }],
  ['s_cmov_b32 s0, s1', { 0: 9, 1: 1 }, { 0: 9 }, 0, { scc: 0 }],
  ['s_cmovk_i32 s0, 0x8000', { 0: 9 }, { 0: 0xffff8000 }, 1, { scc: 1 }],
  ['s_movk_i32 s0, 0x8000', {}, { 0: 0xffff8000 }, undefined],
  ['s_addk_i32 s0, 0xffff', { 0: 0x80000000 }, { 0: 0x7fffffff }, 1],
  ['s_mulk_i32 s0, 0xfffe', { 0: 5 }, { 0: 0xfffffff6 }, undefined],
  ['s_not_b32 s0, s1', { 1: 0xffffffff }, { 0: 0 }, 0],
  ['s_brev_b32 s0, s1', { 1: 0x00000001 }, { 0: 0x80000000 }, undefined],
  ['s_bcnt0_i32_b32 s0, s1', { 1: 0xffff0000 }, { 0: 16 }, 1],
  ['s_bcnt1_i32_b32 s0, s1', { 1: 0xf0000001 }, { 0: 5 }, 1],
  ['s_bcnt1_i32_b32 s0, s1', { 1: 0 }, { 0: 0 }, 0],
  ['s_ff0_i32_b32 s0, s1', { 1: 0xff }, { 0: 8 }, undefined],
  ['s_ff0_i32_b32 s0, s1', { 1: 0xffffffff }, { 0: 0xffffffff }, undefined],
  ['s_ff1_i32_b32 s0, s1', { 1: 0x100 }, { 0: 8 }, undefined],
  ['s_flbit_i32_b32 s0, s1', { 1: 0x00ffffff }, { 0: 8 }, undefined],
  ['s_flbit_i32_b32 s0, s1', { 1: 0 }, { 0: 0xffffffff }, undefined],
  ['s_flbit_i32 s0, s1', { 1: 0xffff0000 }, { 0: 16 }, undefined],
  ['s_flbit_i32 s0, s1', { 1: 0xffffffff }, { 0: 0xffffffff }, undefined],
  ['s_sext_i32_i8 s0, s1', { 1: 0x1280 }, { 0: 0xffffff80 }, undefined],
  ['s_sext_i32_i16 s0, s1', { 1: 0x128000 }, { 0: 0xffff8000 }, undefined],
  ['s_bitset0_b32 s0, s1', { 0: 0xff, 1: 35 }, { 0: 0xf7 }, undefined],
  ['s_bitset1_b32 s0, s1', { 0: 0, 1: 31 }, { 0: 0x80000000 }, undefined],
  ['s_wqm_b32 s0, s1', { 1: 0x80000010 }, { 0: 0xf00000f0 }, 1],
  ['s_quadmask_b32 s0, s1', { 1: 0x80000010 }, { 0: 0x82 }, 1],
  ['s_bitreplicate_b64_b32 s[0:1], s2', { 2: 0x80000003 }, { 0: 0xf, 1: 0xc0000000 }, undefined],
  ['s_mov_b64 s[0:1], -5', {}, { 0: 0xfffffffb, 1: 0xffffffff }, undefined],
  ['s_mov_b64 s[0:1], 1.0', {}, { 0: 0, 1: 0x3ff00000 }, undefined],
  ['s_mov_b64 s[0:1], 0x89abcdef', {}, { 0: 0x89abcdef, 1: 0 }, undefined],
  ['s_mov_b32 s0, 0.15915494', {}, { 0: 0x3e22f983 }, undefined],
  ['s_and_b64 s[0:1], s[2:3], s[4:5]', { 2: 1, 3: 2, 4: 2, 5: 3 }, { 0: 0, 1: 2 }, 1],
  ['s_andn2_b64 s[0:1], s[2:3], s[4:5]', { 2: 1, 3: 2, 4: 1, 5: 2 }, { 0: 0, 1: 0 }, 0],
  ['s_not_b64 s[0:1], s[2:3]', { 2: 0, 3: 0xffffffff }, { 0: 0xffffffff, 1: 0 }, 1],
  ['s_lshl_b64 s[0:1], s[0:1], 36', { 0: 0x12345678, 1: 9 }, { 0: 0, 1: 0x23456780 }, 1],
  ['s_lshl_b64 s[0:1], s[2:3], 4', { 2: 0xf0000001, 3: 1 }, { 0: 0x10, 1: 0x1f }, 1],
  ['s_lshr_b64 s[0:1], s[2:3], 4', { 2: 0x10, 3: 0xf }, { 0: 0xf0000001, 1: 0 }, 1],
  ['s_ashr_i64 s[0:1], s[2:3], 40', { 2: 0, 3: 0x80000000 }, { 0: 0xff800000, 1: 0xffffffff }, 1],
  ['s_ashr_i64 s[0:1], s[2:3], 0', { 2: 0, 3: 0 }, { 0: 0, 1: 0 }, 0],
  ['s_bfm_b64 s[0:1], 40, 4', {}, { 0: 0xfffffff0, 1: 0xfff }, undefined],
  ['s_bfe_u64 s[0:1], s[2:3], s4', { 2: 0xabcdef01, 3: 0x12345678, 4: 0x18001c }, { 0: 0x45678a, 1: 0 }, 1],
  ['s_bfe_i64 s[0:1], s[2:3], s4', { 2: 0, 3: 0x00000800, 4: 0x4c0000 }, { 0: 0, 1: 0x800 }, 1],
  ['s_bfe_i64 s[0:1], s[2:3], s4', { 2: 0, 3: 0x00000800, 4: 0x2c0000 }, { 0: 0, 1: 0xfffff800 }, 1],
  ['s_bcnt1_i32_b64 s0, s[2:3]', { 2: 7, 3: 3 }, { 0: 5 }, 1],
  ['s_bcnt0_i32_b64 s0, s[2:3]', { 2: 0, 3: 0xffffffff }, { 0: 32 }, 1],
  ['s_ff1_i32_b64 s0, s[2:3]', { 2: 0, 3: 8 }, { 0: 35 }, undefined],
  ['s_ff0_i32_b64 s0, s[2:3]', { 2: 0xffffffff, 3: 0xe }, { 0: 32 }, undefined],
  ['s_flbit_i32_b64 s0, s[2:3]', { 2: 1, 3: 0 }, { 0: 63 }, undefined],
  ['s_flbit_i32_i64 s0, s[2:3]', { 2: 0, 3: 0xffffffff }, { 0: 32 }, undefined],
  ['s_brev_b64 s[0:1], s[2:3]', { 2: 1, 3: 2 }, { 0: 0x40000000, 1: 0x80000000 }, undefined],
  ['s_wqm_b64 s[0:1], s[2:3]', { 2: 0, 3: 0x100 }, { 0: 0, 1: 0xf00 }, 1],
  ['s_quadmask_b64 s[0:1], s[2:3]', { 2: 0x10, 3: 0x1 }, { 0: 0x102, 1: 0 }, 1],
  ['s_bitset1_b64 s[0:1], s2', { 0: 0, 1: 0, 2: 63 }, { 0: 0, 1: 0x80000000 }, undefined],
  ['s_cselect_b64 s[0:1], s[2:3], s[4:5]', { 2: 1, 3: 2, 4: 3, 5: 4 }, { 0: 3, 1: 4 }, 0, { scc: 0 }],
  ['s_mov_b32 null, s1\ns_mov_b32 s0, null', { 0: 5, 1: 7 }, { 0: 0 }, undefined],
];

describe.skipIf(!haveLlvm)('scalar ALU', () => {
  for (const [text, before, after, scc, more] of CASES) {
    it(`${text} ${JSON.stringify(before)}`, () => {
      for (const start of scc === undefined ? ([0, 1] as const) : ([more?.scc ?? 0] as const)) {
        const o = run({ text, s: before, scc: start, ...more });
        expect(o.result.status).toBe('completed');
        for (const [code, value] of Object.entries(after))
          expect(o.s(Number(code)).toString(16)).toBe(value.toString(16));
        expect(o.wave.scc).toBe(scc ?? start);
      }
    });
  }

  const COMPARES: readonly (readonly [string, number, number, 0 | 1])[] = [
    ['s_cmp_eq_i32', 5, 5, 1],
    ['s_cmp_lg_i32', 5, 5, 0],
    ['s_cmp_gt_i32', 0xffffffff, 0, 0],
    ['s_cmp_ge_i32', 0, 0, 1],
    ['s_cmp_lt_i32', 0xffffffff, 0, 1],
    ['s_cmp_le_i32', 1, 0, 0],
    ['s_cmp_eq_u32', 1, 2, 0],
    ['s_cmp_lg_u32', 1, 2, 1],
    ['s_cmp_gt_u32', 0xffffffff, 0, 1],
    ['s_cmp_ge_u32', 0, 1, 0],
    ['s_cmp_lt_u32', 0xffffffff, 0, 0],
    ['s_cmp_le_u32', 0, 0, 1],
    ['s_bitcmp0_b32', 0x10, 36, 0],
    ['s_bitcmp1_b32', 0x10, 36, 1],
  ];
  for (const [name, a, b, scc] of COMPARES) {
    it(`${name} ${a} ${b}`, () => {
      expect(run({ text: `${name} s0, s1`, s: { 0: a, 1: b }, scc: scc ? 0 : 1 }).wave.scc).toBe(scc);
    });
  }
  it('compares with immediates: signed ones sign-extend, unsigned ones do not', () => {
    expect(run({ text: 's_cmpk_eq_i32 s0, 0xfffe', s: { 0: 0xfffffffe } }).wave.scc).toBe(1);
    expect(run({ text: 's_cmpk_eq_u32 s0, 0xfffe', s: { 0: 0xfffffffe }, scc: 1 }).wave.scc).toBe(0);
    expect(run({ text: 's_cmpk_lt_i32 s0, 0', s: { 0: 0xfffffffe } }).wave.scc).toBe(1);
    expect(run({ text: 's_cmpk_gt_u32 s0, 0xffff', s: { 0: 0xfffffffe } }).wave.scc).toBe(1);
    expect(run({ text: 's_cmpk_le_u32 s0, 0xffff', s: { 0: 0xffff } }).wave.scc).toBe(1);
  });
  it('compares 64 bits and single bits of 64', () => {
    const s = { 0: 1, 1: 2, 2: 1, 3: 3 };
    expect(run({ text: 's_cmp_eq_u64 s[0:1], s[2:3]', s, scc: 1 }).wave.scc).toBe(0);
    expect(run({ text: 's_cmp_lg_u64 s[0:1], s[2:3]', s }).wave.scc).toBe(1);
    expect(run({ text: 's_bitcmp1_b64 s[0:1], 33', s }).wave.scc).toBe(1);
    expect(run({ text: 's_bitcmp0_b64 s[0:1], 33', s, scc: 1 }).wave.scc).toBe(0);
  });

  it('saveexec: saves, combines, sets SCC; wave64 both halves, wave32 only the low one', () => {
    const o = run({
      waveSize: 64,
      text: 's_and_saveexec_b64 s[0:1], s[2:3]',
      s: { 2: 0xf, 3: 0 },
      exec: [0xff, 0xff00],
    });
    expect([o.s(0), o.s(1)]).toEqual([0xff, 0xff00]);
    expect(o.exec).toEqual([0xf, 0]);
    expect(o.wave.scc).toBe(1);
    const p = run({ text: 's_andn2_saveexec_b32 s0, s2', s: { 2: 0xf }, exec: [0xff, 0x1234] });
    expect(p.s(0)).toBe(0xff);
    expect(p.exec).toEqual([0, 0x1234]);
    expect(p.wave.scc).toBe(0);
  });
  it('saveexec family computes what each name says (s = 0b0011, exec = 0b0101)', () => {
    const expected: Record<string, number> = {
      and: 0b0001,
      or: 0b0111,
      xor: 0b0110,
      andn2: 0b0010,
      orn2: ~0b0100,
      nand: ~0b0001,
      nor: ~0b0111,
      xnor: ~0b0110,
      andn1: 0b0100,
      orn1: ~0b0010,
    };
    for (const [name, value] of Object.entries(expected)) {
      const o = run({ text: `s_${name}_saveexec_b32 s0, s2`, s: { 2: 0b0011 }, exec: [0b0101, 0] });
      expect([name, o.exec[0], o.s(0)]).toEqual([name, value >>> 0, 0b0101]);
    }
  });
  it('wrexec writes the new EXEC to the destination too', () => {
    const o = run({ text: 's_andn1_wrexec_b32 s0, s2', s: { 2: 0b0011 }, exec: [0b0101, 0] });
    expect([o.s(0), o.exec[0]]).toEqual([0b0100, 0b0100]);
    const p = run({
      waveSize: 64,
      text: 's_andn2_wrexec_b64 s[0:1], s[2:3]',
      s: { 2: 0b0011, 3: 4 },
      exec: [0b0101, 0],
    });
    expect([p.s(0), p.s(1), p.exec[0], p.exec[1]]).toEqual([0b0010, 4, 0b0010, 4]);
  });

  it('moves relative to M0', () => {
    expect(run({ text: 's_movrels_b32 s0, s4', s: { 6: 77 }, m0: 2 }).s(0)).toBe(77);
    expect(run({ text: 's_movreld_b32 s4, s0', s: { 0: 77 }, m0: 3 }).s(7)).toBe(77);
    const o = run({ text: 's_movrels_b64 s[0:1], s[4:5]', s: { 6: 1, 7: 2 }, m0: 2 });
    expect([o.s(0), o.s(1)]).toEqual([1, 2]);
    const p = run({ text: 's_movreld_b64 s[4:5], s[0:1]', s: { 0: 1, 1: 2 }, m0: 2 });
    expect([p.s(6), p.s(7)]).toEqual([1, 2]);
    expect(run({ text: 's_movrelsd_2_b32 s4, s8', s: { 10: 5 }, m0: (3 << 16) | 2 }).s(7)).toBe(5);
  });

  it('s_setreg and s_getreg reach fields of MODE', () => {
    const o = run({
      text: 's_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\ns_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8)',
      mode: 0xc0,
    });
    expect(o.s(0)).toBe(0xf0);
    expect(run({ text: 's_denorm_mode 5\ns_round_mode 9', mode: 0xc0 }).wave.mode).toBe(0x59);
    expect(run({ text: 's_setreg_b32 hwreg(HW_REG_MODE, 9, 1), s0', s: { 0: 0xff } }).wave.mode & 0x200).toBe(0x200);
  });
  it('sets FLAT_SCRATCH by s_setreg on gfx10', () => {
    const o = run({
      text: 's_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s0\ns_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s1',
      s: { 0: 0x1000, 1: 2 },
    });
    expect([o.wave.flatScratchLow, o.wave.flatScratchHigh]).toEqual([0x1000, 2]);
  });
  it('stops at a hardware register that is not modelled, with a diagnostic', () => {
    const o = run({ text: 's_getreg_b32 s0, hwreg(HW_REG_GPR_ALLOC)' });
    expect(o.result.status).toBe('unsupported');
    expect(o.result.diagnostics[0]).toMatchObject({ code: 'REF001', kind: 'unsupported' });
  });
  it('gfx7 executes the shared opcodes', () => {
    expect(
      run({ target: 'gfx700', text: 's_add_u32 s0, s1, s2\ns_addc_u32 s3, s4, 0', s: { 1: 0xffffffff, 2: 2, 4: 5 } }).s(
        3,
      ),
    ).toBe(6);
    expect(run({ target: 'gfx700', text: 's_mov_b64 s[0:1], flat_scratch', s: { 104: 3, 105: 4 } }).s(1)).toBe(4);
  });
});
