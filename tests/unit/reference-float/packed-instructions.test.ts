/**
 * VOP3P as machine code: packed halves, dot products, mixed precision. Expected values by hand or on exact rationals.
 */
import { describe, expect, it } from 'vitest';
import * as exact from '../../support/exact-float.ts';
import { haveLlvm, run } from '../reference/run-snippet.ts';
import { bits, hex, MODE_KEEP, pair, results } from './values.ts';

const { F16, F32 } = exact;

describe.skipIf(!haveLlvm)('packed arithmetic', () => {
  const v = { 0: pair(1.5, -2), 1: pair(4, 0.5), 2: pair(-1, 8) };

  it('works on both halves, with selects and signs', () => {
    const text = [
      'v_pk_add_f16 v10, v0, v1',
      'v_pk_mul_f16 v11, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]',
      'v_pk_fma_f16 v12, v0, v1, v2 neg_lo:[1,0,0] neg_hi:[0,0,1]',
      'v_pk_max_f16 v13, v0, v1',
      'v_pk_min_f16 v14, v0, v1 neg_lo:[0,1]',
      'v_pk_add_f16 v15, v0, v1 clamp',
      'v_pk_add_f16 v16, v0, 1.0',
      'v_pk_add_f16 v17, v0, 1.0 op_sel_hi:[1,0]',
    ].join('\n');
    expect(results(text, v)).toEqual(
      [
        pair(5.5, -1.5),
        pair(-8, 0.75),
        pair(-7, -9),
        pair(4, 0.5),
        pair(-4, -2),
        pair(1, 0),
        // The constant fills the low half only.
        pair(2.5, -2),
        pair(2.5, -1),
      ].map(hex),
    );
  });

  it('accumulates both halves', () => {
    expect(results('v_pk_fmac_f16 v10, v0, v1', { ...v, 10: pair(1, 10) })).toEqual([hex(pair(7, 9))]);
  });

  it('does not overwrite a source before the high half is computed', () => {
    const outcome = run({ mode: MODE_KEEP, text: 'v_pk_add_f16 v0, v0, v0 op_sel:[0,1] op_sel_hi:[0,1]', v });
    expect(hex(outcome.v(0)[0]!)).toBe(hex(pair(-0.5, -0.5)));
  });

  it('wraps or saturates integers', () => {
    const words = { 0: 0x7fff8000, 1: 0x0002ffff, 2: 0x00030004 };
    const text = [
      'v_pk_add_i16 v10, v0, v1',
      'v_pk_add_i16 v11, v0, v1 clamp',
      'v_pk_sub_i16 v12, v0, v1 clamp',
      'v_pk_add_u16 v13, v0, v1',
      'v_pk_add_u16 v14, v0, v1 clamp',
      'v_pk_sub_u16 v15, v2, v0 clamp',
      'v_pk_mul_lo_u16 v16, v0, v2',
      'v_pk_mad_i16 v17, v1, v2, v2',
      'v_pk_mad_u16 v18, v1, v2, v2 clamp',
      'v_pk_lshlrev_b16 v19, v2, v1',
      'v_pk_lshrrev_b16 v20, v2, v0',
      'v_pk_ashrrev_i16 v21, v2, v0',
      'v_pk_max_i16 v22, v0, v1',
      'v_pk_min_i16 v23, v0, v1',
      'v_pk_max_u16 v24, v0, v1',
      'v_pk_min_u16 v25, v0, v1',
      'v_pk_sub_u16 v26, v2, v0',
    ].join('\n');
    expect(results(text, words)).toEqual([
      '80017fff',
      '7fff8000',
      '7ffd8001',
      '80017fff',
      '8001ffff',
      '00000000',
      '7ffd0000',
      '00090000',
      '0009ffff',
      '0010fff0',
      '0fff0800',
      '0ffff800',
      '7fffffff',
      '00028000',
      '7fffffff',
      '00028000',
      '80048004',
    ]);
  });
});

