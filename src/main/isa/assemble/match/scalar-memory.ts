/**
 * SMEM (gfx10) and SMRD (gfx7): s_load, s_buffer_load, scalar stores and atomics, cache control.
 *
 * Text: data, base, offset; the offset is an SGPR, a number, or on gfx10 an SGPR and `offset:`. Numbers are bytes on
 * gfx10 and dwords on gfx7; `Instruction.imm` is in bytes for both.
 */
import { FLAG } from '../../instruction.ts';
import { OPERAND } from '../../operands.ts';
import { MOD } from '../modifiers.ts';
import type { Operand } from '../operand.ts';
import { ASM } from '../reporter.ts';
import type { MatchContext } from './context.ts';

export function matchScalarMemory(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const { row } = plan;
  instruction.flags = modifiers.flags;
  const data = row.dst.length > 0 || row.src.length > 2 ? 1 : 0;
  const addressed = row.src.length > 0;
  const shape = [...(data ? ['data'] : []), ...(addressed ? ['base', 'offset'] : [])];
  const least = data + (addressed ? 2 : 0);
  // The offset may be left out: 0.
  if (c.count !== least && !(addressed && c.count === least - 1)) return c.expectCount(least, least, shape);
  if (data && !matchData(c)) return false;
  if (!addressed) return true;
  const base = c.scalarRegister(operands[data]!, plan.src[0]!.dwords, 'base', false);
  if (base < 0) return false;
  instruction.src0 = base;
  if (c.count < least) return noOffset(c);
  return plan.gfx7 ? matchOffsetGfx7(c, operands[data + 1]!) : matchOffsetGfx10(c, operands[data + 1]!);
}

function matchData(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const operand = operands[0]!;
  const stored = plan.src[2];
  if (stored?.letter === 'i') {
    const value = c.number(operand, 0, 127, 'data');
    if (value === undefined) return false;
    instruction.src2 = value;
    return true;
  }
  const kind = stored ?? plan.dst[0]!;
  const code = c.scalarRegister(operand, kind.dwords, 'data', stored === undefined);
  if (code < 0) return false;
  if (code === OPERAND.M0 || code === OPERAND.EXEC_LO || code === OPERAND.EXEC_HI) {
    c.error(ASM.OPERAND_KIND, operand, 'data cannot be m0 or exec');
    return false;
  }
  if (stored) instruction.src2 = code;
  const returns = plan.row.memory === 'atomic' && (modifiers.flags & FLAG.GLC) !== 0;
  if (!stored || returns) instruction.dst = code;
  return true;
}

function noOffset(c: MatchContext): boolean {
  const { instruction, modifiers } = c;
  if (modifiers.has(MOD.OFFSET)) {
    return c.errorAtModifier(MOD.OFFSET, ASM.COMBINATION, 'offset: goes with an SGPR as offset operand');
  }
  instruction.flags |= FLAG.IMM;
  return true;
}

function matchOffsetGfx10(c: MatchContext, operand: Operand): boolean {
  const { plan, instruction, modifiers } = c;
  const isBuffer = plan.src[0]!.dwords === 4;
  const least = isBuffer ? 0 : -0x100000;
  const most = 0xfffff;
  if (operand.form === 'register') {
    const code = c.scalarRegister(operand, 1, 'offset', false);
    if (code < 0) return false;
    instruction.flags |= FLAG.IMM;
    if (code !== OPERAND.NULL) {
      instruction.src1 = code;
      instruction.flags |= FLAG.SOFFSET_EN;
    }
    if (modifiers.has(MOD.OFFSET)) {
      if (modifiers.offset < least || modifiers.offset > most) {
        return c.errorAtModifier(MOD.OFFSET, ASM.IMMEDIATE_RANGE, `offset is ${least} to ${most}`);
      }
      instruction.imm = modifiers.offset;
    }
    return true;
  }
  if (modifiers.has(MOD.OFFSET)) {
    return c.errorAtModifier(MOD.OFFSET, ASM.COMBINATION, 'offset: goes with an SGPR as offset operand');
  }
  const value = c.number(operand, least, most, 'offset');
  if (value === undefined) return false;
  instruction.imm = value;
  instruction.flags |= FLAG.IMM;
  return true;
}

function matchOffsetGfx7(c: MatchContext, operand: Operand): boolean {
  const { instruction } = c;
  if (operand.form === 'register') {
    const code = c.scalarRegister(operand, 1, 'offset', false);
    if (code < 0) return false;
    instruction.src1 = code;
    instruction.flags |= FLAG.SOFFSET_EN;
    return true;
  }
  const value = c.number(operand, 0, 0xffffffff, 'offset (in dwords)');
  if (value === undefined) return false;
  instruction.imm = value * 4;
  if (value > 0xff) {
    instruction.src1 = OPERAND.LITERAL;
    instruction.literal = value;
  }
  instruction.flags |= FLAG.IMM;
  return true;
}
