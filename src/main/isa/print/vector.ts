/** Text of what is peculiar to vector ALU instructions: source and result modifiers, SDWA, DPP, packed, interpolation. */
import { isConstantCode } from '../decode/operand-codes.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { DPP_PIECES, dpp8Text } from './immediate-text.ts';
import { ALONE, putOperand } from './operand-text.ts';
import { INTEGER_SOURCE, MIXED, plainTable } from './steps.ts';
import { piece, type TextBuffer } from './text-buffer.ts';

const MINUS = 45;
const BAR = 124;
const CLOSE = 41;
const SEXT = piece('sext(');
const NEG = piece('neg(');

/** `-v1`, `|v1|`, `neg(0.5)`: a minus before a constant would read as another constant. */
function putNegAbs(buffer: TextBuffer, table: number, code: number, inst: Instruction, neg: number, abs: number): void {
  const named = neg && !abs && isConstantCode(code);
  if (named) buffer.put(NEG);
  else if (neg) buffer.character(MINUS);
  if (abs) buffer.character(BAR);
  putOperand(buffer, table + ALONE + code, inst.literal);
  if (abs) buffer.character(BAR);
  if (named) buffer.character(CLOSE);
}

/** Source `index` with its abs, neg and sext; `table` may hold `INTEGER_SOURCE`. */
export function putModifiedOperand(
  buffer: TextBuffer,
  table: number,
  code: number,
  inst: Instruction,
  index: number,
): void {
  const isInteger = (table & INTEGER_SOURCE) !== 0;
  const operands = plainTable(table);
  const neg = (inst.neg >>> index) & 1;
  if ((inst.sext >>> index) & 1 || (neg && isInteger)) {
    buffer.put(SEXT);
    putOperand(buffer, operands + ALONE + code, inst.literal);
    buffer.character(CLOSE);
  } else putNegAbs(buffer, operands, code, inst, neg, (inst.abs >>> index) & 1);
}

/** A source of v_fma_mix. */
export function putMixOperand(buffer: TextBuffer, table: number, code: number, inst: Instruction, index: number): void {
  putNegAbs(buffer, table, code, inst, (inst.neg >>> index) & 1, (inst.negHi >>> index) & 1);
}

function bitPieces(name: string): readonly (readonly number[])[] {
  return [1, 2, 3, 4].map((count) =>
    Array.from({ length: 1 << count }, (_, bits) => {
      const list = Array.from({ length: count }, (_, i) => (bits >>> i) & 1);
      return piece(` ${name}:[${list.join(',')}]`);
    }),
  );
}

/** By number of bits minus one, then by bits. */
const OP_SEL = bitPieces('op_sel');
const OP_SEL_HI = bitPieces('op_sel_hi');
const NEG_LO = bitPieces('neg_lo');
const NEG_HI = bitPieces('neg_hi');

const OMOD = [piece(''), piece(' mul:2'), piece(' mul:4'), piece(' div:2')];
const CLAMP = piece(' clamp');

/** op_sel of VOP3: one bit per source, then the destination's (bit 3). */
export function putOpSel(buffer: TextBuffer, sources: number, inst: Instruction): void {
  const { opSel } = inst;
  if (opSel) buffer.put(OP_SEL[sources]![(opSel & ((1 << sources) - 1)) | ((opSel >>> 3) << sources)]!);
}

/** Lane permutes have two bits of their own. */
export function putLaneOpSel(buffer: TextBuffer, inst: Instruction): void {
  if (inst.opSel) buffer.put(OP_SEL[1]![inst.opSel]!);
}

export function putResultModifiers(buffer: TextBuffer, inst: Instruction): void {
  if (inst.clamp) buffer.put(CLAMP);
  if (inst.omod) buffer.put(OMOD[inst.omod]!);
}

/** Packed: modifiers stand behind the operands, except for fma_mix. */
export function putPackedModifiers(buffer: TextBuffer, argument: number, inst: Instruction): void {
  const isMix = (argument & MIXED) !== 0;
  const sources = argument & ~MIXED;
  if (inst.opSel) buffer.put(OP_SEL[sources - 1]![inst.opSel]!);
  if (inst.opSelHi !== (isMix ? 0 : (1 << sources) - 1)) buffer.put(OP_SEL_HI[sources - 1]![inst.opSelHi]!);
  if (!isMix) {
    if (inst.neg) buffer.put(NEG_LO[sources - 1]![inst.neg]!);
    if (inst.negHi) buffer.put(NEG_HI[sources - 1]![inst.negHi]!);
  }
  if (inst.clamp) buffer.put(CLAMP);
}

const SELECT_NAMES = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD', ''];
const selectPieces = (name: string) => SELECT_NAMES.map((select) => piece(` ${name}:${select}`));
const DST_SEL = selectPieces('dst_sel');
const SRC0_SEL = selectPieces('src0_sel');
const SRC1_SEL = selectPieces('src1_sel');
const UNUSED = ['PAD', 'SEXT', 'PRESERVE', ''].map((name) => piece(` dst_unused:UNUSED_${name}`));

export function putSdwaResult(buffer: TextBuffer, inst: Instruction): void {
  buffer.put(DST_SEL[inst.dstSel]!);
  buffer.put(UNUSED[inst.dstUnused]!);
}

export function putSdwaSource0(buffer: TextBuffer, inst: Instruction): void {
  buffer.put(SRC0_SEL[inst.src0Sel]!);
}

export function putSdwaSource1(buffer: TextBuffer, inst: Instruction): void {
  buffer.put(SRC1_SEL[inst.src1Sel]!);
}

const maskPieces = (name: string) => Array.from({ length: 16 }, (_, mask) => piece(` ${name}:0x${mask.toString(16)}`));
const ROW_MASK = maskPieces('row_mask');
const BANK_MASK = maskPieces('bank_mask');
const BOUND_CTRL = piece(' bound_ctrl:1');
const FETCH_INACTIVE = piece(' fi:1');

export function putDpp16(buffer: TextBuffer, inst: Instruction): void {
  buffer.put(DPP_PIECES[inst.dppCtrl]!);
  buffer.put(ROW_MASK[inst.rowMask]!);
  buffer.put(BANK_MASK[inst.bankMask]!);
  if (inst.flags & FLAG.BOUND_CTRL) buffer.put(BOUND_CTRL);
  if (inst.flags & FLAG.FETCH_INACTIVE) buffer.put(FETCH_INACTIVE);
}

export function putDpp8(buffer: TextBuffer, inst: Instruction): void {
  buffer.text(dpp8Text(inst.dppCtrl));
  if (inst.flags & FLAG.FETCH_INACTIVE) buffer.put(FETCH_INACTIVE);
}

const HIGH = piece(' high');

/** v_interp_*_f16: the high half of the attribute. */
export function putHighHalf(buffer: TextBuffer, inst: Instruction): void {
  if (inst.flags & FLAG.HIGH) buffer.put(HIGH);
}

const CHANNELS = ['x', 'y', 'z', 'w'];
const ATTRIBUTES = Array.from({ length: 256 }, (_, i) => piece(`attr${i >> 2}.${CHANNELS[i & 3]}`));

/** `attr3.y` */
export function putAttribute(buffer: TextBuffer, inst: Instruction): void {
  buffer.put(ATTRIBUTES[((inst.imm & 63) << 2) | (inst.imm >>> 8)]!);
}

const PARAMETERS = ['p10', 'p20', 'p0'];

/** Which vertex parameter v_interp_mov takes. */
export function putParameter(buffer: TextBuffer, parameter: number): void {
  buffer.text(PARAMETERS[parameter] ?? `invalid_param_${parameter}`);
}
