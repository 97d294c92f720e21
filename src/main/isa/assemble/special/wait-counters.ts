/**
 * `s_waitcnt vmcnt(0) & lgkmcnt(1)` and `s_waitcnt_depctr depctr_va_vdst(0)`: counters packed into simm16.
 *
 * Counters may stand in any order, separated by `&`, `,` or nothing; what is not mentioned keeps its largest value
 * ("do not wait"). Fields are split on gfx10 (vmcnt: bits 3:0 and 15:14). A name with `_sat` clamps instead of failing.
 */
import type { Target } from '../../../base/dispatch.ts';
import {
  counterLimit,
  DEPENDENCY_COUNTERS,
  WAIT_COUNTERS,
  waitForNothing,
  writeCounter,
} from '../../names/counters.ts';
import { type Cursor, isWordStart } from '../cursor.ts';
import type { OperandParser } from '../operand-parser.ts';
import { ASM, type Reporter } from '../reporter.ts';

const OPEN = 40;
const CLOSE = 41;
const AMPERSAND = 38;
const COMMA = 44;

/** The simm16, or −1 after a reported error. A plain number is taken as it is. */
export function parseWaitCounters(
  cursor: Cursor,
  reporter: Reporter,
  operands: OperandParser,
  target: Target,
  kind: 'waitcnt' | 'depctr',
): number {
  const counters = (kind === 'depctr' ? DEPENDENCY_COUNTERS : WAIT_COUNTERS)[target];
  const named = (name: string) => counters.find((counter) => counter.name === name);
  cursor.skipBlanks();
  const first = cursor.position;
  const firstWord = cursor.peekWord();
  if (!isWordStart(cursor.peek()) || !(named(firstWord.replace(/_sat$/, '')) || nextIsCall(cursor, firstWord))) {
    const value = operands.absolute('a counter such as vmcnt(0), or a number,');
    if (value === undefined) return -1;
    if (value >= -0x8000 && value <= 0x1ffff) return value & 0xffff;
    reporter.error(ASM.IMMEDIATE_RANGE, 'the value does not fit 16 bits', first, cursor.position);
    return -1;
  }
  let result = waitForNothing(counters);
  while (!cursor.atStatementEnd()) {
    const start = cursor.position;
    const word = cursor.word();
    const saturate = word.endsWith('_sat');
    const name = saturate ? word.slice(0, -4) : word;
    const counter = named(name);
    if (!counter) {
      const end = Math.max(cursor.position, start + 1);
      const names = counters.map((entry) => entry.name);
      const hint = word === 'vscnt' && target !== 'gfx700' ? '; stores have s_waitcnt_vscnt null, 0' : '';
      reporter.error(ASM.SYNTAX, `expected ${orList(names)}${hint}`, start, end);
      return -1;
    }
    if (!cursor.accept(OPEN)) {
      reporter.error(ASM.SYNTAX, `expected '(' after ${word}`, cursor.position, cursor.position + 1);
      return -1;
    }
    cursor.skipBlanks();
    const at = cursor.position;
    const value = operands.absolute(`${name}'s value`);
    if (value === undefined) return -1;
    const most = counterLimit(counter);
    if (value < 0 || (value > most && !saturate)) {
      reporter.error(ASM.IMMEDIATE_RANGE, `${name} takes 0 to ${most} on ${target}`, at, cursor.position);
      return -1;
    }
    if (!cursor.accept(CLOSE)) {
      reporter.error(ASM.SYNTAX, "expected ')'", cursor.position, cursor.position + 1);
      return -1;
    }
    result = writeCounter(counter, result, Math.min(value, most));
    if (cursor.accept(AMPERSAND) || cursor.accept(COMMA)) {
      if (cursor.atStatementEnd()) {
        reporter.error(ASM.SYNTAX, 'expected a counter', cursor.position, cursor.position + 1);
        return -1;
      }
    }
  }
  return result;
}

/** "a, b or c" */
function orList(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function nextIsCall(cursor: Cursor, word: string): boolean {
  return word !== '' && cursor.text.charCodeAt(cursor.position + word.length) === OPEN;
}
