/**
 * Every 64-bit value that a register pair can hold, from the symbolic values of its halves.
 *
 * Method: rewrite the two halves together. Where they hang on a phi, the phi's node has one operand per incoming edge;
 * both halves take the same edge, so the halves of different pointers are never mixed. An unknown select is a choice in
 * the same way. Copies round a loop come back to a pair already seen and add nothing; a phi that comes back under an
 * operation (a pointer that a loop advances) has no finite set of values and counts as unknown.
 * Sound: what is not enumerated is reported in `unknown`, never dropped.
 */
import type { ValueNumber, ValueTable } from '../values/value-table.ts';

export interface PairValues {
  /** Halves whose bits are known, with the symbols that say how; distinct by symbol. */
  readonly known: readonly Pair[];
  /** Halves that cannot be evaluated. Empty when `known` is everything. */
  readonly unknown: readonly Pair[];
}

export interface Pair {
  readonly low: ValueNumber;
  readonly high: ValueNumber;
}

/** What the analysis knows of phis. Edges are numbered from 0. */
export interface PhiSource {
  edgeCount(node: number): number;
  /** Accounts for looking at so many edges; false when the link has spent its share and must settle for unknown. */
  spend(edges: number): boolean;
  /** Value of `slot` at the end of that predecessor; undefined when it is not analysed yet, or never reached. */
  operand(node: number, edge: number, slot: number): ValueNumber | undefined;
}

/** More distinct pairs, or more predecessors, than this is treated as unknown. */
const MAX_PAIRS = 96;
const MAX_EDGES = 1024;
const MAX_DEPTH = 64;

interface Pending extends Pair {
  /** Nodes whose phis were replaced under an operation on the way here. */
  readonly opened: readonly number[];
}

type Choice =
  | { readonly kind: 'phi'; readonly node: number }
  | { readonly kind: 'select'; readonly condition: ValueNumber }
  | undefined;

export function enumeratePair(table: ValueTable, phis: PhiSource, low: ValueNumber, high: ValueNumber): PairValues {
  const known: Pair[] = [];
  const unknown: Pair[] = [];
  const seen = new Set<string>();
  const pending: Pending[] = [];
  const push = (pair: Pending): void => {
    const key = `${pair.low},${pair.high}`;
    if (seen.has(key)) return;
    seen.add(key);
    pending.push(pair);
  };
  push({ low, high, opened: [] });
  while (pending.length > 0) {
    const pair = pending.pop()!;
    if (table.bits[pair.low]! >= 0 && table.bits[pair.high]! >= 0) {
      known.push({ low: pair.low, high: pair.high });
      continue;
    }
    const choice =
      seen.size > MAX_PAIRS ? undefined : (findChoice(table, pair.low, 0) ?? findChoice(table, pair.high, 0));
    if (!choice) unknown.push({ low: pair.low, high: pair.high });
    else if (choice.kind === 'select') {
      for (const taken of [1, 2] as const) {
        const rewrite = new Rewrite(table, (id) => selectOperand(table, id, choice.condition, taken));
        push({ low: rewrite.apply(pair.low), high: rewrite.apply(pair.high), opened: pair.opened });
      }
    } else if (!openPhi(table, phis, choice.node, pair, push)) unknown.push({ low: pair.low, high: pair.high });
  }
  return { known, unknown };
}

/** Replaces the phis of one node by their operands, once per distinct set of operands; false when it must not. */
function openPhi(
  table: ValueTable,
  phis: PhiSource,
  node: number,
  pair: Pending,
  push: (pair: Pending) => void,
): boolean {
  const edges = phis.edgeCount(node);
  if (edges > MAX_EDGES || !phis.spend(edges)) return false;
  const slots: number[] = [];
  const under = collectPhiSlots(table, pair.low, node, slots) || collectPhiSlots(table, pair.high, node, slots);
  if (under && pair.opened.includes(node)) return false;
  const opened = under ? [...pair.opened, node] : pair.opened;
  const done = new Set<number | string>();
  const operands: ValueNumber[] = [];
  for (let edge = 0; edge < edges; edge++) {
    operands.length = 0;
    for (const slot of slots) {
      const operand = phis.operand(node, edge, slot);
      if (operand === undefined) break;
      operands.push(operand);
    }
    if (operands.length < slots.length) continue;
    const key = operands.length <= 2 ? operands[0]! * 2 ** 26 + (operands[1] ?? 0) : operands.join();
    if (done.has(key)) continue;
    done.add(key);
    const rewrite = new Rewrite(table, (id) => {
      const value = table.values[id]!;
      return value.kind === 'phi' && value.node === node ? operands[slots.indexOf(value.slot)] : undefined;
    });
    push({ low: rewrite.apply(pair.low), high: rewrite.apply(pair.high), opened });
  }
  return true;
}

