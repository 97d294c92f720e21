/**
 * DISPATCH_DIRECT and DISPATCH_INDIRECT: run a compute program over a grid.
 *
 * The packet only names the grid; everything else is in the COMPUTE_* registers. An indirect dispatch reads the three
 * dimensions from memory: on the graphics queue at an offset from the base that SET_BASE 1 gave (2 body dwords), on
 * compute queues at an address in the packet (3 body dwords).
 */
import { addToAddress, formatAddress, type GuestAddress } from '../../base/guest-address.ts';
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

function initiatorFields(dword: number, when?: (body: Uint32Array) => boolean): PacketField[] {
  const options = when ? { when } : {};
  return [
    flag('COMPUTE_SHADER_EN', dword, 0, options),
    flag('PARTIAL_TG_EN', dword, 1, options),
    flag('FORCE_START_AT_000', dword, 2, options),
    flag('ORDERED_APPEND_ENBL', dword, 3, options),
    flag('ORDERED_APPEND_MODE', dword, 4, options),
    flag('USE_THREAD_DIMENSIONS', dword, 5, options),
    flag('ORDER_MODE', dword, 6, options),
    bits('DISPATCH_CACHE_CNTL', dword, 7, 3, { ...options, only: 'gfx7' }),
    flag('SCALAR_L1_INV_VOL', dword, 10, options),
    flag('VECTOR_L1_INV_VOL', dword, 11, options),
    flag('DATA_ATC', dword, 12, { ...options, only: 'gfx7' }),
    flag('TUNNEL_ENABLE', dword, 13, { ...options, only: 'gfx10' }),
    flag('RESTORE', dword, 14, options),
    flag('CS_W32_EN', dword, 15, { ...options, only: 'gfx10' }),
  ];
}

export const DISPATCH_DIRECT: PacketDefinition = {
  name: 'DISPATCH_DIRECT',
  opcode: 0x15,
  generations: EVERY_GENERATION,
  body: [4, 4],
  fields: [word('DIM_X', 0), word('DIM_Y', 1), word('DIM_Z', 2), ...initiatorFields(3)],
  execute({ body }) {
    return {
      kind: 'dispatch',
      dispatch: { dimensions: [body[0]!, body[1]!, body[2]!], initiator: body[3]! },
    };
  },
};

const onComputeQueue = (body: Uint32Array) => body.length === 3;
const onGraphicsQueue = (body: Uint32Array) => body.length === 2;

export const DISPATCH_INDIRECT: PacketDefinition = {
  name: 'DISPATCH_INDIRECT',
  opcode: 0x16,
  generations: EVERY_GENERATION,
  body: [2, 3],
  fields: [
    word('DATA_OFFSET', 0, { when: onGraphicsQueue }),
    address('ADDRESS', 0, { when: onComputeQueue }),
    ...initiatorFields(1, onGraphicsQueue),
    ...initiatorFields(2, onComputeQueue),
  ],
  execute({ body }, context) {
    if (body.length === 3) return indirect(context, addressAt(body, 0), body[2]!);
    const base = context.state.processor.indirectBase;
    if (base === undefined) {
      const message = 'DISPATCH_INDIRECT without an earlier SET_BASE of the indirect arguments; not executed';
      context.report('PM4020', 'badInput', message);
      return { kind: 'unsupported', summary: message };
    }
    return indirect(context, addToAddress(base, body[0]!), body[1]!);
  },
};

function indirect(context: PacketContext, at: GuestAddress, initiator: number): PacketEffect {
  const dims = [0, 4, 8].map((offset) => context.memory.loadU32(addToAddress(at, offset)));
  const [x, y, z] = dims;
  if (x === undefined || y === undefined || z === undefined) {
    const message = `arguments of DISPATCH_INDIRECT at ${formatAddress(at)} are not readable; not executed`;
    context.report('PM4021', 'fault', message);
    return { kind: 'unsupported', summary: message };
  }
  return { kind: 'dispatch', dispatch: { dimensions: [x, y, z], initiator, argumentsAt: at } };
}
