/**
 * `hwreg(HW_REG_MODE, 0, 4)` of s_getreg and s_setreg: id bits 5:0, offset 10:6, width − 1 in 15:11.
 * Also LLVM's `{id: 1, offset: 0, size: 32}` and a plain number.
 * Source: Sea Islands and RDNA ISA manuals, hardware registers.
 */
import type { Target } from '../../../base/dispatch.ts';
import { HARDWARE_REGISTERS } from '../../names/hardware-registers.ts';
import { type Cursor, isWordStart } from '../cursor.ts';
import type { OperandParser } from '../operand-parser.ts';
import { ASM, type Reporter } from '../reporter.ts';

const OPEN = 40;
const CLOSE = 41;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** simm16 as an unsigned number, or −1 after a reported error. */
export function parseHardwareRegister(
  cursor: Cursor,
  reporter: Reporter,
  operands: OperandParser,
  target: Target,
): number {
  cursor.skipBlanks();
  const start = cursor.position;
  const fail = (code: string, message: string, from: number): number => {
    reporter.error(code, message, from, Math.max(cursor.position, from + 1));
    return -1;
  };
  const number = (what: string, least: number, most: number): number => {
    cursor.skipBlanks();
    const from = cursor.position;
    const value = operands.absolute(what);
    if (value === undefined) return -1;
    if (value >= least && value <= most) return value;
    return fail(ASM.IMMEDIATE_RANGE, `${what} is ${least} to ${most}`, from);
  };
  const id = (): number => {
    cursor.skipBlanks();
    const from = cursor.position;
    const word = isWordStart(cursor.peek()) ? cursor.peekWord() : '';
    if (!word.startsWith('HW_REG_')) return number('a hardware register name or its number', 0, 63);
    cursor.word();
    const names = HARDWARE_REGISTERS[target];
    if (Object.hasOwn(names, word)) return names[word]!;
    const elsewhere = Object.values(HARDWARE_REGISTERS).some((list) => Object.hasOwn(list, word));
    return fail(
      elsewhere ? ASM.WRONG_TARGET : ASM.SYNTAX,
      elsewhere ? `${word} does not exist on ${target}` : `'${word}' is no hardware register`,
      from,
    );
  };
  if (cursor.peek() === OPEN_BRACE) {
    cursor.position++;
    return fields();
  }
  if (cursor.peekWord() !== 'hwreg') {
    const name = cursor.peekWord();
    if (name.startsWith('HW_REG_')) {
      cursor.word();
      return fail(ASM.SYNTAX, `expected hwreg(${name}) or hwreg(${name}, offset, width)`, start);
    }
    const value = operands.absolute('hwreg(…) or a number');
    if (value === undefined) return -1;
    if (value >= -0x8000 && value <= 0xffff) return value & 0xffff;
    return fail(ASM.IMMEDIATE_RANGE, 'the value does not fit 16 bits', start);
  }
  cursor.word();
  if (!cursor.accept(OPEN)) return fail(ASM.SYNTAX, "expected '(' after hwreg", cursor.position);
  const register = id();
  if (register < 0) return -1;
  let offset = 0;
  let width = 32;
  if (cursor.accept(COMMA)) {
    offset = number('the bit offset', 0, 31);
    if (offset < 0) return -1;
    if (!cursor.accept(COMMA)) return fail(ASM.SYNTAX, "expected ',' and a width", cursor.position);
    width = number('the width', 1, 32);
    if (width < 0) return -1;
  }
  if (!cursor.accept(CLOSE)) return fail(ASM.SYNTAX, "expected ')'", cursor.position);
  return register | (offset << 6) | ((width - 1) << 11);

  function fields(): number {
    const values = { id: 0, offset: 0, size: 32 };
    do {
      cursor.skipBlanks();
      const from = cursor.position;
      const name = cursor.word();
      if (name !== 'id' && name !== 'offset' && name !== 'size') {
        return fail(ASM.SYNTAX, 'expected id, offset or size', from);
      }
      if (!cursor.accept(COLON)) return fail(ASM.SYNTAX, "expected ':'", cursor.position);
      const value =
        name === 'id' ? id() : name === 'offset' ? number('the bit offset', 0, 31) : number('the width', 1, 32);
      if (value < 0) return -1;
      values[name] = value;
    } while (cursor.accept(COMMA));
    if (!cursor.accept(CLOSE_BRACE)) return fail(ASM.SYNTAX, "expected '}'", cursor.position);
    return values.id | (values.offset << 6) | ((values.size - 1) << 11);
  }
}
