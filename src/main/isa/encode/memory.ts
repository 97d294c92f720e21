/** Encoding of DS, buffers, images, the flat family and exports: the inverse of decode/memory.ts and decode/image.ts. */
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { OPERAND } from '../operands.ts';
import type { Shape } from '../shape.ts';
import { destinationField, firstFailure, quadField, scalarField, vgprField, type WordSink } from './fields.ts';

export function encodeDs(opcode: number, shape: Shape, inst: Instruction, out: WordSink): number {
  if (inst.imm < 0 || inst.imm > 0xffff) return ILLEGAL.IMMEDIATE;
  const gds = inst.flags & FLAG.GDS ? 1 : 0;
  if (shape.row.gds === (gds ? 'never' : 'only')) return ILLEGAL.DATA_SHARE;
  const dst = vgprField(inst.dst);
  const address = vgprField(inst.src0);
  const data0 = vgprField(inst.src1);
  const data1 = vgprField(inst.src2);
  const failure = firstFailure(dst, address, data0, data1);
  if (failure) return failure;
  out[0] = (0xd8000000 | (opcode << 18) | (gds << 17) | inst.imm) >>> 0;
  out[1] = (address | (data0 << 8) | (data1 << 16) | (dst << 24)) >>> 0;
  return 2;
}

function bufferWord(gfx7: boolean, inst: Instruction): number {
  const { flags } = inst;
  let word = inst.imm;
  if (flags & FLAG.OFFEN) word |= 1 << 12;
  if (flags & FLAG.IDXEN) word |= 1 << 13;
  if (flags & FLAG.GLC) word |= 1 << 14;
  if (flags & (gfx7 ? FLAG.ADDR64 : FLAG.DLC)) word |= 1 << 15;
  return word;
}

/** The second dword of MUBUF and MTBUF, or an `ILLEGAL` number. */
function bufferNext(inst: Instruction): number {
  const address = vgprField(inst.src0);
  const data = vgprField(inst.src3 === OPERAND.NONE ? inst.dst : inst.src3);
  const resource = quadField(inst.src1);
  const offset = scalarField(inst.src2);
  const failure = firstFailure(address, data, resource, offset);
  if (failure) return failure;
  let next = address | (data << 8) | (resource << 16) | (offset << 24);
  if (inst.flags & FLAG.SLC) next |= 1 << 22;
  if (inst.flags & FLAG.TFE) next |= 1 << 23;
  return next >>> 0;
}

const BUFFER_OFFSET_LIMIT = 1 << 12;

export function encodeMubuf(opcode: number, shape: Shape, gfx7: boolean, inst: Instruction, out: WordSink): number {
  if (shape.row.memory === 'cache') {
    out[0] = mubufPrefix(opcode);
    out[1] = 0;
    return 2;
  }
  if (inst.imm < 0 || inst.imm >= BUFFER_OFFSET_LIMIT) return ILLEGAL.IMMEDIATE;
  if (inst.flags & FLAG.LDS && (!shape.row.lds || inst.flags & FLAG.TFE)) return ILLEGAL.CACHE;
  if (shape.row.memory === 'atomic' && inst.flags & (FLAG.TFE | FLAG.DLC)) return ILLEGAL.CACHE;
  const next = bufferNext(inst);
  if (next < 0) return next;
  out[0] = (mubufPrefix(opcode) | bufferWord(gfx7, inst) | (inst.flags & FLAG.LDS ? 1 << 16 : 0)) >>> 0;
  out[1] = next;
  return 2;
}

function mubufPrefix(opcode: number): number {
  return (0xe0000000 | ((opcode & 0x7f) << 18) | ((opcode >> 7) << 25)) >>> 0;
}

export function encodeMtbuf(opcode: number, gfx7: boolean, inst: Instruction, out: WordSink): number {
  if (inst.imm < 0 || inst.imm >= BUFFER_OFFSET_LIMIT) return ILLEGAL.IMMEDIATE;
  if (inst.flags & FLAG.TFE && !gfx7) return ILLEGAL.CACHE;
  const next = bufferNext(inst);
  if (next < 0) return next;
  out[0] = (0xe8000000 | ((opcode & 7) << 16) | (inst.bufferFormat << 19) | bufferWord(gfx7, inst)) >>> 0;
  out[1] = (next | ((opcode >> 3) << 21)) >>> 0;
  return 2;
}

