/**
 * Cross-lane operations over N components per invocation.
 *
 * Lane L lives in component L / S of invocation L mod S. A pattern that is known here touches only the components that
 * it can reach; the general case shuffles every component and selects. All of it runs in subgroup-uniform control flow.
 */
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { Emitter } from './emitter.ts';
import { Capability, Op, Scope } from './grammar.gen.ts';
import type { Id } from './module-builder.ts';

export type EmitValue = (e: Emitter, v: ValueId) => void;

function subgroupScope(e: Emitter): Id {
  return e.constant32(Scope.Subgroup);
}

function ballotWord(e: Emitter, condition: Id): Id {
  e.m.capability(Capability.GroupNonUniformBallot);
  return e.op(Op.CompositeExtract, e.u32, e.op(Op.GroupNonUniformBallot, e.uvec4, subgroupScope(e), condition), 0);
}

/** Words of the wave's mask, low first; a wave32 has one. */
export function ballotWords(e: Emitter, condition: (k: number) => Id): Id[] {
  const words: Id[] = [];
  for (let word = 0; word < e.waveSize / 32; word++) {
    let bits: Id | undefined;
    for (let k = 0; k < e.lanesPerInvocation; k++) {
      const first = k * e.subgroupSize;
      if (Math.floor(first / 32) !== word && e.lanesPerInvocation > 1) continue;
      let part = ballotWord(e, condition(k));
      if (e.subgroupSize > 32 && e.waveSize === 64) {
        // One component holds the whole wave: the second word is its own.
        part = word === 0 ? part : secondBallotWord(e, condition(k));
      }
      const shifted = first % 32 === 0 ? part : e.shl(part, e.constant32(first % 32));
      bits = bits === undefined ? shifted : e.or(bits, shifted);
    }
    words.push(bits!);
  }
  return words;
}

function secondBallotWord(e: Emitter, condition: Id): Id {
  return e.op(Op.CompositeExtract, e.u32, e.op(Op.GroupNonUniformBallot, e.uvec4, subgroupScope(e), condition), 1);
}

function shuffle(e: Emitter, value: Id, invocation: Id): Id {
  e.m.capability(Capability.GroupNonUniformShuffle);
  return e.op(Op.GroupNonUniformShuffle, e.u32, subgroupScope(e), value, invocation);
}

/** The value of lane `lane` (an id, taken modulo the wave size by the caller); `components` that it may be in. */
function fetchLane(e: Emitter, value: (k: number) => Id, lane: Id, components: readonly number[]): Id {
  const s = e.subgroupSize;
  const invocation = s >= e.waveSize ? lane : e.and(lane, e.constant32(s - 1));
  let result: Id | undefined;
  const component = components.length > 1 ? e.shr(lane, e.constant32(Math.log2(s))) : undefined;
  for (const k of components) {
    const part = shuffle(e, value(k), invocation);
    result = result === undefined ? part : e.select(e.u32, e.equal(component!, e.constant32(k)), part, result);
  }
  return result!;
}

const allComponents = (e: Emitter): number[] => Array.from({ length: e.lanesPerInvocation }, (_, k) => k);

/** `source` must name only lanes of the wave: known patterns, as numbers here and as code there. */
function fetchPattern(
  e: Emitter,
  v: ValueId,
  source: (lane: number) => number,
  emitSource: (lane: Id) => Id,
  convert: Convert,
): void {
  for (let k = 0; k < e.lanesPerInvocation; k++) {
    const reach = new Set<number>();
    for (let i = 0; i < Math.min(e.subgroupSize, e.waveSize); i++)
      reach.add(Math.floor(source(k * e.subgroupSize + i) / e.subgroupSize));
    const lane = emitSource(e.laneIds[k]!);
    const fetched = fetchLane(
      e,
      (j) => convert.to(e, e.operand(v, 0, j)),
      lane,
      [...reach].sort((a, b) => a - b),
    );
    e.set(v, k, convert.from(e, fetched));
  }
}

