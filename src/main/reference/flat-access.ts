/**
 * Addresses of the flat family: flat, global and scratch instructions.
 *
 *   FLAT     64-bit VGPR address + immediate; the LDS and private windows of the address space lead to LDS and scratch
 *   GLOBAL   64-bit VGPR address + immediate, or SGPR pair + 32-bit VGPR offset + immediate
 *   SCRATCH  32-bit VGPR or SGPR offset + immediate into the lane's scratch
 *
 * Scratch is interleaved by dword between the lanes of a wave: byte o of lane l lies at base + (o / 4) · 4 · waveSize +
 * 4 · l + o % 4. Base: gfx10 the FLAT_SCRATCH register, gfx7 the private base + FLAT_SCRATCH_HI · 256.
 * Source: RDNA 1 ISA manual, "Flat memory instructions"; Sea Islands manual, chapter 9.
 */
import { ADDRESS_LIMIT, addressFromHalves } from '../base/guest-address.ts';
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { LaneAccess } from './lane-access.ts';
import type { AccessSize } from './lds.ts';
import { scalar32, scalarHigh, scalarLow } from './operands.ts';
import type { Wave } from './wave.ts';

type Space = 'guest' | 'lds' | 'scratch';

const NO_LANES: Uint32Array = new Uint32Array(64);

class FlatAccess implements LaneAccess {
  private low = NO_LANES;
  private high = NO_LANES;
  private base = 0;
  private immediate = 0;
  private isFlat = false;
  private sharedHigh = 0;
  private privateHigh = 0;
  private space: Space = 'guest';
  private address = 0;

  prepare(wave: Wave, inst: Instruction): void {
    this.immediate = inst.imm;
    this.isFlat = inst.format === 'FLAT';
    this.low = inst.src0 < 0 ? NO_LANES : wave.vgprOf(inst.src0);
    this.high = NO_LANES;
    this.base = 0;
    const scalar = inst.src2 >= 0 && inst.src2 !== OPERAND.NULL;
    if (inst.format === 'SCRATCH') {
      this.space = 'scratch';
      if (scalar) this.base = scalar32(wave, inst, inst.src2);
      return;
    }
    this.space = 'guest';
    if (inst.format === 'GLOBAL' && scalar) {
      this.base = addressFromHalves(scalarLow(wave, inst, inst.src2, 'b64'), scalarHigh(wave, inst, inst.src2, 'b64'));
      return;
    }
    this.high = wave.vgprOf(inst.src0 + 1);
    this.sharedHigh = wave.machine.apertures.sharedHigh;
    this.privateHigh = wave.machine.apertures.privateHigh;
  }

  at(lane: number): void {
    const low = this.low[lane]!;
    if (this.isFlat) {
      const high = this.high[lane]!;
      const inWindow = high === this.sharedHigh || high === this.privateHigh;
      this.space = high === this.sharedHigh ? 'lds' : high === this.privateHigh ? 'scratch' : 'guest';
      this.address = (inWindow ? low : addressFromHalves(low, high)) + this.immediate;
      if (inWindow) this.address >>>= 0;
      return;
    }
    if (this.space === 'scratch') this.address = (low + this.base + this.immediate) >>> 0;
    else this.address = this.base + addressFromHalves(low, this.high[lane]!) + this.immediate;
  }

  /** Guest address of byte `offset` of the lane's scratch. */
  private scratchAddress(wave: Wave, lane: number, offset: number): number {
    const base = wave.gfx10
      ? addressFromHalves(wave.flatScratchLow, wave.flatScratchHigh)
      : wave.machine.privateBase + wave.sgprs[OPERAND.FLAT_SCRATCH_HI_GFX7]! * 256;
    return (base + (offset - (offset & 3)) * wave.waveSize + 4 * lane + (offset & 3)) % ADDRESS_LIMIT;
  }

  load(wave: Wave, lane: number, skip: number, sizeBytes: AccessSize): number {
    const at = this.address + skip;
    switch (this.space) {
      case 'guest':
        return wave.machine.load(wave, lane, at, sizeBytes);
      case 'lds':
        return wave.group.lds.load(at, sizeBytes, 0x1_0000_0000);
      case 'scratch': {
        if ((at & 3) + sizeBytes <= 4)
          return wave.machine.load(wave, lane, this.scratchAddress(wave, lane, at), sizeBytes);
        let value = 0;
        for (let i = 0; i < sizeBytes; i++) {
          value += wave.machine.load(wave, lane, this.scratchAddress(wave, lane, at + i), 1) * 2 ** (8 * i);
        }
        return value;
      }
    }
  }

  store(wave: Wave, lane: number, skip: number, sizeBytes: AccessSize, value: number): void {
    const at = this.address + skip;
    switch (this.space) {
      case 'guest':
        wave.machine.store(wave, lane, at, sizeBytes, value);
        return;
      case 'lds':
        wave.group.lds.store(at, sizeBytes, value, 0x1_0000_0000);
        return;
      case 'scratch': {
        if ((at & 3) + sizeBytes <= 4) {
          wave.machine.store(wave, lane, this.scratchAddress(wave, lane, at), sizeBytes, value);
          return;
        }
        for (let i = 0; i < sizeBytes; i++) {
          wave.machine.store(wave, lane, this.scratchAddress(wave, lane, at + i), 1, (value >>> (8 * i)) & 0xff);
        }
      }
    }
  }

  mayUpdate(wave: Wave, lane: number, sizeBytes: 4 | 8): boolean {
    switch (this.space) {
      case 'guest':
        return wave.machine.mayUpdate(wave, lane, this.address, sizeBytes);
      case 'lds':
        return wave.group.lds.holds(this.address, sizeBytes, 0x1_0000_0000);
      case 'scratch':
        return wave.machine.mayUpdate(wave, lane, this.scratchAddress(wave, lane, this.address), 4);
    }
  }
}

export const flatAccess: LaneAccess = new FlatAccess();
