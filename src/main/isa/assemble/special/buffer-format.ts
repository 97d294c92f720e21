/**
 * `format:` of typed buffer instructions. gfx10 has one list of formats (7 bits), gfx7 a data and a number format
 * (4 and 3 bits, `dfmt | nfmt << 4`). Written as a number or symbolically in brackets; on gfx10 the pair of gfx7 names
 * is taken too where the pair exists in the list.
 *
 * Source: RDNA 1 ISA manual, "MTBUF format"; Sea Islands ISA manual, "buffer resource descriptor"; names as in LLVM.
 */
import type { Target } from '../../../base/dispatch.ts';
import type { Cursor } from '../cursor.ts';
import { isDigit, isWordStart } from '../cursor.ts';
import type { OperandParser } from '../operand-parser.ts';
import { ASM, type Reporter } from '../reporter.ts';

/** gfx7 data formats by number. */
export const DATA_FORMATS = [
  'INVALID',
  '8',
  '16',
  '8_8',
  '32',
  '16_16',
  '10_11_11',
  '11_11_10',
  '10_10_10_2',
  '2_10_10_10',
  '8_8_8_8',
  '32_32',
  '16_16_16_16',
  '32_32_32',
  '32_32_32_32',
  'RESERVED_15',
] as const;

/** gfx7 number formats by number. */
export const NUMBER_FORMATS = ['UNORM', 'SNORM', 'USCALED', 'SSCALED', 'UINT', 'SINT', 'SNORM_OGL', 'FLOAT'] as const;

const INTEGER_KINDS = ['UNORM', 'SNORM', 'USCALED', 'SSCALED', 'UINT', 'SINT'];
const ALL_KINDS = [...INTEGER_KINDS, 'FLOAT'];
const WORD_KINDS = ['UINT', 'SINT', 'FLOAT'];

/** gfx10's list: which number formats each data format has, in order of the numbers 1, 2, 3, … */
const UNIFIED: readonly (readonly [data: string, kinds: readonly string[]])[] = [
  ['8', INTEGER_KINDS],
  ['16', ALL_KINDS],
  ['8_8', INTEGER_KINDS],
  ['32', WORD_KINDS],
  ['16_16', ALL_KINDS],
  ['10_11_11', ALL_KINDS],
  ['11_11_10', ALL_KINDS],
  ['10_10_10_2', INTEGER_KINDS],
  ['2_10_10_10', INTEGER_KINDS],
  ['8_8_8_8', INTEGER_KINDS],
  ['32_32', WORD_KINDS],
  ['16_16_16_16', ALL_KINDS],
  ['32_32_32', WORD_KINDS],
  ['32_32_32_32', WORD_KINDS],
];

/** gfx10 names without the prefix BUF_FMT_, by number. */
export const UNIFIED_FORMATS: readonly string[] = [
  'INVALID',
  ...UNIFIED.flatMap(([data, kinds]) => kinds.map((kind) => `${data}_${kind}`)),
];

/** What an instruction without `format` has: gfx10 8_UNORM, gfx7 data format 8, UNORM. */
export const DEFAULT_FORMAT = 1;

const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;

/** After `format:`; the field, or −1 after a reported error. */
export function parseBufferFormat(cursor: Cursor, reporter: Reporter, operands: OperandParser, target: Target): number {
  cursor.skipBlanks();
  const start = cursor.position;
  if (cursor.peek() !== OPEN_BRACKET) {
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
