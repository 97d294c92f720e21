/** LDS, buffers, flat, scratch and scalar memory: addresses, bounds, widths, atomics, by hand from the manuals. */
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import { DATA, everyLane, haveLlvm, rawBuffer, run, type Snippet, scalars } from './run-snippet.ts';

const DATA_LOW = DATA % 2 ** 32;
const DATA_HIGH = Math.floor(DATA / 2 ** 32);
const words = (n: number, f: (i: number) => number = (i) => 0x1000 + i): number[] =>
  Array.from({ length: n }, (_, i) => f(i));

describe.skipIf(!haveLlvm)('LDS', () => {
  it('reads and writes every width', () => {
    const o = run({
      text: `ds_read_u8 v2, v1 offset:1
        ds_read_i8 v3, v1 offset:1
        ds_read_u16 v4, v1 offset:2
        ds_read_i16 v5, v1 offset:2
        ds_read_b64 v[6:7], v1
        ds_read_b96 v[8:10], v1
        ds_read_b128 v[12:15], v1
        ds_read2_b32 v[16:17], v1 offset0:1 offset1:3
        ds_read2_b64 v[18:21], v1 offset0:0 offset1:1`,
      lds: [0x8081_9091, 2, 3, 4],
      v: { 1: 0 },
    });
    expect([2, 3, 4, 5].map((r) => o.v(r)[7])).toEqual([0x90, 0xffffff90, 0x8081, 0xffff8081]);
    const at = (first: number, n: number): number[] => words(n, (i) => o.v(first + i)[7]!);
    expect(at(6, 2)).toEqual([0x80819091, 2]);
    expect(at(8, 3)).toEqual([0x80819091, 2, 3]);
    expect(at(12, 4)).toEqual([0x80819091, 2, 3, 4]);
    expect(at(16, 2)).toEqual([2, 4]);
    expect(at(18, 4)).toEqual([0x80819091, 2, 3, 4]);
  });
  it('d16 forms touch one half', () => {
    const o = run({
      text: `ds_read_u8_d16 v2, v1
        ds_read_u8_d16_hi v3, v1
        ds_read_i8_d16 v4, v1
        ds_read_i8_d16_hi v5, v1
        ds_read_u16_d16 v6, v1
        ds_read_u16_d16_hi v7, v1
        ds_write_b8_d16_hi v1, v8 offset:4
        ds_write_b16_d16_hi v1, v8 offset:8
        ds_read_b32 v9, v1 offset:4
        ds_read_b32 v10, v1 offset:8`,
      lds: [0x1234_8081, 0, 0],
      v: {
        1: 0,
        2: 0xaaaabbbb,
        3: 0xaaaabbbb,
        4: 0xaaaabbbb,
        5: 0xaaaabbbb,
        6: 0xaaaabbbb,
        7: 0xaaaabbbb,
        8: 0x11223344,
      },
      exec: [1, 0],
    });
    expect([2, 3, 4, 5, 6, 7, 9, 10].map((r) => o.v(r)[0])).toEqual([
      0xaaaa0081, 0x0081bbbb, 0xaaaaff81, 0xff81bbbb, 0xaaaa8081, 0x8081bbbb, 0x22, 0x1122,
    ]);
  });
  it('writes: the highest lane wins, st64 strides, out of range is dropped and reads 0', () => {
    const o = run({
      text: `ds_write_b32 v1, v2
        ds_read_b32 v3, v1
        ds_write2st64_b32 v1, v2, v4 offset0:1 offset1:2
        ds_read_b32 v5, v1 offset:256
        ds_read_b32 v6, v1 offset:512
        ds_write_b32 v7, v2
        ds_read_b32 v8, v7
        ds_read_b64 v[10:11], v9`,
      ldsBytes: 1024,
      v: { 1: 0, 2: (l) => l, 4: 77, 7: 1024, 9: 1020 },
    });
    expect([3, 5, 6, 8].map((r) => o.v(r)[0])).toEqual([31, 31, 77, 0]);
    expect(o.result.status).toBe('completed');
    expect([o.v(10)[0], o.v(11)[0]]).toEqual([0, 0]);
  });
  it('wide reads are checked per dword', () => {
    const o = run({ text: 'ds_read_b64 v[2:3], v1', lds: [1, 2], v: { 1: 4, 3: 9 } });
    expect([o.v(2)[0], o.v(3)[0]]).toEqual([2, 0]);
  });
  it('gfx7 limits LDS by M0', () => {
    const o = run({
      target: 'gfx700',
      text: 'ds_read_b32 v2, v1\nds_read_b32 v3, v1 offset:4',
      lds: [5, 6],
      v: { 1: 0 },
      m0: 4,
    });
    expect([o.v(2)[0], o.v(3)[0]]).toEqual([5, 0]);
  });
  it('atomics: operations, returns, operand order of cmpst', () => {
    const one = (op: string, old: number, data: number): readonly number[] => {
      const o = run({
        text: `ds_${op} v2, v1, v3\nds_read_b32 v4, v1`,
        lds: [old],
        v: { 1: 0, 3: data },
        exec: [1, 0],
      });
      return [o.v(2)[0]!, o.v(4)[0]!];
    };
    expect(one('add_rtn_u32', 0xffffffff, 3)).toEqual([0xffffffff, 2]);
    expect(one('sub_rtn_u32', 1, 3)).toEqual([1, 0xfffffffe]);
    expect(one('rsub_rtn_u32', 1, 3)).toEqual([1, 2]);
    expect(one('inc_rtn_u32', 3, 3)).toEqual([3, 0]);
    expect(one('inc_rtn_u32', 2, 3)).toEqual([2, 3]);
    expect(one('dec_rtn_u32', 0, 3)).toEqual([0, 3]);
    expect(one('dec_rtn_u32', 9, 3)).toEqual([9, 3]);
    expect(one('dec_rtn_u32', 2, 3)).toEqual([2, 1]);
    expect(one('min_rtn_i32', 5, 0xffffffff)).toEqual([5, 0xffffffff]);
    expect(one('min_rtn_u32', 5, 0xffffffff)).toEqual([5, 5]);
    expect(one('max_rtn_i32', 5, 0xffffffff)).toEqual([5, 5]);
    expect(one('max_rtn_u32', 5, 0xffffffff)).toEqual([5, 0xffffffff]);
    expect(one('and_rtn_b32', 6, 3)).toEqual([6, 2]);
    expect(one('or_rtn_b32', 6, 3)).toEqual([6, 7]);
    expect(one('xor_rtn_b32', 6, 3)).toEqual([6, 5]);
    expect(one('wrxchg_rtn_b32', 6, 3)).toEqual([6, 3]);
    expect(one('min_rtn_f32', 0x3f800000, 0xbf800000)).toEqual([0x3f800000, 0xbf800000]);
    expect(one('min_rtn_f32', 0x3f800000, 0x7fc00000)).toEqual([0x3f800000, 0x3f800000]);
    expect(one('add_rtn_f32', 0x3f800000, 0x3f800000)).toEqual([0x3f800000, 0x40000000]);
    const two = (op: string, a: number, b: number): number =>
      run({ text: `ds_${op} v2, v1, v3, v4\nds_read_b32 v5, v1`, lds: [6], v: { 1: 0, 3: a, 4: b }, exec: [1, 0] }).v(
        5,
      )[0]!;
    expect(two('cmpst_rtn_b32', 6, 9)).toBe(9);
    expect(two('cmpst_rtn_b32', 9, 6)).toBe(6);
    expect(two('mskor_rtn_b32', 4, 0x10)).toBe(0x12);
    expect(two('wrap_rtn_b32', 4, 0x10)).toBe(2);
    expect(two('wrap_rtn_b32', 7, 0x10)).toBe(0x16);
  });
  it('64-bit atomics carry between halves', () => {
    const o = run({
      text: 'ds_add_rtn_u64 v[2:3], v1, v[4:5]\nds_read_b64 v[6:7], v1\nds_max_i64 v1, v[8:9]\nds_read_b64 v[10:11], v1',
      lds: [0xffffffff, 1],
      v: { 1: 0, 4: 2, 5: 0, 8: 5, 9: 0xffffffff },
      exec: [1, 0],
    });
    expect([2, 3, 6, 7, 10, 11].map((r) => o.v(r)[0])).toEqual([0xffffffff, 1, 1, 2, 1, 2]);
  });
  it('lanes act one after the other', () => {
    const o = run({ text: 'ds_add_rtn_u32 v2, v1, v3', lds: [100], v: { 1: 0, 3: (l) => l } });
    expect(o.v(2).slice(0, 5)).toEqual([100, 100, 101, 103, 106]);
  });
  it('append and consume count active lanes once', () => {
    const o = run({
      text: 'ds_append v2 offset:4\nds_consume v3 offset:4\nds_append v4 offset:4',
      lds: [0, 10],
      m0: 0,
      exec: [0x17, 0],
    });
    expect([2, 3, 4].map((r) => o.v(r)[0])).toEqual([10, 14, 10]);
    expect(o.wave.group.lds.load(4, 4, 8)).toBe(14);
    expect(o.v(2)[3]).toBe(0);
  });
  it('src2 forms, exchanges of two, conditional exchange, addtid', () => {
    const o = run({
      text: `ds_add_src2_u32 v1 offset:2
        ds_wrxchg2_rtn_b32 v[4:5], v1, v2, v3 offset0:1 offset1:3
        ds_condxchg32_rtn_b64 v[6:7], v1, v[8:9] offset:8
        ds_write_addtid_b32 v10 offset:16
        ds_read_addtid_b32 v11 offset:16`,
      lds: [1, 20, 300, 4000, 0, 0],
      v: { 1: 0, 2: 5, 3: 6, 8: 0x80000007, 9: 9, 10: (l) => 50 + l },
      m0: 0,
      exec: [1, 0],
    });
    const memory = words(5, (i) => o.wave.group.lds.load(4 * i, 4, 100));
    expect(memory).toEqual([301, 5, 7, 6, 50]);
    expect([4, 5, 6, 7, 11].map((r) => o.v(r)[0])).toEqual([20, 4000, 300, 6, 50]);
  });
  it('GDS takes base and size from M0', () => {
    const o = run({
      text: 'ds_add_rtn_u32 v2, v1, v3 gds\nds_add_rtn_u32 v2, v1, v3 gds\nds_add_rtn_u32 v4, v5, v3 gds',
      v: { 1: 0, 3: 5, 5: 16 },
      m0: (0x40 << 16) | 16,
      exec: [1, 0],
    });
    expect([o.v(2)[0], o.v(4)[0]]).toEqual([5, 0]);
    expect(o.wave.machine.gds.load(0x40, 4, 0x1000)).toBe(10);
  });
  it('lds_direct reads at M0', () => {
    expect(run({ text: 'v_mov_b32_e32 v0, src_lds_direct', lds: [1, 0x80], m0: (2 << 16) | 4 }).v(0)[9]).toBe(0x80);
    expect(run({ text: 'v_mov_b32_e32 v0, src_lds_direct', lds: [1, 0x80], m0: (4 << 16) | 4 }).v(0)[9]).toBe(
      0xffffff80,
    );
  });
});

