/**
 * Modifiers after the operands: `glc`, `offset:16`, `op_sel:[0,1]`, `dst_sel:BYTE_0`, `quad_perm:[0,1,2,3]`, …
 *
 * Every modifier has an id; ids below 32 are the bits of FLAG (instruction.ts), the others carry values. What an
 * instruction accepts are two bit masks of its plan. A flag may be written `noglc`, which leaves it clear.
 */

import type { Target } from '../../base/dispatch.ts';
import { FLAG } from '../instruction.ts';
import { type Cursor, isWordStart } from './cursor.ts';
import type { OperandParser } from './operand-parser.ts';
import { ASM, type Reporter } from './reporter.ts';
import { parseBufferFormat } from './special/buffer-format.ts';
import { parseDim } from './special/dim.ts';
import { parseSwizzle } from './special/swizzle.ts';

/** Ids of the modifiers with values; the bit in the second mask is id − 32. */
export const MOD = {
  CLAMP: 32,
  OMOD: 33,
  OFFSET: 34,
  OFFSET0: 35,
  OFFSET1: 36,
  DMASK: 37,
  DIM: 38,
  FORMAT: 39,
  DFMT: 40,
  NFMT: 41,
  OP_SEL: 42,
  OP_SEL_HI: 43,
  NEG_LO: 44,
  NEG_HI: 45,
  DST_SEL: 46,
  DST_UNUSED: 47,
  SRC0_SEL: 48,
  SRC1_SEL: 49,
  DPP_CTRL: 50,
  DPP8: 51,
  ROW_MASK: 52,
  BANK_MASK: 53,
  BOUND_CTRL: 54,
  FI: 55,
  HIGH: 56,
} as const;

/** Bit of a value modifier in the second mask. */
export function valueBit(id: number): number {
  return 1 << (id - 32);
}

const SDWA_BITS = valueBit(MOD.DST_SEL) | valueBit(MOD.DST_UNUSED) | valueBit(MOD.SRC0_SEL) | valueBit(MOD.SRC1_SEL);
const DPP16_BITS = valueBit(MOD.DPP_CTRL) | valueBit(MOD.ROW_MASK) | valueBit(MOD.BANK_MASK) | valueBit(MOD.BOUND_CTRL);
export const MODIFIER_SETS = {
  SDWA: SDWA_BITS,
  DPP16: DPP16_BITS | valueBit(MOD.FI),
  DPP8: valueBit(MOD.DPP8) | valueBit(MOD.FI),
} as const;

function bitNumber(flag: number): number {
  return 31 - Math.clz32(flag);
}

const FLAG_IDS: ReadonlyMap<string, number> = new Map(
  (
    [
      'glc',
      'slc',
      'dlc',
      'offen',
      'idxen',
      'addr64',
      'lds',
      'tfe',
      'lwe',
      'gds',
      'unorm',
      'da',
      'r128',
      'a16',
      'd16',
      'done',
      'compr',
      'vm',
    ] as const
  ).map((name) => [name, bitNumber(FLAG[name.toUpperCase() as keyof typeof FLAG])]),
);

const VALUE_IDS: ReadonlyMap<string, number> = new Map([
  ['clamp', MOD.CLAMP],
  ['mul', MOD.OMOD],
  ['div', MOD.OMOD],
  ['offset', MOD.OFFSET],
  ['offset0', MOD.OFFSET0],
  ['offset1', MOD.OFFSET1],
  ['dmask', MOD.DMASK],
  ['dim', MOD.DIM],
  ['format', MOD.FORMAT],
  ['dfmt', MOD.DFMT],
  ['nfmt', MOD.NFMT],
  ['op_sel', MOD.OP_SEL],
  ['op_sel_hi', MOD.OP_SEL_HI],
  ['neg_lo', MOD.NEG_LO],
  ['neg_hi', MOD.NEG_HI],
  ['dst_sel', MOD.DST_SEL],
  ['dst_unused', MOD.DST_UNUSED],
  ['src0_sel', MOD.SRC0_SEL],
  ['src1_sel', MOD.SRC1_SEL],
  ['quad_perm', MOD.DPP_CTRL],
  ['row_shl', MOD.DPP_CTRL],
  ['row_shr', MOD.DPP_CTRL],
  ['row_ror', MOD.DPP_CTRL],
  ['row_mirror', MOD.DPP_CTRL],
  ['row_half_mirror', MOD.DPP_CTRL],
  ['row_share', MOD.DPP_CTRL],
  ['row_xmask', MOD.DPP_CTRL],
  ['dpp8', MOD.DPP8],
  ['row_mask', MOD.ROW_MASK],
  ['bank_mask', MOD.BANK_MASK],
  ['bound_ctrl', MOD.BOUND_CTRL],
  ['fi', MOD.FI],
  ['high', MOD.HIGH],
]);

