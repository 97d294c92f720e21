/**
 * Measures what the device's float arithmetic really does, once per opened device.
 *
 * Why: Vulkan promises little (fma may be unfused, denormals may be flushed, division may be 2.5 ulp off), and code
 * generation must know, not assume. Expected bits come from the definition: JS doubles give correctly rounded f64
 * add, mul, div, sqrt; Math.fround of a double result is the correctly rounded f32 result for these operations since
 * 53 ≥ 2·24 + 2 (Figueroa, "When is double rounding innocuous?").
 */
import type { MeasuredArithmetic } from '../gpu-backend.ts';
import { PROBE_F16, PROBE_F32, PROBE_F64 } from './arithmetic-probe.gen.ts';

/** Runs a module with set 0 = {input, output}; returns the output's words. */
export type RunProbe = (spirv: Uint32Array, input: Uint32Array, outputWords: number) => Promise<Uint32Array>;

const f32Bits = (x: number): number => new Uint32Array(new Float32Array([x]).buffer)[0]!;
const f32Of = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0]!;
const f64Words = (x: number): [number, number] => {
  const words = new Uint32Array(new Float64Array([x]).buffer);
  return [words[0]!, words[1]!];
};

const NAN_BITS = 0x7fc00000;
const F32_CASES: readonly (readonly [number, number, number])[] = [
  // The product of 1 + 2⁻¹² squared needs 25 bits: fused and unfused differ in the last place.
  [0x3f800800, 0x3f800800, 0xbf801000],
  // A denormal operand, and a denormal result.
  [0x00000001, 0x3f800000, 0x00000000],
  [0x00800000, 0x3f000000, 0x00000000],
  [0x00400000, 0x00200000, 0x00000000],
  [NAN_BITS, 0x40400000, 0x3f800000],
  [0x40400000, NAN_BITS, 0x3f800000],
];

function seededCases(count: number): (readonly [number, number, number])[] {
  let state = 0x2545f491;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  // Exponents near 127, so that nothing overflows or becomes denormal.
  const normal = (): number => ((next() & 0x807fffff) | ((110 + (next() % 34)) << 23)) >>> 0;
  return Array.from({ length: count }, () => [normal(), normal(), normal()] as const);
}

async function measureF32(
  run: RunProbe,
): Promise<Omit<MeasuredArithmetic, 'fma64Fused' | 'f64DenormalsKept' | 'f16DenormalsKept' | 'f16Exact' | 'f64Exact'>> {
  const cases = [...F32_CASES, ...seededCases(500)];
  const input = new Uint32Array(1 + 3 * cases.length);
  input[0] = cases.length;
  cases.forEach((c, i) => {
    input.set(c, 1 + 3 * i);
  });
  const out = await run(PROBE_F32, input, 7 * cases.length);
  const word = (i: number, k: number): number => out[7 * i + k]!;
  let add = true;
  let mul = true;
  let div = true;
  let sqrt = true;
  for (let i = F32_CASES.length; i < cases.length; i++) {
    const [a, b] = cases[i]!.map(f32Of) as [number, number, number];
    add &&= word(i, 0) === f32Bits(Math.fround(a + b));
    mul &&= word(i, 1) === f32Bits(Math.fround(a * b));
    div &&= word(i, 2) === f32Bits(Math.fround(a / b));
    sqrt &&= a < 0 || word(i, 3) === f32Bits(Math.fround(Math.sqrt(a)));
  }
  return {
    // (1 + 2⁻¹²)² − (1 + 2⁻¹¹) = 2⁻²⁴ exactly; unfused it is 0.
    fma32Fused: word(0, 4) === f32Bits(2 ** -24),
    f32DenormalsKept: word(1, 1) === 1 && word(2, 1) === 0x00400000 && word(3, 0) === 0x00600000,
    f32AddExact: add,
    f32MulExact: mul,
    f32DivExact: div,
    f32SqrtExact: sqrt,
    minMaxNumber: [word(4, 5), word(4, 6), word(5, 5), word(5, 6)].every((w) => w === 0x40400000),
  };
}

async function measureF64(
  run: RunProbe,
): Promise<Pick<MeasuredArithmetic, 'fma64Fused' | 'f64DenormalsKept' | 'f64Exact'>> {
  const tiny = Number.MIN_VALUE;
  const cases: [number, number, number][] = [
    [1 + 2 ** -30, 1 + 2 ** -30, -(1 + 2 ** -29)],
    [tiny, 1, 0],
    [2 ** -1022, 0.5, 0],
  ];
  for (const [a, b, c] of seededCases(200)) cases.push([f32Of(a) / 3, f32Of(b) / 7, f32Of(c)]);
  const input = new Uint32Array(2 + 6 * cases.length);
  input[0] = cases.length;
  cases.forEach((c, i) => {
    c.forEach((x, k) => {
      input.set(f64Words(x), 2 + 6 * i + 2 * k);
    });
  });
  const out = await run(PROBE_F64, input, 10 * cases.length);
  const equal = (i: number, k: number, x: number): boolean => {
    const [low, high] = f64Words(x);
    return out[10 * i + 2 * k] === low && out[10 * i + 2 * k + 1] === high;
  };
  let exact = true;
  for (let i = 3; i < cases.length; i++) {
    const [a, b] = cases[i]!;
    exact &&= equal(i, 0, a + b) && equal(i, 1, a * b) && equal(i, 2, a / b) && (a < 0 || equal(i, 3, Math.sqrt(a)));
  }
  return {
    fma64Fused: equal(0, 4, 2 ** -60),
    f64DenormalsKept: equal(1, 1, tiny) && equal(2, 1, 2 ** -1023),
    f64Exact: exact,
  };
}

async function measureF16(run: RunProbe): Promise<Pick<MeasuredArithmetic, 'f16DenormalsKept' | 'f16Exact'>> {
  // [a, b, a + b, a × b] worked out by hand: 1 + 2⁻¹⁰ is 0x3c01; 2⁻²⁴ is 0x0001.
  const cases: readonly (readonly [number, number, number, number])[] = [
    [0x0001, 0x3c00, 0x3c00, 0x0001],
    [0x0400, 0x3800, 0x3801, 0x0200],
    [0x3c01, 0x3c01, 0x4001, 0x3c02],
    [0x3c00, 0x1000, 0x3c00, 0x1000],
    [0x3c01, 0x1000, 0x3c02, 0x1001],
  ];
  const input = new Uint32Array(1 + 2 * cases.length);
  input[0] = cases.length;
  cases.forEach(([a, b], i) => {
    input.set([a, b], 1 + 2 * i);
  });
  const out = await run(PROBE_F16, input, 2 * cases.length);
  return {
    f16DenormalsKept: out[1] === 0x0001 && out[3] === 0x0200,
    f16Exact: cases.every(([, , sum, product], i) => i < 2 || (out[2 * i] === sum && out[2 * i + 1] === product)),
  };
}

export async function measureArithmetic(
  run: RunProbe,
  has: { float64: boolean; float16: boolean },
): Promise<MeasuredArithmetic> {
  return {
    ...(await measureF32(run)),
    ...(has.float64 ? await measureF64(run) : { fma64Fused: false, f64DenormalsKept: false, f64Exact: false }),
    ...(has.float16 ? await measureF16(run) : { f16DenormalsKept: false, f16Exact: false }),
  };
}
