/**
 * Where packets read and write: guest memory, registers, the global data share. One function per direction, so that
 * every packet reports what it cannot reach in the same words.
 */
import { addToAddress, formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import type { GuestMemory } from '../../base/guest-memory.ts';
import { REGISTER_LIMIT } from '../registers/spaces.ts';
import type { FieldValues, MemoryRange, PacketContext } from './definition.ts';

export type Place =
  | { readonly kind: 'memory'; readonly address: GuestAddress }
  /** Absolute dword address. */
  | { readonly kind: 'register'; readonly index: number }
  /** Byte offset. */
  | { readonly kind: 'gds'; readonly offset: number };

export function describePlace(place: Place): string {
  switch (place.kind) {
    case 'memory':
      return `memory at ${formatAddress(place.address)}`;
    case 'register':
      return `register 0x${place.index.toString(16)}`;
    case 'gds':
      return `GDS at 0x${place.offset.toString(16)}`;
  }
}

export function advance(place: Place, dwords: number): Place {
  switch (place.kind) {
    case 'memory':
      return { kind: 'memory', address: addToAddress(place.address, 4 * dwords) };
    case 'register':
      return { kind: 'register', index: place.index + dwords };
    case 'gds':
      return { kind: 'gds', offset: place.offset + 4 * dwords };
  }
}

/** Reports and returns undefined where the dword cannot be read. */
export function readDword(context: PacketContext, place: Place, packet: string): number | undefined {
  let value: number | undefined;
  switch (place.kind) {
    case 'memory':
      value = context.memory.loadU32(place.address);
      break;
    case 'register':
      value = place.index < REGISTER_LIMIT ? context.readRegister(place.index) : undefined;
      break;
    case 'gds':
      value = context.gds[place.offset >>> 2];
      break;
  }
  if (value === undefined) context.report('PM4010', 'fault', `${packet}: ${describePlace(place)} is not readable`);
  return value;
}

/** Reports and returns false where the dword cannot be written. */
export function writeDword(context: PacketContext, place: Place, value: number, packet: string): boolean {
  let done = false;
  switch (place.kind) {
    case 'memory':
      done = context.memory.storeU32(place.address, value);
      break;
    case 'register':
      done = place.index < REGISTER_LIMIT;
      if (done) context.writeRegister(place.index, value);
      break;
    case 'gds':
      done = place.offset >>> 2 < context.gds.length;
      if (done) context.gds[place.offset >>> 2] = value;
      break;
  }
  if (!done) context.report('PM4011', 'fault', `${packet}: ${describePlace(place)} is not writable`);
  return done;
}

/** The bytes that `dwords` written at a place cover; registers and GDS are not guest memory. */
export function rangesOf(place: Place, dwords: number): MemoryRange[] {
  return place.kind === 'memory' && dwords > 0 ? [{ address: place.address, sizeBytes: 4 * dwords }] : [];
}

export function loadU64(memory: GuestMemory, at: GuestAddress): bigint | undefined {
  const low = memory.loadU32(at);
  const high = memory.loadU32(addToAddress(at, 4));
  return low === undefined || high === undefined ? undefined : (BigInt(high) << 32n) | BigInt(low);
}

/** WAIT_REG_MEM and conditional packets: `value FUNCTION reference`, unsigned. */
export const COMPARE_FUNCTIONS: FieldValues = {
  0: 'ALWAYS',
  1: 'LESS',
  2: 'LESS_EQUAL',
  3: 'EQUAL',
  4: 'NOT_EQUAL',
  5: 'GREATER_EQUAL',
  6: 'GREATER',
};

export function compares<T extends number | bigint>(fn: number, value: T, reference: T): boolean {
  switch (fn) {
    case 0:
      return true;
    case 1:
      return value < reference;
    case 2:
      return value <= reference;
    case 3:
      return value === reference;
    case 4:
      return value !== reference;
    case 5:
      return value >= reference;
    case 6:
      return value > reference;
    default:
      return false;
  }
}
