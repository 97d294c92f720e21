/**
 * Registers that the launcher gives and takes: `initial.vgpr` reads the buffer of given VGPRs, `tap.32` stores a register
 * of an ending wave into its record of the tap buffer (layouts in abi.ts).
 *
 * Where a wave's record is, and whether the buffer has one for it, is computed once at the start of the main function.
 * The tap of slot 0 marks the record as written, so a wave that ended otherwise leaves none.
 */
import { assert } from '../../base/assert.ts';
import { OPERAND } from '../../isa/operands.ts';
import { OP, type OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { BINDING, PARAMETER, type TapLayout, tapLayout } from './abi.ts';
import type { EmitValue } from './emit-lanes.ts';
import type { Emitter } from './emitter.ts';
import { Op } from './grammar.gen.ts';
import type { LaunchBuffers } from './launch-buffers.ts';
import type { Id } from './module-builder.ts';

export class RegisterBuffers {
  private readonly e: Emitter;
  private readonly buffers: LaunchBuffers;
  private readonly taps: readonly number[];
  private readonly layout: TapLayout;
  private readonly wavesPerGroup: number;
  private tapBuffer: Id | undefined;
  private vgprBuffer: Id | undefined;
  private wave = 0 as Id;
  /** First word of the wave's record; whether it lies in the buffer. */
  private record = 0 as Id;
  private fits = 0 as Id;

  /** `taps`: the registers by slot, as operand codes. */
  constructor(e: Emitter, buffers: LaunchBuffers, taps: readonly number[], wavesPerGroup: number) {
    this.e = e;
    this.buffers = buffers;
    this.taps = taps;
    this.layout = tapLayout(taps, e.waveSize);
    this.wavesPerGroup = wavesPerGroup;
  }

  /** In the first block of the main function. `waveInDispatch` is asked for only if there are taps. */
  begin(wave: Id, waveInDispatch: () => Id): void {
    const { e } = this;
    this.wave = wave;
    if (this.taps.length === 0) return;
    this.tapBuffer = this.buffers.wordBuffer(BINDING.taps, false);
    const number = waveInDispatch();
    this.record = e.op(Op.IMul, e.u32, number, e.constant32(this.layout.recordWords));
    this.fits = e.op(Op.ULessThan, e.bool, number, this.buffers.parameterAt(PARAMETER.tapCapacity));
  }

  readonly ops: Partial<Record<OpName, EmitValue>> = {
    'initial.vgpr': (e, v) => {
      this.vgprBuffer ??= this.buffers.wordBuffer(BINDING.givenVgprs, true);
      const row = e.constant32(e.fn.imm0[v]! * this.wavesPerGroup * e.waveSize);
      const start = e.add(row, e.op(Op.IMul, e.u32, this.wave, e.constant32(e.waveSize)));
      for (let k = 0; k < e.lanesPerInvocation; k++)
        e.set(v, k, e.load(e.u32, this.buffers.wordOf(this.vgprBuffer, e.add(start, e.laneIds[k]!))));
    },
    'tap.32': (e, v) => {
      const slot = e.fn.imm0[v]!;
      const register = this.taps[slot];
      assert(register !== undefined && this.tapBuffer !== undefined, 'a tap is one of those asked for');
      const first = e.add(this.record, e.constant32(this.layout.offsets[slot]!));
      e.when(this.fits, () => {
        if (slot === 0) this.byFirstLane(() => this.store(this.record, e.constant32(1)));
        if (register >= OPERAND.VGPR0) this.storeLanes(v, first);
        else this.byFirstLane(() => this.store(first, e.operand(v, 0, 0)));
      });
    },
  };

  private byFirstLane(body: () => void): void {
    const { e } = this;
    e.when(e.equal(e.laneIds[0]!, e.constant32(0)), body);
  }

  private storeLanes(v: ValueId, first: Id): void {
    const { e } = this;
    const mask = e.fn.operand(v, 1);
    const all = e.fn.op[mask] === OP.const && e.fn.imm0[mask] !== 0;
    for (let k = 0; k < e.lanesPerInvocation; k++) {
      const store = (): void => this.store(e.add(first, e.laneIds[k]!), e.operand(v, 0, k));
      if (all) store();
      else e.when(e.get(mask, k), store);
    }
  }

  private store(word: Id, value: Id): void {
    this.e.m.emitVoid(Op.Store, this.buffers.wordOf(this.tapBuffer!, word), value);
  }
}
