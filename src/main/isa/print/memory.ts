/** Text of what is peculiar to the memory families: scalar memory, LDS, buffers, images, flat memory, exports. */
import { bufferAddressDwords } from '../decode/memory.ts';
import { imageTuples, isRay } from '../image-operands.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { DATA_FORMATS, NUMBER_FORMATS, UNIFIED_FORMATS } from '../names/buffer-formats.ts';
import { DIMS } from '../names/image-dimensions.ts';
import { OPERAND } from '../operands.ts';
import { shapeOf } from '../shape.ts';
import { exportTargetText, swizzleText } from './immediate-text.ts';
import { ALONE, FIRST, NEXT, putOperand, putSeparator, tupleTable } from './operand-text.ts';
import { piece, type TextBuffer } from './text-buffer.ts';

const MINUS = 45;
const BLANK = 32;
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

/** What follows the base of scalar memory: a register with an offset, or the offset alone. */
export function putScalarOffset(buffer: TextBuffer, table: number, inst: Instruction): void {
  if (inst.src1 >= 0) {
    putOperand(buffer, table + ALONE + inst.src1, 0);
    if (inst.imm === 0) return;
    buffer.put(OFFSET);
    putSignedHex(buffer, inst.imm);
  } else if (inst.imm) putSignedHex(buffer, inst.imm);
  else buffer.put(NULL);
}

export function putScalarCache(buffer: TextBuffer, inst: Instruction): void {
  if (inst.flags & FLAG.GLC) buffer.put(GLC);
  if (inst.flags & FLAG.DLC) buffer.put(DLC);
}

/** A register, or the offset in dwords. */
export function putScalarOffsetGfx7(buffer: TextBuffer, table: number, inst: Instruction): void {
  if (inst.src1 === OPERAND.LITERAL) buffer.hex(inst.literal);
  else if (inst.src1 >= 0) putOperand(buffer, table + ALONE + inst.src1, 0);
  else buffer.hex(inst.imm / 4);
}

export function putShareOffset(buffer: TextBuffer, inst: Instruction): void {
  if (inst.imm) putOffset(buffer, inst.imm);
}

/** Two offsets of eight bits. */
export function putShareOffsets(buffer: TextBuffer, inst: Instruction): void {
  const { imm } = inst;
  if (imm & 0xff) {
    buffer.put(OFFSET0);
    buffer.decimal(imm & 0xff);
  }
  if (imm >>> 8) {
    buffer.put(OFFSET1);
    buffer.decimal(imm >>> 8);
  }
}

export function putShareSwizzle(buffer: TextBuffer, inst: Instruction): void {
  if (inst.imm) buffer.text(swizzleText(inst.imm));
}

export function putGds(buffer: TextBuffer, inst: Instruction): void {
  if (inst.flags & FLAG.GDS) buffer.put(GDS);
}

export function putBufferAddress(buffer: TextBuffer, inst: Instruction): void {
  if (inst.src0 < 0) buffer.put(OFF);
  else putOperand(buffer, tupleTable(bufferAddressDwords(inst.flags)) + ALONE + inst.src0, 0);
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

export function putBufferFormat(buffer: TextBuffer, inst: Instruction, gfx7: boolean): void {
  buffer.put((gfx7 ? FORMATS_GFX7 : FORMATS_GFX10)[inst.bufferFormat]!);
}

export function putBufferModifiers(buffer: TextBuffer, inst: Instruction): void {
  const { flags } = inst;
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

/** Data and address registers; an address list when it is not one tuple. */
export function putImageRegisters(buffer: TextBuffer, inst: Instruction): void {
  const shape = shapeOf(inst.op);
  const data = inst.src3 >= 0 ? inst.src3 : inst.dst;
  const nsaWords = inst.sizeDwords - 2;
  const counts = imageTuples(inst, shape, nsaWords, data - 256, inst.src0 - 256);
  // llvm-mc writes two blanks before the operands of the NSA form of sampling instructions.
  if (nsaWords && shape.src2Dwords) buffer.character(BLANK);
  putOperand(buffer, tupleTable(counts >>> 8) + ALONE + data, 0);
  if (nsaWords === 0) {
    putOperand(buffer, tupleTable(counts & 0xff) + NEXT + inst.src0, 0);
    return;
  }
  const single = tupleTable(1);
  buffer.comma();
  buffer.character(OPEN_BRACKET);
  putOperand(buffer, single + ALONE + inst.src0, 0);
  for (let i = 0; i < inst.nsa.length; i++) putOperand(buffer, single + NEXT + inst.nsa[i]!, 0);
  buffer.character(CLOSE_BRACKET);
}

export function putImageModifiers(buffer: TextBuffer, inst: Instruction, gfx7: boolean): void {
  const { flags } = inst;
  if (!isRay(shapeOf(inst.op))) {
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

/** A scalar base shortens the address to an offset. */
export function putFlatAddress(buffer: TextBuffer, dwords: number, inst: Instruction): void {
  if (inst.src0 < 0) buffer.put(OFF);
  else putOperand(buffer, tupleTable(inst.src2 >= 0 ? 1 : dwords) + ALONE + inst.src0, 0);
}

export function putFlatBase(buffer: TextBuffer, table: number, inst: Instruction): void {
  if (inst.src2 < 0) buffer.put(OFF);
  else putOperand(buffer, table + ALONE + inst.src2, 0);
}

export function putFlatModifiers(buffer: TextBuffer, inst: Instruction): void {
  putOffset(buffer, inst.imm);
  putCacheFlags(buffer, inst.flags);
  if (inst.flags & FLAG.LDS) buffer.put(LDS);
}

const exportPieces = (gfx7: boolean) =>
  Array.from({ length: 64 }, (_, target) => piece(`exp ${exportTargetText(target, gfx7)}`));
const EXPORTS_GFX7 = exportPieces(true);
const EXPORTS_GFX10 = exportPieces(false);
const DONE = piece(' done');
const COMPR = piece(' compr');
const VM = piece(' vm');

/** All four components are written, absent ones as `off`; a register of a compressed export holds two. */
export function putExport(buffer: TextBuffer, inst: Instruction, gfx7: boolean): void {
  const { flags } = inst;
  const registers = tupleTable(1);
  buffer.put((gfx7 ? EXPORTS_GFX7 : EXPORTS_GFX10)[inst.imm]!);
  for (let i = 0; i < 4; i++) {
    const slot = flags & FLAG.COMPR ? i >> 1 : i;
    const code = slot === 0 ? inst.src0 : slot === 1 ? inst.src1 : slot === 2 ? inst.src2 : inst.src3;
    const separator = i ? NEXT : FIRST;
    if ((inst.exportMask >>> i) & 1) putOperand(buffer, registers + separator + code, 0);
    else {
      putSeparator(buffer, separator);
      buffer.put(OFF);
    }
  }
  if (flags & FLAG.DONE) buffer.put(DONE);
  if (flags & FLAG.COMPR) buffer.put(COMPR);
  if (flags & FLAG.VM) buffer.put(VM);
}
