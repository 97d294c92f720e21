/**
 * Fields that the event packets share: the event's type and index, and the cache actions of both generations.
 * Sources: VGT_EVENT_TYPE of the kernel's enum headers; EOP_* in cikd.h, PACKET3_RELEASE_MEM_* in nvd.h.
 */
import type { Generation } from '../generation.ts';
import { FIELD_VALUES } from '../registers/field-values.gen.ts';
import { bits, flag, type PacketField } from './definition.ts';

const EVENT_INDEX = {
  0: 'OTHER',
  1: 'ZPASS_DONE',
  2: 'SAMPLE_PIPELINESTAT',
  3: 'SAMPLE_STREAMOUTSTATS',
  4: 'PARTIAL_FLUSH',
  5: 'END_OF_PIPE',
  6: 'END_OF_SHADER',
  7: 'CACHE_FLUSH',
};

export const EVENT_FIELDS: readonly PacketField[] = [
  bits('EVENT_TYPE', 0, 0, 6, { only: 'gfx7', values: FIELD_VALUES.gfx7.VGT_EVENT_TYPE! }),
  bits('EVENT_TYPE', 0, 0, 6, { only: 'gfx10', values: FIELD_VALUES.gfx10.VGT_EVENT_TYPE! }),
  bits('EVENT_INDEX', 0, 8, 4, { values: EVENT_INDEX }),
];

export const END_OF_PIPE_CACHE_FIELDS: readonly PacketField[] = [
  flag('TCL1_VOL_ACTION_ENA', 0, 12, { only: 'gfx7' }),
  flag('TC_VOL_ACTION_ENA', 0, 13, { only: 'gfx7' }),
  flag('TC_WB_ACTION_ENA', 0, 15, { only: 'gfx7' }),
  flag('TCL1_ACTION_ENA', 0, 16, { only: 'gfx7' }),
  flag('TC_ACTION_ENA', 0, 17, { only: 'gfx7' }),
  flag('GLM_WB', 0, 12, { only: 'gfx10' }),
  flag('GLM_INV', 0, 13, { only: 'gfx10' }),
  flag('GLV_INV', 0, 14, { only: 'gfx10' }),
  flag('GL1_INV', 0, 15, { only: 'gfx10' }),
  flag('GL2_US', 0, 16, { only: 'gfx10' }),
  bits('GL2_RANGE', 0, 17, 2, { only: 'gfx10' }),
  flag('GL2_DISCARD', 0, 19, { only: 'gfx10' }),
  flag('GL2_INV', 0, 20, { only: 'gfx10' }),
  flag('GL2_WB', 0, 21, { only: 'gfx10' }),
  bits('SEQ', 0, 22, 2, { only: 'gfx10', values: { 0: 'PARALLEL', 1: 'FORWARD', 2: 'REVERSE' } }),
  bits('CACHE_POLICY', 0, 25, 2, { values: { 0: 'LRU', 1: 'STREAM', 2: 'NOA', 3: 'BYPASS' } }),
];

/** Name of the event in bits 5:0 of the first body dword. */
export function eventName(body: Uint32Array, generation: Generation): string {
  const type = body[0]! & 0x3f;
  return FIELD_VALUES[generation].VGT_EVENT_TYPE?.[type] ?? `event 0x${type.toString(16)}`;
}

/** Names of the one-bit fields that are set, for a line of text. */
export function namesOfFlags(fields: readonly PacketField[], body: Uint32Array, generation: Generation): string[] {
  return fields.flatMap((f) => {
    if (f.kind !== 'bits' || f.width !== 1 || (f.only && f.only !== generation) || f.dword >= body.length) return [];
    return (body[f.dword]! >>> f.shift) & 1 ? [f.name] : [];
  });
}
