/**
 * Every float operation of the IR, written out in integers, against the reference's float functions (which are tested
 * against exact arithmetic): special values, boundaries and random operands, all rounding modes, bit for bit.
 */
import { describe, expect, it } from 'vitest';
import type { ComputeDispatch } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { OPS, type OpName, type OpRow, ROUND_NAMES } from '../../../src/main/recompiler/ir/ops.ts';
import { parseFunction } from '../../../src/main/recompiler/ir/parse.ts';
import { verifyFunction } from '../../../src/main/recompiler/ir/verify.ts';
import { expandFloats } from '../../../src/main/recompiler/passes/expand-floats.ts';
import type { FloatSupport } from '../../../src/main/recompiler/passes/floats/arithmetic.ts';
import { interpretDispatch } from '../../support/ir-interpreter.ts';

const DATA = 0x10000;
const SLOT = 0x1000;
const OUT = DATA + 5 * SLOT;

const DISPATCH: ComputeDispatch = {
  target: 'gfx1013',
  waveSize: 64,
  programAddress: 0 as GuestAddress,
  threads: [64, 1, 1],
  groupStart: [0, 0, 0],
  groups: [1, 1, 1],
  partialThreads: [64, 1, 1],
  userSgprs: new Uint32Array(0),
  tgidEnable: [false, false, false],
  tgSizeEnable: false,
  localIdCount: 1,
  ldsBytes: 0,
  scratchEnable: false,
  scratchBytesPerWave: 0,
  float: { floatMode: 0, dx10Clamp: false, ieee: false, fp16Overflow: false },
  rsrc1: 0,
  rsrc2: 0,
  rsrc3: 0,
};

type Size = 'f16' | 'f32' | 'f64' | 'int';

const SIGN: Record<Size, bigint> = { f16: 0x8000n, f32: 0x80000000n, f64: 1n << 63n, int: 0n };
const MANTISSA: Record<Size, number> = { f16: 10, f32: 23, f64: 52, int: 0 };
const EXPONENT: Record<Size, number> = { f16: 5, f32: 8, f64: 11, int: 0 };

/** Deterministic noise. */
class Noise {
  private state: number;
  constructor(seed: number) {
    this.state = seed >>> 0 || 1;
  }
  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>>= 0);
  }
}

/** One operand: half the time near something special, otherwise with an exponent near 1 so that operands interact. */
function sample(size: Size, noise: Noise): bigint {
  if (size === 'int') {
    const choice = noise.next() % 4;
    if (choice === 0) return BigInt.asUintN(32, BigInt((noise.next() % 300) - 150));
    if (choice === 1) return BigInt(noise.next() % 1024);
    if (choice === 2)
      return BigInt([0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x1000000, 0x1000001][noise.next() % 7]!);
    return BigInt(noise.next());
  }
  const m = BigInt(MANTISSA[size]);
  const e = (1n << BigInt(EXPONENT[size])) - 1n;
  const sign = noise.next() & 1 ? SIGN[size] : 0n;
  const mantissa = ((BigInt(noise.next()) << 32n) | BigInt(noise.next())) & ((1n << m) - 1n);
  const specials = [
    0n,
    1n,
    (1n << m) - 1n,
    1n << m,
    e << m,
    (e << m) | 1n,
    (e << m) | (1n << (m - 1n)) | 5n,
    (e << m) - 1n,
  ];
  switch (noise.next() % 6) {
    case 0:
      return sign | specials[noise.next() % specials.length]!;
    case 1:
      return sign | mantissa;
    case 2:
      return sign | ((BigInt(noise.next()) % (e + 1n)) << m) | mantissa;
    case 3: {
      // Few mantissa bits: ties and exact results.
      const near = e / 2n + BigInt((noise.next() % 40) - 20);
      const exponent = near < 0n ? 0n : near > e ? e : near;
      return sign | (exponent << m) | (mantissa & ~((1n << (m - 4n)) - 1n));
    }
    default: {
      const near = e / 2n + BigInt((noise.next() % 12) - 6);
      return sign | (near << m) | mantissa;
    }
  }
}

/** Sizes of the operands of an operation. */
function operandSizes(name: OpName): Size[] {
  const row: OpRow = OPS[name];
  const source = name.split('.').at(-1) as Size | 'u32' | 'i32' | 'u16' | 'i16';
  const isFloat = source === 'f16' || source === 'f32' || source === 'f64';
  return row.in.split(' ').map((letters, i): Size => {
    if (!isFloat) return 'int';
    if (name.startsWith('fldexp') && i === 1) return 'int';
    if (name.startsWith('fclass') && i === 1) return 'int';
    if (name.startsWith('ffma.scaled') && i === 3) return 'int';
    return letters === '64' ? 'f64' : source === 'f64' ? 'int' : (source as Size);
  });
}

