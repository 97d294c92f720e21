/**
 * Forms that instructions.test.ts does not reach: accumulators, literals, modifiers, half selects, sub-dword and lane
 * moves, division steps, approximate instructions. Expected values are worked out by hand or on exact rationals.
 */
import { describe, expect, it } from 'vitest';
import { haveLlvm, run } from '../reference/run-snippet.ts';
import { modesOf, RULES } from './instruction-rules.ts';
import { bits, bits64, half, hex, MODE_KEEP, pair, results } from './values.ts';

const DX10_CLAMP = 0x100;
const IEEE = 0x200;
const NAN = 0x7fc00000;

describe.skipIf(!haveLlvm)('accumulators and literals', () => {
  // 1 + 2^−12 squared is 1 + 2^−11 + 2^−24: fused and unfused differ after subtracting 1 + 2^−11.
  const x = bits(1 + 2 ** -12);
  const minus = bits(-(1 + 2 ** -11));
  it('fuses v_fmac, v_fmamk, v_fmaak, and not v_mac, v_madmk, v_madak', () => {
    const text = (fused: boolean) => {
      const [ac, mk, ak] = fused ? ['fmac', 'fmamk', 'fmaak'] : ['mac', 'madmk', 'madak'];
      return `v_${ac}_f32 v10, v0, v0\nv_${mk}_f32 v11, v0, 0x${hex(x)}, v1\nv_${ak}_f32 v12, v0, v0, 0x${hex(minus)}`;
    };
    const v = { 0: x, 1: minus, 10: minus };
    expect(results(text(true), v)).toEqual(Array(3).fill(hex(bits(2 ** -24))));
    expect(results(text(false), v)).toEqual(Array(3).fill(hex(0)));
    expect(results(text(false), v, { target: 'gfx700' })).toEqual(Array(3).fill(hex(0)));
  });

  it('flushes denormals in v_mad and v_mac even where MODE keeps them', () => {
    const v = { 0: 0x00400000, 1: bits(1), 2: 0, 10: 0, 11: 0 };
    expect(results('v_mac_f32 v10, v0, v1\nv_fmac_f32 v11, v0, v1', v)).toEqual([hex(0), hex(0x00400000)]);
    expect(results('v_mad_f32 v10, v0, v1, v2\nv_fma_f32 v11, v0, v1, v2', v)).toEqual([hex(0), hex(0x00400000)]);
  });

  it('accumulates halves into the low half', () => {
    const v = { 0: pair(3, 7), 1: pair(2, 9), 10: pair(1, 5), 11: 0xffff0000, 12: 0xeeee0000 };
    const text = `v_fmac_f16 v10, v0, v1\nv_fmamk_f16 v11, v0, 0x${half(10).toString(16)}, v1\nv_fmaak_f16 v12, v0, v1, 0x${half(0.5).toString(16)}`;
    expect(results(text, v)).toEqual([
      hex(pair(7, 5)),
      hex((0xffff0000 | half(32)) >>> 0),
      hex((0xeeee0000 | half(6.5)) >>> 0),
    ]);
  });

  it('keeps the accumulator where a legacy factor is zero', () => {
    const v = { 0: 0, 1: 0x7f800000, 10: 0x80000000, 11: 0x80000000 };
    expect(results('v_mac_legacy_f32 v10, v0, v1', v)).toEqual(['80000000']);
    expect(results('v_fmac_legacy_f32 v10, v0, v1', v, { target: 'gfx1030' })).toEqual(['80000000']);
    expect(results('v_mac_f32 v10, v0, v1', v)).toEqual(['ffc00000']);
  });
});

