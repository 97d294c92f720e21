/**
 * Registers that instructions read and write without naming them, against LLVM's lists (implicit-registers/, made by
 * tools/isa/implicit-registers/make.ts): what LLVM has, we visit; what we visit beyond that, the text names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TARGETS, type Target } from '../../src/main/base/dispatch.ts';
import {
  decodeInstruction,
  describeInstruction,
  type Encoding,
  forEachDef,
  forEachUse,
  Instruction,
  isGfx7,
  MNEMONICS,
  type Mnemonic,
  OPERAND,
  opcodeOn,
  printInstruction,
  ROWS,
} from '../../src/main/isa/index.ts';
import { samples } from '../../tools/isa/samples.ts';
import { ROOT } from '../support/tools.ts';

interface Lists {
  readonly uses: ReadonlySet<string>;
  readonly defs: ReadonlySet<string>;
}

function recorded(target: Target): ReadonlyMap<string, Lists> {
  const text = readFileSync(join(ROOT, 'tests/conformance/implicit-registers', `${target}.tsv`), 'utf8');
  const lines = text.trimEnd().split('\n').slice(1);
  const names = (list: string | undefined) => new Set(list?.split(' ').filter(Boolean));
  return new Map(
    lines.map((line) => {
      const [mnemonic, encoding, uses, defs] = line.split('\t');
      return [`${mnemonic} ${encoding}`, { uses: names(uses), defs: names(defs) }];
    }),
  );
}

function nameOf(code: number, target: Target): string | undefined {
  switch (code) {
    case OPERAND.SCC:
      return 'SCC';
    case OPERAND.VCC_LO:
      return 'VCC';
    case OPERAND.EXEC_LO:
      return 'EXEC';
    case OPERAND.M0:
      return 'M0';
    case OPERAND.FLAT_SCRATCH_LO_GFX7:
      return isGfx7(target) ? 'FLAT_SCR' : undefined;
    default:
      return undefined;
  }
}

/** Differences that are right, with their reason. */
const KNOWN: readonly (readonly [difference: string, which: RegExp, targets: RegExp, reason: string])[] = [
  ['llvm uses M0', /^ds_/, /gfx10/, 'LDS needs no limit in M0 from gfx9 on; LLVM keeps the list of the older encoding'],
  [
    'llvm uses FLAT_SCR',
    /^(flat|scratch|s_scratch)_/,
    /gfx10/,
    'a hardware register on gfx10, reached by s_setreg only',
  ],
  ['we use EXEC', /^v_(movrelsd_2|swaprel)_b32/, /gfx10/, 'vector moves write active lanes only; LLVM lacks it here'],
  ['we def SCC', /^s_quadmask_b(32|64)/, /gfx/, 'manual: SCC = result is not zero; LLVM lacks it'],
  ['llvm uses EXEC', /^s_sendmsg(halt)?/, /gfx/, 'LLVM orders messages behind changes of EXEC; the value is not read'],
  ['we use EXEC', /^s_cbranch_[gi]_fork/, /gfx700/, 'manual: forks split EXEC; LLVM only assembles them'],
  ['we def EXEC', /^s_cbranch_([gi]_fork|join)/, /gfx700/, 'manual: forks split EXEC; LLVM only assembles them'],
  ['llvm defs VCC', /^v_cmp_class_f(16|32) sdwa/, /gfx10/, 'names its destination; LLVM lists VCC besides'],
  ['llvm defs SCC', /^s_setvskip/, /gfx700/, 'in the family of compares, but it writes VSKIP instead'],
];

function visited(inst: Instruction, target: Target): Lists {
  const waveSize = isGfx7(target) ? 64 : 32;
  const collect = (visit: typeof forEachUse) => {
    const names = new Set<string>();
    visit(inst, waveSize, target, (code) => {
      const name = nameOf(code, target);
      if (name) names.add(name);
    });
    return names;
  };
  return { uses: collect(forEachUse), defs: collect(forEachDef) };
}