describe.skipIf(!haveLlvm)('buffers', () => {
  const raw = scalars(4, rawBuffer(DATA, 64));
  it('loads and stores every width with offsets', () => {
    const o = run({
      text: `buffer_load_ubyte v2, v1, s[4:7], 0 offen offset:3
        buffer_load_sbyte v3, v1, s[4:7], 0 offen offset:3
        buffer_load_ushort v4, v1, s[4:7], 0 offen offset:2
        buffer_load_sshort v5, v1, s[4:7], 0 offen offset:2
        buffer_load_dwordx2 v[6:7], v1, s[4:7], s8 offen
        buffer_load_dwordx4 v[8:11], off, s[4:7], 0 offset:16
        buffer_load_dwordx3 v[12:14], off, s[4:7], 0
        buffer_store_byte v15, off, s[4:7], 0 offset:32
        buffer_store_short v15, off, s[4:7], 0 offset:36
        buffer_store_dwordx2 v[16:17], off, s[4:7], 0 offset:40
        buffer_store_byte_d16_hi v15, off, s[4:7], 0 offset:33
        buffer_load_short_d16_hi v18, off, s[4:7], 0 offset:2`,
      s: { ...raw, 8: 4 },
      data: words(16, (i) => 0x80706050 + i),
      v: { 1: 0, 15: 0xaabbccdd, 16: 1, 17: 2, 18: 0x1111 },
      exec: [1, 0],
    });
    expect([2, 3, 4, 5].map((r) => o.v(r)[0])).toEqual([0x80, 0xffffff80, 0x8070, 0xffff8070]);
    expect([6, 7, 8, 11, 12, 14].map((r) => o.v(r)[0])).toEqual([1, 2, 4, 7, 0, 2].map((i) => 0x80706050 + i));
    expect(o.data(8, 4)).toEqual([0x8070bbdd, 0x8070ccdd, 1, 2]);
    expect(o.v(18)[0]).toBe(0x80701111);
  });

  /** Loads dwordx2 by index v1 and offset v2 with the given V#; the result per lane. */
  const structured = (
    target: Target,
    word1: number,
    numRecords: number,
    word3: number,
    form: string,
    more: Partial<Snippet> = {},
  ) =>
    run({
      target,
      waveSize: target === 'gfx700' ? 64 : 32,
      text: `buffer_load_dwordx2 v[4:5], ${form}`,
      s: scalars(4, [DATA_LOW, DATA_HIGH | word1, numRecords, word3]),
      data: words(64),
      v: { 1: (l) => l, 2: 0, 4: 7, 5: 7 },
      ...more,
    });
  const STRIDE_8 = 8 << 16;

  it('gfx10 OOB_SELECT 0: index and offset against num_records and stride, per dword', () => {
    const o = structured('gfx1013', STRIDE_8, 3, 0x01016fac, 'v1, s[4:7], 0 idxen');
    expect(o.v(4).slice(0, 4)).toEqual([0x1000, 0x1002, 0x1004, 0]);
    expect(o.v(5).slice(0, 4)).toEqual([0x1001, 0x1003, 0x1005, 0]);
    const shifted = structured('gfx1013', STRIDE_8, 3, 0x01016fac, 'v1, s[4:7], 0 idxen offset:4');
    expect([shifted.v(4)[0], shifted.v(5)[0]]).toEqual([0x1001, 0]);
  });
  it('gfx10 OOB_SELECT 1: the index only', () => {
    const o = structured('gfx1013', STRIDE_8, 3, 0x11016fac, 'v1, s[4:7], 0 idxen offset:4');
    expect([o.v(4)[2], o.v(5)[2], o.v(4)[3]]).toEqual([0x1005, 0x1006, 0]);
  });
  it('gfx10 OOB_SELECT 2: only num_records = 0', () => {
    const o = structured('gfx1013', STRIDE_8, 1, 0x21016fac, 'v1, s[4:7], 0 idxen');
    expect(o.v(5)[20]).toBe(0x1029);
    expect(structured('gfx1013', STRIDE_8, 0, 0x21016fac, 'v1, s[4:7], 0 idxen').v(4)[0]).toBe(0);
  });
  it('gfx10 OOB_SELECT 3: bytes, including the access itself; the SGPR offset does not count', () => {
    const o = structured('gfx1013', 0, 10, 0x31016fac, 'v1, s[4:7], 0 offen', {
      v: { 1: [0, 2, 4, 6, 8, 0xfffffff8] },
    });
    expect([0, 2, 3].map((l) => [o.v(4)[l], o.v(5)[l]])).toEqual([
      [0x1000, 0x1001],
      [0x1001, 0],
      [0x10020000, 0],
    ]);
    expect([o.v(4)[4], o.v(4)[5]]).toEqual([0, 0]);
    const far = structured('gfx1013', 0, 8, 0x31016fac, 'v1, s[4:7], s9 offen', {
      v: { 1: 0 },
      s: { ...scalars(4, [DATA_LOW, DATA_HIGH, 8, 0x31016fac]), 9: 64 },
    });
    expect([far.v(4)[0], far.v(5)[0]]).toEqual([0x1010, 0x1011]);
  });
  it('gfx7: stride 0 counts bytes less the SGPR offset, otherwise records', () => {
    const o = structured('gfx700', 0, 12, 0x24fac, 'v1, s[4:7], 0 offen', { v: { 1: [0, 8, 12] } });
    expect([0, 1, 2].map((l) => [o.v(4)[l], o.v(5)[l]])).toEqual([
      [0x1000, 0x1001],
      [0x1002, 0],
      [0, 0],
    ]);
    const offset = structured('gfx700', 0, 12, 0x24fac, 'v1, s[4:7], s9 offen', {
      v: { 1: [0, 4] },
      s: { ...scalars(4, [DATA_LOW, DATA_HIGH, 12, 0x24fac]), 9: 8 },
    });
    expect([offset.v(4)[0], offset.v(5)[0]]).toEqual([0x1002, 0]);
    const records = structured('gfx700', STRIDE_8, 2, 0x24fac, 'v1, s[4:7], 0 idxen');
    expect([records.v(4)[1], records.v(5)[1], records.v(4)[2]]).toEqual([0x1002, 0x1003, 0]);
  });
  it('swizzle interleaves lanes by element, add_tid adds the lane to the index', () => {
    // Scratch V# of wave32: swizzle, add_tid, index stride 32, raw bounds.
    const o = run({
      text: 'buffer_store_dword v2, off, s[4:7], 0 offset:8\nbuffer_load_dword v3, v1, s[4:7], 0 offen',
      s: scalars(4, [DATA_LOW, DATA_HIGH | 0x80000000, 0xffffffff, 0x31c16000]),
      v: { 1: 8, 2: (l) => 500 + l },
    });
    expect(o.data(64, 32)).toEqual(everyLane(32, (l) => 500 + l));
    expect(o.v(3)).toEqual(everyLane(32, (l) => 500 + l));
    // gfx7: stride 16, index stride 8, element 4: index 9, offset 4 → ((9/8)·16 + 4)·8 + 1·4 = 164.
    const p = run({
      target: 'gfx700',
      text: 'buffer_store_dword v2, v[0:1], s[4:7], 0 idxen offen',
      s: scalars(4, [DATA_LOW, DATA_HIGH | 0x80000000 | (16 << 16), 100, 0x24fac | (1 << 19)]),
      v: { 0: 9, 1: 4, 2: 77 },
      exec: [1, 0],
    });
    expect(p.data(41, 1)).toEqual([77]);
  });
  it('gfx7 addr64 adds a VGPR address and has no bounds', () => {
    const o = run({
      target: 'gfx700',
      text: 'buffer_load_dword v2, v[0:1], s[4:7], 0 addr64 offset:4',
      s: scalars(4, [0, 0, 0, 0x24fac]),
      v: { 0: (l) => DATA_LOW + 4 * l, 1: DATA_HIGH },
      data: words(70),
    });
    expect(o.v(2)).toEqual(everyLane(64, (l) => 0x1001 + l));
  });
  it('lds loads put dwords at M0 + offset + 4·lane', () => {
    const o = run({
      text: 'buffer_load_dword v1, s[4:7], 0 offen lds',
      s: raw,
      v: { 1: (l) => 4 * l },
      data: words(16),
      ldsBytes: 512,
      m0: 64,
      exec: [7, 0],
    });
    expect(words(4, (i) => o.wave.group.lds.load(64 + 4 * i, 4, 512))).toEqual([0x1000, 0x1001, 0x1002, 0]);
  });

  const typed = (format: string, word: number, second = 0) =>
    run({
      text: `tbuffer_load_format_xyzw v[2:5], off, s[4:7], 0 format:[${format}]`,
      s: raw,
      data: [word, second, 0, 0],
      exec: [1, 0],
    });
  const four = (o: ReturnType<typeof run>): number[] => [2, 3, 4, 5].map((r) => o.v(r)[0]!);
  it('typed loads convert', () => {
    expect(four(typed('BUF_FMT_8_8_8_8_UNORM', 0xff00_ff00))).toEqual([0, 0x3f800000, 0, 0x3f800000]);
    expect(four(typed('BUF_FMT_8_8_8_8_SNORM', 0x81_80_7f_00))).toEqual([0, 0x3f800000, 0xbf800000, 0xbf800000]);
    expect(four(typed('BUF_FMT_8_8_UINT', 0x1234))).toEqual([0x34, 0x12, 0, 1]);
    expect(four(typed('BUF_FMT_8_8_SINT', 0x12f4))).toEqual([0xfffffff4, 0x12, 0, 1]);
    expect(four(typed('BUF_FMT_16_16_FLOAT', 0xc000_3c00))).toEqual([0x3f800000, 0xc0000000, 0, 0x3f800000]);
    expect(four(typed('BUF_FMT_32_32_FLOAT', 0x7fa00001, 5))).toEqual([0x7fa00001, 5, 0, 0x3f800000]);
    expect(four(typed('BUF_FMT_2_10_10_10_UINT', 0xc0300801))).toEqual([1, 2, 3, 3]);
    expect(four(typed('BUF_FMT_10_10_10_2_UINT', 0xc0300805))).toEqual([1, 0x201, 0x300, 0x300]);
    expect(four(typed('BUF_FMT_16_SSCALED', 0xfffe))).toEqual([0xc0000000, 0, 0, 0x3f800000]);
    expect(four(typed('BUF_FMT_16_USCALED', 0xfffe))).toEqual([0x477ffe00, 0, 0, 0x3f800000]);
    // R11G11B10: 1.0 is exponent 15: 0x3c0 (11 bits), 0x1e0 (10 bits)
    expect(four(typed('BUF_FMT_10_11_11_FLOAT', 0x3c0 | (0x3c0 << 11) | (0x1e0 << 22)))).toEqual([
      0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000,
    ]);
  });
  it('typed stores convert, clamp and saturate', () => {
    const store = (format: string, x: number, y = 0, n = 'xy'): number =>
      run({
        text: `tbuffer_store_format_${n} v[2:3], off, s[4:7], 0 format:[${format}]`,
        s: raw,
        v: { 2: x, 3: y },
        exec: [1, 0],
      }).data(0)[0]!;
    expect(store('BUF_FMT_8_8_UNORM', 0x3f000000, 0x40000000)).toBe(0xff80);
    expect(store('BUF_FMT_8_8_SNORM', 0xbf800000, 0x7fc00000)).toBe(0x0081);
    expect(store('BUF_FMT_8_8_UINT', 0x1ff, 5)).toBe(0x05ff);
    expect(store('BUF_FMT_8_8_SINT', 0x1ff, 0xffffff00)).toBe(0x807f);
    expect(store('BUF_FMT_16_16_FLOAT', 0x3f800000, 0xc0000000)).toBe(0xc0003c00);
    expect(store('BUF_FMT_32_32_UINT', 0x12345678, 5)).toBe(0x12345678);
  });
  it('formatted loads use the descriptor: format and dst_sel', () => {
    // 8_8_8_8_UNORM (56), select w, 1, 0, x
    const word3 = 0x30000000 | (56 << 12) | 7 | (1 << 3) | (0 << 6) | (4 << 9);
    const o = run({
      text: 'buffer_load_format_xyzw v[2:5], off, s[4:7], 0',
      s: scalars(4, [DATA_LOW, DATA_HIGH, 64, word3]),
      data: [0xff000000],
      exec: [1, 0],
    });
    expect(four(o)).toEqual([0x3f800000, 0x3f800000, 0, 0]);
    // BGRA store: register x goes to memory z
    const bgra = 0x30000000 | (56 << 12) | 6 | (5 << 3) | (4 << 6) | (7 << 9);
    const p = run({
      text: 'buffer_store_format_xyzw v[2:5], off, s[4:7], 0',
      s: scalars(4, [DATA_LOW, DATA_HIGH, 64, bgra]),
      v: { 2: 0x3f800000, 3: 0, 4: 0, 5: 0 },
      exec: [1, 0],
    });
    expect(p.data(0)).toEqual([0x00ff0000]);
  });
  it('formatted accesses are all or nothing; out of range gives 0 but keeps a constant 1', () => {
    const word3 = 0x30000000 | (62 << 12) | 4 | (5 << 3) | (1 << 9);
    const o = run({
      text: 'buffer_load_format_xyzw v[2:5], off, s[4:7], 0',
      s: scalars(4, [DATA_LOW, DATA_HIGH, 6, word3]),
      data: [3, 4],
      exec: [1, 0],
    });
    expect(four(o)).toEqual([0, 0, 0, 1]);
  });
  it('d16 formats pack halves', () => {
    const o = run({
      text: 'tbuffer_load_format_d16_xy v2, off, s[4:7], 0 format:[BUF_FMT_8_8_UNORM]\ntbuffer_load_format_d16_xyz v[3:4], off, s[4:7], 0 format:[BUF_FMT_8_8_8_8_UINT]',
      s: raw,
      data: [0x0304ff00],
      v: { 4: 0xaaaabbbb },
      exec: [1, 0],
    });
    expect([2, 3, 4].map((r) => o.v(r)[0])).toEqual([0x3c000000, 0x00ff0000, 0xaaaa0004]);
    const p = run({
      text: 'tbuffer_store_format_d16_xy v2, off, s[4:7], 0 format:[BUF_FMT_8_8_UNORM]',
      s: raw,
      v: { 2: 0x38003c00 },
      exec: [1, 0],
    });
    expect(p.data(0)).toEqual([0x80ff]);
  });
  it('gfx7 typed buffers take data and number format', () => {
    const o = run({
      target: 'gfx700',
      text: 'tbuffer_load_format_xyzw v[2:5], off, s[4:7], dfmt:10, nfmt:0, 0',
      s: scalars(4, rawBuffer(DATA, 64, 'gfx700')),
      data: [0xff00_ff00],
      exec: [1, 0],
    });
    expect(four(o)).toEqual([0, 0x3f800000, 0, 0x3f800000]);
  });
  it('atomics: old value with glc, comparand after the data, bounds', () => {
    const o = run({
      text: `buffer_atomic_add v2, v1, s[4:7], 0 offen glc
        buffer_atomic_cmpswap v[4:5], off, s[4:7], 0 offset:4 glc
        buffer_atomic_add_x2 v[6:7], off, s[4:7], 0 offset:8 glc
        buffer_atomic_umax v8, off, s[4:7], 0 offset:16
        buffer_atomic_swap v9, off, s[4:7], 0 offset:64 glc
        buffer_atomic_fmax v10, off, s[4:7], 0 offset:20`,
      s: raw,
      data: [10, 20, 0xffffffff, 0, 5, 0x3f800000],
      v: { 1: 0, 2: 5, 4: 99, 5: 20, 6: 1, 7: 0, 8: 9, 9: 1, 10: 0x40000000 },
      exec: [1, 0],
    });
    expect([2, 4, 6, 7, 8, 9].map((r) => o.v(r)[0])).toEqual([10, 20, 0xffffffff, 0, 9, 0]);
    expect(o.data(0, 6)).toEqual([15, 99, 0, 1, 9, 0x40000000]);
  });
});

