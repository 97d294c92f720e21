/**
 * All packet definitions, one line each, and lookup by header.
 */
import type { Generation } from '../generation.ts';
import { headerOpcode } from '../header.ts';
import { ATOMIC_MEM } from './atomic-mem.ts';
import { ACQUIRE_MEM, PFP_SYNC_ME, SURFACE_SYNC } from './cache-sync.ts';
import { COND_EXEC, PRED_EXEC, REWIND, SET_PREDICATION } from './conditions.ts';
import {
  DUMP_CONST_RAM,
  INCREMENT_CE_COUNTER,
  INCREMENT_DE_COUNTER,
  LOAD_CONST_RAM,
  WAIT_ON_CE_COUNTER,
  WAIT_ON_DE_COUNTER_DIFF,
  WRITE_CONST_RAM,
} from './constant-ram.ts';
import { CLEAR_STATE, CONTEXT_CONTROL, CONTEXT_REG_RMW } from './context-state.ts';
import { COPY_DATA } from './copy-data.ts';
import type { PacketDefinition } from './definition.ts';
import { DISPATCH_DIRECT, DISPATCH_INDIRECT } from './dispatch.ts';
import { DMA_DATA } from './dma-data.ts';
import {
  DRAW_INDEX_2,
  DRAW_INDEX_AUTO,
  DRAW_INDEX_INDIRECT,
  DRAW_INDEX_INDIRECT_MULTI,
  DRAW_INDEX_MULTI_AUTO,
  DRAW_INDEX_OFFSET_2,
  DRAW_INDIRECT,
  DRAW_INDIRECT_MULTI,
  INDEX_BASE,
  INDEX_BUFFER_SIZE,
  INDEX_TYPE,
  NUM_INSTANCES,
} from './draw.ts';
import { EVENT_WRITE_EOP, EVENT_WRITE_EOS, RELEASE_MEM } from './end-of-pipe.ts';
import { EVENT_WRITE } from './event-write.ts';
import { INDIRECT_BUFFER, INDIRECT_BUFFER_CONST } from './indirect-buffer.ts';
import {
  LOAD_CONFIG_REG,
  LOAD_CONTEXT_REG,
  LOAD_CONTEXT_REG_INDEX,
  LOAD_SH_REG,
  LOAD_SH_REG_INDEX,
  LOAD_UCONFIG_REG,
  LOAD_UCONFIG_REG_INDEX,
} from './load-registers.ts';
import { FRAME_CONTROL, PREAMBLE_CNTL, PRIME_UTCL2, SWITCH_BUFFER } from './no-effect.ts';
import { NOP } from './nop.ts';
import { nameOfOpcode } from './opcode-names.ts';
import { ATOMIC_GDS, OCCLUSION_QUERY, STRMOUT_BUFFER_UPDATE } from './queries.ts';
import { MEM_SEMAPHORE } from './semaphore.ts';
import { SET_BASE } from './set-base.ts';
import {
  SET_CONFIG_REG,
  SET_CONTEXT_REG,
  SET_CONTEXT_REG_INDEX,
  SET_SH_REG,
  SET_SH_REG_INDEX,
  SET_UCONFIG_REG,
  SET_UCONFIG_REG_INDEX,
} from './set-registers.ts';
import { COND_WRITE, WAIT_REG_MEM, WAIT_REG_MEM64 } from './wait.ts';
import { WRITE_DATA } from './write-data.ts';

export const PACKET_DEFINITIONS: readonly PacketDefinition[] = [
  ACQUIRE_MEM,
  ATOMIC_GDS,
  ATOMIC_MEM,
  CLEAR_STATE,
  COND_EXEC,
  COND_WRITE,
  CONTEXT_CONTROL,
  CONTEXT_REG_RMW,
  COPY_DATA,
  DISPATCH_DIRECT,
  DISPATCH_INDIRECT,
  DMA_DATA,
  DRAW_INDEX_2,
  DRAW_INDEX_AUTO,
  DRAW_INDEX_INDIRECT,
  DRAW_INDEX_INDIRECT_MULTI,
  DRAW_INDEX_MULTI_AUTO,
  DRAW_INDEX_OFFSET_2,
  DRAW_INDIRECT,
  DRAW_INDIRECT_MULTI,
  DUMP_CONST_RAM,
  EVENT_WRITE,
  EVENT_WRITE_EOP,
  EVENT_WRITE_EOS,
  FRAME_CONTROL,
  INCREMENT_CE_COUNTER,
  INCREMENT_DE_COUNTER,
  INDEX_BASE,
  INDEX_BUFFER_SIZE,
  INDEX_TYPE,
  INDIRECT_BUFFER,
  INDIRECT_BUFFER_CONST,
  LOAD_CONFIG_REG,
  LOAD_CONST_RAM,
  LOAD_CONTEXT_REG,
  LOAD_CONTEXT_REG_INDEX,
  LOAD_SH_REG,
  LOAD_SH_REG_INDEX,
  LOAD_UCONFIG_REG,
  LOAD_UCONFIG_REG_INDEX,
  MEM_SEMAPHORE,
  NOP,
  NUM_INSTANCES,
  OCCLUSION_QUERY,
  PFP_SYNC_ME,
  PREAMBLE_CNTL,
  PRED_EXEC,
  PRIME_UTCL2,
  RELEASE_MEM,
  REWIND,
  SET_BASE,
  SET_CONFIG_REG,
  SET_CONTEXT_REG,
  SET_CONTEXT_REG_INDEX,
  SET_PREDICATION,
  SET_SH_REG,
  SET_SH_REG_INDEX,
  SET_UCONFIG_REG,
  SET_UCONFIG_REG_INDEX,
  STRMOUT_BUFFER_UPDATE,
  SURFACE_SYNC,
  SWITCH_BUFFER,
  WAIT_ON_CE_COUNTER,
  WAIT_ON_DE_COUNTER_DIFF,
  WAIT_REG_MEM,
  WAIT_REG_MEM64,
  WRITE_CONST_RAM,
  WRITE_DATA,
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
