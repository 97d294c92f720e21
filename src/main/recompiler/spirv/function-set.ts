/**
 * Functions that a module needs once: made on first use, emitted behind the main function (SPIR-V takes any order).
 */
import type { Emitter } from './emitter.ts';
import { Op } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

export class FunctionSet {
  private readonly e: Emitter;
  private readonly made = new Map<string, Id>();
  private readonly pending: (() => void)[] = [];

  constructor(e: Emitter) {
    this.e = e;
  }

  /** `body` gets the parameters' ids and returns the result's id, none for void. */
  define(name: string, result: Id, parameters: readonly Id[], body: (args: readonly Id[]) => Id | undefined): Id {
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const { m } = this.e;
    const id = m.id();
    this.made.set(name, id);
    m.name(id, name);
    const type = m.type(Op.TypeFunction, result, ...parameters);
    this.pending.push(() => {
      m.emitWith(Op.Function, result, id, 0, type);
      const args = parameters.map((p) => m.emit(Op.FunctionParameter, p));
      this.e.startBlock(m.id());
      const value = body(args);
      if (value === undefined) m.emitVoid(Op.Return);
      else m.emitVoid(Op.ReturnValue, value);
      m.emitVoid(Op.FunctionEnd);
    });
    return id;
  }

  /** Emits every function that was used, and those they use. */
  finish(): void {
    while (this.pending.length > 0) this.pending.pop()!();
  }
}
