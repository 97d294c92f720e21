/**
 * A listing as a stream of text: one line an instruction, with its address and words as a comment behind it.
 *
 * Why beside listing.ts: code of millions of instructions must not become millions of objects and strings first. Text goes
 * from the lister into one buffer and to the sink whenever the buffer has filled; memory does not grow with the code.
 */
import type { Target, WaveSize } from '../base/dispatch.ts';
import { addToAddress, type GuestAddress } from '../base/guest-address.ts';
import { Lister, TextBuffer } from '../isa/index.ts';
import { illegalLine, type ListingLine } from './listing.ts';

const CHUNK = 1 << 18;
const TEXT_WIDTH = 60;
const ADDRESS_DIGITS = 12;
const LONGEST_HEADING = 512;
const TAB = 9;
const NEWLINE = 10;
const BLANK = 32;

export class ListingWriter {
  private readonly target: Target;
  private readonly waveSize: WaveSize;
  private readonly sink: (text: Uint8Array) => void;
  private readonly lister: Lister;
  private readonly buffer = new TextBuffer(2 * CHUNK);
  /** Lines of instructions, and of words that are none. */
  decoded = 0;
  illegal = 0;

  /** The sink must not keep the bytes. */
  constructor(target: Target, waveSize: WaveSize, sink: (text: Uint8Array) => void) {
    this.target = target;
    this.waveSize = waveSize;
    this.sink = sink;
    this.lister = new Lister(target, waveSize);
  }

  /** Straight through the words, illegal ones included. */
  words(words: Uint32Array, address: GuestAddress): void {
    const { buffer, lister } = this;
    for (let index = 0; index < words.length; ) {
      const at = addToAddress(address, 4 * index);
      const start = buffer.length;
      buffer.reserve();
      buffer.character(TAB);
      const size = lister.append(buffer, words, index);
      if (size > 0) {
        this.decoded++;
        this.finishLine(start, at, words, index, size);
        index += size;
      } else {
        buffer.length = start;
        const line = illegalLine(words, index, at, this.target, this.waveSize);
        this.line(line);
        index += line.words.length;
      }
    }
  }

  /** A line that is there already. */
  line(line: ListingLine): void {
    const { buffer } = this;
    const start = buffer.length;
    buffer.reserve();
    buffer.character(TAB);
    buffer.text(line.text);
    if (line.illegal === undefined) this.decoded++;
    else this.illegal++;
    this.finishLine(start, line.address, Uint32Array.from(line.words), 0, line.words.length, line.illegal);
  }

  /** A line of its own: a label, a comment. */
  heading(text: string): void {
    this.buffer.reserve();
    this.buffer.text(text.slice(0, LONGEST_HEADING));
    this.endLine();
  }

  /** What the buffer still holds. */
  end(): void {
    if (this.buffer.length > 0) this.sink(this.buffer.bytes.subarray(0, this.buffer.length));
    this.buffer.clear();
  }

  private finishLine(
    start: number,
    address: GuestAddress,
    words: Uint32Array,
    index: number,
    size: number,
    note?: string,
  ): void {
    const { buffer } = this;
    buffer.reserve();
    buffer.padTo(start + 1 + TEXT_WIDTH);
    buffer.text('; ');
    buffer.hexDigits(Math.floor(address / 2 ** 32), ADDRESS_DIGITS - 8);
    buffer.hexDigits(address >>> 0, 8);
    buffer.text(':');
    for (let i = 0; i < size; i++) {
      buffer.character(BLANK);
      buffer.hexDigits(words[index + i]!, 8);
    }
    if (note !== undefined) buffer.text(`  ${note}`);
    this.endLine();
  }

  private endLine(): void {
    this.buffer.character(NEWLINE);
    if (this.buffer.length >= CHUNK) this.end();
  }
}
