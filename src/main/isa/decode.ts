/**
 * Words → instructions. Total: any words give an instruction or an illegal item with a reason; nothing past the end is
 * read, and an encoding that the end cuts is named (`ILLEGAL.CUT`).
 *
 * Why flat: captures hold millions of words. The caller owns one `Instruction` and decodes into it again and again; no
 * object is made per instruction or operand. Keep an instruction with `cloneInstruction`.
 * Source: AMD ISA manuals (Sea Islands, RDNA 1, RDNA 2), "microcode formats"; legality follows llvm-mc on gfx10.
 */
import type { Target } from '../base/dispatch.ts';
import { FAMILY, FIRST_WIDE, PREFIX_SHIFT } from './decode/families.ts';
import { decodeMimg } from './decode/image.ts';
import { decodeDs, decodeExp, decodeFlat, decodeMtbuf, decodeMubuf } from './decode/memory.ts';
import { isMisplaced, misplacedCode } from './decode/operand-codes.ts';
import { decodeSmem, decodeSmrd, decodeSop1, decodeSop2, decodeSopk, decodeSopp } from './decode/scalar.ts';
import { type OpcodeTables, opcodeTables } from './decode/tables.ts';
import { decodeVintrp, decodeVop1, decodeVop2, decodeVop3, decodeVop3p, decodeVopc } from './decode/vector.ts';
import { ILLEGAL, illegalReason } from './illegal.ts';
import { clearFields, FLAG, type IllegalInstruction, Instruction } from './instruction.ts';
import { OPERAND } from './operands.ts';
import { MNEMONICS } from './tables/index.ts';

function decodeFamily(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const family = tables.families[word >>> PREFIX_SHIFT]!;
  if (family >= FIRST_WIDE) return decodeWide(tables, family, words, index, out);
  switch (family) {
    case FAMILY.VOP2:
      return decodeVop2(tables, words, index, out);
    case FAMILY.VOP1:
      return decodeVop1(tables, words, index, out);
    case FAMILY.VOPC:
      return decodeVopc(tables, words, index, out);
    case FAMILY.SOP2:
      return decodeSop2(tables, tables.sop2[(word >>> 23) & 0x7f]!, word, out);
    case FAMILY.SOPK:
      return decodeSopk(tables, word, out);
    case FAMILY.SOP1:
      return decodeSop1(tables, word, out);
    case FAMILY.SOPC:
      return decodeSop2(tables, tables.sopc[(word >>> 16) & 0x7f]!, word, out);
    case FAMILY.SOPP:
      return decodeSopp(tables, word, out);
    case FAMILY.SMRD:
      return decodeSmrd(tables, word, out);
    case FAMILY.VINTRP:
      return decodeVintrp(tables, word, out);
    default:
      return ILLEGAL.FAMILY;
  }
}

/** Families of two dwords and more. */
function decodeWide(tables: OpcodeTables, family: number, words: Uint32Array, index: number, out: Instruction): number {
  if (index + 1 >= words.length) return ILLEGAL.CUT;
  const word = words[index]!;
  const next = words[index + 1]!;
  switch (family) {
    case FAMILY.VOP3:
      return decodeVop3(tables, word, next, out);
    case FAMILY.VOP3P:
      return decodeVop3p(tables, word, next, out);
    case FAMILY.DS:
      return decodeDs(tables, word, next, out);
    case FAMILY.FLAT:
      return decodeFlat(tables, word, next, out);
    case FAMILY.MUBUF:
      return decodeMubuf(tables, word, next, out);
    case FAMILY.MTBUF:
      return decodeMtbuf(tables, word, next, out);
    case FAMILY.MIMG:
      return decodeMimg(tables, words, index, out);
    case FAMILY.SMEM:
      return decodeSmem(tables, word, next, out);
    case FAMILY.EXP:
      return decodeExp(tables, word, next, out);
    default:
      return ILLEGAL.FAMILY;
  }
}

/** Slots in which a decoder left an `ILLEGAL` number or a misplaced operand (operand-codes.ts). */
function badSlot(out: Instruction): number {
  if (out.dst < -1) return out.dst;
  if (out.src0 < -1) return out.src0;
  if (out.src1 < -1) return out.src1;
  if (out.src2 < -1) return out.src2;
  if (out.sdst < -1) return out.sdst;
  return out.src3 < -1 ? out.src3 : 0;
}

