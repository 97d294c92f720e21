/**
 * RADV's kernels on the reference, from two compilers, three generations and both wave sizes.
 *
 * Expected words: the buffers that the same SPIR-V gave on lavapipe wherever AMD's code computes the same formula
 * (facts/radv.md); otherwise the GLSL source evaluated here: fused multiply-adds with exact integers, subgroup
 * operations and ids by their definitions, approximate functions within a stated bound of the double result.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { convert, F16, F32, F64, type Format, fma } from '../support/exact-float.ts';
import { hasKernel, haveRadv, type KernelRun, RADV_DATA, runKernel, VARIANTS, type Variant } from './radv-kernel.ts';

if (!haveRadv) console.log(`skipped: ${RADV_DATA} is not there`);

let exactWords = 0;
let boundedWords = 0;

function start(variant: Variant, kernel: string): KernelRun {
  const run = runKernel(variant, kernel);
  expect(run.result.faults).toEqual([]);
  expect(run.result.status).toBe('completed');
  return run;
}

/** Compares words except those for which `skip` holds; at least some must have changed. */
function expectWords(
  after: Uint32Array,
  expected: ArrayLike<number>,
  skip: (i: number) => boolean = () => false,
): void {
  const wrong: string[] = [];
  for (let i = 0; i < after.length; i++) {
    if (skip(i)) continue;
    exactWords++;
    if (after[i] !== expected[i]! >>> 0)
      wrong.push(`${i}: ${after[i]!.toString(16)} ≠ ${(expected[i]! >>> 0).toString(16)}`);
  }
  expect(wrong.slice(0, 8)).toEqual([]);
}

const view = new DataView(new ArrayBuffer(8));
function f32(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}
function bitsOfF32(value: number): number {
  view.setFloat32(0, value);
  return view.getUint32(0);
}
/** f32 denormals are flushed by these kernels' float mode. */
function flushed(bits: number): number {
  return (bits & 0x7f800000) === 0 ? bits & 0x80000000 : bits;
}

function forEachVariant(kernel: string, check: (run: KernelRun, variant: Variant) => void): void {
  for (const variant of VARIANTS) {
    it.skipIf(!haveRadv || !hasKernel(variant, kernel))(`${kernel} ${variant}`, () =>
      check(start(variant, kernel), variant),
    );
  }
}

