/**
 * An instruction in words, for hovers: what it computes, what its operands are, what it touches besides them.
 *
 * Operands, encoding and implicit registers come from the row; the sentence is found by the mnemonic (one file per kind of
 * instruction beside this one). Every row has one: tests/unit/isa/describe.test.ts.
 */
import { TARGETS, type Target, type WaveSize } from '../../base/dispatch.ts';
import { VOP3_BASE } from '../decode/tables.ts';
import type { Encoding, Format } from '../instruction.ts';
import { KIND, type ParsedKind, parseOperandKind, TYPE } from '../operand-kind.ts';
import { rowReadsExec } from '../registers-used.ts';
import type { Row } from '../row.ts';
import { hidesDestination, shapeOf } from '../shape.ts';
import { formatOn, isGfx7, type Mnemonic, mnemonicNumber, opcodeOn, TABLES } from '../tables/index.ts';
import { imageSummary } from './image.ts';
import { memorySummary } from './memory.ts';
import { SCALAR_SUMMARIES } from './scalar.ts';
import { impliesVcc, isShortFormat, plainEncoding, sizeOf, syntaxOf } from './syntax.ts';
import { compareSummary } from './vector-compare.ts';
import { VECTOR_FLOAT_SUMMARIES } from './vector-float.ts';
import { VECTOR_INTEGER_SUMMARIES } from './vector-integer.ts';

export interface OperandDescription {
  /** D, D2 (a second destination), S0 … S3: as in the summary. */
  readonly name: string;
  readonly text: string;
}

