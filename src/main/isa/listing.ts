/**
 * Text of long runs of code: decode and print in one step, with a memory of what was printed.
 *
 * Why a memory: code repeats itself. Waits, moves, address arithmetic and whole prologues come again in every shader of a
 * capture, and words that were printed once need neither decoding nor printing. Text does not depend on the address:
 * branches show their distance. Forms of more than three dwords (long NSA lists) are not kept.
 *
 * The memory is bounded (2 MB of slots, 4 MB of text, of which the system gives what is touched): when it is full
 * everything is forgotten, and when little of it was of use the next stretch of code goes without.
 */
import type { Target, WaveSize } from '../base/dispatch.ts';
import { decodeInstruction } from './decode.ts';
import { Instruction } from './instruction.ts';
import type { TextBuffer } from './print/text-buffer.ts';
import { type PrintOptions, writeInstruction } from './print.ts';
import { isGfx7 } from './tables/index.ts';

/** A slot of the open-addressed table: three words of code, then where their text is. Four fit a cache line. */
const SLOT_WORDS = 4;
const KEY_DWORDS = 3;
const SLOTS = 1 << 17;
const MASK = SLOTS - 1;
const MOST_ENTRIES = SLOTS / 2;

/** The last word of a slot: start of the text in units of eight characters, its length, dwords of code. 0: empty slot. */
const START_SHIFT = 10;
const LENGTH_SHIFT = 2;
const LONGEST_TEXT = 255;
/** Room for as many texts of 64 characters as there are entries. */
const TEXT_UNITS = 8 * MOST_ENTRIES;

/** Less than one hit in so many instructions: the memory is not worth its upkeep for a while. */
const WORTH = 8;
const REST = 4;

/** Vector source codes 233…255 after which a second dword follows (DPP8, SDWA, DPP16, literal), as bits from 233 on. */
const SECOND_FOLLOWS = 0b10000110000000000000011;
const FIRST_SPECIAL = 233;
const LITERAL = 255;

/** Whether the second word surely belongs to the first, so that it takes part in the hash. Only a guess is needed. */
function hasSecond(word: number, gfx7: boolean): boolean {
  if (word >>> 31 === 0) {
    const code = word & 0x1ff;
    return code >= FIRST_SPECIAL && code <= LITERAL && ((SECOND_FOLLOWS >>> (code - FIRST_SPECIAL)) & 1) !== 0;
  }
  if (word >>> 30 === 3) return word >>> 26 !== 0x32 && !(gfx7 && word >>> 27 === 0x18);
  // SOP2 and SOP1; the other scalar families have immediates in these bits.
  if (word >>> 28 !== 0xb) return (word & 0xff) === LITERAL || ((word >>> 8) & 0xff) === LITERAL;
  return word >>> 23 === 0x17d && (word & 0xff) === LITERAL;
}

export class Lister {
  private readonly target: Target;
  private readonly gfx7: boolean;
  private readonly options: PrintOptions;
  private readonly inst = new Instruction();
  private readonly slots = new Uint32Array(SLOTS * SLOT_WORDS);
  private entries = 0;
  private readonly text = new Float64Array(TEXT_UNITS);
  private readonly textWords = new Uint32Array(this.text.buffer);
  private units = 0;
  private hits = 0;
  /** Instructions to list without the memory. */
  private resting = 0;

  constructor(target: Target, waveSize: WaveSize) {
    this.target = target;
    this.gfx7 = isGfx7(target);
    this.options = { target, waveSize };
  }

  /** Appends the text of the instruction at `words[index]`; returns its length in dwords, or an `ILLEGAL` number ≤ 0. */
  append(buffer: TextBuffer, words: Uint32Array, index: number): number {
    if (this.resting > 0) {
      this.resting--;
      return this.print(buffer, words, index);
    }
    const { slots } = this;
    const first = words[index]!;
    const hash = this.hashOf(first, index + 1 < words.length ? words[index + 1]! : 0);
    for (let slot = hash & MASK; ; slot = (slot + 1) & MASK) {
      const at = slot * SLOT_WORDS;
      const entry = slots[at + KEY_DWORDS]!;
      if (entry === 0) return this.printAndRemember(buffer, words, index, at);
      if (slots[at] !== first) continue;
      const size = entry & 3;
      if (index + size > words.length) continue;
      if (size > 1 && slots[at + 1] !== words[index + 1]) continue;
      if (size > 2 && slots[at + 2] !== words[index + 2]) continue;
      this.hits++;
      buffer.reserve();
      buffer.putUnits(this.text, entry >>> START_SHIFT, (entry >>> LENGTH_SHIFT) & LONGEST_TEXT);
      return size;
    }
  }

  private print(buffer: TextBuffer, words: Uint32Array, index: number): number {
    const size = decodeInstruction(this.target, words, index, this.inst);
    if (size > 0) writeInstruction(buffer, this.inst, this.options);
    return size;
  }

  private hashOf(first: number, second: number): number {
    let hash = Math.imul(first, 0x9e3779b1);
    if (hasSecond(first, this.gfx7)) hash = Math.imul((hash ^ (hash >>> 15)) + second, 0x85ebca6b);
    return (hash ^ (hash >>> 15)) >>> 0;
  }

  private printAndRemember(buffer: TextBuffer, words: Uint32Array, index: number, at: number): number {
    const from = buffer.length;
    const size = this.print(buffer, words, index);
    const length = buffer.length - from;
    if (size <= 0 || size > KEY_DWORDS || length > LONGEST_TEXT) return size;
    const { slots } = this;
    for (let i = 0; i < size; i++) slots[at + i] = words[index + i]!;
    slots[at + KEY_DWORDS] = (this.units << START_SHIFT) | (length << LENGTH_SHIFT) | size;
    buffer.copyWords(from, length, this.textWords, 2 * this.units);
    this.units += (length + 7) >> 3;
    this.entries++;
    if (this.entries >= MOST_ENTRIES || this.units + LONGEST_TEXT > TEXT_UNITS) this.forget();
    return size;
  }

  private forget(): void {
    if (this.hits * WORTH < this.entries) this.resting = REST * this.entries;
    this.slots.fill(0);
    this.entries = 0;
    this.units = 0;
    this.hits = 0;
  }
}
