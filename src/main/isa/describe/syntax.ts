/**
 * How an instruction is written in one of its encodings: the operands under their names in the summary (D, S0, …), in the
 * order of the text, then what may follow them in brackets; and how long it is.
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { acceptedModifiers } from '../assemble/modifiers.ts';
import { planTable } from '../assemble/plan.ts';
import type { Encoding, Format } from '../instruction.ts';
import { KIND } from '../operand-kind.ts';
import { hidesDestination, type Shape, shapeOf } from '../shape.ts';
import { formatOn, isGfx7, type Mnemonic, mnemonicNumber, TABLES } from '../tables/index.ts';

/** The encoding in which an instruction is told when nobody asks for one. */
export function plainEncoding(format: Format): Encoding {
  switch (format) {
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
      return 'e32';
    case 'VOP3':
    case 'VOP3B':
    case 'VOP3P':
      return 'e64';
    default:
      return 'plain';
  }
}

export function isShortFormat(format: Format): boolean {
  return format === 'VOP1' || format === 'VOP2' || format === 'VOPC';
}

/** SDWA, DPP and, where there is a choice, e32 and e64 are told by the name. */
function writtenName(mnemonic: Mnemonic, format: Format, encoding: Encoding): string {
  if (encoding === 'sdwa') return `${mnemonic}_sdwa`;
  if (encoding === 'dpp16' || encoding === 'dpp8') return `${mnemonic}_dpp`;
  const shape = shapeOf(mnemonicNumber(mnemonic)!);
  const hasChoice = (isShortFormat(format) || format === 'VINTRP') && !shape.noE64 && shape.dst.kind !== KIND.NONE;
  return hasChoice && (encoding === 'e32' || encoding === 'e64') ? `${mnemonic}_${encoding}` : mnemonic;
}

/** Does the encoding name a wave mask, or is it VCC always? */
export function impliesVcc(format: Format, encoding: Encoding, isCompareResult: boolean): boolean {
  if (!isShortFormat(format) || encoding === 'e64') return false;
  return !(encoding === 'sdwa' && isCompareResult);
}

function vectorOperands(shape: Shape, target: Target, encoding: Encoding, vcc: string): string[] {
  const format = formatOn(shape.row, target);
  const mask = impliesVcc(format, encoding, false) ? vcc : undefined;
  const result = impliesVcc(format, encoding, true) ? vcc : undefined;
  const dst = shape.dst.kind === KIND.MASK ? (result ?? 'D') : 'D';
  const sources = [shape.src0, shape.src1, shape.src2].flatMap((kind, i) => {
    if (kind.kind === KIND.NONE) return [];
    return kind.kind === KIND.MASK ? (mask ?? `S${i}`) : `S${i}`;
  });
  return [
    ...(shape.dst.kind === KIND.NONE || hidesDestination(shape, isGfx7(target)) ? [] : [dst]),
    ...(shape.sdst.kind === KIND.MASK ? [mask ?? 'D2'] : []),
    ...sources,
  ];
}

/** Slots that the row has, in the given order. */
function present(shape: Shape, order: readonly ('dst' | 'src0' | 'src1' | 'src2' | 'src3')[]): string[] {
  return order.flatMap((slot) => {
    if (shape[slot].kind === KIND.NONE) return [];
    if (slot !== 'dst') return `S${slot[3]}`;
    return shape.dst.kind === KIND.SCALAR || shape.dst.kind === KIND.REGISTER ? 'S0' : 'D';
  });
}

/** What the 16-bit immediate of scalar formats is. */
function immediateName(shape: Shape): string[] {
  switch (shape.row.imm) {
    case undefined:
    case 'none':
      return [];
    case 'end':
      return ['[code]'];
    case 'branch':
      return ['label'];
    case 'waitcnt':
      return ['vmcnt(n) expcnt(n) lgkmcnt(n)'];
    case 'depctr':
      return ['depctr_…(n)'];
    case 'sendmsg':
      return ['sendmsg(…)'];
    case 'hwreg':
      return ['hwreg(…)'];
    default:
      return ['constant'];
  }
}

/** Data of buffers and images: loaded, stored, or both for atomics that return. */
function dataSlot(shape: Shape): ('dst' | 'src3')[] {
  return shape.src3.kind === KIND.NONE ? ['dst'] : ['src3'];
}

