/** The rows of the event tree that are visible: those whose ancestors are open, or those that a search found. Pure. */
import type { EventRowKind, EventTree } from '../../preload/contract/index.ts';

/** Numbers of the kinds in the `kind` column; the contract's list in its order. */
export const EVENT_KIND: Readonly<Record<EventRowKind, number>> = {
  submit: 0,
  buffer: 1,
  group: 2,
  dispatch: 3,
  draw: 4,
  write: 5,
  copy: 6,
  sync: 7,
  wait: 8,
  marker: 9,
  state: 10,
  unsupported: 11,
  damaged: 12,
  problem: 13,
};
export const KIND_NAMES = Object.keys(EVENT_KIND) as EventRowKind[];

/** Pre-order walk that jumps over what is closed. */
export function visibleRows(tree: EventTree, closed: ReadonlySet<number>): Uint32Array {
  const total = tree.kind.length;
  const rows = new Uint32Array(total);
  let count = 0;
  for (let row = 0; row < total; ) {
    rows[count++] = row;
    row = closed.has(row) ? tree.end[row]! : row + 1;
  }
  return rows.slice(0, count);
}

/** Found rows with what encloses them, so that their place is seen. */
export function rowsWithAncestors(tree: EventTree, found: Uint32Array): Uint32Array {
  const rows: number[] = [];
  const open: number[] = [];
  let next = 0;
  for (const row of found) {
    while (open.length > 0 && tree.end[open.at(-1)!]! <= row) open.pop();
    for (let at = Math.max(next, open.length > 0 ? open.at(-1)! + 1 : 0); at < row; ) {
      if (tree.end[at]! > row) {
        rows.push(at);
        open.push(at);
        at++;
      } else at = tree.end[at]!;
    }
    rows.push(row);
    if (tree.end[row]! > row + 1) open.push(row);
    next = row + 1;
  }
  return Uint32Array.from(rows);
}

/** Where a row stands among ascending visible rows, or where its nearest visible ancestor does; −1 for none. */
export function indexOfRow(rows: Uint32Array, row: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return rows.length > 0 && rows[low]! <= row ? low : -1;
}

/** Rows that enclose a row, outermost first. */
export function ancestorsOf(tree: EventTree, row: number): number[] {
  const ancestors: number[] = [];
  for (let at = 0; at < row; ) {
    if (tree.end[at]! > row) {
      ancestors.push(at);
      at++;
    } else at = tree.end[at]!;
  }
  return ancestors;
}