export interface Description {
  readonly mnemonic: Mnemonic;
  /** How it is written in its encoding, with the operands' names. */
  readonly syntax: string;
  readonly summary: string;
  readonly operands: readonly OperandDescription[];
  /** Family and opcode number in it, as on the target, and which of its encodings this is. */
  readonly encoding: string;
  readonly size: string;
  /** Registers that it reads and writes without naming them. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly targets: readonly Target[];
}

const LISTED: Readonly<Record<string, string>> = {
  ...SCALAR_SUMMARIES,
  ...VECTOR_INTEGER_SUMMARIES,
  ...VECTOR_FLOAT_SUMMARIES,
};

/** What it computes, in a sentence; undefined when nobody has written one. */
export function summaryOf(mnemonic: Mnemonic): string | undefined {
  return (
    LISTED[mnemonic] ??
    compareSummary(mnemonic, TABLES[mnemonic]) ??
    memorySummary(mnemonic) ??
    imageSummary(mnemonic) ??
    LISTED[mnemonic.replace(/_[biuf]\d+$/, '')]
  );
}

/** undefined when the target lacks the instruction. Without `encoding`: the shortest one of its family. */
export function describeInstruction(
  mnemonic: Mnemonic,
  target: Target,
  waveSize: WaveSize,
  encoding?: Encoding,
): Description | undefined {
  const row = TABLES[mnemonic];
  const opcode = opcodeOn(row, target);
  if (opcode === undefined) return undefined;
  const format = formatOn(row, target);
  const form = encoding ?? plainEncoding(format);
  return {
    mnemonic,
    syntax: syntaxOf(mnemonic, target, waveSize, form),
    summary: summaryOf(mnemonic) ?? '',
    operands: operandsOf(mnemonic, target, form),
    encoding: `${format} opcode 0x${opcode.toString(16)}${formText(format, opcode, form)}`,
    size: sizeOf(mnemonic, target, form),
    reads: implicitReads(row, format, target),
    writes: implicitWrites(row),
    targets: TARGETS.filter((t) => opcodeOn(row, t) !== undefined),
  };
}

/** Which encoding of the row it is, where there are several: VOP3 has numbers of its own. */
function formText(format: Format, opcode: number, encoding: Encoding): string {
  const base = VOP3_BASE[format];
  switch (encoding) {
    case 'e64':
      return base === undefined ? '' : `, here as VOP3 opcode 0x${(base + opcode).toString(16)}`;
    case 'sdwa':
      return ', here with SDWA';
    case 'dpp16':
      return ', here with DPP16';
    case 'dpp8':
      return ', here with DPP8';
    default:
      return '';
  }
}

function operandsOf(mnemonic: Mnemonic, target: Target, encoding: Encoding): OperandDescription[] {
  const row = TABLES[mnemonic];
  const shape = shapeOf(mnemonicNumber(mnemonic)!);
  const format = formatOn(row, target);
  const named = (kinds: Row['src'], names: readonly string[]): OperandDescription[] =>
    kinds.flatMap((kind, i) => {
      const parsed = parseOperandKind(kind);
      if (parsed.kind === KIND.NONE) return [];
      const isDestination = kinds === row.dst;
      if (isDestination && i === 0 && hidesDestination(shape, isGfx7(target))) return [];
      // SOPK: what stands where the destination does, but is only read.
      const name = isDestination && parsed.kind === KIND.SCALAR ? 'S0' : names[i]!;
      if (parsed.kind === KIND.MASK && impliesVcc(format, encoding, isDestination && i === 0)) {
        return [{ name, text: `${operandText(parsed)}; ${IMPLIED_VCC}` }];
      }
      const place = isDestination ? parsed.kind : sourcePlace(parsed.kind, i, format, encoding);
      return [{ name, text: operandText({ ...parsed, kind: place }) }];
    });
  return [...named(row.dst, ['D', 'D2']), ...named(row.src, ['S0', 'S1', 'S2', 'S3'])];
}

/** Rows tell what a source takes in e32, or in VOP3 where the row has no e32 on some target. */
function sourcePlace(kind: number, index: number, format: Format, encoding: Encoding): number {
  if (!isShortFormat(format)) return kind;
  switch (encoding) {
    case 'e64':
    case 'sdwa':
      return index > 0 && kind === KIND.VGPR ? KIND.ANY : kind;
    case 'dpp16':
    case 'dpp8':
      return kind === KIND.ANY ? KIND.VGPR : kind;
    default:
      return index > 0 && kind === KIND.ANY ? KIND.VGPR : kind;
  }
}

/** What is said of a mask that the encoding has no field for. */
const IMPLIED_VCC = 'VCC in this encoding';

const PLACES: Readonly<Record<number, string>> = {
  [KIND.SCALAR]: 'SGPR or constant',
  [KIND.REGISTER]: 'SGPR',
  [KIND.SCALAR_DST]: 'SGPR',
  [KIND.VGPR]: 'VGPR',
  [KIND.ANY]: 'VGPR, SGPR or constant',
  [KIND.LITERAL]: 'literal',
};

function operandText({ kind, width, type, packed }: ParsedKind): string {
  switch (kind) {
    case KIND.MASK:
      return 'wave mask: one bit for each lane';
    case KIND.VECTOR_ADDRESS:
      return 'VGPRs with the address';
    case KIND.SCALAR_ADDRESS:
      return 'SGPRs with the address, or off';
    case KIND.IMAGE_DATA:
      return 'VGPRs with the components that dmask names';
    case KIND.IMMEDIATE:
      return `constant of ${width} bits`;
  }
  return `${PLACES[kind]}: ${valueText(width, type, packed)}`;
}

function valueText(width: number, type: number, packed: boolean): string {
  if (type === TYPE.MIXED) return 'f32, or f16 by op_sel_hi';
  if (packed) return `two ${valueText(16, type, false)}`;
  switch (type) {
    case TYPE.FLOAT:
      return `f${width}`;
    case TYPE.SIGNED:
      return `i${width}`;
    case TYPE.UNSIGNED:
      return `u${width}`;
    default:
      return width > 64 ? `${width / 32} dwords` : `${width} bits`;
  }
}

function implicitReads(row: Row, format: Format, target: Target): string[] {
  const gfx7 = isGfx7(target);
  const m0 = row.readsM0 === true || (row.readsM0 === 'gfx7' && gfx7);
  // Accesses to the global data share find their part of it in M0, loads into LDS their place.
  const withGds = !m0 && format === 'DS' && row.gds !== 'never';
  return [
    ...(row.readsDst ? ['D'] : []),
    ...(rowReadsExec(row, format) ? ['EXEC'] : []),
    ...(row.readsScc ? ['SCC'] : []),
    ...(row.readsVcc ? ['VCC'] : []),
    ...(m0 ? ['M0'] : []),
    ...(withGds ? [row.gds === 'only' ? 'M0' : 'M0 with gds'] : []),
    ...(row.lds ? ['M0 with lds'] : []),
    ...(gfx7 && format === 'FLAT' ? ['FLAT_SCRATCH'] : []),
  ];
}

function implicitWrites(row: Row): string[] {
  return [
    ...(row.writesSrc0 ? ['S0'] : []),
    ...(row.writesExec ? ['EXEC'] : []),
    ...(row.writesScc ? ['SCC'] : []),
    ...(row.writesVcc ? ['VCC'] : []),
  ];
}