interface Convert {
  readonly to: (e: Emitter, value: Id) => Id;
  readonly from: (e: Emitter, value: Id) => Id;
}
const AS_WORD: Convert = { to: (_, value) => value, from: (_, value) => value };
/** Booleans travel as 0 and 1. */
const AS_BOOL: Convert = {
  to: (e, value) => e.select(e.u32, value, e.constant32(1), e.constant32(0)),
  from: (e, value) => e.op(Op.INotEqual, e.bool, value, e.constant32(0)),
};

/** DPP16 by its control field. Lanes without a source read themselves. */
function dppSource(ctrl: number, lane: number): number {
  const row = lane & ~15;
  const column = lane & 15;
  const n = ctrl & 15;
  if (ctrl < 0x100) return (lane & ~3) | ((ctrl >> (2 * (lane & 3))) & 3);
  switch (ctrl & ~15) {
    case 0x100:
      return column + n < 16 ? lane + n : lane;
    case 0x110:
      return column - n >= 0 ? lane - n : lane;
    case 0x120:
      return row | ((column - n) & 15);
    case 0x150:
      return row | n;
    case 0x160:
      return row | (column ^ n);
    default:
      if (ctrl === 0x140) return row | (15 - column);
      if (ctrl === 0x141) return (lane & ~7) | (7 - (lane & 7));
      return lane;
  }
}

function swizzleSource(pattern: number, lane: number): number {
  if (pattern & 0x8000) {
    // Quad permutation; 0xC000 and above rotate within 32 lanes.
    if (pattern >= 0xc000) {
      const by = (pattern >> 5) & 31;
      const mask = pattern & 31;
      const turned = (pattern & 0x400 ? lane - by : lane + by) & 31;
      return (lane & ~31) | (lane & mask) | (turned & ~mask & 31);
    }
    return (lane & ~3) | ((pattern >> (2 * (lane & 3))) & 3);
  }
  const and = pattern & 31;
  const or = (pattern >> 5) & 31;
  const xor = (pattern >> 10) & 31;
  return (lane & ~31) | (((lane & 31 & and) | or) ^ xor);
}

/**
 * Any function of the lane, emitted as a table lookup: within 16 lanes nearly all patterns repeat, so a pattern is
 * emitted as lane ^ difference with the differences packed four or eight bits each into constants.
 */
function emitLaneFunction(e: Emitter, source: (lane: number) => number): (lane: Id) => Id {
  const size = e.waveSize;
  const difference = Array.from({ length: size }, (_, lane) => lane ^ source(lane));
  const period = [4, 8, 16, 32, 64].find((p) => difference.every((d, lane) => d === difference[lane % p])) ?? size;
  return (lane) => {
    if (difference.every((d) => d === difference[0]))
      return e.op(Op.BitwiseXor, e.u32, lane, e.constant32(difference[0]!));
    let result: Id | undefined;
    // Eight bits per entry: eight entries per 64-bit constant.
    for (let block = 0; block < period; block += 8) {
      const words = [0, 0];
      for (let i = 0; i < 8; i++) words[i >> 2]! |= (difference[(block + i) % period]! & 0xff) << (8 * (i & 3));
      const shift = e.shl(e.and(lane, e.constant32(7)), e.constant32(3));
      const entry = e.and(
        e.low(e.op(Op.ShiftRightLogical, e.u64, e.constant64(words[0]!, words[1]!), shift)),
        e.constant32(0xff),
      );
      if (result === undefined) result = entry;
      else {
        const index = e.and(e.shr(lane, e.constant32(3)), e.constant32((Math.max(period, 8) >> 3) - 1));
        result = e.select(e.u32, e.equal(index, e.constant32(block >> 3)), entry, result);
      }
    }
    return e.op(Op.BitwiseXor, e.u32, lane, result!);
  };
}

const pattern =
  (sourceOf: (imm: number, lane: number) => number, convert: Convert): EmitValue =>
  (e, v) => {
    const imm = e.fn.imm0[v]!;
    const source = (lane: number): number => sourceOf(imm, lane);
    fetchPattern(e, v, source, emitLaneFunction(e, source), convert);
  };