describe.skipIf(!haveLlvm)('dot products and mixed precision', () => {
  it('sums integer products', () => {
    const words = { 0: 0x80ff017f, 1: 0x02030405, 2: 100, 3: 0x7ffffff0, 4: 0xfffffff0, 10: 5 };
    const signed8 = -128 * 2 - 1 * 3 + 1 * 4 + 127 * 5;
    const unsigned8 = 128 * 2 + 255 * 3 + 1 * 4 + 127 * 5;
    const nibbles = (x: number, sign: boolean) =>
      Array.from({ length: 8 }, (_, i) => (x >>> (4 * i)) & 15).map((n) => (sign && n > 7 ? n - 16 : n));
    const dot8 = (sign: boolean) =>
      nibbles(words[0], sign).reduce((sum, n, i) => sum + n * nibbles(words[1], sign)[i]!, 0);
    const signed16 = 0x017f * 0x0405 + (0x80ff - 0x10000) * 0x0203;
    const unsigned16 = 0x017f * 0x0405 + 0x80ff * 0x0203;
    const text = [
      'v_dot4c_i32_i8 v10, v0, v1',
      'v_dot4_i32_i8 v11, v0, v1, v2',
      'v_dot4_u32_u8 v12, v0, v1, v2',
      'v_dot8_i32_i4 v13, v0, v1, v2',
      'v_dot8_u32_u4 v14, v0, v1, v2',
      'v_dot2_i32_i16 v15, v0, v1, v2',
      'v_dot2_u32_u16 v16, v0, v1, v2',
      'v_dot4_i32_i8 v17, v0, v1, v3 clamp',
      'v_dot4_u32_u8 v18, v0, v1, v4 clamp',
      'v_dot2_u32_u16 v19, v0, v1, v2 op_sel:[1,0,0] op_sel_hi:[0,1,1]',
      'v_dot4_i32_i8 v20, v0, v1, v3',
    ].join('\n');
    expect(results(text, words, { target: 'gfx1030' })).toEqual(
      [
        5 + signed8,
        100 + signed8,
        100 + unsigned8,
        100 + dot8(true),
        100 + dot8(false),
        100 + signed16,
        100 + unsigned16,
        0x7fffffff,
        0xffffffff,
        100 + 0x80ff * 0x0405 + 0x017f * 0x0203,
        0x7ffffff0 + signed8,
      ].map((x) => hex(x >>> 0)),
    );
  });

  it('fuses the two steps of a float dot product, flushing f32 denormals', () => {
    // 1 + 2^−12 is no f16: products are built from f16 values whose sum needs both roundings in this order.
    const v = {
      0: pair(2048, 1),
      1: pair(2048, 2 ** -24),
      2: bits(2 ** -2),
      3: pair(-1, 2),
      10: bits(-1),
      4: 0x00000001,
      5: 0,
    };
    const t = exact.fma(F32, 0x45000000n, 0x45000000n, BigInt(v[2]), {
      round: 'nearest',
      flushIn: true,
      flushOut: true,
    });
    const d = exact.fma(F32, 0x3f800000n, BigInt(bits(2 ** -24)), t, {
      round: 'nearest',
      flushIn: true,
      flushOut: true,
    });
    const text =
      'v_dot2c_f32_f16 v10, v0, v3\nv_dot2_f32_f16 v11, v0, v1, v2\nv_dot2_f32_f16 v12, v0, v3, v2 neg_lo:[1,0,1] neg_hi:[0,1,0]\nv_dot2_f32_f16 v13, v5, v5, v4';
    expect(results(text, v, { target: 'gfx1030' })).toEqual(
      [bits(-1 - 2048 + 2), Number(d), bits(2048 - 2 - 0.25), 0].map(hex),
    );
  });

  it('mixes f16 and f32 sources', () => {
    const v = { 0: pair(1.5, -2), 1: bits(0.1), 2: pair(100, 7), 10: 0, 11: 0xaaaabbbb, 12: 0xaaaabbbb, 13: 0, 14: 0 };
    const text = [
      'v_fma_mix_f32 v10, v0, v1, v2 op_sel:[1,0,0] op_sel_hi:[1,0,1]',
      'v_fma_mixlo_f16 v11, v0, v1, v2 op_sel:[0,0,1] op_sel_hi:[1,0,1]',
      'v_fma_mixhi_f16 v12, -v0, |v1|, v2 op_sel_hi:[1,0,1]',
      'v_fma_mix_f32 v13, v1, v1, -v1',
      'v_fma_mix_f32 v14, v0, v1, 1.0 op_sel_hi:[1,0,0] clamp',
    ].join('\n');
    const mode = { round: 'nearest', flushIn: false, flushOut: false } as const;
    const fma = (a: number, b: number, c: number) =>
      exact.fma(F32, BigInt(bits(a)), BigInt(bits(b)), BigInt(bits(c)), mode);
    const toHalf = (x: bigint) => Number(exact.convert(F32, F16, x, 'nearest'));
    expect(results(text, v)).toEqual(
      [
        Number(fma(-2, 0.1, 100)),
        (0xaaaa0000 | toHalf(fma(1.5, 0.1, 7))) >>> 0,
        ((toHalf(fma(-1.5, 0.1, 100)) << 16) | 0xbbbb) >>> 0,
        Number(fma(0.1, 0.1, -0.1)),
        bits(1),
      ].map(hex),
    );
  });
});