describe.skipIf(!haveLlvm)('flat, global, scratch', () => {
  const address = { 0: (l: number) => DATA_LOW + 4 * l, 1: DATA_HIGH };
  it('global with VGPR and SGPR addresses, signed offsets', () => {
    const o = run({
      text: `global_load_dword v2, v[0:1], off offset:-4
        global_load_dword v3, v4, s[4:5] offset:8
        global_store_dword v[0:1], v5, off offset:1024
        global_load_ubyte v6, v4, s[4:5] offset:1
        global_load_short_d16_hi v7, v4, s[4:5]
        global_load_dwordx3 v[8:10], v4, s[4:5]`,
      v: { ...address, 4: (l) => 4 * l, 5: (l) => l, 7: 5 },
      s: { 4: DATA_LOW, 5: DATA_HIGH },
      data: words(64),
      exec: [0xfffffffe, 0],
    });
    expect(o.v(2)[3]).toBe(0x1002);
    expect(o.v(3)[3]).toBe(0x1005);
    expect(o.data(256, 3)).toEqual([0, 1, 2]);
    expect(o.v(6)[3]).toBe(0x10);
    expect(o.v(7)[3]).toBe(0x10030005);
    expect([8, 9, 10].map((r) => o.v(r)[3])).toEqual([0x1003, 0x1004, 0x1005]);
  });
  it('global atomics', () => {
    const o = run({
      text: 'global_atomic_add v2, v4, v5, s[4:5] glc\nglobal_atomic_cmpswap v3, v4, v[6:7], s[4:5] offset:4 glc\nglobal_atomic_dec v4, v5, s[4:5] offset:8',
      v: { 4: 0, 5: 3, 6: 50, 7: 8 },
      s: { 4: DATA_LOW, 5: DATA_HIGH },
      data: [7, 8, 0],
      exec: [1, 0],
    });
    expect([o.v(2)[0], o.v(3)[0]]).toEqual([7, 8]);
    expect(o.data(0, 3)).toEqual([10, 50, 3]);
  });
  it('flat reaches guest memory, LDS and scratch by its window', () => {
    const o = run({
      text: `s_mov_b64 s[10:11], src_shared_base
        s_mov_b64 s[12:13], src_private_base
        v_mov_b32_e32 v3, s11
        v_mov_b32_e32 v2, 4
        flat_load_dword v5, v[2:3]
        v_mov_b32_e32 v3, s13
        v_mov_b32_e32 v2, 8
        flat_store_dword v[2:3], v4
        scratch_load_dword v6, v2, off
        scratch_load_dword v7, off, s14 offset:4
        flat_load_dword v8, v[0:1]`,
      v: { ...address, 4: (l) => 900 + l },
      s: { 14: 4 },
      lds: [1, 2],
      data: words(16),
      options: {},
      code: [],
      dispatch: { scratchBytesPerWave: 4096 },
    });
    expect(o.result.faults.map((f) => f.reason)).toContain('write to unmapped memory');
    expect(o.v(5)[0]).toBe(2);
    const p = run({
      text: `s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s14
        s_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s15
        s_mov_b64 s[12:13], src_private_base
        v_mov_b32_e32 v3, s13
        v_mov_b32_e32 v2, 8
        flat_store_dword v[2:3], v4
        scratch_load_dword v6, v2, off
        scratch_load_dword v7, off, s16 offset:4
        scratch_store_byte v2, v9, off offset:1
        scratch_load_dword v8, v2, off offset:-2`,
      v: { 4: (l) => 0x900 + l, 9: 0x77 },
      s: { 14: DATA_LOW, 15: DATA_HIGH, 16: 4 },
    });
    expect(p.result.status).toBe('completed');
    expect(p.v(6)).toEqual(everyLane(32, (l) => 0x900 + l));
    expect(p.v(7)).toEqual(p.v(6));
    expect(p.data(64, 2)).toEqual([0x7700, 0x7701]);
    expect(p.v(8)[1]).toBe(0x7701_0000);
  });
  it('gfx7 flat scratch: base from FLAT_SCRATCH_HI in units of 256 bytes', () => {
    const o = run({
      target: 'gfx700',
      text: 'flat_store_dword v[2:3], v4\nflat_load_dword v5, v[2:3]',
      v: { 2: 4, 3: 0x00020000, 4: (l) => l },
      s: { 105: 1 },
      options: { privateBase: DATA },
    });
    expect(o.result.status).toBe('completed');
    expect(o.data(64 + 64, 3)).toEqual([0, 1, 2]);
    expect(o.v(5)[9]).toBe(9);
  });
});

