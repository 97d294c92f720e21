/**
 * `sendmsg(MSG_GS, GS_OP_EMIT, 1)` of s_sendmsg: message in bits 3:0, operation 6:4, stream 9:8.
 * Numbers stand for names anywhere and are then not checked against the message.
 * Source: Sea Islands and RDNA ISA manuals, S_SENDMSG.
 */
import type { Target } from '../../../base/dispatch.ts';
import { GS_OPERATIONS, MESSAGES, SYSTEM_OPERATIONS } from '../../names/messages.ts';
import { type Cursor, isWordStart } from '../cursor.ts';
import type { OperandParser } from '../operand-parser.ts';
import { ASM, type Reporter } from '../reporter.ts';

const OPEN = 40;
const CLOSE = 41;
const COMMA = 44;

/** simm16, or −1 after a reported error. */
export function parseSendMessage(cursor: Cursor, reporter: Reporter, operands: OperandParser, target: Target): number {
  cursor.skipBlanks();
  const start = cursor.position;
  const fail = (code: string, message: string, from: number): number => {
    reporter.error(code, message, from, Math.max(cursor.position, from + 1));
    return -1;
  };
  const nameOrNumber = (names: Readonly<Record<string, number>>, what: string, most: number): number => {
    cursor.skipBlanks();
    const from = cursor.position;
    const word = isWordStart(cursor.peek()) ? cursor.peekWord() : '';
    if (Object.hasOwn(names, word)) {
      cursor.word();
      return names[word]!;
    }
    if (/^(MSG|GS_OP|SYSMSG)_/.test(word)) {
      cursor.word();
      return fail(ASM.SYNTAX, `'${word}' is no ${what} of ${target}: ${Object.keys(names).join(', ')}`, from);
    }
    const value = operands.absolute(`a ${what}`);
    if (value === undefined) return -1;
    if (value >= 0 && value <= most) return value;
    return fail(ASM.IMMEDIATE_RANGE, `a ${what} is 0 to ${most}`, from);
  };
  if (cursor.peekWord() !== 'sendmsg') {
    const name = cursor.peekWord();
    if (name.startsWith('MSG_')) {
      cursor.word();
      return fail(ASM.SYNTAX, `expected sendmsg(${name}) with its operation, if it has any`, start);
    }
    const value = operands.absolute('sendmsg(…) or a number');
    if (value === undefined) return -1;
    if (value >= -0x8000 && value <= 0xffff) return value & 0xffff;
    return fail(ASM.IMMEDIATE_RANGE, 'the value does not fit 16 bits', start);
  }
  cursor.word();
  if (!cursor.accept(OPEN)) return fail(ASM.SYNTAX, "expected '(' after sendmsg", cursor.position);
  cursor.skipBlanks();
  const at = cursor.position;
  const symbolic = isWordStart(cursor.peek());
  const message = nameOrNumber(MESSAGES[target], 'message', 15);
  if (message < 0) return -1;
  const isGs = message === 2 || message === 3;
  const isSystem = message === 15;
  let operation = 0;
  let stream = 0;
  let hasOperation = false;
  if (cursor.accept(COMMA)) {
    hasOperation = true;
    if (symbolic && !isGs && !isSystem) return fail(ASM.SYNTAX, 'this message takes no operation', at);
    const names = isSystem ? SYSTEM_OPERATIONS[target] : GS_OPERATIONS;
    operation = nameOrNumber(names, isSystem ? 'system operation' : 'GS operation', 7);
    if (operation < 0) return -1;
    if (cursor.accept(COMMA)) {
      cursor.skipBlanks();
      const from = cursor.position;
      const value = operands.absolute('a stream');
      if (value === undefined) return -1;
      if (value < 0 || value > 3) return fail(ASM.IMMEDIATE_RANGE, 'a stream is 0 to 3', from);
      if (symbolic && (!isGs || (operation === 0 && value !== 0))) {
        return fail(ASM.SYNTAX, 'this message and operation take no stream', from);
      }
      stream = value;
    }
  }
  if (!cursor.accept(CLOSE)) return fail(ASM.SYNTAX, "expected ')'", cursor.position);
  if (symbolic && (isGs || isSystem) && !hasOperation) return fail(ASM.SYNTAX, 'this message takes an operation', at);
  if (symbolic && message === 2 && operation === 0) return fail(ASM.SYNTAX, 'MSG_GS takes no GS_OP_NOP', at);
  return message | (operation << 4) | (stream << 8);
}
