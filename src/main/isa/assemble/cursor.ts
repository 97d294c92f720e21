/**
 * A position in the source text, and the scanning of blanks, words and numbers. There is no token list: the assembler
 * reads characters in place, since what a word means depends on the instruction (`glc` may be a modifier or a label).
 *
 * Lexical rules are LLVM's for AMDGPU: `;` and `//` start a comment, so does `#` at the start of a line; block comments
 * may span lines without ending the statement; a line is one statement. Words keep their case (`V0` is no register).
 */
const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const SLASH = 47;
const SEMICOLON = 59;
const STAR = 42;

/** Bits of CLASS: 1 may start a word, 2 may continue one, 4 decimal digit, 8 hexadecimal digit. */
const CLASS = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const letter = (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
  const digit = c >= 48 && c <= 57;
  const lower = c | 32;
  if (letter || c === 95 || c === 46 || c === 36) CLASS[c]! |= 3;
  if (digit) CLASS[c]! |= 2 | 4 | 8;
  if (letter && lower >= 97 && lower <= 102) CLASS[c]! |= 8;
}

export function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

export function isWordStart(c: number): boolean {
  return c < 128 && (CLASS[c]! & 1) !== 0;
}

export function isWordPart(c: number): boolean {
  return c < 128 && (CLASS[c]! & 2) !== 0;
}

export function isHexDigit(c: number): boolean {
  return c < 128 && (CLASS[c]! & 8) !== 0;
}

export class Cursor {
  readonly text: string;
  position = 0;
  /** Line of `position`, from 1, and where it begins. */
  line = 1;
  lineStart = 0;
  /** Where a block comment begins that the text does not close. */
  openComment: { readonly line: number; readonly column: number } | undefined;
  /** Newlines before this offset are counted already: a parser may go back over a block comment. */
  private counted = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Skips spaces, tabs and block comments. Stays before a newline, a line comment or the end. */
  skipBlanks(): void {
    const text = this.text;
    for (;;) {
      const c = text.charCodeAt(this.position);
      if (c === SPACE || c === TAB || c === RETURN) this.position++;
      else if (c === SLASH && text.charCodeAt(this.position + 1) === STAR) this.skipBlockComment();
      else return;
    }
  }

  private skipBlockComment(): void {
    const close = this.text.indexOf('*/', this.position + 2);
    if (close < 0) this.openComment ??= { line: this.line, column: this.columnOf(this.position) };
    const end = close < 0 ? this.text.length : close + 2;
    for (let i = this.position; i < end; i++) {
      if (this.text.charCodeAt(i) === NEWLINE) this.startLine(i + 1);
    }
    this.position = end;
  }

  private startLine(at: number): void {
    if (at <= this.counted) return;
    this.counted = at;
    this.line++;
    this.lineStart = at;
  }

  /** The character at the position, or −1 at the end of the text. */
  peek(): number {
    return this.position < this.text.length ? this.text.charCodeAt(this.position) : -1;
  }

  peekAt(distance: number): number {
    const at = this.position + distance;
    return at < this.text.length ? this.text.charCodeAt(at) : -1;
  }

  /** Whether nothing but a comment follows on the line. */
  atStatementEnd(): boolean {
    this.skipBlanks();
    const c = this.peek();
    return c === -1 || c === NEWLINE || c === SEMICOLON || (c === SLASH && this.peekAt(1) === SLASH);
  }

  atTextEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** To the beginning of the next line. */
  skipLine(): void {
    const newline = this.text.indexOf('\n', this.position);
    this.position = newline < 0 ? this.text.length : newline + 1;
    if (newline >= 0) this.startLine(this.position);
  }

  /** Consumes `c` after blanks. */
  accept(c: number): boolean {
    this.skipBlanks();
    if (this.peek() !== c) return false;
    this.position++;
    return true;
  }

  /** The word at the position, '' if there is none; blanks are not skipped. */
  word(): string {
    const text = this.text;
    const start = this.position;
    if (!isWordStart(text.charCodeAt(start))) return '';
    let at = start + 1;
    while (isWordPart(text.charCodeAt(at))) at++;
    this.position = at;
    return text.slice(start, at);
  }

  /** The word at the position without consuming it. */
  peekWord(): string {
    const at = this.position;
    const word = this.word();
    this.position = at;
    return word;
  }

  /** Column of a text offset on the current line, from 1. */
  columnOf(offset: number): number {
    return offset >= this.lineStart ? offset - this.lineStart + 1 : 1;
  }
}
