/** Names of registers by operand code, as the assembler and the command line spell them. */
import { isVgpr, OPERAND } from '../isa/operands.ts';

/** Scalars beside s0…; in wave32 the high halves of VCC and EXEC are ordinary registers. */
export const SPECIAL_REGISTERS = {
  vcc_lo: OPERAND.VCC_LO,
  vcc_hi: OPERAND.VCC_HI,
  m0: OPERAND.M0,
  exec_lo: OPERAND.EXEC_LO,
  exec_hi: OPERAND.EXEC_HI,
  scc: OPERAND.SCC,
} as const;

const NAMES = new Map<number, string>(Object.entries(SPECIAL_REGISTERS).map(([name, code]) => [code, name]));

export function registerName(code: number): string {
  return isVgpr(code) ? `v${code - OPERAND.VGPR0}` : (NAMES.get(code) ?? `s${code}`);
}
