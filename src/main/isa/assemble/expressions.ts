/**
 * Expressions of the assembler: parsed once, evaluated at once when they are absolute, at the end of the text otherwise.
 *
 * Values are 64-bit integers in two's complement (bigint). Operators and precedence are those of LLVM's assembler
 * (GNU's order: `*` `/` `%` `<<` `>>`, then `|` `^` `&`, then `+` `-`, then comparisons, `&&`, `||`; a comparison that
 * holds yields −1, shifts to the right are logical).
 *
 * A symbol set to a constant before its use counts as that constant. Labels and symbols that are not set yet make the
 * expression *deferred*: in an instruction it then takes a full literal, so that sizes never depend on what follows.
 */
import { type Cursor, isDigit, isHexDigit, isWordPart, isWordStart } from './cursor.ts';

export type SymbolVariant = 'none' | 'rel32lo' | 'rel32hi' | 'abs32lo' | 'abs32hi';

export type UnaryOperator = '-' | '+' | '~' | '!';
export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '<<'
  | '>>'
  | '|'
  | '^'
  | '&'
  | '+'
  | '-'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&&'
  | '||';

export type Expression =
  | { readonly kind: 'constant'; readonly value: bigint }
  /** `name` of a label or symbol; `offset` is where it stands in the text. */
  | { readonly kind: 'symbol'; readonly name: string; readonly variant: SymbolVariant; readonly offset: number }
  /** `.`: the address of the statement. */
  | { readonly kind: 'here'; readonly address: bigint }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression; readonly depth: number }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly depth: number;
    };

/** What a symbol is known as; an `expression` symbol (`.set x, label+4`) stays symbolic until the end. */
export type SymbolValue =
  | { readonly kind: 'constant'; readonly value: bigint }
  | { readonly kind: 'label'; readonly address: bigint }
  | { readonly kind: 'expression'; readonly expression: Expression };

export interface ExpressionError {
  readonly message: string;
  /** Range in the text. */
  readonly start: number;
  readonly end: number;
}

/** What expressions need to know of the assembly; `resolve` gives undefined for symbols that are not (yet) known. */
export interface SymbolScope {
  readonly here: bigint;
  /** `1b`, `1f` → the internal name of the local label. */
  localLabel(number: number, direction: 'b' | 'f'): string;
  resolve(name: string): SymbolValue | undefined;
}

/** Deep nesting, in the text or through symbols, is refused rather than followed into the host's stack. */
const MAX_DEPTH = 64;
const MAX_TREE_DEPTH = 256;
const MAX_VISIT_DEPTH = 1000;
/** Nodes that one evaluation may visit: symbols that double each other grow exponentially. */
const MAX_STEPS = 20_000;

function depthOf(node: Expression): number {
  return node.kind === 'unary' || node.kind === 'binary' ? node.depth : 0;
}

const UNDERSCORE_AT = 64;

/** The error of a text in which no expression begins. */
export const NO_EXPRESSION = 'expected an expression';

function precedence(operator: BinaryOperator): number {
  switch (operator) {
    case '||':
      return 1;
    case '&&':
      return 2;
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return 3;
    case '+':
    case '-':
      return 4;
    case '|':
    case '^':
    case '&':
      return 5;
    case '*':
    case '/':
    case '%':
    case '<<':
    case '>>':
      return 6;
  }
}

/** The operator at the position and its length, or undefined. `;` never belongs to one. */
function binaryOperatorAt(cursor: Cursor): { operator: BinaryOperator; length: number } | undefined {
  const c = cursor.text[cursor.position];
  const next = cursor.text[cursor.position + 1];
  switch (c) {
    case '*':
    case '%':
    case '^':
    case '+':
    case '-':
      return { operator: c, length: 1 };
    case '/':
      return next === '/' ? undefined : { operator: '/', length: 1 };
    case '|':
      return next === '|' ? { operator: '||', length: 2 } : { operator: '|', length: 1 };
    case '&':
      return next === '&' ? { operator: '&&', length: 2 } : { operator: '&', length: 1 };
    case '=':
      return next === '=' ? { operator: '==', length: 2 } : undefined;
    case '!':
      return next === '=' ? { operator: '!=', length: 2 } : undefined;
    case '<':
      if (next === '<') return { operator: '<<', length: 2 };
      if (next === '>') return { operator: '!=', length: 2 };
      return next === '=' ? { operator: '<=', length: 2 } : { operator: '<', length: 1 };
    case '>':
      if (next === '>') return { operator: '>>', length: 2 };
      return next === '=' ? { operator: '>=', length: 2 } : { operator: '>', length: 1 };
    default:
      return undefined;
  }
}

