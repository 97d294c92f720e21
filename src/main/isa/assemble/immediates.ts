/**
 * Constants in source operands: which become inline constants, which need the literal, which do not fit.
 *
 * LLVM's rules, which depend on how the constant is written and on the operand's type: integers are bit patterns (an
 * integer that equals the bits of an inline float becomes that float), decimals with a point or exponent are numbers
 * that are converted to the operand's float type, for integer operands of the same size too.
 */
import { inlineFloatBits, OPERAND } from '../operands.ts';

/** How an operand reads constants: its size in bits and its type. `packed` = two 16-bit values in 32 bits. */
export type ConstantType = 'i16' | 'f16' | 'i32' | 'f32' | 'i64' | 'f64' | 'packedInt' | 'packedFloat';

/** Result of `encodeConstant`, reused; `error` is '' when it fits. */
export interface ConstantResult {
  code: number;
  literal: number;
  error: string;
  /** The value loses bits that the literal cannot hold (low half of an f64). */
  inexact: boolean;
}

export function newConstantResult(): ConstantResult {
  return { code: OPERAND.LITERAL, literal: 0, error: '', inexact: false };
}

const view = new DataView(new ArrayBuffer(8));

export function float32Bits(value: number): number {
  view.setFloat32(0, value);
  return view.getUint32(0);
}

