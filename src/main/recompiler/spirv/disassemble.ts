/**
 * SPIR-V text in the form of spirv-dis with raw ids: one line per instruction, in order, so that line n of the body is
 * instruction n. Used by `recompile --emit spirv-text` and by the shader view.
 *
 * Total: words that are no instruction of the grammar are printed as `OpUnknown(code)` with their operands.
 */
import { GlslStd450, INSTRUCTIONS, OPERAND_ENUMS, Op } from './grammar.gen.ts';

const GLSL_NAMES = new Map<number, string>(Object.entries(GlslStd450).map(([name, code]) => [code, name]));
const ENUM_NAMES = new Map(
  Object.entries(OPERAND_ENUMS).map(([kind, { names }]) => [
    kind,
    new Map(Object.entries(names).map(([name, value]) => [value, name])),
  ]),
);
const PATTERNS = new Map<number, readonly string[]>(
  Object.entries(INSTRUCTIONS).map(([code, [, pattern]]) => [Number(code), pattern === '' ? [] : pattern.split(' ')]),
);

interface NumberType {
  readonly kind: 'int' | 'uint' | 'float';
  readonly width: number;
}

/** Reads operands of one instruction; position and end in words. */
class OperandReader {
  readonly words: Uint32Array;
  at: number;
  readonly end: number;
  constructor(words: Uint32Array, at: number, end: number) {
    this.words = words;
    this.at = at;
    this.end = end;
  }

  next(): number {
    return this.at < this.end ? this.words[this.at++]! : 0;
  }

  string(): string {
    let text = '';
    while (this.at < this.end) {
      const word = this.next();
      for (let k = 0; k < 4; k++) {
        const code = (word >>> (8 * k)) & 0xff;
        if (code === 0) return text;
        text += String.fromCharCode(code);
      }
    }
    return text;
  }
}

function floatText(low: number, high: number, width: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  if (width === 64) return String(view.getFloat64(0, true));
  if (width === 32) {
    const value = view.getFloat32(0, true);
    return Number.isFinite(value) ? String(value) : `0x${low.toString(16)}`;
  }
  return `0x${(low & 0xffff).toString(16)}`;
}

function numberText(reader: OperandReader, type: NumberType | undefined): string {
  const low = reader.next();
  if (!type) return String(low);
  const high = type.width > 32 ? reader.next() : 0;
  if (type.kind === 'float') return floatText(low, high, type.width);
  if (type.width > 32) {
    const bits = (BigInt(high) << 32n) | BigInt(low);
    return String(type.kind === 'int' ? BigInt.asIntN(64, bits) : bits);
  }
  return String(type.kind === 'int' ? low | 0 : low);
}

function enumText(kind: string, reader: OperandReader): string {
  const value = reader.next();
  const { mask, parameters } = OPERAND_ENUMS[kind]!;
  const names = ENUM_NAMES.get(kind)!;
  if (!mask) {
    const extra = parameters[value] ? parameters[value]!.split(' ').map((k) => operandText(k, reader, undefined)) : [];
    return [names.get(value) ?? String(value), ...extra].join(' ');
  }
  if (value === 0) return names.get(0) ?? 'None';
  const bits: string[] = [];
  const extra: string[] = [];
  for (let bit = 0; bit < 32; bit++) {
    const one = (1 << bit) >>> 0;
    if (!(value & one)) continue;
    bits.push(names.get(one) ?? `0x${one.toString(16)}`);
    if (parameters[one]) extra.push(...parameters[one]!.split(' ').map((k) => operandText(k, reader, undefined)));
  }
  return [bits.join('|'), ...extra].join(' ');
}

function operandText(kind: string, reader: OperandReader, type: NumberType | undefined): string {
  if (OPERAND_ENUMS[kind]) return enumText(kind, reader);
  switch (kind) {
    case 'LiteralString':
      return `"${reader.string()}"`;
    case 'LiteralInteger':
      return String(reader.next());
    case 'LiteralExtInstInteger': {
      const code = reader.next();
      return GLSL_NAMES.get(code) ?? String(code);
    }
    case 'LiteralContextDependentNumber':
      return numberText(reader, type);
    case 'PairLiteralIntegerIdRef':
      return `${numberText(reader, type)} %${reader.next()}`;
    case 'PairIdRefLiteralInteger':
      return `%${reader.next()} ${reader.next()}`;
    case 'PairIdRefIdRef':
      return `%${reader.next()} %${reader.next()}`;
    default:
      return kind.startsWith('Id') ? `%${reader.next()}` : String(reader.next());
  }
}

/** One line per instruction; the five header words are not lines. */
export function disassembleSpirv(words: Uint32Array): string[] {
  const lines: string[] = [];
  const numberTypes = new Map<number, NumberType>();
  const typeOfId = new Map<number, number>();
  let at = 5;
  while (at < words.length) {
    const head = words[at]!;
    const opcode = head & 0xffff;
    const count = Math.max(head >>> 16, 1);
    const end = Math.min(at + count, words.length);
    if (opcode === Op.TypeInt)
      numberTypes.set(words[at + 1]!, { kind: words[at + 3] ? 'int' : 'uint', width: words[at + 2]! });
    if (opcode === Op.TypeFloat) numberTypes.set(words[at + 1]!, { kind: 'float', width: words[at + 2]! });
    lines.push(lineText(opcode, new OperandReader(words, at + 1, end), numberTypes, typeOfId));
    at = end;
  }
  return lines;
}

function lineText(
  opcode: number,
  reader: OperandReader,
  numberTypes: ReadonlyMap<number, NumberType>,
  typeOfId: Map<number, number>,
): string {
  const known = INSTRUCTIONS[opcode];
  const parts: string[] = [];
  let result = '';
  let resultType = 0;
  let type: NumberType | undefined;
  if (opcode === Op.Switch) type = numberTypes.get(typeOfId.get(reader.words[reader.at]!) ?? 0);
  for (const item of known ? PATTERNS.get(opcode)! : ['LiteralInteger*']) {
    const quantifier = item.at(-1) === '?' || item.at(-1) === '*' ? item.at(-1) : '';
    const kind = quantifier ? item.slice(0, -1) : item;
    if (kind === 'IdResult') {
      const id = reader.next();
      if (resultType) typeOfId.set(id, resultType);
      result = `%${id} = `;
    } else if (kind === 'IdResultType') {
      resultType = reader.next();
      type = numberTypes.get(resultType);
      parts.push(`%${resultType}`);
    } else if (quantifier === '*') {
      while (reader.at < reader.end) parts.push(operandText(kind, reader, type));
    } else if (quantifier === '' || reader.at < reader.end) parts.push(operandText(kind, reader, type));
  }
  while (reader.at < reader.end) parts.push(String(reader.next()));
  return `${result}${known ? known[0] : `OpUnknown(${opcode})`}${parts.length > 0 ? ` ${parts.join(' ')}` : ''}`;
}
