/**
 * An instruction in words, for hovers: what it computes, what its operands are, what it touches besides them.
 *
 * Operands, encoding and implicit registers come from the row; the sentence is found by the mnemonic (one file per kind of
 * instruction beside this one). Every row has one: tests/unit/isa/describe.test.ts.
 */
import { TARGETS, type Target } from '../../base/dispatch.ts';
import type { Format } from '../instruction.ts';
import { KIND, type ParsedKind, parseOperandKind, TYPE } from '../operand-kind.ts';
import type { Row } from '../row.ts';
import { formatOn, type Mnemonic, opcodeOn, TABLES } from '../tables/index.ts';
import { imageSummary } from './image.ts';
import { memorySummary } from './memory.ts';
import { SCALAR_SUMMARIES } from './scalar.ts';
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
  readonly summary: string;
  readonly operands: readonly OperandDescription[];
  /** Family and opcode number in it, as on the target. */
  readonly encoding: string;
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

/** undefined when the target lacks the instruction. */
export function describeInstruction(mnemonic: Mnemonic, target: Target): Description | undefined {
  const row = TABLES[mnemonic];
  const opcode = opcodeOn(row, target);
  if (opcode === undefined) return undefined;
  const format = formatOn(row, target);
  return {
    mnemonic,
    summary: summaryOf(mnemonic) ?? '',
    operands: operandsOf(row),
    encoding: `${format} opcode 0x${opcode.toString(16)}`,
    reads: implicitReads(row, format, target),
    writes: implicitWrites(row),
    targets: TARGETS.filter((t) => opcodeOn(row, t) !== undefined),
  };
}

function operandsOf(row: Row): OperandDescription[] {
  const named = (kinds: Row['src'], names: readonly string[]): OperandDescription[] =>
    kinds.flatMap((kind, i) => {
      const parsed = parseOperandKind(kind);
      if (parsed.kind === KIND.NONE) return [];
      // SOPK: what stands where the destination does, but is only read.
      const name = kinds === row.dst && parsed.kind === KIND.SCALAR ? 'S0' : names[i]!;
      return [{ name, text: operandText(parsed) }];
    });
  return [...named(row.dst, ['D', 'D2']), ...named(row.src, ['S0', 'S1', 'S2', 'S3'])];
}

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

const SCALAR_FORMATS: ReadonlySet<Format> = new Set(['SOP1', 'SOP2', 'SOPC', 'SOPK', 'SOPP', 'SMEM', 'SMRD']);

function implicitReads(row: Row, format: Format, target: Target): string[] {
  const exec = row.readsExec || (!SCALAR_FORMATS.has(format) && !row.ignoresExec);
  const m0 = row.readsM0 === true || (row.readsM0 === 'gfx7' && target === 'gfx700') || row.relative !== undefined;
  return [
    ...(row.readsDst ? ['D'] : []),
    ...(exec ? ['EXEC'] : []),
    ...(row.readsScc ? ['SCC'] : []),
    ...(row.readsVcc ? ['VCC'] : []),
    ...(m0 ? ['M0'] : []),
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
