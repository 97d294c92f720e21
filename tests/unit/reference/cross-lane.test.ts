/** Lane moves: readlane, mbcnt, permlane, DPP16, DPP8, SDWA, swizzle and permutes, from the manuals' definitions. */
import { describe, expect, it } from 'vitest';
import { everyLane, haveLlvm, run } from './run-snippet.ts';

const lane = (l: number): number => 100 + l;

describe.skipIf(!haveLlvm)('single lanes', () => {
  it('readfirstlane takes the first active lane, lane 0 with EXEC = 0', () => {
    expect(run({ text: 'v_readfirstlane_b32 s0, v1', v: { 1: lane }, exec: [0xf8, 0] }).s(0)).toBe(103);
    expect(run({ waveSize: 64, text: 'v_readfirstlane_b32 s0, v1', v: { 1: lane }, exec: [0, 0x10] }).s(0)).toBe(136);
    expect(run({ text: 'v_readfirstlane_b32 s0, v1', v: { 1: lane }, exec: [0, 0xff] }).s(0)).toBe(100);
  });
  it('readlane and writelane ignore EXEC; the lane wraps at the wave size', () => {
    const o = run({
      text: 'v_readlane_b32 s0, v1, s4\nv_writelane_b32 v1, s5, 3\nv_writelane_b32 v1, 7, m0',
      v: { 1: lane },
      s: { 4: 37, 5: 9 },
      m0: 4,
      exec: [0, 0],
    });
    expect(o.s(0)).toBe(105);
    expect(o.v(1).slice(2, 6)).toEqual([102, 9, 7, 105]);
    expect(run({ waveSize: 64, text: 'v_readlane_b32 s0, v1, s4', v: { 1: lane }, s: { 4: 37 } }).s(0)).toBe(137);
  });
  it('mbcnt counts bits of lanes below', () => {
    const o = run({
      waveSize: 64,
      text: 'v_mbcnt_lo_u32_b32 v0, -1, 0\nv_mbcnt_hi_u32_b32 v0, -1, v0\nv_mbcnt_lo_u32_b32 v2, s4, 5\nv_mbcnt_hi_u32_b32 v3, s4, 0',
      s: { 4: 0b1011 },
    });
    expect(o.v(0)).toEqual(everyLane(64, (l) => l));
    expect(o.v(2).slice(0, 5)).toEqual([5, 6, 7, 7, 8]);
    expect(o.v(2)[63]).toBe(8);
    expect(o.v(3).slice(31, 37)).toEqual([0, 0, 1, 2, 2, 3]);
  });
});

