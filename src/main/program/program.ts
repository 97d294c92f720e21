/**
 * A linked program: what the recompiler compiles and the reader sees. Pure data.
 *
 * Invariants: every segment keeps its true guest address; nothing is copied behind the caller and no word is rewritten.
 * Blocks are disjoint, in ascending order of address per segment; an instruction belongs to exactly one block.
 * Edges name blocks by index. A call edge leads from the block that ends with the call to the callee's entry; its
 * return edges lead from the returning blocks to the block after the call. Caller and callee share all registers.
 */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { Target, WaveSize } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import type { Instruction } from '../isa/instruction.ts';

export type BlockId = number & { readonly __brand: 'BlockId' };

export type SegmentOrigin = 'entry' | 'registered' | 'callee' | 'fetch' | 'edit';

/** A maximal run of decoded bytes. Two callees in one page are two segments unless they touch. */
export interface Segment {
  readonly address: GuestAddress;
  readonly words: Uint32Array;
  readonly origin: SegmentOrigin;
}

export type EdgeKind = 'fallthrough' | 'branch' | 'call' | 'return';

export interface Edge {
  readonly from: BlockId;
  readonly to: BlockId;
  readonly kind: EdgeKind;
  /** Index into `calls` for call and return edges. */
  readonly call?: number;
}

/** How a block ends. */
export type Terminator =
  | { readonly kind: 'fallthrough'; readonly next: BlockId }
  | { readonly kind: 'jump'; readonly target: BlockId }
  /** s_cbranch_*: `condition` is read at the last instruction. */
  | {
      readonly kind: 'branch';
      readonly condition: BranchCondition;
      readonly taken: BlockId;
      readonly fallthrough: BlockId;
    }
  | { readonly kind: 'call'; readonly call: number }
  /** s_setpc_b64 proved to return; `calls` are the call sites it can return to. */
  | {
      readonly kind: 'return';
      readonly pair: number;
      readonly calls: readonly number[];
      /** Not proved: the link was kept in memory or could not be followed. A run compares the real value. */
      readonly checked: boolean;
    }
  /** s_setpc_b64 (or swappc to null) whose targets were found; `call` is its entry in `calls`, for the evidence. */
  | { readonly kind: 'indirect'; readonly pair: number; readonly targets: readonly BlockId[]; readonly call: number }
  | { readonly kind: 'end' }
  /**
   * Control cannot be followed: refused call, illegal or unreadable code. `diagnostic` indexes `diagnostics`; `call` is
   * set where the block ends with a call or register jump. The code behind a refused call is shown, but nothing leads there.
   */
  | { readonly kind: 'stop'; readonly diagnostic: number; readonly call?: number };

export type BranchCondition =
  | 'scc0'
  | 'scc1'
  | 'vccz'
  | 'vccnz'
  | 'execz'
  | 'execnz'
  | 'cdbgsys'
  | 'cdbguser'
  | 'cdbgsysOrUser'
  | 'cdbgsysAndUser'
  /** s_subvector_loop_begin / _end and s_cbranch_g/i/join forms carry their own meaning in the instruction. */
  | 'subvectorLoopBegin'
  | 'subvectorLoopEnd';

export interface Block {
  readonly id: BlockId;
  readonly address: GuestAddress;
  /** Exclusive. */
  readonly end: GuestAddress;
  readonly segment: number;
  readonly instructions: readonly PlacedInstruction[];
  readonly terminator: Terminator;
  readonly predecessors: readonly BlockId[];
  readonly successors: readonly BlockId[];
  /** Index into `contexts`: set in expanded programs (expand-calls.ts), where a block has one copy per context. */
  readonly context?: number;
}

export interface PlacedInstruction {
  readonly address: GuestAddress;
  readonly instruction: Instruction;
}

export type CallKind = 'static' | 'userData' | 'fetch' | 'loaded' | 'dynamic';

