/** Encoding of SOP1, SOP2, SOPC, SOPK, SOPP, SMEM and SMRD: the inverse of decode/scalar.ts. */
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import type { Shape } from '../shape.ts';
import { destinationField, firstFailure, scalarField, type WordSink } from './fields.ts';

export function encodeSop1(opcode: number, inst: Instruction, out: WordSink): number {
  const dst = destinationField(inst.dst);
  const src0 = scalarField(inst.src0);
  const failure = firstFailure(dst, src0);
  if (failure) return failure;
  out[0] = (0xbe800000 | (dst << 16) | (opcode << 8) | src0) >>> 0;
  return 1;
}

export function encodeSop2(opcode: number, inst: Instruction, out: WordSink): number {
  const dst = destinationField(inst.dst);
  const src0 = scalarField(inst.src0);
  const src1 = scalarField(inst.src1);
  const failure = firstFailure(dst, src0, src1);
  if (failure) return failure;
  out[0] = (0x80000000 | (opcode << 23) | (dst << 16) | (src1 << 8) | src0) >>> 0;
  return 1;
}

export function encodeSopc(opcode: number, inst: Instruction, out: WordSink): number {
  const src0 = scalarField(inst.src0);
  const src1 = scalarField(inst.src1);
  const failure = firstFailure(src0, src1);
  if (failure) return failure;
  out[0] = (0xbf000000 | (opcode << 16) | (src1 << 8) | src0) >>> 0;
  return 1;
}

export function encodeSopk(opcode: number, inst: Instruction, out: WordSink): number {
  if (inst.imm < -0x8000 || inst.imm > 0xffff) return ILLEGAL.IMMEDIATE;
  const dst = destinationField(inst.dst);
  if (dst < 0) return dst;
  out[0] = (0xb0000000 | (opcode << 23) | (dst << 16) | (inst.imm & 0xffff)) >>> 0;
  return 1;
}

export function encodeSopp(opcode: number, inst: Instruction, out: WordSink): number {
  if (inst.imm < -0x8000 || inst.imm > 0xffff) return ILLEGAL.IMMEDIATE;
  out[0] = (0xbf800000 | (opcode << 16) | (inst.imm & 0xffff)) >>> 0;
  return 1;
}

const SMEM_OFFSET_LIMIT = 1 << 20;

export function encodeSmem(opcode: number, shape: Shape, inst: Instruction, out: WordSink): number {
  const data = smemData(shape, inst);
  if (data < 0) return data;
  let word = 0xf4000000 | (opcode << 18) | (data << 6);
  out[1] = 0;
  if (shape.src0Dwords) {
    if (inst.src0 < 0 || inst.src0 > 127 || inst.src0 & 1) return ILLEGAL.OPERAND;
    if (inst.imm < -SMEM_OFFSET_LIMIT || inst.imm >= SMEM_OFFSET_LIMIT) return ILLEGAL.IMMEDIATE;
    const offset = inst.src1 === OPERAND.NONE ? OPERAND.NULL : destinationField(inst.src1);
    if (offset < 0) return offset;
    word |= inst.src0 >> 1;
    if (inst.flags & FLAG.GLC) word |= 1 << 16;
    if (inst.flags & FLAG.DLC) word |= 1 << 14;
    out[1] = ((offset << 25) | (inst.imm & 0x1fffff)) >>> 0;
  }
  out[0] = word >>> 0;
  return 2;
}

function smemData(shape: Shape, inst: Instruction): number {
  if (shape.src2.kind === KIND.IMMEDIATE) return inst.src2 >= 0 && inst.src2 < 128 ? inst.src2 : ILLEGAL.IMMEDIATE;
  return destinationField(shape.src2Dwords ? inst.src2 : inst.dst);
}

export function encodeSmrd(opcode: number, shape: Shape, inst: Instruction, out: WordSink): number {
  const data = destinationField(inst.dst);
  if (data < 0) return data;
  let word = 0xc0000000 | (opcode << 22) | (data << 15);
  if (shape.src0Dwords) {
    if (inst.src0 < 0 || inst.src0 > 127 || inst.src0 & 1) return ILLEGAL.OPERAND;
    word |= (inst.src0 >> 1) << 9;
    if (inst.src1 === OPERAND.LITERAL) word |= OPERAND.LITERAL;
    else if (inst.src1 === OPERAND.NONE) {
      if (inst.imm % 4 || inst.imm < 0 || inst.imm > 1020) return ILLEGAL.IMMEDIATE;
      word |= (1 << 8) | (inst.imm >> 2);
    } else {
      const offset = destinationField(inst.src1);
      if (offset < 0) return offset;
      word |= offset;
    }
  }
  out[0] = word >>> 0;
  return 1;
}
