/**
 * WRITE_DATA: dwords of the packet to memory, registers or the global data share.
 *
 * Body: control (11:8 destination, 16 keep the address, 20 confirm, 26:25 cache policy, 31:30 engine), address, data.
 * With WR_ONE_ADDR every dword goes to the same address, so the last one stays.
 */
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  flag,
  MAX_BODY_DWORDS,
  type PacketDefinition,
  payload,
  word,
} from './definition.ts';
import { advance, type Place, rangesOf, writeDword } from './places.ts';

const DST_SEL = { 0: 'REGISTER', 1: 'MEMORY_SYNC', 2: 'TC_L2', 3: 'GDS', 5: 'MEMORY' };
const ENGINE_SEL = { 0: 'ME', 1: 'PFP', 2: 'CE' };
const destination = (body: Uint32Array) => (body[0]! >>> 8) & 15;
const toMemory = (body: Uint32Array) => [1, 2, 5].includes(destination(body));

export const WRITE_DATA: PacketDefinition = {
  name: 'WRITE_DATA',
  opcode: 0x37,
  generations: EVERY_GENERATION,
  body: [4, MAX_BODY_DWORDS],
  fields: [
    bits('DST_SEL', 0, 8, 4, { values: DST_SEL }),
    flag('WR_ONE_ADDR', 0, 16),
    flag('WR_CONFIRM', 0, 20),
    bits('CACHE_POLICY', 0, 25, 2, { values: { 0: 'LRU', 1: 'STREAM' } }),
    bits('ENGINE_SEL', 0, 30, 2, { values: ENGINE_SEL }),
    address('DST_ADDR', 1, { when: toMemory }),
    word('DST_ADDR', 1, { when: (body) => !toMemory(body) }),
    payload('DATA', 3),
  ],
  execute({ body }, context) {
    const place = placeOf(body);
    if (!place) {
      const message = `WRITE_DATA to destination ${destination(body)}, which is reserved; not executed`;
      context.report('PM4012', 'unsupported', message);
      return { kind: 'unsupported', summary: message };
    }
    const data = body.subarray(3);
    const oneAddress = (body[0]! & (1 << 16)) !== 0;
    let done = 0;
    while (done < data.length) {
      if (!writeDword(context, oneAddress ? place : advance(place, done), data[done]!, 'WRITE_DATA')) break;
      done++;
    }
    return { kind: 'write', written: rangesOf(place, oneAddress ? Math.min(done, 1) : done) };
  },
};

function placeOf(body: Uint32Array): Place | undefined {
  switch (destination(body)) {
    case 0:
      return { kind: 'register', index: body[1]! };
    case 1:
    case 2:
    case 5:
      return { kind: 'memory', address: addressAt(body, 1) };
    case 3:
      return { kind: 'gds', offset: body[1]! };
    default:
      return undefined;
  }
}
