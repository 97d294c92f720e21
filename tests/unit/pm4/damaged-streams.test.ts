/**
 * Hostile streams, seeded: random dwords, flipped bits and truncations of a good stream. Nothing may throw or hang;
 * packets must cover the buffer, and every damaged one must say why.
 */
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { CommandProcessor } from '../../../src/main/pm4/command-processor.ts';
import { decodePackets } from '../../../src/main/pm4/decode.ts';
import { eventShape, packetLines, packetShape } from '../../../src/main/pm4/format.ts';
import { PACKET_DEFINITIONS } from '../../../src/main/pm4/packets/index.ts';
import { compute3, gnmMarker, indirectBuffer, setSh, type3 } from './command-stream.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

const RING = 0x100000 as GuestAddress;
const NESTED = 0x200000 as GuestAddress;

const good: readonly number[] = [
  ...gnmMarker(0x68750001, 'frame'),
  ...setSh(0x2e0c, 0x1000, 0),
  ...setSh(0x2e04, 0, 0, 0, 64, 1, 1),
  ...indirectBuffer(NESTED, 64),
  ...compute3(0x15, 1, 1, 1, 5),
  ...type3(0x37, 5 << 8, NESTED, 0, 1, 2, 3),
  ...type3(0x50, 0, NESTED, 0, RING + 0x800, 0, 64),
  ...type3(0x3c, 3 | (1 << 4), NESTED, 0, 1, 0xffffffff, 10),
  ...type3(0x49, 0x514, 1 << 29, NESTED + 16, 0, 0x1234, 0, 0),
  ...type3(0x22, NESTED, 0, 0, 5),
  ...gnmMarker(0x68750002),
  ...type3(0x12, 0),
];

/** The targets of one generation differ in register names only. */
const TARGETS: readonly Target[] = ['gfx700', 'gfx1013'];

/** Decodes, formats and executes; the number of events. */
function torture(words: readonly number[], nested: readonly number[], target: Target): number {
  const buffer = Uint32Array.from(words);
  const stream = decodePackets(buffer, RING, target);
  // One comparison per stream: an expectation per packet would cost more than what it tests.
  const wrong: string[] = [];
  let at = 0;
  for (const packet of stream) {
    if (packet.dwordOffset !== at || packet.dwordCount === 0) wrong.push(`gap at dword ${at}`);
    if ((packet.kind === 'damaged') !== (packet.reason !== undefined))
      wrong.push(`reason of the packet at dword ${at}`);
    packetShape(packet);
    packetLines(packet);
    at += packet.dwordCount;
  }
  if (at !== buffer.length) wrong.push(`packets end at dword ${at} of ${buffer.length}`);

  const memory = new GuestMemory();
  for (const [address, list] of [
    [RING, words],
    [NESTED, nested],
  ] as const) {
    memory.map(address, 0x4000, READ | WRITE);
    list.forEach((w, i) => {
      memory.storeU32((address + 4 * i) as GuestAddress, w);
    });
  }
  const processor = new CommandProcessor({ target, memory, maxPacketsPerSubmit: 20_000, maxDwordsPerSubmit: 200_000 });
  let events = 0;
  for (const event of processor.execute({ sequence: 0, address: RING, dwordCount: words.length })) {
    JSON.stringify(eventShape(event));
    if (event.index !== events++) wrong.push(`event ${event.index} is number ${events - 1}`);
  }
  expect(wrong).toEqual([]);
  return events;
}

/** A header that often is a packet that exists. */
function likelyHeader(random: SeededRandom): number {
  const definition = PACKET_DEFINITIONS[random.below(PACKET_DEFINITIONS.length)]!;
  const [min, max] = definition.body;
  const body = Math.max(1, min + random.below(Math.min(max - min, 4) + 1));
  return ((3 << 30) | ((body - 1) << 16) | (definition.opcode << 8) | random.below(4)) >>> 0;
}

describe('damaged streams', () => {
  it.each(TARGETS)('%s: 500 streams of random dwords', (target) => {
    const random = seededRandom(11);
    for (let n = 0; n < 500; n++) {
      const words = Array.from({ length: 1 + random.below(200) }, () => random.word());
      torture(words, [], target);
    }
  });

  it.each(TARGETS)('%s: 1,000 streams of real headers with random bodies that point at the streams', (target) => {
    const random = seededRandom(12);
    const dword = () => {
      switch (random.below(6)) {
        case 0:
          return RING + 4 * random.below(0x400);
        case 1:
          return NESTED + 4 * random.below(0x400);
        case 2:
          return random.below(64);
        case 3:
          return random.word();
        default:
          return likelyHeader(random);
      }
    };
    let events = 0;
    for (let n = 0; n < 1000; n++) {
      const words = Array.from({ length: 1 + random.below(200) }, dword);
      events += torture(words, Array.from({ length: 64 }, dword), target);
    }
    // The generator must reach execution, or it tests nothing.
    expect(events).toBeGreaterThan(5000);
  });

  it.each(TARGETS)('%s: every truncation and 2,000 bit flips of a good stream', (target) => {
    for (let length = 1; length <= good.length; length++) torture(good.slice(0, length), good, target);
    const random = seededRandom(13);
    for (let n = 0; n < 2000; n++) {
      const words = good.slice();
      for (let k = random.below(3); k >= 0; k--) {
        const i = random.below(words.length);
        words[i] = (words[i]! ^ (1 << random.below(32))) >>> 0;
      }
      torture(words, good, target);
    }
  });

  it('buffers that enter one another many times end at the limit, soon', () => {
    const memory = new GuestMemory();
    const base = 0x1000000;
    // Each level enters the next 64 times: 64^12 packets without a limit.
    for (let level = 0; level < 13; level++) {
      const address = (base + 0x10000 * level) as GuestAddress;
      memory.map(address, 0x1000, READ | WRITE);
      const words = Array.from({ length: 64 }, () => indirectBuffer(base + 0x10000 * (level + 1), 256)).flat();
      words.forEach((w, i) => {
        memory.storeU32((address + 4 * i) as GuestAddress, w);
      });
    }
    const processor = new CommandProcessor({ target: 'gfx1013', memory, maxPacketsPerSubmit: 100_000 });
    const codes = new Set<string>();
    for (const event of processor.execute({ sequence: 0, address: base as GuestAddress, dwordCount: 256 })) {
      for (const d of event.diagnostics) codes.add(d.code);
    }
    expect(codes.has('PM4002')).toBe(true);
  });
});