function usesLiteral(out: Instruction): boolean {
  if (out.src0 === OPERAND.LITERAL || out.src1 === OPERAND.LITERAL || out.src2 === OPERAND.LITERAL) return true;
  // A misplaced one.
  return out.dst === OPERAND.LITERAL;
}

/** An immediate of 255 in these slots is a number, not the literal. */
function holdsImmediates(out: Instruction): boolean {
  return out.format === 'VINTRP' && !(out.flags & FLAG.MISPLACED);
}

/** Clears `out` and fills it from the words; slots may hold what `badSlot` finds. Returns the length without the literal. */
function fill(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  if (index < 0 || index >= words.length) return ILLEGAL.CUT;
  clearFields(out);
  out.index = index;
  return decodeFamily(tables, words, index, out);
}

/**
 * Decodes the instruction at `words[index]` into `out`. Returns its length in dwords (1…6), or an `ILLEGAL` number ≤ 0:
 * then `out` is meaningless and the illegal item is one dword long.
 */
export function decodeInstruction(target: Target, words: Uint32Array, index: number, out: Instruction): number {
  const tables = opcodeTables(target);
  const size = fill(tables, words, index, out);
  if (size <= 0) return size;
  const bad = badSlot(out);
  if (bad) return isMisplaced(bad) ? ILLEGAL.OPERAND : bad;
  return complete(tables, words, index, size, out);
}

/** What all families have in common at the end: names and the literal. Returns the length with it. */
function complete(
  tables: OpcodeTables,
  words: Uint32Array,
  index: number,
  sizeWithoutLiteral: number,
  out: Instruction,
): number {
  let size = sizeWithoutLiteral;
  const op = out.op;
  out.mnemonic = MNEMONICS[op]!;
  out.format = tables.formats[op]!;
  if (usesLiteral(out) && !holdsImmediates(out)) {
    if (index + size >= words.length) return ILLEGAL.CUT;
    out.literal = words[index + size]!;
    size++;
    if (out.format === 'SMRD') out.imm = out.literal * 4;
  }
  out.sizeDwords = size;
  return size;
}

/**
 * The same for listings of words that may be data: a misplaced operand (a constant where a register must stand) is kept
 * and the instruction marked `FLAG.MISPLACED`, as llvm-mc reads such words on gfx10. Printing notes what is invalid; nothing
 * may execute or encode it.
 */
export function decodeLoosely(target: Target, words: Uint32Array, index: number, out: Instruction): number {
  const tables = opcodeTables(target);
  const size = fill(tables, words, index, out);
  if (size <= 0) return size;
  for (const slot of SLOTS) {
    if (!isMisplaced(out[slot])) continue;
    out[slot] = misplacedCode(out[slot]);
    out.flags |= FLAG.MISPLACED;
  }
  return badSlot(out) || complete(tables, words, index, size, out);
}

const SLOTS = ['dst', 'sdst', 'src0', 'src1', 'src2', 'src3'] as const;

export { ILLEGAL, illegalReason };

export type DecodedItem = Instruction | IllegalInstruction;

export function isIllegal(item: DecodedItem): item is IllegalInstruction {
  return !(item instanceof Instruction);
}

/** Every word of a linear run of code, each instruction as its own object: for listings, not for hot paths. */
export function decodeAll(target: Target, words: Uint32Array): DecodedItem[] {
  const items: DecodedItem[] = [];
  for (let index = 0; index < words.length; ) {
    const inst = new Instruction();
    const size = decodeInstruction(target, words, index, inst);
    if (size > 0) items.push(inst);
    else items.push({ index, sizeDwords: 1, reason: illegalReason(size) });
    index += Math.max(size, 1);
  }
  return items;
}

export function cloneInstruction(inst: Instruction): Instruction {
  const copy = new Instruction();
  const { nsa, ...fields } = inst;
  Object.assign(copy, fields);
  copy.nsa.push(...nsa);
  return copy;
}

export { FLAG };
