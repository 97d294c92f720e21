/**
 * VINTRP (and its VOP3 form on gfx10): `v_interp_p1_f32 v0, v1, attr0.x`, `v_interp_mov_f32 v0, p10, attr0.x`, and the
 * 16-bit ones of VOP3 with a third source and `high`.
 */
import { FLAG } from '../../instruction.ts';
import { MOD, valueBit } from '../modifiers.ts';
import { ASM } from '../reporter.ts';
import type { MatchContext } from './context.ts';

const LONG_ONLY = valueBit(MOD.CLAMP) | valueBit(MOD.OMOD) | valueBit(MOD.HIGH);

export function matchInterpolation(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const hasThird = plan.src[2] !== undefined;
  const count = hasThird ? 4 : 3;
  if (c.count !== count)
    return c.expectCount(count, count, ['destination', 'source', 'attribute', ...(hasThird ? ['third source'] : [])]);
  instruction.dst = c.vgpr(operands[0]!, 1, 'destination');
  if (instruction.dst < 0) return false;
  const source = operands[1]!;
  const modified = source.hasModifier || (hasThird && operands[3]!.hasModifier);
  const needsLong = modified || (modifiers.mentionedValues & LONG_ONLY) !== 0;
  const long = plan.suffix === 'e64' || plan.format === 'VOP3' || (needsLong && plan.has.e64 && plan.suffix === 'auto');
  if (needsLong && !long) return c.errorAtName(ASM.MODIFIER, 'its modifiers need the _e64 encoding');
  if (long) instruction.encoding = 'e64';
  if (source.form === 'special') instruction.src0 = source.value;
  else if (!takeVgpr(c, 0, 1, 'source')) return false;
  if (hasThird && !takeVgpr(c, 2, 3, 'third source')) return false;
  instruction.imm = operands[2]!.value;
  if (modifiers.has(MOD.HIGH)) {
    if (plan.format !== 'VOP3') return c.errorAtModifier(MOD.HIGH, ASM.MODIFIER, 'high is for 16-bit interpolation');
    instruction.flags |= FLAG.HIGH;
  }
  instruction.clamp = modifiers.has(MOD.CLAMP) ? 1 : 0;
  instruction.omod = modifiers.omod;
  return true;
}

function takeVgpr(c: MatchContext, slot: number, index: number, role: string): boolean {
  const { instruction } = c;
  const operand = c.operands[index]!;
  if (operand.sext) {
    c.error(ASM.MODIFIER, operand, `${role} takes no sext`);
    return false;
  }
  if (operand.abs) instruction.abs |= 1 << slot;
  if (operand.neg) instruction.neg |= 1 << slot;
  operand.abs = false;
  operand.neg = false;
  const code = c.vgpr(operand, 1, role);
  if (slot === 0) instruction.src0 = code;
  else instruction.src2 = code;
  return code >= 0;
}
