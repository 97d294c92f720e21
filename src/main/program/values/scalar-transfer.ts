/**
 * Scalar instructions as equations between values: which value each destination word gets.
 *
 * One entry per mnemonic that the evaluator follows; an instruction without entry makes its destinations opaque
 * (transfer.ts). 64-bit instructions write two words, each from its own operation.
 * Source: RDNA 1 and Sea Islands ISA manuals, SOP1, SOP2, SOPK, SOPC.
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { ScalarOperation } from './scalar-operations.ts';
import type { ValueNumber } from './value-table.ts';

/** What an equation may ask of the instruction and the state before it. All values are 32 bits wide. */
export interface ScalarOperands {
  /** Source operand: word 0 is the low word. */
  source(index: 0 | 1, word?: 0 | 1): ValueNumber;
  /** Old contents of the destination. */
  old(word?: 0 | 1): ValueNumber;
  readonly scc: ValueNumber;
  /** simm16, sign-extended. */
  readonly immediate: ValueNumber;
  exec(word?: 0 | 1): ValueNumber;
  constant(bits: number): ValueNumber;
  make(operation: ScalarOperation, a: ValueNumber, b?: ValueNumber, c?: ValueNumber): ValueNumber;
}

/** Absent parts stay as they are. `exec` is written after `destination` was read and written. */
export interface ScalarResult {
  readonly destination?: readonly ValueNumber[];
  readonly scc?: ValueNumber;
  readonly exec?: readonly ValueNumber[];
}

export type ScalarEquation = (operands: ScalarOperands) => ScalarResult;

type Build = (o: ScalarOperands, a: ValueNumber, b: ValueNumber) => ValueNumber;

function nonZero(o: ScalarOperands, words: readonly ValueNumber[]): ValueNumber {
  return words.length === 1 ? o.make('anySet', words[0]!) : o.make('anySet64', words[0]!, words[1]!);
}

/** Bitwise instruction on one or two words; SCC = result is not zero. */
function logic(words: 1 | 2, build: Build): ScalarEquation {
  return (o) => {
    const destination: ValueNumber[] = [];
    for (let w = 0; w < words; w++) {
      const word = w as 0 | 1;
      destination.push(build(o, o.source(0, word), o.source(1, word)));
    }
    return { destination, scc: nonZero(o, destination) };
  };
}

const and: Build = (o, a, b) => o.make('and', a, b);
const or: Build = (o, a, b) => o.make('or', a, b);
const xor: Build = (o, a, b) => o.make('xor', a, b);
const andNot: Build = (o, a, b) => o.make('and', a, o.make('not', b));
const orNot: Build = (o, a, b) => o.make('or', a, o.make('not', b));
const nand: Build = (o, a, b) => o.make('not', o.make('and', a, b));
const nor: Build = (o, a, b) => o.make('not', o.make('or', a, b));
const xnor: Build = (o, a, b) => o.make('not', o.make('xor', a, b));
const swapped =
  (build: Build): Build =>
  (o, a, b) =>
    build(o, b, a);

/** destination = EXEC, EXEC = build(source, EXEC). */
function saveExec(words: 1 | 2, build: Build): ScalarEquation {
  return (o) => {
    const destination: ValueNumber[] = [];
    const exec: ValueNumber[] = [];
    for (let w = 0; w < words; w++) {
      const word = w as 0 | 1;
      destination.push(o.exec(word));
      exec.push(build(o, o.source(0, word), o.exec(word)));
    }
    return { destination, exec, scc: nonZero(o, exec) };
  };
}

/** EXEC = destination = build(source, EXEC). */
function writeExec(words: 1 | 2, build: Build): ScalarEquation {
  return (o) => {
    const exec: ValueNumber[] = [];
    for (let w = 0; w < words; w++) exec.push(build(o, o.source(0, w as 0 | 1), o.exec(w as 0 | 1)));
    return { destination: exec, exec, scc: nonZero(o, exec) };
  };
}