describe.skipIf(!haveLlvm)('DPP', () => {
  const dpp = (control: string, more: Parameters<typeof run>[0] | object = {}): number[] =>
    run({ waveSize: 64, text: `v_mov_b32_dpp v0, v1 ${control}`, v: { 0: 0xffff, 1: lane }, ...more }).v(0);

  it('quad_perm, mirrors, share, xmask, rotate', () => {
    expect(dpp('quad_perm:[3,0,0,2] row_mask:0xf bank_mask:0xf').slice(4, 8)).toEqual([107, 104, 104, 106]);
    expect(dpp('row_mirror row_mask:0xf bank_mask:0xf')).toEqual(everyLane(64, (l) => 100 + (l & 48) + 15 - (l & 15)));
    expect(dpp('row_half_mirror row_mask:0xf bank_mask:0xf')).toEqual(
      everyLane(64, (l) => 100 + (l & ~7) + 7 - (l & 7)),
    );
    expect(dpp('row_share:5 row_mask:0xf bank_mask:0xf')).toEqual(everyLane(64, (l) => 100 + (l & 48) + 5));
    expect(dpp('row_xmask:6 row_mask:0xf bank_mask:0xf')).toEqual(everyLane(64, (l) => 100 + (l ^ 6)));
    // Rotate right by 1: the last lane of a row wraps to the first.
    expect(dpp('row_ror:1 row_mask:0xf bank_mask:0xf').slice(15, 18)).toEqual([114, 131, 116]);
  });
  it('shifts leave the row: bound_ctrl 0 in the encoding keeps the destination, 1 writes 0', () => {
    expect(dpp('row_shr:1 row_mask:0xf bank_mask:0xf').slice(15, 18)).toEqual([114, 0xffff, 116]);
    expect(dpp('row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0').slice(15, 18)).toEqual([114, 0, 116]);
    expect(dpp('row_shl:2 row_mask:0xf bank_mask:0xf').slice(12, 17)).toEqual([114, 115, 0xffff, 0xffff, 118]);
  });
  it('row and bank masks switch lanes off', () => {
    expect(dpp('quad_perm:[0,1,2,3] row_mask:0x2 bank_mask:0x9')).toEqual(
      everyLane(64, (l) => (l >> 4 === 1 && ((l >> 2) & 3) % 3 === 0 ? 100 + l : 0xffff)),
    );
  });
  it('a source lane that EXEC switches off is invalid unless fi is set', () => {
    const exec = { exec: [0xfffffffe, 0xffffffff] as const };
    expect(dpp('row_shr:1 row_mask:0xf bank_mask:0xf', exec)[1]).toBe(0xffff);
    expect(dpp('row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0', exec)[1]).toBe(0);
    expect(dpp('row_shr:1 row_mask:0xf bank_mask:0xf fi:1', exec)[1]).toBe(100);
    expect(dpp('row_shr:1 row_mask:0xf bank_mask:0xf fi:1', exec)[0]).toBe(0xffff);
  });
  it('works in two-operand instructions and on overlapping registers', () => {
    const o = run({
      text: 'v_add_nc_u32_dpp v1, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0',
      v: { 1: lane },
    });
    expect(o.v(1).slice(0, 3)).toEqual([100, 201, 203]);
  });
  it('DPP8 moves inside groups of eight; inactive sources read 0 unless fi', () => {
    const text = 'v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]';
    const o = run({ text, v: { 0: 0xffff, 1: lane }, exec: [0xffffff7f, 0] });
    expect(o.v(0).slice(0, 9)).toEqual([0, 106, 105, 104, 103, 102, 101, 0xffff, 115]);
    expect(run({ text: `${text} fi:1`, v: { 1: lane }, exec: [0xffffff7f, 0] }).v(0)[0]).toBe(107);
  });
});

describe.skipIf(!haveLlvm)('SDWA', () => {
  const v = { 0: 0xaaaaaaaa, 1: 0x80ff7f01, 2: 0x00020001 };
  const at = (text: string): number => run({ text, v }).v(0)[0]!;
  it('selects and extends sources', () => {
    expect(at('v_mov_b32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2')).toBe(0xff);
    expect(at('v_mov_b32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3')).toBe(0xffffff80);
    expect(at('v_add_nc_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_1')).toBe(
      0x8101,
    );
    expect(
      at('v_add_nc_u32_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0'),
    ).toBe(0xffff8100);
  });
  it('writes part of the destination: pad, sign-extend, preserve', () => {
    expect(at('v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:BYTE_2')).toBe(0x0000ff00);
    expect(at('v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_2')).toBe(0xffffff00);
    expect(at('v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2')).toBe(0xaaaaffaa);
    expect(at('v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0')).toBe(0x7f01aaaa);
    expect(at('v_mov_b32_sdwa v0, v1 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:WORD_1')).toBe(0xffff80ff);
  });
  it('compares into a chosen mask', () => {
    expect(run({ text: 'v_cmp_eq_u32_sdwa s4, v1, v2 src0_sel:BYTE_0 src1_sel:WORD_0', v, exec: [3, 0] }).s(4)).toBe(3);
  });
});

describe.skipIf(!haveLlvm)('permlane16', () => {
  const s = { 4: 0x76543210, 5: 0xfedcba98 };
  it('permutes inside rows, or from the other row', () => {
    const reverse = { 4: 0x89abcdef, 5: 0x01234567 };
    const o = run({
      text: 'v_permlane16_b32 v0, v1, s4, s5\nv_permlanex16_b32 v2, v1, s4, s5',
      v: { 1: lane },
      s: reverse,
    });
    expect(o.v(0)).toEqual(everyLane(32, (l) => 100 + (l & 16) + 15 - (l & 15)));
    expect(o.v(2)).toEqual(everyLane(32, (l) => 100 + ((l & 16) ^ 16) + 15 - (l & 15)));
  });
  it('inactive sources: keep, zero with bound_ctrl, fetch with fi', () => {
    const v = { 0: 7, 1: lane };
    const shifted = { 4: 0x65432100, 5: s[5] };
    const exec = [0xfffffffe, 0] as const;
    expect(run({ text: 'v_permlane16_b32 v0, v1, s4, s5', v, s: shifted, exec }).v(0)[1]).toBe(7);
    expect(run({ text: 'v_permlane16_b32 v0, v1, s4, s5 op_sel:[0,1]', v, s: shifted, exec }).v(0)[1]).toBe(0);
    expect(run({ text: 'v_permlane16_b32 v0, v1, s4, s5 op_sel:[1,0]', v, s: shifted, exec }).v(0)[1]).toBe(100);
  });
});

