/**
 * v_pk_add, mul, fma, max_f16: each half by itself, rounded once to nearest even, denormals kept (FLOAT_MODE 0xC0). The
 * multiply-add is fused on AMD and not on lavapipe; the other words equal golden. Exact rationals do the rounding.
 */
import { add, F16, fma, isNan, isNegative, type Mode, magnitudeOf, mul } from '../../../tests/support/exact-float.ts';
import type { KernelScript } from './expected-buffers.ts';
import { exactly } from './golden.ts';

const MODE: Mode = { round: 'nearest', flushIn: false, flushOut: false };

export const fp16Packed: KernelScript = ({ before }) => {
  const a = before[0]![0]!;
  const b = before[0]![1]!.slice();
  for (let i = 0; i < a.length / 2; i++) {
    const [x, y] = [a[2 * i]!, a[2 * i + 1]!];
    b.set(
      [
        halves(x, y, (p, q) => add(F16, p, q, MODE)),
        halves(x, y, (p, q) => mul(F16, p, q, MODE)),
        halves(x, y, (p, q) => fma(F16, p, q, p, MODE)),
        halves(x, y, larger),
      ],
      4 * i,
    );
  }
  return { '0.1': exactly(b, 'packed f16 instructions by definition') };
};

function halves(x: number, y: number, operation: (p: bigint, q: bigint) => bigint): number {
  const half = (shift: number): number =>
    Number(operation(BigInt((x >>> shift) & 0xffff), BigInt((y >>> shift) & 0xffff)));
  return (half(0) | (half(16) << 16)) >>> 0;
}

/** A NaN loses against a number; −0 lies below +0. */
function larger(p: bigint, q: bigint): bigint {
  if (isNan(F16, p)) return q;
  if (isNan(F16, q)) return p;
  return ordered(p) >= ordered(q) ? p : q;
}

function ordered(p: bigint): bigint {
  return isNegative(F16, p) ? -1n - magnitudeOf(F16, p) : magnitudeOf(F16, p);
}
