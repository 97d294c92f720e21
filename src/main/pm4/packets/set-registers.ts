/**
 * SET_SH_REG, SET_CONTEXT_REG, SET_UCONFIG_REG, SET_CONFIG_REG and their index forms: consecutive registers of one
 * space from the packet's body.
 *
 * Body: 15:0 offset from the start of the space, 31:28 index (how the hardware treats the value, e.g. merged with the
 * kernel's compute unit mask; the value written is the same), then the values.
 */
import type { RegisterSpace } from '../registers/spaces.ts';
import { bits, EVERY_GENERATION, MAX_BODY_DWORDS, type PacketDefinition, payload } from './definition.ts';

function setRegisters(
  name: string,
  opcode: number,
  space: RegisterSpace,
  generations: PacketDefinition['generations'] = EVERY_GENERATION,
): PacketDefinition {
  return {
    name,
    opcode,
    generations,
    body: [2, MAX_BODY_DWORDS],
    fields: [bits('REG_OFFSET', 0, 0, 16), bits('INDEX', 0, 28, 4), payload('VALUES', 1)],
    setsRegistersOf: space,
  };
}

export const SET_CONFIG_REG = setRegisters('SET_CONFIG_REG', 0x68, 'config');
export const SET_CONTEXT_REG = setRegisters('SET_CONTEXT_REG', 0x69, 'context');
export const SET_CONTEXT_REG_INDEX = setRegisters('SET_CONTEXT_REG_INDEX', 0x6a, 'context', ['gfx10']);
export const SET_SH_REG = setRegisters('SET_SH_REG', 0x76, 'sh');
export const SET_UCONFIG_REG = setRegisters('SET_UCONFIG_REG', 0x79, 'uconfig');
export const SET_UCONFIG_REG_INDEX = setRegisters('SET_UCONFIG_REG_INDEX', 0x7a, 'uconfig', ['gfx10']);
export const SET_SH_REG_INDEX = setRegisters('SET_SH_REG_INDEX', 0x9b, 'sh', ['gfx10']);
