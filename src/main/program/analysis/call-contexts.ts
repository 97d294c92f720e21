/**
 * Call contexts: activations that the analysis keeps apart. A context is a callee entered through one chain of calls,
 * so that every link has one value and a return leads to one place; that is what lets many calls share one link pair.
 *
 * The tree stays finite: a call to a callee that is already active on its path (recursion) leads back to that context,
 * and past `maxContexts` each callee has one merged context for all its calls. Both then have several callers, their
 * links are phis, and returns lead to every caller that the phi names.
 */
import type { GuestAddress } from '../../base/guest-address.ts';

export interface Caller {
  readonly context: number;
  readonly call: GuestAddress;
}

export interface CallContext {
  readonly id: number;
  /** Address of the first instruction. */
  readonly entry: GuestAddress;
  /** The caller that made the context; −1 for the main program. */
  readonly parent: number;
  readonly callers: Caller[];
  /** Calls from the main program to here, outermost first. */
  readonly path: readonly GuestAddress[];
  /** Made for all calls past the context limit. */
  readonly merged: boolean;
}

export class CallContexts {
  readonly list: CallContext[];
  private readonly byCall = new Map<string, CallContext>();
  private readonly mergedByEntry = new Map<GuestAddress, CallContext>();
  private readonly maxContexts: number;
  private readonly maxDepth: number;

  constructor(entry: GuestAddress, maxContexts: number, maxDepth: number) {
    this.list = [{ id: 0, entry, parent: -1, callers: [], path: [], merged: false }];
    this.maxContexts = maxContexts;
    this.maxDepth = maxDepth;
  }

  /** The context of a callee for one call in one context; undefined when the call depth exceeds its limit. */
  callee(caller: number, call: GuestAddress, entry: GuestAddress): CallContext | undefined {
    const key = `${caller},${call},${entry}`;
    let context = this.byCall.get(key);
    if (context) return context;
    context = this.activeOnPath(caller, entry) ?? this.fresh(caller, call, entry);
    if (!context) return undefined;
    context.callers.push({ context: caller, call });
    this.byCall.set(key, context);
    return context;
  }

  private activeOnPath(from: number, entry: GuestAddress): CallContext | undefined {
    for (let at = from; at > 0; at = this.list[at]!.parent) if (this.list[at]!.entry === entry) return this.list[at];
    return undefined;
  }

  private fresh(caller: number, call: GuestAddress, entry: GuestAddress): CallContext | undefined {
    const merged = this.list.length >= this.maxContexts;
    const known = merged ? this.mergedByEntry.get(entry) : undefined;
    if (known) return known;
    const path = [...this.list[caller]!.path, call];
    if (path.length > this.maxDepth) return undefined;
    const context: CallContext = { id: this.list.length, entry, parent: caller, callers: [], path, merged };
    this.list.push(context);
    if (merged) this.mergedByEntry.set(entry, context);
    return context;
  }
}
