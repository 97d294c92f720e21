/** Text of the vector ALU families: e32, e64, SDWA, DPP, packed and interpolation. */
import { isConstantCode } from '../decode/operand-codes.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import { DPP_PIECES, dpp8Text } from './immediate-text.ts';
import { type ConstantClass, type OperandPieces, writeLiteral } from './operand-text.ts';
import type { Plan } from './plan.ts';
import { piece, type TextBuffer } from './text-buffer.ts';

const MINUS = 45;
const BAR = 124;
const CLOSE = 41;

/** `, source` with its literal resolved, without modifiers. */
function putSource(
  buffer: TextBuffer,
  code: number,
  pieces: OperandPieces,
  constants: ConstantClass,
  inst: Instruction,
  plan: Plan,
): void {
  if (code === OPERAND.LITERAL) {
    buffer.comma();
    writeLiteral(buffer, inst.literal, constants, plan.gfx7);
  } else pieces.putNext(buffer, code);
}

/** Without the comma. */
function putFirstSource(
  buffer: TextBuffer,
  code: number,
  pieces: OperandPieces,
  constants: ConstantClass,
  inst: Instruction,
  plan: Plan,
): void {
  if (code === OPERAND.LITERAL) writeLiteral(buffer, inst.literal, constants, plan.gfx7);
  else pieces.put(buffer, code);
}

/** Destinations; true when something was written, so that a comma follows. */
function putDestinations(buffer: TextBuffer, plan: Plan, inst: Instruction): boolean {
  if (plan.hidesDst) return false;
  plan.dst.put(buffer, inst.dst);
  if (inst.sdst >= 0) plan.sdst.putNext(buffer, inst.sdst);
  return true;
}

export function writeE32(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  if (inst.dst < 0) {
    buffer.put(plan.bare);
    return;
  }
  buffer.put(plan.e32);
  if (putDestinations(buffer, plan, inst)) putSource(buffer, inst.src0, plan.src0, plan.class0, inst, plan);
  else putFirstSource(buffer, inst.src0, plan.src0, plan.class0, inst, plan);
  if (inst.src1 < 0) return;
  if (plan.shape.src1.kind === KIND.LITERAL) putFixedLiteral(buffer, inst);
  else putSource(buffer, inst.src1, plan.src1, plan.class1, inst, plan);
  if (inst.src2 < 0) return;
  if (plan.shape.src2.kind === KIND.LITERAL) putFixedLiteral(buffer, inst);
  else plan.src2.putNext(buffer, inst.src2);
}

/** v_madmk and its kin: always hexadecimal. */
function putFixedLiteral(buffer: TextBuffer, inst: Instruction): void {
  buffer.comma();
  buffer.hex(inst.literal);
}

const SEXT = piece('sext(');
const NEG = piece('neg(');

/** `-v1`, `|v1|`, `neg(0.5)`: a minus before a constant would read as another constant. */
function putModified(
  buffer: TextBuffer,
  code: number,
  pieces: OperandPieces,
  constants: ConstantClass,
  inst: Instruction,
  plan: Plan,
  neg: number,
  abs: number,
): void {
  const named = neg && !abs && isConstantCode(code);
  if (named) buffer.put(NEG);
  else if (neg) buffer.character(MINUS);
  if (abs) buffer.character(BAR);
  putFirstSource(buffer, code, pieces, constants, inst, plan);
  if (abs) buffer.character(BAR);
  if (named) buffer.character(CLOSE);
}

function putModifiedSource(buffer: TextBuffer, plan: Plan, index: number, inst: Instruction): void {
  const code = index === 0 ? inst.src0 : index === 1 ? inst.src1 : inst.src2;
  const pieces = index === 0 ? plan.src0 : index === 1 ? plan.src1 : plan.src2;
  const constants = index === 0 ? plan.class0 : index === 1 ? plan.class1 : plan.class2;
  const neg = (inst.neg >>> index) & 1;
  if ((inst.sext >>> index) & 1 || (neg && (plan.shape.integerModifiers >>> index) & 1)) {
    buffer.put(SEXT);
    putFirstSource(buffer, code, pieces, constants, inst, plan);
    buffer.character(CLOSE);
  } else putModified(buffer, code, pieces, constants, inst, plan, neg, (inst.abs >>> index) & 1);
}

