/**
 * The key of a prepared shader: everything that code generation looks at.
 *
 * It holds every decoded word with its address, where control goes (so that two user-data pointers swapped are another
 * key although no byte changed), and the parts of the dispatch that change generated code. Values of user data are not
 * in it: they count only through the targets that they chose and the words that were specialised.
 * Anything new that code generation looks at must be added here, or a stale entry is a wrong answer one day.
 */
import { allocatedVgprs, type ComputeDispatch } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { KeyHash } from './key-hash.ts';
import type { Program } from './program.ts';

/** Raised when the same inputs shall give other code. */
export const KEY_VERSION = 1;

/** What of a dispatch decides the code: `ComputeDispatch` without addresses, group counts and user-data values. */
export type KeyedDispatch = Pick<
  ComputeDispatch,
  | 'threads'
  | 'partialThreads'
  | 'userSgprs'
  | 'tgidEnable'
  | 'tgSizeEnable'
  | 'localIdCount'
  | 'ldsBytes'
  | 'scratchEnable'
  | 'scratchBytesPerWave'
  | 'float'
  | 'rsrc1'
>;

export interface PreparedKeyOptions {
  /** Software and hardware stage, and stage information as text. */
  readonly stage: string;
  readonly lanesPerInvocation: number;
  /** Identifies the device profile's content. */
  readonly profile: string;
  /** Generator version and options as text. */
  readonly options: string;
  /** Descriptors and other words that code generation evaluated on the host. */
  readonly specialisedWords?: readonly { readonly address: GuestAddress; readonly value: number }[];
}

/** 32 hexadecimal digits. */
export function preparedKey(program: Program, dispatch: KeyedDispatch, options: PreparedKeyOptions): string {
  const hash = new KeyHash();
  hash.word(KEY_VERSION);
  addCode(hash, program);
  addControl(hash, program);
  addDispatch(hash, program, dispatch);
  hash.text(options.stage).word(options.lanesPerInvocation).text(options.profile).text(options.options);
  addWords(hash, program.readWords);
  addWords(hash, options.specialisedWords ?? []);
  return hash.digest();
}

function addCode(hash: KeyHash, program: Program): void {
  hash.text(program.target).word(program.waveSize).number(program.entryAddress).word(program.segments.length);
  for (const segment of program.segments) hash.number(segment.address).words(segment.words);
}

/** The map call site → targets, and every other edge: edits may change control without changing a decoded word. */
function addControl(hash: KeyHash, program: Program): void {
  hash.word(program.calls.length);
  for (const call of program.calls) {
    hash.number(call.address).flag(call.dynamic).word(call.targets.length);
    for (const target of call.targets) hash.number(target.address).flag(target.checked);
  }
  hash.word(program.edges.length);
  for (const edge of program.edges) {
    hash.number(program.blocks[edge.from]!.address).number(program.blocks[edge.to]!.address).text(edge.kind);
  }
  for (const block of program.blocks) hash.number(block.address).number(block.end).text(block.terminator.kind);
  // One call site may have several targets, each on its own call path.
  for (const context of program.contexts) {
    for (const t of context.transfers) hash.word(t.from).word(t.to).word(t.context);
  }
}

function addDispatch(hash: KeyHash, { target, waveSize }: Program, dispatch: KeyedDispatch): void {
  for (const count of dispatch.threads) hash.number(count);
  hash.flag(dispatch.threads.some((count, axis) => count !== dispatch.partialThreads[axis]));
  hash.word(dispatch.userSgprs.length);
  for (const enabled of dispatch.tgidEnable) hash.flag(enabled);
  hash.flag(dispatch.tgSizeEnable).word(dispatch.localIdCount).number(dispatch.ldsBytes);
  hash.flag(dispatch.scratchEnable).number(dispatch.scratchBytesPerWave);
  hash.word(allocatedVgprs({ target, waveSize, rsrc1: dispatch.rsrc1 }));
  const { floatMode, dx10Clamp, ieee, fp16Overflow } = dispatch.float;
  hash.word(floatMode).flag(dx10Clamp).flag(ieee).flag(fp16Overflow);
}

function addWords(hash: KeyHash, words: readonly { readonly address: GuestAddress; readonly value: number }[]): void {
  hash.word(words.length);
  for (const word of words) hash.number(word.address).word(word.value);
}
