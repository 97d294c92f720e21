/**
 * A linked program → one function in SSA form, still with the machine's own control flow.
 *
 *   calls expanded (program/expand-calls.ts) → IR blocks and edges → instructions in reverse postorder → phis completed
 *
 * Calls are expanded per call path, so that a callee's values, its uniformity and its return are known in each place.
 * Where several activations share a copy (recursion) its return tests which call it belongs to.
 *
 * Every edge is known before the first instruction is lowered, so a block is sealed as soon as its predecessors are
 * filled. The first IR block holds constants and initial registers only; it has no predecessors even when the program
 * loops back to its first instruction.
 *
 * Everything that linking assumed is checked: the target of each call, the address of each return. Where the value is
 * the expected constant the check folds away.
 */
import { atAddress, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { ComputeDispatch } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';
import type { Instruction } from '../../isa/instruction.ts';
import { OPERAND } from '../../isa/operands.ts';
import { ROWS } from '../../isa/tables/index.ts';
import { type ExpansionBudget, expandCalls } from '../../program/expand-calls.ts';
import type { Block, BranchCondition, Program, BlockId as ProgramBlockId } from '../../program/program.ts';
import { IrFunction, type LocationId } from '../ir/function.ts';
import { FAULT, OP } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type Type, type ValueId } from '../ir/types.ts';
import { type FloatMode, floatModeOf } from './float-mode.ts';
import { LOWERING_BY_OP } from './index.ts';
import { InitialRegisters } from './initial-registers.ts';
import { Lowering, type LoweringOptions } from './lowering.ts';
import { removeRedundantPhis } from './registers.ts';
import { reachableVgprs } from './relative-moves.ts';
import { CLAMPS_INTEGERS } from './valu-int.ts';

export interface LoweredProgram {
  readonly fn: IrFunction;
  readonly diagnostics: readonly Diagnostic[];
  /** False when something was refused that a run may reach. */
  readonly runnable: boolean;
}

export const DEFAULT_BUDGET: ExpansionBudget = { maxBlocks: 20_000 };

export function lowerProgram(
  program: Program,
  dispatch: ComputeDispatch,
  options: LoweringOptions,
  budget: ExpansionBudget = DEFAULT_BUDGET,
): LoweredProgram {
  return new ProgramLowering(expandCalls(program, budget), dispatch, options).run();
}

/** Where control goes from a block, with the address that a tested value must have for each target. */
interface Exit {
  readonly targets: readonly ProgramBlockId[];
  /** Parallel to `targets` where the choice depends on a register pair (calls, returns, register jumps). */
  readonly addresses?: readonly GuestAddress[];
  readonly refused?: Diagnostic;
}

class ProgramLowering {
  private readonly program: Program;
  private readonly fn: IrFunction;
  private readonly l: Lowering;
  private readonly exits: readonly Exit[];
  /** Program blocks that control reaches, in reverse postorder. */
  private readonly order: readonly ProgramBlockId[];
  /** IR block of each program block. */
  private readonly blockOf: BlockId[] = [];
  /** Blocks of the second and later tests of a choice between targets. */
  private readonly tests = new Map<BlockId, readonly BlockId[]>();
  /** Float mode at the start of each program block, −1 unknown yet. */
  private readonly modes: Int32Array;
  private readonly locations: Map<GuestAddress, LocationId>[] = [];

