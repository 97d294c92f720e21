/**
 * The command processor: order of events, nesting, markers, state before events, memory packets, bounds.
 */
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import type { GuestMemory } from '../../../src/main/base/guest-memory.ts';
import { CommandProcessor, type CommandProcessorOptions } from '../../../src/main/pm4/command-processor.ts';
import type { GpuEvent } from '../../../src/main/pm4/events.ts';
import { GENERATIONS } from '../../../src/main/pm4/generation.ts';
import { PACKET_DEFINITIONS } from '../../../src/main/pm4/packets/index.ts';
import { nameOfOpcode } from '../../../src/main/pm4/packets/opcode-names.ts';
import { at, compute3, gnmMarker, high, indirectBuffer, low, memoryWith, setSh, type3 } from './command-stream.ts';

const RING = 0x10_0000;
const OUTER = 0x20_0000;
const INNER = 0x30_0000;
const DATA = 0x50_0000;

function run(
  memory: GuestMemory,
  dwordCount: number,
  options: Partial<CommandProcessorOptions> & { target?: Target } = {},
): { events: GpuEvent[]; processor: CommandProcessor } {
  const processor = new CommandProcessor({ target: 'gfx1013', memory, ...options });
  const events = [...processor.execute({ sequence: 7, address: at(RING), dwordCount })];
  return { events, processor };
}

function runWords(words: readonly number[], others: Readonly<Record<number, readonly number[]>> = {}) {
  const memory = memoryWith({ ...others, [RING]: words });
  return { memory, ...run(memory, words.length) };
}

const dispatch = compute3(0x15, 1, 2, 3, 5);

