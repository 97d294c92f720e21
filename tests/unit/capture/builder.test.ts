/** CaptureBuilder and the packet writer. Packet words are worked out by hand from the header's bit-fields. */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { CaptureBuilder } from '../../../src/main/capture/importers/capture-builder.ts';
import { Pm4Stream, tmpringSize } from '../../../src/main/capture/importers/pm4-builder.ts';
import { openCaptureBytes } from '../../../src/main/capture/store/open-capture.ts';

const at = (value: number) => value as GuestAddress;

function words(stream: Pm4Stream): number[] {
  return [...new Uint32Array(stream.bytes().buffer)];
}

function open(builder: CaptureBuilder) {
  const opened = openCaptureBytes(builder.build());
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  expect(opened.value.capture.damage).toEqual([]);
  return opened.value;
}

describe('CaptureBuilder', () => {
  const make = () => new CaptureBuilder({ target: 'gfx1013', producer: 'test', title: 'built' });

  it('stores written pages only, and all of memory reads back', () => {
    const builder = make().map(at(0x1000_0000), 0x100_0000, READ | WRITE);
    builder.write(at(0x1000_2ffe), Uint8Array.of(1, 2, 3, 4)).writeWords(at(0x10ff_fffc), [0xa1b2c3d4]);
    const { capture, ...opened } = { capture: open(builder).capture, memory: open(builder).initialMemory() };
    expect(capture.segments.map((s) => [s.address, s.memSize, s.fileSize])).toEqual([
      [0x1000_0000, 0x2000, 0],
      [0x1000_2000, 0xffd000, 0x2000],
      [0x10ff_f000, 0x1000, 0x1000],
    ]);
    expect(opened.memory.extents.length).toBe(1);
    expect(opened.memory.loadU32(at(0x1000_2ffe))).toBe(0x04030201);
    expect(opened.memory.loadU32(at(0x10ff_fffc))).toBe(0xa1b2c3d4);
    expect(opened.memory.loadU32(at(0x1080_0000))).toBe(0);
  });

  it('bridges small gaps of unwritten pages', () => {
    const builder = make().map(at(0x1000_0000), 0x20_000, READ);
    builder.write(at(0x1000_0000), Uint8Array.of(1)).write(at(0x1001_0000), Uint8Array.of(2));
    expect(open(builder).capture.segments.map((s) => [s.address, s.fileSize])).toEqual([[0x1000_0000, 0x11_000]]);
  });

  it('allocates with unmapped pages between', () => {
    const builder = make().map(at(0x5000), 0x1000, READ);
    expect(builder.allocate(at(0x5000), 1, READ)).toBe(0x7000);
    expect(builder.allocate(at(0x5000), 0x1001, READ)).toBe(0x9000);
    expect(builder.allocate(at(0x5000), 0x1000, READ)).toBe(0xc000);
    expect(builder.allocate(at(0x1000), 0x2000, READ)).toBe(0x1000);
    expect([builder.isMapped(at(0xb000), 0x1000), builder.isFree(at(0xb000), 0x1000)]).toEqual([false, true]);
    expect([builder.isMapped(at(0xa000), 1), builder.isFree(at(0xa000), 1)]).toEqual([true, false]);
    expect([builder.isMapped(at(0xafff), 2), builder.isFree(at(0xafff), 2)]).toEqual([false, false]);
  });

  it('keeps several submits, labels, shaders and expectations in order', () => {
    const builder = make();
    const inner = new Pm4Stream().setMarker('inside');
    const address = builder.placeStream(inner, at(0x7000_0000));
    const outer = new Pm4Stream().pushMarker('frame').indirectBuffer(address, inner.dwords).popMarker();
    expect(builder.submitStream(outer, at(0x7000_0000))).toBe(0);
    expect(builder.submitStream(new Pm4Stream().raw(0x80000000), at(0x7000_0000), 'graphics')).toBe(1);
    builder.label({ event: 0, text: 'a' }).expect({ kind: 'refused', event: 0, code: 'CALL001', reason: 'r' });
    const { capture } = open(builder);
    expect(capture.submits).toEqual([
      { sequence: 0, queue: 'compute', queueIndex: 0, address: 0x7000_2000, dwords: outer.dwords },
      { sequence: 1, queue: 'graphics', queueIndex: 0, address: 0x7000_4000, dwords: 1 },
    ]);
    expect(capture.labels.length + capture.expected.length).toBe(2);
  });
});

describe('Pm4Stream', () => {
  const state = {
    target: 'gfx1013' as const,
    waveSize: 32 as const,
    programAddress: at(0x8001_2345_6700),
    rsrc1: 0x11111111,
    rsrc2: 0x22222222,
    rsrc3: 0x3,
    threads: [64, 2, 1] as const,
    userData: [0xa, 0xb],
  };

  it('writes compute state', () => {
    expect(words(new Pm4Stream().setComputeState({ ...state, scratch: { waves: 5000, bytesPerWave: 2049 } }))).toEqual([
      0xc0027602, 0x20c, 0x01234567, 0x80, 0xc0027602, 0x212, 0x11111111, 0x22222222, 0xc0017602, 0x228, 3, 0xc0017602,
      0x215, 0, 0xc0017602, 0x218, 0x3fff, 0xc0027602, 0x240, 0xa, 0xb,
    ]);
    expect(words(new Pm4Stream().setComputeState({ ...state, target: 'gfx700', userData: [] }))).toEqual([
      0xc0027602, 0x20c, 0x01234567, 0x80, 0xc0027602, 0x212, 0x11111111, 0x22222222, 0xc0017602, 0x215, 0, 0xc0017602,
      0x218, 0,
    ]);
  });

  it('writes dispatches by groups, by work-items and indirect', () => {
    expect(words(new Pm4Stream().dispatch(state, { kind: 'groups', groups: [3, 4, 5] }))).toEqual([
      0xc0067602, 0x204, 0, 0, 0, 64, 2, 1, 0xc0031502, 3, 4, 5, 0x8005,
    ]);
    const wave64 = { ...state, waveSize: 64 as const };
    expect(words(new Pm4Stream().dispatch(wave64, { kind: 'workItems', workItems: [100, 2, 1] }))).toEqual([
      0xc0067602, 0x204, 0, 0, 0, 0x240040, 0x20002, 0x10001, 0xc0031502, 100, 2, 1, 0x27,
    ]);
    expect(words(new Pm4Stream().dispatchIndirect(wave64, at(0x2_0000_0010), 12))).toEqual([
      0xc0067602, 0x204, 0, 0, 0, 64, 2, 1, 0xc0021102, 1, 0x10, 2, 0xc0011602, 12, 5,
    ]);
  });

  it('writes markers and memory', () => {
    expect(words(new Pm4Stream().pushMarker('abcd').popMarker())).toEqual([
      0xc0021002, 0x68750001, 0x64636261, 0, 0xc0001002, 0x68750002,
    ]);
    expect(words(new Pm4Stream().writeData(at(0x3_0000_0004), 7, 8))).toEqual([0xc0043702, 0x100500, 4, 3, 7, 8]);
    expect(words(new Pm4Stream().indirectBuffer(at(0x3_0000_0004), 9))).toEqual([0xc0023f02, 4, 3, 9]);
  });

  it('sizes scratch', () => {
    expect(tmpringSize(undefined)).toBe(0);
    expect(tmpringSize({ waves: 4, bytesPerWave: 32768 })).toBe(4 | (32 << 12));
  });
});
