/**
 * Every exact float and conversion instruction as machine code: assembled by llvm-mc, run on 64 lanes of edge operands
 * under several MODE values, compared with instruction-rules.ts. Shows that each mnemonic is wired to the right function,
 * operand order, mode fields and destination.
 */
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import { opcodeOn, TABLES } from '../../../src/main/isa/tables/index.ts';
import * as exact from '../../support/exact-float.ts';
import { edges, SampleSource, sample } from '../../support/float-samples.ts';
import { haveLlvm, run } from '../reference/run-snippet.ts';
import { modesOf, type Operands, RULES, type Rule } from './instruction-rules.ts';
import { Differences } from './support.ts';

type Kind = 'f16' | 'f32' | 'f64' | 'b32';

const LANES = 64;

/** 64 operands of a kind: edges first, random ones to fill; three different orders for a, b, c. */
function lanesOf(kind: Kind, which: number): bigint[] {
  const source = new SampleSource(100 + which);
  if (kind === 'b32') {
    const some = [
      0n,
      1n,
      7n,
      8n,
      15n,
      0x80n,
      0xffn,
      0x7fffn,
      0x8000n,
      0xffffn,
      0x10000n,
      0x7fffffffn,
      0x80000000n,
      0xffffffffn,
      0x1000001n,
      0x1000003n,
    ];
    return Array.from({ length: LANES }, (_, i) => some[(i + 3 * which) % 32] ?? source.bits(32));
  }
  const f = kind === 'f16' ? exact.F16 : kind === 'f32' ? exact.F32 : exact.F64;
  const all = edges(f);
  const step = [1, 7, 11][which]!;
  return Array.from({ length: LANES }, (_, i) =>
    i % 8 === 7 ? sample(f, source) : all[(i * step + 5 * which) % all.length]!,
  );
}

const KINDS: readonly Kind[] = ['f16', 'f32', 'f64', 'b32'];
const LANE_VALUES = Object.fromEntries(
  KINDS.map((kind) => [kind, [0, 1, 2].map((which) => lanesOf(kind, which))]),
) as Record<Kind, bigint[][]>;
const INTEGERS = Array.from(
  { length: LANES },
  (_, i) => [0, 1, -1, 2, 20, -20, 100, -100, 200, -200, 1000, -1000, 32767, -32768, 5, -5][i % 16]!,
);

/** First register of operands a, b, c by kind; f16 operands have other bits in the upper half. */
const REGISTERS: Record<Kind, readonly [number, number, number]> = {
  f32: [0, 1, 2],
  f16: [3, 4, 5],
  b32: [6, 7, 8],
  f64: [10, 12, 14],
};
const INTEGER_REGISTER = 16;
const FIRST_RESULT = 32;

function initialRegisters(): Record<number, number[]> {
  const out: Record<number, number[]> = { [INTEGER_REGISTER]: INTEGERS };
  for (const kind of KINDS)
    REGISTERS[kind].forEach((register, which) => {
      const values = LANE_VALUES[kind][which]!;
      out[register] = values.map((x) => (kind === 'f16' ? (Number(x) | 0xabcd0000) >>> 0 : Number(x & 0xffffffffn)));
      if (kind === 'f64') out[register + 1] = values.map((x) => Number(x >> 32n));
    });
  return out;
}

/** Operand kind from the mnemonic: what it reads. */
function kindOf(mnemonic: string): Kind {
  const integers = /^v_cvt_(f\d+_[iu]\d+$|f32_ubyte|off|pk_[iu]16_[iu]32|f16_[iu]16)|^v_sat_pk/;
  if (integers.test(mnemonic)) return 'b32';
  return mnemonic.match(/_(f16|f32|f64)$/)![1] as Kind;
}

/** What it writes: 16-bit results are compared in the low half, 64-bit ones in two registers. */
function resultBits(mnemonic: string): number {
  const bits = Number(TABLES[mnemonic as keyof typeof TABLES].dst[0]!.match(/\d+/)![0]);
  return mnemonic === 'v_sat_pk_u8_i16' ? 16 : bits;
}

interface Line {
  readonly mnemonic: string;
  readonly rule: Rule;
  readonly text: string;
  readonly register: number;
  readonly kind: Kind;
  readonly bits: number;
}

function name(register: number, kind: Kind): string {
  return kind === 'f64' ? `v[${register}:${register + 1}]` : `v${register}`;
}

function linesFor(target: Target): Line[] {
  let register = FIRST_RESULT;
  const lines: Line[] = [];
  for (const [mnemonic, rule] of Object.entries(RULES)) {
    const row = TABLES[mnemonic as keyof typeof TABLES];
    if (opcodeOn(row, target) === undefined) continue;
    const kind = kindOf(mnemonic);
    const bits = resultBits(mnemonic);
    const sources = row.src.map((_, slot) =>
      mnemonic.startsWith('v_ldexp') && slot === 1 ? `v${INTEGER_REGISTER}` : name(REGISTERS[kind][slot]!, kind),
    );
    const destination = bits === 64 ? `v[${register}:${register + 1}]` : `v${register}`;
    lines.push({ mnemonic, rule, text: `${mnemonic} ${[destination, ...sources].join(', ')}`, register, kind, bits });
    register += 2;
  }
  return lines;
}

/** Round fields, denormal fields and IEEE bit in different combinations. */
const MODES = [0x00, 0xf0, 0xc0, 0x35, 0xfa, 0x9f, 0x2f0, 0x265];

describe.skipIf(!haveLlvm)('float instructions', () => {
  for (const target of ['gfx1013', 'gfx1030', 'gfx700'] as const) {
    const lines = linesFor(target);
    it(`${lines.length} of ${target} compute their rules`, () => {
      const wrong = new Differences();
      for (const mode of MODES) {
        const outcome = run({
          target,
          waveSize: 64,
          mode,
          text: lines.map((line) => line.text).join('\n'),
          v: initialRegisters(),
        });
        expect(outcome.result.status).toBe('completed');
        const modes = modesOf(mode, target === 'gfx700');
        for (const line of lines) {
          const low = outcome.v(line.register);
          const high = outcome.v(line.register + 1);
          for (let lane = 0; lane < LANES; lane++) {
            const [a, b, c] = LANE_VALUES[line.kind].map((values) => values[lane]!) as [bigint, bigint, bigint];
            const operands: Operands = { a, b, c, i: INTEGERS[lane]! };
            const actual = line.bits === 64 ? (BigInt(high[lane]!) << 32n) | BigInt(low[lane]!) : BigInt(low[lane]!);
            wrong.check(
              line.bits === 16 ? actual & 0xffffn : actual,
              line.rule(operands, modes),
              () => `${line.mnemonic} ${[a, b, c].map((x) => x.toString(16))} mode ${mode.toString(16)}`,
            );
          }
        }
      }
      expect(wrong.shown).toEqual([]);
    });
  }

  it('keeps the upper half on gfx10 and clears it for v_cvt_f16_f32 on gfx7', () => {
    const text = 'v_cvt_f16_f32 v1, v0';
    const v = { 0: 0x3f800000, 1: 0x12345678 };
    expect(run({ text, v }).v(1)[0]).toBe(0x12343c00);
    expect(run({ target: 'gfx700', text, v }).v(1)[0]).toBe(0x3c00);
  });
});
