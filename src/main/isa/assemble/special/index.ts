/**
 * Operands with a grammar of their own, parsed where the plan says that one stands. The value goes to `operand.value`.
 * v_interp_mov takes `p10`; other interpolations take a plain VGPR there.
 */

import type { Cursor } from '../cursor.ts';
import { isWordPart } from '../cursor.ts';
import type { Operand } from '../operand.ts';
import type { OperandParser } from '../operand-parser.ts';
import type { Plan, SpecialOperand } from '../plan.ts';
import { ASM, type Reporter } from '../reporter.ts';
import { attribute, exportTarget, interpolationSlot } from './export-target.ts';
import { parseHardwareRegister } from './hwreg.ts';
import { parseSendMessage } from './sendmsg.ts';
import { parseWaitCounters } from './wait-counters.ts';

/** False after a reported error. */
export function parseSpecial(
  what: SpecialOperand,
  operand: Operand,
  cursor: Cursor,
  reporter: Reporter,
  operands: OperandParser,
  plan: Plan,
): boolean {
  cursor.skipBlanks();
  operand.reset(cursor.position);
  const value = parse(what, cursor, reporter, operands, plan);
  operand.form = 'special';
  operand.value = value;
  operand.end = cursor.position;
  return value >= 0;
}

function parse(what: SpecialOperand, cursor: Cursor, reporter: Reporter, operands: OperandParser, plan: Plan): number {
  switch (what) {
    case 'waitcnt':
    case 'depctr':
      return parseWaitCounters(cursor, reporter, operands, plan.target, what);
    case 'sendmsg':
      return parseSendMessage(cursor, reporter, operands, plan.target);
    case 'hwreg':
      return parseHardwareRegister(cursor, reporter, operands, plan.target);
    case 'attribute':
      return named(cursor, reporter, attribute, `${plan.name}: expected an attribute, attr0.x to attr32.w`);
    case 'slot':
      return named(cursor, reporter, interpolationSlot, `${plan.name}: expected p10, p20 or p0`);
    case 'exportTarget': {
      const positions = plan.gfx7 ? 'pos0…3' : 'pos0…4, prim';
      const message = `${plan.name}: expected a target of ${plan.target}: mrt0…7, mrtz, null, ${positions}, param0…31`;
      return named(cursor, reporter, (word) => exportTarget(word, plan.target), message);
    }
  }
}

function named(cursor: Cursor, reporter: Reporter, lookUp: (word: string) => number, message: string): number {
  const start = cursor.position;
  let end = start;
  while (isWordPart(cursor.text.charCodeAt(end))) end++;
  cursor.position = end;
  const value = lookUp(cursor.text.slice(start, end));
  if (value >= 0) return value;
  reporter.error(ASM.SYNTAX, message, start, Math.max(end, start + 1));
  return -1;
}
