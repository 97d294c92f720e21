/**
 * Calls expanded: every block copied once per call context, so that each copy of a return leads to one place and each
 * copy of a call reaches the targets that this call path gives it. Registers, addresses and instructions stay shared.
 *
 * Why: code generation wants a plain graph in which "the link is the constant of this call" holds; dispatchers over
 * return sites then remain only where several callers really share an activation (recursion, merged contexts).
 * Budget: while the copies exceed `maxBlocks`, the callee whose contexts cost most is merged into one copy; contexts
 * that merged callers reach by the same call merge with them. In the end each callee has one copy.
 *
 * Out: a `Program` of the same form whose blocks carry `context` (an index into its `contexts`) and whose `calls` are
 * per copy. `regions` are rebuilt. The input is not changed.
 */
import { assert } from '../base/assert.ts';
import { buildRegions } from './build-regions.ts';
import type {
  Block,
  BlockId,
  CallContext,
  CallSite,
  ContextTransfer,
  Edge,
  EdgeKind,
  Program,
  Terminator,
} from './program.ts';

export interface ExpansionBudget {
  readonly maxBlocks: number;
}

export function expandCalls(program: Program, budget: ExpansionBudget): Program {
  if (program.contexts.length === 1)
    return { ...program, blocks: program.blocks.map((block) => ({ ...block, context: 0 })) };
  return new Expansion(program, groupContexts(program, budget)).build();
}

/** Representative context of each context. */
function groupContexts(program: Program, budget: ExpansionBudget): Int32Array {
  const groups = new ContextGroups(program);
  while (groups.totalBlocks() > budget.maxBlocks && groups.mergeCostliest());
  return groups.representatives();
}

class ContextGroups {
  private readonly contexts: readonly CallContext[];
  private readonly leader: Int32Array;

  constructor(program: Program) {
    this.contexts = program.contexts;
    this.leader = Int32Array.from(program.contexts, (_, i) => i);
  }

  private find(context: number): number {
    let at = context;
    while (this.leader[at] !== at) at = this.leader[at]!;
    return at;
  }

  representatives(): Int32Array {
    return this.leader.map((_, i) => this.find(i));
  }

  private blocksOfGroups(): Map<number, Set<BlockId>> {
    const blocks = new Map<number, Set<BlockId>>();
    this.contexts.forEach((context, i) => {
      const group = this.find(i);
      let set = blocks.get(group);
      if (!set) blocks.set(group, (set = new Set()));
      for (const block of context.blocks) set.add(block);
    });
    return blocks;
  }

  totalBlocks(): number {
    let total = 0;
    for (const set of this.blocksOfGroups().values()) total += set.size;
    return total;
  }

  /** False when every callee already has one copy. */
  mergeCostliest(): boolean {
    const cost = new Map<BlockId, { groups: number[]; blocks: number }>();
    for (const [group, set] of this.blocksOfGroups()) {
      if (group === this.find(0)) continue;
      const { entry } = this.contexts[group]!;
      const entryCost = cost.get(entry) ?? { groups: [], blocks: 0 };
      entryCost.groups.push(group);
      entryCost.blocks += set.size;
      cost.set(entry, entryCost);
    }
    let best: { groups: number[]; blocks: number } | undefined;
    for (const candidate of cost.values()) {
      if (candidate.groups.length > 1 && candidate.blocks > (best?.blocks ?? 0)) best = candidate;
    }
    if (!best) return false;
    for (const group of best.groups) this.union(best.groups[0]!, group);
    this.closeOverCalls();
    return true;
  }

  private union(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)];
    if (x !== y) this.leader[Math.max(x, y)] = Math.min(x, y);
  }

  /** One call in one group has one callee context per entry: otherwise a copy could not tell which one to enter. */
  private closeOverCalls(): void {
    for (let changed = true; changed; ) {
      changed = false;
      const callee = new Map<string, number>();
      this.contexts.forEach((context, i) => {
        for (const transfer of context.transfers) {
          if (transfer.kind !== 'call') continue;
          const key = `${this.find(i)},${transfer.call},${transfer.to}`;
          const other = callee.get(key);
          if (other === undefined) callee.set(key, transfer.context);
          else if (this.find(other) !== this.find(transfer.context)) {
            this.union(other, transfer.context);
            changed = true;
          }
        }
      });
    }
  }
}