/** Id of the modifier that a word may begin, or −1. */
export function modifierId(word: string): number {
  return (
    FLAG_IDS.get(word) ?? VALUE_IDS.get(word) ?? (word.startsWith('no') ? (FLAG_IDS.get(word.slice(2)) ?? -1) : -1)
  );
}

interface Accepted {
  readonly flags: number;
  readonly values: number;
}

export function acceptsModifier(plan: Accepted, id: number): boolean {
  return id < 32 ? (plan.flags & (1 << id)) !== 0 : (plan.values & (1 << (id - 32))) !== 0;
}

/** Names of everything that an instruction takes, for hints. */
export function acceptedModifiers(plan: Accepted): string[] {
  return [...FLAG_IDS, ...VALUE_IDS].filter(([, id]) => acceptsModifier(plan, id)).map(([name]) => name);
}

const SDWA_SELECTS = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD'];
const SDWA_UNUSED = ['UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE'];

export class Modifiers {
  /** Flags that are set, and masks of what was mentioned at all. */
  flags = 0;
  mentionedFlags = 0;
  mentionedValues = 0;
  omod = 0;
  offset = 0;
  offset0 = 0;
  offset1 = 0;
  dmask = 0;
  dim = -1;
  format = 0;
  dfmt = 0;
  nfmt = 0;
  /** Bit i: element i of the list; lengths to tell a list that is too long. */
  opSel = 0;
  opSelLength = 0;
  opSelHi = 0;
  negLo = 0;
  negHi = 0;
  dstSel = 6;
  dstUnused = 2;
  src0Sel = 6;
  src1Sel = 6;
  dppCtrl = 0;
  dpp8 = 0;
  rowMask = 15;
  bankMask = 15;
  boundCtrl = false;
  fetchInactive = false;
  /** Where each was written: start and end by id. */
  readonly start = new Int32Array(64);
  readonly end = new Int32Array(64);

  reset(): void {
    this.flags = 0;
    this.mentionedFlags = 0;
    if (this.mentionedValues === 0) return;
    this.mentionedValues = 0;
    this.omod = 0;
    this.offset = 0;
    this.offset0 = 0;
    this.offset1 = 0;
    this.dmask = 0;
    this.dim = -1;
    this.format = 0;
    this.dfmt = 0;
    this.nfmt = 0;
    this.opSel = 0;
    this.opSelLength = 0;
    this.opSelHi = 0;
    this.negLo = 0;
    this.negHi = 0;
    this.dstSel = 6;
    this.dstUnused = 2;
    this.src0Sel = 6;
    this.src1Sel = 6;
    this.dppCtrl = 0;
    this.dpp8 = 0;
    this.rowMask = 15;
    this.bankMask = 15;
    this.boundCtrl = false;
    this.fetchInactive = false;
  }

  has(id: number): boolean {
    return (this.mentionedValues & valueBit(id)) !== 0;
  }
}

const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;

export class ModifierParser {
  private readonly cursor: Cursor;
  private readonly reporter: Reporter;
  private readonly operands: OperandParser;
  target: Target = 'gfx1013';
  /** ds_swizzle_b32: `offset` takes swizzle(…). */
  swizzle = false;

  constructor(cursor: Cursor, reporter: Reporter, operands: OperandParser) {
    this.cursor = cursor;
    this.reporter = reporter;
    this.operands = operands;
  }

  /** The cursor stands at `word`, whose id is known; false after a reported error. */
  parse(word: string, id: number, into: Modifiers): boolean {
    const cursor = this.cursor;
    const start = cursor.position;
    cursor.position += word.length;
    if (id < 32) {
      const bit = 1 << id;
      if (into.mentionedFlags & bit) return this.fail(`${word} is given twice`, start, cursor.position);
      into.mentionedFlags |= bit;
      if (FLAG_IDS.has(word)) into.flags |= bit;
    } else {
      if (into.has(id)) return this.fail(`${word} is given twice`, start, cursor.position);
      into.mentionedValues |= valueBit(id);
      if (!this.value(word, id, into)) return false;
    }
    into.start[id] = start;
    into.end[id] = cursor.position;
    return true;
  }

  private fail(message: string, start: number, end: number): false {
    this.reporter.error(ASM.MODIFIER, message, start, end);
    return false;
  }

