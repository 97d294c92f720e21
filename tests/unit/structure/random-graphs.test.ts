/**
 * Random graphs, reducible and not, through the structurer: the structured program visits the same blocks in the same
 * order, computes the same values, and keeps the IR's invariants.
 *
 * Both sides run in a tiny evaluator of phi, const, icmp, iadd and branches written here. Decisions come from
 * `user.data` reads in each block, answered by a seeded sequence, so that the paths can be compared.
 */
import { describe, expect, it } from 'vitest';
import { Builder } from '../../../src/main/recompiler/ir/builder.ts';
import { IrFunction } from '../../../src/main/recompiler/ir/function.ts';
import { OP } from '../../../src/main/recompiler/ir/ops.ts';
import { type BlockId, NO_VALUE, S32, type ValueId } from '../../../src/main/recompiler/ir/types.ts';
import { verifyFunction } from '../../../src/main/recompiler/ir/verify.ts';
import { structureFunction } from '../../../src/main/recompiler/structure/index.ts';

const SHAPE = { target: 'gfx1013', waveSize: 32, threads: [32, 1, 1], partialGroups: false, ldsBytes: 0 } as const;

function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Every block reads `user.data` with its own number (its visit), branches on the low bit, and adds a constant to an
 * accumulator whose phis stand for v1. `goto` may name any block but the first.
 */
function randomFunction(seed: number, blocks: number, forwardBias: number): IrFunction {
  const random = seeded(seed);
  const fn = new IrFunction(`graph${seed}`, SHAPE);
  for (let b = 0; b <= blocks; b++) fn.createBlock();
  const target = (b: number): BlockId => {
    if (random(100) < forwardBias) return Math.min(b + 1 + random(3), blocks) as BlockId;
    return (1 + random(blocks)) as BlockId;
  };
  fn.setJump(0 as BlockId, 1 as BlockId);
  const edges: [BlockId, BlockId][] = [];
  for (let b = 1; b < blocks; b++) edges.push([target(b), random(3) === 0 ? target(b) : target(b)]);
  // Terminators first: preds must be known for the phis.
  const conditions: ValueId[] = [];
  const visits: ValueId[] = [];
  for (let b = 1; b < blocks; b++) {
    const builder = new Builder(fn, b as BlockId);
    const visit = builder.emit0('user.data', b);
    visits[b] = visit;
    conditions[b] = builder.emit2('icmp.ne.u32', builder.emit2('and.u32', visit, fn.constant32(1)), fn.constant32(0));
    const [t, f] = edges[b - 1]!;
    fn.setBranch(b as BlockId, conditions[b]!, t, f);
  }
  fn.setEnd(blocks as BlockId);
  dropUnreachable(fn);
  // A phi of the accumulator in every block but the first two; the sum is what leaves the block.
  const sums: ValueId[] = [fn.constant32(0)];
  const phis: ValueId[] = [];
  for (let b = 1; b <= blocks; b++) {
    if (fn.preds[b]!.length === 0) continue;
    const phi = fn.createValue(OP.phi, S32, fn.preds[b]!.length, 257);
    fn.prepend(b as BlockId, phi);
    phis[b] = phi;
    const builder = new Builder(fn, b as BlockId);
    builder.before = fn.terminator(b as BlockId);
    // Some blocks do not touch the accumulator; some use a value of another block that dominates it through the phi only.
    sums[b] = random(4) === 0 ? phi : builder.emit2('iadd.u32', phi, fn.constant32(b * b + 1));
    // Something that must stay: the tap records the value seen here.
    builder.emit2('tap.32', sums[b]!, fn.constant1(true), b);
  }
  for (let b = 1; b <= blocks; b++) {
    fn.preds[b]!.forEach((pred, i) => {
      fn.setOperand(phis[b]!, i, sums[pred]!);
    });
  }
  return fn;
}

function dropUnreachable(fn: IrFunction): void {
  const seen = new Set<BlockId>([0 as BlockId]);
  const work: BlockId[] = [0 as BlockId];
  while (work.length > 0) {
    for (const s of fn.successors(work.pop()!)) {
      if (!seen.has(s)) {
        seen.add(s);
        work.push(s);
      }
    }
  }
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    if (seen.has(b)) continue;
    for (const s of fn.successors(b)) if (seen.has(s)) fn.preds[s]!.splice(fn.preds[s]!.indexOf(b), 1);
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; ) {
      const next = fn.next[v] as ValueId;
      fn.remove(v);
      v = next;
    }
    fn.preds[b]!.length = 0;
  }
}

