/**
 * Brings a control tree to structured form: no scopes, no exits, no continues; only ifs, loops, break and again.
 *
 * Why: SPIR-V leaves a selection by its end and a loop by break or continue of the innermost one. Most exits are at the
 * end of a statement already; others get there by moving what follows an `if` into the branch that falls through. What
 * is left sets a flag that is tested after the statement; the flag becomes a phi of constants, not a register.
 *
 * In: exits lead to scopes around them, continues to loops around them. Out: the same paths.
 * Method: one sweep over each list with what follows kept on a stack. Scopes are flattened: the body, a mark, the rest.
 */
import { assert } from '../../base/assert.ts';
import type { FlagId, Label, Node, Tree } from './tree.ts';

/** The end of a scope, in a flattened list. */
interface Mark {
  readonly kind: 'mark';
  readonly label: Label;
}
type Item = Node | Mark;

/** A way out of a statement: `exit` labels are even, `continue` labels odd. */
type Escape = number;
const exitEscape = (label: Label): Escape => label * 2;
const continueEscape = (label: Label): Escape => label * 2 + 1;
const jumpOf = (way: Escape): Node =>
  way % 2 === 0 ? { kind: 'exit', label: (way / 2) as Label } : { kind: 'continue', label: ((way - 1) / 2) as Label };

interface Context {
  /** Escapes that falling off the end of the list amounts to. */
  readonly fall: ReadonlySet<Escape>;
  /** Escapes that a break of the innermost loop amounts to. */
  readonly breaks: ReadonlySet<Escape>;
  /** Escape that is a continue of the innermost loop, −1 outside loops. */
  readonly again: Escape;
}

const NOTHING: ReadonlySet<Escape> = new Set();

export interface Resolved {
  readonly tree: Tree;
  readonly flagCount: number;
}

export function resolveExits(tree: Tree, flagCount: number, firstFreeLabel: number): Resolved {
  const resolver = new ExitResolver(flagCount, firstFreeLabel);
  return { tree: resolver.list(tree, { fall: NOTHING, breaks: NOTHING, again: -1 }), flagCount: resolver.flagCount };
}

class ExitResolver {
  flagCount: number;
  private nextLabel: number;
  private readonly escapeCache = new WeakMap<Node, ReadonlySet<Escape>>();

  constructor(flagCount: number, firstFreeLabel: number) {
    this.flagCount = flagCount;
    this.nextLabel = firstFreeLabel;
  }

  list(tree: Tree, context: Context): Tree {
    const out: Node[] = [];
    const pending: Item[] = [...tree].reverse();
    while (pending.length > 0) {
      const item = pending.pop()!;
      switch (item.kind) {
        case 'code':
        case 'set':
          out.push(item);
          break;
        case 'mark':
          break;
        case 'scope':
          pending.push({ kind: 'mark', label: item.label });
          for (let i = item.body.length - 1; i >= 0; i--) pending.push(item.body[i]!);
          break;
        case 'exit':
        case 'continue': {
          if (this.skipTo(pending, item)) break;
          const way = item.kind === 'exit' ? exitEscape(item.label) : continueEscape(item.label);
          if (context.fall.has(way)) return out;
          if (context.breaks.has(way)) out.push({ kind: 'break' });
          else {
            assert(way === context.again, 'an exit of the control tree has no way out');
            out.push({ kind: 'again' });
          }
          return out;
        }
        case 'break':
        case 'again':
        case 'end':
          out.push(item);
          return out;
        case 'if':
          if (this.statement(item, pending, context, out)) return out;
          break;
        case 'loop':
          if (this.loop(item, pending, out)) return out;
          break;
      }
    }
    return out;
  }

  /** An exit to a mark further on in the same list: what lies between is not reached. */
  private skipTo(pending: Item[], jump: Node & { readonly label: Label }): boolean {
    if (jump.kind !== 'exit') return false;
    for (let i = pending.length - 1; i >= 0; i--) {
      const item = pending[i]!;
      if (item.kind === 'mark' && item.label === jump.label) {
        pending.length = i;
        return true;
      }
    }
    return false;
  }