export function float64Bits(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** IEEE binary16 bits, rounded to nearest even; ±infinity on overflow. */
function float16Bits(value: number): number {
  view.setFloat64(0, value);
  const sign = (view.getUint8(0) & 0x80) << 8;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | roundHalfEven(magnitude * 2 ** 24);
  let exponent = Math.floor(Math.log2(magnitude));
  if (2 ** exponent > magnitude) exponent--;
  if (2 ** (exponent + 1) <= magnitude) exponent++;
  const mantissa = roundHalfEven(magnitude * 2 ** (10 - exponent));
  return sign | (((exponent + 14) << 10) + mantissa);
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1;
  return floor;
}

/** Inline code of an integer, or −1. */
function inlineIntegerCode(value: number): number {
  if (value >= 0 && value <= 64) return OPERAND.INT_0 + value;
  if (value < 0 && value >= -16) return OPERAND.INT_64 - value;
  return -1;
}

function inlineFloatCode(bits: number, size: 'f16' | 'f32', hasInv2Pi: boolean): number {
  const last = hasInv2Pi ? OPERAND.FLOAT_INV_2PI : OPERAND.FLOAT_INV_2PI - 1;
  for (let code = OPERAND.FLOAT_0_5; code <= last; code++) if (inlineFloatBits(code, size) === bits) return code;
  return -1;
}

function inlineFloat64Code(bits: bigint, hasInv2Pi: boolean): number {
  const last = hasInv2Pi ? OPERAND.FLOAT_INV_2PI : OPERAND.FLOAT_INV_2PI - 1;
  const high = Number(bits >> 32n);
  const low = Number(bits & 0xffffffffn);
  for (let code = OPERAND.FLOAT_0_5; code <= last; code++) {
    if (inlineFloatBits(code, 'f64high') === high && inlineFloatBits(code, 'f64low') === low) return code;
  }
  return -1;
}

function fail(result: ConstantResult, error: string): false {
  result.error = error;
  return false;
}

/** The inline code when there is one (≥ 0), the literal otherwise. */
function setInline(result: ConstantResult, code: number, bits: number): void {
  result.code = code >= 0 ? code : OPERAND.LITERAL;
  result.literal = bits;
}

/** Sets `code` and `literal` for 32 bits. */
function setBits32(result: ConstantResult, bits: number, hasInv2Pi: boolean): true {
  const integer = inlineIntegerCode(bits | 0);
  setInline(result, integer >= 0 ? integer : inlineFloatCode(bits, 'f32', hasInv2Pi), bits);
  return true;
}

function setBits16(result: ConstantResult, bits: number, hasInv2Pi: boolean): true {
  let code = inlineIntegerCode((bits << 16) >> 16);
  if (code < 0) code = inlineFloatCode(bits, 'f16', hasInv2Pi);
  setInline(result, code, bits);
  return true;
}

/** An integer constant; false when it does not fit, `error` then says why. `hasInv2Pi`: gfx10 has the inline constant 1/(2π), gfx7 has not. */
export function encodeInteger(
  value: number | bigint,
  type: ConstantType,
  hasInv2Pi: boolean,
  result: ConstantResult,
): boolean {
  result.error = '';
  result.inexact = false;
  switch (type) {
    case 'i32':
    case 'f32':
      if (typeof value === 'bigint' || value > 0xffffffff || value < -0x80000000) {
        return fail(result, 'does not fit 32 bits');
      }
      return setBits32(result, value >>> 0, hasInv2Pi);
    case 'i16':
      if (typeof value === 'bigint' || value > 0xffff || value < -0x8000) return fail(result, 'does not fit 16 bits');
      // 0xffff stays 65535: only a small number as written is inline.
      setInline(result, inlineIntegerCode(value), value & 0xffff);
      return true;
    case 'f16':
      if (typeof value === 'bigint' || value > 0xffff || value < -0x8000) return fail(result, 'does not fit 16 bits');
      return setBits16(result, value & 0xffff, hasInv2Pi);
    case 'packedInt':
    case 'packedFloat': {
      if (typeof value === 'bigint' || value > 0xffffffff || value < -0x80000000) {
        return fail(result, 'does not fit 32 bits');
      }
      const bits = value >>> 0;
      let code = inlineIntegerCode(value | 0);
      if (code < 0 && type === 'packedInt') code = inlineFloatCode(bits, 'f32', hasInv2Pi);
      else if (code < 0 && bits <= 0xffff) code = inlineFloatCode(bits, 'f16', hasInv2Pi);
      setInline(result, code, bits);
      return true;
    }
    case 'i64':
    case 'f64': {
      const integer = typeof value === 'number' ? inlineIntegerCode(value) : -1;
      const code = integer >= 0 ? integer : inlineFloat64Code(BigInt.asUintN(64, BigInt(value)), hasInv2Pi);
      if (code >= 0) {
        result.code = code;
        return true;
      }
      if (typeof value === 'bigint' || value > 0xffffffff || value < -0x80000000) {
        return fail(result, 'does not fit the 32-bit literal');
      }
      result.code = OPERAND.LITERAL;
      result.literal = value >>> 0;
      return true;
    }
  }
}

/** A constant written with a point or exponent. */
export function encodeFloat(value: number, type: ConstantType, hasInv2Pi: boolean, result: ConstantResult): boolean {
  result.error = '';
  result.inexact = false;
  switch (type) {
    case 'i32':
    case 'f32': {
      const single = Math.fround(value);
      if (!Number.isFinite(single)) return fail(result, 'is too large for f32');
      if (value !== 0 && single !== value && Math.abs(value) < 2 ** -126) return fail(result, 'is too small for f32');
      return setBits32(result, float32Bits(single), hasInv2Pi);
    }
    case 'i16':
    case 'f16':
    case 'packedInt':
    case 'packedFloat': {
      const bits = float16Bits(value);
      if ((bits & 0x7fff) === 0x7c00) return fail(result, 'is too large for f16');
      if (
        value !== 0 &&
        Math.abs(value) < 2 ** -14 &&
        roundHalfEven(Math.abs(value) * 2 ** 24) !== Math.abs(value) * 2 ** 24
      ) {
        return fail(result, 'is too small for f16');
      }
      return setBits16(result, bits, hasInv2Pi);
    }
    case 'i64':
    case 'f64': {
      const bits = float64Bits(value);
      const code = bits === 0n ? OPERAND.INT_0 : inlineFloat64Code(bits, hasInv2Pi);
      if (code >= 0) {
        result.code = code;
        return true;
      }
      if (type === 'i64')
        return fail(result, 'is a floating-point literal, which a 64-bit integer operand cannot take');
      result.code = OPERAND.LITERAL;
      result.literal = Number(bits >> 32n);
      result.inexact = (bits & 0xffffffffn) !== 0n;
      return true;
    }
  }
}
