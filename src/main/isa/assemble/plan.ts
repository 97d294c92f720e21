/**
 * The plan of a mnemonic: everything about one spelling on one target that does not depend on the operands, made from
 * the row at first use and kept. The hot path then only reads fields.
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { FLAG, type Format } from '../instruction.ts';
import type { ImmediateKind, OperandKind, Row } from '../row.ts';
import { hasHalfConstants, hidesDestination, shapeOf } from '../shape.ts';
import { formatOn, isGfx7, MNEMONICS, type Mnemonic, mnemonicNumber, opcodeOn, ROWS } from '../tables/index.ts';
import { type Kind, parseKind } from './kinds.ts';
import { MOD, MODIFIER_SETS, valueBit } from './modifiers.ts';

/** What the suffix asks for; `auto` = none was written. */
export type Suffix = 'auto' | 'e32' | 'e64' | 'sdwa' | 'dpp';

export interface Plan {
  /** As written, lower case, with suffix: for messages. */
  readonly name: string;
  readonly mnemonic: Mnemonic;
  readonly op: number;
  readonly row: Row;
  readonly target: Target;
  readonly gfx7: boolean;
  readonly waveSize: WaveSize;
  readonly format: Format;
  readonly suffix: Suffix;
  readonly imm: ImmediateKind | undefined;
  /** Bit i: source i takes abs and neg outside the 32-bit encoding. */
  readonly modifierMask: number;
  /** Of these, the sources that take sext instead. */
  readonly integerModifiers: number;
  readonly dst: readonly Kind[];
  /** Sources by slot; undefined for an empty one. */
  readonly src: readonly (Kind | undefined)[];
  readonly has: {
    readonly e32: boolean;
    readonly e64: boolean;
    readonly sdwa: boolean;
    readonly dpp16: boolean;
    readonly dpp8: boolean;
  };
  /** Accepted modifiers: bits of FLAG, and bits of the value modifiers. */
  readonly flags: number;
  readonly values: number;
  /** Of the value modifiers, those of VOP3. */
  readonly longValues: number;
  /** Destinations that the text names: none for v_cmpx on gfx10. */
  readonly dstCount: number;
  /** `…rev…`: LDS cannot be its first source. */
  readonly swapsOperands: boolean;
  /** Operands parsed by their own grammar: what stands at each position, if anything. */
  readonly special: readonly (SpecialOperand | undefined)[];
}

export type SpecialOperand = 'waitcnt' | 'depctr' | 'sendmsg' | 'hwreg' | 'attribute' | 'slot' | 'exportTarget';

export type PlanLookup =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'unknown' }
  /** The mnemonic exists, but not on this target. */
  | { readonly kind: 'otherTarget'; readonly mnemonic: Mnemonic }
  /** The instruction exists on the target, the encoding that the suffix asks for does not. */
  | { readonly kind: 'noEncoding'; readonly mnemonic: Mnemonic; readonly suffix: Suffix };

const SUFFIXES: readonly (readonly [text: string, suffix: Suffix])[] = [
  ['_e32', 'e32'],
  ['_e64', 'e64'],
  ['_sdwa', 'sdwa'],
  ['_dpp8', 'dpp'],
  ['_dpp', 'dpp'],
];

const VECTOR_FORMATS: ReadonlySet<Format> = new Set(['VOP1', 'VOP2', 'VOPC', 'VOP3', 'VOP3B', 'VOP3P', 'VINTRP']);

export class PlanTable {
  readonly target: Target;
  readonly waveSize: WaveSize;
  private readonly plans = new Map<string, PlanLookup>();

  constructor(target: Target, waveSize: WaveSize) {
    this.target = target;
    this.waveSize = waveSize;
  }

  /** `name` in lower case. */
  find(name: string): PlanLookup {
    let found = this.plans.get(name);
    if (!found) {
      found = this.make(name);
      // Unknown names are not kept: a text full of them must not grow the table.
      if (found.kind !== 'unknown') this.plans.set(name, found);
    }
    return found;
  }

