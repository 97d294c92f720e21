/**
 * The door of `isa`: tables, decode, print, encode, assemble, registers used, describe. Layers that run in hot loops or
 * need only the record of an instruction import `instruction.ts`, `operands.ts`, `decode.ts` and the tables themselves.
 */
export {
  ASSEMBLER_CODES,
  type AssembledLine,
  type AssembleOptions,
  type AssembleResult,
  assemble,
  type OriginalCode,
} from './assemble/index.ts';
export {
  cloneInstruction,
  type DecodedItem,
  decodeAll,
  decodeInstruction,
  decodeLoosely,
  ILLEGAL,
  illegalReason,
  isIllegal,
} from './decode.ts';
export { type Description, describeInstruction, type OperandDescription, summaryOf } from './describe/index.ts';
export { encodeInstruction, type WordSink } from './encode/index.ts';
export {
  ENCODINGS,
  type Encoding,
  FLAG,
  FORMATS,
  type Format,
  type IllegalInstruction,
  Instruction,
} from './instruction.ts';
export { Lister } from './listing.ts';
export { KIND, type ParsedKind, parseOperandKind, TYPE } from './operand-kind.ts';
export { inlineFloatBits, inlineInteger, isScalarRegister, isVgpr, OPERAND } from './operands.ts';
export {
  branchDistance,
  branchTarget,
  type PrintOptions,
  printInstruction,
  TextBuffer,
  writeInstruction,
} from './print.ts';
export {
  destinationDwords,
  forEachDef,
  forEachUse,
  readsExec,
  sourceDwords,
  type VisitRegister,
} from './registers-used.ts';
export type { AddressPart, ImmediateKind, InstructionClass, OperandKind, Row } from './row.ts';
export { type Shape, shapeOf } from './shape.ts';
export {
  formatOn,
  isGfx7,
  isMnemonic,
  MNEMONICS,
  type Mnemonic,
  mnemonicNumber,
  opcodeOn,
  ROWS,
  TABLES,
} from './tables/index.ts';
