/**
 * `barrier.phase`: the barrier between two phases (structure/phases.ts), and whether another phase follows.
 *
 * Waves that have not ended write the number of the phase into one word of Workgroup memory between two host barriers;
 * behind the second one everybody reads it: another number means that nobody wrote. The word needs no initial value: one
 * that happens to be the number costs an empty phase.
 */
import type { Emitter } from './emitter.ts';
import { MemorySemantics, Op, Scope, StorageClass } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

const SEMANTICS = MemorySemantics.AcquireRelease | MemorySemantics.WorkgroupMemory | MemorySemantics.UniformMemory;

export class PhaseBarrier {
  private readonly e: Emitter;
  /** The global, for the entry point's interface. */
  readonly word: Id;
  private number: Id | undefined;
  /** Set when the wave must not count as running any more although it cannot leave at once. */
  private dead: Id | undefined;

  constructor(e: Emitter) {
    this.e = e;
    this.word = e.m.variable(e.pointer(StorageClass.Workgroup, e.u32), StorageClass.Workgroup);
  }

  /** Variables: the first instructions of the main function. */
  declare(): void {
    const { e } = this;
    this.number = e.m.emit(Op.Variable, e.pointer(StorageClass.Function, e.u32), StorageClass.Function);
    this.dead = e.m.emit(Op.Variable, e.pointer(StorageClass.Function, e.bool), StorageClass.Function);
  }

  begin(): void {
    const { e } = this;
    e.m.emitVoid(Op.Store, this.number!, e.constant32(0));
    e.m.emitVoid(Op.Store, this.dead!, e.constantBool(false));
  }

  /** The wave counts as ended from the next barrier on. */
  kill(): void {
    this.e.m.emitVoid(Op.Store, this.dead!, this.e.constantBool(true));
  }

  private barrier(): void {
    const scope = this.e.constant32(Scope.Workgroup);
    this.e.m.emitVoid(Op.ControlBarrier, scope, scope, this.e.constant32(SEMANTICS));
  }

  /** Whether some wave of the group has not ended; in flow that the whole group shares. */
  meet(ended: Id): Id {
    const { e } = this;
    this.barrier();
    const number = e.add(e.load(e.u32, this.number!), e.constant32(1));
    e.m.emitVoid(Op.Store, this.number!, number);
    const gone = e.anyOf([ended, e.load(e.bool, this.dead!)]);
    e.when(e.not(gone), () => e.m.emitVoid(Op.Store, this.word, number));
    this.barrier();
    return e.equal(e.load(e.u32, this.word), number);
  }
}
