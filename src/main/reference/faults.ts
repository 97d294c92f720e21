/**
 * What can go wrong while guest code runs: the fault record that is reported, never thrown.
 */
import type { Vec3 } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';

export type FaultReason =
  | 'read of unmapped memory'
  | 'read of memory without read permission'
  | 'write to unmapped memory'
  | 'write to memory without write permission'
  | 'instruction fetch from unmapped memory'
  | 'misaligned program counter'
  | 'illegal instruction'
  | 'scratch access out of range'
  | 'trap'
  | 'halt';

export interface Fault {
  readonly reason: FaultReason;
  readonly instructionAddress: GuestAddress;
  /** −1 when the whole wave faults (scalar access, instruction fetch, trap). */
  readonly lane: number;
  readonly workgroup: Vec3;
  readonly wave: number;
  /** The address that could not be accessed: guest memory, or the offset in scratch. */
  readonly address: number;
  readonly sizeBytes: number;
  readonly detail?: string;
}
