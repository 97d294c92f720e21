/** Text of the memory families: scalar memory, LDS, buffers, images, flat memory, exports. */
import { DATA_FORMATS, NUMBER_FORMATS, UNIFIED_FORMATS } from '../assemble/special/buffer-format.ts';
import { DIMS } from '../assemble/special/dim.ts';
import { bufferAddressDwords } from '../decode/memory.ts';
import { imageTuples, isRay } from '../image-operands.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import { exportTargetText, swizzleText } from './immediate-text.ts';
import { hexText, immediateText, literalText, operandTexts } from './operand-text.ts';
import type { Plan } from './plan.ts';

function signedHex(value: number): string {
  return value < 0 ? `-${hexText(-value)}` : hexText(value);
}

export function smemText(plan: Plan, inst: Instruction): string {
  const { shape } = plan;
  let text = plan.plain;
  if (shape.src2.kind === KIND.IMMEDIATE) text += `${immediateText(inst.src2)}, `;
  else if (inst.src2 >= 0) text += `${plan.src2[inst.src2]}, `;
  else if (inst.dst >= 0) text += shape.src0Dwords ? `${plan.dst[inst.dst]}, ` : plan.dst[inst.dst]!;
  if (!shape.src0Dwords) return inst.dst >= 0 ? text : shape.mnemonic;
  text += `${plan.src0[inst.src0]}, `;
  if (inst.src1 >= 0) {
    text += plan.src1[inst.src1]!;
    if (inst.imm) text += ` offset:${signedHex(inst.imm)}`;
  } else text += inst.imm ? signedHex(inst.imm) : 'null';
  if (inst.flags & FLAG.GLC) text += ' glc';
  return inst.flags & FLAG.DLC ? `${text} dlc` : text;
}

export function smrdText(plan: Plan, inst: Instruction): string {
  const { shape } = plan;
  if (!shape.src0Dwords) return inst.dst >= 0 ? plan.plain + plan.dst[inst.dst] : shape.mnemonic;
  const text = `${plan.plain}${plan.dst[inst.dst]}, ${plan.src0[inst.src0]}, `;
  if (inst.src1 === OPERAND.LITERAL) return text + hexText(inst.literal);
  return text + (inst.flags & FLAG.IMM ? hexText(inst.imm / 4) : plan.src1[inst.src1]!);
}

export function dsText(plan: Plan, inst: Instruction): string {
  let operands = inst.dst >= 0 ? `, ${plan.dst[inst.dst]}` : '';
  if (inst.src0 >= 0) operands += `, ${plan.src0[inst.src0]}`;
  if (inst.src1 >= 0) operands += `, ${plan.src1[inst.src1]}`;
  if (inst.src2 >= 0) operands += `, ${plan.src2[inst.src2]}`;
  let text: string = operands ? plan.plain + operands.slice(2) : plan.shape.mnemonic;
  switch (plan.shape.row.imm) {
    case 'offset2':
      if (inst.imm & 0xff) text += ` offset0:${inst.imm & 0xff}`;
      if (inst.imm >>> 8) text += ` offset1:${inst.imm >>> 8}`;
      break;
    case 'swizzle':
      text += swizzleText(inst.imm);
      break;
    default:
      if (inst.imm) text += ` offset:${inst.imm}`;
  }
  return inst.flags & FLAG.GDS ? `${text} gds` : text;
}

function bufferFormatText(format: number, gfx7: boolean): string {
  if (format === 1) return '';
  if (!gfx7) {
    const name = UNIFIED_FORMATS[format];
    return name === undefined ? ` format:${format}` : ` format:[BUF_FMT_${name}]`;
  }
  const data = format & 15;
  const number = format >>> 4;
  const parts: string[] = [];
  if (data !== 1) parts.push(`BUF_DATA_FORMAT_${DATA_FORMATS[data]}`);
  if (number !== 0) parts.push(`BUF_NUM_FORMAT_${NUMBER_FORMATS[number]}`);
  return ` format:[${parts.join(',')}]`;
}

function cacheFlags(flags: number): string {
  return (flags & FLAG.GLC ? ' glc' : '') + (flags & FLAG.SLC ? ' slc' : '') + (flags & FLAG.DLC ? ' dlc' : '');
}

