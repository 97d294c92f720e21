/**
 * Instructions → words: the inverse of decode for canonical encodings (ignored bits zero, unused register fields as
 * llvm-mc writes them). Fields that the slots do not determine follow from `inst.encoding`.
 */
import type { Target } from '../../base/dispatch.ts';
import { opcodeTables, VOP3_BASE } from '../decode/tables.ts';
import { ILLEGAL } from '../illegal.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { shapeOf } from '../shape.ts';
import { isGfx7, MNEMONICS, opcodeOn } from '../tables/index.ts';
import { usesLiteral, type WordSink } from './fields.ts';
import { encodeDs, encodeExp, encodeFlat, encodeMimg, encodeMtbuf, encodeMubuf } from './memory.ts';
import { encodeSmem, encodeSmrd, encodeSop1, encodeSop2, encodeSopc, encodeSopk, encodeSopp } from './scalar.ts';
import { encodeDpp, encodeE32, encodeE64, encodeSdwa, encodeVintrp, encodeVop3p } from './vector.ts';

export type { WordSink } from './fields.ts';

function encodeShort(
  target: Target,
  format: 'VOP1' | 'VOP2' | 'VOPC',
  opcode: number,
  inst: Instruction,
  out: WordSink,
): number {
  const shape = shapeOf(inst.op);
  const gfx7 = isGfx7(target);
  switch (inst.encoding) {
    case 'e64':
      if (shape.noE64) return ILLEGAL.FORM;
      return encodeE64(VOP3_BASE[format]! + opcode, shape, gfx7, inst, out);
    case 'sdwa':
      return gfx7 ? ILLEGAL.FORM : encodeSdwa(format, opcode, shape, inst, out);
    case 'dpp16':
    case 'dpp8':
      return gfx7 ? ILLEGAL.FORM : encodeDpp(format, opcode, shape, inst, out);
    default:
      return encodeE32(format, opcode, shape, gfx7, inst, out);
  }
}

function encodeFormat(target: Target, opcode: number, inst: Instruction, out: WordSink): number {
  const shape = shapeOf(inst.op);
  const gfx7 = isGfx7(target);
  const format = opcodeTables(target).formats[inst.op]!;
  switch (format) {
    case 'SOP1':
      return encodeSop1(opcode, inst, out);
    case 'SOP2':
      return encodeSop2(opcode, inst, out);
    case 'SOPC':
      return encodeSopc(opcode, inst, out);
    case 'SOPK':
      return encodeSopk(opcode, inst, out);
    case 'SOPP':
      return encodeSopp(opcode, inst, out);
    case 'SMEM':
      return encodeSmem(opcode, shape, inst, out);
    case 'SMRD':
      return encodeSmrd(opcode, shape, inst, out);
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
      return encodeShort(target, format, opcode, inst, out);
    case 'VOP3':
    case 'VOP3B':
      return encodeE64(opcode, shape, gfx7, inst, out);
    case 'VOP3P':
      return encodeVop3p(opcode, shape, inst, out);
    case 'VINTRP':
      if (inst.encoding === 'e64')
        return gfx7 ? ILLEGAL.FORM : encodeE64(VOP3_BASE.VINTRP! + opcode, shape, gfx7, inst, out);
      return encodeVintrp(opcode, shape, inst, out);
    case 'DS':
      return encodeDs(opcode, shape, inst, out);
    case 'MUBUF':
      return encodeMubuf(opcode, shape, gfx7, inst, out);
    case 'MTBUF':
      return encodeMtbuf(opcode, gfx7, inst, out);
    case 'MIMG':
      return encodeMimg(opcode, gfx7, inst, out);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return encodeFlat(format, opcode, gfx7, inst, out);
    case 'EXP':
      return encodeExp(inst, out);
  }
}

/**
 * Writes the words to `out` from index 0 and returns how many (1…6), or an `ILLEGAL` number (< 0, `illegalReason` tells
 * why) when this instruction has no such form. `inst.op`, the slots and modifiers are read; `mnemonic`, `index` and
 * `sizeDwords` are not.
 */
export function encodeInstruction(target: Target, inst: Instruction, out: WordSink): number {
  if (MNEMONICS[inst.op] === undefined) return ILLEGAL.OPCODE;
  const shape = shapeOf(inst.op);
  if (inst.flags & FLAG.MISPLACED) return ILLEGAL.OPERAND;
  const opcode = opcodeOn(shape.row, target);
  if (opcode === undefined) return ILLEGAL.OPCODE;
  const size = encodeFormat(target, opcode, inst, out);
  // The slots of VINTRP hold small numbers that may look like the literal's code.
  if (size <= 0 || shape.format === 'VINTRP' || !usesLiteral(inst)) return size;
  if (inst.encoding === 'sdwa' || inst.encoding === 'dpp16' || inst.encoding === 'dpp8') return ILLEGAL.LITERAL;
  out[size] = inst.literal >>> 0;
  return size + 1;
}
