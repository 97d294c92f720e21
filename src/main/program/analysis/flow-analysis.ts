/**
 * Interprocedural dataflow with growing control flow: which values reach each block in each call context, and where
 * register calls, jumps and returns go.
 *
 * Two nested fixpoints. Inner: blocks are re-evaluated until the values at their entries stand. Outer: register calls
 * and jumps are resolved from those values, which adds call, return and jump edges and code; repeat until nothing is
 * added. Last, calls that could not be resolved get a display edge to the code behind them (refused calls stop the
 * program, but the rest of it is still read), and the fixpoints run again.
 *
 * A value that differs between predecessors becomes phi(node, slot) and stays one, so every chain is finite. Edges are
 * only ever added; `resolve` afterwards gives the final answer from the final values.
 * Hot path: states are Int32Arrays of value numbers.
 */

import { assert } from '../../base/assert.ts';
import type { Target, WaveSize } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import type { ByteBudget, CodeMap, FlowBlock } from '../code/code-map.ts';
import { nextAddress } from '../code/instruction-flow.ts';
import { FIXED_SLOTS, MachineState, SLOT_SCC, SlotTable } from '../values/machine-state.ts';
import { Transfer } from '../values/transfer.ts';
import type { ValueNumber, ValueTable } from '../values/value-table.ts';
import type { CallContext, CallContexts, Caller } from './call-contexts.ts';
import { enumeratePair, type Pair, type PairValues, type PhiSource } from './enumerate-pair.ts';

/** A flow block in a call context. */
export interface FlowNode {
  readonly id: number;
  readonly block: FlowBlock;
  readonly context: number;
  readonly incoming: number[];
  /** Values at entry; undefined until a predecessor was evaluated. */
  entry: MachineState | undefined;
  exit: MachineState | undefined;
  /** Pair of a register call or jump, as it was before the link was written. */
  pair: Pair | undefined;
}

/** A place that a register call, jump or return leads to. */
export interface FlowTarget {
  readonly address: GuestAddress;
  readonly context: number;
}

export type ResolveTargets = (node: FlowNode) => readonly FlowTarget[];

export interface AnalysisOptions {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly code: CodeMap;
  readonly table: ValueTable;
  readonly contexts: CallContexts;
  readonly userSgprs: Uint32Array | undefined;
  readonly maxBytesPerCallee: number;
  readonly maxNodes: number;
}

export class FlowAnalysis implements PhiSource {
  readonly nodes: FlowNode[] = [];
  /** Call instruction → where it stands; for returns. */
  readonly calls = new Map<GuestAddress, { readonly next: GuestAddress; readonly link: number }>();
  /** Nodes that were not made because of the node limit. */
  dropped = 0;
  private readonly options: AnalysisOptions;
  private readonly slots = new SlotTable();
  private readonly transfer: Transfer;
  private readonly byPlace = new Map<string, FlowNode>();
  private readonly nodesOfBlock = new Map<number, FlowNode[]>();
  private readonly budgets = new Map<GuestAddress, ByteBudget>();
  private queue: FlowNode[] = [];
  private readonly queued = new Set<number>();
  private readonly outgoing = new Map<number, Set<number>>();
  /** Node → the node of its block's tail after a split. */
  private readonly tailOf = new Map<number, number>();
  private live: ReadonlySet<number> | undefined;
  private spent = 0;
  /** `call,context` → node that makes the call. */
  private readonly callNodes = new Map<string, number>();
  private readonly shownBehind = new Set<string>();
  /** Register calls and jumps evaluated since they were last resolved. */
  private unresolved = new Set<number>();
  /** Those whose pair is not fully known: their targets may grow without their own values changing. */
  private readonly unsettled = new Set<number>();
  private readonly settled = new Map<number, string>();

  constructor(options: AnalysisOptions) {
    this.options = options;
    this.transfer = new Transfer(options.table, this.slots, options.target, options.waveSize);
  }

