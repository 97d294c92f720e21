/**
 * The instruction tables against llvm-mc: every row of gfx1013 and gfx1030 is disassembled by it with the same text and
 * the whole opcode space holds no other row; every row of gfx700 is assembled by it to the same words. Where the
 * reference opcode lists are beside the repository, the tables hold exactly their rows.
 */
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../src/main/base/dispatch.ts';
import { formatOn, MNEMONICS, type Mnemonic, opcodeOn, ROWS, TABLES } from '../../src/main/isa/index.ts';
import { checkTables } from '../../tools/isa/check-tables.ts';
import { sharedOpcodes } from '../../tools/isa/corpora.ts';
import { tableConflicts } from '../../tools/isa/judge.ts';
import { llvmMcAvailable } from '../../tools/isa/llvm-mc.ts';
import { haveShared } from '../support/tools.ts';

if (!llvmMcAvailable()) console.warn('skipped: llvm-mc-19 is not installed');

const haveLists = haveShared('data/isa/opcodes_gfx700.tsv');

/** Rows per target, counted in llvm-mc's opcode space. */
const ROW_COUNTS = { gfx700: 880, gfx1013: 1229, gfx1030: 1138 } as const;

describe('instruction tables', () => {
  it('give each opcode number to one row', () => {
    expect(tableConflicts()).toEqual([]);
  });

  it.skipIf(!llvmMcAvailable()).each(TARGETS)('agree with llvm-mc: %s', (target) => {
    const check = checkTables(target);
    expect(check.problems).toEqual([]);
    expect({ rows: check.rows, exercised: check.exercised, agreed: check.agreed }).toEqual({
      rows: ROW_COUNTS[target],
      exercised: ROW_COUNTS[target],
      agreed: ROW_COUNTS[target],
    });
  });

  it.skipIf(!haveLists).each(TARGETS)('hold the rows of the reference list: %s', (target) => {
    const listed = sharedOpcodes(target)!;
    const unknown = listed.filter(({ format, mnemonic }) => {
      if (format === 'EXP') return false;
      const row = TABLES[mnemonic as Mnemonic];
      return !row || opcodeOn(row, target) === undefined;
    });
    expect(unknown).toEqual([]);
    const names = new Set(listed.map((entry) => entry.mnemonic));
    const extra = MNEMONICS.filter((name, op) => opcodeOn(ROWS[op]!, target) !== undefined && !names.has(name));
    expect(extra).toEqual([]);
    // Promoted forms aside, the number is the row's.
    const numbers = listed.filter(({ format, opcode, mnemonic }) => {
      const row = TABLES[mnemonic as Mnemonic];
      return row && format === formatOn(row, target) && opcode !== opcodeOn(row, target);
    });
    expect(numbers.filter((entry) => entry.format !== 'EXP')).toEqual([]);
  });
});
