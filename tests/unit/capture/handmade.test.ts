/**
 * A capture written byte by byte after docs/capture-format.md, with nothing of the project's writer, and read.
 * Then single fields are changed, one at a time, and the reader must name what is wrong.
 */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { openCaptureBytes } from '../../../src/main/capture/store/open-capture.ts';

const NOTES_AT = 0x200;
const PAYLOAD_AT = 0x800;
const PAGES_AT = 0x1000;

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32LE(value >>> 0, i * 4));
  return bytes;
}

function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function padded(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function note(type: number, desc: Buffer, owner = 'Lanescope'): Buffer {
  const pad = Buffer.alloc((4 - (desc.length % 4)) % 4);
  return Buffer.concat([u32(owner.length + 1, desc.length, type), padded(`${owner}\0`), desc, pad]);
}

const META = 0x4c530001;
const UPDATE_BYTES = Buffer.alloc(3000, 'abcdefg');
const DEFLATED = deflateRawSync(UPDATE_BYTES);
const EXPECTED_BYTES = u32(1, 2, 3, 0x3f800000);

interface Changes {
  meta?: string;
  notes?: Buffer[];
  header?: (bytes: Buffer) => void;
  programHeader?: (index: number, bytes: Buffer) => void;
  payloadSize?: number;
  crc?: number;
  cut?: number;
}

function programHeader(
  type: number,
  flags: number,
  offset: number,
  address: number | bigint,
  file: number,
  memory: number,
) {
  return Buffer.concat([u32(type, flags), u64(offset), u64(address), u64(0), u64(file), u64(memory), u64(4096)]);
}

function reference(offset: number, stored: number, size: number, encoding: number, crc: number): Buffer {
  return Buffer.concat([u64(offset), u64(stored), u64(size), u32(encoding, crc)]);
}

function handmade(changes: Changes = {}): Uint8Array {
  const notes = Buffer.concat([
    note(META, Buffer.from(changes.meta ?? '{"version":1,"producer":"hand","target":"gfx700","title":"T"}')),
    note(7, Buffer.from('xyz'), 'Other'),
    note(0x4c530002, u32(1, 2, 0x240, 5, 0x20c, 0xcafef00d)),
    note(0x4c530003, Buffer.concat([u32(4), Buffer.from([1, 0, 3, 0]), u64(0x1000_0000), u32(16, 0)])),
    note(0x4c530003, Buffer.concat([u32(2), Buffer.from([0, 0, 0, 0]), u64(0xffff_8000_0000_0010n), u32(3, 0)])),
    note(
      0x4c530004,
      Buffer.concat([
        u32(4, 0),
        u64(0x1000_0001),
        reference(PAYLOAD_AT, DEFLATED.length, changes.payloadSize ?? 3000, 1, changes.crc ?? 0),
      ]),
    ),
    note(0x4c530005, Buffer.concat([u64(0x1000_0100), u64(0x77), u64(0x1000_0200), u32(2, 0, 2, 3), padded('vs0')])),
    note(
      0x4c530006,
      Buffer.concat([
        u32(0, 0),
        u64(0x1000_0000),
        reference(PAYLOAD_AT + DEFLATED.length, 16, 16, 0, 0),
        u32(6, 1),
        padded('by hnd'),
        u32(3, 1, 1, 2, 3),
        padded('rcp'),
      ]),
    ),
    note(0x4c530006, Buffer.concat([u32(1, 1, 3, 7, 2), padded('CALL001'), padded('no')])),
    note(0x4c530007, Buffer.concat([u32(3, 9), u64(0x1000_0100), u32(4), padded('here')])),
    ...(changes.notes ?? []),
  ]);
  const payload = Buffer.concat([DEFLATED, EXPECTED_BYTES, Buffer.alloc(32)]);
  const headers = [
    programHeader(1, 5, PAGES_AT, 0x1000_0000, 0x1800, 0x3000),
    programHeader(4, 4, NOTES_AT, 0, notes.length, 0),
    programHeader(0x6c736301, 4, PAYLOAD_AT, 0, payload.length, 0),
    programHeader(1, 6, 0, 0xffff_8000_0000_0000n, 0, 0x1000),
    programHeader(0x12345, 0, 1 << 30, 0, 0, 0),
  ];
  headers.forEach((bytes, index) => changes.programHeader?.(index, bytes));
  const header = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 224, 0]),
    u32(1),
    u64(0),
    u64(64),
    u64(0),
    u32(0x22),
    Buffer.from([64, 0, 56, 0, headers.length, 0, 0, 0, 0, 0, 0, 0]),
  ]);
  changes.header?.(header);
  const file = Buffer.alloc(PAGES_AT + 0x1800);
  Buffer.concat([header, ...headers]).copy(file, 0);
  if (NOTES_AT + notes.length > PAYLOAD_AT) throw new Error('notes do not fit');
  notes.copy(file, NOTES_AT);
  payload.copy(file, PAYLOAD_AT);
  for (let i = 0; i < 0x1800; i++) file[PAGES_AT + i] = (i * 3) & 0xff;
  return new Uint8Array(file.subarray(0, changes.cut ?? file.length));
}