class Expansion {
  private readonly program: Program;
  /** Group of each old context; groups are numbered in order of their first context. */
  private readonly groupOf: number[];
  private readonly members: number[][] = [];
  /** (group, old block) → new block. */
  private readonly copies = new Map<string, BlockId>();
  private readonly places: { readonly group: number; readonly block: BlockId }[] = [];
  private readonly transfers: ContextTransfer[][] = [];
  /** (group, old call) → new call. */
  private readonly callCopies = new Map<string, number>();
  private readonly calls: CallSite[] = [];
  private readonly edges: Edge[] = [];

  constructor(program: Program, representatives: Int32Array) {
    this.program = program;
    const numbers = new Map<number, number>();
    this.groupOf = Array.from(representatives, (leader, context) => {
      let number = numbers.get(leader);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(leader, number);
        this.members.push([]);
      }
      this.members[number]!.push(context);
      return number;
    });
  }

  build(): Program {
    const { program } = this;
    this.copyBlocks();
    this.copyCalls();
    this.mapTransfers();
    const terminators = this.places.map(({ group, block }) => this.terminator(group, program.blocks[block]!));
    this.places.forEach(({ group, block }, id) => {
      this.addEdges(group, program.blocks[block]!, id as BlockId);
    });
    const neighbours = this.neighbours();
    const blocks = this.places.map(({ group, block }, i): Block => {
      const around = { predecessors: neighbours.predecessors[i]!, successors: neighbours.successors[i]! };
      return { ...program.blocks[block]!, id: i as BlockId, terminator: terminators[i]!, context: group, ...around };
    });
    const contexts = this.members.map((_, group) => this.context(group));
    return {
      ...program,
      entry: this.copy(0, program.entry),
      blocks,
      edges: this.edges,
      calls: this.calls,
      contexts,
      regions: buildRegions(contexts, this.calls, blocks),
    };
  }

  private copy(group: number, block: BlockId): BlockId {
    const id = this.copies.get(`${group},${block}`);
    assert(id !== undefined, 'direct flow stays in the context');
    return id;
  }

  private copyBlocks(): void {
    this.members.forEach((contexts, group) => {
      const blocks = new Set(contexts.flatMap((context) => this.program.contexts[context]!.blocks));
      for (const block of [...blocks].sort((a, b) => a - b)) {
        this.copies.set(`${group},${block}`, this.places.length as BlockId);
        this.places.push({ group, block });
      }
    });
  }

  private copyCalls(): void {
    const callOfBlock = new Map(this.program.calls.map((site, call) => [site.block, call]));
    this.places.forEach(({ group, block }, id) => {
      const call = callOfBlock.get(block);
      if (call === undefined) return;
      const site = this.program.calls[call]!;
      const transfers = this.members[group]!.flatMap((context) => this.program.contexts[context]!.transfers).filter(
        (transfer) => transfer.from === block && transfer.kind !== 'return',
      );
      const targets = site.targets.flatMap((target) => {
        const transfer = transfers.find((t) => this.program.blocks[t.to]!.address === target.address);
        return transfer ? [{ ...target, block: this.copy(this.groupOf[transfer.context]!, transfer.to) }] : [];
      });
      const { returnBlock, ...rest } = site;
      const returned = returnBlock === undefined ? undefined : this.copies.get(`${group},${returnBlock}`);
      this.callCopies.set(`${group},${call}`, this.calls.length);
      this.calls.push({
        ...rest,
        block: id as BlockId,
        targets,
        ...(returned === undefined ? {} : { returnBlock: returned }),
      });
    });
  }

  private mapTransfers(): void {
    this.members.forEach((contexts, group) => {
      const mapped = new Map<string, ContextTransfer>();
      for (const context of contexts) {
        for (const transfer of this.program.contexts[context]!.transfers) {
          const into = this.groupOf[transfer.context]!;
          const callGroup = transfer.kind === 'return' ? into : group;
          const call = this.callCopies.get(`${callGroup},${transfer.call}`) ?? -1;
          const from = this.copy(group, transfer.from);
          const to = this.copy(into, transfer.to);
          mapped.set(`${from},${to},${call}`, { from, kind: transfer.kind, call, context: into, to });
        }
      }
      this.transfers.push([...mapped.values()].sort((a, b) => a.from - b.from || a.to - b.to));
    });
  }

  private terminator(group: number, block: Block): Terminator {
    const { terminator } = block;
    const leaving = (): readonly ContextTransfer[] => {
      const from = this.copy(group, block.id);
      return this.transfers[group]!.filter((transfer) => transfer.from === from);
    };
    const callCopy = (call: number): number => this.callCopies.get(`${group},${call}`) ?? -1;
    switch (terminator.kind) {
      case 'fallthrough':
        return { kind: 'fallthrough', next: this.copy(group, terminator.next) };
      case 'jump':
        return { kind: 'jump', target: this.copy(group, terminator.target) };
      case 'branch':
        return {
          ...terminator,
          taken: this.copy(group, terminator.taken),
          fallthrough: this.copy(group, terminator.fallthrough),
        };
      case 'call':
        return { kind: 'call', call: callCopy(terminator.call) };
      case 'return': {
        const calls = new Set(leaving().map((transfer) => transfer.call));
        return { ...terminator, calls: [...calls].sort((a, b) => a - b) };
      }
      case 'indirect': {
        const transfers = leaving();
        const targets = [...new Set(transfers.map((transfer) => transfer.to))].sort((a, b) => a - b);
        return { ...terminator, targets, call: callCopy(terminator.call) };
      }
      case 'end':
        return terminator;
      case 'stop':
        return terminator.call === undefined ? terminator : { ...terminator, call: callCopy(terminator.call) };
    }
  }

  private addEdges(group: number, block: Block, from: BlockId): void {
    const { terminator } = block;
    const direct = (to: BlockId, kind: EdgeKind): void => {
      this.edges.push({ from, to: this.copy(group, to), kind });
    };
    if (terminator.kind === 'fallthrough') direct(terminator.next, 'fallthrough');
    if (terminator.kind === 'jump') direct(terminator.target, 'branch');
    if (terminator.kind === 'branch') {
      direct(terminator.fallthrough, 'fallthrough');
      direct(terminator.taken, 'branch');
    }
    for (const transfer of this.transfers[group]!) {
      if (transfer.from !== from) continue;
      if (transfer.kind === 'jump') this.edges.push({ from, to: transfer.to, kind: 'branch' });
      else this.edges.push({ from, to: transfer.to, kind: transfer.kind, call: transfer.call });
    }
  }

  private neighbours(): { readonly predecessors: BlockId[][]; readonly successors: BlockId[][] } {
    const predecessors: Set<BlockId>[] = this.places.map(() => new Set());
    const successors: Set<BlockId>[] = this.places.map(() => new Set());
    for (const { from, to } of this.edges) {
      predecessors[to]!.add(from);
      successors[from]!.add(to);
    }
    const sorted = (set: Set<BlockId>): BlockId[] => [...set].sort((a, b) => a - b);
    return { predecessors: predecessors.map(sorted), successors: successors.map(sorted) };
  }

  private context(group: number): CallContext {
    const contexts = this.members[group]!.map((context) => this.program.contexts[context]!);
    const first = contexts[0]!;
    const callers = new Map<string, { readonly context: number; readonly call: number }>();
    this.transfers.forEach((transfers, context) => {
      for (const transfer of transfers) {
        if (transfer.kind !== 'call' || transfer.context !== group) continue;
        callers.set(`${context},${transfer.call}`, { context, call: transfer.call });
      }
    });
    return {
      parent: first.parent < 0 ? -1 : this.groupOf[first.parent]!,
      entry: this.copy(group, first.entry),
      callers: [...callers.values()],
      blocks: this.places.flatMap((place, id) => (place.group === group ? [id as BlockId] : [])),
      transfers: this.transfers[group]!,
      callPath: first.callPath,
      recursive: contexts.some((context) => context.recursive),
    };
  }
}
