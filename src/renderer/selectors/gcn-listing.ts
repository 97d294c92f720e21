/**
 * A program as the text of the GCN editor: one line per instruction, with a heading per segment and block, what was
 * refused under its instruction, and comments that say where calls, branches and returns lead. Pure.
 */
import type { DiagnosticView, InstructionHelp, ProgramView } from '../../preload/contract/index.ts';
import { formatAddress } from './number-format.ts';

export interface GcnListing {
  readonly text: string;
  /** Guest address of each line (from 0), −1 for headings and messages. */
  readonly addressOfLine: Float64Array;
  readonly lineOfAddress: ReadonlyMap<number, number>;
  readonly blockOfLine: Int32Array;
  /** Diagnostics with an address in the listing, by line. */
  readonly marks: readonly { readonly line: number; readonly diagnostic: DiagnosticView }[];
  /** The instruction on a line in words, as paragraphs of Markdown; none where there is no instruction. */
  readonly helpOfLine: (line: number) => readonly string[];
}

const COMMENT_COLUMN = 36;

export function gcnListing(program: ProgramView): GcnListing {
  const lines: string[] = [];
  const addresses: number[] = [];
  const blocks: number[] = [];
  const instructions: number[] = [];
  const marks: { line: number; diagnostic: DiagnosticView }[] = [];
  const lineOfAddress = new Map<number, number>();
  const add = (text: string, address: number, block: number, instruction: number): void => {
    lines.push(text);
    addresses.push(address);
    blocks.push(block);
    instructions.push(instruction);
  };
  const notes = flowNotes(program);
  const problems = new Map<number, DiagnosticView[]>();
  for (const d of program.diagnostics) {
    if (d.address !== undefined) problems.set(d.address, [...(problems.get(d.address) ?? []), d]);
  }
  const { listing } = program;
  const isListed = new Set(listing.address);
  let segment = -1;
  for (const block of entryFirst(program)) {
    if (block.segment !== segment) {
      segment = block.segment;
      const s = program.segments[segment]!;
      if (lines.length > 0) add('', -1, -1, -1);
      add(`; ${s.name} · ${s.origin} · ${formatAddress(s.address)} · ${s.sizeBytes} bytes`, -1, -1, -1);
    }
    add(`b${block.id}:`, -1, block.id, -1);
    for (let i = block.firstLine; i < block.firstLine + block.lines; i++) {
      const address = listing.address[i]!;
      const note = notes.get(address);
      const text = `  ${listing.text[i]}`;
      lineOfAddress.set(address, lines.length);
      add(note === undefined ? text : `${text.padEnd(COMMENT_COLUMN)}  ; ${note}`, address, block.id, i);
      for (const diagnostic of problems.get(address) ?? []) {
        marks.push({ line: lines.length - 1, diagnostic });
        add(`  ; ${diagnostic.code}: ${diagnostic.message}`, -1, block.id, -1);
      }
    }
    const stop = block.stop === undefined ? undefined : program.diagnostics[block.stop];
    if (stop?.address !== undefined && !isListed.has(stop.address)) {
      // What could not be decoded has a line too, so that its message has a place.
      lineOfAddress.set(stop.address, lines.length);
      marks.push({ line: lines.length, diagnostic: stop });
      add(`  ; ${stop.code}: ${stop.message}`, stop.address, block.id, -1);
    }
  }
  return {
    text: lines.join('\n'),
    addressOfLine: Float64Array.from(addresses),
    lineOfAddress,
    blockOfLine: Int32Array.from(blocks),
    marks,
    helpOfLine(line) {
      const i = instructions[line] ?? -1;
      if (i < 0) return [];
      const words = listing.words.subarray(listing.wordStart[i]!, listing.wordStart[i + 1]!);
      const hex = Array.from(words, (w) => w.toString(16).padStart(8, '0')).join(' ');
      return [
        `\`${formatAddress(listing.address[i]!)}\` \u2002 \`${hex}\``,
        ...helpText(listing.helps[listing.help[i]!]!),
      ];
    },
  };
}

function helpText(help: InstructionHelp): string[] {
  const { syntax, summary, operands, encoding, size, reads, writes, targets } = help;
  const touched = [
    ...(reads.length > 0 ? [`also reads ${reads.join(', ')}`] : []),
    ...(writes.length > 0 ? [`also writes ${writes.join(', ')}`] : []),
  ];
  return [
    `\`${syntax}\``,
    summary,
    operands.map(({ name, text }) => `\`${name}\` ${text}`).join(' \\\n'),
    [encoding, size, ...touched, targets.join(', ')].join(' · '),
  ].filter((paragraph) => paragraph !== '');
}

/** Blocks by segment, that of the program's entry first, the others by address. */
function entryFirst({ blocks, entryAddress }: ProgramView): readonly ProgramView['blocks'][number][] {
  const first = blocks.find((b) => b.address === entryAddress)?.segment;
  return [...blocks.filter((b) => b.segment === first), ...blocks.filter((b) => b.segment !== first)];
}

/** Where control goes, by address of the instruction that sends it there. */
function flowNotes(program: ProgramView): Map<number, string> {
  const notes = new Map<number, string>();
  const lastAddress = (block: number): number | undefined => {
    const b = program.blocks[block]!;
    return b.lines > 0 ? program.listing.address[b.firstLine + b.lines - 1] : undefined;
  };
  for (const edge of program.flow) {
    if (edge.kind !== 'branch' && edge.kind !== 'jump') continue;
    const at = lastAddress(edge.from);
    if (at !== undefined) notes.set(at, `→ b${edge.to}${edge.label ? ` if ${edge.label}` : ''}`);
  }
  const returns = new Map<number, Set<number>>();
  for (const edge of program.flow) {
    if (edge.kind !== 'return') continue;
    const at = lastAddress(edge.from);
    if (at !== undefined) returns.set(at, (returns.get(at) ?? new Set()).add(edge.to));
  }
  for (const [at, to] of returns) notes.set(at, `returns to ${[...to].map((b) => `b${b}`).join(', ')}`);
  for (const call of program.calls) {
    if (call.targets.length === 0) continue;
    notes.set(call.address, `calls ${call.targets.map((t) => `${t.name} (${t.evidence})`).join(', ')}`);
  }
  return notes;
}