  private make(name: string): PlanLookup {
    let base = name;
    let suffix: Suffix = 'auto';
    if (mnemonicNumber(name) === undefined) {
      for (const [text, which] of SUFFIXES) {
        if (name.endsWith(text)) {
          base = name.slice(0, -text.length);
          suffix = which;
          break;
        }
      }
    }
    const op = mnemonicNumber(base);
    if (op === undefined) return { kind: 'unknown' };
    const row = ROWS[op]!;
    const mnemonic = MNEMONICS[op]!;
    if (opcodeOn(row, this.target) === undefined) return { kind: 'otherTarget', mnemonic };
    const plan = buildPlan(name, op, row, suffix, this.target, this.waveSize);
    const { has } = plan;
    const isVector = VECTOR_FORMATS.has(plan.format);
    const possible =
      suffix === 'auto' ||
      (isVector &&
        ((suffix === 'e32' && has.e32) ||
          (suffix === 'e64' && has.e64) ||
          (suffix === 'sdwa' && has.sdwa) ||
          (suffix === 'dpp' && (has.dpp16 || has.dpp8))));
    return possible ? { kind: 'plan', plan } : { kind: 'noEncoding', mnemonic, suffix };
  }
}

function buildPlan(name: string, op: number, row: Row, suffix: Suffix, target: Target, waveSize: WaveSize): Plan {
  const gfx7 = isGfx7(target);
  const format = formatOn(row, target);
  const isShort = format === 'VOP1' || format === 'VOP2' || format === 'VOPC' || format === 'VINTRP';
  const isVop3Only = format === 'VOP3' || format === 'VOP3B' || format === 'VOP3P';
  const no = row.no ?? [];
  // Rows that are VOP2 only on gfx7 and read or write SGPRs have no VOP3 form there.
  const scalarLane = row.formatGfx7 === 'VOP2' && row.src.some((kind) => kind.startsWith('s'));
  // Of the instructions without operands only v_nop has SDWA and DPP forms.
  const short = isShort && !gfx7 && format !== 'VINTRP' && (row.dst.length > 0 || MNEMONICS[op] === 'v_nop');
  const has = {
    e32: isShort,
    e64: isVop3Only || (isShort && !no.includes('e64') && !(gfx7 && (scalarLane || format === 'VINTRP'))),
    sdwa: short && !no.includes('sdwa'),
    dpp16: short && !no.includes('dpp16'),
    dpp8: short && !no.includes('dpp8'),
  };
  const dst = row.dst.map((kind) => parseKind(kind, waveSize));
  const src = row.src.map((kind) => (kind === '-' ? undefined : sourceKind(MNEMONICS[op]!, kind, waveSize)));
  const { flags, values } = acceptedModifiers(op, row, format, gfx7, has, suffix);
  const noDst = hidesDestination(shapeOf(op), gfx7);
  return {
    name,
    mnemonic: MNEMONICS[op]!,
    op,
    row,
    target,
    gfx7,
    waveSize,
    format,
    suffix,
    imm: row.imm,
    modifierMask: format === 'VOP3P' && row.src[0] !== 'x32m' ? 0 : shapeOf(op).modifierMask,
    integerModifiers: shapeOf(op).integerModifiers,
    dst,
    src,
    has,
    flags,
    values,
    longValues: has.e64 ? longModifiers(op, format, gfx7) : 0,
    dstCount: noDst ? 0 : dst.length,
    swapsOperands: /^v_(pk_)?(sub|subb|lshl|lshr|ashr)rev_/.test(MNEMONICS[op]!),
    special: specialOperands(row, format),
  };
}

function sourceKind(mnemonic: Mnemonic, text: OperandKind, waveSize: WaveSize): Kind {
  const kind = parseKind(text, waveSize);
  return hasHalfConstants(mnemonic, kind.bits) ? { ...kind, constant: 'f16' } : kind;
}

function specialOperands(row: Row, format: Format): readonly (SpecialOperand | undefined)[] {
  switch (row.imm) {
    case 'waitcnt':
    case 'depctr':
    case 'sendmsg':
      return [row.imm];
    case 'hwreg':
      // s_getreg names the register second, s_setreg first.
      return row.dst[0]?.startsWith('sd') ? [undefined, 'hwreg'] : ['hwreg'];
    case 'attr':
      return [undefined, row.src[0] === 'i2' ? 'slot' : undefined, 'attribute'];
    case 'target':
      return ['exportTarget'];
    default:
      return format === 'EXP' ? ['exportTarget'] : [];
  }
}

