/**
 * What registers hold when a wave starts.
 *
 * SGPRs: user data, then the enabled ones of group id x y z, tg_size, scratch wave offset. VGPRs v0…v2: local ids.
 * EXEC: all lanes, except in the last wave of a group whose thread count is no multiple of the wave size. tg_size:
 * waves of the group in bits 5:0, this wave's number in 11:6, "first wave" in 31.
 * Everything else was never written: 0 in deterministic mode (as in the reference), otherwise undefined.
 */
import type { ComputeDispatch } from '../../base/dispatch.ts';
import { OPERAND } from '../../isa/operands.ts';
import { Builder } from '../ir/builder.ts';
import type { IrFunction } from '../ir/function.ts';
import { LAUNCH_WORDS, type OpName } from '../ir/ops.ts';
import {
  type BlockId,
  type Type,
  uniformType,
  type ValueId,
  WIDTH_1,
  WIDTH_32,
  WIDTH_64,
  widthOf,
} from '../ir/types.ts';
import { foldValue } from '../passes/fold.ts';
import type { LoweringOptions } from './lowering.ts';

type SystemValue = 'groupX' | 'groupY' | 'groupZ' | 'groupSize' | 'scratchOffset';

export class InitialRegisters {
  private readonly fn: IrFunction;
  private readonly b: Builder;
  private readonly dispatch: ComputeDispatch;
  private readonly options: LoweringOptions;
  private readonly systemValues: readonly SystemValue[];
  private readonly known = new Map<number, ValueId>();

  constructor(fn: IrFunction, dispatch: ComputeDispatch, options: LoweringOptions) {
    this.fn = fn;
    this.dispatch = dispatch;
    this.options = options;
    this.b = new Builder(fn, 0 as BlockId);
    this.b.onEmit = (v) => foldValue(fn, v);
    const names: SystemValue[] = [];
    const axes = ['groupX', 'groupY', 'groupZ'] as const;
    for (let axis = 0; axis < 3; axis++) if (dispatch.tgidEnable[axis]) names.push(axes[axis]!);
    if (dispatch.tgSizeEnable) names.push('groupSize');
    if (dispatch.scratchEnable) names.push('scratchOffset');
    this.systemValues = names;
  }

  value(variable: number, type: Type): ValueId {
    let v = this.known.get(variable);
    if (v === undefined) {
      this.b.before = this.fn.terminator(0 as BlockId);
      v = this.make(variable, type) ?? this.unwritten(uniformType(type));
      this.known.set(variable, v);
    }
    return v;
  }

  private unwritten(type: Type): ValueId {
    if (!this.options.zeroRegisters) return this.fn.undef(type);
    const width = type & 3;
    if (width === WIDTH_1) return this.fn.constant1(false);
    return width === WIDTH_32 ? this.fn.constant32(0) : this.fn.constant64(0, 0);
  }

  private make(variable: number, type: Type): ValueId | undefined {
    const { dispatch, b } = this;
    const given = this.given(variable, type);
    if (given !== undefined) return given;
    const userCount = dispatch.userSgprs.length;
    if (variable < userCount) return b.emit0('user.data', variable);
    if (variable - userCount < this.systemValues.length) return this.system(this.systemValues[variable - userCount]!);
    if (variable === OPERAND.EXEC_LO) return this.exec();
    const vgpr = variable - OPERAND.VGPR0;
    if (vgpr >= 0 && vgpr < dispatch.localIdCount) return this.localId(vgpr);
    return undefined;
  }