describe.skipIf(!haveLlvm)('modifiers', () => {
  const v = { 0: bits(1.5), 1: bits(-4), 2: NAN | 5, 3: bits(3e38), 4: 0x80000000, 5: bits(2 ** -126) };

  it('applies abs, then neg', () => {
    expect(
      results('v_add_f32 v10, -v0, |v1|\nv_mul_f32 v11, -|v1|, v0\nv_max_f32 v12, -v1, v0\nv_add_f32 v13, -v2, v0', v),
    ).toEqual([bits(2.5), bits(-6), bits(4), 0xffc00005].map(hex));
  });

  it('scales by omod only where denormal results are flushed and IEEE is off', () => {
    const text = 'v_mul_f32 v10, v0, v0 mul:2\nv_mul_f32 v11, v0, v0 mul:4\nv_mul_f32 v12, v0, v0 div:2';
    expect(results(text, v, { mode: 0xc0 })).toEqual([4.5, 9, 1.125].map((x) => hex(bits(x))));
    expect(results(text, v, { mode: 0xf0 })).toEqual([2.25, 2.25, 2.25].map((x) => hex(bits(x))));
    expect(results(text, v, { mode: 0xc0 | IEEE })).toEqual([2.25, 2.25, 2.25].map((x) => hex(bits(x))));
  });

  it('overflows, flushes and drops −0 with omod', () => {
    const text =
      'v_add_f32 v10, v3, v4 mul:4\nv_add_f32 v11, v4, v4 mul:2\nv_add_f32 v12, v5, v4 div:2\nv_add_f32 v13, v2, v4 mul:2';
    expect(results(text, v, { mode: 0xc0 })).toEqual([0x7f800000, 0, 0, 0x7fc00005].map(hex));
  });

  it('clamps to 0…1, NaN by DX10_CLAMP', () => {
    const text = [
      'v_add_f32 v10, v0, v4 clamp',
      'v_add_f32 v11, v1, v4 clamp',
      'v_add_f32 v12, v4, v4 clamp',
      'v_add_f32 v13, v2, v4 clamp',
      'v_mul_f32 v14, v0, 0.5 clamp',
    ].join('\n');
    expect(results(text, v, { mode: MODE_KEEP | DX10_CLAMP })).toEqual([bits(1), 0, 0, 0, bits(0.75)].map(hex));
    expect(results(text, v)).toEqual([bits(1), 0, 0, 0x7fc00005, bits(0.75)].map(hex));
  });

  it('clamps f64 and f16 too', () => {
    const lanes = { 0: 0, 1: 0x40000000, 2: half(-3), 3: half(0.25) };
    const outcome = run({
      mode: MODE_KEEP,
      text: 'v_add_f64 v[10:11], v[0:1], v[0:1] clamp\nv_mul_f64 v[12:13], v[0:1], -v[0:1] clamp\nv_add_f16 v14, v2, v3 clamp\nv_add_f16 v15, -v2, v3 clamp',
      v: lanes,
    });
    expect([10, 11, 12, 13].map((r) => outcome.v(r)[0])).toEqual([0, 0x3ff00000, 0, 0]);
    expect([outcome.v(14)[0], outcome.v(15)[0]]).toEqual([0, half(1)]);
  });
});

describe.skipIf(!haveLlvm)('halves, sub-dwords and lane moves', () => {
  it('selects halves with op_sel and keeps the other half', () => {
    const v = { 0: pair(1, 10), 1: pair(2, 20), 10: 0xaaaabbbb, 11: 0xaaaabbbb, 12: 0xaaaabbbb };
    const text = `v_max3_f16 v10, v0, v1, v1 op_sel:[1,0,0,0]\nv_fma_f16 v11, v0, v1, v0 op_sel:[0,1,1,1]\nv_min3_f16 v12, v0, v1, v1 op_sel:[1,1,0,1]`;
    expect(results(text, v)).toEqual([
      hex((0xaaaa0000 | half(10)) >>> 0),
      hex(((half(30) << 16) | 0xbbbb) >>> 0),
      hex(((half(2) << 16) | 0xbbbb) >>> 0),
    ]);
  });

  it('reads and writes sub-dwords', () => {
    const v = { 0: pair(1.5, -2), 1: pair(4, 0.5), 10: 0x11112222, 11: 0x11112222, 12: 0x11112222 };
    const text = [
      'v_add_f16_sdwa v10, v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0',
      'v_mul_f16_sdwa v11, -v0, |v1| dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1',
      'v_cvt_f32_f16_sdwa v12, v0 dst_sel:DWORD src0_sel:WORD_1',
    ].join('\n');
    expect(results(text, v)).toEqual([hex(((half(2) << 16) | 0x2222) >>> 0), hex(half(-0.75)), hex(bits(-2))]);
  });

  it('moves lanes with DPP before modifiers', () => {
    const outcome = run({
      mode: MODE_KEEP,
      text: 'v_add_f32_dpp v10, -v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf\nv_mul_f32_dpp v11, v0, v1 dpp8:[7,6,5,4,3,2,1,0]',
      v: { 0: (lane) => bits(lane), 1: bits(0.5), 10: 7, 11: 7 },
    });
    expect(outcome.v(10).slice(0, 3).map(hex)).toEqual([hex(7), hex(bits(0.5)), hex(bits(-0.5))]);
    expect(outcome.v(11).slice(0, 3).map(hex)).toEqual([3.5, 3, 2.5].map((x) => hex(bits(x))));
  });

  it('leaves inactive lanes alone', () => {
    const outcome = run({
      mode: MODE_KEEP,
      text: 'v_add_f32 v10, v0, v0\nv_add_f64 v[12:13], v[0:1], v[0:1]',
      v: { 0: bits(1), 1: 0x3ff00000, 10: 9, 12: 9, 13: 9 },
      exec: [5, 0],
    });
    expect(outcome.v(10).slice(0, 4).map(hex)).toEqual([bits(2), 9, bits(2), 9].map(hex));
    expect(outcome.v(13).slice(0, 2).map(hex)).toEqual([hex(0x40000000), hex(9)]);
  });
});

