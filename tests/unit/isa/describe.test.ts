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
      expect(rows.every(({ mnemonic }) => describeInstruction(mnemonic, target, 64)!.summary !== '')).toBe(true);
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
    expect(those((e) => e.row.writesExec === true && !has(e, /EXEC|fork/))).toEqual([]);
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
      const masks = e.row.src.filter((kind) => kind === 'm').length;
      const onlyRead = e.row.dst[0]?.match(/^s\d/) ? 1 : 0;
      return sources(e) - masks + onlyRead;
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
    expect(describeInstruction('v_add_co_ci_u32', 'gfx1030', 64)).toMatchObject({
      encoding: 'VOP2 opcode 0x28',
      operands: [
        { name: 'D', text: 'VGPR: u32' },
        { name: 'D2', text: 'wave mask: one bit for each lane; VCC in this encoding' },
        { name: 'S0', text: 'VGPR, SGPR or constant: u32' },
        { name: 'S1', text: 'VGPR: u32' },
        { name: 'S2', text: 'wave mask: one bit for each lane; VCC in this encoding' },
      ],
      reads: ['EXEC'],
      targets: ['gfx1013', 'gfx1030'],
    });
    expect(describeInstruction('s_and_saveexec_b64', 'gfx700', 64)).toMatchObject({
      encoding: 'SOP1 opcode 0x24',
      reads: ['EXEC'],
      writes: ['EXEC', 'SCC'],
    });
    expect(describeInstruction('ds_add_u32', 'gfx700', 64)?.reads).toContain('M0');
    expect(describeInstruction('ds_add_u32', 'gfx1030', 64)?.reads).not.toContain('M0');
    expect(describeInstruction('s_call_b64', 'gfx700', 64)).toBeUndefined();
  });

  // By the encodings' fields in the manuals: nine bits take anything, eight a VGPR.
  it.each([
    ['v_add_f32', 'gfx1013', 'e32', ['VGPR, SGPR or constant', 'VGPR']],
    ['v_add_f32', 'gfx1013', 'e64', ['VGPR, SGPR or constant', 'VGPR, SGPR or constant']],
    ['v_add_f32', 'gfx1013', 'sdwa', ['VGPR, SGPR or constant', 'VGPR, SGPR or constant']],
    ['v_add_f32', 'gfx1013', 'dpp16', ['VGPR', 'VGPR']],
    ['v_bfm_b32', 'gfx700', 'e32', ['VGPR, SGPR or constant', 'VGPR']],
    ['v_bfm_b32', 'gfx700', 'e64', ['VGPR, SGPR or constant', 'VGPR, SGPR or constant']],
    ['v_bfm_b32', 'gfx1013', 'e64', ['VGPR, SGPR or constant', 'VGPR, SGPR or constant']],
  ] as const)('%s on %s in %s: what its sources take', (mnemonic, target, encoding, places) => {
    const { operands } = describeInstruction(mnemonic, target, 64, encoding)!;
    const sources = operands.filter(({ name }) => name.startsWith('S'));
    expect(sources.map(({ text }) => text.slice(0, text.indexOf(':')))).toEqual(places);
  });

  // Written from LLVM's and the manuals' syntax.
  it.each([
    ['v_add_f32', 'gfx1030', 32, 'e32', 'v_add_f32_e32 D, S0, S1', '4 bytes, 8 with a literal'],
    ['v_add_f32', 'gfx1030', 32, 'e64', 'v_add_f32_e64 D, S0, S1 [clamp] [mul] [div]', '8 bytes, 12 with a literal'],
    ['v_add_f32', 'gfx700', 64, 'e64', 'v_add_f32_e64 D, S0, S1 [clamp] [mul] [div]', '8 bytes'],
    [
      'v_add_co_ci_u32',
      'gfx1030',
      32,
      'e32',
      'v_add_co_ci_u32_e32 D, vcc_lo, S0, S1, vcc_lo',
      '4 bytes, 8 with a literal',
    ],
    [
      'v_add_co_ci_u32',
      'gfx1030',
      64,
      'e64',
      'v_add_co_ci_u32_e64 D, D2, S0, S1, S2 [clamp]',
      '8 bytes, 12 with a literal',
    ],
    ['v_cmp_lt_f32', 'gfx1013', 64, 'e32', 'v_cmp_lt_f32_e32 vcc, S0, S1', '4 bytes, 8 with a literal'],
    ['v_cmpx_lt_f32', 'gfx1013', 64, 'e32', 'v_cmpx_lt_f32_e32 S0, S1', '4 bytes, 8 with a literal'],
    ['v_cmpx_lt_f32', 'gfx700', 64, 'e64', 'v_cmpx_lt_f32_e64 D, S0, S1', '8 bytes'],
    ['v_madmk_f32', 'gfx1013', 32, 'e32', 'v_madmk_f32 D, S0, S1, S2', '8 bytes, with its literal'],
    ['v_interp_p1_f32', 'gfx1013', 32, 'plain', 'v_interp_p1_f32_e32 D, S0, attribute', '4 bytes'],
    ['v_mov_b32', 'gfx1013', 32, 'dpp8', 'v_mov_b32_dpp D, S0 dpp8:[…] [fi]', '8 bytes'],
    ['s_setreg_b32', 'gfx1013', 32, 'plain', 's_setreg_b32 hwreg(…), S0', '4 bytes'],
    ['s_store_dword', 'gfx1013', 32, 'plain', 's_store_dword S2, S0, S1 [glc] [dlc] [offset]', '8 bytes'],
    ['s_load_dword', 'gfx700', 64, 'plain', 's_load_dword D, S0, S1', '4 bytes, 8 with a literal'],
    ['flat_atomic_add', 'gfx700', 64, 'plain', 'flat_atomic_add [D], S0, S1 [glc] [slc]', '8 bytes'],
    [
      'image_store',
      'gfx700',
      64,
      'plain',
      'image_store S3, S0, S1 [glc] [slc] [tfe] [lwe] [unorm] [da] [r128] [dmask]',
      '8 bytes',
    ],
  ] as const)('%s on %s, wave%i, %s', (mnemonic, target, waveSize, encoding, syntax, size) => {
    expect(describeInstruction(mnemonic, target, waveSize, encoding)).toMatchObject({ syntax, size });
  });

  it('name every operand in the syntax, and no other', () => {
    const wrong: string[] = [];
    for (const target of TARGETS) {
      for (const { mnemonic, row } of all) {
        const told = opcodeOn(row, target) === undefined ? undefined : describeInstruction(mnemonic, target, 64);
        if (!told) continue;
        const written = new Set(told.syntax.replace(/^\S+/, '').match(/\b(D2|D|S[0-3])\b/g));
        // What VCC is in this encoding is written as vcc; what an atomic returns, over its data.
        const names = told.operands.filter(({ text }) => !text.includes('VCC in this')).map(({ name }) => name);
        const returned = row.memory === 'atomic' && !written.has('D') ? ['D'] : [];
        const expected = new Set(names.filter((name) => !returned.includes(name)));
        if ([...written].sort().join() !== [...expected].sort().join()) wrong.push(`${target} ${told.syntax}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('name what is only read a source', () => {
    expect(describeInstruction('s_cmpk_eq_i32', 'gfx1013', 64)?.operands.map((o) => o.name)).toEqual(['S0']);
  });
});
