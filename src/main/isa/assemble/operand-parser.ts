/**
 * Reads one operand: registers and tuples, numbers, expressions, `off`, register lists, and the source modifiers
 * `-x`, `|x|`, `neg(x)`, `abs(x)`, `sext(x)`. Whether the instruction takes what is written is decided later (match/).
 *
 * A minus before a number belongs to the number; before a register, `|` or `abs` it is the modifier.
 */
import type { Target } from '../../base/dispatch.ts';
import { type Cursor, isDigit, isHexDigit, isWordPart, isWordStart } from './cursor.ts';
import { type Expression, ExpressionParser, NO_EXPRESSION, type SymbolScope } from './expressions.ts';
import type { Operand } from './operand.ts';
import { isRegisterName, type RegisterFile, registerFile } from './registers.ts';
import { ASM, type Reporter } from './reporter.ts';

const MINUS = 45;
const BAR = 124;
const OPEN = 40;
const CLOSE = 41;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COLON = 58;
const COMMA = 44;
const DOT = 46;
const LOWER_S = 115;
const LOWER_T = 116;
const LOWER_V = 118;

/** Dwords that a register tuple may have. */
function isTupleSize(dwords: number): boolean {
  return (dwords >= 1 && dwords <= 12) || dwords === 16 || dwords === 32;
}

export class OperandParser {
  private readonly cursor: Cursor;
  private readonly reporter: Reporter;
  readonly expressions: ExpressionParser;
  private target: Target = 'gfx1013';
  private file: RegisterFile = registerFile('gfx1013');
  /** Set by `scanNumber`. */
  private number = 0;
  private wide: bigint | undefined;
  private isFloat = false;

  constructor(cursor: Cursor, reporter: Reporter, scope: SymbolScope) {
    this.cursor = cursor;
    this.reporter = reporter;
    this.expressions = new ExpressionParser(cursor, scope);
  }

  setTarget(target: Target): void {
    this.target = target;
    this.file = registerFile(target);
  }

  /** Fills `operand`; false after an error, which has been reported. */
  parse(operand: Operand): boolean {
    const cursor = this.cursor;
    cursor.skipBlanks();
    operand.reset(cursor.position);
    if (!this.modified(operand)) return false;
    operand.end = cursor.position;
    return true;
  }

  private fail(code: string, message: string, start: number, end = start + 1): false {
    this.reporter.error(code, message, start, end);
    return false;
  }

  private modified(operand: Operand): boolean {
    const cursor = this.cursor;
    if (cursor.peek() === MINUS && this.minusIsModifier()) {
      cursor.position++;
      cursor.skipBlanks();
      operand.neg = true;
    }
    let closeNeg = false;
    if (!operand.neg && this.acceptCall('neg')) {
      operand.neg = true;
      closeNeg = true;
      cursor.skipBlanks();
    }
    if (cursor.peek() === BAR) {
      cursor.position++;
      operand.abs = true;
      if (!this.plain(operand, true)) return false;
      if (!cursor.accept(BAR)) return this.fail(ASM.SYNTAX, "expected '|'", cursor.position);
    } else if (this.acceptCall('abs')) {
      operand.abs = true;
      if (!this.plain(operand, false)) return false;
      if (!cursor.accept(CLOSE)) return this.fail(ASM.SYNTAX, "expected ')'", cursor.position);
    } else if (this.acceptCall('sext')) {
      operand.sext = true;
      if (!this.plain(operand, false)) return false;
      if (!cursor.accept(CLOSE)) return this.fail(ASM.SYNTAX, "expected ')'", cursor.position);
    } else if (!this.plain(operand, false)) return false;
    if (closeNeg && !cursor.accept(CLOSE)) return this.fail(ASM.SYNTAX, "expected ')'", cursor.position);
    return true;
  }

