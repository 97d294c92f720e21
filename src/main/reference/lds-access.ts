/**
 * Which local memory a DS instruction uses, and where: LDS of the group, or GDS with base and size from M0.
 *
 * LDS: address = VGPR + offset, modulo 2^32. gfx7 bounds LDS by M0 as well as by the allocation. GDS: M0[31:16] is the
 * base, M0[15:0] the size in bytes. Source: Sea Islands and RDNA 1 ISA manuals, "LDS", "GDS".
 */
import { FLAG, type Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { LaneAccess } from './lane-access.ts';
import type { AccessSize, Lds } from './lds.ts';
import type { Wave } from './wave.ts';

/** One memory during one instruction; reused. */
export interface LocalSpace {
  memory: Lds;
  base: number;
  limit: number;
}

const SPACE: { memory: Lds | undefined; base: number; limit: number } = { memory: undefined, base: 0, limit: 0 };

export function localSpace(wave: Wave, inst: Instruction): LocalSpace {
  const m0 = wave.sgprs[OPERAND.M0]!;
  if (inst.flags & FLAG.GDS) {
    SPACE.memory = wave.machine.gds;
    SPACE.base = m0 >>> 16;
    SPACE.limit = SPACE.base + (m0 & 0xffff);
  } else {
    SPACE.memory = wave.group.lds;
    SPACE.base = 0;
    SPACE.limit = wave.gfx10 ? 0x1_0000_0000 : m0;
  }
  return SPACE as LocalSpace;
}

/** Byte address in the space: wraps at 32 bits before the base is added. */
export function localAddress(space: LocalSpace, address: number, offset: number): number {
  return space.base + ((address + offset) >>> 0);
}

export function loadLocal(space: LocalSpace, address: number, sizeBytes: AccessSize): number {
  return space.memory.load(address, sizeBytes, space.limit);
}

export function storeLocal(space: LocalSpace, address: number, sizeBytes: AccessSize, value: number): boolean {
  return space.memory.store(address, sizeBytes, value, space.limit);
}

/** The element at address + 16-bit offset of each lane, for the shapes of lane-access.ts. */
class LdsAccess implements LaneAccess {
  private space: LocalSpace = SPACE as LocalSpace;
  private addresses = new Uint32Array(0) as Uint32Array;
  private offset = 0;
  private address = 0;

  prepare(wave: Wave, inst: Instruction): void {
    this.space = localSpace(wave, inst);
    this.addresses = wave.vgprOf(inst.src0);
    this.offset = inst.imm & 0xffff;
  }

  at(lane: number): void {
    this.address = localAddress(this.space, this.addresses[lane]!, this.offset);
  }

  load(_wave: Wave, _lane: number, skip: number, sizeBytes: AccessSize): number {
    return loadLocal(this.space, this.address + skip, sizeBytes);
  }

  store(_wave: Wave, _lane: number, skip: number, sizeBytes: AccessSize, value: number): void {
    storeLocal(this.space, this.address + skip, sizeBytes, value);
  }

  mayUpdate(_wave: Wave, _lane: number, sizeBytes: 4 | 8): boolean {
    return this.space.memory.holds(this.address, sizeBytes, this.space.limit);
  }
}

export const ldsAccess: LaneAccess = new LdsAccess();
