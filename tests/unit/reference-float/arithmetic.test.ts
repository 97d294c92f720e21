/**
 * Add, multiply, fused multiply-add, minimum and maximum of f16, f32 and f64 against exact rationals: every pair of edge
 * operands in every round and denormal mode, and seeded random operands.
 */
import { describe, expect, it } from 'vitest';
import * as exact from '../../support/exact-float.ts';
import { edges, SampleSource, sample } from '../../support/float-samples.ts';
import { CASES, Differences, ENGINES, type Engine } from './support.ts';

const hex = (x: bigint) => x.toString(16);

/** Minimum by the rules of docs/float-arithmetic.md#minimum-and-maximum, on exact values. */
function expectedMin(engine: Engine, a: bigint, b: bigint, mode: exact.Mode, ieee: boolean, smaller: boolean): bigint {
  const f = engine.format;
  const out = (x: bigint) => (mode.flushOut ? exact.flush(f, x) : x);
  const signals = (x: bigint) => exact.isNan(f, x) && (x & exact.quietBit(f)) === 0n;
  if (mode.flushIn) {
    a = exact.flush(f, a);
    b = exact.flush(f, b);
  }
  if (ieee && signals(a)) return exact.quiet(f, a);
  if (ieee && signals(b)) return exact.quiet(f, b);
  if (exact.isNan(f, a)) return out(b);
  if (exact.isNan(f, b)) return out(a);
  const value = (x: bigint): exact.Rational => {
    const big = exact.integer(1n << 3000n);
    if (exact.isInfinite(f, x)) return exact.isNegative(f, x) ? exact.minus(big) : big;
    return exact.exactValue(f, x);
  };
  const side = exact.compare(value(a), value(b));
  const aFirst = side !== 0 ? side < 0 : exact.isNegative(f, a);
  return out(aFirst === smaller ? a : b);
}

for (const engine of ENGINES) {
  const f = engine.format;
  describe(`${f.name} arithmetic`, () => {
    const all = edges(f);
    // f64's exact model is slow: every edge pair runs in four modes that cover each round and each denormal mode.
    const cases = f.name === 'f64' ? [CASES[3]!, CASES[4]!, CASES[9]!, CASES[14]!] : CASES;

    it('adds and multiplies edge operands', () => {
      const wrong = new Differences();
      for (const { mode, control } of cases)
        for (const a of all)
          for (const b of all) {
            const text = () => `${hex(a)} ${hex(b)} ${JSON.stringify(mode)}`;
            wrong.check(engine.add(a, b, control), exact.add(f, a, b, mode), () => `add ${text()}`);
            wrong.check(engine.mul(a, b, control), exact.mul(f, a, b, mode), () => `mul ${text()}`);
          }
      expect(wrong.shown).toEqual([]);
    });

    it('fuses edge operands', () => {
      const wrong = new Differences();
      const some = all.filter((_, i) => i % 3 !== 1);
      const source = new SampleSource(7);
      for (const { mode, control } of cases)
        for (const a of some)
          for (const b of some) {
            const c = all[source.below(all.length)]!;
            wrong.check(
              engine.fma(a, b, c, control),
              exact.fma(f, a, b, c, mode),
              () => `fma ${hex(a)} ${hex(b)} ${hex(c)} ${JSON.stringify(mode)}`,
            );
          }
      expect(wrong.shown).toEqual([]);
    });

    it('chooses minimum and maximum of edge operands', () => {
      const wrong = new Differences();
      for (const { mode, control } of CASES.slice(0, 4))
        for (const ieee of [false, true])
          for (const a of all)
            for (const b of all) {
              const text = () => `${hex(a)} ${hex(b)} ieee ${ieee}`;
              wrong.check(engine.min(a, b, control, ieee), expectedMin(engine, a, b, mode, ieee, true), text);
              wrong.check(engine.max(a, b, control, ieee), expectedMin(engine, a, b, mode, ieee, false), text);
            }
      expect(wrong.shown).toEqual([]);
    });

    it('is exact on 2,000 random operands in every mode', () => {
      const wrong = new Differences();
      const source = new SampleSource(0x5eed);
      for (let i = 0; i < 2000; i++) {
        const { mode, control } = CASES[i % CASES.length]!;
        const a = sample(f, source);
        const b = sample(f, source, i % 2 ? a : undefined);
        const product = exact.mul(f, a, b, { round: 'zero', flushIn: false, flushOut: false });
        const c = sample(f, source, i % 3 ? product : undefined);
        const text = () => `${hex(a)} ${hex(b)} ${hex(c)} ${JSON.stringify(mode)}`;
        wrong.check(engine.add(a, b, control), exact.add(f, a, b, mode), () => `add ${text()}`);
        wrong.check(engine.mul(a, b, control), exact.mul(f, a, b, mode), () => `mul ${text()}`);
        wrong.check(engine.fma(a, b, c, control), exact.fma(f, a, b, c, mode), () => `fma ${text()}`);
      }
      expect(wrong.shown).toEqual([]);
    });
  });
}
