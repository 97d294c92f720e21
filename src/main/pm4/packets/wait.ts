/**
 * WAIT_REG_MEM, WAIT_REG_MEM64 and COND_WRITE: compare a register or memory with a reference.
 *
 * Everything before a packet has been executed when it runs, so a wait that does not hold now can only be ended by
 * another queue or by the CPU. It is reported and passed. Operation 1 first writes the reference to the register of
 * the address's low half and then waits on the one of its high half.
 */
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  type PacketContext,
  type PacketDefinition,
  type PacketEffect,
  type PacketField,
  word,
} from './definition.ts';
import {
  advance,
  COMPARE_FUNCTIONS,
  compares,
  describePlace,
  type Place,
  rangesOf,
  readDword,
  writeDword,
} from './places.ts';

const POLL_MEMORY = 1;
const WRITE_THEN_WAIT = 1;
const onMemory = (body: Uint32Array) => ((body[0]! >>> 4) & 3) === POLL_MEMORY;
const onRegister = (body: Uint32Array) => !onMemory(body);
const OPERATIONS = { 0: 'WAIT_REG_MEM', 1: 'WR_WAIT_WR_REG', 2: 'WAIT_REG_MEM_COND', 3: 'WAIT_MEM_PREEMPTABLE' };

function controlFields(alignBits: number): PacketField[] {
  return [
    bits('FUNCTION', 0, 0, 3, { values: COMPARE_FUNCTIONS }),
    bits('MEM_SPACE', 0, 4, 2, { values: { 0: 'REGISTER', 1: 'MEMORY' } }),
    bits('OPERATION', 0, 6, 2, { values: OPERATIONS }),
    bits('ENGINE_SEL', 0, 8, 2, { values: { 0: 'ME', 1: 'PFP', 2: 'CE' } }),
    bits('CACHE_POLICY', 0, 25, 2, { only: 'gfx10', values: { 0: 'LRU', 1: 'STREAM', 2: 'NOA', 3: 'BYPASS' } }),
    address('POLL_ADDR', 1, { when: onMemory, alignBits }),
    bits('REG_ADDR', 1, 0, 18, { when: onRegister }),
    bits('REG_ADDR2', 2, 0, 18, { when: onRegister }),
  ];
}

export const WAIT_REG_MEM: PacketDefinition = {
  name: 'WAIT_REG_MEM',
  opcode: 0x3c,
  generations: EVERY_GENERATION,
  body: [6, 6],
  fields: [...controlFields(2), word('REFERENCE', 3), word('MASK', 4), bits('POLL_INTERVAL', 5, 0, 16)],
  execute({ body }, context) {
    const place = pollPlace(body, context, 2, 'WAIT_REG_MEM');
    const value = place && readDword(context, place, 'WAIT_REG_MEM');
    if (place === undefined || value === undefined) return unread('WAIT_REG_MEM');
    return verdict(context, body, place, BigInt((value & body[4]!) >>> 0), BigInt(body[3]!));
  },
};

export const WAIT_REG_MEM64: PacketDefinition = {
  name: 'WAIT_REG_MEM64',
  opcode: 0x93,
  generations: ['gfx10'],
  body: [8, 8],
  fields: [
    ...controlFields(3),
    word('REFERENCE_LO', 3),
    word('REFERENCE_HI', 4),
    word('MASK_LO', 5),
    word('MASK_HI', 6),
    bits('POLL_INTERVAL', 7, 0, 16),
  ],
  execute({ body }, context) {
    const place = pollPlace(body, context, 3, 'WAIT_REG_MEM64');
    const low = place && readDword(context, place, 'WAIT_REG_MEM64');
    const high = place && readDword(context, advance(place, 1), 'WAIT_REG_MEM64');
    if (place === undefined || low === undefined || high === undefined) return unread('WAIT_REG_MEM64');
    const value = (BigInt((high & body[6]!) >>> 0) << 32n) | BigInt((low & body[5]!) >>> 0);
    return verdict(context, body, place, value, (BigInt(body[4]!) << 32n) | BigInt(body[3]!));
  },
};

function pollPlace(body: Uint32Array, context: PacketContext, alignBits: number, packet: string): Place | undefined {
  if (onMemory(body)) return { kind: 'memory', address: addressAt(body, 1, alignBits) };
  if (((body[0]! >>> 6) & 3) !== WRITE_THEN_WAIT) return { kind: 'register', index: body[1]! & 0x3ffff };
  const written = writeDword(context, { kind: 'register', index: body[1]! & 0x3ffff }, body[3]!, packet);
  return written ? { kind: 'register', index: body[2]! & 0x3ffff } : undefined;
}

function unread(packet: string): PacketEffect {
  return { kind: 'wait', summary: `${packet}: what it waits for cannot be read`, satisfied: false };
}

function verdict(
  context: PacketContext,
  body: Uint32Array,
  place: Place,
  value: bigint,
  reference: bigint,
): PacketEffect {
  const fn = body[0]! & 7;
  const satisfied = compares(fn, value, reference);
  const condition = `${describePlace(place)} = 0x${value.toString(16)} ${COMPARE_FUNCTIONS[fn] ?? fn} 0x${reference.toString(16)}`;
  if (!satisfied) {
    context.report('PM4015', 'warning', `waits for what nothing in this queue brings about: ${condition}; passed`);
  }
  return { kind: 'wait', summary: condition, satisfied };
}

const polledMemory = (body: Uint32Array) => (body[0]! & 0x10) !== 0;
const writtenMemory = (body: Uint32Array) => ((body[0]! >>> 8) & 3) !== 0;

export const COND_WRITE: PacketDefinition = {
  name: 'COND_WRITE',
  opcode: 0x45,
  generations: EVERY_GENERATION,
  body: [8, 8],
  fields: [
    bits('FUNCTION', 0, 0, 3, { values: COMPARE_FUNCTIONS }),
    bits('POLL_SPACE', 0, 4, 1, { values: { 0: 'REGISTER', 1: 'MEMORY' } }),
    bits('WRITE_SPACE', 0, 8, 2, { values: { 0: 'REGISTER', 1: 'MEMORY', 2: 'SCRATCH' } }),
    address('POLL_ADDR', 1, { when: polledMemory }),
    word('POLL_REG', 1, { when: (body) => !polledMemory(body) }),
    word('REFERENCE', 3),
    word('MASK', 4),
    address('WRITE_ADDR', 5, { when: writtenMemory }),
    word('WRITE_REG', 5, { when: (body) => !writtenMemory(body) }),
    word('WRITE_DATA', 7),
  ],
  execute({ body }, context) {
    const value = readDword(context, placeAt(body, 1, polledMemory(body)), 'COND_WRITE');
    if (value === undefined) return { kind: 'write', written: [] };
    if (!compares(body[0]! & 7, (value & body[4]!) >>> 0, body[3]!)) return { kind: 'write', written: [] };
    const place = placeAt(body, 5, writtenMemory(body));
    const done = writeDword(context, place, body[7]!, 'COND_WRITE');
    return { kind: 'write', written: done ? rangesOf(place, 1) : [] };
  },
};

function placeAt(body: Uint32Array, dword: number, memory: boolean): Place {
  if (!memory) return { kind: 'register', index: body[dword]! };
  return { kind: 'memory', address: addressAt(body, dword) };
}