export function encodeMimg(opcode: number, gfx7: boolean, inst: Instruction, out: WordSink): number {
  const { flags } = inst;
  const address = vgprField(inst.src0);
  const data = vgprField(inst.src3 === OPERAND.NONE ? inst.dst : inst.src3);
  const resource = quadField(inst.src1);
  const sampler = quadField(inst.src2);
  const failure = firstFailure(address, data, resource, sampler);
  if (failure) return failure;
  const nsaWords = (inst.nsa.length + 3) >> 2;
  let word = 0xf0000000 | ((opcode & 0x7f) << 18) | (inst.dmask << 8);
  if (flags & FLAG.UNORM) word |= 1 << 12;
  if (flags & FLAG.GLC) word |= 1 << 13;
  if (flags & FLAG.R128) word |= 1 << 15;
  if (flags & FLAG.TFE) word |= 1 << 16;
  if (flags & FLAG.LWE) word |= 1 << 17;
  if (flags & FLAG.SLC) word |= 1 << 25;
  let next = address | (data << 8) | (resource << 16) | (sampler << 21);
  if (gfx7) {
    if (flags & FLAG.DA) word |= 1 << 14;
    if (nsaWords) return ILLEGAL.FORM;
  } else {
    word |= (opcode >> 7) | (nsaWords << 1) | (inst.dim << 3);
    if (flags & FLAG.DLC) word |= 1 << 7;
    if (flags & FLAG.A16) next |= 1 << 30;
    if (flags & FLAG.D16) next |= 1 << 31;
  }
  out[0] = word >>> 0;
  out[1] = next >>> 0;
  for (let i = 0; i < nsaWords; i++) {
    let packed = 0;
    for (let k = 0; k < 4 && 4 * i + k < inst.nsa.length; k++) {
      const field = vgprField(inst.nsa[4 * i + k]!);
      if (field < 0) return field;
      packed |= field << (8 * k);
    }
    out[2 + i] = packed >>> 0;
  }
  return 2 + nsaWords;
}

const SEGMENTS = { FLAT: 0, SCRATCH: 1, GLOBAL: 2 } as const;

export function encodeFlat(
  format: 'FLAT' | 'GLOBAL' | 'SCRATCH',
  opcode: number,
  gfx7: boolean,
  inst: Instruction,
  out: WordSink,
): number {
  const { flags } = inst;
  const address = vgprField(inst.src0);
  const data = vgprField(inst.src1);
  const dst = vgprField(inst.dst);
  let word = 0xdc000000 | (opcode << 18);
  if (flags & FLAG.GLC) word |= 1 << 16;
  if (flags & FLAG.SLC) word |= 1 << 17;
  let base = 0;
  if (gfx7) {
    if (inst.imm) return ILLEGAL.IMMEDIATE;
  } else {
    const signed = format !== 'FLAT';
    if (signed ? inst.imm < -2048 || inst.imm > 2047 : inst.imm < 0 || inst.imm > 4095) return ILLEGAL.IMMEDIATE;
    word |= (inst.imm & 0xfff) | (SEGMENTS[format] << 14);
    if (flags & FLAG.DLC) word |= 1 << 12;
    if (flags & FLAG.LDS) word |= 1 << 13;
    base = OPERAND.NULL;
    if (flags & FLAG.NO_ADDRESS) base = OPERAND.EXEC_HI;
    else if (inst.src2 !== OPERAND.NONE) base = destinationField(inst.src2);
  }
  const failure = firstFailure(address, data, dst, base);
  if (failure) return failure;
  out[0] = word >>> 0;
  out[1] = (address | (data << 8) | (base << 16) | (dst << 24)) >>> 0;
  return 2;
}

export function encodeExp(inst: Instruction, out: WordSink): number {
  if (inst.imm < 0 || inst.imm > 63) return ILLEGAL.IMMEDIATE;
  const src0 = vgprField(inst.src0);
  const src1 = vgprField(inst.src1);
  const src2 = vgprField(inst.src2);
  const src3 = vgprField(inst.src3);
  const failure = firstFailure(src0, src1, src2, src3);
  if (failure) return failure;
  let word = 0xf8000000 | (inst.imm << 4) | inst.exportMask;
  if (inst.flags & FLAG.COMPR) word |= 1 << 10;
  if (inst.flags & FLAG.DONE) word |= 1 << 11;
  if (inst.flags & FLAG.VM) word |= 1 << 12;
  out[0] = word >>> 0;
  out[1] = (src0 | (src1 << 8) | (src2 << 16) | (src3 << 24)) >>> 0;
  return 2;
}
