/**
 * All rows by mnemonic, and the dense numbering that jump tables, decode and coverage use.
 *
 * `MNEMONICS[op]` and `ROWS[op]` are indexed by `Instruction.op`; the numbering follows the order of the tables and is
 * not stable between versions, so it is never stored in a file.
 */
import type { Target } from '../../base/dispatch.ts';
import type { Format } from '../instruction.ts';
import type { Row } from '../row.ts';
import { DS } from './ds.ts';
import { EXP } from './exp.ts';
import { FLAT } from './flat.ts';
import { GLOBAL } from './global.ts';
import { MIMG } from './mimg.ts';
import { MTBUF } from './mtbuf.ts';
import { MUBUF } from './mubuf.ts';
import { SCRATCH } from './scratch.ts';
import { SMEM } from './smem.ts';
import { SOP1 } from './sop1.ts';
import { SOP2 } from './sop2.ts';
import { SOPC } from './sopc.ts';
import { SOPK } from './sopk.ts';
import { SOPP } from './sopp.ts';
import { VINTRP } from './vintrp.ts';
import { VOP1 } from './vop1.ts';
import { VOP2 } from './vop2.ts';
import { VOP3 } from './vop3.ts';
import { VOP3P } from './vop3p.ts';
import { VOPC } from './vopc.ts';

const FAMILIES = [
  SOP1,
  SOP2,
  SOPC,
  SOPK,
  SOPP,
  SMEM,
  VOP1,
  VOP2,
  VOPC,
  VOP3,
  VOP3P,
  VINTRP,
  DS,
  MUBUF,
  MTBUF,
  MIMG,
  FLAT,
  GLOBAL,
  SCRATCH,
  EXP,
] as const;

type KeysOfEach<Family> = Family extends unknown ? keyof Family : never;
export type Mnemonic = KeysOfEach<(typeof FAMILIES)[number]>;

const numbers = new Map<string, number>();
const mnemonics: Mnemonic[] = [];
const rows: Row[] = [];
// Filled one by one, because an object literal of so many spreads takes longer to make than everything else here.
const byMnemonic: Record<string, Row> = Object.create(null);
for (const family of FAMILIES as readonly Readonly<Record<string, Row>>[]) {
  for (const name in family) {
    numbers.set(name, rows.length);
    mnemonics.push(name as Mnemonic);
    rows.push(family[name]!);
    byMnemonic[name] = family[name]!;
  }
}

export const TABLES = byMnemonic as Readonly<Record<Mnemonic, Row>>;
/** Dense number → mnemonic. */
export const MNEMONICS: readonly Mnemonic[] = mnemonics;
/** Dense number → row. */
export const ROWS: readonly Row[] = rows;

/** Dense number of a mnemonic (without encoding suffix), or undefined when no generation has it. */
export function mnemonicNumber(name: string): number | undefined {
  return numbers.get(name);
}

export function isMnemonic(name: string): name is Mnemonic {
  return numbers.has(name);
}

export function isGfx7(target: Target): boolean {
  return target === 'gfx700';
}

/** The row's opcode number within `formatOn(row, target)`, or undefined when the target lacks the instruction. */
export function opcodeOn(row: Row, target: Target): number | undefined {
  if (isGfx7(target)) return row.op.gfx7;
  if (row.targets && !row.targets.includes(target)) return undefined;
  return row.op.gfx10;
}

/** The encoding family in which `opcodeOn` counts: some rows are VOP2 on gfx7 and VOP3 on gfx10, SMEM is SMRD on gfx7. */
export function formatOn(row: Row, target: Target): Format {
  if (!isGfx7(target)) return row.format;
  return row.formatGfx7 ?? (row.format === 'SMEM' ? 'SMRD' : row.format);
}
