/**
 * OCCLUSION_QUERY, STRMOUT_BUFFER_UPDATE and ATOMIC_GDS: decoded, refused when executed, because what they count or
 * compute is not kept.
 */
import { address, bits, EVERY_GENERATION, type PacketDefinition, type PacketField, word } from './definition.ts';

function refused(
  name: string,
  opcode: number,
  dwords: number,
  why: string,
  fields: readonly PacketField[],
): PacketDefinition {
  return {
    name,
    opcode,
    generations: EVERY_GENERATION,
    body: [dwords, dwords],
    fields,
    execute(_packet, context) {
      const message = `${name} is not executed: ${why}`;
      context.report('PM4017', 'unsupported', message);
      return { kind: 'unsupported', summary: message };
    },
  };
}

export const OCCLUSION_QUERY = refused('OCCLUSION_QUERY', 0x1f, 4, 'samples are not counted', [
  address('START_ADDR', 0, { alignBits: 4 }),
  address('QUERY_ADDR', 2),
]);

export const STRMOUT_BUFFER_UPDATE = refused('STRMOUT_BUFFER_UPDATE', 0x34, 5, 'streamout is not executed', [
  bits('UPDATE_MEMORY', 0, 0, 1),
  bits('SOURCE_SELECT', 0, 1, 2, { values: { 0: 'BUFFER_OFFSET', 1: 'FILLED_SIZE', 2: 'FROM_MEMORY', 3: 'NONE' } }),
  bits('DATA_TYPE', 0, 7, 1, { values: { 0: 'DWORDS', 1: 'BYTES' } }),
  bits('BUFFER_SELECT', 0, 8, 2),
  address('DST_ADDRESS', 1),
  word('OFFSET_OR_ADDRESS_LO', 3),
  word('SRC_ADDRESS_HI', 4),
]);

export const ATOMIC_GDS = refused('ATOMIC_GDS', 0x1d, 10, 'its operations are not implemented', [
  bits('ATOM_OP', 0, 0, 8),
  bits('ATOM_CMP_SWAP', 0, 16, 1),
  bits('ATOM_COMPLETE', 0, 17, 1),
  bits('ATOM_READ', 0, 18, 1),
  bits('ATOM_RD_CNTL', 0, 19, 2),
  bits('ENGINE_SEL', 0, 30, 2),
  bits('AUTO_INC_BYTES', 1, 0, 6),
  bits('DMODE', 1, 8, 1),
  bits('ATOM_BASE', 2, 0, 16),
  bits('ATOM_SIZE', 3, 0, 16),
  bits('ATOM_OFFSET0', 4, 0, 8),
  bits('ATOM_OFFSET1', 4, 16, 8),
  word('ATOM_DST', 5),
  word('ATOM_SRC0', 6),
  word('ATOM_SRC0_U', 7),
  word('ATOM_SRC1', 8),
  word('ATOM_SRC1_U', 9),
]);