  /** `name(`, consumed when it is there. */
  private acceptCall(name: string): boolean {
    const cursor = this.cursor;
    if (cursor.peek() !== name.charCodeAt(0) || !cursor.text.startsWith(name, cursor.position)) return false;
    let at = cursor.position + name.length;
    while (cursor.text.charCodeAt(at) === 32) at++;
    if (cursor.text.charCodeAt(at) !== OPEN) return false;
    cursor.position = at + 1;
    return true;
  }

  private minusIsModifier(): boolean {
    const text = this.cursor.text;
    let at = this.cursor.position + 1;
    while (text.charCodeAt(at) === 32) at++;
    const c = text.charCodeAt(at);
    if (c === BAR || c === OPEN_BRACKET) return true;
    if (!isWordStart(c)) return false;
    if (text.startsWith('abs(', at)) return true;
    const here = this.cursor.position;
    this.cursor.position = at;
    const isRegister = this.atRegister();
    this.cursor.position = here;
    return isRegister;
  }

  /** `v5`, `s[2:3]` by their first two characters; a longer word may follow. */
  atNumberedRegister(): boolean {
    const c = this.cursor.peek();
    if (c !== LOWER_V && c !== LOWER_S) return false;
    const next = this.cursor.peekAt(1);
    return isDigit(next) || next === OPEN_BRACKET;
  }

  /** Whether a register begins here; nothing is consumed. */
  private atRegister(): boolean {
    const cursor = this.cursor;
    const c = cursor.peek();
    if (c === LOWER_V || c === LOWER_S) {
      const next = cursor.peekAt(1);
      if (next === OPEN_BRACKET) return true;
      if (isDigit(next)) {
        let at = cursor.position + 2;
        while (isDigit(cursor.text.charCodeAt(at))) at++;
        return !isWordPart(cursor.text.charCodeAt(at));
      }
    }
    const word = cursor.peekWord();
    return this.file.named.has(word) || /^ttmp\d*$/.test(word);
  }

  private plain(operand: Operand, insideBars: boolean): boolean {
    const cursor = this.cursor;
    cursor.skipBlanks();
    const c = cursor.peek();
    if (c === LOWER_V || c === LOWER_S) {
      const next = cursor.peekAt(1);
      if (isDigit(next)) {
        if (this.simpleRegister(operand, c, 1)) return true;
      } else if (next === OPEN_BRACKET) {
        return this.tuple(operand, c, 1);
      }
    } else if (c === LOWER_T && cursor.text.startsWith('ttmp', cursor.position)) {
      const next = cursor.peekAt(4);
      if (isDigit(next)) {
        if (this.simpleRegister(operand, c, 4)) return true;
      } else if (next === OPEN_BRACKET) {
        return this.tuple(operand, c, 4);
      }
    } else if (c === OPEN_BRACKET) {
      return this.list(operand);
    }
    if (isWordStart(c)) {
      const word = cursor.peekWord();
      const named = this.file.named.get(word);
      if (named) {
        cursor.position += word.length;
        operand.form = 'register';
        operand.code = named.code;
        operand.dwords = named.dwords;
        operand.writable = named.writable;
        return true;
      }
      if (word === 'off') {
        cursor.position += 3;
        operand.form = 'off';
        return true;
      }
    }
    return this.constant(operand, insideBars);
  }

  /** `v5`, `s12`, `ttmp3`; false when it is a longer word (`v5x`), nothing consumed. */
  private simpleRegister(operand: Operand, letter: number, prefix: number): boolean {
    const cursor = this.cursor;
    const text = cursor.text;
    const start = cursor.position;
    let at = start + prefix;
    let index = 0;
    let c = text.charCodeAt(at);
    while (isDigit(c)) {
      index = index * 10 + c - 48;
      c = text.charCodeAt(++at);
    }
    if (isWordPart(c)) return false;
    cursor.position = at;
    return this.setRegister(operand, letter, index, 1, start);
  }

