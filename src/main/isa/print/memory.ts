/** Text of the memory families: scalar memory, LDS, buffers, images, flat memory, exports. */
import { DATA_FORMATS, NUMBER_FORMATS, UNIFIED_FORMATS } from '../assemble/special/buffer-format.ts';
import { DIMS } from '../assemble/special/dim.ts';
import { bufferAddressDwords } from '../decode/memory.ts';
import { imageTuples, isRay } from '../image-operands.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import { exportTargetText, swizzleText } from './immediate-text.ts';
import { immediateText, tuplePieces, writeLiteral } from './operand-text.ts';
import type { Plan } from './plan.ts';
import { piece, type TextBuffer } from './text-buffer.ts';

const MINUS = 45;
const BLANK = 32;
const COMMA_OFF = piece(', off');
const OFF = piece('off');
const NULL = piece('null');
const OFFSET = piece(' offset:');
const OFFSET0 = piece(' offset0:');
const OFFSET1 = piece(' offset1:');
const GDS = piece(' gds');
const LDS = piece(' lds');
const TFE = piece(' tfe');
const IDXEN = piece(' idxen');
const OFFEN = piece(' offen');
const ADDR64 = piece(' addr64');
const GLC = piece(' glc');
const SLC = piece(' slc');
const DLC = piece(' dlc');

function putSignedHex(buffer: TextBuffer, value: number): void {
  if (value < 0) buffer.character(MINUS);
  buffer.hex(Math.abs(value));
}

function putOffset(buffer: TextBuffer, offset: number): void {
  if (offset === 0) return;
  buffer.put(OFFSET);
  buffer.decimal(offset);
}

function putCacheFlags(buffer: TextBuffer, flags: number): void {
  if (flags & FLAG.GLC) buffer.put(GLC);
  if (flags & FLAG.SLC) buffer.put(SLC);
  if (flags & FLAG.DLC) buffer.put(DLC);
}

export function writeSmem(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const { shape } = plan;
  if (!shape.src0Dwords) {
    buffer.put(inst.dst >= 0 ? plan.plain : plan.bare);
    if (inst.dst >= 0) plan.dst.put(buffer, inst.dst);
    return;
  }
  buffer.put(plan.plain);
  if (shape.src2.kind === KIND.IMMEDIATE) buffer.text(immediateText(inst.src2));
  else if (inst.src2 >= 0) plan.src2.put(buffer, inst.src2);
  else if (inst.dst >= 0) plan.dst.put(buffer, inst.dst);
  const hasData = shape.src2.kind === KIND.IMMEDIATE || inst.src2 >= 0 || inst.dst >= 0;
  plan.src0.putAfter(buffer, inst.src0, hasData);
  if (inst.src1 >= 0) {
    plan.src1.putNext(buffer, inst.src1);
    if (inst.imm) {
      buffer.put(OFFSET);
      putSignedHex(buffer, inst.imm);
    }
  } else {
    buffer.comma();
    if (inst.imm) putSignedHex(buffer, inst.imm);
    else buffer.put(NULL);
  }
  if (inst.flags & FLAG.GLC) buffer.put(GLC);
  if (inst.flags & FLAG.DLC) buffer.put(DLC);
}

export function writeSmrd(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const { shape } = plan;
  buffer.put(inst.dst >= 0 ? plan.plain : plan.bare);
  if (inst.dst >= 0) plan.dst.put(buffer, inst.dst);
  if (!shape.src0Dwords) return;
  plan.src0.putNext(buffer, inst.src0);
  if (inst.src1 >= 0 && inst.src1 !== OPERAND.LITERAL) {
    plan.src1.putNext(buffer, inst.src1);
    return;
  }
  buffer.comma();
  buffer.hex(inst.src1 === OPERAND.LITERAL ? inst.literal : inst.imm / 4);
}