/** `a, -b, |c|`, with a comma in front when something stands before. */
function putSources(buffer: TextBuffer, plan: Plan, inst: Instruction, comma: boolean): void {
  if ((inst.neg | inst.abs | inst.sext) === 0) {
    if (comma) putSource(buffer, inst.src0, plan.src0, plan.class0, inst, plan);
    else putFirstSource(buffer, inst.src0, plan.src0, plan.class0, inst, plan);
    if (inst.src1 >= 0) putSource(buffer, inst.src1, plan.src1, plan.class1, inst, plan);
    if (inst.src2 >= 0) putSource(buffer, inst.src2, plan.src2, plan.class2, inst, plan);
    return;
  }
  if (comma) buffer.comma();
  putModifiedSource(buffer, plan, 0, inst);
  if (inst.src1 >= 0) {
    buffer.comma();
    putModifiedSource(buffer, plan, 1, inst);
  }
  if (inst.src2 >= 0) {
    buffer.comma();
    putModifiedSource(buffer, plan, 2, inst);
  }
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

function sourceCount(inst: Instruction): number {
  return inst.src2 >= 0 ? 3 : inst.src1 >= 0 ? 2 : 1;
}

/** op_sel of VOP3: one bit per source, then the destination's (bit 3). Lane permutes have two bits of their own. */
function putOpSel(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  if (inst.opSel === 0) return;
  if (plan.shape.row.class === 'cross-lane') {
    buffer.put(OP_SEL[1]![inst.opSel]!);
    return;
  }
  const sources = sourceCount(inst);
  const bits = (inst.opSel & ((1 << sources) - 1)) | ((inst.opSel >>> 3) << sources);
  buffer.put(OP_SEL[sources]![bits]!);
}

function putResultModifiers(buffer: TextBuffer, inst: Instruction): void {
  if (inst.clamp) buffer.put(CLAMP);
  if (inst.omod) buffer.put(OMOD[inst.omod]!);
}

export function writeE64(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  if (inst.dst < 0) {
    buffer.put(plan.bare);
    return;
  }
  if (plan.shape.isInterpolation) {
    writeInterpolation64(buffer, plan, inst);
    return;
  }
  buffer.put(plan.e64);
  putSources(buffer, plan, inst, putDestinations(buffer, plan, inst));
  if (inst.opSel | inst.clamp | inst.omod) {
    putOpSel(buffer, plan, inst);
    putResultModifiers(buffer, inst);
  }
}

const SELECT_NAMES = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD', ''];
const selectPieces = (name: string) => SELECT_NAMES.map((select) => piece(` ${name}:${select}`));
const DST_SEL = selectPieces('dst_sel');
const SRC0_SEL = selectPieces('src0_sel');
const SRC1_SEL = selectPieces('src1_sel');
const UNUSED = ['PAD', 'SEXT', 'PRESERVE', ''].map((name) => piece(` dst_unused:UNUSED_${name}`));

export function writeSdwa(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  if (inst.dst < 0) {
    buffer.put(plan.bare);
    return;
  }
  buffer.put(plan.sdwa);
  putSources(buffer, plan, inst, putDestinations(buffer, plan, inst));
  putResultModifiers(buffer, inst);
  if (plan.format !== 'VOPC') {
    buffer.put(DST_SEL[inst.dstSel]!);
    buffer.put(UNUSED[inst.dstUnused]!);
  }
  buffer.put(SRC0_SEL[inst.src0Sel]!);
  if (plan.format !== 'VOP1') buffer.put(SRC1_SEL[inst.src1Sel]!);
}

const maskPieces = (name: string) => Array.from({ length: 16 }, (_, mask) => piece(` ${name}:0x${mask.toString(16)}`));
const ROW_MASK = maskPieces('row_mask');
const BANK_MASK = maskPieces('bank_mask');
const BOUND_CTRL = piece(' bound_ctrl:1');
const FETCH_INACTIVE = piece(' fi:1');

export function writeDpp(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  if (inst.dst >= 0) {
    buffer.put(plan.dpp);
    putSources(buffer, plan, inst, putDestinations(buffer, plan, inst));
  } else buffer.put(plan.bare);
  if (inst.encoding === 'dpp8') buffer.text(dpp8Text(inst.dppCtrl));
  else {
    buffer.put(DPP_PIECES[inst.dppCtrl]!);
    buffer.put(ROW_MASK[inst.rowMask]!);
    buffer.put(BANK_MASK[inst.bankMask]!);
    if (inst.flags & FLAG.BOUND_CTRL) buffer.put(BOUND_CTRL);
  }
  if (inst.flags & FLAG.FETCH_INACTIVE) buffer.put(FETCH_INACTIVE);
}

/** Packed: modifiers stand behind the operands, except for fma_mix, where neg_lo is neg and neg_hi is abs. */
export function writePacked(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const isMix = plan.shape.isMix;
  const sources = sourceCount(inst);
  buffer.put(plan.e64);
  plan.dst.put(buffer, inst.dst);
  if (isMix && inst.neg | inst.negHi) {
    putMixSource(buffer, 0, inst.src0, plan.src0, plan.class0, inst, plan);
    putMixSource(buffer, 1, inst.src1, plan.src1, plan.class1, inst, plan);
    putMixSource(buffer, 2, inst.src2, plan.src2, plan.class2, inst, plan);
  } else {
    putSource(buffer, inst.src0, plan.src0, plan.class0, inst, plan);
    putSource(buffer, inst.src1, plan.src1, plan.class1, inst, plan);
    if (inst.src2 >= 0) putSource(buffer, inst.src2, plan.src2, plan.class2, inst, plan);
  }
  if (inst.opSel) buffer.put(OP_SEL[sources - 1]![inst.opSel]!);
  if (inst.opSelHi !== (isMix ? 0 : (1 << sources) - 1)) buffer.put(OP_SEL_HI[sources - 1]![inst.opSelHi]!);
  if (!isMix) {
    if (inst.neg) buffer.put(NEG_LO[sources - 1]![inst.neg]!);
    if (inst.negHi) buffer.put(NEG_HI[sources - 1]![inst.negHi]!);
  }
  if (inst.clamp) buffer.put(CLAMP);
}

function putMixSource(
  buffer: TextBuffer,
  index: number,
  code: number,
  pieces: OperandPieces,
  constants: ConstantClass,
  inst: Instruction,
  plan: Plan,
): void {
  buffer.comma();
  putModified(buffer, code, pieces, constants, inst, plan, (inst.neg >>> index) & 1, (inst.negHi >>> index) & 1);
}

const SLOTS = ['p10', 'p20', 'p0'];
const CHANNELS = ['x', 'y', 'z', 'w'];

function slotText(slot: number): string {
  return SLOTS[slot] ?? `invalid_param_${slot}`;
}

function putAttribute(buffer: TextBuffer, imm: number): void {
  buffer.text(`, attr${imm & 63}.${CHANNELS[imm >>> 8]}`);
}

export function writeInterpolation(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  buffer.put(plan.e32);
  plan.dst.put(buffer, inst.dst);
  buffer.comma();
  if (plan.shape.src0.kind === KIND.IMMEDIATE) buffer.text(slotText(inst.src0));
  else plan.src0.put(buffer, inst.src0);
  putAttribute(buffer, inst.imm);
}

function writeInterpolation64(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  buffer.put(plan.e64);
  plan.dst.put(buffer, inst.dst);
  buffer.comma();
  if (plan.shape.src0.kind === KIND.IMMEDIATE) buffer.text(slotText(inst.src0));
  else putModifiedSource(buffer, plan, 0, inst);
  putAttribute(buffer, inst.imm);
  if (inst.src2 >= 0) {
    buffer.comma();
    putModifiedSource(buffer, plan, 2, inst);
  }
  if (inst.flags & FLAG.HIGH) buffer.text(' high');
  putResultModifiers(buffer, inst);
}
