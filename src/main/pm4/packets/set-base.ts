/**
 * SET_BASE: addresses that later packets are relative to. Index 1 is the base of the arguments of indirect draws and
 * dispatches; the others are kept by nobody here and only show.
 */
import { address, addressAt, bits, EVERY_GENERATION, type PacketDefinition, word } from './definition.ts';

const BASES: Readonly<Record<number, string>> = {
  0: 'DISPLAY_LIST_PATCH_TABLE',
  1: 'INDIRECT_ARGUMENTS',
  2: 'GDS_PARTITION',
  3: 'CE_PARTITION',
  4: 'LOAD_REG_INDEX',
  5: 'INDIRECT_DATA',
};
const INDIRECT_ARGUMENTS = 1;
const isPartition = (body: Uint32Array) => [2, 3].includes(body[0]! & 15);

export const SET_BASE: PacketDefinition = {
  name: 'SET_BASE',
  opcode: 0x11,
  generations: EVERY_GENERATION,
  body: [3, 3],
  fields: [
    bits('BASE_INDEX', 0, 0, 4, { values: BASES }),
    address('ADDRESS', 1, { alignBits: 3, when: (body) => !isPartition(body) }),
    word('CS1_INDEX', 1, { when: isPartition }),
    word('CS2_INDEX', 2, { when: isPartition }),
  ],
  execute({ body }, context) {
    if ((body[0]! & 15) === INDIRECT_ARGUMENTS) context.state.setProcessor({ indirectBase: addressAt(body, 1, 3) });
    return undefined;
  },
};
