/** A linked program as the Shader and CFG panels show it: listing in columns, blocks, calls, contexts and flow. */
import type {
  BlockView,
  CallView,
  ContextView,
  FlowView,
  InstructionHelp,
  ListingView,
  ProgramView,
} from '../../../preload/contract/shader.ts';
import { formatAddress } from '../../base/guest-address.ts';
import { describeInstruction } from '../../isa/index.ts';
import { KeyHash } from '../../program/key-hash.ts';
import type { Block, CallSite, Program, TargetEvidence } from '../../program/program.ts';
import { registerPairName } from '../../program/register-pair-name.ts';
import { listProgram, type ProgramListingBlock, type ProgramListingLine } from '../listing.ts';
import type { CaptureNames } from '../replay.ts';
import { diagnosticViews } from './diagnostic-view.ts';

export function programView(
  program: Program,
  names: CaptureNames,
  event: number,
  linkedFrom: ProgramView['linkedFrom'],
): ProgramView {
  const listed = listProgram(program);
  const firstLine: number[] = [];
  let lines = 0;
  for (const block of listed) {
    firstLine.push(lines);
    lines += block.lines.length;
  }
  return {
    event,
    name: program.name,
    target: program.target,
    waveSize: program.waveSize,
    entryAddress: program.entryAddress,
    key: programKey(program),
    linkedFrom,
    complete: program.complete,
    recursive: program.recursive,
    segments: program.segments.map((s) => ({
      address: s.address,
      sizeBytes: 4 * s.words.length,
      origin: s.origin,
      name: names.shader(s.address),
    })),
    listing: listingOf(listed, program),
    blocks: program.blocks.map(
      (b): BlockView => ({
        id: b.id,
        address: b.address,
        end: b.end,
        segment: b.segment,
        firstLine: firstLine[b.id]!,
        lines: b.instructions.length,
        ending: endingOf(program, b),
        ...(b.terminator.kind === 'stop' ? { stop: b.terminator.diagnostic } : {}),
      }),
    ),
    calls: program.calls.map((c) => callView(c, names)),
    contexts: contextsOf(program, names),
    flow: flowOf(program),
    diagnostics: diagnosticViews(program.diagnostics),
  };
}

/** Same code at the same addresses, same calls: the same view. */
function programKey(program: Program): string {
  const hash = new KeyHash().word(program.waveSize).number(program.entryAddress);
  for (const s of program.segments) hash.number(s.address).words(s.words);
  for (const call of program.calls) {
    hash.number(call.address).word(call.targets.length);
    for (const target of call.targets) hash.number(target.address);
  }
  for (const d of program.diagnostics) hash.text(d.code).text(d.message);
  return hash.digest();
}

function listingOf(listed: readonly ProgramListingBlock[], program: Program): ListingView {
  const lines = listed.flatMap((block) => block.lines.map((line) => ({ block: block.id, ...line })));
  const wordStart = new Uint32Array(lines.length + 1);
  lines.forEach((line, i) => {
    wordStart[i + 1] = wordStart[i]! + line.words.length;
  });
  return {
    address: Float64Array.from(lines, (line) => line.address),
    block: Int32Array.from(lines, (line) => line.block),
    wordStart,
    words: Uint32Array.from(lines.flatMap((line) => line.words)),
    text: lines.map((line) => line.text),
    ...helpOf(lines, program),
  };
}

/** One help for each mnemonic in each encoding that occurs. */
function helpOf(
  lines: readonly ProgramListingLine[],
  { target, waveSize }: Program,
): Pick<ListingView, 'help' | 'helps'> {
  const numbers = new Map<string, number>();
  const helps: InstructionHelp[] = [];
  const help = Int32Array.from(lines, ({ mnemonic, encoding }) => {
    const key = `${mnemonic} ${encoding}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = helps.length;
      numbers.set(key, number);
      // The target has what was decoded for it.
      helps.push(describeInstruction(mnemonic, target, waveSize, encoding)!);
    }
    return number;
  });
  return { help, helps };
}

function endingOf(program: Program, block: Block): string {
  const t = block.terminator;
  switch (t.kind) {
    case 'fallthrough':
    case 'jump':
      return '';
    case 'branch':
      return `branch on ${t.condition}`;
    case 'call':
      return `call through ${registerPairName(program.calls[t.call]!.linkPair)}`;
    case 'return':
      return `return through ${registerPairName(t.pair)}${t.checked ? ', checked when it runs' : ''}`;
    case 'indirect':
      return `jump through ${registerPairName(t.pair)}`;
    case 'end':
      return 'end of program';
    case 'stop':
      return program.diagnostics[t.diagnostic]?.code ?? 'stopped';
  }
}

function callView(call: CallSite, names: CaptureNames): CallView {
  return {
    address: call.address,
    block: call.block,
    kind: call.kind,
    linkPair: registerPairName(call.linkPair),
    targetPair: call.targetPair < 0 ? null : registerPairName(call.targetPair),
    dynamic: call.dynamic,
    targets: call.targets.map((t) => ({
      address: t.address,
      name: names.shader(t.address),
      evidence: evidenceText(t.evidence),
    })),
  };
}

function evidenceText(evidence: TargetEvidence): string {
  switch (evidence.kind) {
    case 'getpc':
      return `s_getpc at ${formatAddress(evidence.at)}`;
    case 'relative':
      return 'relative to the call';
    case 'constant':
      return 'address from literals';
    case 'userData':
      return `user data ${registerPairName(evidence.first)}`;
    case 'loaded':
      return `loaded from ${formatAddress(evidence.source)}`;
    case 'registered':
      return 'registered by the driver';
    case 'seen':
      return 'seen in an earlier run';
  }
}

function contextsOf(program: Program, names: CaptureNames): ContextView[] {
  const regions = new Map(program.regions.map((r) => [r.context, r]));
  return program.contexts.map((context, index) => {
    const region = regions.get(index);
    const shared = {
      parent: context.parent,
      entry: context.entry,
      blocks: context.blocks,
      callPath: context.callPath,
      recursive: context.recursive,
    };
    if (!region) return shared;
    const call = program.calls[region.call]!;
    const target = call.targets.find((t) => t.block === region.entry);
    const name = names.shader(program.blocks[region.entry]!.address);
    const origin = target ? evidenceText(target.evidence) : region.origin;
    return { ...shared, region: { name, origin, call: region.call, linkPair: registerPairName(region.linkPair) } };
  });
}

/** Direct flow stays in its context; calls, returns and register jumps lead between contexts. */
function flowOf(program: Program): FlowView[] {
  const direct = new Map<number, { readonly to: number; readonly kind: 'fallthrough' | 'branch' }[]>();
  for (const edge of program.edges) {
    if (edge.kind !== 'fallthrough' && edge.kind !== 'branch') continue;
    const list = direct.get(edge.from);
    if (list) list.push({ to: edge.to, kind: edge.kind });
    else direct.set(edge.from, [{ to: edge.to, kind: edge.kind }]);
  }
  const flow: FlowView[] = [];
  program.contexts.forEach((context, index) => {
    const own = new Set<number>(context.blocks);
    for (const from of context.blocks) {
      const { terminator } = program.blocks[from]!;
      for (const { to, kind } of direct.get(from) ?? []) {
        if (!own.has(to)) continue;
        const label = kind === 'branch' && terminator.kind === 'branch' ? { label: terminator.condition } : {};
        flow.push({ fromContext: index, from, toContext: index, to, kind, ...label });
      }
    }
    for (const t of context.transfers) {
      flow.push({ fromContext: index, from: t.from, toContext: t.context, to: t.to, kind: t.kind });
    }
  });
  return flow;
}
