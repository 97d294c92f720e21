/**
 * Loops inside loops, for drivers that end a loop by themselves after so many turns (quirk llvmpipe: 65,535).
 *
 * Why: such a driver goes on behind the loop as if it had been left, with wrong values and without a word. An inner loop
 * leaves explicitly before that, and the outer loop enters it again; what the loop carries is carried by both.
 *
 *   loop L { body }   →   loop outer { loop L, counting { if (turns > limit) continue outer; body } }
 *
 * Exits of the body leave both loops. In and out: a control tree with scopes, before resolve-exits.
 */
import type { Label, Node, Tree } from './tree.ts';

export interface LimitedTurns {
  readonly tree: Tree;
  readonly nextLabel: number;
}

export function limitTurns(tree: Tree, turnLimit: number, firstFreeLabel: number): LimitedTurns {
  let nextLabel = firstFreeLabel;
  const wrapAll = (list: Tree): Tree => list.map(wrap);
  const wrap = (node: Node): Node => {
    switch (node.kind) {
      case 'if':
        return { ...node, taken: wrapAll(node.taken), otherwise: wrapAll(node.otherwise) };
      case 'scope':
        return { ...node, body: wrapAll(node.body) };
      case 'loop': {
        const outer = nextLabel++ as Label;
        const check: Node = {
          kind: 'if',
          condition: { kind: 'turns' },
          taken: [{ kind: 'continue', label: outer }],
          otherwise: [],
        };
        const inner: Node = { kind: 'loop', label: node.label, body: [check, ...wrapAll(node.body)], turnLimit };
        return { kind: 'loop', label: outer, body: [inner] };
      }
      default:
        return node;
    }
  };
  return { tree: wrapAll(tree), nextLabel };
}
