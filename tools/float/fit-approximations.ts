/**
 * Computes the coefficients of src/main/reference/float/approximate.ts and prints them as words.
 *
 * Each function is interpolated at the Chebyshev nodes of its interval (near-minimax, no iteration to go wrong) and
 * turned into a plain polynomial; coefficients are then rounded to the fixed-point format that the integer algorithm
 * uses. Run: npx tsx tools/float/fit-approximations.ts
 */

/** Coefficients c[0] + c[1] x + … of the interpolating polynomial of `f` on [0, 1]. */
function interpolate(f: (x: number) => number, degree: number): number[] {
  const n = degree + 1;
  const nodes = Array.from({ length: n }, (_, i) => 0.5 + 0.5 * Math.cos((Math.PI * (i + 0.5)) / n));
  // Newton's divided differences, then expansion; nodes are in [0, 1], so nothing cancels badly at these degrees.
  const table = nodes.map(f);
  for (let level = 1; level < n; level++)
    for (let i = n - 1; i >= level; i--) table[i] = (table[i]! - table[i - 1]!) / (nodes[i]! - nodes[i - level]!);
  let polynomial = [0];
  for (let i = n - 1; i >= 0; i--) {
    const next = [0, ...polynomial];
    for (let k = 0; k < polynomial.length; k++) next[k]! -= nodes[i]! * polynomial[k]!;
    next[0]! += table[i]!;
    polynomial = next;
  }
  return polynomial.slice(0, n);
}

function evaluate(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, c) => sum * x + c, 0);
}

function worst(f: (x: number) => number, coefficients: readonly number[]): number {
  let error = 0;
  for (let i = 1; i <= 20000; i++) error = Math.max(error, Math.abs(evaluate(coefficients, i / 20000) - f(i / 20000)));
  return error;
}

function show(name: string, f: (x: number) => number, degree: number, bits: readonly number[]): void {
  const coefficients = interpolate(f, degree);
  console.log(`${name}: error 2^${Math.log2(worst(f, coefficients)).toFixed(1)}`);
  const words = coefficients.map((c, i) => Math.round(Math.abs(c) * 2 ** (bits[i] ?? 32)));
  console.log(`  signs ${coefficients.map((c) => (c < 0 ? '-' : '+')).join('')}`);
  console.log(`  [${words.map((w) => `0x${w.toString(16).padStart(8, '0')}`).join(', ')}]`);
}

// (2^f − 1) / f on 0…1.
show('EXP2', (f) => (f < 1e-9 ? Math.LN2 : Math.expm1(f * Math.LN2) / f), 7, [31]);
// log2(1 + t) / t, t = 256 v / 362 − 4913932 / 2^24.
const lowest = 4913932 / 2 ** 24;
show(
  'LOG2',
  (v) => {
    const t = (256 * v) / 362 - lowest;
    return Math.abs(t) < 1e-12 ? Math.LOG2E : (Math.log1p(t) * Math.LOG2E) / t;
  },
  12,
  [31],
);
const TWO_PI = 2 * Math.PI;
/** (2π − sin(2πr)/r) / z with z = (8r)²: by series, which cancels nothing. */
function sineTail(z: number): number {
  const square = (TWO_PI * TWO_PI * z) / 64;
  let term = TWO_PI ** 3 / 6 / 64;
  let sum = 0;
  for (let k = 2; k < 14; k++) {
    sum += term;
    term *= -square / (2 * k * (2 * k + 1));
  }
  return sum;
}
/** (1 − cos(2πr)) / z. */
function cosineTail(z: number): number {
  const square = (TWO_PI * TWO_PI * z) / 64;
  let term = TWO_PI ** 2 / 2 / 64;
  let sum = 0;
  for (let k = 2; k < 14; k++) {
    sum += term;
    term *= -square / ((2 * k - 1) * (2 * k));
  }
  return sum;
}
show('SIN', sineTail, 3, []);
console.log(`  2π in Q29: 0x${Math.round(TWO_PI * 2 ** 29).toString(16)}`);
show('COS', cosineTail, 3, []);
