/**
 * `s_waitcnt vmcnt(0) & lgkmcnt(1)` and `s_waitcnt_depctr depctr_va_vdst(0)`: counters packed into simm16.
 *
 * Counters may stand in any order, separated by `&`, `,` or nothing; what is not mentioned keeps its largest value
 * ("do not wait"). Fields are split on gfx10 (vmcnt: bits 3:0 and 15:14). A name with `_sat` clamps instead of failing.
 * Source: Sea Islands and RDNA 1 ISA manuals, S_WAITCNT; depctr fields as in LLVM.
 */
import type { Target } from '../../../base/dispatch.ts';
import { type Cursor, isWordStart } from '../cursor.ts';
import type { OperandParser } from '../operand-parser.ts';
import { ASM, type Reporter } from '../reporter.ts';

/** Pieces of a counter from its low bits up: [shift, width]. */
interface Field {
  readonly pieces: readonly (readonly [shift: number, width: number])[];
}

const WAIT_GFX7: Readonly<Record<string, Field>> = {
  vmcnt: { pieces: [[0, 4]] },
  expcnt: { pieces: [[4, 3]] },
  lgkmcnt: { pieces: [[8, 4]] },
};

const WAIT_GFX10: Readonly<Record<string, Field>> = {
  vmcnt: {
    pieces: [
      [0, 4],
      [14, 2],
    ],
  },
  expcnt: { pieces: [[4, 3]] },
  lgkmcnt: { pieces: [[8, 6]] },
};

/** gfx1030 adds depctr_hold_cnt. */
const DEPCTR_GFX1013: Readonly<Record<string, Field>> = {
  depctr_sa_sdst: { pieces: [[0, 1]] },
  depctr_va_vdst: { pieces: [[12, 4]] },
  depctr_va_sdst: { pieces: [[9, 3]] },
  depctr_va_ssrc: { pieces: [[8, 1]] },
  depctr_va_vcc: { pieces: [[1, 1]] },
  depctr_vm_vsrc: { pieces: [[2, 3]] },
};
const DEPCTR_GFX1030: Readonly<Record<string, Field>> = { ...DEPCTR_GFX1013, depctr_hold_cnt: { pieces: [[7, 1]] } };

/** Value when no counter is mentioned. */
const WAIT_NOTHING_GFX7 = 0x0f7f;
const WAIT_NOTHING_GFX10 = 0xff7f;
const DEPCTR_NOTHING_GFX1013 = 0xff1f;
const DEPCTR_NOTHING_GFX1030 = 0xff9f;

function width(field: Field): number {
  return field.pieces.reduce((sum, [, bits]) => sum + bits, 0);
}

function insert(field: Field, word: number, value: number): number {
  let rest = value;
  let result = word;
  for (const [shift, bits] of field.pieces) {
    const mask = (1 << bits) - 1;
    result = (result & ~(mask << shift)) | ((rest & mask) << shift);
    rest >>= bits;
  }
  return result;
}

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
  const gfx7 = target === 'gfx700';
  const newer = target === 'gfx1030';
  const depctr = newer ? DEPCTR_GFX1030 : DEPCTR_GFX1013;
  const fields = kind === 'depctr' ? depctr : gfx7 ? WAIT_GFX7 : WAIT_GFX10;
  cursor.skipBlanks();
  const first = cursor.position;
  const firstWord = cursor.peekWord();
  if (!isWordStart(cursor.peek()) || !(firstWord.replace(/_sat$/, '') in fields || nextIsCall(cursor, firstWord))) {
    const value = operands.absolute('a counter such as vmcnt(0), or a number,');
    if (value === undefined) return -1;
    if (value >= -0x8000 && value <= 0x1ffff) return value & 0xffff;
    reporter.error(ASM.IMMEDIATE_RANGE, 'the value does not fit 16 bits', first, cursor.position);
    return -1;
  }
  const noDepctr = newer ? DEPCTR_NOTHING_GFX1030 : DEPCTR_NOTHING_GFX1013;
  let result = kind === 'depctr' ? noDepctr : gfx7 ? WAIT_NOTHING_GFX7 : WAIT_NOTHING_GFX10;
  while (!cursor.atStatementEnd()) {
    const start = cursor.position;
    const word = cursor.word();
    const saturate = word.endsWith('_sat');
    const name = saturate ? word.slice(0, -4) : word;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) {
      const end = Math.max(cursor.position, start + 1);
      reporter.error(ASM.SYNTAX, `expected ${Object.keys(fields).join(', ')}`, start, end);
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
    const most = (1 << width(field)) - 1;
    if (value < 0 || (value > most && !saturate)) {
      reporter.error(ASM.IMMEDIATE_RANGE, `${name} takes 0 to ${most} on ${target}`, at, cursor.position);
      return -1;
    }
    if (!cursor.accept(CLOSE)) {
      reporter.error(ASM.SYNTAX, "expected ')'", cursor.position, cursor.position + 1);
      return -1;
    }
    result = insert(field, result, Math.min(value, most));
    if (cursor.accept(AMPERSAND) || cursor.accept(COMMA)) {
      if (cursor.atStatementEnd()) {
        reporter.error(ASM.SYNTAX, 'expected a counter', cursor.position, cursor.position + 1);
        return -1;
      }
    }
  }
  return result;
}

function nextIsCall(cursor: Cursor, word: string): boolean {
  return word !== '' && cursor.text.charCodeAt(cursor.position + word.length) === OPEN;
}
