/**
 * VOP1, VOP2, VOPC, VOP3, VOP3B, VOP3P: chooses the encoding, fills operands and modifiers, checks the scalar limit.
 *
 * Without a suffix the shortest encoding that can say it is taken: DPP or SDWA when one of their modifiers is written,
 * else 32 bits (VGPR second source, VCC masks, no modifiers), else VOP3. Operands in the text: destination, mask
 * destination, sources; v_cmpx on gfx10 has no destination; v_cmp and v_cndmask may leave their VCC out.
 */
import { FLAG } from '../../instruction.ts';
import { OPERAND } from '../../operands.ts';
import type { Kind } from '../kinds.ts';
import { MOD, MODIFIER_SETS, valueBit } from '../modifiers.ts';
import type { Operand } from '../operand.ts';
import { ASM } from '../reporter.ts';
import { type MatchContext, TAKES } from './context.ts';
import { checkScalarLimit } from './scalar-limit.ts';

const SOURCE_ROLES = ['first source', 'second source', 'third source'] as const;

const SHORT_TAKES_0 = TAKES.VGPR | TAKES.SGPR | TAKES.INLINE | TAKES.LITERAL | TAKES.LDS_DIRECT;
const LONG_TAKES_GFX10 = TAKES.VGPR | TAKES.SGPR | TAKES.INLINE | TAKES.LITERAL;
const LONG_TAKES_GFX7 = TAKES.VGPR | TAKES.SGPR | TAKES.INLINE;

/** Modifiers that only VOP3 (and VOP3P) has. SDWA has clamp and omod too. */
const LONG_ONLY =
  valueBit(MOD.CLAMP) |
  valueBit(MOD.OMOD) |
  valueBit(MOD.OP_SEL) |
  valueBit(MOD.OP_SEL_HI) |
  valueBit(MOD.NEG_LO) |
  valueBit(MOD.NEG_HI);

export function matchVector(c: MatchContext): boolean {
  const { plan, modifiers } = c;
  if (!checkOperandCount(c)) return false;
  const written = modifiers.mentionedValues;
  switch (plan.suffix) {
    case 'e32':
      return matchShort(c);
    case 'e64':
      return matchLong(c);
    case 'sdwa':
      return matchSdwa(c);
    case 'dpp':
      return matchDpp(c);
    case 'auto':
      if (plan.has.dpp16 && written & (MODIFIER_SETS.DPP16 | MODIFIER_SETS.DPP8)) return matchDpp(c);
      if (plan.has.sdwa && (written & MODIFIER_SETS.SDWA || needsSdwa(c))) return matchSdwa(c);
      if (!plan.has.e32) return matchLong(c);
      if (!plan.has.e64 || fitsShort(c)) return matchShort(c);
      return matchLong(c);
  }
}

/** sext, clamp or omod that VOP3 does not take here, but SDWA does. */
function needsSdwa(c: MatchContext): boolean {
  const { plan, operands, modifiers } = c;
  if (modifiers.mentionedValues & LONG_ONLY & ~plan.longValues) return true;
  for (let i = plan.dstCount; i < c.count; i++) {
    if (operands[i]!.sext && !(plan.integerModifiers & (1 << (i - plan.dstCount)))) return true;
  }
  return false;
}

/** How many sources are written, the mask of v_cndmask included. */
function sourceCount(c: MatchContext): number {
  let count = 0;
  for (const kind of c.plan.src) if (kind) count++;
  return count;
}

function shape(c: MatchContext): string[] {
  const { plan } = c;
  const names: string[] = [];
  if (plan.dstCount > 0) names.push('destination');
  if (plan.dstCount > 1) names.push('mask destination');
  plan.src.forEach((kind, slot) => {
    if (kind) names.push(role(c, slot));
  });
  return names;
}

/** Whether VCC may be left out: destination of v_cmp, mask of v_cndmask. Only encodings in which it is VCC. */
function mayOmitVcc(c: MatchContext): boolean {
  const { plan } = c;
  if (plan.suffix === 'e64') return false;
  return (plan.format === 'VOPC' && plan.dstCount === 1) || plan.mnemonic === 'v_cndmask_b32';
}

function checkOperandCount(c: MatchContext): boolean {
  const all = c.plan.dstCount + sourceCount(c);
  if (c.count === all || (c.count === all - 1 && mayOmitVcc(c))) return true;
  if (c.plan.format === 'VOPC' && c.plan.dstCount === 0 && c.count === all + 1) {
    c.error(ASM.OPERAND_COUNT, c.operands[0]!, `names no destination on ${c.plan.target}: it writes EXEC`);
    return false;
  }
  return c.expectCount(all, all, shape(c));
}

