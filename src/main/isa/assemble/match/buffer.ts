/**
 * MUBUF and MTBUF. Text: data, address or `off`, resource, scalar offset; with `lds` there is no data operand.
 * The address has one VGPR with offen or idxen, two with both or with addr64 (gfx7).
 */
import { FLAG } from '../../instruction.ts';
import { DEFAULT_FORMAT } from '../../names/buffer-formats.ts';
import { MOD } from '../modifiers.ts';
import type { Operand } from '../operand.ts';
import { ASM } from '../reporter.ts';
import { type MatchContext, TAKES } from './context.ts';

const MAX_OFFSET = 4095;

export function matchBuffer(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const { row } = plan;
  instruction.flags = modifiers.flags;
  if (row.src.length === 0) return c.count === 0 || c.expectCount(0, 0, []);
  const lds = (modifiers.flags & FLAG.LDS) !== 0;
  const shape = [...(lds ? [] : ['data']), "address or 'off'", 'resource', 'scalar offset'];
  if (lds && c.count === shape.length + 1) return c.refuseDestination();
  if (c.count !== shape.length) return c.expectCount(shape.length, shape.length, shape);
  let at = 0;
  if (!lds && !matchData(c, operands[at++]!)) return false;
  if (!matchAddress(c, operands[at++]!)) return false;
  const resource = c.scalarRegister(operands[at++]!, 4, 'resource', false);
  if (resource < 0) return false;
  instruction.src1 = resource;
  const soffset = c.source(operands[at]!, plan.src[2]!, TAKES.SGPR | TAKES.INLINE, 'scalar offset');
  if (soffset < 0) return false;
  if (operands[at]!.hasModifier) {
    c.error(ASM.MODIFIER, operands[at]!, 'scalar offset takes no modifiers');
    return false;
  }
  instruction.src2 = soffset;
  if (modifiers.offset < 0 || modifiers.offset > MAX_OFFSET) {
    return c.errorAtModifier(MOD.OFFSET, ASM.IMMEDIATE_RANGE, `offset takes 0 to ${MAX_OFFSET}`);
  }
  instruction.imm = modifiers.offset;
  return plan.format === 'MUBUF' || matchFormat(c);
}

function matchData(c: MatchContext, operand: Operand): boolean {
  const { plan, instruction, modifiers } = c;
  const stored = plan.src[3];
  const kind = stored ?? plan.dst[0]!;
  const tfe = (modifiers.flags & FLAG.TFE) !== 0 ? 1 : 0;
  const code = c.vgpr(operand, kind.dwords + tfe, tfe ? 'data (with tfe)' : 'data');
  if (code < 0) return false;
  if (stored) instruction.src3 = code;
  const returns = plan.row.memory === 'atomic' && (modifiers.flags & FLAG.GLC) !== 0;
  if (!stored || returns) instruction.dst = code;
  return true;
}

function matchAddress(c: MatchContext, operand: Operand): boolean {
  const { instruction, modifiers } = c;
  const parts = modifiers.flags & (FLAG.OFFEN | FLAG.IDXEN | FLAG.ADDR64);
  if (parts & FLAG.ADDR64 && parts !== FLAG.ADDR64) {
    return c.errorAtModifier(31 - Math.clz32(FLAG.ADDR64), ASM.COMBINATION, 'addr64 excludes offen and idxen');
  }
  if (parts === 0) {
    if (operand.form === 'off') return true;
    c.error(ASM.OPERAND_KIND, operand, "address must be 'off' without offen or idxen");
    return false;
  }
  const both = (FLAG.OFFEN | FLAG.IDXEN) as number;
  const dwords = parts === both || parts === FLAG.ADDR64 ? 2 : 1;
  const code = c.vgpr(operand, dwords, 'address');
  if (code < 0) return false;
  instruction.src0 = code;
  return true;
}

function matchFormat(c: MatchContext): boolean {
  const { instruction, modifiers, plan } = c;
  const split = modifiers.has(MOD.DFMT) || modifiers.has(MOD.NFMT);
  const whole = modifiers.has(MOD.FORMAT);
  if (split && !plan.gfx7) {
    return c.errorAtModifier(
      modifiers.has(MOD.DFMT) ? MOD.DFMT : MOD.NFMT,
      ASM.WRONG_TARGET,
      'dfmt and nfmt exist on gfx700 only',
    );
  }
  if (split && whole) return c.errorAtModifier(MOD.FORMAT, ASM.COMBINATION, 'format excludes dfmt and nfmt');
  if (whole) instruction.bufferFormat = modifiers.format;
  else if (split) {
    const data = modifiers.has(MOD.DFMT) ? modifiers.dfmt : DEFAULT_FORMAT;
    instruction.bufferFormat = data | (modifiers.nfmt << 4);
  } else instruction.bufferFormat = DEFAULT_FORMAT;
  return true;
}
