/**
 * Draws and the index state before them. Draws are decoded and become events; they are not executed.
 *
 * INDEX_TYPE, INDEX_BASE, INDEX_BUFFER_SIZE and NUM_INSTANCES set the processor's own state. Indirect draws read their
 * arguments where SET_BASE 1 plus the packet's offset points.
 * Sources: packet layouts of public drivers for gfx7 to gfx10.
 */
import { addToAddress } from '../../base/guest-address.ts';
import { FIELD_VALUES } from '../registers/field-values.gen.ts';
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  flag,
  type PacketContext,
  type PacketDefinition,
  type PacketEffect,
  type PacketField,
  word,
} from './definition.ts';

function setsProcessor(
  name: string,
  opcode: number,
  fields: readonly PacketField[],
  set: (body: Uint32Array, context: PacketContext) => void,
): PacketDefinition {
  const dwords = name === 'INDEX_BASE' ? 2 : 1;
  return {
    name,
    opcode,
    generations: EVERY_GENERATION,
    body: [dwords, dwords],
    fields,
    execute({ body }, context) {
      set(body, context);
      return undefined;
    },
  };
}

export const INDEX_BUFFER_SIZE = setsProcessor('INDEX_BUFFER_SIZE', 0x13, [word('INDEX_BUFFER_SIZE', 0)], (body, c) =>
  c.state.setProcessor({ indexBufferSize: body[0]! }),
);

export const INDEX_BASE = setsProcessor('INDEX_BASE', 0x26, [address('INDEX_BASE', 0, { alignBits: 1 })], (body, c) =>
  c.state.setProcessor({ indexBase: addressAt(body, 0, 1) }),
);

export const INDEX_TYPE = setsProcessor(
  'INDEX_TYPE',
  0x2a,
  [
    bits('INDEX_TYPE', 0, 0, 2, { values: FIELD_VALUES.gfx10.VGT_INDEX_TYPE_MODE! }),
    bits('SWAP_MODE', 0, 2, 2, { only: 'gfx7' }),
  ],
  (body, c) => c.state.setProcessor({ indexType: body[0]! }),
);

export const NUM_INSTANCES = setsProcessor('NUM_INSTANCES', 0x2f, [word('NUM_INSTANCES', 0)], (body, c) =>
  c.state.setProcessor({ instanceCount: body[0]! }),
);

const SOURCE_SELECT = { 0: 'DMA', 1: 'IMMEDIATE', 2: 'AUTO_INDEX' };

function initiator(dword: number): PacketField[] {
  return [
    bits('SOURCE_SELECT', dword, 0, 2, { values: SOURCE_SELECT }),
    bits('MAJOR_MODE', dword, 2, 2),
    flag('NOT_EOP', dword, 5),
    flag('USE_OPAQUE', dword, 6),
  ];
}

function draw(
  name: string,
  opcode: number,
  dwords: number,
  fields: readonly PacketField[],
  counts: (body: Uint32Array, context: PacketContext) => { count: number | undefined; instances: number | undefined },
): PacketDefinition {
  return {
    name,
    opcode,
    generations: EVERY_GENERATION,
    body: [dwords, dwords],
    fields,
    execute({ body }, context): PacketEffect {
      context.report('PM4050', 'unsupported', `${name}: draws are decoded, not executed`);
      const { count, instances } = counts(body, context);
      return { kind: 'draw', vertexOrIndexCount: count, instances };
    },
  };
}

const direct = (dword: number) => (body: Uint32Array, context: PacketContext) => ({
  count: body[dword]!,
  instances: context.state.processor.instanceCount,
});

/** First two dwords of the arguments: count, instances. */
function indirect(body: Uint32Array, context: PacketContext) {
  const base = context.state.processor.indirectBase;
  if (base === undefined) return { count: undefined, instances: undefined };
  const at = addToAddress(base, body[0]!);
  return { count: context.memory.loadU32(at), instances: context.memory.loadU32(addToAddress(at, 4)) };
}

export const DRAW_INDEX_AUTO = draw('DRAW_INDEX_AUTO', 0x2d, 2, [word('INDEX_COUNT', 0), ...initiator(1)], direct(0));

export const DRAW_INDEX_2 = draw(
  'DRAW_INDEX_2',
  0x27,
  5,
  [word('MAX_SIZE', 0), address('INDEX_BASE', 1, { alignBits: 1 }), word('INDEX_COUNT', 3), ...initiator(4)],
  direct(3),
);

export const DRAW_INDEX_OFFSET_2 = draw(
  'DRAW_INDEX_OFFSET_2',
  0x35,
  4,
  [word('MAX_SIZE', 0), word('INDEX_OFFSET', 1), word('INDEX_COUNT', 2), ...initiator(3)],
  direct(2),
);

export const DRAW_INDEX_MULTI_AUTO = draw(
  'DRAW_INDEX_MULTI_AUTO',
  0x30,
  3,
  [
    word('PRIM_COUNT', 0),
    ...initiator(1),
    bits('INDEX_OFFSET', 2, 0, 16),
    bits('PRIM_TYPE', 2, 16, 5),
    bits('INDEX_COUNT', 2, 21, 11),
  ],
  (body, context) => ({ count: body[2]! >>> 21, instances: context.state.processor.instanceCount }),
);

export const DRAW_INDIRECT = draw(
  'DRAW_INDIRECT',
  0x24,
  4,
  [word('DATA_OFFSET', 0), bits('START_VTX_LOC', 1, 0, 16), bits('START_INST_LOC', 2, 0, 16), ...initiator(3)],
  indirect,
);

export const DRAW_INDEX_INDIRECT = draw(
  'DRAW_INDEX_INDIRECT',
  0x25,
  4,
  [
    word('DATA_OFFSET', 0),
    bits('BASE_VTX_LOC', 1, 0, 16),
    bits('START_INDX_LOC', 1, 16, 16),
    bits('START_INST_LOC', 2, 0, 16),
    flag('START_INDX_ENABLE', 2, 28),
    ...initiator(3),
  ],
  indirect,
);

function multiFields(indexed: boolean): PacketField[] {
  return [
    word('DATA_OFFSET', 0),
    bits(indexed ? 'BASE_VTX_LOC' : 'START_VTX_LOC', 1, 0, 16),
    ...(indexed ? [bits('START_INDX_LOC', 1, 16, 16)] : []),
    bits('START_INST_LOC', 2, 0, 16),
    bits('DRAW_INDEX_LOC', 3, 0, 16),
    flag('COUNT_INDIRECT_ENABLE', 3, 30),
    flag('DRAW_INDEX_ENABLE', 3, 31),
    word('COUNT', 4),
    address('COUNT_ADDR', 5),
    word('STRIDE', 7),
    ...initiator(8),
  ];
}

export const DRAW_INDIRECT_MULTI = draw('DRAW_INDIRECT_MULTI', 0x2c, 9, multiFields(false), indirect);
export const DRAW_INDEX_INDIRECT_MULTI = draw('DRAW_INDEX_INDIRECT_MULTI', 0x38, 9, multiFields(true), indirect);