  private colon(word: string): boolean {
    if (this.cursor.accept(COLON)) return true;
    return this.fail(`expected ':' after ${word}`, this.cursor.position, this.cursor.position + 1);
  }

  /** `word:n` with least ≤ n ≤ most; undefined after an error. */
  private integer(word: string, least: number, most: number): number | undefined {
    if (!this.colon(word)) return undefined;
    this.cursor.skipBlanks();
    const start = this.cursor.position;
    const value = this.operands.absolute(`${word}'s value`);
    if (value === undefined) return undefined;
    if (value >= least && value <= most) return value;
    this.reporter.error(ASM.IMMEDIATE_RANGE, `${word} takes ${least} to ${most}`, start, this.cursor.position);
    return undefined;
  }

  /** `word:[a,b,…]`; the elements, or undefined after an error. */
  private list(word: string, atMost: number, most: number): number[] | undefined {
    if (!this.colon(word)) return undefined;
    const cursor = this.cursor;
    if (!cursor.accept(OPEN_BRACKET)) {
      this.fail(`expected '[' after ${word}:`, cursor.position, cursor.position + 1);
      return undefined;
    }
    const values: number[] = [];
    do {
      cursor.skipBlanks();
      const start = cursor.position;
      const value = this.operands.absolute(`an element of ${word}`);
      if (value === undefined) return undefined;
      if (value < 0 || value > most) {
        this.reporter.error(ASM.IMMEDIATE_RANGE, `elements of ${word} are 0 to ${most}`, start, cursor.position);
        return undefined;
      }
      values.push(value);
      if (values.length > atMost) {
        this.fail(`${word} has at most ${atMost} elements`, start, cursor.position);
        return undefined;
      }
    } while (cursor.accept(COMMA));
    if (!cursor.accept(CLOSE_BRACKET)) {
      this.fail("expected ']'", cursor.position, cursor.position + 1);
      return undefined;
    }
    return values;
  }

  private bits(word: string): { mask: number; length: number } | undefined {
    const values = this.list(word, 4, 1);
    if (!values) return undefined;
    let mask = 0;
    for (let i = 0; i < values.length; i++) if (values[i]) mask |= 1 << i;
    return { mask, length: values.length };
  }

  /** Index of a word among `names`; numbers are taken too. */
  private named(word: string, names: readonly string[]): number | undefined {
    if (!this.colon(word)) return undefined;
    const cursor = this.cursor;
    cursor.skipBlanks();
    const start = cursor.position;
    if (isWordStart(cursor.peek())) {
      const value = names.indexOf(cursor.word());
      if (value >= 0) return value;
    }
    this.fail(`${word} takes ${names.join(', ')}`, start, Math.max(cursor.position, start + 1));
    return undefined;
  }

  private value(word: string, id: number, into: Modifiers): boolean {
    switch (id) {
      case MOD.CLAMP:
      case MOD.HIGH:
        return true;
      case MOD.OMOD:
        return this.omod(word, into);
      case MOD.OFFSET: {
        if (this.swizzle) return this.swizzleOffset(into);
        const value = this.integer(word, -0x80000000, 0xffffffff);
        into.offset = value ?? 0;
        return value !== undefined;
      }
      case MOD.OFFSET0:
      case MOD.OFFSET1: {
        const value = this.integer(word, 0, 255);
        if (id === MOD.OFFSET0) into.offset0 = value ?? 0;
        else into.offset1 = value ?? 0;
        return value !== undefined;
      }
      case MOD.DMASK: {
        const value = this.integer(word, 0, 15);
        into.dmask = value ?? 0;
        return value !== undefined;
      }
      case MOD.DIM: {
        if (!this.colon(word)) return false;
        into.dim = parseDim(this.cursor, this.reporter);
        return into.dim >= 0;
      }
      case MOD.FORMAT: {
        if (!this.colon(word)) return false;
        into.format = parseBufferFormat(this.cursor, this.reporter, this.operands, this.target);
        return into.format >= 0;
      }
      case MOD.DFMT: {
        const value = this.integer(word, 0, 15);
        into.dfmt = value ?? 0;
        return value !== undefined;
      }
      case MOD.NFMT: {
        const value = this.integer(word, 0, 7);
        into.nfmt = value ?? 0;
        return value !== undefined;
      }
      case MOD.OP_SEL: {
        const list = this.bits(word);
        if (!list) return false;
        into.opSel = list.mask;
        into.opSelLength = list.length;
        return true;
      }
      case MOD.OP_SEL_HI: {
        const list = this.bits(word);
        into.opSelHi = list?.mask ?? 0;
        return list !== undefined;
      }
      case MOD.NEG_LO: {
        const list = this.bits(word);
        into.negLo = list?.mask ?? 0;
        return list !== undefined;
      }
      case MOD.NEG_HI: {
        const list = this.bits(word);
        into.negHi = list?.mask ?? 0;
        return list !== undefined;
      }
      default:
        return this.laneValue(word, id, into);
    }
  }

