/**
 * Directives: data, alignment, symbols, target. What compilers write around code (`.globl`, `.type`, kernel descriptors,
 * metadata) is accepted and has no effect, so that a compiler's listing can be pasted; sections other than code are left
 * out with a note. Macros and conditional assembly are not supported.
 *
 *   .amdgcn_target "amdgcn-amd-amdhsa--gfx1030"   before the first instruction
 *   .wavefront_size 64                            ours: 32 or 64, before the first instruction
 */
import { TARGETS, type Target, type WaveSize } from '../../base/dispatch.ts';
import type { Cursor } from './cursor.ts';
import { type Expression, evaluate } from './expressions.ts';
import { float32Bits, float64Bits } from './immediates.ts';
import { Operand } from './operand.ts';
import type { OperandParser } from './operand-parser.ts';
import { MAX_BYTES, type Output } from './output.ts';
import { ASM, type Reporter } from './reporter.ts';
import type { SymbolTable } from './symbols.ts';

const NO_EFFECT: ReadonlySet<string> = new Set([
  '.globl',
  '.global',
  '.type',
  '.size',
  '.ident',
  '.file',
  '.loc',
  '.weak',
  '.hidden',
  '.protected',
  '.internal',
  '.local',
  '.addrsig',
  '.addrsig_sym',
  '.no_dead_strip',
  '.amdgpu_hsa_kernel',
  '.hsa_code_object_version',
  '.hsa_code_object_isa',
  '.amdhsa_code_object_version',
  '.cfi_startproc',
  '.cfi_endproc',
  '.cfi_sections',
  '.reloc',
]);

/** Blocks whose lines mean nothing here, with the directive that ends them. */
const BLOCKS: ReadonlyMap<string, string> = new Map([
  ['.amdhsa_kernel', '.end_amdhsa_kernel'],
  ['.amdgpu_metadata', '.end_amdgpu_metadata'],
  ['.amd_amdgpu_hsa_metadata', '.end_amd_amdgpu_hsa_metadata'],
  ['.amd_kernel_code_t', '.end_amd_kernel_code_t'],
]);

const DATA_SIZES: ReadonlyMap<string, 1 | 2 | 4 | 8> = new Map([
  ['.byte', 1],
  ['.short', 2],
  ['.half', 2],
  ['.hword', 2],
  ['.2byte', 2],
  ['.value', 2],
  ['.long', 4],
  ['.int', 4],
  ['.4byte', 4],
  ['.quad', 8],
  ['.8byte', 8],
]);

const MACROS: ReadonlySet<string> = new Set([
  '.macro',
  '.endm',
  '.endmacro',
  '.rept',
  '.irp',
  '.irpc',
  '.endr',
  '.if',
  '.ifdef',
  '.ifndef',
  '.else',
  '.elseif',
  '.endif',
  '.include',
  '.incbin',
]);

const SECTIONS: ReadonlySet<string> = new Set([
  '.text',
  '.section',
  '.data',
  '.rodata',
  '.bss',
  '.previous',
  '.pushsection',
  '.popsection',
]);

const COMMA = 44;
const QUOTE = 34;
/** s_nop 0. */
const NOP = 0xbf800000;

export interface DirectiveHost {
  readonly target: Target;
  readonly hasCode: boolean;
  setTarget(target: Target): void;
  setWaveSize(waveSize: WaveSize): void;
}

export class Directives {
  private readonly cursor: Cursor;
  private readonly reporter: Reporter;
  private readonly operands: OperandParser;
  private readonly output: Output;
  private readonly symbols: SymbolTable;
  private readonly host: DirectiveHost;
  private readonly operand = new Operand();
  /** Sections that a note has named. */
  private readonly noted = new Set<string>();
  /** Inside a section that is no code. */
  skipping = false;

