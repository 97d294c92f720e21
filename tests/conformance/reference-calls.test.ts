/**
 * Kernels that really call (direct, through pointers in memory, divergent, recursive), compiled by clang four ways, on
 * the reference. Expected values: the C source evaluated here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Argument, functionAddress, type KernelOutcome, runOpenCl } from './opencl-kernel.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/data/calls', import.meta.url));
const have = existsSync(FOLDER);
if (!have) console.log(`skipped: ${FOLDER} is not there`);

const THREADS = 64;
const GROUPS = 3;
const TOTAL = THREADS * GROUPS;
const each = <T>(f: (i: number) => T): T[] => Array.from({ length: TOTAL }, (_, i) => f(i));

const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const ack = (m: number, n: number): number => (m === 0 ? n + 1 : n === 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)));
const FUNCTIONS = [
  (x: number, k: number) => x + k,
  (x: number, k: number) => x * k,
  (x: number, k: number) => x - k * 3,
];

describe.skipIf(!have)('calls compiled by clang', () => {
  for (const build of ['calls_w32', 'calls_w64', 'calls_w32_flatscr', 'calls_gfx700']) {
    const code = (): Uint8Array => new Uint8Array(readFileSync(`${FOLDER}/${build}.co`));
    const launch = (kernel: string, args: readonly Argument[], threads = THREADS, groups = GROUPS): KernelOutcome => {
      const o = runOpenCl(code(), kernel, { threads: [threads, 1, 1], groups: [groups, 1, 1], arguments: args });
      expect(o.result.faults).toEqual([]);
      expect(o.result.diagnostics).toEqual([]);
      expect(o.result.status).toBe('completed');
      return o;
    };
    const floats = (o: KernelOutcome): number[] => [...new Float32Array(o.bytes(0))];
    const ints = (o: KernelOutcome): number[] => [...new Int32Array(o.bytes(0))];
    const out = (): Argument => ({ buffer: new Uint32Array(TOTAL) });
    const table = (): Argument => ({
      buffer: BigUint64Array.from(['f_add', 'f_mul', 'f_sub'].map((name) => functionAddress(code(), name))),
    });

    describe(build, () => {
      it('direct', () => {
        expect(floats(launch('k_direct', [out(), { u32: 3 }]))).toEqual(each((i) => i * 3 + 3));
      });
      it('recursive, divergent depth', () => {
        expect(ints(launch('k_recurse', [out()]))).toEqual(each((i) => fib(i % 12) + ack(2, i % 4)));
      });
      it('mutually recursive', () => {
        expect(ints(launch('k_mutual', [out()]))).toEqual(each((i) => ((i % 17) % 2 === 0 ? 1 : 0)));
      });
      it('through divergent pointers from memory', () => {
        const select = each((i) => (i * 7) % 3);
        const o = launch('k_indirect_mem', [out(), table(), { buffer: Int32Array.from(select) }]);
        expect(floats(o)).toEqual(each((i) => FUNCTIONS[select[i]!]!(i, i & 7)));
      });
      it('through one pointer', () => {
        for (const which of [0, 1, 2]) {
          expect(floats(launch('k_indirect_uniform', [out(), table(), { u32: which }]))).toEqual(
            each((i) => FUNCTIONS[which]!(i, i & 7)),
          );
        }
      });
      it('exports the addresses of its functions', () => {
        const o = launch('k_export_addrs', [{ buffer: new BigUint64Array(3) }], 1, 1);
        expect([...new BigUint64Array(o.bytes(0))]).toEqual(
          ['f_add', 'f_mul', 'f_sub'].map((name) => functionAddress(code(), name)),
        );
      });
      it('arrays on the stack, filled by a callee', () => {
        const n = 20;
        const expected = each((i) => {
          const a = new Array<number>(24).fill(0);
          for (let j = 0; j < n; j++) a[j] = i * j + 7;
          // Only elements that the callee wrote have a value in the source: skip lanes that read others.
          const read = Array.from({ length: n }, (_, j) => (j * 5 + i) % 24);
          return read.every((k) => k < n) ? read.reduce((s, k) => s + a[k]!, 0) : undefined;
        });
        const full = each((i) =>
          Array.from({ length: 24 }, (_, j) => i * ((j * 5 + i) % 24) + 7).reduce((s, v) => s + v, 0),
        );
        const got = ints(launch('k_stack', [out(), { u32: n }]));
        expected.forEach((value, i) => value === undefined || expect(got[i]).toBe(value));
        expect(ints(launch('k_stack', [out(), { u32: 24 }]))).toEqual(full);
      });
    });
  }
});
