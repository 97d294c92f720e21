/**
 * Every atomic in every form (buffer, flat, global, scalar, LDS with and without return, src2) against definitions on
 * BigInt that follow the manual's entries. Four lanes carry different old values and operands.
 */
import { describe, expect, it } from 'vitest';
import { DATA, haveLlvm, rawBuffer, run, scalars } from './run-snippet.ts';

const MASK = { 32: 0xffffffffn, 64: 0xffffffffffffffffn } as const;
type Width = 32 | 64;
const signed = (v: bigint, w: Width): bigint => BigInt.asIntN(w, v);
const view = new DataView(new ArrayBuffer(8));
function float(v: bigint, w: Width): number {
  view.setBigUint64(0, w === 64 ? v : v << 32n);
  return w === 64 ? view.getFloat64(0) : view.getFloat32(0);
}

/** old, data, comparand → new. */
const DEFINITIONS: Record<string, (o: bigint, d: bigint, c: bigint, w: Width) => bigint> = {
  swap: (_o, d) => d,
  cmpswap: (o, d, c) => (o === c ? d : o),
  add: (o, d) => o + d,
  sub: (o, d) => o - d,
  rsub: (o, d) => d - o,
  smin: (o, d, _c, w) => (signed(d, w) < signed(o, w) ? d : o),
  umin: (o, d) => (d - o < 0n ? d : o),
  smax: (o, d, _c, w) => (signed(d, w) > signed(o, w) ? d : o),
  umax: (o, d) => (d - o > 0n ? d : o),
  and: (o, d) => o & d,
  or: (o, d) => o | d,
  xor: (o, d) => o ^ d,
  inc: (o, d) => (o >= d ? 0n : o + 1n),
  dec: (o, d) => (o === 0n || o > d ? d : o - 1n),
  csub: (o, d) => (o < d ? 0n : o - d),
  fcmpswap: (o, d, c, w) => (float(o, w) === float(c, w) ? d : o),
  fmin: (o, d, _c, w) => (float(d, w) < float(o, w) ? d : o),
  fmax: (o, d, _c, w) => (float(d, w) > float(o, w) ? d : o),
};

const PLAIN = ['swap', 'cmpswap', 'add', 'sub', 'smin', 'umin', 'smax', 'umax', 'and', 'or', 'xor', 'inc', 'dec'];
const FLOATS = ['fcmpswap', 'fmin', 'fmax'];

const OLD = [0x00000000_00000005n, 0xffffffff_fffffff0n, 0x00000000_00000000n, 0x3ff80000_3fc00000n];
const NEW = [0x00000001_00000003n, 0x00000000_00000007n, 0x80000000_80000001n, 0xc0000000_c0000000n];
const CMP = [0x00000000_00000005n, 0xffffffff_fffffff0n, 0x80000000_80000000n, 0x3ff80000_3fc00001n];
const low = (v: bigint): number => Number(v & 0xffffffffn);
const high = (v: bigint): number => Number(v >> 32n);
/** v10:11 data, v12:13 comparand for 64 bits; v10, v11 for 32. */
const DATA_64 = { 10: NEW.map(low), 11: NEW.map(high), 12: CMP.map(low), 13: CMP.map(high) };
const DATA_32 = { 10: NEW.map(low), 11: CMP.map(low) };

interface Op {
  readonly name: string;
  readonly width: Width;
}
const opsOf = (width: Width, more: readonly string[] = []): Op[] =>
  [...PLAIN, ...more].map((name) => ({ name, width }));

/** Old words of `count` operations, 8 bytes per lane and 32 bytes per operation. */
function memoryOf(count: number): number[] {
  return Array.from({ length: count }, () => OLD.flatMap((v) => [low(v), high(v)])).flat();
}

function expected({ name, width }: Op, lane: number): { old: bigint; next: bigint } {
  const m = MASK[width];
  const old = OLD[lane]! & m;
  const next = DEFINITIONS[name]!(old, NEW[lane]! & m, CMP[lane]! & m, width) & m;
  return { old, next };
}

