/**
 * Largest error of the approximate instructions over many operands, in units in the last place, against the host's
 * double-precision functions (good to about 2^−50, far below what is measured), and 1/√x of every f32 significand.
 */
import { cosF32, exp2F32, log2F32, sinF32 } from '../../../src/main/reference/float/approximate.ts';
import { reciprocalRoot, rootF32 } from '../../../src/main/reference/float/reciprocal.ts';
import { SampleSource } from '../../../tests/support/float-samples.ts';
import type { Report } from './report.ts';

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

function numberOf(word: number): number {
  bits[0] = word;
  return single[0]!;
}

function ulp(value: number): number {
  return 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), -126) - 23);
}

/** Sine or cosine of x turns, reduced exactly before the host's function sees it. */
function turns(x: number, quarters: number): number {
  let rest = x - Math.round(x);
  const quarter = Math.round(rest * 4);
  rest = 2 * Math.PI * (rest - quarter / 4);
  switch ((quarter + quarters) & 3) {
    case 0:
      return Math.sin(rest);
    case 1:
      return Math.cos(rest);
    case 2:
      return -Math.sin(rest);
    default:
      return -Math.cos(rest);
  }
}

/** Operands with a uniformly chosen exponent in lowest…highest (unbiased). */
function spread(lowest: number, highest: number, negative: boolean): (source: SampleSource) => number {
  return (source) => {
    const exponent = lowest + source.below(highest - lowest + 1) + 127;
    return ((negative ? source.below(2) << 31 : 0) | (exponent << 23) | (source.u32() & 0x7fffff)) >>> 0;
  };
}

const FUNCTIONS: readonly [
  string,
  (word: number) => number,
  (x: number) => number,
  (source: SampleSource) => number,
][] = [
  ['exp2', exp2F32, (x) => 2 ** x, spread(-26, 6, true)],
  ['log2', log2F32, Math.log2, spread(-126, 127, false)],
  ['log2 near 1', log2F32, (x) => Math.log1p(x - 1) * Math.LOG2E, spread(-1, 0, false)],
  ['sin', sinF32, (x) => turns(x, 0), spread(-60, 22, true)],
  ['cos', cosF32, (x) => turns(x, 1), spread(-26, 22, true)],
];

const BOUND = 0.53;

export function runApproximations(report: Report, cases: number, seed: number): void {
  for (const [name, f, reference, operand] of FUNCTIONS) {
    const started = performance.now();
    const source = new SampleSource(seed * 15485863 + name.length);
    let worst = 0;
    let worstAt = 0;
    let outside = 0;
    for (let i = 0; i < cases; i++) {
      const word = operand(source);
      const expected = reference(numberOf(word));
      if (!(Math.abs(expected) >= 2 ** -126) || Math.abs(expected) > 3.4e38) continue;
      const error = Math.abs(numberOf(f(word)) - expected) / ulp(expected);
      if (!(error <= BOUND)) outside++;
      if (!(error <= worst)) {
        worst = error;
        worstAt = word;
      }
    }
    report.line(
      `${name} (bound ${BOUND} ulp)`,
      cases,
      outside,
      started,
      `largest ${worst.toFixed(4)} ulp at ${worstAt.toString(16)}`,
    );
  }
  reciprocalRoots(report);
}

/**
 * Whether Math.fround(1 / Math.sqrt(x)) is the correctly rounded 1/√x for every significand of two binades: the double
 * is within 1.5 units of its own last place, so only doubles next to a midpoint of two f32 need the exact comparison.
 */
function reciprocalRoots(report: Report): void {
  const started = performance.now();
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  let differences = 0;
  let close = 0;
  for (let word = 0x3f800000; word < 0x40800000; word++) {
    const x = numberOf(word);
    double[0] = 1 / Math.sqrt(x);
    const distance = (words[0]! & 0x1fffffff) - 0x10000000;
    if (Math.abs(distance) > 2) continue;
    close++;
    words[0] = words[0]! - distance;
    // midpoint² · x against 1, in integers: midpoint · 2^54 and x · 2^23 are integers.
    const midpoint = BigInt(double[0]! * 2 ** 54);
    const above = midpoint * midpoint * BigInt(x * 2 ** 23) < 1n << 131n;
    const nearestIsAbove = numberOf(rootF32(word, reciprocalRoot)) > double[0]!;
    if (above !== nearestIsAbove) differences++;
  }
  report.line('1/sqrt, every significand', 1 << 24, differences, started, `${close} next to a midpoint`);
}
