/**
 * COPY_DATA: one or two dwords from a register, memory, the packet, GDS or a clock to a register, memory or GDS.
 *
 * Clocks are not part of a capture. A clock reads as the number of packets executed so far, which at least increases,
 * and the event says so.
 */
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  flag,
  type PacketContext,
  type PacketDefinition,
  type PacketEffect,
  word,
} from './definition.ts';
import { advance, type Place, rangesOf, readDword, writeDword } from './places.ts';

const SOURCES: Readonly<Record<number, string>> = {
  0: 'REGISTER',
  1: 'MEMORY',
  2: 'TC_L2',
  3: 'GDS',
  4: 'PERFCOUNTER',
  5: 'IMMEDIATE',
  6: 'ATOMIC_RETURN',
  7: 'GDS_ATOMIC_RETURN0',
  8: 'GDS_ATOMIC_RETURN1',
  9: 'GPU_CLOCK',
  10: 'SYSTEM_CLOCK',
};
const DESTINATIONS: Readonly<Record<number, string>> = {
  0: 'REGISTER',
  1: 'MEMORY_SYNC',
  2: 'TC_L2',
  3: 'GDS',
  4: 'PERFCOUNTER',
  5: 'MEMORY',
};
const CACHE = { 0: 'LRU', 1: 'STREAM', 2: 'NOA', 3: 'BYPASS' };
const source = (body: Uint32Array) => body[0]! & 15;
const destination = (body: Uint32Array) => (body[0]! >>> 8) & 15;
const fromMemory = (body: Uint32Array) => [1, 2].includes(source(body));
const toMemory = (body: Uint32Array) => [1, 2, 5].includes(destination(body));

export const COPY_DATA: PacketDefinition = {
  name: 'COPY_DATA',
  opcode: 0x40,
  generations: EVERY_GENERATION,
  body: [5, 5],
  fields: [
    bits('SRC_SEL', 0, 0, 4, { values: SOURCES }),
    bits('DST_SEL', 0, 8, 4, { values: DESTINATIONS }),
    bits('SRC_CACHE_POLICY', 0, 13, 2, { values: CACHE }),
    bits('COUNT_SEL', 0, 16, 1, { values: { 0: '32_BITS', 1: '64_BITS' } }),
    flag('WR_CONFIRM', 0, 20),
    bits('DST_CACHE_POLICY', 0, 25, 2, { values: CACHE }),
    bits('ENGINE_SEL', 0, 30, 2, { values: { 0: 'ME', 1: 'PFP', 2: 'CE' } }),
    address('SRC_ADDR', 1, { when: fromMemory }),
    word('SRC_LO', 1, { when: (body) => !fromMemory(body) }),
    word('SRC_HI', 2, { when: (body) => !fromMemory(body) }),
    address('DST_ADDR', 3, { when: toMemory }),
    word('DST_LO', 3, { when: (body) => !toMemory(body) }),
  ],
  execute({ body }, context): PacketEffect {
    const dwords = body[0]! & 0x10000 ? 2 : 1;
    const to = destinationPlace(body);
    const values = to && sourceValues(body, dwords, context);
    if (!to || !values) {
      const message = `COPY_DATA from ${SOURCES[source(body)] ?? source(body)} to ${DESTINATIONS[destination(body)] ?? destination(body)} is not executed`;
      if (!to || !fromKnownPlace(body)) context.report('PM4012', 'unsupported', message);
      return { kind: 'unsupported', summary: message };
    }
    let done = 0;
    while (done < dwords && writeDword(context, advance(to, done), values[done]!, 'COPY_DATA')) done++;
    const from = sourcePlace(body);
    return { kind: 'copy', written: rangesOf(to, done), read: from ? rangesOf(from, dwords) : [] };
  },
};

/** A source that is refused because it could not be read has been reported already. */
function fromKnownPlace(body: Uint32Array): boolean {
  return sourcePlace(body) !== undefined;
}

function sourcePlace(body: Uint32Array): Place | undefined {
  switch (source(body)) {
    case 0:
    case 4:
      return { kind: 'register', index: body[1]! & 0x3ffff };
    case 1:
    case 2:
      return { kind: 'memory', address: addressAt(body, 1) };
    case 3:
      return { kind: 'gds', offset: body[1]! & 0xffff };
    default:
      return undefined;
  }
}

function sourceValues(body: Uint32Array, dwords: number, context: PacketContext): number[] | undefined {
  const place = sourcePlace(body);
  if (place) {
    const values: number[] = [];
    for (let i = 0; i < dwords; i++) {
      const value = readDword(context, advance(place, i), 'COPY_DATA');
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }
  switch (source(body)) {
    case 5:
      return [body[1]!, body[2]!];
    case 6: {
      const value = context.state.processor.atomicReturn;
      return [Number(value & 0xffffffffn), Number(value >> 32n)];
    }
    case 9:
    case 10:
      context.report('PM4013', 'note', 'clocks are not captured; the number of executed packets is written instead');
      return [context.tick(), 0];
    default:
      return undefined;
  }
}

function destinationPlace(body: Uint32Array): Place | undefined {
  switch (destination(body)) {
    case 0:
    case 4:
      return { kind: 'register', index: body[3]! & 0x3ffff };
    case 1:
    case 2:
    case 5:
      return { kind: 'memory', address: addressAt(body, 3) };
    case 3:
      return { kind: 'gds', offset: body[3]! & 0xffff };
    default:
      return undefined;
  }
}
