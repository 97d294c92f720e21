/**
 * Hovers: every instruction has a sentence, and the sentence fits its row (which check-tables compares with llvm-mc):
 * a register that one of them names, the other has too. The examples are from the RDNA 2 manual, by hand.
 */
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../../src/main/base/dispatch.ts';
import { describeInstruction, MNEMONICS, opcodeOn, summaryOf, TABLES } from '../../../src/main/isa/index.ts';

const all = MNEMONICS.map((mnemonic) => ({ mnemonic, row: TABLES[mnemonic], summary: summaryOf(mnemonic) ?? '' }));
type Entry = (typeof all)[number];

/** Names of entries for which `wrong` holds. */
const those = (wrong: (entry: Entry) => boolean): string[] => all.filter(wrong).map(({ mnemonic }) => mnemonic);

const has = ({ summary }: Entry, word: RegExp): boolean => word.test(summary);
const sources = ({ row }: Entry): number => row.src.filter((kind) => kind !== '-').length;

describe('summaries', () => {
  it('exist for every row of every target', () => {
    expect(those(({ summary }) => !/^[A-ZM].*\.$/s.test(summary))).toEqual([]);
    for (const target of TARGETS) {
      const rows = all.filter(({ row }) => opcodeOn(row, target) !== undefined);
      expect(rows.every(({ mnemonic }) => describeInstruction(mnemonic, target)!.summary !== '')).toBe(true);
    }
  });

  it('say that SCC is written where it is, and only there', () => {
    const scalar = all.filter(({ mnemonic }) => mnemonic.startsWith('s_'));
    const told = scalar.filter((e) => has(e, /SCC = (?!0\.|1\.)/)).map(({ mnemonic }) => mnemonic);
    expect(told).toEqual(scalar.filter(({ row }) => row.writesScc).map(({ mnemonic }) => mnemonic));
  });

  it('say that SCC is read where it is', () => {
    expect(those((e) => e.row.readsScc === true && !has(e, /SCC/))).toEqual([]);
  });

  it('say that EXEC is written where it is', () => {
    expect(those((e) => e.row.writesExec === true && !has(e, /EXEC|fork|lanes|mask/))).toEqual([]);
    expect(those((e) => has(e, /(?<!\()EXEC =|EXEC gets/) && e.row.writesExec !== true)).toEqual([]);
  });

  it('name the mask where a lane mask is an operand or VCC is implicit', () => {
    const masks = ({ row }: Entry): boolean =>
      row.dst.includes('m') || row.src.includes('m') || row.readsVcc === true || row.writesVcc === true;
    expect(those((e) => e.mnemonic.startsWith('v_') && masks(e) !== has(e, /mask(?! of)/))).toEqual([]);
  });

  it('name M0 only where it is read', () => {
    expect(those((e) => has(e, /M0/) && !e.row.readsM0 && e.row.relative === undefined)).toEqual([]);
    expect(those((e) => e.row.relative !== undefined && !has(e, /M0/))).toEqual([]);
  });

  it('of ALU instructions name as many sources as there are', () => {
    const alu = (e: Entry): boolean => /^(valu|salu)/.test(e.row.class) && e.row.class !== 'valu-compare';
    const named = (e: Entry): number => new Set(e.summary.match(/\bS[0-2]\b/g)).size;
    const expected = (e: Entry): number => {
      const literals = e.row.src.filter((kind) => kind.startsWith('k')).length;
      const masks = e.row.src.filter((kind) => kind === 'm').length;
      const onlyRead = e.row.dst[0]?.match(/^s\d/) ? 1 : 0;
      return sources(e) - literals - masks + onlyRead;
    };
    expect(those((e) => alu(e) && named(e) !== expected(e))).toEqual([]);
  });

  it('say that old contents of the destination matter where they do', () => {
    const alu = (e: Entry): boolean => /^v_(mac|fmac|dot\dc|pk_fmac)/.test(e.mnemonic);
    expect(those((e) => alu(e) && !(e.row.readsDst && has(e, /\+ D|D \+/)))).toEqual([]);
  });

  it('tell width, sign and relation of comparisons', () => {
    expect(summaryOf('v_cmp_nlt_f32')).toMatch(/not S0 < S1 \(so also for a NaN\); 32 bits, float/);
    expect(summaryOf('v_cmp_gt_u64')).toMatch(/S0 > S1; 64 bits, unsigned/);
    expect(summaryOf('v_cmpx_eq_i16')).toMatch(/S0 = S1; 16 bits, signed.*EXEC/);
  });

  it('are not the same for different operations of one kind', () => {
    const byText = new Map<string, Set<string>>();
    for (const { mnemonic, summary } of all) {
      const stem = mnemonic.replace(/(_[biuf]\d+)+$/, '');
      byText.set(summary, (byText.get(summary) ?? new Set()).add(stem));
    }
    const shared = [...byText.values()].filter((stems) => stems.size > 1).map((stems) => [...stems].join(' '));
    // The scalar and the vector unit's instruction for the same thing, and old and new names of one operation.
    const same =
      /^(s_\w+ v_\w+|s_gl1_inv buffer_gl1_inv|v_nop ds_nop|v_(add|sub|subrev) v_(add|sub|subrev)_co|v_\w+_co_ci v_(addc|subb|subbrev))$/;
    expect(shared.filter((stems) => !same.test(stems))).toEqual([]);
  });
});

describe('descriptions', () => {
  it('tell operands, encoding and implicit registers', () => {
    expect(describeInstruction('v_add_co_ci_u32', 'gfx1030')).toMatchObject({
      encoding: 'VOP2 opcode 0x28',
      operands: [
        { name: 'D', text: 'VGPR: u32' },
        { name: 'D2', text: 'wave mask: one bit for each lane' },
        { name: 'S0', text: 'VGPR, SGPR or constant: u32' },
        { name: 'S1', text: 'VGPR: u32' },
        { name: 'S2', text: 'wave mask: one bit for each lane' },
      ],
      reads: ['EXEC'],
      targets: ['gfx1013', 'gfx1030'],
    });
    expect(describeInstruction('s_and_saveexec_b64', 'gfx700')).toMatchObject({
      encoding: 'SOP1 opcode 0x24',
      reads: ['EXEC'],
      writes: ['EXEC', 'SCC'],
    });
    expect(describeInstruction('ds_add_u32', 'gfx700')?.reads).toContain('M0');
    expect(describeInstruction('ds_add_u32', 'gfx1030')?.reads).not.toContain('M0');
    expect(describeInstruction('s_call_b64', 'gfx700')).toBeUndefined();
  });

  it('name what is only read a source', () => {
    expect(describeInstruction('s_cmpk_eq_i32', 'gfx1013')?.operands.map((o) => o.name)).toEqual(['S0']);
  });
});
