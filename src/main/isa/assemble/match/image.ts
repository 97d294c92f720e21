/**
 * MIMG. Text: data, address, resource, sampler. The address is a VGPR tuple, or on gfx10 a list of single VGPRs (NSA
 * encoding). How many registers data and address have follows from dmask, d16, tfe, lwe, dim and a16.
 */
import { addressDwords, nsaWordsAllowed } from '../../image-operands.ts';
import { FLAG } from '../../instruction.ts';
import { isMsaaDim } from '../../names/image-dimensions.ts';
import { shapeOf } from '../../shape.ts';
import { registersInWords } from '../kinds.ts';
import { MOD } from '../modifiers.ts';
import type { Operand } from '../operand.ts';
import { ASM } from '../reporter.ts';
import type { MatchContext } from './context.ts';

export function matchImage(c: MatchContext): boolean {
  const { plan, operands, instruction, modifiers } = c;
  const isRay = isRayIntersection(c);
  const sampler = plan.src[2] ? 1 : 0;
  const shape = ['data', 'address', 'resource', ...(sampler ? ['sampler'] : [])];
  if (c.count !== shape.length) return c.expectCount(shape.length, shape.length, shape);
  instruction.flags = modifiers.flags;
  instruction.dmask = modifiers.dmask;
  if (isRay) {
    instruction.dmask = 15;
    instruction.flags |= FLAG.UNORM | FLAG.R128;
    instruction.dim = 0;
  } else if (!plan.gfx7) {
    if (modifiers.dim < 0) return c.errorAtName(ASM.MODIFIER, "expected 'dim:', e.g. dim:SQ_RSRC_IMG_2D");
    instruction.dim = modifiers.dim;
    if (plan.mnemonic === 'image_msaa_load' && !isMsaaDim(modifiers.dim)) {
      return c.errorAtModifier(MOD.DIM, ASM.COMBINATION, 'dim must be 2D_MSAA or 2D_MSAA_ARRAY');
    }
  }
  if (!matchData(c, operands[0]!) || !matchAddress(c, operands[1]!)) return false;
  const resource = c.scalarRegister(operands[2]!, plan.src[1]!.dwords, 'resource', false);
  if (resource < 0) return false;
  instruction.src1 = resource;
  if (sampler) {
    const code = c.scalarRegister(operands[3]!, 4, 'sampler', false);
    if (code < 0) return false;
    instruction.src2 = code;
  }
  return true;
}

function isRayIntersection(c: MatchContext): boolean {
  return c.plan.row.address?.some((part) => part === 'ray' || part === 'ray64') === true;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let m = mask; m; m &= m - 1) count++;
  return count;
}

function matchData(c: MatchContext, operand: Operand): boolean {
  const { plan, instruction, modifiers } = c;
  const stored = plan.src[3];
  const atomic = plan.row.memory === 'atomic';
  const fixed = plan.dst[0]?.letter === 'v';
  const tfe = modifiers.flags & (FLAG.TFE | FLAG.LWE) ? 1 : 0;
  let dwords: number;
  if (isRayIntersection(c)) dwords = 4;
  else {
    const components = fixed ? 4 : Math.max(1, bitCount(modifiers.dmask));
    const packed = modifiers.flags & FLAG.D16 ? (components + 1) >> 1 : components;
    dwords = packed + (modifiers.flags & FLAG.TFE ? 1 : 0);
  }
  if (fixed && !isRayIntersection(c) && bitCount(modifiers.dmask) !== 1) {
    return c.errorAtModifierOrName(MOD.DMASK, ASM.COMBINATION, 'dmask must select exactly one component');
  }
  if (atomic && ![1, 3, 15].includes(modifiers.dmask)) {
    return c.errorAtModifierOrName(MOD.DMASK, ASM.COMBINATION, 'dmask must be 0x1, 0x3 or 0xf');
  }
  if (dwords < 2 && plan.mnemonic.endsWith('cmpswap')) {
    return c.errorAtModifierOrName(MOD.DMASK, ASM.COMBINATION, 'dmask must be 0x3 or 0xf: value and comparison');
  }
  if (plan.row.memory === 'store' && modifiers.flags & FLAG.TFE) {
    c.warnAtModifier(31 - Math.clz32(FLAG.TFE), ASM.WARNING_VALUE, 'tfe has no meaning for stores');
  }
  if (!c.joinList(operand)) return false;
  if (operand.form !== 'register' || operand.code < 256 || operand.dwords !== dwords || operand.hasModifier) {
    const why = tfe || modifiers.flags & FLAG.D16 ? 'dmask, d16 and tfe' : 'dmask';
    c.error(ASM.OPERAND_KIND, operand, `data must be ${registersInWords('VGPR', dwords)} to match ${why}`);
    return false;
  }
  if (stored) instruction.src3 = operand.code;
  const returns = atomic && (modifiers.flags & FLAG.GLC) !== 0;
  if (!stored || returns) instruction.dst = operand.code;
  return true;
}

