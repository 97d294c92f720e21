/**
 * Counters of s_waitcnt and s_waitcnt_depctr: names and places in simm16. A counter of all ones waits for nothing.
 * Source: Sea Islands and RDNA 1 ISA manuals, S_WAITCNT; depctr as in LLVM, in the order in which it prints them.
 */
import type { Target } from '../../base/dispatch.ts';

export interface Counter {
  readonly name: string;
  /** Pieces of the number from its low bits up. */
  readonly pieces: readonly (readonly [shift: number, width: number])[];
}

const counter = (name: string, ...pieces: (readonly [shift: number, width: number])[]): Counter => ({ name, pieces });

const WAIT_GFX10 = [counter('vmcnt', [0, 4], [14, 2]), counter('expcnt', [4, 3]), counter('lgkmcnt', [8, 6])];

export const WAIT_COUNTERS: Readonly<Record<Target, readonly Counter[]>> = {
  gfx700: [counter('vmcnt', [0, 4]), counter('expcnt', [4, 3]), counter('lgkmcnt', [8, 4])],
  gfx1013: WAIT_GFX10,
  gfx1030: WAIT_GFX10,
};

const DEPENDENCY_GFX1013 = [
  counter('depctr_sa_sdst', [0, 1]),
  counter('depctr_va_vdst', [12, 4]),
  counter('depctr_va_sdst', [9, 3]),
  counter('depctr_va_ssrc', [8, 1]),
  counter('depctr_va_vcc', [1, 1]),
  counter('depctr_vm_vsrc', [2, 3]),
];

export const DEPENDENCY_COUNTERS: Readonly<Record<Target, readonly Counter[]>> = {
  gfx700: [],
  gfx1013: DEPENDENCY_GFX1013,
  gfx1030: [counter('depctr_hold_cnt', [7, 1]), ...DEPENDENCY_GFX1013],
};

/** The largest value of a counter. */
export function counterLimit({ pieces }: Counter): number {
  return (1 << pieces.reduce((sum, [, width]) => sum + width, 0)) - 1;
}

export function readCounter({ pieces }: Counter, imm: number): number {
  let value = 0;
  let position = 0;
  for (const [shift, width] of pieces) {
    value |= ((imm >>> shift) & ((1 << width) - 1)) << position;
    position += width;
  }
  return value;
}

/** `imm` with another value of the counter. */
export function writeCounter({ pieces }: Counter, imm: number, value: number): number {
  let rest = value;
  let result = imm;
  for (const [shift, width] of pieces) {
    const mask = (1 << width) - 1;
    result = (result & ~(mask << shift)) | ((rest & mask) << shift);
    rest >>= width;
  }
  return result;
}

/** Every counter at its limit, all other bits zero: waits for nothing. */
export function waitForNothing(counters: readonly Counter[]): number {
  return counters.reduce((imm, entry) => writeCounter(entry, imm, counterLimit(entry)), 0);
}
