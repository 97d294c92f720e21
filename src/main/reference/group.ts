/**
 * A workgroup while it runs: its id, its LDS, its waves and the barrier they share.
 */
import type { Vec3 } from '../base/dispatch.ts';
import type { Lds } from './lds.ts';
import type { Wave } from './wave.ts';

export class Group {
  readonly id: Vec3;
  /** Position in launch order. */
  readonly index: number;
  readonly lds: Lds;
  readonly waves: Wave[] = [];

  constructor(id: Vec3, index: number, lds: Lds) {
    this.id = id;
    this.index = index;
    this.lds = lds;
  }
}