/** Plain one-word operation of the two sources; the flag is a further operation on result or sources. */
function word(operation: ScalarOperation, flag?: 'nonZero' | ScalarOperation): ScalarEquation {
  return (o) => {
    const a = o.source(0);
    const b = o.source(1);
    const result = o.make(operation, a, b);
    const destination = [result];
    if (flag === undefined) return { destination };
    return { destination, scc: flag === 'nonZero' ? o.make('anySet', result) : o.make(flag, a, b) };
  };
}

function unary(operation: ScalarOperation, flagged: boolean): ScalarEquation {
  return (o) => {
    const result = o.make(operation, o.source(0));
    return flagged ? { destination: [result], scc: o.make('anySet', result) } : { destination: [result] };
  };
}

/** 64-bit shift or extract: low and high word from (low, high, amount); SCC = result is not zero. */
function wide(low: ScalarOperation, high: ScalarOperation): ScalarEquation {
  return (o) => {
    const a = o.source(0, 0);
    const b = o.source(0, 1);
    const n = o.source(1);
    const destination = [o.make(low, a, b, n), o.make(high, a, b, n)];
    return { destination, scc: nonZero(o, destination) };
  };
}

function shiftAdd(bits: number): ScalarEquation {
  return (o) => {
    const a = o.make('shiftLeft', o.source(0), o.constant(bits));
    // The carry also counts bits that the shift pushed out; only the sum is followed.
    return { destination: [o.make('add', a, o.source(1))] };
  };
}

type Compare = (o: ScalarOperands, a: ValueNumber, b: ValueNumber) => ValueNumber;

const flip =
  (compare: Compare): Compare =>
  (o, a, b) =>
    o.make('xor', compare(o, a, b), o.constant(1));
const equal: Compare = (o, a, b) => o.make('equal', a, b);
const less: Compare = (o, a, b) => o.make('lessThan', a, b);
const lessSigned: Compare = (o, a, b) => o.make('lessThanSigned', a, b);
const turned =
  (compare: Compare): Compare =>
  (o, a, b) =>
    compare(o, b, a);

function compare(build: Compare): ScalarEquation {
  return (o) => ({ scc: build(o, o.source(0), o.source(1)) });
}

/** SOPK compares read the destination field; unsigned ones take the immediate without sign extension. */
function compareImmediate(build: Compare, unsigned: boolean): ScalarEquation {
  return (o) => {
    const immediate = unsigned ? o.make('and', o.immediate, o.constant(0xffff)) : o.immediate;
    return { scc: build(o, o.old(), immediate) };
  };
}

const equal64: Compare = (o) => {
  const low = o.make('xor', o.source(0, 0), o.source(1, 0));
  const high = o.make('xor', o.source(0, 1), o.source(1, 1));
  return o.make('xor', o.make('anySet64', low, high), o.constant(1));
};

