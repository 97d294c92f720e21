/**
 * The control tree: a program as nested statements, between the block graph and structured blocks.
 *
 * A `scope` is left by `exit` of its label (control goes on after the scope); a `loop` is repeated by `continue` of its
 * label and by falling off its end, and is left only by exits to scopes around it. `build-tree.ts` makes it,
 * `resolve-exits.ts` brings it to the form in which every exit is the end of a statement or a break of the innermost
 * loop, `emit-blocks.ts` makes blocks of that.
 */
import type { BlockId, ValueId } from '../ir/types.ts';

/** Names a scope or a loop. Block ids name the scopes and loops of the graph; fresh ones are above them. */
export type Label = number & { readonly __brand: 'TreeLabel' };

/** A variable that the structurer adds: which exit was taken. */
export type FlagId = number & { readonly __brand: 'FlagId' };

export type Condition =
  | { readonly kind: 'value'; readonly value: ValueId }
  /** selector = number */
  | { readonly kind: 'selector'; readonly value: ValueId; readonly number: number }
  /** flag = number */
  | { readonly kind: 'flag'; readonly flag: FlagId; readonly number: number };

export type Node =
  /** The code of one block of the graph, without its terminator. */
  | { readonly kind: 'code'; readonly block: BlockId }
  | { readonly kind: 'if'; readonly condition: Condition; readonly taken: Tree; readonly otherwise: Tree }
  | { readonly kind: 'loop'; readonly label: Label; readonly body: Tree }
  | { readonly kind: 'scope'; readonly label: Label; readonly body: Tree }
  | { readonly kind: 'exit'; readonly label: Label }
  | { readonly kind: 'continue'; readonly label: Label }
  | { readonly kind: 'set'; readonly flag: FlagId; readonly number: number }
  /** After resolve-exits only: leave or repeat the innermost loop. */
  | { readonly kind: 'break' }
  | { readonly kind: 'again' }
  /** The wave ends. */
  | { readonly kind: 'end' };

export type Tree = readonly Node[];
