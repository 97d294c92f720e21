/**
 * The command buffers that are being executed: the submit's own, and the indirect buffers entered from it.
 *
 * A buffer is read from memory when it is entered, so earlier packets may have written it. Called buffers return,
 * chained ones do not. Bounded: depth, dwords read per submit (each time a buffer is entered, skipped into or read
 * again), and buffers that enter themselves by call or by chain.
 */

import type { DiagnosticKind } from '../base/diagnostics.ts';
import type { Target } from '../base/dispatch.ts';
import { addToAddress, formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { decodePackets } from './decode.ts';
import type { PathStep } from './events.ts';
import type { PacketStream } from './packet-stream.ts';

export interface Frame {
  stream: PacketStream;
  /** The packet that is being executed. */
  current: number;
  next: number;
  /** Offset of `stream` from the start of the buffer; not 0 after the rest was decoded again. */
  startDword: number;
  readonly address: GuestAddress;
  readonly dwordCount: number;
  /** Buffers that chained to this one, and this one: entering one of them again is a loop. */
  readonly chain: ReadonlySet<GuestAddress>;
}

export interface BufferLimits {
  readonly depth: number;
  readonly dwordsPerSubmit: number;
}

export type Report = (code: string, kind: DiagnosticKind, message: string) => void;

export class BufferStack {
  private readonly target: Target;
  private readonly limits: BufferLimits;
  private readonly frames: Frame[] = [];
  private dwordsRead = 0;

  constructor(target: Target, limits: BufferLimits) {
    this.target = target;
    this.limits = limits;
  }

  /** Starts anew with a submit's buffer; why it cannot be read, to be put after its name. */
  begin(memory: GuestMemory, address: GuestAddress, dwordCount: number): string | undefined {
    this.clear();
    this.dwordsRead = 0;
    const words = this.read(memory, address, dwordCount);
    if (typeof words === 'string') return words;
    this.push(words, address, new Set());
    return undefined;
  }

  clear(): void {
    this.frames.length = 0;
  }

  /** The buffer whose `next` packet comes next; buffers at their end are left. Undefined at the end of the submit. */
  top(): Frame | undefined {
    for (;;) {
      const frame = this.frames.at(-1);
      if (!frame || frame.next < frame.stream.count) return frame;
      this.frames.pop();
    }
  }

  /** Of the packet that is being executed. */
  path(): PathStep[] {
    return this.frames.map((f) => ({
      address: f.address,
      dwordCount: f.dwordCount,
      dwordOffset: f.startDword + f.stream.offsetOf(f.current),
    }));
  }

  enter(memory: GuestMemory, address: GuestAddress, dwordCount: number, chain: boolean, report: Report): void {
    const from = this.frames.at(-1)!;
    if (dwordCount === 0) return;
    if (this.frames.some((f) => f.chain.has(address))) {
      report('PM4005', 'badInput', `indirect buffer ${formatAddress(address)} enters itself; not executed`);
      return;
    }
    if (!chain && this.frames.length >= this.limits.depth) {
      report('PM4006', 'badInput', `indirect buffers are nested deeper than ${this.limits.depth}; not executed`);
      return;
    }
    const words = this.read(memory, address, dwordCount);
    if (typeof words === 'string') {
      report('PM4007', 'fault', `indirect buffer ${words}`);
      return;
    }
    // Hardware drops what follows a chaining packet in its buffer.
    if (chain) this.frames.pop();
    this.push(words, address, chain ? from.chain : new Set());
  }

  /** Leaves out dwords after the current packet. */
  skip(count: number, report: Report): void {
    const frame = this.frames.at(-1)!;
    const { stream } = frame;
    const from = stream.offsetOf(frame.next);
    const length = stream.words.length;
    if (from + count > length) report('PM4008', 'badInput', `skips ${count} dwords, past the end of its buffer`);
    const to = Math.min(from + count, length);
    const index = stream.indexAtOffset(to);
    if (index !== undefined) {
      frame.next = index;
      return;
    }
    report('PM4008', 'badInput', `skips ${count} dwords, which end inside a packet; decoding goes on there`);
    const tooMany = this.countDwords(length - to);
    if (tooMany) this.abandon(frame, `rest of the buffer ${tooMany}`, report);
    else this.decodeAgain(frame, stream.words.subarray(to), to);
  }

  /** Reads what follows the current packet from memory again. */
  reload(memory: GuestMemory, report: Report): void {
    const frame = this.frames.at(-1)!;
    const from = frame.stream.offsetOf(frame.next);
    const left = frame.stream.words.length - from;
    if (left === 0) return;
    const words = this.read(memory, addToAddress(frame.stream.address, 4 * from), left);
    if (typeof words === 'string') this.abandon(frame, `rest of the buffer ${words}`, report);
    else this.decodeAgain(frame, words, from);
  }

  private abandon(frame: Frame, why: string, report: Report): void {
    report('PM4007', 'fault', why);
    frame.next = frame.stream.count;
  }

  private decodeAgain(frame: Frame, words: Uint32Array, from: number): void {
    frame.stream = decodePackets(words, addToAddress(frame.stream.address, 4 * from), this.target);
    frame.startDword += from;
    frame.current = 0;
    frame.next = 0;
  }

  private push(words: Uint32Array, address: GuestAddress, chainedFrom: ReadonlySet<GuestAddress>): void {
    const stream = decodePackets(words, address, this.target);
    const chain = new Set(chainedFrom).add(address);
    this.frames.push({ stream, current: 0, next: 0, startDword: 0, address, dwordCount: words.length, chain });
  }

  private read(memory: GuestMemory, address: GuestAddress, dwordCount: number): Uint32Array | string {
    const where = `at ${formatAddress(address)} (${dwordCount} dwords)`;
    const tooMany = this.countDwords(dwordCount);
    if (tooMany) return `${where} ${tooMany}`;
    const bytes = memory.readBytes(address, 4 * dwordCount);
    return bytes ? wordsOf(bytes) : `${where} is not readable`;
  }

  private countDwords(count: number): string | undefined {
    this.dwordsRead += count;
    if (this.dwordsRead <= this.limits.dwordsPerSubmit) return undefined;
    return `exceeds the ${this.limits.dwordsPerSubmit} dwords that one submit may execute`;
  }
}

/** Little-endian dwords, whatever the host's order and the bytes' alignment. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Uint32Array(bytes.byteLength >>> 2);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true);
  return words;
}