describe('CommandProcessor', () => {
  it('gives the state before each dispatch, and who wrote a register', () => {
    const words = [...setSh(0x2e0c, 0x1000, 0), ...dispatch, ...setSh(0x2e0c, 0x2000), ...dispatch];
    const { events, processor } = runWords(words);
    expect(events.map((e) => e.effect.kind)).toEqual(['dispatch', 'dispatch']);
    const [a, b] = events as [GpuEvent, GpuEvent];
    expect(a.state.get(0x2e0c)).toBe(0x1000);
    expect(b.state.get(0x2e0c)).toBe(0x2000);
    expect(a.state.get(0x2e12)).toBeUndefined();
    expect(processor.packetAddress(a.state.writer(0x2e0c)!)).toBe(RING);
    // SET_SH_REG of two values has 4 dwords, DISPATCH_DIRECT 5.
    expect(processor.packetAddress(b.state.writer(0x2e0c)!)).toBe(RING + 4 * 9);
    expect(processor.packetAddress(b.state.writer(0x2e0d)!)).toBe(RING);
    expect(a.state.changesTo(b.state)).toEqual([
      { index: 0x2e0c, before: 0x1000, after: 0x2000, writer: 3, kind: 'changed' },
    ]);
    expect(a.submit).toBe(7);
  });

  it('follows nested buffers and keeps markers and path', () => {
    const inner = [...gnmMarker(0x68750001, 'inner pass'), ...dispatch, ...gnmMarker(0x68750002)];
    const outer = [0xffff1000, ...indirectBuffer(INNER, inner.length), ...dispatch];
    const ring = [...gnmMarker(0x68750001, 'frame'), ...indirectBuffer(OUTER, outer.length), ...dispatch];
    const { events } = runWords(ring, { [OUTER]: outer, [INNER]: inner });
    expect(events.map((e) => e.effect.kind)).toEqual([
      'marker',
      'marker',
      'dispatch',
      'marker',
      'dispatch',
      'dispatch',
    ]);
    const dispatches = events.filter((e) => e.effect.kind === 'dispatch');
    expect(dispatches.map((e) => e.markers)).toEqual([['frame', 'inner pass'], ['frame'], ['frame']]);
    expect(dispatches[0]!.path).toEqual([
      { address: RING, dwordCount: ring.length, dwordOffset: 4 },
      { address: OUTER, dwordCount: outer.length, dwordOffset: 1 },
      { address: INNER, dwordCount: inner.length, dwordOffset: 5 },
    ]);
    expect(dispatches[2]!.path).toEqual([{ address: RING, dwordCount: ring.length, dwordOffset: 8 }]);
  });

  it('executes WRITE_DATA before its event is returned', () => {
    const words = type3(0x37, 5 << 8, DATA, 0, 0x11, 0x22, 0x33);
    const { events, memory } = runWords(words, { [DATA]: [9, 9, 9, 9] });
    expect(events.map((e) => e.effect)).toEqual([{ kind: 'write', written: [{ address: DATA, sizeBytes: 12 }] }]);
    expect([0, 4, 8, 12].map((o) => memory.loadU32(at(DATA + o)))).toEqual([0x11, 0x22, 0x33, 9]);
  });

  it('reads a buffer when it is entered, so a packet before may have written it', () => {
    const words = [...type3(0x37, 5 << 8, INNER, 0, ...dispatch), ...indirectBuffer(INNER, dispatch.length)];
    const { events } = runWords(words, { [INNER]: [0, 0, 0, 0, 0] });
    expect(events.map((e) => e.effect.kind)).toEqual(['write', 'dispatch']);
  });

  it('lets the caller change memory between events', () => {
    const words = [...dispatch, ...indirectBuffer(INNER, dispatch.length)];
    const memory = memoryWith({ [RING]: words, [INNER]: [0, 0, 0, 0, 0] });
    const processor = new CommandProcessor({ target: 'gfx1013', memory });
    const kinds: string[] = [];
    for (const event of processor.execute({ sequence: 0, address: at(RING), dwordCount: words.length })) {
      kinds.push(event.effect.kind);
      if (kinds.length === 1) dispatch.forEach((w, i) => void memory.storeU32(at(INNER + 4 * i), w));
    }
    expect(kinds).toEqual(['dispatch', 'dispatch']);
  });

  it('reads the dimensions of an indirect dispatch from memory, by base and by address', () => {
    const byAddress = compute3(0x16, low(DATA), high(DATA), 5);
    const { events } = runWords(byAddress, { [DATA]: [4, 5, 6] });
    expect(events[0]!.effect).toEqual({
      kind: 'dispatch',
      dispatch: { dimensions: [4, 5, 6], initiator: 5, argumentsAt: DATA },
    });
    const without = runWords(compute3(0x16, 8, 5)).events[0]!;
    expect(without.diagnostics.map((d) => d.code)).toEqual(['PM4020']);
  });

  it('reports what it cannot reach and goes on', () => {
    const words = [
      ...type3(0x37, 5 << 8, 0x7000_0000, 0, 1),
      ...indirectBuffer(0x7000_0000, 4),
      ...type3(0x21, 0, 0, 0),
      ...dispatch,
    ];
    const { events } = runWords(words);
    expect(events.map((e) => [e.effect.kind, e.diagnostics[0]?.code])).toEqual([
      ['write', 'PM4011'],
      ['problem', 'PM4007'],
      ['unsupported', 'PM4004'],
      ['dispatch', undefined],
    ]);
    const unreadable = run(memoryWith({ [DATA]: [0] }), 4).events;
    expect(unreadable.map((e) => e.diagnostics[0]!.code)).toEqual(['PM4001']);
  });

  it('ends loops of buffers, by call and by chain, and depth', () => {
    const self = indirectBuffer(RING, 4);
    expect(runWords(self).events.map((e) => e.diagnostics[0]!.code)).toEqual(['PM4005']);
    const chain = 1 << 20;
    const a = indirectBuffer(OUTER, 4, chain);
    const b = indirectBuffer(RING, 4, chain);
    expect(runWords(a, { [OUTER]: b }).events.map((e) => e.diagnostics[0]!.code)).toEqual(['PM4005']);
    const tower: Record<number, number[]> = {};
    for (let i = 0; i < 40; i++) tower[RING + 0x1000 * i] = indirectBuffer(RING + 0x1000 * (i + 1), 4);
    const { events } = run(memoryWith(tower), 4);
    expect(events.map((e) => e.diagnostics[0]!.code)).toEqual(['PM4006']);
    expect(events[0]!.path).toHaveLength(16);
  });

  it('stops at the number of packets and of dwords that a submit may have', () => {
    const many = Array.from({ length: 100 }, () => 0x80000000);
    const memory = memoryWith({ [RING]: many });
    expect(run(memory, 100, { maxPacketsPerSubmit: 50 }).events.map((e) => e.diagnostics[0]!.code)).toEqual(['PM4002']);
    expect(run(memory, 100, { maxDwordsPerSubmit: 50 }).events.map((e) => e.diagnostics[0]!.code)).toEqual(['PM4001']);
    expect(run(memory, 100, { maxPacketsPerSubmit: 100, maxDwordsPerSubmit: 100 }).events).toEqual([]);
  });

  it('shows a damaged packet as an event and resumes', () => {
    const words = [0x40000000, 0x12345678, ...dispatch];
    const { events } = runWords(words);
    expect(events.map((e) => e.effect.kind)).toEqual(['damaged', 'dispatch']);
    expect(events[0]!.packet!.words).toEqual(Uint32Array.of(0x40000000, 0x12345678));
  });

  it('tells an observer of every packet in order of execution, with its place', () => {
    const inner = [...setSh(0x2e40, 1), 0x80000000];
    const ring = [...setSh(0x2e41, 2), ...indirectBuffer(INNER, inner.length), ...dispatch];
    const seen: string[] = [];
    const memory = memoryWith({ [RING]: ring, [INNER]: inner });
    run(memory, ring.length, {
      observe: ({ packet, sequence, path }) => {
        seen.push(`${sequence} ${packet.name} ${path.map((s) => s.dwordOffset).join('/')}`);
      },
    });
    expect(seen).toEqual([
      '1 SET_SH_REG 0',
      '2 INDIRECT_BUFFER 3',
      '3 SET_SH_REG 3/0',
      '4 TYPE2 3/3',
      '5 DISPATCH_DIRECT 7',
    ]);
  });

  it('queues may share the global data share', () => {
    const gds = new Uint32Array(0x4000);
    const memory = memoryWith({ [RING]: type3(0x37, 3 << 8, 4, 0, 0xab) });
    run(memory, 5, { gds });
    expect(gds[1]).toBe(0xab);
  });
});

describe('packet definitions', () => {
  it('have the name that the list of opcodes has, one per opcode and generation', () => {
    for (const generation of GENERATIONS) {
      const opcodes = PACKET_DEFINITIONS.filter((d) => d.generations.includes(generation)).map((d) => d.opcode);
      expect(new Set(opcodes).size).toBe(opcodes.length);
    }
    for (const d of PACKET_DEFINITIONS) {
      for (const generation of d.generations) expect(nameOfOpcode(d.opcode, generation)).toBe(d.name);
      expect(d.setsRegistersOf === undefined, d.name).toBe(d.execute !== undefined);
    }
  });

  it('have fields that lie inside the longest form of the packet', () => {
    for (const d of PACKET_DEFINITIONS) {
      for (const f of d.fields) {
        expect(f.dword < d.body[1], `${d.name}.${f.name}`).toBe(true);
        if (f.kind === 'bits') expect(f.shift + f.width <= 32, `${d.name}.${f.name}`).toBe(true);
      }
    }
  });
});
