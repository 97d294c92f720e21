/**
 * What the matchers of all families share: the statement that is being matched, the instruction that is being filled,
 * and the checks of single operands. A check returns the operand code, or −1 after it has reported what was expected.
 *
 * Messages read "v_add_nc_u32: second source must be a VGPR". The literal is one per instruction: constants that need
 * it must agree in value; an expression with labels takes it whole and is patched at the end of the text.
 */
import type { Instruction } from '../../instruction.ts';
import { OPERAND } from '../../operands.ts';
import type { Expression } from '../expressions.ts';
import { type ConstantType, encodeFloat, encodeInteger, newConstantResult } from '../immediates.ts';
import { type Kind, kindInWords, registersInWords } from '../kinds.ts';
import type { Modifiers } from '../modifiers.ts';
import { acceptedModifiers } from '../modifiers.ts';
import type { Operand } from '../operand.ts';
import type { Plan } from '../plan.ts';
import { notThisName } from '../registers.ts';
import { ASM, type Reporter } from '../reporter.ts';
import { didYouMean, nearestWords } from '../suggest.ts';

/** Which operands a source slot takes besides registers of its own file. */
export const TAKES = {
  VGPR: 1,
  SGPR: 2,
  INLINE: 4,
  LITERAL: 8,
  LDS_DIRECT: 16,
} as const;

/** Fields for scalar registers have seven bits: apertures, vccz, execz and scc are sources only. */
const MAX_SCALAR = OPERAND.EXEC_HI;

export class MatchContext {
  readonly operands: readonly Operand[];
  readonly modifiers: Modifiers;
  readonly instruction: Instruction;
  private readonly reporter: Reporter;
  plan!: Plan;
  /** Operands written; the array itself is longer. */
  count = 0;
  /** Range of the mnemonic in the text, and where the statement ends. */
  start = 0;
  nameEnd = 0;
  end = 0;
  hasLiteral = false;
  /** Sizes in which the literal is read: bit 0 up to 32 bits, bit 1 64 bits. Two sizes count as two scalar values. */
  literalSizes = 0;
  /** The literal's expression when it is not known yet. */
  literalExpression: Expression | undefined;
  /** The branch target when it is not a plain number. */
  branchTarget: Expression | undefined;
  private readonly constants = newConstantResult();

  constructor(operands: readonly Operand[], modifiers: Modifiers, instruction: Instruction, reporter: Reporter) {
    this.operands = operands;
    this.modifiers = modifiers;
    this.instruction = instruction;
    this.reporter = reporter;
  }

  begin(plan: Plan): void {
    this.plan = plan;
    this.hasLiteral = false;
    this.literalSizes = 0;
    this.literalExpression = undefined;
    this.branchTarget = undefined;
  }

  /** Reports at an operand; −1, so that checks can return it. */
  error(code: string, operand: Operand, message: string): -1 {
    this.reporter.error(code, `${this.plan.name}: ${message}`, operand.start, operand.end);
    return -1;
  }

  errorAt(code: string, start: number, end: number, message: string): false {
    this.reporter.error(code, `${this.plan.name}: ${message}`, start, end);
    return false;
  }

  errorAtModifier(id: number, code: string, message: string): false {
    return this.errorAt(code, this.modifiers.start[id]!, this.modifiers.end[id]!, message);
  }

  /** At the modifier when it is written, else at the mnemonic. */
  errorAtModifierOrName(id: number, code: string, message: string): false {
    return this.modifiers.has(id) ? this.errorAtModifier(id, code, message) : this.errorAtName(code, message);
  }

  errorAtName(code: string, message: string): false {
    return this.errorAt(code, this.start, this.nameEnd, message);
  }

  warn(code: string, operand: Operand, message: string): void {
    this.reporter.warning(code, `${this.plan.name}: ${message}`, operand.start, operand.end);
  }

  warnAtModifier(id: number, code: string, message: string): void {
    this.reporter.warning(code, `${this.plan.name}: ${message}`, this.modifiers.start[id]!, this.modifiers.end[id]!);
  }

  /** `shape` names the operands: "destination, first source, second source". */
  expectCount(least: number, most: number, shape: readonly string[]): boolean {
    if (this.count >= least && this.count <= most) return true;
    const number = least === most ? most : least === 0 ? `at most ${most}` : `${least} to ${most}`;
    const operands = most === 1 ? 'operand' : 'operands';
    const expected = most === 0 ? 'no operands' : `${number} ${operands} (${shape.join(', ')})`;
    const message = `expected ${expected}, found ${this.count}`;
    const extra = this.count > most ? this.operands[most] : undefined;
    const modifiers = acceptedModifiers(this.plan);
    if (extra?.expression?.kind === 'symbol' && modifiers.length > 0) {
      const { name } = extra.expression;
      const hint = didYouMean(nearestWords(name, modifiers));
      return this.errorAt(ASM.MODIFIER, extra.start, extra.end, `'${name}' is no modifier of this instruction${hint}`);
    }
    if (extra) return this.errorAt(ASM.OPERAND_COUNT, extra.start, extra.end, message);
    return this.errorAt(ASM.OPERAND_COUNT, this.start, this.nameEnd, message);
  }

