/**
 * Buffer resource descriptors (V#): decoded once per instruction from four scalar registers.
 *
 * word 0–1: base 47:0, stride 61:48, swizzle enable 63. word 2: num_records. word 3: dst_sel x y z w (3 bits each),
 * gfx10: format 18:12, index_stride 22:21, add_tid 23, oob_select 29:28; gfx7: num_format 14:12, data_format 18:15,
 * element_size 20:19, index_stride 22:21, add_tid 23. type 31:30 (0).
 * Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals, "Buffer resource descriptor".
 */
import { addressFromHalves } from '../base/guest-address.ts';
import type { Instruction } from '../isa/instruction.ts';
import { scalar32 } from './operands.ts';
import type { Wave } from './wave.ts';

export interface BufferDescriptor {
  base: number;
  strideBytes: number;
  swizzle: boolean;
  numRecords: number;
  /** Four selects of 3 bits: 0 zero, 1 one, 4…7 component x…w. */
  dstSelect: number;
  /** gfx10: unified format 0…127. gfx7: data format | num format << 4. */
  format: number;
  elementBytes: number;
  indexStride: number;
  addThreadId: boolean;
  /** gfx10: 0 index and offset, 1 index, 2 num_records = 0, 3 raw. gfx7 has none. */
  oobSelect: number;
}

/** Reused: handlers decode, use and forget. */
export const descriptor: BufferDescriptor = {
  base: 0,
  strideBytes: 0,
  swizzle: false,
  numRecords: 0,
  dstSelect: 0,
  format: 0,
  elementBytes: 4,
  indexStride: 8,
  addThreadId: false,
  oobSelect: 0,
};

export function decodeBufferDescriptor(wave: Wave, inst: Instruction, code: number): BufferDescriptor {
  const word0 = scalar32(wave, inst, code);
  const word1 = scalar32(wave, inst, code + 1);
  const word3 = scalar32(wave, inst, code + 3);
  descriptor.base = addressFromHalves(word0, word1);
  descriptor.strideBytes = (word1 >>> 16) & 0x3fff;
  descriptor.swizzle = word1 >>> 31 !== 0;
  descriptor.numRecords = scalar32(wave, inst, code + 2);
  descriptor.dstSelect = word3 & 0xfff;
  descriptor.indexStride = 8 << ((word3 >>> 21) & 3);
  descriptor.addThreadId = ((word3 >>> 23) & 1) !== 0;
  if (wave.gfx10) {
    descriptor.format = (word3 >>> 12) & 0x7f;
    descriptor.elementBytes = 4;
    descriptor.oobSelect = (word3 >>> 28) & 3;
  } else {
    descriptor.format = ((word3 >>> 15) & 15) | (((word3 >>> 12) & 7) << 4);
    descriptor.elementBytes = 2 << ((word3 >>> 19) & 3);
    descriptor.oobSelect = 0;
  }
  return descriptor;
}
