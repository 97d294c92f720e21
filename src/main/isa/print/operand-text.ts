/**
 * Text of operand codes: one table of 512 strings per operand width and constant type, so that printing an operand is one
 * array access. Literals (code 255) depend on the instruction and are written by `literalText`.
 *
 * LLVM's spelling: integers −16…64 and the nine inline floats by value, everything else in hexadecimal. Which bits an
 * inline constant stands for depends on the type: 1.0 as a 16-bit integer operand is 0x3c00.
 */
import { inlineFloatBits, inlineInteger, OPERAND } from '../operands.ts';

/** How constants are spelled. */
export type ConstantClass = 'b32' | 'b16' | 'f16' | 'packedB16' | 'packedF16' | 'b64' | 'f64';

const FLOAT_NAMES = ['0.5', '-0.5', '1.0', '-1.0', '2.0', '-2.0', '4.0', '-4.0', '0.15915494'];
const INV_2PI_F32_BITS = 0x3e22f983;
const INV_2PI_F64 = '0.15915494309189532';

const SPECIAL: Readonly<Record<number, string>> = {
  107: 'vcc_hi',
  124: 'm0',
  125: 'null',
  127: 'exec_hi',
  235: 'src_shared_base',
  236: 'src_shared_limit',
  237: 'src_private_base',
  238: 'src_private_limit',
  239: 'src_pops_exiting_wave_id',
  251: 'src_vccz',
  252: 'src_execz',
  253: 'src_scc',
  254: 'src_lds_direct',
};

function tupleText(letter: string, first: number, dwords: number): string {
  return dwords === 1 ? `${letter}${first}` : `${letter}[${first}:${first + dwords - 1}]`;
}

function alignedTuple(letter: string, number: number, dwords: number): string {
  const mask = dwords === 1 ? 0 : dwords === 2 ? 1 : 3;
  return tupleText(letter, number & ~mask, dwords);
}

function floatText(code: number, constants: ConstantClass): string {
  const index = code - OPERAND.FLOAT_0_5;
  switch (constants) {
    case 'b16':
      return `0x${inlineFloatBits(code, 'f16').toString(16)}`;
    case 'f64':
    case 'b64':
      return code === OPERAND.FLOAT_INV_2PI ? INV_2PI_F64 : FLOAT_NAMES[index]!;
    default:
      return FLOAT_NAMES[index]!;
  }
}

/** gfx7: trap base and trap memory addresses before the trap temporaries. */
function trapText(code: number, dwords: number): string {
  const name = code < 110 ? 'tba' : 'tma';
  return dwords > 1 ? name : `${name}_${code & 1 ? 'hi' : 'lo'}`;
}

function scalarText(code: number, dwords: number, constants: ConstantClass, gfx7: boolean): string {
  if (code === 106) return dwords === 1 ? 'vcc_lo' : 'vcc';
  if (code === 126) return dwords === 1 ? 'exec_lo' : 'exec';
  if (gfx7 && (code === 104 || code === 105)) {
    if (dwords > 1) return 'flat_scratch';
    return code === 104 ? 'flat_scratch_lo' : 'flat_scratch_hi';
  }
  if (code <= 105) return alignedTuple('s', code, dwords);
  if (gfx7 && code >= 108 && code < 112) return trapText(code, dwords);
  const firstTtmp = gfx7 ? 112 : OPERAND.TTMP0;
  if (code >= firstTtmp && code < 124) return alignedTuple('ttmp', code - firstTtmp, dwords);
  const integer = inlineInteger(code);
  if (integer !== undefined) return String(integer);
  if (code >= OPERAND.FLOAT_0_5 && code <= OPERAND.FLOAT_INV_2PI) return floatText(code, constants);
  return SPECIAL[code] ?? `reserved_${code}`;
}

const tables = new Map<string, readonly string[]>();

/** 512 strings by operand code. */
export function operandTexts(dwords: number, constants: ConstantClass, gfx7: boolean): readonly string[] {
  const key = `${dwords} ${constants} ${gfx7}`;
  let table = tables.get(key);
  if (!table) {
    table = Array.from({ length: 512 }, (_, code) =>
      code >= 256 ? tupleText('v', code - 256, dwords) : scalarText(code, dwords, constants, gfx7),
    );
    tables.set(key, table);
  }
  return table;
}

const F32_BY_BITS = new Map<number, string>();
const F16_BY_BITS = new Map<number, string>();
const F64_BY_HIGH = new Map<number, string>();
for (let code: number = OPERAND.FLOAT_0_5; code <= OPERAND.FLOAT_INV_2PI; code++) {
  const name = FLOAT_NAMES[code - OPERAND.FLOAT_0_5]!;
  F32_BY_BITS.set(inlineFloatBits(code, 'f32'), name);
  F16_BY_BITS.set(inlineFloatBits(code, 'f16'), name);
  if (code !== OPERAND.FLOAT_INV_2PI) F64_BY_HIGH.set(inlineFloatBits(code, 'f64high'), name);
}

export function hexText(value: number): string {
  return `0x${(value >>> 0).toString(16)}`;
}

function inlineRange(signed: number): boolean {
  return signed >= -16 && signed <= 64;
}

/** The value as an integer or f32 constant where it equals one, else hexadecimal. gfx7 has no inline 1/(2π). */
function wordText(literal: number, gfx7: boolean): string {
  if (inlineRange(literal | 0)) return String(literal | 0);
  if (gfx7 && literal === INV_2PI_F32_BITS) return hexText(literal);
  return F32_BY_BITS.get(literal) ?? hexText(literal);
}

/** A 32-bit literal as an operand of the given class. */
export function literalText(literal: number, constants: ConstantClass, gfx7: boolean): string {
  switch (constants) {
    case 'b32':
    case 'packedB16':
      return wordText(literal, gfx7);
    case 'f16': {
      const low = literal & 0xffff;
      const signed = (low << 16) >> 16;
      if (inlineRange(signed)) return String(signed);
      return F16_BY_BITS.get(low) ?? hexText(low);
    }
    case 'b16': {
      // Only the low half counts, but the whole literal decides whether it reads as a constant.
      const text = wordText(literal, gfx7);
      return text.startsWith('0x') ? hexText(literal & 0xffff) : text;
    }
    case 'packedF16':
      if (inlineRange(literal | 0)) return String(literal | 0);
      return F16_BY_BITS.get(literal) ?? hexText(literal);
    case 'f64':
      // The literal is the high half; the low half is zero.
      if (literal === 0) return '0';
      return F64_BY_HIGH.get(literal) ?? hexText(literal);
    case 'b64':
      return inlineRange(literal) ? String(literal) : hexText(literal);
  }
}

/** An integer the way LLVM writes plain immediates: −16…64 in decimal, else hexadecimal. */
export function immediateText(value: number): string {
  return inlineRange(value) ? String(value) : hexText(value);
}
