/**
 * s_getreg, s_setreg and the mode instructions: MODE (float mode) and FLAT_SCRATCH; other registers are refused.
 *
 * MODE is known at compile time wherever code is made, so setting it needs a constant (float-mode.ts).
 * Source: RDNA 1 and 2 ISA manuals, "Hardware registers".
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { ValueId } from '../ir/types.ts';
import { type FloatMode, withModeBits } from './float-mode.ts';
import type { Entry, Lower, Lowering } from './lowering.ts';
import { STATE } from './registers.ts';

const HWREG = { MODE: 1, FLAT_SCR_LO: 20, FLAT_SCR_HI: 21 } as const;

interface HardwareField {
  readonly register: number;
  readonly offset: number;
  readonly size: number;
}

/** simm16: register 5:0, offset 10:6, size − 1 15:11. */
export function hardwareField(imm: number): HardwareField {
  return { register: imm & 63, offset: (imm >>> 6) & 31, size: ((imm >>> 11) & 31) + 1 };
}

function setHardwareRegister(l: Lowering, value: ValueId): void {
  const { register, offset, size } = hardwareField(l.i.imm);
  if (register === HWREG.MODE) {
    if (l.fn.isConstant(value)) l.mode = withModeBits(l.mode, offset, size, l.fn.imm0[value]!);
    else l.refuse('MODE is set to a value that is not constant');
  } else if (l.gfx10 && (register === HWREG.FLAT_SCR_LO || register === HWREG.FLAT_SCR_HI)) {
    const state = register === HWREG.FLAT_SCR_LO ? STATE.FLAT_SCRATCH_LO : STATE.FLAT_SCRATCH_HI;
    const b = l.b;
    const field = b.u32(size === 32 ? -1 : ((1 << size) - 1) << offset);
    l.write(state, b.emit3('bitselect.u32', field, b.emit2('shl.u32', value, b.u32(offset)), l.read(state)));
  } else {
    l.refuse(`hardware register ${register} is not compiled`);
  }
}

const getHardwareRegister: Lower = (l) => {
  const { register, offset, size } = hardwareField(l.i.imm);
  const b = l.b;
  let value: ValueId;
  if (register === HWREG.MODE) value = b.u32(l.mode);
  else if (register === HWREG.FLAT_SCR_LO && l.gfx10) value = l.read(STATE.FLAT_SCRATCH_LO);
  else if (register === HWREG.FLAT_SCR_HI && l.gfx10) value = l.read(STATE.FLAT_SCRATCH_HI);
  else {
    l.refuse(`hardware register ${register} is not compiled`);
    value = b.u32(0);
  }
  if (size < 32) value = b.emit3('ubfe.u32', value, b.u32(offset), b.u32(size));
  l.writeScalar(l.i.dst, value);
};

/** The mode after an instruction that sets it by an immediate; undefined for every other instruction. */
export function modeAfter(mode: FloatMode, mnemonic: Mnemonic, imm: number, literal: number): FloatMode | undefined {
  switch (mnemonic) {
    case 's_round_mode':
      return withModeBits(mode, 0, 4, imm & 15);
    case 's_denorm_mode':
      return withModeBits(mode, 4, 4, imm & 15);
    case 's_setreg_imm32_b32': {
      const { register, offset, size } = hardwareField(imm);
      return register === HWREG.MODE ? withModeBits(mode, offset, size, literal) : undefined;
    }
    default:
      return undefined;
  }
}

const setMode: Lower = (l) => {
  l.mode = modeAfter(l.mode, l.i.mnemonic, l.i.imm, l.i.literal) ?? l.mode;
};

export const HARDWARE_REGISTERS = {
  s_getreg_b32: getHardwareRegister,
  s_setreg_b32: (l) => setHardwareRegister(l, l.readScalar(l.i.dst)),
  s_setreg_imm32_b32: (l) => setHardwareRegister(l, l.b.u32(l.i.literal)),
  s_round_mode: setMode,
  s_denorm_mode: setMode,
} satisfies Partial<Record<Mnemonic, Entry>>;
