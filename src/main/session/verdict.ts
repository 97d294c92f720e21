/**
 * What a run of a dispatch is worth: compared with the capture's expectations, and with another engine's memory.
 */
import { type Diagnostic, formatDiagnostic } from '../base/diagnostics.ts';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import { type GuestMemory, PAGE_SIZE } from '../base/guest-memory.ts';
import type { ExpectationException } from '../capture/format/model.ts';
import type { OpenCapture } from '../capture/store/open-capture.ts';
import type { BackendName, EngineRun } from '../driver/engine.ts';
import { compareWords, type WordDifference } from './compare-words.ts';

/**
 * equal: everything expected holds · differs: some word does not · refused: refused as expected · unexpected: refused or
 * failed without being expected to, or ran although a refusal was expected · unchecked: ran, nothing to compare with.
 */
export type VerdictKind = 'equal' | 'differs' | 'refused' | 'unexpected' | 'unchecked';

export interface AddressedDifference extends WordDifference {
  readonly address: GuestAddress;
}

export interface Verdict {
  readonly kind: VerdictKind;
  readonly backend: BackendName;
  readonly words: number;
  readonly exact: number;
  /** Words with an exception, and those of them that differ inside their bound. */
  readonly excepted: number;
  readonly tolerated: number;
  readonly largestUlp: number;
  readonly differing: number;
  readonly differences: readonly AddressedDifference[];
  /** Where the expected values come from. */
  readonly sources: readonly string[];
  readonly reasons: readonly string[];
  /** In words, for anything but `equal`. */
  readonly message?: string;
}

const NO_WORDS = {
  words: 0,
  exact: 0,
  excepted: 0,
  tolerated: 0,
  largestUlp: 0,
  differing: 0,
  differences: [],
  sources: [],
  reasons: [],
} as const;

export function judge(
  open: OpenCapture,
  number: number,
  run: EngineRun | undefined,
  memory: GuestMemory,
  diagnostics: readonly Diagnostic[],
  backend: BackendName,
): Verdict {
  const expected = open.capture.expected.filter((e) => e.event === number);
  const refusal = expected.find((e) => e.kind === 'refused' && (e.backend === undefined || e.backend === backend));
  const codes = diagnostics.map((d) => d.code);
  if (refusal?.kind === 'refused') {
    if (run?.status !== 'completed' && codes.includes(refusal.code)) {
      return {
        kind: 'refused',
        backend,
        ...NO_WORDS,
        message: `refused(${refusal.code}) as expected: ${refusal.reason}`,
      };
    }
    const instead = run?.status === 'completed' ? 'it ran' : `got ${codes.join(', ') || 'nothing'}`;
    return { kind: 'unexpected', backend, ...NO_WORDS, message: `expected refused(${refusal.code}), but ${instead}` };
  }
  if (run?.status !== 'completed') {
    const why = diagnostics.find((d) => d.kind !== 'warning' && d.kind !== 'note');
    return {
      kind: 'unexpected',
      backend,
      ...NO_WORDS,
      message: why ? formatDiagnostic(why) : `status ${run?.status ?? 'not run'}`,
    };
  }
  const memories = expected.filter((e) => e.kind === 'memory');
  if (memories.length === 0)
    return { kind: 'unchecked', backend, ...NO_WORDS, message: 'the capture expects nothing of this dispatch' };
  const total = { words: 0, exact: 0, excepted: 0, tolerated: 0, largestUlp: 0, differing: 0 };
  const differences: AddressedDifference[] = [];
  const sources = new Set<string>();
  const reasons = new Set<string>();
  for (const entry of memories) {
    const payload = open.payload(entry.payload);
    if (!payload.ok) return { kind: 'unexpected', backend, ...NO_WORDS, message: formatDiagnostic(payload.error[0]!) };
    const actual = memory.peekBytes(entry.address, payload.value.length);
    if (!actual)
      return { kind: 'unexpected', backend, ...NO_WORDS, message: `${formatAddress(entry.address)} is not mapped` };
    const c = compareWords(payload.value, actual, entry.exceptions);
    total.words += c.words;
    total.exact += c.equal;
    total.excepted += c.excepted;
    total.tolerated += c.tolerated;
    total.largestUlp = Math.max(total.largestUlp, c.largestUlp);
    total.differing += c.differing;
    for (const d of c.differences) differences.push({ ...d, address: (entry.address + 4 * d.word) as GuestAddress });
    sources.add(entry.source);
    for (const e of entry.exceptions) reasons.add(e.reason);
  }
  const counted = { backend, ...total, differences, sources: [...sources], reasons: [...reasons] };
  if (total.differing === 0) return { kind: 'equal', ...counted };
  const first = differences[0]!;
  const text = `${total.differing} of ${total.words} words differ, first at ${formatAddress(first.address)}: expected ${hex(first.expected)}, got ${hex(first.actual)}`;
  return { kind: 'differs', ...counted, message: text };
}

function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, '0')}`;
}

export interface MemoryDifference {
  readonly words: number;
  readonly differing: number;
  readonly first?: { readonly address: GuestAddress; readonly left: number; readonly right: number };
}

/**
 * Addresses of words that may hold anything after this dispatch, by its expectations and those before it: what they hold
 * depends on the order of waves, so two engines need not agree.
 */
export function freeWords(open: OpenCapture, number: number): ReadonlySet<number> {
  const free = new Set<number>();
  for (const entry of open.capture.expected) {
    if (entry.kind !== 'memory' || entry.event > number) continue;
    for (const { bound, firstWord, words } of entry.exceptions)
      if (bound === 'any') for (let i = 0; i < words; i++) free.add(entry.address + 4 * (firstWord + i));
  }
  return free;
}

/** Every page that either side wrote, word by word, but for `free` words. Both are forks of the same memory. */
export function compareMemories(
  left: GuestMemory,
  right: GuestMemory,
  free: ReadonlySet<number> = new Set(),
): MemoryDifference {
  return comparePages(right, left.writtenPages(), () => undefined, left, free);
}

/**
 * The pages that `right` wrote and those of `pages`, word by word. The left side of a page is what `pageOf` gives, else
 * what `left` holds there.
 */
export function comparePages(
  right: GuestMemory,
  pages: Iterable<number>,
  pageOf: (page: number) => Uint8Array | undefined,
  left: GuestMemory,
  free: ReadonlySet<number> = new Set(),
): MemoryDifference {
  const freeByPage = new Map<number, ExpectationException[]>();
  for (const at of free) {
    const page = Math.floor(at / PAGE_SIZE);
    const list = freeByPage.get(page) ?? [];
    if (list.length === 0) freeByPage.set(page, list);
    list.push({ firstWord: (at - page * PAGE_SIZE) / 4, words: 1, type: 'u32', bound: 'any', reason: '' });
  }
  let words = 0;
  let differing = 0;
  let first: MemoryDifference['first'];
  for (const page of [...new Set([...pages, ...right.writtenPages()])].sort((a, b) => a - b)) {
    const address = (page * PAGE_SIZE) as GuestAddress;
    const a = pageOf(page) ?? left.peekBytes(address, PAGE_SIZE);
    const b = right.peekBytes(address, PAGE_SIZE);
    if (!a || !b) continue;
    const c = compareWords(a, b, freeByPage.get(page) ?? []);
    words += c.words;
    differing += c.differing;
    const d = c.differences[0];
    if (d && !first) first = { address: (address + 4 * d.word) as GuestAddress, left: d.expected, right: d.actual };
  }
  return first ? { words, differing, first } : { words, differing };
}