function open(changes: Changes = {}) {
  const opened = openCaptureBytes(handmade(changes));
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

function errors(changes: Changes): string[] {
  const opened = openCaptureBytes(handmade(changes));
  return opened.ok ? [] : opened.error.map((d) => `${d.code} ${d.message}`);
}

function damage(changes: Changes): string[] {
  return open(changes).capture.damage.map((d) => {
    expect(d.where?.kind).toBe('file');
    return `${d.code} ${d.message}`;
  });
}

describe('a capture made by hand', () => {
  it('is read as the document says', () => {
    const opened = open();
    const { capture } = opened;
    expect(capture.damage).toEqual([]);
    expect([capture.version, capture.target, capture.producer, capture.title]).toEqual([1, 'gfx700', 'hand', 'T']);
    expect(capture.segments).toEqual([
      { address: 0x1000_0000, memSize: 0x3000, fileOffset: PAGES_AT, fileSize: 0x1800, permissions: 5 },
      { address: 0x8000_0000_0000, memSize: 0x1000, fileOffset: 0, fileSize: 0, permissions: 6 },
    ]);
    expect(capture.registers).toEqual([
      { space: 'sh', index: 0x240, value: 5 },
      { space: 'sh', index: 0x20c, value: 0xcafef00d },
    ]);
    expect(capture.submits).toEqual([
      { sequence: 2, queue: 'graphics', queueIndex: 0, address: 0x8000_0000_0010, dwords: 3 },
      { sequence: 4, queue: 'compute', queueIndex: 3, address: 0x1000_0000, dwords: 16 },
    ]);
    expect(capture.shaders).toEqual([
      {
        codeAddress: 0x1000_0100,
        hardwareStage: 'es',
        softwareStage: 'vertex',
        fetchAddress: 0x1000_0200,
        name: 'vs0',
      },
    ]);
    expect(capture.labels).toEqual([{ address: 0x1000_0100, event: 9, text: 'here' }]);
    expect(capture.unknownNotes).toEqual([{ owner: 'Other', type: 7, bytes: new Uint8Array([0x78, 0x79, 0x7a]) }]);
    const [memory, refused] = capture.expected;
    expect(refused).toEqual({ kind: 'refused', event: 1, backend: 'reference', code: 'CALL001', reason: 'no' });
    if (memory?.kind !== 'memory') throw new Error('the first expectation is one of memory');
    expect(memory.source).toBe('by hnd');
    expect(memory.exceptions).toEqual([{ firstWord: 3, words: 1, type: 'f32', bound: 2, reason: 'rcp' }]);
    expect(opened.payload(memory.payload)).toEqual({ ok: true, value: new Uint8Array(EXPECTED_BYTES) });

    const pages = opened.initialMemory();
    expect(pages.loadU32(0x1000_17fc as GuestAddress)).toBe(0xfdfaf7f4);
    expect(pages.loadU32(0x1000_1800 as GuestAddress)).toBe(0);
    expect(opened.applyUpdates(pages, 4)).toEqual([]);
    expect(pages.readBytes(0x1000_0000 as GuestAddress, 3)).toEqual(new Uint8Array([0, 0x61, 0x62]));
  });

  it('checks the CRC of a payload', () => {
    // CRC-32 of 3000 bytes of "abcdefg" repeated, by Python: zlib.crc32((b"abcdefg" * 429)[:3000]).
    const crc = 0xef1aa3f6;
    const good = open({ crc });
    expect(good.applyUpdates(good.initialMemory(), 4)).toEqual([]);
    const bad = open({ crc: crc ^ 1 });
    expect(bad.applyUpdates(bad.initialMemory(), 4).map((d) => d.code)).toEqual(['CAP008']);
  });

  it('checks the size of a deflated payload', () => {
    for (const payloadSize of [2999, 3001]) {
      const opened = open({ payloadSize });
      expect(opened.applyUpdates(opened.initialMemory(), 4).map((d) => d.code)).toEqual(['CAP008']);
    }
  });
});

describe('what does not open', () => {
  const set = (at: number, value: number) => (bytes: Buffer) => bytes.writeUInt8(value, at);
  const cases: [string, Changes, RegExp][] = [
    ['another file', { header: set(1, 0x4d) }, /^CAP001 not an ELF file/],
    ['a cut header', { cut: 40 }, /^CAP001 .*after 40 bytes/],
    ['nothing', { cut: 0 }, /^CAP001/],
    ['32 bit', { header: set(4, 1) }, /^CAP002 .*64-bit/],
    ['big-endian', { header: set(5, 2) }, /^CAP002 .*little-endian/],
    ['another machine', { header: set(18, 62) }, /^CAP002 ELF machine 62 /],
    ['a code object', { header: set(16, 3) }, /^CAP002 .*import it/],
    ['odd program headers', { header: set(54, 32) }, /^CAP005 .*32 bytes, expected 56/],
    [
      'a newer version',
      { meta: '{"version":7,"producer":"emu 3","target":"gfx700"}' },
      /^CAP003 .*version 7 \(written by emu 3\).*up to 1$/,
    ],
    ['an unknown target', { meta: '{"version":1,"target":"gfx906"}' }, /^CAP011 target 'gfx906'/],
    ['META that is no JSON', { meta: '{"version":1' }, /^CAP004 META is not JSON/],
    ['META that is no object', { meta: '[1]' }, /^CAP004/],
    ['META without a version', { meta: '{"target":"gfx700"}' }, /^CAP004 .*no format version/],
    ['no notes', { programHeader: (index, bytes) => index === 1 && bytes.writeUInt32LE(0, 0) }, /^CAP004 no META/],
    ['no program headers', { header: set(56, 0) }, /^CAP004 no META/],
    ['an extended count nowhere', { header: (b) => b.writeUInt16LE(0xffff, 56) }, /^CAP005 the extended/],
  ];
  it.each(cases)('%s', (_, changes, message) => {
    expect(errors(changes)[0]).toMatch(message);
  });
});

describe('what opens damaged', () => {
  const field = (index: number, at: number, value: number | bigint) => ({
    programHeader: (i: number, bytes: Buffer) => i === index && bytes.writeBigUInt64LE(BigInt(value), at),
  });
  const cases: [string, Changes, RegExp][] = [
    ['segment outside the file', field(0, 8, 2n ** 63n), /^CAP007 segment at 0x10000000: 0 of its 6144 bytes/],
    ['segment with more bytes than memory', field(0, 40, 0x1000), /^CAP007 .*stores 6144 bytes for 4096/],
    ['segment address of 64 bits', field(0, 16, 0x1234_0000_0000_0000n), /^CAP007 .*not a 48-bit address/],
    ['segment past 2^48', field(0, 16, 0xffff_ffff_e000n), /^CAP007 .*passes 2\^48/],
    ['segment of all memory', field(3, 40, 2n ** 64n - 1n), /^CAP007 .*passes 2\^48/],
    ['overlapping segments', field(3, 16, 0x1000_2000), /^CAP007 .*overlaps the one before it by 4096/],
    [
      'overlapping notes',
      { programHeader: (i, b) => i === 4 && programHeader(4, 4, NOTES_AT + 8, 0, 64, 0).copy(b) },
      /^CAP007 note segment overlaps/,
    ],
    [
      'more headers than the file has',
      { header: (b) => b.writeUInt16LE(60000, 56) },
      /^CAP005 60000 program headers announced, 181 readable/,
    ],
    [
      'payload segment missing',
      { programHeader: (i, b) => i === 2 && b.writeUInt32LE(0, 0) },
      /^CAP006 MEMORY_UPDATE note: payload .* lies in no payload segment/,
    ],
    ['payload too large', { payloadSize: 2 ** 40 }, /^CAP006 .*above the limit/],
    ['payload that cannot inflate so far', { payloadSize: 2 ** 27 }, /^CAP006 .*cannot hold/],
    [
      'payload of another note',
      {
        notes: [1, 2, 3].map((n) =>
          note(0x4c530004, Buffer.concat([u32(n, 0), u64(0), reference(PAYLOAD_AT, 16, 16, 0, 0)])),
        ),
      },
      /^CAP006 MEMORY_UPDATE note: payload of 16 bytes at file offset 0x800 shares bytes with other payloads/,
    ],
    [
      'two submits of one sequence',
      { notes: [note(0x4c530003, Buffer.concat([u32(4, 0), u64(0), u32(1, 0)]))] },
      /^CAP006 more than one SUBMIT note of sequence 4/,
    ],
    [
      'an update before no submit',
      { notes: [note(0x4c530004, Buffer.concat([u32(3, 0), u64(0), reference(PAYLOAD_AT, 16, 16, 0, 0)]))] },
      /^CAP006 MEMORY_UPDATE note before sequence 3, which no SUBMIT has/,
    ],
    ['second META', { notes: [note(META, Buffer.from('{}'))] }, /^CAP006 more than one META/],
    ['note cut off', { notes: [u32(10, 1000, 0x4c530007)] }, /^CAP006 note of 1024 bytes, 12 left/],
    ['note with a huge size', { notes: [u32(0xffffffff, 0xffffffff, 0x4c530007)] }, /^CAP006 note of/],
    ['trailing bytes', { notes: [u32(1)] }, /^CAP006 note header cut off after 4 bytes/],
    [
      'register outside its space',
      { notes: [note(0x4c530002, u32(1, 1, 0x400, 0))] },
      /^CAP006 REGISTERS note: register index 0x400/,
    ],
    ['register space', { notes: [note(0x4c530002, u32(9, 0))] }, /^CAP006 REGISTERS note: register space 9/],
    [
      'register count',
      { notes: [note(0x4c530002, u32(1, 0xffffffff, 1, 1))] },
      /^CAP006 REGISTERS note: registers: 34359738360 bytes announced/,
    ],
    ['empty submit', { notes: [note(0x4c530003, Buffer.alloc(0))] }, /^CAP006 SUBMIT note: field/],
    [
      'submit at an odd address',
      { notes: [note(0x4c530003, Buffer.concat([u32(9, 0), u64(2), u32(1, 0)]))] },
      /^CAP006 SUBMIT .*not dword aligned/,
    ],
    [
      'submit past 2^48',
      { notes: [note(0x4c530003, Buffer.concat([u32(9, 0), u64(0xffff_ffff_fff0n), u32(5, 0)]))] },
      /^CAP006 SUBMIT .*passes 2\^48/,
    ],
    [
      'shader stage',
      { notes: [note(0x4c530005, Buffer.concat([u64(0), u64(0), u64(0), u32(7, 0, 0, 0)]))] },
      /^CAP006 SHADER note: hardware stage 7/,
    ],
    [
      'label longer than its note',
      { notes: [note(0x4c530007, Buffer.concat([u32(2, 0), u64(0), u32(0x7fffffff)]))] },
      /^CAP006 LABEL note: label: 2147483647 bytes/,
    ],
    [
      'label that is no text',
      { notes: [note(0x4c530007, Buffer.concat([u32(2, 0), u64(0), u32(2), Buffer.from([0xc3, 0x28, 0, 0])]))] },
      /^CAP006 LABEL note: label is not UTF-8/,
    ],
    [
      'exception outside the bytes',
      {
        notes: [
          note(
            0x4c530006,
            Buffer.concat([u32(0, 0), u64(0), reference(PAYLOAD_AT, 16, 16, 0, 0), u32(0, 1), u32(3, 2, 0, 0, 0)]),
          ),
        ],
      },
      /^CAP006 EXPECTED note: exception of 2 words from word 3/,
    ],
    [
      'exception count',
      {
        notes: [
          note(0x4c530006, Buffer.concat([u32(0, 0), u64(0), reference(PAYLOAD_AT, 16, 16, 0, 0), u32(0, 0xffffffff)])),
        ],
      },
      /^CAP006 EXPECTED note: exceptions: /,
    ],
    ['expectation kind', { notes: [note(0x4c530006, u32(0, 2))] }, /^CAP006 EXPECTED note: expectation kind 2/],
    ['cut in the pages', { cut: PAGES_AT + 0x1100 }, /^CAP007 segment at 0x10000000: 4352 of its 6144 bytes/],
  ];
  it.each(cases)('%s', (_, changes, message) => {
    expect(damage(changes).join('\n')).toMatch(new RegExp(message.source, 'm'));
    // What is not concerned is still there.
    expect(open(changes).capture.registers.length).toBe(2);
  });

  it('pages behind a cut fault instead of reading as zeros', () => {
    const memory = open({ cut: PAGES_AT + 0x1100 }).initialMemory();
    expect(memory.loadU32(0x1000_0ffc as GuestAddress)).toBe(0xfdfaf7f4);
    expect(memory.loadU32(0x1000_1000 as GuestAddress)).toBeUndefined();
    expect(memory.loadU32(0x1000_1ffc as GuestAddress)).toBeUndefined();
    expect(memory.loadU32(0x1000_2000 as GuestAddress)).toBe(0);
  });

  it('lists at most a hundred places and counts the others', () => {
    const notes = Array.from({ length: 20 }, () => note(0x4c530003, Buffer.alloc(0)));
    expect(damage({ notes }).length).toBe(20);
    const many = Buffer.concat(Array.from({ length: 400 }, () => note(0x4c530003, Buffer.alloc(0))));
    const file = Buffer.from(handmade());
    const bytes = Buffer.concat([file, note(META, Buffer.from('{"version":1,"target":"gfx700"}')), many]);
    bytes.writeBigUInt64LE(BigInt(file.length), 64 + 56 + 8);
    bytes.writeBigUInt64LE(BigInt(bytes.length - file.length), 64 + 56 + 32);
    const opened = openCaptureBytes(new Uint8Array(bytes));
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    expect(opened.value.capture.damage.length).toBe(101);
    expect(opened.value.capture.damage.at(-1)?.message).toMatch(/^300 further/);
  });
});
