/**
 * FLAT, GLOBAL, SCRATCH. Text: destination, address, data, scalar address or `off` (the last not for flat).
 *
 * global: a VGPR pair and `off`, or one VGPR (offset) and an SGPR pair. scratch: one VGPR and `off`, or `off` and an
 * SGPR; neither on gfx1030 only, or with `lds`. Atomics name a destination exactly when `glc` is written; loads into LDS
 * have none.
 */
import { FLAG } from '../../instruction.ts';
import { OPERAND } from '../../operands.ts';
import { MOD } from '../modifiers.ts';
import type { Operand } from '../operand.ts';
import { ASM } from '../reporter.ts';
import type { MatchContext } from './context.ts';

export function matchFlat(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const { row } = plan;
  const glc = (modifiers.flags & FLAG.GLC) !== 0;
  const atomic = row.memory === 'atomic';
  const segmented = plan.format !== 'FLAT';
  const lds = (modifiers.flags & FLAG.LDS) !== 0;
  const dst = plan.dst[0] && (!atomic || glc) && !lds ? 1 : 0;
  const address = plan.src[0] ? 1 : 0;
  const data = plan.src[1] ? 1 : 0;
  const shape: string[] = [];
  if (dst) shape.push('destination');
  if (address) shape.push('address');
  if (data) shape.push('data');
  if (segmented) shape.push("scalar address or 'off'");
  if (lds && c.count === shape.length + 1) return c.refuseDestination();
  if (c.count !== shape.length) {
    if (atomic && c.count === shape.length + 1 && !glc)
      return c.errorAtName(ASM.MODIFIER, "returns a value only with 'glc'");
    if (atomic && c.count === shape.length - 1 && glc) {
      return c.errorAtModifier(
        31 - Math.clz32(FLAG.GLC),
        ASM.MODIFIER,
        "'glc' returns a value: expected a destination",
      );
    }
    return c.expectCount(shape.length, shape.length, shape);
  }
  instruction.flags = modifiers.flags;
  let at = 0;
  if (dst) {
    instruction.dst = c.vgpr(operands[at++]!, plan.dst[0]!.dwords, 'destination');
    if (instruction.dst < 0) return false;
  }
  const addressOperand = address ? operands[at++] : undefined;
  if (data) {
    instruction.src1 = c.vgpr(operands[at++]!, plan.src[1]!.dwords, 'data');
    if (instruction.src1 < 0) return false;
  }
  if (!matchOffset(c)) return false;
  if (!segmented) {
    instruction.src0 = c.vgpr(addressOperand!, 2, 'address');
    return instruction.src0 >= 0;
  }
  return matchSegment(c, addressOperand, operands[at]!);
}

function matchOffset(c: MatchContext): boolean {
  const { plan, instruction, modifiers } = c;
  const least = plan.format === 'FLAT' ? 0 : -2048;
  if (modifiers.offset < least || modifiers.offset > 2047) {
    return c.errorAtModifier(MOD.OFFSET, ASM.IMMEDIATE_RANGE, `offset takes ${least} to 2047`);
  }
  instruction.imm = modifiers.offset;
  return true;
}

/** Address and scalar address of global and scratch. */
function matchSegment(c: MatchContext, address: Operand | undefined, scalar: Operand): boolean {
  const { plan, instruction } = c;
  const isScratch = plan.format === 'SCRATCH';
  const hasScalar = scalar.form !== 'off';
  if (hasScalar) {
    instruction.src2 = c.scalarRegister(scalar, isScratch ? 1 : 2, "scalar address (or 'off')", false);
    if (instruction.src2 < 0) return false;
    // Code 125 means none, in scratch 127 means no address at all.
    if (instruction.src2 === OPERAND.NULL || instruction.src2 === OPERAND.EXEC_HI) {
      c.error(ASM.OPERAND_KIND, scalar, "scalar address must be an SGPR or 'off', not null or exec_hi");
      return false;
    }
  }
  if (!address) return true;
  if (isScratch) {
    if (address.form === 'off') {
      if (hasScalar || plan.target === 'gfx1030' || instruction.flags & FLAG.LDS) {
        if (!hasScalar) instruction.flags |= FLAG.NO_ADDRESS;
        return true;
      }
      c.error(ASM.COMBINATION, scalar, "address and scalar address cannot both be 'off'");
      return false;
    }
    if (hasScalar) {
      c.error(ASM.COMBINATION, scalar, "with a VGPR address the scalar address must be 'off'");
      return false;
    }
    instruction.src0 = c.vgpr(address, 1, "address (or 'off')");
    return instruction.src0 >= 0;
  }
  instruction.src0 = c.vgpr(
    address,
    hasScalar ? 1 : 2,
    hasScalar ? 'address (an offset to the scalar address)' : 'address',
  );
  return instruction.src0 >= 0;
}
