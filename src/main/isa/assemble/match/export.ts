/**
 * EXP: `exp mrt0 v0, v1, v2, v3 done vm`. Components that are not exported are `off`. With `compr` the text repeats each
 * register (`v0, v0, v1, v1`): one VGPR holds two halves.
 */
import { FLAG } from '../../instruction.ts';
import { ASM } from '../reporter.ts';
import type { MatchContext } from './context.ts';

const ROLES = ['first value', 'second value', 'third value', 'fourth value'] as const;

export function matchExport(c: MatchContext): boolean {
  const { operands, instruction, modifiers } = c;
  if (c.count !== 5) return c.expectCount(5, 5, ['target', ...ROLES]);
  instruction.flags = modifiers.flags;
  instruction.imm = operands[0]!.value;
  const compressed = (modifiers.flags & FLAG.COMPR) !== 0;
  const codes: number[] = [];
  for (let i = 0; i < 4; i++) {
    const operand = operands[i + 1]!;
    if (operand.form === 'off') codes.push(-1);
    else {
      const code = c.vgpr(operand, 1, `${ROLES[i]!} (or 'off')`);
      if (code < 0) return false;
      codes.push(code);
    }
  }
  if (compressed) {
    if (codes[0] !== codes[1] || codes[2] !== codes[3]) {
      const odd = codes[0] !== codes[1] ? operands[2]! : operands[4]!;
      c.error(ASM.COMBINATION, odd, 'with compr each register is written twice, e.g. v0, v0, v1, v1');
      return false;
    }
    instruction.exportMask = (codes[0]! >= 0 ? 3 : 0) | (codes[2]! >= 0 ? 12 : 0);
    instruction.src0 = codes[0]!;
    instruction.src1 = codes[2]!;
    return true;
  }
  for (let i = 0; i < 4; i++) if (codes[i]! >= 0) instruction.exportMask |= 1 << i;
  instruction.src0 = codes[0]!;
  instruction.src1 = codes[1]!;
  instruction.src2 = codes[2]!;
  instruction.src3 = codes[3]!;
  return true;
}
