/**
 * The vector registers of a wave and the views that handlers use; kept apart from the wave so that a run of many groups
 * can use them again: 64 KiB per wave are worth recycling.
 */
import { assert } from '../base/assert.ts';
import type { WaveSize } from '../base/dispatch.ts';

export class VectorRegisters {
  /** Register-major: register r of lane l is data[r · waveSize + l]. */
  readonly data: Uint32Array;
  private readonly waveSize: WaveSize;
  private readonly views: (Uint32Array | undefined)[] = new Array(256).fill(undefined);

  constructor(waveSize: WaveSize) {
    this.waveSize = waveSize;
    this.data = new Uint32Array(256 * waveSize);
  }

  /** The lanes of one register: a view, not a copy. */
  view(register: number): Uint32Array {
    const known = this.views[register];
    if (known) return known;
    assert(register >= 0 && register < 256, `no VGPR ${register}`);
    const first = register * this.waveSize;
    return (this.views[register] = this.data.subarray(first, first + this.waveSize));
  }

  clear(): void {
    this.data.fill(0);
  }
}
