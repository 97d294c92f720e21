/**
 * Looks up the region of a guest address that is the same in all invocations.
 *
 * Every invocation looks at one entry of the table and the ballot says who found it: one turn for as many regions as
 * the subgroup has invocations, where a search by one would need a loop of dependent loads.
 */
import { PARAMETER, PARAMETER_WORDS, REGION_WORDS } from './abi.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionSet } from './function-set.ts';
import { GlslStd450, Op } from './grammar.gen.ts';
import type { LaunchBuffers } from './launch-buffers.ts';
import type { Id } from './module-builder.ts';

export const READ = 4;
export const WRITE = 2;
const PAGE_SHIFT = 12;

/** A region; uniform. Where there is none, `size` is 0. */
export interface Region {
  readonly start: Id;
  /** Bytes, u64. */
  readonly size: Id;
  /** Device address of the start. */
  readonly device: Id;
  readonly permissions: Id;
}

export class RegionTable {
  private readonly e: Emitter;
  private readonly functions: FunctionSet;
  private readonly buffers: LaunchBuffers;

  constructor(e: Emitter, functions: FunctionSet, buffers: LaunchBuffers) {
    this.e = e;
    this.functions = functions;
    this.buffers = buffers;
  }

  find(address: Id): Region {
    const { e } = this;
    const type = e.m.type(Op.TypeStruct, e.u64, e.u64, e.u64, e.u32);
    const found = e.op(Op.FunctionCall, type, this.findFunction(type), address);
    const part = (id: Id, index: number): Id => e.op(Op.CompositeExtract, id, found, index);
    return { start: part(e.u64, 0), size: part(e.u64, 1), device: part(e.u64, 2), permissions: part(e.u32, 3) };
  }

  private pages(count: Id): Id {
    const { e } = this;
    return e.op(Op.ShiftLeftLogical, e.u64, e.op(Op.UConvert, e.u64, count), e.constant32(PAGE_SHIFT));
  }

  private startOf(low: Id, high: Id): Id {
    return this.e.pack(this.e.and(low, this.e.constant32(-(1 << PAGE_SHIFT))), high);
  }

  private findFunction(type: Id): Id {
    const { e } = this;
    return this.functions.define('find_region', type, [e.u64], ([address]) => {
      const { m } = e;
      const participants = Math.min(e.subgroupSize, e.waveSize);
      const count = this.buffers.parameterAt(PARAMETER.regionCount);
      const last = e.op(Op.ISub, e.u32, e.ext(GlslStd450.UMax, e.u32, count, e.constant32(1)), e.constant32(1));
      const before = e.currentLabel;
      const [header, body, again, merge] = [m.id(), m.id(), m.id(), m.id()];
      const nextFirst = m.id();
      m.emitVoid(Op.Branch, header);
      e.startBlock(header);
      const first = m.id();
      m.emitWith(Op.Phi, e.u32, first, e.constant32(0), before, nextFirst, again);
      m.emitVoid(Op.LoopMerge, merge, again, 0);
      m.emitVoid(Op.Branch, body);
      e.startBlock(body);
      const number = e.add(first, e.laneInSubgroup());
      const index = e.ext(GlslStd450.UMin, e.u32, number, last);
      const entry = this.buffers.parameterEntry(e.add(index, e.constant32(PARAMETER_WORDS / REGION_WORDS)));
      const words = [0, 1, 2, 3].map((i) => e.op(Op.CompositeExtract, e.u32, entry, i));
      const within = e.op(Op.ISub, e.u64, address!, this.startOf(words[0]!, words[1]!));
      const inside = e.op(Op.ULessThan, e.bool, within, this.pages(words[2]!));
      const exists = e.op(Op.ULessThan, e.bool, number, count);
      const finder = e.firstInvocation(e.op(Op.LogicalAnd, e.bool, inside, exists));
      const found = e.op(Op.INotEqual, e.bool, finder, e.constant32(-1));
      m.emitWith(Op.IAdd, e.u32, nextFirst, first, e.constant32(participants));
      const end = e.op(Op.UGreaterThanEqual, e.bool, nextFirst, count);
      m.emitVoid(Op.BranchConditional, e.op(Op.LogicalOr, e.bool, found, end), merge, again);
      e.startBlock(again);
      m.emitVoid(Op.Branch, header);
      e.startBlock(merge);
      const winner = e.select(e.u32, found, finder, e.constant32(0));
      const [low, high, pages, place] = words.map((word) => e.shuffle(word, winner)) as [Id, Id, Id, Id];
      const arena = e.pack(this.buffers.parameterAt(PARAMETER.arenaLow), this.buffers.parameterAt(PARAMETER.arenaHigh));
      return e.op(
        Op.CompositeConstruct,
        type,
        this.startOf(low, high),
        e.select(e.u64, found, this.pages(pages), e.constant64(0, 0)),
        e.op(Op.IAdd, e.u64, arena, this.pages(place)),
        e.select(e.u32, found, e.and(low, e.constant32(7)), e.constant32(0)),
      );
    });
  }
}