/** Index of the first source operand in the text. */
function firstSource(c: MatchContext): number {
  const { plan } = c;
  if (plan.format === 'VOPC' && plan.dstCount === 1) return c.count - plan.src.length;
  return plan.dstCount;
}

function isVcc(c: MatchContext, operand: Operand): boolean {
  return operand.form === 'register' && operand.code === OPERAND.VCC_LO && operand.dwords === c.plan.waveSize / 32;
}

/** Whether the 32-bit encoding can say it. Nothing is reported. */
function fitsShort(c: MatchContext): boolean {
  const { plan, operands, modifiers } = c;
  if (modifiers.mentionedValues & LONG_ONLY) return false;
  const first = firstSource(c);
  for (let i = 0; i < plan.src.length; i++) {
    const operand = operands[first + i]!;
    if (first + i >= c.count) break;
    const kind = plan.src[i]!;
    if (kind.letter === 'm') {
      if (!isVcc(c, operand)) return false;
      continue;
    }
    if (operand.hasModifier && !(i === 0 && canFold(c, operand, kind))) return false;
    if (i === 1 && kind.letter !== 'k' && kind.letter !== 's') {
      if (operand.form !== 'register' || operand.code < 256) return false;
    }
  }
  if (plan.format === 'VOPC' && first === 1 && !isVcc(c, operands[0]!)) return false;
  return !(plan.dst[1] && !isVcc(c, operands[1]!));
}

/** VCC as a mask operand, for encodings that have no other. */
function expectVcc(c: MatchContext, operand: Operand, role: string): number {
  if (isVcc(c, operand) && !operand.hasModifier) return OPERAND.VCC_LO;
  const name = c.plan.waveSize === 32 ? 'vcc_lo' : 'vcc';
  return c.error(ASM.OPERAND_KIND, operand, `${role} must be ${name} (wave${c.plan.waveSize}) in this encoding`);
}

/** Fills dst and sdst; masks are VCC unless `free`. */
function fillDestinations(c: MatchContext, free: boolean): boolean {
  const { plan, operands, instruction } = c;
  if (plan.format === 'VOPC') {
    if (plan.dstCount === 0) instruction.dst = OPERAND.EXEC_LO;
    else if (firstSource(c) === 0) instruction.dst = OPERAND.VCC_LO;
    else instruction.dst = free ? mask(c, operands[0]!, 'destination') : expectVcc(c, operands[0]!, 'destination');
    return instruction.dst >= 0;
  }
  const kind = plan.dst[0];
  if (kind) {
    const scalar = kind.letter === 'sd';
    instruction.dst = scalar
      ? c.scalarRegister(operands[0]!, kind.dwords, 'destination')
      : c.vgpr(operands[0]!, kind.dwords, 'destination');
    if (instruction.dst < 0) return false;
  }
  if (plan.dst[1]) {
    const operand = operands[1]!;
    instruction.sdst = free ? mask(c, operand, 'mask destination') : expectVcc(c, operand, 'mask destination');
    return instruction.sdst >= 0;
  }
  return true;
}

function mask(c: MatchContext, operand: Operand, role: string): number {
  return c.refusesMaskSize(operand, role) ? -1 : c.scalarRegister(operand, c.plan.waveSize / 32, role);
}

function setSource(c: MatchContext, slot: number, code: number): void {
  const { instruction } = c;
  if (slot === 0) instruction.src0 = code;
  else if (slot === 1) instruction.src1 = code;
  else instruction.src2 = code;
}

function role(c: MatchContext, slot: number): string {
  if (c.plan.src[slot]!.letter === 'm') return 'mask source';
  return c.plan.src.length === 1 ? 'source' : SOURCE_ROLES[slot]!;
}

function matchShort(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  if (modifiers.mentionedValues & LONG_ONLY) {
    return c.errorAtName(ASM.MODIFIER, 'its modifiers need the _e64 encoding');
  }
  instruction.encoding = 'e32';
  if (!fillDestinations(c, false)) return false;
  const first = firstSource(c);
  // The literal of v_madmk and v_madak is fixed by its own operand; others may then only repeat it.
  for (let i = 0; i < plan.src.length; i++) {
    const kind = plan.src[i]!;
    if (kind.letter !== 'k') continue;
    const code = c.mandatoryLiteral(operands[first + i]!, kind.constant, role(c, i));
    if (code < 0) return false;
    setSource(c, i, code);
  }
  for (let i = 0; i < plan.src.length; i++) {
    const kind = plan.src[i]!;
    if (kind.letter === 'k') continue;
    const operand = operands[first + i]!;
    const code = shortSource(c, kind, i, operand, first + i < c.count);
    if (code < 0) return false;
    setSource(c, i, code);
  }
  return checkScalarLimit(c);
}

