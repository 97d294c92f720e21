/**
 * JSON shapes and text of packets, events and states.
 */
import { describe, expect, it } from 'vitest';
import { CommandProcessor } from '../../../src/main/pm4/command-processor.ts';
import { decodePackets } from '../../../src/main/pm4/decode.ts';
import { changeShapes, eventShape, packetLines, packetShape, stateShape } from '../../../src/main/pm4/format.ts';
import { at, compute3, gnmMarker, memoryWith, setSh } from './command-stream.ts';

const RING = 0x10_0000;

describe('format', () => {
  const words = [
    ...gnmMarker(0x68750001, 'pass'),
    ...setSh(0x2e07, 64, 1),
    ...compute3(0x15, 1, 1, 1, 5),
    ...setSh(0x2e07, 32, 1),
    ...compute3(0x15, 2, 1, 1, 5),
    0x40000000,
  ];
  const stream = decodePackets(Uint32Array.from(words), at(RING), 'gfx1013');

  it('packets survive JSON', () => {
    const shape = packetShape(stream.packet(1));
    expect(JSON.parse(JSON.stringify(shape))).toEqual(shape);
    expect(shape).toMatchObject({
      address: '0x100010',
      name: 'SET_SH_REG',
      opcode: '0x76',
      compute: true,
      dwords: ['0xc0027602', '0x00000207', '0x00000040', '0x00000001'],
    });
    expect(shape.registers).toEqual([
      {
        name: 'COMPUTE_NUM_THREAD_X',
        index: '0x2e07',
        value: '0x00000040',
        fields: [
          { name: 'NUM_THREAD_FULL', value: 64 },
          { name: 'NUM_THREAD_PARTIAL', value: 0 },
        ],
      },
      {
        name: 'COMPUTE_NUM_THREAD_Y',
        index: '0x2e08',
        value: '0x00000001',
        fields: [
          { name: 'NUM_THREAD_FULL', value: 1 },
          { name: 'NUM_THREAD_PARTIAL', value: 0 },
        ],
      },
    ]);
    expect(packetShape(stream.packet(5))).toMatchObject({ name: 'DAMAGED', dwords: ['0x40000000'] });
    expect(packetShape(stream.packet(5)).reason).toContain('type-1');
  });

  it('packets as lines', () => {
    expect(packetLines(stream.packet(1))).toEqual([
      '0x100010  SET_SH_REG compute',
      '  REG_OFFSET = 0x207',
      '  INDEX = 0x0',
      '  COMPUTE_NUM_THREAD_X = 0x00000040',
      '    NUM_THREAD_FULL = 0x40',
      '    NUM_THREAD_PARTIAL = 0x0',
      '  COMPUTE_NUM_THREAD_Y = 0x00000001',
      '    NUM_THREAD_FULL = 0x1',
      '    NUM_THREAD_PARTIAL = 0x0',
    ]);
  });

  it('events, states and changes name the packets', () => {
    const processor = new CommandProcessor({ target: 'gfx1013', memory: memoryWith({ [RING]: words }) });
    const events = [...processor.execute({ sequence: 3, address: at(RING), dwordCount: words.length })];
    const [marker, first, second, damaged] = events.map(eventShape);
    expect(marker).toMatchObject({ index: 0, kind: 'marker', summary: 'push pass', markers: [] });
    expect(first).toEqual({
      index: 1,
      kind: 'dispatch',
      summary: '1 × 1 × 1',
      packet: { name: 'DISPATCH_DIRECT', address: '0x100020', sequence: 3 },
      submit: 3,
      path: [{ address: '0x100000', dwordCount: words.length, dwordOffset: 8 }],
      markers: ['pass'],
      diagnostics: [],
    });
    expect(damaged).toMatchObject({ kind: 'damaged', packet: { name: 'DAMAGED', address: '0x100058' } });
    expect(damaged!.diagnostics[0]).toMatch(/^PM4003 at 0x100058: type-1/);
    expect(second!.index).toBe(2);

    const addressOf = (n: number) => processor.packetAddress(n);
    expect(stateShape(events[1]!.state, 'gfx1013', addressOf).map((r) => [r.name, r.value, r.writer])).toEqual([
      ['COMPUTE_NUM_THREAD_X', '0x00000040', 'packet 2 at 0x100010'],
      ['COMPUTE_NUM_THREAD_Y', '0x00000001', 'packet 2 at 0x100010'],
    ]);
    expect(changeShapes(events[1]!.state.changesTo(events[2]!.state), 'gfx1013', addressOf)).toEqual([
      {
        name: 'COMPUTE_NUM_THREAD_X',
        index: '0x2e07',
        before: '0x00000040',
        after: '0x00000020',
        kind: 'changed',
        writer: 'packet 4 at 0x100034',
      },
      {
        name: 'COMPUTE_NUM_THREAD_Y',
        index: '0x2e08',
        before: '0x00000001',
        after: '0x00000001',
        kind: 'redundant',
        writer: 'packet 4 at 0x100034',
      },
    ]);
  });
});
