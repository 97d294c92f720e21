/**
 * What is known of a wave at one point: a value for every scalar register, and, where it is known at all, for lanes of
 * vector registers and for scratch cells that hold them.
 *
 * Why lanes and cells: LLVM keeps the return address of a function in lanes of a spilled VGPR (v_writelane), and saves
 * that VGPR to scratch; a link that takes this way is still a link.
 * Slots: 0…127 operand codes, 128 SCC, from 129 on lanes and cell lanes as interned by `SlotTable`. Slots from 129 on
 * that are absent hold something unknown.
 */
import type { ValueNumber } from './value-table.ts';

export const SLOT_SCC = 128;
export const FIXED_SLOTS = 129;

export type ExtraSlot =
  /** Lane `lane` of a VGPR. */
  | { readonly kind: 'lane'; readonly vgpr: number; readonly lane: number }
  /** Lane `lane` of a dword in scratch; `space` names base and unswizzled offset, `offset` the bytes from there. */
  | { readonly kind: 'cell'; readonly space: string; readonly offset: number; readonly lane: number };

export class SlotTable {
  private readonly extras: ExtraSlot[] = [];
  private readonly ids = new Map<string, number>();

  lane(vgpr: number, lane: number): number {
    return this.intern(`v${vgpr}.${lane}`, { kind: 'lane', vgpr, lane });
  }

  cell(space: string, offset: number, lane: number): number {
    return this.intern(`${space}@${offset}.${lane}`, { kind: 'cell', space, offset, lane });
  }

  /** For slots from FIXED_SLOTS on. */
  describe(slot: number): ExtraSlot {
    return this.extras[slot - FIXED_SLOTS]!;
  }

  private intern(key: string, slot: ExtraSlot): number {
    let id = this.ids.get(key);
    if (id === undefined) {
      id = FIXED_SLOTS + this.extras.length;
      this.extras.push(slot);
      this.ids.set(key, id);
    }
    return id;
  }
}

export class MachineState {
  readonly fixed: Int32Array;
  readonly extra: Map<number, ValueNumber>;

  constructor(fixed: Int32Array, extra: Map<number, ValueNumber>) {
    this.fixed = fixed;
    this.extra = extra;
  }

  clone(): MachineState {
    return new MachineState(this.fixed.slice(), new Map(this.extra));
  }

  get(slot: number): ValueNumber | undefined {
    return slot < FIXED_SLOTS ? this.fixed[slot] : this.extra.get(slot);
  }

  equals(other: MachineState): boolean {
    for (let slot = 0; slot < FIXED_SLOTS; slot++) if (this.fixed[slot] !== other.fixed[slot]) return false;
    if (this.extra.size !== other.extra.size) return false;
    for (const [slot, value] of this.extra) if (other.extra.get(slot) !== value) return false;
    return true;
  }
}
