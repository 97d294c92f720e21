/**
 * One operand as written, before it is matched against what the instruction takes. Records are reused from statement to
 * statement: nothing is allocated for registers and plain numbers.
 */
import type { Expression } from './expressions.ts';

export type OperandForm =
  | 'register'
  | 'integer'
  | 'float'
  | 'expression'
  | 'off'
  | 'list'
  /** Something only this instruction understands (hwreg(…), vmcnt(0), attr0.x); `value` holds the encoded field. */
  | 'special';

export class Operand {
  form: OperandForm = 'off';
  /** Register: code of its first dword, and how many; 0 dwords = fits 32 and 64 bits. */
  code = -1;
  dwords = 0;
  writable = false;
  /** Integer beyond 2^53 stay in `wide`. */
  value = 0;
  wide: bigint | undefined;
  expression: Expression | undefined;
  /** `[v1, v5, v9]`: codes; only the first `listLength` entries are meant. */
  readonly list: number[] = [];
  abs = false;
  neg = false;
  sext = false;
  /** Range in the text. */
  start = 0;
  end = 0;

  reset(start: number): void {
    this.form = 'off';
    this.code = -1;
    this.dwords = 0;
    this.writable = false;
    this.value = 0;
    this.wide = undefined;
    this.expression = undefined;
    // Setting the length costs even when nothing changes.
    if (this.list.length) this.list.length = 0;
    this.abs = false;
    this.neg = false;
    this.sext = false;
    this.start = start;
    this.end = start;
  }

  get isConstant(): boolean {
    return this.form === 'integer' || this.form === 'float' || this.form === 'expression';
  }

  get hasModifier(): boolean {
    return this.abs || this.neg || this.sext;
  }
}