function shortSource(c: MatchContext, kind: Kind, slot: number, operand: Operand, isWritten: boolean): number {
  const { plan } = c;
  if (kind.letter === 'm') return isWritten ? expectVcc(c, operand, 'mask source') : OPERAND.VCC_LO;
  if (operand.hasModifier) {
    if (!(slot === 0 && canFold(c, operand, kind))) {
      return c.error(ASM.MODIFIER, operand, `${role(c, slot)} takes no modifiers in the 32-bit encoding`);
    }
    foldModifiers(operand, kind);
  }
  if (kind.letter === 's') {
    const constants = slot === 0 ? TAKES.INLINE | TAKES.LITERAL : TAKES.INLINE;
    return c.source(operand, kind, TAKES.SGPR | constants, role(c, slot));
  }
  if (slot === 0) {
    const registersOnly = plan.row.relative === 'src' || plan.row.relative === 'both';
    if (kind.letter === 'v') return c.source(operand, kind, TAKES.VGPR | laneSource(c), role(c, slot));
    return c.source(operand, kind, registersOnly ? TAKES.VGPR : shortTakes(c), role(c, slot));
  }
  return c.source(operand, kind, TAKES.VGPR, role(c, slot));
}

/** v_readlane and v_readfirstlane read a VGPR or LDS. */
function laneSource(c: MatchContext): number {
  return c.plan.dst[0]?.letter === 'sd' ? TAKES.LDS_DIRECT : 0;
}

/** First source of the 32-bit encoding; instructions with swapped operands cannot read LDS. */
function shortTakes(c: MatchContext): number {
  return swapsOperands(c) ? SHORT_TAKES_0 & ~TAKES.LDS_DIRECT : SHORT_TAKES_0;
}

function swapsOperands(c: MatchContext): boolean {
  return c.plan.swapsOperands;
}

/** Whether abs and neg can be worked into the constant itself. */
function canFold(c: MatchContext, operand: Operand, kind: Kind): boolean {
  // Instructions with a literal of their own have no modifiers in the text at all.
  if (!c.plan.has.e64) return false;
  const takes = (c.plan.modifierMask & ~c.plan.integerModifiers & 1) !== 0;
  if (operand.sext || !takes || kind.isPacked) return false;
  return operand.form === 'float' || (operand.form === 'integer' && operand.wide === undefined && kind.dwords === 1);
}

/** Applies abs and neg to a constant: the 32-bit encoding has no modifier bits. */
function foldModifiers(operand: Operand, kind: Kind): void {
  if (operand.form === 'float') {
    if (operand.abs) operand.value = Math.abs(operand.value);
    if (operand.neg) operand.value = -operand.value;
  } else {
    const sign = kind.bits === 16 ? 0x8000 : 0x80000000;
    const all = kind.bits === 16 ? 0xffff : 0xffffffff;
    let bits = (operand.value & all) >>> 0;
    if (operand.abs) bits = (bits & ~sign) >>> 0;
    if (operand.neg) bits = (bits ^ sign) >>> 0;
    operand.value = bits;
  }
  operand.abs = false;
  operand.neg = false;
}

/** abs, neg and sext. In VOP3 an integer source that has modifiers takes sext, in the place of neg. */
function fillModifiers(c: MatchContext, operand: Operand, slot: number): boolean {
  if (!operand.hasModifier) return true;
  const { instruction, plan } = c;
  const isSdwa = instruction.encoding === 'sdwa';
  const takes = (plan.modifierMask & (1 << slot)) !== 0;
  const isFloat = takes && (plan.integerModifiers & (1 << slot)) === 0;
  if (operand.sext) {
    if (isFloat || !(isSdwa || takes)) {
      c.error(ASM.MODIFIER, operand, `${role(c, slot)} takes no sext`);
      return false;
    }
    if (isSdwa) instruction.sext |= 1 << slot;
    else instruction.neg |= 1 << slot;
    return true;
  }
  if (!isFloat) {
    c.error(ASM.MODIFIER, operand, `${role(c, slot)} takes no neg or abs`);
    return false;
  }
  if (operand.abs && instruction.sdst >= 0) {
    c.error(ASM.MODIFIER, operand, `${role(c, slot)} takes no abs: this encoding has a mask destination instead`);
    return false;
  }
  if (operand.abs) instruction.abs |= 1 << slot;
  if (operand.neg) instruction.neg |= 1 << slot;
  return true;
}

