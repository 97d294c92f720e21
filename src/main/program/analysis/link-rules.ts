/**
 * The rules by which a pair of values becomes a call target, a return or a refusal. One function a rule, so that each
 * can be read, tested and broken on its own.
 */
import { addressFromHalves, type GuestAddress } from '../../base/guest-address.ts';
import type { CallKind, TargetEvidence } from '../program.ts';
import type { Value, ValueNumber, ValueTable } from '../values/value-table.ts';
import type { Pair } from './enumerate-pair.ts';

/** A link as a value: which call made it, in which context, and whether it came through scratch. */
export interface LinkValue {
  readonly call: GuestAddress;
  readonly context: number;
  readonly reloaded: boolean;
}

export function pairAddress(table: ValueTable, pair: Pair): GuestAddress {
  return addressFromHalves(table.bits[pair.low]!, table.bits[pair.high]!);
}

/** Rule: a jump returns when both halves of its pair are the two halves of one call's link, copied or kept anywhere. */
export function linkOf(table: ValueTable, pair: Pair): LinkValue | undefined {
  const low = throughReload(table, pair.low);
  const high = throughReload(table, pair.high);
  if (low.value.kind !== 'link' || high.value.kind !== 'link') return undefined;
  if (low.value.half !== 0 || high.value.half !== 1) return undefined;
  if (low.value.call !== high.value.call || low.value.context !== high.value.context) return undefined;
  return { call: low.value.call, context: low.value.context, reloaded: low.reloaded || high.reloaded };
}

function throughReload(table: ValueTable, id: ValueNumber): { readonly value: Value; readonly reloaded: boolean } {
  const value = table.values[id]!;
  return value.kind === 'reload'
    ? { value: table.values[value.operands[0]!]!, reloaded: true }
    : { value, reloaded: false };
}

/** Rule: an address computed from a link (a return past inline data) belongs to the context of the call that made it. */
export function linkInside(table: ValueTable, id: ValueNumber): LinkValue | undefined {
  let found: LinkValue | undefined;
  visit(table, id, (value) => {
    if (value.kind === 'link') found = { call: value.call, context: value.context, reloaded: false };
  });
  return found;
}

/**
 * Rule: where nothing is known of a pair in a callee, it may be the callee's link only when it was kept in memory or in
 * lanes; a pair that arithmetic made (a jump table) never is. An assumed return is checked at run time.
 */
export function mayBeKeptLink(table: ValueTable, pair: Pair): boolean {
  return isKept(table, pair.low) && isKept(table, pair.high);
}

function isKept(table: ValueTable, id: ValueNumber): boolean {
  const value = table.values[id]!;
  switch (value.kind) {
    case 'link':
    case 'load':
    case 'reload':
    case 'phi':
      return true;
    case 'opaque':
      return value.nature !== 'computed';
    case 'constant':
    case 'user':
    case 'initial':
    case 'getpc':
    case 'operation':
      return false;
  }
}

/** Rule: how the target was found decides what must be checked and what the key must hold. */
export function evidenceOf(table: ValueTable, pair: Pair): TargetEvidence {
  const low = outermost(table, pair.low, 'load') ?? outermost(table, pair.high, 'load');
  if (low?.kind === 'load' && low.source !== undefined) return { kind: 'loaded', at: low.at, source: low.source };
  const user = outermost(table, pair.low, 'user') ?? outermost(table, pair.high, 'user');
  if (user?.kind === 'user') return { kind: 'userData', first: user.index };
  const getpc = outermost(table, pair.low, 'getpc') ?? outermost(table, pair.high, 'getpc');
  if (getpc?.kind === 'getpc') return { kind: 'getpc', at: getpc.at };
  const link = linkInside(table, pair.low) ?? linkInside(table, pair.high);
  return link ? { kind: 'getpc', at: link.call } : { kind: 'constant' };
}

export function kindOfEvidence(evidence: TargetEvidence): CallKind {
  switch (evidence.kind) {
    case 'getpc':
    case 'relative':
    case 'constant':
      return 'static';
    case 'userData':
      return 'userData';
    case 'registered':
      return 'fetch';
    case 'loaded':
      return 'loaded';
    case 'seen':
      return 'dynamic';
  }
}

/** Rule: user SGPR pair `first` itself, copied but not computed with: what a fetch call goes through. */
export function plainUserPair(table: ValueTable, pair: Pair): number | undefined {
  const low = table.values[pair.low]!;
  const high = table.values[pair.high]!;
  if (low.kind !== 'user' || high.kind !== 'user' || high.index !== low.index + 1) return undefined;
  return low.index;
}

/** Rule: the first user SGPR that is missing for the pair to be known: its call is deferred to a dispatch. */
export function missingUserData(table: ValueTable, pair: Pair): number | undefined {
  let missing: number | undefined;
  let other = false;
  for (const id of [pair.low, pair.high]) {
    visit(table, id, (value, number) => {
      if (table.bits[number]! >= 0) return;
      if (value.kind === 'user') missing = Math.min(missing ?? value.index, value.index);
      else if (value.kind !== 'operation' && value.kind !== 'load' && value.kind !== 'reload') other = true;
    });
  }
  return other ? undefined : missing;
}

/** Rule: a value that came back from scratch holds only as long as nobody else wrote there. */
export function passedThroughScratch(table: ValueTable, pair: Pair): boolean {
  return (outermost(table, pair.low, 'reload') ?? outermost(table, pair.high, 'reload')) !== undefined;
}

/** Words of captured memory on which the pair depends. */
export function wordsBehind(
  table: ValueTable,
  pair: Pair,
): { readonly address: GuestAddress; readonly value: number }[] {
  const words: { address: GuestAddress; value: number }[] = [];
  for (const id of [pair.low, pair.high]) {
    visit(table, id, (value, number) => {
      const bits = table.bits[number]!;
      if (value.kind === 'load' && value.source !== undefined && bits >= 0)
        words.push({ address: value.source, value: bits });
    });
  }
  return words;
}

/** A load on the way to the pair whose memory is not readable. */
export function unreadableLoad(
  table: ValueTable,
  pair: Pair,
): { readonly at: GuestAddress; readonly source: GuestAddress } | undefined {
  let found: { at: GuestAddress; source: GuestAddress } | undefined;
  for (const id of [pair.low, pair.high]) {
    visit(table, id, (value, number) => {
      if (value.kind === 'load' && value.source !== undefined && table.bits[number]! < 0) {
        found ??= { at: value.at, source: value.source };
      }
    });
  }
  return found;
}

/** Where the first part that is not followed was written, for messages. */
export function opaqueOrigin(table: ValueTable, pair: Pair): GuestAddress | undefined {
  let at: GuestAddress | undefined;
  for (const id of [pair.low, pair.high]) {
    visit(table, id, (value) => {
      if (value.kind === 'opaque') at ??= value.at;
    });
  }
  return at;
}

/** The value of the given kind that is nearest to the root. */
function outermost(table: ValueTable, root: ValueNumber, kind: Value['kind']): Value | undefined {
  let found: Value | undefined;
  visit(table, root, (value) => {
    if (!found && value.kind === kind) found = value;
  });
  return found;
}

/** Breadth first over a value and everything that it was made from. */
function visit(table: ValueTable, root: ValueNumber, see: (value: Value, id: ValueNumber) => void): void {
  const queue = [root];
  const seen = new Set(queue);
  for (let i = 0; i < queue.length; i++) {
    see(table.values[queue[i]!]!, queue[i]!);
    for (const operand of table.operandsOf(queue[i]!)) {
      if (seen.has(operand)) continue;
      seen.add(operand);
      queue.push(operand);
    }
  }
}
