/**
 * Runner of tests/filetests/cfg/*.cfg: guest assembly in, blocks, dominators and loops out.
 *
 * Three parts separated by `---`: directives as in link-filetest.ts, assembly, expectation. One line per block in order
 * of address:   name [instructions] terminator | idom x | ipdom y
 * then one per loop, and one per retreating edge that makes the graph irreducible.
 */

import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { formatAddress } from '../../src/main/base/guest-address.ts';
import { digraphFromLists } from '../../src/main/program/graph/digraph.ts';
import { computeDominators, computePostDominators } from '../../src/main/program/graph/dominators.ts';
import { findLoops } from '../../src/main/program/graph/loops.ts';
import type { Block, BlockId, Program, Terminator } from '../../src/main/program/program.ts';

export function describeGraph(program: Program, labels: ReadonlyMap<string, GuestAddress>): string {
  const names = new Map([...labels].map(([label, address]) => [address, label]));
  const name = (id: number): string => {
    const block = program.blocks[id];
    if (!block) return 'exit';
    return names.get(block.address) ?? formatAddress(block.address);
  };
  const graph = digraphFromLists(program.blocks.map((block) => block.successors));
  const dominators = computeDominators(graph, program.entry);
  const post = computePostDominators(graph, program.entry);
  const lines = program.blocks.map((block: Block) => {
    const up = dominators.immediate[block.id]!;
    const down = post.immediate[block.id]!;
    const end = describeTerminator(program, block.terminator, name);
    return `${name(block.id)} [${block.instructions.length}] ${end} | idom ${up < 0 ? '-' : name(up)} | ipdom ${name(down)}`;
  });
  const forest = findLoops(graph, dominators);
  for (const loop of forest.loops) {
    const exits = loop.exits.map(([from, to]) => `${name(from)}->${name(to)}`).join(' ');
    lines.push(
      `loop ${name(loop.header)} depth ${loop.depth} latches ${loop.latches.map(name).join(' ')} nodes ${loop.nodes.map(name).join(' ')} exits ${exits}`,
    );
  }
  for (const [from, to] of forest.irreducible) lines.push(`irreducible ${name(from)}->${name(to)}`);
  return `${lines.join('\n')}\n`;
}

function describeTerminator(program: Program, terminator: Terminator, name: (id: BlockId) => string): string {
  switch (terminator.kind) {
    case 'fallthrough':
      return `-> ${name(terminator.next)}`;
    case 'jump':
      return `jump ${name(terminator.target)}`;
    case 'branch':
      return `${terminator.condition} ${name(terminator.taken)} else ${name(terminator.fallthrough)}`;
    case 'call':
      return `call ${program.calls[terminator.call]!.targets.map((target) => name(target.block)).join(' ')}`;
    case 'return':
      return 'return';
    case 'indirect':
      return `indirect ${terminator.targets.map(name).join(' ')}`;
    case 'end':
      return 'end';
    case 'stop':
      return `stop ${program.diagnostics[terminator.diagnostic]!.code}`;
  }
}
