/**
 * Addresses and bounds of buffer accesses (MUBUF, MTBUF): descriptor, index, offsets, swizzle, range rule.
 *
 *   index  = vindex (idxen) + lane (add_tid)          offset = voffset (offen) + immediate
 *   linear:   buffer offset = index · stride + offset
 *   swizzled: ((index / index_stride) · stride + (offset / element) · element) · index_stride
 *             + (index % index_stride) · element + offset % element
 *   address = base + SGPR offset + buffer offset; gfx7 addr64 adds a 64-bit VGPR address instead and has no bounds.
 *
 * Out of range: loads give 0, stores and atomics do nothing. gfx10 by OOB_SELECT: 0 index ≥ num_records or offset ≥
 * stride; 1 index ≥ num_records; 2 num_records = 0; 3 raw: offset + size > num_records, or with stride and swizzle
 * index ≥ num_records or offset + size > stride. gfx7: stride 0 counts num_records in bytes (buffer offset ≥
 * num_records − SGPR offset), otherwise in records (index ≥ num_records). Wide accesses are checked per dword.
 * Source: Sea Islands, RDNA 1 and 2 ISA manuals, "Buffer addressing", "Range checking"; Mesa's notes on num_records.
 */
import { addressFromHalves } from '../base/guest-address.ts';
import { FLAG, type Instruction } from '../isa/instruction.ts';
import { type BufferDescriptor, decodeBufferDescriptor } from './descriptor.ts';
import type { LaneAccess } from './lane-access.ts';
import type { AccessSize } from './lds.ts';
import { scalar32 } from './operands.ts';
import type { Wave } from './wave.ts';

const NO_LANES: Uint32Array = new Uint32Array(64);

/** One instruction's buffer, prepared once and asked per lane. A single object, reused. */
export class BufferAccess implements LaneAccess {
  descriptor!: BufferDescriptor;
  private gfx10 = false;
  private scalarOffset = 0;
  private immediate = 0;
  private indexed = false;
  private offsets = NO_LANES;
  private indices = NO_LANES;
  private addressLow = NO_LANES;
  private addressHigh = NO_LANES;
  private addr64 = false;
  /** Of the lane chosen with `at`. */
  index = 0;
  offset = 0;
  private laneAddress = 0;

  /** `src0` vaddr, `src1` the descriptor, `src2` the SGPR offset. */
  prepare(wave: Wave, inst: Instruction): void {
    this.descriptor = decodeBufferDescriptor(wave, inst, inst.src1);
    this.gfx10 = wave.gfx10;
    this.scalarOffset = inst.src2 < 0 ? 0 : scalar32(wave, inst, inst.src2);
    this.immediate = inst.imm;
    this.indexed = (inst.flags & FLAG.IDXEN) !== 0;
    this.addr64 = (inst.flags & FLAG.ADDR64) !== 0;
    const hasOffset = (inst.flags & FLAG.OFFEN) !== 0;
    this.indices = this.indexed ? wave.vgprOf(inst.src0) : NO_LANES;
    this.offsets = hasOffset ? wave.vgprOf(inst.src0 + (this.indexed ? 1 : 0)) : NO_LANES;
    if (this.addr64) {
      this.addressLow = wave.vgprOf(inst.src0);
      this.addressHigh = wave.vgprOf(inst.src0 + 1);
    }
  }

  /** Chooses the lane for the calls that follow. */
  at(lane: number): void {
    this.index = this.indices[lane]! + (this.descriptor.addThreadId ? lane : 0);
    this.offset = this.offsets[lane]! + this.immediate;
    if (this.addr64) this.laneAddress = addressFromHalves(this.addressLow[lane]!, this.addressHigh[lane]!);
  }

  /** Offset from base + SGPR offset of byte `skip` of the element. */
  private bufferOffset(skip: number): number {
    const { strideBytes, swizzle, elementBytes, indexStride } = this.descriptor;
    const offset = this.offset + skip;
    if (!swizzle) return this.index * strideBytes + offset;
    const block = Math.floor(this.index / indexStride);
    const element = Math.floor(offset / elementBytes);
    return (
      (block * strideBytes + element * elementBytes) * indexStride +
      (this.index % indexStride) * elementBytes +
      (offset % elementBytes)
    );
  }

  /** Address of byte `skip` of the chosen lane's element. */
  address(skip: number): number {
    const { base } = this.descriptor;
    if (this.addr64) return base + this.laneAddress + this.scalarOffset + this.immediate + skip;
    return base + this.scalarOffset + this.bufferOffset(skip);
  }

  /** Whether `sizeBytes` at byte `skip` of the element are outside the buffer. */
  isOutOfRange(skip: number, sizeBytes: number): boolean {
    if (this.addr64) return false;
    const { numRecords, strideBytes, swizzle, oobSelect } = this.descriptor;
    if (!this.gfx10) {
      if (strideBytes === 0) return this.bufferOffset(skip) >= numRecords - this.scalarOffset;
      return this.index >= numRecords;
    }
    switch (oobSelect) {
      case 0:
        return this.index >= numRecords || this.offset + skip >= strideBytes;
      case 1:
        return this.index >= numRecords;
      case 2:
        return numRecords === 0;
      default:
        if (swizzle && strideBytes !== 0) {
          return this.index >= numRecords || this.offset + skip + sizeBytes > strideBytes;
        }
        return this.bufferOffset(skip) + sizeBytes > numRecords;
    }
  }

  load(wave: Wave, lane: number, skip: number, sizeBytes: AccessSize): number {
    if (this.isOutOfRange(skip, sizeBytes)) return 0;
    return wave.machine.load(wave, lane, this.address(skip), sizeBytes);
  }

  store(wave: Wave, lane: number, skip: number, sizeBytes: AccessSize, value: number): void {
    if (this.isOutOfRange(skip, sizeBytes)) return;
    wave.machine.store(wave, lane, this.address(skip), sizeBytes, value);
  }

  mayUpdate(wave: Wave, lane: number, sizeBytes: 4 | 8): boolean {
    if (this.isOutOfRange(0, sizeBytes)) return false;
    return wave.machine.mayUpdate(wave, lane, this.address(0), sizeBytes);
  }
}

export const bufferAccess = new BufferAccess();
