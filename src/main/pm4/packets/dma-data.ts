/**
 * DMA_DATA: copies bytes, or fills with the packet's dword, between memory and the global data share. Register space
 * is refused: public sources do not say in what unit its addresses count.
 *
 * Body: control, source (or data), destination, command: byte count (20:0 on gfx7, 25:0 on gfx10), 26/27 source and
 * destination in register space, 28/29 do not increment. Overlapping copies read everything first. A copy to
 * "nowhere" only warms the cache. Byte counts to GDS are whole dwords.
 */
import { addToAddress, formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import type { Generation } from '../generation.ts';
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
import { advance, type Place, readDword, writeDword } from './places.ts';

const SRC_SEL = { 0: 'SRC_ADDR', 1: 'GDS', 2: 'DATA', 3: 'SRC_ADDR_L2' };
const DST_SEL = { 0: 'DST_ADDR', 1: 'GDS', 2: 'NOWHERE', 3: 'DST_ADDR_L2' };
const CACHE = { 0: 'LRU', 1: 'STREAM', 2: 'NOA', 3: 'BYPASS' };
const [GDS, DATA, NOWHERE] = [1, 2, 2];
const SPACE = { 0: 'MEMORY', 1: 'REGISTER' };
const source = (body: Uint32Array) => (body[0]! >>> 29) & 3;
const destination = (body: Uint32Array) => (body[0]! >>> 20) & 3;
const CHUNK_BYTES = 1 << 16;

export const DMA_DATA: PacketDefinition = {
  name: 'DMA_DATA',
  opcode: 0x50,
  generations: EVERY_GENERATION,
  body: [6, 6],
  fields: [
    bits('ENGINE', 0, 0, 1, { values: { 0: 'ME', 1: 'PFP' } }),
    bits('SRC_CACHE_POLICY', 0, 13, 2, { values: CACHE }),
    flag('SRC_VOLATILE', 0, 15, { only: 'gfx7' }),
    bits('DST_SEL', 0, 20, 2, { values: DST_SEL }),
    bits('DST_CACHE_POLICY', 0, 25, 2, { values: CACHE }),
    flag('DST_VOLATILE', 0, 27, { only: 'gfx7' }),
    bits('SRC_SEL', 0, 29, 2, { values: SRC_SEL }),
    flag('CP_SYNC', 0, 31),
    word('DATA', 1, { when: (body) => source(body) === DATA }),
    address('SRC_ADDR', 1, { alignBits: 0, when: (body) => source(body) !== DATA }),
    address('DST_ADDR', 3, { alignBits: 0 }),
    bits('BYTE_COUNT', 5, 0, 21, { only: 'gfx7' }),
    bits('BYTE_COUNT', 5, 0, 26, { only: 'gfx10' }),
    bits('SAS', 5, 26, 1, { values: SPACE }),
    bits('DAS', 5, 27, 1, { values: SPACE }),
    flag('SAIC', 5, 28),
    flag('DAIC', 5, 29),
    flag('RAW_WAIT', 5, 30),
    flag('DIS_WC', 5, 21, { only: 'gfx7' }),
    flag('DIS_WC', 5, 31, { only: 'gfx10' }),
  ],
  execute({ body }, context): PacketEffect {
    const bytes = byteCount(body, context.generation);
    if (destination(body) === NOWHERE || bytes === 0) {
      return { kind: 'sync', summary: 'prefetch into the cache', written: [] };
    }
    if (usesRegisters(body)) {
      const message = 'DMA_DATA from or to register space is not executed';
      context.report('PM4012', 'unsupported', message);
      return { kind: 'unsupported', summary: message };
    }
    const to = placeOf(body, 3, destination(body) === GDS);
    const from = source(body) === DATA ? undefined : placeOf(body, 1, source(body) === GDS);
    const fixedSource = (body[5]! & (1 << 28)) !== 0;
    const fixedDestination = (body[5]! & (1 << 29)) !== 0;
    const plain = to.kind === 'memory' && !fixedDestination && !fixedSource;
    if (plain && from === undefined) return fill(context, to.address, bytes, body[1]!);
    if (plain && from?.kind === 'memory') return copy(context, from.address, to.address, bytes);
    return byDwords(context, from, to, bytes, body[1]!, fixedSource, fixedDestination);
  },
};

function byteCount(body: Uint32Array, generation: Generation): number {
  return body[5]! & (generation === 'gfx7' ? 0x1fffff : 0x3ffffff);
}

/** GDS wants the same bits set, but means itself. */
function usesRegisters(body: Uint32Array): boolean {
  const sas = (body[5]! & (1 << 26)) !== 0 && source(body) === 0;
  const das = (body[5]! & (1 << 27)) !== 0 && destination(body) === 0;
  return sas || das;
}

function placeOf(body: Uint32Array, dword: number, gds: boolean): Place {
  if (gds) return { kind: 'gds', offset: body[dword]! };
  return { kind: 'memory', address: addressAt(body, dword, 0) };
}

function fill(context: PacketContext, to: GuestAddress, bytes: number, data: number): PacketEffect {
  const chunk = new Uint8Array(Math.min(bytes, CHUNK_BYTES));
  for (let i = 0; i < chunk.length; i++) chunk[i] = data >>> (8 * (i & 3));
  let done = 0;
  while (done < bytes) {
    const size = Math.min(chunk.length, bytes - done);
    const at = addToAddress(to, done);
    if (!context.memory.writeBytes(at, chunk.subarray(0, size))) {
      context.report('PM4011', 'fault', `DMA_DATA: ${size} bytes at ${formatAddress(at)} are not all writable`);
      break;
    }
    done += size;
  }
  return { kind: 'write', written: done > 0 ? [{ address: to, sizeBytes: done }] : [] };
}

function copy(context: PacketContext, from: GuestAddress, to: GuestAddress, bytes: number): PacketEffect {
  const data = context.memory.readBytes(from, bytes);
  if (!data) {
    context.report('PM4010', 'fault', `DMA_DATA: ${bytes} bytes at ${formatAddress(from)} are not all readable`);
    return { kind: 'copy', written: [], read: [] };
  }
  const read = [{ address: from, sizeBytes: bytes }];
  if (context.memory.writeBytes(to, data)) return { kind: 'copy', written: [{ address: to, sizeBytes: bytes }], read };
  context.report('PM4011', 'fault', `DMA_DATA: ${bytes} bytes at ${formatAddress(to)} are not all writable`);
  return { kind: 'copy', written: [], read };
}

function byDwords(
  context: PacketContext,
  from: Place | undefined,
  to: Place,
  bytes: number,
  data: number,
  fixedSource: boolean,
  fixedDestination: boolean,
): PacketEffect {
  const dwords = bytes >>> 2;
  let done = 0;
  for (; done < dwords; done++) {
    const value = from ? readDword(context, fixedSource ? from : advance(from, done), 'DMA_DATA') : data;
    if (value === undefined) break;
    if (!writeDword(context, fixedDestination ? to : advance(to, done), value, 'DMA_DATA')) break;
  }
  const range = (place: Place | undefined, fixed: boolean) =>
    place?.kind === 'memory' && done > 0 ? [{ address: place.address, sizeBytes: fixed ? 4 : 4 * done }] : [];
  return { kind: 'copy', written: range(to, fixedDestination), read: range(from, fixedSource) };
}
