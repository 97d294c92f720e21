/**
 * Formats of typed and formatted buffer accesses: how a texel in memory becomes up to four 32-bit components and back.
 *
 * gfx10 numbers each pair of data and number format (0…77); gfx7 keeps the two apart (data | number << 4). Components
 * are listed from bit 0 upwards: x is the lowest field. Loads of normalised formats give the correctly rounded f32
 * quotient. Stores clamp; normalised ones round to nearest even, scaled ones truncate; integers saturate.
 * Source: RDNA 1 ISA manual, "Buffer data format"; Sea Islands ISA manual, tables of data and number formats; numbers
 * checked against llvm-mc's names.
 */
import { f16ToF32, f32ToF16 } from './float/convert.ts';
import { IEEE_DEFAULT } from './float/float-control.ts';

export type NumberFormat = 'unorm' | 'snorm' | 'uscaled' | 'sscaled' | 'uint' | 'sint' | 'snormOgl' | 'float';

export interface BufferFormat {
  /** Bits of each component present, x first. */
  readonly bits: readonly number[];
  readonly number: NumberFormat;
  readonly sizeBytes: number;
}

const NUMBER_FORMATS: readonly NumberFormat[] = [
  'unorm',
  'snorm',
  'uscaled',
  'sscaled',
  'uint',
  'sint',
  'snormOgl',
  'float',
];

/** By data format number 1…14. */
const DATA_FORMATS: readonly (readonly number[] | undefined)[] = [
  undefined,
  [8],
  [16],
  [8, 8],
  [32],
  [16, 16],
  [11, 11, 10],
  [10, 11, 11],
  [2, 10, 10, 10],
  [10, 10, 10, 2],
  [8, 8, 8, 8],
  [32, 32],
  [16, 16, 16, 16],
  [32, 32, 32],
  [32, 32, 32, 32],
];

function makeFormat(data: number, number: NumberFormat): BufferFormat | undefined {
  const bits = DATA_FORMATS[data];
  if (!bits) return undefined;
  return { bits, number, sizeBytes: bits.reduce((sum, b) => sum + b, 0) / 8 };
}

const INTEGER_FORMS: readonly NumberFormat[] = ['unorm', 'snorm', 'uscaled', 'sscaled', 'uint', 'sint'];
const ALL_FORMS: readonly NumberFormat[] = [...INTEGER_FORMS, 'float'];
const WIDE_FORMS: readonly NumberFormat[] = ['uint', 'sint', 'float'];

/** Data formats in the order of gfx10's numbering, with the number formats each has. */
const GFX10_ORDER: readonly (readonly [number, readonly NumberFormat[]])[] = [
  [1, INTEGER_FORMS],
  [2, ALL_FORMS],
  [3, INTEGER_FORMS],
  [4, WIDE_FORMS],
  [5, ALL_FORMS],
  [6, ALL_FORMS],
  [7, ALL_FORMS],
  [8, INTEGER_FORMS],
  [9, INTEGER_FORMS],
  [10, INTEGER_FORMS],
  [11, WIDE_FORMS],
  [12, ALL_FORMS],
  [13, WIDE_FORMS],
  [14, WIDE_FORMS],
];

const GFX10_FORMATS: readonly (BufferFormat | undefined)[] = [
  undefined,
  ...GFX10_ORDER.flatMap(([data, numbers]) => numbers.map((number) => makeFormat(data, number))),
];

const GFX7_FORMATS: readonly (BufferFormat | undefined)[] = Array.from({ length: 128 }, (_, i) =>
  makeFormat(i & 15, NUMBER_FORMATS[i >> 4]!),
);

/** undefined: reserved or "invalid" format; loads give 0 and stores do nothing. */
export function bufferFormat(gfx10: boolean, number: number): BufferFormat | undefined {
  return (gfx10 ? GFX10_FORMATS : GFX7_FORMATS)[number];
}

export function isIntegerFormat(format: BufferFormat): boolean {
  return format.number === 'uint' || format.number === 'sint';
}

const FLOAT = new DataView(new ArrayBuffer(4));

function bitsOfF32(value: number): number {
  FLOAT.setFloat32(0, value);
  return FLOAT.getUint32(0);
}

function f32OfBits(bits: number): number {
  FLOAT.setUint32(0, bits);
  return FLOAT.getFloat32(0);
}

function maxOf(bits: number): number {
  return 2 ** bits - 1;
}

function signed(raw: number, bits: number): number {
  return (raw << (32 - bits)) >> (32 - bits);
}

/** Unsigned float of 10 or 11 bits (5-bit exponent) as f32 bits: f16 without sign and with a shorter mantissa. */
function smallFloatToF32(raw: number, bits: number): number {
  return f16ToF32(raw << (bits === 11 ? 4 : 5), IEEE_DEFAULT);
}

/** A raw field of `bits` bits as a 32-bit register value. */
export function loadComponent(format: BufferFormat, raw: number, bits: number): number {
  switch (format.number) {
    case 'unorm':
      return bitsOfF32(raw / maxOf(bits));
    case 'snorm':
      return bitsOfF32(Math.max(signed(raw, bits) / maxOf(bits - 1), -1));
    case 'snormOgl':
      return bitsOfF32((2 * signed(raw, bits) + 1) / maxOf(bits));
    case 'uscaled':
      return bitsOfF32(raw);
    case 'sscaled':
      return bitsOfF32(signed(raw, bits));
    case 'uint':
      return raw;
    case 'sint':
      return signed(raw, bits) >>> 0;
    case 'float':
      if (bits === 32) return raw;
      return bits === 16 ? f16ToF32(raw, IEEE_DEFAULT) : smallFloatToF32(raw, bits);
  }
}

function clampNumber(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, low), high);
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** f32 bits as an unsigned 10- or 11-bit float: negative gives 0, too large the largest or infinity as f16 does. */
function f32ToSmallFloat(value: number, bits: number): number {
  const drop = bits === 11 ? 4 : 5;
  if (value >>> 31 && (value & 0x7fffffff) <= 0x7f800000) return 0;
  const half = f32ToF16(value, IEEE_DEFAULT, IEEE_DEFAULT) & 0x7fff;
  if (half > 0x7c00) return (0x7c00 >> drop) | 1;
  return half >> drop;
}

/** A 32-bit register value as a raw field of `bits` bits. */
export function storeComponent(format: BufferFormat, value: number, bits: number): number {
  const mask = bits === 32 ? 0xffffffff : maxOf(bits);
  switch (format.number) {
    case 'unorm':
      return roundToEven(clampNumber(f32OfBits(value), 0, 1) * maxOf(bits));
    case 'snorm':
      return (roundToEven(clampNumber(f32OfBits(value), -1, 1) * maxOf(bits - 1)) & mask) >>> 0;
    case 'snormOgl':
      return (roundToEven((clampNumber(f32OfBits(value), -1, 1) * maxOf(bits) - 1) / 2) & mask) >>> 0;
    case 'uscaled':
      return Math.trunc(clampNumber(f32OfBits(value), 0, maxOf(bits)));
    case 'sscaled':
      return (Math.trunc(clampNumber(f32OfBits(value), -(2 ** (bits - 1)), maxOf(bits - 1))) & mask) >>> 0;
    case 'uint':
      return Math.min(value, mask >>> 0);
    case 'sint':
      return (clampNumber(value | 0, -(2 ** (bits - 1)), maxOf(bits - 1)) & mask) >>> 0;
    case 'float':
      if (bits === 32) return value;
      return bits === 16 ? f32ToF16(value, IEEE_DEFAULT, IEEE_DEFAULT) : f32ToSmallFloat(value, bits);
  }
}