describe('RADV kernels', () => {
  for (const kernel of ['lds_reduce', 'divergent_loop', 'int64_mul', 'scratch_array']) {
    forEachVariant(kernel, (run) => {
      const b = run.buffer(0, 1);
      expectWords(b.after, b.golden);
    });
  }

  forEachVariant('atomics', (run) => {
    const b = run.buffer(0, 1);
    // Word 20 is the winner of a compare-and-swap: any group's lane 3.
    expectWords(b.after, b.golden, (i) => i === 20);
    expect([0, 1, 2, 3].map((g) => g * 64 + 4)).toContain(b.after[20]);
    expectWords(run.buffer(0, 2).after, run.buffer(0, 2).golden);
  });

  forEachVariant('fp64', (run) => {
    const { after, golden } = run.buffer(0, 1);
    const input = run.buffer(0, 0).before;
    const at = (i: number): bigint => (BigInt(input[2 * i + 1]!) << 32n) | BigInt(input[2 * i]!);
    const expected = golden.slice();
    for (let i = 0; i < input.length / 4; i++) {
      const sum = fused(F64, at(2 * i), at(2 * i + 1), at(2 * i));
      expected[16 * i + 4] = Number(sum & 0xffffffffn);
      expected[16 * i + 5] = Number(sum >> 32n);
    }
    // Word pair 3 is x / y: both compilers multiply by a refined reciprocal, which is not always correctly rounded.
    const isQuotient = (i: number): boolean => (i >> 1) % 8 === 3;
    expectWords(after, expected, isQuotient);
    const doubles = [new Float64Array(after.buffer), new Float64Array(golden.buffer)] as const;
    for (let i = 3; i < doubles[0].length; i += 8) {
      boundedWords += 2;
      expect(Math.abs(doubles[0][i]! - doubles[1][i]!)).toBeLessThanOrEqual(Math.abs(doubles[1][i]!) * 2 ** -52);
    }
  });

  forEachVariant('fp16_packed', (run) => {
    const { after, golden } = run.buffer(0, 1);
    const input = run.buffer(0, 0).before;
    const expected = golden.slice();
    for (let i = 0; i < input.length / 2; i++) {
      const half = (shift: number): number => {
        const x = BigInt((input[2 * i]! >>> shift) & 0xffff);
        return Number(fused(F16, x, BigInt((input[2 * i + 1]! >>> shift) & 0xffff), x));
      };
      expected[4 * i + 2] = half(0) | (half(16) << 16);
    }
    expectWords(after, expected);
  });

  forEachVariant('abi_ids', (run) => {
    const a = run.buffer(0, 0).before;
    const [n, k] = run.push as unknown as [number, number];
    const [wx, wy, wz] = run.groups;
    const b = run.buffer(0, 1);
    const expected = b.before.slice();
    for (let gz = 0; gz < wz * 4; gz++)
      for (let gy = 0; gy < wy * 4; gy++)
        for (let gx = 0; gx < wx * 4; gx++) {
          const i = gx + gy * wx * 4 + gz * wx * wy * 16;
          if (i >= n) continue;
          const local = (gx & 3) + (gy & 3) * 4 + (gz & 3) * 16;
          const subgroup = Math.floor(local / run.wave);
          const group = (gx >> 2) * 3 + (gy >> 2) * 5 + (gz >> 2) * 7;
          expected[i] = Math.imul(a[i]!, k) + local + subgroup * 1000 + group + wx + wy * 2 + wz * 4 + run.push[6]!;
        }
    expectWords(b.after, expected);
    expectWords(run.buffer(1, 0).after, run.buffer(1, 0).golden);
  });

  forEachVariant('subgroup_ops', (run) => {
    const a = run.buffer(0, 0).before;
    const { wave } = run;
    const expected = run.buffer(0, 1).before.slice();
    for (let i = 0; i < 64; i++) {
      const first = i - (i % wave);
      const lane = i - first;
      const values = a.subarray(first, first + wave);
      const odd = [0, 32].map((from) => {
        let bits = 0;
        for (let l = from; l < Math.min(from + 32, wave); l++) if (values[l]! & 1) bits |= 1 << (l - from);
        return bits >>> 0;
      });
      expected.set(
        [
          wave,
          lane,
          values.reduce((s, v) => (s + v) >>> 0, 0),
          values.subarray(0, lane + 1).reduce((s, v) => (s + v) >>> 0, 0),
          values.reduce((m, v) => Math.max(m, v), 0),
          odd[0]!,
          odd[1]!,
          values[lane ^ 5]!,
          values[lane ^ 1]!,
          values[0]!,
          values.some((v) => v > 4000000000) ? 1 : 0,
          values.subarray(0, lane).filter((v) => v & 1).length,
        ],
        12 * i,
      );
    }
    expectWords(run.buffer(0, 1).after, expected);
  });

  forEachVariant('fp32_math', (run) => {
    const a = run.buffer(0, 0).before;
    const { after } = run.buffer(0, 1);
    const far: string[] = [];
    /** Within `bound` of the exact value, relative to its size or to `floor`. */
    const near = (i: number, inDouble: number, bound: number, floor = 0): void => {
      boundedWords++;
      const got = f32(after[i]!);
      // What f32 cannot hold: overflow gives infinity, denormal results are flushed.
      const size = Math.abs(inDouble);
      const exact = size >= 2 ** 128 ? Math.sign(inDouble) * Infinity : size < 2 ** -126 ? 0 : inDouble;
      if (got === exact) return;
      if (Math.abs(got - exact) > bound * Math.max(Math.abs(exact), floor)) far.push(`${i}: ${got} for ${exact}`);
    };
    for (let i = 0; i < a.length / 2; i++) {
      const x = f32(flushed(a[2 * i]!));
      const y = f32(flushed(a[2 * i + 1]!));
      const q = 12 * i;
      const exactly = (k: number, value: number): void => {
        exactWords++;
        if (after[q + k] !== flushed(bitsOfF32(value)) >>> 0)
          far.push(`${q + k}: ${after[q + k]!.toString(16)} ≠ ${value}`);
      };
      near(q, x * y + x, 2 ** -22, Math.abs(x));
      near(q + 1, x / y, 2 ** -21.5);
      near(q + 2, Math.sqrt(Math.abs(x)), 2 ** -22.5);
      // The argument is scaled by 1/2π in f32 first: the error grows with |x|.
      near(q + 3, Math.sin(x), 2 ** -22, Math.max(1, Math.abs(x)));
      near(q + 4, 2 ** y, 2 ** -22.5);
      near(q + 5, Math.log2(Math.abs(x)), 2 ** -22.5);
      near(q + 6, 1 / Math.sqrt(Math.abs(y)), 2 ** -22.5);
      exactly(7, x - Math.floor(x));
      exactly(8, Math.min(Math.max(x, 0), 1));
      exactly(9, x * 8);
      const half = (bits: number): number => Number(convert(F32, F16, BigInt(flushed(bits) >>> 0), 'zero'));
      exactWords++;
      const packed = (half(a[2 * i]!) | (half(a[2 * i + 1]!) << 16)) >>> 0;
      if (after[q + 10] !== packed) far.push(`${q + 10}: ${after[q + 10]!.toString(16)} ≠ ${packed.toString(16)}`);
      const findMsb = a[2 * i] === 0 ? -1 : 31 - Math.clz32(a[2 * i]!);
      exactly(11, findMsb + bitCount(a[2 * i + 1]!));
    }
    expect(far.slice(0, 8)).toEqual([]);
  });

  afterAll(() => console.log(`RADV kernels: ${exactWords} words exact, ${boundedWords} within a bound`));
});

function bitCount(value: number): number {
  let n = 0;
  for (let v = value; v !== 0; v &= v - 1) n++;
  return n;
}

function fused(format: Format, a: bigint, b: bigint, c: bigint): bigint {
  return fma(format, a, b, c, { round: 'nearest', flushIn: false, flushOut: false });
}
