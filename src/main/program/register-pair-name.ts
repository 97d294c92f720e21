/** Names of scalar register pairs for messages and exports: s[14:15], vcc, exec, ttmp[0:1]. */
import { OPERAND } from '../isa/operands.ts';

export function registerPairName(code: number): string {
  if (code < 0) return 'null';
  switch (code) {
    case OPERAND.VCC_LO:
      return 'vcc';
    case OPERAND.EXEC_LO:
      return 'exec';
    case OPERAND.NULL:
      return 'null';
  }
  if (code >= OPERAND.TTMP0 && code < OPERAND.M0) return `ttmp[${code - OPERAND.TTMP0}:${code - OPERAND.TTMP0 + 1}]`;
  return code < OPERAND.VCC_LO ? `s[${code}:${code + 1}]` : `operand ${code}`;
}