  /** SDWA and DPP. */
  private laneValue(word: string, id: number, into: Modifiers): boolean {
    switch (id) {
      case MOD.DST_SEL:
      case MOD.SRC0_SEL:
      case MOD.SRC1_SEL: {
        const value = this.named(word, SDWA_SELECTS);
        if (value === undefined) return false;
        if (id === MOD.DST_SEL) into.dstSel = value;
        else if (id === MOD.SRC0_SEL) into.src0Sel = value;
        else into.src1Sel = value;
        return true;
      }
      case MOD.DST_UNUSED: {
        const value = this.named(word, SDWA_UNUSED);
        into.dstUnused = value ?? 0;
        return value !== undefined;
      }
      case MOD.DPP_CTRL:
        return this.dppControl(word, into);
      case MOD.DPP8: {
        const lanes = this.list(word, 8, 7);
        if (!lanes) return false;
        if (lanes.length !== 8) return this.fail('dpp8 has 8 elements', this.cursor.position - 1, this.cursor.position);
        into.dpp8 = 0;
        for (let i = 0; i < 8; i++) into.dpp8 |= lanes[i]! << (3 * i);
        return true;
      }
      case MOD.ROW_MASK: {
        const value = this.integer(word, 0, 15);
        into.rowMask = value ?? 15;
        return value !== undefined;
      }
      case MOD.BANK_MASK: {
        const value = this.integer(word, 0, 15);
        into.bankMask = value ?? 15;
        return value !== undefined;
      }
      case MOD.BOUND_CTRL: {
        // Both spellings mean "out-of-range lanes read 0": bound_ctrl:0 is the older one.
        into.boundCtrl = true;
        return this.integer(word, 0, 1) !== undefined;
      }
      case MOD.FI: {
        const value = this.integer(word, 0, 1);
        into.fetchInactive = value === 1;
        return value !== undefined;
      }
      default:
        return this.fail(`${word} is not a modifier`, this.cursor.position, this.cursor.position + 1);
    }
  }

  private omod(word: string, into: Modifiers): boolean {
    if (!this.colon(word)) return false;
    this.cursor.skipBlanks();
    const start = this.cursor.position;
    const value = this.operands.absolute(`${word}'s value`);
    if (value === undefined) return false;
    if (word === 'mul' && (value === 1 || value === 2 || value === 4)) into.omod = value >> 1;
    else if (word === 'div' && (value === 1 || value === 2)) into.omod = value === 2 ? 3 : 0;
    else {
      const expected = word === 'mul' ? 'mul takes 1, 2 or 4' : 'div takes 1 or 2';
      this.reporter.error(ASM.IMMEDIATE_RANGE, expected, start, this.cursor.position);
      return false;
    }
    return true;
  }

  private swizzleOffset(into: Modifiers): boolean {
    if (!this.colon('offset')) return false;
    into.offset = parseSwizzle(this.cursor, this.reporter, this.operands);
    return into.offset >= 0;
  }

  private dppControl(word: string, into: Modifiers): boolean {
    switch (word) {
      case 'row_mirror':
        into.dppCtrl = 0x140;
        return true;
      case 'row_half_mirror':
        into.dppCtrl = 0x141;
        return true;
      case 'quad_perm': {
        const lanes = this.list(word, 4, 3);
        if (!lanes) return false;
        if (lanes.length !== 4)
          return this.fail('quad_perm has 4 elements', this.cursor.position - 1, this.cursor.position);
        into.dppCtrl = lanes[0]! | (lanes[1]! << 2) | (lanes[2]! << 4) | (lanes[3]! << 6);
        return true;
      }
      default: {
        const base = DPP_ROWS[word]!;
        const value = this.integer(word, base >= 0x150 ? 0 : 1, 15);
        into.dppCtrl = base + (value ?? 0);
        return value !== undefined;
      }
    }
  }
}

const DPP_ROWS: Readonly<Record<string, number>> = {
  row_shl: 0x100,
  row_shr: 0x110,
  row_ror: 0x120,
  row_share: 0x150,
  row_xmask: 0x160,
};
