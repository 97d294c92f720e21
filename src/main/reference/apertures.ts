/**
 * Windows of the flat address space that are not guest memory: LDS (shared) and scratch (private).
 *
 * A flat address whose bits 63:32 equal a window's is an offset into LDS or into the lane's scratch; gfx10 programs
 * read the windows as src_shared_base and src_private_base, gfx7 programs get them from the queue. The values are those
 * the Linux kernel driver programs: non-canonical, so that no guest address falls into them.
 */
import { OPERAND } from '../isa/operands.ts';

export class Apertures {
  readonly sharedHigh: number;
  readonly privateHigh: number;

  constructor(sharedHigh = 0x0001_0000, privateHigh = 0x0002_0000) {
    this.sharedHigh = sharedHigh;
    this.privateHigh = privateHigh;
  }

  /** High half of an aperture operand; 0 for other codes. The limits are the last byte of 4 GiB windows. */
  high32(code: number): number {
    if (code === OPERAND.SHARED_BASE || code === OPERAND.SHARED_LIMIT) return this.sharedHigh;
    if (code === OPERAND.PRIVATE_BASE || code === OPERAND.PRIVATE_LIMIT) return this.privateHigh;
    return 0;
  }

  low32(code: number): number {
    return code === OPERAND.SHARED_LIMIT || code === OPERAND.PRIVATE_LIMIT ? 0xffffffff : 0;
  }
}
