/**
 * DS: LDS and GDS. Text: destination, address, data, data; `offset:` or `offset0: offset1:`; `gds`.
 */
import { FLAG } from '../../instruction.ts';
import { MOD } from '../modifiers.ts';
import { ASM } from '../reporter.ts';
import type { MatchContext } from './context.ts';

const SOURCE_ROLES = ['address', 'first data', 'second data'] as const;

export function matchDataShare(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const { row } = plan;
  const shape: string[] = row.dst.length > 0 ? ['destination'] : [];
  for (let i = 0; i < plan.src.length; i++) if (plan.src[i]) shape.push(SOURCE_ROLES[i]!);
  if (c.count !== shape.length) return c.expectCount(shape.length, shape.length, shape);
  let at = 0;
  const dst = plan.dst[0];
  if (dst) {
    instruction.dst = c.vgpr(operands[at++]!, dst.dwords, 'destination');
    if (instruction.dst < 0) return false;
  }
  for (let i = 0; i < plan.src.length; i++) {
    const kind = plan.src[i];
    if (!kind) continue;
    const code = c.vgpr(operands[at++]!, kind.dwords, SOURCE_ROLES[i]!);
    if (code < 0) return false;
    if (i === 0) instruction.src0 = code;
    else if (i === 1) instruction.src1 = code;
    else instruction.src2 = code;
  }
  instruction.flags = modifiers.flags;
  if (row.gds === 'only' && !(modifiers.flags & FLAG.GDS)) {
    return c.errorAtName(ASM.MODIFIER, "exists for GDS only: 'gds' is missing");
  }
  if (row.imm === 'offset2') {
    instruction.imm = modifiers.offset0 | (modifiers.offset1 << 8);
    return true;
  }
  if (modifiers.offset < 0 || modifiers.offset > 0xffff) {
    return c.errorAtModifier(MOD.OFFSET, ASM.IMMEDIATE_RANGE, 'offset takes 0 to 65535');
  }
  instruction.imm = modifiers.offset;
  return true;
}
