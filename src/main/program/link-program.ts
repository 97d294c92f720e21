/**
 * From an entry address, memory and user data to a linked `Program`: the door of this layer.
 *
 * Code is decoded by following control flow; call targets are found by dataflow over everything decoded so far, which
 * decodes more, to a fixpoint (analysis/flow-analysis.ts). Never throws for bad input: what cannot be followed ends in a
 * `stop` block with a diagnostic, and everything else stays inspectable.
 */
import type { Target, WaveSize } from '../base/dispatch.ts';
import { canonicalAddress, formatAddress, type GuestAddress } from '../base/guest-address.ts';
import { CallContexts } from './analysis/call-contexts.ts';
import { FlowAnalysis } from './analysis/flow-analysis.ts';
import { type FetchShader, TransferResolver } from './analysis/resolve-transfers.ts';
import { buildProgram } from './build-program.ts';
import { CodeMap } from './code/code-map.ts';
import { type CodeEdit, CodeReader, type CodeSource } from './code/code-source.ts';
import type { Program, SegmentOrigin } from './program.ts';
import { ValueTable } from './values/value-table.ts';

export interface LinkLimits {
  /** Bytes decoded for one callee, the pieces between its calls included. */
  readonly maxBytesPerCallee: number;
  /** Nesting of calls; recursion does not count, it is limited at run time. */
  readonly maxDepth: number;
  readonly maxTotalInstructions: number;
  /** Activations kept apart; past it, each callee has one merged context. */
  readonly maxContexts: number;
  /** Blocks × contexts that are analysed. */
  readonly maxNodes: number;
}

export const DEFAULT_LIMITS: LinkLimits = {
  maxBytesPerCallee: 1 << 20,
  maxDepth: 64,
  maxTotalInstructions: 1 << 19,
  maxContexts: 1024,
  maxNodes: 1 << 16,
};

export interface LinkOptions {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly entry: GuestAddress;
  readonly memory: CodeSource;
  /** User SGPRs of the dispatch. Absent for a shader that is only registered: calls that need them are deferred. */
  readonly userSgprs?: Uint32Array;
  /** For messages; the entry address when absent. */
  readonly name?: string;
  readonly fetchShader?: FetchShader;
  /** Addresses at which the capture registers shaders. */
  readonly registered?: readonly GuestAddress[];
  readonly limits?: Partial<LinkLimits>;
  /** Targets that earlier runs met, by the address of the call or jump. */
  readonly seenTargets?: ReadonlyMap<GuestAddress, readonly GuestAddress[]>;
  readonly edits?: readonly CodeEdit[];
}

export function linkProgram(options: LinkOptions): Program {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const entry = canonicalAddress(options.entry);
  const edits = options.edits ?? [];
  const code = new CodeMap(options.target, new CodeReader(options.memory, edits), edits, limits);
  const table = new ValueTable((address) => options.memory.loadU32(address));
  const contexts = new CallContexts(entry, limits.maxContexts, limits.maxDepth);
  const analysis = new FlowAnalysis({
    target: options.target,
    waveSize: options.waveSize,
    code,
    table,
    contexts,
    userSgprs: options.userSgprs,
    maxBytesPerCallee: limits.maxBytesPerCallee,
    maxNodes: limits.maxNodes,
  });
  const resolver = new TransferResolver(
    {
      code,
      table,
      contexts,
      fetchShader: options.fetchShader,
      seenTargets: options.seenTargets,
      maxDepth: limits.maxDepth,
    },
    analysis,
  );
  analysis.run(code.redirect(entry), (node) => resolver.resolve(node).targets);
  return buildProgram({
    target: options.target,
    waveSize: options.waveSize,
    name: options.name ?? formatAddress(entry),
    entry,
    code,
    contexts,
    analysis,
    resolver,
    originOf: originsOf(options, entry, edits),
  });
}

function originsOf(
  options: LinkOptions,
  entry: GuestAddress,
  edits: readonly CodeEdit[],
): (address: GuestAddress) => SegmentOrigin | undefined {
  const registered = new Set(options.registered);
  return (address) => {
    if (address === entry) return 'entry';
    if (address === options.fetchShader?.address) return 'fetch';
    if (registered.has(address)) return 'registered';
    if (edits.some((edit) => address >= edit.shadow && address < edit.shadow + 4 * edit.words.length)) return 'edit';
    return undefined;
  };
}
