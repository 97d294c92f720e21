/**
 * A program as the graph that is drawn: a card per block and context, nested groups for call regions, edges by kind,
 * all with their sizes. Positions are worked out elsewhere (panels/cfg/layout-worker.ts). Pure.
 *
 * A callee entered through two calls has two contexts and is drawn twice, each copy in the group of its call. When that
 * would be too many cards, every block is drawn once, in the group of the first context that has it.
 */
import type { ContextView, DiagnosticView, EdgeKind, ProgramView } from '../../preload/contract/index.ts';
import { formatAddress } from './number-format.ts';

export interface CfgLine {
  readonly address: number;
  readonly text: string;
}

export interface CfgBlock {
  readonly id: string;
  readonly block: number;
  readonly group: string | undefined;
  readonly title: string;
  readonly ending: string;
  readonly lines: readonly CfgLine[];
  /** Instructions that are left out of the card. */
  readonly hidden: number;
  /** What was refused at its end. */
  readonly problem: string | undefined;
  readonly problemAddress: number | undefined;
  readonly isEntry: boolean;
  readonly width: number;
  readonly height: number;
}

export interface CfgGroup {
  readonly id: string;
  readonly context: number;
  readonly parent: string | undefined;
  readonly title: string;
  readonly origin: string;
  readonly depth: number;
  readonly isRecursive: boolean;
  readonly isCollapsed: boolean;
  readonly blocks: number;
  /** Of the collapsed card. */
  readonly width: number;
  readonly height: number;
}

export interface CfgEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  readonly label: string | undefined;
}

export interface CfgGraph {
  readonly blocks: readonly CfgBlock[];
  readonly groups: readonly CfgGroup[];
  readonly edges: readonly CfgEdge[];
  /** Cards and groups by id: lower numbers are to stand above. */
  readonly order: ReadonlyMap<string, number>;
  /** Ids of the cards of a block: several where its callee is entered by several calls. */
  readonly cardsOfBlock: ReadonlyMap<number, readonly string[]>;
  readonly blockOfAddress: ReadonlyMap<number, number>;
}

/** Sizes in pixels; cfg.css uses the same. */
export const CARD = { character: 6.65, line: 16, header: 24, padding: 8, side: 12, minimum: 190 } as const;
export const GROUP_HEADER = 34;
/** Characters that the mark of the entry takes in a card's head. */
const ENTRY_TAG = 8;
const MAX_LINES = 48;
const MAX_CARDS = 800;

export function cfgGraph(program: ProgramView, collapsed: ReadonlySet<number>): CfgGraph {
  const cards = program.contexts.reduce((sum, context) => sum + context.blocks.length, 0);
  const isMerged = cards > MAX_CARDS;
  const owner = isMerged ? firstContexts(program) : undefined;
  const hiddenIn = collapsedAncestor(program, collapsed);
  const groups: CfgGroup[] = [];
  const blocks: CfgBlock[] = [];
  const cardsOfBlock = new Map<number, string[]>();
  const used = new Set<number>();
  program.contexts.forEach((context, index) => {
    if (hiddenIn[index] !== undefined) return;
    for (const block of context.blocks) {
      if (owner && owner.get(block) !== index) continue;
      used.add(index);
      const made = blockCard(program, index, block);
      // The head of a region must fit above its entry.
      const least = index > 0 && block === context.entry ? groupWidth(context, index) - 32 : 0;
      const card = least > made.width ? { ...made, width: least } : made;
      blocks.push(card);
      cardsOfBlock.set(block, [...(cardsOfBlock.get(block) ?? []), card.id]);
    }
  });
  // A group is drawn when it holds something, itself or below.
  for (const index of [...used]) {
    for (let at = program.contexts[index]!.parent; at > 0; at = program.contexts[at]!.parent) used.add(at);
  }
  program.contexts.forEach((context, index) => {
    const isCollapsed = collapsed.has(index) && hiddenIn[index] === index;
    if (index > 0 && (used.has(index) || isCollapsed)) groups.push(groupOf(program, context, index, isCollapsed));
  });
  const nodeOf = (context: number, block: number): string => {
    const place = owner?.get(block) ?? context;
    const closed = hiddenIn[place];
    return closed === undefined ? cardId(place, block) : groupId(closed);
  };
  const edges = new Map<string, CfgEdge>();
  for (const flow of program.flow) {
    const from = nodeOf(flow.fromContext, flow.from);
    const to = nodeOf(flow.toContext, flow.to);
    // Inside a collapsed group nothing is drawn.
    if (from === to && from.startsWith('g')) continue;
    const id = `${from}>${to}:${flow.kind}`;
    if (!edges.has(id)) edges.set(id, { id, from, to, kind: flow.kind, label: flow.label });
  }
  const order = flowOrder([...blocks, ...groups.filter((g) => g.isCollapsed)], [...edges.values()]);
  // A group stands where its first card does.
  for (const { id, group } of blocks) {
    for (let at = group; at !== undefined; at = groups.find((g) => g.id === at)?.parent) {
      order.set(at, Math.min(order.get(at) ?? Number.POSITIVE_INFINITY, order.get(id)!));
    }
  }
  const blockOfAddress = new Map<number, number>();
  program.listing.address.forEach((address, line) => blockOfAddress.set(address, program.listing.block[line]!));
  for (const block of program.blocks) {
    const at = stopOf(program, block.id)?.address;
    if (at !== undefined && !blockOfAddress.has(at)) blockOfAddress.set(at, block.id);
  }
  return { blocks, groups, edges: [...edges.values()], order, cardsOfBlock, blockOfAddress };
}

