/**
 * What a compiled module and its launcher agree on: bindings of set 0, and the words of the parameter buffer.
 *
 *   binding 0  parameters, read only        binding 1  faults: count, then records
 *
 * Guest memory is reached through device addresses: the parameter buffer ends with the region table, sorted by guest
 * address, one entry per contiguous mapped region: {start low, start high, end low, end high (exclusive), device address
 * low, high, permissions, 0}. An access is translated by binary search; outside every region, or without permission, it
 * is a fault that yields 0. Why a table and not pages: captures map few regions, and the table is exact to the byte.
 */
export const BINDING = { parameters: 0, faults: 1 } as const;

/** Word offsets in the parameter buffer. */
export const PARAMETER = {
  regionCount: 0,
  /** Word offset of the region table. */
  regionTable: 1,
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
  wavesPerGroup: 15,
  /** Records that fit the fault buffer. */
  faultCapacity: 16,
  userData: 20,
} as const;

export const REGION_WORDS = 8;
export const MAX_USER_DATA = 128;
/** First word behind the fixed part. */
export const PARAMETER_WORDS = PARAMETER.userData + MAX_USER_DATA;

/** Fault record: reason, index into the module's location table, lane, wave, group x y z, address low, address high. */
export const FAULT_WORDS = 9;
/** Word 0 counts faults (also those that did not fit), word 1 is 1 once a wave was ended by a limit. */
export const FAULT_HEADER_WORDS = 2;
