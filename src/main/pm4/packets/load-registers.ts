/**
 * LOAD_{SH,CONTEXT,UCONFIG,CONFIG}_REG and LOAD_{SH,CONTEXT}_REG_INDEX: registers from memory.
 *
 * The plain forms hold an address and any number of (offset, count) pairs; a register's value stands at the address
 * plus four times its offset, as register shadowing lays memory out. The index forms hold one run whose values follow
 * one another from the address; their other formats (offset and data pairs, relative addresses) are refused.
 */
import { addToAddress, type GuestAddress } from '../../base/guest-address.ts';
import { REGISTER_SPACES, type RegisterSpace } from '../registers/spaces.ts';
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  MAX_BODY_DWORDS,
  type PacketContext,
  type PacketDefinition,
  type PacketEffect,
  payload,
} from './definition.ts';
import { readDword } from './places.ts';

function load(
  context: PacketContext,
  name: string,
  space: RegisterSpace,
  run: { readonly offset: number; readonly count: number; readonly at: GuestAddress },
): number {
  const { first, end } = REGISTER_SPACES[space];
  for (let i = 0; i < run.count; i++) {
    const index = first + run.offset + i;
    if (index >= end) {
      context.report(
        'PM4019',
        'badInput',
        `${name}: register offset 0x${(run.offset + i).toString(16)} is outside the ${space} space`,
      );
      return i;
    }
    const value = readDword(context, { kind: 'memory', address: addToAddress(run.at, 4 * i) }, name);
    if (value === undefined) return i;
    context.writeRegister(index, value);
  }
  return run.count;
}

function loadRegisters(name: string, opcode: number, space: RegisterSpace): PacketDefinition {
  return {
    name,
    opcode,
    generations: EVERY_GENERATION,
    body: [4, MAX_BODY_DWORDS],
    fields: [address('BASE_ADDR', 0), bits('REG_OFFSET', 2, 0, 16), bits('NUM_DWORDS', 3, 0, 14), payload('MORE', 4)],
    check: (body) => (body.length % 2 === 0 ? undefined : `${name} has an offset without a count`),
    execute({ body }, context): PacketEffect {
      const base = addressAt(body, 0);
      let count = 0;
      for (let i = 2; i < body.length; i += 2) {
        const offset = body[i]! & 0xffff;
        const run = { offset, count: body[i + 1]! & 0x3fff, at: addToAddress(base, 4 * offset) };
        count += load(context, name, space, run);
      }
      return { kind: 'state', summary: `${count} ${space} registers from memory` };
    },
  };
}

function loadRegistersIndex(name: string, opcode: number, space: RegisterSpace): PacketDefinition {
  return {
    name,
    opcode,
    generations: ['gfx10'],
    body: [4, 4],
    fields: [
      bits('INDEX', 0, 0, 1, { values: { 0: 'DIRECT_ADDR', 1: 'OFFSET' } }),
      address('MEM_ADDR', 0),
      bits('REG_OFFSET', 2, 0, 16),
      bits('DATA_FORMAT', 2, 31, 1, { values: { 0: 'OFFSET_AND_SIZE', 1: 'OFFSET_AND_DATA' } }),
      bits('NUM_DWORDS', 3, 0, 14),
    ],
    execute({ body }, context): PacketEffect {
      if ((body[0]! & 1) !== 0 || body[2]! >>> 31 !== 0) {
        const message = `${name} with a relative address or with offset and data pairs is not executed`;
        context.report('PM4018', 'unsupported', message);
        return { kind: 'unsupported', summary: message };
      }
      const run = { offset: body[2]! & 0xffff, count: body[3]! & 0x3fff, at: addressAt(body, 0) };
      return { kind: 'state', summary: `${load(context, name, space, run)} ${space} registers from memory` };
    },
  };
}

export const LOAD_UCONFIG_REG = loadRegisters('LOAD_UCONFIG_REG', 0x5e, 'uconfig');
export const LOAD_SH_REG = loadRegisters('LOAD_SH_REG', 0x5f, 'sh');
export const LOAD_CONFIG_REG = loadRegisters('LOAD_CONFIG_REG', 0x60, 'config');
export const LOAD_CONTEXT_REG = loadRegisters('LOAD_CONTEXT_REG', 0x61, 'context');
export const LOAD_SH_REG_INDEX = loadRegistersIndex('LOAD_SH_REG_INDEX', 0x63, 'sh');
export const LOAD_UCONFIG_REG_INDEX = loadRegistersIndex('LOAD_UCONFIG_REG_INDEX', 0x64, 'uconfig');
export const LOAD_CONTEXT_REG_INDEX = loadRegistersIndex('LOAD_CONTEXT_REG_INDEX', 0x9f, 'context');
