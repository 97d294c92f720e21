/**
 * Where a register call, register jump or return leads: from the values of its pair to targets and refusals.
 *
 * The order of evidence is that of the rules in link-rules.ts: what the values themselves say (static forms, user data,
 * loaded pointers), the registered fetch shader, targets seen in earlier runs; what is left is dynamic.
 * A refusal never hides a target that was found, and never lets control run past the call.
 */

import type { DiagnosticKind } from '../../base/diagnostics.ts';
import { formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import type { CodeMap, FlowEnd } from '../code/code-map.ts';
import type { CallKind, TargetEvidence } from '../program.ts';
import { registerPairName } from '../register-pair-name.ts';
import type { ValueTable } from '../values/value-table.ts';
import type { CallContexts } from './call-contexts.ts';
import type { Pair } from './enumerate-pair.ts';
import type { FlowAnalysis, FlowNode } from './flow-analysis.ts';
import * as rules from './link-rules.ts';

/** Codes of refusals; listed with their meaning in the folder's README. */
export type RefusalCode =
  | 'CALL001'
  | 'CALL002'
  | 'CALL005'
  | 'CALL006'
  | 'CALL010'
  | 'CALL011'
  | 'CALL012'
  | 'CALL013'
  | 'CALL014'
  | 'CALL015';

export interface Refusal {
  readonly code: RefusalCode;
  readonly kind: DiagnosticKind;
  /** Completes "call at 0x… through s[a:b]: ". */
  readonly reason: string;
}

export interface ResolvedTarget {
  readonly address: GuestAddress;
  readonly context: number;
  /** Calls and jumps. */
  readonly evidence?: TargetEvidence;
  /** Returns: the call whose link this is. */
  readonly returnOf?: { readonly context: number; readonly call: GuestAddress };
  /** Holds only under an assumption that a run must check. */
  readonly checked: boolean;
  readonly words: readonly { readonly address: GuestAddress; readonly value: number }[];
}

export interface Resolution {
  readonly targets: readonly ResolvedTarget[];
  readonly refusals: readonly Refusal[];
  /** Other targets than `targets` are possible. */
  readonly dynamic: boolean;
  /** How the targets were found, refused ones and ones still waited for included. */
  readonly kinds: readonly CallKind[];
}

export interface FetchShader {
  readonly address: GuestAddress;
  /** First SGPR of the user-data pair that carries the address. */
  readonly pair: number;
}

export interface ResolverOptions {
  readonly code: CodeMap;
  readonly table: ValueTable;
  readonly contexts: CallContexts;
  readonly fetchShader: FetchShader | undefined;
  /** Targets met in earlier runs, by the call's or jump's address. */
  readonly seenTargets: ReadonlyMap<GuestAddress, readonly GuestAddress[]> | undefined;
  readonly maxDepth: number;
}

interface Candidate {
  readonly address: GuestAddress;
  readonly evidence: TargetEvidence;
  readonly checked: boolean;
  readonly words: readonly { readonly address: GuestAddress; readonly value: number }[];
}

/** Address of the instruction that ends the block. */
export function lastAddress(node: FlowNode): GuestAddress {
  return node.block.instructions[node.block.instructions.length - 1]!.address;
}

export class TransferResolver {
  private readonly options: ResolverOptions;
  private readonly analysis: FlowAnalysis;

  constructor(options: ResolverOptions, analysis: FlowAnalysis) {
    this.options = options;
    this.analysis = analysis;
  }

  resolve(node: FlowNode): Resolution {
    const { flow } = node.block;
    switch (flow.kind) {
      case 'callRelative':
        return this.resolveCall(node, flow);
      case 'callRegister':
        return flow.link < 0 ? this.resolveJump(node, flow.source) : this.resolveCall(node, flow);
      case 'jumpRegister':
        return this.resolveJump(node, flow.source);
      case 'next':
      case 'jump':
      case 'branch':
      case 'end':
      case 'fault':
        return NOTHING;
    }
  }

  private resolveCall(node: FlowNode, flow: FlowEnd & { kind: 'callRelative' | 'callRegister' }): Resolution {
    const call = lastAddress(node);
    const refusals: Refusal[] = [];
    let candidates: readonly Candidate[];
    let dynamic = false;
    if (flow.kind === 'callRelative') {
      candidates = [{ address: flow.target, evidence: { kind: 'relative' }, checked: false, words: [] }];
    } else {
      const odd = oddPair(flow.link, 'link') ?? oddPair(flow.source, 'target');
      if (odd) return { ...NOTHING, refusals: [odd] };
      ({ candidates, dynamic } = this.candidates(node, call, refusals));
    }
    const targets: ResolvedTarget[] = [];
    for (const candidate of candidates) {
      const refusal = this.refuseAddress(candidate);
      if (refusal) {
        refusals.push(refusal);
        continue;
      }
      const address = this.options.code.redirect(candidate.address);
      const context = this.options.contexts.callee(node.context, call, candidate.address);
      if (context) targets.push({ ...candidate, address, context: context.id });
      else {
        const reason = `calls nest deeper than the limit of ${this.options.maxDepth}`;
        refusals.push({ code: 'CALL005', kind: 'unsupported', reason });
      }
    }
    return { targets, refusals, dynamic, kinds: kindsOf(candidates, refusals) };
  }

  private resolveJump(node: FlowNode, source: number): Resolution {
    const odd = oddPair(source, 'target');
    if (odd) return { ...NOTHING, refusals: [odd] };
    const { table, contexts } = this.options;
    const values = this.analysis.pairValues(node);
    const targets: ResolvedTarget[] = [];
    const computed: Pair[] = [];
    const callers = this.analysis.liveCallers(contexts.list[node.context]!);
    const kept: Pair[] = [];
    for (const pair of values.known) {
      const link = rules.linkOf(table, pair);
      const target = link && this.returnTo(link.context, link.call, link.reloaded);
      if (target) targets.push(target);
      else if (callers.length > 0 && this.mayBeStoredLink(pair)) kept.push(pair);
      else computed.push(pair);
    }
    for (const pair of values.unknown) if (callers.length > 0 && rules.mayBeKeptLink(table, pair)) kept.push(pair);
    if (kept.length > 0) {
      const proved = new Set(targets.map((t) => `${t.returnOf?.call},${t.context}`));
      for (const caller of callers) {
        const target = this.returnTo(caller.context, caller.call, true);
        if (target && !proved.has(`${caller.call},${caller.context}`)) targets.push(target);
      }
    }
    const refusals: Refusal[] = [];
    const rest = values.unknown.filter((pair) => !kept.includes(pair));
    const found = this.candidatesOf(computed, rest, lastAddress(node), refusals, 'jump');
    for (const candidate of found.candidates) {
      const refusal = this.refuseAddress(candidate);
      if (refusal) {
        refusals.push(refusal);
        continue;
      }
      const inside = computed.find((pair) => rules.pairAddress(table, pair) === candidate.address);
      const link = inside && (rules.linkInside(table, inside.low) ?? rules.linkInside(table, inside.high));
      const address = this.options.code.redirect(candidate.address);
      targets.push({ ...candidate, address, context: link?.context ?? node.context });
    }
    return { targets, refusals, dynamic: found.dynamic, kinds: kindsOf(found.candidates, refusals) };
  }

  /**
   * Rule: captured memory does not hold a link that the program itself stored. A loaded pair in a callee is a kept link
   * when the program has scalar stores, or when what memory holds is no code address.
   */
  private mayBeStoredLink(pair: Pair): boolean {
    const candidate = this.candidate(pair);
    if (candidate.evidence.kind !== 'loaded') return false;
    return this.options.code.hasScalarStores || this.refuseAddress(candidate) !== undefined;
  }

  private returnTo(context: number, call: GuestAddress, checked: boolean): ResolvedTarget | undefined {
    const site = this.analysis.calls.get(call);
    return site && { address: site.next, context, returnOf: { context, call }, checked, words: [] };
  }

  private candidates(
    node: FlowNode,
    call: GuestAddress,
    refusals: Refusal[],
  ): { readonly candidates: readonly Candidate[]; readonly dynamic: boolean } {
    const values = this.analysis.pairValues(node);
    return this.candidatesOf(values.known, values.unknown, call, refusals, 'call');
  }

  private candidatesOf(
    known: readonly Pair[],
    unknown: readonly Pair[],
    at: GuestAddress,
    refusals: Refusal[],
    what: 'call' | 'jump',
  ): { readonly candidates: readonly Candidate[]; readonly dynamic: boolean } {
    const { table } = this.options;
    const found = new Map<GuestAddress, Candidate>();
    for (const pair of known) {
      const candidate = this.candidate(pair);
      const before = found.get(candidate.address);
      // The same address twice: keep the evidence of the first, and all words that either depends on.
      if (before)
        found.set(candidate.address, {
          ...before,
          checked: before.checked || candidate.checked,
          words: [...before.words, ...candidate.words],
        });
      else found.set(candidate.address, candidate);
    }
    let dynamic: Pair | undefined;
    for (const pair of unknown) {
      const fetch = this.fetchTarget(pair);
      const missing = rules.missingUserData(table, pair);
      const unreadable = rules.unreadableLoad(table, pair);
      if (fetch !== undefined)
        found.set(fetch, { address: fetch, evidence: { kind: 'registered' }, checked: false, words: [] });
      else if (missing !== undefined) {
        const reason = `waits for user data s[${missing}:${missing + 1}] of a dispatch`;
        refusals.push({ code: 'CALL013', kind: 'unsupported', reason });
      } else if (unreadable) {
        const reason = `its target is loaded at ${formatAddress(unreadable.at)} from ${formatAddress(unreadable.source)}, which is not readable`;
        refusals.push({ code: 'CALL006', kind: 'badInput', reason });
      } else dynamic ??= pair;
    }
    if (dynamic) this.addSeen(found, at, dynamic, refusals, what);
    const candidates = [...found.values()].sort((a, b) => a.address - b.address);
    return { candidates, dynamic: dynamic !== undefined };
  }

  private candidate(pair: Pair): Candidate {
    const { table, fetchShader } = this.options;
    const address = rules.pairAddress(table, pair);
    const evidence = rules.evidenceOf(table, pair);
    const words = rules.wordsBehind(table, pair);
    if (fetchShader && address === fetchShader.address && rules.plainUserPair(table, pair) === fetchShader.pair) {
      return { address, evidence: { kind: 'registered' }, checked: false, words };
    }
    return { address, evidence, checked: evidence.kind === 'loaded' || rules.passedThroughScratch(table, pair), words };
  }

  /** Rule: a call through the registered user-data pair, unchanged, reaches the registered fetch shader. */
  private fetchTarget(pair: Pair): GuestAddress | undefined {
    const { table, fetchShader } = this.options;
    return fetchShader && rules.plainUserPair(table, pair) === fetchShader.pair ? fetchShader.address : undefined;
  }

  /** Rule: a dynamic target has the targets of earlier runs; without any, it is refused by name. */
  private addSeen(
    found: Map<GuestAddress, Candidate>,
    at: GuestAddress,
    pair: Pair,
    refusals: Refusal[],
    what: 'call' | 'jump',
  ): void {
    const seen = this.options.seenTargets?.get(at) ?? [];
    for (const address of seen) {
      if (!found.has(address)) found.set(address, { address, evidence: { kind: 'seen' }, checked: true, words: [] });
    }
    const origin = rules.opaqueOrigin(this.options.table, pair);
    const from = origin === undefined ? '' : ` (written at ${formatAddress(origin)})`;
    if (found.size > 0) {
      const reason = `dynamic target${from}; ${found.size} known, others are reported when met`;
      refusals.push({ code: 'CALL011', kind: 'note', reason });
    } else {
      const code = what === 'call' ? 'CALL010' : 'CALL012';
      refusals.push({ code, kind: 'unsupported', reason: `dynamic target: known only at run time${from}` });
    }
  }

  private refuseAddress(candidate: Candidate): Refusal | undefined {
    const { address } = candidate;
    if (address % 4 !== 0) {
      return { code: 'CALL002', kind: 'badInput', reason: `target ${formatAddress(address)} is misaligned` };
    }
    if (this.options.code.wordAt(this.options.code.redirect(address)) === undefined) {
      return { code: 'CALL001', kind: 'badInput', reason: `target ${formatAddress(address)} is not readable` };
    }
    return undefined;
  }
}

const NOTHING: Resolution = { targets: [], refusals: [], dynamic: false, kinds: [] };

function kindsOf(candidates: readonly Candidate[], refusals: readonly Refusal[]): CallKind[] {
  const kinds = new Set(candidates.map((candidate) => rules.kindOfEvidence(candidate.evidence)));
  for (const refusal of refusals) {
    if (refusal.code === 'CALL013') kinds.add('userData');
    if (refusal.code === 'CALL006') kinds.add('loaded');
  }
  return [...kinds];
}

/** Rule: links and targets live in even-aligned pairs. */
function oddPair(code: number, role: 'link' | 'target'): Refusal | undefined {
  if (code < 0 || code > 127 || code % 2 === 0) return undefined;
  return { code: 'CALL014', kind: 'badInput', reason: `${role} pair ${registerPairName(code)} is not even-aligned` };
}
