/**
 * Lane moves of DPP16 and DPP8: which lane each lane reads, and which lanes are switched off.
 *
 * Lanes move inside rows of 16 (DPP16) or groups of 8 (DPP8). A source lane is *invalid* when it lies outside the row,
 * or when EXEC switches it off and FI (fetch inactive) is clear. Invalid: BOUND_CTRL set reads 0, clear leaves the
 * destination lane unwritten. row_mask and bank_mask switch lanes off whatever they would read. DPP8 reads 0 from
 * invalid lanes. Source: RDNA 1 and 2 ISA manuals, "Data parallel processing (DPP)".
 */
import { FLAG, type Instruction } from '../isa/instruction.ts';
import type { Wave } from './wave.ts';

const SOURCE_LANES = new Map<number, Int8Array>();

/** For each of 64 lanes the lane it reads, or −1 when that is outside its row. */
export function dpp16SourceLanes(control: number): Int8Array {
  let lanes = SOURCE_LANES.get(control);
  if (!lanes) {
    lanes = new Int8Array(64);
    for (let lane = 0; lane < 64; lane++) {
      const inRow = sourceInRow(control, lane);
      lanes[lane] = inRow < 0 || inRow > 15 ? -1 : (lane & 0x30) | inRow;
    }
    SOURCE_LANES.set(control, lanes);
  }
  return lanes;
}

/** Position 0…15 in the row that `lane` reads; outside that range when the move leaves the row. */
function sourceInRow(control: number, lane: number): number {
  const row = lane & 15;
  const n = control & 15;
  if (control <= 0xff) return (row & ~3) | ((control >>> (2 * (row & 3))) & 3);
  switch (control >>> 4) {
    case 0x10: // row_shl: data moves towards lane 0
      return row + n;
    case 0x11: // row_shr
      return row - n;
    case 0x12: // row_ror
      return (row - n) & 15;
    case 0x14: // row_mirror, row_half_mirror
      return n === 0 ? 15 - row : n === 1 ? row ^ 7 : -1;
    case 0x15: // row_share
      return n;
    case 0x16: // row_xmask
      return row ^ n;
    default:
      return -1;
  }
}

function isValid(wave: Wave, inst: Instruction, source: number): boolean {
  return source >= 0 && ((inst.flags & FLAG.FETCH_INACTIVE) !== 0 || wave.isActive(source));
}

/** Whether an active lane writes its result under DPP16's masks and bounds. */
export function dpp16WritesLane(wave: Wave, inst: Instruction, lane: number, from: Int8Array): boolean {
  if (((inst.rowMask >>> (lane >>> 4)) & 1) === 0 || ((inst.bankMask >>> ((lane >>> 2) & 3)) & 1) === 0) return false;
  return (inst.flags & FLAG.BOUND_CTRL) !== 0 || isValid(wave, inst, from[lane]!);
}

export function moveDpp16(wave: Wave, inst: Instruction, lanes: Uint32Array, out: Uint32Array): Uint32Array {
  const from = dpp16SourceLanes(inst.dppCtrl);
  for (let lane = 0; lane < wave.waveSize; lane++) {
    const source = from[lane]!;
    out[lane] = isValid(wave, inst, source) ? lanes[source]! : 0;
  }
  return out;
}

export function moveDpp8(wave: Wave, inst: Instruction, lanes: Uint32Array, out: Uint32Array): Uint32Array {
  for (let lane = 0; lane < wave.waveSize; lane++) {
    const source = (lane & ~7) | ((inst.dppCtrl >>> (3 * (lane & 7))) & 7);
    out[lane] = isValid(wave, inst, source) ? lanes[source]! : 0;
  }
  return out;
}
