/**
 * Text of long runs of code: decode and print in one step, with a memory of what was printed.
 *
 * Why a memory: code repeats itself. Waits, moves, address arithmetic and whole prologues come again in every shader of a
 * capture, and words that were printed once need neither decoding nor printing. Direct-mapped by words, so a miss costs
 * one comparison; forms of more than three dwords (long NSA lists) are not kept. Text does not depend on the address:
 * branches show their distance.
 */
import type { Target, WaveSize } from '../base/dispatch.ts';
import { decodeInstruction } from './decode.ts';
import { Instruction } from './instruction.ts';
import type { TextBuffer } from './print/text-buffer.ts';
import { type PrintOptions, writeInstruction } from './print.ts';
import { isGfx7 } from './tables/index.ts';

const SLOT_BITS = 16;
const SLOTS = 1 << SLOT_BITS;
const KEY_DWORDS = 3;
/** Words of remembered text (four characters each) after which everything is forgotten. */
const TEXT_LIMIT = 1 << 21;

/** First words whose second word always belongs to them, so that it may take part in the hash. */
function isWide(word: number, gfx7: boolean): boolean {
  if (word >>> 30 !== 3) return false;
  return gfx7 ? word >>> 27 !== 0x18 && word >>> 26 !== 0x32 : word >>> 26 !== 0x32;
}

export class Lister {
  private readonly target: Target;
  private readonly gfx7: boolean;
  private readonly options: PrintOptions;
  private readonly inst = new Instruction();
  private readonly keys = new Uint32Array(SLOTS * KEY_DWORDS);
  /** Length in dwords; 0: empty slot. */
  private readonly sizes = new Uint8Array(SLOTS);
  private readonly starts = new Uint32Array(SLOTS);
  private readonly lengths = new Uint16Array(SLOTS);
  private text = new Float64Array(1 << 15);
  private textLength = 0;

  constructor(target: Target, waveSize: WaveSize) {
    this.target = target;
    this.gfx7 = isGfx7(target);
    this.options = { target, waveSize };
  }

  /** Appends the text of the instruction at `words[index]`; returns its length in dwords, or an `ILLEGAL` number ≤ 0. */
  append(buffer: TextBuffer, words: Uint32Array, index: number): number {
    const slot = this.slotOf(words, index);
    const size = this.sizes[slot]!;
    if (size !== 0 && this.matches(slot, size, words, index)) {
      buffer.reserve();
      buffer.putUnits(this.text, this.starts[slot]!, this.lengths[slot]!);
      return size;
    }
    const decoded = decodeInstruction(this.target, words, index, this.inst);
    if (decoded <= 0) return decoded;
    const from = buffer.length;
    writeInstruction(buffer, this.inst, this.options);
    if (decoded <= KEY_DWORDS) this.remember(slot, decoded, words, index, buffer, from);
    return decoded;
  }

  private slotOf(words: Uint32Array, index: number): number {
    const first = words[index]!;
    let hash = Math.imul(first, 0x9e3779b1);
    if (index + 1 < words.length && isWide(first, this.gfx7)) hash = Math.imul(hash ^ words[index + 1]!, 0x85ebca6b);
    return hash >>> (32 - SLOT_BITS);
  }

  private matches(slot: number, size: number, words: Uint32Array, index: number): boolean {
    const key = slot * KEY_DWORDS;
    if (this.keys[key] !== words[index] || index + size > words.length) return false;
    if (size > 1 && this.keys[key + 1] !== words[index + 1]) return false;
    return size < 3 || this.keys[key + 2] === words[index + 2];
  }

  private remember(
    slot: number,
    size: number,
    words: Uint32Array,
    index: number,
    buffer: TextBuffer,
    from: number,
  ): void {
    const length = buffer.length - from;
    const needed = (length + 7) >> 3;
    if (this.textLength + needed + 2 > this.text.length) this.makeRoom();
    for (let i = 0; i < size; i++) this.keys[slot * KEY_DWORDS + i] = words[index + i]!;
    this.sizes[slot] = size;
    this.starts[slot] = this.textLength;
    this.lengths[slot] = length;
    buffer.copyUnits(from, needed, this.text, this.textLength);
    this.textLength += needed;
  }

  private makeRoom(): void {
    if (this.text.length >= TEXT_LIMIT) {
      this.sizes.fill(0);
      this.textLength = 0;
      return;
    }
    const larger = new Float64Array(this.text.length * 2);
    larger.set(this.text);
    this.text = larger;
  }
}
