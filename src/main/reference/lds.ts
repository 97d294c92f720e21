/**
 * On-chip memory: the LDS of a workgroup, and GDS, which has the same rules.
 *
 * Reads outside the allocation give 0, writes outside are dropped: per dword for wide accesses. gfx7 limits LDS further
 * by M0 (the `limit` argument of each access). Accesses may be unaligned, as in the unaligned mode that drivers select.
 * Every store passes through `store`, where an undo log can listen. Source: ISA manuals, "LDS address", "out-of-range".
 */
export type AccessSize = 1 | 2 | 4;

/** Told before each store that takes effect. */
export type LocalStoreListener = (address: number, sizeBytes: AccessSize, before: number, after: number) => void;

export class Lds {
  readonly sizeBytes: number;
  readonly bytes: Uint8Array;
  onStore: LocalStoreListener | undefined;
  private readonly view: DataView;

  constructor(sizeBytes: number) {
    this.sizeBytes = sizeBytes;
    this.bytes = new Uint8Array(sizeBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Whether an access of `sizeBytes` at `address` (u32) lies inside the allocation and below `limit`. */
  holds(address: number, sizeBytes: number, limit: number): boolean {
    return address + sizeBytes <= this.sizeBytes && address + sizeBytes <= limit;
  }

  load(address: number, sizeBytes: AccessSize, limit: number): number {
    if (!this.holds(address, sizeBytes, limit)) return 0;
    if (sizeBytes === 4) return this.view.getUint32(address, true);
    return sizeBytes === 2 ? this.view.getUint16(address, true) : this.view.getUint8(address);
  }

  /** False when the write is out of range and dropped. */
  store(address: number, sizeBytes: AccessSize, value: number, limit: number): boolean {
    if (!this.holds(address, sizeBytes, limit)) return false;
    if (this.onStore) this.onStore(address, sizeBytes, this.load(address, sizeBytes, limit), value);
    if (sizeBytes === 4) this.view.setUint32(address, value, true);
    else if (sizeBytes === 2) this.view.setUint16(address, value, true);
    else this.view.setUint8(address, value);
    return true;
  }

  /** The `lds_direct` operand: M0[15:0] is the byte address, M0[18:16] the type. */
  readDirect(m0: number): number {
    const address = m0 & 0xffff;
    switch ((m0 >>> 16) & 7) {
      case 0:
        return this.load(address, 1, this.sizeBytes);
      case 1:
        return this.load(address, 2, this.sizeBytes);
      case 2:
        return this.load(address, 4, this.sizeBytes);
      case 4:
        return ((this.load(address, 1, this.sizeBytes) << 24) >> 24) >>> 0;
      case 5:
        return ((this.load(address, 2, this.sizeBytes) << 16) >> 16) >>> 0;
      default:
        return 0;
    }
  }
}
