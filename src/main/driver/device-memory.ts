/**
 * Guest memory on the device: one buffer per extent, the parameter buffer with the region table, and the way back.
 *
 * Everything mapped is uploaded, since a program may reach any of it; only writable extents come back, and only pages
 * that changed are written to guest memory.
 */
import { addressHigh32, addressLow32, type GuestAddress } from '../base/guest-address.ts';
import { type GuestMemory, PAGE_SIZE, WRITE } from '../base/guest-memory.ts';
import type { GpuBatch, GpuBufferSpec } from '../gpu/gpu-backend.ts';
import { PARAMETER_WORDS, REGION_WORDS } from '../recompiler/spirv/abi.ts';

export interface DeviceImage {
  readonly buffers: readonly GpuBufferSpec[];
  readonly downloads: GpuBatch['downloads'];
  /** Words of the region table and the patches that put device addresses into it; offsets from the table's start. */
  readonly table: Uint32Array;
  readonly patches: readonly { readonly word: number; readonly buffer: string }[];
  readonly totalBytes: number;
}

export function buildDeviceImage(memory: GuestMemory): DeviceImage {
  const buffers: GpuBufferSpec[] = [];
  const downloads: { buffer: string; offset: number; sizeBytes: number }[] = [];
  const patches: { word: number; buffer: string }[] = [];
  const table = new Uint32Array(memory.extents.length * REGION_WORDS);
  let totalBytes = 0;
  memory.extents.forEach((extent, i) => {
    const sizeBytes = extent.end - extent.start;
    const id = `region${i}`;
    totalBytes += sizeBytes;
    buffers.push({ id, sizeBytes, uploads: [{ offset: 0, bytes: memory.peekBytes(extent.start, sizeBytes)! }] });
    if (extent.permissions & WRITE) downloads.push({ buffer: id, offset: 0, sizeBytes });
    const end = extent.end as GuestAddress;
    table.set(
      [
        addressLow32(extent.start),
        addressHigh32(extent.start) & 0xffff,
        addressLow32(end),
        Math.floor(extent.end / 2 ** 32),
        0,
        0,
        extent.permissions,
        0,
      ],
      i * REGION_WORDS,
    );
    patches.push({ word: i * REGION_WORDS + 4, buffer: id });
  });
  return { buffers, downloads, table, patches, totalBytes };
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
    addressPatches: image.patches.map((p) => ({ offset: 4 * (PARAMETER_WORDS + p.word), buffer: p.buffer, addend: 0 })),
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