export function writeDs(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const first = inst.dst >= 0 ? 0 : inst.src0 >= 0 ? 1 : inst.src1 >= 0 ? 2 : 3;
  buffer.put(first === 3 ? plan.bare : plan.plain);
  if (inst.dst >= 0) plan.dst.put(buffer, inst.dst);
  if (inst.src0 >= 0) plan.src0.putAfter(buffer, inst.src0, first < 1);
  if (inst.src1 >= 0) plan.src1.putAfter(buffer, inst.src1, first < 2);
  if (inst.src2 >= 0) plan.src2.putNext(buffer, inst.src2);
  if (inst.imm) putDsOffset(buffer, plan, inst.imm);
  if (inst.flags & FLAG.GDS) buffer.put(GDS);
}

function putDsOffset(buffer: TextBuffer, plan: Plan, imm: number): void {
  switch (plan.shape.row.imm) {
    case 'offset2':
      if (imm & 0xff) {
        buffer.put(OFFSET0);
        buffer.decimal(imm & 0xff);
      }
      if (imm >>> 8) {
        buffer.put(OFFSET1);
        buffer.decimal(imm >>> 8);
      }
      return;
    case 'swizzle':
      buffer.text(swizzleText(imm));
      return;
    default:
      putOffset(buffer, imm);
  }
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

const FORMATS_GFX10 = Array.from({ length: 128 }, (_, format) => piece(bufferFormatText(format, false)));
const FORMATS_GFX7 = Array.from({ length: 128 }, (_, format) => piece(bufferFormatText(format, true)));

/** MUBUF and MTBUF. */
export function writeBuffer(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const { shape, gfx7 } = plan;
  const { flags } = inst;
  if (shape.row.memory === 'cache') {
    buffer.put(plan.bare);
    return;
  }
  buffer.put(plan.plain);
  const data = inst.src3 >= 0 ? inst.src3 : inst.dst;
  if (data >= 0) {
    const dwords = inst.src3 >= 0 ? shape.src3Dwords : shape.dstDwords;
    tuplePieces(dwords + (flags & FLAG.TFE ? 1 : 0), gfx7).put(buffer, data);
    buffer.comma();
  }
  if (inst.src0 >= 0) tuplePieces(bufferAddressDwords(flags), gfx7).put(buffer, inst.src0);
  else buffer.put(OFF);
  plan.src1.putNext(buffer, inst.src1);
  if (inst.src2 === OPERAND.LITERAL) {
    buffer.comma();
    writeLiteral(buffer, inst.literal, 'b32', gfx7);
  } else plan.src2.putNext(buffer, inst.src2);
  if (plan.format === 'MTBUF') buffer.put((gfx7 ? FORMATS_GFX7 : FORMATS_GFX10)[inst.bufferFormat]!);
  if (flags & FLAG.IDXEN) buffer.put(IDXEN);
  if (flags & FLAG.OFFEN) buffer.put(OFFEN);
  if (flags & FLAG.ADDR64) buffer.put(ADDR64);
  putOffset(buffer, inst.imm);
  putCacheFlags(buffer, flags);
  if (flags & FLAG.TFE) buffer.put(TFE);
  if (flags & FLAG.LDS) buffer.put(LDS);
}

const DMASKS = Array.from({ length: 16 }, (_, mask) => piece(mask ? ` dmask:0x${mask.toString(16)}` : ''));
const DIM_PIECES = DIMS.map((name) => piece(` dim:SQ_RSRC_IMG_${name}`));
const UNORM = piece(' unorm');
const R128 = piece(' r128');
const A16 = piece(' a16');
const LWE = piece(' lwe');
const DA = piece(' da');
const D16 = piece(' d16');
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

export function writeImage(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const { shape, gfx7 } = plan;
  const { flags } = inst;
  const data = inst.src3 >= 0 ? inst.src3 : inst.dst;
  const nsaWords = inst.sizeDwords - 2;
  const counts = imageTuples(inst, shape, nsaWords, data - 256, inst.src0 - 256);
  buffer.put(plan.plain);
  // llvm-mc writes two blanks before the operands of the NSA form of sampling instructions.
  if (nsaWords && shape.src2Dwords) buffer.character(BLANK);
  tuplePieces(counts >>> 8, gfx7).put(buffer, data);
  if (nsaWords) {
    const single = tuplePieces(1, gfx7);
    buffer.comma();
    buffer.character(OPEN_BRACKET);
    single.put(buffer, inst.src0);
    for (let i = 0; i < inst.nsa.length; i++) single.putNext(buffer, inst.nsa[i]!);
    buffer.character(CLOSE_BRACKET);
  } else tuplePieces(counts & 0xff, gfx7).putNext(buffer, inst.src0);
  plan.src1.putNext(buffer, inst.src1);
  if (inst.src2 >= 0) plan.src2.putNext(buffer, inst.src2);
  if (!isRay(shape)) {
    buffer.put(DMASKS[inst.dmask]!);
    if (!gfx7) buffer.put(DIM_PIECES[inst.dim]!);
    if (flags & FLAG.UNORM) buffer.put(UNORM);
    putCacheFlags(buffer, flags);
    if (flags & FLAG.R128) buffer.put(R128);
  }
  if (flags & FLAG.A16) buffer.put(A16);
  if (flags & FLAG.TFE) buffer.put(TFE);
  if (flags & FLAG.LWE) buffer.put(LWE);
  if (flags & FLAG.DA) buffer.put(DA);
  if (flags & FLAG.D16) buffer.put(D16);
}

export function writeFlat(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const { shape, gfx7 } = plan;
  const isScratch = plan.format === 'SCRATCH';
  buffer.put(plan.plain);
  if (inst.dst >= 0) plan.dst.put(buffer, inst.dst);
  let comma = inst.dst >= 0;
  if (inst.src0 >= 0) {
    tuplePieces(isScratch || inst.src2 >= 0 ? 1 : 2, gfx7).putAfter(buffer, inst.src0, comma);
    comma = true;
  } else if (shape.src0.kind === KIND.VECTOR_ADDRESS) {
    buffer.put(comma ? COMMA_OFF : OFF);
    comma = true;
  }
  if (inst.src1 >= 0) plan.src1.putAfter(buffer, inst.src1, comma);
  if (plan.format !== 'FLAT') {
    if (inst.src2 < 0) buffer.put(COMMA_OFF);
    else tuplePieces(isScratch ? 1 : 2, gfx7).putNext(buffer, inst.src2);
  }
  putOffset(buffer, inst.imm);
  putCacheFlags(buffer, inst.flags);
  if (inst.flags & FLAG.LDS) buffer.put(LDS);
}

const exportPieces = (gfx7: boolean) =>
  Array.from({ length: 64 }, (_, target) => piece(`exp ${exportTargetText(target, gfx7)} `));
const EXPORTS_GFX7 = exportPieces(true);
const EXPORTS_GFX10 = exportPieces(false);
const DONE = piece(' done');
const COMPR = piece(' compr');
const VM = piece(' vm');

export function writeExport(buffer: TextBuffer, plan: Plan, inst: Instruction): void {
  const { flags } = inst;
  const compressed = flags & FLAG.COMPR;
  const registers = tuplePieces(1, false);
  buffer.put((plan.gfx7 ? EXPORTS_GFX7 : EXPORTS_GFX10)[inst.imm]!);
  for (let i = 0; i < 4; i++) {
    const slot = compressed ? i >> 1 : i;
    const code = slot === 0 ? inst.src0 : slot === 1 ? inst.src1 : slot === 2 ? inst.src2 : inst.src3;
    if ((inst.exportMask >>> i) & 1) registers.putAfter(buffer, code, i > 0);
    else buffer.put(i ? COMMA_OFF : OFF);
  }
  if (flags & FLAG.DONE) buffer.put(DONE);
  if (flags & FLAG.COMPR) buffer.put(COMPR);
  if (flags & FLAG.VM) buffer.put(VM);
}
