/**
 * Damaged captures: whatever the bytes, opening gives a capture or a named error, everything in it can be touched, no
 * exception comes out, and neither time nor memory grows with what the file claims. Seeded: a failure repeats.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, PAGE_SIZE, READ, WRITE } from '../../src/main/base/guest-memory.ts';
import { encodeCapture } from '../../src/main/capture/format/encode-capture.ts';
import { CaptureBuilder } from '../../src/main/capture/importers/capture-builder.ts';
import { Pm4Stream } from '../../src/main/capture/importers/pm4-builder.ts';
import { deflateRaw } from '../../src/main/capture/store/deflate.ts';
import { openCaptureBytes } from '../../src/main/capture/store/open-capture.ts';
import { sampleContents } from '../unit/capture/sample-contents.ts';

class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** 0 … limit − 1. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }
}

/** One dispatch with code, buffer and expectation; every payload stored. */
function dispatchCapture(): Uint8Array {
  const builder = new CaptureBuilder({ target: 'gfx1013', producer: 'fuzz', title: 'dispatch' });
  const code = builder.allocate(0x1_0000_0000 as GuestAddress, 0x800, READ | EXECUTE);
  builder.writeWords(
    code,
    Array.from({ length: 512 }, (_, i) => 0xbf810000 ^ i),
  );
  const buffer = builder.allocate(0x4_0000_0000 as GuestAddress, 0x5000, READ | WRITE);
  builder.writeWords((buffer + 0x4000) as GuestAddress, [1, 2, 3]);
  const state = { target: 'gfx1013', waveSize: 64, programAddress: code, rsrc1: 0, rsrc2: 0, rsrc3: 0 } as const;
  const compute = { ...state, threads: [64, 1, 1], userData: [1, 2, 3, 4] } as const;
  const stream = new Pm4Stream().pushMarker('one').setComputeState(compute);
  builder.submitStream(stream.dispatch(compute, { kind: 'groups', groups: [1, 1, 1] }), 0x7_0000_0000 as GuestAddress);
  builder.update(0, buffer, new Uint8Array(777).fill(9));
  builder.expect({
    kind: 'memory',
    event: 0,
    address: buffer,
    bytes: new Uint8Array(64),
    source: 'zeros',
    exceptions: [],
  });
  return builder.build();
}

const SAMPLES: [string, Uint8Array][] = [
  ['every note, deflated', encodeCapture(sampleContents(), { deflate: deflateRaw })],
  ['one dispatch', dispatchCapture()],
];

/** Opens and touches everything that a session would; gives what came out. */
function exercise(bytes: Uint8Array): 'refused' | 'damaged' | 'whole' {
  const opened = openCaptureBytes(bytes, { cachePages: 64 });
  if (!opened.ok) {
    expect(opened.error.length).toBeGreaterThan(0);
    for (const d of opened.error) expect(d.code).toMatch(/^CAP\d{3}$/);
    return 'refused';
  }
  const { capture } = opened.value;
  const memory = opened.value.initialMemory();
  for (const segment of capture.segments.slice(0, 50)) {
    if (segment.permissions & READ) expect(memory.loadU8(segment.address)).toBeTypeOf('number');
    memory.peekBytes(segment.address, Math.min(segment.memSize, 3 * PAGE_SIZE));
    memory.loadU8((segment.address + segment.memSize - 1) as GuestAddress);
  }
  for (const update of capture.updates) opened.value.applyUpdates(memory, update.beforeSequence);
  for (const entry of capture.expected) if (entry.kind === 'memory') opened.value.payload(entry.payload);
  return capture.damage.length > 0 ? 'damaged' : 'whole';
}

function tally(cases: Iterable<Uint8Array>): Record<string, number> {
  const counts = { refused: 0, damaged: 0, whole: 0 };
  for (const bytes of cases) {
    const started = performance.now();
    counts[exercise(bytes)]++;
    expect(performance.now() - started).toBeLessThan(5000);
  }
  return counts;
}

