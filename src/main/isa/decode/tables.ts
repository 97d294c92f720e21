/**
 * Tables of a target: encoding family by the leading bits, and opcode number → dense mnemonic number per family (dense
 * typed arrays, −1 where no row exists). VOP1, VOP2, VOPC and VINTRP rows appear in `vop3` too, at their promoted numbers.
 */
import type { Target } from '../../base/dispatch.ts';
import type { Format } from '../instruction.ts';
import { formatOn, isGfx7, MNEMONICS, opcodeOn, ROWS } from '../tables/index.ts';
import { familiesByPrefix } from './families.ts';
import { Traits } from './traits.ts';

export interface OpcodeTables {
  readonly gfx7: boolean;
  /** RDNA 2: scratch accesses with neither a vector nor a scalar address (SADDR 0x7f). */
  readonly scratchWithoutAddress: boolean;
  readonly sop1: Int16Array;
  readonly sop2: Int16Array;
  readonly sopc: Int16Array;
  readonly sopk: Int16Array;
  readonly sopp: Int16Array;
  readonly smem: Int16Array;
  readonly vop1: Int16Array;
  readonly vop2: Int16Array;
  readonly vopc: Int16Array;
  readonly vop3: Int16Array;
  readonly vop3p: Int16Array;
  readonly vintrp: Int16Array;
  readonly ds: Int16Array;
  readonly mubuf: Int16Array;
  readonly mtbuf: Int16Array;
  readonly mimg: Int16Array;
  readonly flat: Int16Array;
  readonly global: Int16Array;
  readonly scratch: Int16Array;
  /** Dense numbers of single rows. */
  readonly exp: number;
  readonly vNop: number;
  /** Family of each row on this target. */
  readonly formats: readonly Format[];
  /** Encoding family by the first nine bits of an instruction. */
  readonly families: Uint8Array;
  readonly traits: Traits;
}

function emptyTable(size: number): Int16Array {
  return new Int16Array(size).fill(-1);
}

/** What is added to a VOP1, VOP2, VOPC or VINTRP opcode number when it is encoded as VOP3. */
export const VOP3_BASE: Readonly<Partial<Record<Format, number>>> = {
  VOPC: 0,
  VOP2: 0x100,
  VOP1: 0x180,
  VINTRP: 0x200,
};

function buildTables(target: Target): OpcodeTables {
  const gfx7 = isGfx7(target);
  const formats = ROWS.map((row) => formatOn(row, target));
  const tables = {
    gfx7,
    scratchWithoutAddress: target === 'gfx1030',
    sop1: emptyTable(256),
    sop2: emptyTable(128),
    sopc: emptyTable(128),
    sopk: emptyTable(32),
    sopp: emptyTable(128),
    smem: emptyTable(256),
    vop1: emptyTable(256),
    vop2: emptyTable(64),
    vopc: emptyTable(256),
    vop3: emptyTable(1024),
    vop3p: emptyTable(128),
    vintrp: emptyTable(4),
    ds: emptyTable(256),
    mubuf: emptyTable(256),
    mtbuf: emptyTable(16),
    mimg: emptyTable(256),
    flat: emptyTable(128),
    global: emptyTable(128),
    scratch: emptyTable(128),
    exp: MNEMONICS.indexOf('exp'),
    vNop: MNEMONICS.indexOf('v_nop'),
    formats,
    families: familiesByPrefix(gfx7),
    traits: new Traits(gfx7, formats),
  };
  const byFormat: Readonly<Record<Format, Int16Array | undefined>> = {
    SOP1: tables.sop1,
    SOP2: tables.sop2,
    SOPC: tables.sopc,
    SOPK: tables.sopk,
    SOPP: tables.sopp,
    SMEM: tables.smem,
    SMRD: tables.smem,
    VOP1: tables.vop1,
    VOP2: tables.vop2,
    VOPC: tables.vopc,
    VOP3: tables.vop3,
    VOP3B: tables.vop3,
    VOP3P: tables.vop3p,
    VINTRP: tables.vintrp,
    DS: tables.ds,
    MUBUF: tables.mubuf,
    MTBUF: tables.mtbuf,
    MIMG: tables.mimg,
    FLAT: tables.flat,
    GLOBAL: tables.global,
    SCRATCH: tables.scratch,
    EXP: undefined,
  };
  ROWS.forEach((row, op) => {
    const opcode = opcodeOn(row, target);
    if (opcode === undefined) return;
    const format = formatOn(row, target);
    const table = byFormat[format];
    if (table) table[opcode] = op;
    const base = VOP3_BASE[format];
    const promoted = base !== undefined && !row.no?.includes('e64') && !(gfx7 && format === 'VINTRP');
    if (promoted) tables.vop3[base + opcode] = op;
  });
  return tables;
}

const built = new Map<Target, OpcodeTables>();
let lastTarget: Target | undefined;
let lastTables: OpcodeTables | undefined;

export function opcodeTables(target: Target): OpcodeTables {
  // Runs of code have one target.
  if (target === lastTarget && lastTables) return lastTables;
  let tables = built.get(target);
  if (!tables) {
    tables = buildTables(target);
    built.set(target, tables);
  }
  lastTarget = target;
  lastTables = tables;
  return tables;
}
