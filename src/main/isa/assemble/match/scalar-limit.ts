/**
 * The constant bus: a vector instruction reads at most one (gfx7) or two (gfx10) different scalar values, the literal
 * included; 64-bit shifts on gfx10 read one. Implicit reads (VCC of v_cndmask and of carries, VCC of v_div_fmas, M0 of
 * v_movrel) count. A register and a pair that begins with it are different values; `null` is none.
 *
 * Source: RDNA 1 ISA manual, "vector ALU operands"; Sea Islands manual, same section; agreement with llvm-mc.
 */
import { OPERAND } from '../../operands.ts';
import type { Operand } from '../operand.ts';
import { ASM } from '../reporter.ts';
import type { MatchContext } from './context.ts';

const ONE_VALUE_GFX10: ReadonlySet<string> = new Set(['v_lshlrev_b64', 'v_lshrrev_b64', 'v_ashrrev_i64']);

function isScalarValue(code: number): boolean {
  if (code < 0 || code >= 256 || code === OPERAND.NULL || code === OPERAND.LDS_DIRECT) return false;
  return (
    code <= 127 ||
    (code >= OPERAND.SHARED_BASE && code <= OPERAND.POPS_EXITING_WAVE_ID) ||
    (code >= OPERAND.VCCZ && code <= OPERAND.SCC)
  );
}

export function checkScalarLimit(c: MatchContext): boolean {
  const { plan, operands, instruction } = c;
  const limit = plan.gfx7 || ONE_VALUE_GFX10.has(plan.mnemonic) ? 1 : 2;
  const first = plan.format === 'VOPC' && plan.dstCount === 1 ? c.count - plan.src.length : plan.dstCount;
  // At most three sources and two implicit reads: keys are code × 4 + size.
  let used0 = -1;
  let used1 = -1;
  let used2 = -1;
  let count = c.hasLiteral ? (c.literalSizes === 3 ? 2 : 1) : 0;
  let last: Operand | undefined;
  const use = (key: number, operand: Operand | undefined): void => {
    if (key === used0 || key === used1 || key === used2) return;
    if (used0 < 0) used0 = key;
    else if (used1 < 0) used1 = key;
    else used2 = key;
    count++;
    if (operand && count > limit && !last) last = operand;
  };
  const wavePair = plan.waveSize / 32;
  const isShort = instruction.encoding !== 'e64';
  const readsMask = plan.src.some((kind) => kind?.letter === 'm');
  if (plan.row.readsVcc || (isShort && readsMask))
    use(OPERAND.VCC_LO * 4 + (plan.row.readsVcc ? 2 : wavePair), undefined);
  if (plan.row.readsM0 === true && plan.row.relative) use(OPERAND.M0 * 4 + 1, undefined);
  for (let i = first; i < c.count; i++) {
    const operand = operands[i]!;
    if (operand.form === 'register' && isScalarValue(operand.code)) {
      if (isShort && plan.src[i - first]?.letter === 'm') continue;
      use(operand.code * 4 + operand.dwords, operand);
    }
  }
  if (count <= limit) return true;
  const what = limit === 1 ? 'one scalar value' : 'two different scalar values';
  const message = `reads more than ${what} (SGPRs, VCC, M0 and the literal count)`;
  const at = last ?? operands[first];
  if (!at) return c.errorAtName(ASM.SCALAR_LIMIT, message);
  c.error(ASM.SCALAR_LIMIT, at, message);
  return false;
}
