/**
 * The state of one wave: what the hardware keeps in registers, and nothing else.
 *
 * `sgprs` is indexed by operand code (isa/operands.ts), 0…127: s0…s105, VCC 106/107, TTMP 108…123, M0 124, NULL 125
 * (always 0), EXEC 126/127. In wave32 VCC_HI and EXEC_HI are ordinary registers that nothing reads as a mask.
 * `vgprs` is register-major: register r of lane l is vgprs[r · waveSize + l]. All values are raw u32 bits, so NaN
 * payloads survive. `pc` is the address of the *next* instruction while a handler runs; `instructionAddress` is the
 * one that runs. Hot path: typed arrays, no allocation per instruction.
 */
import type { Target, Vec3, WaveSize } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Group } from './group.ts';
import type { Machine } from './machine.ts';
import { VectorRegisters } from './vector-registers.ts';

const { VCC_LO, VCC_HI, EXEC_LO, EXEC_HI, NULL, VGPR0 } = OPERAND;

/** MODE register: bit positions that both generations share, and each generation's own. */
export const MODE = {
  ROUND_F32: 0,
  ROUND_F16_F64: 2,
  /** Two bits each; the low one keeps denormal inputs, the high one denormal results. */
  DENORMALS_F32: 4,
  DENORMALS_F16_F64: 6,
  DX10_CLAMP: 8,
  IEEE: 9,
  FP16_OVERFLOW: 23,
  /** gfx7 only. */
  VSKIP: 28,
} as const;

/**
 * ready: can execute · barrier: waits for its group · ended: s_endpgm · stopped: fault, trap or unsupported instruction.
 */
export type WaveStatus = 'ready' | 'barrier' | 'ended' | 'stopped';

/** Indices of the lanes that an instruction works on, ascending: at[0] … at[count − 1]. */
export interface LaneList {
  count: number;
  readonly at: Uint8Array;
}

export class Wave {
  readonly target: Target;
  /** True on gfx1013 and gfx1030. */
  readonly gfx10: boolean;
  readonly waveSize: WaveSize;
  readonly sgprs = new Uint32Array(128);
  readonly vgprs: Uint32Array;
  readonly registers: VectorRegisters;
  scc = 0;
  /** MODE: round 3:0, denormals 7:4, DX10_CLAMP 8, IEEE 9, FP16_OVFL 23; VSKIP 28 on gfx7. */
  mode = 0;
  /** FLAT_SCRATCH of gfx10, where it is a hardware register (s_setreg); gfx7 keeps it in sgprs 104 and 105. */
  flatScratchLow = 0;
  flatScratchHigh = 0;
  /** Shader trap status as s_getreg_b32 and s_setreg_b32 see it. */
  trapStatus = 0;
  pc = 0 as GuestAddress;
  instructionAddress = 0 as GuestAddress;
  status: WaveStatus = 'ready';
  /** Set by an instruction after which another wave should run (sleep, priority hints, polling). */
  yielded = false;
  instructionsExecuted = 0;
  /** Which part of the dispatch's scratch memory is this wave's. */
  scratchSlot = 0;

  readonly machine: Machine;
  readonly group: Group;
  /** Position of this wave in its group, and of the group in the dispatch (x, y, z). */
  readonly index: number;
  readonly groupId: Vec3;

  private readonly activeLanes: LaneList = { count: 0, at: new Uint8Array(64) };
  private activeLow = 0;
  private activeHigh = 0;

  /** `registers`, when given, are cleared ones of a wave that is gone. */
  constructor(machine: Machine, group: Group, index: number, registers = new VectorRegisters(machine.waveSize)) {
    this.machine = machine;
    this.group = group;
    this.index = index;
    this.groupId = group.id;
    this.target = machine.target;
    this.gfx10 = machine.target !== 'gfx700';
    this.waveSize = machine.waveSize;
    this.registers = registers;
    this.vgprs = registers.data;
  }

  /** The lanes of VGPR `register` (0…255), one u32 per lane: a view, not a copy. */
  vgpr(register: number): Uint32Array {
    return this.registers.view(register);
  }

  /** As `vgpr`, from an operand code (256 + n). Numbers past v255 wrap, as register offsets do in the hardware. */
  vgprOf(code: number): Uint32Array {
    return this.registers.view((code - VGPR0) & 255);
  }

  /** Writes one scalar register by operand code; writes to NULL are dropped. */
  setScalar(code: number, value: number): void {
    if (code !== NULL) this.sgprs[code] = value;
  }

  get execLow(): number {
    return this.sgprs[EXEC_LO]!;
  }

  /** Bits of lanes 32…63; 0 in wave32 whatever EXEC_HI holds. */
  get execHigh(): number {
    return this.waveSize === 64 ? this.sgprs[EXEC_HI]! : 0;
  }

  get execIsZero(): boolean {
    return this.execLow === 0 && this.execHigh === 0;
  }

  get vccIsZero(): boolean {
    return this.sgprs[VCC_LO] === 0 && (this.waveSize === 32 || this.sgprs[VCC_HI] === 0);
  }

  /** Whether lane is enabled in EXEC. */
  isActive(lane: number): boolean {
    return ((lane < 32 ? this.sgprs[EXEC_LO]! >>> lane : this.sgprs[EXEC_HI]! >>> (lane - 32)) & 1) !== 0;
  }

  /** The lanes enabled in EXEC. The list is reused: valid until EXEC changes. */
  lanes(): LaneList {
    const low = this.execLow;
    const high = this.execHigh;
    const list = this.activeLanes;
    if (low === this.activeLow && high === this.activeHigh) return list;
    this.activeLow = low;
    this.activeHigh = high;
    fillLaneList(list, low, high);
    return list;
  }
}

export function fillLaneList(list: LaneList, low: number, high: number): void {
  const at = list.at;
  let count = 0;
  for (let lane = 0; lane < 32; lane++) if ((low >>> lane) & 1) at[count++] = lane;
  if (high !== 0) for (let lane = 0; lane < 32; lane++) if ((high >>> lane) & 1) at[count++] = 32 + lane;
  list.count = count;
}
