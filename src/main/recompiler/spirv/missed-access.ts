/**
 * Remembers, for each invocation, that some access was not what a module with direct memory takes for granted, and
 * tells the launcher at the end of the wave.
 */
import { FAULT_MISSED_WORD } from './abi.ts';
import type { Emitter } from './emitter.ts';
import { Op, StorageClass } from './grammar.gen.ts';
import type { LaunchBuffers } from './launch-buffers.ts';
import type { Id } from './module-builder.ts';

export class MissedAccess {
  private readonly e: Emitter;
  private readonly buffers: LaunchBuffers;
  private variable: Id | undefined;

  constructor(e: Emitter, buffers: LaunchBuffers) {
    this.e = e;
    this.buffers = buffers;
  }

  /** Variables of a function come first in it. */
  declare(): void {
    const { e } = this;
    this.variable = e.m.emit(Op.Variable, e.pointer(StorageClass.Function, e.bool), StorageClass.Function);
  }

  begin(): void {
    this.e.m.emitVoid(Op.Store, this.variable!, this.e.constantBool(false));
  }

  note(missed: readonly Id[]): void {
    const { e } = this;
    if (missed.length === 0) return;
    const before = e.load(e.bool, this.variable!);
    e.m.emitVoid(Op.Store, this.variable!, e.anyOf([before, ...missed]));
  }

  beforeReturn(): void {
    const { e } = this;
    e.when(e.load(e.bool, this.variable!), () =>
      e.m.emitVoid(Op.Store, this.buffers.faultWord(e.constant32(FAULT_MISSED_WORD)), e.constant32(1)),
    );
  }
}
