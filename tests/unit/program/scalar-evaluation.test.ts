/**
 * The host evaluator: scalar operations against values worked out by hand from the ISA manual, with BigInt arithmetic
 * as second opinion where a definition is shorter than a list.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { evaluateScalar, type ScalarOperation } from '../../../src/main/program/values/scalar-operations.ts';
import { ValueTable } from '../../../src/main/program/values/value-table.ts';

const CASES: readonly (readonly [ScalarOperation, readonly [number, number?, number?], number])[] = [
  ['add', [0xffffffff, 2], 1],
  ['carry', [0xffffffff, 1, 0], 1],
  ['carry', [0xfffffffe, 1, 0], 0],
  ['carry', [0xfffffffe, 1, 1], 1],
  ['addCarry', [0xffffffff, 0, 1], 0],
  ['addOverflow', [0x7fffffff, 1], 1],
  ['addOverflow', [0x80000000, 0x80000000], 1],
  ['addOverflow', [0xffffffff, 1], 0],
  ['subtract', [0, 1], 0xffffffff],
  ['borrow', [0, 1, 0], 1],
  ['borrow', [1, 1, 0], 0],
  ['borrow', [1, 1, 1], 1],
  ['subtractBorrow', [5, 2, 1], 2],
  ['subtractOverflow', [0x80000000, 1], 1],
  ['subtractOverflow', [0, 1], 0],
  ['and', [0xf0f0f0f0, 0xff00ff00], 0xf000f000],
  ['or', [0x80000000, 1], 0x80000001],
  ['xor', [0xffffffff, 1], 0xfffffffe],
  ['not', [0], 0xffffffff],
  ['shiftLeft', [1, 31], 0x80000000],
  ['shiftLeft', [1, 33], 2],
  ['shiftRight', [0x80000000, 31], 1],
  ['shiftRightSigned', [0x80000000, 31], 0xffffffff],
  ['shiftLeft64Low', [0x80000001, 0, 1], 2],
  ['shiftLeft64High', [0x80000001, 0, 1], 1],
  ['shiftLeft64High', [1, 0, 63], 0x80000000],
  ['shiftRight64Low', [0, 1, 4], 0x10000000],
  ['shiftRight64High', [0, 0x80000000, 63], 0],
  ['shiftRightSigned64Low', [0, 0x80000000, 63], 0xffffffff],
  ['shiftRightSigned64High', [0, 0x80000000, 4], 0xf8000000],
  ['multiply', [0x10000, 0x10001], 0x10000],
  ['multiplyHigh', [0xffffffff, 0xffffffff], 0xfffffffe],
  ['multiplyHighSigned', [0xffffffff, 0xffffffff], 0],
  ['extract', [0xabcd1234, (8 << 16) | 4], 0x23],
  ['extract', [0xabcd1234, 4], 0],
  ['extract', [0xabcd1234, (32 << 16) | 16], 0xabcd],
  ['extractSigned', [0x000000f0, (4 << 16) | 4], 0xffffffff],
  ['extractSigned', [0x80000000, (8 << 16) | 24], 0xffffff80],
  ['extract64Low', [0, 0x000000ff, (8 << 16) | 32], 0xff],
  ['extract64High', [0, 0xffffffff, (40 << 16) | 16], 0xff],
  ['extractSigned64High', [0, 0x00000080, (8 << 16) | 32], 0xffffffff],
  ['bitMask', [4, 8], 0xf00],
  ['minimum', [1, 0xffffffff], 1],
  ['minimumSigned', [1, 0xffffffff], 0xffffffff],
  ['maximum', [1, 0xffffffff], 0xffffffff],
  ['maximumSigned', [1, 0xffffffff], 1],
  ['absolute', [0xffffffff], 1],
  ['absolute', [0x80000000], 0x80000000],
  ['signExtend8', [0x80], 0xffffff80],
  ['signExtend16', [0x18000], 0xffff8000],
  ['packLowLow', [0x11112222, 0x33334444], 0x44442222],
  ['packLowHigh', [0x11112222, 0x33334444], 0x33332222],
  ['packHighHigh', [0x11112222, 0x33334444], 0x33331111],
  ['setBit', [0, 31], 0x80000000],
  ['clearBit', [0xffffffff, 33], 0xfffffffd],
  ['anySet', [0x80000000], 1],
  ['anySet64', [0, 0], 0],
  ['anySet64', [0, 4], 1],
  ['equal', [7, 7], 1],
  ['lessThan', [1, 0xffffffff], 1],
  ['lessThanSigned', [1, 0xffffffff], 0],
  ['select', [0, 5, 6], 6],
  ['select', [1, 5, 6], 5],
];

describe('scalar operations', () => {
  for (const [operation, [a, b = 0, c = 0], expected] of CASES) {
    it(`${operation}(${[a, b, c].map((x) => x.toString(16)).join(', ')})`, () => {
      expect(evaluateScalar(operation, a, b, c)).toBe(expected);
    });
  }

  it('64-bit sums by add, carry and addCarry equal BigInt sums', () => {
    for (const [a, b] of [
      [0x1ffffffffn, 1n],
      [0xfffffffffffffff0n, 0x20n],
      [0x123456789abcdefn, 0xfedcba987654321n],
    ] as const) {
      const [al, ah, bl, bh] = [a, a >> 32n, b, b >> 32n].map((x) => Number(BigInt.asUintN(32, x))) as [
        number,
        number,
        number,
        number,
      ];
      const low = evaluateScalar('add', al, bl, 0);
      const high = evaluateScalar('addCarry', ah, bh, evaluateScalar('carry', al, bl, 0));
      expect((BigInt(high) << 32n) | BigInt(low)).toBe(BigInt.asUintN(64, a + b));
    }
  });
});

describe('values', () => {
  const memory = new Map<number, number>([
    [0x1000, 11],
    [0x1004, 22],
    [0x1008, 33],
  ]);
  const table = new ValueTable((address) => memory.get(address));
  const AT = 0x400 as GuestAddress;

  it('are interned: the same computation is the same number', () => {
    const user = table.user(0, undefined);
    const a = table.operation('add', user, table.constant(4));
    expect(table.operation('add', table.user(0, undefined), table.constant(4))).toBe(a);
    expect(table.operation('add', user, table.constant(8))).not.toBe(a);
    expect(table.bits[a]).toBe(-1);
  });

  it('keep how they came about although their bits are known', () => {
    const user = table.user(1, 0x1000);
    const sum = table.operation('add', user, table.constant(8));
    expect(table.bits[sum]).toBe(0x1008);
    expect(table.values[sum]!.kind).toBe('operation');
    // Of constants alone nothing is to be remembered.
    expect(table.operation('add', table.constant(1), table.constant(2))).toBe(table.constant(3));
  });

  it('simplify where an operand does not matter', () => {
    const x = table.initial(9);
    expect(table.operation('or', x, table.constant(0xffffffff))).toBe(table.constant(0xffffffff));
    expect(table.operation('and', x, table.constant(0))).toBe(table.constant(0));
    expect(table.operation('and', x, table.constant(0xffffffff))).toBe(x);
    expect(table.operation('xor', x, x)).toBe(table.constant(0));
    expect(table.operation('add', table.constant(0), x)).toBe(x);
    expect(table.operation('select', x, table.constant(5), table.constant(5))).toBe(table.constant(5));
  });

  it('load from memory; low address bits are ignored, unreadable words stay unknown', () => {
    const low = table.constant(0x1002);
    const high = table.constant(0xffff0000);
    const words = [0, 1, 2, 3].map((word) => table.load(AT, 'pointer', word, [low, high, table.constant(1)]));
    expect(words.map((word) => table.bits[word])).toEqual([11, 22, 33, -1]);
    const back = table.load(AT, 'pointer', 0, [table.constant(0x100c), table.constant(0), table.constant(-4)]);
    expect(table.bits[back]).toBe(33);
  });

  it('load through a V#: past num_records reads 0, stride multiplies', () => {
    const load = (offset: number, stride: number, records: number): number => {
      const words = [0x1000, stride << 16, records, 0].map((word) => table.constant(word));
      return table.bits[table.load(AT, 'buffer', 0, [...words, table.constant(offset)])]!;
    };
    expect(load(4, 0, 8)).toBe(22);
    expect(load(8, 0, 8)).toBe(0);
    expect(load(8, 4, 3)).toBe(33);
    expect(load(8, 4, 2)).toBe(0);
  });
});
