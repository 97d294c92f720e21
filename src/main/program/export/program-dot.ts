/**
 * A program as a Graphviz graph: `cfg --format dot`. Call regions are clusters, nested as the calls are.
 *
 * A block that several call paths share is drawn once per path while the drawing stays small (`maxDrawnBlocks`), since a
 * node can lie in one cluster only; beyond that, callees are drawn once, in the cluster of their first region.
 */
import { formatAddress } from '../../base/guest-address.ts';
import { expandCalls } from '../expand-calls.ts';
import type { Block, CallRegion, Edge, Program } from '../program.ts';
import { registerPairName } from '../register-pair-name.ts';
import type { PrintInstruction } from './program-json.ts';

export interface DotOptions {
  readonly maxDrawnBlocks?: number;
}

export function programToDot(program: Program, print: PrintInstruction, options: DotOptions = {}): string {
  const drawn = expandCalls(program, { maxBlocks: options.maxDrawnBlocks ?? 2000 });
  const lines = [
    `digraph ${quote(program.name)} {`,
    '  node [shape=box, fontname="monospace", fontsize=10];',
    '  edge [fontname="monospace", fontsize=9];',
  ];
  const owner = regionOfBlocks(drawn);
  for (const block of drawn.blocks) if (owner[block.id]! < 0) lines.push(`  ${blockNode(drawn, block, print)}`);
  for (const region of drawn.regions) {
    if (region.parent === undefined) addCluster(lines, drawn, region, owner, print, '  ');
  }
  for (const edge of drawn.edges) lines.push(`  ${edgeLine(edge)}`);
  lines.push('}', '');
  return lines.join('\n');
}

/** Region in whose cluster each block is drawn; −1 for the main program. */
function regionOfBlocks(program: Program): Int32Array {
  const owner = new Int32Array(program.blocks.length).fill(-1);
  const main = new Set(program.contexts[0]!.blocks);
  for (const region of program.regions) {
    for (const block of region.blocks) if (owner[block]! < 0 && !main.has(block)) owner[block] = region.id;
  }
  return owner;
}

/** Clusters nest as deep as calls do, which linking bounds; still, no recursion: an explicit stack closes them. */
function addCluster(
  lines: string[],
  program: Program,
  root: CallRegion,
  owner: Int32Array,
  print: PrintInstruction,
  indent: string,
): void {
  const stack: { readonly region: CallRegion; readonly indent: string; opened: boolean }[] = [
    { region: root, indent, opened: false },
  ];
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    if (top.opened) {
      lines.push(`${top.indent}}`);
      stack.pop();
      continue;
    }
    top.opened = true;
    const { region } = top;
    lines.push(`${top.indent}subgraph cluster_${region.id} {`);
    lines.push(`${top.indent}  label=${quote(regionLabel(program, region))};`);
    for (const block of program.blocks) {
      if (owner[block.id] === region.id) lines.push(`${top.indent}  ${blockNode(program, block, print)}`);
    }
    for (const inner of program.regions.slice().reverse()) {
      if (inner.parent === region.id) stack.push({ region: inner, indent: `${top.indent}  `, opened: false });
    }
  }
}

function regionLabel(program: Program, region: CallRegion): string {
  const path = region.callPath.map(formatAddress).join(' > ');
  const entry = formatAddress(program.blocks[region.entry]!.address);
  return `${region.origin} callee ${entry}, link ${registerPairName(region.linkPair)}, call ${path}`;
}

function blockNode(program: Program, block: Block, print: PrintInstruction): string {
  const lines = block.instructions.map(
    ({ address, instruction }) => `${formatAddress(address)}  ${print(instruction, address)}`,
  );
  if (lines.length === 0) lines.push(formatAddress(block.address));
  if (block.terminator.kind === 'stop')
    lines.push(`stop: ${program.diagnostics[block.terminator.diagnostic]?.code ?? ''}`);
  const entry = block.id === program.entry ? ', penwidth=2' : '';
  return `b${block.id} [label="${lines.map(escapeText).join('\\l')}\\l"${entry}];`;
}

const STYLES: Readonly<Record<Edge['kind'], string>> = {
  fallthrough: '',
  branch: '',
  call: ' [style=bold, label="call"]',
  return: ' [style=dashed, label="return"]',
};

function edgeLine(edge: Edge): string {
  return `b${edge.from} -> b${edge.to}${STYLES[edge.kind]};`;
}

function quote(text: string): string {
  return `"${escapeText(text)}"`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
