/**
 * One lowering per mnemonic. A mnemonic without one does not compile; one that is not supported says why.
 */
import { EXP as EXP_ROWS } from '../../isa/tables/exp.ts';
import { MNEMONICS, type Mnemonic } from '../../isa/tables/index.ts';
import { MIMG as MIMG_ROWS } from '../../isa/tables/mimg.ts';
import { BUFFER, TYPED_BUFFER } from './buffer.ts';
import { CROSS_LANE } from './cross-lane.ts';
import { FLAT } from './flat.ts';
import { HARDWARE_REGISTERS } from './hardware-registers.ts';
import { LDS } from './lds.ts';
import { type Entry, unsupported } from './lowering.ts';
import { PROGRAM_CONTROL } from './program-control.ts';
import { SCALAR_RELATIVE, VECTOR_RELATIVE } from './relative-moves.ts';
import { SALU } from './salu.ts';
import { SALU_COMPARE } from './salu-compare.ts';
import { SALU_EXEC } from './salu-exec.ts';
import { SMEM } from './smem.ts';
import { VALU_APPROXIMATE } from './valu-approximate.ts';
import { VALU_COMPARE } from './valu-compare.ts';
import { VALU_CONVERT } from './valu-convert.ts';
import { VALU_FLOAT } from './valu-float.ts';
import { VALU_INT } from './valu-int.ts';
import { VALU_PACKED } from './valu-packed.ts';

function refuseAll<Name extends string>(rows: Readonly<Record<Name, unknown>>, reason: string): Record<Name, Entry> {
  return Object.fromEntries(Object.keys(rows).map((name) => [name, unsupported(reason)])) as Record<Name, Entry>;
}

export const LOWERINGS: Readonly<Record<Mnemonic, Entry>> = {
  ...SALU,
  ...SALU_COMPARE,
  ...SALU_EXEC,
  ...HARDWARE_REGISTERS,
  ...PROGRAM_CONTROL,
  ...SMEM,
  ...SCALAR_RELATIVE,
  ...VECTOR_RELATIVE,
  ...VALU_INT,
  ...VALU_COMPARE,
  ...VALU_FLOAT,
  ...VALU_CONVERT,
  ...VALU_APPROXIMATE,
  ...VALU_PACKED,
  ...CROSS_LANE,
  ...LDS,
  ...BUFFER,
  ...TYPED_BUFFER,
  ...FLAT,
  ...refuseAll(MIMG_ROWS, 'image instructions are not compiled yet'),
  ...refuseAll(EXP_ROWS, 'exports belong to graphics stages'),
};

/** By `Instruction.op`. */
export const LOWERING_BY_OP: readonly Entry[] = MNEMONICS.map((name) => LOWERINGS[name]);
