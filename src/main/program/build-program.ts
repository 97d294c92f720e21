/**
 * The finished `Program` from a finished analysis: contexts are folded back onto shared blocks, and everything that was
 * refused becomes a diagnostic.
 *
 * In: an analysis at its fixpoint. Out: the invariants of program.ts. Only nodes that the final resolutions reach are
 * kept; edges that earlier rounds added and later values took back leave nothing behind.
 */
import { assert } from '../base/assert.ts';
import { atAddress, type Diagnostic, type DiagnosticKind, diagnostic } from '../base/diagnostics.ts';
import type { Target, WaveSize } from '../base/dispatch.ts';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { CallContexts } from './analysis/call-contexts.ts';
import type { FlowAnalysis, FlowNode } from './analysis/flow-analysis.ts';
import {
  lastAddress,
  type Refusal,
  type Resolution,
  type ResolvedTarget,
  type TransferResolver,
} from './analysis/resolve-transfers.ts';
import { buildContexts, buildRegions } from './build-regions.ts';
import { buildSegments } from './build-segments.ts';
import type { CodeMap, FlowBlock, FlowFault } from './code/code-map.ts';
import type {
  Block,
  BlockId,
  CallKind,
  CallSite,
  CallTarget,
  Edge,
  EdgeKind,
  Program,
  SegmentOrigin,
  Terminator,
} from './program.ts';
import { registerPairName } from './register-pair-name.ts';

export interface BuildInput {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly name: string;
  readonly entry: GuestAddress;
  readonly code: CodeMap;
  readonly contexts: CallContexts;
  readonly analysis: FlowAnalysis;
  readonly resolver: TransferResolver;
  /** Origin of the segment that holds an address. */
  readonly originOf: (address: GuestAddress) => SegmentOrigin | undefined;
}

/** A reached node with its final resolution. */
export interface LiveNode {
  readonly node: FlowNode;
  readonly resolution: Resolution;
}

export function buildProgram(input: BuildInput): Program {
  return new ProgramBuilder(input).build();
}

class ProgramBuilder {
  private readonly input: BuildInput;
  private readonly diagnostics: Diagnostic[] = [];
  private readonly diagnosticIds = new Map<string, number>();
  private readonly live = new Map<number, LiveNode>();
  /** Reached nodes of each flow block, in order of discovery. */
  private readonly byBlock = new Map<number, LiveNode[]>();
  private readonly ids = new Map<number, BlockId>();
  private readonly callIds = new Map<GuestAddress, number>();

  constructor(input: BuildInput) {
    this.input = input;
  }

  build(): Program {
    const { input } = this;
    this.collectLive();
    const flowBlocks = this.orderBlocks();
    const { segments, segmentOf } = buildSegments(flowBlocks, input.originOf, (address) => input.code.wordAt(address));
    this.numberCalls(flowBlocks);
    const calls = this.buildCalls(flowBlocks);
    const terminators = flowBlocks.map((block) => this.terminator(block));
    const edges = this.buildEdges(flowBlocks);
    const predecessors = neighbours(edges, flowBlocks.length, (edge) => [edge.to, edge.from]);
    const successors = neighbours(edges, flowBlocks.length, (edge) => [edge.from, edge.to]);
    const blocks = flowBlocks.map((block, i): Block => {
      const { address, end, instructions } = block;
      const [segment, terminator] = [segmentOf[i]!, terminators[i]!];
      const around = { predecessors: predecessors[i]!, successors: successors[i]! };
      return { id: i as BlockId, address, end, segment, instructions, terminator, ...around };
    });
    const live = [...this.live.values()];
    const contexts = buildContexts(live, input.contexts, this.ids, this.callIds, input.code.redirect(input.entry));
    const regions = buildRegions(contexts, calls, blocks);
    this.checkFetchReturns(live);
    if (input.analysis.dropped > 0) {
      this.report(
        'CFG004',
        'unsupported',
        input.entry,
        'calls expand to more blocks than the limit; some paths are not followed',
      );
    }
    return {
      target: input.target,
      waveSize: input.waveSize,
      name: input.name,
      entry: this.idAt(input.code.redirect(input.entry)),
      entryAddress: input.entry,
      segments,
      blocks,
      edges,
      calls,
      contexts,
      regions,
      recursive: contexts.some((context) => context.recursive),
      diagnostics: this.diagnostics,
      complete: this.diagnostics.every((d) => d.kind !== 'badInput' && d.kind !== 'unsupported'),
      readWords: this.readWords(live),
    };
  }