const permlane16 =
  (convert: Convert): EmitValue =>
  (e, v) => {
    const cross = e.fn.imm0[v]! & 1;
    for (let k = 0; k < e.lanesPerInvocation; k++) {
      const lane = e.laneIds[k]!;
      const column = e.and(lane, e.constant32(15));
      const word = e.select(
        e.u32,
        e.op(Op.ULessThan, e.bool, column, e.constant32(8)),
        e.operand(v, 1, 0),
        e.operand(v, 2, 0),
      );
      const nibble = e.and(e.shr(word, e.shl(e.and(column, e.constant32(7)), e.constant32(2))), e.constant32(15));
      const row = e.op(Op.BitwiseXor, e.u32, e.and(lane, e.constant32(-16)), e.constant32(cross ? 16 : 0));
      // A row pair is 32 lanes: those components that overlap it.
      const first = Math.floor((k * e.subgroupSize) / 32) * 32;
      const reach = allComponents(e).filter(
        (j) => e.lanesPerInvocation === 1 || (j * e.subgroupSize < first + 32 && (j + 1) * e.subgroupSize > first),
      );
      e.set(
        v,
        k,
        convert.from(
          e,
          fetchLane(e, (j) => convert.to(e, e.operand(v, 0, j)), e.or(row, nibble), reach),
        ),
      );
    }
  };

/** The mask as one id, from its words. */
function packMask(e: Emitter, words: readonly Id[]): Id {
  return words.length === 1 ? words[0]! : e.pack(words[0]!, words[1]!);
}

function maskBit(e: Emitter, words: readonly Id[], k: number): Id {
  const lane = e.laneIds[k]!;
  let word = words[0]!;
  if (words.length === 2) {
    if (e.lanesPerInvocation === 1)
      word = e.select(e.u32, e.op(Op.ULessThan, e.bool, lane, e.constant32(32)), words[0]!, words[1]!);
    else word = words[Math.floor((k * e.subgroupSize) / 32)]!;
  }
  const bit = e.and(e.shr(word, e.and(lane, e.constant32(31))), e.constant32(1));
  return e.op(Op.INotEqual, e.bool, bit, e.constant32(0));
}