  /** True when the list ends with this `if`. */
  private statement(node: Node & { readonly kind: 'if' }, pending: Item[], context: Context, out: Node[]): boolean {
    const near = leadingMarks(pending);
    if (pending.every((item) => item.kind === 'mark')) {
      const inner = { ...context, fall: union(context.fall, near) };
      out.push({ ...node, taken: this.list(node.taken, inner), otherwise: this.list(node.otherwise, inner) });
      return true;
    }
    const inPlace = (e: Escape): boolean => near.has(e) || context.breaks.has(e) || e === context.again;
    const far = [...this.escapesOf(node)].filter((e) => !inPlace(e));
    if (far.length === 0) {
      const inner = { ...context, fall: near };
      out.push({ ...node, taken: this.list(node.taken, inner), otherwise: this.list(node.otherwise, inner) });
      return false;
    }
    const rest = takeUntil(pending, new Set(far));
    if (!this.completes(node.taken, near)) pending.push({ ...node, otherwise: [...node.otherwise, ...rest] as Tree });
    else if (!this.completes(node.otherwise, near)) pending.push({ ...node, taken: [...node.taken, ...rest] as Tree });
    else this.withFlag(node, rest, far, pending, out);
    return false;
  }

  /** flag = 0; if …; then what the flag says, else the rest. */
  private withFlag(
    node: Node & { readonly kind: 'if' },
    rest: readonly Item[],
    far: readonly Escape[],
    pending: Item[],
    out: Node[],
  ): void {
    const flag = this.flagCount++ as FlagId;
    const label = this.nextLabel++ as Label;
    const numbers = new Map(far.map((way, i) => [way, i + 1]));
    const replaced = this.replace(node, numbers, flag, { kind: 'exit', label });
    // Marks right behind the statement belong to the rest: they are reached with the flag at 0.
    let chain: Tree = rest as Tree;
    let marks = 0;
    while (rest[marks]?.kind === 'mark') marks++;
    chain = rest.slice(marks) as Tree;
    for (const [way, number] of numbers) {
      chain = [{ kind: 'if', condition: { kind: 'flag', flag, number }, taken: [jumpOf(way)], otherwise: chain }];
    }
    for (let i = chain.length - 1; i >= 0; i--) pending.push(chain[i]!);
    for (let i = marks - 1; i >= 0; i--) pending.push(rest[i]!);
    pending.push({ kind: 'mark', label });
    pending.push(replaced);
    out.push({ kind: 'set', flag, number: 0 });
  }

  /** True when nothing follows. */
  private loop(node: Node & { readonly kind: 'loop' }, pending: Item[], out: Node[]): boolean {
    const escapes = [...this.escapesOf(node)];
    const near = leadingMarks(pending);
    // The most natural exit needs no flag: the one to what follows.
    const plain = escapes.find((e) => near.has(e)) ?? escapes[0];
    const others = escapes.filter((e) => e !== plain);
    const again = continueEscape(node.label);
    let body = node.body;
    const breaks = new Set<Escape>(plain === undefined ? [] : [plain]);
    let flag: FlagId | undefined;
    if (others.length > 0) {
      flag = this.flagCount++ as FlagId;
      const label = this.nextLabel++ as Label;
      breaks.add(exitEscape(label));
      const numbers = new Map(others.map((way, i) => [way, i + 1]));
      body = body.map((child) => this.replace(child, numbers, flag!, { kind: 'exit', label }));
      out.push({ kind: 'set', flag, number: 0 });
    }
    out.push({ kind: 'loop', label: node.label, body: this.list(body, { fall: new Set([again]), breaks, again }) });
    if (plain === undefined) return true;
    let after: Tree = [jumpOf(plain)];
    others.forEach((way, i) => {
      after = [
        {
          kind: 'if',
          condition: { kind: 'flag', flag: flag!, number: i + 1 },
          taken: [jumpOf(way)],
          otherwise: after,
        },
      ];
    });
    pending.push(after[0]!);
    return false;
  }