/** How a target was found, for the reader and for run-time checks. */
export type TargetEvidence =
  | { readonly kind: 'getpc'; readonly at: GuestAddress }
  | { readonly kind: 'relative' }
  /** An address built from literals. */
  | { readonly kind: 'constant' }
  /** User SGPR pair `first`, `first`+1. */
  | { readonly kind: 'userData'; readonly first: number }
  /** Loaded from memory by the instruction at `at`, from `source`. */
  | { readonly kind: 'loaded'; readonly at: GuestAddress; readonly source: GuestAddress }
  | { readonly kind: 'registered' }
  | { readonly kind: 'seen' };

/** A call, or a jump through a register pair that is no return (`linkPair` −1). */
export interface CallSite {
  readonly address: GuestAddress;
  readonly block: BlockId;
  /** First SGPR of the pair that receives the link; −1 when it is null (a continuation). */
  readonly linkPair: number;
  /** First SGPR of the pair that holds the target; −1 for s_call_b64. */
  readonly targetPair: number;
  readonly kind: CallKind;
  readonly targets: readonly CallTarget[];
  /** Targets outside `targets` are possible and must be reported by the run that meets them. */
  readonly dynamic: boolean;
  /** Address of the instruction after the call: what the link holds. */
  readonly returnAddress: GuestAddress;
  /** undefined when nothing follows (the callee never returns). */
  readonly returnBlock?: BlockId;
}

export interface CallTarget {
  readonly address: GuestAddress;
  readonly block: BlockId;
  readonly evidence: TargetEvidence;
  /** Found by evaluating memory: a run compares the real value with `address`. */
  readonly checked: boolean;
}

/**
 * A callee entered through one chain of calls: what the analysis kept apart, and what expansion copies. Context 0 is the
 * main program. Recursive and merged contexts have several callers.
 */
export interface CallContext {
  readonly parent: number;
  readonly entry: BlockId;
  /** Calls that enter it: call site and the context in which it stands. */
  readonly callers: readonly { readonly context: number; readonly call: number }[];
  /** Own blocks, ascending; those of callees belong to their contexts. */
  readonly blocks: readonly BlockId[];
  /** Where calls, returns and register jumps of its blocks lead. Direct flow stays in the context. */
  readonly transfers: readonly ContextTransfer[];
  /** Call sites from the entry of the program to here, outermost first. */
  readonly callPath: readonly GuestAddress[];
  /** On a cycle of calls. */
  readonly recursive: boolean;
}

export interface ContextTransfer {
  readonly from: BlockId;
  readonly kind: 'call' | 'return' | 'jump';
  /** Call site that is made or returned to; the register jump's own site for jumps. */
  readonly call: number;
  readonly context: number;
  readonly to: BlockId;
}

/**
 * The blocks reachable from a callee's entry without passing its return, for one call site. Regions nest: a region's
 * `blocks` are its own, those of the calls it makes are in the regions whose `parent` it is.
 */
export interface CallRegion {
  readonly id: number;
  /** Index into `contexts`. */
  readonly context: number;
  readonly entry: BlockId;
  readonly blocks: readonly BlockId[];
  readonly origin: CallKind;
  /** Index into `calls` of the call that opens it (the first one, where contexts are merged). */
  readonly call: number;
  /** Call sites from the entry of the program to this region, outermost first. */
  readonly callPath: readonly GuestAddress[];
  readonly linkPair: number;
  readonly returns: readonly BlockId[];
  readonly parent?: number;
}

export interface Program {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly name: string;
  readonly entry: BlockId;
  readonly entryAddress: GuestAddress;
  readonly segments: readonly Segment[];
  readonly blocks: readonly Block[];
  readonly edges: readonly Edge[];
  readonly calls: readonly CallSite[];
  readonly contexts: readonly CallContext[];
  readonly regions: readonly CallRegion[];
  /** Some call can reach its own caller again: depth is limited at run time. */
  readonly recursive: boolean;
  /** Everything refused or odd; the rest stays inspectable. */
  readonly diagnostics: readonly Diagnostic[];
  /** True when nothing was refused: the recompiler may compile it whole. */
  readonly complete: boolean;
  /** Guest words that linking read (call tables): part of the prepared key, checked at run time. */
  readonly readWords: readonly { readonly address: GuestAddress; readonly value: number }[];
}
