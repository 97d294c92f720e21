/**
 * Guest memory as memory operations see it; checked-memory.ts and direct-memory.ts provide it.
 *
 * Addresses are the IR's: operand 0 of the value, plus its immediate offset; the mask is operand 1. Results are listed
 * [element][lane component]; elements are zero-extended.
 */
import type { AtomicKind } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { ElementWidth } from './device-access.ts';
import type { Id } from './module-builder.ts';

export interface GuestMemoryCode {
  load(v: ValueId, width: ElementWidth, count: number): Id[][];
  store(v: ValueId, width: ElementWidth, data: readonly (readonly Id[])[]): void;
  /** Old values by component; undefined when the device cannot do it. */
  atomic(
    v: ValueId,
    kind: AtomicKind,
    width: 32 | 64,
    data: readonly Id[],
    comparands: readonly Id[],
  ): Id[] | undefined;
  /** `count` dwords for the whole wave; all invocations get the same. `condition`: 0 and no access when it is false. */
  loadUniform(v: ValueId, count: number, condition: Id | undefined): Id[];
  /** Variables: the first instructions of the main function. */
  declare(): void;
  /** Once launch values are there. */
  begin(): void;
  /** Right after a value (for a phi: after all phis of its block) has its ids. */
  afterValue(v: ValueId): void;
  /** Before every return of the main function. */
  beforeReturn(): void;
}
