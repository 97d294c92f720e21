/**
 * OpenCL kernels compiled by clang for every target, on the reference, against the same programs in TypeScript: exact for
 * integers and for floats that IEEE 754 defines.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/main/base/dispatch.ts';
import { haveTool } from '../support/tools.ts';
import { type Argument, BUILDS, type Build, compileOpenCl, type KernelOutcome, runOpenCl } from './opencl-kernel.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode';
const have = haveTool('clang-19') && existsSync(LIBRARY);
if (!have) console.log('skipped: clang-19 or its AMD device library is not installed');

const compiled = new Map<string, Uint8Array>();

function code(file: 'integer' | 'float', build: Build): Uint8Array {
  const key = `${file} ${build.name}`;
  let bytes = compiled.get(key);
  if (!bytes) {
    const path = fileURLToPath(new URL(`../kernels/${file}.cl`, import.meta.url));
    const exact = ['-ffp-contract=off', '-cl-fp32-correctly-rounded-divide-sqrt'];
    bytes = compileOpenCl(path, build, true, file === 'float' ? exact : []);
    compiled.set(key, bytes);
  }
  return bytes;
}

/** xorshift32: seeded, so that failures can be repeated. */
function random(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>>= 0);
  };
}
const list = <T>(n: number, f: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => f(i));
const u32 = (n: number, seed: number): Uint32Array => {
  const next = random(seed);
  return Uint32Array.from({ length: n }, () => next());
};