  /** Nodes that the final resolutions reach. Fewer nodes bring fewer values, so this shrinks until it stands. */
  private collectLive(): void {
    const { nodes } = this.input.analysis;
    this.input.analysis.restrict(new Set(nodes.map((node) => node.id)));
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      this.live.clear();
      this.reachAll();
      if (this.live.size >= before) break;
      before = this.live.size;
      this.input.analysis.restrict(new Set(this.live.keys()));
    }
    for (const entry of this.live.values()) {
      const { number } = entry.node.block;
      const list = this.byBlock.get(number);
      if (list) list.push(entry);
      else this.byBlock.set(number, [entry]);
    }
  }

  private reachAll(): void {
    const { input } = this;
    const { analysis, resolver } = input;
    const queue: FlowNode[] = [];
    const reach = (address: GuestAddress, context: number): void => {
      const node = analysis.nodeAt(address, context);
      if (!node?.exit || this.live.has(node.id)) return;
      this.live.set(node.id, { node, resolution: resolver.resolve(node) });
      queue.push(node);
    };
    reach(input.code.redirect(input.entry), 0);
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i]!;
      const { flow } = node.block;
      for (const address of directAddresses(node.block)) reach(address, node.context);
      for (const target of this.live.get(node.id)!.resolution.targets) reach(target.address, target.context);
      const isCall = flow.kind === 'callRegister' || flow.kind === 'callRelative';
      if (isCall && analysis.isShownBehind(node)) reach(flow.next, node.context);
    }
  }

  private orderBlocks(): FlowBlock[] {
    const blocks = [...this.byBlock.keys()].map((number) => this.input.code.blocks[number]!);
    blocks.sort((a, b) => a.address - b.address || a.number - b.number);
    blocks.forEach((block, i) => {
      this.ids.set(block.number, i as BlockId);
    });
    return blocks;
  }

  private idAt(address: GuestAddress): BlockId {
    const block = this.input.code.leaderAt(address);
    const id = block && this.ids.get(block.number);
    assert(id !== undefined, `no block at ${formatAddress(address)}`);
    return id;
  }

  // Calls

  private numberCalls(blocks: readonly FlowBlock[]): void {
    for (const block of blocks) {
      const { kind } = block.flow;
      const isCall = kind === 'callRegister' || kind === 'callRelative';
      const isJump = kind === 'jumpRegister' && this.returnTargets(block) === undefined;
      if (isCall || isJump) this.callIds.set(endAddress(block), this.callIds.size);
    }
  }

  /** The return targets of a register jump, when it only ever returns. */
  private returnTargets(block: FlowBlock): readonly ResolvedTarget[] | undefined {
    const { flow } = block;
    const jumps = flow.kind === 'jumpRegister' || (flow.kind === 'callRegister' && flow.link < 0);
    if (!jumps) return undefined;
    const targets = this.byBlock.get(block.number)!.flatMap((entry) => entry.resolution.targets);
    return targets.length > 0 && targets.every((target) => target.returnOf) ? targets : undefined;
  }

  private buildCalls(blocks: readonly FlowBlock[]): CallSite[] {
    const calls: CallSite[] = [];
    for (const block of blocks) {
      if (!this.callIds.has(endAddress(block))) continue;
      const { flow } = block;
      const entries = this.byBlock.get(block.number)!;
      const targets = new Map<GuestAddress, CallTarget>();
      const kinds = new Set<CallKind>();
      for (const { resolution } of entries) {
        for (const kind of resolution.kinds) kinds.add(kind);
        for (const target of resolution.targets) {
          if (!target.evidence) continue;
          const before = targets.get(target.address);
          const checked = target.checked || (before?.checked ?? false);
          targets.set(target.address, {
            address: target.address,
            block: this.idAt(target.address),
            evidence: before?.evidence ?? target.evidence,
            checked,
          });
        }
      }
      const dynamic = entries.some((entry) => entry.resolution.dynamic);
      if (dynamic) kinds.add('dynamic');
      const links = flow.kind === 'callRegister' || flow.kind === 'callRelative';
      const next = links ? flow.next : block.end;
      const follows = links && flow.link >= 0 ? this.input.code.leaderAt(next) : undefined;
      const returnBlock = follows && this.ids.get(follows.number);
      calls.push({
        address: endAddress(block),
        block: this.ids.get(block.number)!,
        linkPair: links ? flow.link : -1,
        targetPair: flow.kind === 'callRegister' || flow.kind === 'jumpRegister' ? flow.source : -1,
        kind: strongest(kinds),
        targets: [...targets.values()].sort((a, b) => a.address - b.address),
        dynamic,
        returnAddress: next,
        ...(returnBlock === undefined ? {} : { returnBlock }),
      });
    }
    return calls;
  }

  // Terminators and edges

  private terminator(block: FlowBlock): Terminator {
    const { flow } = block;
    switch (flow.kind) {
      case 'next':
        return { kind: 'fallthrough', next: this.idAt(flow.next) };
      case 'jump':
        return { kind: 'jump', target: this.idAt(flow.target) };
      case 'branch':
        return {
          kind: 'branch',
          condition: flow.condition,
          taken: this.idAt(flow.target),
          fallthrough: this.idAt(flow.next),
        };
      case 'end':
        return { kind: 'end' };
      case 'fault':
        return { kind: 'stop', diagnostic: this.reportFault(block, flow.fault) };
      case 'callRelative':
      case 'callRegister':
      case 'jumpRegister':
        return this.registerTerminator(block);
    }
  }

  private registerTerminator(block: FlowBlock): Terminator {
    const { flow } = block;
    assert(
      flow.kind === 'callRelative' || flow.kind === 'callRegister' || flow.kind === 'jumpRegister',
      'a call or jump',
    );
    const entries = this.byBlock.get(block.number)!;
    let refused = -1;
    for (const { resolution } of entries) {
      for (const refusal of resolution.refusals) {
        const id = this.reportRefusal(block, refusal);
        if (refusal.kind !== 'note' && refused < 0) refused = id;
      }
    }
    const targets = entries.flatMap((entry) => entry.resolution.targets);
    const call = this.callIds.get(endAddress(block));
    if (targets.length === 0) {
      if (refused < 0) refused = this.reportDeadEnd(block);
      return { kind: 'stop', diagnostic: refused, ...(call === undefined ? {} : { call }) };
    }
    const isCall = flow.kind === 'callRelative' || (flow.kind === 'callRegister' && flow.link >= 0);
    if (isCall) return { kind: 'call', call: call! };
    const pair = flow.source;
    const returns = this.returnTargets(block);
    if (returns && call === undefined) {
      const calls = new Set(returns.map((target) => this.callIds.get(target.returnOf!.call)!));
      return { kind: 'return', pair, calls: [...calls].sort((a, b) => a - b), checked: returns.some((t) => t.checked) };
    }
    const blocks = new Set(targets.map((target) => this.idAt(target.address)));
    return { kind: 'indirect', pair, targets: [...blocks].sort((a, b) => a - b), call: call! };
  }

  /** A register jump that no value reaches: the code before it never comes here. */
  private reportDeadEnd(block: FlowBlock): number {
    return this.report(
      'CALL012',
      'unsupported',
      endAddress(block),
      `${this.describeTransfer(block)}: no target is known`,
    );
  }

  private buildEdges(blocks: readonly FlowBlock[]): Edge[] {
    const edges: Edge[] = [];
    const seen = new Set<string>();
    const add = (from: BlockId, to: BlockId, kind: EdgeKind, call?: number): void => {
      const key = `${from},${to},${kind},${call}`;
      if (seen.has(key)) return;
      seen.add(key);
      edges.push(call === undefined ? { from, to, kind } : { from, to, kind, call });
    };
    for (const block of blocks) {
      const from = this.ids.get(block.number)!;
      const { flow } = block;
      if (flow.kind === 'next') add(from, this.idAt(flow.next), 'fallthrough');
      if (flow.kind === 'jump') add(from, this.idAt(flow.target), 'branch');
      if (flow.kind === 'branch') {
        add(from, this.idAt(flow.next), 'fallthrough');
        add(from, this.idAt(flow.target), 'branch');
      }
      const isCall = flow.kind === 'callRelative' || (flow.kind === 'callRegister' && flow.link >= 0);
      for (const { resolution } of this.byBlock.get(block.number)!) {
        for (const target of resolution.targets) {
          const to = this.idAt(target.address);
          if (target.returnOf) add(from, to, 'return', this.callIds.get(target.returnOf.call)!);
          else add(from, to, isCall ? 'call' : 'branch', isCall ? this.callIds.get(endAddress(block)) : undefined);
        }
      }
    }
    return edges.sort((a, b) => a.from - b.from || a.to - b.to || (a.call ?? -1) - (b.call ?? -1));
  }

  // Diagnostics

  private report(code: string, kind: DiagnosticKind, address: GuestAddress, text: string): number {
    const message = `shader ${this.input.name}: ${text}`;
    const key = `${code},${address},${message}`;
    let id = this.diagnosticIds.get(key);
    if (id === undefined) {
      id = this.diagnostics.length;
      this.diagnostics.push(diagnostic(code, kind, message, atAddress(address)));
      this.diagnosticIds.set(key, id);
    }
    return id;
  }

  private describeTransfer(block: FlowBlock): string {
    const { flow } = block;
    const at = formatAddress(endAddress(block));
    if (flow.kind === 'callRelative') return `call at ${at}`;
    if (flow.kind === 'callRegister') return `call at ${at} through ${registerPairName(flow.source)}`;
    return flow.kind === 'jumpRegister' ? `jump at ${at} through ${registerPairName(flow.source)}` : `block at ${at}`;
  }

  private reportRefusal(block: FlowBlock, refusal: Refusal): number {
    return this.report(
      refusal.code,
      refusal.kind,
      endAddress(block),
      `${this.describeTransfer(block)}: ${refusal.reason}`,
    );
  }

  private reportFault(block: FlowBlock, fault: FlowFault): number {
    const context = this.input.contexts.list[this.byBlock.get(block.number)![0]!.node.context]!;
    const caller = context.callers[0];
    if (!caller) return this.report(MAIN_CODES[fault.kind], FAULT_KINDS[fault.kind], fault.address, fault.reason);
    const text = `call at ${formatAddress(caller.call)}, callee at ${formatAddress(context.entry)}: ${fault.reason}`;
    return this.report(CALLEE_CODES[fault.kind], FAULT_KINDS[fault.kind], fault.address, text);
  }

  /** Rule: a fetch shader returns through the pair that received the caller's link. */
  private checkFetchReturns(live: readonly LiveNode[]): void {
    const { analysis, contexts } = this.input;
    for (const { node, resolution } of live) {
      for (const target of resolution.targets) {
        if (target.evidence?.kind !== 'registered') continue;
        const site = analysis.calls.get(lastAddress(node))!;
        for (const other of live) {
          const { flow } = other.node.block;
          if (other.node.context !== target.context || flow.kind !== 'jumpRegister' || flow.source === site.link)
            continue;
          const reason = `fetch shader at ${formatAddress(contexts.list[target.context]!.entry)} returns through ${registerPairName(flow.source)}, not through the link pair ${registerPairName(site.link)}`;
          this.report('CALL015', 'unsupported', lastAddress(node), `${this.describeTransfer(node.block)}: ${reason}`);
        }
      }
    }
  }

  private readWords(live: readonly LiveNode[]): Program['readWords'] {
    const words = new Map<GuestAddress, number>();
    for (const { resolution } of live) {
      for (const target of resolution.targets) for (const word of target.words) words.set(word.address, word.value);
    }
    return [...words].sort((a, b) => a[0] - b[0]).map(([address, value]) => ({ address, value }));
  }
}

