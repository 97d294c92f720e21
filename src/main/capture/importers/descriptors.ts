/**
 * Buffer descriptors (V#) as drivers build them.
 *
 * Word 0 and word 1 bits 15:0: base address; word 1 bits 29:16 stride, bit 31 swizzle; word 2 records (bytes when the
 * stride is 0); word 3 destination selects, format, and on gfx10 RESOURCE_LEVEL (24, always 1) and OOB_SELECT (29:28).
 * Source: AMD ISA manuals (Sea Islands, RDNA), "Buffer resource descriptor".
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';

/** Destination selects X, Y, Z, W (4, 5, 6, 7). */
const SELECT_XYZW = 4 | (5 << 3) | (6 << 6) | (7 << 9);
const GFX10_FORMAT_32_FLOAT = 22 << 12;
const GFX10_RESOURCE_LEVEL = 1 << 24;
/** Bounds by byte offset. */
const GFX10_OOB_RAW = 3 << 28;
/** Bounds by index, and by offset inside the stride. */
const GFX10_OOB_STRUCTURED = 0 << 28;
/** NUM_FORMAT float (14:12 = 7), DATA_FORMAT 32 (18:15 = 4). */
const GFX7_FORMAT_32_FLOAT = (7 << 12) | (4 << 15);

export function bufferDescriptor(target: Target, address: GuestAddress, sizeBytes: number, stride = 0): number[] {
  const records = stride === 0 ? sizeBytes : Math.floor(sizeBytes / stride);
  const word1 = (addressHigh32(address) & 0xffff) | (stride << 16);
  const format =
    target === 'gfx700'
      ? GFX7_FORMAT_32_FLOAT
      : GFX10_FORMAT_32_FLOAT | GFX10_RESOURCE_LEVEL | (stride === 0 ? GFX10_OOB_RAW : GFX10_OOB_STRUCTURED);
  return [addressLow32(address), word1 >>> 0, records >>> 0, (SELECT_XYZW | format) >>> 0];
}

/** Swizzled by lane: word 3 carries ADD_TID_ENABLE and the index stride, the values that LLVM itself uses. */
export function scratchDescriptor(target: Target, waveSize: WaveSize, address: GuestAddress): number[] {
  const word1 = ((addressHigh32(address) & 0xffff) | (1 << 31)) >>> 0;
  const word3 = target === 'gfx700' ? 0x00e8f000 : waveSize === 32 ? 0x31c16000 : 0x31e16000;
  return [addressLow32(address), word1, 0xffffffff, word3];
}