export class ExpressionParser {
  private readonly cursor: Cursor;
  private readonly scope: SymbolScope;
  /** `|` ends the expression (inside `|…|`). */
  private stopAtBar = false;
  error: ExpressionError | undefined;

  constructor(cursor: Cursor, scope: SymbolScope) {
    this.cursor = cursor;
    this.scope = scope;
  }

  /** Undefined on a syntax error, which `error` then describes. */
  parse(stopAtBar = false): Expression | undefined {
    this.error = undefined;
    this.stopAtBar = stopAtBar;
    return this.binary(1, 0);
  }

  private fail(message: string, start = this.cursor.position, end = start + 1): undefined {
    this.error ??= { message, start, end };
    return undefined;
  }

  private binary(minimum: number, depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return this.fail('expression is nested too deeply');
    let left = this.unary(depth);
    while (left) {
      this.cursor.skipBlanks();
      const found = binaryOperatorAt(this.cursor);
      if (!found || precedence(found.operator) < minimum) return left;
      if (this.stopAtBar && (found.operator === '|' || found.operator === '||')) return left;
      this.cursor.position += found.length;
      const right = this.binary(precedence(found.operator) + 1, depth + 1);
      if (!right) return undefined;
      const tree: number = 1 + Math.max(depthOf(left), depthOf(right));
      if (tree > MAX_TREE_DEPTH) return this.fail('expression is nested too deeply');
      left = fold({ kind: 'binary', operator: found.operator, left, right, depth: tree });
    }
    return undefined;
  }

  private unary(depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return this.fail('expression is nested too deeply');
    const cursor = this.cursor;
    cursor.skipBlanks();
    const c = cursor.text[cursor.position];
    if (c === '-' || c === '+' || c === '~' || c === '!') {
      cursor.position++;
      const operand = this.unary(depth + 1);
      if (!operand) return undefined;
      const tree = 1 + depthOf(operand);
      if (tree > MAX_TREE_DEPTH) return this.fail('expression is nested too deeply');
      return fold({ kind: 'unary', operator: c, operand, depth: tree });
    }
    if (c === '(') {
      cursor.position++;
      const outer = this.stopAtBar;
      this.stopAtBar = false;
      const inner = this.binary(1, depth + 1);
      this.stopAtBar = outer;
      if (!inner) return undefined;
      if (!cursor.accept(41)) return this.fail("expected ')'");
      return inner;
    }
    return this.primary();
  }

  private primary(): Expression | undefined {
    const cursor = this.cursor;
    const start = cursor.position;
    const c = cursor.peek();
    if (isDigit(c)) return this.number();
    if (c === 39) return this.character();
    if (!isWordStart(c)) return this.fail(NO_EXPRESSION);
    const name = cursor.word();
    if (name === '.') return { kind: 'here', address: this.scope.here };
    if (cursor.peek() === UNDERSCORE_AT) return this.variant(name, start);
    return this.symbol(name, start);
  }

  private symbol(name: string, offset: number): Expression {
    const value = this.scope.resolve(name);
    if (value?.kind === 'constant') return value;
    if (value?.kind === 'expression') return value.expression;
    return { kind: 'symbol', name, variant: 'none', offset };
  }

  /** `name@rel32@lo` and its siblings. */
  private variant(name: string, start: number): Expression | undefined {
    const cursor = this.cursor;
    const at = cursor.position;
    let end = at;
    while (cursor.text[end] === '@' || isWordPart(cursor.text.charCodeAt(end))) end++;
    cursor.position = end;
    switch (cursor.text.slice(at, end)) {
      case '@rel32@lo':
        return { kind: 'symbol', name, variant: 'rel32lo', offset: start };
      case '@rel32@hi':
        return { kind: 'symbol', name, variant: 'rel32hi', offset: start };
      case '@abs32@lo':
        return { kind: 'symbol', name, variant: 'abs32lo', offset: start };
      case '@abs32@hi':
        return { kind: 'symbol', name, variant: 'abs32hi', offset: start };
      default:
        return this.fail('expected @rel32@lo, @rel32@hi, @abs32@lo or @abs32@hi', at, end);
    }
  }

