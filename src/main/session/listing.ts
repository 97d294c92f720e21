/**
 * Listings: instructions with address, words and text, from raw words, from a code object's text or from a program.
 */

import type { Target, WaveSize } from '../base/dispatch.ts';
import { addToAddress, type GuestAddress } from '../base/guest-address.ts';
import {
  decodeLoosely,
  type Encoding,
  ILLEGAL,
  Instruction,
  illegalReason,
  Lister,
  MNEMONICS,
  type Mnemonic,
  printInstruction,
  TextBuffer,
} from '../isa/index.ts';
import type { Program } from '../program/program.ts';

export interface ListingLine {
  readonly address: GuestAddress;
  readonly words: readonly number[];
  readonly text: string;
  /** Why these words are no instruction. */
  readonly illegal?: string;
}

/** Words that are no instruction, so that the listing assembles to them. */
function dataLine(address: GuestAddress, words: Uint32Array, illegal: string): ListingLine {
  const text = Array.from(words, (word) => `0x${word.toString(16).padStart(8, '0')}`).join(', ');
  return { address, words: [...words], text: `.long ${text}`, illegal };
}

/** The line of the illegal words at `index`, with the note about operands that do not belong where they stand. */
export function illegalLine(
  words: Uint32Array,
  index: number,
  address: GuestAddress,
  target: Target,
  waveSize: WaveSize,
): ListingLine {
  const instruction = new Instruction();
  const size = decodeLoosely(target, words, index, instruction);
  if (size <= 0) return dataLine(address, words.subarray(index, index + 1), illegalReason(size));
  const text = printInstruction(instruction, { target, waveSize });
  return dataLine(address, words.subarray(index, index + size), `${illegalReason(ILLEGAL.OPERAND)}: ${text}`);
}

/** Straight through the words, illegal ones included; never fails. */
export function eachLine(
  words: Uint32Array,
  address: GuestAddress,
  target: Target,
  waveSize: WaveSize,
  visit: (line: ListingLine) => void,
): void {
  const lister = new Lister(target, waveSize);
  const buffer = new TextBuffer();
  for (let index = 0; index < words.length; ) {
    const at = addToAddress(address, 4 * index);
    buffer.clear();
    const size = lister.append(buffer, words, index);
    const line =
      size > 0
        ? { address: at, words: [...words.subarray(index, index + size)], text: buffer.toString() }
        : illegalLine(words, index, at, target, waveSize);
    visit(line);
    index += line.words.length;
  }
}

export function listWords(
  words: Uint32Array,
  address: GuestAddress,
  target: Target,
  waveSize: WaveSize,
): ListingLine[] {
  const lines: ListingLine[] = [];
  eachLine(words, address, target, waveSize, (line) => void lines.push(line));
  return lines;
}

export interface ProgramListingBlock {
  readonly id: number;
  readonly address: GuestAddress;
  readonly origin: string;
  readonly lines: readonly ProgramListingLine[];
}

export interface ProgramListingLine extends ListingLine {
  readonly mnemonic: Mnemonic;
  readonly encoding: Encoding;
}

/** The blocks of a program in order of address, each with its instructions. */
export function listProgram(program: Program): ProgramListingBlock[] {
  const { target, waveSize } = program;
  return program.blocks.map((block) => ({
    id: block.id,
    address: block.address,
    origin: program.segments[block.segment]?.origin ?? 'entry',
    lines: block.instructions.map(({ address, instruction }) => {
      const segment = program.segments[block.segment]!;
      const from = (address - segment.address) / 4;
      return {
        address,
        words: [...segment.words.subarray(from, from + instruction.sizeDwords)],
        text: printInstruction(instruction, { target, waveSize }),
        mnemonic: MNEMONICS[instruction.op]!,
        encoding: instruction.encoding,
      };
    }),
  }));
}
