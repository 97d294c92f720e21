/**
 * The verifier. What holds between all passes:
 *
 *  1. Every block that is reachable ends with exactly one terminator, its last value.
 *  2. `preds` names each predecessor once, and exactly the blocks whose terminators lead there; the first block has none.
 *  3. The links of each block's list agree in both directions, and `block` of each value names its block.
 *  4. Phis come first in their block, have one operand per predecessor, all of the phi's width; a uniform phi has
 *     uniform operands.
 *  5. Operands exist, are not removed, number as the row says, have the row's width, and are uniform where it says `s`.
 *  6. The result type is what row and operands give; a value that may be uniform may be marked per lane, never the
 *     other way round. Lane sources are per lane.
 *  7. Definitions dominate uses; a phi operand dominates the end of its predecessor.
 *  8. Constants and undefs lie in the first block, each constant once.
 *  9. `extract` reads a component that its tuple has, and nothing else reads tuples.
 */
import type { IrFunction } from './function.ts';
import { computeDominators, type Dominators, dominates } from './graph.ts';
import { isTerminator, OP, OP_NAMES, OPS, type Op, type OpName, type OpRow } from './ops.ts';
import { printValue } from './print.ts';
import {
  type BlockId,
  componentsOf,
  isPerLane,
  NO_BLOCK,
  NO_VALUE,
  printType,
  type Type,
  type ValueId,
  WIDTH_1,
  WIDTH_32,
  WIDTH_64,
} from './types.ts';

/** Messages, empty when everything holds. */
export function verifyFunction(fn: IrFunction): string[] {
  const errors: string[] = [];
  const structureHolds = verifyBlocks(fn, errors);
  if (!structureHolds) return errors;
  const dominators = computeDominators(fn);
  const positions = numberPositions(fn);
  for (const b of dominators.order) {
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
      const message = verifyValue(fn, v);
      if (message) errors.push(`${message}: ${printValue(fn, v).trim()}`);
      verifyDominance(fn, v, dominators, positions, errors);
    }
  }
  return errors;
}

function verifyBlocks(fn: IrFunction, errors: string[]): boolean {
  const before = errors.length;
  const incoming: BlockId[][] = fn.preds.map(() => []);
  if (fn.blockCount === 0) return fault('the function has no block');
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    let previous = NO_VALUE;
    let phisOver = false;
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
      if (fn.block[v] !== b) fault(`%${v} is listed in b${b} but says b${fn.block[v]}`);
      if (fn.previous[v] !== previous) fault(`the list of b${b} is broken at %${v}`);
      previous = v;
      const isPhi = fn.op[v] === OP.phi;
      if (isPhi && phisOver) fault(`b${b}: a phi after other values: ${printValue(fn, v)}`);
      if (!isPhi) phisOver = true;
      if (isTerminator(fn.op[v] as Op) && fn.lastValue[b] !== v) fault(`b${b} has a terminator that is not last`);
      if ((fn.op[v] === OP.const || fn.op[v] === OP.undef) && b !== 0)
        fault(`a constant outside the first block: %${v}`);
    }
    if (fn.lastValue[b] !== previous) fault(`b${b}: the last value is wrong`);
    for (const s of fn.successors(b)) {
      if (s < 0 || s >= fn.blockCount) fault(`b${b} leads to b${s}, which does not exist`);
      else incoming[s]!.push(b);
    }
  }
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    const listed = [...fn.preds[b]!].sort((x, y) => x - y).join();
    const actual = incoming[b]!.sort((x, y) => x - y).join();
    if (listed !== actual) fault(`b${b}: predecessors are [${actual}], listed are [${listed}]`);
    const reachable = b === 0 || incoming[b]!.length > 0;
    if (reachable && fn.terminator(b) === NO_VALUE) fault(`b${b} has no terminator`);
  }
  if (fn.preds[0]!.length > 0) fault('the first block has predecessors');
  return errors.length === before;

  function fault(message: string): false {
    errors.push(message);
    return false;
  }
}

function numberPositions(fn: IrFunction): Int32Array {
  const positions = new Int32Array(fn.valueCount);
  for (let b = 0; b < fn.blockCount; b++) {
    let n = 0;
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) positions[v] = n++;
  }
  return positions;
}