/** Tap records [slot, value] in order; decisions by a hash of how often each block was visited. */
function run(fn: IrFunction, seed: number, limit: number): [number, number][] {
  const values = new Int32Array(fn.valueCount);
  const visits = new Map<number, number>();
  const trace: [number, number][] = [];
  for (let v = 0; v < fn.valueCount; v++) if (fn.op[v] === OP.const) values[v] = fn.imm0[v]!;
  let block = 0 as BlockId;
  let previous = -1 as BlockId;
  for (let steps = 0; steps < 100 * limit; steps++) {
    const phiValues: [ValueId, number][] = [];
    let next = -1 as BlockId;
    for (let v = fn.firstValue[block]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
      const operand = (i: number): number => values[fn.operand(v, i)]!;
      switch (fn.op[v]) {
        case OP.phi:
          phiValues.push([v, operand(fn.preds[block]!.indexOf(previous))]);
          if (fn.op[fn.next[v]!] !== OP.phi) for (const [p, x] of phiValues) values[p] = x;
          break;
        case OP.const:
        case OP.undef:
          break;
        case OP['user.data']: {
          const visit = (visits.get(fn.imm0[v]!) ?? 0) + 1;
          visits.set(fn.imm0[v]!, visit);
          values[v] = (Math.imul(seed + visit * 7919 + fn.imm0[v]! * 104729, 2654435761) >>> 13) & 1;
          break;
        }
        case OP['and.u32']:
          values[v] = operand(0) & operand(1);
          break;
        case OP['iadd.u32']:
          values[v] = (operand(0) + operand(1)) | 0;
          break;
        case OP['icmp.ne.u32']:
          values[v] = operand(0) !== operand(1) ? 1 : 0;
          break;
        case OP['icmp.eq.u32']:
          values[v] = operand(0) === operand(1) ? 1 : 0;
          break;
        case OP['tap.32']:
          trace.push([fn.imm0[v]!, operand(0)]);
          if (trace.length >= limit) return trace;
          break;
        case OP.jump:
          next = fn.imm0[v] as BlockId;
          break;
        case OP.branch:
          next = (operand(0) ? fn.imm0[v] : fn.imm1[v]) as BlockId;
          break;
        case OP.end:
          return trace;
        default:
          throw new Error(`op ${fn.op[v]}`);
      }
    }
    previous = block;
    block = next;
  }
  return trace;
}

/** Every branch opens a construct, every loop header has one back edge from its continue block. */
function checkConstructs(structured: ReturnType<typeof structureFunction>): void {
  const { fn, order, merge, continueTarget } = structured;
  const place = new Map(order.map((b, i) => [b, i]));
  for (const b of order) {
    const t = fn.terminator(b);
    expect(t).not.toBe(NO_VALUE);
    if (fn.op[t] === OP.branch) expect(merge.has(b)).toBe(true);
    for (const s of fn.successors(b)) {
      if (place.get(s)! > place.get(b)!) continue;
      expect(continueTarget.get(s)).toBe(b);
    }
  }
}

describe('structured control flow', () => {
  const cases = [
    { name: 'mostly forward', count: 1500, forward: 85 },
    { name: 'loops', count: 1500, forward: 60 },
    { name: 'anything, irreducible', count: 1500, forward: 20 },
  ];
  it.each(cases)('takes the same path: $name', ({ name, count, forward }) => {
    let dispatchers = 0;
    let branches = 0;
    for (let seed = 1; seed <= count; seed++) {
      const blocks = 3 + (seed % 12);
      const before = randomFunction(seed, blocks, forward);
      expect(verifyFunction(before)).toEqual([]);
      const traces = [1, 2, 3].map((s) => run(before, s, 60));
      const structured = structureFunction(randomFunction(seed, blocks, forward));
      dispatchers += structured.dispatchers;
      branches += structured.merge.size;
      expect(verifyFunction(structured.fn), `seed ${seed}`).toEqual([]);
      checkConstructs(structured);
      expect(
        [1, 2, 3].map((s) => run(structured.fn, s, 60)),
        `seed ${seed}`,
      ).toEqual(traces);
    }
    expect(branches).toBeGreaterThan(count);
    if (name.includes('irreducible')) expect(dispatchers).toBeGreaterThan(100);
  });
});
