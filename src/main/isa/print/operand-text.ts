/**
 * Text of operand codes: one table per operand width and constant type, so that printing an operand is one array
 * access and one copy. Literals (code 255) depend on the instruction and are written by `writeLiteral`.
 *
 * LLVM's spelling: integers −16…64 and the nine inline floats by value, everything else in hexadecimal. Which bits an
 * inline constant stands for depends on the type: 1.0 as a 16-bit integer operand is 0x3c00.
 */
import { inlineFloatBits, inlineInteger, OPERAND } from '../operands.ts';
import { type Piece, piece, type TextBuffer } from './text-buffer.ts';

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

/** Pieces by operand code for one width and constant type; each is made when it is first asked for. */
export class OperandPieces {
  private readonly dwords: number;
  private readonly constants: ConstantClass;
  private readonly gfx7: boolean;
  /** 0: not made yet. */
  private readonly pieces = new Uint32Array(512);

  constructor(dwords: number, constants: ConstantClass, gfx7: boolean) {
    this.dwords = dwords;
    this.constants = constants;
    this.gfx7 = gfx7;
  }

  put(buffer: TextBuffer, code: number): void {
    const known = this.pieces[code]!;
    buffer.put(known !== 0 ? known : this.make(code));
  }

  /** With `, ` in front. */
  putNext(buffer: TextBuffer, code: number): void {
    buffer.comma();
    this.put(buffer, code);
  }

  putAfter(buffer: TextBuffer, code: number, comma: boolean): void {
    if (comma) buffer.comma();
    this.put(buffer, code);
  }

  private make(code: number): Piece {
    const text =
      code >= 256 ? tupleText('v', code - 256, this.dwords) : scalarText(code, this.dwords, this.constants, this.gfx7);
    return (this.pieces[code] = piece(text));
  }
}

const tables = new Map<string, OperandPieces>();

export function operandPieces(dwords: number, constants: ConstantClass, gfx7: boolean): OperandPieces {
  const key = `${dwords} ${constants} ${gfx7}`;
  let table = tables.get(key);
  if (!table) {
    table = new OperandPieces(dwords, constants, gfx7);
    tables.set(key, table);
  }
  return table;
}

/** Pieces of plain 32-bit tuples (registers whose number the instruction decides), by dwords. */
const tuples: (OperandPieces | undefined)[][] = [[], []];

export function tuplePieces(dwords: number, gfx7: boolean): OperandPieces {
  const list = tuples[gfx7 ? 1 : 0]!;
  return (list[dwords] ??= operandPieces(dwords, 'b32', gfx7));
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

/** The value as an integer or f32 constant where it equals one, else nothing. gfx7 has no inline 1/(2π). */
function wordName(literal: number, gfx7: boolean): string | undefined {
  if (inlineRange(literal | 0)) return String(literal | 0);
  return gfx7 && literal === INV_2PI_F32_BITS ? undefined : F32_BY_BITS.get(literal);
}

/** The constant that a 32-bit literal reads as in an operand of the class; undefined when it is written in hexadecimal. */
function literalName(literal: number, constants: ConstantClass, gfx7: boolean): string | undefined {
  switch (constants) {
    case 'b32':
    case 'packedB16':
    case 'b16':
      // 16-bit integers use the low half, but the whole literal decides whether it reads as a constant.
      return wordName(literal, gfx7);
    case 'f16': {
      const signed = (literal << 16) >> 16;
      return inlineRange(signed) ? String(signed) : F16_BY_BITS.get(literal & 0xffff);
    }
    case 'packedF16':
      return inlineRange(literal | 0) ? String(literal | 0) : F16_BY_BITS.get(literal);
    case 'f64':
      // The literal is the high half; the low half is zero.
      return literal === 0 ? '0' : F64_BY_HIGH.get(literal);
    case 'b64':
      return inlineRange(literal) ? String(literal) : undefined;
  }
}

/** A 32-bit literal as an operand of the given class. */
export function writeLiteral(buffer: TextBuffer, literal: number, constants: ConstantClass, gfx7: boolean): void {
  const name = literalName(literal, constants, gfx7);
  if (name !== undefined) buffer.text(name);
  else buffer.hex(constants === 'b16' || constants === 'f16' ? literal & 0xffff : literal);
}

/** An integer the way LLVM writes plain immediates: −16…64 in decimal, else hexadecimal. */
export function immediateText(value: number): string {
  return inlineRange(value) ? String(value) : hexText(value);
}
