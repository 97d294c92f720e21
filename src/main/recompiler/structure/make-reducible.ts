/**
 * Turns loops with several entries into loops with one: a dispatcher block in front, which goes to the entry that a
 * flag names.
 *
 * Why: the control tree needs every loop to have a header that dominates it. Irreducible graphs are rare (hand-written
 * code, computed returns), so the plain form is enough: no code is copied, and the path taken stays the same.
 * In: any graph. Out: every retreating edge leads to a block that dominates its source.
 * Method: strongly connected components, outermost first; the entries of a component are its blocks with a predecessor
 * outside. One entry: cut the edges to it and look inside; several: redirect all edges to entries to the dispatcher.
 */
import type { BlockId } from '../ir/types.ts';
import { redirect, type StructureGraph, successorsOf } from './graph.ts';
import type { FlagId } from './tree.ts';

/** Returns how many dispatchers were added. */
export function makeReducible(graph: StructureGraph): number {
  let added = 0;
  const work: { readonly blocks: readonly BlockId[]; readonly cut: BlockId }[] = [
    { blocks: reachable(graph), cut: -1 as BlockId },
  ];
  while (work.length > 0) {
    const { blocks, cut } = work.pop()!;
    for (const component of components(graph, blocks, cut)) {
      const entries = entriesOf(graph, component);
      let header = entries[0]!;
      let inside: readonly BlockId[] = component;
      if (entries.length > 1) {
        const dispatcher = addDispatcher(graph, component, entries);
        added++;
        header = dispatcher.header;
        inside = [...component, dispatcher.header, ...dispatcher.edges];
      }
      work.push({ blocks: inside, cut: header });
    }
  }
  return added;
}

function reachable(graph: StructureGraph): BlockId[] {
  const seen = new Uint8Array(graph.exits.length);
  const list: BlockId[] = [0 as BlockId];
  seen[0] = 1;
  for (let i = 0; i < list.length; i++) {
    for (const s of successorsOf(graph.exits[list[i]!]!)) {
      if (!seen[s]) {
        seen[s] = 1;
        list.push(s);
      }
    }
  }
  return list;
}

/** Components with a cycle, among `blocks`, ignoring edges into `cut`. Tarjan, without recursion. */
function components(graph: StructureGraph, blocks: readonly BlockId[], cut: BlockId): BlockId[][] {
  const count = graph.exits.length;
  const member = new Uint8Array(count);
  for (const b of blocks) member[b] = 1;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: BlockId[] = [];
  const found: BlockId[][] = [];
  let next = 0;
  const targets = (b: BlockId): BlockId[] => successorsOf(graph.exits[b]!).filter((s) => member[s] && s !== cut);
  for (const root of blocks) {
    if (index[root]! >= 0) continue;
    const frames: { readonly b: BlockId; readonly rest: BlockId[] }[] = [];
    const enter = (b: BlockId): void => {
      index[b] = low[b] = next++;
      stack.push(b);
      onStack[b] = 1;
      frames.push({ b, rest: targets(b) });
    };
    enter(root);
    while (frames.length > 0) {
      const { b, rest } = frames[frames.length - 1]!;
      const s = rest.pop();
      if (s !== undefined) {
        if (index[s]! < 0) enter(s);
        else if (onStack[s]) low[b] = Math.min(low[b]!, index[s]!);
        continue;
      }
      frames.pop();
      const parent = frames[frames.length - 1];
      if (parent) low[parent.b] = Math.min(low[parent.b]!, low[b]!);
      if (low[b] !== index[b]) continue;
      const component: BlockId[] = [];
      for (let top = -1; top !== b; ) {
        top = stack.pop()!;
        onStack[top] = 0;
        component.push(top as BlockId);
      }
      if (component.length > 1 || targets(b).includes(b)) found.push(component);
    }
  }
  return found;
}

function entriesOf(graph: StructureGraph, component: readonly BlockId[]): BlockId[] {
  const inside = new Uint8Array(graph.exits.length);
  for (const b of component) inside[b] = 1;
  const entries = new Set<BlockId>();
  for (const b of reachable(graph)) {
    if (inside[b]) continue;
    for (const s of successorsOf(graph.exits[b]!)) if (inside[s]) entries.add(s);
  }
  return [...entries].sort((a, b) => a - b);
}

/** All edges to the entries go through a block of their own that names the entry, then through the dispatcher. */
function addDispatcher(
  graph: StructureGraph,
  component: readonly BlockId[],
  entries: readonly BlockId[],
): { header: BlockId; edges: BlockId[] } {
  const flag = graph.flagCount++ as FlagId;
  const inside = new Set(component);
  const sources = reachable(graph);
  const header = graph.exits.length as BlockId;
  graph.exits.push({ kind: 'dispatch', flag, targets: [...entries] });
  const edges: BlockId[] = [];
  entries.forEach((entry, number) => {
    // One block for the edges from outside and one for those from inside, so that the header still dominates.
    const through: Record<'outside' | 'inside', BlockId | undefined> = { outside: undefined, inside: undefined };
    for (const source of sources) {
      if (!successorsOf(graph.exits[source]!).includes(entry)) continue;
      const side = inside.has(source) ? 'inside' : 'outside';
      let edge = through[side];
      if (edge === undefined) {
        edge = graph.exits.length as BlockId;
        graph.exits.push({ kind: 'jump', target: header });
        graph.sets.set(edge, { flag, number });
        through[side] = edge;
        if (side === 'inside') edges.push(edge);
      }
      redirect(graph.exits[source]!, entry, edge);
    }
  });
  return { header, edges };
}