const MAIN_CODES: Readonly<Record<FlowFault['kind'], string>> = {
  illegal: 'CFG001',
  unreadable: 'CFG002',
  unsupported: 'CFG003',
  limit: 'CFG004',
};

const CALLEE_CODES: Readonly<Record<FlowFault['kind'], string>> = {
  illegal: 'CALL003',
  unreadable: 'CALL001',
  unsupported: 'CALL016',
  limit: 'CALL004',
};

const FAULT_KINDS: Readonly<Record<FlowFault['kind'], DiagnosticKind>> = {
  illegal: 'badInput',
  unreadable: 'badInput',
  unsupported: 'unsupported',
  limit: 'unsupported',
};

const KIND_ORDER: readonly CallKind[] = ['dynamic', 'loaded', 'userData', 'fetch', 'static'];

/** The kind that asks most of a run. */
function strongest(kinds: ReadonlySet<CallKind>): CallKind {
  return KIND_ORDER.find((kind) => kinds.has(kind)) ?? 'dynamic';
}

function endAddress(block: FlowBlock): GuestAddress {
  return block.instructions[block.instructions.length - 1]?.address ?? block.address;
}

function directAddresses(block: FlowBlock): readonly GuestAddress[] {
  const { flow } = block;
  if (flow.kind === 'next') return [flow.next];
  if (flow.kind === 'jump') return [flow.target];
  return flow.kind === 'branch' ? [flow.next, flow.target] : [];
}

/** Distinct neighbours of every block, ascending; `ends` gives the block and its neighbour. */
function neighbours(
  edges: readonly Edge[],
  count: number,
  ends: (edge: Edge) => readonly [BlockId, BlockId],
): BlockId[][] {
  const lists: Set<BlockId>[] = Array.from({ length: count }, () => new Set());
  for (const edge of edges) {
    const [block, neighbour] = ends(edge);
    lists[block]!.add(neighbour);
  }
  return lists.map((list) => [...list].sort((a, b) => a - b));
}