function matchLong(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  instruction.encoding = 'e64';
  const all = plan.dstCount + sourceCount(c);
  if (c.count !== all) return c.expectCount(all, all, shape(c));
  const refused = modifiers.mentionedValues & LONG_ONLY & ~plan.longValues;
  if (refused)
    return c.errorAtModifier(63 - Math.clz32(refused), ASM.MODIFIER, 'takes no such modifier in the 64-bit encoding');
  if (!fillDestinations(c, true)) return false;
  const first = firstSource(c);
  let at = first;
  for (let slot = 0; slot < plan.src.length; slot++) {
    const kind = plan.src[slot];
    if (!kind) continue;
    const operand = operands[at++]!;
    const code = longSource(c, kind, slot, operand);
    if (code < 0 || !fillModifiers(c, operand, slot)) return false;
    setSource(c, slot, code);
  }
  instruction.omod = modifiers.omod;
  instruction.clamp = modifiers.has(MOD.CLAMP) ? 1 : 0;
  if (instruction.clamp && plan.gfx7 && plan.format === 'VOP3B') {
    // llvm-mc takes it and writes nothing.
    c.warnAtModifier(MOD.CLAMP, ASM.WARNING_VALUE, `this encoding has no clamp bit on ${plan.target}; it is left out`);
    instruction.clamp = 0;
  }
  return fillLongModifiers(c) && checkScalarLimit(c);
}

function longSource(c: MatchContext, kind: Kind, slot: number, operand: Operand): number {
  const { plan } = c;
  if (kind.letter === 'm') {
    return c.refusesMaskSize(operand, 'mask source') ? -1 : c.source(operand, kind, TAKES.SGPR, 'mask source');
  }
  let literal = plan.gfx7 ? LONG_TAKES_GFX7 : LONG_TAKES_GFX10;
  // gfx7 has no 16-bit inline constants.
  if (plan.gfx7 && kind.bits === 16) literal &= ~TAKES.INLINE;
  if (kind.letter === 's') {
    // Lane numbers are never literals.
    const isLane = slot === 1 && plan.src.length === 2;
    const lds = slot === 0 && plan.dst[0]?.letter === 'v' ? TAKES.LDS_DIRECT : 0;
    return c.source(operand, kind, ((isLane ? LONG_TAKES_GFX7 : literal) & ~TAKES.VGPR) | lds, role(c, slot));
  }
  const isVop3Only = plan.format === 'VOP3' || plan.format === 'VOP3B';
  if (kind.letter === 'v' && isVop3Only) return c.source(operand, kind, TAKES.VGPR | laneSource(c), role(c, slot));
  const registersOnly = slot === 0 && (plan.row.relative === 'src' || plan.row.relative === 'both');
  if (registersOnly) return c.source(operand, kind, TAKES.VGPR, role(c, slot));
  const lds = slot === 0 && !swapsOperands(c) ? TAKES.LDS_DIRECT : 0;
  return c.source(operand, kind, literal | lds, role(c, slot));
}

/** op_sel and, for packed instructions, op_sel_hi, neg_lo and neg_hi. */
function fillLongModifiers(c: MatchContext): boolean {
  const { plan, instruction, modifiers } = c;
  let sources = 0;
  for (const kind of plan.src) if (kind) sources++;
  const sourceMask = (1 << sources) - 1;
  if (plan.format === 'VOP3P') {
    const mixed = plan.row.src[0] === 'x32m';
    instruction.opSel = modifiers.opSel & sourceMask;
    instruction.opSelHi = modifiers.has(MOD.OP_SEL_HI) ? modifiers.opSelHi & sourceMask : mixed ? 0 : sourceMask;
    if (mixed) {
      // The bits of neg_hi mean abs here.
      instruction.negHi = instruction.abs;
      instruction.abs = 0;
    } else {
      instruction.neg = modifiers.negLo & sourceMask;
      instruction.negHi = modifiers.negHi & sourceMask;
    }
    return true;
  }
  if (!modifiers.has(MOD.OP_SEL)) return true;
  // v_permlane: fetch-inactive and bound control; more elements must be 0.
  const isPermlane = plan.src[1]?.letter === 's' && plan.src.length === 3;
  const most = isPermlane ? 2 : sources + 1;
  if (isPermlane ? modifiers.opSel > 3 : modifiers.opSelLength > most) {
    return c.errorAtModifier(MOD.OP_SEL, ASM.MODIFIER, `op_sel has at most ${most} elements here`);
  }
  const sources0 = modifiers.opSel & sourceMask;
  const destination = !isPermlane && (modifiers.opSel >> sources) & 1;
  instruction.opSel = sources0 | (destination ? 8 : 0);
  return true;
}