export const SCALAR_EQUATIONS: Readonly<Partial<Record<Mnemonic, ScalarEquation>>> = {
  s_mov_b32: (o) => ({ destination: [o.source(0)] }),
  s_mov_b64: (o) => ({ destination: [o.source(0, 0), o.source(0, 1)] }),
  s_cmov_b32: (o) => ({ destination: [o.make('select', o.scc, o.source(0), o.old())] }),
  s_cmov_b64: (o) => ({
    destination: [o.make('select', o.scc, o.source(0, 0), o.old(0)), o.make('select', o.scc, o.source(0, 1), o.old(1))],
  }),
  s_not_b32: unary('not', true),
  s_not_b64: logic(2, (o, a) => o.make('not', a)),
  s_sext_i32_i8: unary('signExtend8', false),
  s_sext_i32_i16: unary('signExtend16', false),
  s_abs_i32: unary('absolute', true),
  s_bitset0_b32: (o) => ({ destination: [o.make('clearBit', o.old(), o.source(0))] }),
  s_bitset1_b32: (o) => ({ destination: [o.make('setBit', o.old(), o.source(0))] }),

  s_and_saveexec_b32: saveExec(1, and),
  s_and_saveexec_b64: saveExec(2, and),
  s_or_saveexec_b32: saveExec(1, or),
  s_or_saveexec_b64: saveExec(2, or),
  s_xor_saveexec_b32: saveExec(1, xor),
  s_xor_saveexec_b64: saveExec(2, xor),
  s_andn2_saveexec_b32: saveExec(1, andNot),
  s_andn2_saveexec_b64: saveExec(2, andNot),
  s_orn2_saveexec_b32: saveExec(1, orNot),
  s_orn2_saveexec_b64: saveExec(2, orNot),
  s_nand_saveexec_b32: saveExec(1, nand),
  s_nand_saveexec_b64: saveExec(2, nand),
  s_nor_saveexec_b32: saveExec(1, nor),
  s_nor_saveexec_b64: saveExec(2, nor),
  s_xnor_saveexec_b32: saveExec(1, xnor),
  s_xnor_saveexec_b64: saveExec(2, xnor),
  s_andn1_saveexec_b32: saveExec(1, swapped(andNot)),
  s_andn1_saveexec_b64: saveExec(2, swapped(andNot)),
  s_orn1_saveexec_b32: saveExec(1, swapped(orNot)),
  s_orn1_saveexec_b64: saveExec(2, swapped(orNot)),
  s_andn1_wrexec_b32: writeExec(1, swapped(andNot)),
  s_andn1_wrexec_b64: writeExec(2, swapped(andNot)),
  s_andn2_wrexec_b32: writeExec(1, andNot),
  s_andn2_wrexec_b64: writeExec(2, andNot),

  s_add_u32: (o) => {
    const a = o.source(0);
    const b = o.source(1);
    return { destination: [o.make('add', a, b)], scc: o.make('carry', a, b, o.constant(0)) };
  },
  s_addc_u32: (o) => {
    const a = o.source(0);
    const b = o.source(1);
    return { destination: [o.make('addCarry', a, b, o.scc)], scc: o.make('carry', a, b, o.scc) };
  },
  s_sub_u32: (o) => {
    const a = o.source(0);
    const b = o.source(1);
    return { destination: [o.make('subtract', a, b)], scc: o.make('borrow', a, b, o.constant(0)) };
  },
  s_subb_u32: (o) => {
    const a = o.source(0);
    const b = o.source(1);
    return { destination: [o.make('subtractBorrow', a, b, o.scc)], scc: o.make('borrow', a, b, o.scc) };
  },
  s_add_i32: word('add', 'addOverflow'),
  s_sub_i32: word('subtract', 'subtractOverflow'),
  s_min_i32: word('minimumSigned', 'lessThanSigned'),
  s_min_u32: word('minimum', 'lessThan'),
  s_max_i32: (o) => ({
    destination: [o.make('maximumSigned', o.source(0), o.source(1))],
    scc: o.make('lessThanSigned', o.source(1), o.source(0)),
  }),
  s_max_u32: (o) => ({
    destination: [o.make('maximum', o.source(0), o.source(1))],
    scc: o.make('lessThan', o.source(1), o.source(0)),
  }),
  s_cselect_b32: (o) => ({ destination: [o.make('select', o.scc, o.source(0), o.source(1))] }),
  s_cselect_b64: (o) => ({
    destination: [
      o.make('select', o.scc, o.source(0, 0), o.source(1, 0)),
      o.make('select', o.scc, o.source(0, 1), o.source(1, 1)),
    ],
  }),
  s_and_b32: logic(1, and),
  s_and_b64: logic(2, and),
  s_or_b32: logic(1, or),
  s_or_b64: logic(2, or),
  s_xor_b32: logic(1, xor),
  s_xor_b64: logic(2, xor),
  s_andn2_b32: logic(1, andNot),
  s_andn2_b64: logic(2, andNot),
  s_orn2_b32: logic(1, orNot),
  s_orn2_b64: logic(2, orNot),
  s_nand_b32: logic(1, nand),
  s_nand_b64: logic(2, nand),
  s_nor_b32: logic(1, nor),
  s_nor_b64: logic(2, nor),
  s_xnor_b32: logic(1, xnor),
  s_xnor_b64: logic(2, xnor),
  s_lshl_b32: word('shiftLeft', 'nonZero'),
  s_lshl_b64: wide('shiftLeft64Low', 'shiftLeft64High'),
  s_lshr_b32: word('shiftRight', 'nonZero'),
  s_lshr_b64: wide('shiftRight64Low', 'shiftRight64High'),
  s_ashr_i32: word('shiftRightSigned', 'nonZero'),
  s_ashr_i64: wide('shiftRightSigned64Low', 'shiftRightSigned64High'),
  s_bfm_b32: word('bitMask'),
  s_mul_i32: word('multiply'),
  s_mul_hi_u32: word('multiplyHigh'),
  s_mul_hi_i32: word('multiplyHighSigned'),
  s_bfe_u32: word('extract', 'nonZero'),
  s_bfe_i32: word('extractSigned', 'nonZero'),
  s_bfe_u64: wide('extract64Low', 'extract64High'),
  s_bfe_i64: wide('extractSigned64Low', 'extractSigned64High'),
  s_lshl1_add_u32: shiftAdd(1),
  s_lshl2_add_u32: shiftAdd(2),
  s_lshl3_add_u32: shiftAdd(3),
  s_lshl4_add_u32: shiftAdd(4),
  s_pack_ll_b32_b16: word('packLowLow'),
  s_pack_lh_b32_b16: word('packLowHigh'),
  s_pack_hh_b32_b16: word('packHighHigh'),

  s_movk_i32: (o) => ({ destination: [o.immediate] }),
  s_cmovk_i32: (o) => ({ destination: [o.make('select', o.scc, o.immediate, o.old())] }),
  s_addk_i32: (o) => ({
    destination: [o.make('add', o.old(), o.immediate)],
    scc: o.make('addOverflow', o.old(), o.immediate),
  }),
  s_mulk_i32: (o) => ({ destination: [o.make('multiply', o.old(), o.immediate)] }),
  s_cmpk_eq_i32: compareImmediate(equal, false),
  s_cmpk_lg_i32: compareImmediate(flip(equal), false),
  s_cmpk_gt_i32: compareImmediate(turned(lessSigned), false),
  s_cmpk_ge_i32: compareImmediate(flip(lessSigned), false),
  s_cmpk_lt_i32: compareImmediate(lessSigned, false),
  s_cmpk_le_i32: compareImmediate(flip(turned(lessSigned)), false),
  s_cmpk_eq_u32: compareImmediate(equal, true),
  s_cmpk_lg_u32: compareImmediate(flip(equal), true),
  s_cmpk_gt_u32: compareImmediate(turned(less), true),
  s_cmpk_ge_u32: compareImmediate(flip(less), true),
  s_cmpk_lt_u32: compareImmediate(less, true),
  s_cmpk_le_u32: compareImmediate(flip(turned(less)), true),

  s_cmp_eq_i32: compare(equal),
  s_cmp_lg_i32: compare(flip(equal)),
  s_cmp_gt_i32: compare(turned(lessSigned)),
  s_cmp_ge_i32: compare(flip(lessSigned)),
  s_cmp_lt_i32: compare(lessSigned),
  s_cmp_le_i32: compare(flip(turned(lessSigned))),
  s_cmp_eq_u32: compare(equal),
  s_cmp_lg_u32: compare(flip(equal)),
  s_cmp_gt_u32: compare(turned(less)),
  s_cmp_ge_u32: compare(flip(less)),
  s_cmp_lt_u32: compare(less),
  s_cmp_le_u32: compare(flip(turned(less))),
  s_cmp_eq_u64: compare(equal64),
  s_cmp_lg_u64: compare(flip(equal64)),
};