  constructor(
    cursor: Cursor,
    reporter: Reporter,
    operands: OperandParser,
    output: Output,
    symbols: SymbolTable,
    host: DirectiveHost,
  ) {
    this.cursor = cursor;
    this.reporter = reporter;
    this.operands = operands;
    this.output = output;
    this.symbols = symbols;
    this.host = host;
  }

  /** The cursor stands behind `word`. False after a reported error. */
  run(word: string, start: number): boolean {
    const name = word.toLowerCase();
    if (SECTIONS.has(name)) return this.section(name, start);
    const blockEnd = BLOCKS.get(name);
    if (blockEnd) return this.skipBlock(blockEnd, start, word);
    if (this.skipping) return this.skipRest();
    const size = DATA_SIZES.get(name);
    if (size) return this.data(name, size);
    if (NO_EFFECT.has(name) || name.startsWith('.cfi_')) return this.skipRest();
    if (MACROS.has(name))
      return this.fail(`${word}: macros, conditional assembly and includes are not supported`, start);
    switch (name) {
      case '.set':
      case '.equ':
      case '.equiv':
        return this.set(name);
      case '.float':
      case '.single':
        return this.floats(4);
      case '.double':
        return this.floats(8);
      case '.ascii':
        return this.string(false);
      case '.asciz':
      case '.string':
        return this.string(true);
      case '.p2align':
      case '.p2alignw':
      case '.p2alignl':
      case '.align':
      case '.balign':
      case '.balignw':
      case '.balignl':
        return this.align(name, start);
      case '.fill':
        return this.fill(start);
      case '.space':
      case '.skip':
      case '.zero':
        return this.space(start);
      case '.amdgcn_target':
        return this.targetDirective(start);
      case '.wavefront_size':
        return this.waveSize(start);
      default:
        return this.fail(`unknown directive ${word}`, start);
    }
  }

  private fail(message: string, start: number, end = Math.max(this.cursor.position, start + 1)): false {
    this.reporter.error(ASM.DIRECTIVE, message, start, end);
    this.skipRest();
    return false;
  }

  /** To the end of the statement; strings may hold comment characters. */
  private skipRest(): boolean {
    const newline = this.cursor.text.indexOf('\n', this.cursor.position);
    this.cursor.position = newline < 0 ? this.cursor.text.length : newline;
    return true;
  }

  private section(name: string, start: number): boolean {
    this.cursor.skipBlanks();
    const written = name === '.section' || name === '.pushsection' ? this.sectionName() : name;
    this.skipRest();
    const isCode = written.startsWith('.text') || name === '.previous' || name === '.popsection';
    if (!isCode && !this.noted.has(written)) {
      this.noted.add(written);
      this.reporter.add(
        'ASM201',
        'note',
        `section ${written} is left out: only code is assembled`,
        this.cursor.line,
        this.cursor.columnOf(start),
        name.length,
      );
    }
    this.skipping = !isCode;
    return true;
  }

  private sectionName(): string {
    const { text } = this.cursor;
    const start = this.cursor.position;
    let end = start;
    while (end < text.length && !' ,\t\n\r'.includes(text[end]!)) end++;
    return text.slice(start, end).replaceAll('"', '') || '?';
  }

  private skipBlock(end: string, start: number, word: string): boolean {
    const { cursor } = this;
    const { line, lineStart } = cursor;
    cursor.skipLine();
    while (!cursor.atTextEnd()) {
      cursor.skipBlanks();
      if (cursor.peekWord().toLowerCase() === end) return this.skipRest();
      cursor.skipLine();
    }
    this.reporter.add(ASM.DIRECTIVE, 'badInput', `${word} without ${end}`, line, start - lineStart + 1, word.length);
    return false;
  }

  private set(name: string): boolean {
    const { cursor } = this;
    cursor.skipBlanks();
    const start = cursor.position;
    const symbol = cursor.word();
    if (!symbol) return this.fail(`expected a name after ${name}`, start);
    if (!cursor.accept(COMMA)) return this.fail("expected ',' and a value", cursor.position);
    return this.assign(symbol, start);
  }

