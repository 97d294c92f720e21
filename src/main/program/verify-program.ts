/**
 * The invariants of a `Program`, checked: what program.ts promises to its readers, for shared and for expanded programs.
 * Tests run it on everything that is linked or expanded; it returns sentences, none when all holds.
 *
 * 1. Blocks are numbered by position; their instructions follow each other without gaps and end at `end`.
 * 2. Without expansion, blocks ascend by address and an instruction address stands in one block only.
 * 3. Edges are exactly what the terminators say; predecessors and successors are exactly the edges.
 * 4. A call block ends with its call; targets and return blocks have the addresses that the call site names.
 * 5. Every block lies in a context; direct flow stays in it; transfers of contexts are exactly the other edges.
 * 6. Segments hold the words of their blocks. `complete` means: nothing bad or unsupported was reported.
 */
import { formatAddress } from '../base/guest-address.ts';
import type { Block, Edge, Program } from './program.ts';

export function verifyProgram(program: Program): string[] {
  const problems: string[] = [];
  checkBlocks(program, problems);
  checkEdges(program, problems);
  checkCalls(program, problems);
  checkContexts(program, problems);
  checkSegments(program, problems);
  const refused = program.diagnostics.some((d) => d.kind === 'badInput' || d.kind === 'unsupported');
  if (program.complete === refused) problems.push('complete contradicts the diagnostics');
  return problems;
}

function checkBlocks(program: Program, problems: string[]): void {
  const seen = new Set<number>();
  const expanded = program.blocks.some((block) => block.context !== undefined);
  let before = -1;
  program.blocks.forEach((block, i) => {
    if (block.id !== i) problems.push(`block ${i} is numbered ${block.id}`);
    if (!expanded && block.address < before) problems.push(`block ${i} stands before its predecessor in address`);
    before = block.address;
    let at: number = block.address;
    for (const { address, instruction } of block.instructions) {
      if (address !== at) problems.push(`block ${i}: gap before ${formatAddress(address)}`);
      if (!expanded && seen.has(address)) problems.push(`instruction ${formatAddress(address)} stands in two blocks`);
      seen.add(address);
      at = address + 4 * instruction.sizeDwords;
    }
    if (at !== block.end) problems.push(`block ${i} ends at ${formatAddress(block.end)}, its instructions elsewhere`);
  });
}

/** Successors that the terminator alone names. */
function expectedEdges(program: Program, block: Block): Edge[] {
  const { terminator, id: from } = block;
  switch (terminator.kind) {
    case 'fallthrough':
      return [{ from, to: terminator.next, kind: 'fallthrough' }];
    case 'jump':
      return [{ from, to: terminator.target, kind: 'branch' }];
    case 'branch':
      return [
        { from, to: terminator.fallthrough, kind: 'fallthrough' },
        { from, to: terminator.taken, kind: 'branch' },
      ];
    case 'call': {
      const { call } = terminator;
      return program.calls[call]!.targets.map((target) => ({ from, to: target.block, kind: 'call' as const, call }));
    }
    case 'return':
      return terminator.calls.flatMap((call) => {
        const to = program.calls[call]!.returnBlock;
        return to === undefined ? [] : [{ from, to, kind: 'return' as const, call }];
      });
    case 'indirect':
      // Returns among the targets of a mixed jump are return edges.
      return program.edges.filter((edge) => edge.from === from && terminator.targets.includes(edge.to));
    case 'end':
    case 'stop':
      return [];
  }
}

const edgeKey = (edge: Edge): string => `${edge.from} ${edge.kind} ${edge.to} ${edge.call ?? ''}`;

function checkEdges(program: Program, problems: string[]): void {
  const actual = new Set(program.edges.map(edgeKey));
  if (actual.size !== program.edges.length) problems.push('an edge is listed twice');
  const expected = new Set(program.blocks.flatMap((block) => expectedEdges(program, block)).map(edgeKey));
  for (const key of expected) if (!actual.has(key)) problems.push(`edge ${key} is missing`);
  for (const key of actual) if (!expected.has(key)) problems.push(`edge ${key} is in no terminator`);
  const successors = program.blocks.map(() => new Set<number>());
  const predecessors = program.blocks.map(() => new Set<number>());
  for (const { from, to } of program.edges) {
    successors[from]?.add(to);
    predecessors[to]?.add(from);
  }
  const sorted = (set: Set<number>): string => [...set].sort((a, b) => a - b).join();
  program.blocks.forEach((block, i) => {
    if (block.successors.join() !== sorted(successors[i]!)) problems.push(`successors of block ${i}`);
    if (block.predecessors.join() !== sorted(predecessors[i]!)) problems.push(`predecessors of block ${i}`);
  });
}

function checkCalls(program: Program, problems: string[]): void {
  program.calls.forEach((call, i) => {
    const block = program.blocks[call.block];
    const last = block?.instructions[block.instructions.length - 1];
    if (last?.address !== call.address) problems.push(`call ${i} does not end its block`);
    const { terminator } = block!;
    const names = terminator.kind === 'call' || terminator.kind === 'indirect' || terminator.kind === 'stop';
    if (!names || terminator.call !== i) problems.push(`block of call ${i} does not name it`);
    for (const target of call.targets) {
      if (program.blocks[target.block]?.address !== target.address) problems.push(`target of call ${i} is elsewhere`);
    }
    if (call.returnBlock !== undefined && program.blocks[call.returnBlock]?.address !== call.returnAddress) {
      problems.push(`return block of call ${i} is elsewhere`);
    }
  });
}

function checkContexts(program: Program, problems: string[]): void {
  const inContext = new Set<string>();
  program.contexts.forEach((context, i) => {
    for (const block of context.blocks) inContext.add(`${i},${block}`);
    if (!context.blocks.includes(context.entry)) problems.push(`entry of context ${i} is not in it`);
  });
  const covered = new Set(program.contexts.flatMap((context) => context.blocks));
  const transferred = new Set<string>();
  program.contexts.forEach((context, i) => {
    for (const transfer of context.transfers) {
      if (!inContext.has(`${transfer.context},${transfer.to}`)) problems.push(`transfer of context ${i} leads nowhere`);
      transferred.add(`${transfer.from},${transfer.to}`);
    }
    for (const block of context.blocks) {
      const { terminator, successors } = program.blocks[block]!;
      if (terminator.kind !== 'fallthrough' && terminator.kind !== 'jump' && terminator.kind !== 'branch') continue;
      for (const to of successors) if (!inContext.has(`${i},${to}`)) problems.push(`direct flow leaves context ${i}`);
    }
  });
  for (const block of program.blocks) if (!covered.has(block.id)) problems.push(`block ${block.id} is in no context`);
  for (const edge of program.edges) {
    const { terminator } = program.blocks[edge.from]!;
    const byRegister = terminator.kind === 'call' || terminator.kind === 'return' || terminator.kind === 'indirect';
    if (byRegister && !transferred.has(`${edge.from},${edge.to}`))
      problems.push(`no context makes edge ${edgeKey(edge)}`);
  }
  for (const region of program.regions) {
    if (region.parent !== undefined && !program.regions[region.parent]) problems.push(`parent of region ${region.id}`);
    if (!region.blocks.includes(region.entry)) problems.push(`entry of region ${region.id} is not in it`);
  }
}

function checkSegments(program: Program, problems: string[]): void {
  for (const block of program.blocks) {
    const segment = program.segments[block.segment];
    const inside =
      segment && block.address >= segment.address && block.end <= segment.address + 4 * segment.words.length;
    if (!inside) problems.push(`block ${block.id} lies outside of its segment`);
  }
}