  constructor(program: Program, dispatch: ComputeDispatch, options: LoweringOptions) {
    this.program = program;
    this.fn = new IrFunction(program.name, {
      target: program.target,
      waveSize: program.waveSize,
      threads: dispatch.threads,
      partialGroups: dispatch.partialThreads.some((n, axis) => n !== dispatch.threads[axis]),
      ldsBytes: dispatch.ldsBytes,
    });
    this.exits = program.blocks.map((block) => this.exitOf(block));
    this.order = reversePostorder(this.exits, program.entry);
    const first = this.fn.createBlock();
    for (const id of this.order) {
      const block = program.blocks[id]!;
      this.blockOf[id] = this.fn.createBlock(this.locate(block.address, block.context ?? 0));
    }
    this.fn.setJump(first, this.blockOf[program.entry]!);
    for (const id of this.order) this.addEdges(id);
    const initial = new InitialRegisters(this.fn, dispatch, options);
    this.l = new Lowering(this.fn, floatModeOf(dispatch.float), options, (variable, type) =>
      initial.value(variable, type as Type),
    );
    let reachable: readonly number[] | undefined;
    this.l.relativeVgprs = () => (reachable ??= reachableVgprs(program, dispatch, options));
    this.modes = new Int32Array(program.blocks.length).fill(-1);
    this.modes[program.entry] = this.l.mode;
  }

  run(): LoweredProgram {
    const { l, fn } = this;
    l.registers.begin(0 as BlockId);
    l.registers.end(0 as BlockId);
    for (const id of this.order) this.lowerBlock(id);
    removeRedundantPhis(fn);
    return { fn, diagnostics: l.diagnostics, runnable: !l.blocked };
  }

