/**
 * Registers that an instruction defines and uses, the implicit ones included, straight from its row.
 *
 * Codes are operand codes: VGPR n is 256 + n, SCC is 253, VCC 106, EXEC 126, M0 124; wave masks cover one dword in wave32
 * and two in wave64. Constants are not visited; `src_vccz`, `src_execz` and `src_scc` count as uses of VCC, EXEC and SCC.
 *
 * A use means "old contents matter": a partial write (16-bit results on gfx10, SDWA preserve, DPP lanes that may be
 * disabled) uses its destination. Lanes switched off by EXEC also keep their old value; that is said by the use of EXEC
 * alone. Registers addressed relative to M0 are visited by the number in the instruction; `Row.relative` warns of them.
 */
import type { Target, WaveSize } from '../base/dispatch.ts';
import { bufferAddressDwords } from './decode/memory.ts';
import { imageTuples, longestAddressDwords } from './image-operands.ts';
import { FLAG, type Format, type Instruction } from './instruction.ts';
import { KIND, type ParsedKind } from './operand-kind.ts';
import { OPERAND } from './operands.ts';
import type { Row } from './row.ts';
import { type Shape, shapeOf } from './shape.ts';
import { isGfx7 } from './tables/index.ts';

export type VisitRegister = (code: number, dwords: number) => void;

const FULL_MASK = 15;

/** Dwords of a wave mask. */
function maskDwords(waveSize: WaveSize, target: Target): number {
  return isGfx7(target) ? 2 : waveSize / 32;
}

function isVectorFormat(format: Format): boolean {
  switch (format) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
    case 'SOPK':
    case 'SOPP':
    case 'SMEM':
    case 'SMRD':
      return false;
    default:
      return true;
  }
}

/** Does executing the row depend on EXEC? Vector instructions do unless their row says otherwise. */
export function rowReadsExec(row: Row, format: Format): boolean {
  return row.readsExec === true || (isVectorFormat(format) && !row.ignoresExec);
}

export function readsExec(inst: Instruction): boolean {
  return rowReadsExec(shapeOf(inst.op).row, inst.format);
}

/**
 * gfx7's encoding does not tell the number of coordinates, so the address is taken as long as it can be there.
 */
function longestAddressGfx7(inst: Instruction, shape: Shape): number {
  return Math.min(longestAddressDwords(shape), 512 - inst.src0);
}

function imageDwords(inst: Instruction, shape: Shape): number {
  const data = inst.src3 >= 0 ? inst.src3 : inst.dst;
  return imageTuples(inst, shape, inst.sizeDwords - 2, data - 256, inst.src0 - 256);
}

/** Registers that `dst` covers, 0 when there is none. */
export function destinationDwords(inst: Instruction, waveSize: WaveSize, target: Target): number {
  if (inst.dst < 0) return 0;
  const shape = shapeOf(inst.op);
  switch (shape.dst.kind) {
    case KIND.MASK:
      return maskDwords(waveSize, target);
    case KIND.IMAGE_DATA:
      return imageDwords(inst, shape) >>> 8;
    default:
      if (inst.format === 'MIMG') return imageDwords(inst, shape) >>> 8;
      return shape.dstDwords + (inst.flags & FLAG.TFE ? 1 : 0);
  }
}

/** Registers that source `index` covers as far as it is a register, 0 when the slot is empty. */
export function sourceDwords(inst: Instruction, index: number, waveSize: WaveSize, target: Target): number {
  const shape = shapeOf(inst.op);
  const kind = sourceKind(shape, index);
  const code = sourceCode(inst, index);
  if (code < 0) return 0;
  switch (kind.kind) {
    case KIND.NONE:
    case KIND.LITERAL:
    case KIND.IMMEDIATE:
      return 0;
    case KIND.MASK:
      return maskDwords(waveSize, target);
    case KIND.VECTOR_ADDRESS:
      return vectorAddressDwords(inst, shape, target);
    case KIND.SCALAR_ADDRESS:
      return inst.format === 'GLOBAL' ? 2 : 1;
    case KIND.IMAGE_DATA:
      return imageDwords(inst, shape) >>> 8;
    default: {
      const isStoreData = index === 3 && (inst.format === 'MUBUF' || inst.format === 'MTBUF');
      return Math.max(1, Math.ceil(kind.width / 32)) + (isStoreData && inst.flags & FLAG.TFE ? 1 : 0);
    }
  }
}

function vectorAddressDwords(inst: Instruction, shape: Shape, target: Target): number {
  switch (inst.format) {
    case 'MIMG':
      // NSA lists name their registers one by one.
      if (isGfx7(target)) return longestAddressGfx7(inst, shape);
      return inst.nsa.length ? 1 : imageDwords(inst, shape) & 0xff;
    case 'MUBUF':
    case 'MTBUF':
      return bufferAddressDwords(inst.flags);
    case 'GLOBAL':
      return inst.src2 >= 0 ? 1 : 2;
    case 'SCRATCH':
      return 1;
    default:
      return 2;
  }
}

