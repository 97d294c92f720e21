/**
 * Operand kinds of row.ts as numbers, parsed once per table entry: decode, print, encode and def/use run on these.
 */
import { InternalError } from '../base/assert.ts';
import type { OperandKind } from './row.ts';

/** What may stand in a slot. */
export const KIND = {
  NONE: 0,
  /** Scalar source: SGPR or constant. */
  SCALAR: 1,
  SCALAR_DST: 2,
  VGPR: 3,
  /** Any 9-bit source. */
  ANY: 4,
  LITERAL: 5,
  /** Wave mask, one or two SGPRs by wave size. */
  MASK: 6,
  /** Address VGPRs whose number the flags or the image dimension tell. */
  VECTOR_ADDRESS: 7,
  SCALAR_ADDRESS: 8,
  /** Image data counted by dmask, d16 and tfe. */
  IMAGE_DATA: 9,
  /** A small immediate that stands in the slot itself. */
  IMMEDIATE: 10,
  /** Scalar register, no constants. */
  REGISTER: 11,
} as const;

/** How constants in a slot are read. */
export const TYPE = { BITS: 0, SIGNED: 1, UNSIGNED: 2, FLOAT: 3, MIXED: 4 } as const;

export interface ParsedKind {
  readonly kind: number;
  /** Bits; 0 where they depend on the instruction. */
  readonly width: number;
  readonly type: number;
  /** A pair of 16-bit values. */
  readonly packed: boolean;
}

const LETTERS: Readonly<Record<string, number>> = {
  s: KIND.SCALAR,
  r: KIND.REGISTER,
  sd: KIND.SCALAR_DST,
  v: KIND.VGPR,
  x: KIND.ANY,
  k: KIND.LITERAL,
  m: KIND.MASK,
  va: KIND.VECTOR_ADDRESS,
  sa: KIND.SCALAR_ADDRESS,
  vd: KIND.IMAGE_DATA,
  i: KIND.IMMEDIATE,
};

const TYPES: Readonly<Record<string, number>> = {
  b: TYPE.BITS,
  i: TYPE.SIGNED,
  u: TYPE.UNSIGNED,
  f: TYPE.FLOAT,
  m: TYPE.MIXED,
};

const NO_OPERAND: ParsedKind = { kind: KIND.NONE, width: 0, type: TYPE.BITS, packed: false };

const cache = new Map<string, ParsedKind>([['-', NO_OPERAND]]);

export function parseOperandKind(text: OperandKind | undefined): ParsedKind {
  if (text === undefined) return NO_OPERAND;
  const known = cache.get(text);
  if (known) return known;
  const match = /^(sd|sa|va|vd|s|r|v|x|k|m|i)(\d*)(p?)([biufm]?)$/.exec(text);
  if (!match) throw new InternalError(`operand kind ${text} in an instruction table`);
  const parsed: ParsedKind = {
    kind: LETTERS[match[1]!]!,
    width: Number(match[2]),
    type: TYPES[match[4] || 'b']!,
    packed: match[3] === 'p',
  };
  cache.set(text, parsed);
  return parsed;
}

/** Registers that an operand of this kind covers; 0 where it depends on the instruction. */
export function kindDwords(parsed: ParsedKind): number {
  return parsed.kind === KIND.IMMEDIATE ? 0 : Math.ceil(parsed.width / 32);
}
