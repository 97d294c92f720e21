/**
 * SOP1, SOP2, SOPC, SOPK, SOPP: scalar arithmetic, program control, branches.
 */
import { ASM } from '../reporter.ts';
import { type MatchContext, TAKES } from './context.ts';

const SOURCE_TAKES = TAKES.SGPR | TAKES.INLINE | TAKES.LITERAL;
const SOURCE_ROLES = ['first source', 'second source'] as const;

/** SOP1, SOP2, SOPC. */
export function matchScalarAlu(c: MatchContext): boolean {
  const { plan, operands, instruction } = c;
  const dsts = plan.dst.length;
  const sources = plan.src.length;
  const roles = sources === 1 ? ['source'] : SOURCE_ROLES;
  if (c.count !== dsts + sources) {
    return c.expectCount(dsts + sources, dsts + sources, [
      ...(dsts ? ['destination'] : []),
      ...roles.slice(0, sources),
    ]);
  }
  if (dsts === 1) {
    const code = c.scalarRegister(operands[0]!, plan.dst[0]!.dwords, 'destination');
    if (code < 0) return false;
    instruction.dst = code;
  }
  for (let i = 0; i < sources; i++) {
    const operand = operands[dsts + i]!;
    if (operand.hasModifier) {
      c.error(ASM.MODIFIER, operand, 'scalar sources take no abs, neg or sext');
      return false;
    }
    const kind = plan.src[i]!;
    const isFork = plan.row.class === 'branch' && sources === 2;
    const takes = kind.letter === 'r' ? TAKES.SGPR : isFork ? TAKES.SGPR | TAKES.INLINE : SOURCE_TAKES;
    const code = c.source(operand, kind, takes, roles[i]!);
    if (code < 0) return false;
    if (i === 0) instruction.src0 = code;
    else instruction.src1 = code;
  }
  return true;
}

const EXAMPLES = { waitcnt: 'counters such as vmcnt(0)', depctr: 'counters', sendmsg: 'sendmsg(…)' } as const;

/** Sign-extends 16 bits. */
function signed16(value: number): number {
  return (value << 16) >> 16;
}

export function matchScalarConstant(c: MatchContext): boolean {
  const { plan, operands, instruction } = c;
  if (plan.imm === 'hwreg') return matchHardwareRegister(c);
  const dsts = plan.dst.length;
  const what = plan.imm === 'branch' ? 'target' : 'immediate';
  if (c.count !== dsts + 1) return c.expectCount(dsts + 1, dsts + 1, dsts ? ['register', what] : [what]);
  if (dsts === 1) {
    const kind = plan.dst[0]!;
    const code = c.scalarRegister(
      operands[0]!,
      kind.dwords,
      kind.letter === 'sd' ? 'destination' : 'register',
      kind.letter === 'sd',
    );
    if (code < 0) return false;
    instruction.dst = code;
  }
  const operand = operands[dsts]!;
  if (plan.imm === 'branch') return matchBranch(c, dsts);
  const unsigned = plan.mnemonic.startsWith('s_cmpk_') && plan.mnemonic.endsWith('_u32');
  const value = c.number(operand, unsigned ? 0 : -0x8000, 0xffff, 'immediate');
  if (value === undefined) return false;
  instruction.imm = signed16(value);
  return true;
}

/** s_getreg_b32 s0, hwreg(…) · s_setreg_b32 hwreg(…), s0 · s_setreg_imm32_b32 hwreg(…), literal. */
function matchHardwareRegister(c: MatchContext): boolean {
  const { plan, operands, instruction } = c;
  const reads = plan.dst[0]?.letter === 'sd';
  if (c.count !== 2) {
    return c.expectCount(2, 2, reads ? ['destination', 'hwreg'] : ['hwreg', 'source']);
  }
  const register = operands[reads ? 1 : 0]!;
  if (register.form !== 'special') {
    c.error(ASM.OPERAND_KIND, register, 'expected hwreg(…) or a number');
    return false;
  }
  instruction.imm = signed16(register.value);
  const other = operands[reads ? 0 : 1]!;
  if (plan.dst.length === 0) {
    instruction.src0 = c.mandatoryLiteral(other, 'i32', 'source');
    return instruction.src0 >= 0;
  }
  const code = c.scalarRegister(other, 1, reads ? 'destination' : 'source', reads);
  if (code < 0) return false;
  instruction.dst = code;
  return true;
}

export function matchProgramControl(c: MatchContext): boolean {
  const { plan, operands, instruction } = c;
  switch (plan.imm) {
    case undefined:
    case 'none':
      return c.count === 0 || c.expectCount(0, 0, []);
    case 'end':
      if (c.count > 1) return c.expectCount(0, 1, ['immediate']);
      if (c.count === 0) return true;
      break;
    case 'branch':
      if (c.count !== 1) return c.expectCount(1, 1, ['target']);
      return matchBranch(c, 0);
    case 'waitcnt':
    case 'depctr':
    case 'sendmsg': {
      if (c.count !== 1 || operands[0]!.form !== 'special') return c.expectCount(1, 1, [EXAMPLES[plan.imm]]);
      instruction.imm = operands[0]!.value;
      return true;
    }
    default:
      if (c.count !== 1) return c.expectCount(1, 1, ['immediate']);
  }
  const value = c.number(operands[0]!, -0x8000, 0xffff, 'immediate');
  if (value === undefined) return false;
  instruction.imm = value & 0xffff;
  return true;
}

/** A number is the distance in dwords as encoded, anything else is an address. */
function matchBranch(c: MatchContext, index: number): boolean {
  const { plan, instruction } = c;
  const operand = c.operands[index]!;
  if (operand.hasModifier || (operand.form !== 'integer' && operand.form !== 'expression')) {
    c.error(ASM.OPERAND_KIND, operand, 'target must be a label or a number of dwords');
    return false;
  }
  if (operand.form === 'expression') {
    c.branchTarget = operand.expression;
    return true;
  }
  const value = c.number(operand, -0x8000, 0xffff, 'target (a number is a distance in dwords, an address is a label)');
  if (value === undefined) return false;
  instruction.imm = plan.format === 'SOPP' ? value & 0xffff : signed16(value);
  return true;
}
