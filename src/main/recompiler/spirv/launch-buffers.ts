/**
 * What a module gets from its launcher: parameters, as words and as region entries, push constants, the fault buffer with
 * the function that records a fault, and other buffers that are asked for (register-buffers.ts).
 */
import { BINDING, FAULT_HEADER_WORDS, FAULT_WORDS, PARAMETER, PUSH_WORDS } from './abi.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionSet } from './function-set.ts';
import { Decoration, Op, Scope, StorageClass } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

/** Fields of a fault record (abi.ts). */
export interface FaultFields {
  readonly reason: number;
  readonly location: Id;
  readonly lane: Id;
  readonly address: Id;
  /** Default: the one of `lane`. */
  readonly components?: Id;
  /** Default: none. */
  readonly forbidden?: Id;
}

export class LaunchBuffers {
  private readonly e: Emitter;
  private readonly functions: FunctionSet;
  private readonly word: Id;
  private readonly entry: Id;
  private readonly parameters: Id;
  private readonly faults: Id;
  /** The parameters again, as entries of four words; made when asked for. */
  private table: Id | undefined;
  private group: Id | undefined;
  private push: Id | undefined;
  private readonly others: Id[] = [];

  constructor(e: Emitter, functions: FunctionSet) {
    this.e = e;
    this.functions = functions;
    this.word = e.storagePointer(e.u32);
    this.entry = e.storagePointer(e.uvec4);
    this.parameters = this.buffer(BINDING.parameters, e.u32, 4, true);
    this.faults = this.buffer(BINDING.faults, e.u32, 4, false);
  }

  /** Global variables, for the entry point's interface (SPIR-V 1.4 and later list every one). */
  get variables(): Id[] {
    const made = [this.parameters, this.faults, this.groupVariable(), this.pushVariable(), ...this.others];
    return this.table === undefined ? made : [...made, this.table];
  }

  private buffer(binding: number, element: Id, stride: number, readOnly: boolean): Id {
    const { m } = this.e;
    const array = m.freshType(Op.TypeRuntimeArray, element);
    m.decorate(array, Decoration.ArrayStride, stride);
    const block = m.freshType(Op.TypeStruct, array);
    m.decorate(block, Decoration.Block);
    m.decorateMember(block, 0, Decoration.Offset, 0);
    if (readOnly) m.decorateMember(block, 0, Decoration.NonWritable);
    const variable = m.variable(this.e.storagePointer(block), StorageClass.StorageBuffer);
    m.decorate(variable, Decoration.DescriptorSet, 0);
    m.decorate(variable, Decoration.Binding, binding);
    return variable;
  }

  /** A further buffer of words. */
  wordBuffer(binding: number, readOnly: boolean): Id {
    const buffer = this.buffer(binding, this.e.u32, 4, readOnly);
    this.others.push(buffer);
    return buffer;
  }

  /** Pointer to a word of such a buffer. */
  wordOf(buffer: Id, index: Id): Id {
    return this.e.op(Op.AccessChain, this.word, buffer, this.e.constant32(0), index);
  }

  parameterAt(index: number): Id {
    const { e } = this;
    return e.load(e.u32, e.op(Op.AccessChain, this.word, this.parameters, e.constant32(0), e.constant32(index)));
  }

  pushConstant(index: number): Id {
    const { e } = this;
    const pointer = e.pointer(StorageClass.PushConstant, e.u32);
    return e.load(e.u32, e.op(Op.AccessChain, pointer, this.pushVariable(), e.constant32(index)));
  }

  private pushVariable(): Id {
    if (this.push !== undefined) return this.push;
    const { e } = this;
    const block = e.m.freshType(Op.TypeStruct, ...new Array<Id>(PUSH_WORDS).fill(e.u32));
    e.m.decorate(block, Decoration.Block);
    for (let i = 0; i < PUSH_WORDS; i++) e.m.decorateMember(block, i, Decoration.Offset, 4 * i);
    this.push = e.m.variable(e.pointer(StorageClass.PushConstant, block), StorageClass.PushConstant);
    return this.push;
  }

  /** Four words of the parameters; `index` counts fours. */
  parameterEntry(index: Id): Id {
    const { e } = this;
    this.table ??= this.buffer(BINDING.parameters, e.uvec4, 16, true);
    return e.load(e.uvec4, e.op(Op.AccessChain, this.entry, this.table, e.constant32(0), index));
  }

  faultWord(index: Id): Id {
    return this.wordOf(this.faults, index);
  }

  /** Group x y z and number of the wave in it, for fault records. */
  groupVariable(): Id {
    this.group ??= this.e.m.variable(this.e.pointer(StorageClass.Private, this.e.uvec4), StorageClass.Private);
    return this.group;
  }

  recordFault({ reason, location, lane, address, components, forbidden }: FaultFields): void {
    const { e } = this;
    const fn = this.faultFunction();
    const bits = [components ?? e.constant32(1), forbidden ?? e.constant32(0)];
    e.op(Op.FunctionCall, e.voidType, fn, e.constant32(reason), location, lane, address, ...bits);
  }

  private faultFunction(): Id {
    const { e } = this;
    return this.functions.define('fault', e.voidType, [e.u32, e.u32, e.u32, e.u64, e.u32, e.u32], (args) => {
      const { m } = e;
      const [reason, location, lane, address, components, forbidden] = args;
      const [scope, count] = [e.constant32(Scope.Device), e.op(Op.BitCount, e.u32, components!)];
      const number = e.op(Op.AtomicIAdd, e.u32, this.faultWord(e.constant32(0)), scope, e.constant32(0), count);
      const fits = e.op(Op.ULessThan, e.bool, number, this.parameterAt(PARAMETER.faultCapacity));
      e.when(fits, () => {
        const base = e.add(e.op(Op.IMul, e.u32, number, e.constant32(FAULT_WORDS)), e.constant32(FAULT_HEADER_WORDS));
        const group = e.load(e.uvec4, this.groupVariable());
        const part = (i: number): Id => e.op(Op.CompositeExtract, e.u32, group, i);
        const values = [
          reason!,
          location!,
          lane!,
          part(3),
          part(0),
          part(1),
          part(2),
          e.low(address!),
          e.high(address!),
          components!,
          forbidden!,
        ];
        values.forEach((value, i) => m.emitVoid(Op.Store, this.faultWord(e.add(base, e.constant32(i))), value));
      });
      return undefined;
    });
  }
}