const WIDTHS: Readonly<Record<string, number>> = { '1': WIDTH_1, '32': WIDTH_32, '64': WIDTH_64 };

function verifyValue(fn: IrFunction, v: ValueId): string | undefined {
  const op = fn.op[v]!;
  const name = OP_NAMES[op] as OpName;
  const row: OpRow = OPS[name];
  const type = fn.type[v] as Type;
  const count = fn.operandCount[v]!;
  for (let i = 0; i < count; i++) {
    const o = fn.operand(v, i);
    if (o < 0 || o >= fn.valueCount) return `operand ${i} is missing`;
    if (fn.isRemoved(o)) return `operand ${i} (%${o}) was removed`;
  }
  if (op === OP.phi) {
    const preds = fn.preds[fn.block[v] as BlockId]!;
    if (count !== preds.length) return `the phi has ${count} operands for ${preds.length} predecessors`;
    for (let i = 0; i < count; i++) {
      const o = fn.type[fn.operand(v, i)] as Type;
      if ((o & 3) !== (type & 3)) return `operand ${i} is ${printType(o)}`;
      if (isPerLane(o) && !isPerLane(type)) return `a uniform phi of a per-lane operand ${i}`;
    }
    return undefined;
  }
  if (op === OP.const || op === OP.undef) return undefined;
  if (op === OP.extract) {
    const tuple = fn.type[fn.operand(v, 0)] as Type;
    if (fn.imm0[v]! >= componentsOf(tuple)) return 'the tuple has no such component';
    if ((tuple & 3) !== (type & 3) || (isPerLane(tuple) && !isPerLane(type))) return `the tuple is ${printType(tuple)}`;
    return undefined;
  }
  const letters = row.in === '' ? [] : row.in.split(' ');
  const more = letters.at(-1) === '*';
  if (more) letters.pop();
  if (more ? count < letters.length : count !== letters.length) return `${letters.length} operands expected`;
  let anyLane = false;
  for (let i = 0; i < count; i++) {
    const letter = letters[i] ?? '32';
    const o = fn.type[fn.operand(v, i)] as Type;
    const width = WIDTHS[letter.replace('s', '')]!;
    if ((o & 3) !== width || componentsOf(o) !== 1) return `operand ${i} is ${printType(o)}, not ${letter}`;
    if (letter.startsWith('s') && isPerLane(o)) return `operand ${i} is per lane`;
    if (isPerLane(o)) anyLane = true;
  }
  return verifyResult(row, type, anyLane, fn.imm1[v]!);
}

function verifyResult(row: OpRow, type: Type, anyLane: boolean, imm1: number): string | undefined {
  if (row.out === '') {
    return type === 0 ? undefined : 'no result expected';
  }
  const out = row.out === 'm' ? 'v1' : row.out;
  const match = /^(s|v)?(1|32|64)(xN)?$/.exec(out)!;
  if ((type & 3) !== WIDTHS[match[2]!]) return `the result has width ${match[2]}`;
  if (match[1] === 's' && isPerLane(type)) return 'the result is uniform';
  if (match[1] === 'v' && !isPerLane(type)) return 'the result is per lane';
  if (match[1] === undefined && anyLane && !isPerLane(type)) return 'a uniform result of a per-lane operand';
  const components = match[3] === undefined ? 1 : Math.max(imm1 & 31, 1);
  if (componentsOf(type) !== components) return `the result has ${components} components`;
  return undefined;
}

function verifyDominance(
  fn: IrFunction,
  v: ValueId,
  dominators: Dominators,
  positions: Int32Array,
  errors: string[],
): void {
  const b = fn.block[v] as BlockId;
  const isPhi = fn.op[v] === OP.phi;
  for (let i = 0; i < fn.operandCount[v]!; i++) {
    const o = fn.operand(v, i);
    if (o < 0) continue;
    const from = fn.block[o] as BlockId;
    if ((from as number) === NO_BLOCK) continue;
    const to = isPhi ? fn.preds[b]![i] : b;
    if (to === undefined || dominators.position[to]! < 0) continue;
    const holds = from === to && !isPhi ? positions[o]! < positions[v]! : dominates(dominators, from, to);
    if (!holds) errors.push(`operand ${i} (%${o} in b${from}) does not dominate: ${printValue(fn, v).trim()}`);
  }
}
