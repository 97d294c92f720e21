/**
 * The state of one module being emitted: types, constants, and the SPIR-V ids of IR values.
 *
 * A wave of W lanes on a host subgroup of S invocations: each invocation carries N = W / S components (1 when the
 * subgroup is wider; then invocations past the wave are idle). Component k of invocation i is lane k·S + i. Uniform
 * values have one id, per-lane values N. Integers are unsigned everywhere; signed operations do not mind.
 */
import { assert } from '../../base/assert.ts';
import type { Diagnostic } from '../../base/diagnostics.ts';
import type { IrFunction } from '../ir/function.ts';
import { OP, OP_NAMES } from '../ir/ops.ts';
import { componentsOf, isPerLane, type Type, type ValueId, WIDTH_1, WIDTH_32, widthOf } from '../ir/types.ts';
import type { FloatSupport } from '../passes/floats/arithmetic.ts';
import { BuiltIn, Capability, Decoration, GlslStd450, Op, Scope, StorageClass } from './grammar.gen.ts';
import { type Id, ModuleBuilder } from './module-builder.ts';

/** What code generation asks of the device; a part of GpuProfile, so that this layer stays pure. */
export interface CodegenProfile {
  readonly subgroupSize: number;
  readonly float16: boolean;
  readonly float64: boolean;
  readonly int64: boolean;
  readonly storage8: boolean;
  readonly storage16: boolean;
  readonly bufferAtomics64: boolean;
  readonly maxSharedBytes: number;
  readonly maxWorkgroupInvocations: number;
  readonly subgroupUniformControlFlow: boolean;
  /** A loop that ends by itself after this many turns although the program would go on; 0 when there is no such limit. */
  readonly loopTurnLimit: number;
  /**
   * Invocations of a subgroup run in lockstep and in program order, and every memory barrier, of atomics too, stops the
   * whole group whatever its scope (quirk llvmpipe): waves that meet different numbers of them lose what lies behind.
   * Lanes need no barriers there; only the guest's own, which every wave meets, are emitted.
   */
  readonly lockstepSubgroups?: boolean;
  /**
   * The driver takes ±0 · x for ±0 and 0 + x for x, whatever x is (quirk llvmpipe: NaN, infinities and signs of zeros are
   * lost): it must not see constant zeros.
   */
  readonly foldsFloatZeros?: boolean;
  /** What float arithmetic is exact; absent: a common driver's. */
  readonly floats?: FloatSupport;
}

export class Emitter {
  readonly m = new ModuleBuilder([1, 5]);
  readonly fn: IrFunction;
  readonly profile: CodegenProfile;
  readonly diagnostics: Diagnostic[] = [];
  /** Components of a per-lane value. */
  readonly lanesPerInvocation: number;
  readonly subgroupSize: number;
  readonly waveSize: number;

  readonly voidType: Id;
  readonly bool: Id;
  readonly u32: Id;
  readonly u64: Id;
  readonly uvec4: Id;
  readonly glsl: Id;
  private readonly ids: Int32Array;
  private readonly tuples = new Map<ValueId, Id[]>();
  private readonly builtIns = new Map<number, Id>();

  /** Set at the start of the main function. */
  laneIds: Id[] = [];
  /** A zero that the driver cannot know; where it folds float zeros. */
  opaqueZero: Id | undefined;

  constructor(fn: IrFunction, profile: CodegenProfile) {
    this.fn = fn;
    this.profile = profile;
    this.waveSize = fn.shape.waveSize;
    this.subgroupSize = profile.subgroupSize;
    this.lanesPerInvocation = Math.max(1, this.waveSize / this.subgroupSize);
    this.ids = new Int32Array(fn.valueCount * this.lanesPerInvocation);
    const { m } = this;
    this.voidType = m.type(Op.TypeVoid);
    this.bool = m.type(Op.TypeBool);
    this.u32 = m.type(Op.TypeInt, 32, 0);
    m.capability(Capability.Int64);
    this.u64 = m.type(Op.TypeInt, 64, 0);
    this.uvec4 = m.type(Op.TypeVector, this.u32, 4);
    this.glsl = m.importSet('GLSL.std.450');
  }

  // ── types and constants ────────────────────────────────────────────────────────────────────────────────────────────

  f32(): Id {
    return this.m.type(Op.TypeFloat, 32);
  }

  f64(): Id {
    this.m.capability(Capability.Float64);
    return this.m.type(Op.TypeFloat, 64);
  }

  f16(): Id {
    this.m.capability(Capability.Float16);
    return this.m.type(Op.TypeFloat, 16);
  }

  u16(): Id {
    this.m.capability(Capability.Int16);
    return this.m.type(Op.TypeInt, 16, 0);
  }

  u8(): Id {
    this.m.capability(Capability.Int8);
    return this.m.type(Op.TypeInt, 8, 0);
  }

  uvec2(): Id {
    return this.m.type(Op.TypeVector, this.u32, 2);
  }

