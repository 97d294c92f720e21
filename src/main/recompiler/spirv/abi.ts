/**
 * What a compiled module and its launcher agree on: bindings of set 0, and the words of the parameter buffer.
 *
 *   binding 0  parameters, read only        binding 1  faults: three words, then records
 *   binding 2  taps: registers that ending waves store           binding 3  VGPRs that waves start with, read only
 *
 * 2 and 3 are there only for modules with taps or given VGPRs. Buffer 3 has a row for each VGPR number, in it one word for
 * each lane of the group's waves.
 *
 * Push constants: x, y, z of the part's first group, counted from the dispatch's first. A dispatch of more groups than the
 * device takes at once runs in parts; otherwise they are 0.
 *
 * Guest memory is reached through device addresses. All mapped pages lie in one device buffer, the arena; the parameter
 * buffer ends with the region table, sorted by guest address, one entry per contiguous mapped region:
 *
 *   word 0  start, bits 31:12, and permissions in bits 2:0      word 2  size in pages
 *   word 1  start, bits 47:32                                   word 3  place in the arena in pages
 *
 * Why regions and not a page table: captures map few regions, and a region answers for many accesses at once. An access
 * outside every region, or without permission, is a fault that yields 0.
 */
import { OPERAND } from '../../isa/operands.ts';

export const BINDING = { parameters: 0, faults: 1, taps: 2, givenVgprs: 3 } as const;

export const PUSH_WORDS = 3;

/** Word offsets in the parameter buffer. */
export const PARAMETER = {
  regionCount: 0,
  /** Loop turns per wave before the run is ended; 0 = no limit. */
  tripLimit: 2,
  /** Groups of the dispatch, x y z. */
  groups: 3,
  /** First group, x y z. */
  groupStart: 6,
  /** Threads of the last group, x y z. */
  partialThreads: 9,
  /** Address at which flat instructions find scratch; see LaunchWord in the IR. */
  privateBaseLow: 12,
  privateBaseHigh: 13,
  /** Always 0: see Emitter.hideZero. */
  zero: 14,
  wavesPerGroup: 15,
  /** Records that fit the fault buffer. */
  faultCapacity: 16,
  /** Waves whose records fit the tap buffer. */
  tapCapacity: 17,
  /** Device address of the arena, 8-byte aligned. */
  arenaLow: 18,
  arenaHigh: 19,
  userData: 20,
} as const;

/** User SGPRs; of a launcher that sets registers, every scalar at its operand code, up to SCC (253). */
export const MAX_USER_DATA = 256;
/** The region table starts behind the fixed part, at a multiple of 16 bytes. */
export const PARAMETER_WORDS = PARAMETER.userData + MAX_USER_DATA;
export const REGION_WORDS = 4;

/**
 * Fault record: reason, index into the module's location table, lane (−1: the wave), wave, group x y z, address low, address
 * high, components, forbidden.
 *
 * One record for all components of an invocation that fail in an access: bit k of `components` stands for lane + k · S
 * (S the subgroup size), of `forbidden` for a place that is mapped, but not for this. The address is that of the first.
 * A record takes as many places as it has components, so that the number of faults is also the next free place.
 */
export const FAULT_WORDS = 11;
/**
 * Word 0 counts faults, also those that did not fit; an access of several lanes or dwords is a fault for each of them that
 * fails. Word 1 is set when a module with direct memory met an access that it was not made for: nothing of the run counts,
 * and the program runs again with checked memory. Word 2 counts the invocations that reached an end of the program with all
 * their loops intact: a run counts only when all did.
 */
export const FAULT_HEADER_WORDS = 3;
export const FAULT_MISSED_WORD = 1;
export const FAULT_ENDED_WORD = 2;

/**
 * checked: every access is translated and checked by itself; any address, any alignment; faults are recorded.
 * direct: an access is taken to be aligned and inside the region of its base; whatever is not sets the missed word.
 */
export type MemoryMode = 'checked' | 'direct';

/**
 * The tap buffer holds a record for each wave, in order of groups (x fastest) and of waves in a group. Word 0 of a record
 * is 1 when the wave came to an end of the program; then follow the registers: one word of a scalar, one for each lane of
 * a VGPR.
 */
export interface TapLayout {
  /** Of each register's first word in a record. */
  readonly offsets: readonly number[];
  readonly recordWords: number;
}

/** `registers` by operand code. */
export function tapLayout(registers: readonly number[], waveSize: number): TapLayout {
  let next = 1;
  const offsets = registers.map((register) => {
    const offset = next;
    next += register >= OPERAND.VGPR0 ? waveSize : 1;
    return offset;
  });
  return { offsets, recordWords: next };
}