  /** Always true, so that one bad register gives one message: an out-of-range number is reported and then clamped. */
  private setRegister(operand: Operand, letter: number, first: number, dwords: number, start: number): boolean {
    operand.form = 'register';
    operand.dwords = dwords;
    operand.writable = true;
    const count = letter === LOWER_V ? 256 : letter === LOWER_S ? this.file.sgprCount : this.file.ttmpCount;
    const base = letter === LOWER_V ? 256 : letter === LOWER_S ? 0 : this.file.ttmpBase;
    if (first + dwords > count) {
      const name = letter === LOWER_V ? 'v' : letter === LOWER_S ? 's' : 'ttmp';
      const written = this.cursor.text.slice(start, this.cursor.position);
      const range = `${this.target} has ${name}0…${name}${count - 1}`;
      this.fail(ASM.REGISTER_RANGE, `${written} is out of range: ${range}`, start, this.cursor.position);
      operand.code = base;
      return this.markBad();
    }
    operand.code = base + first;
    if (letter !== LOWER_V && dwords > 1) {
      const alignment = dwords === 2 ? 2 : 4;
      if (first % alignment !== 0) {
        const written = this.cursor.text.slice(start, this.cursor.position);
        const what = `${written} is misaligned: a group of ${dwords} scalar registers starts at a multiple of ${alignment}`;
        this.fail(ASM.REGISTER_RANGE, what, start, this.cursor.position);
        return this.markBad();
      }
    }
    return true;
  }

  /** Whether a register of this statement was refused; the statement then yields no code. */
  bad = false;

  private markBad(): true {
    this.bad = true;
    return true;
  }

  /** `v[4:7]`, `s[5]`. */
  private tuple(operand: Operand, letter: number, prefix: number): boolean {
    const cursor = this.cursor;
    const start = cursor.position;
    cursor.position += prefix + 1;
    const first = this.index();
    if (first < 0) return false;
    let last = first;
    if (cursor.accept(COLON)) {
      last = this.index();
      if (last < 0) return false;
    }
    if (!cursor.accept(CLOSE_BRACKET)) {
      const expected = last === first ? "expected ':' or ']', as in s[0:1]" : "expected ']'";
      return this.fail(ASM.SYNTAX, expected, cursor.position);
    }
    if (last < first) {
      return this.fail(
        ASM.REGISTER_RANGE,
        'the second register of a range is not below the first',
        start,
        cursor.position,
      );
    }
    const dwords = last - first + 1;
    if (!isTupleSize(dwords)) {
      const message = `no operand has ${dwords} registers (1 to 12, 16 or 32)`;
      return this.fail(ASM.REGISTER_RANGE, message, start, cursor.position);
    }
    return this.setRegister(operand, letter, first, dwords, start);
  }

  /** A register number in brackets: digits, or an expression that is known already. −1 after an error. */
  private index(): number {
    const cursor = this.cursor;
    cursor.skipBlanks();
    const text = cursor.text;
    let at = cursor.position;
    let value = 0;
    let c = text.charCodeAt(at);
    while (isDigit(c) && at - cursor.position < 6) {
      value = value * 10 + c - 48;
      c = text.charCodeAt(++at);
    }
    if (at > cursor.position && (c === COLON || c === CLOSE_BRACKET)) {
      cursor.position = at;
      return value;
    }
    const start = cursor.position;
    const known = this.absolute('a register number');
    if (known === undefined) return -1;
    if (known < 0 || known > 10_000) {
      this.fail(ASM.REGISTER_RANGE, `there is no register ${known}; a group is s[0:1]`, start, cursor.position);
      return -1;
    }
    return known;
  }