/** Is the register written in the text? `vcc_lo` and `vcc` are VCC. */
function isNamed(text: string, register: string): boolean {
  const name = register === 'FLAT_SCR' ? 'flat_scratch' : register.toLowerCase();
  return new RegExp(`\\b${name}(_lo)?\\b`).test(text);
}

function differences(ours: Lists, llvm: Lists, text: string): string[] {
  const missing = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((name) => !b.has(name));
  const unnamed = (names: string[]) => names.filter((name) => !isNamed(text, name));
  return [
    ...missing(llvm.uses, ours.uses).map((name) => `llvm uses ${name}`),
    ...missing(llvm.defs, ours.defs).map((name) => `llvm defs ${name}`),
    ...unnamed(missing(ours.uses, llvm.uses)).map((name) => `we use ${name}`),
    ...unnamed(missing(ours.defs, llvm.defs)).map((name) => `we def ${name}`),
  ];
}

const usedReasons = new Set<number>();

/** What the hover tells, under LLVM's names: registers that its text does not name in this encoding. */
function told(mnemonic: Mnemonic, encoding: Encoding, target: Target): Lists {
  const { reads, writes, operands } = describeInstruction(mnemonic, target, isGfx7(target) ? 64 : 32, encoding)!;
  const isRegister = (name: string) => /^(SCC|VCC|EXEC|M0|FLAT_SCRATCH)$/.test(name);
  const names = (list: readonly string[]) => list.filter(isRegister).map((name) => name.replace('SCRATCH', 'SCR'));
  const implied = (destinations: boolean) =>
    operands.some(({ name, text }) => text.includes('VCC in this') && name.startsWith('D') === destinations);
  return {
    uses: new Set([...names(reads), ...(implied(false) ? ['VCC'] : [])]),
    defs: new Set([...names(writes), ...(implied(true) ? ['VCC'] : [])]),
  };
}

function knownReason(difference: string, key: string, target: Target): number {
  return KNOWN.findIndex(([what, which, targets]) => what === difference && which.test(key) && targets.test(target));
}

describe('implicit registers are those of LLVM', () => {
  it.each(TARGETS)('%s', (target) => {
    const lists = recorded(target);
    const inst = new Instruction();
    const seen = new Set<string>();
    const wrong: string[] = [];
    for (const { op, encoding, words } of samples(target)) {
      const key = `${MNEMONICS[op]} ${encoding}`;
      const llvm = lists.get(key);
      if (!llvm || seen.has(key)) continue;
      seen.add(key);
      decodeInstruction(target, words, 0, inst);
      const text = printInstruction(inst, { target, waveSize: isGfx7(target) ? 64 : 32 });
      for (const difference of differences(visited(inst, target), llvm, text)) {
        const reason = knownReason(difference, key, target);
        if (reason < 0) wrong.push(`${key}: ${difference}`);
        else usedReasons.add(reason);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBe(lists.size);
    // Every row in some encoding.
    const rows = new Set([...seen].map((key) => key.slice(0, key.indexOf(' '))));
    const without = MNEMONICS.filter((name, op) => opcodeOn(ROWS[op]!, target) !== undefined && !rows.has(name));
    expect(without).toEqual([]);
  });

  it.each(TARGETS)('hovers: %s', (target) => {
    const wrong: string[] = [];
    for (const [key, llvm] of recorded(target)) {
      const [mnemonic, encoding] = key.split(' ') as [Mnemonic, Encoding];
      const all = differences(told(mnemonic, encoding, target), llvm, '');
      for (const difference of all) {
        const reason = knownReason(difference, key, target);
        if (reason < 0) wrong.push(`${key}: ${difference}`);
        else usedReasons.add(reason);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('every exception is needed', () => {
    expect([...usedReasons].sort()).toEqual(KNOWN.map((_, index) => index));
  });
});
