/** Every load and store of every address space: bytes worked out from one pattern in memory. */
import { describe, expect, it } from 'vitest';
import { DATA, haveLlvm, rawBuffer, run, scalars } from './run-snippet.ts';

const LOW = DATA % 2 ** 32;
const HIGH = Math.floor(DATA / 2 ** 32);
/** Byte i is 0x80 + i: sign bits are set, every byte differs. */
const PATTERN = [0x83828180, 0x87868584, 0x8b8a8988, 0x8f8e8d8c];
const OLD = 0xaaaabbbb;

/** name → [dwords of destination, expected words]. */
const LOADS: Record<string, readonly number[]> = {
  load_ubyte: [0x81],
  load_sbyte: [0xffffff81],
  load_ushort: [0x8281],
  load_sshort: [0xffff8281],
  load_dword: [0x84838281],
  load_dwordx2: [0x84838281, 0x88878685],
  load_dwordx3: [0x84838281, 0x88878685, 0x8c8b8a89],
  load_dwordx4: [0x84838281, 0x88878685, 0x8c8b8a89, 0x8f8e8d],
  load_ubyte_d16: [0xaaaa0081],
  load_ubyte_d16_hi: [0x0081bbbb],
  load_sbyte_d16: [0xaaaaff81],
  load_sbyte_d16_hi: [0xff81bbbb],
  load_short_d16: [0xaaaa8281],
  load_short_d16_hi: [0x8281bbbb],
};
/** name → dwords of data, bytes written. Data registers hold 0x44332211, 0x88776655, … */
const STORES: Record<string, readonly [number, readonly number[]]> = {
  store_byte: [1, [0x11]],
  store_byte_d16_hi: [1, [0x33]],
  store_short: [1, [0x11, 0x22]],
  store_short_d16_hi: [1, [0x33, 0x44]],
  store_dword: [1, [0x11, 0x22, 0x33, 0x44]],
  store_dwordx2: [2, [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]],
  store_dwordx3: [3, [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc]],
  store_dwordx4: [4, [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x01]],
};
const DATA_REGISTERS = { 10: 0x44332211, 11: 0x88776655, 12: 0xccbbaa99, 13: 0x01ffeedd };

const tuple = (first: number, count: number): string =>
  count === 1 ? `v${first}` : `v[${first}:${first + count - 1}]`;

/** `unit`: bytes of one lane's element in memory; scratch spreads it over lanes. */
const SPACES: Record<
  string,
  {
    load: (op: string, dst: string) => string;
    store: (op: string, data: string, at: number) => string;
    prologue?: string;
  }
> = {
  flat: {
    load: (op, dst) => `flat_${op} ${dst}, v[0:1] offset:1`,
    store: (op, data, at) => `flat_${op} v[0:1], ${data} offset:${at}`,
  },
  global: {
    load: (op, dst) => `global_${op} ${dst}, v[0:1], off offset:1`,
    store: (op, data, at) => `global_${op} v[0:1], ${data}, off offset:${at}`,
  },
  buffer: {
    load: (op, dst) => `buffer_${op} ${dst}, off, s[4:7], 0 offset:1`,
    store: (op, data, at) => `buffer_${op} ${data}, off, s[4:7], 0 offset:${at}`,
  },
  scratch: {
    load: (op, dst) => `scratch_${op} ${dst}, v2, off offset:1`,
    store: (op, data, at) => `scratch_${op} v2, ${data}, off offset:${at}`,
    prologue: 's_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s8\ns_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s9',
  },
};