  /** `[v1, v5]` or `[s0,s1]`: single registers. */
  private list(operand: Operand): boolean {
    const cursor = this.cursor;
    const start = cursor.position;
    cursor.position++;
    operand.form = 'list';
    operand.writable = true;
    do {
      cursor.skipBlanks();
      const at = cursor.position;
      const c = cursor.peek();
      const isTtmp = c === LOWER_T && cursor.text.startsWith('ttmp', at);
      let found = false;
      if ((c === LOWER_V || c === LOWER_S) && isDigit(cursor.peekAt(1))) found = this.simpleRegister(operand, c, 1);
      else if (isTtmp && isDigit(cursor.peekAt(4))) found = this.simpleRegister(operand, c, 4);
      else {
        const word = cursor.peekWord();
        const named = this.file.named.get(word);
        if (named && named.dwords === 1) {
          cursor.position += word.length;
          operand.code = named.code;
          found = true;
        }
      }
      if (!found) return this.fail(ASM.SYNTAX, 'expected a single register', at, Math.max(cursor.position, at + 1));
      operand.list.push(operand.code);
      if (operand.list.length > 32)
        return this.fail(ASM.REGISTER_RANGE, 'too many registers in the list', start, cursor.position);
    } while (cursor.accept(COMMA));
    if (!cursor.accept(CLOSE_BRACKET)) {
      const isRange = cursor.peek() === COLON;
      const expected = isRange ? "expected ',' or ']': a group is written s[0:1]" : "expected ',' or ']'";
      return this.fail(ASM.SYNTAX, expected, cursor.position);
    }
    operand.form = 'list';
    operand.code = operand.list[0]!;
    operand.dwords = operand.list.length;
    return true;
  }

  private constant(operand: Operand, insideBars: boolean): boolean {
    const cursor = this.cursor;
    const start = cursor.position;
    let negative = false;
    if (cursor.peek() === MINUS) {
      cursor.position++;
      cursor.skipBlanks();
      negative = true;
    }
    const c = cursor.peek();
    if ((isDigit(c) || (c === DOT && isDigit(cursor.peekAt(1)))) && this.scanNumber(insideBars)) {
      if (this.isFloat) {
        operand.form = 'float';
        operand.value = negative ? -this.number : this.number;
        return true;
      }
      operand.form = 'integer';
      if (this.wide === undefined) operand.value = negative ? -this.number : this.number;
      else this.setInteger(operand, BigInt.asIntN(64, negative ? -this.wide : this.wide));
      return true;
    }
    cursor.position = start;
    const expression = this.expressions.parse(insideBars);
    if (!expression) return this.expressions.error!.start === start ? this.failOperand() : this.failExpression();
    this.setExpression(operand, expression);
    return true;
  }

  /** Where an operand should begin stands something that begins nothing. */
  private failOperand(): false {
    const { message, start, end } = this.expressions.error!;
    if (message !== NO_EXPRESSION) return this.failExpression();
    const isHash = this.cursor.text[start] === '#';
    const hint = isHash ? "; numbers are written without '#'" : ': a register, a number or a label';
    return this.fail(ASM.SYNTAX, `expected an operand${hint}`, start, end);
  }

  failExpression(): false {
    const error = this.expressions.error!;
    return this.fail(ASM.SYNTAX, error.message, error.start, error.end);
  }

  private setExpression(operand: Operand, expression: Expression): void {
    if (expression.kind === 'constant') {
      operand.form = 'integer';
      this.setInteger(operand, expression.value);
    } else {
      operand.form = 'expression';
      operand.expression = expression;
    }
  }

  private setInteger(operand: Operand, value: bigint): void {
    const number = Number(value);
    if (Number.isSafeInteger(number)) operand.value = number;
    else operand.wide = value;
  }