  private number(): Expression | undefined {
    const cursor = this.cursor;
    const text = cursor.text;
    const start = cursor.position;
    let end = start;
    while (isWordPart(text.charCodeAt(end))) end++;
    const word = text.slice(start, end);
    const direction = word[word.length - 1];
    if (word.length < 8 && (direction === 'b' || direction === 'f') && isDecimal(word, word.length - 1)) {
      cursor.position = end;
      const name = this.scope.localLabel(Number(word.slice(0, -1)), direction);
      return { kind: 'symbol', name, variant: 'none', offset: start };
    }
    const value = parseIntegerWord(word);
    if (value === undefined) return this.fail(`'${word}' is not a number`, start, end);
    if (value >= 1n << 64n) return this.fail('number does not fit 64 bits', start, end);
    cursor.position = end;
    return { kind: 'constant', value: BigInt.asIntN(64, value) };
  }

  private character(): Expression | undefined {
    const text = this.cursor.text;
    const start = this.cursor.position;
    const escaped = text[start + 1] === '\\';
    const at = escaped ? start + 2 : start + 1;
    const c = text.charCodeAt(at);
    if (text[at + 1] !== "'" || Number.isNaN(c) || c === 10 || c > 127) {
      return this.fail('expected a character constant', start, start + 2);
    }
    this.cursor.position = at + 2;
    const escapes: Record<string, number> = { n: 10, t: 9, r: 13, '0': 0, b: 8, f: 12 };
    return { kind: 'constant', value: BigInt(escaped ? (escapes[text[at]!] ?? c) : c) };
  }
}

function isDecimal(word: string, length: number): boolean {
  if (length === 0) return false;
  for (let i = 0; i < length; i++) if (!isDigit(word.charCodeAt(i))) return false;
  return true;
}

/** Decimal, 0x, 0b and octal with a leading 0, as LLVM reads them; undefined when the word is none of these. */
function parseIntegerWord(word: string): bigint | undefined {
  if (word[0] === '0' && word.length > 1) {
    const mark = word[1]!;
    if (mark === 'x' || mark === 'X') {
      if (word.length === 2) return undefined;
      for (let i = 2; i < word.length; i++) if (!isHexDigit(word.charCodeAt(i))) return undefined;
      return BigInt(word);
    }
    if (mark === 'b' || mark === 'B') return /^0[bB][01]+$/.test(word) ? BigInt(word) : undefined;
    return /^[0-7]+$/.test(word) ? BigInt(`0o${word}`) : undefined;
  }
  return isDecimal(word, word.length) && word.length <= 24 ? BigInt(word) : undefined;
}

function fold(node: Expression): Expression {
  if (node.kind === 'unary' && node.operand.kind === 'constant') {
    return { kind: 'constant', value: applyUnary(node.operator, node.operand.value) };
  }
  if (node.kind === 'binary' && node.left.kind === 'constant' && node.right.kind === 'constant') {
    const value = applyBinary(node.operator, node.left.value, node.right.value);
    if (value !== undefined) return { kind: 'constant', value };
  }
  return node;
}

function applyUnary(operator: UnaryOperator, value: bigint): bigint {
  switch (operator) {
    case '-':
      return BigInt.asIntN(64, -value);
    case '+':
      return value;
    case '~':
      return BigInt.asIntN(64, ~value);
    case '!':
      return value === 0n ? 1n : 0n;
  }
}