  /** The value of `name = value` or `.set name, value` follows. */
  assign(symbol: string, start: number): boolean {
    const expression = this.expression();
    if (!expression) return false;
    if (!this.symbols.assign(symbol, expression)) {
      this.reporter.error(ASM.SYMBOL, `'${symbol}' is a label already`, start, start + symbol.length);
      return false;
    }
    return true;
  }

  private expression(): Expression | undefined {
    const expression = this.operands.expressions.parse();
    if (expression) return expression;
    this.operands.failExpression();
    this.skipRest();
    return undefined;
  }

  /** A value known here; labels before this place count. */
  private absolute(what: string): number | undefined {
    this.cursor.skipBlanks();
    const start = this.cursor.position;
    const expression = this.expression();
    if (!expression) return undefined;
    const result = evaluate(expression, this.symbols.resolve);
    const value = result.ok ? Number(result.value) : Number.NaN;
    if (Number.isSafeInteger(value)) return value;
    this.fail(`expected ${what} that is known here`, start);
    return undefined;
  }

  private data(name: string, sizeBytes: 1 | 2 | 4 | 8): boolean {
    const { cursor, output } = this;
    if (cursor.atStatementEnd()) return true;
    do {
      cursor.skipBlanks();
      const start = cursor.position;
      const expression = this.expression();
      if (!expression) return false;
      if (expression.kind === 'constant') {
        const bits = BigInt(8 * sizeBytes);
        if (expression.value >= 1n << bits || expression.value < -(1n << (bits - 1n))) {
          return this.fail(`value does not fit ${sizeBytes === 1 ? 'a byte' : `${sizeBytes} bytes`}`, start);
        }
        output.appendInteger(expression.value, sizeBytes);
      } else {
        output.fixups.push({
          kind: 'data',
          offset: output.length,
          sizeBytes,
          expression,
          line: cursor.line,
          column: cursor.columnOf(start),
          length: cursor.position - start,
          name,
        });
        output.appendInteger(0n, sizeBytes);
      }
    } while (cursor.accept(COMMA));
    return true;
  }

  private floats(sizeBytes: 4 | 8): boolean {
    const { cursor, output, operand } = this;
    if (cursor.atStatementEnd()) return true;
    do {
      const start = cursor.position;
      if (!this.operands.parse(operand)) return this.skipRest();
      const isNumber = (operand.form === 'float' || operand.form === 'integer') && operand.wide === undefined;
      if (!isNumber || operand.hasModifier) return this.fail('expected a number', start);
      if (sizeBytes === 4) output.appendInteger(BigInt(float32Bits(operand.value)), 4);
      else output.appendInteger(float64Bits(operand.value), 8);
    } while (cursor.accept(COMMA));
    return true;
  }

  private string(terminated: boolean): boolean {
    const { cursor, output } = this;
    const { text } = cursor;
    do {
      cursor.skipBlanks();
      const start = cursor.position;
      if (cursor.peek() !== QUOTE) return this.fail('expected a string in double quotes', start);
      let at = start + 1;
      const bytes: number[] = [];
      while (at < text.length && text[at] !== '"' && text[at] !== '\n') {
        let c = text.codePointAt(at)!;
        if (c === 92) {
          at++;
          const special = ({ n: 10, t: 9, r: 13, '0': 0, b: 8, f: 12 } as Record<string, number>)[text[at] ?? ''];
          c = special ?? text.charCodeAt(at);
        }
        if (!(c >= 0 && c <= 255)) return this.fail('only characters up to 255 are possible', at);
        bytes.push(c);
        at++;
      }
      cursor.position = at;
      if (text[at] !== '"') return this.fail('the string does not end on its line', start);
      cursor.position = at + 1;
      for (const byte of bytes) output.appendByte(byte);
      if (terminated) output.appendByte(0);
    } while (cursor.accept(COMMA));
    return true;
  }