  /** Node 0 is the wave's start: it has no block of its own to run and one successor, the entry. */
  run(entry: GuestAddress, resolve: ResolveTargets): void {
    const block = this.discover(entry, 0);
    const start: FlowNode = {
      id: 0,
      block,
      context: 0,
      incoming: [],
      entry: undefined,
      exit: undefined,
      pair: undefined,
    };
    this.nodes.push(start);
    if (!this.options.code.blocks.some(leavesByRegisterOrCall)) {
      // Most shaders: nothing depends on values, so none are followed.
      const nothing = new MachineState(new Int32Array(0), new Map());
      for (const each of this.options.code.blocks) {
        const node = this.node(each, 0);
        if (node) node.exit = nothing;
      }
      return;
    }
    start.exit = this.initialState();
    this.addEdge(start, { address: entry, context: 0 });
    do {
      this.fixpoint(resolve);
    } while (this.showCodeBehindUnresolvedCalls(resolve));
  }

  nodeAt(address: GuestAddress, context: number): FlowNode | undefined {
    const block = this.options.code.leaderAt(address);
    return block && this.byPlace.get(`${block.number},${context}`);
  }

  /** Every value of the node's register pair. */
  pairValues(node: FlowNode): PairValues {
    assert(node.pair, 'only evaluated register calls and jumps have a pair');
    return enumeratePair(this.options.table, this, node.pair.low, node.pair.high);
  }

  /**
   * Afterwards only these nodes count as predecessors: edges that earlier rounds added and later values took back no
   * longer contribute values or callers.
   */
  restrict(live: ReadonlySet<number>): void {
    this.live = live;
    this.spent = 0;
  }

  /** Callers of a context that are still reached. */
  liveCallers(context: CallContext): readonly Caller[] {
    const { live } = this;
    if (!live) return context.callers;
    return context.callers.filter((caller) => live.has(this.callNodes.get(`${caller.call},${caller.context}`) ?? -1));
  }

  // PhiSource

  edgeCount(node: number): number {
    return this.nodes[node]!.incoming.length;
  }

  spend(edges: number): boolean {
    this.spent += edges;
    return this.spent <= MAX_EDGES_EXAMINED;
  }

  operand(node: number, edge: number, slot: number): ValueNumber | undefined {
    const from = this.nodes[this.nodes[node]!.incoming[edge]!]!;
    if (!from.exit || (this.live && from.id !== 0 && !this.live.has(from.id))) return undefined;
    // A lane or cell of which this path knows nothing.
    return from.exit.get(slot) ?? this.options.table.opaque(from.block.address, from.context, slot, 'lane');
  }

  private initialState(): MachineState {
    const { table, userSgprs } = this.options;
    const fixed = new Int32Array(FIXED_SLOTS);
    for (let slot = 0; slot < FIXED_SLOTS; slot++) fixed[slot] = table.initial(slot);
    if (userSgprs) for (let i = 0; i < userSgprs.length && i < SLOT_SCC; i++) fixed[i] = table.user(i, userSgprs[i]!);
    else for (let i = 0; i < MAX_USER_SGPRS; i++) fixed[i] = table.user(i, undefined);
    return new MachineState(fixed, new Map());
  }

  private fixpoint(resolve: ResolveTargets): void {
    for (;;) {
      this.evaluateAll();
      // First what was just evaluated; only then, once, everything whose phis may have got new operands meanwhile.
      const round = this.unresolved.size > 0 ? this.unresolved : new Set(this.unsettled);
      const again = round === this.unresolved;
      if (again) this.unresolved = new Set();
      let grown = false;
      for (const id of round) {
        const node = this.nodes[id]!;
        if (!node.exit || !leavesByRegisterOrCall(node.block) || this.isSettled(node)) continue;
        for (const target of resolve(node)) if (this.addRegisterEdge(node, target)) grown = true;
      }
      if (!grown && !again && this.queue.length === 0) return;
    }
  }

  /** Resolved once from values that are fully known: resolving again would say the same. */
  private isSettled(node: FlowNode): boolean {
    const { bits } = this.options.table;
    const key = node.pair ? `${node.pair.low},${node.pair.high}` : '';
    if (this.settled.get(node.id) === key) return true;
    if (!node.pair || (bits[node.pair.low]! >= 0 && bits[node.pair.high]! >= 0)) {
      this.settled.set(node.id, key);
      this.unsettled.delete(node.id);
    } else this.unsettled.add(node.id);
    return false;
  }