/** Undefined on division by zero. */
function applyBinary(operator: BinaryOperator, a: bigint, b: bigint): bigint | undefined {
  const holds = (condition: boolean): bigint => (condition ? -1n : 0n);
  switch (operator) {
    case '*':
      return BigInt.asIntN(64, a * b);
    case '/':
      return b === 0n ? undefined : BigInt.asIntN(64, a / b);
    case '%':
      return b === 0n ? undefined : a % b;
    case '<<':
      return b < 0n || b > 63n ? 0n : BigInt.asIntN(64, a << b);
    case '>>':
      return b < 0n || b > 63n ? 0n : BigInt.asIntN(64, BigInt.asUintN(64, a) >> b);
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '+':
      return BigInt.asIntN(64, a + b);
    case '-':
      return BigInt.asIntN(64, a - b);
    case '==':
      return holds(a === b);
    case '!=':
      return holds(a !== b);
    case '<':
      return holds(a < b);
    case '<=':
      return holds(a <= b);
    case '>':
      return holds(a > b);
    case '>=':
      return holds(a >= b);
    case '&&':
      return a !== 0n && b !== 0n ? 1n : 0n;
    case '||':
      return a !== 0n || b !== 0n ? 1n : 0n;
  }
}

export type EvaluationFailure = 'undefined' | 'division' | 'cycle' | 'size';

export type Evaluation =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly reason: EvaluationFailure; readonly name: string };

type Resolve = (name: string) => SymbolValue | undefined;

/** The value with all symbols that `resolve` knows; labels count as their addresses. */
export function evaluate(node: Expression, resolve: Resolve): Evaluation {
  return visit(node, resolve, { steps: MAX_STEPS, depth: 0 });
}

interface Budget {
  steps: number;
  depth: number;
}

function visit(node: Expression, resolve: Resolve, budget: Budget): Evaluation {
  if (budget.depth > MAX_VISIT_DEPTH) return { ok: false, reason: 'cycle', name: '' };
  budget.depth++;
  const result = visitNode(node, resolve, budget);
  budget.depth--;
  return result;
}

function visitNode(node: Expression, resolve: Resolve, budget: Budget): Evaluation {
  if (budget.steps-- <= 0) return { ok: false, reason: 'size', name: '' };
  switch (node.kind) {
    case 'constant':
      return { ok: true, value: node.value };
    case 'here':
      return { ok: true, value: node.address };
    case 'symbol': {
      const value = resolve(node.name);
      if (!value) return { ok: false, reason: 'undefined', name: node.name };
      if (value.kind === 'constant') return { ok: true, value: value.value };
      if (value.kind === 'label') return { ok: true, value: value.address };
      const result = visit(value.expression, resolve, budget);
      return !result.ok && result.reason === 'cycle' ? { ...result, name: node.name } : result;
    }
    case 'unary': {
      const operand = visit(node.operand, resolve, budget);
      return operand.ok ? { ok: true, value: applyUnary(node.operator, operand.value) } : operand;
    }
    case 'binary': {
      const left = visit(node.left, resolve, budget);
      if (!left.ok) return left;
      const right = visit(node.right, resolve, budget);
      if (!right.ok) return right;
      const value = applyBinary(node.operator, left.value, right.value);
      return value === undefined ? { ok: false, reason: 'division', name: '' } : { ok: true, value };
    }
  }
}

/**
 * Whether LLVM takes a literal of this form relative to its own position: a plain label or a @rel32 symbol, also with
 * something added; never a difference. Symbols that turn out to be constants are not relative.
 */
export function isPcRelative(node: Expression, resolve: (name: string) => SymbolValue | undefined): boolean {
  switch (node.kind) {
    case 'constant':
      return false;
    case 'here':
      return true;
    case 'symbol': {
      if (node.variant === 'abs32lo' || node.variant === 'abs32hi') return false;
      const value = resolve(node.name);
      if (value?.kind === 'expression') return isPcRelative(value.expression, resolve);
      return value?.kind !== 'constant';
    }
    case 'unary':
      return isPcRelative(node.operand, resolve);
    case 'binary':
      if (node.operator === '-') return false;
      return isPcRelative(node.left, resolve) || isPcRelative(node.right, resolve);
  }
}

/** Whether the expression takes the upper 32 bits of its value (@rel32@hi, @abs32@hi). */
export function takesHighHalf(node: Expression): boolean {
  switch (node.kind) {
    case 'symbol':
      return node.variant === 'rel32hi' || node.variant === 'abs32hi';
    case 'unary':
      return takesHighHalf(node.operand);
    case 'binary':
      return takesHighHalf(node.left) || takesHighHalf(node.right);
    case 'constant':
    case 'here':
      return false;
  }
}