/** SDWA: sources are VGPRs, SGPRs or inline constants, each with a select. */
function matchSdwa(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  instruction.encoding = 'sdwa';
  if (!fillDestinations(c, plan.format === 'VOPC')) return false;
  const first = firstSource(c);
  for (let slot = 0; slot < plan.src.length; slot++) {
    const kind = plan.src[slot]!;
    const operand = operands[first + slot]!;
    if (kind.letter === 'm') {
      const code = first + slot < c.count ? expectVcc(c, operand, 'mask source') : OPERAND.VCC_LO;
      if (code < 0) return false;
      instruction.src2 = code;
      continue;
    }
    const registersOnly = slot === 0 && (plan.row.relative === 'src' || plan.row.relative === 'both');
    const code = c.source(operand, kind, registersOnly ? TAKES.VGPR : LONG_TAKES_GFX7, role(c, slot));
    if (code < 0 || !fillModifiers(c, operand, slot)) return false;
    setSource(c, slot, code);
  }
  if (modifiers.has(MOD.CLAMP) && plan.format === 'VOPC') {
    return c.errorAtModifier(MOD.CLAMP, ASM.MODIFIER, 'no clamp in the SDWA encoding of compares');
  }
  const noDestination = plan.format === 'VOPC' || plan.dst.length === 0;
  for (const id of [MOD.DST_SEL, MOD.DST_UNUSED]) {
    if (noDestination && modifiers.has(id))
      return c.errorAtModifier(id, ASM.MODIFIER, 'there is no VGPR destination to select from');
  }
  if (plan.src.length < 2 && modifiers.has(MOD.SRC1_SEL)) {
    return c.errorAtModifier(MOD.SRC1_SEL, ASM.MODIFIER, 'there is no second source');
  }
  instruction.clamp = modifiers.has(MOD.CLAMP) ? 1 : 0;
  instruction.omod = modifiers.omod;
  if (!noDestination) {
    instruction.dstSel = modifiers.dstSel;
    instruction.dstUnused = modifiers.dstUnused;
  }
  instruction.src0Sel = modifiers.src0Sel;
  instruction.src1Sel = modifiers.src1Sel;
  return checkScalarLimit(c);
}

/** DPP16 and DPP8: sources are VGPRs. */
function matchDpp(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const written = modifiers.mentionedValues;
  const isDpp8 = modifiers.has(MOD.DPP8);
  if (!isDpp8 && !modifiers.has(MOD.DPP_CTRL)) {
    return c.errorAtName(ASM.MODIFIER, 'expected a lane pattern: quad_perm, row_shl, row_mirror, dpp8, …');
  }
  if (isDpp8 && written & MODIFIER_SETS.DPP16 & ~valueBit(MOD.FI)) {
    return c.errorAtModifier(MOD.DPP8, ASM.MODIFIER, 'dpp8 goes with fi only');
  }
  instruction.encoding = isDpp8 ? 'dpp8' : 'dpp16';
  if (!fillDestinations(c, false)) return false;
  const first = firstSource(c);
  for (let slot = 0; slot < plan.src.length; slot++) {
    const kind = plan.src[slot]!;
    const operand = operands[first + slot]!;
    if (kind.letter === 'm') {
      const code = first + slot < c.count ? expectVcc(c, operand, 'mask source') : OPERAND.VCC_LO;
      if (code < 0) return false;
      instruction.src2 = code;
      continue;
    }
    if (isDpp8 && operand.hasModifier) {
      c.error(ASM.MODIFIER, operand, `${role(c, slot)} takes no modifiers with dpp8`);
      return false;
    }
    const code = c.source(operand, kind, TAKES.VGPR, role(c, slot));
    if (code < 0 || !fillModifiers(c, operand, slot)) return false;
    setSource(c, slot, code);
  }
  fillDppFields(c, isDpp8);
  return true;
}

function fillDppFields(c: MatchContext, isDpp8: boolean): void {
  const { instruction, modifiers } = c;
  if (isDpp8) {
    instruction.dppCtrl = modifiers.dpp8;
  } else {
    instruction.dppCtrl = modifiers.dppCtrl;
    instruction.rowMask = modifiers.rowMask;
    instruction.bankMask = modifiers.bankMask;
    if (modifiers.boundCtrl) instruction.flags |= FLAG.BOUND_CTRL;
  }
  if (modifiers.fetchInactive) instruction.flags |= FLAG.FETCH_INACTIVE;
}
