/** Guest faults of a run as diagnostics, the same words for every engine. */
import { atAddress, type Diagnostic, diagnostic } from '../base/diagnostics.ts';
import { formatAddress } from '../base/guest-address.ts';
import type { EngineFault } from './engine.ts';

/** Of many faults the first ones tell enough. */
const TOLD = 8;

export function faultDiagnostics(code: 'REF010' | 'GPU010', faults: readonly EngineFault[]): Diagnostic[] {
  return faults.slice(0, TOLD).map((fault) => {
    const access = fault.address === undefined ? '' : ` (guest address ${formatAddress(fault.address)})`;
    const place = fault.lane < 0 ? `wave ${fault.wave}` : `lane ${fault.lane} of wave ${fault.wave}`;
    const detail = fault.detail ? `: ${fault.detail}` : '';
    const text = `${fault.reason}${access}, ${place}, group ${fault.workgroup.join(',')}${detail}`;
    return diagnostic(code, 'fault', text, atAddress(fault.instructionAddress));
  });
}