describe.each(SAMPLES)('%s', (name, sample) => {
  it('is whole to begin with', () => {
    expect(exercise(sample)).toBe('whole');
  });

  it('truncated at each 4 KiB and at 500 places', () => {
    const random = new Random(1);
    const sizes = Array.from({ length: Math.ceil(sample.length / 4096) }, (_, i) => i * 4096);
    for (let i = 0; i < 500; i++) sizes.push(random.below(sample.length));
    const counts = tally(sizes.map((size) => sample.subarray(0, size)));
    console.log(`${name}, truncated: ${JSON.stringify(counts)}`);
    // A cut is never taken for the whole file, but for one behind the last byte that counts.
    expect(counts.whole).toBe(0);
    expect(counts.damaged).toBeGreaterThan(0);
  });

  it('with 1 to 8 bytes changed, 2500 times', () => {
    const random = new Random(2);
    const headersEnd = 0x800;
    const counts = tally(
      (function* () {
        for (let i = 0; i < 2500; i++) {
          const broken = sample.slice();
          const limit = i % 2 === 0 ? Math.min(headersEnd, sample.length) : sample.length;
          for (let n = random.below(8); n >= 0; n--) broken[random.below(limit)] = random.below(256);
          yield broken;
        }
      })(),
    );
    console.log(`${name}, changed: ${JSON.stringify(counts)}`);
    expect(counts.refused! + counts.damaged!).toBeGreaterThan(500);
  });

  it('with header and note words replaced by hostile values', () => {
    const random = new Random(3);
    const hostile = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x10000, 64, sample.length, 0xffff8000];
    const counts = tally(
      (function* () {
        const words = Math.min(sample.length, 0x600) / 4;
        for (let word = 6; word < words; word++) {
          const broken = sample.slice();
          new DataView(broken.buffer).setUint32(word * 4, hostile[random.below(hostile.length)]!, true);
          yield broken;
        }
      })(),
    );
    console.log(`${name}, hostile words: ${JSON.stringify(counts)}`);
  });
});

describe('files that claim more than they hold', () => {
  /** `count` program headers of one kind, with META notes behind them. */
  function crowd(
    count: number,
    type: number,
    range: (index: number) => { offset: number; size: number; address: number },
  ) {
    const meta = encodeCapture({ ...sampleContents(), segments: [], updates: [], expected: [] });
    const file = new Uint8Array(64 + (count + 1) * 56 + 64 + meta.length);
    const view = new DataView(file.buffer);
    file.set(meta.subarray(0, 64));
    view.setUint16(56, 0xffff, true);
    const section = 64 + (count + 1) * 56;
    view.setUint32(40, section, true);
    view.setUint32(section + 44, count + 1, true);
    file.set(meta.subarray(64 + 112), section + 64);
    const header = (index: number, kind: number, fields: { offset: number; size: number; address: number }) => {
      const at = 64 + index * 56;
      view.setUint32(at, kind, true);
      view.setUint32(at + 4, 4 + (index % 4), true);
      view.setBigUint64(at + 8, BigInt(fields.offset), true);
      view.setBigUint64(at + 16, BigInt(fields.address), true);
      view.setBigUint64(at + 32, BigInt(fields.size), true);
      view.setBigUint64(at + 40, BigInt(fields.size * 16), true);
    };
    header(0, 4, { offset: section + 64, size: meta.length - 64 - 112, address: 0 });
    for (let i = 1; i <= count; i++) header(i, type, range(i));
    return file;
  }

  it.each([
    [
      '100,000 segments over each other',
      'damaged',
      crowd(100_000, 1, (i) => ({ offset: 0, size: 4096 * (1 + (i % 7)), address: i * 4096 })),
    ],
    [
      '100,000 segments that contain each other',
      'damaged',
      crowd(100_000, 1, (i) => ({ offset: 0, size: 4096 * (200_000 - i), address: i * 4096 })),
    ],
    ['100,000 unaligned segments', 'whole', crowd(100_000, 1, (i) => ({ offset: i, size: 100, address: i * 1777 }))],
    [
      '100,000 note segments over the whole file',
      'damaged',
      crowd(100_000, 4, () => ({ offset: 64, size: 5_000_000, address: 0 })),
    ],
    [
      '100,000 payload segments',
      'damaged',
      crowd(100_000, 0x6c736301, (i) => ({ offset: i, size: 5_000_000, address: 0 })),
    ],
  ])('%s', (_, expected, file) => {
    const before = process.memoryUsage().rss;
    const started = performance.now();
    expect(exercise(file)).toBe(expected);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(process.memoryUsage().rss - before).toBeLessThan(500 * 2 ** 20);
  });
});
