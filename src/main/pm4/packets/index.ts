/**
 * All packet definitions, one line each, and lookup by header.
 */
import type { Generation } from '../generation.ts';
import { headerOpcode } from '../header.ts';
import type { PacketDefinition } from './definition.ts';
import { DISPATCH_DIRECT, DISPATCH_INDIRECT } from './dispatch.ts';
import { INDIRECT_BUFFER, INDIRECT_BUFFER_CONST } from './indirect-buffer.ts';
import { NOP } from './nop.ts';
import { nameOfOpcode } from './opcode-names.ts';
import {
  SET_CONFIG_REG,
  SET_CONTEXT_REG,
  SET_CONTEXT_REG_INDEX,
  SET_SH_REG,
  SET_SH_REG_INDEX,
  SET_UCONFIG_REG,
  SET_UCONFIG_REG_INDEX,
} from './set-registers.ts';
import { WRITE_DATA } from './write-data.ts';

export const PACKET_DEFINITIONS: readonly PacketDefinition[] = [
  NOP,
  DISPATCH_DIRECT,
  DISPATCH_INDIRECT,
  INDIRECT_BUFFER_CONST,
  WRITE_DATA,
  INDIRECT_BUFFER,
  SET_CONFIG_REG,
  SET_CONTEXT_REG,
  SET_CONTEXT_REG_INDEX,
  SET_SH_REG,
  SET_UCONFIG_REG,
  SET_UCONFIG_REG_INDEX,
  SET_SH_REG_INDEX,
];

function byOpcode(generation: Generation): (PacketDefinition | undefined)[] {
  const table = new Array<PacketDefinition | undefined>(256).fill(undefined);
  for (const d of PACKET_DEFINITIONS) if (d.generations.includes(generation)) table[d.opcode] = d;
  return table;
}

const TABLES: Readonly<Record<Generation, readonly (PacketDefinition | undefined)[]>> = {
  gfx7: byOpcode('gfx7'),
  gfx10: byOpcode('gfx10'),
};

/** Of a type-3 header. */
export function definitionOf(header: number, generation: Generation): PacketDefinition | undefined {
  return TABLES[generation][headerOpcode(header)];
}

/** Undefined where the generation has no such opcode that is known. */
export function opcodeName(opcode: number, generation: Generation): string | undefined {
  return TABLES[generation][opcode]?.name ?? nameOfOpcode(opcode, generation);
}