/** MUBUF and MTBUF. */
export function bufferText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  const { shape } = plan;
  const { flags } = inst;
  if (shape.row.memory === 'cache') return shape.mnemonic;
  let text = plan.plain;
  const data = inst.src3 >= 0 ? inst.src3 : inst.dst;
  if (data >= 0) {
    const dwords = inst.src3 >= 0 ? shape.src3Dwords : shape.dstDwords;
    text += `${operandTexts(dwords + (flags & FLAG.TFE ? 1 : 0), 'b32', gfx7)[data]}, `;
  }
  text += inst.src0 >= 0 ? operandTexts(bufferAddressDwords(flags), 'b32', gfx7)[inst.src0]! : 'off';
  text += `, ${plan.src1[inst.src1]}, `;
  text += inst.src2 === OPERAND.LITERAL ? literalText(inst.literal, 'b32', gfx7) : plan.src2[inst.src2]!;
  if (plan.format === 'MTBUF') text += bufferFormatText(inst.bufferFormat, gfx7);
  if (flags & (FLAG.IDXEN | FLAG.OFFEN | FLAG.ADDR64)) {
    if (flags & FLAG.IDXEN) text += ' idxen';
    if (flags & FLAG.OFFEN) text += ' offen';
    if (flags & FLAG.ADDR64) text += ' addr64';
  }
  if (inst.imm) text += ` offset:${inst.imm}`;
  text += cacheFlags(flags);
  if (flags & FLAG.TFE) text += ' tfe';
  return flags & FLAG.LDS ? `${text} lds` : text;
}

export function imageText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  const { shape } = plan;
  const { flags } = inst;
  const data = inst.src3 >= 0 ? inst.src3 : inst.dst;
  const nsaWords = inst.sizeDwords - 2;
  const tuples = imageTuples(inst, shape, nsaWords, data - 256, inst.src0 - 256);
  // llvm-mc writes two blanks before the operands of the NSA form of sampling instructions.
  let text = nsaWords && shape.src2Dwords ? `${plan.plain} ` : plan.plain;
  text += `${operandTexts(tuples >>> 8, 'b32', gfx7)[data]}, `;
  if (nsaWords) {
    text += `[v${inst.src0 - 256}`;
    for (const code of inst.nsa) text += `, v${code - 256}`;
    text += ']';
  } else text += operandTexts(tuples & 0xff, 'b32', gfx7)[inst.src0];
  text += `, ${plan.src1[inst.src1]}`;
  if (inst.src2 >= 0) text += `, ${plan.src2[inst.src2]}`;
  if (isRay(shape)) return flags & FLAG.A16 ? `${text} a16` : text;
  if (inst.dmask) text += ` dmask:${hexText(inst.dmask)}`;
  if (!gfx7) text += ` dim:SQ_RSRC_IMG_${DIMS[inst.dim]}`;
  if (flags & FLAG.UNORM) text += ' unorm';
  text += cacheFlags(flags);
  if (flags & FLAG.R128) text += ' r128';
  if (flags & FLAG.A16) text += ' a16';
  if (flags & FLAG.TFE) text += ' tfe';
  if (flags & FLAG.LWE) text += ' lwe';
  if (flags & FLAG.DA) text += ' da';
  return flags & FLAG.D16 ? `${text} d16` : text;
}

export function flatText(plan: Plan, inst: Instruction, gfx7: boolean): string {
  const { shape } = plan;
  const isFlat = plan.format === 'FLAT';
  const isScratch = plan.format === 'SCRATCH';
  let operands = inst.dst >= 0 ? `, ${plan.dst[inst.dst]}` : '';
  const hasAddress = shape.src0.kind === KIND.VECTOR_ADDRESS;
  if (inst.src0 >= 0) operands += `, ${operandTexts(isScratch || inst.src2 >= 0 ? 1 : 2, 'b32', gfx7)[inst.src0]}`;
  else if (hasAddress) operands += ', off';
  if (inst.src1 >= 0) operands += `, ${plan.src1[inst.src1]}`;
  if (!isFlat) {
    if (inst.src2 < 0) operands += ', off';
    else operands += `, ${operandTexts(isScratch ? 1 : 2, 'b32', gfx7)[inst.src2]}`;
  }
  let text = plan.plain + operands.slice(2);
  if (inst.imm) text += ` offset:${inst.imm}`;
  text += cacheFlags(inst.flags);
  return inst.flags & FLAG.LDS ? `${text} lds` : text;
}

export function exportText(inst: Instruction): string {
  const { flags } = inst;
  const compressed = flags & FLAG.COMPR;
  let text = `exp ${exportTargetText(inst.imm)}`;
  for (let i = 0; i < 4; i++) {
    const slot = compressed ? i >> 1 : i;
    const code = slot === 0 ? inst.src0 : slot === 1 ? inst.src1 : slot === 2 ? inst.src2 : inst.src3;
    text += (inst.exportMask >>> i) & 1 ? ` v${code - 256}` : ' off';
    if (i < 3) text += ',';
  }
  if (flags & FLAG.DONE) text += ' done';
  if (flags & FLAG.COMPR) text += ' compr';
  return flags & FLAG.VM ? `${text} vm` : text;
}