  // ── graph ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  private exitOf(block: Block): Exit {
    const { program } = this;
    const terminator = block.terminator;
    switch (terminator.kind) {
      case 'fallthrough':
        return { targets: [terminator.next] };
      case 'jump':
        return { targets: [terminator.target] };
      case 'branch':
        return { targets: [terminator.taken, terminator.fallthrough] };
      case 'call': {
        const { targets } = program.calls[terminator.call]!;
        if (targets.length === 0)
          return { targets: [], refused: this.refusal(block, 'REC004', 'the call has no target') };
        return { targets: targets.map((t) => t.block), addresses: targets.map((t) => t.address) };
      }
      case 'return':
        return this.returnExit(block, terminator.calls);
      case 'indirect': {
        const { targets } = terminator;
        return { targets, addresses: targets.map((t) => program.blocks[t]!.address) };
      }
      case 'end':
        return { targets: [] };
      case 'stop': {
        const known = program.diagnostics[terminator.diagnostic];
        return { targets: [], refused: known ?? this.refusal(block, 'REC003', 'control cannot be followed') };
      }
    }
  }

  private returnExit(block: Block, calls: readonly number[]): Exit {
    const { program } = this;
    const targets: ProgramBlockId[] = [];
    const addresses: GuestAddress[] = [];
    for (const index of calls) {
      const call = program.calls[index]!;
      if (call.returnBlock === undefined) continue;
      if (addresses.includes(call.returnAddress)) {
        return {
          targets: [],
          refused: this.refusal(block, 'REC012', 'activations that share code return to one address'),
        };
      }
      targets.push(call.returnBlock);
      addresses.push(call.returnAddress);
    }
    if (targets.length === 0) {
      return { targets: [], refused: this.refusal(block, 'REC005', 'the return belongs to no call') };
    }
    return { targets, addresses };
  }

  private refusal(block: Block, code: string, message: string): Diagnostic {
    const place = atAddress(block.instructions.at(-1)?.address ?? block.address);
    return diagnostic(code, 'unsupported', `${this.program.name}: ${message}`, place);
  }

  /** Terminators before any instruction: edges must be known before blocks are read. Operands follow later. */
  private addEdges(id: ProgramBlockId): void {
    const { fn } = this;
    const exit = this.exits[id]!;
    const b = this.blockOf[id]!;
    const targets = exit.targets.map((t) => this.blockOf[t]!);
    if (targets.length === 0) fn.setEnd(b);
    else if (this.program.blocks[id]!.terminator.kind === 'branch') fn.setBranch(b, NO_VALUE, targets[0]!, targets[1]!);
    else this.addTests(b, targets);
  }

  /** A chain of tests for all targets but the last. */
  private addTests(b: BlockId, targets: readonly BlockId[]): void {
    const { fn } = this;
    const tests: BlockId[] = [];
    let at = b;
    for (let n = 0; n + 1 < targets.length; n++) {
      const next = fn.createBlock(fn.blockLocation[b]);
      fn.setBranch(at, NO_VALUE, targets[n]!, next);
      tests.push(next);
      at = next;
    }
    fn.setJump(at, targets[targets.length - 1]!);
    if (tests.length > 0) this.tests.set(b, tests);
  }

  private locate(address: GuestAddress, context: number): LocationId {
    let byAddress = this.locations[context];
    if (!byAddress) this.locations[context] = byAddress = new Map();
    let id = byAddress.get(address);
    if (id === undefined) {
      id = this.fn.addLocation(address, this.program.contexts[context]?.callPath ?? []);
      byAddress.set(address, id);
    }
    return id;
  }

  // ── blocks ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private lowerBlock(id: ProgramBlockId): void {
    const { l } = this;
    const b = this.blockOf[id]!;
    const block = this.program.blocks[id]!;
    l.b.block = b;
    l.mode = Math.max(this.modes[id]!, 0) as FloatMode;
    l.registers.begin(b);
    // The terminator is in place already: everything goes before it.
    l.b.before = this.fn.terminator(b);
    for (const placed of block.instructions) {
      l.i = placed.instruction;
      l.address = placed.address;
      l.b.location = this.locate(placed.address, block.context ?? 0);
      this.lowerInstruction(placed.instruction);
    }
    this.fn.location[this.fn.terminator(b)] = l.b.location;
    this.lowerExit(id, block, b);
    this.passMode(id);
  }

  private lowerInstruction(i: Instruction): void {
    const { l } = this;
    const entry = LOWERING_BY_OP[i.op]!;
    if (typeof entry !== 'function') l.refuse(entry.unsupported);
    else if (i.clamp && ROWS[i.op]!.class === 'valu-int' && !CLAMPS_INTEGERS.has(i.mnemonic)) {
      l.refuse('the clamp bit is not compiled here');
    } else entry(l);
  }

  /** Code is made for one float mode per place: all ways into a block must agree. */
  private passMode(id: ProgramBlockId): void {
    for (const target of this.exits[id]!.targets) {
      if (this.modes[target] === -1) this.modes[target] = this.l.mode;
      else if (this.modes[target] !== this.l.mode) {
        const block = this.program.blocks[target]!;
        this.l.diagnostics.push(this.refusal(block, 'REC006', 'float modes differ on the ways into a block'));
        this.l.blocked = true;
      }
    }
  }

  private lowerExit(id: ProgramBlockId, block: Block, b: BlockId): void {
    const { l, fn } = this;
    const exit = this.exits[id]!;
    if (exit.refused) {
      l.diagnostics.push(exit.refused);
      l.blocked = true;
      l.b.emit1('fault', l.b.bool(true), FAULT.unsupported);
    }
    const terminator = block.terminator;
    if (terminator.kind === 'end') this.lowerTaps();
    if (terminator.kind === 'branch' && fn.op[fn.terminator(b)] === OP.branch) {
      this.lowerBranch(terminator.condition, fn.terminator(b));
    }
    // A call's target is read before the link is written.
    let value: ValueId | undefined;
    if (terminator.kind === 'call') {
      const call = this.program.calls[terminator.call]!;
      if (call.targetPair >= 0) value = l.readScalar64(call.targetPair);
      if (call.linkPair >= 0) l.writeScalar64(call.linkPair, this.addressValue(call.returnAddress));
    } else if (terminator.kind === 'return' || terminator.kind === 'indirect') {
      value = l.readScalar64(terminator.pair);
    }
    this.chooseTarget(b, value, exit.addresses ?? []);
  }

  /** Final values of the registers that are watched, for every lane. */
  private lowerTaps(): void {
    const { l } = this;
    l.options.taps?.forEach((code, slot) => {
      const isScc = code === OPERAND.SCC;
      const value =
        code >= OPERAND.VGPR0
          ? l.readVector(code)
          : isScc
            ? l.b.select(l.scc, l.b.u32(1), l.b.u32(0))
            : l.readScalar(code);
      l.b.emit2('tap.32', value, l.b.bool(true), slot);
    });
  }

  private lowerBranch(condition: BranchCondition, terminator: ValueId): void {
    const { fn } = this;
    const [value, negate] = this.branchCondition(condition);
    fn.setOperand(terminator, 0, value);
    if (!negate) return;
    // Negation swaps the targets instead of adding a value.
    const taken = fn.imm0[terminator]!;
    fn.imm0[terminator] = fn.imm1[terminator]!;
    fn.imm1[terminator] = taken;
  }

  private branchCondition(condition: BranchCondition): [ValueId, boolean] {
    const { l } = this;
    switch (condition) {
      case 'scc0':
      case 'scc1':
        return [l.scc, condition === 'scc0'];
      case 'vccz':
      case 'vccnz':
        return [l.anyOf(OPERAND.VCC_LO), condition === 'vccz'];
      case 'execz':
      case 'execnz':
        return [l.anyOf(OPERAND.EXEC_LO), condition === 'execz'];
      case 'cdbgsys':
      case 'cdbguser':
      case 'cdbgsysOrUser':
      case 'cdbgsysAndUser':
        // No debugger is attached.
        return [l.b.bool(false), false];
      case 'subvectorLoopBegin':
      case 'subvectorLoopEnd':
        // The instruction itself was refused.
        return [l.b.bool(false), false];
    }
  }

  /** Fills in the tests made by addTests; the value must be the last target's address when no test held. */
  private chooseTarget(b: BlockId, value: ValueId | undefined, addresses: readonly GuestAddress[]): void {
    const { l, fn } = this;
    const places = [b, ...(this.tests.get(b) ?? [])];
    for (let n = 0; n < places.length; n++) {
      const at = places[n]!;
      if (n > 0) {
        l.b.block = at;
        l.b.before = fn.terminator(at);
        l.registers.begin(at);
      }
      if (n + 1 < places.length) {
        const address = this.addressValue(addresses[n]!);
        const test = l.b.emit2('icmp.eq.u64', this.low48(value ?? address), this.low48(address));
        fn.setOperand(fn.terminator(at), 0, test);
      } else if (value !== undefined && addresses.length > 0) {
        this.checkAddress(value, addresses[addresses.length - 1]!);
      }
      l.registers.end(at);
    }
  }

  private addressValue(address: GuestAddress): ValueId {
    return this.l.b.u64(addressLow32(address), addressHigh32(address));
  }

  /** The upper 16 bits do not take part in fetching. */
  private low48(value: ValueId): ValueId {
    return this.l.b.emit2('and.u64', value, this.l.b.u64(-1, 0xffff));
  }

  private checkAddress(value: ValueId, address: GuestAddress): void {
    const actual = this.low48(value);
    const expected = this.low48(this.addressValue(address));
    if (actual !== expected) this.l.b.emit2('check.equal.64', actual, expected, FAULT['unexpected-target']);
  }
}

function reversePostorder(exits: readonly Exit[], entry: ProgramBlockId): ProgramBlockId[] {
  const visited = new Uint8Array(exits.length);
  const order: ProgramBlockId[] = [];
  const stack: ProgramBlockId[] = [entry];
  const next: number[] = [0];
  visited[entry] = 1;
  while (stack.length > 0) {
    const { targets } = exits[stack[stack.length - 1]!]!;
    // From the last target, so that the first one comes first in the result.
    const at = targets.length - ++next[next.length - 1]!;
    if (at < 0) {
      order.push(stack.pop()!);
      next.pop();
    } else if (!visited[targets[at]!]) {
      visited[targets[at]!] = 1;
      stack.push(targets[at]!);
      next.push(0);
    }
  }
  return order.reverse();
}