const EXEC = [0xf, 0] as const;

describe.skipIf(!haveLlvm)('atomics', () => {
  for (const width of [32, 64] as const) {
    const suffix = width === 64 ? '_x2' : '';
    const vectorForms = {
      global: (op: Op, i: number, dst: string, data: string) =>
        `global_atomic_${op.name}${suffix} ${dst}, v[0:1], ${data}, off offset:${32 * i} glc`,
      flat: (op: Op, i: number, dst: string, data: string) =>
        `flat_atomic_${op.name}${suffix} ${dst}, v[0:1], ${data} offset:${32 * i} glc`,
      buffer: (op: Op, i: number, dst: string) =>
        `buffer_atomic_${op.name}${suffix} ${dst}, v2, s[4:7], 0 offen offset:${32 * i} glc`,
    };
    for (const [prefix, form] of Object.entries(vectorForms)) {
      it(`${prefix}_atomic_*${suffix}`, () => {
        const csub = width === 32 && prefix !== 'flat' ? ['csub'] : [];
        const ops = opsOf(width, [...FLOATS, ...csub]);
        const dwords = width / 32;
        const text = ops.flatMap((op, i) => {
          const isCompare = op.name.endsWith('cmpswap');
          const register = 30 + 2 * i;
          const count = dwords * (isCompare ? 2 : 1);
          const data = count === 1 ? 'v10' : `v[10:${9 + count}]`;
          const dst = dwords === 1 ? `v${register}` : `v[${register}:${register + 1}]`;
          if (prefix !== 'buffer') return [form(op, i, dst, data)];
          // Data and old value share registers: copy in and out.
          const copy = (to: number, from: number, n: number) =>
            Array.from({ length: n }, (_, k) => `v_mov_b32_e32 v${to + k}, v${from + k}`);
          const shared = count === 1 ? 'v20' : `v[20:${19 + count}]`;
          return [...copy(20, 10, count), form(op, i, shared, ''), ...copy(register, 20, dwords)];
        });
        const o = run({
          target: 'gfx1030',
          text: text.join('\n'),
          s: scalars(4, rawBuffer(DATA, 0x1000)),
          v: {
            0: (l) => (DATA % 2 ** 32) + 8 * l,
            1: Math.floor(DATA / 2 ** 32),
            2: (l) => 8 * l,
            ...(width === 64 ? DATA_64 : DATA_32),
          },
          data: memoryOf(ops.length),
          exec: EXEC,
        });
        expect(o.result.status).toBe('completed');
        ops.forEach((op, i) => {
          for (let lane = 0; lane < 4; lane++) {
            const { old, next } = expected(op, lane);
            const returned =
              width === 64
                ? (BigInt(o.v(31 + 2 * i)[lane]!) << 32n) | BigInt(o.v(30 + 2 * i)[lane]!)
                : BigInt(o.v(30 + 2 * i)[lane]!);
            const [l, h] = o.data(8 * i + 2 * lane, 2) as [number, number];
            const memory = width === 64 ? (BigInt(h) << 32n) | BigInt(l) : BigInt(l);
            expect([op.name, lane, returned, memory]).toEqual([op.name, lane, old, next]);
          }
        });
      });
    }

    for (const prefix of ['s_atomic', 's_buffer_atomic']) {
      it(`${prefix}_*${suffix}`, () => {
        const ops = opsOf(width);
        const base = prefix === 's_atomic' ? 's[4:5]' : 's[4:7]';
        const dwords = width / 32;
        const text = ops.flatMap((op, i) => {
          const count = dwords * (op.name === 'cmpswap' ? 2 : 1);
          const data = count === 1 ? 's20' : `s[20:${19 + count}]`;
          return [
            's_mov_b64 s[20:21], s[8:9]',
            's_mov_b64 s[22:23], s[10:11]',
            `${prefix}_${op.name}${suffix} ${data}, ${base}, 0x${(32 * i).toString(16)} glc`,
            `s_mov_b64 s[${30 + 2 * i}:${31 + 2 * i}], s[20:21]`,
          ];
        });
        for (let lane = 0; lane < 4; lane++) {
          const operand =
            width === 64
              ? [low(NEW[lane]!), high(NEW[lane]!), low(CMP[lane]!), high(CMP[lane]!)]
              : [low(NEW[lane]!), low(CMP[lane]!), 0, 0];
          const words = Array.from({ length: ops.length }, () => [
            low(OLD[lane]!),
            high(OLD[lane]!),
            0,
            0,
            0,
            0,
            0,
            0,
          ]).flat();
          const o = run({
            text: text.join('\n'),
            s: { ...scalars(4, rawBuffer(DATA, 0x1000)), ...scalars(8, operand) },
            data: words,
          });
          ops.forEach((op, i) => {
            const { old, next } = expected(op, lane);
            const returned =
              width === 64 ? (BigInt(o.s(31 + 2 * i)) << 32n) | BigInt(o.s(30 + 2 * i)) : BigInt(o.s(30 + 2 * i));
            const [l, h] = o.data(8 * i, 2) as [number, number];
            expect([op.name, lane, returned, width === 64 ? (BigInt(h) << 32n) | BigInt(l) : BigInt(l)]).toEqual([
              op.name,
              lane,
              old,
              next,
            ]);
          });
        }
      });
    }

    it(`ds atomics of ${width} bits, with and without return, and src2`, () => {
      const u = `u${width}`;
      const b = `b${width}`;
      const names: readonly (readonly [string, string, string])[] = [
        ['add', u, 'add'],
        ['sub', u, 'sub'],
        ['rsub', u, 'rsub'],
        ['inc', u, 'inc'],
        ['dec', u, 'dec'],
        ['min', `i${width}`, 'smin'],
        ['max', `i${width}`, 'smax'],
        ['min', u, 'umin'],
        ['max', u, 'umax'],
        ['and', b, 'and'],
        ['or', b, 'or'],
        ['xor', b, 'xor'],
        ['min', `f${width}`, 'fmin'],
        ['max', `f${width}`, 'fmax'],
        ['cmpst', b, 'cmpswap'],
        ['cmpst', `f${width}`, 'fcmpswap'],
      ];
      const data = width === 64 ? 'v[10:11]' : 'v10';
      const compare = width === 64 ? 'v[12:13]' : 'v11';
      const operands = (op: string): string => (op === 'cmpst' ? `${compare}, ${data}` : data);
      const dst = (i: number): string => (width === 64 ? `v[${30 + 2 * i}:${31 + 2 * i}]` : `v${30 + 2 * i}`);
      const n = names.length;
      const common = {
        lds: memoryOf(n),
        v: { 1: (l: number) => 8 * l, ...(width === 64 ? DATA_64 : DATA_32) },
        exec: EXEC,
      };
      const returning = run({
        ...common,
        text: names
          .map(([op, type], i) => `ds_${op}_rtn_${type} ${dst(i)}, v1, ${operands(op)} offset:${32 * i}`)
          .join('\n'),
      });
      const silent = run({
        ...common,
        text: names.map(([op, type], i) => `ds_${op}_${type} v1, ${operands(op)} offset:${32 * i}`).join('\n'),
      });
      const at = (o: ReturnType<typeof run>, i: number, lane: number): bigint => {
        const [l, h] = [0, 4].map((k) => o.wave.group.lds.load(32 * i + 8 * lane + k, 4, 0x10000)) as [number, number];
        return width === 64 ? (BigInt(h) << 32n) | BigInt(l) : BigInt(l);
      };
      names.forEach(([op, type, name], i) => {
        for (let lane = 0; lane < 4; lane++) {
          const { old, next } = expected({ name, width }, lane);
          const r = returning;
          const returned =
            width === 64
              ? (BigInt(r.v(31 + 2 * i)[lane]!) << 32n) | BigInt(r.v(30 + 2 * i)[lane]!)
              : BigInt(r.v(30 + 2 * i)[lane]!);
          expect([op, type, lane, returned, at(r, i, lane), at(silent, i, lane)]).toEqual([
            op,
            type,
            lane,
            old,
            next,
            next,
          ]);
        }
      });
      // src2: memory[A] = f(memory[A], memory[B]); lane 0 at A = 256·i, B = A + 4·(offset as dwords) = A + 8.
      const combined = names.filter(([op]) => op !== 'cmpst');
      for (let lane = 0; lane < 4; lane++) {
        const lds = combined.flatMap(() => [low(OLD[lane]!), high(OLD[lane]!), low(NEW[lane]!), high(NEW[lane]!)]);
        const text = combined.map(([op, type], i) => `v_mov_b32_e32 v1, ${16 * i}\nds_${op}_src2_${type} v1 offset:2`);
        const o = run({ text: text.join('\n'), lds, exec: [1, 0] });
        combined.forEach(([op, type, name], i) => {
          const [l, h] = [0, 4].map((k) => o.wave.group.lds.load(16 * i + k, 4, 0x10000)) as [number, number];
          const got = width === 64 ? (BigInt(h) << 32n) | BigInt(l) : BigInt(l);
          expect([op, type, lane, got]).toEqual([op, type, lane, expected({ name, width }, lane).next]);
        });
      }
    });
  }

  it('remaining DS forms: exchanges, mask-or, float add, write_src2, negative and address-derived src2 offsets', () => {
    const o = run({
      text: `ds_wrxchg_rtn_b64 v[30:31], v1, v[10:11]
        ds_wrxchg2_rtn_b64 v[32:35], v1, v[10:11], v[12:13] offset0:1 offset1:2
        ds_wrxchg2st64_rtn_b32 v[36:37], v1, v10, v11 offset0:1 offset1:2
        ds_wrxchg2st64_rtn_b64 v[38:41], v1, v[10:11], v[12:13] offset0:2 offset1:3
        ds_mskor_b32 v1, v14, v15 offset:24
        ds_mskor_b64 v1, v[14:15], v[10:11] offset:32
        ds_mskor_rtn_b64 v[42:43], v1, v[14:15], v[10:11] offset:40
        ds_add_f32 v1, v16 offset:48
        v_mov_b32_e32 v2, 60
        ds_write_src2_b32 v2 offset:32766
        v_mov_b32_e32 v2, 64
        ds_write_src2_b64 v2 offset:2
        ds_add_src2_f32 v2 offset:2`,
      lds: Array.from({ length: 512 }, (_, i) => (i === 12 ? 0x3f800000 : i === 18 ? 0x40000000 : 0x100 + i)),
      v: { 1: 0, 10: 1, 11: 2, 12: 3, 13: 4, 14: 0xff, 15: 0, 16: 0x3f800000 },
      exec: [1, 0],
    });
    const word = (i: number): number => o.wave.group.lds.load(4 * i, 4, 0x10000);
    expect([30, 31, 32, 33, 34, 35].map((r) => o.v(r)[0])).toEqual([0x100, 0x101, 0x102, 0x103, 0x104, 0x105]);
    expect([0, 1, 2, 3, 4, 5].map(word)).toEqual([1, 2, 1, 2, 3, 4]);
    expect([36, 37, 38, 39, 40, 41].map((r) => o.v(r)[0])).toEqual([0x140, 0x180, 0x200, 0x201, 0x280, 0x281]);
    expect([64, 128, 256, 257, 384, 385].map(word)).toEqual([1, 2, 1, 2, 3, 4]);
    expect(word(6)).toBe(0x100);
    expect([word(8), word(9)]).toEqual([0x101, 0x10b]);
    expect([o.v(42)[0], o.v(43)[0], word(10), word(11)]).toEqual([0x10a, 0x10b, 0x101, 0x10b]);
    expect(word(12)).toBe(0x40000000);
    // 32766 is −2 dwords: word 15 takes word 13.
    expect(word(15)).toBe(0x10d);
    // Words 16:17 take 18:19, then word 16 = 2.0 + word 18 (2.0).
    expect([word(16), word(17)]).toEqual([0x40800000, 0x113]);
  });
});