  /** A register that the launcher sets. Masks of wave64 are one variable for two registers. */
  private given(variable: number, type: Type): ValueId | undefined {
    const { given } = this.options;
    if (!given) return undefined;
    if (variable >= OPERAND.VGPR0) {
      const number = variable - OPERAND.VGPR0;
      return given.vgprs.has(number) ? this.b.emit0('initial.vgpr', number) : undefined;
    }
    if (widthOf(type) !== WIDTH_64) {
      if (!given.scalars.has(variable)) return undefined;
      const word = this.b.emit0('user.data', variable);
      return widthOf(type) === WIDTH_1 ? this.b.emit2('icmp.ne.u32', word, this.b.u32(0)) : word;
    }
    if (!given.scalars.has(variable) && !given.scalars.has(variable + 1)) return undefined;
    // The half that is not given keeps what the launch puts there.
    const launch = variable === OPERAND.EXEC_LO ? this.exec() : this.b.u64(0, 0);
    const low = given.scalars.has(variable) ? this.b.emit0('user.data', variable) : this.b.emit1('lo.64', launch);
    const high = given.scalars.has(variable + 1)
      ? this.b.emit0('user.data', variable + 1)
      : this.b.emit1('hi.64', launch);
    return this.b.emit2('pack.64', low, high);
  }

  /** Ids are defined for threads only: lanes past the last one hold what an unwritten register holds. */
  private localId(dim: number): ValueId {
    const id = this.b.emit0('local.id', dim);
    const live = this.liveLanes();
    return live === undefined ? id : this.b.select(live, id, this.unwritten(uniformType(this.fn.type[id] as Type)));
  }

  private system(name: SystemValue): ValueId {
    const { b } = this;
    switch (name) {
      case 'groupX':
        return b.emit0('workgroup.id', 0);
      case 'groupY':
        return b.emit0('workgroup.id', 1);
      case 'groupZ':
        return b.emit0('workgroup.id', 2);
      case 'groupSize': {
        const wave = b.emit0('wave.id');
        const first = b.select(b.emit2('icmp.eq.u32', wave, b.u32(0)), b.u32(0x80000000), b.u32(0));
        const number = b.emit2('shl.u32', wave, b.u32(6));
        const waves = b.emit2('and.u32', this.waveCount(), b.u32(0x3f));
        return b.emit2('or.u32', b.emit2('or.u32', first, number), waves);
      }
      case 'scratchOffset': {
        const wave = b.emit0('launch.word', LAUNCH_WORDS.indexOf('waveInDispatch'));
        return b.emit2('imul.u32', wave, b.u32(this.options.scratchBytesPerWave));
      }
    }
  }

  private threadCount(): ValueId {
    const { b, dispatch } = this;
    const size = (dim: number): ValueId =>
      dispatch.partialThreads[dim] === dispatch.threads[dim]
        ? b.u32(dispatch.threads[dim]!)
        : b.emit0('group.size', dim);
    return b.emit2('imul.u32', b.emit2('imul.u32', size(0), size(1)), size(2));
  }

  private waveCount(): ValueId {
    const { b } = this;
    const waveSize = this.fn.shape.waveSize;
    const rounded = b.emit2('iadd.u32', this.threadCount(), b.u32(waveSize - 1));
    return b.emit2('udiv.u32', rounded, b.u32(waveSize));
  }

  /** Lanes that have a thread; undefined when all have. */
  private liveLanes(): ValueId | undefined {
    const { b } = this;
    const waveSize = this.fn.shape.waveSize;
    const count = this.threadCount();
    if (this.fn.isConstant(count) && this.fn.imm0[count]! % waveSize === 0) return undefined;
    const first = b.emit2('shl.u32', b.emit0('wave.id'), b.u32(waveSize === 64 ? 6 : 5));
    return b.emit2('icmp.ult.u32', b.emit2('iadd.u32', first, b.emit0('lane.id')), count);
  }

  private exec(): ValueId {
    const { b } = this;
    const wave64 = this.fn.shape.waveSize === 64;
    const live = this.liveLanes();
    if (live === undefined) return wave64 ? b.u64(-1, -1) : b.u32(-1);
    const op: OpName = wave64 ? 'ballot.64' : 'ballot.32';
    return b.emit1(op, live);
  }
}