/** Dwords of the address on gfx10. */
function neededDwords(c: MatchContext): number {
  const { plan, modifiers } = c;
  return addressDwords(plan.row.address!, Math.max(0, modifiers.dim), (modifiers.flags & FLAG.A16) !== 0);
}

/** Fewest address dwords on gfx7, where the text does not tell the dimension; LLVM's bound. */
function leastAddressDwordsGfx7(c: MatchContext): number {
  let count = 0;
  for (const part of c.plan.row.address ?? []) {
    if (part !== 'lod' && part !== 'clamp' && part !== 'mip') count++;
  }
  return Math.max(1, count);
}

function matchAddress(c: MatchContext, operand: Operand): boolean {
  const { plan, instruction } = c;
  // Without a sampler there are at most four: multisampled arrays have no mipmaps.
  if (!plan.gfx7 && !isRayIntersection(c) && !plan.src[2] && neededDwords(c) > 4) {
    return c.errorAtModifier(MOD.DIM, ASM.COMBINATION, 'this dim needs more addresses than the instruction can have');
  }
  if (operand.hasModifier) {
    c.error(ASM.MODIFIER, operand, 'address takes no modifiers');
    return false;
  }
  if (operand.form === 'list') {
    if (operand.list.some((code) => code < 256)) {
      c.error(ASM.OPERAND_KIND, operand, 'address must be VGPRs');
      return false;
    }
    if (plan.gfx7) {
      if (!c.joinList(operand)) return false;
    } else {
      const needed = neededDwords(c);
      if (operand.list.length !== needed) {
        c.error(
          ASM.OPERAND_KIND,
          operand,
          `address must be ${registersInWords('VGPR', needed)} to match dim and a16, not ${operand.list.length}`,
        );
        return false;
      }
      if (!nsaWordsAllowed(shapeOf(plan.op), (operand.list.length + 2) >> 2, (c.modifiers.flags & FLAG.A16) !== 0)) {
        c.error(ASM.OPERAND_KIND, operand, 'this many addresses must be consecutive registers here, v[a:b]');
        return false;
      }
      instruction.src0 = operand.list[0]!;
      for (let i = 1; i < operand.list.length; i++) instruction.nsa.push(operand.list[i]!);
      return true;
    }
  }
  if (operand.form !== 'register' || operand.code < 256) {
    c.error(ASM.OPERAND_KIND, operand, 'address must be VGPRs');
    return false;
  }
  const fits = plan.gfx7
    ? operand.dwords >= leastAddressDwordsGfx7(c) && operand.dwords <= 16
    : fitsAddress(operand.dwords, neededDwords(c));
  if (!fits) {
    const needed = plan.gfx7 ? leastAddressDwordsGfx7(c) : neededDwords(c);
    const least = plan.gfx7 ? 'at least ' : '';
    const why = plan.gfx7 ? '' : ' to match dim and a16';
    c.error(
      ASM.OPERAND_KIND,
      operand,
      `address must be ${least}${registersInWords('VGPR', needed)}${why}, not ${operand.dwords}`,
    );
    return false;
  }
  instruction.src0 = operand.code;
  return true;
}

/** A tuple of 5 to 7 may be written as 8, one above 12 as 16. */
function fitsAddress(written: number, needed: number): boolean {
  return written === needed || (needed >= 5 && needed <= 7 && written === 8) || (needed > 12 && written === 16);
}
