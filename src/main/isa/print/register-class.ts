/**
 * Which registers a slot takes, under LLVM's names: for words in which an operand stands where its kind must not
 * (`FLAG.MISPLACED`). The note that follows such an operand is a comment to assemblers, so the text stays readable.
 *
 * Rule, as llvm-mc's: a constant where no constant may stand is noted as invalid immediate and spelt as a 32-bit value; a
 * register outside the slot's class is noted with the class; values that are only read (vccz, apertures, null) never are.
 */
import { isConstantCode } from '../decode/operand-codes.ts';
import type { Format } from '../instruction.ts';
import { KIND, type ParsedKind } from '../operand-kind.ts';
import { OPERAND } from '../operands.ts';
import type { Shape } from '../shape.ts';

export interface RegisterClass {
  readonly name: string;
  readonly takesConstants: boolean;
  holds(code: number): boolean;
}

export type SlotName = 'dst' | 'sdst' | 'src0' | 'src1' | 'src2';

function vectorClass(width: number, orLds: boolean): RegisterClass {
  const dwords = Math.ceil(width / 32);
  return {
    name: dwords > 1 ? `VReg_${width}` : orLds ? 'VRegOrLds_32' : 'VGPR_32',
    takesConstants: false,
    holds: (code) => code >= OPERAND.VGPR0 || (orLds && code === OPERAND.LDS_DIRECT),
  };
}

function scalarClass(name: string, takesConstants: boolean, without: readonly number[] = []): RegisterClass {
  const isWide = /_(128|256|512)$/.test(name);
  const isTuple = (code: number) => code < OPERAND.VCC_LO || (code >= OPERAND.TTMP0 && code < OPERAND.M0);
  return {
    name,
    takesConstants,
    holds: (code) => code <= OPERAND.EXEC_HI && !without.includes(code) && (!isWide || isTuple(code)),
  };
}

const EXEC = [OPERAND.EXEC_LO, OPERAND.EXEC_HI];

/** What scalar memory loads and stores: no EXEC, and alone no M0. */
function scalarDataClass(width: number): RegisterClass {
  if (width === 32) return scalarClass('SReg_32_XM0_XEXEC', false, [...EXEC, OPERAND.M0]);
  return width === 64 ? scalarClass('SReg_64_XEXEC', false, EXEC) : scalarClass(`SReg_${width}`, false);
}

/** What v_writelane writes. */
const LANE_VALUE: RegisterClass = {
  name: 'SRegOrLds_32',
  takesConstants: true,
  holds: (code) => code <= OPERAND.EXEC_HI || code === OPERAND.LDS_DIRECT,
};

/** The class of a slot; undefined where anything may stand. */
export function registerClass(
  shape: Shape,
  format: Format,
  slot: SlotName,
  kind: ParsedKind,
): RegisterClass | undefined {
  const readsLane = shape.dst.kind === KIND.SCALAR_DST;
  switch (kind.kind) {
    case KIND.VGPR:
      return vectorClass(kind.width, readsLane && slot === 'src0');
    case KIND.MASK:
      return slot === 'src2' ? scalarClass('SReg_1_XEXEC', false, EXEC) : scalarClass('SReg_1', false);
    case KIND.SCALAR_ADDRESS:
      return format === 'SCRATCH' ? scalarClass('SReg_32_XEXEC_HI', false, [OPERAND.EXEC_HI]) : undefined;
    case KIND.SCALAR:
      if (format === 'SMEM')
        return slot === 'src2' ? scalarDataClass(kind.width) : scalarClass(`SReg_${kind.width}`, true);
      if (slot === 'src0' && shape.dst.kind === KIND.VGPR) return LANE_VALUE;
      return scalarClass(`SReg_${kind.width}`, true);
    case KIND.SCALAR_DST:
      return format === 'SMEM' ? scalarDataClass(kind.width) : scalarClass(`SReg_${kind.width}`, false);
    case KIND.REGISTER:
      return scalarClass(`SReg_${kind.width}`, false);
    default:
      return undefined;
  }
}

/** Values that every class lets pass. */
function isOnlyRead(code: number): boolean {
  return (
    code === OPERAND.NULL ||
    (code >= OPERAND.SHARED_BASE && code <= OPERAND.POPS_EXITING_WAVE_ID) ||
    (code >= OPERAND.VCCZ && code <= OPERAND.SCC)
  );
}

/** What follows the text of an operand: nothing, or a comment that says why it does not belong there. */
export function misplacedNote(code: number, slotClass: RegisterClass): string {
  if (isConstantCode(code)) return slotClass.takesConstants ? '' : '/*Invalid immediate*/';
  if (isOnlyRead(code) || slotClass.holds(code)) return '';
  return `/*Invalid register, operand has '${slotClass.name}' register class*/`;
}