function sourceKind(shape: Shape, index: number): ParsedKind {
  return index === 0 ? shape.src0 : index === 1 ? shape.src1 : index === 2 ? shape.src2 : shape.src3;
}

function sourceCode(inst: Instruction, index: number): number {
  return index === 0 ? inst.src0 : index === 1 ? inst.src1 : index === 2 ? inst.src2 : inst.src3;
}

/** SOPK compares, waits and s_setreg name a register in `dst` that they only read. */
function dstIsSource(shape: Shape): boolean {
  return shape.dst.kind === KIND.SCALAR || shape.dst.kind === KIND.REGISTER;
}

function visitWritten(code: number, dwords: number, visit: VisitRegister): void {
  if (dwords > 0 && code >= 0 && code !== OPERAND.NULL) visit(code, dwords);
}

export function forEachDef(inst: Instruction, waveSize: WaveSize, target: Target, visit: VisitRegister): void {
  const shape = shapeOf(inst.op);
  const { row } = shape;
  const mask = maskDwords(waveSize, target);
  if (!dstIsSource(shape)) visitWritten(inst.dst, destinationDwords(inst, waveSize, target), visit);
  if (inst.sdst >= 0) visitWritten(inst.sdst, mask, visit);
  if (row.writesSrc0) visitWritten(inst.src0, shape.src0Dwords, visit);
  if (row.writesScc) visit(OPERAND.SCC, 1);
  if (row.writesVcc) visit(OPERAND.VCC_LO, mask);
  if (row.writesExec && inst.dst !== OPERAND.EXEC_LO) visit(OPERAND.EXEC_LO, execDwords(shape, mask));
}

/** s_and_saveexec_b32 and its kin touch one dword whatever the wave size; the others the whole mask. */
function execDwords(shape: Shape, mask: number): number {
  return shape.format === 'SOP1' && shape.dstDwords ? shape.dstDwords : mask;
}

/** Does the destination keep part of what it held? */
function writesPartly(inst: Instruction, shape: Shape, target: Target): boolean {
  if (shape.row.readsDst) return true;
  switch (inst.encoding) {
    case 'sdwa':
      return shape.dst.kind === KIND.VGPR && inst.dstUnused === 2;
    case 'dpp16':
      if (inst.rowMask !== FULL_MASK || inst.bankMask !== FULL_MASK || !(inst.flags & FLAG.BOUND_CTRL)) return true;
      break;
    default:
  }
  const isAlu = inst.encoding !== 'plain';
  return isAlu && shape.dst.kind === KIND.VGPR && shape.dst.width === 16 && !isGfx7(target);
}

function visitSource(code: number, dwords: number, mask: number, visit: VisitRegister): void {
  switch (code) {
    case OPERAND.NONE:
    case OPERAND.NULL:
    case OPERAND.LITERAL:
      return;
    case OPERAND.VCCZ:
      visit(OPERAND.VCC_LO, mask);
      return;
    case OPERAND.EXECZ:
      visit(OPERAND.EXEC_LO, mask);
      return;
    case OPERAND.SCC:
      visit(OPERAND.SCC, 1);
      return;
    case OPERAND.LDS_DIRECT:
      visit(OPERAND.M0, 1);
      return;
  }
  if (code >= 128 && code < 256) return;
  visit(code, dwords);
}

export function forEachUse(inst: Instruction, waveSize: WaveSize, target: Target, visit: VisitRegister): void {
  const shape = shapeOf(inst.op);
  const { row } = shape;
  const gfx7 = isGfx7(target);
  const mask = maskDwords(waveSize, target);
  for (let index = 0; index < 4; index++) {
    const dwords = sourceDwords(inst, index, waveSize, target);
    if (dwords) visitSource(sourceCode(inst, index), dwords, mask, visit);
  }
  for (const code of inst.nsa) visit(code, 1);
  if (dstIsSource(shape)) visitSource(inst.dst, shape.dstDwords, mask, visit);
  else if (inst.dst >= 0 && writesPartly(inst, shape, target)) {
    visitWritten(inst.dst, destinationDwords(inst, waveSize, target), visit);
  }
  if (row.readsScc) visit(OPERAND.SCC, 1);
  if (row.readsVcc) visit(OPERAND.VCC_LO, mask);
  if (readsExec(inst)) visit(OPERAND.EXEC_LO, isVectorFormat(inst.format) ? mask : execDwords(shape, mask));
  const { flags } = inst;
  if (row.readsM0 === true || (row.readsM0 === 'gfx7' && gfx7) || flags & (FLAG.GDS | FLAG.LDS)) visit(OPERAND.M0, 1);
  if (gfx7 && inst.format === 'FLAT') visit(OPERAND.FLAT_SCRATCH_LO_GFX7, 2);
}
