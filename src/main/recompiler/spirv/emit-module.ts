/**
 * One structured function → one SPIR-V compute module with its source map.
 *
 * Launch: a one-dimensional workgroup of waves × S invocations; wave = SubgroupId, lane = component · S +
 * SubgroupLocalInvocationId. Group ids are guest ids: WorkgroupId + start.
 */
import { atAddress, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { FAULT, LAUNCH_WORDS, OP, OP_NAMES, type OpName } from '../ir/ops.ts';
import { type BlockId, NO_VALUE, type Type, type ValueId } from '../ir/types.ts';
import type { StructuredFunction } from '../structure/index.ts';
import { FAULT_ENDED_WORD, type MemoryMode, PARAMETER } from './abi.ts';
import { CheckedMemory } from './checked-memory.ts';
import { DirectMemory } from './direct-memory.ts';
import { FLOAT_OPS } from './emit-float.ts';
import { type EmitComponent, INTEGER_OPS } from './emit-integer.ts';
import { type EmitValue, LANE_OPS } from './emit-lanes.ts';
import { memoryOps, refuse } from './emit-memory.ts';
import { type CodegenProfile, Emitter } from './emitter.ts';
import { FunctionSet } from './function-set.ts';
import {
  AddressingModel,
  BuiltIn,
  Capability,
  ExecutionMode,
  ExecutionModel,
  MemoryModel,
  MemorySemantics,
  Op,
  Scope,
  StorageClass,
} from './grammar.gen.ts';
import type { GuestMemoryCode } from './guest-memory.ts';
import { LaunchBuffers } from './launch-buffers.ts';
import { LdsMemory } from './lds-memory.ts';
import { MissedAccess } from './missed-access.ts';
import type { Id } from './module-builder.ts';
import { PhaseBarrier } from './phase-barrier.ts';
import { RegionTable } from './region-table.ts';
import { RegisterBuffers } from './register-buffers.ts';

/** SPIR-V instructions first … first + count − 1 (counted over the module) come from one IR value. */
export interface SourceMapEntry {
  readonly first: number;
  readonly count: number;
  readonly value: ValueId;
  /** Index into `locations`, −1 for what the recompiler added. */
  readonly location: number;
}

export interface EmittedModule {
  readonly words: Uint32Array;
  readonly functionWords: number;
  readonly map: readonly SourceMapEntry[];
  readonly locations: StructuredFunction['fn']['locations'];
  readonly workgroupInvocations: number;
  readonly lanesPerInvocation: number;
  readonly subgroupSize: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface EmitOptions {
  /** Emit OpLine for every guest instruction, over a listing with this name. */
  readonly lines?: { readonly file: string; readonly lineOf: (address: GuestAddress) => number | undefined };
  /** Guard loops by the trip limit of the parameters. */
  readonly tripLimit: boolean;
  readonly memory: MemoryMode;
  /** How many regions the table has at most; absent: any number. */
  readonly regions?: number;
  /** LDS that nothing wrote reads as 0. */
  readonly zeroLds: boolean;
  /** Registers that `tap.32` stores, by slot; as given to lowering. */
  readonly taps?: readonly number[];
}

export function emitModule(
  structured: StructuredFunction,
  profile: CodegenProfile,
  options: EmitOptions,
): EmittedModule {
  return new ModuleEmitter(structured, profile, options).run();
}

class ModuleEmitter {
  private readonly structured: StructuredFunction;
  private readonly options: EmitOptions;
  private readonly e: Emitter;
  private readonly functions: FunctionSet;
  private readonly buffers: LaunchBuffers;
  private readonly guest: GuestMemoryCode;
  private readonly lds: LdsMemory | undefined;
  private readonly registers: RegisterBuffers;
  /** In phase form. */
  private readonly phases: PhaseBarrier | undefined;
  private readonly memory: Partial<Record<OpName, EmitValue>>;
  private readonly labels = new Map<BlockId, Id>();
  /** The SPIR-V block in which each IR block ends. */
  private readonly endLabels = new Map<BlockId, Id>();
  private readonly openPhis: { readonly value: ValueId; readonly k: number; readonly handle: number }[] = [];
  private readonly map: SourceMapEntry[] = [];
  private workgroupId = 0 as Id;
  private waveId = 0 as Id;
  private trips: Id | undefined;
  private lineFile: Id | undefined;
  private lastLocation = -2;
  private readonly waves: number;

  constructor(structured: StructuredFunction, profile: CodegenProfile, options: EmitOptions) {
    this.structured = structured;
    this.options = options;
    const { fn } = structured;
    this.e = new Emitter(fn, profile);
    const [x, y, z] = fn.shape.threads;
    this.waves = Math.ceil((x * y * z) / fn.shape.waveSize);
    this.functions = new FunctionSet(this.e);
    this.buffers = new LaunchBuffers(this.e, this.functions);
    this.registers = new RegisterBuffers(this.e, this.buffers, options.taps ?? [], this.waves);
    const table = new RegionTable(this.e, this.functions, this.buffers, options.regions);
    const missed = options.memory === 'direct' ? new MissedAccess(this.e, this.buffers) : undefined;
    this.guest = missed
      ? new DirectMemory(this.e, structured, table, missed)
      : new CheckedMemory(this.e, this.functions, this.buffers, table);
    this.lds = this.usesLds() ? new LdsMemory(this.e, fn.shape.ldsBytes, this.functions, missed) : undefined;
    this.phases = structured.phases ? new PhaseBarrier(this.e) : undefined;
    this.memory = memoryOps({ guest: this.guest, lds: this.lds });
  }

  /** A group may have LDS that its program never touches. */
  private usesLds(): boolean {
    const { fn, order } = this.structured;
    if (fn.shape.ldsBytes === 0) return false;
    return order.some((b) => {
      for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId)
        if (OP_NAMES[fn.op[v]!]!.startsWith('lds.')) return true;
      return false;
    });
  }

  run(): EmittedModule {
    const { e } = this;
    const { m } = e;
    const { fn } = this.structured;
    m.setMemoryModel(AddressingModel.PhysicalStorageBuffer64, MemoryModel.GLSL450);
    m.extension('SPV_KHR_physical_storage_buffer');
    m.capability(Capability.PhysicalStorageBufferAddresses);
    m.capability(Capability.Shader);
    m.capability(Capability.GroupNonUniform);
    const main = m.id();
    const invocations = this.waves * e.subgroupSize;
    if (invocations > e.profile.maxWorkgroupInvocations) {
      this.complain(
        'REC061',
        `a group of ${this.waves} waves needs ${invocations} invocations, the device has ${e.profile.maxWorkgroupInvocations}`,
      );
    }
    if (this.lds && fn.shape.ldsBytes > e.profile.maxSharedBytes) {
      this.complain(
        'REC062',
        `the group's LDS of ${fn.shape.ldsBytes} bytes is more than the device's ${e.profile.maxSharedBytes}`,
      );
    }
    if (this.options.lines) this.lineFile = m.debugString(this.options.lines.file);
    const functionType = m.type(Op.TypeFunction, e.voidType);
    m.emitWith(Op.Function, e.voidType, main, 0, functionType);
    e.startBlock(m.id());
    if (this.options.tripLimit && this.structured.continueTarget.size > 0) {
      this.trips = m.emit(Op.Variable, e.pointer(StorageClass.Function, e.u32), StorageClass.Function);
    }
    this.guest.declare();
    this.phases?.declare();
    if (this.trips !== undefined) m.emitVoid(Op.Store, this.trips, e.constant32(0));
    if (this.options.zeroLds) this.lds?.clear(invocations);
    this.emitLaunchValues();
    this.registers.begin(this.waveId, () => this.waveInDispatch());
    if (e.profile.foldsFloatZeros) e.opaqueZero = this.buffers.parameterAt(PARAMETER.zero);
    this.guest.begin();
    this.phases?.begin();
    for (const b of this.structured.order) this.labels.set(b, m.id());
    m.emitVoid(Op.Branch, this.labels.get(this.structured.order[0]!)!);
    for (const b of this.structured.order) this.emitBlock(b);
    m.emitVoid(Op.FunctionEnd);
    this.closePhis();
    this.functions.finish();

    m.name(main, 'main');
    const interfaces = [
      ...this.buffers.variables,
      ...e.builtInVariables,
      ...(this.lds ? [this.lds.variable] : []),
      ...(this.phases ? [this.phases.word] : []),
    ];
    m.entryPoint(ExecutionModel.GLCompute, main, 'main', interfaces);
    m.executionMode(main, ExecutionMode.LocalSize, invocations, 1, 1);
    if (e.profile.subgroupUniformControlFlow) {
      m.extension('SPV_KHR_subgroup_uniform_control_flow');
      m.executionMode(main, SUBGROUP_UNIFORM_CONTROL_FLOW);
    }
    const { words, firstFunctionInstruction, functionWords } = m.finish();
    return {
      words,
      functionWords,
      map: this.map.map((entry) => ({ ...entry, first: entry.first + firstFunctionInstruction })),
      locations: fn.locations,
      workgroupInvocations: invocations,
      lanesPerInvocation: e.lanesPerInvocation,
      subgroupSize: e.subgroupSize,
      diagnostics: e.diagnostics,
    };
  }

  private complain(code: string, message: string): void {
    this.e.diagnostics.push(
      diagnostic(
        code,
        'unsupported',
        message,
        atAddress(this.structured.fn.locations[0]?.address ?? (0 as GuestAddress)),
      ),
    );
  }

  // ── launch ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private emitLaunchValues(): void {
    const { e } = this;
    const invocation = e.builtIn(BuiltIn.SubgroupLocalInvocationId, e.u32);
    this.waveId = e.builtIn(BuiltIn.SubgroupId, e.u32);
    if (e.subgroupSize > e.waveSize) {
      // A subgroup wider than the wave: the invocations past it have no lane.
      e.when(e.op(Op.UGreaterThanEqual, e.bool, invocation, e.constant32(e.waveSize)), () => {
        e.m.emitVoid(Op.Return);
        return 'returns';
      });
    }
    const uvec3 = e.m.type(Op.TypeVector, e.u32, 3);
    const host = e.builtIn(BuiltIn.WorkgroupId, uvec3);
    const start = [0, 1, 2].map((axis) =>
      e.add(this.buffers.parameterAt(PARAMETER.groupStart + axis), this.buffers.pushConstant(axis)),
    );
    this.workgroupId = e.op(Op.IAdd, uvec3, host, e.op(Op.CompositeConstruct, uvec3, ...start));
    const parts = [0, 1, 2].map((axis) => e.op(Op.CompositeExtract, e.u32, this.workgroupId, axis));
    e.m.emitVoid(Op.Store, this.buffers.groupVariable(), e.op(Op.CompositeConstruct, e.uvec4, ...parts, this.waveId));
    e.laneIds = Array.from({ length: e.lanesPerInvocation }, (_, k) =>
      k === 0 ? invocation : e.add(invocation, e.constant32(k * e.subgroupSize)),
    );
  }

  private groupAxis(axis: number): Id {
    return this.e.op(Op.CompositeExtract, this.e.u32, this.workgroupId, axis);
  }

  /** Groups in order x, y, z; waves of a group follow each other. */
  private waveInDispatch(): Id {
    const { e } = this;
    const groups = [0, 1].map((axis) => this.buffers.parameterAt(PARAMETER.groups + axis));
    const position = [0, 1, 2].map((axis) =>
      e.op(Op.ISub, e.u32, this.groupAxis(axis), this.buffers.parameterAt(PARAMETER.groupStart + axis)),
    );
    let index = e.add(e.op(Op.IMul, e.u32, position[2]!, groups[1]!), position[1]!);
    index = e.add(e.op(Op.IMul, e.u32, index, groups[0]!), position[0]!);
    return e.add(e.op(Op.IMul, e.u32, index, e.constant32(this.waves)), this.waveId);
  }

  /** Threads of this group along an axis. */
  private groupSize(axis: number): Id {
    const { e } = this;
    const full = e.constant32(this.structured.fn.shape.threads[axis]!);
    if (!this.structured.fn.shape.partialGroups) return full;
    const groups = this.buffers.parameterAt(PARAMETER.groups + axis);
    const start = this.buffers.parameterAt(PARAMETER.groupStart + axis);
    const last = e.op(Op.ISub, e.u32, e.add(groups, start), e.constant32(1));
    return e.select(
      e.u32,
      e.equal(this.groupAxis(axis), last),
      this.buffers.parameterAt(PARAMETER.partialThreads + axis),
      full,
    );
  }

  private launchOps: Partial<Record<OpName, EmitValue>> = {
    'local.id': (e, v) => {
      const axis = e.fn.imm0[v]!;
      const base = e.op(Op.IMul, e.u32, this.waveId, e.constant32(e.waveSize));
      const [sizeX, sizeY] = [this.groupSize(0), this.groupSize(1)];
      for (let k = 0; k < e.lanesPerInvocation; k++) {
        const thread = e.add(base, e.laneIds[k]!);
        const row = (): Id => e.op(Op.UDiv, e.u32, thread, sizeX);
        if (axis === 0) e.set(v, k, e.op(Op.UMod, e.u32, thread, sizeX));
        else if (axis === 1) e.set(v, k, e.op(Op.UMod, e.u32, row(), sizeY));
        else e.set(v, k, e.op(Op.UDiv, e.u32, row(), sizeY));
      }
    },
    'workgroup.id': (e, v) => e.set(v, 0, this.groupAxis(e.fn.imm0[v]!)),
    'wave.id': (e, v) => e.set(v, 0, this.waveId),
    'group.size': (e, v) => e.set(v, 0, this.groupSize(e.fn.imm0[v]!)),
    'user.data': (e, v) => e.set(v, 0, this.buffers.parameterAt(PARAMETER.userData + e.fn.imm0[v]!)),
    'launch.word': (e, v) => {
      const name = LAUNCH_WORDS[e.fn.imm0[v]!]!;
      if (name === 'privateBaseLow') e.set(v, 0, this.buffers.parameterAt(PARAMETER.privateBaseLow));
      else if (name === 'privateBaseHigh') e.set(v, 0, this.buffers.parameterAt(PARAMETER.privateBaseHigh));
      else e.set(v, 0, this.waveInDispatch());
    },
    barrier: (e) => {
      // A group of one wave has nobody to wait for; its lanes may still talk through LDS.
      if (this.waves === 1) return this.fenceWave();
      const scope = e.constant32(Scope.Workgroup);
      e.m.emitVoid(Op.ControlBarrier, scope, scope, e.constant32(BARRIER_SEMANTICS));
    },
    'wave.fence': () => this.fenceWave(),
    'memory.fence': (e) => {
      if (e.profile.lockstepSubgroups) return;
      const semantics = MemorySemantics.AcquireRelease | MemorySemantics.UniformMemory;
      e.m.emitVoid(Op.MemoryBarrier, e.constant32(Scope.Device), e.constant32(semantics));
    },
    fault: (e, v) => {
      for (let k = 0; k < e.lanesPerInvocation; k++) {
        e.when(e.operand(v, 0, k), () =>
          this.callFault(e.fn.imm0[v]!, e.fn.location[v]!, e.laneIds[k]!, e.constant64(0, 0)),
        );
      }
    },
    'barrier.phase': (e, v) => e.set(v, 0, this.phases!.meet(e.operand(v, 0, 0))),
    'trip.check': (e, v) => {
      const over = this.tooManyTurns();
      e.set(v, 0, over);
      e.when(over, () => this.recordOnce(FAULT['trip-limit'], e.fn.location[v]!, e.constant64(0, 0)));
    },
    'check.equal.32': (e, v) => this.checkEqual(v, (id) => e.op(Op.UConvert, e.u64, id)),
    'check.equal.64': (_e, v) => this.checkEqual(v, (id) => id),
  };

  private fenceWave(): void {
    const { e } = this;
    if (e.profile.lockstepSubgroups) return;
    const scope = e.constant32(Scope.Subgroup);
    e.m.emitVoid(Op.ControlBarrier, scope, scope, e.constant32(BARRIER_SEMANTICS));
  }

  private callFault(reason: number, location: number, lane: Id, address: Id): void {
    const { e } = this;
    this.buffers.recordFault({ reason, location: e.constant32(location), lane, address });
  }

  /** A difference is a fault, and the wave ends. */
  private checkEqual(v: ValueId, widen: (id: Id) => Id): void {
    const { e } = this;
    const actual = e.operand(v, 0, 0);
    const differs = e.op(Op.INotEqual, e.bool, actual, e.operand(v, 1, 0));
    this.endWhen(differs, e.fn.imm0[v]!, e.fn.location[v]!, widen(actual));
  }

  /** One invocation of the subgroup records the fault. */
  private recordOnce(reason: number, location: number, address: Id): void {
    const { e } = this;
    const elect = e.op(Op.GroupNonUniformElect, e.bool, e.constant32(Scope.Subgroup));
    e.when(elect, () => this.callFault(reason, location, e.constant32(-1), address));
  }

  /** Records a fault and ends the wave: at once, or in phase form (where others would wait for it) at its next barrier. */
  private endWhen(condition: Id, reason: number, location: number, address: Id): void {
    this.e.when(condition, () => {
      this.recordOnce(reason, location, address);
      if (this.phases) return this.phases.kill();
      this.emitReturn();
      return 'returns';
    });
  }

  // ── blocks ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private emitBlock(b: BlockId): void {
    const { e } = this;
    const { fn, merge, continueTarget } = this.structured;
    e.startBlock(this.labels.get(b)!);
    this.lastLocation = -2;
    this.emitPhis(b);
    for (let v = fn.firstValue[b]!; v !== NO_VALUE && fn.op[v] === OP.phi; v = fn.next[v] as ValueId)
      this.guest.afterValue(v);
    if (this.trips !== undefined && !this.phases && this.isLoopBody(b))
      this.endWhen(this.tooManyTurns(), FAULT['trip-limit'], this.locationOfLoop(b), e.constant64(0, 0));
    const again = continueTarget.get(b);
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
      const op = fn.op[v]!;
      if (op === OP.phi || op === OP.const || op === OP.undef) continue;
      const isLast = v === fn.terminator(b);
      if (isLast) {
        this.endLabels.set(b, e.currentLabel);
        const to = merge.get(b);
        if (to !== undefined && again !== undefined)
          e.m.emitVoid(Op.LoopMerge, this.labels.get(to)!, this.labels.get(again)!, 0);
        else if (to !== undefined) e.m.emitVoid(Op.SelectionMerge, this.labels.get(to)!, 0);
        this.emitTerminator(b, v);
      } else this.emitValue(v);
    }
  }

  private isLoopBody(b: BlockId): boolean {
    const preds = this.structured.fn.preds[b]!;
    return preds.length === 1 && this.structured.continueTarget.has(preds[0]!);
  }

  /** Counts a turn of a loop of this wave. */
  private tooManyTurns(): Id {
    const { e } = this;
    if (this.trips === undefined) return e.constantBool(false);
    const count = e.add(e.load(e.u32, this.trips), e.constant32(1));
    e.m.emitVoid(Op.Store, this.trips, count);
    const limit = this.buffers.parameterAt(PARAMETER.tripLimit);
    const limited = e.op(Op.INotEqual, e.bool, limit, e.constant32(0));
    return e.allOf([limited, e.op(Op.UGreaterThan, e.bool, count, limit)]);
  }

  /** The first guest instruction of the body, for the message. */
  private locationOfLoop(body: BlockId): number {
    const { fn } = this.structured;
    for (let v = fn.firstValue[body]!; v !== NO_VALUE; v = fn.next[v] as ValueId)
      if (fn.location[v]! >= 0) return fn.location[v]!;
    return fn.blockLocation[body]!;
  }

  private emitPhis(b: BlockId): void {
    const { e } = this;
    const { fn } = this.structured;
    for (let v = fn.firstValue[b]!; v !== NO_VALUE && fn.op[v] === OP.phi; v = fn.next[v] as ValueId) {
      for (let k = 0; k < e.copies(v); k++) {
        const id = e.m.id();
        e.set(v, k, id);
        const handle = e.m.reservePhi(e.typeId(fn.type[v] as Type), id, fn.preds[b]!.length);
        this.openPhis.push({ value: v, k, handle });
      }
    }
  }

  /** Once every block has its label and every value its ids. */
  private closePhis(): void {
    const { e } = this;
    const { fn } = this.structured;
    for (const { value, k, handle } of this.openPhis) {
      fn.preds[fn.block[value] as BlockId]!.forEach((pred, i) => {
        e.m.setPhi(handle, i, e.operand(value, i, k), this.endLabels.get(pred)!);
      });
    }
  }

  /** After a fault: the run does not count anyway. */
  private emitReturn(): void {
    this.guest.beforeReturn();
    this.e.m.emitVoid(Op.Return);
  }

  /**
   * Tells the launcher that these invocations got here. A driver that ends loops by itself may also switch invocations
   * off for good: what is missing in the count did not run as the program says.
   */
  private countEnd(): void {
    const { e } = this;
    const guarded = e.profile.loopTurnLimit > 0 && this.structured.continueTarget.size > 0;
    const intact = guarded ? this.loopsStillTurn() : e.constantBool(true);
    e.m.capability(Capability.GroupNonUniformBallot);
    const ballot = e.op(Op.GroupNonUniformBallot, e.uvec4, e.constant32(Scope.Subgroup), intact);
    const words = [0, 1, 2, 3]
      .slice(0, Math.max(1, e.subgroupSize / 32))
      .map((i) => e.op(Op.BitCount, e.u32, e.op(Op.CompositeExtract, e.u32, ballot, i)));
    const count = words.slice(1).reduce((sum, word) => e.add(sum, word), words[0]!);
    e.when(e.op(Op.GroupNonUniformElect, e.bool, e.constant32(Scope.Subgroup)), () => {
      const word = this.buffers.faultWord(e.constant32(FAULT_ENDED_WORD));
      e.op(Op.AtomicIAdd, e.u32, word, e.constant32(Scope.Device), e.constant32(0), count);
    });
  }

  /** A loop of as many turns as a parameter says, which the driver cannot foresee: did it turn that often? */
  private loopsStillTurn(): Id {
    const { e } = this;
    const { m } = e;
    const bound = this.buffers.parameterAt(PARAMETER.faultCapacity);
    const [header, test, again, merge, next] = [m.id(), m.id(), m.id(), m.id(), m.id()];
    const before = e.currentLabel;
    m.emitVoid(Op.Branch, header);
    e.startBlock(header);
    const turns = m.id();
    m.emitWith(Op.Phi, e.u32, turns, e.constant32(0), before, next, again);
    m.emitVoid(Op.LoopMerge, merge, again, 0);
    m.emitVoid(Op.Branch, test);
    e.startBlock(test);
    m.emitVoid(Op.BranchConditional, e.op(Op.ULessThan, e.bool, turns, bound), again, merge);
    e.startBlock(again);
    // Something that cannot be computed without turning: the driver would replace a plain count by its bound.
    const mixed = e.op(Op.GroupNonUniformBroadcastFirst, e.u32, e.constant32(Scope.Subgroup), turns);
    m.emitWith(Op.IAdd, e.u32, next, mixed, e.constant32(1));
    m.emitVoid(Op.Branch, header);
    e.startBlock(merge);
    return e.equal(turns, bound);
  }

  private emitTerminator(b: BlockId, v: ValueId): void {
    const { e } = this;
    const { fn } = this.structured;
    switch (fn.op[v]) {
      case OP.jump:
        e.m.emitVoid(Op.Branch, this.labels.get(fn.imm0[v] as BlockId)!);
        break;
      case OP.branch:
        e.m.emitVoid(
          Op.BranchConditional,
          e.operand(v, 0, 0),
          this.labels.get(fn.imm0[v] as BlockId)!,
          this.labels.get(fn.imm1[v] as BlockId)!,
        );
        break;
      default:
        this.emitEnd(b);
    }
  }

  /** The end of the program; a merge that nothing reaches is no end. */
  private emitEnd(b: BlockId): void {
    if (b !== 0 && this.structured.fn.preds[b]!.length === 0) {
      this.e.m.emitVoid(Op.Unreachable);
      return;
    }
    this.countEnd();
    this.emitReturn();
  }

  private emitValue(v: ValueId): void {
    const { e } = this;
    const { fn } = this.structured;
    const name = OP_NAMES[fn.op[v]!]!;
    this.emitLine(v);
    const first = e.m.mark();
    const component = INTEGER_OPS[name] ?? FLOAT_OPS[name];
    const whole = LANE_OPS[name] ?? this.memory[name] ?? this.launchOps[name] ?? this.registers.ops[name];
    if (component) this.emitComponents(v, component);
    else if (whole) whole(e, v);
    else if (name === 'extract')
      for (let k = 0; k < e.copies(v); k++) e.set(v, k, e.tupleElement(fn.operand(v, 0), fn.imm0[v]!, k));
    else refuse(e, v, 'is not emitted for this device');
    const count = e.m.mark() - first;
    if (count > 0) this.map.push({ first, count, value: v, location: fn.location[v]! });
    this.guest.afterValue(v);
  }

  private emitComponents(v: ValueId, emit: EmitComponent): void {
    const { e } = this;
    const copies = e.copies(v);
    for (let k = 0; k < copies; k++)
      e.set(
        v,
        k,
        emit(e, (index) => e.operand(v, index, k), v),
      );
  }

  private emitLine(v: ValueId): void {
    const { lines } = this.options;
    const location = this.structured.fn.location[v]!;
    if (!lines || this.lineFile === undefined || location < 0 || location === this.lastLocation) return;
    this.lastLocation = location;
    const line = lines.lineOf(this.structured.fn.locations[location]!.address);
    if (line !== undefined) this.e.m.emitVoid(Op.Line, this.lineFile, line, 0);
  }
}

const SUBGROUP_UNIFORM_CONTROL_FLOW = 4421;
const BARRIER_SEMANTICS =
  MemorySemantics.AcquireRelease | MemorySemantics.WorkgroupMemory | MemorySemantics.UniformMemory;