export const LANE_OPS: Partial<Record<OpName, EmitValue>> = {
  'lane.id': (e, v) => {
    for (let k = 0; k < e.lanesPerInvocation; k++) e.set(v, k, e.laneIds[k]!);
  },
  'ballot.32': (e, v) => e.set(v, 0, ballotWords(e, (k) => e.operand(v, 0, k))[0]!),
  'ballot.64': (e, v) =>
    e.set(
      v,
      0,
      packMask(
        e,
        ballotWords(e, (k) => e.operand(v, 0, k)),
      ),
    ),
  'inverse.ballot.32': (e, v) => {
    for (let k = 0; k < e.lanesPerInvocation; k++) e.set(v, k, maskBit(e, [e.operand(v, 0, 0)], k));
  },
  'inverse.ballot.64': (e, v) => {
    const mask = e.operand(v, 0, 0);
    const words = [e.low(mask), e.high(mask)];
    for (let k = 0; k < e.lanesPerInvocation; k++) e.set(v, k, maskBit(e, words, k));
  },
  any: (e, v) => {
    let some = e.operand(v, 0, 0);
    for (let k = 1; k < e.lanesPerInvocation; k++) some = e.op(Op.LogicalOr, e.bool, some, e.operand(v, 0, k));
    e.m.capability(Capability.GroupNonUniformVote);
    e.set(v, 0, e.op(Op.GroupNonUniformAny, e.bool, subgroupScope(e), some));
  },
  'readlane.32': (e, v) => {
    const lane = e.and(e.operand(v, 1, 0), e.constant32(e.waveSize - 1));
    e.set(
      v,
      0,
      fetchLane(e, (k) => e.operand(v, 0, k), lane, allComponents(e)),
    );
  },
  'readfirstlane.32': (e, v) => {
    const words = ballotWords(e, (k) => e.operand(v, 1, k));
    const zero = e.constant32(0);
    let lane = e.select(e.u32, e.equal(words[0]!, zero), zero, e.findLsb(words[0]!));
    if (words.length === 2) {
      const upper = e.select(e.u32, e.equal(words[1]!, zero), zero, e.add(e.findLsb(words[1]!), e.constant32(32)));
      lane = e.select(e.u32, e.equal(words[0]!, zero), upper, lane);
    }
    e.set(
      v,
      0,
      fetchLane(e, (k) => e.operand(v, 0, k), lane, allComponents(e)),
    );
  },
  'writelane.32': (e, v) => {
    const lane = e.and(e.operand(v, 2, 0), e.constant32(e.waveSize - 1));
    for (let k = 0; k < e.lanesPerInvocation; k++) {
      e.set(v, k, e.select(e.u32, e.equal(lane, e.laneIds[k]!), e.operand(v, 1, 0), e.operand(v, 0, k)));
    }
  },
  'shuffle.32': (e, v) => {
    for (let k = 0; k < e.lanesPerInvocation; k++) {
      const lane = e.and(e.operand(v, 1, k), e.constant32(e.waveSize - 1));
      e.set(
        v,
        k,
        fetchLane(e, (j) => e.operand(v, 0, j), lane, allComponents(e)),
      );
    }
  },
  'scatter.32': (e, v) => {
    // In ascending order of source lanes, so that the highest one stays.
    const results = allComponents(e).map(() => e.constant32(0));
    for (let source = 0; source < e.waveSize; source++) {
      const from = e.constant32(source);
      const component = [Math.floor(source / e.subgroupSize)];
      const value = fetchLane(e, (k) => e.operand(v, 0, k), from, component);
      const target = e.and(
        fetchLane(e, (k) => e.operand(v, 1, k), from, component),
        e.constant32(e.waveSize - 1),
      );
      const active = fetchLane(e, (k) => AS_BOOL.to(e, e.operand(v, 2, k)), from, component);
      const live = e.op(Op.INotEqual, e.bool, active, e.constant32(0));
      for (let k = 0; k < e.lanesPerInvocation; k++) {
        const hit = e.op(Op.LogicalAnd, e.bool, live, e.equal(target, e.laneIds[k]!));
        results[k] = e.select(e.u32, hit, value, results[k]!);
      }
    }
    results.forEach((id, k) => e.set(v, k, id));
  },
  'dpp.32': pattern(dppSource, AS_WORD),
  'dpp.1': pattern(dppSource, AS_BOOL),
  'dpp8.32': pattern((select, lane) => (lane & ~7) | ((select >> (3 * (lane & 7))) & 7), AS_WORD),
  'dpp8.1': pattern((select, lane) => (lane & ~7) | ((select >> (3 * (lane & 7))) & 7), AS_BOOL),
  'swizzle.32': pattern(swizzleSource, AS_WORD),
  'swizzle.1': pattern(swizzleSource, AS_BOOL),
  'permlane16.32': permlane16(AS_WORD),
  'permlane16.1': permlane16(AS_BOOL),
  'mbcnt.lo': (e, v) => countBelow(e, v, 0),
  'mbcnt.hi': (e, v) => countBelow(e, v, 32),
};

/** addend + number of bits of the mask that belong to lanes first…first + 31 below this one. */
function countBelow(e: Emitter, v: ValueId, first: 0 | 32): void {
  for (let k = 0; k < e.lanesPerInvocation; k++) {
    const lane = e.laneIds[k]!;
    const inside = e.op(
      Op.ISub,
      e.u32,
      e.op(Op.ShiftLeftLogical, e.u32, e.constant32(1), e.and(lane, e.constant32(31))),
      e.constant32(1),
    );
    // Lanes below the half have nothing below them there, lanes above it all of it.
    const beyond = first === 0 ? e.constant32(-1) : inside;
    const before = first === 0 ? inside : e.constant32(0);
    const mask = e.select(e.u32, e.op(Op.ULessThan, e.bool, lane, e.constant32(32)), before, beyond);
    const count = e.op(Op.BitCount, e.u32, e.and(e.operand(v, 0, k), mask));
    e.set(v, k, e.add(count, e.operand(v, 1, k)));
  }
}