for (const build of BUILDS) {
  describe.skipIf(!have)(`OpenCL on ${build.name}`, () => {
    const launch = (
      file: 'integer' | 'float',
      kernel: string,
      threads: number | Vec3,
      groups: number | Vec3,
      args: readonly Argument[],
    ): KernelOutcome => {
      const three = (v: number | Vec3): Vec3 => (typeof v === 'number' ? [v, 1, 1] : v);
      const o = runOpenCl(code(file, build), kernel, {
        threads: three(threads),
        groups: three(groups),
        arguments: args,
      });
      expect(o.result.faults).toEqual([]);
      expect(o.result.diagnostics).toEqual([]);
      expect(o.result.status).toBe('completed');
      return o;
    };
    const ints = (
      kernel: string,
      threads: number | Vec3,
      groups: number | Vec3,
      args: readonly Argument[],
    ): KernelOutcome => launch('integer', kernel, threads, groups, args);
    const words = (o: KernelOutcome, index: number): number[] => [...new Uint32Array(o.bytes(index))];

    it('bitonic sort in LDS', () => {
      const data = u32(512, 1);
      const sorted = [data.slice(0, 256).sort(), data.slice(256).sort()].flatMap((a) => [...a]);
      expect(words(ints('bitonic_sort', 256, 2, [{ buffer: data }]), 0)).toEqual(sorted);
    });
    it('inclusive scan', () => {
      const data = Int32Array.from(u32(256, 2));
      let sum = 0;
      const expected = [...data].map((v, i) => (sum = i % 128 === 0 ? v : (sum + v) | 0));
      const o = ints('inclusive_scan', 128, 2, [{ buffer: data }, { buffer: new Int32Array(256) }]);
      expect([...new Int32Array(o.bytes(1))]).toEqual(expected);
    });
    it('reduction with local and global atomics', () => {
      const data = u32(512, 3);
      const o = ints('reduce_atomic', 128, 4, [{ buffer: data }, { buffer: Uint32Array.of(0, 0xffffffff, 0, 0, 0) }]);
      const sum = data.reduce((s, v) => (s + v) >>> 0, 0);
      expect(words(o, 1)).toEqual([
        sum,
        Math.min(...data),
        Math.max(...data),
        data.reduce((s, v) => (s | (1 << (v & 31))) >>> 0, 0),
        4,
      ]);
    });
    it('tiled matrix product', () => {
      const n = 24;
      const [a, b] = [Int32Array.from(u32(n * n, 4)), Int32Array.from(u32(n * n, 5))];
      const expected = list(n * n, (i) =>
        list(n, (k) => k).reduce((s, k) => (s + Math.imul(a[Math.floor(i / n) * n + k]!, b[k * n + (i % n)]!)) | 0, 0),
      );
      const o = ints(
        'matrix_multiply',
        [8, 8, 1],
        [3, 3, 1],
        [{ buffer: a }, { buffer: b }, { buffer: new Int32Array(n * n) }, { u32: n }],
      );
      expect([...new Int32Array(o.bytes(2))]).toEqual(expected);
    });
    it('FNV and CRC-32 over byte strings of different lengths', () => {
      const strings = list(64, (i) => 'lanes '.repeat(i % 7) + i);
      const text = new TextEncoder().encode(strings.join(''));
      const offsets = new Uint32Array(strings.length + 1);
      strings.forEach((s, i) => {
        offsets[i + 1] = offsets[i]! + s.length;
      });
      const expected = strings.flatMap((s) => {
        let fnv = 2166136261;
        let crc = 0xffffffff;
        for (const c of new TextEncoder().encode(s)) {
          fnv = Math.imul(fnv ^ c, 16777619) >>> 0;
          crc ^= c;
          for (let b = 0; b < 8; b++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
        }
        return [fnv, ~crc >>> 0];
      });
      expect(
        words(ints('hash_bytes', 64, 1, [{ buffer: text }, { buffer: offsets }, { buffer: new Uint32Array(128) }]), 2),
      ).toEqual(expected);
    });
    it('SHA-256, against node:crypto', () => {
      const messages = list(64, (i) => Buffer.from(`message ${i} `.repeat(i % 4)));
      const blocks = new Uint32Array(64 * 16);
      messages.forEach((m, i) => {
        const block = new Uint8Array(64);
        block.set(m);
        block[m.length] = 0x80;
        const v = new DataView(block.buffer);
        v.setUint32(60, m.length * 8);
        for (let k = 0; k < 16; k++) blocks[16 * i + k] = v.getUint32(4 * k);
      });
      const o = ints('sha256', 64, 1, [{ buffer: blocks }, { buffer: new Uint32Array(512) }]);
      const got = words(o, 1);
      messages.forEach((m, i) => {
        const hex = got
          .slice(8 * i, 8 * i + 8)
          .map((w) => w.toString(16).padStart(8, '0'))
          .join('');
        expect(hex).toBe(createHash('sha256').update(m).digest('hex'));
      });
    });
    it('Collatz: 64-bit, divergent trip counts', () => {
      const data = Uint32Array.from(list(128, (i) => (i === 5 ? 0xffffffff : i + 1)));
      const expected = [...data].map((v) => {
        let n = BigInt(v);
        let steps = 0;
        for (; n !== 1n && steps < 1000; steps++) n = n & 1n ? 3n * n + 1n : n >> 1n;
        return steps;
      });
      expect(words(ints('collatz', 64, 2, [{ buffer: data }, { buffer: new Uint32Array(128) }]), 1)).toEqual(expected);
    });
    it('queens with a private stack', () => {
      // Solutions on 7 × 7 by column of the first queen: 4 7 6 6 6 7 4.
      const o = ints('queens', 64, 1, [{ buffer: new Uint32Array(64) }, { u32: 7 }]);
      expect(words(o, 0)).toEqual(list(64, (i) => [4, 7, 6, 6, 6, 7, 4][i % 7]!));
    });
    it('quicksort of private arrays', () => {
      const data = Int32Array.from(u32(64 * 32, 6));
      const expected = list(64, (i) => [...data.slice(32 * i, 32 * i + 32).sort()]).flat();
      expect([...new Int32Array(ints('private_quicksort', 64, 1, [{ buffer: data }]).bytes(0))]).toEqual(expected);
    });
    it('histogram of bytes', () => {
      const data = new Uint8Array(u32(128, 7).buffer);
      const expected = list(64, (b) => data.filter((v) => (v & 63) === b).length);
      expect(words(ints('histogram', 128, 4, [{ buffer: data }, { buffer: new Uint32Array(64) }]), 1)).toEqual(
        expected,
      );
    });
    it('spin lock between waves and groups', () => {
      const o = ints('spin_lock', 256, 5, [{ buffer: Uint32Array.of(0) }, { buffer: Uint32Array.of(1) }]);
      let v = 1;
      for (let i = 0; i < 20; i++) v = (v * 3 + 1) >>> 0;
      expect([words(o, 0)[0], words(o, 1)[0]]).toEqual([0, v]);
    });
    it('64-bit arithmetic and division', () => {
      const edges = [
        0n,
        1n,
        2n,
        0xffffffffn,
        0x100000000n,
        0x7fffffffffffffffn,
        0x8000000000000000n,
        0xffffffffffffffffn,
      ];
      const w = u32(4 * 128, 8);
      const data = BigUint64Array.from(
        list(256, (i) =>
          i < 128
            ? i % 2 === 0
              ? edges[(i >> 1) % 8]!
              : edges[(i >> 4) % 8]!
            : ((BigInt(w[2 * i - 256]!) << 32n) | BigInt(w[2 * i - 255]!)) >> BigInt(w[i]! & 31),
        ),
      );
      const expected = list(128, (i) => {
        const [a, b] = [data[2 * i]!, data[2 * i + 1]!];
        const [sa, sb] = [BigInt.asIntN(64, a), BigInt.asIntN(64, b)];
        const shift = b & 63n;
        const quotient = b && !(sa === -(1n << 63n) && sb === -1n) ? sa / sb : 0n;
        const results = [
          a + b,
          a - b,
          a * b,
          b ? a / b : 0n,
          b ? a % b : 0n,
          quotient,
          (a * b) >> 64n,
          a << shift,
          sa >> shift,
          a < b ? 1n : sa < sb ? 2n : 3n,
        ];
        return results.map((v) => BigInt.asUintN(64, v));
      }).flat();
      const o = ints('long_arithmetic', 64, 2, [{ buffer: data }, { buffer: new BigUint64Array(1280) }]);
      expect([...new BigUint64Array(o.bytes(1))]).toEqual(expected);
    });
    it('32-bit division', () => {
      const edges = [0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe];
      const w = u32(256, 9);
      const data = Uint32Array.from(
        list(256, (i) =>
          i < 128 ? (i % 2 === 0 ? edges[(i >> 1) % 8]! : edges[i >> 4]!) : w[i]! >>> (w[i - 1]! & 31),
        ),
      );
      const expected = list(128, (i) => {
        const [a, b] = [data[2 * i]!, data[2 * i + 1]!];
        const [sa, sb] = [a | 0, b | 0];
        const bad = b === 0 || (sa === -(2 ** 31) && sb === -1);
        return [
          b ? Math.floor(a / b) : 0,
          b ? a % b : 0,
          bad ? 0 : Math.trunc(sa / sb),
          bad ? 0 : sa % sb,
          Number((BigInt(a) * BigInt(b)) >> 32n),
        ].map((v) => v >>> 0);
      }).flat();
      expect(words(ints('int_division', 64, 2, [{ buffer: data }, { buffer: new Uint32Array(640) }]), 1)).toEqual(
        expected,
      );
    });
    it('bit tricks, saturation, 24-bit products', () => {
      const data = u32(256, 10);
      data.set([0, 0, 0x7fffffff, 1, 0x80000000, 0x80000000, 0xffffffff, 0xffffffff]);
      const clamp = (v: number, low: number, high: number): number => Math.min(Math.max(v, low), high);
      const s24 = (v: number): number => (v << 8) >> 8;
      const expected = list(128, (i) => {
        const [a, b] = [data[2 * i]!, data[2 * i + 1]!];
        const [sa, sb] = [a | 0, b | 0];
        const ones = a.toString(2).replaceAll('0', '').length;
        const r = b & 31;
        return [
          ones,
          Math.clz32(a),
          a ? 31 - Math.clz32(a & -a) : 99,
          (a << r) | (r ? a >>> (32 - r) : 0),
          clamp(sa + sb, -(2 ** 31), 2 ** 31 - 1),
          Math.max(a - b, 0),
          Math.floor((a + b) / 2),
          Math.abs((sa >> 1) - (sb >> 1)),
          // mul24 is defined for 24-bit operands; the low 24 bits are what both sides use.
          Math.imul(s24(a), s24(b)),
          Math.imul(a & 0xffff, b & 0xffff) + 7,
          clamp(sa, -100, 100),
          Math.max(Math.min(a, b), ((a >>> 3) & b) >>> 0),
        ].map((v) => v >>> 0);
      }).flat();
      expect(words(ints('bit_tricks', 64, 2, [{ buffer: data }, { buffer: new Uint32Array(1536) }]), 1)).toEqual(
        expected,
      );
    });
    it('bytes and halves', () => {
      const c = new Int8Array(u32(64, 11).buffer);
      const s = new Uint16Array(u32(64, 12).buffer);
      const o = ints('narrow', 64, 1, [
        { buffer: c },
        { buffer: s },
        { buffer: new Int16Array(192) },
        { buffer: new Uint8Array(64) },
      ]);
      const shorts = Int16Array.from(
        list(64, (i) => [
          c[4 * i]! * c[4 * i + 1]!,
          s[2 * i]! - s[2 * i + 1]!,
          c[4 * i + 2]! << (s[2 * i]! & 7),
        ]).flat(),
      );
      expect([...new Int16Array(o.bytes(2))]).toEqual([...shorts]);
      expect([...new Uint8Array(o.bytes(3))]).toEqual(
        list(64, (i) => Math.min(Math.max(c[4 * i + 3]! * 3 + 20, 0), 255)),
      );
    });
    it('number-theoretic transform', () => {
      const p = 998244353n;
      const data = u32(64, 13).map((v) => v % 998244353);
      const power = (base: bigint, e: bigint): bigint => {
        let r = 1n;
        for (let b = base, k = e; k; k >>= 1n, b = (b * b) % p) if (k & 1n) r = (r * b) % p;
        return r;
      };
      const root = power(3n, (p - 1n) / 64n);
      const expected = list(64, (l) =>
        Number(list(64, (i) => i).reduce((s, i) => (s + BigInt(data[i]!) * power(root, BigInt(l * i))) % p, 0n)),
      );
      expect(words(ints('number_theoretic', 64, 1, [{ buffer: data }]), 0)).toEqual(expected);
    });
    it('pointer chasing', () => {
      const w = u32(128, 14);
      const nodes = Uint32Array.from(
        list(128, (i) => [w[i]! % 5 === 0 ? 0xffffffff : w[i]! % 128, w[i]! & 0xffff]).flat(),
      );
      const expected = list(128, (i) => {
        let [at, sum, hops] = [i, 0, 0];
        for (; at !== 0xffffffff && hops < 100; hops++) {
          sum = (Math.imul(sum, 31) + nodes[2 * at + 1]!) >>> 0;
          at = nodes[2 * at]!;
        }
        return (sum + hops) >>> 0;
      });
      expect(words(ints('list_walk', 64, 2, [{ buffer: nodes }, { buffer: new Uint32Array(128) }]), 1)).toEqual(
        expected,
      );
    });
    it('sieve of bytes', () => {
      const limit = 1000;
      const o = ints('sieve', 64, 2, [{ buffer: new Uint8Array(limit) }, { u32: limit }]);
      const isPrime = (n: number): boolean => list(n - 2, (i) => i + 2).every((d) => n % d !== 0);
      const composite = new Uint8Array(o.bytes(0));
      for (let n = 2; n < limit; n++) expect([n, composite[n]]).toEqual([n, isPrime(n) ? 0 : 1]);
    });
    it('a token passed between waves at barriers', () => {
      let token = 0;
      for (let r = 0; r < 20; r++) token = (token * 5 + ((r * 37) % 192)) >>> 0;
      const o = ints('ping_pong', 192, 2, [{ buffer: new Uint32Array(384) }, { u32: 20 }]);
      expect(words(o, 0)).toEqual(list(384, (i) => (token + (i % 192)) >>> 0));
    });
    it('ids in three dimensions', () => {
      const [t, g] = [[4, 3, 5] as const, [2, 3, 2] as const];
      const o = ints('three_dimensions', t, g, [{ buffer: new Uint32Array(8 * 9 * 10) }]);
      const expected = list(720, (i) => {
        const [x, y, z] = [i % 8, Math.floor(i / 8) % 9, Math.floor(i / 72)];
        const group = Math.floor(x / 4) | (Math.floor(y / 3) << 4) | (Math.floor(z / 5) << 8);
        return (group | ((x % 4) << 12) | ((y % 3) << 16) | ((z % 5) << 20) | (3 << 24)) >>> 0;
      });
      expect(words(o, 0)).toEqual(expected);
    });

    const floats = (
      kernel: string,
      threads: number | Vec3,
      groups: number | Vec3,
      args: readonly Argument[],
    ): KernelOutcome => launch('float', kernel, threads, groups, args);
    const same = (got: ArrayLike<number>, expected: ArrayLike<number>): void => {
      const wrong: string[] = [];
      for (let i = 0; i < expected.length; i++)
        if (!Object.is(got[i], expected[i])) wrong.push(`${i}: ${got[i]} ≠ ${expected[i]}`);
      expect(wrong.slice(0, 6)).toEqual([]);
    };
    /** Ties to even, sign of zero kept. */
    const rint = (v: number): number => {
      const f = Math.floor(v);
      const r = v - f < 0.5 ? f : v - f > 0.5 ? f + 1 : f % 2 === 0 ? f : f + 1;
      return r === 0 && (v < 0 || Object.is(v, -0)) ? -0 : r;
    };
    /** Normal f32 values of moderate size, so that no result is denormal or overflows. */
    const values = (n: number, seed: number): Float32Array => {
      const next = random(seed);
      return Float32Array.from(
        { length: n },
        () => (next() & 1 ? -1 : 1) * (1 + (next() & 0x7fffff) / 2 ** 23) * 2 ** ((next() % 20) - 10),
      );
    };

    it('f32: exact operations, division and square root', () => {
      const data = values(384, 20);
      const o = floats('f32_exact', 64, 2, [{ buffer: data }, { buffer: new Float32Array(1536) }]);
      const expected = list(128, (i) => {
        const [a, b, c] = [data[3 * i]!, data[3 * i + 1]!, data[3 * i + 2]!];
        // a · b is exact in f64; its sum with c is rounded once to f64 and once to f32: skip the rare double rounding.
        const fused = a * b + c;
        return [
          a + b,
          a - b,
          a * b,
          a / b,
          Math.sqrt(Math.abs(a)),
          fused,
          Math.floor(a),
          Math.ceil(a),
          Math.trunc(a),
          rint(a),
          Math.min(a, b),
          Math.max(a, b),
        ].map(Math.fround);
      }).flat();
      same(new Float32Array(o.bytes(1)), expected);
    });
    it('f64: exact operations, division and square root', () => {
      const next = random(21);
      const data = Float64Array.from(
        { length: 384 },
        () => (next() & 1 ? -1 : 1) * (1 + next() / 2 ** 32 + next() / 2 ** 64) * 2 ** ((next() % 40) - 20),
      );
      const o = floats('f64_exact', 64, 2, [{ buffer: data }, { buffer: new Float64Array(1280) }]);
      const expected = list(128, (i) => {
        const [a, b, c] = [data[3 * i]!, data[3 * i + 1]!, data[3 * i + 2]!];
        return [
          a + b,
          a - b,
          a * b,
          a / b,
          Math.sqrt(Math.abs(a)),
          Math.floor(a),
          rint(a),
          Math.min(a, b),
          Math.fround(c),
          a * b + c,
        ];
      }).flat();
      same(new Float64Array(o.bytes(1)), expected);
    });
    it('conversions with saturation', () => {
      const data = new Float32Array(64);
      data.set([
        0,
        -0,
        0.5,
        1.5,
        2.5,
        -0.5,
        -1.5,
        1e10,
        -1e10,
        3e9,
        -3e9,
        Infinity,
        -Infinity,
        2147483520,
        254.5,
        255.5,
        300,
        -1,
        1e-30,
      ]);
      data.set(values(40, 22), 20);
      const o = floats('conversions', 64, 1, [{ buffer: data }, { buffer: new Int32Array(512) }]);
      const sat = (v: number): number => Math.min(Math.max(v, -(2 ** 31)), 2 ** 31 - 1);
      const usat = (v: number): number => Math.min(Math.max(Math.trunc(v), 0), 2 ** 32 - 1);
      const bits = (v: number): number => new Int32Array(Float32Array.of(v).buffer)[0]!;
      const expected = list(64, (i) => {
        const a = data[i]!;
        return [
          sat(Math.trunc(a)),
          sat(rint(a)),
          usat(a) | 0,
          sat(Math.floor(a)),
          bits(sat(Math.trunc(a)) + 0),
          bits(usat(a)),
          (Number.isFinite(a) ? 0 : 2) | (a < 0 || Object.is(a, -0) ? 4 : 0),
          Math.min(Math.max(Math.trunc(a), 0), 255),
        ].map((v) => v | 0);
      }).flat();
      expect([...new Int32Array(o.bytes(1))]).toEqual(expected);
    });
    it('half as a storage format', () => {
      // Small integers and quarters: products and sums are exact or round visibly.
      const half = (v: number): number => {
        const sign = v < 0 ? 0x8000 : 0;
        const a = Math.abs(v);
        if (a === 0) return sign;
        const e = Math.floor(Math.log2(a));
        return sign | ((e + 15) << 10) | ((a / 2 ** e - 1) * 1024);
      };
      const next = random(23);
      const numbers = list(128, () => ((next() % 512) - 256) / 4 || 1);
      const data = Uint16Array.from(numbers.map(half));
      const o = floats('half_storage', 64, 1, [
        { buffer: data },
        { buffer: new Uint16Array(128) },
        { buffer: new Float32Array(64) },
      ]);
      same(
        new Float32Array(o.bytes(2)),
        list(64, (i) => numbers[2 * i]! - numbers[2 * i + 1]!),
      );
      const sums = list(64, (i) => numbers[2 * i]! + numbers[2 * i + 1]!);
      const got = new Uint16Array(o.bytes(1));
      sums.forEach((v, i) => expect(got[2 * i + 1]).toBe(half(v)));
      const toHalf = (v: number): number => {
        const e = v === 0 ? 0 : Math.floor(Math.log2(Math.abs(v)));
        return half(rint(v / 2 ** (e - 10)) * 2 ** (e - 10));
      };
      list(64, (i) => expect([i, got[2 * i]]).toEqual([i, toHalf(numbers[2 * i]! * numbers[2 * i + 1]!)]));
    });
    it('dot product in the order of the source', () => {
      const n = 200;
      const [a, b] = [values(n, 24), values(n, 25)];
      const f = Math.fround;
      const s = list(64, (l) => {
        let sum = 0;
        for (let i = l; i < n; i += 64) sum = f(sum + f(a[i]! * b[i]!));
        return sum;
      });
      for (let step = 32; step > 0; step >>= 1) for (let l = 0; l < step; l++) s[l] = f(s[l]! + s[l + step]!);
      const o = floats('dot_reduce', 64, 1, [
        { buffer: a },
        { buffer: b },
        { buffer: new Float32Array(1) },
        { u32: n },
      ]);
      same(new Float32Array(o.bytes(2)), [s[0]!]);
    });
    it('Mandelbrot iterations', () => {
      const f = Math.fround;
      const [width, scale] = [16, f(0.17)];
      const expected = list(256, (i) => {
        const cx = f(f(((i % 16) - 8) * scale) - 0.5);
        const cy = f((Math.floor(i / 16) - 8) * scale);
        let [x, y, n] = [0, 0, 0];
        while (n < 64 && f(f(x * x) + f(y * y)) < 4) {
          const t = f(f(f(x * x) - f(y * y)) + cx);
          y = f(f(f(2 * x) * y) + cy);
          x = t;
          n++;
        }
        return n;
      });
      const o = floats(
        'mandelbrot',
        [8, 8, 1],
        [2, 2, 1],
        [{ buffer: new Int32Array(256) }, { u32: width }, { f32: scale }],
      );
      expect([...new Int32Array(o.bytes(0))]).toEqual(expected);
    });
    it('n-body accelerations', () => {
      const f = Math.fround;
      const p = values(256, 26);
      const n = 64;
      const eps = f(0.01);
      const expected = list(n, (j) => {
        let [ax, ay, az] = [0, 0, 0];
        for (let i = 0; i < n; i++) {
          const d = [0, 1, 2].map((k) => f(p[4 * i + k]! - p[4 * j + k]!)) as [number, number, number];
          const r2 = f(f(f(f(d[0] * d[0]) + f(d[1] * d[1])) + f(d[2] * d[2])) + eps);
          const inv = f(1 / f(Math.sqrt(r2)));
          const force = f(f(f(p[4 * i + 3]! * inv) * inv) * inv);
          ax = f(ax + f(force * d[0]));
          ay = f(ay + f(force * d[1]));
          az = f(az + f(force * d[2]));
        }
        return [ax, ay, az, 0];
      }).flat();
      const o = floats('n_body', 64, 1, [{ buffer: p }, { buffer: new Float32Array(256) }, { u32: n }]);
      same(new Float32Array(o.bytes(1)), expected);
    });
  });
}