describe.skipIf(!haveLlvm)('division instructions', () => {
  it('writes the scale flag of each lane and reads it back from VCC', () => {
    // Lane 0: quotient near the largest float; lane 1: nothing to scale; lane 2: denormal quotient.
    const n = [bits(2 ** 100), bits(6), bits(2 ** -100)];
    const d = [bits(2 ** -20), bits(3), bits(2 ** 50)];
    const outcome = run({
      mode: MODE_KEEP,
      text: `v_div_scale_f32 v10, s20, v1, v1, v0
        v_div_scale_f32 v11, vcc_lo, v0, v1, v0
        v_div_fmas_f32 v12, v2, v3, v4`,
      v: { 0: n, 1: d, 2: bits(0), 3: bits(0), 4: [bits(8), bits(8), bits(1)] },
      exec: [7, 0],
      vcc: [0xffff0000, 0],
    });
    expect(outcome.s(20)).toBe(0b101);
    expect(outcome.vcc[0]).toBe(0b101);
    expect(outcome.v(10).slice(0, 3).map(hex)).toEqual([bits(2 ** 44), bits(3), bits(2 ** 50)].map(hex));
    expect(outcome.v(11).slice(0, 3).map(hex)).toEqual([bits(2 ** 100), bits(6), bits(2 ** -36)].map(hex));
    expect(outcome.v(12).slice(0, 3).map(hex)).toEqual([bits(2 ** 67), bits(8), bits(2 ** -64)].map(hex));
  });

  it('fixes special quotients', () => {
    const v = { 0: bits(1.5), 1: bits(-0), 2: bits(2), 3: bits(Infinity) };
    const text =
      'v_div_fixup_f32 v10, v0, v1, v2\nv_div_fixup_f32 v11, v0, v3, v1\nv_div_fixup_f32 v12, -v0, v2, v2\nv_div_fixup_f32 v13, v0, v3, v3';
    expect(results(text, v)).toEqual([0xff800000, 0x80000000, bits(1.5), 0xffc00000].map(hex));
  });

  it('divides f64 like LLVM does', () => {
    const text = `v_div_scale_f64 v[20:21], s2, v[2:3], v[2:3], v[0:1]
      v_rcp_f64 v[22:23], v[20:21]
      v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
      v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
      v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
      v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
      v_div_scale_f64 v[26:27], vcc_lo, v[0:1], v[2:3], v[0:1]
      v_mul_f64 v[28:29], v[26:27], v[22:23]
      v_fma_f64 v[30:31], -v[20:21], v[28:29], v[26:27]
      v_div_fmas_f64 v[30:31], v[30:31], v[22:23], v[28:29]
      v_div_fixup_f64 v[10:11], v[30:31], v[2:3], v[0:1]`;
    const list = [1, 10, -7.25, 2 ** -1040, 2 ** 1000, 1e308, 3, 5e-324];
    const word = (value: number, shift: bigint) => Number((bits64(value) >> shift) & 0xffffffffn);
    const n = (lane: number) => list[lane & 7]!;
    const d = (lane: number) => list[(lane * 3 + 1 + (lane >> 3)) & 7]!;
    const outcome = run({
      mode: MODE_KEEP,
      text,
      v: { 0: (l) => word(n(l), 0n), 1: (l) => word(n(l), 32n), 2: (l) => word(d(l), 0n), 3: (l) => word(d(l), 32n) },
    });
    for (let lane = 0; lane < 32; lane++) {
      const got = (BigInt(outcome.v(11)[lane]!) << 32n) | BigInt(outcome.v(10)[lane]!);
      // Host division of doubles is IEEE 754's.
      expect([n(lane), d(lane), got]).toEqual([n(lane), d(lane), bits64(n(lane) / d(lane))]);
    }
  });
});

