/**
 * f32 and f64 arithmetic against this machine's own, through a small C program. NaN results are compared as "NaN", since
 * payload rules differ between processors; everything else bit for bit, denormals kept.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addF32, fmaF32, mulF32 } from '../../../src/main/reference/float/arithmetic-f32.ts';
import { addF64, fmaF64, mulF64 } from '../../../src/main/reference/float/arithmetic-f64.ts';
import { f64ToF32 } from '../../../src/main/reference/float/convert.ts';
import { type FloatControl, floatControl } from '../../../src/main/reference/float/float-control.ts';
import { reciprocal, rootF32, rootF64, squareRoot } from '../../../src/main/reference/float/reciprocal.ts';
import { giveWords, OUT64 } from '../../../src/main/reference/float/scratch.ts';
import { F32, F64, type Format } from '../../../tests/support/exact-float.ts';
import { SampleSource } from '../../../tests/support/float-samples.ts';
import type { Report } from './report.ts';

const ROUND_NAMES = ['nearest', 'up', 'down', 'zero'];

/** Random operand words; most later operands lie near the exponent that matters, a third of the mantissas is sparse. */
function operandWords(f: Format, count: number, perCase: number, source: SampleSource): Uint32Array {
  const words = f.bits / 32;
  const out = new Uint32Array(count * perCase * words);
  const highBits = f.name === 'f32' ? 23 : 20;
  const exponentMax = (1 << f.exponentBits) - 1;
  const spread = f.mantissaBits + 6;
  for (let i = 0; i < count; i++) {
    // Exponent of the value that the next operand should be near to: the first operand, then the product of two.
    let around = source.below(exponentMax);
    for (let k = 0; k < perCase; k++) {
      const isNear = k > 0 && source.below(4) !== 0;
      const wanted = isNear ? around + source.below(2 * spread) - spread : source.below(exponentMax + 1);
      const exponent = Math.min(Math.max(wanted, 0), exponentMax);
      around = k === 0 ? exponent : around + exponent - (exponentMax >> 1);
      let high = source.u32() & ((1 << highBits) - 1);
      let low = source.u32();
      if (source.below(3) === 0) {
        high &= -1 << source.below(highBits);
        low = source.below(2) ? 0 : low & (-1 << source.below(32));
      }
      high |= (source.below(2) << 31) | (exponent << highBits);
      const at = (i * perCase + k) * words;
      if (words === 2) out[at] = low;
      out[at + words - 1] = high;
    }
  }
  return out;
}

interface Operation {
  readonly name: string;
  readonly format: Format;
  readonly result: Format;
  readonly operands: 1 | 2 | 3;
  readonly rounds: readonly number[];
  /** Leaves the result in OUT64; f32 results in its low word. */
  compute(w: Uint32Array, at: number, control: FloatControl): void;
}

const ALL = [0, 1, 2, 3];
const NEAREST = [0];