  /** Turns `[s0,s1]` into the tuple it spells when the registers follow each other. */
  joinList(operand: Operand): boolean {
    if (operand.form !== 'list') return true;
    for (let i = 1; i < operand.list.length; i++) {
      if (operand.list[i] !== operand.list[0]! + i) {
        this.error(ASM.OPERAND_KIND, operand, 'the registers of a list must follow each other here');
        return false;
      }
    }
    operand.form = 'register';
    return true;
  }

  /** A VGPR tuple of exactly `dwords`. */
  vgpr(operand: Operand, dwords: number, role: string): number {
    if (!this.joinList(operand)) return -1;
    if (operand.form !== 'register' || operand.code < 256 || operand.dwords !== dwords || operand.hasModifier) {
      return this.error(
        ASM.OPERAND_KIND,
        operand,
        `${role} must be ${registersInWords('VGPR', dwords)}${this.seen(operand)}`,
      );
    }
    return operand.code;
  }

  /** A scalar register that is written (or only read, where constants are not possible). */
  scalarRegister(operand: Operand, dwords: number, role: string, writable = true): number {
    if (!this.joinList(operand)) return -1;
    const isScalar = operand.form === 'register' && operand.code <= MAX_SCALAR;
    const sized = operand.dwords === dwords || (operand.dwords === 0 && dwords <= 2);
    if (!isScalar || !sized || operand.hasModifier || (writable && !operand.writable)) {
      return this.error(
        ASM.OPERAND_KIND,
        operand,
        `${role} must be ${registersInWords('SGPR', dwords)}${this.seen(operand)}`,
      );
    }
    return operand.code;
  }

  /** ", not a pair of SGPRs": what was written. */
  private seen(operand: Operand): string {
    if (operand.form === 'off') return ", not 'off'";
    if (operand.hasModifier) return ' without modifiers';
    if (operand.form === 'integer' || operand.form === 'float') return ', not a constant';
    if (operand.expression?.kind === 'symbol') return notThisName(operand.expression.name);
    if (operand.form !== 'register') return '';
    if (operand.code < 256 && !operand.writable) return ', not a value that is only read';
    const dwords = Math.max(1, operand.dwords);
    return `, not ${registersInWords(operand.code >= 256 ? 'VGPR' : 'SGPR', dwords)}`;
  }

  /** Loads into LDS name no register that they write. */
  refuseDestination(): false {
    this.error(ASM.OPERAND_COUNT, this.operands[0]!, "with 'lds' the data goes to LDS: expected no destination");
    return false;
  }

  /** Reports a wave mask of the other wave size: `vcc` in wave32, `vcc_lo` in wave64. */
  refusesMaskSize(operand: Operand, role: string): boolean {
    const { waveSize } = this.plan;
    const dwords = waveSize / 32;
    const isScalar = operand.form === 'register' && operand.code <= MAX_SCALAR && !operand.hasModifier;
    if (!isScalar || operand.dwords !== 3 - dwords) return false;
    const example = dwords === 1 ? 'vcc_lo' : 'vcc';
    const must = `${registersInWords('SGPR', dwords)}, e.g. ${example}: masks of wave${waveSize} have ${waveSize} bits`;
    this.error(ASM.OPERAND_KIND, operand, `${role} must be ${must}`);
    return true;
  }

  /** A source of the given kind; `takes` says what is possible in this encoding. Modifiers are the caller's business. */
  source(operand: Operand, kind: Kind, takes: number, role: string): number {
    if (operand.form === 'list' && !this.joinList(operand)) return -1;
    switch (operand.form) {
      case 'register': {
        if (operand.code >= 256) {
          if (takes & TAKES.VGPR && operand.dwords === kind.dwords) return operand.code;
        } else if (operand.code === OPERAND.LDS_DIRECT) {
          if (takes & TAKES.LDS_DIRECT && kind.dwords === 1) return operand.code;
          return this.error(ASM.OPERAND_KIND, operand, 'lds_direct is possible only as first 32-bit source');
        } else if (
          takes & TAKES.SGPR &&
          (operand.dwords === kind.dwords || (operand.dwords === 0 && kind.dwords <= 2))
        ) {
          return operand.code;
        }
        return this.wrongSource(operand, kind, takes, role);
      }
      case 'integer':
      case 'float':
      case 'expression':
        if (takes & TAKES.INLINE) return this.constant(operand, kind.constant, takes, role);
        return this.wrongSource(operand, kind, takes, role);
      case 'off':
      case 'list':
      case 'special':
        return this.wrongSource(operand, kind, takes, role);
    }
  }