describe.skipIf(!haveLlvm)('conversions with more operands', () => {
  it('inserts bytes', () => {
    const v = { 0: bits(2.5), 1: 2, 2: 0x11223344, 3: bits(300), 4: bits(-5), 5: 7 };
    const text = 'v_cvt_pk_u8_f32 v10, v0, v1, v2\nv_cvt_pk_u8_f32 v11, v3, 0, v2\nv_cvt_pk_u8_f32 v12, v4, v5, v2';
    expect(results(text, v)).toEqual(['11023344', '112233ff', '00223344']);
    expect(results(text, v, { mode: 0xf1 })[0]).toBe('11033344');
    const gfx7 = { ...v, 10: 0xaabbccdd };
    expect(results('v_cvt_pkaccum_u8_f32 v10, v0, v1', gfx7, { target: 'gfx700' })).toEqual(['aa02ccdd']);
  });

  it('reads inline constants of v_cvt_f32_f16 as f16 on gfx10, as half of an f32 on gfx7', () => {
    const text = 'v_cvt_f32_f16 v10, 1.0\nv_cvt_f32_f16 v11, -v0\nv_cvt_f32_f16 v12, |v1|';
    const v = { 0: half(3), 1: half(-3) };
    expect(results(text, v)).toEqual([1, -3, 3].map((x) => hex(bits(x))));
    expect(results(text, v, { target: 'gfx700' })).toEqual([0, -3, 3].map((x) => hex(bits(x))));
  });

  it('looks up pieces of 2/π and scales f64', () => {
    const outcome = run({
      mode: MODE_KEEP,
      text: 'v_trig_preop_f64 v[10:11], v[0:1], 0\nv_ldexp_f64 v[12:13], v[0:1], v2\nv_ldexp_f64 v[14:15], -v[0:1], v3',
      v: { 0: 0, 1: 0x3ff80000, 2: 3, 3: -1080 },
    });
    // 2/π to 53 bits, truncated: 0.A2F9836E4E441 5… in hexadecimal.
    expect([outcome.v(11)[0], outcome.v(10)[0]].map((w) => hex(w!))).toEqual(['3fe45f30', '6dc9c882']);
    expect(outcome.v(13)[0]).toBe(0x40280000);
    expect([outcome.v(15)[0], outcome.v(14)[0]]).toEqual([0x80000000, 0]);
  });

  it('finds cube faces', () => {
    const v = { 0: bits(1), 1: bits(-3), 2: bits(2) };
    const text = ['id', 'sc', 'tc', 'ma'].map((op, i) => `v_cube${op}_f32 v${10 + i}, v0, v1, v2`).join('\n');
    expect(results(text, v)).toEqual([3, 1, -2, -6].map((x) => hex(bits(x))));
  });
});

