/**
 * Text of operand codes: one table per operand width and constant type, so that printing an operand with the comma
 * before it is one array access and one copy. Literals (code 255) depend on the instruction.
 *
 * LLVM's spelling: integers −16…64 and the nine inline floats by value, everything else in hexadecimal. Which bits an
 * inline constant stands for depends on the type: 1.0 as a 16-bit integer operand is 0x3c00.
 */
import { assert } from '../../base/assert.ts';
import { isConstantCode } from '../decode/operand-codes.ts';
import { inlineFloatBits, inlineInteger, OPERAND } from '../operands.ts';
import { misplacedNote, type RegisterClass } from './register-class.ts';
import { piece, type TextBuffer } from './text-buffer.ts';

/** How constants are spelled. */
const CONSTANT_CLASSES = ['b32', 'b16', 'f16', 'packedB16', 'packedF16', 'b64', 'f64'] as const;
export type ConstantClass = (typeof CONSTANT_CLASSES)[number];

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

/** What stands in front of an operand, as an offset into its table: nothing, or what separates it from what is before. */
export const ALONE = 0;
export const FIRST = 512;
export const NEXT = 1024;
const TABLE_SIZE = 1536;
const BLANK = 32;
/** Room for all plans of all targets (tests/unit/isa/print.test.ts). */
const MOST_TABLES = 128;

/** Pieces of all tables, by table + separator + operand code; 0: not made yet. Literals are never made. */
const pieces = new Uint32Array(MOST_TABLES * TABLE_SIZE);

interface OperandTable {
  readonly dwords: number;
  readonly constants: ConstantClass;
  readonly gfx7: boolean;
  /** For words with misplaced operands: what the slot takes. */
  readonly slotClass: RegisterClass | undefined;
}

const tables: OperandTable[] = [];
/** Numbers of the tables without a class, by constants, width and generation; −1: not asked for yet. */
const plainNumbers = new Int16Array(CONSTANT_CLASSES.length << 6).fill(-1);
const classNumbers = new Map<string, number>();

/** The table of operands of one width and constant type: the place of its first piece. With a class, misfits are noted. */
export function operandTable(
  dwords: number,
  constants: ConstantClass,
  gfx7: boolean,
  slotClass?: RegisterClass,
): number {
  if (slotClass === undefined) {
    const key = (CONSTANT_CLASSES.indexOf(constants) << 6) | (dwords << 1) | (gfx7 ? 1 : 0);
    const known = plainNumbers[key]!;
    return TABLE_SIZE * (known >= 0 ? known : (plainNumbers[key] = newTable(dwords, constants, gfx7, undefined)));
  }
  const key = `${dwords} ${constants} ${gfx7} ${slotClass.name} ${slotClass.takesConstants}`;
  let number = classNumbers.get(key);
  if (number === undefined) {
    number = newTable(dwords, constants, gfx7, slotClass);
    classNumbers.set(key, number);
  }
  return TABLE_SIZE * number;
}

function newTable(
  dwords: number,
  constants: ConstantClass,
  gfx7: boolean,
  slotClass: RegisterClass | undefined,
): number {
  assert(tables.length < MOST_TABLES, 'too many kinds of operands');
  return tables.push({ dwords, constants, gfx7, slotClass }) - 1;
}

/** Tables of tuples whose length the instruction decides (VGPRs, SGPRs of gfx10), by dwords; −1: not asked for yet. */
const tuples = new Int32Array(32).fill(-1);

export function tupleTable(dwords: number): number {
  const known = tuples[dwords]!;
  return known >= 0 ? known : (tuples[dwords] = operandTable(dwords, 'b32', false));
}

/** The piece of an operand, 0 when it is a literal or was never printed. `place` is table + separator + code. */
export function knownOperand(place: number): number {
  return pieces[place]!;
}

/** Writes an operand; `place` as in `knownOperand`. */
export function putOperand(buffer: TextBuffer, place: number, literal: number): void {
  const known = pieces[place]!;
  if (known !== 0) buffer.put(known);
  else putNewOperand(buffer, place, literal);
}

/** For operands that have no table. */
export function putSeparator(buffer: TextBuffer, separator: number): void {
  if (separator === NEXT) buffer.comma();
  else if (separator === FIRST) buffer.character(BLANK);
}

const SEPARATORS: Readonly<Record<number, string>> = { [ALONE]: '', [FIRST]: ' ', [NEXT]: ', ' };

/** A literal, or an operand that is printed for the first time. */
export function putNewOperand(buffer: TextBuffer, place: number, literal: number): void {
  const { dwords, constants, gfx7, slotClass } = tables[Math.floor(place / TABLE_SIZE)]!;
  const code = place & (FIRST - 1);
  const separator = SEPARATORS[(place % TABLE_SIZE) - code]!;
  if (slotClass) {
    const note = misplacedNote(code, slotClass);
    if (note !== '') {
      // Too rare to be remembered. A constant in the place of a register is read as 32 bits.
      const plain = operandTable(dwords, isConstantCode(code) ? 'b32' : constants, gfx7);
      putOperand(buffer, plain + (place % TABLE_SIZE), literal);
      buffer.text(note);
      return;
    }
  }
  if (code === OPERAND.LITERAL) {
    buffer.text(separator);
    writeLiteral(buffer, literal, constants, gfx7);
    return;
  }
  const text = code >= 256 ? tupleText('v', code - 256, dwords) : scalarText(code, dwords, constants, gfx7);
  pieces[place] = piece(separator + text);
  buffer.put(pieces[place]!);
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
function writeLiteral(buffer: TextBuffer, literal: number, constants: ConstantClass, gfx7: boolean): void {
  const name = literalName(literal, constants, gfx7);
  if (name !== undefined) buffer.text(name);
  else buffer.hex(constants === 'b16' || constants === 'f16' ? literal & 0xffff : literal);
}

/** An integer the way LLVM writes plain immediates: −16…64 in decimal, else hexadecimal. */
export function immediateText(value: number): string {
  return inlineRange(value) ? String(value) : hexText(value);
}
