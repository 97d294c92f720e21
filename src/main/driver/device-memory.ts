/**
 * Guest memory on the device: every mapped page in one buffer (the arena), the parameter buffer with the region table,
 * and the way back.
 *
 * Everything mapped is uploaded, since a program may reach any of it; only writable extents come back, and only pages
 * that changed are written to guest memory.
 */
import { addressHigh32, addressLow32, type GuestAddress } from '../base/guest-address.ts';
import { type GuestMemory, PAGE_SIZE, WRITE } from '../base/guest-memory.ts';
import type { GpuBatch, GpuBufferSpec } from '../gpu/gpu-backend.ts';
import { PARAMETER, PARAMETER_WORDS, REGION_WORDS } from '../recompiler/spirv/abi.ts';

const ARENA = 'arena';

export interface DeviceImage {
  readonly arena: GpuBufferSpec;
  readonly downloads: GpuBatch['downloads'];
  readonly table: Uint32Array;
  readonly regionCount: number;
}

export function buildDeviceImage(memory: GuestMemory): DeviceImage {
  const uploads: { offset: number; bytes: Uint8Array }[] = [];
  const downloads: { buffer: string; offset: number; sizeBytes: number }[] = [];
  // At least one entry and one page, so that reading the first is always allowed.
  const table = new Uint32Array(Math.max(memory.extents.length, 1) * REGION_WORDS);
  let offset = 0;
  memory.extents.forEach((extent, i) => {
    const sizeBytes = extent.end - extent.start;
    uploads.push({ offset, bytes: memory.peekBytes(extent.start, sizeBytes)! });
    if (extent.permissions & WRITE) downloads.push({ buffer: ARENA, offset, sizeBytes });
    table.set(
      [
        (addressLow32(extent.start) | extent.permissions) >>> 0,
        addressHigh32(extent.start) & 0xffff,
        sizeBytes / PAGE_SIZE,
        offset / PAGE_SIZE,
      ],
      i * REGION_WORDS,
    );
    offset += sizeBytes;
  });
  const arena = { id: ARENA, sizeBytes: Math.max(offset, PAGE_SIZE), uploads };
  return { arena, downloads, table, regionCount: memory.extents.length };
}

/** What `GuestMemory.extents` ask for, in bytes; to refuse before anything is copied. */
export function mappedBytes(memory: GuestMemory): number {
  return memory.extents.reduce((sum, e) => sum + (e.end - e.start), 0);
}

/** The parameter buffer: fixed words, then the region table. */
export function parameterBuffer(image: DeviceImage, fixed: Uint32Array): GpuBufferSpec {
  const words = new Uint32Array(PARAMETER_WORDS + image.table.length);
  words.set(fixed);
  words.set(image.table, PARAMETER_WORDS);
  return {
    id: 'parameters',
    sizeBytes: words.byteLength,
    uploads: [{ offset: 0, bytes: new Uint8Array(words.buffer) }],
    addressPatches: [{ offset: 4 * PARAMETER.arenaLow, buffer: ARENA, addend: 0 }],
  };
}

/** Writes changed pages back. `downloads` as returned for `image.downloads`. Returns how many pages changed. */
export function applyDownloads(memory: GuestMemory, downloads: readonly Uint8Array[]): number {
  let changed = 0;
  let next = 0;
  for (const extent of [...memory.extents]) {
    if (!(extent.permissions & WRITE)) continue;
    const bytes = downloads[next++]!;
    const before = memory.peekBytes(extent.start, bytes.length)!;
    for (let at = 0; at < bytes.length; at += PAGE_SIZE) {
      const page = bytes.subarray(at, at + PAGE_SIZE);
      if (Buffer.compare(page, before.subarray(at, at + PAGE_SIZE)) === 0) continue;
      memory.pokeBytes((extent.start + at) as GuestAddress, page);
      changed++;
    }
  }
  return changed;
}