describe.skipIf(!haveLlvm)('approximate instructions', () => {
  it('are wired to their functions', () => {
    const v = { 0: bits(4), 1: bits(0.25), 2: half(4), 3: half(0.25), 4: 0, 5: 0x40100000 };
    const text = [
      'v_rcp_f32 v10, v0',
      'v_rsq_f32 v11, v0',
      'v_sqrt_f32 v12, v0',
      'v_exp_f32 v13, v0',
      'v_log_f32 v14, v0',
      'v_sin_f32 v15, v1',
      'v_cos_f32 v16, v1',
      'v_rcp_iflag_f32 v17, v0',
      'v_rcp_f16 v18, v2',
      'v_rsq_f16 v19, v2',
      'v_sqrt_f16 v20, v2',
      'v_exp_f16 v21, v2',
      'v_log_f16 v22, v2',
      'v_sin_f16 v23, v3',
      'v_cos_f16 v24, v3',
    ].join('\n');
    const f32 = [0.25, 0.5, 2, 16, 2, 1, 0, 0.25].map((x) => hex(bits(x)));
    const f16 = [0.25, 0.5, 2, 16, 2, 1, 0].map((x) => hex(half(x)));
    expect(results(text, v)).toEqual([...f32, ...f16]);
    const doubles = run({
      mode: MODE_KEEP,
      text: 'v_rcp_f64 v[10:11], v[4:5]\nv_rsq_f64 v[12:13], v[4:5]\nv_sqrt_f64 v[14:15], v[4:5]',
      v,
    });
    expect([11, 13, 15].map((r) => doubles.v(r)[0])).toEqual([0x3fd00000, 0x3fe00000, 0x40000000]);
  });

  it('have clamp and legacy forms on gfx7', () => {
    const v = { 0: 0, 1: 0x80000000, 2: bits(0.25), 3: bits(4), 4: 0, 5: 0x80000000 };
    const text = [
      'v_rcp_clamp_f32 v10, v0',
      'v_rcp_clamp_f32 v11, v1',
      'v_rcp_legacy_f32 v12, v1',
      'v_rsq_clamp_f32 v13, v0',
      'v_rsq_legacy_f32 v14, v0',
      'v_log_clamp_f32 v15, v0',
      'v_log_legacy_f32 v16, v3',
      'v_exp_legacy_f32 v17, v3',
      'v_rcp_legacy_f32 v18, v3',
      'v_rsq_clamp_f32 v19, v3',
      'v_sin_f32 v20, v2',
    ].join('\n');
    expect(results(text, v, { target: 'gfx700' })).toEqual(
      [
        0x7f7fffff,
        0xff7fffff,
        0x80000000,
        0x7f7fffff,
        0,
        0xff7fffff,
        bits(2),
        bits(16),
        bits(0.25),
        bits(0.5),
        bits(1),
      ].map(hex),
    );
    const doubles = run({
      target: 'gfx700',
      mode: MODE_KEEP,
      text: 'v_rcp_clamp_f64 v[10:11], v[4:5]\nv_rsq_clamp_f64 v[12:13], v[0:1]',
      v: { ...v, 1: 0 },
    });
    expect([10, 11, 12, 13].map((r) => hex(doubles.v(r)[0]!))).toEqual([
      'ffffffff',
      'ffefffff',
      'ffffffff',
      '7fefffff',
    ]);
  });

  it('limit the range of sine on gfx7 only', () => {
    const v = { 0: bits(256.25), 1: bits(-300.25), 2: bits(256) };
    const text = 'v_sin_f32 v10, v0\nv_cos_f32 v11, v1\nv_sin_f32 v12, v1\nv_cos_f32 v13, v2';
    expect(results(text, v)).toEqual([1, 0, -1, 1].map((x) => hex(bits(x))));
    expect(results(text, v, { target: 'gfx700' })).toEqual([0, 1, 0, 1].map((x) => hex(bits(x))));
  });

  it('flush f32 denormals whatever MODE says', () => {
    const v = { 0: 1, 1: bits(2 ** 127) };
    expect(results('v_sqrt_f32 v10, v0\nv_rcp_f32 v11, v1\nv_log_f32 v12, v0', v)).toEqual([0, 0, 0xff800000].map(hex));
  });
});

describe('rules', () => {
  it('see the fields of MODE', () => {
    const m = modesOf(0x65, false);
    expect([m.f32.round, m.f32.flushIn, m.f32.flushOut]).toEqual(['up', true, false]);
    expect([m.wide.round, m.wide.flushIn, m.wide.flushOut]).toEqual(['up', false, true]);
    expect(Object.keys(RULES).length).toBeGreaterThan(85);
  });
});
