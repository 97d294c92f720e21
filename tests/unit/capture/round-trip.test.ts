/** Writer against reader: everything written comes back, lazily, and other tools accept the file. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import type { ByteSource } from '../../../src/main/capture/format/byte-source.ts';
import { encodeCapture } from '../../../src/main/capture/format/encode-capture.ts';
import { deflateRaw } from '../../../src/main/capture/store/deflate.ts';
import { openCaptureFile } from '../../../src/main/capture/store/file-store.ts';
import { openCaptureBytes, openCaptureSource } from '../../../src/main/capture/store/open-capture.ts';
import { haveTool } from '../../support/tools.ts';
import { pattern, sampleContents } from './sample-contents.ts';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lanescope-capture-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

function unwrap<T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe('round trip', () => {
  for (const deflate of [undefined, deflateRaw]) {
    it(deflate ? 'with deflated payloads' : 'with stored payloads', () => {
      const contents = sampleContents();
      const opened = unwrap(openCaptureBytes(encodeCapture(contents, deflate ? { deflate } : {})));
      expect(opened.capture.damage).toEqual([]);
      expect(opened.capture.version).toBe(1);
      expect(unwrap(opened.contents())).toEqual(contents);
      const encodings = opened.capture.updates.map((update) => update.payload.encoding);
      expect(encodings).toEqual(deflate ? ['deflate', 'deflate'] : ['stored', 'stored']);
    });
  }

  it('writing what was read gives the same bytes', () => {
    const first = encodeCapture(sampleContents());
    expect(encodeCapture(unwrap(unwrap(openCaptureBytes(first)).contents()))).toEqual(first);
  });

  it('extra META keys never replace known ones', () => {
    const bytes = encodeCapture({ ...sampleContents(), extra: { version: 99, target: 'gfx906', note: 'x' } });
    const { capture } = unwrap(openCaptureBytes(bytes));
    expect([capture.version, capture.target, capture.extra]).toEqual([1, 'gfx1030', { note: 'x' }]);
  });

  it('holds more segments than a 16-bit count', () => {
    const segments = Array.from({ length: 70_000 }, (_, i) => ({
      address: (i * 0x2000) as GuestAddress,
      memSize: 0x1000,
      permissions: 4 + (i % 2) * 2,
      bytes: new Uint8Array(0),
    }));
    const opened = unwrap(openCaptureBytes(encodeCapture({ ...sampleContents(), segments })));
    expect(opened.capture.damage).toEqual([]);
    expect(opened.capture.segments.length).toBe(70_000);
    expect(opened.initialMemory().extents.length).toBe(70_000);
    expect(opened.initialMemory().extents[69_999]).toEqual({
      start: 69_999 * 0x2000,
      end: 69_999 * 0x2000 + 0x1000,
      permissions: 6,
    });
  });
});

describe('pages', () => {
  it('memory shows stored bytes, zeros behind them, and nothing elsewhere', () => {
    const memory = unwrap(openCaptureBytes(encodeCapture(sampleContents()))).initialMemory();
    const base = 0x10_0000_0000;
    const stored = pattern(0x1234, 1);
    expect(memory.readBytes((base + 0xff0) as GuestAddress, 0x20)).toEqual(stored.slice(0xff0, 0x1010));
    expect(memory.loadU8((base + 0x1233) as GuestAddress)).toBe(stored[0x1233]);
    expect(memory.readBytes((base + 0x1234) as GuestAddress, 0x1dcc)).toEqual(new Uint8Array(0x1dcc));
    expect(memory.loadU8((base + 0x3000) as GuestAddress)).toBeUndefined();
    expect(memory.loadU8((base - 1) as GuestAddress)).toBeUndefined();
    // Segment of 256 GiB without a byte in the file.
    expect(memory.loadU32(0x5f_ffff_fffc as GuestAddress)).toBe(0);
    expect(memory.loadU32(0x8000_0000_1000 as GuestAddress)).toBe(0x17100902);
    expect(memory.storeU32(base as GuestAddress, 1)).toBe(false);
    expect(memory.extents.map((e) => [e.start, e.end, e.permissions])).toEqual([
      [0x10_0000_0000, 0x10_0000_3000, 5],
      [0x20_0000_0000, 0x60_0000_0000, 6],
      [0x8000_0000_1000, 0x8000_0000_3000, 7],
    ]);
  });

  it('a file opens by its headers and notes and reads a page when it is touched', () => {
    const file = path.join(folder, 'lazy.lscap');
    const bytes = encodeCapture(sampleContents());
    fs.writeFileSync(file, bytes);
    const opened = unwrap(openCaptureFile(file, { cachePages: 2 }));
    const memory = opened.initialMemory();
    expect(memory.readBytes(0x8000_0000_1000 as GuestAddress, 0x2000)).toEqual(pattern(0x2000, 2));
    opened.close();

    const reads: [number, number][] = [];
    const source: ByteSource = {
      size: bytes.length,
      read(offset, length) {
        reads.push([offset, length]);
        return bytes.subarray(offset, offset + length);
      },
    };
    const watched = unwrap(openCaptureSource(source));
    const firstPage = Math.min(...watched.capture.segments.filter((s) => s.fileSize > 0).map((s) => s.fileOffset));
    expect(reads.every(([offset, length]) => offset + length <= firstPage)).toBe(true);
    const before = reads.length;
    watched.initialMemory().loadU8(0x10_0000_0005 as GuestAddress);
    expect(reads.slice(before)).toEqual([[firstPage, 4096]]);
    watched.initialMemory().loadU8(0x10_0000_0006 as GuestAddress);
    expect(reads.length).toBe(before + 1);
  });

  it('updates go into memory before their submit', () => {
    const opened = unwrap(openCaptureBytes(encodeCapture(sampleContents(), { deflate: deflateRaw })));
    const memory = opened.initialMemory();
    expect(opened.applyUpdates(memory, 3)).toEqual([]);
    expect(memory.readBytes(0x20_0000_0123 as GuestAddress, 5000)).toEqual(pattern(5000, 3));
    expect(opened.applyUpdates(memory, 9)).toEqual([]);
    expect(memory.readBytes(0x20_0000_0123 as GuestAddress, 5000)).toEqual(new Uint8Array(5000));
  });

  it('an update of unmapped memory is reported', () => {
    const contents = {
      ...sampleContents(),
      updates: [{ beforeSequence: 3, address: 0x1000 as GuestAddress, bytes: pattern(4, 0) }],
    };
    const opened = unwrap(openCaptureBytes(encodeCapture(contents)));
    expect(opened.applyUpdates(opened.initialMemory(), 3).map((d) => d.code)).toEqual(['CAP013']);
  });

  it('a page that can no longer be read is an error, not zeros', () => {
    const bytes = encodeCapture(sampleContents());
    let broken = false;
    const source: ByteSource = {
      size: bytes.length,
      read: (offset, length) => (broken ? undefined : bytes.subarray(offset, offset + length)),
    };
    const memory = unwrap(openCaptureSource(source)).initialMemory();
    broken = true;
    expect(() => memory.loadU8(0x10_0000_0000 as GuestAddress)).toThrow(/CAP009/);
  });

  it('a file of 6 GiB opens by its first pages', () => {
    // The file is sparse: one segment of 6 GiB whose only stored word is its last.
    const size = 6 * 2 ** 30;
    const segment = {
      address: 0x10_0000_0000 as GuestAddress,
      memSize: size,
      permissions: 4,
      bytes: new Uint8Array(4096),
    };
    const bytes = encodeCapture({ ...sampleContents(), segments: [segment] });
    const start = bytes.length - 4096;
    new DataView(bytes.buffer).setBigUint64(64 + 2 * 56 + 32, BigInt(size), true);
    const file = path.join(folder, 'large.lscap');
    fs.writeFileSync(file, bytes);
    fs.truncateSync(file, start + size);
    const handle = fs.openSync(file, 'r+');
    fs.writeSync(handle, Uint8Array.of(4, 3, 2, 1), 0, 4, start + size - 4);
    fs.closeSync(handle);

    const before = process.memoryUsage().rss;
    const opened = unwrap(openCaptureFile(file));
    expect(opened.capture.damage).toEqual([]);
    expect(opened.initialMemory().loadU32((0x10_0000_0000 + size - 4) as GuestAddress)).toBe(0x01020304);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20);
    opened.close();
    fs.rmSync(file);
  });

  it('a missing file and a folder are named errors', () => {
    for (const file of [path.join(folder, 'absent.lscap'), folder]) {
      const result = openCaptureFile(file);
      expect(result.ok ? [] : result.error.map((d) => d.code)).toEqual(['CAP009']);
    }
  });
});

const readelf = ['readelf', 'llvm-readelf-19'].filter(haveTool);

describe.skipIf(readelf.length === 0)('readelf', () => {
  it.each(readelf)('%s shows segments and notes without complaint', (tool) => {
    const file = path.join(folder, `${tool}.lscap`);
    fs.writeFileSync(file, encodeCapture(sampleContents()));
    const run = spawnSync(tool, ['-W', '-h', '-l', '-n', file], { encoding: 'utf8' });
    expect(run.status).toBe(0);
    expect(run.stderr).toBe('');
    expect(run.stdout).not.toMatch(/warning|error|corrupt/i);
    expect(run.stdout).toMatch(/CORE/);
    expect(run.stdout).toMatch(/gfx1030/);
    expect(run.stdout.match(/^ *LOAD .*$/gm)?.length).toBe(3);
    expect(run.stdout).toMatch(/LOAD .*0x0*8000000010000? .*0x0*2000 0x0*2000 RWE/);
    // META, three register notes, two submits, two updates, two shaders, three expectations, two labels, one unknown.
    expect(run.stdout.match(/^ *Lanescope /gm)?.length).toBe(16);
  });
});
