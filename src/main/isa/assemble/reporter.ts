/**
 * Collects the assembler's diagnostics with line and column. Codes are stable: one per kind of mistake, so that an
 * editor can offer help for it; the message says what was expected.
 */
import { atLine, type Diagnostic, type DiagnosticKind, diagnostic } from '../../base/diagnostics.ts';
import type { Cursor } from './cursor.ts';

export const ASM = {
  SYNTAX: 'ASM001',
  UNKNOWN_MNEMONIC: 'ASM002',
  WRONG_TARGET: 'ASM003',
  OPERAND_KIND: 'ASM004',
  REGISTER_RANGE: 'ASM005',
  SCALAR_LIMIT: 'ASM006',
  IMMEDIATE_RANGE: 'ASM007',
  OPERAND_COUNT: 'ASM008',
  MODIFIER: 'ASM009',
  SYMBOL: 'ASM010',
  DIRECTIVE: 'ASM011',
  ENCODING_SUFFIX: 'ASM012',
  LITERAL: 'ASM013',
  BRANCH_RANGE: 'ASM014',
  COMBINATION: 'ASM015',
  ALIGNMENT: 'ASM016',
  TOO_MANY: 'ASM017',
  WARNING_SIZE: 'ASM101',
  WARNING_OTHER_ENCODING: 'ASM102',
  WARNING_VALUE: 'ASM103',
} as const;

/** After this many errors the rest of the text is not read: a binary file must not yield a million messages. */
const MAX_ERRORS = 1000;

export class Reporter {
  readonly diagnostics: Diagnostic[] = [];
  private readonly cursor: Cursor;
  private readonly file: string | undefined;
  errorCount = 0;

  constructor(cursor: Cursor, file: string | undefined) {
    this.cursor = cursor;
    this.file = file;
  }

  /** `start` and `end` are offsets in the text, on the current line unless `line` says otherwise. */
  error(code: string, message: string, start: number, end: number): void {
    this.add(code, 'badInput', message, this.cursor.line, this.cursor.columnOf(start), this.lengthOf(start, end));
  }

  warning(code: string, message: string, start: number, end: number): void {
    this.add(code, 'warning', message, this.cursor.line, this.cursor.columnOf(start), this.lengthOf(start, end));
  }

  /** Without the blanks and comments behind: numbers look past them for an operator. */
  private lengthOf(start: number, end: number): number {
    let written = this.cursor.text.slice(start, end).trimEnd();
    while (written.endsWith('*/')) {
      const comment = written.lastIndexOf('/*');
      if (comment < 0) break;
      written = written.slice(0, comment).trimEnd();
    }
    return written.length;
  }

  add(code: string, kind: DiagnosticKind, message: string, line: number, column: number, length: number): void {
    if (kind === 'badInput') {
      if (this.errorCount >= MAX_ERRORS) return;
      this.errorCount++;
    }
    this.diagnostics.push(diagnostic(code, kind, message, atLine(line, column, Math.max(length, 1), this.file)));
    if (this.errorCount === MAX_ERRORS && kind === 'badInput') {
      const text = `${MAX_ERRORS} errors; the rest of the text was not read`;
      this.diagnostics.push(diagnostic(ASM.TOO_MANY, 'badInput', text, atLine(line, column, 1, this.file)));
    }
  }

  get full(): boolean {
    return this.errorCount >= MAX_ERRORS;
  }
}
