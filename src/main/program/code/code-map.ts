/**
 * The decoded code of one link: flow blocks found by following direct control flow from entries that are asked for.
 *
 * Why incremental: call targets are found by dataflow, which needs code, which is found through call targets. `discover`
 * decodes everything that direct branches reach from an entry; code behind a call is discovered when the call is known
 * to return. Trailing metadata is never touched, because nothing leads there.
 *
 * Invariants: an instruction address belongs to one flow block; blocks are numbered in order of discovery and keep
 * their number and start when a later entry splits them (the tail becomes a new block, reported by `takeSplits`).
 * Two blocks overlap in bytes only where code is entered at two alignments.
 */

import type { Target } from '../../base/dispatch.ts';
import { addToAddress, formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import { decodeInstruction, illegalReason } from '../../isa/decode.ts';
import { Instruction } from '../../isa/instruction.ts';
import { TABLES } from '../../isa/tables/index.ts';
import type { BranchCondition, PlacedInstruction } from '../program.ts';
import type { CodeEdit, CodeReader } from './code-source.ts';
import { instructionFlow, nextAddress } from './instruction-flow.ts';

/** How a flow block ends; addresses have edits applied. */
export type FlowEnd =
  | { readonly kind: 'next'; readonly next: GuestAddress }
  | { readonly kind: 'jump'; readonly target: GuestAddress }
  | {
      readonly kind: 'branch';
      readonly condition: BranchCondition;
      readonly target: GuestAddress;
      readonly next: GuestAddress;
    }
  | { readonly kind: 'callRelative'; readonly link: number; readonly target: GuestAddress; readonly next: GuestAddress }
  | { readonly kind: 'callRegister'; readonly link: number; readonly source: number; readonly next: GuestAddress }
  | { readonly kind: 'jumpRegister'; readonly source: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly fault: FlowFault };

/** Why control cannot be followed at `address`. */
export interface FlowFault {
  readonly kind: 'unreadable' | 'illegal' | 'unsupported' | 'limit';
  readonly address: GuestAddress;
  readonly reason: string;
}

export interface FlowBlock {
  readonly number: number;
  readonly address: GuestAddress;
  /** Exclusive. */
  end: GuestAddress;
  instructions: PlacedInstruction[];
  flow: FlowEnd;
}

export interface CodeLimits {
  readonly maxBytesPerCallee: number;
  readonly maxTotalInstructions: number;
}

/** What is left of a callee's (or the main program's) byte limit; shared by the pieces between its calls. */
export interface ByteBudget {
  bytes: number;
}

export class CodeMap {
  readonly blocks: FlowBlock[] = [];
  totalInstructions = 0;
  /** Some instruction stores scalar registers to memory. */
  hasScalarStores = false;
  private readonly target: Target;
  private readonly reader: CodeReader;
  private readonly edits: readonly CodeEdit[];
  private readonly limits: CodeLimits;
  /** Block that holds the instruction at an address. */
  private readonly owner = new Map<GuestAddress, FlowBlock>();
  private readonly leaders = new Map<GuestAddress, FlowBlock>();
  private splits: [FlowBlock, FlowBlock][] = [];

  constructor(target: Target, reader: CodeReader, edits: readonly CodeEdit[], limits: CodeLimits) {
    this.target = target;
    this.reader = reader;
    this.edits = edits;
    this.limits = limits;
  }

  /** Where control that is sent to `address` really goes on: into the edit that replaces the code there, if any. */
  redirect(address: GuestAddress): GuestAddress {
    for (const edit of this.edits) {
      if (address < edit.start || address >= edit.end) continue;
      if (address === edit.start) return edit.words.length > 0 ? edit.shadow : this.redirect(edit.end);
      for (const [shadow, origin] of edit.origins) if (origin === address) return shadow;
      return address;
    }
    return address;
  }

  /** The address that getpc yields for the instruction before `next`: the original next one where a line descends from one. */
  reportedNext(address: GuestAddress, next: GuestAddress): GuestAddress {
    for (const edit of this.edits) {
      const origin = edit.origins.get(address);
      if (origin === undefined) continue;
      const window = this.reader.window(origin);
      const original = new Instruction();
      if (window && decodeInstruction(this.target, window.words, window.index, original) > 0) {
        return nextAddress(original, origin);
      }
    }
    return next;
  }

  /** Block that starts at `address`; decodes it, and all that direct control flow reaches from it, when it is new. */
  discover(address: GuestAddress, budget: ByteBudget): FlowBlock {
    const existing = this.leaders.get(address);
    if (existing) return existing;
    let next = this.blocks.length;
    this.lead(address, budget);
    // Splits append tails, so walking the list of blocks sees every end of a block.
    for (; next < this.blocks.length; next++) {
      for (const successor of directSuccessors(this.blocks[next]!.flow)) this.lead(successor, budget);
    }
    return this.leaders.get(address)!;
  }

  /** The word at an address, edits included; undefined when not readable. */
  wordAt(address: GuestAddress): number | undefined {
    return this.reader.word(address);
  }

  leaderAt(address: GuestAddress): FlowBlock | undefined {
    return this.leaders.get(address);
  }

  /** Pairs [block that was shortened, new block of its tail] since the last call. */
  takeSplits(): readonly (readonly [FlowBlock, FlowBlock])[] {
    const splits = this.splits;
    this.splits = [];
    return splits;
  }

  private lead(address: GuestAddress, budget: ByteBudget): FlowBlock {
    const known = this.leaders.get(address);
    if (known) return known;
    const around = this.owner.get(address);
    return around ? this.split(around, address) : this.decode(address, budget);
  }

  private split(block: FlowBlock, at: GuestAddress): FlowBlock {
    const cut = block.instructions.findIndex((placed) => placed.address === at);
    const tail: FlowBlock = {
      number: this.blocks.length,
      address: at,
      end: block.end,
      instructions: block.instructions.slice(cut),
      flow: block.flow,
    };
    block.instructions = block.instructions.slice(0, cut);
    block.end = at;
    block.flow = { kind: 'next', next: at };
    this.register(tail);
    for (const placed of tail.instructions) this.owner.set(placed.address, tail);
    this.splits.push([block, tail]);
    return tail;
  }

  private register(block: FlowBlock): void {
    this.blocks.push(block);
    this.leaders.set(block.address, block);
  }

  private decode(start: GuestAddress, budget: ByteBudget): FlowBlock {
    const block: FlowBlock = {
      number: this.blocks.length,
      address: start,
      end: start,
      instructions: [],
      flow: { kind: 'end' },
    };
    this.register(block);
    let address = start;
    for (;;) {
      if (address !== start) {
        const reached = this.leaders.get(address) ?? this.owner.get(address);
        if (reached) {
          if (reached.address !== address) this.split(reached, address);
          block.flow = { kind: 'next', next: address };
          break;
        }
      }
      const fault = this.decodeOne(block, address, budget);
      if (fault) {
        block.flow = { kind: 'fault', fault };
        break;
      }
      const placed = block.instructions[block.instructions.length - 1]!;
      const flow = this.flowEnd(placed);
      const next = block.end;
      if (flow) {
        block.flow = flow;
        break;
      }
      const continued = this.afterInstruction(next);
      if (continued !== next) {
        block.flow = { kind: 'next', next: continued };
        break;
      }
      address = next;
    }
    return block;
  }

  private decodeOne(block: FlowBlock, address: GuestAddress, budget: ByteBudget): FlowFault | undefined {
    if (this.totalInstructions >= this.limits.maxTotalInstructions) {
      const reason = `the program has more than ${this.limits.maxTotalInstructions} instructions`;
      return { kind: 'limit', address, reason };
    }
    if (address % 4 !== 0)
      return { kind: 'illegal', address, reason: `code address ${formatAddress(address)} is misaligned` };
    const window = this.reader.window(address);
    if (!window) return { kind: 'unreadable', address, reason: `memory at ${formatAddress(address)} is not readable` };
    const instruction = new Instruction();
    const size = decodeInstruction(this.target, window.words, window.index, instruction);
    if (size <= 0) {
      const word = window.words[window.index]!.toString(16).padStart(8, '0');
      const reason = `illegal instruction 0x${word} at ${formatAddress(address)}: ${illegalReason(size)}`;
      return { kind: 'illegal', address, reason };
    }
    budget.bytes -= 4 * instruction.sizeDwords;
    if (budget.bytes < 0) {
      const reason = `no return inside the limit of ${this.limits.maxBytesPerCallee} bytes`;
      return { kind: 'limit', address, reason };
    }
    if (instruction.format === 'SMEM' && TABLES[instruction.mnemonic].memory === 'store') this.hasScalarStores = true;
    block.instructions.push({ address, instruction });
    block.end = nextAddress(instruction, address);
    this.owner.set(address, block);
    this.totalInstructions++;
    return undefined;
  }

  /** undefined: control simply goes on. */
  private flowEnd(placed: PlacedInstruction): FlowEnd | undefined {
    const { instruction, address } = placed;
    const flow = instructionFlow(instruction, address);
    const next = this.afterInstruction(nextAddress(instruction, address));
    switch (flow.kind) {
      case 'next':
        return undefined;
      case 'jump':
        return { kind: 'jump', target: this.branchTarget(address, flow.target) };
      case 'branch':
        return { kind: 'branch', condition: flow.condition, target: this.branchTarget(address, flow.target), next };
      case 'callRelative':
        return { kind: 'callRelative', link: flow.link, target: this.branchTarget(address, flow.target), next };
      case 'callRegister':
        return { kind: 'callRegister', link: flow.link, source: flow.source, next };
      case 'jumpRegister':
        return flow;
      case 'end':
        return flow;
      case 'unsupported':
        return { kind: 'fault', fault: { kind: 'unsupported', address, reason: flow.reason } };
    }
  }

  private branchTarget(from: GuestAddress, encoded: GuestAddress): GuestAddress {
    for (const edit of this.edits) {
      const target = edit.branchTargets?.get(from);
      if (target !== undefined) return this.redirect(target);
    }
    return this.redirect(encoded);
  }

  /** Behind the last word of an edit control returns to the original code; before a replaced range it enters the edit. */
  private afterInstruction(next: GuestAddress): GuestAddress {
    for (const edit of this.edits) {
      if (next === addToAddress(edit.shadow, 4 * edit.words.length)) return this.redirect(edit.end);
    }
    return this.redirect(next);
  }
}

function directSuccessors(flow: FlowEnd): readonly GuestAddress[] {
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
