/**
 * A program as plain JSON: what `cfg --format json` prints and what the application's panels read.
 *
 * Stable form: keys are only ever added, addresses are hexadecimal strings, ids are numbers that index the arrays of
 * the same object. Text of instructions comes from the printer that is passed in.
 */
import { formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import type { Instruction } from '../../isa/instruction.ts';
import type { CallSite, Edge, Program, Terminator } from '../program.ts';
import { registerPairName } from '../register-pair-name.ts';

export type PrintInstruction = (instruction: Instruction, address: GuestAddress) => string;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export function programToJson(program: Program, print: PrintInstruction): { readonly [key: string]: Json } {
  const { blocks } = program;
  return {
    name: program.name,
    target: program.target,
    waveSize: program.waveSize,
    entry: formatAddress(program.entryAddress),
    entryBlock: program.entry,
    complete: program.complete,
    recursive: program.recursive,
    segments: program.segments.map((segment) => ({
      address: formatAddress(segment.address),
      sizeBytes: 4 * segment.words.length,
      origin: segment.origin,
    })),
    blocks: blocks.map((block) => ({
      id: block.id,
      address: formatAddress(block.address),
      end: formatAddress(block.end),
      segment: block.segment,
      ...(block.context === undefined ? {} : { context: block.context }),
      instructions: block.instructions.map(({ address, instruction }) => ({
        address: formatAddress(address),
        text: print(instruction, address),
      })),
      terminator: terminatorToJson(block.terminator),
      predecessors: block.predecessors,
      successors: block.successors,
    })),
    edges: program.edges.map(edgeToJson),
    calls: program.calls.map(callToJson),
    contexts: program.contexts.map((context) => ({
      parent: context.parent,
      entry: context.entry,
      callPath: context.callPath.map(formatAddress),
      callers: context.callers.map(({ context: from, call }) => ({ context: from, call })),
      blocks: context.blocks,
      transfers: context.transfers.map((t) => ({
        from: t.from,
        kind: t.kind,
        call: t.call,
        context: t.context,
        to: t.to,
      })),
      recursive: context.recursive,
    })),
    regions: program.regions.map((region) => ({
      id: region.id,
      context: region.context,
      origin: region.origin,
      call: region.call,
      entry: region.entry,
      entryAddress: formatAddress(blocks[region.entry]!.address),
      callPath: region.callPath.map(formatAddress),
      linkPair: registerPairName(region.linkPair),
      blocks: region.blocks,
      returns: region.returns,
      parent: region.parent ?? null,
    })),
    readWords: program.readWords.map((word) => ({ address: formatAddress(word.address), value: hexWord(word.value) })),
    diagnostics: program.diagnostics.map((d) => ({
      code: d.code,
      kind: d.kind,
      message: d.message,
      ...(d.where?.kind === 'address' ? { address: formatAddress(d.where.address) } : {}),
    })),
  };
}

function edgeToJson(edge: Edge): Json {
  const { from, to, kind } = edge;
  return edge.call === undefined ? { from, to, kind } : { from, to, kind, call: edge.call };
}

function terminatorToJson(terminator: Terminator): Json {
  switch (terminator.kind) {
    case 'return':
      return { ...terminator, pair: registerPairName(terminator.pair) };
    case 'indirect':
      return { ...terminator, pair: registerPairName(terminator.pair) };
    case 'fallthrough':
    case 'jump':
    case 'branch':
    case 'call':
    case 'end':
    case 'stop':
      return { ...terminator };
  }
}

function callToJson(call: CallSite): Json {
  return {
    address: formatAddress(call.address),
    block: call.block,
    kind: call.kind,
    linkPair: registerPairName(call.linkPair),
    targetPair: call.targetPair < 0 ? null : registerPairName(call.targetPair),
    returnAddress: formatAddress(call.returnAddress),
    returnBlock: call.returnBlock ?? null,
    dynamic: call.dynamic,
    targets: call.targets.map((target) => ({
      address: formatAddress(target.address),
      block: target.block,
      evidence: evidenceToJson(target.evidence),
      checked: target.checked,
    })),
  };
}

function evidenceToJson(evidence: CallSite['targets'][number]['evidence']): Json {
  switch (evidence.kind) {
    case 'getpc':
      return { kind: evidence.kind, at: formatAddress(evidence.at) };
    case 'userData':
      return { kind: evidence.kind, pair: registerPairName(evidence.first) };
    case 'loaded':
      return { kind: evidence.kind, at: formatAddress(evidence.at), source: formatAddress(evidence.source) };
    case 'relative':
    case 'constant':
    case 'registered':
    case 'seen':
      return { kind: evidence.kind };
  }
}

function hexWord(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
