/**
 * What a run left in memory, word by word: the ranges that the capture expects, and those that the run wrote besides.
 */
import type { OutputPage, OutputView } from '../../../preload/contract/run.ts';
import { formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import { type GuestMemory, PAGE_SIZE } from '../../base/guest-memory.ts';
import type { MemoryExpectation } from '../../capture/format/model.ts';
import type { OpenCapture } from '../../capture/store/open-capture.ts';
import { compareWords } from '../compare-words.ts';
import type { CaptureNames } from '../replay.ts';

/** Written words this far apart still belong to one output. */
const GAP_BYTES = 64;
const MAX_OUTPUTS = 512;

export interface RunMemory {
  readonly before: GuestMemory;
  readonly after: GuestMemory;
  /** Thread that wrote a word last, by its address, where that was recorded. */
  readonly writers: ReadonlyMap<number, number>;
}

export interface Output {
  readonly view: OutputView;
  readonly expectation?: { readonly entry: MemoryExpectation; readonly bytes: Uint8Array };
}

/** `number`: of the dispatch among all dispatches. `after` is a fork of `before`, or the same when nothing ran. */
export function outputsOf(open: OpenCapture, names: CaptureNames, number: number, memory: RunMemory): Output[] {
  const written = Float64Array.from(writtenWords(memory));
  const expected = expectedOutputs(open, names, number, written);
  const others = otherOutputs(names, expected, written);
  // What nothing wrote is looked at last.
  const isIdle = ({ view }: Output): number => (view.written === 0 ? 1 : 0);
  return [...expected, ...others].sort((a, b) => isIdle(a) - isIdle(b));
}

function expectedOutputs(open: OpenCapture, names: CaptureNames, number: number, written: Float64Array): Output[] {
  const outputs: Output[] = [];
  for (const entry of open.capture.expected) {
    if (entry.kind !== 'memory' || entry.event !== number) continue;
    const bytes = open.payload(entry.payload);
    if (!bytes.ok) continue;
    const words = bytes.value.length >> 2;
    const end = entry.address + 4 * words;
    outputs.push({
      view: {
        address: entry.address,
        words,
        label: labelOf(names, entry.address),
        written: lowerBound(written, end) - lowerBound(written, entry.address),
        expected: words,
        source: entry.source,
      },
      expectation: { entry, bytes: bytes.value },
    });
  }
  return outputs.sort((a, b) => a.view.address - b.view.address);
}

/** Written words that nothing is expected of, those near each other together. */
function otherOutputs(names: CaptureNames, expected: readonly Output[], written: Float64Array): Output[] {
  const covered = (address: number): boolean =>
    expected.some(({ view }) => address >= view.address && address < view.address + 4 * view.words);
  const others: Output[] = [];
  let start = -1;
  let end = -1;
  let count = 0;
  const close = (): void => {
    if (start < 0) return;
    const label = labelOf(names, start as GuestAddress);
    others.push({ view: { address: start, words: (end - start) / 4, label, written: count, expected: 0 } });
  };
  for (const address of written) {
    if (covered(address)) continue;
    if (start < 0 || address - end > GAP_BYTES) {
      close();
      if (others.length >= MAX_OUTPUTS) return others;
      start = address;
      count = 0;
    }
    end = address + 4;
    count++;
  }
  close();
  return others;
}

/** Index of the first entry that is not below `value`. */
function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function labelOf(names: CaptureNames, address: GuestAddress): string {
  const name = names.shader(address);
  return name === formatAddress(address) ? '' : name;
}

/** Ascending addresses of words that were written, or at least changed. */
function* writtenWords({ before, after, writers }: RunMemory): Generator<number> {
  if (before === after) return;
  const known = [...writers.keys()].sort((a, b) => a - b);
  if (known.length > 0) {
    yield* known;
    return;
  }
  for (const page of after.writtenPages()) {
    const address = page * PAGE_SIZE;
    const a = before.peekBytes(address as GuestAddress, PAGE_SIZE);
    const b = after.peekBytes(address as GuestAddress, PAGE_SIZE);
    if (!a || !b) continue;
    const x = new Uint32Array(a.buffer, a.byteOffset, PAGE_SIZE / 4);
    const y = new Uint32Array(b.buffer, b.byteOffset, PAGE_SIZE / 4);
    for (let i = 0; i < y.length; i++) if (x[i] !== y[i]) yield address + 4 * i;
  }
}

/** Words `from` … of an output. Unmapped words read 0, which cannot happen for what was written. */
export function outputPage(output: Output, memory: RunMemory, from: number, wanted: number): OutputPage {
  const count = Math.max(0, Math.min(wanted, output.view.words - from));
  const address = output.view.address + 4 * from;
  const after = wordsAt(memory.after, address, count);
  const check = new Uint8Array(count);
  const expected = new Uint32Array(count);
  if (output.expectation) {
    const { entry, bytes } = output.expectation;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < count; i++) {
      expected[i] = view.getUint32(4 * (from + i), true);
      check[i] = expected[i] === after[i] || isTolerated(entry, bytes, memory.after, from + i) ? 1 : 2;
    }
  }
  const thread = Int32Array.from({ length: count }, (_, i) => memory.writers.get(address + 4 * i) ?? -1);
  return { address, after, before: wordsAt(memory.before, address, count), check, expected, thread };
}

function wordsAt(memory: GuestMemory, address: number, count: number): Uint32Array {
  const bytes = memory.peekBytes(address as GuestAddress, 4 * count);
  if (!bytes) return new Uint32Array(count);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
}

/** Whether an exception of the expectation allows this word to differ as it does. */
function isTolerated(entry: MemoryExpectation, bytes: Uint8Array, memory: GuestMemory, word: number): boolean {
  const exception = entry.exceptions.find((e) => word >= e.firstWord && word < e.firstWord + e.words);
  if (!exception) return false;
  const words = exception.type === 'f64' ? 2 : 1;
  const first = exception.type === 'f64' ? word - ((word - exception.firstWord) & 1) : word;
  const actual = memory.peekBytes((entry.address + 4 * first) as GuestAddress, 4 * words);
  const wanted = bytes.subarray(4 * first, 4 * (first + words));
  if (!actual || wanted.length !== actual.length) return false;
  return compareWords(wanted, actual, [{ ...exception, firstWord: 0, words }]).differing === 0;
}
