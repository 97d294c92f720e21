/**
 * `format:` of typed buffer instructions. gfx10 has one list of formats (7 bits), gfx7 a data and a number format
 * (4 and 3 bits, `dfmt | nfmt << 4`). Written as a number or symbolically in brackets; on gfx10 the pair of gfx7 names
 * is taken too where the pair exists in the list.
 */
import type { Target } from '../../../base/dispatch.ts';
import { DATA_FORMATS, DEFAULT_FORMAT, NUMBER_FORMATS, UNIFIED_FORMATS } from '../../names/buffer-formats.ts';
import type { Cursor } from '../cursor.ts';
import { isDigit, isWordStart } from '../cursor.ts';
import type { OperandParser } from '../operand-parser.ts';
import { ASM, type Reporter } from '../reporter.ts';

const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;

/** After `format:`; the field, or −1 after a reported error. */
export function parseBufferFormat(cursor: Cursor, reporter: Reporter, operands: OperandParser, target: Target): number {
  cursor.skipBlanks();
  const start = cursor.position;
  if (cursor.peek() !== OPEN_BRACKET) {
    const name = isWordStart(cursor.peek()) ? cursor.peekWord() : '';
    if (name.startsWith('BUF_')) {
      reporter.error(ASM.SYNTAX, `expected brackets: format:[${name}]`, start, start + name.length);
      return -1;
    }
    const value = operands.absolute('the format');
    if (value === undefined) return -1;
    if (value >= 0 && value <= 127) return value;
    reporter.error(ASM.IMMEDIATE_RANGE, 'format takes 0 to 127', start, cursor.position);
    return -1;
  }
  cursor.position++;
  let unified = -1;
  let data = -1;
  let kind = -1;
  do {
    cursor.skipBlanks();
    const at = cursor.position;
    const word = isWordStart(cursor.peek()) || isDigit(cursor.peek()) ? cursor.word() : '';
    if (word.startsWith('BUF_FMT_')) unified = UNIFIED_FORMATS.indexOf(word.slice(8));
    else if (word.startsWith('BUF_DATA_FORMAT_')) data = (DATA_FORMATS as readonly string[]).indexOf(word.slice(16));
    else if (word.startsWith('BUF_NUM_FORMAT_')) kind = (NUMBER_FORMATS as readonly string[]).indexOf(word.slice(15));
    const known = word.startsWith('BUF_FMT_') ? unified : word.startsWith('BUF_DATA_FORMAT_') ? data : kind;
    if (!word.startsWith('BUF_') || known < 0) {
      reporter.error(ASM.MODIFIER, `'${word}' is no buffer format`, at, Math.max(cursor.position, at + 1));
      return -1;
    }
  } while (cursor.accept(COMMA));
  if (!cursor.accept(CLOSE_BRACKET)) {
    reporter.error(ASM.SYNTAX, "expected ']'", cursor.position, cursor.position + 1);
    return -1;
  }
  if (target === 'gfx700') {
    if (unified < 0) return (data < 0 ? DEFAULT_FORMAT : data) | (Math.max(kind, 0) << 4);
    reporter.error(
      ASM.MODIFIER,
      'gfx700 has BUF_DATA_FORMAT_… and BUF_NUM_FORMAT_…, not BUF_FMT_…',
      start,
      cursor.position,
    );
    return -1;
  }
  if (unified >= 0) return unified;
  if (data === 0) return 0;
  const name = `${DATA_FORMATS[data < 0 ? DEFAULT_FORMAT : data]}_${NUMBER_FORMATS[Math.max(kind, 0)]}`;
  const found = UNIFIED_FORMATS.indexOf(name);
  if (found < 0) reporter.error(ASM.MODIFIER, `${target} has no format BUF_FMT_${name}`, start, cursor.position);
  return found;
}