  /**
   * A call whose target is refused, or whose callee cannot be followed to a return, stops the program; the code behind
   * it is still decoded and shown, with the values before the call.
   */
  private showCodeBehindUnresolvedCalls(resolve: ResolveTargets): boolean {
    const broken = new Set<number>();
    for (const node of this.nodes) {
      const unresolved = node.exit && node.id !== 0 && leavesByRegisterOrCall(node.block) && resolve(node).length === 0;
      if (node.block.flow.kind === 'fault' || unresolved) broken.add(node.context);
    }
    let grown = false;
    for (const node of this.nodes.slice()) {
      const { flow } = node.block;
      if (!node.exit || node.id === 0) continue;
      if (flow.kind !== 'callRegister' && flow.kind !== 'callRelative') continue;
      if (flow.link < 0 || this.nodeAt(flow.next, node.context)) continue;
      if (resolve(node).some((target) => !broken.has(target.context))) continue;
      this.shownBehind.add(placeKey(node));
      if (this.addRegisterEdge(node, { address: flow.next, context: node.context })) grown = true;
    }
    return grown;
  }

  /** Whether the code behind this call is only shown: control does not get there. */
  isShownBehind(node: FlowNode): boolean {
    return this.shownBehind.has(placeKey(node));
  }

  private evaluateAll(): void {
    while (this.queue.length > 0) {
      const round = this.queue;
      this.queue = [];
      for (const node of round) {
        this.queued.delete(node.id);
        this.evaluate(node);
      }
    }
  }

  private enqueue(node: FlowNode): void {
    if (this.queued.has(node.id)) return;
    this.queued.add(node.id);
    this.queue.push(node);
  }

  private evaluate(node: FlowNode): void {
    const entry = this.meet(node);
    if (!entry) return;
    const unchanged = node.entry !== undefined && node.exit !== undefined && entry.equals(node.entry);
    node.entry = entry;
    if (unchanged) return;
    const state = entry.clone();
    this.runBlock(node, state);
    if (leavesByRegisterOrCall(node.block)) this.unresolved.add(node.id);
    const changed = !node.exit?.equals(state);
    node.exit = state;
    for (const target of directTargets(node.block)) this.addEdge(node, { address: target, context: node.context });
    if (!changed) return;
    for (const other of this.successors(node)) this.enqueue(other);
  }

  private runBlock(node: FlowNode, state: MachineState): void {
    const { code } = this.options;
    this.transfer.enter(state, node.context);
    const { instructions, flow } = node.block;
    for (let i = 0; i < instructions.length; i++) {
      const { instruction, address } = instructions[i]!;
      let next = code.reportedNext(address, nextAddress(instruction, address));
      if (i === instructions.length - 1) {
        if (flow.kind === 'callRegister' || flow.kind === 'jumpRegister') node.pair = this.transfer.pair(flow.source);
        if (flow.kind === 'callRegister' || flow.kind === 'callRelative') {
          this.calls.set(address, { next: flow.next, link: flow.link });
          this.callNodes.set(`${address},${node.context}`, node.id);
          // A link is where control comes back to, in an edit too.
          next = flow.next;
        }
      }
      this.transfer.step(instruction, address, next);
    }
  }

  /** Values on which all evaluated predecessors agree; phis elsewhere. */
  private meet(node: FlowNode): MachineState | undefined {
    const { table } = this.options;
    const states: MachineState[] = [];
    for (const id of node.incoming) {
      const exit = this.nodes[id]!.exit;
      if (exit) states.push(exit);
    }
    const first = states[0];
    if (!first) return undefined;
    const merged = first.clone();
    const before = node.entry;
    for (let slot = 0; slot < FIXED_SLOTS; slot++) {
      let value = first.fixed[slot]!;
      for (let s = 1; s < states.length; s++) if (states[s]!.fixed[slot] !== value) value = -1;
      if (value < 0 || before?.fixed[slot] === table.phi(node.id, slot)) value = table.phi(node.id, slot);
      merged.fixed[slot] = value;
    }
    for (const [slot, value] of first.extra) {
      let agreed: ValueNumber | undefined = value;
      for (let s = 1; s < states.length && agreed !== undefined; s++) {
        const other = states[s]!.extra.get(slot);
        if (other === undefined) agreed = undefined;
        else if (other !== agreed) agreed = table.phi(node.id, slot);
      }
      // Once lost, lost: otherwise values could come and go for ever.
      if (agreed === undefined || (before && !before.extra.has(slot))) merged.extra.delete(slot);
      else
        merged.extra.set(
          slot,
          before?.extra.get(slot) === table.phi(node.id, slot) ? table.phi(node.id, slot) : agreed,
        );
    }
    return merged;
  }

