/** Text of the vector ALU families: e32, e64, SDWA, DPP, packed and interpolation. */
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import { DPP_TEXTS, dpp8Text } from './immediate-text.ts';
import { type ConstantClass, hexText, literalText } from './operand-text.ts';
import type { Plan } from './plan.ts';

/** A source with its literal resolved, without modifiers. */
function sourceText(
  code: number,
  table: readonly string[],
  constants: ConstantClass,
  inst: Instruction,
  gfx7: boolean,
): string {
  return code === OPERAND.LITERAL ? literalText(inst.literal, constants, gfx7) : table[code]!;
}

function isConstant(code: number): boolean {
  return (code >= 128 && code <= 208) || (code >= 240 && code <= 248) || code === OPERAND.LITERAL;
}

/** `-v1`, `|v1|`, `neg(0.5)`: a minus before a constant would read as another constant. */
function modified(text: string, code: number, neg: number, abs: number): string {
  const magnitude = abs ? `|${text}|` : text;
  if (!neg) return magnitude;
  return !abs && isConstant(code) ? `neg(${text})` : `-${magnitude}`;
}

export function e32Text(plan: Plan, inst: Instruction, gfx7: boolean): string {
  const { shape } = plan;
  if (inst.dst < 0) return shape.mnemonic;
  let text = plan.e32;
  if (!plan.hidesDst) text += `${plan.dst[inst.dst]}, `;
  if (inst.sdst >= 0) text += `${plan.sdst[inst.sdst]}, `;
  text += sourceText(inst.src0, plan.src0, plan.class0, inst, gfx7);
  if (inst.src1 < 0) return text;
  if (shape.src1.kind === KIND.LITERAL) text += `, ${hexText(inst.literal)}`;
  else text += `, ${sourceText(inst.src1, plan.src1, plan.class1, inst, gfx7)}`;
  if (inst.src2 < 0) return text;
  if (shape.src2.kind === KIND.LITERAL) return `${text}, ${hexText(inst.literal)}`;
  return `${text}, ${plan.src2[inst.src2]}`;
}

const OMOD = ['', ' mul:2', ' mul:4', ' div:2'];

function modifiedSource(plan: Plan, index: number, inst: Instruction, gfx7: boolean): string {
  const code = index === 0 ? inst.src0 : index === 1 ? inst.src1 : inst.src2;
  const table = index === 0 ? plan.src0 : index === 1 ? plan.src1 : plan.src2;
  const constants = index === 0 ? plan.class0 : index === 1 ? plan.class1 : plan.class2;
  const text = sourceText(code, table, constants, inst, gfx7);
  if ((inst.sext >>> index) & 1) return `sext(${text})`;
  const neg = (inst.neg >>> index) & 1;
  if (neg && (plan.shape.integerModifiers >>> index) & 1) return `sext(${text})`;
  return modified(text, code, neg, (inst.abs >>> index) & 1);
}

/** `, a, -b, |c|` */
function modifiedSources(plan: Plan, inst: Instruction, gfx7: boolean): string {
  const plainly = (inst.neg | inst.abs | inst.sext) === 0;
  if (plainly) {
    let text = sourceText(inst.src0, plan.src0, plan.class0, inst, gfx7);
    if (inst.src1 >= 0) text += `, ${sourceText(inst.src1, plan.src1, plan.class1, inst, gfx7)}`;
    if (inst.src2 >= 0) text += `, ${sourceText(inst.src2, plan.src2, plan.class2, inst, gfx7)}`;
    return text;
  }
  let text = modifiedSource(plan, 0, inst, gfx7);
  if (inst.src1 >= 0) text += `, ${modifiedSource(plan, 1, inst, gfx7)}`;
  if (inst.src2 >= 0) text += `, ${modifiedSource(plan, 2, inst, gfx7)}`;
  return text;
}

function bitList(name: string, bits: number, count: number): string {
  let text = ` ${name}:[${bits & 1}`;
  for (let i = 1; i < count; i++) text += `,${(bits >>> i) & 1}`;
  return `${text}]`;
}

function sourceCount(inst: Instruction): number {
  return inst.src2 >= 0 ? 3 : inst.src1 >= 0 ? 2 : 1;
}

/** op_sel of VOP3: one bit per source, then the destination's (bit 3). Lane permutes have two bits of their own. */
function opSelText(plan: Plan, inst: Instruction): string {
  if (inst.opSel === 0) return '';
  if (plan.shape.row.class === 'cross-lane') return bitList('op_sel', inst.opSel, 2);
  const sources = sourceCount(inst);
  return bitList('op_sel', (inst.opSel & ((1 << sources) - 1)) | ((inst.opSel >>> 3) << sources), sources + 1);
}

function resultModifiers(inst: Instruction): string {
  return (inst.clamp ? ' clamp' : '') + OMOD[inst.omod]!;
}

