/** Plain shapes for JSON, of the command line and the window: addresses as hexadecimal text. */
import { formatAddress } from '../base/guest-address.ts';
import type { EngineFault } from '../driver/engine.ts';
import type { MemoryDifference, Verdict } from './verdict.ts';

/** Of events, packets and states: made by pm4/format.ts. */
export { changeShapes, eventShape, eventSummary, packetLines, packetShape, stateShape } from '../pm4/format.ts';

export function verdictShape(verdict: Verdict): object {
  const differences = verdict.differences.map((d) => ({ ...d, address: formatAddress(d.address) }));
  return { ...verdict, differences };
}

export function memoryDifferenceShape({ first, ...counts }: MemoryDifference): object {
  return first ? { ...counts, first: { ...first, address: formatAddress(first.address) } } : counts;
}

export function faultShape({ instructionAddress, address, ...fault }: EngineFault): object {
  return {
    ...fault,
    instruction: formatAddress(instructionAddress),
    ...(address === undefined ? {} : { address: formatAddress(address) }),
  };
}