function program(name: OpName, sizes: readonly Size[], immediates: string): string {
  const row: OpRow = OPS[name];
  const lines = ['b0:', '  %l : v32 = lane.id', '  %o : v32 = shl.u32 %l, 3'];
  sizes.forEach((size, i) => {
    lines.push(`  %p${i} : v64 = pack.64 %o, 0`, `  %q${i} : v64 = iadd.u64 %p${i}, ${DATA + i * SLOT}`);
    const count = size === 'f64' ? 2 : 1;
    lines.push(`  %t${i} : v32${count === 2 ? 'x2' : ''} = global.load.u32 %q${i}, true count=${count}`);
    if (count === 2) {
      lines.push(`  %l${i} : v32 = extract %t${i}`, `  %h${i} : v32 = extract %t${i} index=1`);
      lines.push(`  %v${i} : v64 = pack.64 %l${i}, %h${i}`);
    }
  });
  const operands = sizes.map((size, i) => (size === 'f64' ? `%v${i}` : `%t${i}`)).join(', ');
  const type = row.out === '64' ? 'v64' : row.out === '1' ? 'm' : 'v32';
  lines.push(`  %r : ${type} = ${name} ${operands} ${immediates}`);
  lines.push('  %a : v64 = pack.64 %o, 0', `  %b : v64 = iadd.u64 %a, ${OUT}`);
  if (type === 'v64') {
    lines.push('  %x : v32 = lo.64 %r', '  %y : v32 = hi.64 %r', '  global.store.u32 %b, true, %x, %y count=2');
  } else {
    if (type === 'm') lines.push('  %x : v32 = select.32 %r, 1, 0');
    lines.push(`  global.store.u32 %b, true, ${type === 'm' ? '%x' : '%r'} count=1`);
  }
  return `${[...lines, '  end'].join('\n')}\n`;
}

function run(text: string, memory: GuestMemory, support: FloatSupport | undefined): Uint32Array {
  const parsed = parseFunction(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  const fn = parsed.value;
  if (support) {
    expandFloats(fn, { deterministic: true, floats: support });
    expect(verifyFunction(fn)).toEqual([]);
  }
  interpretDispatch(fn, DISPATCH, memory);
  return new Uint32Array(memory.readBytes(OUT as GuestAddress, 512)!.slice().buffer);
}

const NONE: FloatSupport = { exactF32: false, exactF64: false, fusedF32: false, fusedF64: false };
const USUAL: FloatSupport = { exactF32: true, exactF64: true, fusedF32: false, fusedF64: false };
const FUSED: FloatSupport = { exactF32: true, exactF64: true, fusedF32: true, fusedF64: true };

/** How many batches of 64 per case; rare operations need fewer. */
const BATCHES = 2;

const NAMES = (Object.keys(OPS) as OpName[]).filter((name) =>
  /^(f(?!neg|abs|cmp|div|sub)[a-z0-9]+\.(.+\.)?f(16|32|64)|cvt\..+|div\..+)$/.test(name),
);

function immediateForms(name: OpName): string[] {
  const fields = (OPS[name] as OpRow).imm ?? [];
  if (fields.some((f) => f.name === 'flush')) return ['', 'round=rtp', 'round=rtn flush', 'round=rtz'];
  if (fields.some((f) => f.name === 'round')) return ROUND_NAMES.map((r) => (r === 'rne' ? '' : `round=${r}`));
  if (fields.some((f) => f.name === 'ieee')) return ['', 'ieee'];
  if (fields.some((f) => f.name === 'dx10')) return ['', 'dx10'];
  if (fields.some((f) => f.name === 'scale')) return ['scale=mul2', 'scale=mul4', 'scale=div2'];
  return [''];
}

describe('float operations in integers', () => {
  for (const name of NAMES) {
    it(name, () => {
      const sizes = operandSizes(name);
      const noise = new Noise(name.length * 7919 + name.charCodeAt(1) * 31 + name.charCodeAt(name.length - 2));
      for (const immediates of immediateForms(name)) {
        const text = program(name, sizes, immediates);
        // Without exact doubles there is no way to take a root of a double.
        const needsDouble = /^(frcp|frsq|fsqrt)/.test(name);
        for (const support of needsDouble ? [USUAL] : [NONE, USUAL, FUSED]) {
          for (let batch = 0; batch < BATCHES; batch++) {
            const memory = new GuestMemory();
            memory.map(DATA as GuestAddress, 6 * SLOT, READ | WRITE);
            const operands: bigint[][] = [];
            for (let lane = 0; lane < 64; lane++) {
              const values = sizes.map((size) => sample(size, noise));
              // Related operands: a quotient's value is one of the other two, sums cancel.
              if (name.startsWith('ffma.scaled'))
                values[3] = BigInt.asUintN(32, [0n, 64n, -64n, 128n, -128n][noise.next() % 5]!);
              else if (name.startsWith('div.scale')) values[0] = values[1 + (noise.next() & 1)]!;
              else if (sizes.length === 2 && noise.next() % 4 === 0 && sizes[0] === sizes[1]) {
                values[1] = values[0]! ^ SIGN[sizes[0]!] ^ BigInt(noise.next() & 1);
              }
              values.forEach((value, i) => {
                memory.storeU32((DATA + i * SLOT + 8 * lane) as GuestAddress, Number(value & 0xffffffffn));
                memory.storeU32((DATA + i * SLOT + 8 * lane + 4) as GuestAddress, Number(value >> 32n));
              });
              operands.push(values);
            }
            const expected = run(text, memory.fork(), undefined);
            const actual = run(text, memory.fork(), support);
            const wrong: string[] = [];
            for (let lane = 0; lane < 64; lane++) {
              const hex = (words: Uint32Array): string =>
                `${words[2 * lane + 1]!.toString(16)}:${words[2 * lane]!.toString(16)}`;
              if (hex(expected) === hex(actual)) continue;
              wrong.push(
                `${name} ${immediates} (${operands[lane]!.map((o) => o.toString(16)).join(', ')}) = ${hex(actual)}, not ${hex(expected)}`,
              );
            }
            expect(wrong.slice(0, 4)).toEqual([]);
          }
        }
      }
    });
  }
});