const OPERATIONS: readonly Operation[] = [
  {
    name: 'add32',
    format: F32,
    result: F32,
    operands: 2,
    rounds: ALL,
    compute: (w, i, c) => giveWords(addF32(w[i]!, w[i + 1]!, c), 0),
  },
  {
    name: 'mul32',
    format: F32,
    result: F32,
    operands: 2,
    rounds: ALL,
    compute: (w, i, c) => giveWords(mulF32(w[i]!, w[i + 1]!, c), 0),
  },
  {
    name: 'fma32',
    format: F32,
    result: F32,
    operands: 3,
    rounds: ALL,
    compute: (w, i, c) => giveWords(fmaF32(w[i]!, w[i + 1]!, w[i + 2]!, c), 0),
  },
  {
    name: 'add64',
    format: F64,
    result: F64,
    operands: 2,
    rounds: ALL,
    compute: (w, i, c) => addF64(w[i]!, w[i + 1]!, w[i + 2]!, w[i + 3]!, c),
  },
  {
    name: 'mul64',
    format: F64,
    result: F64,
    operands: 2,
    rounds: ALL,
    compute: (w, i, c) => mulF64(w[i]!, w[i + 1]!, w[i + 2]!, w[i + 3]!, c),
  },
  {
    name: 'fma64',
    format: F64,
    result: F64,
    operands: 3,
    rounds: ALL,
    compute: (w, i, c) => fmaF64(w[i]!, w[i + 1]!, w[i + 2]!, w[i + 3]!, w[i + 4]!, w[i + 5]!, c),
  },
  {
    name: 'narrow64',
    format: F64,
    result: F32,
    operands: 1,
    rounds: ALL,
    compute: (w, i, c) => giveWords(f64ToF32(w[i]!, w[i + 1]!, c, c), 0),
  },
  {
    name: 'sqrt64',
    format: F64,
    result: F64,
    operands: 1,
    rounds: NEAREST,
    compute: (w, i, c) => rootF64(w[i]!, w[i + 1]!, squareRoot, c),
  },
  {
    name: 'rcp64',
    format: F64,
    result: F64,
    operands: 1,
    rounds: NEAREST,
    compute: (w, i, c) => rootF64(w[i]!, w[i + 1]!, reciprocal, c),
  },
  // Denormals are flushed by the f32 roots: see `isFlushed`.
  {
    name: 'sqrt32',
    format: F32,
    result: F32,
    operands: 1,
    rounds: NEAREST,
    compute: (w, i) => giveWords(rootF32(w[i]!, squareRoot), 0),
  },
  {
    name: 'rcp32',
    format: F32,
    result: F32,
    operands: 1,
    rounds: NEAREST,
    compute: (w, i) => giveWords(rootF32(w[i]!, reciprocal), 0),
  },
];

function isNan(f: Format, low: number, high: number): boolean {
  if (f.name === 'f32') return (low & 0x7fffffff) > 0x7f800000;
  const magnitude = high & 0x7fffffff;
  return magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0);
}

/** f32 reciprocals and roots flush denormal operands and results; the C program does not. */
function isFlushed(name: string, operand: number, expected: number): boolean {
  return (
    name.endsWith('32') && /^(sqrt|rcp)/.test(name) && ((operand & 0x7f800000) === 0 || (expected & 0x7f800000) === 0)
  );
}

const BATCH = 250_000;

export function runNative(report: Report, cases: number, seed: number): void {
  const directory = mkdtempSync(join(tmpdir(), 'lanescope-soak-'));
  try {
    const program = join(directory, 'oracle');
    const source = fileURLToPath(new URL('native-oracle.c', import.meta.url));
    execFileSync('clang-19', ['-O2', '-frounding-math', '-ffp-contract=off', '-o', program, source, '-lm']);
    for (const operation of OPERATIONS)
      for (const round of operation.rounds)
        check(report, program, operation, round, operation.rounds.length === 1 ? cases : Math.ceil(cases / 4), seed);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function check(
  report: Report,
  program: string,
  operation: Operation,
  round: number,
  cases: number,
  seed: number,
): void {
  const started = performance.now();
  const { name, format, result, operands } = operation;
  const source = new SampleSource(seed * 7919 + round);
  const control = floatControl(round, 3);
  const stride = (operands * format.bits) / 32;
  const resultWords = result.bits / 32;
  let differences = 0;
  let detail = '';
  for (let done = 0; done < cases; done += BATCH) {
    const count = Math.min(BATCH, cases - done);
    const input = operandWords(format, count, operands, source);
    const bytes = execFileSync(program, [name, String(round)], {
      input: new Uint8Array(input.buffer),
      maxBuffer: 1 << 28,
    });
    const expected = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    for (let i = 0; i < count; i++) {
      const low = expected[i * resultWords]!;
      const high = resultWords === 2 ? expected[i * 2 + 1]! : 0;
      if (isFlushed(name, input[i * stride]!, low)) continue;
      operation.compute(input, i * stride, control);
      if (isNan(result, low, high) && isNan(result, OUT64[0]!, OUT64[1]!)) continue;
      if (OUT64[0] === low && (resultWords === 1 || OUT64[1] === high)) continue;
      if (differences++ === 0) {
        const words = [...input.slice(i * stride, (i + 1) * stride)].map((w) => w.toString(16));
        detail = `first: ${words.join(' ')} → ${[...OUT64].map((w) => w.toString(16)).join(' ')}, machine ${low.toString(16)} ${high.toString(16)}`;
      }
    }
  }
  report.line(`${name} ${ROUND_NAMES[round]} (this machine)`, cases, differences, started, detail);
}
