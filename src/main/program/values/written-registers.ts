/**
 * Registers that an instruction writes, one code per 32-bit register; SCC, VCC, EXEC and M0 included.
 * Widths that depend on the instruction (image data) are taken at their largest: forgetting too much is safe here.
 */
import type { WaveSize } from '../../base/dispatch.ts';
import type { Instruction } from '../../isa/instruction.ts';
import { KIND, kindDwords, type ParsedKind } from '../../isa/operand-kind.ts';
import { OPERAND } from '../../isa/operands.ts';
import { SHAPES } from '../../isa/shape.ts';

const MAX_IMAGE_DWORDS = 5;

export function forEachWritten(instruction: Instruction, waveSize: WaveSize, see: (code: number) => void): void {
  const shape = SHAPES[instruction.op]!;
  const { row } = shape;
  if (instruction.dst >= 0 && shape.dst.kind !== KIND.SCALAR) range(instruction.dst, dwords(shape.dst, waveSize), see);
  if (instruction.sdst >= 0) range(instruction.sdst, dwords(shape.sdst, waveSize) || waveSize / 32, see);
  if (row.writesSrc0) range(instruction.src0, dwords(shape.src0, waveSize), see);
  if (row.writesScc) see(OPERAND.SCC);
  if (row.writesVcc) range(OPERAND.VCC_LO, 2, see);
  if (row.writesExec) range(OPERAND.EXEC_LO, 2, see);
}

function dwords(kind: ParsedKind, waveSize: WaveSize): number {
  if (kind.kind === KIND.MASK) return waveSize / 32;
  if (kind.kind === KIND.IMAGE_DATA) return MAX_IMAGE_DWORDS;
  // Loads with tfe write one more register.
  return kindDwords(kind) + (kind.kind === KIND.VGPR ? 1 : 0);
}

function range(first: number, count: number, see: (code: number) => void): void {
  if (first === OPERAND.NULL) return;
  for (let i = 0; i < count; i++) see(first + i);
}
