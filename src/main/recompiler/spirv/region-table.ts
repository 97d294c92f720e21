/**
 * Looks up the region of a guest address that is the same in all invocations.
 *
 * Every invocation looks at one entry of the table and the ballot says who found it: one turn for as many regions as
 * the subgroup has invocations, where a search by one would need a loop of dependent loads. Turns are written out when
 * few are enough for the regions that memory has.
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
const MOST_WRITTEN_OUT = 8;

/**
 * Turns that look at `regions` entries, rounded up to a power of two so that a few more regions do not ask for other code;
 * 0 when there are too many to be written out. Why: drivers that count loop turns (quirk llvmpipe) would count these.
 */
export function lookupTurns(regions: number, participants: number): number {
  const turns = 2 ** Math.ceil(Math.log2(Math.max(regions / participants, 1)));
  return turns > MOST_WRITTEN_OUT ? 0 : turns;
}

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
  /** Invocations that look. */
  private readonly participants: number;
  /** Turns that are enough; 0: not known, a loop. */
  private readonly turns: number;

  /** `regions`: how many there are at most; undefined: any number. */
  constructor(e: Emitter, functions: FunctionSet, buffers: LaunchBuffers, regions: number | undefined) {
    this.e = e;
    this.functions = functions;
    this.buffers = buffers;
    this.participants = Math.min(e.subgroupSize, e.waveSize);
    this.turns = regions === undefined ? 0 : lookupTurns(regions, this.participants);
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
      const { entry, finder } = this.turns > 0 ? this.lookAtAll(address!) : this.lookUntilFound(address!);
      const found = e.op(Op.INotEqual, e.bool, finder, e.constant32(-1));
      const winner = e.select(e.u32, found, finder, e.constant32(0));
      const words = [0, 1, 2, 3].map((i) => e.shuffle(e.op(Op.CompositeExtract, e.u32, entry, i), winner));
      const [low, high, pages, place] = words as [Id, Id, Id, Id];
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

  /** Entry `first` + own number (the last one where there is none) and whether it exists and has the address. */
  private look(address: Id, first: Id, count: Id): { readonly entry: Id; readonly hit: Id } {
    const { e } = this;
    const last = e.op(Op.ISub, e.u32, e.ext(GlslStd450.UMax, e.u32, count, e.constant32(1)), e.constant32(1));
    const number = e.add(first, e.laneInSubgroup());
    const index = e.ext(GlslStd450.UMin, e.u32, number, last);
    const entry = this.buffers.parameterEntry(e.add(index, e.constant32(PARAMETER_WORDS / REGION_WORDS)));
    const [low, high, pages] = [0, 1, 2].map((i) => e.op(Op.CompositeExtract, e.u32, entry, i)) as [Id, Id, Id];
    const within = e.op(Op.ISub, e.u64, address, this.startOf(low, high));
    const inside = e.op(Op.ULessThan, e.bool, within, this.pages(pages));
    return { entry, hit: e.allOf([inside, e.op(Op.ULessThan, e.bool, number, count)]) };
  }

  /** A known number of turns, written out. Regions do not overlap: an invocation finds at most one, and only one does. */
  private lookAtAll(address: Id): { readonly entry: Id; readonly finder: Id } {
    const { e } = this;
    const count = this.buffers.parameterAt(PARAMETER.regionCount);
    const looks = Array.from({ length: this.turns }, (_, turn) =>
      this.look(address, e.constant32(turn * this.participants), count),
    );
    const entry = looks.slice(1).reduce((old, l) => e.select(e.uvec4, l.hit, l.entry, old), looks[0]!.entry);
    return { entry, finder: e.firstInvocation(e.anyOf(looks.map((l) => l.hit))) };
  }

  private lookUntilFound(address: Id): { readonly entry: Id; readonly finder: Id } {
    const { e } = this;
    const { m } = e;
    const count = this.buffers.parameterAt(PARAMETER.regionCount);
    const before = e.currentLabel;
    const [header, body, again, merge] = [m.id(), m.id(), m.id(), m.id()];
    const [first, next] = [m.id(), m.id()];
    m.emitVoid(Op.Branch, header);
    e.startBlock(header);
    m.emitWith(Op.Phi, e.u32, first, e.constant32(0), before, next, again);
    m.emitVoid(Op.LoopMerge, merge, again, 0);
    m.emitVoid(Op.Branch, body);
    e.startBlock(body);
    const { entry, hit } = this.look(address, first, count);
    const finder = e.firstInvocation(hit);
    const found = e.op(Op.INotEqual, e.bool, finder, e.constant32(-1));
    m.emitWith(Op.IAdd, e.u32, next, first, e.constant32(this.participants));
    const end = e.op(Op.UGreaterThanEqual, e.bool, next, count);
    m.emitVoid(Op.BranchConditional, e.anyOf([found, end]), merge, again);
    e.startBlock(again);
    m.emitVoid(Op.Branch, header);
    e.startBlock(merge);
    return { entry, finder };
  }
}
