/**
 * The fault buffer of a run (layout in recompiler/spirv/abi.ts) as faults: one for each lane.
 */
import { addressFromHalves, formatAddress, type GuestAddress } from '../base/guest-address.ts';
import { FAULT_REASONS, type FaultReason } from '../recompiler/ir/ops.ts';
import { FAULT_HEADER_WORDS, FAULT_WORDS } from '../recompiler/spirv/abi.ts';
import type { EmittedModule } from '../recompiler/spirv/emit-module.ts';
import type { EngineFault } from './engine.ts';

const FORBIDDEN: Partial<Record<FaultReason, FaultReason>> = {
  'unmapped-read': 'forbidden-read',
  'unmapped-write': 'forbidden-write',
};

/** What the value of a record is; of other reasons it is nothing. */
const ADDRESSED: ReadonlySet<FaultReason> = new Set([
  'unmapped-read',
  'unmapped-write',
  'misaligned',
  'unexpected-target',
]);
const VALUE_TEXT: Partial<Record<FaultReason, (low: number) => string>> = {
  'register-range': (low) => `register number ${low}`,
  assumption: (low) => `value 0x${low.toString(16)}`,
};

export interface DeviceFaults {
  readonly faults: readonly EngineFault[];
  /** Also those that are not recorded. */
  readonly count: number;
}

/** `capacity`: places for records. Groups come in order, the faults of a wave as they happened. */
export function readFaults(words: Uint32Array, module: EmittedModule, capacity: number): DeviceFaults {
  const count = words[0]!;
  const faults: EngineFault[] = [];
  for (let place = 0; place < Math.min(count, capacity); ) {
    const at = FAULT_HEADER_WORDS + place * FAULT_WORDS;
    const lanes = faultsOf(words.subarray(at, at + FAULT_WORDS), module);
    faults.push(...lanes);
    place += Math.max(lanes.length, 1);
  }
  const order = (a: EngineFault, b: EngineFault): number =>
    [2, 1, 0].reduce((sign, axis) => sign || a.workgroup[axis]! - b.workgroup[axis]!, 0) || a.wave - b.wave;
  return { faults: faults.sort(order), count };
}

function faultsOf(record: Uint32Array, module: EmittedModule): EngineFault[] {
  const [reasonNumber, locationNumber, laneWord, wave, x, y, z, low, high, components, forbidden] = record;
  const reason = FAULT_REASONS[reasonNumber!] ?? 'none';
  const location = module.locations[locationNumber! | 0];
  const details = [
    ...(VALUE_TEXT[reason] ? [VALUE_TEXT[reason](low!)] : []),
    ...(location && location.callPath.length > 0
      ? [`called from ${location.callPath.map(formatAddress).join(' → ')}`]
      : []),
  ];
  const faults: EngineFault[] = [];
  for (let k = 0; k < 32; k++) {
    if (!((components! >>> k) & 1)) continue;
    // The address is that of the first component.
    const hasAddress = ADDRESSED.has(reason) && faults.length === 0;
    faults.push({
      reason: (forbidden! >>> k) & 1 ? (FORBIDDEN[reason] ?? reason) : reason,
      instructionAddress: location?.address ?? (0 as GuestAddress),
      lane: (laneWord! | 0) < 0 ? -1 : laneWord! + k * module.subgroupSize,
      wave: wave!,
      workgroup: [x!, y!, z!],
      ...(hasAddress ? { address: addressFromHalves(low!, high!) } : {}),
      ...(details.length > 0 ? { detail: details.join(', ') } : {}),
    });
  }
  return faults;
}