function operandsInOrder(shape: Shape, target: Target, encoding: Encoding, vcc: string): string[] {
  const { row } = shape;
  switch (formatOn(row, target)) {
    case 'SOPK':
    case 'SOPP': {
      const registers = present(shape, ['dst', 'src0']);
      const isFirst = row.imm === 'hwreg' && shape.dst.kind !== KIND.SCALAR_DST;
      return isFirst ? [...immediateName(shape), ...registers] : [...registers, ...immediateName(shape)];
    }
    case 'SMEM':
    case 'SMRD':
      return shape.src2.kind === KIND.NONE
        ? present(shape, ['dst', 'src0', 'src1'])
        : present(shape, ['src2', 'src0', 'src1']);
    case 'MUBUF':
    case 'MTBUF':
      return row.memory === 'cache' ? [] : present(shape, [...dataSlot(shape), 'src0', 'src1', 'src2']);
    case 'MIMG':
      return present(shape, [...dataSlot(shape), 'src0', 'src1', 'src2']);
    case 'DS':
      return present(shape, ['dst', 'src0', 'src1', 'src2']);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH': {
      const names = present(shape, ['dst', 'src0', 'src1', 'src2']);
      return row.memory === 'atomic' ? ['[D]', ...names.slice(1)] : names;
    }
    case 'VINTRP':
      return ['D', 'S0', 'attribute'];
    case 'EXP':
      return ['target', 'S0', 'S1', 'S2', 'S3'];
    default: {
      if (!shape.isInterpolation) return vectorOperands(shape, target, encoding, vcc);
      return ['D', 'S0', 'attribute', ...(shape.src2.kind === KIND.NONE ? [] : ['S2'])];
    }
  }
}

function modifiersOf(name: string, target: Target, waveSize: WaveSize): string[] {
  const found = planTable(target, waveSize).find(name);
  return found.kind === 'plan' ? acceptedModifiers(found.plan) : [];
}

/** Of compares: no VGPR to write to. */
const RESULT_MODIFIERS: ReadonlySet<string> = new Set(['clamp', 'dst_sel', 'dst_unused']);

/** What follows the operands; in brackets what may be left out. */
function modifierText(shape: Shape, name: string, target: Target, waveSize: WaveSize, encoding: Encoding): string[] {
  const all = modifiersOf(name, target, waveSize);
  const optional = (names: readonly string[]) => names.map((modifier) => `[${modifier}]`);
  switch (encoding) {
    case 'e32':
      return [];
    case 'dpp8':
      return ['dpp8:[…]', '[fi]'];
    case 'dpp16':
      return ['pattern', ...optional(['row_mask', 'bank_mask', 'bound_ctrl', 'fi'])];
    case 'sdwa':
      if (shape.dst.kind === KIND.MASK) return optional(all.filter((modifier) => !RESULT_MODIFIERS.has(modifier)));
      return optional(all.filter((modifier) => modifier !== 'src1_sel' || shape.src1.kind !== KIND.NONE));
    default:
      return [...(all.includes('dim') ? ['dim'] : []), ...optional(all.filter((modifier) => modifier !== 'dim'))];
  }
}

/** `v_add_f32_e64 D, S0, S1 [clamp] [mul] [div]` */
export function syntaxOf(mnemonic: Mnemonic, target: Target, waveSize: WaveSize, encoding: Encoding): string {
  const shape = shapeOf(mnemonicNumber(mnemonic)!);
  const format = formatOn(TABLES[mnemonic], target);
  const form = format === 'VINTRP' && encoding === 'plain' && !isGfx7(target) ? 'e32' : encoding;
  const name = writtenName(mnemonic, format, form);
  const vcc = waveSize === 64 || isGfx7(target) ? 'vcc' : 'vcc_lo';
  const operands = operandsInOrder(shape, target, form, vcc).join(', ');
  const modifiers = modifierText(shape, name, target, waveSize, form);
  return [name, operands, ...modifiers].filter((part) => part !== '').join(' ');
}

const isLiteralSource = (shape: Shape): boolean =>
  [shape.src0, shape.src1, shape.src2].some((kind) => kind.kind === KIND.ANY || kind.kind === KIND.SCALAR);

const hasOwnLiteral = (shape: Shape): boolean =>
  [shape.src0, shape.src1, shape.src2].some((kind) => kind.kind === KIND.LITERAL);

/** `4 bytes, 8 with a literal` */
export function sizeOf(mnemonic: Mnemonic, target: Target, encoding: Encoding): string {
  const shape = shapeOf(mnemonicNumber(mnemonic)!);
  const gfx7 = isGfx7(target);
  const withLiteral = (bytes: number, can: boolean): string =>
    can ? `${bytes} bytes, ${bytes + 4} with a literal` : `${bytes} bytes`;
  if (hasOwnLiteral(shape)) return '8 bytes, with its literal';
  switch (formatOn(shape.row, target)) {
    case 'SOPP':
    case 'SOPK':
      return '4 bytes';
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
      return withLiteral(4, isLiteralSource(shape));
    case 'SMRD':
      return withLiteral(4, shape.src0.kind !== KIND.NONE);
    case 'VINTRP':
      return encoding === 'e64' ? '8 bytes' : '4 bytes';
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
      if (encoding === 'e32') return withLiteral(4, isLiteralSource(shape) && !takesLaneNumber(shape));
      return withLiteral(8, encoding === 'e64' && !gfx7 && isLiteralSource(shape));
    case 'VOP3':
    case 'VOP3B':
    case 'VOP3P':
      return withLiteral(8, !gfx7 && isLiteralSource(shape));
    case 'MIMG':
      return gfx7 ? '8 bytes' : '8 bytes, 12 to 20 with a list of addresses';
    default:
      return '8 bytes';
  }
}

/** gfx7's v_readlane and v_writelane: no literal for a lane. */
function takesLaneNumber(shape: Shape): boolean {
  return shape.row.class === 'cross-lane' && shape.src1.kind === KIND.SCALAR;
}
