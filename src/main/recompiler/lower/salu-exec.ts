/**
 * Instructions that combine EXEC with a mask and save the old one: saveexec and wrexec.
 *
 * Whole masks stay one value (64 bits in wave64), so that ballot elimination sees how EXEC was made.
 * Source: RDNA 1 and 2 ISA manuals, "S_AND_SAVEEXEC_B64" and the like.
 */
import { OPERAND } from '../../isa/operands.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { OpName } from '../ir/ops.ts';
import type { Entry, Lower } from './lowering.ts';

/**
 * d = EXEC; EXEC = s0 op EXEC; SCC = EXEC ≠ 0. `n1` negates s0, `n2` EXEC, `not` the result.
 * `wrexec` writes the new EXEC to d instead.
 */
const saveExec =
  (width: 32 | 64, kind: 'and' | 'or' | 'xor', negate?: 'n1' | 'n2' | 'not', wrexec = false): Lower =>
  (l) => {
    const wide = width === 64;
    let s0 = wide ? l.scalar64(0) : l.scalar32(0);
    const exec = wide ? l.readScalar64(OPERAND.EXEC_LO) : l.readScalar(OPERAND.EXEC_LO);
    let right = exec;
    const not: OpName = wide ? 'not.u64' : 'not.u32';
    if (negate === 'n1') s0 = l.b.emit1(not, s0);
    if (negate === 'n2') right = l.b.emit1(not, right);
    let result = l.b.emit2(wide ? `${kind}.u64` : `${kind}.u32`, s0, right);
    if (negate === 'not') result = l.b.emit1(not, result);
    const saved = wrexec ? result : exec;
    if (wide) {
      l.writeScalar64(l.i.dst, saved);
      l.writeScalar64(OPERAND.EXEC_LO, result);
    } else {
      l.writeScalar(l.i.dst, saved);
      l.writeScalar(OPERAND.EXEC_LO, result);
    }
    l.setSccIfNotZero(result);
  };

export const SALU_EXEC = {
  s_and_saveexec_b64: saveExec(64, 'and'),
  s_or_saveexec_b64: saveExec(64, 'or'),
  s_xor_saveexec_b64: saveExec(64, 'xor'),
  s_andn2_saveexec_b64: saveExec(64, 'and', 'n2'),
  s_orn2_saveexec_b64: saveExec(64, 'or', 'n2'),
  s_nand_saveexec_b64: saveExec(64, 'and', 'not'),
  s_nor_saveexec_b64: saveExec(64, 'or', 'not'),
  s_xnor_saveexec_b64: saveExec(64, 'xor', 'not'),
  s_andn1_saveexec_b64: saveExec(64, 'and', 'n1'),
  s_orn1_saveexec_b64: saveExec(64, 'or', 'n1'),
  s_andn1_wrexec_b64: saveExec(64, 'and', 'n1', true),
  s_andn2_wrexec_b64: saveExec(64, 'and', 'n2', true),
  s_and_saveexec_b32: saveExec(32, 'and'),
  s_or_saveexec_b32: saveExec(32, 'or'),
  s_xor_saveexec_b32: saveExec(32, 'xor'),
  s_andn2_saveexec_b32: saveExec(32, 'and', 'n2'),
  s_orn2_saveexec_b32: saveExec(32, 'or', 'n2'),
  s_nand_saveexec_b32: saveExec(32, 'and', 'not'),
  s_nor_saveexec_b32: saveExec(32, 'or', 'not'),
  s_xnor_saveexec_b32: saveExec(32, 'xor', 'not'),
  s_andn1_saveexec_b32: saveExec(32, 'and', 'n1'),
  s_orn1_saveexec_b32: saveExec(32, 'or', 'n1'),
  s_andn1_wrexec_b32: saveExec(32, 'and', 'n1', true),
  s_andn2_wrexec_b32: saveExec(32, 'and', 'n2', true),
} satisfies Partial<Record<Mnemonic, Entry>>;
