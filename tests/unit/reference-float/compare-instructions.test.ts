/**
 * Float compares as machine code: 16 relations of three formats, v_cmpx, class tests, against the host's comparisons.
 */
import { describe, expect, it } from 'vitest';
import * as exact from '../../support/exact-float.ts';
import { edges } from '../../support/float-samples.ts';
import { haveLlvm, run } from '../reference/run-snippet.ts';
import { bits, bits64, half } from './values.ts';

const { F16, F32, F64 } = exact;

describe.skipIf(!haveLlvm)('compares', () => {
  const RELATIONS = [
    'f',
    'lt',
    'eq',
    'le',
    'gt',
    'lg',
    'ge',
    'o',
    'u',
    'nge',
    'nlg',
    'ngt',
    'nle',
    'neq',
    'nlt',
    'tru',
  ];
  const values = [-Infinity, -1, -0, 0, 2 ** -140, 1, Infinity, Number.NaN];
  const truth: Record<string, (x: number, y: number) => boolean> = {
    f: () => false,
    lt: (x, y) => x < y,
    eq: (x, y) => x === y,
    le: (x, y) => x <= y,
    gt: (x, y) => x > y,
    lg: (x, y) => x < y || x > y,
    ge: (x, y) => x >= y,
    o: (x, y) => !Number.isNaN(x) && !Number.isNaN(y),
    u: (x, y) => Number.isNaN(x) || Number.isNaN(y),
    nge: (x, y) => !(x >= y),
    nlg: (x, y) => !(x < y || x > y),
    ngt: (x, y) => !(x > y),
    nle: (x, y) => !(x <= y),
    neq: (x, y) => x !== y,
    nlt: (x, y) => !(x < y),
    tru: () => true,
  };
  const x = (lane: number) => values[lane & 7]!;
  const y = (lane: number) => values[lane >> 3]!;
  const expected = (relation: string, flush: boolean): [number, number] => {
    const out: [number, number] = [0, 0];
    const seen = (value: number) => (flush && Math.abs(value) < 2 ** -126 ? 0 : value);
    for (let lane = 0; lane < 64; lane++)
      if (truth[relation]!(seen(x(lane)), seen(y(lane)))) out[lane >> 5]! |= 1 << (lane & 31);
    return [out[0] >>> 0, out[1] >>> 0];
  };
  const high = (value: number) => Number(bits64(value) >> 32n);
  const low = (value: number) => Number(bits64(value) & 0xffffffffn);
  const v = {
    0: (lane: number) => bits(x(lane)),
    1: (lane: number) => bits(y(lane)),
    2: (lane: number) => low(x(lane)),
    3: (lane: number) => high(x(lane)),
    4: (lane: number) => low(y(lane)),
    5: (lane: number) => high(y(lane)),
    // 2^−140 is no f16; its place is taken by the smallest f16 denormal.
    6: (lane: number) => (Math.abs(x(lane)) === 2 ** -140 ? 1 : half(x(lane))),
    7: (lane: number) => (Math.abs(y(lane)) === 2 ** -140 ? 1 : half(y(lane))),
  };

  for (const target of ['gfx1013', 'gfx700'] as const)
    for (const mode of [0xf0, 0x00])
      it(`has 16 relations on ${target} with denormals ${mode ? 'kept' : 'flushed'}`, () => {
        const types =
          target === 'gfx700' ? ['cmp f32', 'cmps f32', 'cmp f64', 'cmps f64'] : ['cmp f32', 'cmp f64', 'cmp f16'];
        for (const type of types) {
          const [op, format] = type.split(' ') as [string, string];
          const operands = format === 'f32' ? 'v0, v1' : format === 'f64' ? 'v[2:3], v[4:5]' : 'v6, v7';
          const text = RELATIONS.map((r, i) => `v_${op}_${r}_${format} s[${20 + 2 * i}:${21 + 2 * i}], ${operands}`);
          const outcome = run({
            target,
            waveSize: 64,
            mode,
            text: text.map((t) => t.replace(/_(f\d\d) s/, '_$1_e64 s')).join('\n'),
            v,
          });
          RELATIONS.forEach((relation, i) => {
            // f64 values of the table are no f64 denormals.
            const want = expected(relation, mode === 0 && format !== 'f64');
            expect([relation, outcome.s(20 + 2 * i), outcome.s(21 + 2 * i)]).toEqual([relation, ...want]);
          });
        }
      });

  it('v_cmpx writes EXEC only on gfx10, EXEC and VCC on gfx7; inactive lanes give 0', () => {
    const more = { waveSize: 64 as const, mode: 0xf0, v, exec: [0xffff, 0xffff0000] as const, vcc: [1, 2] as const };
    const [lo, hi] = expected('lt', false);
    const active = [(lo & 0xffff) >>> 0, (hi & 0xffff0000) >>> 0];
    const gfx10 = run({ ...more, text: 'v_cmpx_lt_f32 v0, v1' });
    expect([...gfx10.exec]).toEqual(active);
    expect([...gfx10.vcc]).toEqual([1, 2]);
    const gfx7 = run({ ...more, target: 'gfx700', text: 'v_cmpx_lt_f32 vcc, v0, v1' });
    expect([...gfx7.exec]).toEqual(active);
    expect([...gfx7.vcc]).toEqual(active);
    const signalling = run({ ...more, target: 'gfx700', text: 'v_cmpsx_lt_f64 vcc, v[2:3], v[4:5]' });
    expect([...signalling.exec]).toEqual(active);
  });

  it('tests classes', () => {
    const f32 = edges(F32).slice(0, 60);
    const f64 = edges(F64).slice(0, 60);
    const f16 = edges(F16).slice(0, 60);
    const lanes = (list: bigint[], shift: bigint) => (lane: number) =>
      Number(((list[lane] ?? 0n) >> shift) & 0xffffffffn);
    const classOf = (f: exact.Format, value: bigint) => {
      const negative = exact.isNegative(f, value);
      if (exact.isNan(f, value)) return (value & exact.quietBit(f)) !== 0n ? 1 : 0;
      if (exact.isInfinite(f, value)) return negative ? 2 : 9;
      if (exact.isZero(f, value)) return negative ? 5 : 6;
      return exact.isDenormal(f, value) ? (negative ? 4 : 7) : negative ? 3 : 8;
    };
    for (const mask of [0x3ff, 0x001, 0x2a5, 0x15a]) {
      const outcome = run({
        waveSize: 64,
        mode: 0,
        text: 'v_cmp_class_f32 s[20:21], v0, v9\nv_cmp_class_f64 s[22:23], v[2:3], v9\nv_cmp_class_f16 s[24:25], v4, v9\nv_cmp_class_f32 s[26:27], -v0, v9',
        v: { 0: lanes(f32, 0n), 2: lanes(f64, 0n), 3: lanes(f64, 32n), 4: lanes(f16, 0n), 9: mask },
      });
      const want = (f: exact.Format, list: bigint[], flip = false) => {
        const out = [0, 0];
        for (let lane = 0; lane < 64; lane++) {
          const value = (list[lane] ?? 0n) ^ (flip ? exact.signBit(f) : 0n);
          if ((mask >> classOf(f, value)) & 1) out[lane >> 5]! |= 1 << (lane & 31);
        }
        return out.map((w) => w >>> 0);
      };
      const got = [20, 22, 24, 26].map((s) => [outcome.s(s), outcome.s(s + 1)]);
      expect(got).toEqual([want(F32, f32), want(F64, f64), want(F16, f16), want(F32, f32, true)]);
    }
  });
});