  /** Ways out of a node: exits and continues to labels that are not inside it. */
  private escapesOf(node: Item): ReadonlySet<Escape> {
    if (node.kind === 'mark') return NOTHING;
    const known = this.escapeCache.get(node);
    if (known) return known;
    const found = new Set<Escape>();
    const addAll = (tree: readonly Item[]): void => {
      for (const child of tree) for (const e of this.escapesOf(child)) found.add(e);
      for (const child of tree) if (child.kind === 'mark') found.delete(exitEscape(child.label));
    };
    switch (node.kind) {
      case 'exit':
        found.add(exitEscape(node.label));
        break;
      case 'continue':
        found.add(continueEscape(node.label));
        break;
      case 'if':
        addAll(node.taken);
        // Marks of one branch must not hide exits of the other; labels are unique, so they cannot.
        addAll(node.otherwise);
        break;
      case 'loop':
        addAll(node.body);
        found.delete(continueEscape(node.label));
        break;
      case 'scope':
        addAll(node.body);
        found.delete(exitEscape(node.label));
        break;
      default:
        break;
    }
    this.escapeCache.set(node, found);
    return found;
  }

  /** Whether control may reach the end of the list, or leave by one of `near`. */
  private completes(tree: readonly Item[], near: ReadonlySet<Escape>): boolean {
    const left = new Set<Escape>();
    let reachable = true;
    for (const node of tree) {
      if (node.kind === 'mark') {
        if (left.has(exitEscape(node.label))) reachable = true;
        continue;
      }
      if (!reachable) continue;
      for (const e of this.escapesOf(node)) left.add(e);
      reachable = this.fallsThrough(node);
    }
    if (reachable) return true;
    for (const e of left) if (near.has(e)) return true;
    return false;
  }

  private fallsThrough(node: Node): boolean {
    switch (node.kind) {
      case 'code':
      case 'set':
        return true;
      case 'if':
        return this.completes(node.taken, NOTHING) || this.completes(node.otherwise, NOTHING);
      case 'scope':
        return this.completes(node.body, new Set([exitEscape(node.label)]));
      default:
        return false;
    }
  }

  /** Replaces the numbered escapes by: set the flag, then `jump`. */
  private replace(node: Node, numbers: ReadonlyMap<Escape, number>, flag: FlagId, jump: Node): Node {
    let touched = false;
    for (const e of this.escapesOf(node)) if (numbers.has(e)) touched = true;
    if (!touched) return node;
    const list = (tree: Tree): Tree => tree.flatMap((child) => this.replaceIn(child, numbers, flag, jump));
    switch (node.kind) {
      case 'if':
        return { ...node, taken: list(node.taken), otherwise: list(node.otherwise) };
      case 'loop':
      case 'scope':
        return { ...node, body: list(node.body) };
      default:
        return { kind: 'scope', label: this.nextLabel++ as Label, body: this.replaceIn(node, numbers, flag, jump) };
    }
  }

  private replaceIn(node: Node, numbers: ReadonlyMap<Escape, number>, flag: FlagId, jump: Node): Tree {
    if (node.kind === 'exit' || node.kind === 'continue') {
      const number = numbers.get(node.kind === 'exit' ? exitEscape(node.label) : continueEscape(node.label));
      return number === undefined ? [node] : [{ kind: 'set', flag, number }, jump];
    }
    if ((node as Item).kind === 'mark') return [node];
    return [this.replace(node, numbers, flag, jump)];
  }
}

function leadingMarks(pending: readonly Item[]): Set<Escape> {
  const labels = new Set<Escape>();
  for (let i = pending.length - 1; i >= 0; i--) {
    const item = pending[i]!;
    if (item.kind !== 'mark') break;
    labels.add(exitEscape(item.label));
  }
  return labels;
}

/** Takes what follows off the stack, in order, up to the first mark that is wanted. */
function takeUntil(pending: Item[], wanted: ReadonlySet<Escape>): Item[] {
  const taken: Item[] = [];
  while (pending.length > 0) {
    const top = pending[pending.length - 1]!;
    if (top.kind === 'mark' && wanted.has(exitEscape(top.label))) break;
    taken.push(pending.pop()!);
  }
  return taken;
}

function union(a: ReadonlySet<Escape>, b: ReadonlySet<Escape>): ReadonlySet<Escape> {
  if (b.size === 0) return a;
  return new Set([...a, ...b]);
}