  private successors(node: FlowNode): FlowNode[] {
    return [...(this.outgoing.get(node.id) ?? [])].map((id) => this.nodes[id]!);
  }

  /** True when the edge is new. */
  private addEdge(from: FlowNode, target: FlowTarget): boolean {
    const block = this.discover(target.address, target.context);
    const to = this.node(block, target.context);
    if (!to) return false;
    let out = this.outgoing.get(from.id);
    if (!out) this.outgoing.set(from.id, (out = new Set()));
    if (out.has(to.id)) return false;
    out.add(to.id);
    to.incoming.push(from.id);
    this.enqueue(to);
    return true;
  }

  /** Edge of a register call or jump. Discovering its target may split its own block: the tail then leaves. */
  private addRegisterEdge(from: FlowNode, target: FlowTarget): boolean {
    this.discover(target.address, target.context);
    let source = from;
    while (!leavesByRegisterOrCall(source.block)) source = this.nodes[this.tailOf.get(source.id)!]!;
    return this.addEdge(source, target);
  }

  private node(block: FlowBlock, context: number): FlowNode | undefined {
    const key = `${block.number},${context}`;
    const known = this.byPlace.get(key);
    if (known) return known;
    if (this.nodes.length >= this.options.maxNodes) {
      this.dropped++;
      return undefined;
    }
    const node: FlowNode = {
      id: this.nodes.length,
      block,
      context,
      incoming: [],
      entry: undefined,
      exit: undefined,
      pair: undefined,
    };
    this.nodes.push(node);
    this.byPlace.set(key, node);
    const list = this.nodesOfBlock.get(block.number);
    if (list) list.push(node);
    else this.nodesOfBlock.set(block.number, [node]);
    return node;
  }

  private discover(address: GuestAddress, context: number): FlowBlock {
    const { code, contexts, maxBytesPerCallee } = this.options;
    const entry = contexts.list[context]!.entry;
    let budget = this.budgets.get(entry);
    if (!budget)
      this.budgets.set(entry, (budget = { bytes: context === 0 ? Number.POSITIVE_INFINITY : maxBytesPerCallee }));
    const block = code.discover(address, budget);
    for (const [head, tail] of code.takeSplits()) this.split(head, tail);
    return block;
  }

  /** Every node of the head gets a node of the tail that takes over its exit and its edges. */
  private split(head: FlowBlock, tail: FlowBlock): void {
    for (const node of (this.nodesOfBlock.get(head.number) ?? []).slice()) {
      const end = this.node(tail, node.context);
      if (!end) continue;
      end.exit = node.exit;
      end.pair = node.pair;
      this.outgoing.set(end.id, this.outgoing.get(node.id) ?? new Set());
      for (const id of this.outgoing.get(end.id)!) {
        const { incoming } = this.nodes[id]!;
        incoming[incoming.indexOf(node.id)] = end.id;
      }
      this.outgoing.set(node.id, new Set([end.id]));
      end.incoming.push(node.id);
      node.entry = undefined;
      node.exit = undefined;
      node.pair = undefined;
      this.tailOf.set(node.id, end.id);
      this.unresolved.add(end.id);
      this.enqueue(node);
    }
  }
}

/** COMPUTE_PGM_RSRC2.USER_SGPR has five bits; graphics stages of gfx10 may have up to 32. */
const MAX_USER_SGPRS = 32;

/** Stays the same when the node's block is split. */
function placeKey(node: FlowNode): string {
  return `${node.block.end},${node.context}`;
}

/** Bounds the time of hostile programs; a program of a thousand calls to one callee stays far below. */
const MAX_EDGES_EXAMINED = 4_000_000;

function leavesByRegisterOrCall(block: FlowBlock): boolean {
  const { kind } = block.flow;
  return kind === 'callRegister' || kind === 'callRelative' || kind === 'jumpRegister';
}

function directTargets(block: FlowBlock): readonly GuestAddress[] {
  const { flow } = block;
  switch (flow.kind) {
    case 'next':
      return [flow.next];
    case 'jump':
      return [flow.target];
    case 'branch':
      return [flow.next, flow.target];
    case 'callRelative':
    case 'callRegister':
    case 'jumpRegister':
    case 'end':
    case 'fault':
      return [];
  }
}
