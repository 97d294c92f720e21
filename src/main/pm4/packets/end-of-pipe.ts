/**
 * RELEASE_MEM, EVENT_WRITE_EOP and EVENT_WRITE_EOS: wait until earlier work is done, then write a value to memory.
 *
 * Earlier work is always done here, so only the write remains. DATA_SEL: 1 the low dword, 2 both, 3 and 4 a clock,
 * 5 dwords of GDS. Clocks are not captured: the number of executed packets is written and the event says so.
 */
import { formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  type MemoryRange,
  type PacketContext,
  type PacketDefinition,
  type PacketField,
  word,
} from './definition.ts';
import { END_OF_PIPE_CACHE_FIELDS, EVENT_FIELDS, eventName } from './event-fields.ts';
import { advance, rangesOf, readDword, writeDword } from './places.ts';

const DATA_SEL = { 0: 'NONE', 1: 'VALUE_32', 2: 'VALUE_64', 3: 'GPU_CLOCK', 4: 'SYSTEM_CLOCK', 5: 'GDS' };
const INT_SEL = { 0: 'NONE', 1: 'INTERRUPT', 2: 'INTERRUPT_AFTER_WRITE', 3: 'DATA_AFTER_WRITE' };
const [VALUE_32, VALUE_64, GPU_CLOCK, SYSTEM_CLOCK, FROM_GDS] = [1, 2, 3, 4, 5];

function controlFields(dword: number): PacketField[] {
  return [
    bits('DST_SEL', dword, 16, 2, { values: { 0: 'MEMORY', 1: 'TC_L2' } }),
    bits('INT_SEL', dword, 24, 3, { values: INT_SEL }),
    bits('DATA_SEL', dword, 29, 3, { values: DATA_SEL }),
  ];
}

export const RELEASE_MEM: PacketDefinition = {
  name: 'RELEASE_MEM',
  opcode: 0x49,
  generations: EVERY_GENERATION,
  body: [6, 7],
  fields: [
    ...EVENT_FIELDS,
    ...END_OF_PIPE_CACHE_FIELDS,
    ...controlFields(1),
    address('ADDRESS', 2),
    word('DATA_LO', 4),
    word('DATA_HI', 5),
    word('INT_CTXID', 6),
  ],
  execute({ body }, context) {
    const written = writeValue(context, 'RELEASE_MEM', body[1]! >>> 29, addressAt(body, 2), body[4]!, body[5]!);
    return { kind: 'sync', summary: summary(eventName(body, context.generation), written), written };
  },
};

export const EVENT_WRITE_EOP: PacketDefinition = {
  name: 'EVENT_WRITE_EOP',
  opcode: 0x47,
  generations: EVERY_GENERATION,
  body: [5, 5],
  fields: [
    ...EVENT_FIELDS,
    ...END_OF_PIPE_CACHE_FIELDS,
    address('ADDRESS', 1),
    ...controlFields(2),
    word('DATA_LO', 3),
    word('DATA_HI', 4),
  ],
  execute({ body }, context) {
    const written = writeValue(context, 'EVENT_WRITE_EOP', body[2]! >>> 29, addressAt(body, 1), body[3]!, body[4]!);
    return { kind: 'sync', summary: summary(eventName(body, context.generation), written), written };
  },
};

const EOS_COMMAND = { 0: 'APPEND_COUNT', 1: 'GDS', 2: 'VALUE_32' };
const ofGds = (body: Uint32Array) => body[2]! >>> 29 === 1;

export const EVENT_WRITE_EOS: PacketDefinition = {
  name: 'EVENT_WRITE_EOS',
  opcode: 0x48,
  generations: EVERY_GENERATION,
  body: [4, 4],
  fields: [
    ...EVENT_FIELDS,
    address('ADDRESS', 1),
    bits('COMMAND', 2, 29, 3, { values: EOS_COMMAND }),
    bits('GDS_INDEX', 3, 0, 16, { when: ofGds }),
    bits('SIZE', 3, 16, 16, { when: ofGds }),
    word('DATA', 3, { when: (body) => !ofGds(body) }),
  ],
  execute({ body }, context) {
    const at = addressAt(body, 1);
    const command = body[2]! >>> 29;
    let written: MemoryRange[] = [];
    if (command === 2) written = writeValue(context, 'EVENT_WRITE_EOS', VALUE_32, at, body[3]!, 0);
    else if (command === 1) written = writeValue(context, 'EVENT_WRITE_EOS', FROM_GDS, at, body[3]!, 0);
    else context.report('PM4017', 'unsupported', `EVENT_WRITE_EOS command ${command}: append counts are not kept`);
    return { kind: 'sync', summary: summary(eventName(body, context.generation), written), written };
  },
};

function writeValue(
  context: PacketContext,
  packet: string,
  select: number,
  at: GuestAddress,
  low: number,
  high: number,
): MemoryRange[] {
  switch (select) {
    case 0:
      return [];
    case VALUE_32:
      return store(context, packet, at, [low]);
    case VALUE_64:
      return store(context, packet, at, [low, high]);
    case GPU_CLOCK:
    case SYSTEM_CLOCK:
      context.report('PM4013', 'note', 'clocks are not captured; the number of executed packets is written instead');
      return store(context, packet, at, [context.tick(), 0]);
    case FROM_GDS:
      return storeGds(context, packet, at, low & 0xffff, low >>> 16);
    default:
      context.report('PM4012', 'unsupported', `${packet}: data selection ${select} is reserved; nothing written`);
      return [];
  }
}

function store(context: PacketContext, packet: string, at: GuestAddress, values: readonly number[]): MemoryRange[] {
  const place = { kind: 'memory', address: at } as const;
  let done = 0;
  while (done < values.length && writeDword(context, advance(place, done), values[done]!, packet)) done++;
  return rangesOf(place, done);
}

/** `offset` and `count` in dwords. */
function storeGds(
  context: PacketContext,
  packet: string,
  at: GuestAddress,
  offset: number,
  count: number,
): MemoryRange[] {
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    const value = readDword(context, { kind: 'gds', offset: 4 * (offset + i) }, packet);
    if (value === undefined) break;
    values.push(value);
  }
  return store(context, packet, at, values);
}

function summary(event: string, written: readonly MemoryRange[]): string {
  const [range] = written;
  return range ? `${event}, writes ${range.sizeBytes} bytes at ${formatAddress(range.address)}` : event;
}