/**
 * Numbers for nodes in which control flows forward but for loops: reverse postorder from the first node. The layout
 * takes edges against this order for the ones to draw upwards.
 */
function flowOrder(nodes: readonly { readonly id: string }[], edges: readonly CfgEdge[]): Map<string, number> {
  const successors = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const list = successors.get(from);
    if (list) list.push(to);
    else successors.set(from, [to]);
  }
  const order = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id } of nodes) {
    if (seen.has(id)) continue;
    seen.add(id);
    // What nothing leads to comes after everything that the first node reaches.
    const post: string[] = [];
    const stack = [{ id, next: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const to = successors.get(top.id)?.[top.next++];
      if (to === undefined) post.push(stack.pop()!.id);
      else if (!seen.has(to)) {
        seen.add(to);
        stack.push({ id: to, next: 0 });
      }
    }
    for (const reached of post.reverse()) order.set(reached, order.size);
  }
  return order;
}

function cardId(context: number, block: number): string {
  return `c${context}b${block}`;
}

function groupId(context: number): string {
  return `g${context}`;
}

function firstContexts(program: ProgramView): Map<number, number> {
  const owner = new Map<number, number>();
  program.contexts.forEach((context, index) => {
    for (const block of context.blocks) if (!owner.has(block)) owner.set(block, index);
  });
  return owner;
}

/** For each context the outermost collapsed one that holds it, itself included. */
function collapsedAncestor(program: ProgramView, collapsed: ReadonlySet<number>): (number | undefined)[] {
  return program.contexts.map((_, index) => {
    let found: number | undefined;
    for (let at = index; at > 0; at = program.contexts[at]!.parent) if (collapsed.has(at)) found = at;
    return found;
  });
}

function stopOf(program: ProgramView, block: number): DiagnosticView | undefined {
  const { stop } = program.blocks[block]!;
  return stop === undefined ? undefined : program.diagnostics[stop];
}

function blockCard(program: ProgramView, context: number, id: number): CfgBlock {
  const block = program.blocks[id]!;
  const shown = block.lines > MAX_LINES ? MAX_LINES - 1 : block.lines;
  const lines = Array.from({ length: shown }, (_, i) => ({
    address: program.listing.address[block.firstLine + i]!,
    text: program.listing.text[block.firstLine + i]!,
  }));
  const hidden = block.lines - shown;
  const stop = stopOf(program, id);
  const problem = stop && `${stop.code}: ${stop.message}`;
  const title = `b${id}  ${formatAddress(block.address)}`;
  const isEntry = context === 0 && program.contexts[0]?.entry === id;
  const head = title.length + (isEntry ? ENTRY_TAG : 0) + block.ending.length + 3;
  const longest = Math.max(...lines.map((l) => l.text.length), head);
  const width = Math.max(CARD.minimum, Math.ceil(longest * CARD.character) + 2 * CARD.side);
  // Messages are wrapped inside the card.
  const problemLines = problem ? Math.ceil((problem.length * CARD.character) / (width - 2 * CARD.side)) : 0;
  const rows = lines.length + (hidden > 0 ? 1 : 0) + problemLines;
  return {
    id: cardId(context, id),
    block: id,
    group: context > 0 ? groupId(context) : undefined,
    title,
    ending: block.ending,
    lines,
    hidden,
    problem,
    problemAddress: stop?.address,
    isEntry,
    width,
    height: CARD.header + rows * CARD.line + CARD.padding,
  };
}

function groupOf(program: ProgramView, context: ContextView, index: number, isCollapsed: boolean): CfgGroup {
  let depth = 0;
  for (let at = context.parent; at > 0; at = program.contexts[at]!.parent) depth++;
  const title = context.region?.name ?? `context ${index}`;
  const origin = context.region?.origin ?? '';
  return {
    id: groupId(index),
    context: index,
    parent: context.parent > 0 ? groupId(context.parent) : undefined,
    title,
    origin,
    depth,
    isRecursive: context.recursive,
    isCollapsed,
    blocks: context.blocks.length,
    width: groupWidth(context, index),
    height: GROUP_HEADER + 30,
  };
}

function groupWidth({ region, recursive }: ContextView, index: number): number {
  const characters = (region?.name ?? `context ${index}`).length + (region?.origin ?? '').length + (recursive ? 12 : 0);
  return Math.max(200, Math.ceil(characters * CARD.character) + 70);
}