describe.skipIf(!haveLlvm)('scalar memory', () => {
  const s = { 4: DATA_LOW, 5: DATA_HIGH };
  it('loads, with offsets whose two low bits are ignored', () => {
    const o = run({
      text: 's_load_dwordx4 s[8:11], s[4:5], 0x8\ns_load_dword s12, s[4:5], s6\ns_load_dword s13, s[4:5], -4',
      s: { ...s, 4: DATA_LOW + 16, 6: 7 },
      data: words(32),
    });
    expect(words(4, (i) => o.s(8 + i))).toEqual([0x1006, 0x1007, 0x1008, 0x1009]);
    expect([o.s(12), o.s(13)]).toEqual([0x1005, 0x1003]);
  });
  it('may overwrite its own base', () => {
    const o = run({ text: 's_load_dwordx8 s[4:11], s[4:5], 0x0', s, data: words(8) });
    expect(words(8, (i) => o.s(4 + i))).toEqual(words(8));
  });
  it('s_buffer_load: bytes with stride 0, records otherwise, per dword', () => {
    const o = run({
      text: 's_buffer_load_dwordx4 s[8:11], s[4:7], 0x4',
      s: scalars(4, [DATA_LOW, DATA_HIGH, 12, 0]),
      data: words(8),
    });
    expect(words(4, (i) => o.s(8 + i))).toEqual([0x1001, 0x1002, 0, 0]);
    const p = run({
      text: 's_buffer_load_dwordx4 s[8:11], s[4:7], s12',
      s: { ...scalars(4, [DATA_LOW, DATA_HIGH | (8 << 16), 2, 0]), 12: 8 },
      data: words(8),
    });
    expect(words(4, (i) => p.s(8 + i))).toEqual([0x1002, 0x1003, 0, 0]);
  });
  it('gfx7 SMRD offsets', () => {
    const o = run({
      target: 'gfx700',
      text: 's_load_dwordx2 s[8:9], s[4:5], 0x2\ns_load_dword s10, s[4:5], s6\ns_load_dword s11, s[4:5], 0x100',
      s: { ...s, 6: 12 },
      data: words(300),
    });
    expect([8, 9, 10, 11].map((r) => o.s(r))).toEqual([0x1002, 0x1003, 0x1003, 0x1100]);
  });
  it('stores and atomics of gfx1013', () => {
    const o = run({
      text: 's_store_dwordx2 s[8:9], s[4:5], 0x8\ns_atomic_add s10, s[4:5], 0x0 glc',
      s: { ...s, 8: 1, 9: 2, 10: 5 },
      data: [100, 0, 0, 0],
    });
    expect(o.data(0, 4)).toEqual([105, 0, 1, 2]);
    expect(o.s(10)).toBe(100);
  });
  it('a faulting load gives 0 and is reported', () => {
    const o = run({ text: 's_load_dword s8, s[4:5], 0x0', s: { 4: 0x100, 5: 9, 8: 7 } });
    expect(o.s(8)).toBe(0);
    expect(o.result).toMatchObject({ status: 'faulted', faultCount: 1 });
    expect(o.result.faults[0]).toMatchObject({
      reason: 'read of unmapped memory',
      address: 0x9_0000_0100,
      lane: -1,
      wave: 0,
      workgroup: [0, 0, 0],
    });
  });
});
