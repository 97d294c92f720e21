/**
 * A dispatch being executed: resident groups, the order in which their waves run, limits, and the result.
 *
 * Waves run one after the other for `quantum` instructions each, round after round over all resident groups, so that a
 * wave that spins on another one's store does not hang the run. Groups are launched in order; when a whole round ends
 * no wave while groups still wait, one more is admitted, for programs that wait on a later group. s_barrier holds a
 * wave until every wave of its group that has not ended or stopped waits too. Everything is deterministic: same input,
 * same order. The caller owns `memory` and forks it if it wants to keep the state before the run.
 */
import { atAddress, type Diagnostic, diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch } from '../base/dispatch.ts';
import { addToAddress, formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { Instruction } from '../isa/instruction.ts';
import { CodeCache, type FetchFailure } from './code-cache.ts';
import type { Fault, FaultReason } from './faults.ts';
import type { Group } from './group.ts';
import { HANDLER_BY_OP } from './handlers.ts';
import { groupCount, launchGroup, type WaveResources } from './launch.ts';
import { Machine, type MemoryAccess } from './machine.ts';
import { VectorRegisters } from './vector-registers.ts';
import { isSkippedByVskip } from './vskip.ts';
import { MODE, type Wave } from './wave.ts';

export interface ReferenceOptions {
  /** Instructions of all waves together before the run is ended. Default 200 million. */
  readonly instructionLimit?: number;
  /** Instructions a wave runs before the next one's turn. Default 256. */
  readonly quantum?: number;
  /** End the run at the first fault. Otherwise a faulting load gives 0, a faulting store nothing, and the run goes on. */
  readonly stopOnFault?: boolean;
  /** Faults kept in the result; all are counted. Default 64. */
  readonly maxFaults?: number;
  /** Waves resident at the start (at least one group). Default 32. */
  readonly residentWaves?: number;
  readonly recordAccesses?: boolean;
  /** Default 64 KiB, as the hardware has. */
  readonly gdsBytes?: number;
  /** gfx7: SH_HIDDEN_PRIVATE_BASE, to which FLAT_SCRATCH_HI is relative. Default 0. */
  readonly privateBase?: GuestAddress;
  /** Before a wave's first instruction, and after its last: registers may be read and, at the start, set. */
  readonly onWaveStart?: (wave: Wave) => void;
  readonly onWaveEnd?: (wave: Wave) => void;
}

export type RunStatus = 'running' | 'completed' | 'faulted' | 'limit' | 'unsupported';

export interface ReferenceResult {
  /** limit before unsupported before faulted: the first that applies. */
  readonly status: RunStatus;
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly instructionsExecuted: number;
  readonly wavesExecuted: number;
  readonly groupsExecuted: number;
  readonly accesses: readonly MemoryAccess[];
}

const FETCH_REASONS: Readonly<Record<FetchFailure['kind'], FaultReason>> = {
  unmapped: 'instruction fetch from unmapped memory',
  misaligned: 'misaligned program counter',
  illegal: 'illegal instruction',
};

/** Residents beyond this are not admitted, however long a round makes no progress. */
const MOST_RESIDENT_WAVES = 1024;

export class DispatchRun {
  readonly dispatch: ComputeDispatch;
  readonly machine: Machine;
  readonly code: CodeCache;
  /** Groups in launch order that still have waves to run. */
  readonly resident: Group[] = [];
  private readonly options: ReferenceOptions;
  private readonly quantum: number;
  private readonly instructionLimit: number;
  private readonly total: number;
  private residentLimit: number;
  private nextGroup = 0;
  private wavesStarted = 0;
  private groupsEnded = 0;
  private readonly freeSlots: number[] = [];
  private slotCount = 0;
  private readonly freeRegisters: VectorRegisters[] = [];
  /** Registers of ended waves are used again; only when nobody can hold a wave. */
  private readonly recycle: boolean;
  /** Position of the scheduler: group and wave whose turn it is, and what is left of the turn. */
  private groupCursor = 0;
  private waveCursor = 0;
  private turnLeft = 0;
  private endedThisRound = false;
  private state: RunStatus = 'running';

  constructor(dispatch: ComputeDispatch, memory: GuestMemory, options: ReferenceOptions = {}, recycle = false) {
    this.recycle = recycle && !options.onWaveStart && !options.onWaveEnd;
    this.dispatch = dispatch;
    this.options = options;
    this.quantum = Math.max(1, options.quantum ?? 256);
    this.instructionLimit = options.instructionLimit ?? 200_000_000;
    this.residentLimit = options.residentWaves ?? 32;
    this.total = groupCount(dispatch);
    this.machine = new Machine({
      target: dispatch.target,
      waveSize: dispatch.waveSize,
      memory,
      scratchBytesPerWave: dispatch.scratchBytesPerWave,
      maxFaults: options.maxFaults ?? 64,
      stopOnFault: options.stopOnFault ?? false,
      recordAccesses: options.recordAccesses ?? false,
      gdsBytes: options.gdsBytes ?? 65536,
      privateBase: options.privateBase ?? 0,
    });
    this.code = new CodeCache(dispatch.target, memory);
    this.machine.onInvalidateCode = () => this.code.invalidate();
    this.turnLeft = this.quantum;
    this.admit();
    if (this.resident.length === 0) this.finish();
  }

  get status(): RunStatus {
    return this.state;
  }

  /** Runs to the end, or until `instructions` more were executed. True while there is more to do. */
  run(instructions = Number.POSITIVE_INFINITY): boolean {
    const stopAt = this.machine.clock + instructions;
    while (this.state === 'running' && this.machine.clock < stopAt) {
      const wave = this.nextWave();
      if (!wave) {
        this.reportDeadlock();
        break;
      }
      const most = Math.min(this.turnLeft, stopAt - this.machine.clock, this.instructionLimit - this.machine.clock);
      this.turnLeft -= this.execute(wave, most);
      if (wave.yielded) {
        wave.yielded = false;
        this.turnLeft = 0;
      }
      this.settle(wave);
    }
    return this.state === 'running';
  }

  /** The wave whose instruction comes next, or undefined at the end. Executes nothing. */
  peek(): Wave | undefined {
    return this.state === 'running' ? this.nextWave() : undefined;
  }

  /** Executes one instruction of the wave whose turn it is, and returns that wave. */
  step(): Wave | undefined {
    const wave = this.peek();
    if (wave) this.run(1);
    return wave;
  }

  /** Executes one instruction of the given wave, out of turn. False when it cannot run (ended, at a barrier). */
  stepWave(wave: Wave): boolean {
    if (this.state !== 'running' || wave.status !== 'ready') return false;
    this.execute(wave, 1);
    wave.yielded = false;
    this.settle(wave);
    return true;
  }

  result(): ReferenceResult {
    const { machine } = this;
    return {
      status: this.state,
      faults: machine.faults,
      faultCount: machine.faultCount,
      diagnostics: machine.diagnostics,
      instructionsExecuted: machine.clock,
      wavesExecuted: this.wavesStarted,
      groupsExecuted: this.groupsEnded,
      accesses: machine.accesses,
    };
  }

  // -------------------------------------------------------------------------------------------------------------
  // Execution

  /** Runs up to `most` instructions of one wave; returns how many. */
  private execute(wave: Wave, most: number): number {
    const { machine, code } = this;
    let count = 0;
    while (count < most && wave.status === 'ready' && !wave.yielded) {
      const address = wave.pc;
      const fetched = code.fetch(address);
      wave.instructionAddress = address;
      if (!(fetched instanceof Instruction)) {
        machine.fatal(wave, FETCH_REASONS[fetched.kind], address, fetched.detail);
        break;
      }
      wave.pc = addToAddress(address, 4 * fetched.sizeDwords);
      if ((wave.mode >>> MODE.VSKIP) & 1 && isSkippedByVskip(wave, fetched)) {
        count++;
        machine.clock++;
        continue;
      }
      HANDLER_BY_OP[fetched.op]!(wave, fetched);
      count++;
      machine.clock++;
    }
    wave.instructionsExecuted += count;
    return count;
  }

  /** After a turn: barrier release, ends, limits. */
  private settle(wave: Wave): void {
    if (wave.status !== 'ready') {
      this.turnLeft = 0;
      if (wave.status !== 'barrier') {
        this.endedThisRound = true;
        this.freeSlots.push(wave.scratchSlot);
        this.options.onWaveEnd?.(wave);
      }
      this.releaseBarrier(wave.group);
      if (wave.group.waves.every((w) => w.status === 'ended' || w.status === 'stopped')) this.retire(wave.group);
    }
    if (this.machine.faultCount > 0 && (this.options.stopOnFault ?? false)) this.finish();
    else if (this.resident.length === 0) this.finish();
    else if (this.machine.clock >= this.instructionLimit) this.reachLimit(wave);
  }

  private releaseBarrier(group: Group): void {
    if (group.waves.some((w) => w.status === 'ready')) return;
    for (const wave of group.waves) if (wave.status === 'barrier') wave.status = 'ready';
  }

  private retire(group: Group): void {
    const at = this.resident.indexOf(group);
    this.resident.splice(at, 1);
    this.groupsEnded++;
    if (this.recycle) for (const wave of group.waves) this.freeRegisters.push(wave.registers);
    if (at < this.groupCursor) this.groupCursor--;
    else if (at === this.groupCursor) {
      this.waveCursor = 0;
      this.turnLeft = this.quantum;
      if (this.groupCursor >= this.resident.length) this.endRound();
    }
    this.admit();
  }

  private reachLimit(wave: Wave): void {
    const waiting = this.resident.flatMap((g) => g.waves).filter((w) => w.status === 'barrier').length;
    const detail = waiting > 0 ? `; ${waiting} waves wait at a barrier` : '';
    const where = `group ${wave.groupId.join(',')} wave ${wave.index}`;
    this.machine.diagnostics.push(
      diagnostic(
        'REF002',
        'fault',
        `the dispatch did not end within ${this.instructionLimit} instructions: ${where} is at ${formatAddress(wave.pc)}${detail}`,
        atAddress(wave.pc),
      ),
    );
    this.state = 'limit';
  }

  /** No wave can run and some have not ended: a barrier that nothing releases. */
  private reportDeadlock(): void {
    const waiting = this.resident.flatMap((g) => g.waves).filter((w) => w.status === 'barrier');
    const first = waiting[0];
    const text = `no wave can run: ${waiting.length} wait at a barrier`;
    const where = first ? atAddress(first.instructionAddress) : undefined;
    this.machine.diagnostics.push(diagnostic('REF003', 'fault', text, where));
    this.state = 'faulted';
  }

  private finish(): void {
    const { machine } = this;
    if (machine.diagnostics.some((d) => d.kind === 'unsupported')) this.state = 'unsupported';
    else this.state = machine.faultCount > 0 ? 'faulted' : 'completed';
  }

  // -------------------------------------------------------------------------------------------------------------
  // Scheduling

  /** Moves the cursor to a wave that can run and gives it a fresh turn if its last one is over. */
  private nextWave(): Wave | undefined {
    const { resident } = this;
    let looked = 0;
    const bound = resident.reduce((sum, g) => sum + g.waves.length, 0) + resident.length + 1;
    while (resident.length > 0 && looked++ <= bound) {
      const group = resident[this.groupCursor];
      const wave = group?.waves[this.waveCursor];
      if (wave?.status === 'ready' && this.turnLeft > 0) return wave;
      if (wave && this.turnLeft <= 0) {
        this.waveCursor++;
        this.turnLeft = this.quantum;
        if (this.waveCursor >= group.waves.length) this.nextGroupTurn();
        continue;
      }
      if (wave) this.waveCursor++;
      if (!group || this.waveCursor >= group.waves.length) this.nextGroupTurn();
    }
    return undefined;
  }

  private nextGroupTurn(): void {
    this.waveCursor = 0;
    this.groupCursor++;
    if (this.groupCursor >= this.resident.length) this.endRound();
  }

  private endRound(): void {
    this.groupCursor = 0;
    // A full round without an end: perhaps everybody waits for a group that has not started.
    if (!this.endedThisRound && this.nextGroup < this.total) {
      this.residentLimit = Math.min(this.residentLimit + 1, MOST_RESIDENT_WAVES);
      this.admit();
    }
    this.endedThisRound = false;
  }

  private admit(): void {
    let waves = this.resident.reduce((sum, g) => sum + g.waves.length, 0);
    while (this.nextGroup < this.total && (waves < this.residentLimit || this.resident.length === 0)) {
      const group = launchGroup(this.dispatch, this.machine, this.nextGroup++, this.resources);
      if (group.waves.length === 0) {
        this.groupsEnded++;
        continue;
      }
      this.resident.push(group);
      waves += group.waves.length;
      this.wavesStarted += group.waves.length;
      for (const wave of group.waves) this.options.onWaveStart?.(wave);
    }
  }

  private readonly resources: WaveResources = {
    takeScratchSlot: () => {
      if (this.freeSlots.length === 0) return this.slotCount++;
      this.freeSlots.sort((a, b) => b - a);
      return this.freeSlots.pop()!;
    },
    takeRegisters: () => {
      const registers = this.freeRegisters.pop();
      if (!registers) return new VectorRegisters(this.dispatch.waveSize);
      registers.clear();
      return registers;
    },
  };
}

/** Executes a whole dispatch on `memory`, which is changed; the caller forks it when the old state matters. */
export function runDispatch(
  dispatch: ComputeDispatch,
  memory: GuestMemory,
  options: ReferenceOptions = {},
): ReferenceResult {
  const run = new DispatchRun(dispatch, memory, options, true);
  run.run();
  return run.result();
}