function acceptedModifiers(
  op: number,
  row: Row,
  format: Format,
  gfx7: boolean,
  has: Plan['has'],
  suffix: Suffix,
): { flags: number; values: number } {
  const dlc = gfx7 ? 0 : FLAG.DLC;
  switch (format) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
    case 'SOPK':
    case 'SOPP':
    case 'SMRD':
      return { flags: 0, values: 0 };
    case 'SMEM': {
      if (row.src.length === 0) return { flags: 0, values: 0 };
      return { flags: row.memory === 'cache' ? 0 : FLAG.GLC | FLAG.DLC, values: valueBit(MOD.OFFSET) };
    }
    case 'DS': {
      const offsets =
        row.imm === 'offset2'
          ? valueBit(MOD.OFFSET0) | valueBit(MOD.OFFSET1)
          : row.imm === 'none'
            ? 0
            : valueBit(MOD.OFFSET);
      return { flags: row.gds === 'never' ? 0 : FLAG.GDS, values: offsets };
    }
    case 'MUBUF':
    case 'MTBUF': {
      if (row.src.length === 0) return { flags: 0, values: 0 };
      const typed = format === 'MTBUF';
      const formats = typed ? valueBit(MOD.FORMAT) | valueBit(MOD.DFMT) | valueBit(MOD.NFMT) : 0;
      const common = FLAG.GLC | FLAG.SLC | dlc | FLAG.OFFEN | FLAG.IDXEN | (gfx7 ? FLAG.ADDR64 : 0);
      const tfe = row.memory === 'load' ? FLAG.TFE : 0;
      return { flags: common | tfe | (row.lds ? FLAG.LDS : 0), values: valueBit(MOD.OFFSET) | formats };
    }
    case 'MIMG': {
      if (row.address?.some((part) => part === 'ray' || part === 'ray64')) return { flags: FLAG.A16, values: 0 };
      const common = FLAG.UNORM | FLAG.GLC | FLAG.SLC | dlc | FLAG.R128 | FLAG.TFE | FLAG.LWE;
      const generation = gfx7 ? FLAG.DA : FLAG.A16 | (row.d16 ? FLAG.D16 : 0);
      return { flags: common | generation, values: valueBit(MOD.DMASK) | (gfx7 ? 0 : valueBit(MOD.DIM)) };
    }
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return { flags: FLAG.GLC | FLAG.SLC | dlc | (row.lds ? FLAG.LDS : 0), values: gfx7 ? 0 : valueBit(MOD.OFFSET) };
    case 'EXP':
      return { flags: FLAG.DONE | FLAG.COMPR | FLAG.VM, values: 0 };
    case 'VINTRP':
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3':
    case 'VOP3B':
    case 'VOP3P':
      return { flags: 0, values: vectorModifiers(op, format, gfx7, has, suffix) };
  }
}

function vectorModifiers(op: number, format: Format, gfx7: boolean, has: Plan['has'], suffix: Suffix): number {
  const takes = (form: Suffix): boolean => suffix === 'auto' || suffix === form;
  const shape = shapeOf(op);
  let values = 0;
  if (has.e64 && takes('e64')) values |= longModifiers(op, format, gfx7);
  if (has.sdwa && takes('sdwa')) {
    const clamp = shape.row.dst.length > 0 ? valueBit(MOD.CLAMP) : 0;
    values |= MODIFIER_SETS.SDWA | clamp | (shape.sdwaOmodAllowed ? valueBit(MOD.OMOD) : 0);
  }
  if (has.dpp16 && takes('dpp')) values |= MODIFIER_SETS.DPP16;
  if (has.dpp8 && takes('dpp')) values |= MODIFIER_SETS.DPP8;
  return values;
}

/** Modifiers of VOP3 and VOP3P. */
function longModifiers(op: number, format: Format, gfx7: boolean): number {
  const shape = shapeOf(op);
  const { row } = shape;
  let values = 0;
  if (format === 'VOP3P') {
    values |= valueBit(MOD.OP_SEL) | valueBit(MOD.OP_SEL_HI) | valueBit(MOD.CLAMP);
    if (row.src[0] !== 'x32m') values |= valueBit(MOD.NEG_LO) | valueBit(MOD.NEG_HI);
    return values;
  }
  const floatDst = /^v\d+p?f/.test(row.dst[0] ?? '');
  if (gfx7 ? floatDst : shape.clampAllowed) values |= valueBit(MOD.CLAMP);
  if (shape.omodAllowed) values |= valueBit(MOD.OMOD);
  if (!gfx7 && shape.opSelAllowed) values |= valueBit(MOD.OP_SEL);
  if (row.imm === 'attr') values |= valueBit(MOD.HIGH) | valueBit(MOD.CLAMP) | valueBit(MOD.OMOD);
  return values;
}

/** Plans are made once per target and wave size for the life of the program: rows never change. */
const tables = new Map<string, PlanTable>();

/** gfx7 has 64 lanes whatever is asked. */
export function planTable(target: Target, waveSize: WaveSize): PlanTable {
  const lanes = isGfx7(target) ? 64 : waveSize;
  const key = `${target}/${lanes}`;
  let table = tables.get(key);
  if (!table) {
    table = new PlanTable(target, lanes);
    tables.set(key, table);
  }
  return table;
}