  private align(name: string, start: number): boolean {
    const { cursor, output } = this;
    const value = this.absolute('an alignment');
    if (value === undefined) return false;
    const isPower = name.startsWith('.p2');
    const fillBytes = name.endsWith('l') ? 4 : name.endsWith('w') ? 2 : 1;
    const alignment = isPower ? 2 ** value : value;
    if (!(alignment >= 1 && alignment <= 65536) || Math.log2(alignment) % 1 !== 0) {
      return this.fail(isPower ? 'alignment is 0 to 16 here' : 'alignment is a power of two up to 65536', start);
    }
    let fill: number | undefined;
    let most = Number.POSITIVE_INFINITY;
    if (cursor.accept(COMMA)) {
      cursor.skipBlanks();
      if (cursor.peek() !== COMMA) fill = this.absolute('a fill value');
      if (cursor.accept(COMMA)) most = this.absolute('a limit') ?? most;
    }
    const count = (alignment - (output.address % alignment)) % alignment;
    if (count > most) return true;
    if (fill !== undefined) {
      output.appendRepeated(0, count % fillBytes);
      for (let i = 0; i < Math.floor(count / fillBytes); i++) output.appendInteger(BigInt(fill), fillBytes);
      return true;
    }
    const odd = count % 4;
    output.appendRepeated(0, odd);
    const nops = new Uint32Array((count - odd) / 4).fill(NOP);
    output.appendWords(nops, 0, nops.length);
    return true;
  }

  private fits(bytes: number, start: number): boolean {
    if (bytes >= 0 && this.output.length + bytes <= MAX_BYTES) return true;
    this.fail('too many bytes', start);
    return false;
  }

  private fill(start: number): boolean {
    const count = this.absolute('a count');
    if (count === undefined) return false;
    let size = 1;
    let value = 0;
    if (this.cursor.accept(COMMA)) {
      size = this.absolute('a size') ?? -1;
      if (size < 0) return false;
      if (this.cursor.accept(COMMA)) {
        const given = this.absolute('a value');
        if (given === undefined) return false;
        value = given;
      }
    }
    if (size > 8) return this.fail('size is at most 8', start);
    if (!this.fits(count * size, start)) return false;
    const pattern = BigInt.asUintN(32, BigInt(value));
    for (let i = 0; i < count; i++) this.output.appendInteger(pattern, size);
    return true;
  }

  private space(start: number): boolean {
    const count = this.absolute('a count');
    if (count === undefined) return false;
    const value = this.cursor.accept(COMMA) ? this.absolute('a fill byte') : 0;
    if (value === undefined || !this.fits(count, start)) return false;
    this.output.appendRepeated(value, count);
    return true;
  }

  private targetDirective(start: number): boolean {
    const { cursor, host } = this;
    cursor.skipBlanks();
    const at = cursor.position;
    const close = cursor.peek() === QUOTE ? cursor.text.indexOf('"', at + 1) : -1;
    const newline = cursor.text.indexOf('\n', at);
    if (close < 0 || (newline >= 0 && newline < close)) return this.fail('expected a target in double quotes', at);
    const text = cursor.text.slice(at + 1, close);
    cursor.position = close + 1;
    const processor = text.slice(text.lastIndexOf('-') + 1).split(':')[0]!;
    const target = TARGETS.find((name) => name === processor);
    if (!target) return this.fail(`'${processor}' is no known target: ${TARGETS.join(', ')}`, at);
    if (target !== host.target && host.hasCode) return this.fail('the target cannot change after code', start);
    host.setTarget(target);
    return true;
  }

  private waveSize(start: number): boolean {
    const value = this.absolute('a wave size');
    if (value === undefined) return false;
    if (value !== 32 && value !== 64) return this.fail('the wave size is 32 or 64', start);
    if (value === 32 && this.host.target === 'gfx700') return this.fail('gfx700 has wave64 only', start);
    if (this.host.hasCode) return this.fail('the wave size cannot change after code', start);
    this.host.setWaveSize(value);
    return true;
  }
}