export function e64Text(plan: Plan, inst: Instruction, gfx7: boolean): string {
  if (inst.dst < 0) return plan.shape.mnemonic;
  if (plan.shape.row.imm === 'attr') return interpolation64Text(plan, inst, gfx7);
  let text = plan.e64;
  if (!plan.hidesDst) text += `${plan.dst[inst.dst]}, `;
  if (inst.sdst >= 0) text += `${plan.sdst[inst.sdst]}, `;
  text += modifiedSources(plan, inst, gfx7);
  if (inst.opSel | inst.clamp | inst.omod) text += opSelText(plan, inst) + resultModifiers(inst);
  return text;
}

const SELECTS = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD', ''];
const UNUSED = ['UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE', ''];

export function sdwaText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  if (inst.dst < 0) return plan.shape.mnemonic;
  let text = plan.sdwa;
  if (!plan.hidesDst) text += `${plan.dst[inst.dst]}, `;
  if (inst.sdst >= 0) text += `${plan.sdst[inst.sdst]}, `;
  text += modifiedSources(plan, inst, gfx7) + resultModifiers(inst);
  if (plan.format !== 'VOPC') text += ` dst_sel:${SELECTS[inst.dstSel]} dst_unused:${UNUSED[inst.dstUnused]}`;
  text += ` src0_sel:${SELECTS[inst.src0Sel]}`;
  if (plan.format !== 'VOP1') text += ` src1_sel:${SELECTS[inst.src1Sel]}`;
  return text;
}

export function dppText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  let text: string = plan.shape.mnemonic;
  if (inst.dst >= 0) {
    text = plan.dpp;
    if (!plan.hidesDst) text += `${plan.dst[inst.dst]}, `;
    if (inst.sdst >= 0) text += `${plan.sdst[inst.sdst]}, `;
    text += modifiedSources(plan, inst, gfx7);
  }
  if (inst.encoding === 'dpp8') text += ` ${dpp8Text(inst.dppCtrl)}`;
  else {
    text += ` ${DPP_TEXTS[inst.dppCtrl]} row_mask:${hexText(inst.rowMask)} bank_mask:${hexText(inst.bankMask)}`;
    if (inst.flags & FLAG.BOUND_CTRL) text += ' bound_ctrl:1';
  }
  return inst.flags & FLAG.FETCH_INACTIVE ? `${text} fi:1` : text;
}

/** Packed: modifiers stand behind the operands, except for fma_mix, where neg_lo is neg and neg_hi is abs. */
export function packedText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  const isMix = plan.shape.mnemonic.startsWith('v_fma_mix');
  const sources = sourceCount(inst);
  const all = (1 << sources) - 1;
  let text = `${plan.e64}${plan.dst[inst.dst]}, `;
  const source = (index: number, code: number, table: readonly string[], constants: ConstantClass): string => {
    const plain = sourceText(code, table, constants, inst, gfx7);
    return isMix ? modified(plain, code, (inst.neg >>> index) & 1, (inst.negHi >>> index) & 1) : plain;
  };
  text += `${source(0, inst.src0, plan.src0, plan.class0)}, ${source(1, inst.src1, plan.src1, plan.class1)}`;
  if (inst.src2 >= 0) text += `, ${source(2, inst.src2, plan.src2, plan.class2)}`;
  if (inst.opSel) text += bitList('op_sel', inst.opSel, sources);
  if (inst.opSelHi !== (isMix ? 0 : all)) text += bitList('op_sel_hi', inst.opSelHi, sources);
  if (!isMix) {
    if (inst.neg) text += bitList('neg_lo', inst.neg, sources);
    if (inst.negHi) text += bitList('neg_hi', inst.negHi, sources);
  }
  return inst.clamp ? `${text} clamp` : text;
}

const SLOTS = ['p10', 'p20', 'p0'];
const CHANNELS = ['x', 'y', 'z', 'w'];

function attributeText(imm: number): string {
  return `attr${imm & 63}.${CHANNELS[imm >>> 8]}`;
}

function slotText(slot: number): string {
  return SLOTS[slot] ?? `invalid_param_${slot}`;
}

export function interpolationText(plan: Plan, inst: Instruction): string {
  const source = plan.shape.src0.kind === KIND.IMMEDIATE ? slotText(inst.src0) : plan.src0[inst.src0];
  return `${plan.e32}${plan.dst[inst.dst]}, ${source}, ${attributeText(inst.imm)}`;
}

function interpolation64Text(plan: Plan, inst: Instruction, gfx7: boolean): string {
  const source = plan.shape.src0.kind === KIND.IMMEDIATE ? slotText(inst.src0) : modifiedSource(plan, 0, inst, gfx7);
  let text = `${plan.e64}${plan.dst[inst.dst]}, ${source}, ${attributeText(inst.imm)}`;
  if (inst.src2 >= 0) text += `, ${modifiedSource(plan, 2, inst, gfx7)}`;
  if (inst.flags & FLAG.HIGH) text += ' high';
  return text + resultModifiers(inst);
}