  private wrongSource(operand: Operand, kind: Kind, takes: number, role: string): -1 {
    const choices: string[] = [];
    if (takes & TAKES.VGPR) choices.push(registersInWords('VGPR', kind.dwords));
    if (takes & TAKES.SGPR) choices.push(registersInWords('SGPR', kind.dwords));
    if (takes & TAKES.INLINE) choices.push(takes & TAKES.LITERAL ? 'a constant' : 'an inline constant');
    const last = choices.pop() ?? kindInWords(kind);
    const must = choices.length > 0 ? `${choices.join(', ')} or ${last}` : last;
    return this.error(ASM.OPERAND_KIND, operand, `${role} must be ${must}${this.seen(operand)}`);
  }

  /** A constant of a type: inline where possible, otherwise the literal. */
  constant(operand: Operand, type: ConstantType, takes: number, role: string): number {
    const code = this.constantCode(operand, type, takes, role);
    if (code === OPERAND.LITERAL) this.literalSizes |= type === 'i64' || type === 'f64' ? 2 : 1;
    return code;
  }

  private constantCode(operand: Operand, type: ConstantType, takes: number, role: string): number {
    if (operand.form === 'expression') {
      if (!(takes & TAKES.LITERAL)) return this.noLiteral(operand, role);
      return this.takeLiteral(operand, 0, operand.expression);
    }
    const result = this.constants;
    const hasInv2Pi = !this.plan.gfx7;
    if (operand.form === 'float') encodeFloat(operand.value, type, hasInv2Pi, result);
    else encodeInteger(operand.wide ?? operand.value, type, hasInv2Pi, result);
    if (result.error) return this.error(ASM.IMMEDIATE_RANGE, operand, `${role} ${result.error}`);
    if (result.code !== OPERAND.LITERAL) return result.code;
    if (!(takes & TAKES.LITERAL)) return this.noLiteral(operand, role);
    if (result.inexact)
      this.warn(ASM.WARNING_VALUE, operand, 'the literal holds only the upper half; low 32 bits become 0');
    return this.takeLiteral(operand, result.literal, undefined);
  }

  /** The literal that is part of the encoding (v_madmk, s_setreg_imm32): small constants are literals too. */
  mandatoryLiteral(operand: Operand, type: ConstantType, role: string): number {
    if (!operand.isConstant || operand.hasModifier) {
      return this.error(ASM.OPERAND_KIND, operand, `${role} must be a constant${this.seen(operand)}`);
    }
    if (operand.form === 'expression') return this.takeLiteral(operand, 0, operand.expression);
    const result = this.constants;
    if (operand.form === 'float') encodeFloat(operand.value, type, true, result);
    else encodeInteger(operand.wide ?? operand.value, type, true, result);
    if (result.error) return this.error(ASM.IMMEDIATE_RANGE, operand, `${role} ${result.error}`);
    return this.takeLiteral(operand, result.literal, undefined);
  }

  private noLiteral(operand: Operand, role: string): -1 {
    const why =
      this.plan.gfx7 && this.plan.format.startsWith('VOP')
        ? ` (no literal in this encoding on ${this.plan.target})`
        : '';
    return this.error(ASM.LITERAL, operand, `${role} must be a register or an inline constant${why}`);
  }

  /** Claims the literal; an equal value may be claimed again. */
  takeLiteral(operand: Operand, value: number, expression: Expression | undefined): number {
    if (this.hasLiteral && (expression || this.literalExpression || this.instruction.literal !== value)) {
      return this.error(ASM.LITERAL, operand, 'an instruction has one literal; this is a second one');
    }
    this.hasLiteral = true;
    this.instruction.literal = value;
    this.literalExpression = expression;
    return OPERAND.LITERAL;
  }

  /** A number within bounds, for fields that are no operands. Undefined after an error. */
  number(operand: Operand, least: number, most: number, role: string): number | undefined {
    if (operand.form !== 'integer' || operand.hasModifier) {
      this.error(ASM.OPERAND_KIND, operand, `${role} must be a number known here`);
      return undefined;
    }
    if (operand.wide === undefined && operand.value >= least && operand.value <= most) return operand.value;
    this.error(ASM.IMMEDIATE_RANGE, operand, `${role} is ${least} to ${most}`);
    return undefined;
  }
}
