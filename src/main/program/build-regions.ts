/**
 * Contexts and call regions of a finished program: which blocks each activation runs, what it calls, where it returns.
 */
import type { GuestAddress } from '../base/guest-address.ts';
import type { CallContexts } from './analysis/call-contexts.ts';
import { kindOfEvidence } from './analysis/link-rules.ts';
import { lastAddress } from './analysis/resolve-transfers.ts';
import type { LiveNode } from './build-program.ts';
import { stronglyConnectedComponents } from './graph/components.ts';
import { digraphFromEdges } from './graph/digraph.ts';
import type { Block, BlockId, CallContext, CallRegion, CallSite, ContextTransfer } from './program.ts';

/** Contexts that reached nodes belong to, renumbered; the main program stays 0. */
export function buildContexts(
  live: readonly LiveNode[],
  all: CallContexts,
  blockIds: ReadonlyMap<number, BlockId>,
  callIds: ReadonlyMap<GuestAddress, number>,
  mainEntry: GuestAddress,
): CallContext[] {
  const used = [...new Set(live.map(({ node }) => node.context))].sort((a, b) => a - b);
  const renumber = new Map(used.map((id, i) => [id, i]));
  const byAddress = new Map(
    live.map(({ node }) => [`${node.block.address},${node.context}`, blockIds.get(node.block.number)!]),
  );
  const blocks: BlockId[][] = used.map(() => []);
  const transfers: ContextTransfer[][] = used.map(() => []);
  const callers: { context: number; call: number }[][] = used.map(() => []);
  /** Where calls enter; the shadow address where an edit replaces the entry. */
  const entries: (BlockId | undefined)[] = used.map(() => undefined);
  const callEdges: number[] = [];
  for (const { node, resolution } of live) {
    const context = renumber.get(node.context)!;
    const from = blockIds.get(node.block.number)!;
    blocks[context]!.push(from);
    const { flow } = node.block;
    const isCall = flow.kind === 'callRelative' || (flow.kind === 'callRegister' && flow.link >= 0);
    for (const target of resolution.targets) {
      const to = byAddress.get(`${target.address},${target.context}`);
      const into = renumber.get(target.context);
      // Lost to the node limit, which is reported.
      if (to === undefined || into === undefined) continue;
      const kind = target.returnOf ? 'return' : isCall ? 'call' : 'jump';
      const call = callIds.get(target.returnOf?.call ?? lastAddress(node))!;
      transfers[context]!.push({ from, kind, call, context: into, to });
      if (kind !== 'call') continue;
      callers[into]!.push({ context, call });
      entries[into] = to;
      callEdges.push(context, into);
    }
  }
  const cycles = stronglyConnectedComponents(digraphFromEdges(used.length, callEdges));
  return used.map((id, i) => {
    const source = all.list[id]!;
    const entry = entries[i] ?? byAddress.get(`${mainEntry},${id}`) ?? blocks[i]![0]!;
    return {
      parent: source.parent < 0 ? -1 : (renumber.get(source.parent) ?? 0),
      entry,
      callers: callers[i]!,
      blocks: blocks[i]!.sort((a, b) => a - b),
      transfers: transfers[i]!.sort((a, b) => a.from - b.from || a.to - b.to || a.context - b.context),
      callPath: source.path,
      recursive: cycles.cyclic[cycles.componentOf[i]!] === 1,
    };
  });
}

export function buildRegions(
  contexts: readonly CallContext[],
  calls: readonly CallSite[],
  blocks: readonly Block[],
): CallRegion[] {
  const regions: CallRegion[] = [];
  const regionOf = new Map<number, number>();
  for (let context = 1; context < contexts.length; context++) {
    const { entry, callers, transfers, parent, callPath } = contexts[context]!;
    const caller = callers[0];
    // Reached by a return into a caller that is not itself called any more: no region of its own.
    if (!caller) continue;
    const call = calls[caller.call]!;
    const target = call.targets.find((t) => blocks[t.block]!.id === entry);
    const returns = transfers.filter((t) => t.kind === 'return').map((t) => t.from);
    regionOf.set(context, regions.length);
    const outer = regionOf.get(parent);
    regions.push({
      id: regions.length,
      context,
      entry,
      blocks: contexts[context]!.blocks,
      origin: target ? kindOfEvidence(target.evidence) : call.kind,
      call: caller.call,
      callPath,
      linkPair: call.linkPair,
      returns: [...new Set(returns)],
      ...(outer === undefined ? {} : { parent: outer }),
    });
  }
  return regions;
}
