/**
 * Every mnemonic of the instruction tables with its handler, or with the reason why the reference does not execute it.
 *
 * The record is complete by type: a row of the tables that no class file handles does not compile.
 */
import { MNEMONICS, type Mnemonic } from '../isa/tables/index.ts';
import { MIMG } from '../isa/tables/mimg.ts';
import { BRANCH } from './branch.ts';
import { BUFFER_MEMORY } from './buffer-memory.ts';
import { CROSS_LANE } from './cross-lane.ts';
import { FLAT_MEMORY } from './flat-memory.ts';
import { type Handler, isUnsupported, type Unsupported, unsupported } from './handler.ts';
import { LDS_ATOMIC } from './lds-atomic.ts';
import { LDS_MEMORY } from './lds-memory.ts';
import { MEMORY_ATOMIC } from './memory-atomic.ts';
import { PROGRAM_CONTROL } from './program-control.ts';
import { SALU_32 } from './salu-32.ts';
import { SALU_64 } from './salu-64.ts';
import { SALU_COMPARE } from './salu-compare.ts';
import { SALU_EXEC } from './salu-exec.ts';
import { SALU_REGISTERS } from './salu-registers.ts';
import { SMEM_MEMORY } from './smem.ts';
import { VALU_APPROXIMATE } from './valu-approximate.ts';
import { VALU_BYTES } from './valu-bytes.ts';
import { VALU_CARRY } from './valu-carry.ts';
import { VALU_COMPARE_INT } from './valu-compare.ts';
import { VALU_CONVERT } from './valu-convert.ts';
import { VALU_DOUBLE } from './valu-double.ts';
import { VALU_FLOAT } from './valu-float.ts';
import { VALU_COMPARE_FLOAT } from './valu-float-compare.ts';
import { VALU_HALF } from './valu-half.ts';
import { VALU_INT } from './valu-int.ts';
import { VALU_INT_16 } from './valu-int-16.ts';
import { VALU_INT_64 } from './valu-int-64.ts';
import { VALU_MOVE } from './valu-move.ts';
import { VALU_PACKED } from './valu-packed.ts';

const image = unsupported('images and samplers are not modelled');
const interpolation = unsupported('interpolation needs a pixel shader wave');

const IMAGES = Object.fromEntries(Object.keys(MIMG).map((name) => [name, image])) as Record<
  keyof typeof MIMG,
  Unsupported
>;

export const HANDLERS: Readonly<Record<Mnemonic, Handler | Unsupported>> = {
  ...BRANCH,
  ...PROGRAM_CONTROL,
  ...SALU_32,
  ...SALU_64,
  ...SALU_COMPARE,
  ...SALU_EXEC,
  ...SALU_REGISTERS,
  ...SMEM_MEMORY,
  ...VALU_INT,
  ...VALU_INT_16,
  ...VALU_INT_64,
  ...VALU_BYTES,
  ...VALU_CARRY,
  ...VALU_MOVE,
  ...VALU_COMPARE_INT,
  ...VALU_COMPARE_FLOAT,
  ...VALU_FLOAT,
  ...VALU_DOUBLE,
  ...VALU_HALF,
  ...VALU_CONVERT,
  ...VALU_APPROXIMATE,
  ...VALU_PACKED,
  ...CROSS_LANE,
  ...LDS_MEMORY,
  ...LDS_ATOMIC,
  ...BUFFER_MEMORY,
  ...FLAT_MEMORY,
  ...MEMORY_ATOMIC,
  ...IMAGES,
  v_interp_p1_f32: interpolation,
  v_interp_p2_f32: interpolation,
  v_interp_mov_f32: interpolation,
  v_interp_p1ll_f16: interpolation,
  v_interp_p1lv_f16: interpolation,
  v_interp_p2_f16: interpolation,
  exp: unsupported('exports need a graphics wave'),
};

function stopsWith(reason: string): Handler {
  return (wave, inst) => wave.machine.unsupported(wave, inst.mnemonic, reason);
}

/** By `Instruction.op`. Unsupported rows stop the wave with their reason. */
export const HANDLER_BY_OP: readonly Handler[] = MNEMONICS.map((name) => {
  const entry = HANDLERS[name];
  return isUnsupported(entry) ? stopsWith(entry.unsupported) : entry;
});