describe.skipIf(!haveLlvm)('loads and stores', () => {
  for (const [space, forms] of Object.entries(SPACES)) {
    const lane = space === 'scratch' ? 5 : 0;
    const exec = [1 << lane, 0] as const;
    /** Word index of dword k of the lane's element. */
    const place = (k: number): number => (space === 'scratch' ? 32 * k + lane : k);
    const registers = { 0: LOW, 1: HIGH, 2: 0, ...DATA_REGISTERS };
    const s = { ...scalars(4, rawBuffer(DATA, 0x1000)), 8: LOW, 9: HIGH };

    it(`${space}: loads at an unaligned address`, () => {
      const names = Object.keys(LOADS);
      const text = names.map((name, i) => forms.load(name, tuple(20 + 4 * i, LOADS[name]!.length)));
      const old = Object.fromEntries(names.map((_, i) => [20 + 4 * i, OLD]));
      const data: number[] = [];
      PATTERN.forEach((word, k) => {
        data[place(k)] = word;
      });
      const o = run({
        text: [forms.prologue ?? '', ...text].join('\n'),
        s,
        v: { ...registers, ...old },
        data: Array.from(data, (w) => w ?? 0),
        exec,
      });
      expect(o.result.status).toBe('completed');
      names.forEach((name, i) => {
        const got = LOADS[name]!.map((_, k) => o.v(20 + 4 * i + k)[lane]);
        expect([name, got]).toEqual([name, LOADS[name]]);
      });
    });
    it(`${space}: stores`, () => {
      const names = Object.keys(STORES);
      const text = names.map((name, i) => forms.store(name, tuple(10, STORES[name]![0]), 32 * i + 1));
      const o = run({ text: [forms.prologue ?? '', ...text].join('\n'), s, v: registers, exec });
      expect(o.result.status).toBe('completed');
      names.forEach((name, i) => {
        const bytes = Array.from(
          { length: 24 },
          (_, at) => (o.data(place(8 * i + (at >> 2)))[0]! >>> (8 * (at & 3))) & 0xff,
        );
        const written = STORES[name]![1];
        expect([name, bytes]).toEqual([name, [0, ...written, ...Array(23 - written.length).fill(0)]]);
      });
    });
  }

  it('gfx1030 addtid forms', () => {
    const o = run({
      target: 'gfx1030',
      text: 'global_load_dword_addtid v5, s[4:5] offset:4\nglobal_store_dword_addtid v6, s[4:5] offset:512',
      s: { 4: LOW, 5: HIGH },
      data: Array.from({ length: 40 }, (_, i) => i),
      v: { 6: (l) => 100 + l },
    });
    expect(o.v(5).slice(0, 3)).toEqual([1, 2, 3]);
    expect(o.data(128, 3)).toEqual([100, 101, 102]);
  });
  it('wide DS stores and st64 pairs', () => {
    const o = run({
      text: `ds_write_b96 v1, v[10:12]
        ds_write_b128 v1, v[10:13] offset:16
        ds_write2_b64 v1, v[10:11], v[12:13] offset0:4 offset1:5
        ds_write2st64_b64 v1, v[10:11], v[12:13] offset0:1 offset1:2
        ds_write_b16 v1, v10 offset:48
        ds_write_b8 v1, v11 offset:51
        ds_read2st64_b32 v[20:21], v1 offset0:2 offset1:4
        ds_read2st64_b64 v[22:25], v1 offset0:1 offset1:2`,
      ldsBytes: 2048,
      v: { 1: 0, ...DATA_REGISTERS },
      exec: [1, 0],
    });
    const word = (i: number): number => o.wave.group.lds.load(4 * i, 4, 0x10000);
    const [a, b, c, d] = Object.values(DATA_REGISTERS) as [number, number, number, number];
    expect(Array.from({ length: 13 }, (_, i) => word(i))).toEqual([a, b, c, 0, a, b, c, d, a, b, c, d, 0x55002211]);
    expect([20, 21, 22, 23, 24, 25].map((r) => o.v(r)[0])).toEqual([a, c, a, b, c, d]);
  });
  it('scalar loads of every size; buffer forms; clocks; stores', () => {
    const data = Array.from({ length: 64 }, (_, i) => 0x100 + i);
    const o = run({
      text: `s_load_dwordx16 s[16:31], s[4:5], 0x4
        s_buffer_load_dword s32, s[4:7], 0x8
        s_buffer_load_dwordx2 s[34:35], s[4:7], 0xf8
        s_buffer_load_dwordx8 s[36:43], s[4:7], 0x0
        s_buffer_load_dwordx16 s[48:63], s[4:7], 0xfc
        s_store_dword s32, s[4:5], 0x0
        s_store_dwordx4 s[36:39], s[4:5], 0x10
        s_buffer_store_dwordx4 s[36:39], s[4:7], 0xf8
        s_memtime s[70:71]
        s_memtime s[72:73]
        s_get_waveid_in_workgroup s74`,
      s: scalars(4, rawBuffer(DATA, 256)),
      data,
    });
    expect(Array.from({ length: 16 }, (_, i) => o.s(16 + i))).toEqual(data.slice(1, 17));
    expect([32, 34, 35, 36, 43, 48, 49, 63].map((c) => o.s(c))).toEqual([
      0x102, 0x13e, 0x13f, 0x100, 0x107, 0x13f, 0, 0,
    ]);
    expect(o.data(0, 8)).toEqual([0x102, 0x101, 0x102, 0x103, 0x100, 0x101, 0x102, 0x103]);
    expect(o.data(62, 3)).toEqual([0x100, 0x101, 0]);
    expect(o.s(72)).toBeGreaterThan(o.s(70));
    expect(o.s(74)).toBe(0);
  });
  it('hints, waits and cache operations change nothing', () => {
    const o = run({
      text: `s_nop 3
        s_setprio 2
        s_wakeup
        s_icache_inv
        s_inst_prefetch 0x3
        s_clause 0x1
        s_waitcnt 0
        s_waitcnt_vscnt null, 0x0
        s_waitcnt_vmcnt null, 0x0
        s_waitcnt_expcnt null, 0x0
        s_waitcnt_lgkmcnt null, 0x0
        s_waitcnt_depctr 0xffff
        s_sendmsg sendmsg(MSG_INTERRUPT)
        s_version 0x1
        s_dcache_inv
        s_gl1_inv
        buffer_gl0_inv
        buffer_gl1_inv
        v_nop
        v_pipeflush
        v_clrexcp
        ds_nop
        s_cbranch_cdbgsys end
        s_cbranch_cdbguser end
        s_cbranch_cdbgsys_or_user end
        s_cbranch_cdbgsys_and_user end
        s_mov_b32 s0, 1
        end: s_nop 0`,
      scc: 1,
    });
    expect([o.s(0), o.wave.scc, o.result.status]).toEqual([1, 1, 'completed']);
    expect(run({ text: 's_setkill 1\ns_mov_b32 s0, 1' }).s(0)).toBe(0);
  });
});