/** Slots of the node's phis in a value; true when one of them lies under an operation. */
function collectPhiSlots(table: ValueTable, root: ValueNumber, node: number, slots: number[]): boolean {
  let under = false;
  const queue = [root];
  const seen = new Set(queue);
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i]!;
    const value = table.values[id]!;
    if (value.kind === 'phi' && value.node === node) {
      if (!slots.includes(value.slot)) slots.push(value.slot);
      if (id !== root) under = true;
    }
    if (table.bits[id]! >= 0) continue;
    for (const operand of table.operandsOf(id)) {
      if (seen.has(operand)) continue;
      seen.add(operand);
      queue.push(operand);
    }
  }
  return under;
}

/** The first phi, or select with an unknown condition, on which the value hangs. */
function findChoice(table: ValueTable, id: ValueNumber, depth: number): Choice {
  if (table.bits[id]! >= 0 || depth > MAX_DEPTH) return undefined;
  const value = table.values[id]!;
  if (value.kind === 'phi') return { kind: 'phi', node: value.node };
  for (const operand of table.operandsOf(id)) {
    // The condition of a select is chosen, not evaluated.
    const skip = value.kind === 'operation' && value.operation === 'select' && operand === value.operands[0];
    const choice = skip ? undefined : findChoice(table, operand, depth + 1);
    if (choice) return choice;
  }
  if (value.kind === 'operation' && value.operation === 'select')
    return { kind: 'select', condition: value.operands[0]! };
  return undefined;
}

function selectOperand(
  table: ValueTable,
  id: ValueNumber,
  condition: ValueNumber,
  taken: 1 | 2,
): ValueNumber | undefined {
  const value = table.values[id]!;
  if (value.kind !== 'operation' || value.operation !== 'select' || value.operands[0] !== condition) return undefined;
  return value.operands[taken];
}

/** Rebuilds a value with some of its parts replaced; what gets known on the way is folded. */
class Rewrite {
  private readonly table: ValueTable;
  private readonly replace: (id: ValueNumber) => ValueNumber | undefined;
  private readonly memo = new Map<ValueNumber, ValueNumber>();

  constructor(table: ValueTable, replace: (id: ValueNumber) => ValueNumber | undefined) {
    this.table = table;
    this.replace = replace;
  }

  apply(id: ValueNumber, depth = 0): ValueNumber {
    if (this.table.bits[id]! >= 0 || depth > MAX_DEPTH) return id;
    const done = this.memo.get(id);
    if (done !== undefined) return done;
    const result = this.replace(id) ?? this.rebuild(id, depth);
    this.memo.set(id, result);
    return result;
  }

  private rebuild(id: ValueNumber, depth: number): ValueNumber {
    const { table } = this;
    const value = table.values[id]!;
    const operands = table.operandsOf(id);
    const rewritten = operands.map((operand) => this.apply(operand, depth + 1));
    if (rewritten.every((operand, i) => operand === operands[i])) return id;
    switch (value.kind) {
      case 'operation':
        return table.operation(value.operation, rewritten[0]!, rewritten[1], rewritten[2]);
      case 'load':
        return table.load(value.at, value.form, value.word, rewritten);
      case 'reload':
        return table.reload(rewritten[0]!);
      case 'constant':
      case 'user':
      case 'initial':
      case 'getpc':
      case 'link':
      case 'phi':
      case 'opaque':
        return id;
    }
  }
}
