/**
 * Formats of typed buffer instructions. gfx10 has one list (7 bits), gfx7 a data and a number format (4 and 3 bits).
 * Source: RDNA 1 ISA manual, "MTBUF format"; Sea Islands ISA manual, "buffer resource descriptor"; names as in LLVM.
 */
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
