/**
 * ACQUIRE_MEM, SURFACE_SYNC and PFP_SYNC_ME: caches and engines. Memory here has no caches, so they only show.
 *
 * ACQUIRE_MEM has 6 body dwords on gfx7 and 7 on gfx10, where the cache actions moved to GCR_CNTL; both lengths are
 * met on both. Base and size count 256 bytes. Source: cikd.h (PACKET3_*_ACTION_ENA), nvd.h (ACQUIRE_MEM_GCR_CNTL).
 */
import { bits, EVERY_GENERATION, flag, type PacketDefinition, type PacketField, word } from './definition.ts';
import { namesOfFlags } from './event-fields.ts';

const COHER_CNTL: readonly PacketField[] = [
  flag('DEST_BASE_0_ENA', 0, 0, { only: 'gfx7' }),
  flag('DEST_BASE_1_ENA', 0, 1, { only: 'gfx7' }),
  flag('CB0_DEST_BASE_ENA', 0, 6, { only: 'gfx7' }),
  flag('CB1_DEST_BASE_ENA', 0, 7, { only: 'gfx7' }),
  flag('CB2_DEST_BASE_ENA', 0, 8, { only: 'gfx7' }),
  flag('CB3_DEST_BASE_ENA', 0, 9, { only: 'gfx7' }),
  flag('CB4_DEST_BASE_ENA', 0, 10, { only: 'gfx7' }),
  flag('CB5_DEST_BASE_ENA', 0, 11, { only: 'gfx7' }),
  flag('CB6_DEST_BASE_ENA', 0, 12, { only: 'gfx7' }),
  flag('CB7_DEST_BASE_ENA', 0, 13, { only: 'gfx7' }),
  flag('DB_DEST_BASE_ENA', 0, 14, { only: 'gfx7' }),
  flag('TCL1_VOL_ACTION_ENA', 0, 15, { only: 'gfx7' }),
  flag('TC_VOL_ACTION_ENA', 0, 16, { only: 'gfx7' }),
  flag('TC_WB_ACTION_ENA', 0, 18, { only: 'gfx7' }),
  flag('DEST_BASE_2_ENA', 0, 19, { only: 'gfx7' }),
  flag('DEST_BASE_3_ENA', 0, 21, { only: 'gfx7' }),
  flag('TCL1_ACTION_ENA', 0, 22, { only: 'gfx7' }),
  flag('TC_ACTION_ENA', 0, 23, { only: 'gfx7' }),
  flag('CB_ACTION_ENA', 0, 25),
  flag('DB_ACTION_ENA', 0, 26),
  flag('SH_KCACHE_ACTION_ENA', 0, 27, { only: 'gfx7' }),
  flag('SH_KCACHE_VOL_ACTION_ENA', 0, 28, { only: 'gfx7' }),
  flag('SH_ICACHE_ACTION_ENA', 0, 29, { only: 'gfx7' }),
];

const GCR_CNTL: readonly PacketField[] = [
  bits('GLI_INV', 6, 0, 2, { values: { 0: 'NOP', 1: 'ALL', 2: 'RANGE', 3: 'FIRST_LAST' } }),
  bits('GL1_RANGE', 6, 2, 2, { values: { 0: 'ALL', 2: 'RANGE', 3: 'FIRST_LAST' } }),
  flag('GLM_WB', 6, 4),
  flag('GLM_INV', 6, 5),
  flag('GLK_WB', 6, 6),
  flag('GLK_INV', 6, 7),
  flag('GLV_INV', 6, 8),
  flag('GL1_INV', 6, 9),
  flag('GL2_US', 6, 10),
  bits('GL2_RANGE', 6, 11, 2, { values: { 0: 'ALL', 1: 'VOL', 2: 'RANGE', 3: 'FIRST_LAST' } }),
  flag('GL2_DISCARD', 6, 13),
  flag('GL2_INV', 6, 14),
  flag('GL2_WB', 6, 15),
  bits('SEQ', 6, 16, 2, { values: { 0: 'PARALLEL', 1: 'FORWARD', 2: 'REVERSE' } }),
  flag('RANGE_IS_PA', 6, 18),
];

export const ACQUIRE_MEM: PacketDefinition = {
  name: 'ACQUIRE_MEM',
  opcode: 0x58,
  generations: EVERY_GENERATION,
  body: [6, 7],
  fields: [
    ...COHER_CNTL,
    flag('ENGINE_SEL', 0, 31),
    word('COHER_SIZE', 1),
    bits('COHER_SIZE_HI', 2, 0, 8),
    word('COHER_BASE_LO', 3),
    bits('COHER_BASE_HI', 4, 0, 24),
    bits('POLL_INTERVAL', 5, 0, 16),
    ...GCR_CNTL,
  ],
  execute({ body }, context) {
    const names = namesOfFlags([...COHER_CNTL, ...GCR_CNTL], body, context.generation);
    return { kind: 'sync', summary: `caches: ${names.join(' ') || 'nothing'}`, written: [] };
  },
};

export const SURFACE_SYNC: PacketDefinition = {
  name: 'SURFACE_SYNC',
  opcode: 0x43,
  generations: EVERY_GENERATION,
  body: [4, 4],
  fields: [
    ...COHER_CNTL,
    flag('ENGINE_SEL', 0, 31),
    word('COHER_SIZE', 1),
    word('COHER_BASE', 2),
    bits('POLL_INTERVAL', 3, 0, 16),
  ],
  execute({ body }, context) {
    const names = namesOfFlags(COHER_CNTL, body, context.generation);
    return { kind: 'sync', summary: `caches: ${names.join(' ') || 'nothing'}`, written: [] };
  },
};

export const PFP_SYNC_ME: PacketDefinition = {
  name: 'PFP_SYNC_ME',
  opcode: 0x42,
  generations: EVERY_GENERATION,
  body: [1, 1],
  fields: [word('DUMMY', 0)],
  execute: () => ({ kind: 'sync', summary: 'the prefetch parser waits for the micro engine', written: [] }),
};