  pointer(storage: number, pointee: Id): Id {
    return this.m.type(Op.TypePointer, storage, pointee);
  }

  /** SPIR-V type of one component of a value. */
  typeId(type: Type): Id {
    switch (widthOf(type)) {
      case WIDTH_1:
        return this.bool;
      case WIDTH_32:
        return this.u32;
      default:
        return this.u64;
    }
  }

  constant32(value: number): Id {
    return this.m.constant(Op.Constant, this.u32, value >>> 0);
  }

  constant64(low: number, high: number): Id {
    return this.m.constant(Op.Constant, this.u64, low >>> 0, high >>> 0);
  }

  constantBool(value: boolean): Id {
    return this.m.constant(value ? Op.ConstantTrue : Op.ConstantFalse, this.bool);
  }

  // ── values ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** How many ids a value has. */
  copies(v: ValueId): number {
    return isPerLane(this.fn.type[v] as Type) ? this.lanesPerInvocation : 1;
  }

  /** The id of component k; uniform values are the same for all. */
  get(v: ValueId, k: number): Id {
    const perLane = isPerLane(this.fn.type[v] as Type);
    const slot = v * this.lanesPerInvocation + (perLane ? k : 0);
    let id = this.ids[slot]!;
    if (id === 0) {
      const op = this.fn.op[v];
      if (op === OP.const) id = this.constantOf(v);
      else if (op === OP.undef) id = this.undefOf(v);
      else assert(false, `${OP_NAMES[op!]} %${v} is read before it is emitted`);
      this.ids[slot] = id;
    }
    return id as Id;
  }

  private constantOf(v: ValueId): Id {
    const { fn } = this;
    switch (widthOf(fn.type[v] as Type)) {
      case WIDTH_1:
        return this.constantBool(fn.imm0[v] !== 0);
      case WIDTH_32:
        return this.constant32(fn.imm0[v]!);
      default:
        return this.constant64(fn.imm0[v]!, fn.imm1[v]!);
    }
  }

  private undefOf(v: ValueId): Id {
    return this.m.constant(Op.Undef, this.typeId(this.fn.type[v] as Type));
  }

  operand(v: ValueId, index: number, k: number): Id {
    return this.get(this.fn.operand(v, index), k);
  }

  set(v: ValueId, k: number, id: Id): void {
    this.ids[v * this.lanesPerInvocation + k] = id;
  }

  /** Tuples: component c of lane component k at c · copies + k. */
  setTuple(v: ValueId, ids: Id[]): void {
    assert(ids.length === componentsOf(this.fn.type[v] as Type) * this.copies(v), 'a tuple has its length');
    this.tuples.set(v, ids);
  }

  tupleElement(v: ValueId, component: number, k: number): Id {
    if (componentsOf(this.fn.type[v] as Type) === 1) return this.get(v, k);
    const ids = this.tuples.get(v);
    assert(ids, 'a tuple is read before it is emitted');
    return ids[component * this.copies(v) + (this.copies(v) === 1 ? 0 : k)]!;
  }

  // ── short forms ────────────────────────────────────────────────────────────────────────────────────────────────────

  op(opcode: number, type: Id, ...operands: number[]): Id {
    return this.m.emit(opcode, type, ...operands);
  }

  ext(instruction: number, type: Id, ...operands: number[]): Id {
    return this.m.emit(Op.ExtInst, type, this.glsl, instruction, ...operands);
  }

  add(a: Id, b: Id): Id {
    return this.op(Op.IAdd, this.u32, a, b);
  }

  and(a: Id, b: Id): Id {
    return this.op(Op.BitwiseAnd, this.u32, a, b);
  }

  or(a: Id, b: Id): Id {
    return this.op(Op.BitwiseOr, this.u32, a, b);
  }

  shl(a: Id, amount: Id): Id {
    return this.op(Op.ShiftLeftLogical, this.u32, a, amount);
  }

  shr(a: Id, amount: Id): Id {
    return this.op(Op.ShiftRightLogical, this.u32, a, amount);
  }

  select(type: Id, condition: Id, a: Id, b: Id): Id {
    return this.op(Op.Select, type, condition, a, b);
  }

  equal(a: Id, b: Id): Id {
    return this.op(Op.IEqual, this.bool, a, b);
  }

  low(value: Id): Id {
    return this.op(Op.UConvert, this.u32, value);
  }

  high(value: Id): Id {
    return this.op(Op.UConvert, this.u32, this.op(Op.ShiftRightLogical, this.u64, value, this.constant32(32)));
  }

  pack(low: Id, high: Id): Id {
    const wide = this.op(Op.UConvert, this.u64, high);
    const shifted = this.op(Op.ShiftLeftLogical, this.u64, wide, this.constant32(32));
    return this.op(Op.BitwiseOr, this.u64, shifted, this.op(Op.UConvert, this.u64, low));
  }

  bitcast(type: Id, value: Id): Id {
    return this.op(Op.Bitcast, type, value);
  }