describe.skipIf(!haveLlvm)('DS lane moves', () => {
  const swizzle = (offset: string, exec: readonly [number, number] = [0xffffffff, 0xffffffff]): number[] =>
    run({ waveSize: 64, text: `ds_swizzle_b32 v0, v1 ${offset}`, v: { 1: (l) => (l & 31) + 1 }, exec }).v(0);
  it('quad and bit-mask swizzles', () => {
    expect(swizzle('offset:swizzle(QUAD_PERM,1,0,3,2)').slice(0, 4)).toEqual([2, 1, 4, 3]);
    expect(swizzle('offset:swizzle(SWAP,16)').slice(0, 33)).toEqual([...everyLane(32, (l) => (l ^ 16) + 1), 17]);
    expect(swizzle('offset:swizzle(REVERSE,8)').slice(0, 9)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 16]);
    expect(swizzle('offset:swizzle(BROADCAST,4,2)').slice(0, 8)).toEqual([3, 3, 3, 3, 7, 7, 7, 7]);
    expect(swizzle('offset:swizzle(SWAP,1)', [0xfffffffd, 0xffffffff])[0]).toBe(0);
  });
  it("rotate and FFT modes: the manual's own examples", () => {
    const rotate = (direction: number, amount: number, mask: number): string =>
      `offset:${0xc000 | (direction << 10) | (amount << 5) | mask}`;
    expect(swizzle(rotate(0, 1, 0)).slice(0, 32)).toEqual(everyLane(32, (l) => ((l + 1) & 31) + 1));
    expect(swizzle(rotate(1, 1, 0)).slice(0, 3)).toEqual([0x20, 1, 2]);
    expect(swizzle(rotate(0, 1, 1)).slice(0, 6)).toEqual([1, 4, 3, 6, 5, 8]);
    expect(swizzle(rotate(1, 1, 1)).slice(0, 4)).toEqual([0x1f, 2, 1, 4]);
    expect(swizzle(`offset:${0xe000}`).slice(0, 8)).toEqual([1, 0x11, 9, 0x19, 5, 0x15, 0xd, 0x1d]);
    expect(swizzle(`offset:${0xe010}`).slice(0, 8)).toEqual([1, 9, 5, 0xd, 3, 0xb, 7, 0xf]);
    expect(swizzle(`offset:${0xe01f}`).slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
  it("permute and bpermute: the manual's examples, and halves in wave64", () => {
    // ABCD with addresses 0 0 12 4
    const v = { 1: [0, 0, 12, 4], 2: [10, 11, 12, 13], 3: 99 };
    expect(
      run({ text: 'ds_permute_b32 v3, v1, v2', v, exec: [0xf, 0] })
        .v(3)
        .slice(0, 4),
    ).toEqual([11, 13, 0, 12]);
    expect(
      run({ text: 'ds_permute_b32 v3, v1, v2', v, exec: [0xa, 0] })
        .v(3)
        .slice(0, 4),
    ).toEqual([99, 13, 99, 0]);
    expect(
      run({ text: 'ds_bpermute_b32 v3, v1, v2', v, exec: [0xf, 0] })
        .v(3)
        .slice(0, 4),
    ).toEqual([10, 10, 13, 11]);
    expect(
      run({ text: 'ds_bpermute_b32 v3, v1, v2', v, exec: [0xa, 0] })
        .v(3)
        .slice(0, 4),
    ).toEqual([99, 0, 99, 11]);
    const o = run({ waveSize: 64, text: 'ds_bpermute_b32 v3, v1, v2', v: { 1: (l) => 4 * (63 - l), 2: lane } });
    expect(o.v(3)).toEqual(everyLane(64, (l) => 100 + (l & 32) + ((63 - l) & 31)));
    expect(run({ text: 'ds_bpermute_b32 v3, v1, v2 offset:8', v: { 1: (l) => 4 * l, 2: lane } }).v(3)[3]).toBe(105);
  });
});
