/**
 * EVENT_WRITE: puts an event into the pipeline: flushes, counters on and off, samples of counters.
 *
 * Flushes have nothing left to do here. Samples (occlusion, pipeline statistics, streamout) would write counters that
 * are not kept; they are refused by name, so nobody mistakes old memory for a result.
 */
import { address, EVERY_GENERATION, flag, type PacketDefinition } from './definition.ts';
import { EVENT_FIELDS, eventName } from './event-fields.ts';

export const EVENT_WRITE: PacketDefinition = {
  name: 'EVENT_WRITE',
  opcode: 0x46,
  generations: EVERY_GENERATION,
  body: [1, 3],
  fields: [...EVENT_FIELDS, flag('INV_L2', 0, 20, { only: 'gfx7' }), address('ADDRESS', 1, { alignBits: 3 })],
  check: (body) => (body.length === 2 ? 'EVENT_WRITE has 2 body dwords; it has 1, or 3 with an address' : undefined),
  execute({ body }, context) {
    const summary = eventName(body, context.generation);
    if (body.length === 3) {
      context.report(
        'PM4017',
        'unsupported',
        `EVENT_WRITE ${summary}: the counters that it samples are not kept; nothing written`,
      );
    }
    return { kind: 'sync', summary, written: [] };
  },
};