  findLsb(value: Id): Id {
    return this.ext(GlslStd450.FindILsb, this.u32, value);
  }

  load(type: Id, pointer: Id): Id {
    return this.op(Op.Load, type, pointer);
  }

  /** The same bits, from memory when they are a constant float zero of either sign and the driver must not see that. */
  hideZero(bits: Id, format: 'f16' | 'f32' | 'f64'): Id {
    const zero = this.opaqueZero;
    if (zero === undefined) return bits;
    if (format === 'f64') {
      if (bits === this.constant64(0, 0)) return this.op(Op.UConvert, this.u64, zero);
      const minus = this.constant64(0, 0x80000000);
      return bits === minus ? this.op(Op.BitwiseOr, this.u64, this.op(Op.UConvert, this.u64, zero), minus) : bits;
    }
    if (bits === this.constant32(0)) return zero;
    const minus = this.constant32(format === 'f16' ? 0x8000 : 0x80000000);
    return bits === minus ? this.op(Op.BitwiseOr, this.u32, zero, minus) : bits;
  }

  not(value: Id): Id {
    return this.op(Op.LogicalNot, this.bool, value);
  }

  anyOf(conditions: readonly Id[]): Id {
    return conditions.slice(1).reduce((a, b) => this.op(Op.LogicalOr, this.bool, a, b), conditions[0]!);
  }

  allOf(conditions: readonly Id[]): Id {
    return conditions.slice(1).reduce((a, b) => this.op(Op.LogicalAnd, this.bool, a, b), conditions[0]!);
  }

  /** The value of a built-in variable, read here. */
  builtIn(builtIn: number, type: Id): Id {
    let variable = this.builtIns.get(builtIn);
    if (variable === undefined) {
      variable = this.m.variable(this.pointer(StorageClass.Input, type), StorageClass.Input);
      this.m.decorate(variable, Decoration.BuiltIn, builtIn);
      this.builtIns.set(builtIn, variable);
    }
    return this.load(type, variable);
  }

  get builtInVariables(): Id[] {
    return [...this.builtIns.values()];
  }

  /** For functions; the main function has `laneIds`. */
  laneInSubgroup(): Id {
    return this.builtIn(BuiltIn.SubgroupLocalInvocationId, this.u32);
  }

  anyInSubgroup(condition: Id): Id {
    this.m.capability(Capability.GroupNonUniformVote);
    return this.op(Op.GroupNonUniformAny, this.bool, this.constant32(Scope.Subgroup), condition);
  }

  /** One value for all invocations of the subgroup. */
  broadcastFirst(value: Id): Id {
    this.m.capability(Capability.GroupNonUniformBallot);
    return this.op(Op.GroupNonUniformBroadcastFirst, this.u32, this.constant32(Scope.Subgroup), value);
  }

  /** The first invocation for which the condition holds, −1 when there is none. The same in all invocations. */
  firstInvocation(condition: Id): Id {
    this.m.capability(Capability.GroupNonUniformBallot);
    const ballot = this.op(Op.GroupNonUniformBallot, this.uvec4, this.constant32(Scope.Subgroup), condition);
    const low = this.op(Op.CompositeExtract, this.u32, ballot, 0);
    const first = this.findLsb(low);
    if (Math.min(this.subgroupSize, this.waveSize) <= 32) return first;
    const high = this.op(Op.CompositeExtract, this.u32, ballot, 1);
    const none = this.equal(high, this.constant32(0));
    const upper = this.select(this.u32, none, this.constant32(-1), this.add(this.findLsb(high), this.constant32(32)));
    return this.select(this.u32, this.equal(low, this.constant32(0)), upper, first);
  }

  shuffle(value: Id, invocation: Id): Id {
    this.m.capability(Capability.GroupNonUniformShuffle);
    return this.op(Op.GroupNonUniformShuffle, this.u32, this.constant32(Scope.Subgroup), value, invocation);
  }

  shuffle64(value: Id, invocation: Id): Id {
    return this.pack(this.shuffle(this.low(value), invocation), this.shuffle(this.high(value), invocation));
  }

  storagePointer(type: Id): Id {
    return this.pointer(StorageClass.StorageBuffer, type);
  }

  /** An if without else around `body`, whose values are not seen outside. A body that ends with a return says 'returns'. */
  when(condition: Id, body: () => unknown): void {
    const then = this.m.id();
    const merge = this.m.id();
    this.m.emitVoid(Op.SelectionMerge, merge, 0);
    this.m.emitVoid(Op.BranchConditional, condition, then, merge);
    this.startBlock(then);
    if (body() !== 'returns') this.m.emitVoid(Op.Branch, merge);
    this.startBlock(merge);
  }

  /** The label of the SPIR-V block that is open; phis of successors name it. */
  currentLabel = 0 as Id;

  startBlock(label: Id): void {
    this.m.label(label);
    this.currentLabel = label;
  }
}