  /**
   * A number that stands alone: false when an operator or a letter follows, and the position is then undefined.
   * Sets `number` or `wide`, and `isFloat`.
   */
  private scanNumber(insideBars: boolean): boolean {
    const cursor = this.cursor;
    const text = cursor.text;
    const start = cursor.position;
    let at = start;
    let c = text.charCodeAt(at);
    const isHex = c === 48 && (text.charCodeAt(at + 1) | 32) === 120;
    this.isFloat = false;
    this.wide = undefined;
    let value = 0;
    if (isHex) {
      at += 2;
      c = text.charCodeAt(at);
      while (isHexDigit(c)) {
        value = value * 16 + (c <= 57 ? c - 48 : (c | 32) - 87);
        c = text.charCodeAt(++at);
      }
    } else {
      while (isDigit(c)) {
        value = value * 10 + c - 48;
        c = text.charCodeAt(++at);
      }
      if (text.charCodeAt(start) === 48 && at - start > 1 && c !== DOT) return false;
    }
    if (c === DOT || (!isHex && (c | 32) === 101) || (isHex && (c | 32) === 112)) {
      at = this.scanFloat(start, isHex);
      if (at < 0) return false;
      this.isFloat = true;
    } else if (isWordPart(c) || (isHex && at === start + 2)) return false;
    else if (value > Number.MAX_SAFE_INTEGER) {
      const wide = BigInt(text.slice(start, at));
      if (wide >= 1n << 64n) return false;
      this.wide = wide;
    } else this.number = value;
    cursor.position = at;
    return this.isFloat || !this.operatorFollows(insideBars);
  }

  /** End of a decimal or hexadecimal float that begins at `start`, or −1; sets `number`. */
  private scanFloat(start: number, isHex: boolean): number {
    const text = this.cursor.text;
    let at = isHex ? start + 2 : start;
    const digit = isHex ? isHexDigit : isDigit;
    let mantissa = 0;
    let scale = 1;
    while (digit(text.charCodeAt(at))) mantissa = mantissa * 16 + Number.parseInt(text[at++]!, 16);
    if (text.charCodeAt(at) === DOT) {
      at++;
      while (digit(text.charCodeAt(at))) {
        mantissa = mantissa * 16 + Number.parseInt(text[at++]!, 16);
        scale *= 16;
      }
    }
    const mark = text.charCodeAt(at) | 32;
    let exponent = 0;
    if (mark === (isHex ? 112 : 101)) {
      let end = at + 1;
      if (text[end] === '+' || text[end] === '-') end++;
      if (!isDigit(text.charCodeAt(end))) return -1;
      while (isDigit(text.charCodeAt(end))) end++;
      exponent = Number(text.slice(at + 1, end));
      at = end;
    } else if (isHex) return -1;
    if (isWordPart(text.charCodeAt(at))) return -1;
    this.number = isHex ? (mantissa / scale) * 2 ** exponent : Number(text.slice(start, at));
    return at;
  }

  private operatorFollows(insideBars: boolean): boolean {
    const cursor = this.cursor;
    cursor.skipBlanks();
    switch (cursor.peek()) {
      case 47: // '/': an operator unless it starts a comment
        return cursor.peekAt(1) !== 47;
      case BAR:
        return !insideBars;
      case 37:
      case 38:
      case 42:
      case 43:
      case MINUS:
      case 60:
      case 62:
      case 94:
        return true;
      case 33:
      case 61:
        return cursor.peekAt(1) === 61;
      default:
        return false;
    }
  }

  /** An expression whose value is known here, as a safe integer; undefined after a reported error. */
  absolute(what: string): number | undefined {
    const cursor = this.cursor;
    cursor.skipBlanks();
    const start = cursor.position;
    if (isDigit(cursor.peek()) && this.scanNumber(false) && !this.isFloat && this.wide === undefined)
      return this.number;
    cursor.position = start;
    const expression = this.expressions.parse();
    if (!expression) {
      this.failExpression();
      return undefined;
    }
    if (expression.kind !== 'constant') {
      const isRegister = expression.kind === 'symbol' && isRegisterName(expression.name);
      const instead = isRegister ? ', not a register' : ' that is known here, not a label or a later symbol';
      this.fail(ASM.SYMBOL, `expected ${what}${instead}`, start, cursor.position);
      return undefined;
    }
    const value = Number(expression.value);
    if (Number.isSafeInteger(value)) return value;
    this.fail(ASM.IMMEDIATE_RANGE, `${what} is out of range`, start, cursor.position);
    return undefined;
  }
}
