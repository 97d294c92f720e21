/**
 * INDIRECT_BUFFER (called or chained), its conditional form, and INDIRECT_BUFFER_CONST.
 *
 * Body: address, then 19:0 dwords, 20 chain (continue there, do not come back), 23 valid, 27:24 VMID, 29:28 cache.
 * The constant form belongs to the constant engine, which runs ahead of the draw engine; it is executed where it is
 * met, which gives the same memory unless the stream relies on WAIT_ON_DE_COUNTER_DIFF to hold it back.
 */
import { formatAddress } from '../../base/guest-address.ts';
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  flag,
  type PacketContext,
  type PacketDefinition,
  type PacketField,
} from './definition.ts';
import { COMPARE_FUNCTIONS, compares, loadU64 } from './places.ts';

const PLAIN_DWORDS = 3;
const CONDITIONAL_DWORDS = 13;
const isPlain = (body: Uint32Array) => body.length === PLAIN_DWORDS;
const isConditional = (body: Uint32Array) => body.length === CONDITIONAL_DWORDS;

const PLAIN_FIELDS: readonly PacketField[] = [
  address('IB_BASE', 0, { when: isPlain }),
  bits('IB_SIZE', 2, 0, 20, { when: isPlain }),
  flag('CHAIN', 2, 20, { when: isPlain }),
  flag('PRE_ENA', 2, 21, { when: isPlain, only: 'gfx10' }),
  flag('VOLATILE', 2, 22, { when: isPlain, only: 'gfx7' }),
  flag('VALID', 2, 23, { when: isPlain }),
  bits('VMID', 2, 24, 4, { when: isPlain }),
  bits('CACHE_POLICY', 2, 28, 2, { when: isPlain, values: { 0: 'LRU', 1: 'STREAM', 2: 'BYPASS' } }),
  flag('PRE_RESUME', 2, 30, { when: isPlain, only: 'gfx10' }),
];

const CONDITIONAL_FIELDS: readonly PacketField[] = [
  bits('MODE', 0, 0, 2, { when: isConditional, values: { 1: 'IF_THEN', 2: 'IF_THEN_ELSE' } }),
  bits('FUNCTION', 0, 8, 3, { when: isConditional, values: COMPARE_FUNCTIONS }),
  address('COMPARE_ADDR', 1, { when: isConditional, alignBits: 3 }),
  bits('MASK_LO', 3, 0, 32, { when: isConditional }),
  bits('MASK_HI', 4, 0, 32, { when: isConditional }),
  bits('REFERENCE_LO', 5, 0, 32, { when: isConditional }),
  bits('REFERENCE_HI', 6, 0, 32, { when: isConditional }),
  address('IB_BASE1', 7, { when: isConditional }),
  bits('IB_SIZE1', 9, 0, 20, { when: isConditional }),
  bits('CACHE_POLICY1', 9, 28, 2, { when: isConditional }),
  address('IB_BASE2', 10, { when: isConditional }),
  bits('IB_SIZE2', 12, 0, 20, { when: isConditional }),
  bits('CACHE_POLICY2', 12, 28, 2, { when: isConditional }),
];

export const INDIRECT_BUFFER: PacketDefinition = {
  name: 'INDIRECT_BUFFER',
  opcode: 0x3f,
  generations: EVERY_GENERATION,
  body: [PLAIN_DWORDS, CONDITIONAL_DWORDS],
  fields: [...PLAIN_FIELDS, ...CONDITIONAL_FIELDS],
  check: (body) =>
    isPlain(body) || isConditional(body)
      ? undefined
      : `INDIRECT_BUFFER has ${body.length} body dwords; it has 3, or 13 in its conditional form`,
  execute({ body }, context) {
    if (isPlain(body)) enter(context, body, 0, (body[2]! & (1 << 20)) !== 0);
    else enterConditionally(context, body);
    return undefined;
  },
};

export const INDIRECT_BUFFER_CONST: PacketDefinition = {
  name: 'INDIRECT_BUFFER_CONST',
  opcode: 0x33,
  generations: EVERY_GENERATION,
  body: [PLAIN_DWORDS, PLAIN_DWORDS],
  fields: PLAIN_FIELDS,
  execute({ body }, context) {
    enter(context, body, 0, (body[2]! & (1 << 20)) !== 0);
    return undefined;
  },
};

/** Address in dwords `at` and `at + 1`, size in bits 19:0 of dword `at + 2`. */
function enter(context: PacketContext, body: Uint32Array, at: number, chain: boolean): void {
  context.enterBuffer(addressAt(body, at), body[at + 2]! & 0xfffff, chain);
}

function enterConditionally(context: PacketContext, body: Uint32Array): void {
  const mode = body[0]! & 3;
  const at = addressAt(body, 1, 3);
  const value = loadU64(context.memory, at);
  if (value === undefined) {
    context.report('PM4022', 'fault', `condition of INDIRECT_BUFFER at ${formatAddress(at)} is not readable; skipped`);
    return;
  }
  const mask = pair(body, 3);
  if (compares((body[0]! >>> 8) & 7, value & mask, pair(body, 5))) enter(context, body, 7, false);
  else if (mode === 2) enter(context, body, 10, false);
}

function pair(body: Uint32Array, at: number): bigint {
  return (BigInt(body[at + 1]!) << 32n) | BigInt(body[at]!);
}
