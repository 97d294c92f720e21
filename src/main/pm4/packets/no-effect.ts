/**
 * Packets that change nothing which a capture holds: preambles, buffer switches, frame marks of the kernel, prefetch
 * of address translations. They are decoded and pass without an event.
 */

import type { Generation } from '../generation.ts';
import { address, bits, EVERY_GENERATION, flag, type PacketDefinition, type PacketField, word } from './definition.ts';

function passed(
  name: string,
  opcode: number,
  dwords: number,
  fields: readonly PacketField[],
  generations: readonly Generation[] = EVERY_GENERATION,
): PacketDefinition {
  return { name, opcode, generations, body: [dwords, dwords], fields, execute: () => undefined };
}

const PREAMBLE = { 0: 'BEGIN', 1: 'END', 2: 'BEGIN_CLEAR_STATE', 3: 'END_CLEAR_STATE' };

export const PREAMBLE_CNTL = passed('PREAMBLE_CNTL', 0x4a, 1, [bits('COMMAND', 0, 28, 4, { values: PREAMBLE })]);
export const SWITCH_BUFFER = passed('SWITCH_BUFFER', 0x8b, 1, [word('DUMMY', 0)]);
export const FRAME_CONTROL = passed(
  'FRAME_CONTROL',
  0x90,
  1,
  [flag('TMZ', 0, 0), bits('COMMAND', 0, 28, 4, { values: { 0: 'BEGIN', 1: 'END' } })],
  ['gfx10'],
);
export const PRIME_UTCL2 = passed(
  'PRIME_UTCL2',
  0x5d,
  4,
  [
    bits('CACHE_PERM', 0, 0, 3),
    flag('PRIME_MODE', 0, 3),
    bits('ENGINE_SEL', 0, 30, 2),
    address('ADDR', 1),
    bits('REQUESTED_PAGES', 3, 0, 14),
  ],
  ['gfx10'],
);
